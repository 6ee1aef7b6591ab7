// Mass, centre and inertia. Closed meshes: exact polyhedral integrals (Mirtich 1996, by signed tetrahedra from the
// origin); nodes: sums.
#pragma once

#include <span>

#include "core/geometry/mesh/mesh.h"

namespace hazumi {

struct MassProperties {
  double volume = 0;            ///< m³ (nodes: 0)
  double mass = 0;              ///< kg
  Vec3 centre = Vec3::Zero();   ///< m
  Mat3 inertia = Mat3::Zero();  ///< kg m², about the centre, in the axes of the input
};

/// density in kg/m³. Open or inside-out meshes give a volume that is not positive: the caller decides what to do.
MassProperties mass_properties(const DisplayMesh& mesh, double density);
MassProperties mass_properties(std::span<const Vec3> positions, std::span<const double> masses);
double mesh_volume(std::span<const Vec3> positions, std::span<const std::array<std::uint32_t, 3>> faces);

}  // namespace hazumi
