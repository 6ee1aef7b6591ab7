// Speed and drag over the life of particles: against closed forms at any length of the sub-step, and nothing where there are no keys.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "core/scene/derived/life_curve.h"
#include "core/scene/derived/particle_shade.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/particle_world.h"
#include "tests/support/sanitized.h"

namespace particle_life_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// One particle, at the start.
void give_one(ParticleSource& s) {
  s.rate = 0;
  s.burst = 1;
}

constexpr double kG = 9.80665;

template <class Key>
std::vector<Key> random_keys(reference::Dice& dice, double most) {
  std::vector<Key> keys;
  for (double age = dice.uniform(0, 0.5); age <= 1; age += dice.uniform(0.01, 0.5))
    keys.push_back({age, dice.uniform() < 0.2 ? 0 : dice.uniform(0, most)});
  return keys;
}

/// ∫ f from a to b, of what is smooth between the ages of keys, by Simpson's rule.
template <class Key, class Function>
double integral(const std::vector<Key>& keys, double a, double b, const Function& f) {
  std::vector<double> ends = {a};
  for (const Key& key : keys)
    if (key.age > a && key.age < b) ends.push_back(key.age);
  ends.push_back(b);
  constexpr int kParts = 400;
  double sum = 0;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const double from = ends[k], h = (ends[k + 1] - from) / kParts;
    for (int i = 0; i < kParts; ++i)
      sum += h / 6 * (f(from + i * h) + 4 * f(from + (i + 0.5) * h) + f(from + (i + 1) * h));
  }
  return sum;
}

/// A few that are born at any moments, in a world whose sub-steps are drawn.
struct Flock : ParticleWorld {
  Flock(reference::Dice& dice, double gravity, const std::function<void(ParticleSource&)>& change)
      : ParticleWorld(gravity) {
    scene.settings.frame_rate = 24;
    scene.settings.substeps = static_cast<int>(dice.uniform(1, 9.99));
    id = source([&](ParticleSource& s) {
      s.rate = dice.uniform(5, 20);
      s.speed = dice.uniform(1, 10);
      s.cone = 1;
      s.life = 2;
      change(s);
    });
  }
  const ParticleSource& now() const { return *find_source(scene, id); }
  Id id;
};

}  // namespace

TEST_CASE("Means of a curve over the life are its integrals", "[particles]") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    reference::Dice dice(seed);
    ParticleSource s;
    s.speed_keys = random_keys<LifeSpeed>(dice, 3);
    if (s.speed_keys.empty()) s.speed_keys = {{0.5, 2}};
    std::vector<LifeKnot> knots;
    for (const LifeSpeed& key : s.speed_keys) knots.push_back({key.age, key.speed});
    const LifeCurve curve(knots);
    CHECK_FALSE(curve.none());
    for (int k = 0; k < 10; ++k) {
      const double a = dice.uniform(-0.1, 1), b = a + (k < 5 ? dice.uniform(0, 0.6) : dice.uniform(0, 0.01));
      CHECK(curve.at(a) == speed_over_life(s, a));
      const double whole = integral(s.speed_keys, a, b, [&](double x) { return speed_over_life(s, x); });
      const double late = integral(s.speed_keys, a, b, [&](double x) { return (x - a) * speed_over_life(s, x); });
      const LifeCurve::Means means = curve.means(a, b);
      CHECK(means.whole * (b - a) == Approx(whole).epsilon(1e-11).margin(1e-13));
      CHECK(means.late * (b - a) * (b - a) == Approx(late).epsilon(1e-10).margin(1e-13));
    }
    CHECK(curve.means(0.3, 0.3).whole == curve.at(0.3));
    CHECK(curve.means(0.3, 0.3).late == 0.5 * curve.at(0.3));
  }
  CHECK(LifeCurve().none());
}

TEST_CASE("With speed over their life particles go where the integral of it says, at any length of the sub-step",
          "[particles]") {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(rounds(100, 20)); ++seed) {
    INFO("seed " << seed);
    reference::Dice dice(seed);
    const Flock world(dice, kG, [&](ParticleSource& s) { s.speed_keys = random_keys<LifeSpeed>(dice, 3); });
    const ParticleSource& s = world.now();
    Run run(world);
    run.seconds(1.5);
    const ParticleMemory& p = particles_of(run, world.id);
    REQUIRE(p.size() > 5);
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double t = 1.5 - p.birth[i];
      const Vec3 u0 = velocity(p, i) + Vec3(0, kG * t, 0);
      CHECK(u0.norm() == Approx(s.speed).epsilon(1e-12));
      const auto c = [&](double age) { return speed_over_life(s, age); };
      const double whole = 2 * integral(s.speed_keys, 0, t / 2, c);
      const double late = 4 * integral(s.speed_keys, 0, t / 2, [&](double age) { return age * c(age); });
      CHECK((place(p, i) - (whole * u0 - late * Vec3(0, kG, 0))).norm() < 1e-9);
    }
    for (const double age : {0.0, 0.3, 0.71, 1.0})
      CHECK(run.model->particles->pace(0, age) == (s.speed_keys.empty() ? 1 : speed_over_life(s, age)));
  }
}

