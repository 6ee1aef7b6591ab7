// Skins (sim/skinned.h) as they come to be: bound to objects by hand, or with a clip (import/clip.h).
#pragma once

#include <set>
#include <vector>

#include "core/geometry/mesh/mesh.h"
#include "core/import/clip.h"
#include "core/import/mesh_settings.h"
#include "core/scene/values/scene.h"

namespace hazumi {

/// What a skin goes with: an object with its shape, in its own object frame.
struct SkinCarrier {
  const Object* object = nullptr;
  std::shared_ptr<const DisplayMesh> mesh;
};

/// The object as a skin of others, as all of them stand: a bone for each, along its longest side, with automatic weights. What
/// bones it had goes. It is fixed and does not collide from then on.
Object bound_to(Object skin, const std::vector<SkinCarrier>& carriers);
/// A bone of a skin that stands there goes with the object, as that stands; null: with nobody.
void bind_bone(Bone& bone, const Transform& skin, const Object* carrier);
/// Bones stay and go with nobody. It stays fixed, and collides again when it did before it was bound.
Object released(Object skin);
/// Objects of the scene that the bones of a skin go with, ascending.
std::set<Id> carriers_of(const Scene& scene, const Object& skin);

/// A skin is where its objects take it: they instead of it, and beside it where something of it stays where it is itself. What hangs
/// on them and has keys of its own goes with them: as a file brings it, in their collection and their group, which ignores itself.
std::set<Id> with_carriers(const Scene& scene, std::set<Id> ids);

/// How a skin of a file goes with the pieces of it.
struct ClipSkinning {
  MappingSettings mapping;         ///< carriers are not known yet
  std::vector<std::size_t> piece;  ///< beside its bones: numbers in ClipFile::pieces
};
/// `mesh`: skin_mesh() after prepare_mesh() with the settings. Weights are painted, each vertex as the one of the file at its place
/// or nearest to it. Nothing: more weights than an object can have.
std::optional<ClipSkinning> clip_skinning(const ClipFile& file, const ClipSkin& skin, const MeshSettings& settings,
                                          const DisplayMesh& mesh);

}  // namespace hazumi
