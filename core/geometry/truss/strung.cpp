#include "core/geometry/truss/strung.h"

#include <algorithm>

#include "core/base/hash.h"
#include "core/geometry/truss/edit.h"
#include "core/geometry/truss/hull.h"

namespace hazumi {

Truss to_truss(const StrungTruss& strung) {
  Truss truss;
  double total = 0;
  for (const StrungNode& node : strung.nodes) total += node.mass;
  for (std::size_t i = 0; i < strung.nodes.size(); ++i) {
    truss.nodes.push_back(strung.nodes[i].position);
    truss.masses.push_back(strung.nodes[i].mass / total);
    if (strung.nodes[i].pinned) truss.pinned.push_back(static_cast<std::uint32_t>(i));
  }
  for (const StrungSpring& spring : strung.springs)
    truss.springs.push_back({spring.a, spring.b, spring.stiffness, spring.damping});
  truss.tetrahedra = strung.tetrahedra;
  if (!strung.cells.empty()) truss.cells.resize(strung.cells.back()[0] + std::size_t{1});
  for (const auto& [cell, node] : strung.cells) truss.cells[cell].push_back(node);
  truss.hull = !strung.sheet.empty()        ? strung.sheet
               : !strung.hull.empty()       ? strung.hull
               : !strung.tetrahedra.empty() ? tetrahedra_boundary(strung.tetrahedra)
                                            : convex_hull(truss.nodes);
  return truss;
}

StrungTruss to_strung(const Truss& truss) {
  StrungTruss strung;
  const double count = static_cast<double>(truss.nodes.size());
  for (std::size_t i = 0; i < truss.nodes.size(); ++i)
    strung.nodes.push_back({truss.nodes[i], truss.masses[i] * count, false});
  for (const std::uint32_t node : truss.pinned) strung.nodes[node].pinned = true;
  for (const Spring& spring : truss.springs)
    strung.springs.push_back({spring.a, spring.b, spring.stiffness, spring.damping, 1});
  std::sort(strung.springs.begin(), strung.springs.end(),
            [](const StrungSpring& s, const StrungSpring& t) { return s.a != t.a ? s.a < t.a : s.b < t.b; });
  strung.hull = truss.hull;
  strung.tetrahedra = truss.tetrahedra;
  return strung;
}

std::uint64_t truss_hash(const StrungTruss& strung) {
  Hasher hasher;
  hasher.add(static_cast<std::uint64_t>(strung.nodes.size()));
  for (const StrungNode& node : strung.nodes) {
    for (double x : node.position) hasher.add(x);
    hasher.add(node.mass).add(node.pinned);
  }
  hasher.add(static_cast<std::uint64_t>(strung.springs.size()));
  for (const StrungSpring& s : strung.springs)
    hasher.add(std::uint64_t{s.a}).add(std::uint64_t{s.b}).add(s.stiffness).add(s.damping).add(s.cross_section);
  hasher.add(static_cast<std::uint64_t>(strung.hull.size()));
  for (const auto& face : strung.hull)
    for (std::uint32_t node : face) hasher.add(std::uint64_t{node});
  hasher.add(static_cast<std::uint64_t>(strung.tetrahedra.size()));
  for (const auto& cell : strung.tetrahedra)
    for (std::uint32_t node : cell) hasher.add(std::uint64_t{node});
  if (!strung.cells.empty()) hasher.add(static_cast<std::uint64_t>(strung.cells.size()));
  for (const auto& [cell, node] : strung.cells) hasher.add(std::uint64_t{cell}).add(std::uint64_t{node});
  if (!strung.sheet.empty()) hasher.add(static_cast<std::uint64_t>(strung.sheet.size()));
  for (const auto& face : strung.sheet)
    for (std::uint32_t node : face) hasher.add(std::uint64_t{node});
  return hasher.value();
}

}  // namespace hazumi
