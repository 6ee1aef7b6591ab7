// Catalogue of display primitives, centred on the origin, y up. Sizes in metres. Box, sphere, cylinder, cone and
// torus are closed and oriented outwards; the plane is a flat sheet facing +y.
#pragma once

#include "core/geometry/mesh.h"

namespace hazumi {

enum class PrimitiveShape { box, sphere, cylinder, cone, torus, plane };

struct Primitive {
  PrimitiveShape shape = PrimitiveShape::box;
  /// Full extents of the bounding box: width (x), height (y), depth (z). Torus: outer width, tube height, outer
  /// depth. Plane: width, unused, depth.
  Vec3 size = Vec3(1, 1, 1);
  /// Divisions: box along x, y, z; sphere (around, pole to pole, –); cylinder and cone (around, along, rings on
  /// the caps); torus (around, around the tube, –); plane (x, –, z). Each at least 1 (3 around).
  std::array<int, 3> divisions = {8, 8, 8};
  friend bool operator==(const Primitive&, const Primitive&) = default;
};

DisplayMesh make_primitive(const Primitive& primitive);

}  // namespace hazumi
