// The body behind the solvers "polyhedral", "fem" and "springs", which differ in their cells: what is constant, and what is asked of it between
// steps (cell_body.cpp). The step itself, with the equations and their symbols, is in cell_settle.cpp.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/sim/elastic/body_frame.h"
#include "core/sim/elastic/cells.h"
#include "core/sim/elastic/inverse_columns.h"
#include "core/sim/elastic/pins.h"
#include "core/sim/elastic/solver.h"
#include "core/sim/elastic/spring_matrix.h"

namespace hazumi::cell_body {

inline Vec3 at(const double* x, std::size_t node) { return {x[3 * node], x[3 * node + 1], x[3 * node + 2]}; }
inline void put(double* x, std::size_t node, const Vec3& v) {
  x[3 * node] = v.x();
  x[3 * node + 1] = v.y();
  x[3 * node + 2] = v.z();
}
inline Quat turn_at(const double* q, std::size_t k) { return {q[4 * k], q[4 * k + 1], q[4 * k + 2], q[4 * k + 3]}; }
inline void put_turn(double* q, std::size_t k, const Quat& turn) {
  q[4 * k] = turn.w();
  q[4 * k + 1] = turn.x();
  q[4 * k + 2] = turn.y();
  q[4 * k + 3] = turn.z();
}

inline constexpr std::size_t kMany = 256;        // nodes, from which springs are solved as far as is seen
inline constexpr std::size_t kManyNodes = 1024;  // from which cells with turns are, where nothing touches
// Cells or nodes that a thread takes at once; what is smaller is not divided. Some 30 µs.
inline constexpr std::size_t kTogether = 128, kNodesTogether = 256;
inline constexpr std::size_t kFrame = 7;  // c, Q
inline constexpr int kDeepest = 2;        // halvings of a step that does not settle

/// F of a strained cell whose nodes are where `place` says.
template <class Place>
Mat3 slope(const Cells& cells, const Cell& cell, Place&& place) {
  const auto nodes = cells.nodes(cell);
  const auto slopes = cells.rest(cell);
  const Vec3 first = place(nodes[0]);
  Mat3 f = (place(nodes[1]) - first) * slopes[1].transpose();
  for (std::size_t k = 2; k < cell.count; ++k) f += (place(nodes[k]) - first) * slopes[k].transpose();
  return f;
}
/// r − F R of its nodes: see(k, that).
template <class Place, class See>
void warp(const Cells& cells, const Cell& cell, const Mat3& f, Place&& place, See&& see) {
  const auto nodes = cells.nodes(cell);
  const auto arms = cells.arms(cell);
  Vec3 centre = Vec3::Zero();
  for (const std::uint32_t i : nodes) centre += place(i);
  centre /= static_cast<double>(cell.count);
  for (std::size_t k = 0; k < cell.count; ++k) see(k, place(nodes[k]) - centre - f * arms[k]);
}

class Body final : public ElasticSolver {
 public:
  /// Of a set-up that check_setup() lets pass, and its cells (at least one).
  static Result<std::unique_ptr<ElasticSolver>> make(const ElasticSetup& setup, Cells cells);

  std::size_t node_count() const override { return mass_.size(); }
  std::size_t state_size() const override { return told_at() + told_count(); }
  void initialise(const Pose& pose, const Vec3& velocity, const Vec3& spin, std::span<double> state) const override;
  bool step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
            ElasticWorkspace& workspace) const override;
  /// After a step of a damped body: takes out of the velocities what the step cannot follow (as lagrange_calm.cpp).
  void calm(std::span<double> state, ElasticWorkspace& workspace) const override;
  void apply_impulses(std::span<double> state, std::span<const NodeImpulse> impulses) const override;
  void displace(std::span<double> state, std::span<const Vec3> displacement) const override;
  bool still(std::span<double> state) const override;
  bool take_shape(std::span<double> state, const RestShape& shape) const override;
  RestShape shape(std::span<const double> state) const override;
  void positions(std::span<const double> state, std::span<Vec3> out) const override;
  void velocities(std::span<const double> state, std::span<Vec3> out) const override;
  Pose frame(std::span<const double> state) const override;
  Observables observe(std::span<const double> state) const override;
  Observables account(std::span<const double> state) const override;
  /// Cells that are turned inside out where the nodes are at `x`; −1: none of them has a volume.
  int inverted(std::span<const Vec3> x) const;
  Before before() const override { return Before::start; }
  void respond(std::span<const double> state, std::span<const NodeImpulse> impulses, std::span<Vec3> dv) const override;
  /// Of the body about its rest shape.
  void inverse_blocks(std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                      ElasticWorkspace& workspace) const override;
  bool inverse_follows_nodes() const override { return cells_.are_springs(); }
  void inverse_blocks_at(std::span<const Vec3> places, std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                         ElasticWorkspace& workspace) const override;
  void respond_at(std::span<const Vec3> places, std::span<const Vec3> impulses, std::span<Vec3> dv) const override;
  std::unique_ptr<ElasticAnswer> answer_at(std::span<const Vec3> places) const override;

