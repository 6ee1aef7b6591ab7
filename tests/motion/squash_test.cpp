// Contact that is directed: so deep, or so many frames; what is asked for is what is seen.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "tests/support/graph.h"
#include "tests/support/sanitized.h"

namespace squash_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Seen {
  double frames = 0, depth = 0, back = 0;  ///< touched for; of its height, %; speed after for speed before
  double aside = 0, swing = 0;             ///< m/s along the floor as it leaves; greatest strain afterwards
  double jump = 0;                         ///< m/s, the greatest change of its speed in a sub-step
};

struct Fall {
  double speed = 5, radius = 0.5, stiffness = 1e4;
  int substeps = 4;
  Vec3 aside = Vec3::Zero(), spin = Vec3::Zero();
};

/// A soft ball that falls on the floor.
Seen watch(const Numbers& numbers, const Fall& fall) {
  World world;
  world.scene.settings.substeps = fall.substeps;
  const Id floor = world.floor(0, 0.3);
  Object o = World::jelly(fall.radius, Vec3(0, fall.radius + 0.05, 0), fall.stiffness, 1);
  o.body.damping = 0.05 * std::sqrt(fall.stiffness);
  o.body.gravity = false;
  o.body.velocity = Vec3(0, -fall.speed, 0) + fall.aside;
  o.body.spin = fall.spin;
  const Id ball = world.add(o);
  Graph graph(world);
  graph.wire(graph.when("time", ball, {{"time", 0}}), graph.does("squash", ball, numbers, floor));
  MotionRun run(world);
  Seen seen;
  double first = -1, last = -1, lowest = 1e9, was = -fall.speed;
  const double h = run.model->step;
  for (int k = 0; k < 4 / h && (last < 0 || k * h < last + 0.1); ++k) {
    const StepReport report = run.step();
    REQUIRE(report.ok);
    const double now = (k + 1) * h;
    if (!report.touching.empty()) last = now;
    if (!report.contacts.empty() && first < 0) first = now - h + report.contacts[0].moment * h;
    lowest = std::min(lowest, run.at(ball).centre.y());
    seen.jump = std::max(seen.jump, std::abs(run.velocity(ball).y() - was));
    was = run.velocity(ball).y();
    seen.back = run.velocity(ball).y() / fall.speed;
    seen.aside = run.velocity(ball).x();
    if (last > 0 && now > last) seen.swing = std::max(seen.swing, run.at(ball).max_strain);
  }
  seen.frames = (last - first) * 60;
  seen.depth = 100 * (1 - lowest / fall.radius);
  return seen;
}

}  // namespace

TEST_CASE("A squash that is asked for is as deep as that, whatever comes how fast", "[motion][squash]") {
  for (const int substeps : {1, 4, 8})
    for (const double stiffness : {5e2, 1e4, 1e6})
      for (const double speed : {1.0, 4.0, 10.0})
        for (const double depth : {10.0, 30.0, 50.0}) {
          const double e = 0.7;
          const double lasts = 0.5 * depth / 100 * 0.5 * M_PI / speed * (1 + 1 / e);  // s
          if (lasts < 10.0 / (60 * substeps)) continue;  // how deep is seen at the ends of sub-steps alone
          const Seen seen = watch({{"by", 0}, {"depth", depth}, {"restitution", e}}, {speed, 0.5, stiffness, substeps});
          INFO(substeps << " sub-steps, k " << stiffness << ", " << speed << " m/s, " << depth << " %: " << seen.depth);
          CHECK(seen.depth == Approx(depth).epsilon(0.03));
          CHECK(seen.back == Approx(e).epsilon(0.03));
        }
}

TEST_CASE("A contact of so many frames lasts so long, to half a sub-step", "[motion][squash]") {
  for (const int substeps : {4, 8})
    for (const double frames : {2.0, 5.0, 10.0})
      for (const double speed : {1.0, 2.0, 4.0}) {
        const double e = 0.8;
        const Seen seen = watch({{"by", 1}, {"frames", frames}, {"restitution", e}}, {speed, 1, 2e4, substeps});
        INFO(substeps << " sub-steps, " << frames << " frames, " << speed << " m/s: " << seen.frames);
        CHECK(std::abs(seen.frames - frames) < 0.5 / substeps + 1e-6);
        CHECK(seen.back == Approx(e).epsilon(0.03));
        CHECK(seen.depth == Approx(200 / M_PI * speed * frames / 60 * e / (1 + e)).epsilon(0.03));
      }
}

TEST_CASE("Asked for depth and frames, both hold, and it is the speed that follows", "[motion][squash]") {
  const Seen seen = watch({{"by", 2}, {"depth", 40}, {"frames", 6}, {"restitution", 1}}, {2, 0.5, 1e4, 8});
  CHECK(seen.depth == Approx(40).epsilon(0.03));
  CHECK(std::abs(seen.frames - 6) < 0.5 / 8 + 1e-6);
  CHECK(seen.back * 2 == Approx(0.5 * M_PI * 0.2 / 0.05).epsilon(0.03));  // ½ π D/T₁
}

