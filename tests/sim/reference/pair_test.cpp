// Two free bodies meet (contact.md, B9, A3, A4): momentum, angular momentum, energy.
#include <catch2/catch.hpp>

#include "tests/sim/reference/pairs.h"
#include "tests/sim/reference/trusses.h"

namespace reference_pair_test {

using namespace hazumi;
using namespace hazumi::reference;

namespace {

struct Meeting {
  bool rigid = false;
  double stiffness = 1e4, restitution = 0.5, friction = 0.5;
  int per_frame = 1;
  std::uint64_t seed = 1;
  bool give_back = true, project = true;
  int geometry_repeats = 12;
};

struct Worsts {
  Worst momentum, angular, gain, identity, over, empty_purse, passes_of_one;
  int runs = 0, stopped = 0, met = 0;
  long turns = 0, refused = 0, second = 0, scaled = 0;
};

void launch(Body& body, const Vec3& centre, const Vec3& velocity, const Vec3& turn, const Mat3& attitude) {
  if (!body.is_flexible) {
    RigidBody& b = body.rigid;
    b.attitude = attitude;
    b.centre = centre;
    b.velocity = velocity;
    b.set_rate_of_turn(turn);
    return;
  }
  FlexibleBody& b = body.flexible;
  b.attitude = attitude;
  b.centre = centre;
  for (Eigen::Index i = 0; i < b.count(); ++i) b.velocity.col(i) = velocity + turn.cross(b.arms().col(i));
}

/// Runs for `seconds` without gravity. Errors relative to Σ|P| and Σ|L| + 0.3 m Σ|P|, and to the first energy.
void watch(World& w, double seconds, std::uint64_t seed, Worsts& worst) {
  const Vec3 p0 = w.momentum(), l0 = w.angular_momentum();
  double p_scale = 0, l_scale = 0;
  for (const Body& b : w.bodies) {
    p_scale += b.momentum().norm();
    l_scale += b.angular_momentum().norm() + 0.3 * b.momentum().norm();
  }
  const double e0 = w.energy();
  bool ran = true;
  for (int k = 0; k < static_cast<int>(seconds / w.settings.h) && ran; ++k) {
    ran = w.step();
    worst.momentum.take((w.momentum() - p0).norm() / p_scale, seed);
    worst.angular.take((w.angular_momentum() - l0).norm() / l_scale, seed);
    worst.gain.take(w.energy() / e0 - 1, seed);
  }
  const Figures& f = w.figures;
  worst.identity.take(f.identity / e0, seed);
  worst.over.take(f.over_account / e0, seed);
  worst.empty_purse.take(-f.least_purse / e0, seed);
  worst.passes_of_one.take(f.most_passes, seed);
  ++worst.runs;
  worst.stopped += !ran;
  worst.met += f.with_rows > 0;
  worst.turns += f.turns;
  worst.refused += f.turns_refused;
  worst.second += f.second_solves;
  worst.scaled += f.scaled;
}

/// `missed`: how many runs may pass by each other. `refused`: how many turns the account may not pay for; their runs lose L.
void check(const Worsts& w, int missed, int refused = 0) {
  CAPTURE(w.runs, w.turns, w.second, w.scaled);
  CHECK(w.stopped == 0);
  CHECK(w.met >= w.runs - missed);
  CHECK(w.momentum < 1e-12);  // 3e-13; the design has 2e-13
  CHECK(w.refused <= refused);
  if (w.refused == 0) CHECK(w.angular < 6e-12);  // 2.8e-12; the design has 2.5e-12
  CHECK(w.gain < 5e-12);                         // 1.4e-12; the design has 2e-13
  CHECK(w.identity < 8e-12);                     // 2.8e-12
  CHECK(w.over < 1e-14);
  CHECK(w.empty_purse < 1e-14);
  CHECK(w.passes_of_one < 40);
}

/// 10 kg against 20 kg at 6 m/s, both turning.
void meet(const Meeting& m, Worsts& worst) {
  World w;
  w.settings.h = 1.0 / 60 / m.per_frame;
  w.settings.gravity.setZero();
  w.settings.rules.restitution = m.restitution;
  w.settings.rules.friction = m.friction;
  w.settings.give_back = m.give_back;
  w.settings.project = m.project;
  w.settings.geometry_repeats = m.geometry_repeats;
  w.contacts = nodes_of_pair();
  Dice dice(m.seed);
  w.bodies.emplace_back(random_truss(dice, 10, m.stiffness, 0, w.settings.h));
  if (m.rigid)
    w.bodies.emplace_back(rigid_box(20, Vec3(0.3, 0.2, 0.25)));
  else
    w.bodies.emplace_back(random_truss(dice, 20, 3 * m.stiffness, 0, w.settings.h));
  for (int i = 0; i < 2; ++i) {
    const double side = i ? 1 : -1;
    const Vec3 centre = Vec3(0.45 * side, 0, 0) + 0.1 * Vec3(0, dice.normal(), dice.normal());
    const Vec3 velocity = Vec3(-3 * side, 0, 0) + 0.2 * Vec3(0, dice.normal(), dice.normal());
    const Vec3 turn = 2 * dice.vector();
    launch(w.bodies[i], centre, velocity, turn, dice.attitude());
  }
  watch(w, 1.0, m.seed, worst);
}

/// Two tetrahedra (4 kg, 12 kg) whose edges 0–1 cross at a right angle, meeting at 4 m/s.
World crossed_edges(double stiffness, double friction, int per_frame, std::uint64_t seed) {
  World w;
  w.settings.h = 1.0 / 60 / per_frame;
  w.settings.gravity.setZero();
  w.settings.rules.restitution = 0.5;
  w.settings.rules.friction = friction;
  w.contacts = edges_of_pair();
  Dice dice(seed);
  for (int i = 0; i < 2; ++i) {
    FlexibleBody b;
    b.rest = Nodes::Zero(3, 4);
    const double side = i ? 1 : -1;
    b.rest.col(0) = i ? Vec3(0, 0.3, 0) : Vec3(0, 0, 0.3);
    b.rest.col(1) = -b.rest.col(0);
    b.rest.col(2) = Vec3(0.4 * side, i ? 0 : 0.3, i ? 0.3 : 0);
    b.rest.col(3) = Vec3(0.4 * side, i ? 0 : -0.3, i ? -0.3 : 0);
    b.mass = Vector::Constant(4, i ? 3 : 1);
    build_truss(b, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}, stiffness, 0, w.settings.h);
    w.bodies.emplace_back(std::move(b));
    const Vec3 centre = Vec3(0.4 * side, 0, 0) + 0.05 * Vec3(0, dice.normal(), dice.normal());
    const Vec3 velocity = Vec3(-2 * side, 0, 0) + 0.5 * Vec3(0, dice.normal(), dice.normal());
    launch(w.bodies.back(), centre, velocity, dice.vector(), Mat3::Identity());
  }
  return w;
}

}  // namespace

