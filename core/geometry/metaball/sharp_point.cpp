#include <Eigen/Eigenvalues>

#include "core/geometry/metaball/octree.h"

namespace hazumi::metaball {

Vec3 sharp_point(std::span<const Crossing* const> crossings, const Vec3& middle) {
  Mat3 A = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  for (const Crossing* c : crossings) {
    A.noalias() += c->normal * c->normal.transpose();
    b += c->normal * c->normal.dot(c->point - middle);
  }
  Eigen::SelfAdjointEigenSolver<Mat3> eigen;
  eigen.computeDirect(A);
  const double largest = eigen.eigenvalues()[2];
  Vec3 q = middle;
  for (int k = 0; k < 3; ++k) {
    const double value = eigen.eigenvalues()[k];
    if (value > 0.05 * largest) q += eigen.eigenvectors().col(k) * (eigen.eigenvectors().col(k).dot(b) / value);
  }
  return q;
}

}  // namespace hazumi::metaball
