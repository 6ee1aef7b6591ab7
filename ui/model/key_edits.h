// What is done to keys (core/scene/values/track.h): pure functions of a scene and of which keys, which give the scene that results
// and which keys are selected in it. Where a key that was moved meets another one, it takes its place; of several that were moved
// to one time the last one stays. A drag asks with the scene that it began with, so that what it passes over comes back.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "core/scene/derived/tracks.h"

namespace hazumi {

/// Which keys: their times (s, ascending) by track.
using KeyTimes = std::map<Id, std::vector<double>>;

struct KeyEdit {
  Scene scene;
  KeyTimes keys;
};

KeyTimes existing_keys(const Scene& scene, const KeyTimes& keys);
/// Every key of these tracks; none named: of all.
KeyTimes all_keys(const Scene& scene, const std::set<Id>& tracks = {});
KeyTimes joined_keys(const KeyTimes& a, const KeyTimes& b);
const Track* find_track(const Scene& scene, Id id);
/// Null: no key is there.
const Key* find_key(const Track& track, double time);
/// Text: there is no such field any more.
FieldType type_of(const Scene& scene, const Track& track);
/// Of its values others lie between two of them, so that tangents and easings mean something.
bool is_continuous(const Scene& scene, const Track& track);

// In time (s) ---------------------------------------------------------------------------------------------------------

/// t ↦ about + (t − about) stretch + by, then to the nearest whole frame where frame_rate is not 0.
struct Retime {
  double by = 0, stretch = 1, about = 0;
  double frame_rate = 0;
};
double retimed(double time, const Retime& to);
/// With a stretch below 0 they are mirrored: shapes and tangents too. Stretch 0: all come to `about`.
KeyEdit retimed_keys(const Scene& scene, const KeyTimes& keys, const Retime& to);
/// The same of copies: the keys stay where no copy comes.
KeyEdit copied_keys(const Scene& scene, const KeyTimes& keys, const Retime& to);

// What they say -------------------------------------------------------------------------------------------------------

KeyEdit shaped_keys(const Scene& scene, const KeyTimes& keys, KeyShape shape);
/// Given slopes begin as those that are there, so that nothing moves by itself.
KeyEdit with_tangents(const Scene& scene, const KeyTimes& keys, KeyTangent tangent);
/// `change` with the value of each key; what is beyond the range of the field stops there. Rotations stay rotations.
KeyEdit with_values(const Scene& scene, const KeyTimes& keys, const std::function<void(const Track&, Key&)>& change);
/// One number of a key; the others of a quaternion make room for it.
void set_component(const Scene& scene, const Track& track, Key& key, std::size_t component, double value);
/// These come in, in place of those that they meet; a field without a track gets one. The scene unchanged where the field cannot be
/// keyed. `turn`: what the values of a rotation are.
KeyEdit with_keys(const Scene& scene, std::uint64_t target, const std::string& field, TurnBy turn,
                  const std::vector<Key>& keys);
/// Where a key of place or rotation at time 0 became another one the object begins there too: a body with that key alone goes where
/// physics takes it from its start.
Scene with_starts(const Scene& before, Scene after);
/// Without them. A track that has none left goes; its field keeps what it showed at the time (s).
KeyEdit without_keys(const Scene& scene, const KeyTimes& keys, double time);

// Tracks --------------------------------------------------------------------------------------------------------------

Scene with_tracks(Scene scene, const std::set<Id>& tracks, const std::function<void(Track&)>& change);
/// The same rotations, keyed otherwise; tangents become automatic.
Scene turning_by(const Scene& scene, const std::set<Id>& tracks, TurnBy turn);

}  // namespace hazumi
