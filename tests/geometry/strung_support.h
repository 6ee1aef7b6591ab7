// What tests of strung trusses share: a check of everything that strung_truss.h promises, and hand-made
// trusses.
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include "core/geometry/truss/edit.h"

namespace hazumi::strung_test {

inline double volume(const StrungTruss& t) {
  double sum = 0;
  for (const auto& f : t.hull)
    sum += t.nodes[f[0]].position.dot(t.nodes[f[1]].position.cross(t.nodes[f[2]].position)) / 6;
  return sum;
}

inline bool closed(const std::vector<std::array<std::uint32_t, 3>>& hull) {
  std::multiset<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const auto& f : hull)
    for (int k = 0; k < 3; ++k) edges.emplace(f[k], f[(k + 1) % 3]);
  for (const auto& e : edges)
    if (edges.count(e) != 1 || edges.count({e.second, e.first}) != 1) return false;
  return true;
}

/// Empty when the truss keeps the rules, else what is wrong.
inline std::string problem(const StrungTruss& t, bool closed_hull = true) {
  const std::size_t n = t.nodes.size();
  for (const StrungNode& node : t.nodes)
    if (!(node.mass > 0) || !node.position.allFinite()) return "a node without mass or place";
  for (std::size_t s = 0; s < t.springs.size(); ++s) {
    const StrungSpring& spring = t.springs[s];
    if (spring.a >= spring.b || spring.b >= n) return "a spring that joins nothing";
    if (s > 0 && std::pair(t.springs[s - 1].a, t.springs[s - 1].b) >= std::pair(spring.a, spring.b))
      return "springs out of order, or twins";
  }
  for (const auto& f : t.hull)
    for (int k = 0; k < 3; ++k)
      if (f[k] >= n || f[k] == f[(k + 1) % 3]) return "a hull triangle of no nodes";
  if (closed_hull && !closed(t.hull)) return "an open hull";
  for (const auto& c : t.tetrahedra) {
    for (const std::uint32_t i : c)
      if (i >= n) return "a tetrahedron of no nodes";
    const Vec3& o = t.nodes[c[0]].position;
    const double v = (t.nodes[c[1]].position - o).cross(t.nodes[c[2]].position - o).dot(t.nodes[c[3]].position - o);
    if (!(v > 0)) return "a tetrahedron inside out";
  }
  if (!t.tetrahedra.empty() && t.hull != tetrahedra_boundary(t.tetrahedra)) return "a hull that is not the outside";
  return {};
}

inline StrungTruss shape(TrussShape kind, std::array<int, 3> divisions = {2, 2, 2}) {
  TrussRecipe recipe;
  recipe.shape = kind;
  recipe.divisions = divisions;
  return to_strung(make_truss(recipe));
}

/// A cube of five tetrahedra.
inline StrungTruss five_cells() {
  StrungTruss t;
  for (int i = 0; i < 8; ++i) t.nodes.push_back({Vec3(i & 1, (i >> 1) & 1, (i >> 2) & 1), 1, false});
  t.tetrahedra = {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}};
  for (auto& c : t.tetrahedra) {
    const Vec3& o = t.nodes[c[0]].position;
    if ((t.nodes[c[1]].position - o).cross(t.nodes[c[2]].position - o).dot(t.nodes[c[3]].position - o) < 0)
      std::swap(c[2], c[3]);
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const auto& c : t.tetrahedra)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        if (c[i] < c[j]) edges.emplace(c[i], c[j]);
  for (const auto& [a, b] : edges) t.springs.push_back({a, b, 1, 1, 1});
  t.hull = tetrahedra_boundary(t.tetrahedra);
  return t;
}

}  // namespace hazumi::strung_test