 private:
  struct Step;    // cell_step.h
  struct Answer;  // cell_answer.cpp

  bool advance(int depth, std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
               ElasticWorkspace& workspace) const;
  void make_patterns();
  std::optional<SparseFactor> make_factor(double h) const;
  const SparseFactor& factor(int depth) const;
  /// Of springs that pull from `from` to `to`, after set() and factor(): A of a step of h that changes there, at where the nodes are.
  void set_springs(const Cells& cells, const double* p, double h, SpringMatrix& matrix) const;
  const SpringPattern& stepped() const { return fronts_.in_fronts() ? fronts_ : springs_; }
  bool pinned() const { return pins_.kind != PinKind::none; }
  void clear_held(double* x) const;
  Vec3 rigid_rate(const SecondMoment& moment, const Vec3& angular) const;
  template <class Add>
  void add_energy(const Cells& cells, std::size_t e, const double* p, const double* turns, const Add& add) const;
  double elastic_energy(const Cells& cells, const double* p, const double* turns) const;
  /// The same but for the order of its sums; `each`: as many numbers as cells.
  double elastic_energy(const Cells& cells, const double* p, const double* turns, double* each,
                        Executor* executor) const;
  // What it is told: G and Q; whether nodes are told, and how far from those of the set-up they are. 0: nothing.
  std::size_t told_at() const { return kFrame + 6 * mass_.size() + 4 * cells_.turn_count(); }
  std::size_t told_count() const {
    return setup_.takes_shape ? RestShape::kNumbers + (setup_.takes_nodes ? 1 + 3 * mass_.size() : 0) : 0;
  }
  /// The cells of a state.
  std::shared_ptr<const Cells> cells_in(std::span<const double> state) const;
  /// D of every node: the mean turn of its cells from what they were made as, in the axes of the frame; `near` where they have none.
  void node_turns(const Cells& cells, const double* turns, const Quat& near, double* out,
                  Executor* executor = nullptr) const;
  void fit_cells(const Cells& cells, const double* p, double* turns, Executor* executor = nullptr) const;
  void list_slots();
  ElasticSetup setup_;
  Cells cells_;                       // in own numbers
  SpringPattern springs_;             // of cells that are springs: what contacts ask
  SpringPattern fronts_;              // of many of them: what a step solves; else empty
  std::vector<std::uint32_t> order_;  // own number → node of the set-up
  std::vector<std::uint32_t> place_;  // and back
  std::optional<SparseFactor> factor_;
  mutable std::array<std::optional<SparseFactor>, kDeepest> part_factors_;  // of halves, quarters…
  mutable std::array<std::once_flag, kDeepest> part_made_;
  mutable std::mutex shaping_;  // of the two below: the cells as they were told last
  mutable std::shared_ptr<const Cells> shaped_;
  mutable std::vector<double> shaped_as_;
  // Forces of cells with turns: `slots_` of each node of each cell; of each node, in the order of the cells, which these are and of which cell.
  std::size_t slots_ = 1;
  std::vector<std::uint32_t> slot_start_, slot_, slot_cell_;
  InverseColumns columns_;
  PinFrame pins_;
  RigidDirections directions_;
  std::vector<double> mass_;
  std::vector<double> reference_;  // from the frame's origin
  std::vector<std::uint32_t> held_;
  std::vector<char> is_held_;
  Vec3 centre_ = Vec3::Zero();  // of mass, object frame
  Vec3 origin_ = Vec3::Zero();  // of the frame, object frame: centre of mass, or the first pin
  double total_mass_ = 0, extent_ = 0, h_ = 0;
  double damping_ = 0;  // η with its floor, s
  bool damped_ = false;
};

}  // namespace hazumi::cell_body
