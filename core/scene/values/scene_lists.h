// The lists of things that a scene holds: one row each, which drives the file format, schema and docs, validation, the
// diff, the signature, names and ids, and the outliner (what is of time, from tracks on, is shown by the time editors). A new list is its struct (with id, name, visible, kept), its
// field table, a row here and a member of Scene, and its drawing.
//
// Order: that of the outliner, where collections come before what is in none. In files the last list comes first, so that
// objects, which are longest, come last.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/scene/values/fields.h"

namespace hazumi {

template <class Thing>
struct SceneList {
  std::string_view path;               ///< "objects": the key in the file
  std::string_view singular, heading;  ///< "object", for sentences; "Objects", of docs/fields.md
  std::string_view tooltip;            ///< one sentence
  std::size_t most;                    ///< things
  /// A run reads each thing by itself: one that comes or goes makes another run. Else nothing is read (every row is `look`), or
  /// what they say together (derived/contact_rules.h).
  bool read;
  std::vector<Shared<Thing>> Scene::*member;
  std::span<const Field<Thing>> (*fields)();
  std::string_view (*icon)(const Thing&);   ///< name of an icon
  std::string_view (*label)(const Thing&);  ///< "rigid", "light": what it is, behind its name
  bool sparse = false;                      ///< left out of files while it is empty
  bool listed = true;                       ///< shown in the outliner, selected, and with names of its own
};

namespace lists {

inline constexpr std::size_t kMostThings = 100'000;  // also the limit of the reader, which counts before it builds
inline constexpr std::size_t kMostFields = 256;      // each is asked for at every body and node
inline constexpr std::size_t kMostSources = 256;     // each may have a million particles
inline constexpr std::size_t kMostSounds = 256;      // each is mixed, and has a place in the strip
inline constexpr std::size_t kMostTakes = 256;       // each is a run of its own

std::string_view object_icon(const Object& object);
std::string_view object_label(const Object& object);
std::string_view light_icon(const Light& light);
std::string_view light_label(const Light& light);
std::string_view camera_icon(const Camera& camera);
std::string_view camera_label(const Camera& camera);
std::string_view curve_icon(const Curve& curve);
std::string_view curve_label(const Curve& curve);
std::string_view joint_icon(const Joint& joint);
std::string_view joint_label(const Joint& joint);
std::string_view force_icon(const Force& force);
std::string_view force_label(const Force& force);
std::string_view field_icon(const ForceField& field);
std::string_view field_label(const ForceField& field);
std::string_view source_icon(const ParticleSource& source);
std::string_view source_label(const ParticleSource& source);
std::string_view pair_icon(const ContactPair& pair);
std::string_view pair_label(const ContactPair& pair);
std::string_view collection_icon(const Collection& collection);
std::string_view collection_label(const Collection& collection);
std::string_view track_icon(const Track& track);
std::string_view track_label(const Track& track);
std::string_view motion_icon(const MotionNode& node);
std::string_view motion_label(const MotionNode& node);
std::string_view marker_icon(const Marker& marker);
std::string_view marker_label(const Marker& marker);
std::string_view sound_icon(const Sound& sound);
std::string_view sound_label(const Sound& sound);
std::string_view keying_set_icon(const KeyingSet& set);
std::string_view keying_set_label(const KeyingSet& set);
std::string_view take_icon(const Take& take);
std::string_view take_label(const Take& take);

}  // namespace lists

inline constexpr std::tuple kSceneLists{
    SceneList<Object>{"objects", "object", "Objects", "What is seen and moves.", lists::kMostThings, true,
                      &Scene::objects, object_fields, lists::object_icon, lists::object_label},
    SceneList<Light>{"lights", "light", "Lights", "What lights the scene.", lists::kMostThings, false, &Scene::lights,
                     light_fields, lists::light_icon, lists::light_label},
    SceneList<Camera>{"cameras", "camera", "Cameras", "Where pictures are taken from.", lists::kMostThings, false,
                      &Scene::cameras, camera_fields, lists::camera_icon, lists::camera_label},
    SceneList<Curve>{"curves", "curve", "Curves", "Ways that objects and cameras ride on.", lists::kMostThings, false,
                     &Scene::curves, curve_fields, lists::curve_icon, lists::curve_label, true},
    SceneList<Joint>{"joints", "joint", "Joints", "What holds two bodies together, or one to the world.",
                     lists::kMostThings, true, &Scene::joints, joint_fields, lists::joint_icon, lists::joint_label,
                     true},
    SceneList<Force>{"forces", "force", "Forces", "What pushes objects besides gravity and what touches them.",
                     lists::kMostThings, true, &Scene::forces, force_fields, lists::force_icon, lists::force_label,
                     true},
    SceneList<ForceField>{"fields", "field", "Fields of force",
                          "What acts on all that is in it: wind, water, drag, whirls and pulls.", lists::kMostFields,
                          true, &Scene::fields, force_field_fields, lists::field_icon, lists::field_label, true},
    SceneList<ParticleSource>{"particles", "particle source", "Particle sources",
                              "Where particles come from: spray, smoke, sparks, snow.", lists::kMostSources, true,
                              &Scene::particles, particle_source_fields, lists::source_icon, lists::source_label, true},
    SceneList<ContactPair>{"pairs", "pair", "Pairs", "Pairs of objects with a restitution and a friction of their own.",
                           lists::kMostThings, false, &Scene::pairs, pair_fields, lists::pair_icon, lists::pair_label,
                           true},
    SceneList<Collection>{"collections", "collection", "Collections",
                          "Groups of objects, lights, cameras, curves, joints, forces, fields and particle sources, "
                          "which are hidden, locked "
                          "and selected together.",
                          lists::kMostThings, false, &Scene::collections, collection_fields, lists::collection_icon,
                          lists::collection_label, true},
    SceneList<Track>{"tracks", "track", "Tracks", "Keys of fields that change in time.", lists::kMostThings, false,
                     &Scene::tracks, track_fields, lists::track_icon, lists::track_label, true, false},
    SceneList<MotionNode>{"motion", "box of the motion graph", "Motion",
                          "Events and procedures: what shall happen when.", lists::kMostThings, false, &Scene::motion,
                          motion_fields, lists::motion_icon, lists::motion_label, true, false},
    SceneList<Marker>{"markers", "marker", "Markers", "Named moments, flags on the rulers of the time editors.",
                      lists::kMostThings, false, &Scene::markers, marker_fields, lists::marker_icon,
                      lists::marker_label, true, false},
    SceneList<Sound>{"sounds", "sound", "Sounds", "Sound files that are heard while the motion plays.",
                     lists::kMostSounds, false, &Scene::sounds, sound_fields, lists::sound_icon, lists::sound_label,
                     true, false},
    SceneList<KeyingSet>{"keying_sets", "keying set", "Keying sets", "Named lists of fields that are keyed together.",
                         lists::kMostThings, false, &Scene::keying_sets, keying_set_fields, lists::keying_set_icon,
                         lists::keying_set_label, true, false},
    SceneList<Take>{
        "takes", "take", "Takes",
        "Versions of the motion; those that wait say what of keys, motion graph and numbers is not as in the scene.",
        lists::kMostTakes, false, &Scene::takes, take_fields, lists::take_icon, lists::take_label, true, false},
};

namespace lists {

/// As of the lists of an owner.
template <class Visit, class Thing>
[[gnu::noinline]] void visit_one(Visit& visit, const SceneList<Thing>& list) {
  visit(list);
}

}  // namespace lists

/// Calls visit(SceneList<Thing>) for each list in the order of the outliner.
template <class Visit>
void visit_scene_lists(Visit&& visit) {
  std::apply([&](const auto&... list) { (lists::visit_one(visit, list), ...); }, kSceneLists);
}

/// The same in the order of the file.
template <class Visit>
void visit_scene_lists_of_file(Visit&& visit) {
  constexpr std::size_t count = std::tuple_size_v<decltype(kSceneLists)>;
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (lists::visit_one(visit, std::get<count - 1 - i>(kSceneLists)), ...);
  }
  (std::make_index_sequence<count>{});
}

