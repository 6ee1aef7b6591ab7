// A group of superquadric metaballs (spec 4.1, thesis 5.1–5.4): values only. Primitives of one group blend,
// groups do not; the surface is Σ ρ = 1.
//
//   ρ(r) = w (1 − 3r²)      0 ≤ r < 1/3            r(x) of the ellipsoid:
//        = 3/2 w (1 − r)²   1/3 ≤ r < 1            ((|x/a_x|^(2/ε₂) + |y/a_y|^(2/ε₂))^(ε₂/ε₁) +
//        |z/a_z|^(2/ε₁))^(ε₁/2) = 0                1 ≤ r                  with (x,y,z) = Rᵀ(p − c)
//
// Torus (Barr's supertorus with the field's radius along the tube): with q = (|x/a_x|^(2/ε₂) +
// |y/a_y|^(2/ε₂))^(ε₂/2),
//   r = ((|q − (1 − t)| / t)^(2/ε₁) + |z/a_z|^(2/ε₁))^(ε₁/2),  t = tube: the ring's middle is at q = 1 − t, r
//   = 1 at q = 1.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/kept.h"
#include "core/geometry/mesh/surface.h"
#include "core/math/types.h"

namespace hazumi {

enum class MetaballShape { ellipsoid, torus };

struct MetaballPrimitive {
  std::uint32_t id = 0;  ///< above 0, unique within the group, never reused by an edit of the same primitive
  std::string name = "Ball";
  bool visible = true;  ///< false: takes no part in the field
  MetaballShape shape = MetaballShape::ellipsoid;
  Vec3 centre = Vec3::Zero();  ///< m, object frame (before the object's scale)
  Quat rotation = Quat::Identity();
  Vec3 radii = Vec3(0.5, 0.5, 0.5);  ///< a: effective radii, m; each > 0
  double round_xz = 1;     ///< ε₁, shape of the section that contains the z axis: 0.1 boxy … 1 round … 2
                           ///< octahedral … 3 pinched
  double round_xy = 1;     ///< ε₂, shape of the section across the z axis
  double tube = 0.35;      ///< t, torus only, 0 < t < 1: tube radius as part of the outer radius
  double weight = 1.5;     ///< w; negative carves; |w| ≤ 100
  std::uint32_t bone = 0;  ///< of a moving group, Bone::id that it goes with; 0: the nearest one
  std::string preset = "white plastic";  ///< name in materials.h that `surface` was taken from
  Surface surface;                       ///< blends with the neighbours' over the surface, in proportion of ρ
  Kept kept = {};
};

struct MetaballGroup {
  std::vector<MetaballPrimitive> primitives;  ///< in list order; at most 4,096
  double final_tolerance = 0.004;   ///< largest chord error, m per metre of the group's largest effective diameter
  double preview_tolerance = 0.04;  ///< the same while something is dragged; not coarser than 0.1, not finer than 1e-4
  /// Of a skin (sim/skinned.h): each primitive goes as a whole with its bone, and each frame has the surface that they make then. Otherwise
  /// the surface bends.
  bool moving = false;
  bool own_colours = false;  ///< true: the primitives' surfaces are shown; false: the object's material
};

bool operator==(const MetaballPrimitive& a, const MetaballPrimitive& b);
bool operator==(const MetaballGroup& a, const MetaballGroup& b);
/// Hash of what the surface depends on (names, colours and the preview tolerance do not change it).
std::uint64_t shape_hash(const MetaballGroup& group);
/// Metaballs that went with this bone go with the nearest one.
void leave_bone(MetaballGroup& group, std::uint32_t bone);
/// One above the largest id.
std::uint32_t next_primitive_id(const MetaballGroup& group);

}  // namespace hazumi
