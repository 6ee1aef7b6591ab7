// The field Σ ρ of a metaball group (spec 4.1, thesis 5.1–5.4): value, gradient, and bounds of both over a
// box.
//
// Every superquadric here is built from one norm, N_p(a, b) = (a^p + b^p)^(1/p) for a, b ≥ 0:
//   ellipsoid  r = N_p1(N_p2(|X|, |Y|), |Z|),  p1 = 2/ε₁, p2 = 2/ε₂, (X,Y,Z) = Rᵀ(p − c) / a
//   torus      r = N_p1(|N_p2(|X|, |Y|) − (1 − t)| / t, |Z|)
// N_p is homogeneous of degree one and monotone in both arguments, hence
//   - r over a box is bounded exactly from two of the box's corners (monotone in |X|, |Y|, |Z|),
//   - ∂N/∂a = (a / N)^(p − 1), and a / N is monotone in a and in b, so each slope is bounded exactly too,
//   - X·∇r = r (Euler) for the ellipsoid: along the ray from its centre the slope cannot vanish. This is what
//     proves a cell with a sharp edge in it simple, where the box of gradients contains zero.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry/mesh/mesh.h"
#include "core/geometry/metaball/group.h"
#include "core/geometry/metaball/kernel.h"

namespace hazumi {

struct Range {
  double low = 0, high = 0;
};

/// Exponents from which on a primitive has creases (ε near 2 and above).
inline constexpr double kCreased = 1.25;

/// One primitive prepared for evaluation.
struct FieldPrimitive {
  explicit FieldPrimitive(const MetaballPrimitive& primitive);

  Vec3 centre;        ///< m
  Mat3 to_unit;       ///< diag(1/a) Rᵀ: from m to the primitive's unit frame
  Vec3 reach;         ///< m, half extents of the box along the axes outside which ρ = 0
  double p1, p2;      ///< exponents 2/ε₁, 2/ε₂
  int n1, n2;         ///< the same when they are whole and at most 40, else 0
  double ring, tube;  ///< torus: 1 − t and t; ellipsoid: 0 and 0
  double weight;
  double thinnest;    ///< m, smallest effective radius (of the tube too)
  bool torus, round;  ///< round: ε₁ = ε₂ = 1 and no torus
  int flat;           ///< of a plate: the axis across it; −1: no plate

  /// ρ at a point.
  double value(const Vec3& p) const;
  /// ρ at a point, its gradient (1/m) added to `gradient`.
  double value(const Vec3& p, Vec3& gradient) const;
};

class MetaballField {
 public:
  explicit MetaballField(const MetaballGroup& group);

  /// The primitives as the kernels read them.
  const std::vector<metaball::KernelPrimitive>& packed() const { return packed_; }
  /// The visible primitives with weight, in list order; `source()[i]` is the index of i in the group.
  const std::vector<FieldPrimitive>& primitives() const { return primitives_; }
  const std::vector<std::uint32_t>& source() const { return source_; }
  /// m: twice the largest effective radius among them.
  double largest_diameter() const { return largest_diameter_; }

  double value(const Vec3& p) const;
  double value(const Vec3& p, Vec3& gradient) const;
  /// Sums over the listed primitives only; equal to the sums over all, bit for bit, when the list holds every
  /// primitive that reaches p, in order.
  double value(const Vec3& p, std::span<const std::uint16_t> list) const;
  double value(const Vec3& p, std::span<const std::uint16_t> list, Vec3& gradient) const;
  /// Bounds of Σ ρ over a box: exact for one primitive that is not rotated, else conservative.
  Range range(const Box3& box) const;
  /// Bounds of d·∇Σρ over the cube of centre x and half width h.
  Range directional_range(const Vec3& x, double h, const Vec3& d) const;

 private:
  std::vector<FieldPrimitive> primitives_;
  std::vector<metaball::KernelPrimitive> packed_;
  std::vector<std::uint32_t> source_;
  double largest_diameter_ = 0;
};

}  // namespace hazumi
