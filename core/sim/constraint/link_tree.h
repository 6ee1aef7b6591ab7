// The linear systems of a linkage: bodies as nodes of a forest, each held to its parent by one joint, and joints that close loops
// beside it. One node is a body's six unknowns y (velocity, rate of turn) and the λ of the rows of its joint:
//
//   ( K    −Gᵀ ) ( y )   ( f )          K: of the body by itself, G: how λ acts, C: how the rows move with y
//   ( C     D  ) ( λ ) = ( c )          and the same with the parent's y
//
// None of these need be symmetric: these are Newton's matrices. Leaves are eliminated first, so that a forest costs as much as it has
// nodes; ball joints in blocks of 3 × 3 (link_ball.h). Loops stand beside it by their Schur complement, dense, with what makes it regular where rows are more than freedoms.
// An order of nodes and rows alone decides the bits of the result.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/short_list.h"
#include "core/sim/constraint/link_place.h"

namespace hazumi {

class LinkTree {
 public:
  struct Node {
    std::int32_t parent = -1;  ///< node, which comes after it; −1: none, or the ground
    std::int32_t joint = -1;   ///< number in `joints`; −1: none
    bool child_is_a = false;   ///< of that joint
  };
  struct Loop {
    std::uint32_t joint = 0;
    std::int32_t a = -1, b = -1, c = -1, d = -1;  ///< nodes; −1: the ground
  };
  std::vector<Node> nodes;  ///< children before parents
  std::vector<Loop> loops;
  static constexpr double kLeastRegular = 1e-12;
  static constexpr double kContradicting = 1e-4;  ///< where rows may ask for what cannot be
  /// What rows of loops are let off, of how they would move their bodies by themselves: for rows that say the same once more. Stiff
  /// bodies between loops give way by little more than that.
  double regular = kLeastRegular;
  /// How rows of loops move each other beside the nodes, by what is not among these: dense, by columns, in the order of loops and of
  /// their rows. Empty: not at all.
  std::vector<double> beside;

  /// `own`: K of each node without its joints; `joints`: blocks by number. False: singular.
  bool factor(std::span<const Mat6> own, std::span<const LinkBlocks> joints);
  /// In place: f of nodes becomes their y, c of joints their λ. `held`: what is solved for is a change of these λ, and loops give way by
  /// the whole: then those that say the same share it, and none grows.
  void solve(std::span<Vec6> bodies, std::span<LinkValues> joints, std::span<const LinkValues> held = {});

 private:
  static constexpr int kMost = 6 + kMostLinkRows;
  static constexpr int kWide = 8;  ///< six columns, which are worked on together, and two of nothing
  struct Factor {
    int size = 6;
    std::array<double, kMost * kMost> lu;
    std::array<std::uint8_t, kMost> pivot;
    std::array<double, kMost * kWide> across;  ///< A⁻¹ U, by rows
    std::array<double, kMost * 6> up;          ///< V, by rows
  };
  /// One node's part of how the forest answers to a row of a loop.
  struct Answer {
    std::uint32_t node = 0;
    Vec6 y = Vec6::Zero();
    LinkValues lambda{};  ///< of the joint that it hangs on
  };
  /// The forest by itself; `which`: whole trees, in order.
  void solve_nodes(std::span<const std::uint32_t> which, std::span<Vec6> bodies, std::span<LinkValues> joints) const;
  void find_trees();
  ShortList<std::uint32_t, 4> trees_of(const Loop& loop) const;
  void answer_loop(std::uint32_t l, std::size_t row, std::span<const LinkBlocks> joints, double* moves);
  bool factor_node(const Node& node, const LinkBlocks* j, Factor& f);
  void number_nodes(std::span<const LinkBlocks> joints);
  bool factor_loops(std::span<const Mat6> own, std::span<const LinkBlocks> joints);

  std::span<const LinkBlocks> blocks_;
  std::vector<Factor> factor_;     ///< of each node that hangs on no place, in their order
  std::vector<BallNode> ball_;     ///< of each that hangs on a ball joint
  std::vector<PlaceNode> place_;   ///< on a hinge or a fixed one
  std::vector<std::uint32_t> at_;  ///< of each node: its number among those of its kind
  enum class Hangs : char { otherwise, on_ball, on_place };
  std::vector<Hangs> hangs_;
  std::vector<Mat6> own_;
  std::vector<std::uint32_t> first_;                        ///< of each loop among the rows of all
  std::vector<double> schur_;                               ///< dense, by columns, decomposed
  std::vector<std::uint32_t> order_;                        ///< row pivots of it
  std::vector<std::uint32_t> all_;                          ///< every node
  std::vector<std::uint32_t> tree_, by_tree_, tree_first_;  ///< of each node its tree; nodes tree by tree
  std::vector<std::vector<std::uint32_t>> loops_in_;        ///< of each tree
  std::vector<Answer> answers_;                             ///< of the rows of loops, row by row
  std::vector<std::size_t> answers_of_;                     ///< where those of a row begin
  std::vector<std::uint32_t> answer_;
  std::vector<Vec6> y_;             ///< nought between rows
  std::vector<LinkValues> lambda_;  ///< the same
  std::vector<double> loop_, weight_;
};

}  // namespace hazumi
