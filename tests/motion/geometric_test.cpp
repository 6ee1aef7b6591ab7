// Procedures that are processed geometrically (core/motion/geometric.h), against closed forms worked out here.
#include <Eigen/LU>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "core/sim/body/rigid_values.h"
#include "tests/support/graph.h"
#include "tests/support/sanitized.h"

namespace geometric_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kG = 9.80665;

struct Stage {
  World world;
  Id floor, ball;
  Graph graph{world};

  explicit Stage(const Vec3& place, const Vec3& velocity = Vec3::Zero(), const Vec3& spin = Vec3::Zero(),
                 double mass = 1, double radius = 0.1) {
    floor = world.floor(0.5, 0.3);
    Object o = World::sphere(radius, place, mass);
    o.body.velocity = velocity;
    o.body.spin = spin;
    ball = world.add(o);
  }
  Id start() { return graph.when("time", ball); }
};

Vec3 spin(const MotionRun& run, Id ball) {
  const std::size_t i = run.index(ball);
  const JoinedBody joined = run.model->bodies[i].read_joined(run.state.bodies[i].values);
  const Quat& q = joined.pose.rotation;
  return q * Vec3(joined.inertia.inverse() * (q.conjugate() * joined.angular_momentum));
}

/// 1/κ about an axis: the mesh of a ball is not quite one.
double lighter(const MotionRun& run, Id ball, double radius, const Vec3& axis) {
  const std::size_t i = run.index(ball);
  const JoinedBody joined = run.model->bodies[i].read_joined(run.state.bodies[i].values);
  const Vec3 own = joined.pose.rotation.conjugate() * axis;
  return joined.mass * radius * radius / own.dot(joined.inertia * own);
}

double time_of(const MotionRun& run) { return static_cast<double>(run.state.substep) * run.model->step; }

}  // namespace

TEST_CASE("A geometric bounce flies parabolas whose apexes go by e squared", "[motion][geometric]") {
  for (const double e : {0.5, 0.8, 0.95}) {
    INFO(e);
    Stage s(Vec3(0, 2.1, 0), Vec3(0.5, 0, 0));
    const Id bounce = s.graph.does("bounce", s.ball,
                                   {{"restitution", e}, {"until", 0.2}, {"friction", 0}, {"processing", 1}}, s.floor);
    const Id hit = s.graph.loop(s.graph.when("contact", s.ball, {}, s.floor));
    s.graph.wire(s.start(), bounce);
    MotionRun run(s.world);
    // In closed form: it comes down at t0, and from then on it is up for 2 e^i u/g.
    double down = std::sqrt(2 * 2 / kG), speed = kG * down, worst = 0;
    double from = 0, up = 0;  // of the flight that it is on
    int on_path = 0, hits = 0, touched = 0;
    for (int k = 0; k < 240 * 12 && speed * e > 0.25; ++k) {
      run.go(1);
      const double t = time_of(run);
      if (run.count(hit) > hits) {
        hits = run.count(hit);
        ++touched;
        from = down;
        up = e * speed;
        speed = up;
        down = from + 2 * up / kG;
        CHECK(std::abs(from - t) < 1.01 * run.model->step);
        continue;  // physics has the sub-step in which it touches
      }
      if (t > down) continue;
      const double height = from == 0 ? 2 - 0.5 * kG * t * t : up * (t - from) - 0.5 * kG * (t - from) * (t - from);
      worst = std::max(worst, std::abs(run.at(s.ball).centre.y() - 0.1 - height));
      CHECK(run.at(s.ball).centre.x() == Approx(0.5 * t).epsilon(1e-9));
      ++on_path;
    }
    CHECK(touched >= (e < 0.6 ? 3 : 5));
    CHECK(on_path > 200);
    CHECK(worst < 1e-5);  // measured: see docs/numerics/motion.md
    run.seconds(14);
    CHECK(run.count(bounce, MotionTurn::ended) == 1);
    CHECK(run.at(s.ball).centre.y() == Approx(0.1).margin(1e-4));
    CHECK(run.velocity(s.ball).y() == 0);
    CHECK(run.velocity(s.ball).x() == Approx(0.5).epsilon(1e-9));
  }
}

