#include "core/sim/elastic/shape_matching_clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hazumi::shape_matching {

namespace {

constexpr double kBlocksAcross = 4;
constexpr double kOnTheEdge = 1e-6;  // of a block: nodes just between two go all to one side

/// How many nodes lie across the body where it is thickest, by how far from its surface one can get.
double nodes_across(const ClusterSource& source, const Vec3& extent, double apart) {
  const double across = extent.minCoeff() / apart + 1;
  if (source.surface.empty()) return across;
  std::vector<std::uint32_t> queue;
  std::vector<int> depth(source.nodes.size(), -1);
  const auto reach = [&](std::uint32_t i, int at) {
    if (depth[i] >= 0) return;
    depth[i] = at;
    queue.push_back(i);
  };
  for (const auto& triangle : source.surface)
    for (const std::uint32_t i : triangle) reach(i, 0);
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (const std::uint32_t j : source.neighbours[queue[k]]) reach(j, depth[queue[k]] + 1);
  return std::min(across, 2.0 * depth[queue.back()] + 2);
}

}  // namespace

Clusters make_clusters(const ClusterSource& source) {
  const std::size_t n = source.nodes.size();
  Vec3 low = source.nodes[0], high = low;
  double apart = 0;  // m, of nodes next to each other
  for (std::size_t i = 0; i < n; ++i) {
    low = low.cwiseMin(source.nodes[i]);
    high = high.cwiseMax(source.nodes[i]);
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::uint32_t j : source.neighbours[i])
      if (j != i) nearest = std::min(nearest, (source.nodes[j] - source.nodes[i]).norm());
    if (std::isfinite(nearest)) apart += nearest / static_cast<double>(n);
  }
  if (!(apart > 0)) return {};
  const double wide = nodes_across(source, high - low, apart) / kBlocksAcross;
  if (wide < source.least - kOnTheEdge) return {};
  std::array<double, 3> bins;
  for (int c = 0; c < 3; ++c)
    bins[static_cast<std::size_t>(c)] = std::max(1.0, std::round(((high - low)[c] / apart + 1) / wide));

  // Blocks: what of a bin and a group hangs together.
  std::vector<std::array<int, 4>> bin_of(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      const int k = static_cast<int>(c);
      const double at = (source.nodes[i][k] - low[k] + 0.5 * apart) / (high[k] - low[k] + apart);
      bin_of[i][c] = static_cast<int>(std::min(bins[c] - 1, std::floor(bins[c] * at + kOnTheEdge)));
    }
    bin_of[i][3] = source.groups.size() == n ? static_cast<int>(source.groups[i]) : 0;
  }
  constexpr std::uint32_t kNone = 0xffffffffu;
  Clusters made;
  made.block_of.assign(n, kNone);
  made.block_start.assign(1, 0);
  for (std::uint32_t first = 0; first < n; ++first) {
    if (made.block_of[first] != kNone) continue;
    const auto block = static_cast<std::uint32_t>(made.block_start.size() - 1);
    made.block_of[first] = block;
    made.block_node.push_back(first);
    for (std::size_t k = made.block_start.back(); k < made.block_node.size(); ++k)
      for (const std::uint32_t j : source.neighbours[made.block_node[k]]) {
        if (made.block_of[j] != kNone || bin_of[j] != bin_of[first]) continue;
        made.block_of[j] = block;
        made.block_node.push_back(j);
      }
    std::sort(made.block_node.begin() + made.block_start.back(), made.block_node.end());
    made.block_start.push_back(static_cast<std::uint32_t>(made.block_node.size()));
  }

  std::vector<std::vector<std::uint32_t>> touching(made.block_start.size() - 1);
  for (std::uint32_t i = 0; i < n; ++i)
    for (const std::uint32_t j : source.neighbours[i])
      if (bin_of[j][3] == bin_of[i][3]) touching[made.block_of[i]].push_back(made.block_of[j]);
  made.start.assign(1, 0);
  for (std::vector<std::uint32_t>& list : touching) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    made.touching.insert(made.touching.end(), list.begin(), list.end());
    made.start.push_back(static_cast<std::uint32_t>(made.touching.size()));
  }
  return made;
}

}  // namespace hazumi::shape_matching
