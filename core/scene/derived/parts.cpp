#include "core/scene/derived/parts.h"

#include <cmath>

#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/values/scene_lists.h"

namespace hazumi {

namespace {

template <class Thing>
constexpr bool refers = std::is_same_v<Thing, ContactPair> || std::is_same_v<Thing, Track> ||
                        std::is_same_v<Thing, Force> || std::is_same_v<Thing, MotionNode>;

/// Ids by which things refer to others.
template <class Thing, class Visit>
void visit_references(Thing& thing, const Visit& visit) {
  if constexpr (std::is_same_v<std::remove_const_t<Thing>, ContactPair>) {
    visit(thing.a);
    visit(thing.b);
  } else if constexpr (std::is_same_v<std::remove_const_t<Thing>, Force> ||
                       std::is_same_v<std::remove_const_t<Thing>, MotionNode>) {
    visit(thing.object);
  } else if constexpr (refers<std::remove_const_t<Thing>>) {
    visit(thing.target);
  }
}

/// Ids that fields of a thing name (Field::refers), its keys too: it can do without what they name.
template <class Thing, class Visit>
void visit_named(const Scene& scene, Thing& thing, const Visit& visit) {
  if constexpr (std::is_same_v<Thing, Object>) {
    visit(thing.follow.curve);
    visit(thing.follow.looks_at);
    for (Bone& bone : thing.mapping.bones) visit(bone.carrier);
  } else if constexpr (std::is_same_v<Thing, Joint>) {
    visit(thing.a.object);
    visit(thing.b.object);
    visit(thing.first);
    visit(thing.second);
    visit(thing.curve);
  } else if constexpr (std::is_same_v<Thing, ForceField>) {
    visit(thing.curve);
  } else if constexpr (std::is_same_v<Thing, ParticleSource>) {
    for (std::uint64_t* id : {&thing.carrier, &thing.curve, &thing.into, &thing.copies}) visit(*id);
  } else if constexpr (std::is_same_v<Thing, Camera>) {
    visit(thing.looks_at);
    visit(thing.follow.curve);
  } else if constexpr (std::is_same_v<Thing, MotionNode>) {
    for (MotionWire& wire : thing.wires) visit(wire.to);
    std::erase_if(thing.wires, [](const MotionWire& wire) { return wire.to == 0; });
  } else if constexpr (std::is_same_v<Thing, Track>) {
    const auto field = track_field(scene, thing.target, thing.field);
    if (!field || field->range.refers == Refers::nothing || is_with(thing.field)) return;
    for (Key& key : thing.keys) {
      auto id = static_cast<std::uint64_t>(std::llround(key.value[0]));
      visit(id);
      key.value[0] = static_cast<double>(id);
    }
  }
}

template <class Thing>
bool refers_only_to(const Thing& thing, const std::set<Id>& ids) {
  bool all = true;
  visit_references(thing, [&](std::uint64_t id) { all = all && ids.count(Id{id}) != 0; });
  return all;
}

}  // namespace

namespace {

const Collection* collection_of_part(const Scene& scene, std::uint64_t id) {
  return find_thing(scene, std::get<SceneList<Collection>>(kSceneLists), Id{id});
}

void bring_collection(const Scene& scene, std::uint64_t id, std::set<Id>& wanted) {
  for (const Collection* at = collection_of_part(scene, id); at && wanted.insert(at->id).second;)
    at = collection_of_part(scene, at->collection);
}

/// A collection of that name in the same place; none: no id.
Id same_collection(const Scene& scene, const Collection& wanted) {
  for (const auto& collection : scene.collections)
    if (collection->name == wanted.name && collection->collection == wanted.collection) return collection->id;
  return {};
}

/// The collections of a part in the scene, those around others first. `to`: what each is there.
void join_collections(Scene& scene, const Scene& part, std::uint64_t& next, std::map<Id, Id>& to) {
  for (std::size_t before = 0; to.size() < part.collections.size();) {
    before = to.size();
    for (const auto& collection : part.collections) {
      const auto around = to.find(Id{collection->collection});
      if (to.count(collection->id) || (collection->collection != 0 && around == to.end())) continue;
      Collection own = *collection;
      own.collection = collection->collection == 0 ? 0 : around->second.value;
      Id there = same_collection(scene, own);
      if (!there) {
        there = own.id = Id{next++};
        own.name = unique_name(scene, own.name);
        scene.collections.push_back(Shared<Collection>(std::move(own)));
      }
      to.emplace(collection->id, there);
    }
    if (to.size() == before) return;  // the others lie in what is not there
  }
}

}  // namespace

Scene part_of(const Scene& scene, const std::set<Id>& ids) {
  Scene part;
  part.newer_minor = scene.newer_minor;
  const std::set<Id> joints = joints_among(scene, ids);
  std::set<Id> taken = ids;
  for (const auto& force : scene.forces)
    if (ids.count(Id{force->object}) != 0) taken.insert(force->id);
  for (const auto& node : scene.motion)
    if (ids.count(Id{node->object}) != 0) taken.insert(node->id);
  taken.insert(joints.begin(), joints.end());
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    // Collections come below; sounds stay, as part_from_text() leaves them out, and so do takes, which are of the whole scene.
    if constexpr (std::is_same_v<Thing, Collection> || std::is_same_v<Thing, Sound> || std::is_same_v<Thing, Take>)
      return;
    for (const Shared<Thing>& thing : scene.*list.member)
      if constexpr (std::is_same_v<Thing, Joint>) {
        if (joints.count(thing->id) != 0) part.joints.push_back(thing);
      } else if ((refers<Thing> || ids.count(thing->id) != 0) && refers_only_to(*thing, taken)) {
        (part.*list.member).push_back(thing);
      }
  });
  std::set<Id> collections;
  for (auto& object : part.objects) {
    if (object->display.kind == DisplayKind::mesh && !object->display.mesh.source.empty())
      object = object.edited([](Object& o) { o.display.mesh.file = o.display.mesh.source; });
    if (object->parent != 0 && ids.count(Id{object->parent}) == 0) {
      const Id home = collection_of(scene, *object);
      object = object.edited([&](Object& o) {
        o.parent = 0;
        o.collection = home.value;
      });
    }
    if (object->parent == 0)
      bring_collection(scene, object->collection, collections);
    else if (object->collection != 0)  // with a parent nobody reads it, and it may not come along
      object = object.edited([](Object& o) { o.collection = 0; });
  }
  for (const auto& light : part.lights) bring_collection(scene, light->collection, collections);
  for (const auto& camera : part.cameras) bring_collection(scene, camera->collection, collections);
  for (const auto& curve : part.curves) bring_collection(scene, curve->collection, collections);
  for (const auto& joint : part.joints) bring_collection(scene, joint->collection, collections);
  for (const auto& force : part.forces) bring_collection(scene, force->collection, collections);
  for (const auto& field : part.fields)
    for (const std::uint64_t id : {field->collection, field->feels}) bring_collection(scene, id, collections);
  for (const auto& source : part.particles)
    for (const std::uint64_t id : {source->collection, source->meets}) bring_collection(scene, id, collections);
  for (const auto& collection : scene.collections) {
    if (ids.count(collection->id)) bring_collection(scene, collection->id.value, collections);
  }
  for (const auto& collection : scene.collections)
    if (collections.count(collection->id)) part.collections.push_back(collection);
  return part;
}

