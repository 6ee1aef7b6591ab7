#include "ui/model/baking.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <QCoreApplication>

#include "core/scene/derived/breaking.h"
#include "core/scene/derived/following.h"
#include "core/scene/derived/poses.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/values/field_rows.h"
#include "ui/model/playback_controller.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

using namespace rows;

struct Baking {
  double place = 1e-3;             ///< m
  double angle = 0.5 * kPi / 180;  ///< rad
};

std::span<const Field<Baking>> baking_fields() {
  using Owner = Baking;
  // clang-format off
  static const std::vector<Field<Baking>> table = {
      ROW(place, "Place tolerance", "", "m", (Range{1e-6, 100, false, 0}), look, always,
          "How far the keys may be from where it was, at any frame: more makes fewer keys."),
      ROW(angle, "Rotation tolerance", "", "°", (Range{1e-5, 3, false, 0}), look, always,
          "How far the keys may be turned from how it was, at any frame."),
  };
  // clang-format on
  return table;
}

using Samples = std::map<Id, std::vector<MotionSample>>;

Samples samples_of(const PlaybackController& playback, const Scene& scene, const std::set<Id>& ids) {
  Samples samples;
  for (int f = scene.settings.first_frame; f <= scene.settings.last_frame; ++f) {
    const FramePtr frame = playback.cache().frame(f);
    if (!frame) break;
    for (Id id : ids)
      if (const ObjectFrame* own = frame->find(id); own && own->present)
        samples[id].push_back(
            {f / scene.settings.frame_rate, {own->position.cast<double>(), own->rotation.cast<double>().normalized()}});
  }
  return samples;
}

Track new_track(const Scene& scene, Id of, const char* field, const char* name, std::vector<Key> keys) {
  Track track;
  track.id = next_id(scene);
  track.name = name;
  track.target = of.value;
  track.field = field;
  track.keys = std::move(keys);
  return track;
}

/// `track` with these keys from the first of them on; up to there it is as it was.
Track going_on(Track track, FieldType type, std::vector<Key> keys) {
  const double from = keys.front().time;
  const auto first = std::find_if(track.keys.begin(), track.keys.end(),
                                  [from](const Key& key) { return key.time >= from - kSameTime; });
  const auto kept = static_cast<std::size_t>(first - track.keys.begin());
  Key& joint = keys.front();
  joint.tangent = KeyTangent::free;
  if (first != track.keys.end() && first->time <= from + kSameTime) {
    joint.in = key_slopes(track, type, kept).in;
    joint.reach_in = first->reach_in;
  } else {
    joint.in = joint.out;
  }
  if (kept > 0) {  // its slopes are of neighbours that go
    const KeySlopes slopes = key_slopes(track, type, kept - 1);
    Key& last = track.keys[kept - 1];
    last.tangent = KeyTangent::free;
    last.in = slopes.in;
    last.out = slopes.out;
  }
  track.keys.resize(kept);
  track.keys.insert(track.keys.end(), keys.begin(), keys.end());
  track.after = Beyond::hold;
  track.turn = TurnBy::quaternion;
  return track;
}

/// The last frame at or before the time from which both tracks can be made anew: at a key of each, or at the first there is.
int frame_to_join(const LedTracks& led, const SceneSettings& settings, double time) {
  const double rate = settings.frame_rate;
  double from = time;
  for (const Track* track : {led.position, led.rotation}) {
    if (!track || track->keys.empty()) continue;
    double key = track->keys.front().time;
    for (const Key& each : track->keys)
      if (each.time <= time + kSameTime && track->turn == TurnBy::quaternion) key = each.time;
    from = std::min(from, key);
  }
  return static_cast<int>(std::ceil(from * rate - 1e-6));
}

bool has_keys(const Scene& scene, Id id) {
  return find_track(scene, id.value, "transform.position") || find_track(scene, id.value, "transform.rotation") ||
         find_track(scene, id.value, kAlong);
}

/// Pins and cracks leave nothing that keys could lead.
bool can_be_led(const Object& object) {
  const BodyKindInfo& kind = body_kind(object.body.kind);
  if (!kind.moves) return false;
  return !kind.deforms || (!can_break(object) && analysis_truss(object.analysis).pinned.empty());
}

}  // namespace

std::set<Id> bakeable(const Scene& scene, const std::set<Id>& ids) {
  std::set<Id> fit;
  for (Id id : ids)
    if (const Object* object = find_object(scene, id))
      if (can_be_led(*object) && !has_keys(scene, id)) fit.insert(id);
  return fit;
}

QString bake_problem(const PlaybackController& playback, const Scene& scene, const std::set<Id>& ids) {
  const auto tr = [](const char* text) { return QCoreApplication::translate("Baking", text); };
  if (ids.empty())
    return tr("Select what moves and has no keys yet; what hangs on pins or can break is led by no keys.");
  for (int f = scene.settings.first_frame; f <= scene.settings.last_frame; ++f)
    if (!playback.cache().frame(f))
      return tr("Frame %1 is not in memory yet; wait until the green strip is full.").arg(f);
  return {};
}

