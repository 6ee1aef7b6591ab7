// Where the surface cuts edges of cells on which the field bends too much for a cubic.
#pragma once

#include <cmath>
#include <span>

#include "core/geometry/metaball/kernel.h"
#include "core/geometry/metaball/octree.h"

namespace hazumi::metaball {

/// The unit normal that points out of the surface; zero where there is no gradient.
inline Vec3 outward(const Vec3& gradient) {
  const double square = gradient.squaredNorm();
  return square > 0 ? Vec3(gradient * (-1 / std::sqrt(square))) : Vec3::Zero();
}

/// A root on an edge that is held between two places: t along the edge, f = Σ ρ − 1.
struct EdgeSearch {
  Crossing* crossing;  ///< its point lies on the edge
  int axis;
  double start, edge;     ///< m: coordinate of the low end along the axis, and length
  double ta, tb, fa, fb;  ///< fa and fb of opposite sign
  double t;               ///< first guess
};

/// Moves the crossings to where |Σ ρ − 1| is under 2 % of the chord error (m) by the gradient, in at most
/// seven rounds, and sets their normals.
void search_edges(const PrimitiveList& list, double chord, std::span<EdgeSearch> open);

}  // namespace hazumi::metaball