TEST_CASE("Rolling geometrically: it slips in closed form, then v is ω r to round-off", "[motion][geometric]") {
  std::mt19937_64 dice(11);
  const auto number = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(dice); };
  for (int k = 0; k < 20; ++k) {
    const double mu = number(0.1, 1), radius = number(0.05, 0.5);
    const Vec3 v0(number(-3, 3), 0, number(-3, 3)), w0(number(-20, 20), number(-5, 5), number(-20, 20));
    INFO("case " << k << ": μ " << mu << ", r " << radius << ", v " << v0.transpose() << ", ω " << w0.transpose());
    Stage s(Vec3(0, radius, 0), v0, w0, number(0.1, 10), radius);
    const Id roll = s.graph.does("roll", s.ball, {{"friction", mu}, {"processing", 1}}, s.floor);
    s.graph.wire(s.start(), roll);
    MotionRun run(s.world);
    run.go(1);  // it is on its path from the end of a sub-step on in which it touched
    const double t0 = time_of(run);
    const Vec3 c1 = run.at(s.ball).centre, v1 = run.velocity(s.ball), w1 = spin(run, s.ball);
    const Vec3 n = Vec3::UnitY(), slip = v1 - radius * w1.cross(n);
    const double end = slip.norm() / ((1 + lighter(run, s.ball, radius, n.cross(slip.normalized()))) * mu * kG);
    for (int i = 0; i < 480; ++i) {
      run.go(1);
      const double t = time_of(run) - t0, part = std::min(t, end);
      const Vec3 v = v1 - part * mu * kG * slip.normalized();
      const Vec3 c = c1 + part * v1 - 0.5 * part * part * mu * kG * slip.normalized() + (t - part) * v;
      REQUIRE((run.at(s.ball).centre - c).norm() < 1e-8);
      REQUIRE((run.velocity(s.ball) - v).norm() < 1e-8);
      if (t < end) continue;
      const Vec3 w = spin(run, s.ball), rolls = n.cross(v) / radius;
      REQUIRE((w - w.dot(n) * n - rolls).norm() < 1e-7 * (1 + rolls.norm()));
    }
    REQUIRE(run.count(roll, MotionTurn::ended) == 1);
    CHECK(run.time_of(roll, 0, MotionTurn::ended) == Approx(t0 + end).margin(1.01 * run.model->step));
  }
}

TEST_CASE("Down a slope it rolls with g sin α/(1 + κ)", "[motion][geometric]") {
  for (const double angle : {0.1, 0.3, 0.6}) {
    World world;
    Object slope = World::box(Vec3(400, 1, 4), Vec3::Zero());
    slope.body.kind = BodyKind::fixed;
    const Quat tilt(Eigen::AngleAxisd(-angle, Vec3::UnitZ()));
    slope.transform.rotation = tilt;
    const Id below = world.add(slope), ball = world.add(World::sphere(0.2, tilt * Vec3(0, 0.7, 0)));
    Graph graph(world);
    graph.wire(graph.when("time", ball), graph.does("roll", ball, {{"processing", 1}}, below));
    MotionRun run(world);
    run.go(20);  // it has slipped a little
    const double t0 = time_of(run);
    const Vec3 c0 = run.at(ball).centre, v0 = run.velocity(ball), way = tilt * Vec3::UnitX();
    run.seconds(2);
    const double t = time_of(run) - t0, part = lighter(run, ball, 0.2, Vec3::UnitZ()),
                 a = kG * std::sin(angle) * part / (1 + part);
    CHECK((run.at(ball).centre - c0 - t * v0 - 0.5 * a * t * t * way).norm() < 1e-8);
    CHECK((run.velocity(ball) - v0 - a * t * way).norm() < 1e-8);
    CHECK(spin(run, ball).norm() * 0.2 == Approx(run.velocity(ball).norm()).epsilon(1e-9));
  }
}

TEST_CASE("Thrown geometrically it flies its parabola through wind; physics is blown off it", "[motion][geometric]") {
  for (const bool geometric : {true, false}) {
    Stage s(Vec3(0, 1, 0));
    ForceField wind;
    wind.id = next_id(s.world.scene);
    wind.speed = 20;
    s.world.scene.fields.push_back(Shared<ForceField>(wind));
    const Id thrown = s.graph.does(
        "throw", s.ball, {{"x", 3}, {"y", 5}, {"spins", 1}, {"sz", 4}, {"processing", geometric ? 1.0 : 0.0}});
    s.graph.wire(s.start(), thrown);
    MotionRun run(s.world);
    run.seconds(0.5);
    const Vec3 parabola(1.5, 1 + 2.5 - 0.125 * kG, 0);
    if (geometric) {
      CHECK((run.at(s.ball).centre - parabola).norm() < 1e-9);
      CHECK((spin(run, s.ball) - Vec3(0, 0, 4)).norm() < 1e-9);
      CHECK(run.count(thrown, MotionTurn::ended) == 0);
      run.seconds(1);  // until it has come down
      CHECK(run.time_of(thrown, 0, MotionTurn::ended) == Approx((5 + std::sqrt(25 + 1.8 * kG)) / kG).margin(0.005));
    } else {
      CHECK((run.at(s.ball).centre - parabola).norm() > 1e-3);
    }
  }
}