std::unique_ptr<Operation> bake_operation(const PlaybackController& playback, const Scene& scene,
                                          const std::set<Id>& ids) {
  // Of the run that there is now: with keys there will be another one.
  return std::make_unique<OperationOf<Baking>>(
      rows_of(baking_fields()), Baking{},
      [samples = samples_of(playback, scene, ids)](const Scene& before, const Baking& now) {
        Operation::Made made{before, nullptr, {}, {}};
        std::size_t places = 0, turns = 0;
        for (const auto& [id, motion] : samples) {
          BakedMotion keys = baked(motion, {now.place, now.angle, 240});
          places += keys.place.size();
          turns += keys.rotation.size();
          const auto add = [&, of = id](const char* field, const char* name, std::vector<Key> all) {
            made.scene.tracks.push_back(Shared<Track>(new_track(made.scene, of, field, name, std::move(all))));
          };
          add("transform.position", "Position", std::move(keys.place));
          add("transform.rotation", "Rotation", std::move(keys.rotation));
          // What bends goes on doing so, along its way.
          if (body_kind(find_object(before, id)->body.kind).deforms)
            made.scene = with_object(std::move(made.scene), id, [](Object& o) { o.body.bends_led = true; });
          // A curve that it starts on would say otherwise.
          if (find_object(before, id)->follow.curve != 0)
            made.scene = with_object(std::move(made.scene), id, [](Object& o) { o.follow.curve = 0; });
        }
        made.note = QCoreApplication::translate("Baking", "%L1 keys of place, %L2 of rotation").arg(places).arg(turns);
        return made;
      });
}

Scene given_back(Scene scene, const std::set<Id>& ids) {
  std::erase_if(scene.tracks, [&](const auto& track) {
    return ids.contains(Id{track->target}) &&
           (track->field == "transform.position" || track->field == "transform.rotation" ||
            track->field == "body.led" || track->field == kAlong || track->field == kFollowRoll);
  });
  return scene;
}

Scene led_from(Scene scene, const std::set<Id>& ids, double time, bool led) {
  for (Id id : ids) {
    if (!find_track(scene, id.value, "body.led") && time > kSameTime) {
      const Object* object = find_object(scene, id);
      if (!object) continue;
      scene = with_key(std::move(scene), id.value, "body.led", 0, object->body.led);
    }
    scene = with_key(std::move(scene), id.value, "body.led", time, led);
  }
  return scene;
}

Scene let_go_for_good(Scene scene, Id id, double time) {
  for (auto& track : scene.tracks)
    if (track->target == id.value && track->field == "body.led")
      track = track.edited(
          [&](Track& led) { std::erase_if(led.keys, [&](const Key& key) { return key.time > time + kSameTime; }); });
  std::erase_if(scene.tracks, [](const auto& track) { return track->keys.empty(); });
  return led_from(std::move(scene), {id}, time, false);
}

std::unique_ptr<Operation> flight_operation(const Scene& scene, Id id, std::vector<MotionSample> flight) {
  const double time = flight.front().time, rate = scene.settings.frame_rate;
  std::vector<MotionSample> motion;
  for (const LedTracks& led : led_objects(scene)) {
    if (led.object != id) continue;
    const int last = static_cast<int>(std::lround(time * rate));
    for (int frame = frame_to_join(led, scene.settings, time); frame < last; ++frame)
      motion.push_back({frame / rate, led_pose(led, *find_object(scene, id), frame / rate)});
  }
  motion.insert(motion.end(), flight.begin(), flight.end());
  return std::make_unique<OperationOf<Baking>>(
      rows_of(baking_fields()), Baking{},
      [motion = std::move(motion), id, time](const Scene& before, const Baking& now) {
        Operation::Made made{before, nullptr, {}, {}};
        BakedMotion keys = baked(motion, {now.place, now.angle, 240});
        const std::size_t places = keys.place.size(), turns = keys.rotation.size();
        const auto put = [&](const char* field, const char* name, FieldType type, std::vector<Key> all) {
          for (auto& track : made.scene.tracks)
            if (track->target == id.value && track->field == field) {
              track = Shared<Track>(going_on(*track, type, std::move(all)));
              return;
            }
          made.scene.tracks.push_back(Shared<Track>(new_track(made.scene, id, field, name, std::move(all))));
        };
        put("transform.position", "Position", FieldType::vector, std::move(keys.place));
        put("transform.rotation", "Rotation", FieldType::rotation, std::move(keys.rotation));
        for (auto& track : made.scene.tracks)
          if (track->target == id.value && track->field == "body.led")
            track = track.edited([&](Track& led) {
              std::erase_if(led.keys, [&](const Key& key) { return key.time > time + kSameTime; });
            });
        made.note = QCoreApplication::translate("Baking", "%L1 keys of place, %L2 of rotation").arg(places).arg(turns);
        return made;
      });
}

}  // namespace hazumi
