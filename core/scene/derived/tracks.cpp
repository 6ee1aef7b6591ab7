#include "core/scene/derived/tracks.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/geometry/curve/follow.h"
#include "core/math/eigen.h"
#include "core/math/rotation.h"
#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/cameras.h"
#include "core/scene/derived/following.h"
#include "core/scene/values/scene_lists.h"

namespace hazumi {

namespace {

using Numbers = std::array<double, 4>;

constexpr std::string_view kSettings = "settings.";

/// Calls visit(row, owner) with the field's row and its owner; false: there is none.
template <class Visit>
bool visit_field(const Scene& scene, std::uint64_t target, std::string_view path, Visit&& visit) {
  const auto in = [&]<class Owner>(std::span<const Field<Owner>> rows, std::string_view name, const Owner& owner) {
    const Field<Owner>* row = find_field(rows, name);
    if (row) visit(*row, owner);
    return row != nullptr;
  };
  if (target == 0)
    return path.starts_with(kSettings) && in(settings_fields(), path.substr(kSettings.size()), scene.settings);
  bool found = false;
  visit_thing(scene, Id{target}, [&]<class Thing>(const SceneList<Thing>& list, const Shared<Thing>& thing) {
    found = in(list.fields(), path, *thing);
    if constexpr (std::is_same_v<Thing, MotionNode>)
      if (const Field<MotionNode>* row = found ? nullptr : box_row(*thing, path)) {
        found = true;
        visit(*row, *thing);
      }
  });
  return found;
}

template <class Owner>
FieldRange range_of(const Field<Owner>& row) {
  return {row.label, row.unit, row.type, row.low, row.high, row.low_open, row.choices, row.refers};
}

bool is_used(const Track& track) { return track.visible && !track.keys.empty(); }

/// Of a keyed angle the one nearest to another that is the same direction.
double nearest_turn(double angle, double to) { return angle + 2 * kPi * std::round((to - angle) / (2 * kPi)); }

Numbers key_value(const Track& track, const FieldValue& value, std::size_t place) {
  if (track.turn != TurnBy::angles || !std::holds_alternative<Quat>(value)) return numbers_of(value);
  const Vec3 angles = euler_angles(std::get<Quat>(value));
  Numbers numbers = {angles.x(), angles.y(), angles.z(), 0};
  if (track.keys.empty()) return numbers;
  const Key& beside = track.keys[place == 0 ? 0 : place - 1];
  for (std::size_t i = 0; i < 3; ++i) numbers[i] = nearest_turn(numbers[i], beside.value[i]);
  return numbers;
}

/// ω of the rates of keyed angles: R = Rz Ry Rx, so its columns are Rz Ry x̂, Rz ŷ, ẑ.
Mat3 spins_of_angles(const Vec3& angles) {
  const Quat z(Eigen::AngleAxisd(angles.z(), Vec3::UnitZ())), y(Eigen::AngleAxisd(angles.y(), Vec3::UnitY()));
  Mat3 spins;
  spins << z * (y * Vec3::UnitX()), z * Vec3::UnitY(), Vec3::UnitZ();
  return spins;
}

void set_key(Track& track, double time, const FieldValue& value) {
  const auto at = std::lower_bound(track.keys.begin(), track.keys.end(), time - kSameTime,
                                   [](const Key& key, double wanted) { return key.time < wanted; });
  const auto place = static_cast<std::size_t>(at - track.keys.begin());
  if (at != track.keys.end() && std::abs(at->time - time) <= kSameTime) {
    at->value = key_value(track, value, place);
    return;
  }
  Key key;
  key.time = time;
  key.value = key_value(track, value, place);
  if (!track.keys.empty()) key.shape = track.keys[place == 0 ? 0 : place - 1].shape;
  if (std::holds_alternative<bool>(value) || std::holds_alternative<std::int64_t>(value)) key.shape = KeyShape::step;
  track.keys.insert(at, key);
}

}  // namespace

std::optional<TrackField> track_field(const Scene& scene, std::uint64_t target, std::string_view field) {
  std::optional<TrackField> found;
  visit_field(scene, target, field, [&](const auto& row, const auto&) {
    found = TrackField{range_of(row), row.effect, row.keyable, row.group};
  });
  return found;
}

const Track* find_track(const Scene& scene, std::uint64_t target, std::string_view field) {
  for (const auto& track : scene.tracks)
    if (track->target == target && track->field == field) return track.get();
  return nullptr;
}

std::array<double, 4> numbers_of(const FieldValue& value) {
  return std::visit(
      [](const auto& v) -> Numbers {
        using T = std::remove_cvref_t<decltype(v)>;
        if constexpr (std::is_same_v<T, Vec3>)
          return {v.x(), v.y(), v.z(), 0};
        else if constexpr (std::is_same_v<T, Quat>)
          return {v.w(), v.x(), v.y(), v.z()};
        else if constexpr (std::is_arithmetic_v<T>)
          return {static_cast<double>(v), 0, 0, 0};
        else
          return {};
      },
      value);
}

FieldValue value_of(const FieldRange& range, const std::array<double, 4>& numbers) {
  const double least = range.low_open ? std::nextafter(range.low, range.high) : range.low;
  const auto number = [&](std::size_t i) { return std::clamp(numbers[i], least, range.high); };
  switch (range.type) {
    case FieldType::boolean:
      return numbers[0] >= 0.5;
    case FieldType::integer:
    case FieldType::choice:
      return static_cast<std::int64_t>(std::llround(number(0)));
    case FieldType::vector:
    case FieldType::colour:
      return Vec3(number(0), number(1), number(2));
    case FieldType::rotation:
      return Quat(numbers[0], numbers[1], numbers[2], numbers[3]).normalized();
    default:
      return number(0);
  }
}

std::optional<FieldValue> value_at(const Scene& scene, std::uint64_t target, std::string_view field, double time) {
  std::optional<FieldValue> value;
  visit_field(scene, target, field, [&](const auto& row, const auto& owner) {
    const Track* track = find_track(scene, target, field);
    Track cuts;
    if (track && row.refers == Refers::camera) track = &(cuts = cuts_of(scene));
    value = track && is_used(*track) ? value_of(range_of(row), track_value(*track, row.type, time)) : row.get(owner);
  });
  return value;
}

LookTracks::LookTracks(const Scene& scene) {
  if (scene.tracks.empty()) return;
  using Thing = std::pair<List, std::size_t>;
  std::map<std::uint64_t, Thing> things;
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    things.emplace(scene.objects[i]->id.value, Thing(List::objects, i));
  for (std::size_t i = 0; i < scene.lights.size(); ++i)
    things.emplace(scene.lights[i]->id.value, Thing(List::lights, i));
  for (std::size_t i = 0; i < scene.cameras.size(); ++i)
    things.emplace(scene.cameras[i]->id.value, Thing(List::cameras, i));
  for (const auto& track : scene.tracks) {
    if (!is_used(*track)) continue;
    const auto add = [&](auto rows, std::string_view path, const Thing& thing) {
      for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].path != path || !rows[row].keyable || rows[row].effect != Effect::look) continue;
        const Shared<Track> used = rows[row].refers == Refers::camera ? Shared<Track>(cuts_of(scene)) : track;
        if (is_used(*used)) places_.push_back({used, thing.first, thing.second, row});
      }
    };
    const std::string_view path = track->field;
    if (track->target == 0 && path.starts_with(kSettings))
      add(settings_fields(), path.substr(kSettings.size()), {List::settings, 0});
    const auto at = things.find(track->target);
    if (at == things.end()) continue;
    if (at->second.first == List::objects)
      add(object_fields(), path, at->second);
    else if (at->second.first == List::lights)
      add(light_fields(), path, at->second);
    else
      add(camera_fields(), path, at->second);
  }
  std::stable_sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
    return std::pair(a.list, a.thing) < std::pair(b.list, b.thing);
  });
}

