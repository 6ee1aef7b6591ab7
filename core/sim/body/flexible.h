// Moves, turns and bends: an elastic solver moves its nodes. State: what the solver wants. u: velocities of the nodes, m/s, world.
//   A⁻¹ of the solver (ElasticSolver::respond),   J of response.h
#pragma once

#include "core/sim/body/body.h"
#include "core/sim/elastic/pins.h"

namespace hazumi {

struct FlexibleBody final : Body {
  std::unique_ptr<const ElasticSolver> elastic;
  PinFrame pins;                 ///< what its pinned nodes leave, object frame
  std::vector<char> held_nodes;  ///< pinned: one per node, 1 at the pins; else empty
  /// Share ψ of the deformation velocity that a contact sees and drives, 1 soft … 0 stiff (contact/body_motion.h).
  double contact_softness = 0;
  double node_stiffness = 0;  ///< N/m, what a node feels, mean

  FlexibleBody(const BodySetup& setup, std::unique_ptr<const ElasticSolver> solver, const ElasticContact& contact);
  static Result<std::unique_ptr<Body>> make(const BodySetup& setup);

  std::size_t state_size() const override { return elastic->state_size(); }
  void initialise(std::span<double> values) const override;
  bool advance(double h, const BodyForces& forces, const Vec3& g, std::span<double> values,
               ElasticWorkspace& workspace) const override;
  std::string divergence_hint() const override;
  Pose pose(std::span<const double> values) const override { return elastic->frame(values); }
  void positions(std::span<const double> values, std::span<Vec3> nodes) const override;
  Observables observe(std::span<const double> values) const override { return elastic->observe(values); }

  ContactShape contact_shape(ContactShape wanted) const override;
  double deformation_energy() const override;
  Vec3 centre_velocity(std::span<const double> values, std::vector<Vec3>& scratch) const override;
  void load(std::span<const double> values, std::span<const Vec3> nodes, MotionNow& now) const override;
  void store(BodyMotion& motion, std::span<double> values) const override;

  Before before() const override { return elastic->before(); }
  std::size_t velocity_size() const override { return 3 * truss.nodes.size(); }
  void velocities(std::span<const double> values, std::span<double> u) const override;
  Vec3 velocity_at(std::span<const double> values, std::span<const double> u,
                   const ContactAnchor& anchor) const override;
  void respond(std::span<const double> values, std::span<const AnchorImpulse> impulses,
               std::span<double> du) const override;
  void add_velocity(std::span<double> values, std::span<const double> du) const override;
  void displace(std::span<double> values, std::span<const double> dx) const override;

 private:
  void load_pinned(MotionNow& now) const;
};

}  // namespace hazumi
