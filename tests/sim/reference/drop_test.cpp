// Random tetrahedral trusses dropped on a plane and on the edge of a box (contact.md, B4 and A8).
#include <catch2/catch.hpp>

#include "tests/sim/reference/scenes.h"
#include "tests/sim/reference/trusses.h"

namespace reference_drop_test {

using namespace hazumi;
using namespace hazumi::reference;

namespace {

struct Drop {
  Ground ground = Ground::plane;
  double stiffness = 1e4, restitution = 0.5, spin = 0;
  int per_frame = 1;
  std::uint64_t seed = 1;
  double ratio = 0;  ///< c of C = cK, s
};

struct Worsts {
  Worst gain, overlap, identity, residual, over, passes_of_one, empty_purse;
  int runs = 0, stopped = 0;
  double passes = 0, steps = 0;
  long scaled = 0, second = 0;
};

/// One second from 1 m above, 10 kg. Energies in units of the fall (M g · 1 m), overlap in h v.
void drop(const Drop& d, const Settings& base, Worsts& worst) {
  World w;
  w.settings = base;
  w.settings.h = 1.0 / 60 / d.per_frame;
  w.settings.rules.restitution = d.restitution;
  Dice dice(d.seed);
  FlexibleBody b = random_truss(dice, 10, d.stiffness, d.ratio, w.settings.h);
  b.attitude = dice.attitude();
  b.centre.y() = 1 - b.positions().row(1).minCoeff();
  const Vec3 turn = d.spin * Vec3(1, 0.5, -1);
  for (Eigen::Index i = 0; i < b.count(); ++i) b.velocity.col(i) = turn.cross(b.arms().col(i));
  w.bodies.emplace_back(std::move(b));
  w.contacts = on_ground(d.ground);

  const double e0 = w.energy(), fall = 10 * 9.81, speed = std::sqrt(2 * 9.81);
  bool ran = true;
  for (int k = 0; k < 60 * d.per_frame && ran; ++k) {
    ran = w.step();
    worst.gain.take((w.energy() - e0) / fall, d.seed);
    const Nodes x = w.bodies[0].flexible.positions();
    const double deepest = d.ground == Ground::plane ? -x.row(1).minCoeff() : -x.row(0).cwiseMax(x.row(1)).minCoeff();
    worst.overlap.take(deepest / (w.settings.h * speed), d.seed);
  }
  const Figures& f = w.figures;
  worst.identity.take(f.identity / fall, d.seed);
  worst.residual.take(f.residual / fall, d.seed);
  worst.over.take(f.over_account / fall, d.seed);
  worst.empty_purse.take(-f.least_purse / fall, d.seed);
  worst.passes_of_one.take(f.most_passes, d.seed);
  worst.passes += static_cast<double>(f.flexible_passes);
  worst.steps += static_cast<double>(f.flexible_steps);
  worst.scaled += f.scaled;
  worst.second += f.second_solves;
  ++worst.runs;
  worst.stopped += !ran;
}

/// `stops`: how many may.
void check(const Worsts& w, int stops) {
  CAPTURE(w.runs, w.scaled, w.second);
  CHECK(w.stopped <= stops);
  CHECK(w.gain < 5e-13);                        // 3e-13; the design asks for 1e-9
  CHECK(w.overlap < 1);                         // 0.26, in 576 runs 0.53; the design asks for h v
  CHECK(w.identity < 1.2e-12);                  // 4e-13
  CHECK(w.residual < 1e-11);                    // 5e-12 over a run; the design has 1.3e-11
  CHECK(w.over < 1e-14);                        // 0
  CHECK(w.empty_purse < 1e-14);                 // 0
  if (stops == 0) CHECK(w.passes_of_one < 40);  // 17
  CHECK(w.passes / w.steps < 9);                // 5.4
}

const double kStiffness[] = {1e2, 1e3, 1e4, 1e5, 1e6, 1e8};

}  // namespace

TEST_CASE("Trusses fall on a plane and an edge and gain nothing", "[reference]") {
  std::uint64_t seed = 0;
  Worsts worst;
  for (const Ground ground : {Ground::plane, Ground::edge})
    for (const double stiffness : kStiffness) {
      ++seed;
      drop({ground, stiffness, 0.0, 0, 2, seed}, {}, worst);
      drop({ground, stiffness, 0.5, 6, 1, seed + 100}, {}, worst);
      drop({ground, stiffness, 0.9, 0, 1, seed + 200}, {}, worst);
    }
  check(worst, 0);
}

TEST_CASE("576 trusses fall", "[.long]") {
  std::uint64_t seed = 1000;
  for (const Ground ground : {Ground::plane, Ground::edge})
    for (const double stiffness : kStiffness) {
      Worsts worst;
      for (const double e : {0.0, 0.5, 0.9})
        for (const int n : {1, 2, 4, 8})
          for (const double spin : {0.0, 6.0})
            for (const double ratio : {0.0, 1e-3}) drop({ground, stiffness, e, spin, n, ++seed, ratio}, {}, worst);
      CAPTURE(ground == Ground::plane, stiffness);
      // One of the 96 softest is turned inside out at 9 rad/s and stops: see the page.
      check(worst, stiffness < 500 ? 1 : 0);
    }
}

}  // namespace reference_drop_test
