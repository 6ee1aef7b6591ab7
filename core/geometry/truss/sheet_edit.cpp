#include "core/geometry/truss/sheet_edit.h"

#include <set>
#include <utility>

namespace hazumi {

namespace {

using DirectedEdges = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// False: one of the three is there already, and none is added.
bool add_face(const std::array<std::uint32_t, 3>& face, DirectedEdges& edges) {
  for (std::size_t k = 0; k < 3; ++k)
    if (edges.contains({face[k], face[(k + 1) % 3]})) return false;
  for (std::size_t k = 0; k < 3; ++k) edges.emplace(face[k], face[(k + 1) % 3]);
  return true;
}

}  // namespace

std::optional<std::size_t> crowded_face(std::span<const std::array<std::uint32_t, 3>> faces) {
  DirectedEdges edges;
  for (std::size_t f = 0; f < faces.size(); ++f)
    if (!add_face(faces[f], edges)) return f;
  return std::nullopt;
}

void settle_sheet(StrungTruss& truss) {
  DirectedEdges edges;
  std::erase_if(truss.sheet, [&](const auto& face) { return !add_face(face, edges); });
}

}  // namespace hazumi
