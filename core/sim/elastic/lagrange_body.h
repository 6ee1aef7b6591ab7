// The body behind the solver "lagrange": what is constant, and what is asked of it between steps
// (lagrange_body.cpp). The step itself, with the equations and their symbols, is in lagrange.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/sim/elastic/body_frame.h"
#include "core/sim/elastic/inverse_columns.h"
#include "core/sim/elastic/pins.h"
#include "core/sim/elastic/solver.h"
#include "core/sim/elastic/spring_network.h"

namespace hazumi::lagrange {

/// The 7 numbers of the frame, unpacked: c is the centre of mass, or the first pin.
struct FrameState {
  Vec3 c;
  Quat q;
  explicit FrameState(const double* s) : c(s[0], s[1], s[2]), q(s[3], s[4], s[5], s[6]) {}
  FrameState(const Vec3& origin, const Quat& attitude) : c(origin), q(attitude) {}
  void store(double* s) const {
    const double values[7] = {c.x(), c.y(), c.z(), q.w(), q.x(), q.y(), q.z()};
    std::copy(values, values + 7, s);
  }
};
inline constexpr std::size_t kFrame = 7;

inline Vec3 at(const double* x, std::size_t node) { return {x[3 * node], x[3 * node + 1], x[3 * node + 2]}; }
inline void put(double* x, std::size_t node, const Vec3& v) {
  x[3 * node] = v.x();
  x[3 * node + 1] = v.y();
  x[3 * node + 2] = v.z();
}

/// How often a step is halved at most where the iteration does not settle.
inline constexpr int kDeepest = 4;

inline constexpr ElasticNeeds kNeeds = {.springs = true, .shape = true, .unfolded = true};
// Rows of the solver's own table.
enum Parameter : std::size_t { kMethod, kBeta, kYield, kKeeps, kBreaks };
enum class Method { factored, fixed_point };
std::span<const ParameterRow> parameter_rows();

class Body final : public ElasticSolver {
 public:
  /// Whatever its springs could take.
  static Result<std::unique_ptr<Body>> make(const ElasticSetup& setup);

  std::size_t node_count() const override { return mass_.size(); }
  std::size_t state_size() const override { return kFrame + 6 * mass_.size() + told_count() + kept_count(); }
  void initialise(const Pose& pose, const Vec3& velocity, const Vec3& spin, std::span<double> state) const override;
  bool step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
            ElasticWorkspace& workspace) const override;
  /// After a step: takes out of the velocities what the step cannot follow (lagrange_calm.cpp).
  void calm(std::span<double> state, ElasticWorkspace& workspace) const override;
  void apply_impulses(std::span<double> state, std::span<const NodeImpulse> impulses) const override;
  void displace(std::span<double> state, std::span<const Vec3> displacement) const override;
  bool carry(std::span<double> state, const Pose& by) const override;
  bool take_shape(std::span<double> state, const RestShape& shape) const override;
  RestShape shape(std::span<const double> state) const override;
  void past(std::span<const double> state, std::vector<SpringPast>& out) const override;
  void take_past(std::span<double> state, std::span<const SpringPast> past) const override;
  bool still(std::span<double> state) const override;
  void positions(std::span<const double> state, std::span<Vec3> out) const override;
  void velocities(std::span<const double> state, std::span<Vec3> out) const override;
  Pose frame(std::span<const double> state) const override;
  Observables observe(std::span<const double> state) const override;
  Before before() const override { return Before::start; }
  bool takes_volume() const override { return factor_ && beta_ == 0.25; }
  void respond(std::span<const double> state, std::span<const NodeImpulse> impulses, std::span<Vec3> dv) const override;
  void inverse_blocks(std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                      ElasticWorkspace& workspace) const override;

  double elastic_energy(std::span<const double> state) const {
    return elastic_energy(state.data() + kFrame, state.data() + kFrame);
  }
  /// Frame, displacements and velocities of a body of the same nodes and other springs.
  void take_over(const Body& other, std::span<const double> from, std::span<double> to) const;
  /// Of each spring of the set-up its stretch (e − o)/l over its length at rest.
  void strains(std::span<const double> state, std::span<double> out) const;
  /// π of each spring of the set-up, m; zero where none yields.
  void read_kept(std::span<const double> state, std::span<double> out) const;
  void write_kept(std::span<const double> kept, std::span<double> state) const;

