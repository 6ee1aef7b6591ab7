#include "core/scene/derived/leading.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/geometry/curve/follow.h"
#include "core/scene/derived/felt.h"
#include "core/scene/derived/joint_tracks.h"
#include "core/scene/derived/pushes.h"
#include "core/scene/derived/shape_keys.h"
#include "core/scene/derived/sources.h"
#include "core/scene/derived/substance_keys.h"
#include "core/scene/derived/thing_signature.h"
#include "core/scene/derived/track_hash.h"

namespace hazumi {
namespace {

constexpr double kReach = 1e-4;     // s, ε
constexpr double kBeside = 1e-12;   // of a curve's length: on one side of a place
constexpr double kAtCorner = 4e-6;  // s: a key that is no farther is at the moment
using Numbers = std::array<double, 4>;

/// The same time within the keys, of a track that goes round there; sooner or later by whole rounds.
double within_keys(const Track& track, double time) {
  const double first = track.keys.front().time, last = track.keys.back().time, length = last - first;
  const auto rounds = [](Beyond beyond) { return beyond == Beyond::cycle || beyond == Beyond::cycle_offset; };
  if (!(length > 0)) return time;
  if (time > last && rounds(track.after)) return time - length * std::ceil((time - last) / length);
  if (time < first && rounds(track.before)) return time + length * std::ceil((first - time) / length);
  return time;
}

/// s, how far the nearest key is on this side: −1 before, 1 after the time.
double to_corner(const Track& track, double time, int side) {
  const double at = within_keys(track, time);
  double nearest = 1e300;
  for (const Key& key : track.keys)
    if (const double away = side * (key.time - at); away > kAtCorner) nearest = std::min(nearest, away);
  return nearest;
}

struct Slope {
  Numbers value = {}, slope = {};  ///< 1/s
};

/// Of the side of the time that is asked for, whatever comes on the other. value(time) → numbers.
template <class Value>
Slope slope_of(const Value& value, FieldType type, double corner, double time, int side) {
  const double reach = std::min(kReach, 0.25 * corner);
  constexpr double kSlope[] = {-13.0 / 3, 19.0 / 2, -7, 11.0 / 6}, kValue[] = {4, -6, 4, -1};
  Slope out;
  Numbers first = {};
  for (int k = 0; k < 4; ++k) {
    Numbers sample = value(time + side * (k + 1) * reach);
    if (k == 0) first = sample;
    double along = 0;
    for (int i = 0; i < 4; ++i) along += first[i] * sample[i];
    const double sign = type == FieldType::rotation && along < 0 ? -1 : 1;  // of a rotation both signs are one
    for (int i = 0; i < 4; ++i) {
      out.value[i] += kValue[k] * sign * sample[i];
      out.slope[i] += kSlope[k] * sign * sample[i] / (side * reach);
    }
  }
  return out;
}

Slope slope_at(const Track& track, FieldType type, double time, int side) {
  const auto value = [&](double at) { return track_value(track, type, at); };
  return slope_of(value, type, to_corner(track, time, side), time, side);
}

Vec3 spin_of(const Slope& turn) {
  const auto quat = [](const Numbers& v) { return Quat(v[0], v[1], v[2], v[3]); };
  return 2 * (quat(turn.slope) * quat(turn.value).normalized().conjugate()).vec();
}

/// Velocity and spin of what rides on a curve.
void add_ride(const LedTracks& tracks, const Object& object, double time, int side, Lead& lead) {
  lead.looks_at = tracks.looks_at;
  lead.roll = tracks.looks_at ? led_roll(tracks, object, time) : 0;
  if (tracks.along) {
    const double rate = slope_at(*tracks.along, FieldType::number, time, side).slope[0];
    // A corner is left behind, or not come to.
    const double beside = led_along(tracks, object, time) + (side * rate > 0 ? 1 : -1) * kBeside;
    if (rate != 0) lead.velocity = velocity_over(*tracks.way, std::clamp(beside, 0.0, 1.0), object.follow.height, rate);
  }
  const bool rolls = tracks.roll && object.follow.turned;
  if (!object.follow.turned || (!tracks.along && !rolls)) return;
  double corner = 1e300;
  for (const Track* track : {tracks.along, rolls ? tracks.roll : nullptr})
    if (track) corner = std::min(corner, to_corner(*track, time, side));
  const auto turned = [&](double at) {
    const Quat q = led_pose(tracks, object, at).rotation;
    return Numbers{q.w(), q.x(), q.y(), q.z()};
  };
  lead.spin = spin_of(slope_of(turned, FieldType::rotation, corner, time, side));
}

Lead lead_at(const LedTracks& tracks, const Object& object, double time, int side) {
  Lead lead;
  lead.pose = led_pose(tracks, object, time);
  if (tracks.way) add_ride(tracks, object, time, side, lead);
  if (tracks.position) {
    const Numbers v = slope_at(*tracks.position, FieldType::vector, time, side).slope;
    lead.velocity = Vec3(v[0], v[1], v[2]);
  }
  if (tracks.rotation && !(tracks.way && object.follow.turned))
    lead.spin = spin_of(slope_at(*tracks.rotation, FieldType::rotation, time, side));
  return lead;
}

/// How fast that is where a second of the run lasts so long in the film.
Lead for_physics(Lead lead, double rate) {
  // Not by 0: what stands still has no sign, and states are compared by their bits.
  lead.velocity = rate == 0 ? Vec3(Vec3::Zero()) : Vec3(rate * lead.velocity);
  lead.spin = rate == 0 ? Vec3(Vec3::Zero()) : Vec3(rate * lead.spin);
  return lead;
}

/// Sub-steps until it is back with its keys, this one counted.
/// s of the film, as a sub-step begins, also of one before the start: keys may lie there, of a run that is gone on with.
double film_of(const RunClock& clock, std::int64_t substep) {
  return substep >= 0 ? clock.film(substep) : static_cast<double>(substep) * clock.step() * clock.rate(0);
}

std::int64_t left_of_blend(const LedTracks& tracks, const Object& object, std::int64_t substep, const RunClock& clock) {
  const auto all = static_cast<std::int64_t>(std::floor(object.body.blend / clock.step() + 0.5));
  if (!tracks.led || all <= 1) return 1;
  // Held since its last key, it was led all that time.
  if (tracks.led->after == Beyond::hold && substep >= all && clock.film(substep - all) > tracks.led->keys.back().time)
    return 1;
  for (std::int64_t past = 1; past < all; ++past)
    if (!led_now(tracks, object, film_of(clock, substep - past))) return all - past + 1;
  return 1;
}

bool same(const Lead& a, const Lead& b) {
  return a.pose.position == b.pose.position && a.pose.rotation.coeffs() == b.pose.rotation.coeffs() &&
         a.velocity == b.velocity && a.spin == b.spin && a.looks_at == b.looks_at && a.roll == b.roll;
}

bool same(const Told& a, const Told& b) {
  return a.led == b.led && a.handed_over == b.handed_over &&
         (!a.led || (a.left == b.left && a.bends == b.bends && same(a.lead, b.lead)));
}

/// Of the curve that something rides on, and how it does.
void add_ride(Hasher& hasher, const Object& object, const Curve* curve, Id looks_at) {
  add_curve(hasher, curve);
  if (!curve) return;
  const ObjectFollow& follow = object.follow;
  hasher.add(follow.along).add(follow.height).add(std::uint64_t{follow.turned}).add(follow.roll).add(looks_at.value);
  for (const double x : follow.turn.coeffs()) hasher.add(x);
}

bool same_ride(const LedTracks& was, const Object& old, const LedTracks& is, const Object& now) {
  const auto hash = [](const LedTracks& tracks, const Object& object) {
    Hasher hasher;
    add_ride(hasher, object, tracks.curve, tracks.looks_at);
    return hasher.value();
  };
  if (!was.curve && !is.curve) return true;
  return same_keys(was.along, is.along) && same_keys(was.roll, is.roll) && hash(was, old) == hash(is, now);
}

/// Sub-steps that are compared; what goes on for longer, in a cycle, is taken to differ behind them.
constexpr std::int64_t kCompared = 1 << 17;

/// Compares what two scenes tell, up to the last frame of both.
class Tellings {
 public:
  Tellings(const Scene& before, const Scene& after)
      : before_(before),
        after_(after),
        was_(before),
        is_(same_clock(before, after) ? was_ : RunClock(after)),
        last_(std::max(before.settings.last_frame, after.settings.last_frame)),
        settled_(std::max(settled(before), settled(after))) {}

