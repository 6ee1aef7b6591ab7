// Copies of random bodies that random sources give into random rooms. No run stops, none passes a wall, energy never grows by more than what is
// booked, and a run is the same on two threads and continued from a saved state. A scene that fails is told by its seed.
#include <catch2/catch.hpp>

#include <cstdlib>

#include "core/math/rotation.h"
#include "tests/sim/particles/copy_world.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/sanitized.h"

namespace random_copies_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kRoom = 1;  // m, from the middle to a wall
constexpr std::uint64_t kFirstSeed = 281126;

Object random_object(reference::Dice& dice) {
  const PrimitiveShape shapes[] = {PrimitiveShape::sphere, PrimitiveShape::box, PrimitiveShape::capsule,
                                   PrimitiveShape::cylinder};
  Primitive primitive;
  primitive.shape = shapes[static_cast<int>(dice.uniform(0, 3.99))];
  primitive.size = dice.uniform(0.12, 0.3) * Vec3(dice.uniform(0.5, 1), dice.uniform(0.5, 1), dice.uniform(0.5, 1));
  if (primitive.shape == PrimitiveShape::sphere) primitive.size = Vec3::Constant(primitive.size.x());
  primitive.divisions = {10, 6, 1};
  if (primitive.shape == PrimitiveShape::box) primitive.divisions = {1, 1, 1};
  Object o =
      World::hard("poured", primitive, Vec3(0, 0.8, 0), primitive.size.prod() * std::pow(10, dice.uniform(2, 4)));
  o.material.substance.friction = dice.uniform();
  o.material.substance.restitution = dice.uniform() < 0.1 ? 1 : dice.uniform(0, 0.8);
  return o;
}

void add_room(CopyWorld& world, reference::Dice& dice) {
  world.floor(dice.uniform(), dice.uniform(0, 0.8));
  for (const Vec3& out : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)}) {
    Object wall =
        make_object(0, "wall", {PrimitiveShape::plane, Vec3(20, 1, 20), {1, 1, 1}}, kRoom * out, BodyKind::fixed);
    wall.transform.rotation = turn_onto(Vec3::UnitY(), -out);
    world.add(wall);
  }
  const double more = dice.uniform();
  if (more < 0.3) world.add(World::box(Vec3(0.5, 0.3, 0.4), Vec3(0.2, 0.2, 0), dice.uniform(0.5, 20)));
  if (more > 0.8) world.add(World::jelly(0.25, Vec3(-0.3, 0.3, 0.2), std::pow(10, dice.uniform(2, 4)), 2));
}

void add_source(CopyWorld& world, reference::Dice& dice, Id carrier) {
  world.pattern = world.add(random_object(dice));
  world.pour([&](ParticleSource& s) {
    const SourceShape shapes[] = {SourceShape::ball, SourceShape::disc, SourceShape::ring};
    s.shape = shapes[static_cast<int>(dice.uniform(0, 2.99))];
    s.radius = dice.uniform() < 0.2 ? 0 : dice.uniform(0.05, 0.4);
    s.position = Vec3(dice.uniform(-0.3, 0.3), dice.uniform(0.6, 2), dice.uniform(-0.3, 0.3));
    s.rotation = Quat(dice.attitude()).normalized();
    if (carrier && dice.uniform() < 0.3) {
      s.carrier = carrier.value;
      s.position = Vec3(0, 0.6, 0);
    }
    s.cone = dice.uniform(0, 1.5);
    s.rate = dice.uniform() < 0.3 ? 0 : dice.uniform(2, 60);
    s.burst = dice.uniform() < 0.5 ? 0 : static_cast<int>(dice.uniform(1, 9));
    if (dice.uniform() < 0.5) s.burst_period = dice.uniform(0.1, 0.5);
    s.speed = dice.uniform() < 0.1 ? 20 : dice.uniform(0, 5);
    s.speed_spread = dice.uniform(0, 1);
    s.most_copies = static_cast<int>(dice.uniform(2, 14));
    s.stays = dice.uniform() < 0.5;
    s.life = dice.uniform(0.1, 0.6);
    s.life_spread = dice.uniform();
    s.any_turn = dice.uniform() < 0.8;
    s.whirl = dice.uniform(0, 12);
    if (dice.uniform() < 0.4) s.scale_spread = dice.uniform(0.1, 0.6);
  });
}

CopyWorld random_world(std::uint64_t seed) {
  reference::Dice dice(seed);
  CopyWorld world;
  world.scene.objects.clear();
  world.scene.settings.seed = seed;
  world.scene.settings.substeps = dice.uniform() < 0.5 ? 4 : 8;
  add_room(world, dice);
  const Id carrier = world.scene.objects.back()->id;
  const bool moves = body_kind(world.scene.objects.back()->body.kind).moves;
  add_source(world, dice, moves ? carrier : Id{});
  if (dice.uniform() < 0.3) add_source(world, dice, {});
  return world;
}

/// How far the middle of one is outside.
double outside(const CopyRun& run) {
  double most = -1;
  for (const std::uint32_t i : run.there()) {
    const Vec3 c = observe(*run.model, run.state, i).centre;
    most = std::max({most, std::abs(c.x()) - kRoom, std::abs(c.z()) - kRoom, -c.y()});
  }
  return most;
}

struct Tally {
  std::size_t born = 0, gone = 0, waited = 0;
};

void watch(std::uint64_t seed, int steps, Tally& tally) {
  INFO("seed " << seed);
  const CopyWorld world = random_world(seed);
  CopyRun run(world), other(world, 2);
  double energy = run.energy(), scale = 1 + std::abs(energy);
  std::size_t had = 0;
  for (int k = 0; k < steps; ++k) {
    if (k == steps / 2) {
      State restored;
      REQUIRE(restore(save(run.state), restored).ok());
      other.state = restored;
    }
    const StepReport report = run.step();
    REQUIRE(report.ok);
    const double now = run.energy();
    scale = std::max(scale, std::abs(now));
    const ContactFigures& f = report.figures;
    if (f.turns == 0 && f.held == 0)
      CHECK(now - energy <= f.work + f.projected + report.born - report.gone + 1e-9 * scale);
    energy = now;
    const std::size_t has = run.there().size();
    tally.born += has > had ? has - had : 0;
    tally.gone += has < had ? had - has : 0;
    had = has;
    CHECK(outside(run) < 0.02);
    for (const ParticleMemory& p : run.state.particles) tally.waited += p.size();
    if (k >= steps / 2) {
      other.step();
      REQUIRE(hash(other.state) == hash(run.state));
    }
  }
}

void watch_all(std::uint64_t first, int count, int steps) {
  Tally tally;
  for (int k = 0; k < count; ++k) watch(first + static_cast<std::uint64_t>(k), steps, tally);
  INFO(tally.born << " born, " << tally.gone << " gone, " << tally.waited << " waited");
  CHECK(tally.born > static_cast<std::size_t>(2 * count));
  CHECK(tally.gone > 0);
  CHECK(tally.waited > 0);
}

}  // namespace

TEST_CASE("200 random pours of copies", "[particles][copies][slow]") { watch_all(kFirstSeed, rounds(200, 8), 150); }

/// HAZUMI_SEED: the first; HAZUMI_COUNT: how many.
TEST_CASE("3,000 random pours of copies", "[.long]") {
  const char *first = std::getenv("HAZUMI_SEED"), *wanted = std::getenv("HAZUMI_COUNT");
  watch_all(first ? std::strtoull(first, nullptr, 10) : kFirstSeed + 10000, wanted ? std::atoi(wanted) : 3000, 480);
}

}  // namespace random_copies_test
