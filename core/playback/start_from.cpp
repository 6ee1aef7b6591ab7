#include "core/playback/start_from.h"

#include <algorithm>

#include "core/playback/start_joints.h"

namespace hazumi {

namespace {

/// True: it is there at this time, so that what it does is what it begins with.
bool live_from(double time, BodySettings& body) {
  if (!body_kind(body.kind).has_lifetime) return true;
  const bool there = time >= body.birth;
  body.birth = std::max(0.0, body.birth - time);
  body.death = std::max(0.0, body.death - time);
  return there;
}

}  // namespace

Scene started_from(Scene scene, const Model& model, const State& state, const std::set<Id>& ids) {
  const double time = model.clock.film(state.substep);
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
  return joints_started_from(std::move(scene), model, state, ids);
}

}  // namespace hazumi