  std::optional<int> first() {
    compare_clocks();
    std::map<Id, std::pair<const LedTracks*, const LedTracks*>> led;
    const std::vector<LedTracks> were = led_objects(before_), are = led_objects(after_);
    for (const LedTracks& one : were) led[one.object].first = &one;
    for (const LedTracks& one : are) led[one.object].second = &one;
    for (const auto& [id, both] : led) compare(id, both.first, both.second);
    compare_joints();
    std::map<Id, std::pair<const Track*, const Track*>> sized;
    for (const SizeTrack& one : sized_objects(before_)) sized[one.object].first = one.track;
    for (const SizeTrack& one : sized_objects(after_)) sized[one.object].second = one.track;
    for (const auto& [id, both] : sized) compare_sizes(id, both.first, both.second);
    std::map<Id, std::pair<ShapeTracks, ShapeTracks>> shaped;
    for (const ShapeTracks& one : shaped_objects(before_)) shaped[one.object].first = one;
    for (const ShapeTracks& one : shaped_objects(after_)) shaped[one.object].second = one;
    for (const auto& [id, both] : shaped) compare_shapes(id, both.first, both.second);
    compare_substances();
    compare_forces();
    compare_fields();
    compare_sources();
    compare_gravity();
    return frame_;
  }

 private:
  void note(std::int64_t frame) { frame_ = std::min<std::int64_t>(frame_.value_or(last_ + 1), frame); }