 private:
  struct Step;  // the numbers of one step, in the workspace: lagrange_step.h

  /// A step of h/2^depth. What does not settle is made in two halves.
  bool advance(int depth, std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
               ElasticWorkspace& workspace) const;
  bool advance_in_halves(int depth, double volume, std::span<double> state, std::span<const Vec3> forces,
                         const Vec3& acceleration, ElasticWorkspace& workspace) const;
  Vec3 rigid_rate(const SecondMoment& moment, const Vec3& angular) const;
  std::optional<SparseFactor> make_factor(double h) const;  // of A for a step h
  const SparseFactor& factor(int depth) const;
  bool pinned() const { return pins_.kind != PinKind::none; }
  void clear_held(double* x) const;  // zero at pinned nodes
  std::size_t kept_count() const { return keeps_any_ ? springs_.spring_count() : 0; }
  /// G and Q; whether nodes are told, and how far from those of the set-up they are.
  std::size_t told_count() const {
    return setup_.takes_shape ? RestShape::kNumbers + (setup_.takes_nodes ? 1 + 3 * mass_.size() : 0) : 0;
  }
  /// 3n numbers; null: none are told.
  const double* told_nodes(const double* d) const {
    const double* const flag = d + 6 * mass_.size() + RestShape::kNumbers;
    return setup_.takes_shape && setup_.takes_nodes && *flag != 0 ? flag + 1 : nullptr;
  }
  /// The rest shape that a state was told.
  RestShape told(const double* d) const {
    return setup_.takes_shape ? RestShape::of(d + 6 * mass_.size()) : RestShape();
  }
  /// π of a state; null: none is kept.
  const double* kept(const double* d) const { return keeps_any_ ? d + 6 * mass_.size() + told_count() : nullptr; }
  void flow(std::span<double> state) const;
  bool rests_elsewhere(const double* d) const { return !offset_.empty() || told_nodes(d) || !told(d).none(); }
  /// o of a state, own order; null: there is none. May use `room`, 3n numbers.
  const double* offset(const double* d, double* room) const;
  /// K o of a state, N; null: there is none. May use `room` and `more`, 3n numbers each.
  const double* offset_force(const double* d, double* room, double* more) const;
  // −K (d − o) + Σ k b π − C v, N
  void spring_forces(const double* d, const double* v, const double* kept, const double* offset_force,
                     double* out) const;
  /// Of displacements d, with o and π of a state whose d is `of`.
  double elastic_energy(const double* d, const double* of) const;
  const SparseFactor& whole_factor() const;  // of A for h_, whatever the method

  ElasticSetup setup_;
  SpringNetwork springs_;
  std::optional<SparseFactor> factor_;  // of A = M + ½ h C + β h² K; factored method
  mutable std::array<std::optional<SparseFactor>, kDeepest>
      part_factors_;  // of halves, quarters…; made when first needed
  mutable std::array<std::once_flag, kDeepest> part_made_;
  mutable std::optional<SparseFactor> asked_factor_;  // of A where the method has none; made when first asked for
  mutable std::once_flag asked_made_;
  InverseColumns columns_;  // of A⁻¹, own order
  PinFrame pins_;           // object frame
  RigidDirections directions_;
  Mat3 reference_inverse_ = Mat3::Zero();  // of J(r), without the directions in which the body does not turn
  std::vector<double> mass_;               // own order
  std::vector<double> reference_;          // r from the frame's origin, own order
  std::vector<double> arm_;                // from the centre of mass, own order: what is told is of that
  std::vector<double> offset_;             // o of the set-up, own order; empty: none
  std::vector<double> offset_force_;       // K o of that
  std::vector<std::uint32_t> place_;       // node of the set-up → own number
  std::vector<std::uint32_t> held_;        // own numbers of the pinned nodes, ascending
  Vec3 origin_ = Vec3::Zero();             // of the frame, object frame: centre of mass, or the first pin
  double total_mass_ = 0, extent_ = 0;
  double h_ = 0, beta_ = 0;
  double yield_ = 0, keeps_ = 1;  // strain, share
  bool keeps_any_ = false;        // a state has π: springs may yield or break, or have
  bool damped_ = false;
};

}  // namespace hazumi::lagrange
