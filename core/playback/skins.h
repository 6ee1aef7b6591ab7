// Skins of a frame (sim/skinned.h), from where the frame has the objects that carry them.
#pragma once

#include <memory>
#include <vector>

#include "core/playback/frame.h"
#include "core/scene/derived/mesh_store.h"
#include "core/sim/model.h"

namespace hazumi {

/// All else of the frame is where it will be.
void place_skins(const Model& model, Frame& frame, Executor& executor);

/// Metaballs of a visible or hidden object that go with its bones, as they are placed in a frame (else the scene as it is shown): world, m.
MetaballGroup metaballs_in(const Scene& shown, const Object& object, const Frame& frame);

/// What a skin of a model bends by, for whoever shows one before a run has come to its first frame.
struct SkinShape {
  Id id;
  std::shared_ptr<const DisplayMesh> mesh;
  std::shared_ptr<const std::vector<VertexBones>> weights;
  std::vector<Vec3f> normals;  ///< at reference
};
std::vector<SkinShape> skin_shapes(const Model& model);

/// Skins as they are bent where the frame has what carries them, or, what it does not know, the scene as it is shown (shown_at). Of
/// those that still look as they did; the others stay as they are.
void pose_skins(const Scene& shown, const std::vector<SkinShape>& shapes, MeshStore& meshes, Frame& frame,
                Executor& executor);

}  // namespace hazumi