  void compare(Id id, const LedTracks* was, const LedTracks* is) {
    const Object *old = find_object(before_, id), *now = find_object(after_, id);
    if (!old || !now) return;  // it came or went
    const bool same_tracks = was && is && same_keys(was->position, is->position) &&
                             same_keys(was->rotation, is->rotation) && same_keys(was->led, is->led);
    // By another clock the same keys are another velocity, at the start too.
    if (same_tracks && !other_clock_ && old->body.led == now->body.led && old->body.blend == now->body.blend &&
        old->body.bends_led == now->body.bends_led && same_ride(*was, *old, *is, *now) &&
        (was->position || old->transform.position == now->transform.position) &&
        (was->rotation || old->transform.rotation.coeffs() == now->transform.rotation.coeffs()))
      return;
    // What stands is another body in a run than what is led (sim/body/led.cpp).
    if ((!was || !is) && !body_kind(now->body.kind).moves) return note(0);
    const auto start = [](const LedTracks* tracks, const Object& object, const RunClock& clock) {
      return tracks ? begins_led(*tracks, object, clock) : std::nullopt;
    };
    const std::optional<Lead> a = start(was, *old, was_), b = start(is, *now, is_);
    if (a.has_value() != b.has_value() || (a && !same(*a, *b))) return note(0);
    const auto tells = [&](const LedTracks* tracks, const Object& object, std::int64_t substep, const RunClock& clock) {
      return tracks ? told(*tracks, object, substep, clock) : Told();
    };
    differs_first([&](std::int64_t k) { return !same(tells(was, *old, k, was_), tells(is, *now, k, is_)); });
    if (was_.even() && is_.even()) return;
    // Of what is led a frame shows the place at its own time, whatever the sub-steps are.
    const auto seen = [](const LedTracks* tracks, const Object& object, int frame, const RunClock& clock) {
      return tracks ? led_in_frame(*tracks, object, frame, clock) : std::nullopt;
    };
    for (int frame = 0; frame < std::min(frame_.value_or(last_ + 1), settled_); ++frame) {
      if (frame == kCompared / 4) return note(frame);
      const std::optional<Lead> a_seen = seen(was, *old, frame, was_), b_seen = seen(is, *now, frame, is_);
      if (a_seen.has_value() != b_seen.has_value() || (a_seen && !same(*a_seen, *b_seen))) return note(frame);
    }
  }

