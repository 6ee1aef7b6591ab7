#include "core/sim/contact/coarse_surface.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/geometry/mesh/topology.h"
#include "core/geometry/truss/hull.h"

namespace hazumi {

namespace {

using Faces = std::vector<std::array<std::uint32_t, 3>>;

/// Only the vertices that faces have.
CoarseSurface taken(const DisplayMesh& mesh, const Faces& faces) {
  CoarseSurface out;
  std::vector<std::uint32_t> number(mesh.positions.size(), kNoIndex);
  for (const auto& face : faces) {
    std::array<std::uint32_t, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      std::uint32_t& at = number[face[k]];
      if (at == kNoIndex) {
        at = static_cast<std::uint32_t>(out.source.size());
        out.source.push_back(face[k]);
        out.mesh.positions.push_back(mesh.positions[face[k]]);
      }
      corners[k] = at;
    }
    out.mesh.faces.push_back(corners);
  }
  return out;
}

/// Vertices at one place are one.
Faces welded_faces(const DisplayMesh& mesh) {
  const std::vector<std::uint32_t> place = weld(mesh.positions);
  Faces faces;
  for (const auto& f : mesh.faces) {
    const std::array<std::uint32_t, 3> face = {place[f[0]], place[f[1]], place[f[2]]};
    if (face[0] != face[1] && face[1] != face[2] && face[2] != face[0]) faces.push_back(face);
  }
  return faces;
}

}  // namespace

CoarseSurface simplified_surface(const DisplayMesh& mesh, std::size_t most) {
  const CoarseSurface all = taken(mesh, welded_faces(mesh));  // vertices at one place would hold each other fast
  if (all.mesh.faces.size() <= most) return all;
  // Single precision is relative to the box, so that a mesh far from the origin loses nothing.
  const Box3 box = bounds(all.mesh);
  const double unit = std::max(box.size().maxCoeff(), std::numeric_limits<double>::min());
  std::vector<float> positions;
  positions.reserve(3 * all.source.size());
  for (const Vec3& p : all.mesh.positions)
    for (int k = 0; k < 3; ++k) positions.push_back(static_cast<float>((p[k] - box.centre()[k]) / unit));
  std::vector<unsigned> indices;
  for (const auto& f : all.mesh.faces) indices.insert(indices.end(), f.begin(), f.end());
  std::vector<unsigned> kept(indices.size());
  const bool closed = is_closed(all.mesh);
  // Of a handle so few may be left that its sides become one: then more are, as what was solid stays so.
  for (; most < all.mesh.faces.size(); most += most / 2 + 1) {
    const std::size_t count =
        meshopt_simplify(kept.data(), indices.data(), indices.size(), positions.data(), all.source.size(),
                         3 * sizeof(float), 3 * most, std::numeric_limits<float>::max(), 0, nullptr);
    Faces faces;
    for (std::size_t k = 0; k + 2 < count; k += 3)
      faces.push_back({all.source[kept[k]], all.source[kept[k + 1]], all.source[kept[k + 2]]});
    CoarseSurface out = taken(mesh, faces);
    if (!faces.empty() && (!closed || is_closed(out.mesh))) return out;
  }
  return all;
}

CoarseSurface hull_surface(const DisplayMesh& mesh) { return taken(mesh, convex_hull(mesh.positions)); }

}  // namespace hazumi
