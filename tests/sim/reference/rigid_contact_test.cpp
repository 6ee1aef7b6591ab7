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
  double top = 1;            ///< mass of the topmost, the others 1 kg
  double seconds = 2;
  int storeys = 10;
  double grows = 1;          ///< each heavier than the one below by this factor
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
      std::printf("slope %g %d: x %.3e creep %.1e v %.9f spin %.1e\n", angle, rate, b.centre.x(), b.centre.x()-early, b.velocity.x(), b.rate().norm());
      const double slide = 9.81 * (std::sin(radians(35)) - 0.5 * std::cos(radians(35))) * 2;
      std::printf(" exact %.9f diff %.1e\n", slide, b.velocity.x()-slide);
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
      const double exact = spun ? 60 * 0.1 * 2 / 7 : 3 * 5.0 / 7;
      std::printf("ball %d %d: v %.1e slip %.1e height %.1e\n", spun, rate, b.velocity.x()-exact, b.velocity.x()+0.1*b.rate().z(), b.centre.y()-0.1);
    }
}

TEST_CASE("Tumbling boxes gain nothing, bouncing and rubbing", "[reference]") {
  std::uint64_t seed = 100;
  double gain = 0, identity = 0, over = 0, purse = 0;
  for (const double friction : {0.0, 1.0})
    for (const double e : {0.5, 1.0})
      for (const int rate : {60, 240})
        for (int run = 0; run < 8; ++run) {
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
          w.contacts = box_on_plane(0);
          const double e0 = w.energy();
          for (int k = 0; k < rate; ++k) {
            REQUIRE(w.step());
            gain = std::max(gain, w.energy() / e0 - 1);
          }
          identity = std::max(identity, w.figures.identity / e0);
          over = std::max(over, w.figures.over_account / e0);
          purse = std::min(purse, w.figures.least_purse / e0);
        }
  std::printf("tumbling gain %.1e identity %.1e over %.1e purse %.1e\n", gain, identity, over, purse);
}

TEST_CASE("Ten boxes stand", "[reference]") {
  for (const auto& [solver, passes] : {std::pair(Solver::direct, 10), {Solver::cg, 1000}, {Solver::sweep, 400}})
    for (const double top : {1.0, 20.0, 100.0}) {
      const StackRun r = stand({solver, passes, top, solver==Solver::direct ? 2.0 : 1.0, 10, 1});
      std::printf("stack solver %d top %g: ran %d creep %.1e sunk %.1e speed %.1e rest %.2f gain %.1e passes %.1f scaled %ld second %ld\n", int(solver), top, r.ran, r.creep, r.sunk, r.speed, r.rest, r.gain, double(r.figures.solver_passes)/double(r.figures.solves), r.figures.scaled, r.figures.second_solves);
    }
  const StackRun r = stand({Solver::direct, 10, 1, 2, 10, 2});
  std::printf("stack x2: ran %d creep %.1e sunk %.1e speed %.1e rest %.2f gain %.1e passes %.1f scaled %ld second %ld\n", r.ran, r.creep, r.sunk, r.speed, r.rest, r.gain, double(r.figures.solver_passes)/double(r.figures.solves), r.figures.scaled, r.figures.second_solves);
}

}  // namespace reference_rigid_test
