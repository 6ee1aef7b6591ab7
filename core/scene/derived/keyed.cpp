#include "core/scene/derived/keyed.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/geometry/curve/follow.h"
#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/family.h"
#include "core/scene/derived/felt.h"
#include "core/scene/derived/following.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/joint_tracks.h"
#include "core/scene/derived/leading.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/derived/pushes.h"
#include "core/scene/derived/shape_keys.h"
#include "core/scene/derived/sources.h"
#include "core/scene/derived/substance_keys.h"
#include "core/scene/values/scene_lists.h"

namespace hazumi {

namespace {

constexpr std::string_view kPlacePath = "transform.position", kTurnPath = "transform.rotation", kLedPath = "body.led";

/// Whether it has anything that the field would say.
template <class Owner>
bool can_follow(const Owner& owner, const Field<Owner>& row) {
  if constexpr (std::is_same_v<Owner, Joint>)
    return row.shown(owner) && (row.path != kTargetPlace || has_two_places(owner.kind));
  else
    return true;
}

/// Its curve says it (following.h).
bool is_said_by_curve(const Scene& scene, const Object& object, std::string_view path) {
  if (object.follow.curve == 0 || !path.starts_with("transform.") || !curve_of(scene, object)) return false;
  return path == "transform.position" || object.follow.turned || looked_at(scene, object);
}
bool is_said_by_curve(const Scene& scene, const Camera& camera, std::string_view path) {
  if (camera.follow.curve == 0 || !curve_of(scene, camera)) return false;
  return path == "position" || (path == "target" && camera.follow.turned && camera.looks_at == 0);
}
bool is_said_by_curve(const Scene&, const auto&, std::string_view) { return false; }

/// The owner has of this row what another one has.
template <class Owner>
void take(Owner& owner, const Owner& from, const Field<Owner>& row) {
  if constexpr (std::is_same_v<Owner, MotionNode>) {
    // As it is there, with what is kept with it.
    const std::string_view name = parameter_of(row.path);
    if (!is_parameter(row.path))
      row.set(owner, row.get(from));
    else if (const MotionParameter* own = find_parameter(from, name))
      set_parameter(owner, *own);
    else
      remove_parameter(owner, name);
  } else {
    row.set(owner, row.get(from));
  }
}

class Keyer {
 public:
  Keyer(const Scene& scene, double time, bool automatic) : scene_(scene), time_(time), automatic_(automatic) {
    for (const auto& track : scene.tracks)
      if (track->visible && !track->keys.empty()) tracks_.emplace(track->target, track->field);
    if (automatic)
      for (const Carried& one : carried_objects(scene)) carried_.insert(one.child.value);
  }

  /// What of `next` is a value of the scene; the rest is kept to be keyed.
  template <class Owner>
  void split(std::span<const Field<Owner>> rows, std::uint64_t target, std::string_view prefix, const Owner& own,
             const Owner& shown, Owner& next) {
    for (const Field<Owner>& row : rows) {
      if (!row.keyable) continue;
      if (is_said_by_curve(scene_, next, row.path)) {
        take(next, own, row);
        continue;
      }
      std::string path = std::string(prefix) + std::string(row.path);
      const bool tracked = tracks_.contains({target, path});
      // What is carried goes on being carried: it is another place on its carrier, not a place in the world from now on.
      const bool stays_on = !tracked && carried_.contains(target) && (path == kPlacePath || path == kTurnPath);
      const bool follows = can_follow(next, row) && !stays_on;
      const FieldValue wanted = row.get(next);
      const bool differs = !operator_equal(wanted, row.get(shown));
      const bool key = differs && follows && (tracked || automatic_);
      if (key) keys_.push_back({target, std::move(path), wanted});
      const bool start = row.effect != Effect::look && time_ <= kSameTime;
      if (key ? !start : !differs) take(next, own, row);
    }
  }

  /// Of an object that physics has moved to where it was shown: a key of its place is one of its rotation too, and leads it.
  void take_from_physics(std::uint64_t target, const Transform& wanted) {
    const auto find = [&](std::string_view path) {
      return std::any_of(keys_.begin(), keys_.end(),
                         [&](const Wanted& key) { return key.target == target && key.path == path; });
    };
    // On a curve it is taken along it.
    if (find(kAlong)) return taken_.push_back(target);
    const bool place = find(kPlacePath), turn = find(kTurnPath);
    if (!place && !turn) return;
    if (!place) keys_.push_back({target, std::string(kPlacePath), wanted.position});
    if (!turn) keys_.push_back({target, std::string(kTurnPath), wanted.rotation});
    taken_.push_back(target);
  }

