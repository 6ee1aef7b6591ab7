// Voronoi cells of a closed surface, for the solver of polyhedral elements (spec 5.3; docs/numerics/polyhedral.md): which of so many
// seeds a place is nearest to, cut at the surface. Same mesh and options: same truss, bit for bit.
#pragma once

#include <atomic>

#include "core/base/result.h"
#include "core/geometry/mesh/mesh.h"
#include "core/geometry/truss/strung.h"

namespace hazumi {

inline constexpr int kFewestCells = 4, kMostCells = 2000;

struct VoronoiFillOptions {
  int cells = 100;                               ///< seeds, kFewestCells … kMostCells
  int relaxation = 20;                           ///< Lloyd's steps, 0…200: how evenly the seeds lie
  int seed = 1;                                  ///< of the random numbers
  double feature_angle = 0.6;                    ///< rad, edges sharper than this are kept
  const std::atomic<bool>* cancelled = nullptr;  ///< polled for each cell; set from any thread
};

struct VoronoiFill {
  /// Nodes: corners of the cells. Springs: edges of the cells and diagonals of their faces, which make each cell rigid. Hull: closed,
  /// outward. Tetrahedra: each cell cut from one of its corners. Masses: by the volume of the cells, in equal parts to their nodes.
  StrungTruss truss;
  /// m³, of each cell, cut exactly at the surface: they sum to the volume of the surface.
  std::vector<double> volumes;
};

/// One sentence with a remedy for an open or self-intersecting mesh, or fewer cells than it has to have; a diagnostic of severity info
/// when cancelled.
Result<VoronoiFill> fill_with_cells(const DisplayMesh& mesh, const VoronoiFillOptions& options = {});

}  // namespace hazumi
