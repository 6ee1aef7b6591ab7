// Outward hull of a node set (CGAL, exact predicates): what drives the linear mapping and contact when a
// truss brings no hull of its own.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/math/types.h"

namespace hazumi {

/// Convex hull, outward triangles over the given points, each beginning with its lowest number, ascending.
/// Points in a plane: the polygon around them with both sides (closed, no volume). Points on a line, or fewer
/// than three: none.
std::vector<std::array<std::uint32_t, 3>> convex_hull(std::span<const Vec3> points);

}  // namespace hazumi