TEST_CASE("Two free bodies keep momentum and angular momentum, and gain nothing", "[reference]") {
  std::uint64_t seed = 1000;
  for (const bool rigid : {false, true}) {
    Worsts worst;
    for (const double stiffness : {1e3, 1e4, 1e6, 1e8}) {
      ++seed;
      meet({rigid, stiffness, 0.0, 0.5, 1, seed}, worst);
      meet({rigid, stiffness, 0.5, 0.5, 4, seed + 100}, worst);
      meet({rigid, stiffness, 1.0, 0.0, 1, seed + 200}, worst);
    }
    CAPTURE(rigid);
    check(worst, 0);
  }
}

TEST_CASE("384 pairs meet", "[.long]") {
  std::uint64_t seed = 5000;
  for (const bool rigid : {false, true})
    for (const double stiffness : {1e3, 1e4, 1e6, 1e8}) {
      Worsts worst;
      for (const double e : {0.0, 0.5, 1.0})
        for (const int n : {1, 4})
          for (const double friction : {0.0, 0.5})
            for (int run = 0; run < 4; ++run) meet({rigid, stiffness, e, friction, n, ++seed}, worst);
      CAPTURE(rigid, stiffness);
      // Of 391 turns of the softest one is refused, and that run loses 3e-3 of L: see the page.
      check(worst, 2, stiffness < 5e3 ? 1 : 0);
    }
}

TEST_CASE("Spin is lost where geometry has not settled and nothing gives it back", "[reference][slow]") {
  Worsts with, without, hasty;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Meeting m{false, 1e3, 0.0, 0.5, 1, seed};
    meet(m, with);
    Meeting lossy = m, short_cut = m;
    lossy.give_back = false;
    short_cut.geometry_repeats = 6;
    meet(lossy, without);
    meet(short_cut, hasty);
  }
  CHECK(with.angular < 4e-13);  // 1.3e-13
  CHECK(with.refused == 0);
  CHECK(without.angular.value > 1e-4);  // 6e-3
  // The design's six repeats leave more to give back. With g++ the account cannot pay for one turn of 49, and 4e-3 of L are lost
  // in that run; with clang++ other roundings lead past it.
  CHECK(hasty.turns > with.turns);
}

TEST_CASE("An edge meets an edge: both are held by the face beside them", "[reference]") {
  Worsts worst;
  for (const double stiffness : {1e4, 1e6})
    for (const double friction : {0.0, 0.5})
      for (const int n : {1, 4})
        for (std::uint64_t seed = 70; seed < 74; ++seed) {
          World w = crossed_edges(stiffness, friction, n, seed);
          watch(w, 0.5, seed, worst);
        }
  check(worst, 0);
}

}  // namespace reference_pair_test