  void compare_joints() {
    std::map<std::uint64_t, std::pair<JointTracks, JointTracks>> told;
    for (JointTracks& one : told_joints(before_)) told[one.joint->id.value].first = std::move(one);
    for (JointTracks& one : told_joints(after_)) told[one.joint->id.value].second = std::move(one);
    compare_pulls(told);
    for (auto& [id, both] : told) compare(Id{id}, both.first, both.second);
    for (const auto& now : after_.joints) {
      const Shared<Joint>* const old = find_shared_joint(before_, now->id);
      if (!old || reads_alike(*old, now) || !counts_while_on(before_, **old, after_, *now)) continue;
      const JointTracks was = tracks_of_joint(before_, *old), is = tracks_of_joint(after_, now);
      differs_first([&](std::int64_t k) { return hazumi::told(was, k, was_).on || hazumi::told(is, k, is_).on; });
    }
  }

  static bool reads_alike(const Shared<Joint>& was, const Shared<Joint>& is) {
    return was.same_as(is) || signature_of_shared(was, joint_fields()) == signature_of_shared(is, joint_fields());
  }

  /// A pull that came or went says nothing while it is off, and no state remembers it.
  void compare_pulls(std::map<std::uint64_t, std::pair<JointTracks, JointTracks>>& told_now) {
    for (const auto& [here, there, is] : {std::tuple(&before_, &after_, &was_), std::tuple(&after_, &before_, &is_)})
      for (const auto& joint : here->joints) {
        if (joint->kind != JointKind::pull || find_joint(*there, joint->id)) continue;
        told_now.erase(joint->id.value);
        const JointTracks tracks = tracks_of_joint(*here, joint);
        differs_first([&, clock = is](std::int64_t k) { return told(tracks, k, *clock).on; });
      }
  }

  static const Shared<Joint>* find_shared_joint(const Scene& scene, Id id) {
    for (const auto& joint : scene.joints)
      if (joint->id == id) return &joint;
    return nullptr;
  }

  /// Without keys and curve in one of the scenes it is told there what it says itself.
  void compare(Id id, JointTracks& was, JointTracks& is) {
    const Shared<Joint>*old = find_shared_joint(before_, id), *now = find_shared_joint(after_, id);
    if (!old || !now) return;  // it came or went
    if (!was.joint) was = tracks_of_joint(before_, *old);
    if (!is.joint) is = tracks_of_joint(after_, *now);
    const bool remembered = (*old)->kind != JointKind::pull || (*now)->kind != JointKind::pull;
    if (remembered &&
        ((was.curve != nullptr) != (is.curve != nullptr) || ever_on(before_, **old) != ever_on(after_, **now) ||
         (was.hasty != nullptr) != (is.hasty != nullptr)))
      return note(0);  // it is no part of one of the runs
    const bool same_tracks = same_keys(was.on, is.on) && same_keys(was.speed, is.speed) &&
                             same_keys(was.most, is.most) && same_keys(was.strictness, is.strictness) &&
                             same_keys(was.along, is.along) && same_keys(was.place, is.place) && same_numbers(was, is);
    // What it says itself is in its signature.
    if (same_tracks && !other_clock_ && same_way(was.curve, is.curve)) return;
    // A sub-step is told the one before it too (sim/director.h).
    differs_first([&](std::int64_t k) {
      for (const std::int64_t at : {k - 1, k})
        if (told(was, at, was_) != told(is, at, is_)) return true;
      return false;
    });
  }

  static bool same_numbers(const JointTracks& was, const JointTracks& is) {
    return std::equal(was.numbers.begin(), was.numbers.end(), is.numbers.begin(), is.numbers.end(),
                      [](const Track* a, const Track* b) { return a->field == b->field && same_keys(a, b); });
  }

  void compare_sizes(Id id, const Track* was, const Track* is) {
    const Object *old = find_object(before_, id), *now = find_object(after_, id);
    if (!old || !now || (was && is && !other_clock_ && same_keys(was, is))) return;
    const auto tells = [](const Track* track, const Object& object, std::int64_t k, const RunClock& clock) {
      return track ? told_size(*track, k, clock) : object.body.volume.size;
    };
    if (tells(was, *old, -1, was_) != tells(is, *now, -1, is_)) return note(0);
    differs_first([&](std::int64_t k) { return tells(was, *old, k, was_) != tells(is, *now, k, is_); });
  }

