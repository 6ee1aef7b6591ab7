#include "core/geometry/mesh/welded_surface.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace hazumi {

namespace {

using Index = std::uint32_t;

std::vector<Index> part_of_faces(const DisplayMesh& mesh) {
  std::vector<Index> part(mesh.faces.size(), 0);
  for (std::size_t p = 0; p < mesh.parts.size(); ++p)
    for (Index f = 0; f < mesh.parts[p].face_count; ++f)
      if (const std::size_t face = std::size_t{mesh.parts[p].first_face} + f; face < part.size())
        part[face] = static_cast<Index>(p);
  return part;
}

}  // namespace

WeldedSurface weld_surface(const DisplayMesh& mesh) {
  WeldedSurface surface;
  std::map<std::array<double, 3>, Index> places;
  std::vector<Index> welded(mesh.positions.size());
  std::vector<Vec3> points;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3 p = mesh.positions[v] + Vec3::Zero();  // −0 is 0
    const auto [at, fresh] = places.emplace(std::array{p.x(), p.y(), p.z()}, static_cast<Index>(points.size()));
    welded[v] = at->second;
    if (fresh) points.push_back(p);
  }
  const std::vector<Index> parts = part_of_faces(mesh);
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    std::array<Index, 3> face;
    for (std::size_t k = 0; k < 3; ++k) face[k] = welded[mesh.faces[f][k]];
    if (face[0] == face[1] || face[1] == face[2] || face[2] == face[0]) continue;
    surface.faces.push_back(face);
    surface.part.push_back(parts[f]);
  }

  std::map<std::pair<Index, Index>, std::vector<Index>> edges;  // directed edge → faces
  for (std::size_t f = 0; f < surface.faces.size(); ++f)
    for (std::size_t k = 0; k < 3; ++k)
      edges[{surface.faces[f][k], surface.faces[f][(k + 1) % 3]}].push_back(static_cast<Index>(f));
  surface.closed = !edges.empty();
  std::vector<Index> root(3 * surface.faces.size());  // corners that are joined across edges
  std::iota(root.begin(), root.end(), Index{0});
  const auto find = [&](Index i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  const auto corner = [&](Index face, Index vertex) {
    for (Index k = 0; k < 3; ++k)
      if (surface.faces[face][k] == vertex) return 3 * face + k;
    return 3 * face;
  };
  for (const auto& [edge, faces] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    if (faces.size() != 1 || back == edges.end() || back->second.size() != 1) surface.closed = false;
    if (back == edges.end()) continue;
    for (const Index vertex : {edge.first, edge.second})
      for (const Index other : back->second) {
        const Index a = find(corner(faces.front(), vertex)), b = find(corner(other, vertex));
        root[std::max(a, b)] = std::min(a, b);
      }
  }
  const auto before = surface.faces;
  std::map<Index, Index> number;
  for (std::size_t f = 0; f < before.size(); ++f)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [at, fresh] =
          number.emplace(find(static_cast<Index>(3 * f + k)), static_cast<Index>(surface.positions.size()));
      surface.faces[f][k] = at->second;
      if (fresh) surface.positions.push_back(points[before[f][k]]);
    }
  return surface;
}

}  // namespace hazumi
