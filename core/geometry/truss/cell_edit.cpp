#include "core/geometry/truss/cell_edit.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/geometry/truss/edit.h"

namespace hazumi {

void order_cells(StrungTruss& truss) {
  auto& cells = truss.cells;
  if (truss.tetrahedra.empty()) cells.clear();
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  std::vector<std::array<std::uint32_t, 2>> kept;
  std::uint32_t number = 0;
  for (std::size_t first = 0; first < cells.size();) {
    std::size_t end = first;
    while (end < cells.size() && cells[end][0] == cells[first][0]) ++end;
    if (end - first >= 4) {
      for (std::size_t k = first; k < end; ++k) kept.push_back({number, cells[k][1]});
      ++number;
    }
    first = end;
  }
  cells = std::move(kept);
}

void copy_cells(const StrungTruss& truss, const std::vector<std::uint32_t>& image, StrungTruss& to) {
  const std::uint32_t first = to.cells.empty() ? 0 : to.cells.back()[0] + 1;
  std::set<std::uint32_t> lost;
  for (const auto& [cell, node] : truss.cells)
    if (image[node] == kNoNode) lost.insert(cell);
  for (const auto& [cell, node] : truss.cells)
    if (!lost.contains(cell)) to.cells.push_back({first + cell, image[node]});
  order_cells(to);
}

void mirror_cells(const StrungTruss& truss, const std::vector<std::uint32_t>& kept,
                  const std::vector<std::uint32_t>& image, StrungTruss& to) {
  std::map<std::uint32_t, std::pair<std::size_t, std::size_t>> inside;  // of each cell: nodes that stay, all of them
  for (const auto& [cell, node] : truss.cells) {
    auto& [stay, all] = inside[cell];
    stay += kept[node] != kNoNode && image[node] != kNoNode ? 1 : 0;
    ++all;
  }
  to.cells.clear();
  const std::uint32_t count = static_cast<std::uint32_t>(inside.size());
  for (const auto& [cell, node] : truss.cells) {
    const auto& [stay, all] = inside[cell];
    if (stay < all) continue;
    to.cells.push_back({cell, kept[node]});
    to.cells.push_back({cell + count, image[node]});
  }
  order_cells(to);
}

}  // namespace hazumi
