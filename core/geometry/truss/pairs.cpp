#include "core/geometry/truss/pairs.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/base/hash.h"

namespace hazumi {

namespace {

using Index = std::uint32_t;

/// Nodes by cells of a cubic grid. Far-out coordinates share cells, which costs time and nothing else.
class Grid {
 public:
  Grid(const StrungTruss& truss, double side) : truss_(truss), side_(side) {
    for (std::size_t i = 0; i < truss.nodes.size(); ++i)
      cells_[key(cell(truss.nodes[i].position))].push_back(static_cast<Index>(i));
  }
  /// Nodes at most `side` from p, ascending.
  std::vector<Index> near(const Vec3& p, double distance) const {
    std::vector<Index> found;
    const Eigen::Array3d centre = cell(p);
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          const auto at = cells_.find(key(centre + Eigen::Array3d(x, y, z)));
          if (at == cells_.end()) continue;
          for (const Index i : at->second)
            if ((truss_.nodes[i].position - p).squaredNorm() <= distance * distance) found.push_back(i);
        }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

 private:
  Eigen::Array3d cell(const Vec3& p) const { return (p.array() / side_).floor(); }
  static std::uint64_t key(const Eigen::Array3d& c) {
    // + 0.0: minus zero and zero are one cell.
    return Hasher().add(c.x() + 0.0).add(c.y() + 0.0).add(c.z() + 0.0).value();
  }
  const StrungTruss& truss_;
  double side_;
  std::unordered_map<std::uint64_t, std::vector<Index>> cells_;
};

}  // namespace

SymmetricPairs::SymmetricPairs(const StrungTruss& truss, const TrussSymmetry& symmetry)
    : partner_(truss.nodes.size(), kNoNode) {
  const Grid grid(truss, std::max(symmetry.tolerance, 1e-12));
  for (std::size_t i = 0; i < truss.nodes.size(); ++i) {
    const Vec3& p = truss.nodes[i].position;
    if (std::abs(p[symmetry.axis] - symmetry.offset) <= symmetry.tolerance) {
      partner_[i] = static_cast<Index>(i);
      continue;
    }
    const Vec3 image = symmetry.mirrored(p);
    double nearest = 0;
    for (const Index j : grid.near(image, symmetry.tolerance)) {
      const double distance = (truss.nodes[j].position - image).squaredNorm();
      if (j == i || (partner_[i] != kNoNode && distance >= nearest)) continue;
      nearest = distance;
      partner_[i] = j;
    }
  }
}

void for_near_pairs(const StrungTruss& truss, double distance, const std::function<void(Index, Index)>& call) {
  if (!(distance >= 0)) return;
  const Grid grid(truss, std::max(distance, 1e-12));
  for (std::size_t i = 0; i < truss.nodes.size(); ++i)
    for (const Index j : grid.near(truss.nodes[i].position, distance))
      if (j > i) call(static_cast<Index>(i), j);
}

}  // namespace hazumi
