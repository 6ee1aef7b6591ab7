// Rules for one field are the ranges of the field table; the rules here are about several fields or the whole
// scene. That the solver's name exists is checked when the scene is compiled: solvers are a layer above.
#include "core/scene/validate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/scene/derived/contact_rules.h"
#include "core/scene/derived/family.h"
#include "core/scene/derived/felt.h"
#include "core/scene/derived/joint_faults.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/derived/piece_faults.h"
#include "core/scene/derived/pose_faults.h"
#include "core/scene/derived/pushes.h"
#include "core/scene/derived/sources.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/validate_lists.h"
#include "core/scene/values/scene_lists.h"

namespace hazumi {

namespace {

// Limits that keep a scene within a computer: beyond them a factorisation or a mesh would take gigabytes.
constexpr std::int64_t kMaxNodes = 20'000, kMaxNodesInScene = 200'000;
constexpr std::int64_t kMaxVerticesInScene = 5'000'000;
constexpr std::size_t kMaxDiagnostics = 100;

template <class Thing>
std::string place(std::string_view list, std::size_t index, const Thing& thing) {
  std::string text = std::string(list) + "[" + std::to_string(index) + "]";
  if (!thing.name.empty()) text += " \"" + thing.name + "\"";
  return text;
}

/// Vertices of the display model, an upper bound.
std::int64_t vertex_count(const DisplayModel& display) {
  if (display.kind == DisplayKind::mesh && display.mesh.mesh != nullptr)
    return static_cast<std::int64_t>(display.mesh.mesh->positions.size());
  if (display.kind != DisplayKind::primitive) return 0;
  const auto n = [&](int axis) { return std::int64_t{display.primitive.divisions[axis]} + 1; };
  switch (display.primitive.shape) {
    case PrimitiveShape::box:
      return 2 * (n(0) * n(1) + n(1) * n(2) + n(0) * n(2));
    case PrimitiveShape::sphere:
    case PrimitiveShape::torus:
      return n(0) * n(1);
    case PrimitiveShape::cylinder:
    case PrimitiveShape::cone:
      return n(0) * (n(1) + 2 * n(2));
    case PrimitiveShape::plane:
      return n(0) * n(2);
    case PrimitiveShape::superellipsoid:
    case PrimitiveShape::supertorus:
      return (n(0) + 7) * (n(1) + 7);  // rounded up to multiples of four, edges split
    case PrimitiveShape::capsule:
      return n(0) * (n(1) + 3);
    case PrimitiveShape::hyperboloid_one:
    case PrimitiveShape::hyperboloid_two:
    case PrimitiveShape::tube:
      return (n(0) + 7) * 2 * (n(1) + n(2) + 4);
    case PrimitiveShape::wedge: {
      const std::int64_t m = std::max(n(1), n(2));
      return 3 * n(0) * m + 2 * m * m;
    }
    case PrimitiveShape::rounded_box: {
      const auto m = [&](int axis) { return n(axis) + 6; };
      return 2 * (m(0) * m(1) + m(1) * m(2) + m(0) * m(2));
    }
  }
  return 0;
}

class Checker {
 public:
  Diagnostics take() { return std::move(found_); }

  template <class Owner>
  bool fields(std::span<const Field<Owner>> table, const Owner& owner, const std::string& where) {
    bool fine = true;
    for (const Field<Owner>& field : table)
      if (std::string problem = field_problem(field, field.get(owner)); !problem.empty()) {
        error(where + std::string(field.path), std::move(problem));
        fine = false;
      }
    return fine;
  }

  template <class Thing>
  void thing(const SceneList<Thing>& list, const Thing& thing, std::size_t index, const Thing* before = nullptr) {
    const std::string where = place(list.path, index, thing) + " ";
    if (!thing.id) error(where + "id", "The id must not be 0.");
    if (!fields(list.fields(), thing, where)) return;
    rules(thing, where);
    check_lists(thing, before, where, [this](std::string path, std::string message, std::string hint) {
      error(std::move(path), std::move(message), std::move(hint));
    });
  }

