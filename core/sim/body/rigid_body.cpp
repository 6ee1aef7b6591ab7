#include "core/sim/body/rigid_body.h"

#include <cmath>

#include "core/math/eigen.h"
#include "core/math/rotation.h"

namespace hazumi {

namespace {

constexpr double kTurnPerPart = 0.25;  // rad
constexpr int kMostParts = 4096;

struct Parts {
  Vec3 c, P, L;
  Quat q;
};

Parts unpack(std::span<const double> s) {
  return {{s[0], s[1], s[2]}, {s[7], s[8], s[9]}, {s[10], s[11], s[12]}, Quat(s[3], s[4], s[5], s[6])};
}

void store(const Parts& p, std::span<double> s) {
  for (int k = 0; k < 3; ++k) {
    s[k] = p.c[k];
    s[7 + k] = p.P[k];
    s[10 + k] = p.L[k];
  }
  s[3] = p.q.w();
  s[4] = p.q.x();
  s[5] = p.q.y();
  s[6] = p.q.z();
}

/// Attitude after h while the angular momentum goes from L0 to L1.
Quat turn(const RigidInertia& body, const Quat& q, const Vec3& L0, const Vec3& L1, double h) {
  const Vec3 start = body.inverse * (q.conjugate() * L0);
  Vec3 rate = start;
  for (int k = 0; k < 40; ++k) {
    const Quat end = q * exp_rotation(h * rate);
    const Vec3 next = 0.5 * (start + body.inverse * (end.conjugate() * L1));
    const double change = (next - rate).squaredNorm(), size = next.squaredNorm();
    rate = next;
    if (!(change > 1e-32 * size)) break;
  }
  return (q * exp_rotation(h * rate)).normalized();
}

}  // namespace

RigidInertia::RigidInertia(double mass_, const Mat3& inertia_)
    : mass(mass_), inertia(inertia_), inverse(inertia_.inverse()) {
  smallest = symmetric_eigenvalues(inertia_)[0];
}

void rigid_initialise(const RigidInertia& body, const Pose& pose, const Vec3& velocity, const Vec3& spin,
                      std::span<double> state) {
  const Quat q = pose.rotation.normalized();
  store({pose.position, body.mass * velocity, q * Vec3(body.inertia * (q.conjugate() * spin)), q}, state);
}

bool rigid_step(const RigidInertia& body, double h, const Vec3& force, const Vec3& torque, const Vec3& acceleration,
                std::span<double> state) {
  Parts p = unpack(state);
  const Vec3 before = p.P;
  p.P += h * (force + body.mass * acceleration);
  p.c += (0.5 * h / body.mass) * (before + p.P);

  const double largest = std::sqrt(std::max(p.L.squaredNorm(), (p.L + h * torque).squaredNorm()));
  const double angle = h * largest / body.smallest;  // an upper bound of what the step turns
  if (!(angle < kTurnPerPart * kMostParts)) return false;
  const int parts = std::max(1, static_cast<int>(std::ceil(angle / kTurnPerPart)));
  const double part = h / parts;
  const Vec3 start = p.L;
  for (int k = 0; k < parts; ++k)
    p.q = turn(body, p.q, start + (part * k) * torque, start + (part * (k + 1)) * torque, part);
  p.L = start + h * torque;
  store(p, state);
  return p.c.allFinite() && p.q.coeffs().allFinite() && p.P.squaredNorm() < 1e12 * body.mass * body.mass;
}

void rigid_apply_impulse(std::span<double> state, const Vec3& impulse, const Vec3& point) {
  Parts p = unpack(state);
  p.P += impulse;
  p.L += (point - p.c).cross(impulse);
  store(p, state);
}

void rigid_translate(std::span<double> state, const Vec3& by) {
  for (int k = 0; k < 3; ++k) state[k] += by[k];
}

Pose rigid_pose(std::span<const double> state) {
  const Parts p = unpack(state);
  return {p.c, p.q};
}

Vec3 rigid_spin(const RigidInertia& body, std::span<const double> state) {
  const Parts p = unpack(state);
  return p.q * Vec3(body.inverse * (p.q.conjugate() * p.L));
}

Vec3 rigid_velocity_at(const RigidInertia& body, std::span<const double> state, const Vec3& point) {
  const Parts p = unpack(state);
  return p.P / body.mass + rigid_spin(body, state).cross(point - p.c);
}

Mat3 rigid_inverse_inertia(const RigidInertia& body, std::span<const double> state) {
  const Mat3 r = unpack(state).q.toRotationMatrix();
  return r * body.inverse * r.transpose();
}

Observables rigid_observe(const RigidInertia& body, std::span<const double> state, double volume) {
  const Parts p = unpack(state);
  Observables result;
  result.mass = body.mass;
  result.centre = p.c;
  result.momentum = p.P;
  result.angular_momentum = p.L;
  result.kinetic_energy = 0.5 * p.P.squaredNorm() / body.mass + 0.5 * p.L.dot(rigid_spin(body, state));
  result.volume = volume;
  return result;
}

}  // namespace hazumi
