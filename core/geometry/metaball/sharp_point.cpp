#include "core/geometry/metaball/octree.h"
#include "core/math/eigen.h"

namespace hazumi::metaball {

Vec3 sharp_point(std::span<const Crossing* const> crossings, const Vec3& middle) {
  Mat3 A = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  for (const Crossing* c : crossings) {
    A.noalias() += c->normal * c->normal.transpose();
    b += c->normal * c->normal.dot(c->point - middle);
  }
  const EigenPairs3 eigen = symmetric_eigen_direct(A);
  const double largest = eigen.values[2];
  Vec3 q = middle;
  for (int k = 0; k < 3; ++k) {
    const double value = eigen.values[k];
    if (value > 0.05 * largest) q += eigen.vectors.col(k) * (eigen.vectors.col(k).dot(b) / value);
  }
  return q;
}

Vec3 sharp_point(std::span<const Crossing* const> crossings, const Vec3& middle, const Vec3& low, const Vec3& high) {
  Vec3 inside = middle;
  for (int round = 0; round < 8; ++round) {
    const Vec3 point = sharp_point(crossings, inside);
    inside = point.cwiseMax(low).cwiseMin(high);
    if (inside == point) break;
  }
  return inside;
}

}  // namespace hazumi::metaball
