#include "ui/tools/transform_target.h"

#include "core/scene/derived/cameras.h"
#include "core/scene/derived/collections.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/keyed.h"
#include "core/scene/derived/skinning.h"

namespace hazumi {

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
}

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
    else if (const Joint* joint = find_joint(*shown_, id))
      sum += joint_places(*shown_, *joint).value_or(JointPlaces()).middle();
  }
  return ids_.size() <= 1 ? sum : Vec3(sum / static_cast<double>(ids_.size()));
}

Mat3 ObjectsTarget::local_axes() const {
  if (const Camera* camera = find_camera(*shown_, active_)) return camera_axes(*camera);
  if (const Curve* curve = find_curve(*shown_, active_))
    return curve->transform.rotation.normalized().toRotationMatrix();
  if (const Joint* joint = find_joint(*shown_, active_))
    return joint_places(*shown_, *joint).value_or(JointPlaces()).turn.toRotationMatrix();
  const Object* object = find_object(*shown_, active_);
  return object ? object->transform.rotation.normalized().toRotationMatrix() : Mat3(Mat3::Identity());
}

QString ObjectsTarget::name() const {
  if (ids_.size() == 1) {
    if (const Object* object = find_object(*shown_, active_)) return QString::fromStdString(object->name);
    if (const Light* light = find_light(*shown_, active_)) return QString::fromStdString(light->name);
    if (const Camera* camera = find_camera(*shown_, active_)) return QString::fromStdString(camera->name);
    if (const Curve* curve = find_curve(*shown_, active_)) return QString::fromStdString(curve->name);
    if (const Joint* joint = find_joint(*shown_, active_)) return QString::fromStdString(joint->name);
  }
  return QStringLiteral("%1 objects").arg(ids_.size());
}

Scene ObjectsTarget::result(const TransformValue& value) const {
  if (!keys_) return moved(value);
  return keyed(*before_, *shown_, moved(value), keys_->time, keys_->automatic, keys_->moved);
}

Scene ObjectsTarget::moved(const TransformValue& value) const {
  Scene scene = *shown_;
  const auto change = [&](Transform transform) {
    switch (value.mode) {
      case TransformMode::move:
        transform.position += value.move;
        return transform;
      case TransformMode::rotate:
        return value.angle == 0 ? transform : rotated(transform, value.pivot, value.axis, value.angle);
      case TransformMode::scale:
        return value.factors == Vec3::Ones() ? transform : scaled(transform, value.pivot, value.frame, value.factors);
    }
    return transform;
  };
  for (auto& object : scene.objects) {
    if (ids_.count(object->id)) object = object.edited([&](Object& o) { o.transform = change(o.transform); });
  }
  for (auto& curve : scene.curves) {
    if (ids_.count(curve->id)) curve = curve.edited([&](Curve& c) { c.transform = change(c.transform); });
  }
  for (auto& light : scene.lights) {
    if (!ids_.count(light->id)) continue;
    light = light.edited([&](Light& l) {
      // A light has a place and a direction but no axes of its own: turning it turns where it shines.
      Transform place;
      place.position = l.position;
      const Vec3 beam = l.target - l.position;
      l.position = change(place).position;
      if (value.mode == TransformMode::rotate && value.angle != 0)
        l.target = l.position + Eigen::AngleAxisd(value.angle, value.axis) * beam;
    });
  }
  for (auto& camera : scene.cameras) {
    if (!ids_.count(camera->id)) continue;
    camera = camera.edited([&](Camera& c) {
      // What it looks at goes with it, so that it looks the same way; turning it swings the target round.
      Transform place;
      place.position = c.position;
      const Vec3 way = c.target - c.position;
      const Mat3 axes = camera_axes(c);
      c.position = change(place).position;
      c.target = c.position + way;
      if (value.mode == TransformMode::rotate && value.angle != 0)
        turn_camera(c, Eigen::AngleAxisd(value.angle, value.axis).toRotationMatrix() * axes);
    });
  }
  move_joints(scene, value, change);
  return scene;
}

/// An end on an object that is moved too goes with that; the others go by themselves, and the axis with the first.
void ObjectsTarget::move_joints(Scene& scene, const TransformValue& value,
                                const std::function<Transform(Transform)>& change) const {
  for (auto& joint : scene.joints) {
    if (!ids_.count(joint->id)) continue;
    const std::optional<JointPlaces> before = joint_places(*shown_, *joint), carried = joint_places(scene, *joint);
    if (!before || !carried) continue;
    const auto moved_place = [&](const JointEnd& end, const Vec3& from, const Vec3& with_object) {
      if (ids_.count(Id{end.object})) return with_object;
      Transform place;
      place.position = from;
      return change(place).position;
    };
    JointPlaces after = *carried;
    after.a = moved_place(joint->a, before->a, carried->a);
    after.b = has_two_places(joint->kind) ? moved_place(joint->b, before->b, carried->b) : after.a;
    if (value.mode == TransformMode::rotate && value.angle != 0 && !ids_.count(Id{joint->a.object}))
      after.turn = (Quat(Eigen::AngleAxisd(value.angle, value.axis)) * before->turn).normalized();
    const Joint next = with_places(*joint, after, placed_in(scene));
    joint = joint.edited([&](Joint& j) { j = next; });
  }
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

Scene CameraTarget::result(const TransformValue& value) const {
  Scene next = with_camera(*keys_.shown, camera_, [&](Camera& c) { c.target += value.move; });
  return keyed(*before_, *keys_.shown, std::move(next), keys_.time, keys_.automatic);
}

}  // namespace hazumi
