#include "ui/model/arrangement.h"

#include <algorithm>

#include "core/scene/derived/collections.h"
#include "core/scene/derived/family.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

const Collection* selected_collection(const Scene& scene, Id id) {
  return find_thing(scene, std::get<SceneList<Collection>>(kSceneLists), id);
}

/// Without those that go with a parent that is among them too.
std::set<Id> eldest_of(const Scene& scene, const std::set<Id>& ids) {
  std::set<Id> eldest;
  for (Id id : ids) {
    const Object* object = find_object(scene, id);
    bool along = false;
    for (Id other : ids) along = along || (object && other != id && goes_with(scene, id, other));
    if (!along) eldest.insert(id);
  }
  return eldest;
}

/// Collection that the thing is in; its own parent collection where it is one.
Id home_of(const Scene& scene, Id id) {
  if (const Object* object = find_object(scene, id)) return collection_of(scene, *object);
  if (const Light* light = find_light(scene, id)) return Id{light->collection};
  if (const Collection* collection = selected_collection(scene, id)) return Id{collection->collection};
  return {};
}

bool has_place(const Scene& scene, Id id) {
  return find_object(scene, id) || find_light(scene, id) || selected_collection(scene, id);
}

std::set<Id> selected_collections(const Scene& scene, const Selection& selection) {
  std::set<Id> ids;
  for (const auto& collection : scene.collections)
    if (selection.contains(collection->id)) ids.insert(collection->id);
  return ids;
}

/// "Cup", "3 objects".
QString text_of_ids(const Scene& scene, const std::set<Id>& ids) {
  Selection some;
  some.set(ids);
  return selection_text(scene, some);
}

}  // namespace

// Collections ----------------------------------------------------------------------------------------------------------

Id add_collection(DocumentController& document, Selection& selection) {
  Scene scene = document.scene();
  const std::set<Id> ids = eldest_of(scene, selection.ids());
  std::set<Id> homes;
  for (Id id : ids)
    if (has_place(scene, id)) homes.insert(home_of(scene, id));
  Collection collection;
  collection.id = next_id(scene);
  collection.name = unique_name(scene, tr("Collection").toStdString());
  if (homes.size() == 1) collection.collection = homes.begin()->value;
  // Each gets another colour, so that neighbours differ.
  static const Vec3 kColours[] = {{0.85, 0.70, 0.40}, {0.47, 0.72, 0.90}, {0.60, 0.80, 0.50}, {0.90, 0.55, 0.50},
                                  {0.75, 0.60, 0.90}, {0.90, 0.60, 0.80}, {0.50, 0.80, 0.75}};
  collection.colour = kColours[scene.collections.size() % std::size(kColours)];
  const Id id = collection.id;
  const QString text = tr("New %1").arg(QString::fromStdString(collection.name));
  scene.collections.push_back(Shared<Collection>(std::move(collection)));
  scene = put_in(std::move(scene), ids, id);
  if (!document.edit(text, std::move(scene)).ok()) return {};
  selection.select_only(id);
  return id;
}

QString no_moving(const Scene& scene, const Selection& selection) {
  const bool some =
      std::any_of(selection.ids().begin(), selection.ids().end(), [&](Id id) { return has_place(scene, id); });
  if (!some) return tr("Select objects or lights first.");
  for (Id id : eldest_of(scene, selection.ids()))
    if (const Object* object = find_object(scene, id); object && object->parent != 0)
      return tr("%1 is where its parent %2 is; move that, or clear the parent first.")
          .arg(QString::fromStdString(object->name), name_of(scene, Id{object->parent}));
  return {};
}

void move_to_collection(DocumentController& document, const Selection& selection, Id collection) {
  const Scene& scene = document.scene();
  if (const QString why = no_moving(scene, selection); !why.isEmpty()) {
    emit document.refused(why);
    return;
  }
  const QString what = selection_text(scene, selection);
  const QString text = collection ? tr("Move %1 to %2").arg(what, name_of(scene, collection))
                                  : tr("Move %1 out of Collections").arg(what);
  (void)document.edit(text, put_in(scene, selection.ids(), collection));
}

std::set<Id> collections_of_selected(const Scene& scene, const Selection& selection) {
  std::set<Id> ids;
  for (Id id : selection.ids())
    if (selected_collection(scene, id))
      ids.insert(id);
    else if (has_place(scene, id))
      ids.insert(home_of(scene, id));
  return ids;
}

QString no_collection(const Scene& scene, const Selection& selection) {
  const std::set<Id> ids = collections_of_selected(scene, selection);
  const bool some = std::any_of(ids.begin(), ids.end(), [](Id id) { return bool(id); });
  return some ? QString() : tr("Select a collection, or something in one.");
}

