// Moves and turns, does not bend (equations: rigid_body.h). Where rows act the step is rigid_midpoint().
#pragma once

#include "core/sim/body/body.h"
#include "core/sim/body/rigid_body.h"

namespace hazumi {

struct RigidBody : Body {
  RigidInertia rigid;
  double volume = 0;  ///< m³, of the mesh

  explicit RigidBody(const BodySetup& setup);

  std::size_t state_size() const override { return kRigidStateSize; }
  void initialise(std::span<double> values) const override;
  BodyStart start_of(std::span<const double> values) const override;
  bool advance(double h, const BodyForces& forces, const Vec3& g, std::span<const double> before,
               std::span<double> after, ElasticWorkspace& workspace, BodyMotion* motion) const override;
  Pose pose(std::span<const double> values) const override { return rigid_pose(values); }
  Observables observe(std::span<const double> values) const override;

  Vec3 centre_velocity(std::span<const double> values, std::vector<Vec3>& scratch) const override;
  PlainCentre plain_centre() const override { return {0, 7, 1 / mass}; }
  void motion(double h, std::span<const double> before, std::span<const double> after, BodyMotion& out) const override;
  void shift(std::span<double> values, const BodyForces& pushes, const BodyMotion& motion) const override;
  void add_turn(std::span<double> values, const Vec3& centre, const Vec3& turn) const override;
  void stay(std::span<const double> from, std::span<double> values, const Vec3& place, const Vec3& out) const override;
  bool put(const Pose& to, std::span<double> values) const override;
  void slow(std::span<double> values, double share) const override;
  bool lay_down(std::span<double> values) const override;
  bool lies(std::span<const double> values) const override;
  bool can_be_joined() const override { return true; }
  JoinedBody read_joined(std::span<const double> values) const override;
  void write_joined(const JoinedBody& joined, std::span<double> values) const override;
  bool can_be_led() const override { return true; }
  void lead(const Lead& to, std::span<double> values) const override;
};

}  // namespace hazumi