  void settings(const SceneSettings& s) {
    if (!fields(settings_fields(), s, "settings.")) return;
    if (s.last_frame < s.first_frame)
      error("settings.last_frame", "The last frame must not come before the first frame.");
  }

  void ids(const Scene& scene) {
    std::map<Id, std::string> seen;
    const auto check = [&](std::string_view list, std::size_t index, const auto& thing) {
      const auto [at, fresh] = seen.emplace(thing.id, place(list, index, thing));
      if (!fresh && thing.id)
        error(place(list, index, thing) + " id",
              "The id " + std::to_string(thing.id.value) + " is already that of " + at->second + ".",
              "Give each " + things_of_scene("and") + " a number of its own.");
    };
    visit_scene_lists([&](const auto& list) {
      const auto& things = scene.*list.member;
      for (std::size_t i = 0; i < things.size(); ++i) check(list.path, i, *things[i]);
    });
  }

  void counts(const Scene& scene) {
    visit_scene_lists([&](const auto& list) {
      if ((scene.*list.member).size() > list.most)
        error(std::string(list.path),
              "A scene has at most " + std::to_string(list.most) + " " + std::string(list.path) + ".");
    });
  }

  /// One of them is current, and names say which is which.
  void takes(const Scene& scene) {
    std::map<std::string_view, std::size_t> seen;
    std::size_t current = 0;
    for (std::size_t i = 0; i < scene.takes.size(); ++i) {
      const Take& take = *scene.takes[i];
      const auto [at, fresh] = seen.emplace(take.name, i);
      if (!fresh)
        error(place("takes", i, take) + " name", "Two takes are named \"" + take.name + "\".",
              "Give each a name of its own.");
      if (take.current && ++current > 1)
        error(place("takes", i, take) + " current", "Another take is current already.", "Let one of them be current.");
    }
    if (!scene.takes.empty() && current == 0)
      error("takes", "None of the takes is current.", "Let one of them be current.");
  }

  /// Each pair is of two objects that there are, and no two of the same.
  void pairs(const Scene& scene) {
    if (scene.pairs.empty()) return;
    std::set<std::uint64_t> objects;
    for (const auto& object : scene.objects) objects.insert(object->id.value);
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> seen;
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
      const ContactPair& pair = *scene.pairs[i];
      const std::string where = place("pairs", i, pair) + " ";
      bool there = true;
      for (const auto& [key, id] : {std::pair("a", pair.a), std::pair("b", pair.b)}) {
        if (objects.contains(id)) continue;
        error(where + key, "The scene has no object with the id " + std::to_string(id) + ".",
              "A pair needs the ids of two objects.");
        there = false;
      }
      if (there && pair.a == pair.b) error(where + "b", "A pair needs two different objects.");
      if (!there || pair.a == pair.b) continue;
      const auto [at, fresh] = seen.emplace(std::minmax(pair.a, pair.b), place("pairs", i, pair));
      if (!fresh) error(where + "b", "The two objects are a pair already: " + at->second + ".");
    }
  }

  /// `changed`: their places; null: all. A track of what is not there is kept and does nothing: another version may know the field.
  void tracks(const Scene& scene, const std::set<std::size_t>* changed = nullptr) {
    std::map<std::pair<std::uint64_t, std::string_view>, std::size_t> seen;
    for (std::size_t i = 0; i < scene.tracks.size(); ++i) {
      const Track& track = *scene.tracks[i];
      const std::string where = place("tracks", i, track) + " ";
      const bool looked_at = changed == nullptr || changed->contains(i);
      const auto field = looked_at ? track_field(scene, track.target, track.field) : std::nullopt;
      if (looked_at && (!field || !field->keyable))
        warning(where + "field",
                "There is nothing here that could be keyed as \"" + track.field + "\"; the track is kept and not used.",
                "Delete it, or key a field of an object, a joint, a force, a field, a particle source, a light, a "
                "camera, a box of a motion graph or the scene.");
      const auto [at, fresh] = seen.emplace(std::pair(track.target, std::string_view(track.field)), i);
      if (!fresh)
        error(where + "field",
              "The field has a track already: " + place("tracks", at->second, *scene.tracks[at->second]) + ".",
              "Put all keys into one of them.");
    }
  }

