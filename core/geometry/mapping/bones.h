// Bones of a skeleton (spec 1.6): how near they are, the weights they have at the display vertices, painting
// them, and skeletons to start from. Pure functions over values.
//
// Automatic weight of a bone at a vertex x, from its nearest point q of the segment head–tail:
//
//   a = ((δ₀ + κ)/(δ + κ))⁴ · visible      δ = |x − q| / radius, δ₀ the least δ of all bones, κ = ½
//   visible = 0…1, smooth in the cosine between the outward normal and x − q: a bone that lies outside of the
//   surface there (the other leg) does not count
//
// The width of a joint so grows with the distance from bone to surface, as heat in the flesh would spread
// (Baran and Popović 2007), without a solve. Then three rounds of smoothing over the edges of the mesh, at
// most four bones, sum 1. Vertices at one place (split along sharp edges) have one weight.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/geometry/mapping/mapping_settings.h"
#include "core/geometry/mesh/mesh.h"

namespace hazumi {

/// Weights of one vertex; bones by their place in the list. Entries beyond the last have weight 0.
struct VertexBones {
  std::array<std::uint16_t, 4> bones = {0, 0, 0, 0};
  std::array<float, 4> weights = {1, 0, 0, 0};  ///< sum 1, descending, none negative
};

/// Nearest point of a bone to p; head for a bone without length.
Vec3 nearest_on_bone(const Bone& bone, const Vec3& p);

/// One entry per vertex of `mesh`; `bones` not empty, at most 65,535.
std::vector<VertexBones> automatic_weights(const std::vector<Bone>& bones, const DisplayMesh& mesh);

/// Painted weights are taken as they are and the automatic ones of the other bones share what is left of 1.
/// Painted ones that sum to more than 1 are brought down to 1. Of unknown bones and vertices nothing is
/// taken.
std::vector<VertexBones> skeleton_weights(const std::vector<Bone>& bones, const std::vector<PaintedWeight>& painted,
                                          const DisplayMesh& mesh);

struct WeightBrush {
  Vec3 centre = Vec3::Zero();  ///< m, object frame of the mesh
  double radius = 0.1;         ///< m; nothing happens beyond
  double strength = 0.5;       ///< 0…1, in the middle; falls off smoothly to 0 at the radius
  double target = 1;           ///< 0…1, the weight that is painted towards
};

/// The painted weights after one dab of the brush: of each vertex within the radius the weight of `bone`
/// (Bone::id) goes from what it is now towards the target. Vertices at one place are painted alike. Ascending
/// (vertex, bone).
std::vector<PaintedWeight> paint_weights(const MappingSettings& settings, const DisplayMesh& mesh, std::uint32_t bone,
                                         const WeightBrush& brush);

/// A chain of `count` bones along the longest side of the points' bounding box, each the child of the one
/// before; joints in the middle of the points around them, radius their mean distance. Fewer than two points,
/// or no extent: one short bone.
std::vector<Bone> bones_along_longest_axis(std::span<const Vec3> points, int count);

/// 1 + largest id.
std::uint32_t next_bone_id(const std::vector<Bone>& bones);
/// Without the bone: its children get its parent, its painted weights go.
void remove_bone(MappingSettings& settings, std::uint32_t bone);
/// Place of the parent in the list for each bone, −1 for none; an unknown parent, or one that would close a
/// loop, counts as none.
std::vector<int> bone_parents(const std::vector<Bone>& bones);

}  // namespace hazumi