TEST_CASE("A free fall under another gravity, of either processing, until it comes down", "[motion][geometric]") {
  for (const double processing : {0.0, 1.0})
    for (const char* kind : {"fall", "throw"}) {
      INFO(kind << " " << processing);
      Stage s(Vec3(0, 2.1, 0));
      Numbers numbers = {{"gain", 0.25}, {"processing", processing}};
      if (std::string(kind) == "throw") numbers.emplace_back("y", 0.0);
      const Id falls = s.graph.does(kind, s.ball, numbers);
      s.graph.wire(s.start(), falls);
      MotionRun run(s.world);
      run.seconds(1);
      CHECK(run.at(s.ball).centre.y() == Approx(2.1 - 0.125 * kG).epsilon(1e-9));
      run.seconds(1);
      REQUIRE(run.count(falls, MotionTurn::ended) == 1);
      CHECK(run.time_of(falls, 0, MotionTurn::ended) == Approx(std::sqrt(4 / (0.25 * kG))).margin(0.005));
    }
}

TEST_CASE("What a path meets it meets as physics has it", "[motion][geometric]") {
  // Head-on against one of the same mass in flight: with all of its speed, and not as something of infinite mass.
  std::vector<double> speeds;
  for (const double processing : {0.0, 1.0}) {
    World world;
    world.scene.settings.gravity = Vec3::Zero();
    Object other = World::sphere(0.1, Vec3(1.03, 0, 0));
    other.material.substance.restitution = 1;
    Object own = World::sphere(0.1, Vec3::Zero());
    own.material.substance.restitution = 1;
    const Id ball = world.add(own), hit = world.add(other);
    Graph graph(world);
    const Id thrown = graph.does("throw", ball, {{"x", 3}, {"y", 0}, {"processing", processing}});
    graph.wire(graph.when("time", ball), thrown);
    MotionRun run(world);
    run.seconds(0.6);
    CHECK(run.events.size() == 1);
    CHECK(run.velocity(hit).x() == Approx(3).epsilon(1e-6));
    CHECK(run.velocity(ball).norm() < 1e-6);
    speeds.push_back(run.velocity(hit).x());
  }
  CHECK(speeds[0] == Approx(speeds[1]).epsilon(1e-12));
}

TEST_CASE("It rolls off an edge, and is physics' from there", "[motion][geometric]") {
  World world;
  Object table = World::box(Vec3(2, 0.2, 2), Vec3(0, 0.9, 0));
  table.body.kind = BodyKind::fixed;
  const Id below = world.add(table);
  world.floor();
  Object o = World::sphere(0.1, Vec3(0, 1.1, 0));
  o.body.velocity = Vec3(1, 0, 0);
  const Id ball = world.add(o);
  Graph graph(world);
  graph.wire(graph.when("time", ball), graph.does("roll", ball, {{"processing", 1}}, below));
  MotionRun run(world);
  run.seconds(1.3);
  CHECK(run.at(ball).centre.y() == Approx(1.1).margin(1e-4));
  run.seconds(0.35);
  CHECK(run.at(ball).centre.y() < 1);
}

TEST_CASE("It stays where it lands, on a slope too", "[motion][geometric]") {
  World world;
  Object slope = World::box(Vec3(40, 1, 4), Vec3::Zero());
  slope.body.kind = BodyKind::fixed;
  const Quat tilt(Eigen::AngleAxisd(-0.3, Vec3::UnitZ()));
  slope.transform.rotation = tilt;
  const Id below = world.add(slope), ball = world.add(World::sphere(0.2, tilt * Vec3(0, 1.5, 0)));
  Graph graph(world);
  graph.wire(graph.when("time", ball), graph.does("land", ball, {{"processing", 1}, {"friction", 2}}, below));
  MotionRun run(world);
  run.seconds(1.5);
  const Vec3 there = run.at(ball).centre;
  run.seconds(2);
  CHECK((run.at(ball).centre - there).norm() < 1e-12);
  CHECK(run.velocity(ball).norm() == 0);
}

