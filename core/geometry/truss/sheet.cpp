#include "core/geometry/truss/sheet.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/math/sparse_factor.h"

namespace hazumi {

namespace {

using SheetIndex = std::uint32_t;
using SheetPair = std::pair<SheetIndex, SheetIndex>;

SheetPair sheet_pair(SheetIndex a, SheetIndex b) { return {std::min(a, b), std::max(a, b)}; }

/// Twice the area of a triangle, along its normal.
Vec3 sheet_normal(std::span<const Vec3> nodes, const std::array<SheetIndex, 3>& f) {
  return (nodes[f[1]] - nodes[f[0]]).cross(nodes[f[2]] - nodes[f[0]]);
}

/// Which nodes each node shares an edge with, ascending, and whether it is at the border.
struct Rings {
  std::vector<std::vector<SheetIndex>> near;
  std::vector<char> border;

  Rings(std::size_t count, SheetFaces faces) : near(count), border(count, 0) {
    std::map<SheetPair, int> edges;
    for (const auto& f : faces)
      for (std::size_t k = 0; k < 3; ++k) ++edges[sheet_pair(f[k], f[(k + 1) % 3])];
    for (const auto& [edge, sides] : edges) {
      near[edge.first].push_back(edge.second);
      near[edge.second].push_back(edge.first);
      if (sides == 1) border[edge.first] = border[edge.second] = 1;
    }
    for (auto& list : near) std::sort(list.begin(), list.end());
  }

  /// Those and the ones next to them.
  std::vector<SheetIndex> wide(SheetIndex node) const {
    std::vector<SheetIndex> all = near[node];
    for (const SheetIndex j : near[node]) all.insert(all.end(), near[j].begin(), near[j].end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::erase(all, node);
    return all;
  }
};

/// The second derivatives uu, uv, vv at a node as weights on how far each of `around` is from it: three rows. u and v are lengths along
/// the surface: what leaves the tangent plane counts as far as it is. Of fewer nodes than a quadratic has numbers, the least weights.
struct SecondDerivatives {
  Eigen::Matrix<double, 3, Eigen::Dynamic> weights;
  bool whole = false;  ///< exact for every quadratic

  SecondDerivatives(std::span<const Vec3> nodes, const Vec3& normal, SheetIndex node,
                    const std::vector<SheetIndex>& around) {
    constexpr double kSeen = 1e-4;  // of the largest singular value
    const Vec3 u = normal.unitOrthogonal(), v = normal.cross(u);
    double size = 0;
    for (const SheetIndex j : around) size = std::max(size, (nodes[j] - nodes[node]).norm());
    const auto count = static_cast<Eigen::Index>(around.size());
    Eigen::Matrix<double, Eigen::Dynamic, 5> seen(count, 5);
    Eigen::VectorXd by(count);
    for (Eigen::Index j = 0; j < count; ++j) {
      const Vec3 away = (nodes[around[static_cast<std::size_t>(j)]] - nodes[node]) / size;
      const double length = away.norm(), flat = std::hypot(u.dot(away), v.dot(away));
      const double x = flat > 0 ? u.dot(away) * length / flat : 0, y = flat > 0 ? v.dot(away) * length / flat : 0;
      by[j] = 1 / std::max(length * length, 1e-12);  // near ones count more: the next term grows with the third power
      seen.row(j) << x, y, 0.5 * x * x, x * y, 0.5 * y * y;
      seen.row(j) *= by[j];
    }
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(seen, Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(kSeen);
    whole = svd.rank() == 5;
    const Eigen::MatrixXd inverse = svd.solve(Eigen::MatrixXd(by.asDiagonal()));
    weights = inverse.bottomRows<3>() / (size * size);
  }
};

/// How far the places of a sheet give along its surface under pulls: K u = f, across the surface nothing moves.
class Yield {
 public:
  Yield(std::span<const Vec3> nodes, SheetFaces faces, std::span<const Spring> springs) : count_(nodes.size()) {
    std::vector<SheetPair> edges;
    for (const Spring& s : springs) edges.emplace_back(s.a, s.b);
    const std::vector<SheetIndex> order = fill_reducing_order(count_, edges);
    at_.resize(count_);
    for (SheetIndex k = 0; k < count_; ++k) at_[order[k]] = k;
    normals_.assign(count_, Vec3::Zero());
    for (const auto& f : faces)
      for (const SheetIndex i : f) normals_[i] += sheet_normal(nodes, f);
    for (Vec3& n : normals_) n.normalize();
  }

