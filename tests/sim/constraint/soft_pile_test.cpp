// Piles of soft bodies drawn at random: their islands have more rows than are solved to the end in a sub-step (island.cpp), and energy
// must not come from that, nor anybody leave the pen or sink.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/sim/constraint/cone.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace soft_pile_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kPen = 0.62;  // m, from its middle to its walls
constexpr std::uint64_t kFirstSeed = 31100;

struct Pile {
  World world;
  std::vector<Id> bodies;
};

/// Layers of four: soft balls and now and then a box, in a pen that is open above.
Pile random_pile(std::uint64_t seed, int layers) {
  reference::Dice dice(seed);
  Pile pile;
  const int substeps[] = {1, 2, 4};
  pile.world.scene.settings.substeps = substeps[static_cast<int>(dice.uniform(0, 3))];
  pile.world.floor(0.5, dice.uniform(0, 0.8));
  for (int k = 0; k < 4; ++k) {
    const double side = k % 2 ? 1 : -1;
    const bool along = k < 2;
    Object wall = World::box(along ? Vec3(0.4, 8, 2) : Vec3(2, 8, 0.4),
                             (along ? Vec3::UnitX() : Vec3::UnitZ()) * side * (kPen + 0.2) + Vec3(0, 4, 0));
    wall.body.kind = BodyKind::fixed;
    pile.world.add(wall);
  }
  const double stiffness = std::pow(10, dice.uniform(2, 5));
  for (int k = 0; k < 4 * layers; ++k) {
    const Vec3 at(k % 2 ? 0.29 : -0.29, 0.4 + 0.6 * (k / 4), k / 2 % 2 ? 0.29 : -0.29);
    const double mass = std::pow(10, dice.uniform(-0.5, 0.5));
    Object o = dice.uniform() < 0.2 ? World::box(Vec3(0.3, 0.25, 0.35), at, mass)
                                    : World::jelly(0.25, at, stiffness * dice.uniform(0.5, 2), mass);
    o.transform.position += 0.02 * dice.vector();
    o.transform.rotation = Quat(dice.attitude()).normalized();
    o.body.velocity = dice.vector();
    o.material.substance.friction = dice.uniform(0, 1);
    o.material.substance.restitution = dice.uniform(0, 1);
    if (o.body.kind == BodyKind::flexible && dice.uniform() < 0.5) o.body.damping = 0.02 * std::sqrt(stiffness * mass);
    pile.bodies.push_back(pile.world.add(o));
  }
  return pile;
}

/// Whether there was an island with more rows than are solved to the end.
bool watch(std::uint64_t seed, int layers, double seconds) {
  const Pile pile = random_pile(seed, layers);
  Run run(pile.world);
  INFO("seed " << seed << ", " << pile.world.scene.settings.substeps << " sub-steps");
  const double start = run.energy();
  double gifts = 0, highest = start;
  bool large = false;
  const int steps = static_cast<int>(seconds / run.model->step + 0.5);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = run.step();
    REQUIRE(report.ok);
    if (k == 0)
      for (const PairMemory& pair : run.state.pairs) gifts += pair.given;
    highest = std::max(highest, run.energy());
    const ContactFigures& f = report.figures;
    large = large || f.rows > f.islands * static_cast<int>(kDirectRows);
    for (const Id id : pile.bodies) {
      const Vec3 c = run.at(id).centre;
      REQUIRE(c.y() > 0);
      REQUIRE(std::max(std::abs(c.x()), std::abs(c.z())) < kPen);
    }
  }
  CHECK(highest < start + gifts + 1e-6 * start);
  return large;
}

}  // namespace

TEST_CASE("Piles of soft bodies drawn at random gain no energy, and nobody leaves", "[constraint][pile][slow]") {
  int large = 0;
  const int seeds = rounds(8, 1);
  for (int k = 0; k < seeds; ++k) large += watch(kFirstSeed + static_cast<std::uint64_t>(k), 3, sanitized() ? 0.3 : 1);
  if (!sanitized()) CHECK(large > seeds / 2);
}

// HAZUMI_SEED: the first; HAZUMI_COUNT: how many.
TEST_CASE("200 random piles of soft bodies", "[.long]") {
  const char *first = std::getenv("HAZUMI_SEED"), *count = std::getenv("HAZUMI_COUNT");
  const std::uint64_t seed = first ? std::strtoull(first, nullptr, 10) : kFirstSeed + 1000;
  for (int k = 0; k < (count ? std::atoi(count) : 200); ++k) watch(seed + static_cast<std::uint64_t>(k), 3, 1.5);
}

TEST_CASE("A pile of soft bodies has the same bits on two threads", "[constraint][pile][threads]") {
  const Pile pile = random_pile(kFirstSeed + 3, 2);
  Run one(pile.world, 1), two(pile.world, 2);
  const int steps = static_cast<int>((sanitized() ? 0.25 : 0.6) / one.model->step);
  one.steps(steps);
  two.steps(steps);
  for (std::size_t i = 0; i < one.state.bodies.size(); ++i)
    CHECK(one.state.bodies[i].values == two.state.bodies[i].values);
}

}  // namespace soft_pile_test
