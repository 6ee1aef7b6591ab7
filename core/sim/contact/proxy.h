// Which shape a body collides with. `automatic`: fixed plane primitive → infinite plane through its surface, normal its
// +y; box primitive → box; sphere primitive (of one radius) → sphere; flexible → its display vertices where it has a
// skin, else its nodes; every other mesh → its vertices. An object whose mesh file is missing collides with nothing.
//
// Only vertices that can be first to touch are kept: those that are extreme in one of kDirections directions spread
// evenly over the sphere (Fibonacci lattice). A convex shape of fewer vertices keeps all of them.
#pragma once

#include "core/sim/model.h"

namespace hazumi {

inline constexpr int kDirections = 192;

/// `body` with kind, mesh, mesh_origin, truss and mapping filled in.
ContactProxy make_contact_proxy(const Object& object, const Body& body);

/// Numbers of the points that are extreme in one of the directions, ascending.
std::vector<std::uint32_t> extreme_points(std::span<const Vec3> points, int directions);

}  // namespace hazumi
