#include "core/scene/derived/joint_tracks.h"

#include <algorithm>
#include <map>
#include <span>

#include "core/math/rotation.h"
#include "core/scene/derived/following.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/joint_faults.h"
#include "core/scene/derived/list_at.h"
#include "core/scene/derived/told_numbers.h"
#include "core/scene/derived/track_hash.h"

namespace hazumi {

namespace {

bool is_used(const Track& track) { return track.visible && !track.keys.empty(); }

const Field<Joint>& row(std::string_view path) { return *find_field(joint_fields(), path); }

/// Where the joint's kind has that field.
void take(JointTracks& tracks, const Track& track) {
  const Field<Joint>* field = find_field(joint_fields(), std::string_view(track.field));
  if (!field || !field->keyable || !field->shown(*tracks.joint)) return;
  const std::string_view path = field->path;
  if (path == "on")
    tracks.on = &track;
  else if (path == "motor_turn" || path == "motor_speed")
    tracks.speed = &track;
  else if (path == "motor_torque" || path == "motor_force")
    tracks.most = &track;
  else if (path == "strictness")
    tracks.strictness = &track;
  else if (path == "along")
    tracks.along = &track;
  else if (path == kTargetPlace && has_target(tracks.joint->kind))
    tracks.place = &track;
  else
    tracks.numbers.push_back(&track);
}

/// What keys say; between two that say the same it is that to the bit, so that nothing goes by round-off.
std::array<double, 4> held_value(const Track& track, FieldType type, double time) {
  const std::vector<Key>& keys = track.keys;
  const auto next = std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.time >= time; });
  if (next == keys.begin() || next == keys.end() || (next - 1)->value != next->value)
    return track_value(track, type, time);
  const auto place = static_cast<std::size_t>(next - keys.begin());
  const std::array<double, 4> flat = {};
  const bool holds = key_slopes(track, type, place - 1).out == flat && key_slopes(track, type, place).in == flat;
  return track_value(track, type, holds ? next->time : time);
}

void take_curve(const Scene& scene, JointTracks& tracks) {
  const Shared<Curve>* curve =
      goes_along_curve(*tracks.joint) ? find_shared_curve(scene, tracks.joint->curve) : nullptr;
  if (!curve) return;
  tracks.curve = curve->get();
  tracks.way = way_of(*curve);
}

/// After its curve.
void note_haste(const Scene& scene, JointTracks& tracks) {
  const Joint& joint = *tracks.joint;
  const Track* track = tracks.curve ? tracks.along : tracks.place;
  if (!has_target(joint.kind) || !track) return;
  Vec3 unit = Vec3::Ones();  // m, for each of what keys say
  if (tracks.way) unit *= tracks.way->length();
  if (const Object* second = find_object(scene, Id{second_object(joint)}); second && !tracks.way)
    unit = second->transform.scale;
  const double jump = 1 / (scene.settings.frame_rate * scene.settings.substeps);  // s, in which a step is made
  for (std::size_t k = 1; k < track->keys.size(); ++k) {
    const Key &from = track->keys[k - 1], &to = track->keys[k];
    Vec3 way;
    for (int i = 0; i < 3; ++i)
      way[i] = unit[i] * (to.value[static_cast<std::size_t>(i)] - from.value[static_cast<std::size_t>(i)]);
    const double time = from.shape == KeyShape::step ? jump : to.time - from.time;
    if (!(way.norm() <= kFastestTarget * time)) {
      tracks.hasty = &to;
      return;
    }
  }
}

double number_at(const Track* track, const Field<Joint>& field, double own, double time) {
  if (!track) return own;
  return std::clamp(track_value(*track, FieldType::number, time)[0], field.low, field.high);
}

Vec3 target_at(const JointTracks& tracks, double time) {
  const Joint& joint = *tracks.joint;
  static const Field<Joint>& along = row("along");
  if (tracks.way) return tracks.way->place(number_at(tracks.along, along, joint.along, time));
  if (!tracks.place) return joint.b.place;
  const auto v = track_value(*tracks.place, FieldType::vector, time);
  return Vec3(v[0], v[1], v[2]);
}

constexpr double kSlopeReach =
    1e-4;  // s: of slopes, which are those from the time before, as of objects that are led (leading.h)