  void compare_shapes(Id id, ShapeTracks was, ShapeTracks is) {
    const Object *old = find_object(before_, id), *now = find_object(after_, id);
    if (!old || !now) return;
    if (!other_clock_ && same_keys(was.pose, is.pose) && same_keys(was.following, is.following)) return;
    was.late = shape_lateness(object_truss(*old, DisplayMesh()));
    is.late = shape_lateness(object_truss(*now, DisplayMesh()));
    if (told_shape(*old, was, -1, was_) != told_shape(*now, is, -1, is_)) return note(0);
    differs_first([&](std::int64_t k) { return told_shape(*old, was, k, was_) != told_shape(*now, is, k, is_); });
  }

  void compare_substances() {
    std::map<Id, std::pair<SubstanceTracks, SubstanceTracks>> all;
    for (const SubstanceTracks& one : substance_keys(before_)) all[one.object].first = one;
    for (const SubstanceTracks& one : substance_keys(after_)) all[one.object].second = one;
    for (const auto& [id, both] : all) {
      const auto& [was, is] = both;
      const Object *old = find_object(before_, id), *now = find_object(after_, id);
      if (!old || !now) continue;
      if (!other_clock_ && same_keys(was.friction, is.friction) && same_keys(was.restitution, is.restitution) &&
          same_keys(was.gravity, is.gravity))
        continue;
      differs_first([&, &was = was, &is = is](std::int64_t k) {
        return told_substance(*old, was, k, was_) != told_substance(*now, is, k, is_);
      });
    }
  }

  void compare_forces() {
    for (const auto& now : after_.forces) {
      const Force* old = find_force(before_, now->id);
      if (!old) continue;
      const Push was = push_of(before_, *old), is = push_of(after_, *now);
      // What it says itself is in its signature.
      if (same_keys(was.on, is.on) && same_keys(was.push, is.push) && !other_clock_) continue;
      differs_first([&](std::int64_t k) { return pushed(was, k, was_) != pushed(is, k, is_); });
    }
  }

  void compare_fields() {
    if (before_.fields.empty() || after_.fields.empty()) return;
    const KeyedFields were(before_), are(after_);
    for (const auto& now : after_.fields) {
      const ForceField* old = find_force_field(before_, now->id);
      if (!old) continue;
      if (!felt_alike(before_, *old, after_, *now)) return note(0);
    }
    const auto keyed = [&](const Scene& scene) {
      return std::any_of(scene.tracks.begin(), scene.tracks.end(),
                         [&](const auto& track) { return find_force_field(scene, Id{track->target}) != nullptr; });
    };
    if (!keyed(before_) && !keyed(after_)) return;  // what they say themselves is in their signatures
    differs_first([&](std::int64_t k) {
      const auto a = were.at(middle_of(k, was_)), b = are.at(middle_of(k, is_));
      for (const auto& is : b) {
        const auto was = std::find_if(a.begin(), a.end(), [&](const auto& one) { return one->id == is->id; });
        if (was == a.end() || was->same_as(is)) continue;
        for (const Field<ForceField>& row : force_field_fields())
          if (row.keyable && (effect_now(row, **was) != Effect::look || effect_now(row, *is) != Effect::look) &&
              !operator_equal(row.get(**was), row.get(*is)))
            return true;
      }
      return false;
    });
  }

  void compare_sources() {
    if (before_.particles.empty() || after_.particles.empty()) return;
    for (const auto& now : after_.particles) {
      const ParticleSource* old = find_source(before_, now->id);
      if (old && source_surroundings(before_, *old) != source_surroundings(after_, *now)) return note(0);
    }
    const KeyedSources were(before_), are(after_);
    if (!were.any_keys() && !are.any_keys()) return;  // what they say themselves is in their signatures
    differs_first([&](std::int64_t k) {
      const auto differs = [&](double was, double is) { return sources_differ(were.at(was), are.at(is)); };
      return differs(was_.film(k), is_.film(k)) || differs(was_.film(k + 1), is_.film(k + 1)) ||
             differs(middle_of(k, was_), middle_of(k, is_));
    });
  }