TEST_CASE("With drag over their life particles lose what the integral of it says, at any length of the sub-step",
          "[particles]") {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(rounds(100, 20)); ++seed) {
    INFO("seed " << seed);
    reference::Dice dice(seed);
    const Flock world(dice, 0, [&](ParticleSource& s) {
      s.linear = dice.uniform(0.1, 3);
      s.drag_keys = random_keys<LifeDrag>(dice, 4);
    });
    const ParticleSource& s = world.now();
    Run run(world);
    run.seconds(1.5);
    const ParticleMemory& p = particles_of(run, world.id);
    REQUIRE(p.size() > 5);
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double t = 1.5 - p.birth[i];
      const double drag = 2 * integral(s.drag_keys, 0, t / 2, [&](double age) { return drag_over_life(s, age); });
      CHECK(velocity(p, i).norm() == Approx(s.speed * std::exp(-s.linear * drag)).epsilon(1e-9));
    }
  }
}

TEST_CASE("Keys of 1 over the life change nothing, whatever particles feel and meet", "[particles]") {
  const auto ran = [](bool keys, bool collide) {
    ParticleWorld world;
    world.floor();
    world.field(FieldKind::wind, [](ForceField& f) { f.gust = 2; });
    world.field(FieldKind::water, [](ForceField& f) { f.position = Vec3(0, 0.3, 0); });
    world.add(World::box(Vec3(1, 0.4, 1), Vec3(0, 1, 0), 1));
    const Id id = world.source([&](ParticleSource& s) {
      s.position = Vec3(0, 2, 0);
      s.cone = 2;
      s.quadratic = 0.2;
      s.collides = collide;
      if (!keys) return;
      s.speed_keys = {{0.2, 1}, {0.6, 1}};
      s.drag_keys = {{0.5, 1}};
    });
    Run run(world);
    run.seconds(1.5);
    return particles_of(run, id);
  };
  for (const bool collide : {false, true}) {
    const ParticleMemory with = ran(true, collide), without = ran(false, collide);
    REQUIRE(with.size() > 100);
    double worst = 0;
    for (std::size_t i = 0; i < with.size(); ++i)
      worst = std::max(worst,
                       (place(with, i) - place(without, i)).norm() + (velocity(with, i) - velocity(without, i)).norm());
    CHECK(worst < 1e-9);  // rounding of the means
  }
}

TEST_CASE("A particle whose speed goes to 0 stands, on what moves too, and goes on with what it has been given",
          "[particles]") {
  ParticleWorld world;
  const Id id = world.source([](ParticleSource& s) {
    give_one(s);
    s.speed = 5;
    s.life = 2;
    s.life_spread = 0;
    s.speed_keys = {{0.1, 1}, {0.2, 0}, {0.5, 0}, {0.6, 1}};
  });
  Run run(world);
  run.seconds(0.4);
  const Vec3 stood = place(particles_of(run, id), 0);
  run.seconds(0.3);
  CHECK(place(particles_of(run, id), 0) == stood);
  CHECK(particles_of(run, id).v[0] == Approx(5 - kG * 0.7));
  run.seconds(0.5);
  CHECK(particles_of(run, id).y[0] < stood.y() - 0.2);
  // A plate that rises takes it along, and does not throw it.
  ParticleWorld lift;
  Object plate = World::box(Vec3(2, 0.1, 2), Vec3(0, -0.1, 0), 1);
  plate.body.kind = BodyKind::rigid;
  plate.body.gravity = false;
  plate.body.velocity = Vec3(0, 1, 0);
  lift.add(plate);
  const Id carried = lift.source([](ParticleSource& s) {
    give_one(s);
    s.speed = 0;
    s.life = 10;
    s.position = Vec3(0, 0.1, 0);
    s.collides = true;
    s.bounce = 0;
    s.size = 0.02;
    s.speed_keys = {{0.1, 0}};
  });
  Run up(lift);
  up.seconds(1);
  const ParticleMemory& p = particles_of(up, carried);
  CHECK(p.y[0] == Approx(1 - 0.05 + 0.01).margin(0.006));  // on the plate, or a sub-step's way in front of it
  CHECK(std::abs(p.v[0]) < 1.1);
}

TEST_CASE("At half the speed a bounce goes back by the square of its part, and water swings as high", "[particles]") {
  ParticleWorld world;
  world.floor();
  const Id id = world.source([](ParticleSource& s) {
    give_one(s);
    s.speed = 0;
    s.life = 100;
    s.position = Vec3(0, 1.01, 0);
    s.collides = true;
    s.bounce = 0.6;
    s.size = 0.02;
    s.speed_keys = {{0, 0.5}};
  });
  Run run(world);
  const double fall = std::sqrt(2 / (0.5 * kG));  // x'' = c g
  double high = 0;
  run.seconds(1.1 * fall);
  for (double t = 1.1 * fall; t < 2.2 * fall; t += run.model->step) {
    run.step();
    high = std::max(high, particles_of(run, id).y[0] - 0.01);
  }
  CHECK(high == Approx(0.36).epsilon(0.01));

  for (const double speed : {0.25, 3.0}) {
    ParticleWorld pond;
    pond.field(FieldKind::water, [](ForceField& f) { f.linear = 0; });
    const Id ball = pond.source([&](ParticleSource& s) {
      give_one(s);
      s.speed = 0;
      s.life = 1e3;
      s.size = 0.01;
      s.mass = 0.3 * 1000 * kPi / 6 * 1e-6;
      s.air = 0;
      s.position = Vec3(0, 0.5, 0);
      s.speed_keys = {{0, speed}};
    });
    Run bob(pond);
    double most = -1;
    for (int k = 0; k < 60 * bob.model->clock.begin(60); ++k) {
      bob.step();
      if (k > 30 * bob.model->clock.begin(60)) most = std::max(most, particles_of(bob, ball).y[0]);
    }
    INFO("speed " << speed);
    CHECK(most > 0.45);
    CHECK(most < 0.51);
  }
}

}  // namespace particle_life_test
