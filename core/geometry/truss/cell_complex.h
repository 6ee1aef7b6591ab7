// A truss of cells that were cut exactly at a surface. Cut cells have a corner wherever an edge of the surface leaves a cell, far more
// than a body needs. Nodes are those that say where cells meet, and where the surface has edges:
//
//   where four cells meet inside, three at the surface, two at a sharp edge, and sharp corners; nodes closer than kMerged of a cell's
//   size are one; lines between them that are longer than kLongest of it, and wider pieces of surface, get some more.
//
// Every other corner goes to the node that is nearest to it along what it lies on (a line stays in its line), and every triangle with
// its corners. What is closed stays closed under that, whatever the shape: each cell, and the surface of all.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/geometry/truss/strung.h"

namespace hazumi {

/// One piece of a cell, closed, outward.
struct CutCell {
  struct Point {
    Vec3 place;                        ///< m
    std::vector<std::uint32_t> cells;  ///< whose borders it lies on, its own among them, ascending
    bool surface = false, sharp = false, corner = false;
  };
  std::vector<Point> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<char> outside;  ///< of each triangle: it is of the surface
  double volume = 0;          ///< m³
};

struct CellTruss {
  StrungTruss truss;
  std::vector<double> volumes;  ///< m³, of its cells
};

/// `size`: of a cell, m. Fails where cells are too large for the shape.
Result<CellTruss> truss_of_cells(const std::vector<CutCell>& cells, double size);

}  // namespace hazumi
