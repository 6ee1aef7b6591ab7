// Particles are born when and where they should, and fly as closed forms say.
#include <catch2/catch.hpp>

#include <cmath>

#include "core/sim/particles/births.h"
#include "core/sim/particles/flight.h"
#include "tests/support/particle_world.h"

namespace particle_flight_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kG = 9.80665;

}  // namespace

TEST_CASE("Particles fly as thrown bodies do, to 1e-6, from the moment of their birth", "[particles]") {
  ParticleWorld world;
  const Id id = world.source([](ParticleSource& s) {
    s.rate = 137;
    s.speed = 9;
    s.cone = 1;
    s.life = 10;
    s.position = Vec3(1, 2, 3);
  });
  Run run(world);
  run.seconds(1.5);
  const ParticleMemory& p = particles_of(run, id);
  REQUIRE(p.size() == 205);  // 205.5
  double worst = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    CHECK(p.birth[i] == Approx(static_cast<double>(i + 1) / 137).epsilon(1e-12));
    const double t = 1.5 - p.birth[i];
    const Vec3 u0 = velocity(p, i) + Vec3(0, kG * t, 0);
    CHECK(u0.norm() == Approx(9).epsilon(1e-12));
    const Vec3 x = Vec3(1, 2, 3) + t * u0 - Vec3(0, 0.5 * kG * t * t, 0);
    worst = std::max(worst, (place(p, i) - x).norm());
  }
  CHECK(worst < 1e-6);  // 1e-13
}

TEST_CASE("Drag of particles is the closed form, and what falls comes to its terminal speed", "[particles]") {
  SECTION("linear, to 1e-5") {
    ParticleWorld world;
    const Id id = world.source([](ParticleSource& s) {
      s.rate = 0;
      s.burst = 1;
      s.speed = 8;
      s.life = 10;
      s.linear = 0.7;
    });
    Run run(world);
    run.seconds(2);
    const double k = 0.7, end = -kG / k, fade = std::exp(-2 * k);
    CHECK(particles_of(run, id).v[0] == Approx(end + fade * (8 - end)).epsilon(1e-10));
    CHECK(particles_of(run, id).y[0] == Approx(2 * end + (1 - fade) / k * (8 - end)).epsilon(1e-5));  // 4e-6
  }
  SECTION("quadratic without gravity, to 1e-4") {
    ParticleWorld world(0);
    const Id id = world.source([](ParticleSource& s) {
      s.rate = 0;
      s.burst = 1;
      s.speed = 20;
      s.life = 10;
      s.quadratic = 0.3;
    });
    Run run(world);
    run.seconds(2);
    const ParticleMemory& p = particles_of(run, id);
    CHECK(p.v[0] == Approx(20 / (1 + 0.3 * 20 * 2)).epsilon(1e-4));           // 4e-6
    CHECK(p.y[0] == Approx(std::log(1 + 0.3 * 20 * 2) / 0.3).epsilon(1e-4));  // 3e-5
  }
  SECTION("terminal speed of a ball in air, to 0.1 %") {
    ParticleWorld world;
    const Id id = world.source([](ParticleSource& s) {
      s.rate = 0;
      s.burst = 1;
      s.speed = 0;
      s.life = 100;
      s.size = 0.02;
      s.mass = 0.004;
      s.air = 0.47;
    });
    world.field(FieldKind::wind, [](ForceField& f) { f.speed = 0; });
    Run run(world);
    run.seconds(20);
    const double area = kPi * 1e-4;
    CHECK(-particles_of(run, id).v[0] == Approx(std::sqrt(2 * 0.004 * kG / (1.2 * 0.47 * area))).epsilon(1e-3));
  }
}

TEST_CASE("Births: by the rate, over an interval, in bursts, on each shape", "[particles]") {
  ParticleSource s;
  double owed = 0;
  std::uint64_t sum = 0;
  for (int k = 0; k < 240; ++k) sum += births_of(s, k / 240.0, (k + 1) / 240.0, 1 / 240.0, owed).count();
  CHECK(double(sum) + owed == Approx(100).epsilon(1e-12));
  s.start = 0.1;
  s.duration = 0.5;
  owed = 0;
  sum = 0;
  for (int k = 0; k < 240; ++k) sum += births_of(s, k / 240.0, (k + 1) / 240.0, 1 / 240.0, owed).count();
  CHECK(double(sum) + owed == Approx(50).epsilon(1e-12));
  s.rate = 0;
  s.burst = 7;
  s.burst_period = 0.2;  // at 0.1, 0.3, 0.5
  sum = 0;
  for (int k = 0; k < 240; ++k) {
    const Births births = births_of(s, k / 240.0, (k + 1) / 240.0, 1 / 240.0, owed);
    if (births.count() > 0 && sum == 7) CHECK((k + births.part(0)) / 240 == Approx(0.3).epsilon(1e-12));
    sum += births.count();
  }
  CHECK(sum == 21);
  // As many in one sub-step as come in it.
  s.duration = 0;
  s.burst_period = 0.001;
  CHECK(births_of(s, 0.2, 0.3, 0.1, owed).count() == 700);

  for (const SourceShape shape : {SourceShape::ball, SourceShape::disc, SourceShape::ring}) {
    ParticleWorld world(0);
    const Id id = world.source([&](ParticleSource& one) {
      one.shape = shape;
      one.radius = 2;
      one.rate = 0;
      one.burst = 4000;
      one.speed = 0;
      one.rotation = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()));  // its axis is z
    });
    Run run(world);
    run.step();
    const ParticleMemory& p = particles_of(run, id);
    REQUIRE(p.size() == 4000);
    Vec3 mean = Vec3::Zero();
    double square = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Vec3 x = place(p, i);
      CHECK(x.norm() <= 2 + 1e-12);
      if (shape == SourceShape::ring) CHECK(x.norm() == Approx(2));
      if (shape != SourceShape::ball) CHECK(std::abs(x.z()) < 1e-12);
      mean += x / 4000;
      square += x.squaredNorm() / 4000;
    }
    CHECK(mean.norm() < 0.1);
    const double wanted = shape == SourceShape::ball ? 2.4 : shape == SourceShape::disc ? 2.0 : 4.0;
    CHECK(square == Approx(wanted).epsilon(0.03));
  }
}

