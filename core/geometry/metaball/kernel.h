// The field of a metaball group (field.h) for eight points or eight boxes at once. Built three times, for
// AVX-512, AVX2 and any processor; the best that runs here is taken. All three do the same IEEE operations in
// the same order (no fused ones), so the bits are the same everywhere, and do not depend on which points are
// evaluated together. Powers are taken by their own polynomials (relative error under 1e-12), not by the C
// library's, whose last bit differs between processors.
//
// Arrays of points are multiples of kLanes long and aligned to 64 bytes (Lanes).
#pragma once

#include <cstdint>

namespace hazumi::metaball {

inline constexpr int kLanes = 8;

struct alignas(64) Lanes {
  double v[kLanes];
  double& operator[](int i) { return v[i]; }
  double operator[](int i) const { return v[i]; }
};

/// A primitive as the kernels read it. Symbols as in field.h; q = 1/p.
struct KernelPrimitive {
  double centre[3];
  double to_unit[3][3];
  float to_unit_f[3][3];
  double p1, p2, q1, q2;
  double ring, tube, weight;
  std::int32_t n1, n2;  ///< p when it is a whole number up to 40, else 0
  bool torus, round;
  bool even;  ///< an ellipsoid with p1 = p2
};

struct alignas(32) FloatLanes {
  float v[kLanes];
};

/// A primitive seen from eight boxes; ranges as [low, high], rounded outward.
struct PrimitiveBounds {
  FloatLanes place[3][2];  ///< the boxes in the unit frame
  FloatLanes r[2];
  FloatLanes slope[3][2];  ///< ∂ρ/∂X, ∂ρ/∂Y, ∂ρ/∂Z; set by bound_slopes
  FloatLanes euler[2];     ///< X·∂ρ/∂X = r ρ'(r) (ellipsoid); set by bound_slopes
  FloatLanes gap[3];       ///< the surface keeps |X|, |Y|, |Z| at least so large; set by narrow
};

/// The primitives a sum runs over, in order.
struct PrimitiveList {
  const KernelPrimitive* all;
  const std::uint16_t* index;
  int count;
};

struct Kernels {
  /// Σ ρ and ∇Σρ (1/m) at `blocks`·8 points.
  void (*evaluate)(const PrimitiveList& list, int blocks, const Lanes* x, const Lanes* y, const Lanes* z, Lanes* value,
                   Lanes* gx, Lanes* gy, Lanes* gz);
  /// Ranges of Σ ρ over eight boxes of the given half extents (m). reach[k] bit b: primitive k of the list
  /// reaches into box b.
  void (*bound)(const PrimitiveList& list, const Lanes centre[3], const double half[3], Lanes range[2],
                std::uint8_t* reach, PrimitiveBounds* bounds);
  void (*bound_slopes)(const PrimitiveList& list, const std::uint8_t* reach, PrimitiveBounds* bounds);
  /// Ranges of d·∇Σρ over the boxes; those a primitive does not reach take nothing from it.
  void (*bound_along)(const PrimitiveList& list, const std::uint8_t* reach, const PrimitiveBounds* bounds,
                      const Lanes d[3], Lanes range[2]);
  /// With d along `gradient` (that at the middle), and for boxes of `wanted` where this leaves more than
  /// `enough` also along the ray from the primitive that rules there: tangent of the largest angle between d
  /// and ∇Σρ over the box (1e30: none was proved), and the most by which Σ ρ in the box can differ from its
  /// value at the middle (1e30: not looked for). Needs slopes.
  void (*cone)(const PrimitiveList& list, const std::uint8_t* reach, const PrimitiveBounds* bounds,
               const Lanes centre[3], const double half[3], const Lanes gradient[3], unsigned wanted, double enough,
               Lanes& tangent, Lanes& swing);
  /// Leaves of the bounds what holds where Σ ρ = 1: what all other primitives add up to bounds ρ of each, and so r, and so where in
  /// its frame the surface can be. `range`: of bound(). Slopes are bounded anew. Returns the boxes in which the surface cannot be.
  unsigned (*narrow)(const PrimitiveList& list, const std::uint8_t* reach, const Lanes range[2],
                     PrimitiveBounds* bounds);
  /// Slopes of a narrowed primitive (a list of one) whose place was changed since.
  void (*narrowed_slopes)(const PrimitiveList& list, const std::uint8_t* reach, PrimitiveBounds* bounds);
  /// For boxes of `wanted` the least of the `count` limits, which fall, that the tangent of the angle between ∇Σρ and d or −d (one for
  /// all the box) is proved to keep; 1e30: none. Dearer than cone(), and closer: where the gradient along d and across it do not
  /// tell, it is bounded along the sides of a pyramid around d.
  void (*within)(const PrimitiveList& list, const std::uint8_t* reach, const PrimitiveBounds* bounds, const Lanes d[3],
                 unsigned wanted, const double* limits, int count, Lanes& tangent);
  /// Where the cubic through values a, b (of opposite sign) with slopes da, db per edge vanishes: t in (0,
  /// 1). `off`: what is left of it there.
  void (*hermite_root)(int blocks, const Lanes* a, const Lanes* b, const Lanes* da, const Lanes* db, Lanes* t,
                       Lanes* off);
};

/// The fastest set this processor runs.
const Kernels& kernels();
/// All sets this processor runs, the plain one first: for tests.
int kernel_sets(const Kernels* sets[3]);

}  // namespace hazumi::metaball
