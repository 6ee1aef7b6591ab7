// What fields of force (values/force_field.h) are at a place and a time: air that moves, water, accelerations.
//
// With centre c, axis e (unit), r = x − c, s the part of r across e, ρ₀ the core, and the weight w of the place in the field's shape
//   w              1 in the shape, 1 − q²(3 − 2q) at the distance q times the falloff outside it, 0 from q = 1 on; everywhere 1
//   wind           air U = w (v e + g(x, t)), g the gusts (gusts.h), of density w ρ
//   vortex         air U = w (2 v ρ₀ e×s/(s² + ρ₀²) − i s/√(s² + ρ₀²) + z e) of speed v, inflow i, rise z (Scully 1975: fastest, v, at ρ₀)
//   drag           K = w (linear + quadratic |u − U|), 1/s
//   water          below the plane through c across e: at rest, of its own density and K; no air
//   gravity        a = −w b e
//   attractor      a = −w b r/√(r² + ρ₀²)                  potential b √(r² + ρ₀²)
//   point gravity  a = −w b r/(r² + ρ₀²)^(3/2) · 1 m²      potential −b/√(r² + ρ₀²) · 1 m²
// ρ₀ is at least 1 mm in what pulls to a centre. Along a curve c is its nearest place and e its tangent there, but of water. Airs of several fields: velocities add up, the densest counts.
// u: velocity of what feels it, m/s. A potential is exact where w is 1.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/geometry/curve/curve.h"
#include "core/scene/derived/gusts.h"
#include "core/scene/values/scene.h"

namespace hazumi {

/// What is round a place.
struct Medium {
  Vec3 velocity = Vec3::Zero();      ///< U, m/s
  double density = 0;                ///< kg/m³
  double linear = 0, quadratic = 0;  ///< K = linear + quadratic |u − U|, 1/s, 1/m
};

/// The same of many places, by lists.
struct Media {
  std::size_t count = 0;
  std::array<const double*, 3> place = {};  ///< m, world
  std::array<double*, 3> velocity = {};
  double *density = nullptr, *linear = nullptr, *quadratic = nullptr;
};

struct Water {
  Vec3 place = Vec3::Zero(), up = Vec3::UnitY();  ///< of its surface, world
  double weight = 1, density = 1000, linear = 0, quadratic = 0;
  double depth(const Vec3& x) const { return (place - x).dot(up); }  ///< m, below 0 over it
};

/// One field as it is at a moment.
class FieldNow {
 public:
  /// `way`: of the curve that it acts round, in the world; null: none, and it acts nowhere.
  FieldNow(const ForceField& field, std::shared_ptr<const CurveWay> way, std::uint64_t seed);

  const ForceField& field() const { return field_; }
  bool acts() const { return field_.on && (field_.shape != FieldShape::curve || way_); }

  struct At {
    double weight = 0;
    Vec3 centre = Vec3::Zero(), axis = Vec3::UnitY();
  };
  At at(const Vec3& place) const;
  void add_air(const Vec3& place, double time, Medium& medium) const;  ///< of all but water
  /// The same at many places: gusts of them all at once, whose cosines are others in the twelfth digit.
  void add_airs(double time, const Media& media) const;
  Vec3 acceleration(const Vec3& place) const;  ///< m/s²
  Water water(const Vec3& place) const;        ///< of a field that is water, as it is about there

 private:
  void add_with_gust(const Vec3& place, const Vec3& gust, Medium& medium) const;

  ForceField field_;
  std::shared_ptr<const CurveWay> way_;
  Vec3 axis_;
  Gusts gusts_;
};

}  // namespace hazumi
