// The turn of a rigid body in one midpoint step, and what its torque does: the equation behind rigid_midpoint.h.
//
//   R⁺ = R⁻ cay(hM),   M = ½ (W⁻ + W⁺),   J W⁺ = R⁺ᵀ L⁺,   L⁺ = L⁻ + R⁻ t              all in the axes of R⁻ but for L
//   t = twist + a × push,   a = ½ (1 + cay(hM)) s
//
// cay(Θ) = (1 − ½[Θ])⁻¹ (1 + ½[Θ]), so that the fourth of these is a polynomial in M but for t:
//
//   H(M) = J M − J W⁻ − ½ t + ½ h M × (J M + ½ t) = 0
//   H′   = J + ½ h ([M] J − [J M + ½ t]) + (¼ h [M] − ½) t′,      t′ = ½ h [push] ½ (1 + cay(hM)) [a]
//
// for t = 0 the implicit midpoint rule of Euler's equations. Newton's method from M = W⁻ + ½ J⁻¹ t.
//
// Why energy is exact: cay(Θ) Θ = Θ, so R⁻M = R⁺M is the mean rate ω̄, and ½ W⁺·J W⁺ − ½ W⁻·J W⁻ = M·(J W⁺ − J W⁻) = ω̄·(L⁺ − L⁻).
// And a force F = R⁻ push/h at s does the work of its way: (R⁺ − R⁻) s = h ω̄ × R⁻a, so ω̄·(R⁻a × hF) = F·(R⁺ − R⁻) s.
//
//   J       inertia, kg m² (body axes), about what the body turns about: its centre of mass, or a pin
//   W, M    rate of turn and its mean, rad/s, body axes      L  angular momentum, kg m²/s, world axes
//   h       of this step or part of one, s                   s  where the force acts, from there, m, body axes
//   twist   torque × h, N m s                                push  force × h, N s (axes of R⁻)
//   P       projector on the turns that are possible: M = P M, and of H only P H must vanish
//
// Range (measured, 2,000 random spins and torques each): boxes and plates of any axis to h|W| = 3 without a failure, in at most 10
// passes; rods with moments 1 : 20 to h|W| = 1, 1 : 400 to 0.25. At 5 some fail, at 10 some find another branch, which is exact in
// energy as well, but not the motion.
#pragma once

#include "core/math/types.h"

namespace hazumi {

struct MidpointTurn {
  Mat3 inertia = Mat3::Identity();   ///< J
  Mat3 possible = Mat3::Identity();  ///< P
  Vec3 arm = Vec3::Zero();           ///< s
  double h = 0;
  Vec3 before = Vec3::Zero();  ///< W⁻
  Vec3 twist = Vec3::Zero(), push = Vec3::Zero();

  Vec3 torque(const Vec3& mean) const;  ///< t
  Vec3 residual(const Vec3& mean) const;
  Mat3 derivative(const Vec3& mean) const;
  /// M; false: Newton's method does not settle, h|W| is too large.
  bool solve(Vec3& mean, int& passes) const;
};

/// Quaternion of cay(Θ): (1, ½Θ) normalised.
Quat cayley_turn(const Vec3& theta);
/// The turn half as far as a unit quaternion with w > 0.
Quat half_turn(const Quat& q);

}  // namespace hazumi
