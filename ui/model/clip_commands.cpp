#include "ui/model/clip_commands.h"

#include <algorithm>
#include <set>

#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

/// A word for the list of groups: commas part them.
std::string group_name(std::string name) {
  std::replace(name.begin(), name.end(), ',', ' ');
  return name;
}

Object object_of(const DocumentController& document, const MeshReference& mesh, std::string name) {
  Object object;
  object.name = std::move(name);
  object.display.kind = DisplayKind::mesh;
  object.display.mesh = mesh;
  object.display.mesh.file = document.mesh_name(mesh.source);
  object.material = material_from("white plastic");
  take_looks_of_file(object);
  follow_material(object);
  return object;
}

}  // namespace

bool add_clip(DocumentController& document, Selection& selection, const ClipImport& clip,
              const std::optional<ClipTime>& time) {
  if (clip.meshes.empty()) return false;
  Scene scene = document.scene();
  std::uint64_t next = next_id(scene).value;
  const std::filesystem::path file(clip.meshes.front().source);
  const std::string stem = file.stem().string();
  std::uint64_t home = 0;
  if (clip.meshes.size() > 1) {
    Collection collection;
    collection.id = Id{home = next++};
    collection.name = unique_name(scene, stem);
    scene.collections.push_back(Shared<Collection>(std::move(collection)));
  }
  std::set<Id> made;
  std::vector<std::uint64_t> pieces;
  for (std::size_t i = 0; i < clip.meshes.size(); ++i) {
    const PieceMotion& motion = clip.motion[i];
    Object object = object_of(document, clip.meshes[i], unique_name(scene, clip.meshes[i].settings.piece));
    object.id = Id{next++};
    object.collection = home;
    object.transform.position = motion.start.position;
    object.transform.rotation = motion.start.rotation;
    object.body.kind = motion.moves() ? kMovingBody : kStandingBody;
    // Neighbours on a figure overlap at their joint, wherever the keys lead them.
    if (clip.bones[i]) object.contact.groups = object.contact.ignores = group_name(stem);
    object.visible = !clip.unseen[i];
    made.insert(object.id);
    pieces.push_back(object.id.value);
    const auto lead = [&](const char* field, const char* name, const std::vector<Key>& keys) {
      if (keys.empty()) return;
      Track track;
      track.id = Id{next++};
      track.name = name;
      track.target = object.id.value;
      track.field = field;
      track.keys = keys;
      scene.tracks.push_back(Shared<Track>(std::move(track)));
    };
    lead("transform.position", "Position", motion.place);
    lead("transform.rotation", "Rotation", motion.rotation);
    scene.objects.push_back(Shared<Object>(std::move(object)));
  }
  for (const ClipImport::Skin& skin : clip.skins) {
    Object object = object_of(document, skin.mesh, unique_name(scene, skin.mesh.settings.piece));
    object.id = Id{next++};
    object.collection = home;
    object.body.kind = kStandingBody;
    object.contact.enabled = false;
    object.mapping = skin.goes.mapping;
    for (std::size_t b = 0; b < object.mapping.bones.size(); ++b)
      object.mapping.bones[b].carrier = pieces[skin.goes.piece[b]];
    made.insert(object.id);
    scene.objects.push_back(Shared<Object>(std::move(object)));
  }
  if (time) {
    scene.settings.frame_rate = time->rate;
    scene.settings.first_frame = time->first;
    scene.settings.last_frame = time->last;
  }
  if (!document.edit(tr("Import %1").arg(QString::fromStdString(stem)), std::move(scene)).ok()) return false;
  selection.set(made);
  return true;
}

}  // namespace hazumi
