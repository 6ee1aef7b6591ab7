// Rigid bodies on a plane and on each other (contact.md, A2, A6 and B5, B6, B9).
#include <catch2/catch.hpp>

#include "tests/sim/reference/scenes.h"

namespace reference_rigid_test {

using namespace hazumi;
using namespace hazumi::reference;

namespace {

World one_body(const RigidBody& b, double h) {
  World w;
  w.settings.h = h;
  w.settings.project = false;
  w.settings.rules.slop = 1e-7;
  w.bodies.emplace_back(b);
  return w;
}

struct StackRun {
  double creep = 0, sunk = 0, speed = 0, rest = 0, gain = 0;
  bool ran = true;
  Figures figures;
};

struct Tower {
  Solver solver = Solver::direct;
  int most_passes = 10;
  double top = 1;  ///< mass of the topmost, the others 1 kg
  double seconds = 2;
  int storeys = 10;
  double grows = 1;  ///< each heavier than the one below by this factor
};

StackRun stand(const Tower& t) {
  World w;
  w.settings.rules = {0.3, 0.5, 0.05, 1e-6};
  w.settings.rounds = 1;
  w.settings.geometry_repeats = 2;
  w.settings.solver = t.solver;
  w.settings.tolerance = 1e-9;
  w.settings.most_passes = t.most_passes;
  w.settings.project = false;
  w.contacts = stack();
  double mass = 1, y = 0;
  for (int i = 0; i < t.storeys; ++i, mass *= t.grows) {
    const double side = std::max(0.5, 1 - 0.03 * i);
    RigidBody b = rigid_box(i + 1 == t.storeys ? t.top * mass : mass, Vec3(0.5 * side, 0.5, 0.5 * side));
    y += 1e-4;
    b.centre = Vec3(i % 2 ? -0.004 : 0.004, y + 0.5, 0.003 * (i % 3 - 1));
    b.attitude = exp_matrix(Vec3(0, 0.02 * (i % 3 - 1), 0));
    y += 1;
    w.bodies.emplace_back(b);
  }
  StackRun run;
  const double h = w.settings.h, e0 = w.energy();
  const int steps = static_cast<int>(t.seconds / h);
  std::vector<Vec3> placed;
  for (int k = 0; k < steps && run.ran; ++k) {
    run.ran = w.step();
    double speed = 0;
    for (const Body& b : w.bodies) speed = std::max(speed, b.speed());
    if (speed > 1e-4) run.rest = (k + 1) * h;
    if (k >= 0.8 * steps) run.speed = std::max(run.speed, speed);
    run.gain = std::max(run.gain, w.energy() - e0);
    if (k == static_cast<int>(0.5 / h))
      for (const Body& b : w.bodies) placed.push_back(b.centre());
    for (std::size_t i = 0; i < placed.size(); ++i) {
      const Vec3 d = w.bodies[i].centre() - placed[i];
      run.creep = std::max(run.creep, std::hypot(d.x(), d.z()));
      run.sunk = std::max(run.sunk, -d.y());
    }
  }
  run.figures = w.figures;
  return run;
}

}  // namespace

TEST_CASE("A rigid step changes energy by the impulses' work, and spin by their torque", "[reference]") {
  Worst energy, angular;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Dice dice(seed);
    RigidBody b = rigid_box(2, Vec3(0.5, 0.2, 0.1));
    b.attitude = dice.attitude();
    b.centre = dice.vector();
    b.velocity = dice.vector();
    b.set_rate_of_turn(10 * dice.vector());
    const Vec3 gravity = 9 * dice.vector();
    const double h = seed % 2 ? 1.0 / 60 : 1.0 / 240;
    for (int k = 0; k < 50; ++k) {
      const Vec3 impulse = 0.1 * dice.vector(), arm = 0.3 * dice.vector();
      const RigidStep s = step_rigid(b, h, gravity, impulse, arm.cross(impulse));
      const double e0 = b.kinetic() - b.mass * gravity.dot(b.centre);
      const Vec3 l0 = b.angular_momentum();
      b.centre = s.centre, b.attitude = s.attitude, b.velocity = s.velocity, b.spin = s.spin;
      const double e1 = b.kinetic() - b.mass * gravity.dot(b.centre);
      const double work = impulse.dot(s.mean_velocity + s.mean_rate.cross(arm));
      energy.take(std::abs(e1 - e0 - work) / (std::abs(e0) + std::abs(e1) + std::abs(work)), seed);
      const Vec3 torque = (s.mean_centre + arm).cross(impulse) + h * s.mean_centre.cross(b.mass * gravity);
      angular.take((b.angular_momentum() - l0 - torque).norm() / (l0.norm() + torque.norm()), seed);
    }
  }
  CHECK(energy < 1e-12);
  CHECK(angular < 1e-13);
}

