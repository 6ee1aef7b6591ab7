// A ball joint between a node of the forest and its parent (link_tree.h) in blocks of 3 × 3: two thirds of what a node of 6 + 3 would
// cost have no part in it, since the rows say v of the child as it is.
//
//   rows     v + T ω − w = g,     w = v_p + T_p ω_p: how the place goes that the parent holds
//   child    B (v; ω) − (1; [x]) μ = f               parent    B_p (v_p; ω_p) + (1; [x_p]) μ = f_p
//
//   F = B_ωv − [x] B_vv,   H = B_vω − B_vv T,   E = B_ωω − B_ωv T − [x] H        all that hangs there, about the joint
//   E ω = r − F (w + g),   r = f_ω − [x] f_v
//   μ = M (w + g) + H E⁻¹ r − f_v,   M = B_vv − H E⁻¹ F                          how heavy it is to its parent
//   B_p += (1; [x_p]) M (1, T_p),    f_p −= (1; [x_p]) (M g + H E⁻¹ r − f_v)
//
//   x, x_p   levers of the place on child and parent, m, means      T, T_p   how it goes with ω of these, m
//   μ        impulse on the child, N s                              g        m/s
// E is what is singular where the node of 6 + 3 is: masses are added, never taken from each other, so that a heavy end and a light one
// do alike.
#pragma once

#include "core/math/types.h"

namespace hazumi {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

/// [x]: skew() (math/rotation.h) where it is asked for in the innermost loops
inline Mat3 cross_matrix(const Vec3& x) {
  Mat3 out;
  out << 0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0;
  return out;
}
/// [x] m
inline Mat3 crossed(const Vec3& x, const Mat3& m) {
  Mat3 out;
  for (int c = 0; c < 3; ++c) {
    out(0, c) = x[1] * m(2, c) - x[2] * m(1, c);
    out(1, c) = x[2] * m(0, c) - x[0] * m(2, c);
    out(2, c) = x[0] * m(1, c) - x[1] * m(0, c);
  }
  return out;
}
/// m [x]
inline Mat3 crossed(const Mat3& m, const Vec3& x) {
  Mat3 out;
  for (int r = 0; r < 3; ++r) {
    out(r, 0) = m(r, 1) * x[2] - m(r, 2) * x[1];
    out(r, 1) = m(r, 2) * x[0] - m(r, 0) * x[2];
    out(r, 2) = m(r, 0) * x[1] - m(r, 1) * x[0];
  }
  return out;
}

/// Place of a less place of b, three rows that hold. λ pushes a, −λ b.
struct BallBlocks {
  Vec3 arm_a = Vec3::Zero(), arm_b = Vec3::Zero();    ///< x; zero of what does not turn
  Mat3 turn_a = Mat3::Zero(), turn_b = Mat3::Zero();  ///< T
  Mat3 own_a = Mat3::Zero(), own_b = Mat3::Zero();    ///< to B_ωω of each: how the same λ turns with the body
};

class BallNode {
 public:
  /// `b`: B of the child, with what hangs on it. False: singular.
  bool factor(const Mat6& b, const BallBlocks& joint, bool child_is_a);
  void load(Mat6& parent) const;
  /// Leaves first: f and g become what lift() needs; `parent`: f_p, or null.
  void lower(Vec6& body, double* rows, Vec6* parent) const;
  /// Parents first: (v; ω) and λ. `parent`: (v_p; ω_p), or null.
  void lift(Vec6& body, double* rows, const Vec6* parent) const;

 private:
  Mat3 inverse_, by_place_, mass_, by_turn_;  ///< E⁻¹, E⁻¹ F, M, H
  Mat3 turn_, parent_turn_;
  Vec3 arm_, parent_arm_;
  double sign_ = 1;  ///< of λ on the child
};

}  // namespace hazumi
