// What an object may collide as in place of all triangles that are seen of it: fewer of them, or their convex hull.
#pragma once

#include <cstdint>
#include <vector>

#include "core/geometry/mesh/mesh.h"

namespace hazumi {

/// Some vertices of a mesh, where they are there, and triangles between them.
struct CoarseSurface {
  DisplayMesh mesh;                   ///< positions and faces alone
  std::vector<std::uint32_t> source;  ///< of each vertex: its number in the mesh that it is from
};

/// About `most` of its triangles, those that leave the surface the nearest to what it was (quadric error: Garland, Heckbert 1997, as
/// meshoptimizer has it). What was closed stays so and borders stay: very few are not always reached.
CoarseSurface simplified_surface(const DisplayMesh& mesh, std::size_t most);
/// Of what lies in a plane both sides; of what lies on a line, or is no number anywhere, nothing.
CoarseSurface hull_surface(const DisplayMesh& mesh);

}  // namespace hazumi