  /// A joint that cannot hold is kept: what it needs may come.
  void joints(const Scene& scene) {
    for (FaultyJoint& joint : joint_faults(scene))
      warning(std::move(joint.path), std::move(joint.message), std::move(joint.hint));
    for (JumpingLead& lead : jumping_leads(scene))
      warning(std::move(lead.path), std::move(lead.message), std::move(lead.hint));
    for (JointConflict& conflict : joint_conflicts(scene))
      warning(std::move(conflict.path), std::move(conflict.message), std::move(conflict.hint));
  }
  void forces(const Scene& scene) {
    for (IdleForce& force : idle_forces(scene))
      warning(std::move(force.path), std::move(force.message), std::move(force.hint));
  }

  void fields(const Scene& scene) {
    for (IdleField& field : idle_fields(scene))
      warning(std::move(field.path), std::move(field.message), std::move(field.hint));
  }

  void sources(const Scene& scene) {
    for (IdleSource& source : idle_sources(scene))
      warning(std::move(source.path), std::move(source.message), std::move(source.hint));
  }

  /// A pose that does not fit is kept: the analysis model may become what it was.
  void poses(const Scene& scene) {
    for (FaultyPose& pose : pose_faults(scene))
      warning(std::move(pose.path), std::move(pose.message), std::move(pose.hint));
  }

  void pieces(const Scene& scene) {
    for (LooseModel& loose : loose_models(scene))
      warning(std::move(loose.path), std::move(loose.message), std::move(loose.hint));
  }

  /// Of each skin of metaballs the first that goes with a bone which is not there: it goes with another one.
  void metaballs_with_bones(const Scene& scene) {
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      const Object& object = *scene.objects[i];
      if (!has_moving_metaballs(object)) continue;
      const auto& all = object.display.metaballs.primitives;
      const auto lost = std::find_if(all.begin(), all.end(), [&](const MetaballPrimitive& p) {
        return p.bone != 0 && std::none_of(object.mapping.bones.begin(), object.mapping.bones.end(),
                                           [&](const Bone& bone) { return bone.id == p.bone; });
      });
      if (lost == all.end()) continue;
      warning(place("objects", i, object) + " display.metaballs.primitives[" + std::to_string(lost - all.begin()) +
                  (lost->name.empty() ? "]" : "] \"" + lost->name + "\"") + " bone",
              "The object has no bone with the id " + std::to_string(lost->bone) +
                  ", so the metaball goes with the nearest one.",
              "Give the id of one of its bones, or 0 for the nearest one.");
    }
  }

  void motion(const Scene& scene) {
    for (MotionFault& fault : motion_faults(scene))
      warning(std::move(fault.path), std::move(fault.message), std::move(fault.hint));
  }

