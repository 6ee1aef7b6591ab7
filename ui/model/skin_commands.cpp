#include "ui/model/skin_commands.h"

#include <algorithm>

#include "core/scene/derived/skinning.h"
#include "core/scene/values/lists.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

QString no_skin(const Scene& scene, const Selection& selection) {
  const Object* skin = find_object(scene, selection.active());
  const auto objects = selected_objects_of(scene, selection);
  if (skin == nullptr || objects.size() < 2) return tr("Select what it shall bend with, and the skin last.");
  const QString name = QString::fromStdString(skin->name);
  if (skin->display.kind == DisplayKind::none) return tr("%1 shows nothing that could bend.").arg(name);
  if (objects.size() > lists::kMostBones + 1) return tr("A skin goes with at most 1,000 objects.");
  for (const Object* object : objects)
    if (object != skin && is_skin(*object))
      return tr("%1 is a skin itself; select what it bends with.").arg(QString::fromStdString(object->name));
  for (const Object* object : objects)
    for (const Bone& bone : object->mapping.bones)
      if (object != skin && bone.carrier == skin->id.value)
        return tr("%1 bends with %2; release it first.").arg(QString::fromStdString(object->name), name);
  return {};
}

void bind_skin(DocumentController& document, const Selection& selection) {
  const Scene& scene = document.scene();
  std::vector<SkinCarrier> carriers;
  for (const Object* object : selected_objects_of(scene, selection))
    if (object->id != selection.active()) carriers.push_back({object, document.meshes().mesh(*object)});
  const QString text =
      tr("Bind %1 to %2 Objects").arg(name_of(scene, selection.active())).arg(static_cast<int>(carriers.size()));
  (void)document.edit(text,
                      with_object(scene, selection.active(), [&](Object& o) { o = bound_to(std::move(o), carriers); }));
}

namespace {

std::set<Id> skins_among(const Scene& scene, const Selection& selection) {
  std::set<Id> ids;
  for (const Object* object : selected_objects_of(scene, selection))
    if (is_skin(*object)) ids.insert(object->id);
  return ids;
}

}  // namespace

QString no_release(const Scene& scene, const Selection& selection) {
  return skins_among(scene, selection).empty() ? tr("Select a skin that bends with other objects.") : QString();
}

void select_carriers(const Scene& scene, Selection& selection) {
  std::set<Id> ids;
  for (const Id id : skins_among(scene, selection)) ids.merge(carriers_of(scene, *find_object(scene, id)));
  if (!ids.empty()) selection.set(ids);
}

void release_skin(DocumentController& document, const Selection& selection) {
  Scene scene = document.scene();
  const std::set<Id> skins = skins_among(scene, selection);
  const QString text = skins.size() == 1 ? tr("Release %1").arg(name_of(scene, *skins.begin()))
                                         : tr("Release %1 Skins").arg(static_cast<int>(skins.size()));
  const auto collide = [&scene](Id id) { return find_object(scene, id)->contact.enabled; };
  for (const Id id : skins) scene = with_object(std::move(scene), id, [](Object& o) { o = released(std::move(o)); });
  const auto hit = std::count_if(skins.begin(), skins.end(), collide);
  const QString stays = skins.size() == 1 ? tr("It stands where it was modelled, fixed; %1")
                                          : tr("They stand where they were modelled, fixed; %1");
  const QString contact = hit == 0 ? tr("Collides is off, as it was before.")
                          : static_cast<std::size_t>(hit) == skins.size()
                              ? tr("Collides is on again, as it was before.")
                              : tr("Collides is as it was before, on or off.");
  if (document.edit(text, std::move(scene)).ok()) emit document.told(stays.arg(contact));
}

}  // namespace hazumi