TEST_CASE("Particles leave within their cone, evenly", "[particles]") {
  ParticleWorld world(0);
  const Id id = world.source([&](ParticleSource& s) {
    s.cone = 0.5;
    s.tilt = kPi / 2;
    s.radius = 1;
    s.shape = SourceShape::ring;
    s.rate = 0;
    s.burst = 4000;
    s.speed = 2;
  });
  Run run(world);
  run.step();
  const ParticleMemory& p = particles_of(run, id);
  double mean = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3 u = velocity(p, i), out = (place(p, i) - run.model->step * u).normalized();
    CHECK(u.dot(out) / 2 >= std::cos(0.5) - 1e-9);
    mean += u.dot(out) / 2 / 4000;
  }
  CHECK(mean == Approx(0.5 * (1 + std::cos(0.5))).epsilon(2e-3));
}

TEST_CASE("A carried source goes with its object, and gives its particles the object's velocity", "[particles]") {
  ParticleWorld world(0);
  Object cart = FieldWorld::thrown(World::box(Vec3(1, 1, 1), Vec3::Zero(), 2), Vec3(4, 0, 0));
  cart.body.spin = Vec3(0, 3, 0);
  const Id body = world.add(cart);
  const Id half = world.source([&](ParticleSource& s) {
    s.carrier = body.value;
    s.position = Vec3(0, 0.5, 0);
    s.inherit = 0.5;
    s.speed = 1;
    s.life = 100;
  });
  const Id skin = world.source([&](ParticleSource& s) {
    s.carrier = body.value;
    s.shape = SourceShape::surface;
    s.speed = 0;
    s.life = 100;
  });
  Run run(world);
  run.seconds(1);
  const ParticleMemory &p = particles_of(run, half), &q = particles_of(run, skin);
  REQUIRE(p.size() == 100);
  for (std::size_t i = 0; i < p.size(); ++i) {
    CHECK((velocity(p, i) - Vec3(2, 1, 0)).norm() < 1e-9);
    const double t = p.birth[i];
    CHECK((place(p, i) - Vec3(4 * t + 2 * (1 - t), 0.5 + 1 - t, 0)).norm() < 1e-9);
  }
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double t = q.birth[i];
    const Vec3 born = place(q, i) - (1 - t) * velocity(q, i) - Vec3(4 * t, 0, 0);
    const Vec3 own = Eigen::AngleAxisd(-3 * t, Vec3::UnitY()) * born;
    CHECK(own.cwiseAbs().maxCoeff() == Approx(0.5).margin(1e-4));  // the turn of a sub-step, as a chord
    CHECK((velocity(q, i) - Vec3(4, 0, 0) - Vec3(0, 3, 0).cross(born)).norm() < 0.03);
  }
}

TEST_CASE("Particle n is the same whatever came before it", "[particles]") {
  const auto born = [](double rate, const std::function<void(ParticleSource&)>& change) {
    ParticleWorld world;
    const Id id = world.source([&](ParticleSource& s) {
      s.rate = rate;
      s.cone = 2;
      s.radius = 1;
      s.life_spread = s.speed_spread = 0.5;
      s.life = 50;
      s.gravity = 0;
      if (change) change(s);
    });
    Run run(world);
    run.seconds(0.5);
    const ParticleMemory& p = particles_of(run, id);
    std::map<std::uint64_t, std::pair<Vec3, double>> all;
    for (std::size_t i = 0; i < p.size(); ++i) all[p.number[i]] = {velocity(p, i), p.life[i]};
    return all;
  };
  const auto slow = born(20, {}), fast = born(200, {}), few = born(200, [](ParticleSource&s) { s.most = 5; });
  CHECK(slow.size() == 10);
  CHECK(fast.size() == 100);
  CHECK(few.size() == 5);
  for (const auto& [number, one] : slow) CHECK(fast.at(number) == one);
  for (const auto& [number, one] : few) CHECK(fast.at(number) == one);
}

TEST_CASE("Gusts of many places at once are those of each", "[particles]") {
  const Gusts gusts(7, Id{3}, 2, 5, 1.5);
  std::array<std::vector<double>, 3> places, out;
  for (auto& list : out) list.resize(103);
  for (int i = 0; i < 103; ++i) {
    places[0].push_back(3.7 * i - 90);
    places[1].push_back(0.01 * i * i);
    places[2].push_back(40 - i);
  }
  gusts.at_many({places[0].data(), places[1].data(), places[2].data()}, 103, 12.34,
                {out[0].data(), out[1].data(), out[2].data()});
  double worst = 0;
  for (std::size_t i = 0; i < 103; ++i) {
    const Vec3 at(places[0][i], places[1][i], places[2][i]), found(out[0][i], out[1][i], out[2][i]);
    worst = std::max(worst, (found - gusts.at(at, 12.34)).norm());
  }
  CHECK(worst < 1e-9);  // 1e-12
}

}  // namespace particle_flight_test
