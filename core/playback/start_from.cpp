#include "core/playback/start_from.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/playback/start_joints.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/values/lists.h"
#include "core/sim/elastic/solver.h"

namespace hazumi {

namespace {

constexpr std::string_view kMomentOfTime = "event.time.time";

/// True: it is there at this time, so that what it does is what it begins with.
bool live_from(double time, BodySettings& body) {
  if (!body_kind(body.kind).has_lifetime) return true;
  const bool there = time >= body.birth;
  body.birth = std::max(0.0, body.birth - time);
  body.death = std::max(0.0, body.death - time);
  return there;
}

/// A key of a place or a rotation at time 0 alone is a start, and that is another one now.
bool is_start(const Track& track) {
  return (track.field == "transform.position" || track.field == "transform.rotation") &&
         std::all_of(track.keys.begin(), track.keys.end(),
                     [](const Key& key) { return std::abs(key.time) <= kSameTime; });
}

/// What is keyed goes on as its keys say from there: they keep their way, and lie so much earlier.
void shift_keys(double time, const std::function<bool(const Track&)>& goes_on, Scene& scene) {
  std::erase_if(scene.tracks, [&](const auto& track) { return goes_on(*track) && is_start(*track); });
  for (Shared<Track>& track : scene.tracks) {
    if (!goes_on(*track)) continue;
    track = track.edited([&](Track& t) {
      for (Key& key : t.keys) {
        key.time -= time;
        if (t.field == kMomentOfTime) key.value[0] -= time;
      }
    });
  }
}

/// What keys lead by its place alone is turned as it says itself while they do, and the other way round; it says something else from now on.
void key_what_was_said(const Scene& before, double time, const std::set<Id>& ids, Scene& scene) {
  for (const LedTracks& led : led_objects(before)) {
    if (led.curve || (!ids.empty() && !ids.contains(led.object))) continue;
    const Transform& own = find_object(before, led.object)->transform;
    if (!led.rotation) scene = with_key(std::move(scene), led.object.value, "transform.rotation", -time, own.rotation);
    if (!led.position) scene = with_key(std::move(scene), led.object.value, "transform.position", -time, own.position);
  }
}

/// Markers, sounds, sources and events that wait for a moment of the film, too.
void shift_moments(double time, Scene& scene) {
  for (Shared<Marker>& marker : scene.markers) marker = marker.edited([&](Marker& m) { m.time -= time; });
  for (Shared<Sound>& sound : scene.sounds) sound = sound.edited([&](Sound& s) { s.start -= time; });
  for (Shared<ParticleSource>& source : scene.particles)
    if (source->start > time) source = source.edited([&](ParticleSource& s) { s.start -= time; });
  for (Shared<MotionNode>& node : scene.motion)
    if (const std::optional<double> moment = timed_at(*node))
      node = node.edited([&](MotionNode& n) { set_parameter(n, {"time", {}, *moment - time}); });
}

/// The thing whose field a track says is one of these objects, or of them alone.
bool is_of(const Scene& scene, std::uint64_t target, const std::set<Id>& ids) {
  if (ids.contains(Id{target})) return true;
  const auto begins = [&](std::uint64_t id) { return id == 0 || ids.contains(Id{id}); };
  if (const Joint* joint = find_joint(scene, Id{target}))
    return begins(joint->a.object) && begins(joint->b.object) && (joint->a.object != 0 || joint->b.object != 0);
  const Force* force = find_force(scene, Id{target});
  return force && force->object != 0 && begins(force->object);
}

}  // namespace

Scene started_from(Scene scene, const Model& model, const State& state, const std::set<Id>& ids) {
  const double time = model.clock.film(state.substep);
  const Scene before = scene;
  for (Shared<Object>& object : scene.objects) {
    if (!ids.empty() && !ids.contains(object->id)) continue;
    const Body* body = model.bodies.find(object->id);
    if (!body || !body->moves) continue;
    const std::uint32_t number = model.bodies.number(object->id);
    object = object.edited([&](Object& o) {
      if (!live_from(time, o.body)) return;
      BodyStart start = body->start_of(state.bodies[number].values);
      o.transform.position = start.pose.position;
      o.transform.rotation = start.pose.rotation;
      o.body.velocity = start.velocity;
      if (body_kind(o.body.kind).turns) o.body.spin = start.spin;
      o.body.start = std::move(start.nodes);
      o.body.start_springs = std::move(start.springs);
      if (start.solver >= 0) o.body.solver = elastic_solvers()[static_cast<std::size_t>(start.solver)]->name;
    });
  }
  // What they carry begins where it is. On what bends that is not where the whole would have it (sim/carried.h).
  for (const CarriedBody& carried : model.carried) {
    const Id child = model.bodies[carried.child].id, carrier = model.bodies[carried.carrier].id;
    if (!ids.empty() && !ids.contains(carrier)) continue;
    const Pose pose = carried_pose(model, state, carried);
    scene = with_object(std::move(scene), child, [&](Object& o) {
      o.transform.position = pose.position;
      o.transform.rotation = pose.rotation;
    });
  }
  if (!(time > 0)) return joints_started_from(std::move(scene), model, state, ids);
  shift_keys(
      time, [&](const Track& track) { return ids.empty() || is_of(scene, track.target, ids); }, scene);
  key_what_was_said(before, time, ids, scene);
  if (ids.empty()) shift_moments(time, scene);
  return joints_started_from(std::move(scene), model, state, ids);
}

}  // namespace hazumi
