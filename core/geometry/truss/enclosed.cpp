#include "core/geometry/truss/enclosed.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/geometry/mesh/mass_properties.h"

namespace hazumi {

double EnclosedVolume::volume(std::span<const Vec3> nodes) const { return mesh_volume(nodes, triangles_); }

void EnclosedVolume::gradient(std::span<const Vec3> nodes, std::span<Vec3> out) const {
  std::fill(out.begin(), out.end(), Vec3::Zero());
  for (const auto& [a, b, c] : triangles_) {
    const Vec3 third = (nodes[b] - nodes[a]).cross(nodes[c] - nodes[a]) / 6;
    out[a] += third;
    out[b] += third;
    out[c] += third;
  }
}

SurfaceFault EnclosedVolume::fault(std::span<const Vec3> nodes) const {
  if (triangles_.empty()) return SurfaceFault::empty;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;  // how often more one way than the other
  Vec3 low = nodes[triangles_[0][0]], high = low;
  for (const Triangle& t : triangles_)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t from = t[k], to = t[(k + 1) % 3];
      edges[std::minmax(from, to)] += from < to ? 1 : -1;
      low = low.cwiseMin(nodes[from]);
      high = high.cwiseMax(nodes[from]);
    }
  for (const auto& [edge, more] : edges)
    if (more != 0) return SurfaceFault::open;
  const double extent = (high - low).norm(), v = volume(nodes);
  if (!(std::abs(v) > 1e-9 * extent * extent * extent)) return SurfaceFault::flat;
  return v < 0 ? SurfaceFault::inside_out : SurfaceFault::none;
}

std::vector<EnclosedVolume::Triangle> surface_of(std::span<const std::array<std::uint32_t, 4>> tetrahedra) {
  using Face = EnclosedVolume::Triangle;
  std::map<Face, std::pair<Face, int>> faces;  // by its nodes, ascending
  for (const auto& [a, b, c, d] : tetrahedra)
    for (Face face : {Face{a, c, b}, {a, b, d}, {a, d, c}, {b, c, d}}) {
      std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
      Face key = face;
      std::sort(key.begin(), key.end());
      auto& [seen, count] = faces[key];
      seen = face;
      ++count;
    }
  std::vector<Face> out;
  for (const auto& [key, face] : faces)
    if (face.second == 1) out.push_back(face.first);
  return out;
}

}  // namespace hazumi