TEST_CASE("Held by a force it yields and comes back; followed loosely it lags", "[motion][geometric]") {
  Stage s(Vec3(0, 2, 0));
  s.graph.wire(s.start(), s.graph.does("hold", s.ball, {{"processing", 0}, {"softness", 0.1}}));
  s.graph.wire(s.graph.when("time", s.ball, {{"time", 0.5}}),
               s.graph.does("push", s.ball, {{"x", 50}, {"duration", 0.05}}));
  MotionRun run(s.world);
  run.seconds(0.5);
  CHECK((run.at(s.ball).centre - Vec3(0, 2, 0)).norm() < 1e-9);
  double furthest = 0;
  for (int k = 0; k < 240; ++k) {
    run.go(1);
    furthest = std::max(furthest, run.at(s.ball).centre.x());
  }
  // A blow of v: x = v t e^(−t/τ), v τ/e at most; this one lasts half a τ.
  CHECK(furthest == Approx(2.5 * 0.1 / std::exp(1)).epsilon(0.05));
  CHECK((run.at(s.ball).centre - Vec3(0, 2, 0)).norm() < 2e-3);
}

TEST_CASE("Random geometric runs: what bounces keeps e, what rolls does not slip, from saved bytes and on any threads",
          "[motion][geometric]") {
  const std::uint64_t seed = 20261127;
  std::mt19937_64 dice(seed);
  const auto number = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(dice); };
  const int all = test::rounds(200, 20);
  for (int k = 0; k < all; ++k) {
    const double e = number(0.2, 0.95), mu = number(0, 1), radius = number(0.03, 0.6), height = number(0.1, 3);
    INFO("seed " << seed << ", case " << k << ": e " << e << ", μ " << mu << ", r " << radius << ", h " << height);
    Stage s(Vec3(0, radius + height, 0), Vec3(number(-2, 2), number(-2, 2), number(-2, 2)),
            Vec3(number(-9, 9), number(-9, 9), number(-9, 9)), number(0.05, 20), radius);
    s.world.scene.settings.substeps = 1 + static_cast<int>(number(0, 8));
    const double until = number(0.1, 0.6);
    const Id bounce = s.graph.does(
        "bounce", s.ball, {{"restitution", e}, {"until", until}, {"friction", mu}, {"processing", 1}}, s.floor);
    const Id settled = s.graph.when("finished", s.ball),
             roll = s.graph.does("roll", s.ball, {{"friction", 0.5}, {"processing", 1}}, s.floor);
    s.graph.wire(s.start(), bounce);
    s.graph.chain({bounce, settled, roll});
    MotionRun run(s.world), other(s.world, 2);
    double v = 0, before = 0, last = 0;
    const int steps = static_cast<int>(2.5 / run.model->step);
    for (int i = 0; i < steps; ++i) {
      before = run.velocity(s.ball).y();
      const std::size_t hits = run.events.size();
      run.go(1);
      other.go(1);
      REQUIRE_FALSE(run.stopped);
      v = run.velocity(s.ball).y();
      REQUIRE(run.at(s.ball).centre.y() > radius - 1e-3);
      if (run.events.size() > hits && -before > until + 1 && e * -before > 2 * kG * run.model->step) last = -before;
      // Two sub-steps after it touched it is on its path.
      if (last > 0 && run.events.size() == hits && v > 0 && before > 0) {
        const double gap = run.at(s.ball).centre.y() - radius;
        const double left = std::sqrt(v * v + 2 * kG * gap);
        REQUIRE(left == Approx(e * last).margin(e * kG * run.model->step + 1e-6));
        last = 0;
      }
      if (i == steps / 2) REQUIRE(restore(save(run.state), run.state).ok());
    }
    REQUIRE(hash(run.state) == hash(other.state));
    if (run.count(roll, MotionTurn::ended) == 0) continue;
    const Vec3 w = spin(run, s.ball), u = run.velocity(s.ball);
    REQUIRE((u - radius * w.cross(Vec3::UnitY())).norm() < 1e-6);
  }
}

}  // namespace geometric_test