namespace {

/// Those that name nothing that is not in the part, as one of a file by another hand may.
std::set<Id> whole_joints(const Scene& part) {
  std::set<Id> all;
  for (const auto& object : part.objects) all.insert(object->id);
  for (const auto& curve : part.curves) all.insert(curve->id);
  for (const auto& joint : part.joints) all.insert(joint->id);
  return joints_among(part, all);
}

}  // namespace

JoinedScene joined(Scene scene, const Scene& part) {
  JoinedScene result{std::move(scene), {}};
  std::uint64_t next = next_id(result.scene).value;
  std::map<Id, Id> collections;
  join_collections(result.scene, part, next, collections);
  const std::set<Id> joints = whole_joints(part);
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if constexpr (!std::is_same_v<Thing, Collection> && !std::is_same_v<Thing, Take>)
      for (const Shared<Thing>& thing : part.*list.member)
        if (!std::is_same_v<Thing, Joint> || joints.count(thing->id) != 0) result.ids.emplace(thing->id, Id{next++});
  });
  // A box of what is not in the part stays, with its keys.
  for (const auto& node : part.motion)
    if (result.ids.count(Id{node->object}) == 0) result.ids.erase(node->id);
  const auto there = [](const std::map<Id, Id>& ids, std::uint64_t id) {
    const auto at = ids.find(Id{id});
    return at == ids.end() ? std::uint64_t{0} : at->second.value;
  };
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if constexpr (std::is_same_v<Thing, Collection>) return;
    for (const Shared<Thing>& thing : part.*list.member) {
      if (result.ids.count(thing->id) == 0) continue;
      Thing own = *thing;
      own.id = result.ids.at(thing->id);
      if (list.listed) own.name = unique_name(result.scene, thing->name);
      if constexpr (requires { own.collection; }) own.collection = there(collections, own.collection);
      if constexpr (requires { own.feels; }) own.feels = there(collections, own.feels);
      if constexpr (requires { own.meets; }) own.meets = there(collections, own.meets);
      if constexpr (requires { own.parent; }) own.parent = there(result.ids, own.parent);
      visit_named(part, own, [&](std::uint64_t& id) { id = there(result.ids, id); });
      if constexpr (std::is_same_v<Thing, MotionNode>)
        if (const auto at = result.ids.find(Id{own.other}); at != result.ids.end()) own.other = at->second.value;
      if constexpr (std::is_same_v<Thing, Track>)
        for (Key& key : own.keys)
          if (is_with(own.field) && key.value[0] >= 0)
            if (const auto at = result.ids.find(Id{static_cast<std::uint64_t>(key.value[0])}); at != result.ids.end())
              key.value[0] = static_cast<double>(at->second.value);
      bool whole = true;
      visit_references(own, [&](std::uint64_t& id) {
        whole = whole && result.ids.count(Id{id}) != 0;
        if (whole) id = there(result.ids, id);
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
