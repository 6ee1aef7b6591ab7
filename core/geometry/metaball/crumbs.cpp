#include <algorithm>
#include <numeric>

#include "core/geometry/metaball/contour.h"

namespace hazumi::metaball {

void drop_crumbs(Surface3& surface, const MetaballField& field, const std::vector<BlockTree>& blocks, double size) {
  const std::size_t n = surface.vertices.size();
  const auto pinched = [](const FieldPrimitive& f) { return f.p1 <= 1 || f.p2 <= 1; };
  if (std::none_of(field.primitives().begin(), field.primitives().end(), pinched)) return;
  std::vector<std::uint32_t> root(n);
  std::iota(root.begin(), root.end(), 0u);
  const auto top = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const auto& f : surface.faces) {
    root[top(f[1])] = top(f[0]);
    root[top(f[2])] = top(f[0]);
  }
  std::vector<Box3> box(n);
  for (std::uint32_t v = 0; v < n; ++v) box[top(v)].add(surface.vertices[v].point);
  enum : char { unknown, crumbs, whole };
  std::vector<char> kind(n, unknown);
  for (std::uint32_t v = 0; v < n; ++v) {
    const std::uint32_t r = top(v);
    if (kind[r] == whole) continue;
    if (box[r].size().norm() > size) {
      kind[r] = whole;
      continue;
    }
    const Tree& tree = *blocks[static_cast<std::size_t>(surface.block[v])].tree;
    const Leaf& leaf = tree.leaves[static_cast<std::size_t>(surface.vertices[v].leaf)];
    for (std::uint32_t i = 0; i < leaf.list_size; ++i) {
      const FieldPrimitive& f = field.primitives()[tree.lists[leaf.list_first + i]];
      if ((f.centre - box[r].low).minCoeff() >= 0 && (box[r].high - f.centre).minCoeff() >= 0) kind[r] = whole;
      if (kind[r] == unknown && pinched(f)) kind[r] = crumbs;
    }
  }
  const auto crumb = [&](std::uint32_t v) { return kind[top(v)] == crumbs; };
  std::vector<std::uint32_t> number(n);
  std::size_t kept = 0;
  for (std::uint32_t v = 0; v < n; ++v) {
    if (crumb(v)) continue;
    number[v] = static_cast<std::uint32_t>(kept);
    surface.vertices[kept] = surface.vertices[v];
    surface.block[kept++] = surface.block[v];
  }
  if (kept == n) return;
  std::erase_if(surface.faces, [&](const auto& f) { return crumb(f[0]); });
  for (auto& f : surface.faces)
    for (std::uint32_t& v : f) v = number[v];
  surface.vertices.resize(kept);
  surface.block.resize(kept);
}

}  // namespace hazumi::metaball