Scene LookTracks::at(Scene scene, double time) const {
  const auto put_on_curve = [](Scene& seen, std::size_t place) {
    if (const auto& camera = seen.cameras[place]; camera->follow.curve != 0)
      seen.cameras[place] = camera.edited([&](Camera& c) { hazumi::put_on_curve(seen, c); });
  };
  const auto set = [&]<class Owner>(std::span<const Field<Owner>> rows, Owner& owner, const Place& place) {
    const Field<Owner>& row = rows[place.row];
    row.set(owner, value_of(range_of(row), track_value(*place.track, row.type, time)));
  };
  for (auto it = places_.begin(); it != places_.end();) {
    const auto end = std::find_if(it, places_.end(), [&](const Place& p) {
      return std::pair(p.list, p.thing) != std::pair(it->list, it->thing);
    });
    const auto each = [&](auto rows, auto& owner) {
      for (auto at = it; at != end; ++at) set(rows, owner, *at);
    };
    const auto each_in = [&]<class Thing>(auto rows, std::vector<Shared<Thing>>& things) {
      things[it->thing] = things[it->thing].edited([&](Thing& thing) { each(rows, thing); });
    };
    if (it->list == List::objects)
      each_in(object_fields(), scene.objects);
    else if (it->list == List::lights)
      each_in(light_fields(), scene.lights);
    else if (it->list == List::cameras)
      each_in(camera_fields(), scene.cameras), put_on_curve(scene, it->thing);
    else
      each(settings_fields(), scene.settings);
    it = end;
  }
  return scene;
}