constexpr double kSlopeShares[] = {13.0 / 3, -19.0 / 2, 7, -11.0 / 6};

/// s, how far before a time the nearest of these keys is.
double to_key_before(std::span<const Track* const> tracks, double time) {
  constexpr double kAt = 4e-6;  // s: a key that is no farther is at the moment
  double nearest = 1e300;
  for (const Track* track : tracks)
    if (track)
      for (const Key& key : track->keys)
        if (time - key.time > kAt) nearest = std::min(nearest, time - key.time);
  return nearest;
}

Vec3 target_velocity(const JointTracks& tracks, double time) {
  if (!tracks.along && !tracks.place) return Vec3::Zero();
  const Track* const keys[] = {tracks.along, tracks.place};
  const double reach = std::min(kSlopeReach, 0.25 * to_key_before(keys, time));
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 4; ++k) sum += kSlopeShares[k] / reach * target_at(tracks, time - (k + 1) * reach);
  return sum;
}

/// Exactly 0 of what keys leave as it is.
JointRates number_rates(const JointTracks& tracks, double time) {
  JointRates rates;
  if (tracks.numbers.empty()) return rates;
  const double reach = std::min(kSlopeReach, 0.25 * to_key_before(tracks.numbers, time));
  JointNumbers before[4];
  for (int k = 0; k < 4; ++k) before[k] = numbers_of(joint_as_told(tracks, time - (k + 1) * reach));
  for (int k = 1; k < 4; ++k) {  // the slopes are 0 in the sum
    const double slope = kSlopeShares[k] / reach;
    rates.place_a += slope * (before[k].place_a - before[0].place_a);
    rates.place_b += slope * (before[k].place_b - before[0].place_b);
    rates.least += slope * (before[k].least - before[0].least);
    rates.most += slope * (before[k].most - before[0].most);
    rates.length += slope * (before[k].length - before[0].length);
  }
  const auto spin = [&](const JointNumbers& from, const JointNumbers& to) -> Vec3 {
    if (from.turn.coeffs() == to.turn.coeffs()) return Vec3::Zero();
    return log_rotation(to.turn * from.turn.conjugate()) / reach;
  };
  rates.spin = 2.5 * spin(before[1], before[0]) - 1.5 * spin(before[2], before[1]);
  return rates;
}

}  // namespace

Joint joint_as_told(const JointTracks& tracks, double time) {
  Joint joint = *tracks.joint;
  for (const Track* track : tracks.numbers) {
    const Field<Joint>& field = row(track->field);
    const FieldRange range{field.label, field.unit,     field.type,    field.low,
                           field.high,  field.low_open, field.choices, field.refers};
    field.set(joint, value_of(range, held_value(*track, field.type, time)));
  }
  return joint;
}

JointTracks tracks_of_joint(const Scene& scene, const Shared<Joint>& joint) {
  JointTracks tracks;
  tracks.joint = joint.get();
  for (const auto& track : scene.tracks)
    if (track->target == joint->id.value && is_used(*track)) take(tracks, *track);
  take_curve(scene, tracks);
  note_haste(scene, tracks);
  return tracks;
}

std::vector<JointTracks> told_joints(const Scene& scene) {
  if (scene.joints.empty() || (scene.tracks.empty() && scene.curves.empty())) return {};
  std::map<std::uint64_t, JointTracks> all;
  for (const auto& joint : scene.joints) all[joint->id.value].joint = joint.get();
  for (const auto& track : scene.tracks)
    if (const auto at = all.find(track->target); at != all.end() && is_used(*track)) take(at->second, *track);
  std::vector<JointTracks> found;
  for (auto& [id, tracks] : all) {
    take_curve(scene, tracks);
    note_haste(scene, tracks);
    if (tracks.keyed() || tracks.curve) found.push_back(std::move(tracks));
  }
  return found;
}

