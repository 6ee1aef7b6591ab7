// Skins: a display model that bends with other objects, led or moved by physics, and takes no part in the run itself. It has
// no state: where it is in a frame follows from where they are (playback/skins.h).
//
//   M_b = T_b C_b⁻¹      motion of bone b: T_b the object frame of its carrier now, C_b the same when they were bound, as seen
//                        from the skin (Bone::bound_position, bound_rotation; the place scaled as the skin is)
//   M_b = X              of a bone without a carrier, and without one above it that has one: X the skin's own object frame at
//                        the start. Also a skin that carries another's bones counts as standing there
//   x' = B(w) x          blended by vertex (geometry/mapping/skinning.h)
//
// Moving metaballs (MetaballGroup::moving) are not blended by vertex: each primitive is moved by its bone's M_b as a whole, and the surface
// is made of them anew.
//
// A bone without a carrier goes with the nearest above it that has one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/geometry/mapping/bones.h"
#include "core/scene/values/scene.h"
#include "core/sim/body/body.h"

namespace hazumi {

struct Model;

struct SkinnedBody {
  struct BoneOfSkin {
    std::uint32_t carrier = 0;  ///< number in Model::bodies; the skin's own: nobody carries it
    Pose bound;                 ///< C
  };
  std::uint32_t body = 0;  ///< number in Model::bodies
  Pose start;              ///< X
  std::vector<BoneOfSkin> bones;
  std::uint32_t root = 0;  ///< bone whose motion is that of the object frame
  bool linear = false;
  std::uint64_t key = 0;  ///< what the weights follow from
  std::shared_ptr<const std::vector<VertexBones>> weights;
  std::vector<Vec3f> normals;  ///< at reference, one per vertex
  /// Of moving metaballs, as large as the object is; null: the mesh bends, by the weights.
  std::shared_ptr<const MetaballGroup> group;
  std::vector<std::uint32_t> bone_of;  ///< place in `bones`, of each primitive
};

/// Of an object with moving metaballs: its group, as large as the object is (which is stretched alike in all directions), and the place
/// among its bones that each primitive goes with.
MetaballGroup scaled_group(const Object& object);
std::vector<std::uint32_t> bones_of_primitives(const MetaballGroup& group, const std::vector<Bone>& bones);
/// Each primitive moved by its bone's motion.
MetaballGroup moved_group(const MetaballGroup& group, const std::vector<std::uint32_t>& bone_of,
                          const std::vector<Pose>& motions);

/// Of a model whose bodies are there, ascending by body. `before`: see compile_bodies().
std::vector<SkinnedBody> make_skinned(const Model& model, const Scene& scene, const Model* before);

}  // namespace hazumi
