// Rotations: exponential and logarithm of quaternions, the skew and axial maps, the rotation of a polar
// decomposition.
//
//   exp(φ) = (cos ½|φ|, sin ½|φ| φ/|φ|)                    φ: rotation vector, rad (axis × angle)
//   skew(a) b = a × b
//   axial(Σ a bᵀ) = Σ a × b
//   polar: A = R S, S symmetric; R maximises tr(RᵀA) over the rotations (det R = +1, also where det A < 0)
//
// Every function is plain scalar arithmetic plus sin, cos, atan2 and sqrt of the C library: the same bits
// from g++ and clang++ (-ffp-contract=off).
#pragma once

#include "core/math/types.h"

namespace hazumi {

/// Unit quaternion that turns by |v| rad about v.
Quat exp_rotation(const Vec3& v);
/// The rotation vector of a unit quaternion, |result| ≤ π. exp_rotation(log_rotation(q)) = ±q.
Vec3 log_rotation(const Quat& q);

/// Angles about x, then y, then z of the world (rad), as a person reads a rotation; at ±90° about y that about z is 0.
Vec3 euler_angles(const Quat& rotation);
Quat from_euler_angles(const Vec3& angles);

/// The least turn that brings the direction of `from` onto that of `to`; one of half a turn where they are opposite.
Quat turn_onto(const Vec3& from, const Vec3& to);

Mat3 skew(const Vec3& a);
/// Vector of the skew part, so that axial(a bᵀ) = a × b.
inline Vec3 axial(const Mat3& m) { return {m(1, 2) - m(2, 1), m(2, 0) - m(0, 2), m(0, 1) - m(1, 0)}; }

/// Rotation R of A = R S. Where A leaves R open, what is open is taken from `start`: rank 1 (all points on a
/// line) gives the least rotation away from `start` that puts the line right; A = 0 gives `start` itself.
/// Inverted A (det < 0) gives the closest proper rotation.
Quat polar_rotation(const Mat3& a, const Quat& start);
/// The same to round-off, several times sooner where `start` is near: Newton steps on axial(RᵀA) = 0 from there. Where they
/// lead to no maximum, polar_rotation() answers.
Quat polar_rotation_near(const Mat3& a, const Quat& start);
/// How a polar rotation turns with its matrix: of R = polar(Σ a bᵀ) the S in δθ = S Σ (R b) × δa, R → exp(δθ) R. What the
/// matrix leaves open, to less than `least` of what it holds best, does not turn.
Mat3 polar_rate(const Mat3& a, const Mat3& r, double least = 1e-9);

}  // namespace hazumi
