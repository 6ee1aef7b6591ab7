#include "core/sim/constraint/islands.h"

#include <algorithm>
#include <numeric>

namespace hazumi {

std::vector<IslandRange> sort_into_islands(std::span<const BodyMotion> motions, std::vector<Row>& rows,
                                           std::span<const std::int32_t> joined) {
  std::vector<std::uint32_t> parent(motions.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::vector<std::uint32_t> first;  // of each linkage
  for (std::uint32_t i = 0; i < joined.size(); ++i) {
    if (joined[i] < 0) continue;
    const auto number = static_cast<std::size_t>(joined[i]);
    if (number >= first.size()) first.resize(number + 1, 0xffffffffu);
    if (first[number] == 0xffffffffu) first[number] = i;
    parent[i] = first[number];
  }
  for (const Row& r : rows) {
    if (!motions[r.body_a].moves || !motions[r.body_b].moves) continue;
    const std::uint32_t a = root(r.body_a), b = root(r.body_b);
    parent[std::max(a, b)] = std::min(a, b);
  }
  struct Place {
    std::uint32_t island;
    ContactKey key;
    std::size_t row;
  };
  std::vector<Place> order;
  order.reserve(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k)
    order.push_back({root(motions[rows[k].body_a].moves ? rows[k].body_a : rows[k].body_b), rows[k].key, k});
  std::sort(order.begin(), order.end(), [](const Place& x, const Place& y) {
    return x.island != y.island ? x.island < y.island : x.key != y.key ? x.key < y.key : x.row < y.row;
  });
  std::vector<Row> sorted;
  sorted.reserve(rows.size());
  std::vector<IslandRange> ranges;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || order[k].island != order[k - 1].island) ranges.push_back({k, k});
    sorted.push_back(std::move(rows[order[k].row]));
    ranges.back().end = k + 1;
  }
  rows.swap(sorted);
  return ranges;
}

}  // namespace hazumi