TEST_CASE("A box stays on a slope of 20 degrees and slides on 35 as the formula says", "[reference]") {
  for (const double angle : {20.0, 35.0})
    for (const int rate : {60, 240}) {
      RigidBody box = rigid_box(2, Vec3(0.5, 0.25, 0.4));
      box.centre.y() = 0.25;
      World w = one_body(box, 1.0 / rate);
      w.settings.rules.friction = 0.5;
      w.settings.most_passes = 200;
      w.settings.gravity = 9.81 * Vec3(std::sin(radians(angle)), -std::cos(radians(angle)), 0);
      w.contacts = box_on_plane(1e-4);
      double early = 0;
      for (int k = 0; k < 2 * rate; ++k) {
        REQUIRE(w.step());
        if (2 * k == rate) early = w.bodies[0].rigid.centre.x();
      }
      const RigidBody& b = w.bodies[0].rigid;
      const double slide = angle < 30 ? 0 : 2 * 9.81 * (std::sin(radians(angle)) - 0.5 * std::cos(radians(angle)));
      Worst creep, speed, turn;
      creep.take(angle < 30 ? std::abs(b.centre.x() - early) : 0, 0);
      speed.take(std::abs(b.velocity.x() - slide), 0);
      turn.take(b.rate().norm(), 0);
      CAPTURE(angle, rate);
      CHECK(creep < 1e-17);
      CHECK(speed < 1e-14);
      CHECK(turn < 3e-15);
    }
}

TEST_CASE("A ball that slides or is spun comes to roll at 5/7 and 2/7", "[reference]") {
  for (const bool spun : {false, true})
    for (const int rate : {60, 240}) {
      RigidBody ball;
      ball.mass = 1;
      ball.inertia = 0.4 * 0.01 * Mat3::Identity();
      ball.half = Vec3::Constant(0.1);
      ball.centre.y() = 0.1;
      if (spun)
        ball.set_rate_of_turn(Vec3(0, 0, -60));
      else
        ball.velocity.x() = 3;
      World w = one_body(ball, 1.0 / rate);
      w.contacts = ball_on_plane(0.1);
      for (int k = 0; k < 2 * rate; ++k) REQUIRE(w.step());
      const RigidBody& b = w.bodies[0].rigid;
      Worst speed, slip, height;
      speed.take(std::abs(b.velocity.x() - (spun ? 60 * 0.1 * 2 / 7 : 3 * 5.0 / 7)), 0);
      slip.take(std::abs(b.velocity.x() + 0.1 * b.rate().z()), 0);
      height.take(std::abs(b.centre.y() - 0.1), 0);
      CAPTURE(spun, rate);
      CHECK(speed < 2e-14);
      CHECK(slip < 3e-15);
      CHECK(height < 1e-15);
    }
}

