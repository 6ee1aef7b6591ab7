// What one joint adds to the linear system of a linkage (link_tree.h).
#pragma once

#include <array>

#include "core/sim/constraint/link_ball.h"

namespace hazumi {

/// Rows of one joint.
inline constexpr int kMostLinkRows = 8;
using LinkValues = std::array<double, kMostLinkRows>;

/// What a joint adds to the system, of the two bodies that it is between.
struct LinkBlocks {
  int rows = 0;
  bool ball =
      false;  ///< three rows that hold, of a joint of the forest: `at` says all of them, and nothing else below is there
  bool place =
      false;  ///< of the forest, its first three rows are those of a ball joint, which `at` says, and others only turn
  BallBlocks at;
  Mat6 own_a = Mat6::Zero(), own_b = Mat6::Zero();  ///< to K of each
  Mat6 a_by_b = Mat6::Zero(),
       b_by_a = Mat6::Zero();  ///< in the equations of a by the y of b, and the other way; loops leave these out
  std::array<Vec6, kMostLinkRows> act_a, act_b;    ///< columns of Gᵀ
  std::array<Vec6, kMostLinkRows> move_a, move_b;  ///< rows of C
  LinkValues yield{};                              ///< D, a diagonal
  /// Of a gear, whose one row is between two joints: the bodies of the second.
  Vec6 act_c = Vec6::Zero(), act_d = Vec6::Zero(), move_c = Vec6::Zero(), move_d = Vec6::Zero();
};

}  // namespace hazumi
