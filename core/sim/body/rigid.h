// Moves and turns, does not bend (equations: rigid_body.h). u: velocity of the centre of mass, m/s, and spin, rad/s, world.
//   A⁻¹ = diag(1/m, R I⁻¹ Rᵀ),   J = (1, −[p − c]ₓ)
#pragma once

#include "core/sim/body/body.h"
#include "core/sim/body/rigid_body.h"

namespace hazumi {

struct RigidBody : Body {
  RigidInertia rigid;

  explicit RigidBody(const BodySetup& setup);

  std::size_t state_size() const override { return kRigidStateSize; }
  void initialise(std::span<double> values) const override;
  bool advance(double h, const BodyForces& forces, const Vec3& g, std::span<double> values,
               ElasticWorkspace& workspace) const override;
  Pose pose(std::span<const double> values) const override { return rigid_pose(values); }
  Observables observe(std::span<const double> values) const override;

  Vec3 centre_velocity(std::span<const double> values, std::vector<Vec3>& scratch) const override;
  void load(std::span<const double> values, std::span<const Vec3> nodes, MotionNow& now) const override;
  void store(BodyMotion& motion, std::span<double> values) const override;

  std::size_t velocity_size() const override { return 6; }
  void velocities(std::span<const double> values, std::span<double> u) const override;
  Vec3 velocity_at(std::span<const double> values, std::span<const double> u,
                   const ContactAnchor& anchor) const override;
  void respond(std::span<const double> values, std::span<const AnchorImpulse> impulses,
               std::span<double> du) const override;
  void add_velocity(std::span<double> values, std::span<const double> du) const override;
  void displace(std::span<double> values, std::span<const double> dx) const override;

 protected:
  /// From the centre of mass to an anchor's place, world.
  static Vec3 arm_of(std::span<const double> values, const ContactAnchor& anchor);
};

}  // namespace hazumi
