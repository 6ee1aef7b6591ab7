#include "core/playback/background_fill.h"

#include <atomic>
#include <catch2/catch.hpp>

#include "core/scene/diff.h"
#include "tests/support/fill_run.h"
#include "tests/support/small_scenes.h"

namespace background_fill_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kLast = 20;

Shared<Scene> shared(Scene scene) { return Shared<Scene>(std::move(scene)); }

Scene edited(const Scene& scene, std::uint64_t id, const std::function<void(Object&)>& change) {
  return with_object(scene, Id{id}, change);
}

Scene pushed_box(const Scene& scene) {
  return edited(scene, 4, [](Object& o) { o.body.velocity = Vec3(-2, 1, 0); });
}

FrameLimits memory_alone(std::size_t bytes) {
  FrameLimits limits;
  limits.memory = bytes;
  return limits;
}

}  // namespace

TEST_CASE("the fill computes every frame, equal to a fresh run", "[threads]") {
  FillRun run(2);
  const Scene scene = busy_scene();
  run.fill.start(shared(scene), 0, kLast);
  CHECK(run.settle().phase == FillStatus::Phase::complete);
  run.check_equals_fresh(scene, kLast);
  CHECK(run.fill.status().computed == kLast + 1);
  CHECK(run.fill.status().wanted == kLast + 1);
  CHECK_FALSE(run.fill.status().failure);
  Simulator simulator(compiled(scene), 1);
  REQUIRE(simulator.state_at(kLast));
  CHECK(run.fill.log()->causes == simulator.log().causes);
  CHECK(run.fill.log()->contacts.size() == simulator.log().contacts.size());
}

TEST_CASE("before anything is known every contact may be at frame 0", "[threads]") {
  FillRun run(1);
  CHECK(run.fill.status().phase == FillStatus::Phase::idle);
  CHECK(run.fill.first_frame({Id{2}, Reading::contact}) == 0);
  REQUIRE(run.fill.log());
  CHECK(run.fill.log()->contacts.empty());
}

TEST_CASE("a colour drops no frame and a longer range adds to them", "[threads]") {
  FillRun run(1);
  const Scene scene = busy_scene();
  run.fill.start(shared(scene), 0, kLast);
  run.settle();
  const auto before = run.cache.frames();
  const auto generation = run.cache.generation();
  const Scene red = edited(scene, 2, [](Object& o) { o.material.surface.diffuse = Vec3(1, 0, 0); });
  run.start(scene, red, kLast);
  CHECK(run.settle().phase == FillStatus::Phase::complete);
  CHECK(run.cache.frames() == before);
  CHECK(run.cache.generation() == generation);
  run.start(red, red, kLast + 5);
  CHECK(run.settle().phase == FillStatus::Phase::complete);
  const auto after = run.cache.frames();
  REQUIRE(after.size() == before.size() + 5);
  CHECK(std::equal(before.begin(), before.end(), after.begin()));
  run.check_equals_fresh(red, kLast + 5);
}

TEST_CASE("an edit that acts at contact keeps the frames before it", "[threads]") {
  FillRun run(1);
  const Scene scene = busy_scene();
  run.fill.start(shared(scene), 0, kLast);
  run.settle();
  const int touch = run.fill.first_frame({Id{2}, Reading::contact});
  REQUIRE(touch > 1);
  REQUIRE(touch < kLast);
  const auto before = run.cache.frames();
  const Scene bouncy = edited(scene, 2, [](Object& o) {
    o.material.substance_follows = false;
    o.material.substance.restitution = 0.9;
  });
  run.start(scene, bouncy, kLast);
  CHECK(run.settle().phase == FillStatus::Phase::complete);
  const auto after = run.cache.frames();
  for (int f = 0; f < touch; ++f) CHECK(after[static_cast<std::size_t>(f)] == before[static_cast<std::size_t>(f)]);
  CHECK(after.back()->state_hash != before.back()->state_hash);
  run.check_equals_fresh(bouncy, kLast);
}

TEST_CASE("undo brings back the very same frames at once, redo too", "[threads]") {
  FillRun run(1);
  const Scene a = busy_scene(), b = pushed_box(a);
  run.fill.start(shared(a), 0, kLast);
  run.settle();
  const auto frames_a = run.cache.frames();
  run.start(a, b, kLast);
  run.settle();
  const auto frames_b = run.cache.frames();
  CHECK(frames_a.back()->state_hash != frames_b.back()->state_hash);
  run.start(b, a, kLast);
  CHECK(run.cache.frames() == frames_a);  // without waiting for anything
  CHECK(run.fill.status().phase == FillStatus::Phase::complete);
  run.start(a, b, kLast);
  CHECK(run.cache.frames() == frames_b);
  run.start(b, a, kLast + 3);  // and a run brought back can go on
  CHECK(run.settle().phase == FillStatus::Phase::complete);
  run.check_equals_fresh(a, kLast + 3);
}

