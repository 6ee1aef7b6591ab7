// Slow motion: what a run shows where the film and the run go otherwise fast (core/scene/derived/run_clock.h).
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "core/scene/derived/keyed.h"
#include "core/scene/derived/leading.h"
#include "core/scene/derived/tracks.h"
#include "tests/support/fill_run.h"
#include "tests/support/world.h"

namespace time_scale_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Frame frame_of(Scene scene, int frame) {
  scene.settings.last_frame = std::max(scene.settings.last_frame, frame);
  auto frames = fresh_run(scene, frame);
  REQUIRE(static_cast<int>(frames.size()) == frame + 1);
  return frames.back();
}

Vec3 place(const Frame& frame, Id id) { return frame.find(id)->position.cast<double>(); }

Scene falling(Id& ball) {
  World world;
  world.floor();
  ball = world.add(World::sphere(0.2, Vec3(0, 3, 0)));
  return world.scene;
}

}  // namespace

TEST_CASE("at half the speed frame 2 f is frame f, to the bit", "[clock][keys]") {
  Id ball;
  const Scene scene = falling(ball);
  Scene slow = scene;
  slow.settings.time_scale = 0.5;
  for (const int frame : {10, 47, 60})
    CHECK(place(frame_of(slow, 2 * frame), ball) == place(frame_of(scene, frame), ball));
  // In between it is as smooth: a free fall at every tenth of a sub-step.
  Scene crawl = scene;
  crawl.settings.time_scale = 0.01;
  double before = place(frame_of(crawl, 999), ball).y();
  for (int frame = 1000; frame < 1010; ++frame) {
    const double now = place(frame_of(crawl, frame), ball).y(), t = frame / 6000.0;
    CHECK(now < before);
    CHECK(now == Approx(3 - 0.5 * 9.80665 * t * t).margin(2e-4));
    before = now;
  }
}

TEST_CASE("where time stands still physics does, and what is led goes on", "[clock][keys]") {
  Id ball;
  Scene scene = falling(ball);
  World world;
  world.scene = scene;
  Object plate = World::box(Vec3(0.2, 0.2, 0.2), Vec3(2, 1, 0), 1);
  plate.body.kind = BodyKind::fixed;
  const Id led = world.add(plate);
  scene = world.scene;
  scene = with_key(std::move(scene), led.value, "transform.position", 0, Vec3(2, 1, 0));
  scene = with_key(std::move(scene), led.value, "transform.position", 2, Vec3(4, 1, 0));
  for (const auto& [time, scale] : {std::pair(0.0, 1.0), std::pair(0.5, 0.0), std::pair(1.0, 1.0)})
    scene = with_key(std::move(scene), 0, "settings.time_scale", time, scale);
  for (auto& track : scene.tracks)
    track = track.edited([](Track& t) {
      for (Key& key : t.keys) key.shape = t.field == "transform.position" ? KeyShape::linear : KeyShape::step;
    });
  const Frame stopped = frame_of(scene, 30), still = frame_of(scene, 50), on = frame_of(scene, 75);
  CHECK(place(still, ball) == place(stopped, ball));
  for (const int frame : {10, 30, 44, 50, 59, 75})
    CHECK((place(frame_of(scene, frame), led) - Vec3(2 + frame / 60.0, 1, 0)).norm() < 1e-6);
  // And then it falls on as if nothing had been.
  Scene plain = scene;
  std::erase_if(plain.tracks, [](const auto& track) { return track->field == "settings.time_scale"; });
  CHECK(place(on, ball) == place(frame_of(plain, 45), ball));
}

TEST_CASE("a led bat in slow motion hits as fast as its keys are for physics", "[clock][keys][led]") {
  // 1 m/s in the film is 4 m/s for a world that goes at a quarter.
  World world;
  world.scene.settings.gravity = Vec3::Zero();
  Object bat = World::box(Vec3(0.2, 1, 1), Vec3(-1, 0, 0), 1);
  bat.body.kind = BodyKind::fixed;
  const Id id = world.add(bat);
  Object hit = World::sphere(0.1, Vec3(0, 0, 0));
  hit.material.substance = {1000, 1e9, 0.3, 0, 0};  // no bounce, no friction
  const Id ball = world.add(hit);
  Scene scene = world.scene;
  scene.settings.time_scale = 0.25;
  scene = with_key(std::move(scene), id.value, "transform.position", 0, Vec3(-1, 0, 0));
  scene = with_key(std::move(scene), id.value, "transform.position", 4, Vec3(3, 0, 0));
  scene.tracks[0] = scene.tracks[0].edited([](Track& track) {
    for (Key& key : track.keys) key.shape = KeyShape::linear;
  });
  const double moved = place(frame_of(scene, 120), ball).x() - place(frame_of(scene, 119), ball).x();
  CHECK(moved >= 1 / 60.0 - 1e-4);  // it is pushed along, at least
  CHECK((place(frame_of(scene, 120), id) - Vec3(1, 0, 0)).norm() < 1e-5);
}

