// Vertices that go with bones: what a skeleton moved by nodes (skeleton.h) and a skin moved by objects (sim/skinned.h) share.
//
//   x' = B x      B the blend of the motions of at most four bones, x' = t + R x each, with weights w that sum to 1
//
// Dual quaternions: B is a rigid motion again, and what twists keeps its thickness. Linear: B = Σ w (R, t), as other programs
// blend, thinner where it twists.
#pragma once

#include <span>
#include <vector>

#include "core/base/parallel.h"
#include "core/geometry/mapping/bones.h"
#include "core/math/types.h"

namespace hazumi {

/// motions: one per bone. weights, reference and normals (unit, at reference) one per vertex. `origin`: some place near where
/// they come to, so that float keeps its digits far from the world's.
void skin_vertices(const std::vector<Pose>& motions, const std::vector<VertexBones>& weights,
                   const std::vector<Vec3>& reference, const std::vector<Vec3f>& reference_normals, const Vec3& origin,
                   bool linear, std::span<Vec3f> positions, std::span<Vec3f> normals, Executor& executor);

}  // namespace hazumi