  /// Where things are said to be there is something, and nothing is in itself or goes with itself.
  void places(const Scene& scene) {
    std::map<std::uint64_t, const Collection*> collections;
    for (const auto& collection : scene.collections) collections.emplace(collection->id.value, collection.get());
    visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
      if constexpr (requires(Thing thing) { thing.collection; })
        for (std::size_t i = 0; i < (scene.*list.member).size(); ++i) {
          const Thing& thing = *(scene.*list.member)[i];
          if (thing.collection != 0 && !collections.contains(thing.collection))
            error(place(list.path, i, thing) + " collection",
                  "The scene has no collection with the id " + std::to_string(thing.collection) + ".",
                  "Give the id of one of its collections, or 0.");
        }
    });
    for (std::size_t i = 0; i < scene.collections.size(); ++i)
      if (in_a_ring(*scene.collections[i], collections, &Collection::collection))
        error(place("collections", i, *scene.collections[i]) + " collection", "A collection must not be in itself.",
              "Put one of those that lie in each other elsewhere.");
    families(scene);
  }

  void groups(const Scene& scene) {
    if (const std::size_t count = ignored_groups(scene); count > kMostGroups)
      error("objects",
            "Objects ignore " + std::to_string(count) + " collision groups of others; at most " +
                std::to_string(kMostGroups) + " are possible.",
            "Give objects that are alike one group.");
  }

  void totals(const Scene& scene) {
    std::int64_t nodes = 0, vertices = 0;
    for (const auto& object : scene.objects) {
      nodes += std::min(node_count(object->analysis), kMaxNodes);  // a larger one is told on its own
      vertices += vertex_count(object->display);
    }
    if (nodes > kMaxNodesInScene)
      error("objects",
            "All analysis models together have " + std::to_string(nodes) + " nodes; at most " +
                std::to_string(kMaxNodesInScene) + " are possible.",
            "Lower the divisions of the largest analysis models.");
    if (vertices > kMaxVerticesInScene)
      error("objects",
            "All display models together have " + std::to_string(vertices) + " vertices; at most " +
                std::to_string(kMaxVerticesInScene) + " are possible.",
            "Lower the divisions of the largest display models.");
  }

 private:
  template <class Thing>
  static bool in_a_ring(const Thing& thing, const std::map<std::uint64_t, const Thing*>& all,
                        std::uint64_t Thing::*above) {
    std::uint64_t at = thing.*above;
    for (std::size_t step = 0; at != 0 && step <= all.size(); ++step) {
      if (at == thing.id.value) return true;
      const auto next = all.find(at);
      at = next == all.end() ? 0 : next->second->*above;
    }
    return false;
  }

  void families(const Scene& scene) {
    if (std::none_of(scene.objects.begin(), scene.objects.end(), [](const auto& o) { return o->parent != 0; })) return;
    std::map<std::uint64_t, const Object*> objects;
    for (const auto& object : scene.objects) objects.emplace(object->id.value, object.get());
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      const Object& o = *scene.objects[i];
      if (o.parent == 0) continue;
      const std::string where = place("objects", i, o) + " parent";
      if (!objects.contains(o.parent))
        error(where, "The scene has no object with the id " + std::to_string(o.parent) + ".",
              "Give the id of one of its objects, or 0.");
      else if (!may_have_parent(o))
        error(where, "Only a fixed object can have a parent; this one moves by itself.",
              "Make it fixed, or take its parent away.");
      else if (in_a_ring(o, objects, &Object::parent))
        error(where, "An object must not go with itself.", "Take the parent of one of them away.");
    }
  }

  void warning(std::string path, std::string message, std::string hint) {
    if (found_.size() < kMaxDiagnostics)
      found_.push_back({Severity::warning, std::move(path), std::move(message), std::move(hint)});
  }

  void error(std::string path, std::string message, std::string hint = {}) {
    if (found_.size() < kMaxDiagnostics)
      found_.push_back({Severity::error, std::move(path), std::move(message), std::move(hint)});
  }

  // What several fields of a thing say together.

  template <class Thing>
  void rules(const Thing&, const std::string&) {}

  void rules(const Light& l, const std::string& where) {
    if (l.kind == LightKind::directional && l.position == l.target)
      error(where + "target", "A directional light must not be at its own target.");
  }

  void rules(const Camera& c, const std::string& where) {
    if (!c.depth.automatic && c.depth.far_plane <= c.depth.near_plane)
      error(where + "depth.far_plane", "The far plane must be beyond the near plane.");
    if (c.position == c.target) error(where + "target", "The camera must not be at its own target.");
  }

  void rules(const Curve& c, const std::string& where) {
    if (c.points.empty())
      error(where + "points", "A curve needs at least one point.", "Give it points, or delete the curve.");
  }

  void rules(const Track& t, const std::string& where) {
    for (std::size_t i = 1; i < t.keys.size(); ++i)
      if (!(t.keys[i].time - t.keys[i - 1].time > kSameTime))
        return error(where + numbered("keys", i), "A key must come after the one before it.",
                     "Sort the keys by time, with one at each moment.");
    if (t.field == "transform.rotation" && t.turn == TurnBy::quaternion)
      for (std::size_t i = 0; i < t.keys.size(); ++i)
        if (const auto& v = t.keys[i].value; std::abs(std::hypot(v[0], v[1], std::hypot(v[2], v[3])) - 1) > 1e-3)
          return error(where + numbered("keys", i), "A key of a rotation must be a unit quaternion.");
  }

  void rules(const Object& o, const std::string& where) {
    display(o.display, where);
    analysis(o, where);
    if (body_kind(o.body.kind).has_lifetime && o.body.death < o.body.birth)
      error(where + "body.death", "Death must not come before birth.");
  }

  void display(const DisplayModel& display, const std::string& where) {
    if (display.kind != DisplayKind::primitive) return;
    const Primitive& p = display.primitive;
    const bool round = p.shape != PrimitiveShape::box && p.shape != PrimitiveShape::plane &&
                       p.shape != PrimitiveShape::wedge && p.shape != PrimitiveShape::rounded_box;
    if (round && p.divisions[0] < 3)
      error(where + "display.primitive.divisions", "A round shape needs at least 3 divisions around.");
    if (p.shape == PrimitiveShape::torus && p.divisions[1] < 3)
      error(where + "display.primitive.divisions", "A torus needs at least 3 divisions around its tube.");
    if (p.shape == PrimitiveShape::sphere && p.divisions[1] < 2)
      error(where + "display.primitive.divisions", "A sphere needs at least 2 divisions from pole to pole.");
  }

  void analysis(const Object& o, const std::string& where) {
    const AnalysisModel& a = o.analysis;
    if (a.kind == AnalysisKind::none) {
      if (bends(o.body))
        error(where + "analysis.kind", "A flexible body needs an analysis model.",
              "Pick a shape of the analysis model first, or let the object move as a rigid body.");
      return;
    }
    if (a.kind != AnalysisKind::strung && node_count(a) > kMaxNodes)
      error(where + "analysis.divisions",
            "The analysis model would have " + std::to_string(node_count(a)) + " nodes; at most " +
                std::to_string(kMaxNodes) + " are possible.",
            "Lower the divisions.");
  }

  Diagnostics found_;
};

