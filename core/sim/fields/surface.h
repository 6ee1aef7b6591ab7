// The surface of a body as air and water push on it (stage.h has the equations).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry/mesh/mesh.h"
#include "core/math/types.h"

namespace hazumi {

struct SurfacePiece {
  Vec3 arm = Vec3::Zero(), normal = Vec3::UnitY();  ///< m, from the origin of the body frame; unit
  double area = 0;                                  ///< m²
};

struct BodySurface {
  std::vector<SurfacePiece> pieces;
  bool closed = false;  ///< air reaches the outer side alone
  double volume = 0;    ///< m³, within; of what is not closed that of its matter
  double radius = 0;    ///< m, of a ball of that volume
};

/// Each edge of the triangles is one of another, the other way round.
bool is_closed(std::span<const std::array<std::uint32_t, 3>> faces);
/// Of what does not bend. `origin`: of the body frame, in that of the mesh. `matter`: m³, of its mass and density.
BodySurface surface_of(const DisplayMesh& mesh, const Vec3& origin, double matter);

/// N per m² and per c: ½ ρ |s| s with s = V·n in m/s, along n.
inline double pressure(double density, double across, bool closed) {
  if (closed && across > 0) return 0;
  return 0.5 * density * (across < 0 ? -across : across) * across;
}

/// Mean over h of what a drag K does, m/s²: from `velocity`, in air at `air`, where all else is `other` (exponential midpoint).
Vec3 mean_drag(double rate, double h, const Vec3& velocity, const Vec3& air, const Vec3& other);

}  // namespace hazumi
