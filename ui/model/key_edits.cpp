#include "ui/model/key_edits.h"

#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"

namespace hazumi {

namespace {

using Numbers = std::array<double, 4>;

struct Placed {
  Key key;
  bool moved = false;
};

bool is_selected(const std::vector<double>& times, double time) {
  return std::binary_search(times.begin(), times.end(), time);
}

Numbers scaled(const Numbers& slopes, double factor) {
  Numbers now = slopes;
  for (double& slope : now) slope *= factor;
  return now;
}

/// The key at a place as it is after its time was stretched: slopes are per time, and what was before it is behind it in a mirror.
Key stretched(const std::vector<Key>& keys, std::size_t place, double stretch) {
  Key key = keys[place];
  if (stretch == 1 || stretch == 0) return key;
  key.in = scaled(key.in, 1 / stretch);
  key.out = scaled(key.out, 1 / stretch);
  if (stretch > 0) return key;
  std::swap(key.in, key.out);
  if (key.tangent == KeyTangent::aligned) key.in = key.out = scaled(keys[place].out, 1 / stretch);
  std::swap(key.reach_in, key.reach_out);
  if (place > 0) key.shape = keys[place - 1].shape;
  return key;
}

/// Ascending, one at a time: of those that meet the moved ones before the others, then the last.
std::vector<Key> settled(std::vector<Placed> all, std::vector<double>& moved) {
  std::stable_sort(all.begin(), all.end(), [](const Placed& a, const Placed& b) { return a.key.time < b.key.time; });
  std::vector<Placed> kept;
  for (const Placed& next : all) {
    if (kept.empty() || next.key.time - kept.back().key.time > kSameTime)
      kept.push_back(next);
    else if (next.moved || !kept.back().moved)
      kept.back() = next;
  }
  std::vector<Key> keys;
  moved.clear();
  for (const Placed& each : kept) {
    keys.push_back(each.key);
    if (each.moved) moved.push_back(each.key.time);
  }
  return keys;
}

/// `change` to the tracks that have keys among these, and which of their keys are selected then.
template <class Change>
KeyEdit changed(const Scene& scene, const KeyTimes& keys, const Change& change) {
  KeyEdit edit{scene, {}};
  for (auto& track : edit.scene.tracks) {
    const auto at = keys.find(track->id);
    if (at == keys.end() || at->second.empty()) continue;
    std::vector<double> times = at->second;
    track = track.edited([&](Track& next) { change(next, times); });
    if (!times.empty()) edit.keys.emplace(track->id, std::move(times));
  }
  return edit;
}

KeyEdit retimed_or_copied(const Scene& scene, const KeyTimes& keys, const Retime& to, bool copies) {
  return changed(scene, keys, [&](Track& track, std::vector<double>& times) {
    std::vector<Placed> all;
    for (std::size_t i = 0; i < track.keys.size(); ++i) {
      const bool mine = is_selected(times, track.keys[i].time);
      if (!mine || copies) all.push_back({track.keys[i], false});
      if (!mine) continue;
      Key moved = stretched(track.keys, i, to.stretch);
      moved.time = retimed(moved.time, to);
      all.push_back({moved, true});
    }
    track.keys = settled(std::move(all), times);
  });
}

/// `change` to each of the keys.
template <class Change>
KeyEdit each_changed(const Scene& scene, const KeyTimes& keys, const Change& change) {
  return changed(scene, keys, [&](Track& track, const std::vector<double>& times) {
    const Track before = track;
    for (std::size_t i = 0; i < track.keys.size(); ++i)
      if (is_selected(times, track.keys[i].time)) change(before, i, track.keys[i]);
  });
}

/// The same rotations otherwise; tangents become automatic.
void turn_by(Track& track, TurnBy turn) {
  Numbers before{};
  for (Key& key : track.keys) {
    const Numbers v = key.value;
    if (turn == TurnBy::quaternion) {
      key.value = numbers_of(FieldValue(from_euler_angles(Vec3(v[0], v[1], v[2]))));
    } else {
      const Vec3 angles = euler_angles(Quat(v[0], v[1], v[2], v[3]).normalized());
      key.value = {angles.x(), angles.y(), angles.z(), 0};
      // On from the key before, so that nothing turns the long way round.
      for (std::size_t i = 0; i < 3; ++i) key.value[i] += 2 * kPi * std::round((before[i] - key.value[i]) / (2 * kPi));
    }
    before = key.value;
    key.tangent = KeyTangent::automatic;
    key.in = key.out = {};
    key.reach_in = key.reach_out = 1.0 / 3;
  }
  track.turn = turn;
}

bool is_quaternion(FieldType type, const Track& track) {
  return type == FieldType::rotation && track.turn == TurnBy::quaternion;
}

}  // namespace

KeyTimes existing_keys(const Scene& scene, const KeyTimes& keys) {
  KeyTimes there;
  if (keys.empty()) return there;
  for (const auto& track : scene.tracks) {
    const auto at = keys.find(track->id);
    if (at == keys.end()) continue;
    std::vector<double> times;
    for (const Key& key : track->keys)
      if (is_selected(at->second, key.time)) times.push_back(key.time);
    if (!times.empty()) there.emplace(track->id, std::move(times));
  }
  return there;
}

KeyTimes all_keys(const Scene& scene, const std::set<Id>& tracks) {
  KeyTimes all;
  for (const auto& track : scene.tracks) {
    if (!tracks.empty() && tracks.count(track->id) == 0) continue;
    std::vector<double> times;
    for (const Key& key : track->keys) times.push_back(key.time);
    if (!times.empty()) all.emplace(track->id, std::move(times));
  }
  return all;
}

KeyTimes joined_keys(const KeyTimes& a, const KeyTimes& b) {
  KeyTimes both = a;
  for (const auto& [track, times] : b) {
    std::vector<double>& all = both[track];
    std::vector<double> joined;
    std::set_union(all.begin(), all.end(), times.begin(), times.end(), std::back_inserter(joined));
    all = std::move(joined);
  }
  return both;
}

const Track* find_track(const Scene& scene, Id id) {
  for (const auto& track : scene.tracks)
    if (track->id == id) return track.get();
  return nullptr;
}

const Key* find_key(const Track& track, double time) {
  const auto at = std::lower_bound(track.keys.begin(), track.keys.end(), time - kSameTime,
                                   [](const Key& key, double wanted) { return key.time < wanted; });
  return at != track.keys.end() && at->time - time <= kSameTime ? &*at : nullptr;
}

FieldType type_of(const Scene& scene, const Track& track) {
  const auto field = track_field(scene, track.target, track.field);
  return field ? field->range.type : FieldType::text;
}

bool is_continuous(const Scene& scene, const Track& track) { return is_continuous(type_of(scene, track)); }

double retimed(double time, const Retime& to) {
  double now = to.about + (time - to.about) * to.stretch + to.by;
  if (to.frame_rate > 0) now = std::round(now * to.frame_rate) / to.frame_rate;
  return now;
}

KeyEdit retimed_keys(const Scene& scene, const KeyTimes& keys, const Retime& to) {
  return retimed_or_copied(scene, keys, to, false);
}

KeyEdit copied_keys(const Scene& scene, const KeyTimes& keys, const Retime& to) {
  return retimed_or_copied(scene, keys, to, true);
}

KeyEdit shaped_keys(const Scene& scene, const KeyTimes& keys, KeyShape shape) {
  return each_changed(scene, keys, [&](const Track& track, std::size_t, Key& key) {
    if (is_continuous(scene, track)) key.shape = shape;
  });
}

KeyEdit with_tangents(const Scene& scene, const KeyTimes& keys, KeyTangent tangent) {
  return each_changed(scene, keys, [&](const Track& track, std::size_t place, Key& key) {
    const FieldType type = type_of(scene, track);
    if (!is_continuous(type) || key.tangent == tangent) return;
    const KeySlopes slopes = key_slopes(track, type, place);
    key.tangent = tangent;
    key.in = slopes.in;
    key.out = slopes.out;
    if (tangent != KeyTangent::aligned) return;
    // One slope for both sides: the mean, but for an end, which has one side.
    for (std::size_t i = 0; i < 4; ++i)
      key.out[i] = place == 0                       ? slopes.out[i]
                   : place + 1 == track.keys.size() ? slopes.in[i]
                                                    : (slopes.in[i] + slopes.out[i]) / 2;
    key.in = key.out;
  });
}

KeyEdit with_values(const Scene& scene, const KeyTimes& keys, const std::function<void(const Track&, Key&)>& change) {
  return each_changed(scene, keys, [&](const Track& track, std::size_t, Key& key) {
    const auto field = track_field(scene, track.target, track.field);
    if (!field) return;
    change(track, key);
    if (field->range.type == FieldType::rotation) return;
    const Numbers allowed = numbers_of(value_of(field->range, key.value));
    for (std::size_t i = 0; i < static_cast<std::size_t>(track_components(field->range.type, track.turn)); ++i)
      key.value[i] = allowed[i];
  });
}

void set_component(const Scene& scene, const Track& track, Key& key, std::size_t component, double value) {
  if (!is_quaternion(type_of(scene, track), track)) {
    key.value[component] = value;
    return;
  }
  value = std::clamp(value, -1.0, 1.0);
  double others = 0;
  for (std::size_t i = 0; i < 4; ++i)
    if (i != component) others += key.value[i] * key.value[i];
  const double room = std::sqrt(std::max(0.0, 1 - value * value));
  for (std::size_t i = 0; i < 4; ++i)
    if (i != component) key.value[i] = others > 0 ? key.value[i] * room / std::sqrt(others) : 0;
  key.value[component] = value;
  if (others <= 0) key.value[component == 0 ? 1 : 0] = room;
}

KeyEdit with_keys(const Scene& scene, std::uint64_t target, const std::string& field, TurnBy turn,
                  const std::vector<Key>& keys) {
  KeyEdit edit{scene, {}};
  const auto row = track_field(scene, target, field);
  if (!row || !row->keyable || keys.empty()) return edit;
  Track coming;
  coming.turn = turn;
  coming.keys = keys;
  auto& tracks = edit.scene.tracks;
  auto at = std::find_if(tracks.begin(), tracks.end(),
                         [&](const auto& track) { return track->target == target && track->field == field; });
  if (at == tracks.end()) {
    Track fresh;
    fresh.id = next_id(scene);
    fresh.name = row->range.label;
    fresh.target = target;
    fresh.field = field;
    fresh.turn = turn;
    tracks.push_back(Shared<Track>(std::move(fresh)));
    at = std::prev(tracks.end());
  }
  if (row->range.type == FieldType::rotation && (*at)->turn != turn) turn_by(coming, (*at)->turn);
  std::vector<Placed> all;
  for (const Key& key : (*at)->keys) all.push_back({key, false});
  for (const Key& key : coming.keys) all.push_back({key, true});
  std::vector<double> times;
  *at = at->edited([&](Track& track) { track.keys = settled(std::move(all), times); });
  edit.keys.emplace((*at)->id, std::move(times));
  return edit;
}

Scene with_starts(const Scene& before, Scene after) {
  std::map<std::uint64_t, std::vector<const Track*>> starts;
  std::map<Id, const Track*> known;
  for (const auto& track : before.tracks) known.emplace(track->id, track.get());
  const std::vector<Shared<Track>> tracks = after.tracks;  // what is pointed at stays
  for (const auto& track : tracks) {
    if (track->target == 0 || (track->field != "transform.position" && track->field != "transform.rotation")) continue;
    const auto was = known.find(track->id);
    if (was != known.end() && was->second == track.get()) continue;
    const Key *now = find_key(*track, 0), *then = was != known.end() ? find_key(*was->second, 0) : nullptr;
    if (now && !(then && then->value == now->value && was->second->turn == track->turn))
      starts[track->target].push_back(track.get());
  }
  for (auto& object : after.objects) {
    const auto at = starts.find(object->id.value);
    if (at == starts.end()) continue;
    object = object.edited([&](Object& begins) {
      for (const Track* track : at->second) {
        const bool turns = track->field == "transform.rotation";
        const Numbers v = track_value(*track, turns ? FieldType::rotation : FieldType::vector, 0);
        if (turns)
          begins.transform.rotation = Quat(v[0], v[1], v[2], v[3]).normalized();
        else
          begins.transform.position = Vec3(v[0], v[1], v[2]);
      }
    });
  }
  return after;
}

KeyEdit without_keys(const Scene& scene, const KeyTimes& keys, double time) {
  KeyEdit edit{scene, {}};
  std::vector<std::pair<std::uint64_t, std::string>> emptied;  // things and their fields
  for (auto& track : edit.scene.tracks) {
    const auto at = keys.find(track->id);
    if (at == keys.end()) continue;
    const auto gone = [&](const Key& key) { return is_selected(at->second, key.time); };
    if (std::all_of(track->keys.begin(), track->keys.end(), gone))
      emptied.emplace_back(track->target, track->field);
    else if (std::any_of(track->keys.begin(), track->keys.end(), gone))
      track = track.edited([&](Track& next) { std::erase_if(next.keys, gone); });
  }
  for (const auto& [target, field] : emptied) edit.scene = without_track(std::move(edit.scene), target, field, time);
  return edit;
}

Scene with_tracks(Scene scene, const std::set<Id>& tracks, const std::function<void(Track&)>& change) {
  for (auto& track : scene.tracks)
    if (tracks.count(track->id) != 0) track = track.edited(change);
  return scene;
}

Scene turning_by(const Scene& scene, const std::set<Id>& tracks, TurnBy turn) {
  return with_tracks(scene, tracks, [&](Track& track) {
    if (type_of(scene, track) == FieldType::rotation && track.turn != turn) turn_by(track, turn);
  });
}

}  // namespace hazumi