  void compare_gravity() {
    const Track *was = gravity_track(before_), *is = gravity_track(after_);
    if (!other_clock_ && same_keys(was, is)) return;
    const auto tells = [](const Track* track, const Scene& scene, std::int64_t k, const RunClock& clock) {
      return track ? added_gravity(*track, scene.settings, k, clock) : Vec3(Vec3::Zero());
    };
    differs_first([&](std::int64_t k) { return tells(was, before_, k, was_) != tells(is, after_, k, is_); });
  }

  /// The frame from which on no track of the scene says anything new: each is held behind its last key, and every blend is over.
  static int settled(const Scene& scene) {
    double time = 0, blend = 0;
    for (const auto& track : scene.tracks) {
      if (track->keys.empty()) continue;
      if (track->after != Beyond::hold) return std::numeric_limits<int>::max();
      time = std::max(time, track->keys.back().time);
    }
    for (const auto& object : scene.objects) blend = std::max(blend, object->body.blend);
    const double frame = (time + blend) * scene.settings.frame_rate + 3;
    return frame < 1e9 ? static_cast<int>(std::ceil(frame)) : std::numeric_limits<int>::max();
  }

  /// The state after a sub-step is that of the frame which it ends, or of one behind.
  template <class Differs>
  void differs_first(const Differs& differs) {
    // What is seen of frame f comes of the sub-steps up to the one that it is in.
    const int until = std::min(frame_.value_or(last_ + 1), settled_);
    const std::int64_t all = std::max(was_.begin(until), is_.begin(until)) + (was_.even() && is_.even() ? 0 : 1);
    const std::int64_t end = std::min(all, kCompared);
    std::int64_t k = 0;
    while (k < end && !differs(k)) ++k;
    if (k == end && end == all) return;
    const int shown = std::min(was_.last_without(k), is_.last_without(k));
    note(std::min<std::int64_t>(std::int64_t{shown} + 1, last_ + 1));
  }

  static bool same_clock(const Scene& before, const Scene& after) {
    const SceneSettings &was = before.settings, &is = after.settings;
    return was.frame_rate == is.frame_rate && was.substeps == is.substeps && was.time_scale == is.time_scale &&
           same_keys(time_scale_track(before), time_scale_track(after));
  }

  void compare_clocks() {
    if (same_clock(before_, after_)) return;
    const int first = RunClock::first_difference(was_, is_, last_);
    if (first > last_) {
      // Of the sub-step that the last frame is in the end may be another one all the same: where time stands still before it.
      const std::int64_t end = was_.begin(last_) + 1;
      other_clock_ = was_.film(end) != is_.film(end);
      return;
    }
    other_clock_ = true;
    // The frame before shows a part of a sub-step whose end is another time of the film now.
    note(was_.part(first - 1) > 0 ? first - 1 : first);
  }

