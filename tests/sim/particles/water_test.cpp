// Particles in water: Archimedes, terminal speeds, added mass; light and small ones at any length of the sub-step.
#include <catch2/catch.hpp>

#include <cmath>

#include "core/sim/fields/immersed.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/particle_world.h"

namespace particle_water_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kG = 9.80665, kWater = 1000;

double ball_volume(double size) { return kPi / 6 * size * size * size; }

/// One particle at rest at that height.
void drop(ParticleSource& s, double height, double size, double mass) {
  s.rate = 0;
  s.burst = 1;
  s.speed = 0;
  s.life = 1e3;
  s.position = Vec3(0, height, 0);
  s.size = size;
  s.mass = mass;
  s.air = 0;
}

struct WaterWorld : ParticleWorld {
  explicit WaterWorld(double linear) {
    water = field(FieldKind::water, [&](ForceField& f) {
      f.linear = linear;
      f.water_density = kWater;
    });
  }
  Id water;
};

/// Depth of the centre at which a ball of that part of the water's density floats: 3 x² − 2 x³ = part, x the depth of the cap by the size.
double floating_depth(double size, double part) {
  double low = 0, high = 1;
  for (int k = 0; k < 100; ++k) {
    const double x = 0.5 * (low + high);
    (x * x * (3 - 2 * x) < part ? low : high) = x;
  }
  return (low - 0.5) * size;
}

}  // namespace

TEST_CASE("What is heavier than water sinks and what is lighter rises at the terminal speed, to 0.1 %",
          "[particles][water]") {
  for (const double part : {3.0, 1.2, 0.8, 0.05}) {
    INFO("density " << part << " of water");
    const double size = 0.02, volume = ball_volume(size), mass = part * kWater * volume;
    {
      WaterWorld world(4);
      const Id id = world.source([&](ParticleSource& s) { drop(s, -8000, size, mass); });
      Run run(world);
      run.seconds(part < 0.1 ? 90 : 12);  // the water that it takes along is ten times as heavy as what is 0.05
      CHECK(particles_of(run, id).v[0] == Approx(-(1 - 1 / part) * kG / 4).epsilon(1e-3));
    }
    WaterWorld world(0);
    const Id id = world.source([&](ParticleSource& s) {
      drop(s, -500, size, mass);
      s.air = 0.47;
    });
    Run run(world);
    run.seconds(10);
    const double area = kPi / 4 * size * size,
                 speed = std::sqrt(2 * std::abs(kWater * volume - mass) * kG / (kWater * 0.47 * area));
    CHECK(particles_of(run, id).v[0] == Approx(part > 1 ? -speed : speed).epsilon(1e-3));
  }
}

TEST_CASE("A bubble starts with the water that it takes along", "[particles][water]") {
  const double size = 0.01, volume = ball_volume(size), mass = 1e-9;
  WaterWorld world(0);
  const Id id = world.source([&](ParticleSource& s) { drop(s, -5, size, mass); });
  Run run(world);
  run.seconds(0.5);
  const double rise = (kWater * volume - mass) / (mass + 0.5 * kWater * volume) * kG;  // 2 g
  CHECK(rise == Approx(2 * kG).epsilon(1e-5));
  CHECK(particles_of(run, id).v[0] == Approx(0.5 * rise).epsilon(1e-9));
  CHECK(particles_of(run, id).y[0] == Approx(-5 + 0.125 * rise).epsilon(1e-9));
}

TEST_CASE("What is as heavy as water stays where it is, and without gravity nothing rises", "[particles][water]") {
  const double size = 0.05, mass = kWater * ball_volume(size);
  WaterWorld world(1);
  const Id even = world.source([&](ParticleSource& s) { drop(s, -1, size, mass); });
  const Id weightless = world.source([&](ParticleSource& s) {  // it falls up with the water that it is in place of
    drop(s, -50, size, mass);
    s.gravity = 0;
  });
  Run run(world);
  run.seconds(2);
  CHECK(particles_of(run, even).y[0] == Approx(-1).margin(1e-12));
  CHECK(particles_of(run, weightless).v[0] > 1);
  world.scene.settings.gravity.setZero();
  Run space(world);
  space.seconds(1);
  CHECK(particles_of(space, weightless).y[0] == Approx(-50).margin(1e-12));
}