/// Whether what is summed up over all objects may be another sum.
template <class Thing>
bool counts_otherwise(const Thing&, const Thing&) {
  return false;
}
bool counts_otherwise(const Object& old, const Object& now) {
  if (old.contact.groups != now.contact.groups || old.contact.ignores != now.contact.ignores) return true;
  return node_count(now.analysis) != node_count(old.analysis) || vertex_count(now.display) != vertex_count(old.display);
}

/// Whether poses may fit otherwise.
template <class Thing>
bool poses_changed(const Thing&, const Thing&) {
  return false;
}
bool poses_changed(const Object& old, const Object& now) {
  const AnalysisModel &a = old.analysis, &b = now.analysis;
  if (b.poses.empty() && b.pose_groups.empty()) return false;
  return !same_fields(analysis_fields(), a, b) || !same_lists(a, b);
}

/// Whether its tetrahedra may be in other pieces, or fly where they did not.
template <class Thing>
bool pieces_changed(const Thing&, const Thing&) {
  return false;
}
bool pieces_changed(const Object& old, const Object& now) {
  return now.analysis.strung != old.analysis.strung || now.analysis.kind != old.analysis.kind ||
         bends(now.body) != bends(old.body);
}

/// Whether what it is in or goes with may no longer be right.
template <class Thing>
bool place_changed(const Thing&, const Thing&) {
  return false;
}
bool place_changed(const Light& old, const Light& now) { return old.collection != now.collection; }
bool place_changed(const Camera& old, const Camera& now) { return old.collection != now.collection; }
bool place_changed(const Curve& old, const Curve& now) { return old.collection != now.collection; }
bool place_changed(const Force& old, const Force& now) { return old.collection != now.collection; }
bool place_changed(const ForceField& old, const ForceField& now) { return old.collection != now.collection; }
bool place_changed(const ParticleSource& old, const ParticleSource& now) { return old.collection != now.collection; }
bool place_changed(const Joint& old, const Joint& now) { return old.collection != now.collection; }
bool place_changed(const Collection& old, const Collection& now) { return old.collection != now.collection; }
bool place_changed(const Object& old, const Object& now) {
  return old.collection != now.collection || old.parent != now.parent || old.body.kind != now.body.kind;
}

}  // namespace

