#include "ui/model/clipboard.h"

#include <algorithm>

#include "core/scene/derived/collections.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/parts.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/model/operations.h"
#include "ui/model/selection.h"
#include "ui/model/sentence.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

bool has_things(const Scene& scene) {
  bool some = false;
  visit_scene_lists([&](const auto& list) { some = some || !(scene.*list.member).empty(); });
  return some;
}

/// Named as this scene names them; a mesh that is here already needs no reading.
void take_meshes(const DocumentController& document, Scene& part) {
  for (auto& object : part.objects) {
    if (object->display.kind != DisplayKind::mesh) continue;
    object = object.edited([&](Object& own) {
      MeshReference& mesh = own.display.mesh;
      mesh.file = document.mesh_name(mesh.file);
      if (mesh.mesh) return;
      for (const auto& here : document.scene().objects) {
        const MeshReference& known = here->display.mesh;
        if (!known.mesh || known.file != mesh.file || !same_reading(known.settings, mesh.settings)) continue;
        const MeshSettings settings = mesh.settings;
        mesh = known;
        mesh.settings = settings;
        return;
      }
    });
  }
}

/// What lies in the world goes along: keys of places there, and the curves along which is led.
void move_ways_of_leads(Scene& scene, const std::set<Id>& ids, const Vec3& way) {
  const auto moved = [&](const Vec3& place) { return Vec3(place + way); };
  std::set<Id> curves;
  for (const auto& joint : scene.joints) {
    if (ids.count(joint->id) == 0) continue;
    if (goes_along_curve(*joint) && ids.count(Id{joint->curve}) != 0) curves.insert(Id{joint->curve});
    const auto in_world = [&](const std::string& field) {
      return (field == kFirstPlace && joint->a.object == 0) || (field == kTargetPlace && second_object(*joint) == 0);
    };
    for (auto& track : scene.tracks)
      if (track->target == joint->id.value && in_world(track->field))
        track = track.edited([&](Track& own) { move_target_keys(scene, *joint, {}, moved, own); });
  }
  for (auto& curve : scene.curves)
    if (curves.count(curve->id) != 0) curve = curve.edited([&](Curve& own) { own.transform.position += way; });
}

struct Brought {
  Scene scene;
  std::set<Id> ids;  ///< of what came in, but for pairs: they come with their objects and are not selected
};

Brought brought_in(const Scene& scene, const Scene& part, const Vec3& way) {
  JoinedScene result = joined(scene, part);
  std::set<Id> ids, came_along;
  for (const auto& pair : part.pairs) came_along.insert(pair->id);
  for (const auto& [before, now] : result.ids)
    if (came_along.count(before) == 0) ids.insert(now);
  if (ids.empty())  // a collection with nothing in it
    for (std::size_t i = scene.collections.size(); i < result.scene.collections.size(); ++i)
      ids.insert(result.scene.collections[i]->id);
  for (auto& object : result.scene.objects)
    if (ids.count(object->id) != 0 && way != Vec3::Zero())
      object = object.edited([&](Object& own) { own.transform.position += way; });
  for (auto& joint : result.scene.joints)
    if (ids.count(joint->id) != 0 && way != Vec3::Zero())
      joint = joint.edited([&](Joint& own) {
        if (own.a.object == 0) own.a.place += way;
        if (second_object(own) == 0) own.b.place += way;
      });
  if (way != Vec3::Zero()) move_ways_of_leads(result.scene, ids, way);
  return {std::move(result.scene), std::move(ids)};
}

}  // namespace

QString copied_text(const Scene& scene, const Selection& selection) {
  const Scene part = part_of(scene, with_contents(scene, selection.ids()));
  return has_things(part) ? QString::fromStdString(scene_to_text(part)) : QString();
}

bool bring_in(DocumentController& document, Selection& selection, Scene part, const QString& step) {
  take_meshes(document, part);
  const Vec3 way = free_place_for(document.scene(), part, document.meshes());
  const Brought brought = brought_in(document.scene(), part, way);
  if (brought.ids.empty()) return false;
  Selection all;
  all.set(brought.ids);
  const QString text = step.arg(selection_text(brought.scene, all));
  auto operation =
      shift_operation(way, false, [&selection, part = std::move(part)](const Scene& before, const Shift& now) {
        Brought made = brought_in(before, part, now.offset);
        const auto select = [&selection, ids = made.ids] { selection.set(ids); };
        return Operation::Made{std::move(made.scene), select, {}};
      });
  return document.last_operation().begin(text, std::move(operation)).ok();
}

QString paste_text(DocumentController& document, Selection& selection, const QString& text) {
  const QString nothing = tr("Nothing was pasted: the clipboard holds no objects that were copied in Hazumi.");
  if (!text.trimmed().startsWith(QLatin1Char('{'))) return nothing;
  Result<Scene> part = part_from_text(text.toStdString());
  if (!part.ok())
    return text.contains(QLatin1String("hazumi scene")) ? tr("Nothing was pasted. %1").arg(sentence_of(part.error()))
                                                        : nothing;
  if (!has_things(*part)) return nothing;
  (void)bring_in(document, selection, std::move(part).value(), tr("Paste %1"));
  return {};
}

}  // namespace hazumi
