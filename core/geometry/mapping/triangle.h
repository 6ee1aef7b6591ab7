// Small pieces that several kinds of mapping share.
#pragma once

#include "core/math/types.h"

namespace hazumi {

/// Unit normal of a triangle; zero area gives +y (its offset then simply rides along).
Vec3 triangle_normal(const Vec3& a, const Vec3& b, const Vec3& c);

/// Squared distance from p to triangle (a, b, c) (Ericson 2004, 5.1.5, by regions).
double triangle_distance_squared(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// Barycentric coordinates, all ≥ 0, of the point of triangle (a, b, c) that is nearest to p; of a triangle
/// without area, of the nearest point of its edges.
Vec3 nearest_in_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// det(F) F⁻ᵀ, which turns normals: columns are cross products, defined for singular F too. Negated where F
/// is inside out, so that normals keep the side that F⁻ᵀ gives them.
Mat3 normal_matrix(const Mat3& f);

}  // namespace hazumi