  Scene done(const Scene& scene, Scene next) const {
    for (const auto& key : keys_) next = with_key(std::move(next), key.target, key.path, time_, key.value);
    for (const std::uint64_t target : taken_) next = led_from_then(scene, std::move(next), target, time_);
    return next;
  }

 private:
  struct Wanted {
    std::uint64_t target;
    std::string path;
    FieldValue value;
  };
  const Scene& scene_;
  const double time_;
  const bool automatic_;
  std::set<std::pair<std::uint64_t, std::string>> tracks_;
  std::set<std::uint64_t> carried_;
  std::vector<Wanted> keys_;
  std::vector<std::uint64_t> taken_;
};

template <class Thing>
const Shared<Thing>* same_thing(const std::vector<Shared<Thing>>& things, std::size_t place, Id id) {
  if (place < things.size() && things[place]->id == id) return &things[place];
  const auto at = std::find_if(things.begin(), things.end(), [id](const auto& thing) { return thing->id == id; });
  return at == things.end() ? nullptr : &*at;
}

}  // namespace

Scene shown_at(const Scene& scene, double time, const MovedPoses& moved) {
  if (scene.tracks.empty() && scene.curves.empty() && moved.empty()) return scene;
  Scene shown =
      boxes_at(sources_at(fields_at(forces_at(joints_at(scene_at(scene, time), time), time), time), time), time);
  for (const Field<SceneSettings>& row : settings_fields()) {
    if (!row.keyable || row.effect == Effect::look) continue;
    const std::string path = "settings." + std::string(row.path);
    if (find_track(scene, 0, path)) row.set(shown.settings, *value_at(scene, 0, path, time));
  }
  for (const SizeTrack& sized : sized_objects(scene))
    shown = with_object(std::move(shown), sized.object, [&](Object& o) {
      o.body.volume.size = std::get<double>(*value_at(scene, sized.object.value, "body.volume.size", time));
    });
  for (const ShapeTracks& shaped : shaped_objects(scene))
    shown = with_object(std::move(shown), shaped.object, [&](Object& o) {
      if (shaped.pose)
        o.body.shape.pose =
            static_cast<int>(std::get<std::int64_t>(*value_at(scene, shaped.object.value, "body.shape.pose", time)));
      if (shaped.following)
        o.body.shape.following = std::get<double>(*value_at(scene, shaped.object.value, "body.shape.following", time));
    });
  for (const SubstanceTracks& tracks : substance_keys(scene))
    shown = with_object(std::move(shown), tracks.object, [&](Object& o) {
      const SubstanceTold now = substance_at(o, tracks, time);
      o.material.substance.friction = now.friction;
      o.material.substance.restitution = now.restitution;
      o.body.gravity = now.gravity;
    });
  for (auto& object : shown.objects) {
    const auto seen = moved.empty() ? moved.end() : moved.find(object->id);
    if (seen == moved.end()) continue;
    object = object.edited([&](Object& o) {
      o.transform.position = seen->second.position;
      o.transform.rotation = seen->second.rotation;
      if (const Shared<Curve>* curve = o.follow.curve != 0 ? curve_of(scene, o) : nullptr)
        o.follow.along = nearest_over(*way_of(*curve), seen->second.position, o.follow.height, o.follow.along);
    });
  }
  const std::vector<LedTracks> all = led_objects(scene);
  std::vector<std::size_t> lookers;
  for (std::size_t i = 0; !all.empty() && i < scene.objects.size(); ++i) {
    const Object& object = *scene.objects[i];
    const auto led = std::lower_bound(all.begin(), all.end(), object.id,
                                      [](const LedTracks& one, Id id) { return one.object < id; });
    if (led == all.end() || led->object != object.id) continue;
    const bool now = led_now(*led, object, time);
    if (!now && !led->led) continue;
    const Pose pose = led_pose(*led, object, time);
    shown.objects[i] = shown.objects[i].edited([&](Object& o) {
      o.body.led = now;
      if (!now) return;
      o.transform.position = pose.position;
      o.transform.rotation = pose.rotation;
    });
    if (now && led->looks_at) lookers.push_back(i);
  }
  for (const std::size_t i : lookers) {
    const Object& o = *shown.objects[i];
    const Vec3 target = find_object(shown, looked_at(shown, o))->transform.position;
    if (const auto turn = looking_at(o.transform.position, target, o.follow.roll))
      shown.objects[i] = shown.objects[i].edited([&](Object& looker) { looker.transform.rotation = *turn; });
  }
  return shown;
}

Scene led_from_then(const Scene& before, Scene next, std::uint64_t target, double time) {
  const bool switched = find_track(before, target, kLedPath) != nullptr;
  const auto keyed = [&](std::string_view field) { return find_track(before, target, field) != nullptr; };
  if (!switched && (keyed(kPlacePath) || keyed(kTurnPath) || keyed(kAlong))) return next;
  if (!switched) next = with_key(std::move(next), target, kLedPath, 0, false);
  return with_key(std::move(next), target, kLedPath, time, true);
}

Scene keyed(const Scene& scene, const Scene& shown, Scene next, double time, bool automatic, const MovedPoses& moved) {
  next = slid(shown, std::move(next));
  if (scene.tracks.empty() && !automatic && moved.empty()) return next;
  Keyer keyer(scene, time, automatic);
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if constexpr (std::is_same_v<Thing, Object> || std::is_same_v<Thing, Light> || std::is_same_v<Thing, Camera> ||
                  std::is_same_v<Thing, Joint> || std::is_same_v<Thing, Force> || std::is_same_v<Thing, ForceField> ||
                  std::is_same_v<Thing, ParticleSource> || std::is_same_v<Thing, MotionNode>) {
      auto& things = next.*list.member;
      for (std::size_t i = 0; i < things.size(); ++i) {
        const Id id = things[i]->id;
        const Shared<Thing>*own = same_thing(scene.*list.member, i, id), *was = same_thing(shown.*list.member, i, id);
        if (!own || !was) continue;
        if (things[i].same_as(*was)) {
          things[i] = *own;
          continue;
        }
        const Shared<Thing> wanted = things[i];
        things[i] = things[i].edited([&](Thing& thing) {
          if constexpr (std::is_same_v<Thing, MotionNode>)
            keyer.split<MotionNode>(keyable_rows(thing), id.value, "", **own, **was, thing);
          else
            keyer.split(list.fields(), id.value, "", **own, **was, thing);
        });
        if constexpr (std::is_same_v<Thing, Object>)
          if (moved.contains(id)) keyer.take_from_physics(id.value, wanted->transform);
      }
    }
  });
  keyer.split(settings_fields(), 0, "settings.", scene.settings, shown.settings, next.settings);
  return keyer.done(scene, std::move(next));
}

