// The turn of a rigid body in a sub-step that shares the energy identity of flexible ones (contact.md, A2).
//
//   Θ = ½ h (W⁻ + W⁺),   R⁺ = R⁻ cay(Θ),   J W⁺ = cay(Θ)ᵀ b,   b = R⁻ᵀ L⁺
//
// cay(Θ)Θ = Θ, so R⁻Θ = R⁺Θ = hω̄, and ½ (W⁺ + W⁻)·(J W⁺ − J W⁻) = ω̄·(L⁺ − L⁻): the energy changes by the work of what changed L.
// With cay(Θ) = (1 − ½[Θ])⁻¹(1 + ½[Θ]) the three lines are one equation of second degree, solved by Newton's method:
//
//   (1 + ½[Θ]) Y = (1 − ½[Θ]) b,   Y = J (2Θ/h − W⁻)
//
//   J  inertia, kg m², body frame    W  rate of turn, rad/s, body frame    L  angular momentum, kg m²/s, world
// Any spin: a fixed point in W⁺ would need h |W| well below 1. The turn of a sub-step is 2 atan(½|Θ|), below half a turn.
#pragma once

#include "core/math/types.h"

namespace hazumi {

/// Θ, rad; `rate` W⁻.
Vec3 midpoint_turn(const Mat3& inertia, double h, const Vec3& rate, const Vec3& b);
/// cay(Θ).
inline Quat cayley(const Vec3& theta) {
  return Quat(1, 0.5 * theta.x(), 0.5 * theta.y(), 0.5 * theta.z()).normalized();
}
/// Θ of a turn, rad.
inline Vec3 cayley_vector(const Quat& turn) { return 2 / turn.w() * turn.vec(); }

}  // namespace hazumi
