// Random groups and measures of closed meshes for the metaball tests.
#pragma once

#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "core/geometry/mesh/mesh.h"
#include "core/geometry/metaball/field.h"

namespace hazumi {

struct Draw {
  explicit Draw(unsigned seed) : engine(seed) {}
  double number(double low, double high) {  // written out: std::uniform_real_distribution differs by library
    return low + (high - low) * (static_cast<double>(engine()) / 4294967296.0);
  }
  Vec3 vector(double low, double high) {
    const double x = number(low, high), y = number(low, high), z = number(low, high);
    return {x, y, z};
  }
  std::mt19937 engine;
};

inline MetaballPrimitive random_primitive(Draw& draw, double spread, double least_radius) {
  MetaballPrimitive p;
  p.radii = draw.vector(least_radius, 1);
  p.centre = draw.vector(-spread, spread);
  p.rotation = Quat(draw.number(-1, 1), draw.number(-1, 1), draw.number(-1, 1), draw.number(0.1, 1)).normalized();
  p.round_xz = draw.number(0.1, 3);
  p.round_xy = draw.number(0.1, 3);
  if (draw.number(0, 1) < 0.3) p.round_xz = p.round_xy = 1;
  if (draw.number(0, 1) < 0.2) p.shape = MetaballShape::torus;
  p.weight = draw.number(0, 1) < 0.2 ? -draw.number(0.3, 2) : draw.number(1, 3);
  return p;
}

inline MetaballGroup random_group(Draw& draw, int n, double spread = 0.3, double least_radius = 0.2) {
  MetaballGroup group;
  for (int k = 0; k < n; ++k) {
    group.primitives.push_back(random_primitive(draw, spread, least_radius));
    group.primitives.back().id = static_cast<std::uint32_t>(k + 1);
  }
  return group;
}

inline MetaballGroup random_group(Draw& draw, int n, MetaballShape shape) {
  MetaballGroup group = random_group(draw, n);
  for (MetaballPrimitive& p : group.primitives) p.shape = shape;
  return group;
}

/// Bit for bit.
inline bool same(const DisplayMesh& a, const DisplayMesh& b) {
  const auto equal = [](const auto& x, const auto& y) {
    return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(x[0])) == 0);
  };
  return equal(a.positions, b.positions) && equal(a.normals, b.normals) && equal(a.faces, b.faces) &&
         equal(a.looks, b.looks);
}

inline double volume(const DisplayMesh& mesh) {
  double sum = 0;
  for (const auto& f : mesh.faces)
    sum += mesh.positions[f[0]].dot(mesh.positions[f[1]].cross(mesh.positions[f[2]])) / 6;
  return sum;
}

/// Vertex numbers with equal positions merged.
inline std::vector<std::uint32_t> merged_vertices(const DisplayMesh& mesh, std::size_t& count) {
  std::map<std::array<double, 3>, std::uint32_t> places;
  std::vector<std::uint32_t> result;
  for (const Vec3& p : mesh.positions)
    result.push_back(
        places.emplace(std::array{p.x(), p.y(), p.z()}, static_cast<std::uint32_t>(places.size())).first->second);
  count = places.size();
  return result;
}

/// V − E + F of a closed mesh.
inline int euler_characteristic(const DisplayMesh& mesh) {
  std::size_t vertices = 0;
  merged_vertices(mesh, vertices);
  return static_cast<int>(vertices) - static_cast<int>(mesh.faces.size()) / 2;
}

/// True when the faces around every merged vertex form one fan.
inline bool one_fan_at_every_vertex(const DisplayMesh& mesh) {
  std::size_t count = 0;
  const std::vector<std::uint32_t> merged = merged_vertices(mesh, count);
  std::vector<std::map<std::uint32_t, std::uint32_t>> next(count);
  for (const auto& f : mesh.faces)
    for (std::size_t k = 0; k < 3; ++k)
      if (!next[merged[f[k]]].emplace(merged[f[(k + 1) % 3]], merged[f[(k + 2) % 3]]).second) return false;
  for (const auto& fan : next) {
    if (fan.empty()) continue;
    std::size_t steps = 0;
    auto at = fan.begin();
    do {
      at = fan.find(at->second);
      ++steps;
    } while (at != fan.end() && at != fan.begin() && steps <= fan.size());
    if (at == fan.end() || steps != fan.size()) return false;
  }
  return true;
}

/// Largest distance from the middles of faces and edges to the surface, along the field's gradient.
inline double chord_error(const DisplayMesh& mesh, const MetaballField& field) {
  double worst = 0;
  for (const auto& f : mesh.faces) {
    const Vec3 &a = mesh.positions[f[0]], &b = mesh.positions[f[1]], &c = mesh.positions[f[2]];
    for (const Vec3& q : {Vec3((a + b + c) / 3), Vec3((a + b) / 2), Vec3((b + c) / 2), Vec3((c + a) / 2)}) {
      Vec3 x = q, gradient;
      double off = 1;
      for (int k = 0; k < 8; ++k) {
        off = field.value(x, gradient) - 1;
        if (gradient.squaredNorm() == 0) break;
        x -= gradient * (off / gradient.squaredNorm());
      }
      if (std::abs(off) < 1e-6) worst = std::max(worst, (x - q).norm());
    }
  }
  return worst;
}

}  // namespace hazumi
