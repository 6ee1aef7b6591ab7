// Bodies of the tests: random tetrahedral trusses and a braced box.
#pragma once

#include <set>
#include <utility>

#include "core/math/eigen.h"
#include "tests/sim/reference/flexible.h"

namespace hazumi::reference {

using Springs = std::set<std::pair<int, int>>;

/// Places the rest positions about the centre of mass and fills K from springs of `stiffness` N/m. C = ratio · K.
inline void build_truss(FlexibleBody& b, const Springs& springs, double stiffness, double damping_ratio, double h) {
  b.total = b.mass.sum();
  b.rest.colwise() -= Vec3(b.rest * b.mass / b.total);
  const Eigen::Index n = b.count();
  b.stiffness = Matrix::Zero(3 * n, 3 * n);
  for (const auto& [i, j] : springs) {
    const Vec3 along = (b.rest.col(j) - b.rest.col(i)).normalized();
    const Mat3 k = stiffness * along * along.transpose();
    b.stiffness.block<3, 3>(3 * i, 3 * i) += k;
    b.stiffness.block<3, 3>(3 * j, 3 * j) += k;
    b.stiffness.block<3, 3>(3 * i, 3 * j) -= k;
    b.stiffness.block<3, 3>(3 * j, 3 * i) -= k;
  }
  b.damping = damping_ratio * b.stiffness;
  b.displacement = b.velocity = Nodes::Zero(3, n);
  b.prepare(h);
}

/// Triangles of the convex hull, by trying all of them: counter-clockwise from outside.
inline std::vector<std::array<int, 3>> convex_hull(const Nodes& x) {
  std::vector<std::array<int, 3>> hull;
  const int n = static_cast<int>(x.cols());
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      for (int k = j + 1; k < n; ++k) {
        const Vec3 normal = (x.col(j) - x.col(i)).cross(x.col(k) - x.col(i));
        bool above = false, below = false;
        for (int m = 0; m < n; ++m)
          if (m != i && m != j && m != k) (normal.dot(x.col(m) - x.col(i)) > 0 ? above : below) = true;
        if (above != below) hull.push_back(below ? std::array{i, j, k} : std::array{i, k, j});
      }
  return hull;
}

/// Twelve to twenty-three nodes in a ball of 0.3 m: most on its surface, one in the middle, masses 1 : 75 at random. Springs
/// are the edges of the tetrahedra of hull faces and the middle, and from every node to its six nearest.
inline FlexibleBody random_truss(Dice& dice, double mass, double stiffness, double damping_ratio, double h) {
  FlexibleBody b;
  const int n = 12 + static_cast<int>(dice.uniform(0, 12));
  b.rest = Nodes::Zero(3, n);
  b.mass.resize(n);
  for (int i = 0; i < n; ++i) {
    b.mass[i] = std::exp(dice.uniform(0, std::log(75.0)));
    if (i > 0) b.rest.col(i) = dice.vector().normalized() * (i % 5 ? 0.3 : dice.uniform(0.1, 0.2));
  }
  b.mass *= mass / b.mass.sum();
  b.hull = convex_hull(b.rest);
  Springs springs;
  const auto add = [&](int i, int j) {
    if (i != j) springs.emplace(std::min(i, j), std::max(i, j));
  };
  for (const auto& [i, j, k] : b.hull)
    for (const auto& [p, q] : {std::pair(i, j), {j, k}, {k, i}, {i, 0}, {j, 0}, {k, 0}}) add(p, q);
  for (int i = 0; i < n; ++i) {
    std::vector<std::pair<double, int>> near;
    for (int j = 0; j < n; ++j) near.emplace_back((b.rest.col(i) - b.rest.col(j)).norm(), j);
    std::sort(near.begin(), near.end());
    for (std::size_t k = 1; k <= 6; ++k) add(i, near[k].second);
  }
  build_truss(b, springs, stiffness, damping_ratio, h);
  return b;
}

/// A box of 2 half m with a node at each corner and one in the middle, all joined. Corner 4x + 2y + z.
inline FlexibleBody braced_box(double mass, const Vec3& half, double stiffness, double damping_ratio, double h) {
  FlexibleBody b;
  b.rest = Nodes::Zero(3, 9);
  b.mass = Vector::Constant(9, mass / 9);
  for (int i = 0; i < 8; ++i) b.rest.col(i) = Vec3(i & 4 ? 1 : -1, i & 2 ? 1 : -1, i & 1 ? 1 : -1).cwiseProduct(half);
  b.hull = convex_hull(b.rest.leftCols(8));
  Springs springs;
  for (int i = 0; i < 9; ++i)
    for (int j = i + 1; j < 9; ++j) springs.emplace(i, j);
  build_truss(b, springs, stiffness, damping_ratio, h);
  return b;
}

/// Lowest circular frequency above the six rigid motions, rad/s.
inline double lowest_frequency(const FlexibleBody& b) {
  Vector scale(3 * b.count());
  for (Eigen::Index i = 0; i < b.count(); ++i) scale.segment<3>(3 * i).setConstant(1 / std::sqrt(b.mass[i]));
  return std::sqrt(dense_eigen(scale.asDiagonal() * b.stiffness * scale.asDiagonal()).values[6]);
}

}  // namespace hazumi::reference
