#include "core/motion/carrying.h"

#include <cmath>

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

/// A body's nodes as one.
struct Whole {
  double mass = 0;
  Vec3 centre = Vec3::Zero(), velocity = Vec3::Zero(), force = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  Vec3 momentum = Vec3::Zero(), moment = Vec3::Zero();  ///< angular momentum and moment of forces about the centre
};

Whole whole_of(const Body& b, const std::vector<double>& values, const std::vector<Vec3>& forces) {
  const std::size_t n = b.truss.nodes.size();
  std::vector<Vec3> x(n), u(n);
  b.positions(values, x);
  b.node_velocities(values, u);
  Whole whole;
  for (std::size_t i = 0; i < n; ++i) {
    const double m = b.truss.masses[i];
    whole.mass += m;
    whole.centre += m * x[i];
    whole.velocity += m * u[i];
    if (i < forces.size()) whole.force += forces[i];
  }
  whole.centre /= whole.mass;
  whole.velocity /= whole.mass;
  for (std::size_t i = 0; i < n; ++i) {
    const double m = b.truss.masses[i];
    const Vec3 arm = x[i] - whole.centre;
    whole.inertia += m * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
    whole.momentum += m * arm.cross(u[i]);
    if (i < forces.size()) whole.moment += arm.cross(forces[i]);
  }
  return whole;
}

}  // namespace

void carry_whole(const Model& model, const State& state, std::uint32_t body, const CarriedWay& way,
                 BodyForces& forces) {
  const Body& b = model.bodies[body];
  const Whole whole = whole_of(b, state.bodies[body].values, forces.nodes);
  const Pose frame = b.pose(state.bodies[body].values);
  const double h = model.step, near = (1 - std::exp(-h / way.tau)) / h;
  // The object frame goes with the frame that the solver holds the nodes by.
  const auto centre_at = [&](const Pose& keys) {
    return Vec3(keys.position + keys.rotation * b.mesh_origin + (whole.centre - frame.position));
  };
  const auto blow = [&](const Vec3& from, const Vec3& to, const Vec3& off, const Vec3& rate) {
    return Vec3(to + near * off - 0.5 * h * rate - from);
  };
  const Vec3 now = centre_at(way.now), after = centre_at(way.after);
  forces.kick += blow(whole.velocity, (after - now) / h, now - whole.centre,
                      acceleration_of(model, forces, b) + whole.force / whole.mass);
  forces.kick_turn += blow(rate_of(whole.inertia, whole.momentum), mean_rate(way.now.rotation, way.after.rotation, h),
                           mean_rate(frame.rotation, way.now.rotation, 1), rate_of(whole.inertia, whole.moment));
  forces.stirred = true;
  forces.led.reset();
}

}  // namespace hazumi
