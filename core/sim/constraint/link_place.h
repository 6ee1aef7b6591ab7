// A joint that holds a place and turns between a node of the forest and its parent: as a ball joint (link_ball.h, whose letters these
// are), but that what is left to invert has λ′ of the rows that turn in it.
//
//   Z (ω; λ′) = (r; c′) − (F  K; 0  C_p) (w + g; ω_p),     Z = ( E  −A )      A, A_p: torque of λ′ on child and parent
//                                                              ( C   D )      C, C_p: how the rows move with ω, ω_p
//   torque on the parent beside −[x_p] μ:  A_p λ′ − K_p ω                     K, K_p: torque by ω_p on the child, by ω on the parent
#pragma once

#include <cstdint>

#include "core/sim/constraint/link_blocks.h"

namespace hazumi {

class PlaceNode {
 public:
  /// `b`: B of the child, with what hangs on it and how its own λ turn. False: singular.
  bool factor(const Mat6& b, const LinkBlocks& joint, bool child_is_a);
  void load(Mat6& parent) const;
  /// As of BallNode.
  void lower(Vec6& body, LinkValues& rows, Vec6* parent) const;
  void lift(Vec6& body, LinkValues& rows, const Vec6* parent) const;

 private:
  static constexpr int kMost = kMostLinkRows;  ///< three of ω, and what rows there are beside three

  int size_ = 3;
  std::array<double, kMost * kMost> lu_, across_;  ///< Z; Z⁻¹ (F K; 0 C_p), six columns and two of nothing
  std::array<std::uint8_t, kMost> pivot_;
  std::array<double, 3 * kMost> torque_;  ///< (K_p  −A_p)
  Mat3 mass_, by_rate_;                   ///< μ by w, by ω_p
  Mat3 twist_by_place_, twist_by_rate_;   ///< torque taken from the parent beside that of μ
  Mat3 by_turn_, turn_, parent_turn_;
  Vec3 arm_, parent_arm_;
  double sign_ = 1;
};

}  // namespace hazumi