  const Scene& before_;
  const Scene& after_;
  RunClock was_, is_;
  bool other_clock_ = false;
  int last_, settled_;
  std::optional<int> frame_;
};

}  // namespace

Told told(const LedTracks& tracks, const Object& object, std::int64_t substep, const RunClock& clock) {
  Told out;
  out.led = led_now(tracks, object, clock.film(substep));
  out.handed_over = tracks.led && out.led != led_now(tracks, object, film_of(clock, substep - 1));
  if (!out.led) return out;
  out.bends = object.body.bends_led && body_kind(object.body.kind).deforms;
  out.left = left_of_blend(tracks, object, substep, clock);
  out.lead = for_physics(lead_at(tracks, object, clock.film(substep + 1), -1), clock.rate(substep + 1));
  return out;
}

std::optional<Lead> begins_led(const LedTracks& tracks, const Object& object, const RunClock& clock) {
  if (!led_now(tracks, object, 0) || !led_now(tracks, object, film_of(clock, -1))) return std::nullopt;
  if (left_of_blend(tracks, object, 0, clock) > 1) return std::nullopt;
  return for_physics(lead_at(tracks, object, 0, 1), clock.rate(0));
}

std::optional<Lead> led_in_frame(const LedTracks& tracks, const Object& object, int frame, const RunClock& clock) {
  const double time = clock.film_of_frame(frame);
  if (!led_now(tracks, object, time)) return std::nullopt;
  const Told now = told(tracks, object, clock.begin(frame), clock);
  if (!now.led || now.left > 1) return std::nullopt;
  Lead lead;
  lead.pose = led_pose(tracks, object, time);
  lead.looks_at = tracks.looks_at;
  lead.roll = tracks.looks_at ? led_roll(tracks, object, time) : 0;
  return lead;
}

const Track* gravity_track(const Scene& scene) {
  if (scene.tracks.empty()) return nullptr;
  const Track* track = find_track(scene, 0, "settings.gravity");
  return track && track->visible && !track->keys.empty() ? track : nullptr;
}

Vec3 added_gravity(const Track& gravity, const SceneSettings& settings, std::int64_t substep, const RunClock& clock) {
  const double middle = clock.even() ? (static_cast<double>(substep) + 0.5) * clock.step()
                                     : 0.5 * (clock.film(substep) + clock.film(substep + 1));
  const Numbers g = track_value(gravity, FieldType::vector, middle);
  return Vec3(g[0], g[1], g[2]) - settings.gravity;
}

std::vector<SizeTrack> sized_objects(const Scene& scene) {
  std::vector<SizeTrack> found;
  for (const auto& track : scene.tracks) {
    if (track->target == 0 || track->field != "body.volume.size" || !track->visible || track->keys.empty()) continue;
    const Object* object = find_object(scene, Id{track->target});
    if (!object || !body_kind(object->body.kind).deforms || object->body.volume.of == VolumeOf::off) continue;
    found.push_back({object->id, track.get()});
  }
  std::sort(found.begin(), found.end(), [](const SizeTrack& a, const SizeTrack& b) { return a.object < b.object; });
  return found;
}

double told_size(const Track& track, std::int64_t substep, const RunClock& clock) {
  static const Field<Object>& row = *find_field(object_fields(), "body.volume.size");
  const double time = substep < 0 ? 0 : clock.film(substep + 1);
  return std::clamp(track_value(track, FieldType::number, time)[0], row.low, row.high);
}

void add_leading(Hasher& hasher, const Scene& scene) {
  if (scene.tracks.empty() && scene.curves.empty() && scene.fields.empty() && scene.particles.empty()) return;
  for (const LedTracks& led : led_objects(scene)) {
    const Object& object = *find_object(scene, led.object);
    hasher.add(std::string_view("led")).add(led.object.value);
    for (const Track* track : {led.position, led.rotation, led.led}) add_track(hasher, track);
    hasher.add(std::uint64_t{object.body.led}).add(object.body.blend).add(std::uint64_t{object.body.bends_led});
    if (!led.curve) continue;
    add_ride(hasher, object, led.curve, led.looks_at);
    for (const Track* track : {led.along, led.roll}) add_track(hasher, track);
  }
  add_joint_tracks(hasher, scene);
  for (const SizeTrack& sized : sized_objects(scene))
    add_track(hasher.add(std::string_view("size")).add(sized.object.value), sized.track);
  add_shapes(hasher, scene);
  add_substance_keys(hasher, scene);
  add_pushes(hasher, scene);
  add_fields(hasher, scene);
  add_sources(hasher, scene);
  if (const Track* gravity = gravity_track(scene)) add_track(hasher.add(std::string_view("gravity")), gravity);
  if (const Track* scale = time_scale_track(scene)) add_track(hasher.add(std::string_view("time scale")), scale);
}

std::optional<int> first_told_otherwise(const Scene& before, const Scene& after) {
  const auto nothing = [](const Scene& scene) {
    const auto pulls = [](const auto& joint) { return joint->kind == JointKind::pull; };
    return scene.tracks.empty() && scene.curves.empty() && scene.fields.empty() && scene.particles.empty() &&
           std::none_of(scene.joints.begin(), scene.joints.end(), pulls);
  };
  if (nothing(before) && nothing(after)) return std::nullopt;
  return Tellings(before, after).first();
}

}  // namespace hazumi
