// A display mesh as one surface for tools that need connectivity: vertices at the same place are one (display
// meshes split them along sharp edges), faces that collapse so are dropped, and where several sheets meet in
// one vertex only, each gets its own.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/geometry/mesh/mesh.h"

namespace hazumi {

struct WeldedSurface {
  std::vector<Vec3> positions;
  std::vector<std::array<std::uint32_t, 3>> faces;
  std::vector<std::uint32_t> part;  ///< of every face, into DisplayMesh::parts
  bool closed = false;              ///< every edge has exactly two faces, in opposite directions
};

WeldedSurface weld_surface(const DisplayMesh& mesh);

}  // namespace hazumi
