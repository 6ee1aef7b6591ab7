#include "ui/tools/transform_target.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/geometry/curve/follow.h"
#include "core/scene/derived/cameras.h"
#include "core/scene/derived/collections.h"
#include "core/scene/derived/family.h"
#include "core/scene/derived/following.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/keyed.h"
#include "core/scene/derived/skinning.h"

namespace hazumi {

namespace {

int frame_of(const KeyedAt& keys) { return static_cast<int>(std::lround(keys.time * keys.shown->settings.frame_rate)); }

Transform changed(const Transform& from, const TransformValue& value) {
  Transform to = from;
  switch (value.mode) {
    case TransformMode::move:
      to.position += value.move;
      return to;
    case TransformMode::rotate:
      return value.angle == 0 ? to : rotated(to, value.pivot, value.axis, value.angle);
    case TransformMode::scale:
      return value.factors == Vec3::Ones() ? to : scaled(to, value.pivot, value.frame, value.factors);
  }
  return to;
}

Vec3 changed(const Vec3& place, const TransformValue& value) {
  Transform at;
  at.position = place;
  return changed(at, value).position;
}

bool turns(const TransformValue& value) { return value.mode == TransformMode::rotate && value.angle != 0; }

bool changes_nothing(const TransformValue& value) {
  return value.mode == TransformMode::move     ? value.move.isZero(0)
         : value.mode == TransformMode::rotate ? value.angle == 0
                                               : value.factors == Vec3::Ones();
}

/// A light has a place and a direction but no axes of its own: turning it turns where it shines.
void change(Light& light, const TransformValue& value) {
  const Vec3 beam = light.target - light.position;
  light.position = changed(light.position, value);
  if (turns(value)) light.target = light.position + Eigen::AngleAxisd(value.angle, value.axis) * beam;
}

/// Scaled, its shape is; a field that acts everywhere has none.
void change(ForceField& field, const TransformValue& value) {
  Transform at;
  at.position = field.position;
  at.rotation = field.rotation;
  at = changed(at, value);
  field.position = at.position;
  field.rotation = at.rotation;
  if (value.mode != TransformMode::scale) return;
  if (field.shape == FieldShape::box) field.size = field.size.cwiseProduct(at.scale).cwiseMax(1e-6);
  if (field.shape == FieldShape::ball || field.shape == FieldShape::curve) field.radius *= std::cbrt(at.scale.prod());
}

/// Where a source is with what carries it at that time; else where it says.
Transform place_of(const Scene& scene, const ParticleSource& source) {
  Transform at;
  at.position = source.position;
  at.rotation = source.rotation.normalized();
  if (source.shape == SourceShape::curve) return at;
  const Object* carrier = find_object(scene, Id{source.carrier});
  if (!carrier) return at;
  const Quat turn = carrier->transform.rotation.normalized();
  at.position = carrier->transform.position + turn * at.position;
  at.rotation = (turn * at.rotation).normalized();
  return at;
}

/// One that is carried stays where it is on its carrier, and goes on it when it is moved alone.
void change_sources(Scene& scene, const Scene& from, const std::set<Id>& ids, const TransformValue& value) {
  for (auto& source : scene.particles) {
    if (!ids.contains(source->id) || (source->carrier != 0 && ids.contains(Id{source->carrier}))) continue;
    const Transform at = changed(place_of(from, *source), value);
    const Object* carrier = source->shape == SourceShape::curve ? nullptr : find_object(from, Id{source->carrier});
    source = source.edited([&](ParticleSource& s) {
      s.position = at.position;
      s.rotation = at.rotation;
      if (carrier) {
        const Quat back = carrier->transform.rotation.normalized().conjugate();
        s.position = back * (at.position - carrier->transform.position);
        s.rotation = (back * at.rotation).normalized();
      }
      if (value.mode == TransformMode::scale) s.radius *= std::cbrt(std::abs(at.scale.prod()));
    });
  }
}

/// What it looks at goes with it, so that it looks the same way; turning it swings the target round.
void change(Camera& camera, const TransformValue& value) {
  const Vec3 way = camera.target - camera.position;
  const Mat3 axes = camera_axes(camera);
  camera.position = changed(camera.position, value);
  camera.target = camera.position + way;
  if (turns(value)) turn_camera(camera, Eigen::AngleAxisd(value.angle, value.axis).toRotationMatrix() * axes);
}

void change(Object& object, const TransformValue& value) { object.transform = changed(object.transform, value); }
void change(Curve& curve, const TransformValue& value) { curve.transform = changed(curve.transform, value); }

/// A lead's place stays on its object, and its target goes, along its curve where it has one.
void move_lead(const Scene& scene, const Joint& before, const JointPlaces& from, const TransformValue& value,
               Joint& lead) {
  const Vec3 to = changed(from.b, value);
  if (const Shared<Curve>* curve = goes_along_curve(lead) ? find_shared_curve(scene, lead.curve) : nullptr)
    lead.along = nearest_over(*way_of(*curve), to, 0, before.along);
  else
    lead = with_places(lead, {from.a, to, from.turn}, placed_in(scene));
  lead.a = before.a;
  lead.turn = before.turn;
}

/// An end on an object that is moved too goes with that; the others go by themselves, and the axis with the first.
void move_joints(Scene& scene, const Scene& from, const std::set<Id>& ids, const TransformValue& value) {
  for (auto& joint : scene.joints) {
    if (!ids.contains(joint->id)) continue;
    const std::optional<JointPlaces> before = joint_places(from, *joint), carried = joint_places(scene, *joint);
    if (!before || !carried) continue;
    if (has_target(joint->kind)) {
      const Joint from_here = *joint;
      const bool goes_with = ids.contains(Id{second_object(*joint)}) || ids.contains(Id{joint->curve});
      if (!goes_with) joint = joint.edited([&](Joint& j) { move_lead(scene, from_here, *before, value, j); });
      continue;
    }
    const auto moved_place = [&](const JointEnd& end, const Vec3& at, const Vec3& with_object) {
      return ids.contains(Id{end.object}) ? with_object : changed(at, value);
    };
    JointPlaces after = *carried;
    after.a = moved_place(joint->a, before->a, carried->a);
    after.b = has_two_places(joint->kind) ? moved_place(joint->b, before->b, carried->b) : after.a;
    if (turns(value) && !ids.contains(Id{joint->a.object}))
      after.turn = (Quat(Eigen::AngleAxisd(value.angle, value.axis)) * before->turn).normalized();
    const Joint next = with_places(*joint, after, placed_in(scene));
    joint = joint.edited([&](Joint& j) { j = next; });
  }
}

/// What it pushes is moved with its place; alone it is moved on that, and turned and scaled as what it is, an arrow.
void change_forces(Scene& scene, const std::set<Id>& ids, const TransformValue& value) {
  for (auto& force : scene.forces) {
    const Object* object = ids.contains(force->id) ? find_object(scene, Id{force->object}) : nullptr;
    if (!object || ids.contains(object->id)) continue;
    const Transform& of = object->transform;
    const Quat axes = force->own_axes ? Quat(of.rotation.normalized()) : Quat::Identity();
    force = force.edited([&](Force& f) {
      f.place = place_of_end(of, changed(of * f.place, value));
      if (value.mode == TransformMode::move) return;
      TransformValue about = value;
      about.pivot.setZero();
      f.push = axes.conjugate() * changed(Vec3(axes * f.push), about);
    });
  }
}

Scene moved(Scene scene, const std::set<Id>& ids, const TransformValue& value) {
  const Scene from = scene;
  const auto change_all = [&](auto& things) {
    for (auto& thing : things)
      if (ids.contains(thing->id)) thing = thing.edited([&](auto& t) { change(t, value); });
  };
  change_all(scene.objects);
  change_all(scene.curves);
  change_all(scene.lights);
  change_all(scene.cameras);
  change_all(scene.fields);
  move_joints(scene, from, ids, value);
  change_forces(scene, ids, value);
  change_sources(scene, from, ids, value);
  return scene;
}

MotionChange motion_change(const TransformValue& value) {
  MotionChange to;
  to.place = [value](const Vec3& place) { return changed(place, value); };
  if (turns(value)) to.turn = Quat(Eigen::AngleAxisd(value.angle, value.axis));
  to.aims = value.mode == TransformMode::rotate;
  return to;
}

/// Where a joint is held: a lead by its target.
Vec3 handle_of(const Scene& scene, const Joint& joint) {
  const JointPlaces places = joint_places(scene, joint).value_or(JointPlaces());
  return has_target(joint.kind) ? places.b : places.middle();
}

/// A key of where it is can be set.
bool can_be_keyed(const Scene& scene, Id id) {
  const auto is_it = [id](const Carried& one) { return one.child == id; };
  const std::vector<Carried> carried = carried_objects(scene);
  if (std::any_of(carried.begin(), carried.end(), is_it)) return false;
  if (const Object* object = find_object(scene, id))
    return key_problem(scene, id.value, curve_of(scene, *object) ? kAlong : "transform.position").empty();
  if (const Joint* joint = find_joint(scene, id))
    return has_target(joint->kind) &&
           key_problem(scene, id.value, goes_along_curve(*joint) ? "along" : kTargetPlace).empty();
  return find_light(scene, id) || find_camera(scene, id) || find_force(scene, id) || find_force_field(scene, id) ||
         find_source(scene, id);
}

}  // namespace

std::set<Id> ObjectsTarget::movable(const Scene& scene, const std::set<Id>& ids) {
  const Standing standing(scene);
  std::set<Id> result;
  for (Id id : with_carriers(scene, with_contents(scene, ids))) {
    if (const Object* object = find_object(scene, id)) {
      if (!standing.locked(*object)) result.insert(id);
    } else if (const Light* light = find_light(scene, id)) {
      if (!standing.locked(*light)) result.insert(id);
    } else if (const Camera* camera = find_camera(scene, id)) {
      if (!standing.locked(*camera)) result.insert(id);
    } else if (const Curve* curve = find_curve(scene, id)) {
      if (!standing.locked(*curve)) result.insert(id);
    } else if (const ForceField* field = find_force_field(scene, id)) {
      if (!standing.locked(*field)) result.insert(id);
    } else if (const ParticleSource* source = find_source(scene, id)) {
      if (!standing.locked(*source) && source->shape != SourceShape::surface) result.insert(id);
    } else if (const Force* force = find_force(scene, id)) {
      if (!standing.locked(*force) && find_object(scene, Id{force->object})) result.insert(id);
    } else if (const Joint* joint = find_joint(scene, id)) {
      // A gear is where its hinges are.
      if (!standing.locked(*joint) && joint->kind != JointKind::gear && joint_places(scene, *joint)) result.insert(id);
    }
  }
  return result;
}

ObjectsTarget::ObjectsTarget(Shared<Scene> before, const std::set<Id>& ids, Id active, std::optional<KeyedAt> keys)
    : before_(std::move(before)),
      shown_(keys ? keys->shown : before_),
      keys_(std::move(keys)),
      ids_(movable(*before_, ids)),
      active_(active) {
  if (!ids_.count(active_) && !ids_.empty()) active_ = *ids_.rbegin();
  if (keys_ && !keys_->here)
    std::copy_if(ids_.begin(), ids_.end(), std::inserter(whole_, whole_.end()),
                 [&](Id id) { return has_keyed_motion(*before_, id); });
  way_ = way();
  const Object* only = ids.size() == 1 ? find_object(*before_, *ids.begin()) : nullptr;
  if (only && is_skin(*only)) figure_ = QString::fromStdString(only->name);
}

KeyWay ObjectsTarget::way() const {
  if (!keys_) return KeyWay::none;
  if (!whole_.empty()) return KeyWay::all;
  const auto gets_a_key = [&](Id id) {
    if (!can_be_keyed(*before_, id)) return false;
    return keys_->here || find_track(*before_, id.value, find_joint(*before_, id) ? "along" : kAlong) != nullptr;
  };
  const bool any = keys_->here ? std::any_of(ids_.begin(), ids_.end(), gets_a_key)
                               : !ids_.empty() && std::all_of(ids_.begin(), ids_.end(), gets_a_key);
  return any ? KeyWay::here : KeyWay::none;
}

int ObjectsTarget::frame() const { return keys_ ? frame_of(*keys_) : 0; }

Vec3 ObjectsTarget::pivot() const {
  Vec3 sum = Vec3::Zero();
  for (Id id : ids_) {
    if (const Object* object = find_object(*shown_, id))
      sum += object->transform.position;
    else if (const Light* light = find_light(*shown_, id))
      sum += light->position;
    else if (const Camera* camera = find_camera(*shown_, id))
      sum += camera->position;
    else if (const Curve* curve = find_curve(*shown_, id))
      sum += curve->transform.position;
    else if (const ForceField* field = find_force_field(*shown_, id))
      sum += field->position;
    else if (const ParticleSource* source = find_source(*shown_, id))
      sum += place_of(*shown_, *source).position;
    else if (const Force* force = find_force(*shown_, id))
      sum += find_object(*shown_, Id{force->object})->transform * force->place;
    else if (const Joint* joint = find_joint(*shown_, id))
      sum += handle_of(*shown_, *joint);
  }
  return ids_.size() <= 1 ? sum : Vec3(sum / static_cast<double>(ids_.size()));
}

Mat3 ObjectsTarget::local_axes() const {
  if (const Camera* camera = find_camera(*shown_, active_)) return camera_axes(*camera);
  if (const Curve* curve = find_curve(*shown_, active_))
    return curve->transform.rotation.normalized().toRotationMatrix();
  if (const Joint* joint = find_joint(*shown_, active_))
    return joint_places(*shown_, *joint).value_or(JointPlaces()).turn.toRotationMatrix();
  if (const ForceField* field = find_force_field(*shown_, active_))
    return field->rotation.normalized().toRotationMatrix();
  if (const ParticleSource* source = find_source(*shown_, active_))
    return place_of(*shown_, *source).rotation.toRotationMatrix();
  const Object* object = find_object(*shown_, active_);
  return object ? object->transform.rotation.normalized().toRotationMatrix() : Mat3(Mat3::Identity());
}

QString ObjectsTarget::name() const {
  if (!figure_.isEmpty()) return figure_;
  if (ids_.size() == 1) {
    if (const Object* object = find_object(*shown_, active_)) return QString::fromStdString(object->name);
    if (const Light* light = find_light(*shown_, active_)) return QString::fromStdString(light->name);
    if (const Camera* camera = find_camera(*shown_, active_)) return QString::fromStdString(camera->name);
    if (const Curve* curve = find_curve(*shown_, active_)) return QString::fromStdString(curve->name);
    if (const Joint* joint = find_joint(*shown_, active_)) return QString::fromStdString(joint->name);
    if (const ForceField* field = find_force_field(*shown_, active_)) return QString::fromStdString(field->name);
    if (const ParticleSource* source = find_source(*shown_, active_)) return QString::fromStdString(source->name);
    if (const Force* force = find_force(*shown_, active_)) return QString::fromStdString(force->name);
  }
  return QStringLiteral("%1 objects").arg(ids_.size());
}

Scene ObjectsTarget::result(const TransformValue& value) const {
  if (!keys_) return moved(*before_, ids_, value);
  std::set<Id> others;
  std::set_difference(ids_.begin(), ids_.end(), whole_.begin(), whole_.end(), std::inserter(others, others.end()));
  Scene next = keyed(*before_, *shown_, moved(*shown_, others, value), keys_->time, keys_->here, keys_->moved);
  return whole_.empty() || changes_nothing(value) ? next : with_whole_moved(std::move(next), value);
}

/// Values that wait behind keys, and those that have none, go the same way.
Scene ObjectsTarget::with_whole_moved(Scene next, const TransformValue& value) const {
  next = moved(std::move(next), whole_, value);
  for (auto& camera : next.cameras) {
    if (!whole_.contains(camera->id) || !turns(value)) continue;
    // A roll without keys is one for the whole way: as it leans where it is seen.
    const Camera& seen = *find_camera(*shown_, camera->id);
    Camera leant = seen;
    change(leant, value);
    camera = camera.edited([&](Camera& c) { c.roll = find_camera(*before_, c.id)->roll + leant.roll - seen.roll; });
  }
  std::set<Id> things = whole_;
  things.merge(keyed_below(*before_, ids_));
  return with_motion_changed(std::move(next), things, motion_change(value));
}

CameraTarget::CameraTarget(Shared<Scene> before, Id camera, KeyedAt keys)
    : before_(std::move(before)), keys_(std::move(keys)), camera_(camera) {}

bool CameraTarget::empty() const { return find_camera(*keys_.shown, camera_) == nullptr; }

Vec3 CameraTarget::pivot() const {
  const Camera* camera = find_camera(*keys_.shown, camera_);
  return camera ? camera->target : Vec3(Vec3::Zero());
}

QString CameraTarget::name() const {
  const Camera* camera = find_camera(*keys_.shown, camera_);
  return camera ? QStringLiteral("target of %1").arg(QString::fromStdString(camera->name)) : QString();
}

bool CameraTarget::targeted() const {
  const Track* track = find_track(*before_, camera_.value, "target");
  return track && track->visible && !track->keys.empty();
}

KeyWay CameraTarget::keys() const {
  if (keys_.here) return KeyWay::here;
  return targeted() ? KeyWay::all : KeyWay::none;
}

int CameraTarget::frame() const { return frame_of(keys_); }

Scene CameraTarget::result(const TransformValue& value) const {
  if (keys() != KeyWay::all) {
    Scene next = with_camera(*keys_.shown, camera_, [&](Camera& c) { c.target += value.move; });
    return keyed(*before_, *keys_.shown, std::move(next), keys_.time, keys_.here);
  }
  Scene next = with_camera(*before_, camera_, [&](Camera& c) { c.target += value.move; });
  for (auto& track : next.tracks)
    if (Id{track->target} == camera_ && track->field == "target")
      track = track.edited([&](Track& t) {
        move_keys(
            t, [&](const Vec3& at) { return Vec3(at + value.move); }, Quat::Identity());
      });
  return next;
}

}  // namespace hazumi
