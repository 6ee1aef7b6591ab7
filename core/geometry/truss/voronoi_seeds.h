// Where the seeds of Voronoi cells lie in a closed surface, and the cell of each, not yet cut at the surface (voro++: Rycroft, VORO++: A
// three-dimensional Voronoi cell library in C++, Chaos 19, 2009). Lloyd's steps are made over places inside (MacQueen's discrete
// form): what is nearest to a seed is counted, not measured, and the surface may have any shape.
#pragma once

#include <atomic>
#include <vector>

#include "core/geometry/mesh/welded_surface.h"

namespace hazumi {

struct ConvexCell {
  std::vector<Vec3> corners;                      ///< m
  std::vector<std::vector<std::uint32_t>> faces;  ///< counter-clockwise from outside
  std::vector<std::int64_t> beyond;               ///< of each face: the seed on its other side; < 0: none
};

/// `count` places inside, fewer where it has not so many. `volume`: of the surface, m³, above 0.
std::vector<Vec3> scattered_seeds(const WeldedSurface& surface, double volume, int count, int relaxation, int seed,
                                  const std::atomic<bool>& cancelled);
/// What is nearest to seed `i`, in `box`.
ConvexCell voronoi_cell(const std::vector<Vec3>& seeds, std::size_t i, const Box3& box);

}  // namespace hazumi
