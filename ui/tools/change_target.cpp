#include "ui/tools/change_target.h"

#include "ui/model/text.h"

namespace hazumi {

namespace {

QString name_of_body(const ChangePlace& place, Id id) {
  const Object* object = find_object(*place.before, id);
  return object ? QString::fromStdString(object->name) : QString();
}

QString note_of(const ChangePlace& place) {
  const bool goes_on = place.take.value != 0;
  return goes_on ? tr("Frame %1 is changed; what comes before stays").arg(place.frame)
                 : tr("Frame %1 is changed, in a new take; what comes before stays").arg(place.frame);
}

Quat turn_of(const TransformValue& value) {
  return value.mode == TransformMode::rotate && value.angle != 0 ? Quat(Eigen::AngleAxisd(value.angle, value.axis))
                                                                 : Quat::Identity();
}

}  // namespace

bool ChangeTarget::empty() const { return place_.bodies.empty() || !place_.seen; }

Vec3 ChangeTarget::pivot() const {
  Vec3 sum = Vec3::Zero();
  for (const Id id : place_.bodies) sum += place_.seen->find(id)->position.cast<double>();
  return sum / static_cast<double>(place_.bodies.size());
}

Mat3 ChangeTarget::local_axes() const {
  const Id id = place_.bodies.contains(place_.active) ? place_.active : *place_.bodies.begin();
  return place_.seen->find(id)->rotation.cast<double>().normalized().toRotationMatrix();
}

QString ChangeTarget::name() const {
  const QString what = place_.bodies.size() == 1 ? name_of_body(place_, *place_.bodies.begin())
                                                 : tr("%1 objects").arg(place_.bodies.size());
  return tr("%1 at Frame %2").arg(what).arg(place_.frame);
}

QString ChangeTarget::note() const { return note_of(place_); }

/// What is scaled stays: sizes are of all takes.
std::vector<BodyChange> ChangeTarget::changes(const TransformValue& value) const {
  std::vector<BodyChange> all;
  const Quat turn = turn_of(value);
  for (const Id id : place_.bodies) {
    BodyChange change;
    change.object = id;
    if (value.mode == TransformMode::move) change.move = value.move;
    if (turn.vec() != Vec3::Zero()) {
      const Vec3 arm = place_.seen->find(id)->position.cast<double>() - value.pivot;
      change.turn = turn;
      if (place_.bodies.size() > 1) change.move = turn * arm - arm;
    }
    if (change.move != Vec3::Zero() || change.turn.vec() != Vec3::Zero()) all.push_back(change);
  }
  return all;
}

Scene ChangeTarget::result(const TransformValue& value) const {
  const std::vector<BodyChange> all = changes(value);
  return all.empty() ? *place_.before : changed_at(*place_.before, place_.frame, all, place_.take);
}

FramePtr ChangeTarget::seen(const TransformValue& value) const {
  auto frame = std::make_shared<Frame>(*place_.seen);
  for (const BodyChange& change : changes(value))
    for (ObjectFrame& object : frame->objects) {
      if (object.id != change.object) continue;
      const Vec3f about = object.position, to = about + change.move.cast<float>();
      const Eigen::Quaternionf turn = change.turn.cast<float>();
      object.position = to;
      object.rotation = (turn * object.rotation).normalized();
      for (Vec3f& p : object.vertices) p = to + turn * (p - about);
      for (Vec3f& n : object.normals) n = turn * n;
      for (Vec3f& p : object.nodes) p = to + turn * (p - about);
    }
  return frame;
}

Vec3 VelocityTarget::pivot() const { return place_.seen->find(body_)->position.cast<double>() + time_ * velocity_; }

QString VelocityTarget::name() const {
  return tr("velocity of %1 at Frame %2").arg(name_of_body(place_, body_)).arg(place_.frame);
}

QString VelocityTarget::note() const { return note_of(place_); }

Scene VelocityTarget::result(const TransformValue& value) const {
  if (value.mode != TransformMode::move || value.move == Vec3::Zero()) return *place_.before;
  const BodyChange change{body_, Vec3::Zero(), Quat::Identity(), velocity(value)};
  return changed_at(*place_.before, place_.frame, std::span(&change, 1), place_.take);
}

}  // namespace hazumi
