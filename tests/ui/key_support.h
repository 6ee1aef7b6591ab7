// Scenes with keys, for the tests of the editors of time.
#pragma once

#include "tests/ui/flow_support.h"
#include "ui/model/key_edits.h"
#include "ui/model/key_selection.h"
#include "ui/model/time_window.h"

namespace hazumi::test {

inline Key key_at(double time, std::array<double, 4> value, KeyShape shape = KeyShape::spline) {
  Key key;
  key.time = time;
  key.value = value;
  key.shape = shape;
  return key;
}

inline Id add_track(Scene& scene, std::uint64_t target, const char* field, std::vector<Key> keys,
                    TurnBy turn = TurnBy::quaternion) {
  Track track;
  track.id = next_id(scene);
  track.name = field;
  track.target = target;
  track.field = field;
  track.turn = turn;
  track.keys = std::move(keys);
  const Id id = track.id;
  scene.tracks.push_back(Shared<Track>(std::move(track)));
  return id;
}

/// A floor, a ball and a box (60 frames a second, 120 frames). The ball has keys of place at frames 0, 30, 60 and 90, of colour at 0
/// and 60 and of being seen at 0 and 45; the box of its turn by angles at 0 and 60; the scene of gravity at 10.
struct KeyedScene {
  Scene scene = ball_scene(120);
  std::uint64_t ball = 0, box = 0;
  Id place, colour, seen, turn, gravity;

  KeyedScene() {
    ball = id_of(scene, "Ball").value;
    box = next_id(scene).value;
    scene.objects.push_back(
        make_object(box, "Box", {PrimitiveShape::box, Vec3(0.5, 0.5, 0.5), {1, 1, 1}}, Vec3(1, 0.5, 0)));
    place =
        add_track(scene, ball, "transform.position",
                  {key_at(0, {0, 0.5, 0}), key_at(0.5, {1, 2, 0.5}), key_at(1, {2, 0.5, 1}), key_at(1.5, {2, 0.5, 1})});
    colour =
        add_track(scene, ball, "material.surface.diffuse", {key_at(0, {0.9, 0.2, 0.1}), key_at(1, {0.1, 0.4, 0.9})});
    seen = add_track(scene, ball, "visible", {key_at(0, {1}, KeyShape::step), key_at(0.75, {0}, KeyShape::step)});
    turn = add_track(scene, box, "transform.rotation", {key_at(0, {0, 0, 0}), key_at(1, {0, 3, 0.5})}, TurnBy::angles);
    gravity = add_track(scene, 0, "settings.gravity", {key_at(10.0 / 60, {0, -9.8, 0})});
  }
};

inline const Track& track_of(const Scene& scene, Id id) {
  const Track* track = find_track(scene, id);
  REQUIRE(track);
  return *track;
}

/// Frames of a track's keys at 60 a second.
inline std::vector<double> frames_of(const Scene& scene, Id id) {
  std::vector<double> frames;
  for (const Key& key : track_of(scene, id).keys) frames.push_back(std::round(key.time * 60 * 1e6) / 1e6);
  return frames;
}

}  // namespace hazumi::test
