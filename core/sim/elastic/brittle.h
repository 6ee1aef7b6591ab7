// A body whose springs break: solvers "lagrange" around parts of it, one for what hangs together (cohesion.h).
//
//   e, l     stretch of a spring in the frame of its part (flexible-body.md), its length, m         breaks  strain, no unit
//   x, u     nodes, m, and velocities, m/s (world)                                                   E  kinetic and elastic energy, J
//   π        what a spring has kept, m: it pulls with k (e − π)
//
// At the end of a sub-step, after contacts have used what it was in it (crack), a spring breaks where (|x_b − x_a| − l − π)/l > breaks, if
// none of those that share a node with it is stretched more beyond. Breaking one changes how those beside it are loaded, not at once, as
// nodes stay where they are, but in the step that follows; so the worst goes first and those beside it are judged after. Springs that have
// no node in common do not wait. What is squeezed does not break: of what is brittle, cracks open.
//
// Nodes and velocities stay, whatever falls apart: P and L stay to round-off. The frames of the new parts are those that fit their nodes; a
// stretch is measured along the reference direction of such a frame, e' for e. Where the springs that are left would hold more by that than
// E before, they keep a share of the difference, π⁺ = π + s (e' − e), the least that will do (s = 1: each pulls as it did). So E never rises.
// What is lost adds up in the state.
//
// A part of one node is a point: m (u⁺ − u⁻) = h (f + m g), x⁺ = x + ½ h (u⁻ + u⁺).
//
// State: which springs have broken (48 a number), J lost, the attitude (w x y z) that it had as it fell apart first, then of each part in
// the order of their lowest nodes: x, u of a point, else the state of its solver. n nodes need 6n + 7 ⌊n/2⌋ numbers at most for that, and π
// of each spring; what is not used is 0.
// Solvers of parts are made when they are first needed and kept; they follow from the broken springs alone.
#pragma once

#include <map>
#include <mutex>

#include "core/sim/elastic/body_parts.h"
#include "core/sim/elastic/cohesion.h"
#include "core/sim/elastic/lagrange_body.h"

namespace hazumi {

/// The parameter `breaks` of a set-up of "lagrange".
double breaking_strain(const ElasticSetup& setup);
/// The same of what a person set: with this solver the body can break.
bool breaks(std::string_view solver, const SolverParameters& all);
void keep_whole(std::string_view solver, SolverParameters& all);  ///< it does not any more

class Brittle final : public ElasticSolver {
 public:
  static Result<std::unique_ptr<Brittle>> make(const ElasticSetup& setup);

  struct Part {
    std::vector<std::uint32_t> nodes, springs;     // of the set-up, ascending
    std::shared_ptr<const lagrange::Body> solver;  // null: a point
    std::size_t at = 0, size = 0;                  // in the state
    double mass = 0;                               // kg
    Vec3 centre = Vec3::Zero();                    // at reference, object frame
    PinFrame pins;                                 // object frame
    RigidDirections directions;
    std::vector<Vec3> arms;  // of the nodes from the centre or the first pin, m
    bool pinned() const { return pins.kind != PinKind::none; }
  };
  struct Arrangement final : BodyParts {
    std::vector<Part> parts;
    std::vector<std::uint32_t> place;  // of each node in its part
  };

  /// The parts of now.
  std::shared_ptr<const BodyParts> parts(std::span<const double> state) const;
  std::vector<char> broken(std::span<const double> state) const;  ///< of each spring
  double lost(std::span<const double> state) const { return state[words_]; }
  /// Of a state that is to begin with: what is farther apart than its springs hold comes apart, whatever that costs.
  void tear(std::span<double> state) const;
  /// As ElasticSolver::inverse_blocks, with nodes of different parts taking no notice of each other and each part in the attitude that fits
  /// it at `middle` (all nodes, m); in the axes of `attitude`.
  void inverse_blocks(const BodyParts& parts, std::span<const Vec3> middle, const Mat3& attitude,
                      std::span<const std::uint32_t> nodes, std::span<Mat3> blocks, ElasticWorkspace& workspace) const;

