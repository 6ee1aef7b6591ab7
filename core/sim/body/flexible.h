// Moves, turns and bends: an elastic solver moves its nodes. State: what the solver wants. u: velocities of the nodes, m/s, world.
#pragma once

#include "core/sim/body/body.h"
#include "core/sim/elastic/body_frame.h"
#include "core/sim/elastic/brittle.h"
#include "core/sim/elastic/kept_volume.h"
#include "core/sim/elastic/pins.h"

namespace hazumi {

/// Another elastic model of the same nodes and masses that a body may be told to bend by.
struct OtherElastic {
  int number = -1;  ///< in elastic_solvers()
  std::unique_ptr<const ElasticSolver> elastic;
  const KeptVolume* kept = nullptr;  ///< as FlexibleBody::kept
  double contact_modulus = 0;        ///< Pa
};

struct FlexibleBody final : Body {
  std::unique_ptr<const ElasticSolver> elastic;  ///< that it was made with
  const KeptVolume* kept = nullptr;              ///< `elastic` as that; null: its volume is not kept
  std::vector<OtherElastic> others;              ///< ascending; a state says which one it has
  int own_number = -1;                           ///< of `elastic`, in elastic_solvers()
  const Brittle* brittle = nullptr;              ///< `elastic` as that; null: it does not break
  PinFrame pins;                                 ///< what its pinned nodes leave, object frame
  RigidDirections directions;
  std::vector<StartNode> bent;   ///< at time 0, one per node; empty: as at rest
  std::vector<SpringPast> past;  ///< of its springs at time 0
  std::vector<Vec3> arms;        ///< of the nodes at reference, from the centre of mass or the first pin, m

  FlexibleBody(const BodySetup& setup, std::unique_ptr<const ElasticSolver> solver, double contact_modulus);
  static Result<std::unique_ptr<Body>> make(const BodySetup& setup);

  /// What moves its nodes in a state, and what that knows of it.
  template <class Number>
  struct Now {
    const ElasticSolver& elastic;
    const KeptVolume* kept;
    std::span<Number> values;
  };
  template <class Number>
  Now<Number> now(std::span<Number> values) const {
    const OtherElastic* const other = other_of(values);
    if (!other) return {*elastic, kept, values};
    return {*other->elastic, other->kept, values.first(other->elastic->state_size())};
  }

  /// As it begins; bending by another model a state has another size.
  std::size_t state_size() const override { return elastic->state_size(); }
  void initialise(std::span<double> values) const override;
  BodyStart start_of(std::span<const double> values) const override;
  bool advance(double h, const BodyForces& forces, const Vec3& g, std::span<const double> before,
               std::span<double> after, ElasticWorkspace& workspace, BodyMotion* motion) const override;
  void calm(std::span<double> values, ElasticWorkspace& workspace) const override;
  bool crack(std::span<double> values) const override { return others.empty() && elastic->crack(values); }
  bool bends_by(int solver, std::span<const double> values) const override;
  void bend_by(int solver, std::vector<double>& values) const override;
  bool limp(std::span<const double> values) const override { return now(values).elastic.inverse_follows_nodes(); }
  double contact_young(std::span<const double> values) const override;
  std::string divergence_hint() const override;
  Pose pose(std::span<const double> values) const override {
    const auto is = now(values);
    return is.elastic.frame(is.values);
  }
  void positions(std::span<const double> values, std::span<Vec3> nodes) const override;
  Observables observe(std::span<const double> values) const override {
    const auto is = now(values);
    return is.elastic.observe(is.values);
  }
  Observables account(std::span<const double> values) const override {
    const auto is = now(values);
    return is.elastic.account(is.values);
  }
  std::shared_ptr<const BodyParts> parts(std::span<const double> values) const override;
  const Mapping* mapping_in(const BodyParts* in) const override;
  const ContactProxy& proxy_in(const BodyParts* in) const override;

  ContactShape contact_shape(ContactShape wanted) const override;
  Vec3 centre_velocity(std::span<const double> values, std::vector<Vec3>& scratch) const override;
  void motion(double h, std::span<const double> before, std::span<const double> after, BodyMotion& out) const override;
  void hold(double h, BodyMotion& motion) const override;
  std::unique_ptr<ElasticAnswer> answer(const BodyMotion& motion) const override;
  bool own_answers(const BodyMotion& motion, std::span<const std::uint32_t> nodes,
                   std::span<double> own) const override;
  void inverse_blocks(const BodyMotion& motion, std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                      ElasticWorkspace& workspace) const override;
  void shift(std::span<double> values, const BodyForces& pushes, const BodyMotion& motion) const override;
  void add_turn(std::span<double> values, const Vec3& centre, const Vec3& turn) const override;
  void stay(std::span<const double> from, std::span<double> values, const Vec3& place, const Vec3& out) const override;
  bool put(const Pose& to, std::span<double> values) const override;
  void slow(std::span<double> values, double share) const override;
  bool lay_down(std::span<double> values) const override {
    const auto is = now(values);
    return is.elastic.still(is.values);
  }
  bool lies(std::span<const double> values) const override;
  bool can_be_joined() const override { return true; }
  bool can_be_led() const override { return pins.kind == PinKind::none && brittle == nullptr; }
  void lead(const Lead& to, std::span<double> values) const override;
  bool carry(const Pose& by, std::span<double> values) const override {
    const auto is = now(values);
    return is.elastic.carry(is.values, by);
  }
  void node_velocities(std::span<const double> values, std::span<Vec3> out) const override {
    const auto is = now(values);
    is.elastic.velocities(is.values, out);
  }
  void push_nodes(std::span<double> values, std::span<const NodeImpulse> impulses) const override {
    const auto is = now(values);
    is.elastic.apply_impulses(is.values, impulses);
  }
  void respond(std::span<const double> values, std::span<const NodeImpulse> impulses,
               std::span<Vec3> out) const override {
    const auto is = now(values);
    is.elastic.respond(is.values, impulses, out);
  }
  RestShape shape(std::span<const double> values) const override {
    const auto is = now(values);
    return is.elastic.shape(is.values);
  }
  bool take_shape(std::span<double> values, const RestShape& shape) const override {
    const auto is = now(values);
    return is.elastic.take_shape(is.values, shape);
  }
  void begin_in(const RestShape& shape, std::span<double> values) const override;
  void examples(std::span<const double> values, std::vector<ExampleShare>& out) const override {
    const auto is = now(values);
    is.elastic.examples(is.values, out);
  }
  std::optional<KeptVolumeReading> volume(std::span<const double> values) const override;
  bool has_size(std::span<const double> values, double size) const override;
  double resize(double size, std::span<double> values) const override;
  bool stores_motion(std::span<const double> values) const override { return now(values).elastic.stores_motion(); }
  void begin_volume(std::span<double> values) const override {
    const auto is = now(values);
    if (is.kept) is.kept->begin_substep(is.values);
  }

 private:
  /// Null: it bends as it was made, or by no other solver of that number.
  const OtherElastic* other_of(std::span<const double> values) const;
  const OtherElastic* find_other(int number) const;
  void add_others(const BodySetup& setup, Diagnostics& notes);
  std::size_t size_with(const OtherElastic* other) const;
  /// How a body that has fallen apart is seen and collides.
  struct Skin {
    std::shared_ptr<const Mapping> mapping;
    ContactProxy proxy;
  };
  const Skin& skin_of(const BodyParts& in) const;
  void hold_vertices(BodyMotion& motion) const;
  void read_motion(double h, std::span<const double> before, std::span<const double> after, BodyMotion& out) const;
};

}  // namespace hazumi
