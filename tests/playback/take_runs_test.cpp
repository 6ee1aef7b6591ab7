// Runs of takes: what they share is computed once, switching back finds frames again, and all of it equals runs from the start.
#include <catch2/catch.hpp>

#include "core/scene/derived/takes.h"
#include "core/scene/validate.h"
#include "tests/support/edits.h"
#include "tests/support/fill_run.h"
#include "tests/support/graph.h"
#include "tests/support/sanitized.h"

namespace take_runs_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kFrames = 240, kPart = 180;

/// The ball is put somewhere at a frame.
Scene put_at(Scene scene, Id ball, int frame, const Vec3& place) {
  World world;
  world.scene = std::move(scene);
  Graph graph(world);
  const double time = frame / world.scene.settings.frame_rate;
  graph.chain({graph.when("time", ball, {{"time", time}}),
               graph.does("place", ball, {{"x", place.x()}, {"y", place.y()}, {"z", place.z()}})});
  return world.scene;
}

/// Which frames a run computed, counted as they are told.
struct Counted {
  FrameCache cache;
  std::mutex mutex;
  std::condition_variable wake;
  int known = 0, computed = 0;
  BackgroundFill fill{cache, 1, [this] {
                        std::lock_guard lock(mutex);
                        if (cache.size() > known) computed += cache.size() - known;
                        known = cache.size();
                        wake.notify_all();
                      }};
  Scene now;

  void go(const Scene& scene) {
    const ChangeSet change = diff(now, scene, [this](const Cause& cause) { return fill.first_frame(cause); });
    {
      std::lock_guard lock(mutex);
      fill.start(Shared<Scene>(scene), now.objects.empty() ? 0 : change.first_frame, kFrames - 1);
      known = cache.size();
    }
    now = scene;
    std::unique_lock lock(mutex);
    REQUIRE(wake.wait_for(lock, std::chrono::minutes(2), [&] {
      const auto phase = fill.status().phase;
      return phase == FillStatus::Phase::complete || phase == FillStatus::Phase::stopped;
    }));
    computed += cache.size() - known;
    known = cache.size();
  }
  void check_fresh(const Scene& scene) {
    const auto fresh = fresh_run(scene, kFrames - 1);
    const auto frames = cache.frames();
    REQUIRE(frames.size() == fresh.size());
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      INFO("frame " << i);
      REQUIRE(same_bits(*frames[i], fresh[i]));
    }
  }
};

Scene long_scene() {
  Scene scene = busy_scene();
  scene.settings.substeps = 2;
  scene.settings.last_frame = kFrames - 1;
  return scene;
}

}  // namespace

TEST_CASE("16 takes that part at 180 of 240 compute 180 + 16 × 60 frames, and switching back none", "[takes][fill]") {
  const Id ball{2};
  Counted run;
  Scene scene = long_scene();
  std::vector<Id> takes;
  for (int k = 0; k < 16; ++k) {
    if (k > 0) {
      scene = in_take(scene, scene.takes.empty() ? Id{} : scene.takes.front()->id);
      MadeTake made = with_new_take(scene, "");
      scene = made.scene;
    } else {
      scene = with_new_take(scene, "").scene;
      scene.takes.erase(scene.takes.begin());
    }
    // Each from the first one, with its own box.
    scene.motion.clear();
    scene = put_at(scene, ball, kPart, Vec3(0.2 * k, 2, 0));
    takes.push_back(current_take(scene)->id);
    run.go(scene);
    if (k % 5 == 0) run.check_fresh(scene);
  }
  REQUIRE(takes.size() == 16);
  CHECK(run.computed <= kPart + 16 * (kFrames - kPart));
  CHECK(run.computed >= kFrames);
  const int before = run.computed;
  for (const Id take : takes) {
    scene = in_take(scene, take);
    run.go(scene);
  }
  CHECK(run.computed == before);
  run.check_fresh(scene);
}

TEST_CASE("200 random edits across takes: frames equal those of a run from the start", "[takes][fill]") {
  EditDice dice(7);
  Scene scene = busy_scene();
  scene.settings.substeps = 2;
  const int last = 30;
  scene.settings.last_frame = last;
  FillRun run(1);
  run.start({}, scene, last);
  run.settle();
  const int edits = static_cast<int>(test::rounds(200, 40));
  int kept = 0;
  for (int k = 0; k < edits; ++k) {
    const Scene before = scene;
    std::string what;
    const int kind = dice.below(10);
    if (kind == 0 && scene.takes.size() < 6) {
      what = "new take";
      scene = with_new_take(scene, "").scene;
    } else if (kind <= 3 && !scene.takes.empty()) {
      what = "switch";
      scene = in_take(scene, pick(scene.takes, dice)->id);
    } else if (kind == 4 && scene.takes.size() > 2) {
      what = "delete";
      scene = without_take(scene, pick(scene.takes, dice)->id).value();
    } else if (kind <= 6) {
      what = "put";
      scene = put_at(scene, Id{2 + static_cast<std::uint64_t>(dice.below(4))}, 1 + dice.below(last - 1),
                     Vec3(0, 1, 0) + dice.vector(1.5));
    } else if (kind == 7 && !scene.motion.empty()) {
      what = "box removed";
      scene = without(scene, pick(scene.motion, dice)->id);
    } else if (kind == 8 && !scene.motion.empty()) {
      what = "another time";
      scene = with_motion(scene, pick(scene.motion, dice)->id, [&](MotionNode& n) {
        if (n.kind == "time") set_parameter(n, {"time", {}, (1 + dice.below(last)) / 60.0});
      });
    } else {
      const auto i = static_cast<std::size_t>(dice.below(static_cast<int>(scene.objects.size())));
      scene.objects[i] = scene.objects[i].edited([&](Object& o) { change_some_field(object_fields(), o, dice, what); });
    }
    if (has_error(validate_change(before, scene))) {
      scene = before;
      continue;
    }
    INFO("edit " << k << ": " << what);
    const ChangeSet change = diff(before, scene, [&](const Cause& cause) { return run.fill.first_frame(cause); });
    if (change.simulation && change.first_frame > 0) ++kept;
    run.start(before, scene, last);
    if (run.settle().phase == FillStatus::Phase::stopped) {
      scene = before;
      run.start(scene, before, last);
      continue;
    }
    run.check_equals_fresh(scene, last);
  }
  CHECK(kept > edits / 10);
}

}  // namespace take_runs_test
