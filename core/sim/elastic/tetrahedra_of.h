// The tetrahedra of any analysis model that bounds a solid, for solvers that are made of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/sim/elastic/solver.h"

namespace hazumi {

struct Tetrahedron {
  std::array<std::uint32_t, 4> nodes;  ///< positive volume in the set-up's nodes with their offsets
  std::size_t of = 0;                  ///< of a grid: the number of its box
  double share = 1;                    ///< of its volume that counts: tetrahedra may fill the same place more than once
};

/// Those of the set-up, where it has some. Of a grid each box's ten: both ways to cut it into five, each counted half, so that no
/// diagonal is preferred. Of a surface with one node from which all of it is seen: the pyramids from there; of one whose nodes all see all
/// of it (a bare octahedron or icosahedron): the pyramids from each of them in equal shares. Else none. Flat and inverted ones are left out
/// where they are made here; of a told set-up all are taken, and one that its offsets turn inside out leaves none.
std::vector<Tetrahedron> tetrahedra_of(const ElasticSetup& setup);
Diagnostic no_tetrahedra();  ///< what is said where there are none

}  // namespace hazumi