TEST_CASE("Asked for depth and frames, its own time may give way: no speed jumps, and it leaves as fast as it would",
          "[motion][squash]") {
  for (const double frames : {2.0, 6.0, 12.0, 40.0})
    for (const double depth : {20.0, 40.0})
      for (const double e : {0.8, 0.0}) {
        const Seen seen = watch({{"by", 2}, {"gives", 1}, {"depth", depth}, {"frames", frames}, {"restitution", e}},
                                {3, 0.5, 1e4, 8});
        INFO(frames << " frames, " << depth << " %, e " << e << ": " << seen.frames << ", " << seen.depth << ", "
                    << seen.back);
        CHECK(seen.depth == Approx(depth).epsilon(0.03));
        if (e > 0) CHECK(std::abs(seen.frames - frames) < 0.5 / 8 + 1e-6);
        if (e > 0) CHECK(seen.back == Approx(e).epsilon(0.03));
        if (frames == 40) CHECK(seen.jump < 0.5);
      }
}

TEST_CASE("Where its speed gives way it jumps as it touches", "[motion][squash]") {
  const Numbers asked = {{"by", 2}, {"depth", 40}, {"frames", 40}, {"restitution", 0.8}};
  const Seen seen = watch(asked, {3, 0.5, 1e4, 8});
  CHECK(seen.jump > 1);  // to ½ π D/T₁ = 1.06 m/s and on
  CHECK(seen.depth == Approx(40).epsilon(0.03));
}

TEST_CASE("What is squashed slides and turns on", "[motion][squash]") {
  const Seen seen =
      watch({{"by", 0}, {"depth", 30}, {"restitution", 0.7}}, {4, 0.5, 1e4, 4, Vec3(2, 0, 0), Vec3(0, 3, -4)});
  CHECK(seen.depth == Approx(30).epsilon(0.05));
  CHECK(seen.aside == Approx(2).epsilon(0.01));
  CHECK(seen.swing > 0.005);  // it leaves as fast as it stretches, and swings on
}

TEST_CASE("A squash deeper than a shape can be thought of is as deep as that, and none of a slow collision",
          "[motion][squash]") {
  CHECK(watch({{"by", 1}, {"frames", 100}, {"restitution", 0.7}}, {5, 0.5, 1e4, 4}).depth == Approx(80).epsilon(0.03));
  CHECK(watch({{"by", 0}, {"depth", 50}, {"slowest", 3}}, {2, 0.5, 1e5, 4}).depth < 20);
}

TEST_CASE(
    "What is squashed on things drawn at random neither stops the run nor falls through, and no account is overdrawn",
    "[motion][squash][random]") {
  // The first three fell through the floor: what slid along a wall as it was squashed there was led on, through everything.
  std::vector<std::uint64_t> seeds = {7700079, 7700183, 7700305};
  const std::uint64_t first = 20261126, count = static_cast<std::uint64_t>(test::rounds(60, 8));
  for (std::uint64_t seed = first; seed < first + count; ++seed) seeds.push_back(seed);
  for (const std::uint64_t seed : seeds) {
    std::mt19937_64 source(seed);
    const auto dice = [&](double low, double high) {
      return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11);
    };
    World world;
    world.scene.settings.substeps = 1 << static_cast<int>(dice(0, 4));
    world.floor(dice(0, 1), dice(0, 1));
    std::vector<Id> all;
    for (int k = 0; k < 3; ++k) {
      const Vec3 place(dice(-0.2, 0.2), 0.5 + 0.9 * k, dice(-0.2, 0.2));
      const bool soft = k == 2 || dice(0, 1) < 0.5;
      const double stiffness = std::pow(10, dice(2, 6)), mass = std::pow(10, dice(-1, 1));
      Object o = soft ? World::jelly(0.3, place, stiffness, mass) : World::box(Vec3(0.8, 0.4, 0.8), place, mass);
      const double down = dice(0, 6), x = dice(-2, 2), y = dice(-2, 2), z = dice(-2, 2);
      o.body.velocity = Vec3(0, -down, 0);
      if (soft) o.body.spin = Vec3(x, y, z);
      all.push_back(world.add(o));
    }
    Graph graph(world);
    for (const Id id : all)
      if (find_object(world.scene, id)->body.kind == BodyKind::flexible) {
        const double by = std::floor(dice(0, 3)), depth = dice(5, 70), frames = dice(1, 12), e = dice(0, 1.2);
        const Numbers numbers = {{"by", by}, {"depth", depth}, {"frames", frames}, {"restitution", e}};
        graph.wire(graph.when("time", id, {{"time", 0}}), graph.does("squash", id, numbers));
      }
    MotionRun run(world);
    INFO("seed " << seed);
    for (int k = 0; k < 1.5 / run.model->step; ++k) {
      const StepReport report = run.step();
      REQUIRE(report.ok);
    }
    for (const Id id : all) {
      CHECK(run.at(id).centre.y() > 0.02);
      CHECK(run.at(id).centre.norm() < 200);  // what is asked for both depth and frames may be fast
    }
  }
}

}  // namespace squash_test
