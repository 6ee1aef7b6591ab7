// Rigid body: P⁺ = P + h F, L⁺ = L + h τ, c⁺ = c + h (P + P⁺)/(2 M): exact for a constant force. Attitude: midpoint rule
// of ω = R J⁻¹ Rᵀ L with L half-way, R⁺ = exp(h ω(R_mid)) R, two fixed-point passes: second order, keeps L exactly and
// shows the flip of the intermediate axis.
#include "core/sim/advance.h"

#include <cmath>

#include "core/sim/body_values.h"

namespace hazumi {
namespace {

constexpr std::size_t kBlock = 4;          // bodies per block
constexpr double kFastest = 1e6;           // m/s

bool advance_rigid(const Body& body, const Vec3& gravity, const BodyForces& f, double h, std::vector<double>& values) {
  RigidValues r = read_rigid(values);
  const Vec3 momentum = r.momentum + h * (f.force + body.mass * gravity);
  r.pose.position += 0.5 * h / body.mass * (r.momentum + momentum);
  r.momentum = momentum;
  RigidValues middle = r;
  middle.angular_momentum = r.angular_momentum + 0.5 * h * f.torque;
  Vec3 spin = rigid_spin(body.inertia, middle);
  for (int pass = 0; pass < 3; ++pass) {
    middle.pose.rotation = rotated(r.pose.rotation, 0.5 * h * spin);
    spin = rigid_spin(body.inertia, middle);
  }
  r.pose.rotation = rotated(r.pose.rotation, h * spin);
  r.angular_momentum += h * f.torque;
  write_rigid(r, values);
  for (double x : values)
    if (!std::isfinite(x)) return false;
  return r.momentum.norm() < kFastest * body.mass;
}

bool advance_point(const Body& body, const Vec3& gravity, const BodyForces& f, double h, std::vector<double>& values) {
  PointValues p = read_point(values);
  const Vec3 acceleration = gravity + f.force / body.mass;
  p.position += h * p.velocity + 0.5 * h * h * acceleration;
  p.velocity += h * acceleration;
  write_point(p, values);
  for (double x : values)
    if (!std::isfinite(x)) return false;
  return p.velocity.norm() < kFastest;
}

}  // namespace

bool alive(const Body& body, double time) {
  return body.kind != BodyKind::point || (time >= body.birth && time < body.death);
}

void advance_bodies(const Model& model, State& state, const std::vector<BodyForces>& forces,
                    std::vector<ElasticWorkspace>& workspaces, Executor& executor, std::vector<char>& good) {
  const double time = static_cast<double>(state.substep) * model.step;
  executor.blocks(model.bodies.size(), kBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Body& body = model.bodies[i];
      const Vec3 gravity = body.gravity ? model.gravity : Vec3::Zero();
      std::vector<double>& values = state.bodies[i].values;
      good[i] = 1;
      if (!alive(body, time)) continue;
      if (body.kind == BodyKind::rigid) good[i] = advance_rigid(body, gravity, forces[i], model.step, values);
      if (body.kind == BodyKind::point) good[i] = advance_point(body, gravity, forces[i], model.step, values);
      if (body.kind == BodyKind::flexible)
        good[i] = body.elastic->step(values, forces[i].nodes, gravity, workspaces[begin / kBlock]);
    }
  });
}

}  // namespace hazumi