void select_collection(const Scene& scene, Selection& selection, const std::set<Id>& aside) {
  const Standing standing(scene, &aside);
  std::set<Id> ids;
  for (Id collection : collections_of_selected(scene, selection))
    if (collection)
      for (Id id : things_in(scene, collection)) {
        const Object* object = find_object(scene, id);
        const Light* light = find_light(scene, id);
        if (object ? standing.visible(*object) && !standing.locked(*object) : !standing.locked(*light)) ids.insert(id);
      }
  if (!ids.empty()) selection.set(ids, ids.count(selection.active()) ? selection.active() : Id{});
}

QString no_deleting(const Scene& scene, const Selection& selection) {
  return selected_collections(scene, selection).empty() ? tr("Select a collection in the outliner first.") : QString();
}

void delete_collections(DocumentController& document, Selection& selection, bool with_things) {
  Scene scene = document.scene();
  const std::set<Id> ids = selected_collections(scene, selection);
  if (ids.empty()) return;
  if (with_things) {
    selection.set(with_contents(scene, ids), *ids.begin());
    delete_selected(document, selection);
    return;
  }
  const QString text = tr("Delete %1").arg(text_of_ids(scene, ids));
  for (Id id : ids) scene = without(std::move(scene), id);
  (void)document.edit(text, std::move(scene));
}

std::set<Id> objects_of_selected(const Scene& scene, const Selection& selection) {
  std::set<Id> ids;
  for (Id id : with_contents(scene, selection.ids()))
    if (find_object(scene, id)) ids.insert(id);
  return ids;
}

// Parents ---------------------------------------------------------------------------------------------------------------

QString no_parent(const Scene& scene, const std::set<Id>& children, Id parent) {
  const Object* to = find_object(scene, parent);
  if (!to) return tr("Only an object can be a parent.");
  for (Id id : children) {
    const Object* child = find_object(scene, id);
    if (!child) return tr("Only objects can have a parent; %1 is none.").arg(name_of(scene, id));
    const QString name = QString::fromStdString(child->name);
    if (!may_have_parent(*child))
      return tr("%1 moves by itself; only a fixed object can have a parent. Make it fixed first.").arg(name);
    if (goes_with(scene, parent, id))
      return id == parent
                 ? tr("%1 cannot go with itself.").arg(name)
                 : tr("%1 goes with %2 already; clear that parent first.").arg(QString::fromStdString(to->name), name);
  }
  return {};
}

Scene with_parent(Scene scene, const std::set<Id>& children, Id parent) {
  for (auto& object : scene.objects)
    if (children.count(object->id) && object->parent != parent.value)
      object = object.edited([&](Object& o) { o.parent = parent.value; });
  return scene;
}

Scene without_parent(Scene scene, const std::set<Id>& children) {
  const Scene before = scene;
  for (auto& object : scene.objects)
    if (children.count(object->id) && object->parent != 0)
      object = object.edited([&](Object& o) {
        o.collection = collection_of(before, o).value;
        o.parent = 0;
      });
  return scene;
}

namespace {

/// The selected things but the active one.
std::set<Id> to_be_children(const Selection& selection) {
  std::set<Id> ids = selection.ids();
  ids.erase(selection.active());
  return ids;
}

bool has_parent(const Scene& scene, Id id) {
  const Object* object = find_object(scene, id);
  return object && object->parent != 0;
}

}  // namespace

QString no_parent(const Scene& scene, const Selection& selection) {
  if (selected_objects_of(scene, selection).size() < 2)
    return tr("Select the objects that shall go along, and the parent last.");
  return no_parent(scene, to_be_children(selection), selection.active());
}

void set_parent(DocumentController& document, const Selection& selection) {
  const std::set<Id> children = to_be_children(selection);
  const Scene& scene = document.scene();
  const QString text = tr("Parent %1 to %2").arg(text_of_ids(scene, children), name_of(scene, selection.active()));
  (void)document.edit(text, with_parent(scene, children, selection.active()));
}

QString no_clearing(const Scene& scene, const Selection& selection) {
  const bool some =
      std::any_of(selection.ids().begin(), selection.ids().end(), [&](Id id) { return has_parent(scene, id); });
  return some ? QString() : tr("Select an object that has a parent.");
}

void clear_parent(DocumentController& document, const Selection& selection) {
  const Scene& scene = document.scene();
  std::set<Id> children;
  for (Id id : selection.ids())
    if (has_parent(scene, id)) children.insert(id);
  const QString text = tr("Clear Parent of %1").arg(text_of_ids(scene, children));
  (void)document.edit(text, without_parent(scene, children));
}

const Object* carrier_of(const Scene& scene, Id id) {
  for (const Carried& one : carried_objects(scene))
    if (one.child == id) return find_object(scene, one.carrier);
  return nullptr;
}

}  // namespace hazumi