std::string key_problem(const Scene& scene, std::uint64_t target, std::string_view field) {
  const auto row = track_field(scene, target, field);
  if (row && !row->keyable && may_be_of_box(field))
    return "No run reads this: it counts for who presses keys while it plays. It has no keys in time.";
  if (!row || !row->keyable) return "This field cannot be keyed: the whole motion is made from it.";
  const Object* object = target != 0 ? find_object(scene, Id{target}) : nullptr;
  const Field<Object>* own = object ? find_field(object_fields(), field) : nullptr;
  if (own && is_said_by_curve(scene, *object, field))
    return "The object is on a curve, which says this; key Along, or take it from its curve.";
  if (own && (field == kPlacePath || field == kTurnPath) && !find_track(scene, target, field))
    for (const Carried& one : carried_objects(scene))
      if (one.child.value == target)
        return object->name + " goes with " + find_object(scene, one.carrier)->name +
               ", which carries it; key that, or clear its parent first (Object, Clear Parent).";
  if (const MotionNode* node = target != 0 ? find_motion(scene, Id{target}) : nullptr;
      node && is_expression(*node, field))
    return "An expression says this; give it a number first, then key it.";
  const Joint* joint = target != 0 ? find_joint(scene, Id{target}) : nullptr;
  const Field<Joint>* of_joint = joint ? find_field(joint_fields(), field) : nullptr;
  if (of_joint && field == kTargetPlace && !can_follow(*joint, *of_joint))
    return joint->kind == JointKind::lead ? "The lead goes along a curve, which says where; key Along."
                                          : joint->name + " has one place alone; key First place.";
  if (of_joint && !can_follow(*joint, *of_joint))
    return joint->name + " has nothing now that this field would say; it cannot be keyed.";
  return {};
}

}  // namespace hazumi