Scene scene_at(const Scene& scene, double time) { return LookTracks(scene).at(scene, time); }

namespace {

/// A key at time 0 alone is a start.
bool leads(const Track* track) {
  return track && (track->keys.back().time > kSameTime || track->keys.front().time < -kSameTime);
}

/// What is on a curve as its tracks say; false: nothing leads it.
bool rides_led(const Scene& scene, const Object& object, LedTracks& led) {
  const Shared<Curve>& curve = *curve_of(scene, object);
  led.curve = curve.get();
  led.looks_at = looked_at(scene, object);
  led.position = nullptr;
  const bool turns = object.follow.turned || led.looks_at;
  if (turns) led.rotation = nullptr;
  const bool by_looking = led.looks_at && !body_kind(object.body.kind).moves;
  if (!leads(led.along) && !led.rotation && !(turns && leads(led.roll)) && !by_looking) return false;
  led.way = way_of(curve);
  return true;
}

}  // namespace

std::vector<LedTracks> led_objects(const Scene& scene) {
  if (scene.tracks.empty() && scene.curves.empty()) return {};
  std::map<Id, LedTracks> all;
  for (const auto& track : scene.tracks) {
    if (!is_used(*track) || track->target == 0) continue;
    LedTracks& led = all[Id{track->target}];
    if (track->field == "transform.position") led.position = track.get();
    if (track->field == "transform.rotation") led.rotation = track.get();
    if (track->field == "body.led") led.led = track.get();
    if (track->field == kAlong) led.along = track.get();
    if (track->field == kFollowRoll) led.roll = track.get();
  }
  std::vector<LedTracks> found;
  for (const auto& object : scene.objects) {
    const auto at = all.find(object->id);
    const bool rides = object->follow.curve != 0 && curve_of(scene, *object);
    if (at == all.end() && !rides) continue;
    LedTracks led = at == all.end() ? LedTracks() : at->second;
    if (!leads(led.position)) led.position = nullptr;
    if (!leads(led.rotation)) led.rotation = nullptr;
    if (!(rides ? rides_led(scene, *object, led) : led.position || led.rotation)) continue;
    led.object = object->id;
    found.push_back(led);
  }
  std::sort(found.begin(), found.end(), [](const LedTracks& a, const LedTracks& b) { return a.object < b.object; });
  return found;
}

bool is_led(const Scene& scene, Id object) {
  const std::vector<LedTracks> all = led_objects(scene);
  return std::any_of(all.begin(), all.end(), [&](const LedTracks& led) { return led.object == object; });
}

Pose led_pose(const LedTracks& tracks, const Object& object, double time) {
  Pose pose{object.transform.position, object.transform.rotation};
  if (tracks.way && object.follow.turned)
    return pose_on(*tracks.way, led_along(tracks, object, time), object.follow.turn,
                   {true, std::nullopt, led_roll(tracks, object, time), object.follow.height});
  if (tracks.way) pose.position = place_over(*tracks.way, led_along(tracks, object, time), object.follow.height);
  if (tracks.position) {
    const Numbers v = track_value(*tracks.position, FieldType::vector, time);
    pose.position = Vec3(v[0], v[1], v[2]);
  }
  if (tracks.rotation) {
    const Numbers v = track_value(*tracks.rotation, FieldType::rotation, time);
    pose.rotation = Quat(v[0], v[1], v[2], v[3]).normalized();
  }
  return pose;
}

