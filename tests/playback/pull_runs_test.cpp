// Pulls in a run (spec 6.5): frames before one are those of the run without it; a hand's keys are told as it moves, and the run that comes
// of it is the one that the scene with all of them makes; the same bits from any state and on any threads.
#include <utility>

#include <catch2/catch.hpp>

#include "core/playback/run.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/diff.h"
#include "tests/support/edits.h"
#include "tests/support/fill_run.h"
#include "tests/support/world.h"

namespace pull_runs_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kLast = 60, kFrom = 12;

/// A floor, a box that falls on it, a jelly, and a box on a pin.
Scene stage() {
  World world;
  world.scene.settings.last_frame = kLast;
  world.floor();
  world.add(World::box(Vec3(0.4, 0.3, 0.4), Vec3(0, 1, 0), 2));
  world.add(World::jelly(0.3, Vec3(1, 0.8, 0), 800, 1));
  world.add(World::box(Vec3(0.2, 0.2, 0.2), Vec3(0.1, 2.2, 0.1), 1));
  return world.scene;
}

/// With a pull that holds from a frame on; `places`: of that frame and those behind it; until: −1 as long as it runs.
Scene pulled(Scene scene, Id body, const Vec3& place, int from, const std::vector<Vec3>& places, int until) {
  const double frame = 1 / scene.settings.frame_rate;
  Joint joint;
  joint.id = next_id(scene);
  joint.name = "Pull";
  joint.kind = JointKind::pull;
  joint.a = {body.value, place};
  joint.b.place = places.front();
  const Id id = joint.id;
  scene.joints.push_back(Shared<Joint>(std::move(joint)));
  const auto key = [&](const char* field, double time, const FieldValue& value) {
    scene = with_key(std::move(scene), id.value, field, time, value);
  };
  if (from > 0) key("on", 0, false);
  key("on", from * frame, true);
  if (until >= 0) key("on", until * frame, false);
  for (std::size_t k = 0; k < places.size(); ++k) key("b.place", (from + static_cast<int>(k)) * frame, places[k]);
  for (auto& track : scene.tracks)
    if (track->target == id.value)
      track = track.edited([](Track& t) {
        for (Key& k : t.keys) k.shape = t.field == "on" ? KeyShape::step : KeyShape::linear;
      });
  return scene;
}

Vec3 hand(int k) { return Vec3(0.05 * k, 1 + 0.3 * std::sin(0.3 * k), 0.2 * std::sin(0.2 * k)); }

std::vector<Vec3> way_of_hand(int count) {
  std::vector<Vec3> places;
  for (int k = 0; k < count; ++k) places.push_back(hand(k));
  return places;
}

}  // namespace

TEST_CASE("A pull drops the frames behind the one at which it takes hold, and no other", "[pull][threads]") {
  const Scene scene = stage();
  for (const std::uint64_t body : {2, 3}) {
    FillRun run(2);
    run.fill.start(Shared<Scene>(scene), 0, kLast);
    run.settle();
    const auto old = run.cache.frames();
    const Scene next = pulled(scene, Id{body}, Vec3(0, 0.1, 0), kFrom, way_of_hand(20), kFrom + 19);
    CHECK(diff(scene, next, {}).first_frame == kFrom + 1);
    CHECK(diff(next, scene, {}).first_frame == kFrom + 1);
    run.start(scene, next, kLast);
    run.settle();
    const auto now = run.cache.frames();
    for (int f = 0; f <= kFrom; ++f) CHECK(now[static_cast<std::size_t>(f)] == old[static_cast<std::size_t>(f)]);
    CHECK(!same_bits(*now[kFrom + 10], *old[kFrom + 10]));
    run.check_equals_fresh(next, kLast);
    // Taken away again the old run is there as it was.
    run.start(next, scene, kLast);
    run.settle();
    const auto back = run.cache.frames();
    for (std::size_t f = 0; f < old.size(); ++f) CHECK(back[f] == old[f]);
  }
}