JointTold told(const JointTracks& tracks, std::int64_t substep, const RunClock& clock) {
  const Joint& joint = *tracks.joint;
  const bool turns = joint.kind == JointKind::hinge;
  static const Field<Joint>&turn = row("motor_turn"), &speed = row("motor_speed"), &torque = row("motor_torque"),
               &force = row("motor_force"), &strictness = row("strictness");
  JointTold out;
  out.on = tracks.on ? track_value(*tracks.on, FieldType::boolean, clock.film(substep))[0] >= 0.5 : joint.on;
  out.on = out.on && !tracks.hasty;
  const double end = clock.film(substep + 1);
  out.motor_speed = number_at(tracks.speed, turns ? turn : speed, turns ? joint.motor_turn : joint.motor_speed, end);
  out.motor_force = number_at(tracks.most, turns ? torque : force, turns ? joint.motor_torque : joint.motor_force, end);
  out.strictness = number_at(tracks.strictness, strictness, joint.strictness, end);
  out.place = target_at(tracks, end);
  if (joint.kind == JointKind::lead) out.velocity = target_velocity(tracks, end);
  out.numbers = tracks.numbers.empty() ? numbers_of(joint) : numbers_of(joint_as_told(tracks, end));
  out.rates = number_rates(tracks, end);
  return out;
}

bool counts_while_on(const Scene& before, const Joint& was, const Scene& after, const Joint& is) {
  if (was.kind != is.kind || was.a.object != is.a.object || was.b.object != is.b.object || was.curve != is.curve ||
      was.first != is.first || was.second != is.second || was.collide != is.collide)
    return false;
  const bool moved = was.a.place != is.a.place || was.b.place != is.b.place || was.turn.coeffs() != is.turn.coeffs();
  for (const auto& [scene, joint] : {std::pair(&before, &was), std::pair(&after, &is)}) {
    const Track* on = find_track(*scene, joint->id.value, "on");
    if (!on || !is_used(*on) || is_told_by_box(*scene, joint->id)) return false;
    for (const auto& gear : scene->joints)
      if (gear->kind == JointKind::gear && (gear->first == joint->id.value || gear->second == joint->id.value))
        return false;
    for (const FaultyJoint& fault : joint_faults(*scene))
      if (fault.joint == joint->id) return false;
    // Whether what deforms can be held depends on where.
    for (const std::uint64_t end : {joint->a.object, joint->b.object})
      if (const Object* object = find_object(*scene, Id{end}); moved && object && body_kind(object->body.kind).deforms)
        return false;
  }
  return true;
}

std::vector<Reading> eased(const Joint& before, const Joint& after) {
  std::vector<Reading> causes;
  Joint as_before = after;
  const bool hinge = after.kind == JointKind::hinge, rope = after.kind == JointKind::rope && !after.measured;
  if (after.limited && has_axis(after.kind)) {
    double Joint::*const least = hinge ? &Joint::least_turn : &Joint::least_way;
    double Joint::*const most = hinge ? &Joint::most_turn : &Joint::most_way;
    const bool wider = after.*least <= before.*least && after.*most >= before.*most && before.*least <= before.*most;
    if (wider && (after.*least != before.*least || after.*most != before.*most)) {
      causes.push_back(Reading::met);
      as_before.*least = before.*least;
      as_before.*most = before.*most;
    }
  }
  if (rope && before.length > 1e-6 && after.length > before.length) {
    causes.push_back(Reading::met);
    as_before.length = before.length;
  }
  if (before.break_force > 0 && (after.break_force == 0 || after.break_force > before.break_force)) {
    causes.push_back(Reading::broke);
    as_before.break_force = before.break_force;
  }
  for (const Field<Joint>& field : joint_fields()) {
    const bool read = effect_now(field, before) != Effect::look || effect_now(field, as_before) != Effect::look;
    if (read && !operator_equal(field.get(before), field.get(as_before))) return {};
  }
  return causes;
}

bool ever_on(const Scene& scene, const Joint& joint) {
  if (joint.on || is_told_by_box(scene, joint.id)) return true;
  const Track* track = find_track(scene, joint.id.value, "on");
  return track && is_used(*track);
}

Scene joints_at(Scene scene, double time) {
  put_keyed_values(scene.joints, joint_fields(), scene, time);
  return scene;
}

void add_joint_tracks(Hasher& hasher, const Scene& scene) {
  for (const JointTracks& one : told_joints(scene)) {
    hasher.add(std::string_view("joint")).add(one.joint->id.value);
    for (const Track* track : {one.on, one.speed, one.most, one.strictness, one.along, one.place})
      add_track(hasher, track);
    for (const Track* track : one.numbers) {
      hasher.add(std::string_view(track->field));
      add_track(hasher, track);
    }
    add_curve(hasher, one.curve);
  }
}

}  // namespace hazumi