TEST_CASE("what a person is shown of gravity and time scale is what their keys say then", "[clock][keys]") {
  Id ball;
  Scene scene = falling(ball);
  scene = with_key(std::move(scene), 0, "settings.time_scale", 0, 1.0);
  scene = with_key(std::move(scene), 0, "settings.time_scale", 1, 0.25);
  scene = with_key(std::move(scene), 0, "settings.gravity", 0.5, Vec3(0, -1.6, 0));
  const Scene shown = shown_at(scene, 1);
  CHECK(shown.settings.time_scale == 0.25);
  CHECK(shown.settings.gravity == Vec3(0, -1.6, 0));
  // What is not touched stays the scene's own; what is becomes a key.
  const Scene same = keyed(scene, shown, shown, 1, false);
  CHECK(same.settings.time_scale == scene.settings.time_scale);
  CHECK(same.settings.gravity == scene.settings.gravity);
  Scene next = shown;
  next.settings.time_scale = 0.5;
  const Scene after = keyed(scene, shown, next, 1, false);
  CHECK(after.settings.time_scale == scene.settings.time_scale);
  CHECK(std::get<double>(*value_at(after, 0, "settings.time_scale", 1)) == 0.5);
}

TEST_CASE("another time scale at the start is another velocity of what is led there", "[clock][keys][led]") {
  World world;
  const Id box = world.add(World::box(Vec3(0.2, 0.2, 0.2), Vec3(0, 1, 0), 1));
  Scene scene = world.scene;
  scene.settings.last_frame = 30;
  scene = with_key(std::move(scene), box.value, "transform.position", 0, Vec3(0, 1, 0));
  scene = with_key(std::move(scene), box.value, "transform.position", 0.4, Vec3(1, 2, 0));
  scene.tracks[0] = scene.tracks[0].edited([](Track& track) {
    for (Key& key : track.keys) key.shape = KeyShape::linear;
  });
  scene = with_key(std::move(scene), box.value, "body.led", 0, true);
  scene = with_key(std::move(scene), box.value, "body.led", 0.3, false);
  scene = with_key(std::move(scene), 0, "settings.time_scale", 0, 1.0);
  scene = with_key(std::move(scene), 0, "settings.time_scale", 0.2, 1.0);
  FillRun run(2);
  run.fill.start(Shared<Scene>(scene), 0, 30);
  run.settle();
  const Scene next = with_key(scene, 0, "settings.time_scale", 0, 0.5);
  CHECK(diff(scene, next, {}).first_frame == 0);
  run.start(scene, next, 30);
  run.settle();
  run.check_equals_fresh(next, 30);
}

TEST_CASE("what is led while time stands still has no speed, and no sign of one", "[clock][keys][led]") {
  World world;
  const Id box = world.add(World::box(Vec3(0.2, 0.2, 0.2), Vec3(0, 1, 0), 1));
  Scene scene = world.scene;
  scene.settings.time_scale = 0;
  scene = with_key(std::move(scene), box.value, "transform.position", 0, Vec3(0, 1, 0));
  scene = with_key(std::move(scene), box.value, "transform.position", 1, Vec3(-1, 0, -1));
  scene.tracks[0] = scene.tracks[0].edited([](Track& track) { track.keys[0].shape = KeyShape::linear; });
  scene = with_key(std::move(scene), box.value, "body.led", 0, true);
  const std::vector<LedTracks> led = led_objects(scene);
  REQUIRE(led.size() == 1);
  const auto start = begins_led(led[0], *scene.objects[0], RunClock(scene));
  REQUIRE(start);
  for (int i = 0; i < 3; ++i) {
    CHECK(start->velocity[i] == 0);
    CHECK_FALSE(std::signbit(start->velocity[i]));
  }
}

TEST_CASE("an edit of the time scale keeps the frames before it", "[clock][keys]") {
  Id ball;
  Scene scene = falling(ball);
  scene.settings.last_frame = 120;
  for (const auto& [time, scale] : {std::pair(0.0, 1.0), std::pair(1.0, 1.0), std::pair(1.5, 0.1)})
    scene = with_key(std::move(scene), 0, "settings.time_scale", time, scale);
  FillRun run(2);
  run.fill.start(Shared<Scene>(scene), 0, 120);
  run.settle();
  const Scene next = with_key(scene, 0, "settings.time_scale", 1.5, 0.5);
  const int first = diff(scene, next, {}).first_frame;
  CHECK(first >= 60);
  CHECK(first <= 62);
  run.start(scene, next, 120);
  CHECK(run.cache.size() > 50);
  run.settle();
  run.check_equals_fresh(next, 120);
}

}  // namespace time_scale_test
