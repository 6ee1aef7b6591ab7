// What an animator has a body's rest shape do: stretch, squash, lean, bend and twist, as a quadratic map of the place in it. The body's own
// dynamics do the rest (design of motion: "rest-shape drive").
//
//   r    place from the centre of mass at reference, object axes, m
//   o    how far the rest shape is from there, m:  o_c = Σ_j G_cj r_j + Σ_jk Q_c,jk r_j r_k
//   G    no unit;  Q  1/m, symmetric
//
// Or node by node (keyed shapes, spec 5.4): `nodes`, m, object frame, one each. Both: G and Q are added to that, of the place as it was made.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/math/types.h"

namespace hazumi {

struct RestShape {
  Mat3 linear = Mat3::Zero();                                               ///< G
  std::array<Mat3, 3> square = {Mat3::Zero(), Mat3::Zero(), Mat3::Zero()};  ///< Q of x, y and z of o

  std::vector<Vec3> nodes;  ///< empty: as it was made

  static constexpr std::size_t kNumbers = 36;
  void store(double* to) const;  ///< G and Q
  static RestShape of(const double* from);

  Vec3 offset(const Vec3& r) const;
  bool none() const;
  RestShape& operator+=(const RestShape& other);  ///< of nodes those that are there
  friend bool operator==(const RestShape&, const RestShape&) = default;

  /// As long as `length` along a unit axis and `across` as wide (shares: 1 as it is).
  static RestShape stretched(const Vec3& axis, double length, double across);
  /// Leans towards `to` (unit, across the axis): a place at height z along the axis moves by z tan(angle).
  static RestShape leaning(const Vec3& axis, const Vec3& to, double angle);
  /// Turns about the axis by `angle` (rad) a metre along it, to first order, its radius kept to second.
  static RestShape twisted(const Vec3& axis, double angle);
  /// Bends towards `to` by `angle` (rad) a metre along the axis, to second order.
  static RestShape bent(const Vec3& axis, const Vec3& to, double angle);
};

}  // namespace hazumi