Diagnostics validate(const Scene& scene) {
  Checker checker;
  checker.settings(scene.settings);
  visit_scene_lists_of_file([&](const auto& list) {
    const auto& things = scene.*list.member;
    for (std::size_t i = 0; i < things.size(); ++i) checker.thing(list, *things[i], i);
  });
  checker.counts(scene);
  checker.ids(scene);
  checker.totals(scene);
  checker.groups(scene);
  checker.pairs(scene);
  checker.places(scene);
  checker.tracks(scene);
  checker.joints(scene);
  checker.forces(scene);
  checker.fields(scene);
  checker.sources(scene);
  checker.motion(scene);
  checker.poses(scene);
  checker.pieces(scene);
  checker.metaballs_with_bones(scene);
  checker.takes(scene);
  return checker.take();
}

Diagnostics validate_change(const Scene& before, const Scene& after) {
  Checker checker;
  checker.settings(after.settings);

  // Only what is not the very same value as at the same place before; a list that moved is checked as a
  // whole.
  bool moved = false, totals = false, pairs = false, placed = false, joints = false, forces = false, fields = false,
       sources = false, motion = false, poses = false, pieces = false, keys = false;
  std::set<std::size_t> tracks;
  visit_scene_lists_of_file([&]<class Thing>(const SceneList<Thing>& list) {
    const auto &old = before.*list.member, &now = after.*list.member;
    const auto places = changed_places(old, now);
    if (!places) {
      moved = true;
      for (std::size_t i = 0; i < now.size(); ++i) checker.thing(list, *now[i], i);
      return;
    }
    for (std::size_t i : *places) {
      checker.thing(list, *now[i], i, old[i].get());
      totals = totals || counts_otherwise(*old[i], *now[i]);
      pairs = pairs || std::is_same_v<Thing, ContactPair>;
      joints = joints || std::is_same_v<Thing, Joint> || std::is_same_v<Thing, Object>;
      keys = keys || std::is_same_v<Thing, Track> || std::is_same_v<Thing, Curve>;
      forces = forces || std::is_same_v<Thing, Force> || std::is_same_v<Thing, Object>;
      fields = fields || std::is_same_v<Thing, ForceField>;
      sources = sources || std::is_same_v<Thing, ParticleSource> || std::is_same_v<Thing, Object>;
      motion = motion || std::is_same_v<Thing, MotionNode>;
      if constexpr (std::is_same_v<Thing, Track>) tracks.insert(i);
      placed = placed || place_changed(*old[i], *now[i]);
      poses = poses || poses_changed(*old[i], *now[i]);
      pieces = pieces || pieces_changed(*old[i], *now[i]);
    }
  });
  if (moved) {
    checker.counts(after);
    checker.ids(after);
  }
  if (moved || totals) {
    checker.totals(after);
    checker.groups(after);
  }
  if (moved || pairs) checker.pairs(after);
  if (moved || placed) checker.places(after);
  if (moved || !tracks.empty()) checker.tracks(after, moved ? nullptr : &tracks);
  if (moved || joints) checker.metaballs_with_bones(after);
  if (moved || joints || keys) checker.joints(after);
  if (moved || forces) checker.forces(after);
  if (moved || fields || placed) checker.fields(after);
  if (moved || sources || placed) checker.sources(after);
  if (moved || motion) checker.motion(after);
  if (moved || poses) checker.poses(after);
  if (moved || pieces) checker.pieces(after);
  if (!is_unchanged(before.takes, after.takes)) checker.takes(after);
  return checker.take();
}

}  // namespace hazumi
