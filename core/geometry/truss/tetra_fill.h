// Tetrahedral fill of a closed surface (spec 1.7) by Delaunay refinement (CGAL Mesh_3: Jamin, Alliez, Yvinec,
// Boissonnat, CGALmesh, ACM TOMS 41, 2015), sharp edges kept. Same mesh and options: same truss, bit for bit.
#pragma once

#include <atomic>

#include "core/base/result.h"
#include "core/geometry/mesh/mesh.h"
#include "core/geometry/truss/strung.h"

namespace hazumi {

struct TetraFillOptions {
  int tetrahedra = 3000;                         ///< aimed at (met within about a third), 20…100,000
  double feature_angle = 1.0;                    ///< rad, edges sharper than this are kept; π or more: none
  const std::atomic<bool>* cancelled = nullptr;  ///< polled; set from any thread: the fill ends within about 0.3 s
};

struct TetraFill {
  StrungTruss truss;     ///< springs: the edges of the tetrahedra; hull: the boundary, outward; masses: by volume
  double cell_size = 0;  ///< m
  double volume = 0;     ///< m³, of the tetrahedra
};

/// One sentence with a remedy for an open, inside-out or self-intersecting mesh; a diagnostic of severity
/// info when cancelled.
Result<TetraFill> fill_with_tetrahedra(const DisplayMesh& mesh, const TetraFillOptions& options = {});

}  // namespace hazumi
