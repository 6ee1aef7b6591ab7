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

// Refusals are asked for after every edit and click: they go through the lists once, however much is selected.

/// Calls visit(list, thing) for the things with these ids that can be in a collection, until one answers true.
template <class Visit>
bool any_place(const Scene& scene, const std::set<Id>& ids, const Visit& visit) {
  bool found = false;
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if constexpr (requires(Thing thing) { thing.collection; })
      for (const auto& thing : scene.*list.member)
        if (!found && ids.count(thing->id)) found = visit(*thing);
  });
  return found;
}

Id home_of(const Scene& scene, const Object& object) { return collection_of(scene, object); }
template <class Thing>
Id home_of(const Scene&, const Thing& thing) {
  return Id{thing.collection};
}

/// It goes with one of these, through others too.
bool goes_with_any(const Scene& scene, const Object& object, const std::set<Id>& ids) {
  const Object* at = &object;
  for (std::size_t step = 0; at && at->parent != 0 && step <= scene.objects.size(); ++step) {
    if (ids.count(Id{at->parent})) return true;
    at = find_object(scene, Id{at->parent});
  }
  return false;
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
  const std::set<Id> ids = selection.ids();
  std::set<Id> homes;
  any_place(scene, ids, [&](const auto& thing) {
    homes.insert(home_of(scene, thing));
    return homes.size() > 1;
  });
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
  const std::set<Id>& ids = selection.ids();
  if (!any_place(scene, ids, [](const auto&) { return true; }))
    return tr("Select objects, lights, cameras or curves first.");
  for (const auto& object : scene.objects)
    if (object->parent != 0 && ids.count(object->id) && !goes_with_any(scene, *object, ids))
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
  any_place(scene, selection.ids(), [&]<class Thing>(const Thing& thing) {
    ids.insert(std::is_same_v<Thing, Collection> ? thing.id : home_of(scene, thing));
    return false;
  });
  return ids;
}

QString no_collection(const Scene& scene, const Selection& selection) {
  const bool some =
      !scene.collections.empty() && any_place(scene, selection.ids(), [&]<class Thing>(const Thing& thing) {
        return std::is_same_v<Thing, Collection> || home_of(scene, thing);
      });
  return some ? QString() : tr("Select a collection, or something in one.");
}

void select_collection(const Scene& scene, Selection& selection, const std::set<Id>& aside) {
  const Standing standing(scene, &aside);
  std::set<Id> ids;
  for (Id collection : collections_of_selected(scene, selection))
    if (collection)
      for (Id id : things_in(scene, collection)) {
        const Object* object = find_object(scene, id);
        if (object && !standing.visible(*object)) continue;
        visit_thing(scene, id, [&](const auto&, const auto& thing) {
          if (!standing.locked(*thing)) ids.insert(id);
        });
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
  const std::set<Id> all = with_contents(scene, selection.ids());
  std::set<Id> ids;
  for (const auto& object : scene.objects)
    if (all.count(object->id)) ids.insert(object->id);
  return ids;
}

// Parents ---------------------------------------------------------------------------------------------------------------

QString no_parent(const Scene& scene, const std::set<Id>& children, Id parent) {
  const Object* to = find_object(scene, parent);
  if (!to) return tr("Only an object can be a parent.");
  const QString name = QString::fromStdString(to->name);
  if (children.count(parent)) return tr("%1 cannot go with itself.").arg(name);
  QString why;
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    for (const auto& child : scene.*list.member) {
      if (!why.isEmpty() || !children.count(child->id)) continue;
      const QString one = QString::fromStdString(child->name);
      if constexpr (!std::is_same_v<Thing, Object>)
        why = tr("Only objects can have a parent; %1 is none.").arg(one);
      else if (!may_have_parent(*child))
        why = tr("%1 moves by itself; only a fixed object can have a parent. Make it fixed first.").arg(one);
      else if (to->parent != 0 && goes_with(scene, parent, child->id))
        why = tr("%1 goes with %2 already; clear that parent first.").arg(name, one);
    }
  });
  return why;
}

Scene with_parent(Scene scene, const std::set<Id>& children, Id parent) {
  for (auto& object : scene.objects)
    if (children.count(object->id) && object->parent != parent.value)
      object = object.edited([&](Object& o) {
        o.parent = parent.value;
        o.collection = 0;  // it is where its parent is
      });
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

/// Of these ids those of objects that have a parent.
std::set<Id> children_among(const Scene& scene, const std::set<Id>& ids) {
  std::set<Id> children;
  for (const auto& object : scene.objects)
    if (object->parent != 0 && ids.count(object->id)) children.insert(object->id);
  return children;
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
  return children_among(scene, selection.ids()).empty() ? tr("Select an object that has a parent.") : QString();
}

void clear_parent(DocumentController& document, const Selection& selection) {
  const Scene& scene = document.scene();
  const std::set<Id> children = children_among(scene, selection.ids());
  const QString text = tr("Clear Parent of %1").arg(text_of_ids(scene, children));
  (void)document.edit(text, without_parent(scene, children));
}

const Object* carrier_of(const Scene& scene, Id id) {
  for (const Carried& one : carried_objects(scene))
    if (one.child == id) return find_object(scene, one.carrier);
  return nullptr;
}

}  // namespace hazumi
