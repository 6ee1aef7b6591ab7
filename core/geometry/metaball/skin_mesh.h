// The mesh of a stretch (skin_tracker.h): its vertices joined where they are at one place, their rings, and where each is within its
// ring. Values; made once a stretch.
#pragma once

#include <cstdint>
#include <vector>

#include "core/geometry/mesh/mesh.h"

namespace hazumi::metaball {

struct SkinMesh {
  std::vector<Vec3> start;                          ///< m, one per joined vertex
  std::vector<std::uint32_t> of;                    ///< joined vertex of each vertex of the display mesh
  std::vector<std::array<std::uint32_t, 3>> faces;  ///< by joined vertices
  std::vector<bool> sharp;                          ///< joined vertices that were split: on an edge of the surface

  std::vector<bool> bad;  ///< of each face: it lay badly as the stretch began, which nothing is done about
  // Ring of joined vertex i: entries ring_first[i] … ring_first[i + 1] of `ring` and `weights`, which sum to 1.
  std::vector<std::uint32_t> ring_first, ring;
  std::vector<double> weights;  ///< mean value coordinates; all 0 where the ring has none that are positive
  std::vector<double> bends;    ///< m, bend() of the edge to each of the ring as the stretch began
};

/// About how far the middle of an edge is from the surface, m.
inline double bend(const Vec3& a, const Vec3& b, const Vec3& normal_a, const Vec3& normal_b) {
  return (b - a).norm() * (normal_b - normal_a).norm() / 8;
}

/// Vertices at equal places joined; no rings yet. Faces that so lose a corner go.
SkinMesh joined_mesh(const DisplayMesh& mesh, const Pose& place);
/// `normals`: outward, one per joined vertex.
void lay_rings(SkinMesh& mesh, const std::vector<Vec3>& normals);

}  // namespace hazumi::metaball
