// Hard bodies drawn at random that are poured fast into a pen: with half of their size and more in a sub-step, islands of hundreds of
// rows, loads of an impact that are gone in the next sub-step. Nobody goes through a wall or stays in the air, nothing gains energy.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tests/sim/reference/dense.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace pour_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kPen = 0.5;  // m, from its middle to its walls
constexpr double kAcross = 0.2;
constexpr std::uint64_t kFirstSeed = 51100;

struct Pour {
  World world;
  std::vector<Id> bodies;
  double fall = 0;  ///< s, until the highest has come down
};

Object drawn(reference::Dice& dice, const Vec3& at) {
  const PrimitiveShape shapes[] = {PrimitiveShape::sphere,  PrimitiveShape::box,      PrimitiveShape::rounded_box,
                                   PrimitiveShape::capsule, PrimitiveShape::cylinder, PrimitiveShape::superellipsoid};
  Primitive primitive;
  primitive.shape = shapes[static_cast<int>(dice.uniform(0, 5.99))];
  primitive.size = dice.uniform(0.09, 0.15) * Vec3(dice.uniform(0.6, 1), dice.uniform(0.6, 1), dice.uniform(0.6, 1));
  if (primitive.shape == PrimitiveShape::sphere) primitive.size = Vec3::Constant(primitive.size.x());
  primitive.divisions = {12, 6, 1};
  if (primitive.shape == PrimitiveShape::box) primitive.divisions = {1, 1, 1};
  Object o = World::hard("", primitive, at, primitive.size.prod() * std::pow(10, dice.uniform(2, 3.5)));
  o.transform.position += 0.02 * dice.vector();
  o.transform.rotation = Quat(dice.attitude()).normalized();
  o.material.substance.friction = dice.uniform(0, 1);
  o.material.substance.restitution = dice.uniform(0, 0.7);
  return o;
}

Pour random_pour(std::uint64_t seed, int layers, int substeps) {
  reference::Dice dice(seed);
  Pour pour;
  pour.world.scene.settings.substeps = substeps;
  pour.world.floor(0.5, dice.uniform(0, 0.7));
  for (int k = 0; k < 4; ++k) {
    const double side = k % 2 ? 1 : -1;
    Object wall = World::box(k < 2 ? Vec3(0.1, 8, 1.3) : Vec3(1.3, 8, 0.1),
                             (k < 2 ? Vec3::UnitX() : Vec3::UnitZ()) * side * (kPen + 0.05) + Vec3(0, 4, 0));
    wall.body.kind = BodyKind::fixed;
    pour.world.add(wall);
  }
  const double down = dice.uniform(0, 8), first = dice.uniform(0.2, 2);
  for (int y = 0; y < layers; ++y)
    for (int x = 0; x < 4; ++x)
      for (int z = 0; z < 4; ++z) {
        Object o = drawn(dice, Vec3(kAcross * (x - 1.5), first + kAcross * y, kAcross * (z - 1.5)));
        o.body.velocity = Vec3(0, -down, 0);
        pour.bodies.push_back(pour.world.add(o));
      }
  const double highest = first + kAcross * layers;
  pour.fall = (std::sqrt(down * down + 2 * 9.80665 * highest) - down) / 9.80665;
  return pour;
}

/// Rows of the largest sub-step.
int watch(std::uint64_t seed, int layers, int substeps) {
  const Pour pour = random_pour(seed, layers, substeps);
  Run run(pour.world);
  const double start = run.energy(), mass = [&] {
    double sum = 0;
    for (const Id id : pour.bodies) sum += run.at(id).mass;
    return sum;
  }();
  const int steps = static_cast<int>((pour.fall + 0.8) / run.model->step);
  int rows = 0;
  double most = start;
  for (int k = 0; k < steps; ++k) {
    std::vector<Vec3> before;
    for (const Id id : pour.bodies) before.push_back(run.at(id).centre);
    const StepReport report = run.step();
    INFO("seed " << seed << ", sub-step " << k << " of " << steps << ", " << report.figures.rows << " rows");
    REQUIRE(report.ok);
    rows = std::max(rows, report.figures.rows);
    most = std::max(most, run.energy());
    int fast = 0, still = 0;
    for (std::size_t b = 0; b < before.size(); ++b) {
      const Observables now = run.at(pour.bodies[b]);
      const bool moves = now.momentum.norm() > 0.5 * now.mass;
      fast += moves;
      still += moves && now.centre == before[b];
    }
    CHECK(still <= 2 + fast / 10);  // one that is held loses its speed; all of them at once hang in the air
  }
  INFO("seed " << seed);
  CHECK(most <= start + 1e-9 * std::abs(start));
  double kinetic = 0, out = -1;
  const auto touches = [&](Id id) {
    return std::any_of(run.touching.begin(), run.touching.end(),
                       [&](const auto& pair) { return pair.first == id || pair.second == id; });
  };
  for (const Id id : pour.bodies) {
    const Observables o = run.at(id);
    if (touches(id)) kinetic += o.kinetic_energy;  // one that has bounced may still fly
    out = std::max({out, std::abs(o.centre.x()) - kPen, std::abs(o.centre.z()) - kPen, -o.centre.y()});
  }
  CHECK(out < 0);
  CHECK(kinetic < 0.5 * mass);  // 1 m/s
  return rows;
}

}  // namespace