namespace {

struct Tumbling {
  Worst gain, identity, over, empty_purse;
};

/// `runs` boxes a kind, without gravity, onto the plane for a second.
Tumbling tumble(int runs, bool account) {
  std::uint64_t seed = 100;
  Tumbling worst;
  for (const double friction : {0.0, 1.0})
    for (const double e : {0.5, 1.0})
      for (const int rate : {60, 240})
        for (int run = 0; run < runs; ++run) {
          Dice dice(++seed);
          RigidBody box = rigid_box(1, Vec3(dice.uniform(0.2, 0.6), 0.3, dice.uniform(0.2, 0.4)));
          box.attitude = dice.attitude();
          box.centre.y() = 1.5;
          box.velocity = dice.vector() - Vec3(0, dice.uniform(1, 8), 0);
          box.set_rate_of_turn(4 * dice.vector());
          World w = one_body(box, 1.0 / rate);
          w.settings.gravity.setZero();
          w.settings.rules.friction = friction;
          w.settings.rules.restitution = e;
          w.settings.account = account;
          w.contacts = box_on_plane(0);
          const double e0 = w.energy();
          for (int k = 0; k < rate; ++k) {
            REQUIRE(w.step());
            worst.gain.take(w.energy() / e0 - 1, seed);
          }
          worst.identity.take(w.figures.identity / e0, seed);
          worst.over.take(w.figures.over_account / e0, seed);
          worst.empty_purse.take(-w.figures.least_purse / e0, seed);
        }
  return worst;
}

}  // namespace

TEST_CASE("Tumbling boxes gain nothing, bouncing and rubbing; without the account they do", "[reference]") {
  const Tumbling t = tumble(8, true);
  CHECK(t.gain < 3e-15);
  CHECK(t.identity < 3e-15);
  CHECK(t.over < 1e-14);
  CHECK(t.empty_purse < 1e-14);
  CHECK(tumble(8, false).gain.value > 0.01);
}

TEST_CASE("480 boxes tumble", "[.long]") {
  const Tumbling t = tumble(60, true);
  CHECK(t.gain < 1e-14);
  CHECK(t.identity < 1e-14);
  CHECK(t.over < 1e-14);
}

namespace {

void check(const StackRun& r) {
  CAPTURE(r.figures.second_solves, r.figures.scaled);
  CHECK(r.ran);
  CHECK(r.creep < 1e-4);
  CHECK(r.sunk < 1e-4);
  CHECK(r.speed < 1e-4);
  CHECK(r.gain < 1e-12);
}

double passes(const StackRun& r) {
  return static_cast<double>(r.figures.solver_passes) / static_cast<double>(r.figures.solves);
}

}  // namespace

TEST_CASE("Ten boxes stand, also under a hundredfold one and each twice the one below", "[reference][slow]") {
  for (const auto& [top, grows] : {std::pair(1.0, 1.0), {20.0, 1.0}, {100.0, 1.0}, {1.0, 2.0}}) {
    CAPTURE(top, grows);
    const StackRun r = stand({Solver::direct, 10, top, 1, 10, grows});
    check(r);
    CHECK(r.creep < 1e-9);
    CHECK(r.speed < 1e-9);  // 4e-14 to 1e-10 m/s
    CHECK(r.rest < 0.15);
    CHECK(passes(r) < 3);
  }
}

TEST_CASE("Conjugate gradients let a stack stand, row after row does not", "[reference][slow]") {
  const StackRun cg = stand({Solver::cg, 400, 1, 0.5, 10, 1});
  check(cg);
  CHECK(cg.rest < 0.3);
  const StackRun rows = stand({Solver::sweep, 30, 1, 0.5, 10, 1});
  CHECK(rows.speed > 1e-3);
}

TEST_CASE("Stacks for ten seconds", "[.long]") {
  for (const double top : {1.0, 20.0, 100.0}) {
    CAPTURE(top);
    check(stand({Solver::direct, 10, top, 10, 10, 1}));
  }
  for (const double top : {1.0, 20.0}) {
    CAPTURE(top);
    check(stand({Solver::cg, 1000, top, 10, 10, 1}));
  }
}

}  // namespace reference_rigid_test
