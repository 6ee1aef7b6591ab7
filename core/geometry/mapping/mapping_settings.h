// How the analysis model drives the display model (spec 1.6): values only.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/kept.h"
#include "core/math/types.h"

namespace hazumi {

enum class MappingKind {
  automatic,  ///< embedding when the analysis model has tetrahedra, else linear
  linear,     ///< thesis 2.1–2.3
  embedding,  ///< barycentric in a tetrahedron of the analysis model (nearest one outside)
  lattice,    ///< free-form deformation: Bernstein lattice moved by the nodes
  skeleton,   ///< skinned to bones that the nodes move
};

struct Bone {
  std::uint32_t id = 0;  ///< above 0, unique within the skeleton
  std::string name = "Bone";
  std::uint32_t parent = 0;                          ///< id; 0: none. No loops
  Vec3 head = Vec3::Zero(), tail = Vec3(0, 0.5, 0);  ///< m, object frame (before the object's scale)
  double radius = 0.25;                              ///< m, reach of the automatic weights around the bone
  /// Id of the object that it goes with; 0: with the nodes near it. Of a fixed object, which is then a skin (sim/skinned.h).
  std::uint64_t carrier = 0;
  /// Where that object was when the two were bound: its object frame, in that of the skin (place before the skin's scale).
  Vec3 bound_position = Vec3::Zero();
  Quat bound_rotation = Quat::Identity();
  Kept kept = {};
  friend bool operator==(const Bone&, const Bone&) = default;
};

/// A weight set by the brush; replaces the automatic one of that bone at that vertex.
struct PaintedWeight {
  std::uint32_t bone = 0, vertex = 0;
  float weight = 0;  ///< 0…1
  friend bool operator==(const PaintedWeight&, const PaintedWeight&) = default;
};

struct MappingSettings {
  MappingKind kind = MappingKind::automatic;
  std::array<int, 3> lattice = {3, 3, 3};  ///< degree along x, y, z: 1…8
  std::vector<Bone> bones;
  std::vector<PaintedWeight> painted;  ///< ascending (vertex, bone)
  bool linear_blend =
      false;  ///< of a skin: matrices are blended, not motions: as most programs do, thinner where it twists
  bool collides_released =
      false;  ///< of a skin: it collided before it was bound, and does so again when it is released
  friend bool operator==(const MappingSettings&, const MappingSettings&) = default;
};

}  // namespace hazumi
