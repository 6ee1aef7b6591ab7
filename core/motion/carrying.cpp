#include "core/motion/carrying.h"

#include "core/sim/advance.h"
#include "core/sim/body/body.h"
#include "core/sim/body/rigid_values.h"
#include "core/sim/model.h"

namespace hazumi {
namespace {

constexpr double kThin = 1e-9;  // of the largest moment of inertia: about a line it has none

/// I⁻¹ l, of a line without what turns it about itself.
Vec3 rate_of(const Mat3& inertia, const Vec3& momentum) {
  const double size = inertia.trace();
  if (!(size > 0)) return Vec3::Zero();
  if (inertia.determinant() > kThin * size * size * size) return inertia.inverse() * momentum;
  // Σ m (|r|² − r rᵀ) of a line along a: i (1 − a aᵀ), so that ½ tr I is i.
  return momentum / (0.5 * size);
}

}  // namespace

void carry_whole(const Model& model, const State& state, std::uint32_t body, BodyForces& forces) {
  const Body& b = model.bodies[body];
  const std::vector<double>& values = state.bodies[body].values;
  const std::size_t n = b.truss.nodes.size();
  std::vector<Vec3> x(n), u(n);
  b.positions(values, x);
  b.node_velocities(values, u);
  double mass = 0;
  Vec3 centre = Vec3::Zero(), velocity = Vec3::Zero(), force = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    mass += b.truss.masses[i];
    centre += b.truss.masses[i] * x[i];
    velocity += b.truss.masses[i] * u[i];
    if (i < forces.nodes.size()) force += forces.nodes[i];
  }
  centre /= mass;
  velocity /= mass;
  Mat3 inertia = Mat3::Zero();
  Vec3 momentum = Vec3::Zero(), moment = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 arm = x[i] - centre;
    const double m = b.truss.masses[i];
    inertia += m * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
    momentum += m * arm.cross(u[i]);
    if (i < forces.nodes.size()) moment += arm.cross(forces.nodes[i]);
  }
  const Pose frame = b.pose(values);
  const Pose& keys = forces.led->pose;
  const Vec3 to = keys.position + keys.rotation * b.mesh_origin + (centre - frame.position);
  const double h = model.step;
  const Vec3 acceleration = acceleration_of(model, forces, b) + force / mass;
  forces.kick += (to - centre) / h - 0.5 * h * acceleration - velocity;
  forces.kick_turn += mean_rate(frame.rotation, keys.rotation, h) - rate_of(inertia, momentum + 0.5 * h * moment);
  forces.stirred = true;
  forces.led.reset();
}

}  // namespace hazumi
