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
#include "core/sim/elastic/pins.h"

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

/// The turns that a body can make: all; all but about the line that its nodes lie on; or, held by pins on a
/// line, only about that line; or none.
class RigidDirections {
 public:
  RigidDirections() = default;
  /// From the inertia of the reference shape: nodes on a line when its smallest principal moment is below
  /// 1e-10 of the largest.
  explicit RigidDirections(const Mat3& reference_inertia);
  /// Pinned: `reference_inertia` about the first pin.
  RigidDirections(const Mat3& reference_inertia, const PinFrame& pins);

  bool is_line() const { return turns_ == Turns::across_axis; }
  /// Every turn is possible, or at least every turn that moves a node.
  bool is_free() const { return turns_ == Turns::all || turns_ == Turns::across_axis; }
  bool is_held() const { return turns_ == Turns::none; }  ///< no turn is possible
  const Vec3& axis() const { return axis_; }
  /// x without its components in the directions about which the body does not turn (unchanged for other
  /// bodies).
  Vec3 allowed(const Vec3& x) const {
    switch (turns_) {
      case Turns::all:
        return x;
      case Turns::across_axis:
        return x - axis_.dot(x) * axis_;
      case Turns::about_axis:
        return axis_.dot(x) * axis_;
      case Turns::none:
        break;
    }
    return Vec3::Zero();
  }
  /// The rate ω with J ω = moment, for J or B above; where some turns are not possible, the one without them.
  Vec3 solve(const Mat3& inertia, const Vec3& moment) const;

 private:
  enum class Turns { all, across_axis, about_axis, none };
  Turns turns_ = Turns::all;
  Vec3 axis_ = Vec3::Zero();
};

/// The turn that takes reference points r nearest to points p (fit = Σ m p rᵀ), of those that the body can make; `near` is a
/// guess.
Quat fitted_turn(const RigidDirections& directions, const Mat3& fit, const Quat& near);

/// ω of an angular momentum of free nodes with that inertia about the centre. Nodes on a line have no turn about it, and the line is the
/// longest column of Σ m y yᵀ; nodes at one place have none at all.
Vec3 free_rate(const Mat3& inertia, const Vec3& angular);

/// B with B ω = Σ R × X̂ᵀ(ω × r), from X̂ and N = Σ r Rᵀ.
Mat3 turning_moment(const Mat3& spread, const Mat3& fit);

/// Inverse by cofactors: nine products and no branches, the same bits everywhere.
Mat3 inverse3(const Mat3& m);

}  // namespace hazumi