TEST_CASE("A hand that is told frame by frame makes the run of all its keys", "[pull][threads]") {
  const Scene scene = stage();
  FillRun run(1);
  run.fill.start(Shared<Scene>(scene), 0, kLast);
  run.settle();
  const auto old = run.cache.frames();
  std::vector<Vec3> places = {hand(0), hand(1)};
  Scene now = pulled(scene, Id{2}, Vec3(0.1, 0.1, 0), kFrom, places, -1);
  run.fill.start(Shared<Scene>(now), kNoFrame, kFrom + 1);
  for (int k = 2; k < 25; ++k) {
    run.settle();
    REQUIRE(run.cache.size() == kFrom + k);
    places.push_back(hand(k));
    const Scene before = std::exchange(now, pulled(scene, Id{2}, Vec3(0.1, 0.1, 0), kFrom, places, -1));
    CHECK(diff(before, now, {}).first_frame == kFrom + k);
    run.fill.go_on(Shared<Scene>(now), kFrom + k);
    CHECK(run.cache.size() >= kFrom + k);  // what was seen of the pull stays
  }
  run.settle();
  now = pulled(scene, Id{2}, Vec3(0.1, 0.1, 0), kFrom, places, kFrom + 24);
  run.fill.go_on(Shared<Scene>(now), kLast);
  run.settle();
  run.check_equals_fresh(now, kLast);
  // A second hand, in the run with the first.
  const Scene both = pulled(now, Id{3}, Vec3(0, 0.3, 0), 40, way_of_hand(12), 51);
  run.fill.go_on(Shared<Scene>(both), kLast);
  run.settle();
  run.check_equals_fresh(both, kLast);
  run.fill.start(Shared<Scene>(scene), kNoFrame, kLast);
  run.settle();
  const auto back = run.cache.frames();
  REQUIRE(back.size() == old.size());
  for (std::size_t f = 0; f < old.size(); ++f) CHECK(back[f] == old[f]);
}

TEST_CASE("Pulls go the same from any state and on any threads", "[pull][threads]") {
  Scene scene = pulled(stage(), Id{2}, Vec3(0.1, 0.1, 0), 5, way_of_hand(30), 34);
  scene = pulled(scene, Id{3}, Vec3(0, 0.3, 0), 10, way_of_hand(20), 29);
  MeshStore meshes;
  const auto compiled = compile(scene, meshes);
  REQUIRE(compiled.ok());
  Simulator first(*compiled, 1), again(*compiled, 3);
  std::vector<std::uint64_t> hashes;
  for (int f = 0; f <= kLast; ++f) hashes.push_back(hash(*first.state_at(f)));
  for (const int f : {60, 17, 31, 59, 2, 34, 35})
    CHECK(hash(*again.state_at(f)) == hashes[static_cast<std::size_t>(f)]);
}

TEST_CASE("Random edits of hands leave the frames of a run from the start", "[pull][random]") {
  for (const std::uint64_t seed : {20261126, 20261127, 20261128}) {
    INFO("seed " << seed);
    EditDice dice(seed);
    FillRun run(1);
    Scene scene = stage();
    run.fill.start(Shared<Scene>(scene), 0, kLast);
    run.settle();
    for (int i = 0; i < 12; ++i) {
      Scene next = scene;
      if (scene.joints.empty() || dice.below(3) == 0) {
        const int from = dice.below(kLast - 10), count = 2 + dice.below(8);
        next = pulled(next, Id{static_cast<std::uint64_t>(2 + dice.below(3))}, dice.vector(0.2), from,
                      way_of_hand(count), dice.below(4) ? from + count - 1 : -1);
      } else if (dice.below(3) == 0) {
        next = without(next, pick(next.joints, dice)->id);
      } else {
        auto& track = next.tracks[static_cast<std::size_t>(dice.below(static_cast<int>(next.tracks.size())))];
        track = track.edited([&](Track& t) {
          Key& key = t.keys[static_cast<std::size_t>(dice.below(static_cast<int>(t.keys.size())))];
          if (t.field == "on")
            key.value[0] = 1 - key.value[0];
          else
            key.value[1] += 0.3;
        });
      }
      run.start(scene, next, kLast);
      run.settle();
      scene = std::move(next);
      run.check_equals_fresh(scene, kLast);
    }
  }
}

}  // namespace pull_runs_test