  void add(SheetIndex a, SheetIndex b, const Mat3& block) {
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column)
        entries_.emplace_back(3 * static_cast<int>(at_[a]) + row, 3 * static_cast<int>(at_[b]) + column,
                              block(row, column));
  }

  /// f · u of each of `pulls`; `stiff`: a number of the size of the blocks. Nothing: it cannot be solved.
  std::vector<double> work(std::span<const std::vector<Vec3>> pulls, double stiff) {
    constexpr double kHeld = 1e3, kFree = 1e-7;  // of `stiff`: across, and what keeps it from going away as a whole
    for (SheetIndex i = 0; i < count_; ++i)
      add(i, i, stiff * (kHeld * normals_[i] * normals_[i].transpose() + kFree * Mat3::Identity()));
    const auto size = 3 * static_cast<Eigen::Index>(count_);
    SparseMatrix a(size, size);
    a.setFromTriplets(entries_.begin(), entries_.end());
    const auto factor = SparseFactor::factor(a);
    if (!factor) return {};
    std::vector<double> x(3 * count_), scratch(factor->scratch_size());
    std::vector<double> all;
    for (const auto& pull : pulls) {
      double sum = 0;
      for (SheetIndex i = 0; i < count_; ++i) {
        const Vec3 along = pull[i] - normals_[i] * normals_[i].dot(pull[i]);
        std::copy(along.begin(), along.end(), x.begin() + 3 * static_cast<std::ptrdiff_t>(at_[i]));
      }
      factor->solve(x.data(), scratch.data());
      for (SheetIndex i = 0; i < count_; ++i)
        sum += pull[i].dot(Vec3(x[3 * at_[i]], x[3 * at_[i] + 1], x[3 * at_[i] + 2]));
      all.push_back(sum);
    }
    return all;
  }

 private:
  std::size_t count_;
  std::vector<SheetIndex> at_;  // place of each node in the matrix
  std::vector<Vec3> normals_;
  std::vector<Eigen::Triplet<double>> entries_;
};

/// 1 / k, k in N/m: what resists as a sheet of elements of uniform strain with E = 1 N/m does, in the mean of nine pulls, each of which
/// stretches a flat one uniformly along a direction. Poisson's ratio ⅓ is that of springs in all directions.
double yield_of(std::span<const Vec3> nodes, SheetFaces faces, std::span<const Spring> springs) {
  constexpr double kPoisson = 1.0 / 3;
  Yield strung(nodes, faces, springs), solid(nodes, faces, springs);
  double stiff = 0;
  for (const Spring& s : springs) {
    const Vec3 along = (nodes[s.b] - nodes[s.a]).normalized();
    const Mat3 block = s.stiffness * along * along.transpose();
    strung.add(s.a, s.a, block);
    strung.add(s.b, s.b, block);
    strung.add(s.a, s.b, -block);
    strung.add(s.b, s.a, -block);
    stiff += s.stiffness / static_cast<double>(springs.size());
  }
  std::vector<std::vector<Vec3>> pulls;
  std::vector<Vec3> directions;
  for (int axis = 0; axis < 3; ++axis)
    for (const int other : {0, 1, -1})
      directions.push_back((Vec3::Unit(axis) + other * Vec3::Unit((axis + 1) % 3)).normalized());
  pulls.assign(directions.size(), std::vector<Vec3>(nodes.size(), Vec3::Zero()));
  for (const auto& f : faces) {
    const Vec3 normal = sheet_normal(nodes, f);
    const double twice = normal.norm();
    const Vec3 n = normal / twice;
    std::array<Vec3, 3> slope;  // of what is 1 at a corner and 0 at the others
    for (std::size_t k = 0; k < 3; ++k) slope[k] = n.cross(nodes[f[(k + 2) % 3]] - nodes[f[(k + 1) % 3]]) / twice;
    const Mat3 across = Mat3::Identity() - n * n.transpose();
    const double area = 0.5 * twice, young = 1 / (1 - kPoisson * kPoisson), shear = 0.5 / (1 + kPoisson);
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 3; ++b)
        solid.add(f[a], f[b],
                  area * (kPoisson * young * slope[a] * slope[b].transpose() +
                          shear * (slope[b] * slope[a].transpose() + slope[a].dot(slope[b]) * across)));
      for (std::size_t d = 0; d < directions.size(); ++d) {
        const Vec3 along = across * directions[d];
        pulls[d][f[a]] += area * along.dot(slope[a]) * along;
      }
    }
  }
  const std::vector<double> given = strung.work(pulls, stiff), wanted = solid.work(pulls, stiff);
  double resists = 0, all = 0;
  for (std::size_t d = 0; d < std::min(given.size(), wanted.size()); ++d) {
    if (!(given[d] > 0)) continue;
    resists += wanted[d] * wanted[d] / given[d];
    all += wanted[d];
  }
  return resists > 0 ? all / resists : 1;
}

}  // namespace

