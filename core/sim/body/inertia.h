// Centre of mass and inertia of a body that does not bend, whichever comes first: closed display mesh (exact integrals,
// scaled to the mass), analysis nodes, bounding box of an open mesh, solid ball of 0.5 m (an object with neither).
#pragma once

#include "core/geometry/mesh/mass_properties.h"
#include "core/geometry/truss/truss.h"

namespace hazumi {

/// kg, m, kg m² about the centre; object frame.
struct BodyInertia {
  Vec3 centre = Vec3::Zero();
  Mat3 inertia = Mat3::Identity();
};
BodyInertia body_inertia(double mass, const DisplayMesh& mesh, const Truss& truss);
/// Of a thin skin of even thickness over the faces.
BodyInertia shell_inertia(double mass, const DisplayMesh& mesh);

}  // namespace hazumi