/// Where two versions of a list with the same ids in the same places do not share the thing; nothing: the places are others.
template <class Thing>
std::optional<std::vector<std::size_t>> changed_places(const std::vector<Shared<Thing>>& before,
                                                       const std::vector<Shared<Thing>>& after) {
  if (before.size() != after.size()) return std::nullopt;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (before[i].same_as(after[i])) continue;
    if (before[i]->id != after[i]->id) return std::nullopt;
    places.push_back(i);
  }
  return places;
}

/// Both versions of a list share everything.
template <class Thing>
bool is_unchanged(const std::vector<Shared<Thing>>& before, const std::vector<Shared<Thing>>& after) {
  const auto places = changed_places(before, after);
  return places && places->empty();
}

/// "object or light": the singulars of all lists, in order.
std::string things_of_scene(std::string_view and_or);

/// Null: the list has no thing with this id.
template <class Thing>
const Thing* find_thing(const Scene& scene, const SceneList<Thing>& list, Id id) {
  for (const Shared<Thing>& thing : scene.*list.member)
    if (thing->id == id) return thing.get();
  return nullptr;
}

/// Calls visit(list, Shared<Thing>) with the thing that has this id; false: there is none.
template <class Visit>
bool visit_thing(const Scene& scene, Id id, Visit&& visit) {
  bool found = false;
  visit_scene_lists([&](const auto& list) {
    for (const auto& thing : scene.*list.member)
      if (!found && thing->id == id) {
        found = true;
        visit(list, thing);
      }
  });
  return found;
}

/// The scene with the thing of this id changed by change(Thing&), whatever it is. Unknown id: the scene unchanged.
template <class Change>
Scene with_thing(Scene scene, Id id, const Change& change) {
  visit_scene_lists([&](const auto& list) {
    for (auto& thing : scene.*list.member)
      if (thing->id == id) {
        thing = thing.edited(change);
        return;
      }
  });
  return scene;
}

}  // namespace hazumi
