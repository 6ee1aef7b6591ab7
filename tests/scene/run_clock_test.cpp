// Time of a run and time of the film (core/scene/derived/run_clock.h).
#include <cmath>

#include <catch2/catch.hpp>

#include "core/scene/derived/run_clock.h"
#include "core/scene/derived/tracks.h"
#include "tests/support/edits.h"
#include "tests/support/sanitized.h"

namespace run_clock_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Scene scaled(double scale) {
  Scene scene;
  scene.settings.time_scale = scale;
  return scene;
}

/// What every clock must say, whatever the scale does.
void check_order(const RunClock& clock, int last) {
  std::int64_t before = 0;
  for (int frame = 0; frame <= last; ++frame) {
    const std::int64_t begin = clock.begin(frame), end = clock.begin(frame + 1);
    REQUIRE(begin >= before);
    REQUIRE(clock.part(frame) >= 0);
    REQUIRE(clock.part(frame) < 1);
    for (std::int64_t k = begin; k < end; ++k) {
      REQUIRE(clock.frame_of(k) == frame);
      // What is seen of frame f needs the sub-steps before ceil(x).
      const int without = clock.last_without(k);
      REQUIRE(static_cast<double>(clock.begin(without)) + clock.part(without) <= static_cast<double>(k));
      REQUIRE(static_cast<double>(clock.begin(without + 1)) + clock.part(without + 1) > static_cast<double>(k));
      REQUIRE(clock.film(k + 1) > clock.film(k));
      REQUIRE(clock.film(k) <= clock.film_of_frame(frame + 1) + 1e-12);
      REQUIRE(clock.film(k + 1) >= clock.film_of_frame(frame) - 1e-12);
    }
    before = begin;
  }
}

}  // namespace

TEST_CASE("a time scale of one is the clock without it, to the bit", "[clock]") {
  const RunClock even(scaled(1));
  CHECK(even.even());
  Scene keyed = with_key(scaled(1), 0, "settings.time_scale", 0.5, 1.0);
  keyed = with_key(std::move(keyed), 0, "settings.time_scale", 1.5, 1.0);
  const RunClock same(keyed);
  CHECK_FALSE(same.even());
  for (int frame = 0; frame < 300; ++frame) {
    REQUIRE(same.begin(frame) == even.begin(frame));
    REQUIRE(same.part(frame) == 0);
  }
  for (std::int64_t k = 0; k < 1200; ++k) {
    REQUIRE(same.film(k) == even.film(k));
    REQUIRE(same.rate(k) == 1);
    REQUIRE(same.frame_of(k) == even.frame_of(k));
    REQUIRE(same.last_without(k) == even.last_without(k));
  }
  CHECK(RunClock::first_difference(even, same, 10000000) == 10000001);
}

TEST_CASE("half as fast is half the sub-steps, and keys are at their frames", "[clock]") {
  const RunClock half(scaled(0.5));
  CHECK(half.begin(240) == 480);
  CHECK(half.begin(1) == 2);
  CHECK(half.film(2) == Approx(1 / 60.0).epsilon(1e-14));
  CHECK(half.rate(7) == 2);
  check_order(half, 240);
  CHECK(RunClock::first_difference(half, RunClock(scaled(1)), 240) == 1);
  const RunClock stopped(scaled(0));
  CHECK(stopped.begin(100000) == 0);
  CHECK(stopped.rate(1) == 0);
  CHECK(stopped.last_without(0) > 1000000);
}

TEST_CASE("a ramp of the time scale has the sub-steps of its integral", "[clock]") {
  Scene scene = with_key(scaled(1), 0, "settings.time_scale", 1, 1.0);
  scene = with_key(std::move(scene), 0, "settings.time_scale", 2, 0.0);
  scene.tracks[0] = scene.tracks[0].edited([](Track& track) {
    for (Key& key : track.keys) key.shape = KeyShape::linear;
  });
  const RunClock clock(scene);
  CHECK(clock.begin(60) == 240);
  // The midpoint rule is exact on a line: 240 + 120 sub-steps, and then it stands still.
  CHECK(static_cast<double>(clock.begin(120)) + clock.part(120) == Approx(360).epsilon(1e-12));
  CHECK(static_cast<double>(clock.begin(9000)) + clock.part(9000) == Approx(360).epsilon(1e-12));
  check_order(clock, 119);
  // The key at two seconds moved: the way to it is another from the key before on.
  const Scene later = with_key(scene, 0, "settings.time_scale", 1.5, 0.9);
  CHECK(RunClock::first_difference(clock, RunClock(later), 10000000) == 61);
}

TEST_CASE("200 random time scales: every frame and sub-step is where the others say", "[clock]") {
  const std::uint64_t rounds = static_cast<std::uint64_t>(test::rounds(200, 15));
  for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
    INFO("seed " << seed);
    EditDice dice(seed);
    Scene scene = scaled(1);
    scene.settings.substeps = 1 + dice.below(8);
    double time = 0;
    for (int k = 0; k < 1 + dice.below(5); ++k) {
      time += 0.01 + dice.below(50) / 60.0;
      scene = with_key(std::move(scene), 0, "settings.time_scale", time,
                       dice.below(4) == 0 ? 0.0 : dice.below(300) / 100.0);
    }
    scene.tracks[0] = scene.tracks[0].edited([&](Track& track) {
      for (Key& key : track.keys) key.shape = static_cast<KeyShape>(dice.below(3));
      track.after = static_cast<Beyond>(dice.below(4));
    });
    check_order(RunClock(scene), 150);
    // Asked in another order it says the same.
    const RunClock one(scene), other(scene);
    (void)other.film(900);
    for (int frame = 150; frame >= 0; --frame) {
      REQUIRE(one.begin(frame) == other.begin(frame));
      REQUIRE(one.part(frame) == other.part(frame));
    }
  }
}

}  // namespace run_clock_test
