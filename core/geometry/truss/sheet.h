// Cloth of any triangles (docs/numerics/cloth.md, Cloth from a mesh): what a sheet of them weighs, and what it has against stretch and
// bending. Triangles run the same way round: an edge has one, or two in opposite directions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry/truss/truss.h"

namespace hazumi {

using SheetFaces = std::span<const std::array<std::uint32_t, 3>>;

/// m², of each node: a third of the triangles about it.
std::vector<double> sheet_areas(std::span<const Vec3> nodes, SheetFaces faces);

/// One spring along each edge, ascending (a, b): of a cloth that 1 N stretches a metre of its width by its own length (Van Gelder 1998).
/// Stiffness and damping are the same number.
std::vector<Spring> sheet_springs(std::span<const Vec3> nodes, SheetFaces faces);

/// ½ D ∫ |H|² dA, H the second derivatives of the places over the surface, by least squares over the nodes about each: exact for what is
/// quadratic. Against what is flat, whatever the sheet's own shape. `bending`: D, N m. Ascending (a, b).
std::vector<Bend> sheet_bends(std::span<const Vec3> nodes, SheetFaces faces, double bending);

}  // namespace hazumi
