// Motion as the fewest keys within a tolerance (core/scene/derived/bake.h).
#include <catch2/catch.hpp>

#include "core/math/rotation.h"
#include "core/scene/derived/bake.h"
#include "tests/scene/random_scene.h"
#include "tests/support/sanitized.h"

namespace bake_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

std::vector<MotionSample> sampled(int frames, const std::function<Pose(double)>& motion) {
  std::vector<MotionSample> all;
  for (int f = 0; f < frames; ++f) all.push_back({f / 60.0, motion(f / 60.0)});
  return all;
}

}  // namespace

TEST_CASE("What rests is two keys, a free flight too", "[bake]") {
  const auto rest = baked(sampled(100, [](double) { return Pose{Vec3(1, 2, 3), Quat::Identity()}; }), {});
  CHECK(rest.place.size() == 2);
  CHECK(rest.rotation.size() == 2);
  const auto flight =
      baked(sampled(61,
                    [](double t) {
                      return Pose{Vec3(2 * t, 3 * t - 4.9 * t * t, 0), exp_rotation(Vec3(0, 0, 2.5 * t))};
                    }),
            {});
  CHECK(flight.place.size() == 2);
  CHECK(flight.rotation.size() == 2);
  CHECK(flight.off < 1e-9);
  CHECK(flight.turned < 1e-6);
}

TEST_CASE("A bounce is where the keys are, and its two sides differ", "[bake]") {
  // Falls from 1 m, comes up with 0.8 of the speed, twice; the moments are no frames.
  const auto height = [](double t) {
    double v = 0, y = 1, from = 0;
    for (;;) {
      const double flight = (v + std::sqrt(v * v + 2 * 9.81 * y)) / 9.81;
      if (t <= from + flight || flight < 0.05)
        return std::max(0.0, y + v * (t - from) - 4.905 * (t - from) * (t - from));
      v = 0.8 * std::abs(v - 9.81 * flight);
      y = 0;
      from += flight;
    }
  };
  const auto samples = sampled(90, [&](double t) { return Pose{Vec3(0, height(t), 0), Quat::Identity()}; });
  const auto result = baked(samples, {0.005, 0.01, 240});
  CHECK(result.off <= 0.005);
  CHECK(result.place.size() <= 10);  // three flights, and the frame on both sides of each bounce
  int corners = 0;
  for (std::size_t i = 1; i + 1 < result.place.size(); ++i)
    corners +=
        result.place[i].tangent == KeyTangent::free && std::abs(result.place[i].in[1] - result.place[i].out[1]) > 1;
  CHECK(corners >= 2);
  // A tighter tolerance needs no fewer keys.
  CHECK(baked(samples, {0.0005, 0.01, 240}).place.size() >= result.place.size());
}

TEST_CASE("Numbers of baked keys have no noise: what the tolerance does not mean is rounded away", "[bake]") {
  // As a run has it: floats, and an axis that is 0 but for rounding.
  const auto samples = sampled(61, [](double t) {
    const auto single = [](double value) { return static_cast<double>(static_cast<float>(value)); };
    return Pose{Vec3(single(0.4 + 0.1 * t), single(1 - 4.905 * t * t), -4e-19 * (1 + t)),
                exp_rotation(Vec3(0, single(0.7 * t), 1e-17))};
  });
  for (const double tolerance : {1e-3, 0.05, 1e-6}) {
    INFO("tolerance " << tolerance);
    const auto result = baked(samples, {tolerance, tolerance, 240});
    CHECK(result.off <= tolerance);
    CHECK(result.turned <= tolerance);
    CHECK(result.place[0].value[0] == Approx(0.4).margin(1e-7));
    if (tolerance > 1e-4) CHECK(result.place[0].value[0] == 0.4);  // what was written, not what a float makes of it
    for (const Key& key : result.place)
      for (const double number : {key.value[2], key.in[2], key.out[2]}) {
        CHECK(number == 0);
        CHECK_FALSE(std::signbit(number));
      }
    for (const Key& key : result.rotation) CHECK(key.value[3] == 0);
  }
}

TEST_CASE("Random motions stay within their tolerance", "[bake][random]") {
  const auto most = static_cast<std::uint64_t>(test::rounds(60, 10));
  for (std::uint64_t seed = 1; seed <= most; ++seed) {
    INFO("seed " << seed);
    Dice dice(seed);
    std::vector<Vec3> amount;
    for (int i = 0; i < 6; ++i)
      amount.push_back(Vec3(dice.unit() - 0.5, dice.unit() - 0.5, dice.unit() - 0.5) * (dice.coin() ? 4 : 0.5));
    const double jump = dice.unit();
    const auto samples = sampled(20 + static_cast<int>(dice.below(100)), [&](double t) {
      const Vec3 place =
          amount[0] * std::sin(3 * t) + amount[1] * std::cos(7 * t) + (t > jump ? 1 : 0) * (t - jump) * amount[2];
      return Pose{place, (exp_rotation(amount[3] * std::sin(2 * t)) * exp_rotation(amount[4] * t)).normalized()};
    });
    const BakeTolerance tolerance{0.001 + 0.02 * dice.unit(), 0.002 + 0.05 * dice.unit(), 240};
    const auto result = baked(samples, tolerance);
    CHECK(result.off <= tolerance.place + 1e-9);
    CHECK(result.turned <= tolerance.angle + 1e-6);
    CHECK(result.place.size() < samples.size() / 2 + 4);
    for (std::size_t i = 1; i < result.place.size(); ++i) CHECK(result.place[i].time > result.place[i - 1].time);
  }
}

}  // namespace bake_test
