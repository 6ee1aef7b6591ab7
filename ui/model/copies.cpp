#include "ui/model/copies.h"

#include <cmath>

#include "core/scene/derived/cameras.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/values/scene_lists.h"

namespace hazumi {

namespace {

/// Of pairs whose two objects were copied, for the copies.
void copy_pairs(const Scene& before, const std::map<Id, Id>& copies, std::uint64_t next, Scene& scene) {
  for (const auto& pair : before.pairs) {
    const auto a = copies.find(Id{pair->a}), b = copies.find(Id{pair->b});
    if (a == copies.end() || b == copies.end()) continue;
    ContactPair copy = *pair;
    copy.id = Id{next++};
    copy.name = unique_name(scene, pair->name);
    copy.a = a->second.value;
    copy.b = b->second.value;
    scene.pairs.push_back(Shared<ContactPair>(std::move(copy)));
  }
}

/// Of what was copied, for the copies.
void copy_tracks(const Scene& before, const std::map<Id, Id>& copies, const Vec3& offset, Scene& scene) {
  std::uint64_t next = next_id(scene).value;
  for (const auto& track : before.tracks) {
    const auto of = copies.find(Id{track->target});
    if (of == copies.end()) continue;
    Track copy = *track;
    copy.id = Id{next++};
    copy.target = of->second.value;
    if (copy.field == kLooksAt)
      for (Key& key : copy.keys)
        if (const auto named = copies.find(Id{static_cast<std::uint64_t>(std::llround(key.value[0]))});
            named != copies.end())
          key.value[0] = static_cast<double>(named->second.value);
    if (const Joint* joint = find_joint(before, Id{track->target}))
      move_target_keys(
          before, *joint, copies, [&](const Vec3& at) { return Vec3(at + offset); }, copy);
    const ParticleSource* source = find_source(before, Id{track->target});
    if (!source || source->carrier == 0)
      move_keys(
          copy, [&](const Vec3& at) { return Vec3(at + offset); }, Quat::Identity());
    scene.tracks.push_back(Shared<Track>(std::move(copy)));
  }
}

template <class Thing>
void move_by(Thing& thing, const Vec3& offset) {
  if constexpr (std::is_same_v<Thing, Camera>) thing.target += offset;
  if constexpr (requires { thing.transform; })
    thing.transform.position += offset;
  else if constexpr (requires { thing.position; })
    thing.position += offset;
}

/// Its place is in the axes of another one.
bool is_carried(const auto&) { return false; }
bool is_carried(const ParticleSource& source) { return source.carrier != 0; }

/// What is copied besides: the joints between them, the forces that push them, the sources that they carry, and what their motion graphs say.
std::set<Id> with_what_is_on_them(const Scene& scene, std::set<Id> ids) {
  std::set<Id> on_them;
  for (const auto& force : scene.forces)
    if (ids.count(Id{force->object}) != 0) on_them.insert(force->id);
  for (const auto& source : scene.particles)
    if (ids.count(Id{source->carrier}) != 0) on_them.insert(source->id);
  for (const auto& node : scene.motion)
    if (ids.count(Id{node->object}) != 0) on_them.insert(node->id);
  ids.merge(joints_among(scene, ids));
  ids.merge(on_them);
  return ids;
}

}  // namespace

Copies copied(const Scene& before, const std::set<Id>& chosen, const Vec3& offset) {
  Copies copies{before, {}};
  const std::set<Id> ids = with_what_is_on_them(before, chosen);
  std::uint64_t next = next_id(before).value;
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if constexpr (!std::is_same_v<Thing, ContactPair>)
      for (const auto& thing : before.*list.member)
        if (ids.contains(thing->id)) copies.of.emplace(thing->id, Id{next++});
  });
  // Copies are where the originals are, or in copies of that.
  const auto follow = [&](std::uint64_t& id) {
    if (const auto copy = copies.of.find(Id{id}); copy != copies.of.end()) id = copy->second.value;
  };
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    for (const auto& thing : before.*list.member) {
      if (!copies.of.contains(thing->id)) continue;
      Thing copy = *thing;
      if constexpr (std::is_same_v<Thing, Joint>)
        copy = joint_of_copies(
            before, *thing, copies.of, [&](const Vec3& x) { return Vec3(x + offset); }, Quat::Identity());
      copy.id = copies.of.at(thing->id);
      if (list.listed) copy.name = unique_name(copies.scene, thing->name);
      if (!is_carried(copy)) move_by(copy, offset);
      if constexpr (requires { copy.collection; }) follow(copy.collection);
      if constexpr (requires { copy.parent; }) follow(copy.parent);
      if constexpr (std::is_same_v<Thing, Force>) follow(copy.object);
      if constexpr (std::is_same_v<Thing, ForceField>) {
        follow(copy.feels);
        follow(copy.curve);
      }
      if constexpr (std::is_same_v<Thing, ParticleSource>)
        for (std::uint64_t* id : {&copy.carrier, &copy.curve, &copy.meets, &copy.into, &copy.copies}) follow(*id);
      if constexpr (std::is_same_v<Thing, MotionNode>) {
        follow(copy.object);
        follow(copy.other);
        for (MotionWire& wire : copy.wires) follow(wire.to);
      }
      if constexpr (requires { copy.looks_at; }) follow(copy.looks_at);
      if constexpr (requires { copy.follow; }) follow(copy.follow.curve);
      if constexpr (requires { copy.follow.looks_at; }) follow(copy.follow.looks_at);
      (copies.scene.*list.member).push_back(Shared<Thing>(std::move(copy)));
    }
  });
  copy_pairs(before, copies.of, next, copies.scene);
  copy_tracks(before, copies.of, offset, copies.scene);
  return copies;
}

}  // namespace hazumi
