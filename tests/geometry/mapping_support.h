// What the tests of all kinds of mapping share.
#pragma once

#include <catch2/catch.hpp>

#include "core/geometry/mapping/mapping.h"
#include "core/geometry/mesh/primitives.h"

namespace hazumi::test {

struct Mapped {
  std::vector<Vec3f> positions, normals;
};

inline Mapped mapped(const Mapping& mapping, const std::vector<Vec3>& nodes, const Pose& frame, int threads = 1) {
  Executor executor(threads);
  Mapped m;
  m.positions.resize(mapping.vertex_count());
  m.normals.resize(mapping.vertex_count());
  mapping.map_vertices(nodes, frame, m.positions, m.normals, executor);
  return m;
}

inline std::vector<Vec3> points(const Mapping& mapping, const std::vector<Vec3>& nodes, const Pose& frame) {
  std::vector<std::uint32_t> all(mapping.vertex_count());
  for (std::uint32_t v = 0; v < all.size(); ++v) all[v] = v;
  std::vector<Vec3> result(all.size());
  mapping.map_points(nodes, frame, all, result);
  return result;
}

inline DisplayMesh sphere_mesh(const Vec3& size, int divisions = 16) {
  Primitive p;
  p.shape = PrimitiveShape::sphere;
  p.size = size;
  p.divisions = {divisions, divisions / 2 + 1, 1};
  return make_primitive(p);
}

/// Box grid whose cells are cut into six tetrahedra each (Kuhn), so that faces of neighbours match.
inline Truss tetrahedral_box(std::array<int, 3> n, const Vec3& size) {
  TrussRecipe r;
  r.shape = TrussShape::box_grid;
  r.divisions = n;
  r.size = size;
  Truss truss = make_truss(r);
  const auto at = [&](int i, int j, int k) {
    return static_cast<std::uint32_t>((k * (n[1] + 1) + j) * (n[0] + 1) + i);
  };
  constexpr int kOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i)
        for (int o = 0; o < 6; ++o) {
          std::array<int, 3> p = {i, j, k};
          std::array<std::uint32_t, 4> t{};
          t[0] = at(p[0], p[1], p[2]);
          for (int step = 0; step < 3; ++step) {
            ++p[kOrders[o][step]];
            t[step + 1] = at(p[0], p[1], p[2]);
          }
          if (o >= 3) std::swap(t[2], t[3]);  // even orders are right-handed as they are
          truss.tetrahedra.push_back(t);
        }
  return truss;
}

inline MappingSettings of_kind(MappingKind kind) {
  MappingSettings settings;
  settings.kind = kind;
  return settings;
}

inline std::vector<Vec3> moved(const Truss& truss, const Mat3& f, const Vec3& t) {
  std::vector<Vec3> nodes;
  for (const Vec3& p : truss.nodes) nodes.push_back(t + f * p);
  return nodes;
}

/// A smooth bend and twist of space, for points within about a metre.
inline Vec3 bend(const Vec3& p) {
  const double a = 0.6 * p.y(), c = std::cos(a), s = std::sin(a);
  return {c * p.x() - s * p.z() + 0.15 * p.y() * p.y(), p.y() + 0.1 * p.x() * p.y(), s * p.x() + c * p.z()};
}

}  // namespace hazumi::test
