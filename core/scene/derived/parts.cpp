#include "core/scene/derived/parts.h"

#include "core/scene/values/scene_lists.h"

namespace hazumi {

namespace {

template <class Thing>
constexpr bool refers = std::is_same_v<Thing, ContactPair>;

/// Ids by which things refer to others.
template <class Thing, class Visit>
void visit_references(Thing& thing, const Visit& visit) {
  if constexpr (refers<std::remove_const_t<Thing>>) {
    visit(thing.a);
    visit(thing.b);
  }
}

template <class Thing>
bool refers_only_to(const Thing& thing, const std::set<Id>& ids) {
  bool all = true;
  visit_references(thing, [&](std::uint64_t id) { all = all && ids.count(Id{id}) != 0; });
  return all;
}

}  // namespace

Scene part_of(const Scene& scene, const std::set<Id>& ids) {
  Scene part;
  part.newer_minor = scene.newer_minor;
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    for (const Shared<Thing>& thing : scene.*list.member)
      if ((refers<Thing> || ids.count(thing->id) != 0) && refers_only_to(*thing, ids))
        (part.*list.member).push_back(thing);
  });
  for (auto& object : part.objects)
    if (object->display.kind == DisplayKind::mesh && !object->display.mesh.source.empty())
      object = object.edited([](Object& o) { o.display.mesh.file = o.display.mesh.source; });
  return part;
}

JoinedScene joined(Scene scene, const Scene& part) {
  JoinedScene result{std::move(scene), {}};
  std::uint64_t next = next_id(result.scene).value;
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    for (const Shared<Thing>& thing : part.*list.member) result.ids.emplace(thing->id, Id{next++});
  });
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    for (const Shared<Thing>& thing : part.*list.member) {
      Thing own = *thing;
      own.id = result.ids.at(thing->id);
      own.name = unique_name(result.scene, thing->name);
      bool whole = true;
      visit_references(own, [&](std::uint64_t& id) {
        const auto there = result.ids.find(Id{id});
        whole = whole && there != result.ids.end();
        if (whole) id = there->second.value;
      });
      if (whole)
        (result.scene.*list.member).push_back(Shared<Thing>(std::move(own)));
      else
        result.ids.erase(thing->id);
    }
  });
  return result;
}

}  // namespace hazumi
