// A cloth from a mesh, open or closed (docs/numerics/cloth.md, Cloth from a mesh). Same mesh and options: same truss, bit for bit.
#pragma once

#include <atomic>

#include "core/base/result.h"
#include "core/geometry/mesh/mesh.h"
#include "core/geometry/truss/strung.h"

namespace hazumi {

/// Nodes of a cloth; up to kQuickCloth a frame takes less than a second where it lies on something.
inline constexpr int kFewestOfCloth = 3, kMostOfCloth = 5000, kQuickCloth = 650;

struct ClothOptions {
  int nodes = 400;  ///< at most, kFewestOfCloth … kMostOfCloth; a mesh of more vertices is simplified
  const std::atomic<bool>* cancelled = nullptr;  ///< polled; set from any thread
};

/// Nodes at the welded vertices, masses by area, springs along the edges, `sheet`. One sentence with a remedy for edges with three faces,
/// faces that do not run the same way round, faces without area, or a number of nodes that it cannot be simplified to; a diagnostic of
/// severity info when cancelled.
Result<StrungTruss> cloth_of_mesh(const DisplayMesh& mesh, const ClothOptions& options = {});

}  // namespace hazumi