std::vector<double> sheet_areas(std::span<const Vec3> nodes, SheetFaces faces) {
  std::vector<double> areas(nodes.size(), 0.0);
  for (const auto& f : faces)
    for (const SheetIndex i : f) areas[i] += sheet_normal(nodes, f).norm() / 6;
  return areas;
}

std::vector<Spring> sheet_springs(std::span<const Vec3> nodes, SheetFaces faces) {
  std::map<SheetPair, double> areas;
  for (const auto& f : faces)
    for (std::size_t k = 0; k < 3; ++k) areas[sheet_pair(f[k], f[(k + 1) % 3])] += 0.5 * sheet_normal(nodes, f).norm();
  std::vector<Spring> springs;
  for (const auto& [edge, area] : areas)
    springs.push_back({edge.first, edge.second, area / (nodes[edge.second] - nodes[edge.first]).squaredNorm(), 0});
  const double yields = yield_of(nodes, faces, springs);
  for (Spring& s : springs) s.damping = s.stiffness *= yields;
  return springs;
}

std::vector<Bend> sheet_bends(std::span<const Vec3> nodes, SheetFaces faces, double bending) {
  std::vector<Bend> bends;
  if (!(bending > 0)) return bends;
  const Rings rings(nodes.size(), faces);
  const std::vector<double> areas = sheet_areas(nodes, faces);
  std::vector<Vec3> normals(nodes.size(), Vec3::Zero());
  for (const auto& f : faces)
    for (const SheetIndex i : f) normals[i] += sheet_normal(nodes, f);
  std::map<SheetPair, double> pairs;
  for (SheetIndex i = 0; i < nodes.size(); ++i) {
    if (!(areas[i] > 0) || !(normals[i].norm() > 0)) continue;
    std::vector<SheetIndex> around = rings.border[i] ? rings.wide(i) : rings.near[i];
    SecondDerivatives second(nodes, normals[i].normalized(), i, around);
    if (!second.whole && !rings.border[i]) {
      around = rings.wide(i);
      second = SecondDerivatives(nodes, normals[i].normalized(), i, around);
    }
    around.push_back(i);
    for (Eigen::Index row = 0; row < 3; ++row) {
      std::vector<double> weights;
      double sum = 0;
      for (Eigen::Index j = 0; j < second.weights.cols(); ++j) weights.push_back(second.weights(row, j));
      for (const double w : weights) sum += w;
      weights.push_back(-sum);
      const double times = (row == 1 ? 2 : 1) * bending * areas[i];  // uv and vu
      for (std::size_t a = 0; a < around.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) pairs[sheet_pair(around[a], around[b])] -= times * weights[a] * weights[b];
    }
  }
  for (const auto& [pair, k] : pairs)
    if (k != 0) bends.push_back({pair.first, pair.second, k});
  return bends;
}

}  // namespace hazumi
