// The rigid part of a flexible body: sums over the nodes that give its inertia, and the inverse of an inertia
// that may be singular.
//
//   J(p) = Σ m (|p|² I − p pᵀ)            inertia about the frame's origin, kg m²
//   B(r, p) = Σ m ((r·p) I − p rᵀ)        moment of ω × p about the reference: Σ m r × (ω × p) = B ω
//   h = Σ m p × v                         angular momentum of the deformation, kg m²/s
//
// All nodes on a line (two nodes, a rod): J and B are singular in the direction n of the line, no torque acts
// and no angular momentum exists about it. Adding s n nᵀ (s = the inertia's size) makes the inverse exist;
// for vectors without n component the result is that of the pseudo-inverse, and the n component is removed
// from what goes in and comes out.
#pragma once

#include "core/math/rotation.h"

namespace hazumi {

/// Sums of the products m x xᵀ of points: six numbers.
struct SecondMoment {
  double xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, zx = 0;
  void add(double m, double x, double y, double z) {
    const double mx = m * x, my = m * y, mz = m * z;
    xx += mx * x;
    yy += my * y;
    zz += mz * z;
    xy += mx * y;
    yz += my * z;
    zx += mz * x;
  }
  Mat3 inertia() const {
    Mat3 j;
    j << yy + zz, -xy, -zx, -xy, zz + xx, -yz, -zx, -yz, xx + yy;
    return j;
  }
};

/// The line that all nodes of a body lie on, if they do.
class RigidDirections {
 public:
  RigidDirections() = default;
  /// From the inertia of the reference shape: a line when its smallest principal moment is below 1e-10 of the
  /// largest.
  explicit RigidDirections(const Mat3& reference_inertia);

  bool is_line() const { return line_; }
  const Vec3& axis() const { return axis_; }
  /// x without its component along the line (unchanged for other bodies).
  Vec3 across(const Vec3& x) const { return line_ ? Vec3(x - axis_.dot(x) * axis_) : x; }
  /// The rate ω with J ω = moment, for J or B above; for a line the one without component along it.
  Vec3 solve(const Mat3& inertia, const Vec3& moment) const;

 private:
  bool line_ = false;
  Vec3 axis_ = Vec3::Zero();
};

/// Inverse by cofactors: nine products and no branches, the same bits everywhere.
Mat3 inverse3(const Mat3& m);

}  // namespace hazumi
