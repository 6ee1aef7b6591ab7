// The part of a surface that is below a plane, exactly: Σ of the tetrahedra of a place on the plane with the pieces of triangles below it
// (the lid on the plane has none). Triangles face outwards; of a surface that is not closed the result means nothing.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/math/types.h"

namespace hazumi {

struct Immersed {
  double volume = 0;           ///< m³
  Vec3 moment = Vec3::Zero();  ///< m⁴, volume times centre, in the axes of the vertices
};

/// `place` and `up` (unit) in the axes of the vertices; m.
Immersed immersed(std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> faces,
                  const Vec3& place, const Vec3& up);

/// Part of a ball's volume below a plane, its centre `depth` m below it: 0…1.
double immersed_part_of_ball(double radius, double depth);

}  // namespace hazumi