double led_along(const LedTracks& tracks, const Object& object, double time) {
  return tracks.along ? std::clamp(track_value(*tracks.along, FieldType::number, time)[0], 0.0, 1.0)
                      : object.follow.along;
}

double led_roll(const LedTracks& tracks, const Object& object, double time) {
  return tracks.roll ? track_value(*tracks.roll, FieldType::number, time)[0] : object.follow.roll;
}

bool led_now(const LedTracks& tracks, const Object& object, double time) {
  return tracks.led ? track_value(*tracks.led, FieldType::boolean, time)[0] >= 0.5 : object.body.led;
}

Scene with_key(Scene scene, std::uint64_t target, std::string_view field, double time, const FieldValue& value) {
  const std::optional<TrackField> row = track_field(scene, target, field);
  if (!row || !row->keyable) return scene;
  for (auto& track : scene.tracks)
    if (track->target == target && track->field == field) {
      track = track.edited([&](Track& t) { set_key(t, time, value); });
      return scene;
    }
  Track track;
  track.id = next_id(scene);
  track.name = row->range.label;
  track.target = target;
  track.field = field;
  set_key(track, time, value);
  scene.tracks.push_back(Shared<Track>(std::move(track)));
  return scene;
}

Scene without_track(Scene scene, std::uint64_t target, std::string_view field, double time) {
  const auto at = std::find_if(scene.tracks.begin(), scene.tracks.end(),
                               [&](const auto& track) { return track->target == target && track->field == field; });
  if (at == scene.tracks.end()) return scene;
  const std::optional<FieldValue> shown = value_at(scene, target, field, time);
  const std::string path((*at)->field);
  scene.tracks.erase(at);
  if (!shown) return scene;
  const auto put = [&](auto rows, auto& owner, std::string_view name) {
    if (const auto* row = find_field(rows, name)) row->set(owner, *shown);
  };
  if (target == 0) {
    if (path.starts_with(kSettings)) put(settings_fields(), scene.settings, path.substr(kSettings.size()));
    return scene;
  }
  return with_thing(std::move(scene), Id{target}, [&]<class Thing>(Thing& thing) {
    put(std::get<SceneList<Thing>>(kSceneLists).fields(), thing, path);
    if constexpr (std::is_same_v<Thing, MotionNode>)
      if (const Field<MotionNode>* row = box_row(thing, path); row && !is_expression(thing, path))
        row->set(thing, *shown);
  });
}

Scene without_key(Scene scene, std::uint64_t target, std::string_view field, double time) {
  const auto here = [&](const Key& key) { return std::abs(key.time - time) <= kSameTime; };
  for (auto& track : scene.tracks) {
    if (track->target != target || track->field != field) continue;
    if (std::none_of(track->keys.begin(), track->keys.end(), here)) return scene;
    if (track->keys.size() == 1) return without_track(std::move(scene), target, field, time);
    track = track.edited([&](Track& t) { std::erase_if(t.keys, here); });
    return scene;
  }
  return scene;
}

void move_keys(Track& track, const std::function<Vec3(const Vec3&)>& place, const Quat& turn) {
  const bool point = track.field == "transform.position" || track.field == "position" || track.field == "target";
  if (!point && track.field != "transform.rotation" && track.field != "rotation") return;
  const auto vec = [](const Numbers& v) { return Vec3(v[0], v[1], v[2]); };
  Track moved = track;
  moved.keys.clear();
  for (Key key : track.keys) {
    if (point) {
      const Vec3 from = vec(key.value), to = place(from);
      for (Numbers* slope : {&key.in, &key.out}) *slope = numbers_of(Vec3(place(from + vec(*slope)) - to));
      key.value = numbers_of(to);
    } else {
      const bool angles = track.turn == TurnBy::angles;
      const Vec3 was = vec(key.value);
      const Quat turned =
          turn * (angles ? from_euler_angles(was) : Quat(key.value[0], key.value[1], key.value[2], key.value[3]));
      key.value = key_value(moved, turned.normalized(), moved.keys.size());
      // Of quaternions they are in the thing's own axes, and stay.
      for (Numbers* slope : {&key.in, &key.out})
        if (angles)
          *slope = numbers_of(
              least_squares(spins_of_angles(vec(key.value)), turn * Vec3(spins_of_angles(was) * vec(*slope))));
    }
    moved.keys.push_back(key);
  }
  track.keys = std::move(moved.keys);
}

}  // namespace hazumi
