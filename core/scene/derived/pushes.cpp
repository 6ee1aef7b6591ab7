#include "core/scene/derived/pushes.h"

#include <algorithm>
#include <map>

#include "core/scene/derived/list_at.h"
#include "core/scene/derived/track_hash.h"
#include "core/scene/values/body_kinds.h"
#include "core/scene/values/variants.h"

namespace hazumi {

namespace {

constexpr std::string_view kOn = "on", kPush = "push";

void take(Push& push, const Track& track) {
  if (!track.visible || track.keys.empty()) return;
  if (track.field == kOn) push.on = &track;
  if (track.field == kPush) push.push = &track;
}

}  // namespace

Push push_of(const Scene& scene, const Force& force) {
  Push push{&force};
  for (const auto& track : scene.tracks)
    if (track->target == force.id.value) take(push, *track);
  return push;
}

std::vector<Push> pushes(const Scene& scene) {
  if (scene.forces.empty()) return {};
  std::map<std::uint64_t, Push> all;
  for (const auto& force : scene.forces) {
    const Object* object = find_object(scene, Id{force->object});
    if (object && body_kind(object->body.kind).moves) all[force->id.value].force = force.get();
  }
  for (const auto& track : scene.tracks)
    if (const auto at = all.find(track->target); at != all.end()) take(at->second, *track);
  std::vector<Push> found;
  for (const auto& [id, push] : all)
    if (push.force->on || push.on) found.push_back(push);
  return found;
}

Vec3 pushed(const Push& push, std::int64_t substep, const RunClock& clock) {
  const double begin = clock.film(substep);
  const bool on = push.on ? track_value(*push.on, FieldType::boolean, begin)[0] >= 0.5 : push.force->on;
  if (!on) return Vec3::Zero();
  if (!push.push) return push.force->push;
  const double middle =
      clock.even() ? (static_cast<double>(substep) + 0.5) * clock.step() : 0.5 * (begin + clock.film(substep + 1));
  const auto v = track_value(*push.push, FieldType::vector, middle);
  return Vec3(v[0], v[1], v[2]);
}

std::vector<IdleForce> idle_forces(const Scene& scene) {
  std::vector<IdleForce> all;
  for (std::size_t i = 0; i < scene.forces.size(); ++i) {
    const Force& force = *scene.forces[i];
    const std::string where = "forces[" + std::to_string(i) + "] \"" + force.name + "\" ";
    const Object* object = find_object(scene, Id{force.object});
    if (!object) {
      all.push_back({force.id, where + "object",
                     force.object == 0 ? force.name + " has no object; it pushes nothing."
                                       : "What " + force.name + " pushes is gone; it pushes nothing.",
                     "Give it an object, or delete it."});
      continue;
    }
    if (!body_kind(object->body.kind).moves) {
      all.push_back({force.id, where + "object",
                     object->name + " does not move by itself; " + force.name + " pushes nothing.",
                     "Make it rigid or flexible, or push what carries it."});
      continue;
    }
    const auto beyond = [&](const std::array<std::uint32_t, 1>& node) {
      return bends(object->body) && static_cast<std::int64_t>(node[0]) >= node_count(object->analysis);
    };
    const auto lost = std::find_if(force.nodes.begin(), force.nodes.end(), beyond);
    if (lost != force.nodes.end())
      all.push_back({force.id, where + "nodes",
                     force.name + " pushes node " + std::to_string((*lost)[0]) + ", which " + object->name +
                         " has not; it pushes the others alone.",
                     "Push its nodes anew, or delete the force."});
  }
  return all;
}

Scene forces_at(Scene scene, double time) {
  put_keyed_values(scene.forces, force_fields(), scene, time);
  return scene;
}

void add_pushes(Hasher& hasher, const Scene& scene) {
  for (const Push& push : pushes(scene)) {
    if (!push.on && !push.push) continue;
    hasher.add(std::string_view("force")).add(push.force->id.value);
    add_track(hasher, push.on);
    add_track(hasher, push.push);
  }
}

}  // namespace hazumi
