#include "core/scene/derived/keyed_motion.h"

#include <cmath>

#include "core/scene/derived/cameras.h"
#include "core/scene/derived/family.h"
#include "core/scene/derived/following.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/tracks.h"

namespace hazumi {

namespace {

constexpr std::string_view kPosition = "position", kTarget = "target", kRoll = "roll", kRotation = "rotation";

/// Of a lead in the world or on an object, or of a pull.
const Joint* lead_of(const Scene& scene, const Track& track) {
  const Joint* joint = track.field == kTargetPlace ? find_joint(scene, Id{track.target}) : nullptr;
  return joint && has_target(joint->kind) && !goes_along_curve(*joint) ? joint : nullptr;
}

bool says_place(const Track& track) {
  return track.field == "transform.position" || track.field == "transform.rotation" || track.field == kPosition ||
         track.field == kTarget || track.field == kRotation;
}

bool is_on_curve(const Scene& scene, Id thing) {
  if (const Object* object = find_object(scene, thing)) return curve_of(scene, *object) != nullptr;
  const Camera* camera = find_camera(scene, thing);
  return camera && curve_of(scene, *camera) != nullptr;
}

Vec3 vector_at(const Scene& scene, const Track& track, std::string_view field, double time) {
  const auto value = value_at(scene, track.target, field, time);
  return value ? std::get<Vec3>(*value) : Vec3(Vec3::Zero());
}

/// The camera as its keys have it at a time.
Camera camera_at(const Scene& scene, const Camera& camera, const Track& track, double time) {
  Camera now = camera;
  now.position = vector_at(scene, track, kPosition, time);
  now.target = vector_at(scene, track, kTarget, time);
  if (const auto roll = value_at(scene, track.target, kRoll, time)) now.roll = std::get<double>(*roll);
  return now;
}

void aim_keys(const Scene& scene, Track& track, const MotionChange& change) {
  for (Key& key : track.keys) {
    const Vec3 eye = vector_at(scene, track, kPosition, key.time);
    const Vec3 at(key.value[0], key.value[1], key.value[2]);
    const auto put = [](std::array<double, 4>& to, const Vec3& v) { to = {v.x(), v.y(), v.z(), 0}; };
    put(key.value, change.place(eye) + change.turn * (at - eye));
    for (auto* slope : {&key.in, &key.out}) put(*slope, change.turn * Vec3((*slope)[0], (*slope)[1], (*slope)[2]));
  }
}

void roll_keys(const Scene& scene, const Camera& camera, Track& track, const MotionChange& change) {
  for (Key& key : track.keys) {
    Camera now = camera_at(scene, camera, track, key.time);
    turn_camera(now, change.turn.toRotationMatrix() * camera_axes(now));
    key.value[0] = now.roll;
  }
}

}  // namespace

bool has_keyed_motion(const Scene& scene, Id thing) {
  if (is_on_curve(scene, thing)) return false;
  for (const auto& track : scene.tracks)
    if (Id{track->target} == thing && track->visible && !track->keys.empty() &&
        (says_place(*track) || lead_of(scene, *track)))
      return true;
  return false;
}

std::set<Id> keyed_below(const Scene& scene, const std::set<Id>& ids) {
  std::set<Id> below;
  for (const Id id : with_families(scene, ids))
    if (!ids.contains(id) && has_keyed_motion(scene, id)) below.insert(id);
  return below;
}

Scene with_motion_changed(Scene scene, const std::set<Id>& things, const MotionChange& change) {
  const Scene before = scene;
  const bool turned = !change.turn.coeffs().isApprox(Quat::Identity().coeffs(), 0);
  for (auto& track : scene.tracks) {
    const Id thing{track->target};
    if (!things.contains(thing) || track->keys.empty()) continue;
    if (const Joint* lead = lead_of(before, *track)) {
      track = track.edited([&](Track& t) { move_target_keys(before, *lead, {}, change.place, t); });
      continue;
    }
    const Camera* camera = find_camera(before, thing);
    const bool rolls = camera && turned && track->field == kRoll && camera->looks_at == 0;
    if (!says_place(*track) && !rolls) continue;
    if (track->field == kTarget && !camera && !change.aims) continue;
    track = track.edited([&](Track& t) {
      if (rolls)
        roll_keys(before, *camera, t, change);
      else if (t.field == kTarget)
        aim_keys(before, t, change);
      else if (t.field == "transform.rotation" || t.field == kRotation ? turned : true)
        move_keys(t, change.place, change.turn);
    });
  }
  return scene;
}

}  // namespace hazumi
