#include "core/sim/body/point.h"

namespace hazumi {

namespace {

void store(const Vec3& x, const Vec3& v, std::span<double> state) {
  for (int k = 0; k < 3; ++k) {
    state[k] = x[k];
    state[3 + k] = v[k];
  }
}

}  // namespace

Vec3 point_position(std::span<const double> state) { return {state[0], state[1], state[2]}; }
Vec3 point_velocity(std::span<const double> state) { return {state[3], state[4], state[5]}; }

void point_initialise(const Vec3& position, const Vec3& velocity, std::span<double> state) {
  store(position, velocity, state);
}

bool point_step(double mass, double h, const Vec3& force, const Vec3& acceleration, std::span<double> state) {
  const Vec3 v = point_velocity(state);
  const Vec3 v_after = v + h * (force / mass + acceleration);
  const Vec3 x_after = point_position(state) + 0.5 * h * (v + v_after);
  store(x_after, v_after, state);
  return x_after.allFinite() && v_after.squaredNorm() < 1e12;
}

void point_apply_impulse(double mass, const Vec3& impulse, std::span<double> state) {
  store(point_position(state), point_velocity(state) + impulse / mass, state);
}

Observables point_observe(double mass, std::span<const double> state) {
  Observables result;
  result.mass = mass;
  result.centre = point_position(state);
  result.momentum = mass * point_velocity(state);
  result.kinetic_energy = 0.5 * mass * point_velocity(state).squaredNorm();
  return result;
}

}  // namespace hazumi