namespace {

constexpr std::uint64_t kSeed = 281127;

void check_floating(std::uint64_t seed) {
  reference::Dice dice(seed);
  WaterWorld world(10);
  struct Ball {
    Id id;
    double size, part;
  };
  std::vector<Ball> balls;
  for (int k = 0; k < 200; ++k) {
    const double size = std::pow(10, dice.uniform(-3, -0.5)), part = dice.uniform(0.1, 0.97);
    balls.push_back({world.source([&](ParticleSource& s) {
                       drop(s, dice.uniform(-0.2, 0.2), size, part * kWater * ball_volume(size));
                       s.air = 0.5;
                     }),
                     size, part});
  }
  world.scene.settings.substeps = 1;  // of 1/60 s
  Run run(world);
  run.seconds(30);
  double worst = 0;
  for (const Ball& ball : balls) {
    INFO("seed " << seed << ", size " << ball.size << ", density " << ball.part << " of water");
    const double depth = -particles_of(run, ball.id).y[0];
    worst = std::max(worst, std::abs(depth - floating_depth(ball.size, ball.part)) / ball.size);
    CHECK(immersed_part_of_ball(0.5 * ball.size, depth) == Approx(ball.part).epsilon(0.01));
    CHECK(depth == Approx(floating_depth(ball.size, ball.part)).margin(0.01 * ball.size));
    CHECK(std::abs(particles_of(run, ball.id).v[0]) < 1e-3);
  }
  CHECK(worst < 0.01);
}

}  // namespace

TEST_CASE("200 random balls float as deep as Archimedes says, to 1 %", "[particles][water]") { check_floating(kSeed); }

TEST_CASE("4,000 random balls that float", "[.long]") {
  for (std::uint64_t k = 1; k <= 20; ++k) check_floating(kSeed + k);
}

TEST_CASE("A ball without drag swings for ever in the water, and none is too small or too light for the sub-step",
          "[particles][water]") {
  for (const int rate : {24, 240})
    for (const double size : {1e-4, 1e-3, 0.01, 0.1})
      for (const double part : {1e-3, 0.01, 0.5}) {
        INFO("size " << size << ", density " << part << " of water, " << rate << " sub-steps a second");
        WaterWorld world(0);
        world.scene.settings.frame_rate = rate;
        world.scene.settings.substeps = 1;
        // From 0.2 m above the water: it has to come back as high.
        const Id id = world.source([&](ParticleSource& s) { drop(s, 0.2, size, part * kWater * ball_volume(size)); });
        Run run(world);
        double early = 0, late = 0;
        for (int k = 0; k < 60 * rate; ++k) {
          run.step();
          const ParticleMemory& p = particles_of(run, id);
          if (p.y[0] < size) continue;  // in the air: its energy is known
          const double energy = 0.5 * p.v[0] * p.v[0] + kG * p.y[0];
          (k < 10 * rate ? early : late) = std::max(k < 10 * rate ? early : late, energy);
        }
        CHECK(early < 1.02 * kG * 0.2);
        CHECK(late < 1.02 * kG * 0.2);
        CHECK(late > 0.9 * kG * 0.2);
      }
}

TEST_CASE("Water of which part counts lifts that part, and two waters lift as one of both", "[particles][water]") {
  const double size = 0.04, mass = 3 * kWater * ball_volume(size);
  const auto fall = [&](double density, bool twice) {
    ParticleWorld world;
    for (int k = 0; k < (twice ? 2 : 1); ++k)
      world.field(FieldKind::water, [&](ForceField& f) {
        f.linear = 0;
        f.water_density = density;
      });
    const Id id = world.source([&](ParticleSource& s) { drop(s, -5, size, mass); });
    Run run(world);
    run.seconds(0.5);
    return particles_of(run, id).y[0];
  };
  CHECK(fall(1000, false) == Approx(fall(500, true)).epsilon(1e-12));
  CHECK(fall(1000, false) > fall(500, false));
}

TEST_CASE("A particle floats where a ball that is a body does", "[particles][water]") {
  const double size = 0.1, mass = 0.3 * kWater * ball_volume(size);
  WaterWorld world(3);
  Object ball = World::sphere(0.5 * size, Vec3(1, 0.1, 0), mass);
  ball.display.primitive.divisions = {64, 48, 1};
  const Id body = world.add(ball);
  const Id id = world.source([&](ParticleSource& s) { drop(s, 0.1, size, mass); });
  Run run(world);
  run.seconds(20);
  CHECK(particles_of(run, id).y[0] == Approx(run.at(body).centre.y()).margin(0.01 * size));
}

}  // namespace particle_water_test