TEST_CASE("without memory for undo the old frames are computed again, the same", "[threads]") {
  FillRun run(1);
  const Scene a = busy_scene(), b = pushed_box(a);
  run.fill.start(shared(a), 0, kLast);
  run.settle();
  const auto frames_a = run.cache.frames();
  run.fill.set_limits(memory_alone(run.cache.store().use().memory + 1000));  // one run, no more
  run.start(a, b, kLast);
  run.settle();
  run.start(b, a, kLast);
  CHECK(run.settle().phase == FillStatus::Phase::complete);
  CHECK(run.cache.frames() != frames_a);
  run.check_equals_fresh(a, kLast);
}

TEST_CASE("out of memory for frames: the fill says so, keeps what it has, and goes on when there is room",
          "[threads]") {
  FillRun run(1);
  const Scene scene = busy_scene();
  run.fill.set_limits(memory_alone(20000));
  run.fill.start(shared(scene), 0, 200);
  FillStatus status = run.settle();
  CHECK(status.phase == FillStatus::Phase::stopped);
  REQUIRE(status.failure);
  CHECK(status.failure->message.find("memory") != std::string::npos);
  CHECK(status.computed > 0);
  CHECK(status.computed < 201);
  run.fill.set_limits({});
  status = run.settle();
  CHECK(status.phase == FillStatus::Phase::complete);
  CHECK_FALSE(status.failure);
  CHECK(run.cache.size() == 201);
}

TEST_CASE("a diverged run stops, keeps the frames before, and an edit starts it again", "[threads]") {
  FillRun run(1);
  const Scene bad = diverging_scene();
  run.fill.start(shared(bad), 0, 200);
  const FillStatus status = run.settle();
  CHECK(status.phase == FillStatus::Phase::stopped);
  REQUIRE(status.failure);
  CHECK(status.failure->severity == Severity::error);
  CHECK((status.failure->path + status.failure->message).find("Lost") != std::string::npos);
  const auto fresh = fresh_run(bad, 200);
  REQUIRE(fresh.size() < 201);
  REQUIRE(run.cache.size() == static_cast<int>(fresh.size()));
  REQUIRE(run.fill.log()->failure);
  CHECK(run.fill.log()->failure->first == run.cache.size() - 1);
  const Scene good = busy_scene();
  run.start(bad, good, kLast);
  CHECK(run.settle().phase == FillStatus::Phase::complete);
  CHECK_FALSE(run.fill.status().failure);
  CHECK_FALSE(run.fill.log()->failure);
  run.check_equals_fresh(good, kLast);
}

TEST_CASE("a scene that cannot be compiled stops with its reason", "[threads]") {
  FillRun run(1);
  const Scene scene = busy_scene();
  const Scene broken = edited(scene, 3, [](Object& o) { o.body.solver = "no such solver"; });
  run.fill.start(shared(broken), 0, kLast);
  const FillStatus status = run.settle();
  CHECK(status.phase == FillStatus::Phase::stopped);
  REQUIRE(status.failure);
  CHECK(status.failure->message.find("no such solver") != std::string::npos);
  CHECK(run.cache.size() == 0);
  run.start(broken, scene, kLast);
  CHECK(run.settle().phase == FillStatus::Phase::complete);
  run.check_equals_fresh(scene, kLast);
}

TEST_CASE("edits faster than the worker: only the last one counts", "[threads]") {
  FillRun run(2);
  Scene scene = busy_scene();
  run.fill.start(shared(scene), 0, kLast);
  for (int i = 0; i < 100; ++i) {
    const Scene next = edited(scene, 4, [&](Object& o) { o.body.velocity = Vec3(-1, 0.1 * i, 0); });
    run.start(scene, next, kLast);
    scene = next;
  }
  CHECK(run.settle().phase == FillStatus::Phase::complete);
  run.check_equals_fresh(scene, kLast);
}

TEST_CASE("paused, nothing is added; going on, everything is", "[threads]") {
  FillRun run(1);
  const Scene scene = busy_scene();
  run.fill.pause(true);
  run.fill.start(shared(scene), 0, kLast);
  CHECK(run.fill.status().phase == FillStatus::Phase::idle);
  CHECK(run.cache.size() == 0);
  run.fill.pause(false);
  CHECK(run.settle().phase == FillStatus::Phase::complete);
  run.check_equals_fresh(scene, kLast);
}

TEST_CASE("a first frame that became wrong while the worker went on is put right", "[threads]") {
  // The caller asked before the ball had touched anything and passes on "no frame"; by the time start() is called the
  // contact has happened.
  FillRun run(1);
  const Scene scene = busy_scene();
  run.fill.start(shared(scene), 0, kLast);
  run.settle();
  const Scene bouncy = edited(scene, 2, [](Object& o) {
    o.material.substance_follows = false;
    o.material.substance.restitution = 0.1;
  });
  run.fill.start(shared(bouncy), kNoFrame, kLast);
  run.settle();
  run.check_equals_fresh(bouncy, kLast);
}

TEST_CASE("taking the fill down while it runs ends it", "[threads]") {
  FrameCache cache;
  std::atomic<int> calls{0};
  {
    BackgroundFill fill(cache, 2, [&] { ++calls; });
    fill.start(shared(busy_scene()), 0, 1'000'000);
    while (cache.size() < 3) std::this_thread::yield();
  }
  const int after = calls.load();
  CHECK(after >= 3);
  CHECK(cache.size() < 1'000'000);
}

}  // namespace background_fill_test