TEST_CASE("What is poured fast comes to lie in the pen, and gains nothing", "[constraint][pile][slow]") {
  int large = 0;
  const int seeds = rounds(2, 1);
  for (int k = 0; k < seeds; ++k)
    large += watch(kFirstSeed + static_cast<std::uint64_t>(k), sanitized() ? 2 : 4, 2 + 2 * (k % 2)) >
             (sanitized() ? 40 : 150);
  CHECK(large > 0);
}

// Bodies of 12 cm go 23 cm in each sub-step, and light ones between heavy ones are turned by radians.
TEST_CASE("What is poured at one sub-step a frame goes through nothing", "[constraint][pile][slow]") {
  for (int k = 0; k < rounds(3, 1); ++k)
    watch(kFirstSeed + 1000 + static_cast<std::uint64_t>(3 * k), sanitized() ? 2 : 4, 1);
}

// Two clouds that meet where nothing else is: each body's arms are kept while its load turns it, and what that would change of the angular
// momentum is given back.
TEST_CASE("Clouds that meet keep their momenta", "[constraint][pile]") {
  int turns = 0;
  const int seeds = rounds(3, 1);
  for (int k = 0; k < seeds; ++k) {
    const std::uint64_t seed = kFirstSeed + 2000 + static_cast<std::uint64_t>(k);
    reference::Dice dice(seed);
    World world;
    world.scene.settings.gravity.setZero();
    world.scene.settings.substeps = 1;
    std::vector<Id> bodies;
    for (int i = 0; i < 24; ++i) {
      const double side = i < 12 ? -1 : 1;
      Object o = drawn(dice, kAcross * Vec3(i % 2, i / 2 % 3 - 1, i / 6 % 2) + side * Vec3(0.3, 0, 0));
      o.body.velocity = side * Vec3(-8, 0, 0);
      bodies.push_back(world.add(o));
    }
    Run run(world);
    const auto sums = [&] {
      std::pair<Vec3, Vec3> sum(Vec3::Zero(), Vec3::Zero());
      for (const Id id : bodies) {
        const Observables o = run.at(id);
        sum.first += o.momentum;
        sum.second += o.angular_momentum + o.centre.cross(o.momentum);
      }
      return sum;
    };
    const auto [momentum, turning] = sums();
    const double start = run.energy();
    for (int step = 0; step < 8; ++step) {
      const StepReport report = run.step();
      INFO("seed " << seed << ", sub-step " << step);
      REQUIRE(report.ok);
      turns += report.figures.turns;
      const auto [now, turned] = sums();
      CHECK((now - momentum).norm() < 1e-9 * start);
      CHECK((turned - turning).norm() < 1e-9 * start);
      CHECK(report.figures.turns_refused == 0);
      CHECK(run.energy() <= start * (1 + 1e-9));
    }
  }
  CHECK(turns > 0);
}

// HAZUMI_SEED: the first; HAZUMI_COUNT: how many.
TEST_CASE("200 random pours", "[.long]") {
  const char *first = std::getenv("HAZUMI_SEED"), *count = std::getenv("HAZUMI_COUNT");
  const std::uint64_t seed = first ? std::strtoull(first, nullptr, 10) : kFirstSeed + 1000;
  for (int k = 0; k < (count ? std::atoi(count) : 200); ++k)
    watch(seed + static_cast<std::uint64_t>(k), 4 + k % 6, 1 << k % 3);
}

}  // namespace pour_test
