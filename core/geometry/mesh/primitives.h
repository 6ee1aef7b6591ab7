// Catalogue of display primitives, centred on the origin, y up. Sizes in metres. All but the plane, a flat sheet facing
// +y, are closed and oriented outwards; normals are split along sharp edges.
//
// Superquadrics (Barr 1981, thesis 5.3) with y as their axis: with (x, y, z) in units of half the size,
//   ellipsoid             (|x|^(2/ε₂) + |z|^(2/ε₂))^(ε₂/ε₁) + |y|^(2/ε₁) = 1
//   torus                 |q − R|^(2/ε₁) + |y r|^(2/ε₁) = r^(2/ε₁),  q = (|x|^(2/ε₂) + |z|^(2/ε₂))^(ε₂/2),  r = 1 − R: tube
//   one-sheet hyperboloid (q/w)^(2/ε₁) − |y|^(2/ε₁) (w^(−2/ε₁) − 1) = 1      w: waist; capped at y = ±1
//   two-sheet hyperboloid |y/g|^(2/ε₁) − q^(2/ε₁) (g^(−2/ε₁) − 1) = 1         g: half of the gap; capped at y = ±1
// ε₁ shapes the sections that contain the axis, ε₂ the section across it: 0.1 boxy … 1 round … 2 octahedral … 3 pinched.
#pragma once

#include "core/geometry/mesh/mesh.h"

namespace hazumi {

enum class PrimitiveShape {
  box,
  sphere,
  cylinder,
  cone,
  torus,
  plane,
  superellipsoid,
  supertorus,
  hyperboloid_one,
  hyperboloid_two,
  capsule,
  tube,
  wedge,
  rounded_box
};

struct Primitive {
  PrimitiveShape shape = PrimitiveShape::box;
  /// Full extents of the bounding box: width (x), height (y), depth (z). Torus: outer width, tube height, outer
  /// depth. Plane: width, unused, depth. Capsule: its ends are as high as it is wide, or half its height when it is lower
  /// than wide.
  Vec3 size = Vec3(1, 1, 1);
  /// Divisions: box, rounded box along x, y, z (and three more over each rounding); sphere, capsule, superquadrics (around,
  /// pole to pole or bottom to top, rings on the caps); cylinder, cone and tube (around, along, rings on the caps); torus
  /// (around, around the tube, –); plane (x, –, z); wedge (x, along the other edges, –). Each at least 1 (3 around);
  /// superquadrics are divided into a multiple of four around and of two (torus: four) the other way.
  std::array<int, 3> divisions = {8, 8, 8};
  double round_along = 1;   ///< ε₁ of superquadrics, 0.1…3
  double round_across = 1;  ///< ε₂ of superquadrics, 0.1…3
  /// What is inside as part of what is outside, 0.01…0.99: waist of the one-sheet hyperboloid, gap of the two-sheet one, bore of
  /// the tube; rounded box: radius of the rounding as part of half its least extent.
  double ratio = 0.5;
  friend bool operator==(const Primitive&, const Primitive&) = default;
};

/// Whether a shape reads the exponents, the ratio.
bool is_superquadric(PrimitiveShape shape);
bool has_ratio(PrimitiveShape shape);

DisplayMesh make_primitive(const Primitive& primitive);

}  // namespace hazumi