  std::size_t node_count() const override { return setup_.nodes.size(); }
  std::size_t state_size() const override { return size_; }
  void initialise(const Pose& pose, const Vec3& velocity, const Vec3& spin, std::span<double> state) const override;
  bool step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
            ElasticWorkspace& workspace) const override;
  void calm(std::span<double> state, ElasticWorkspace& workspace) const override;
  bool crack(std::span<double> state) const override;
  void apply_impulses(std::span<double> state, std::span<const NodeImpulse> impulses) const override;
  void displace(std::span<double> state, std::span<const Vec3> displacement) const override;
  void past(std::span<const double> state, std::vector<SpringPast>& out) const override;
  void take_past(std::span<double> state, std::span<const SpringPast> past) const override;
  bool still(std::span<double> state) const override;
  void positions(std::span<const double> state, std::span<Vec3> out) const override;
  void velocities(std::span<const double> state, std::span<Vec3> out) const override;
  /// Of what has fallen apart the centre of mass of all and the attitude that it had then, for good.
  Pose frame(std::span<const double> state) const override;
  Observables observe(std::span<const double> state) const override;
  Before before() const override { return Before::start; }
  void respond(std::span<const double> state, std::span<const NodeImpulse> impulses, std::span<Vec3> dv) const override;
  /// Of the body as it is made.
  void inverse_blocks(std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                      ElasticWorkspace& workspace) const override;

 private:
  static constexpr std::size_t kTail = 5;  // J lost, attitude
  using ArrangementPtr = std::shared_ptr<const Arrangement>;
  ArrangementPtr arrangement(std::span<const double> words) const;  // null: a part could not be made
  ArrangementPtr arrange(const std::vector<char>& broken) const;
  bool make_part(Part& part) const;
  void write_broken(const std::vector<char>& broken, std::span<double> state) const;
  void write_attitude(const Quat& q, std::span<double> state) const;
  std::vector<char> worst(const Arrangement& of, std::span<const double> state) const;
  bool fall_apart(const Arrangement& from, std::span<const double> state, const std::vector<char>& broken, bool pays,
                  std::span<double> out) const;
  void put_nodes(const Part& part, const Part& was, std::span<const double> was_state, std::span<const Vec3> x,
                 std::span<const Vec3> u, std::span<double> to) const;
  std::vector<double> each_spring(const Arrangement& of, std::span<const double> state,
                                  void (lagrange::Body::*read)(std::span<const double>, std::span<double>) const) const;
  void write_kept(const Arrangement& to, std::span<const double> kept, std::span<double> state) const;
  void let_keep(const Arrangement& from, std::span<const double> state, const Arrangement& to, std::vector<double> kept,
                double held, std::span<double> out) const;
  double rest_length(std::uint32_t spring) const;                             // m
  double energy(const Arrangement& of, std::span<const double> state) const;  // of the springs

  std::span<double> own(const Part& part, std::span<double> state) const { return state.subspan(part.at, part.size); }
  std::span<const double> own(const Part& part, std::span<const double> state) const {
    return state.subspan(part.at, part.size);
  }

  ElasticSetup setup_;  // without its surface
  std::vector<std::array<std::uint32_t, 3>> surface_;
  Cohesion cohesion_;
  std::vector<double> lengths_;  // of the springs at reference, m
  double breaks_ = 0;
  std::size_t words_ = 0, size_ = 0;
  Vec3 centre_ = Vec3::Zero();  // of mass at reference
  double mass_ = 0;
  std::vector<char> is_pinned_;
  mutable std::mutex making_;
  mutable std::map<std::vector<double>, ArrangementPtr> made_;
  mutable std::map<std::vector<std::uint32_t>, std::weak_ptr<const lagrange::Body>> solvers_;  // by springs, then nodes
};

}  // namespace hazumi
