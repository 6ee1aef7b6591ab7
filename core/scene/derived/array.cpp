#include "core/scene/derived/array.h"

#include <cmath>
#include <numbers>

#include "core/scene/derived/cameras.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/parts.h"
#include "core/scene/derived/tracks.h"

namespace hazumi {

namespace {

/// x → centre + turn (x − centre) + shift
struct Placing {
  Vec3 shift = Vec3::Zero(), centre = Vec3::Zero();
  Quat turn = Quat::Identity();  ///< of places
  bool turned = false;           ///< of things too
  Vec3 operator()(const Vec3& x) const { return centre + turn * (x - centre) + shift; }
};

Placing placing(const ArraySettings& settings, int number) {
  Placing out;
  if (settings.kind == ArrayKind::row) {
    out.shift = number * settings.offset;
    return out;
  }
  const bool whole = std::abs(settings.angle) >= 2 * std::numbers::pi - 1e-9;
  const int steps = whole ? settings.count : settings.count - 1;
  out.centre = settings.centre;
  out.turned = settings.turned;
  out.turn = Quat(Eigen::AngleAxisd(settings.angle * number / std::max(steps, 1), Vec3::Unit(settings.axis)));
  return out;
}

void place(Object& object, const Placing& to) {
  object.transform.position = to(object.transform.position);
  if (!to.turned) return;
  object.transform.rotation = (to.turn * object.transform.rotation).normalized();
  object.body.velocity = to.turn * object.body.velocity;
  object.body.spin = to.turn * object.body.spin;
}

void place(Light& light, const Placing& to) {
  const Vec3 way = light.target - light.position;
  light.position = to(light.position);
  light.target = light.position + (to.turned ? Vec3(to.turn * way) : way);
}

void place(Camera& camera, const Placing& to) {
  const Vec3 way = camera.target - camera.position;
  const Mat3 axes = camera_axes(camera);
  camera.position = to(camera.position);
  camera.target = camera.position + way;
  if (to.turned) turn_camera(camera, to.turn * axes);
}

void place(Curve& curve, const Placing& to) {
  curve.transform.position = to(curve.transform.position);
  if (to.turned) curve.transform.rotation = (to.turn * curve.transform.rotation).normalized();
}

void place(ForceField& field, const Placing& to) {
  field.position = to(field.position);
  if (to.turned) field.rotation = (to.turn * field.rotation).normalized();
}

/// What is carried stays where it is on the copy of its carrier.
void place(const Scene& part, ParticleSource& source, const Placing& to) {
  if (source.carrier != 0 && find_object(part, Id{source.carrier})) return;
  source.position = to(source.position);
  if (to.turned) source.rotation = (to.turn * source.rotation).normalized();
}

/// The joints of the copies hold them as their originals do, and those that were asked for by themselves get copies too; the ids of all.
std::vector<Id> join_copies(Scene& scene, const Scene& before, const std::set<Id>& ids, const Placing& to,
                            std::map<Id, Id> copies) {
  std::vector<Id> made;
  std::set<Id> wanted = joints_among(before, ids);
  for (const auto& joint : before.joints)
    if (ids.count(joint->id) != 0) wanted.insert(joint->id);
  std::uint64_t next = next_id(scene).value;
  for (const Id id : wanted)
    if (copies.count(id) == 0) copies.emplace(id, Id{next++});
  for (const auto& joint : before.joints) {
    if (wanted.count(joint->id) == 0) continue;
    Joint copy = joint_of_copies(before, *joint, copies, to, to.turned ? to.turn : Quat::Identity());
    copy.id = copies.at(joint->id);
    made.push_back(copy.id);
    if (const Joint* there = find_joint(scene, copy.id)) {
      copy.name = there->name;
      scene = with_joint(std::move(scene), copy.id, [&](Joint& j) { j = copy; });
      continue;
    }
    copy.name = unique_name(scene, copy.name);
    scene.joints.push_back(Shared<Joint>(std::move(copy)));
  }
  return made;
}

void turn_vectors(Track& track, const Quat& turn) {
  for (Key& key : track.keys)
    for (auto* v : {&key.value, &key.in, &key.out}) {
      const Vec3 turned = turn * Vec3((*v)[0], (*v)[1], (*v)[2]);
      *v = {turned.x(), turned.y(), turned.z(), 0};
    }
}

/// Copies are in the collections of their originals, and go with their parents, or with copies of these where there are some.
void stay_home(Scene& scene, const Scene& before, const std::set<Id>& ids, const std::map<Id, Id>& copies) {
  for (const auto& [id, copy] : copies) {
    if (const Object* original = find_object(before, id))
      scene = with_object(std::move(scene), copy, [&](Object& o) {
        o.collection = original->collection;
        if (original->parent != 0 && ids.count(Id{original->parent}) == 0) o.parent = original->parent;
        for (std::size_t b = 0; b < o.mapping.bones.size(); ++b)  // a skin is copied alone: its copy goes with the same
          if (o.mapping.bones[b].carrier == 0) o.mapping.bones[b].carrier = original->mapping.bones[b].carrier;
      });
    if (const Light* original = find_light(before, id))
      scene = with_light(std::move(scene), copy, [&](Light& l) { l.collection = original->collection; });
    if (const Curve* original = find_curve(before, id))
      scene = with_curve(std::move(scene), copy, [&](Curve& c) { c.collection = original->collection; });
    if (const ForceField* original = find_force_field(before, id))
      scene = with_force_field(std::move(scene), copy, [&](ForceField& f) {
        f.collection = original->collection;
        f.feels = original->feels;
        if (f.curve == 0) f.curve = original->curve;
      });
    if (const ParticleSource* original = find_source(before, id))
      scene = with_source(std::move(scene), copy, [&](ParticleSource& s) {
        s.collection = original->collection;
        s.meets = original->meets;
        if (s.carrier == 0) s.carrier = original->carrier;
        if (s.curve == 0) s.curve = original->curve;
        if (s.into == 0) s.into = original->into;
        if (s.copies == 0) s.copies = original->copies;
      });
    if (const Camera* original = find_camera(before, id))
      scene = with_camera(std::move(scene), copy, [&](Camera& c) {
        c.collection = original->collection;
        if (c.looks_at == 0) c.looks_at = original->looks_at;
      });
  }
}

}  // namespace

Array arrayed(Scene scene, const std::set<Id>& ids, const ArraySettings& settings) {
  Scene part = part_of(scene, ids);
  // They stay in this scene, so that meshes keep the name that they have here.
  for (auto& object : part.objects)
    object = object.edited([&](Object& o) { o.display.mesh = find_object(scene, o.id)->display.mesh; });
  std::map<Id, Id> among;  // what has copies
  for (const auto& object : part.objects) among.emplace(object->id, object->id);
  const Scene originals = scene;
  Array out{std::move(scene), {}};
  for (int number = 1; number < settings.count; ++number) {
    const Placing to = placing(settings, number);
    Scene copy = part;
    for (auto& object : copy.objects) object = object.edited([&](Object& o) { place(o, to); });
    for (auto& light : copy.lights) light = light.edited([&](Light& l) { place(l, to); });
    for (auto& camera : copy.cameras) camera = camera.edited([&](Camera& c) { place(c, to); });
    for (auto& curve : copy.curves) curve = curve.edited([&](Curve& c) { place(c, to); });
    for (auto& field : copy.fields) field = field.edited([&](ForceField& f) { place(f, to); });
    for (auto& source : copy.particles) source = source.edited([&](ParticleSource& s) { place(copy, s, to); });
    for (auto& track : copy.tracks)
      track = track.edited([&](Track& t) {
        move_keys(t, to, to.turned ? to.turn : Quat::Identity());
        if (const Joint* joint = find_joint(part, Id{t.target})) move_target_keys(part, *joint, among, to, t);
      });
    if (to.turned)
      for (auto& force : copy.forces) {
        if (force->own_axes) continue;
        force = force.edited([&](Force& f) { f.push = to.turn * f.push; });
        for (auto& track : copy.tracks)
          if (track->target == force->id.value && track->field == "push")
            track = track.edited([&](Track& t) { turn_vectors(t, to.turn); });
      }
    JoinedScene made = joined(std::move(out.scene), copy);
    out.scene = std::move(made.scene);
    stay_home(out.scene, originals, ids, made.ids);
    for (const auto& object : copy.objects) out.copies.push_back(made.ids.at(object->id));
    for (const auto& light : copy.lights) out.copies.push_back(made.ids.at(light->id));
    for (const auto& curve : copy.curves) out.copies.push_back(made.ids.at(curve->id));
    for (const auto& field : copy.fields) out.copies.push_back(made.ids.at(field->id));
    for (const auto& source : copy.particles) out.copies.push_back(made.ids.at(source->id));
    for (const Id joint : join_copies(out.scene, originals, ids, to, made.ids)) out.copies.push_back(joint);
  }
  return out;
}

}  // namespace hazumi
