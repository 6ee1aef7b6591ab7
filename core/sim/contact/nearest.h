// Nearest points of triangles and of edges.
#pragma once

#include <array>

#include "core/math/types.h"

namespace hazumi {

/// A place of a triangle, and on which part of it that lies.
struct TrianglePlace {
  enum Part : int { inside = 0, first_edge = 1, first_corner = 4 };  ///< edge 1 + k runs from corner k to k + 1
  Vec3 place = Vec3::Zero();                                         ///< m
  std::array<double, 3> weights = {1, 0, 0};                         ///< of the corners, sum 1, none negative
  int part = inside;
};

/// The place of the triangle that is nearest to p (Ericson 2005, Real-Time Collision Detection, 5.1.5).
TrianglePlace nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// Weights of the corners, sum 1, of the foot of p in the plane of the triangle; zero where it has no area.
std::array<double, 3> plane_weights(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// Where two lines come nearest: a + s u and b + t w.
struct LinePlaces {
  bool crossing = false;  ///< false: they are parallel, within `least` (sine of the angle)
  double s = 0, t = 0;
  Vec3 normal = Vec3::Zero();  ///< unit, u × w
};
LinePlaces nearest_on_lines(const Vec3& a, const Vec3& u, const Vec3& b, const Vec3& w, double least);

}  // namespace hazumi
