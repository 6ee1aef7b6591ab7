// Shipped scenes that are made of particles, each beside the same scene without what it is there to show.
#include <algorithm>
#include <cmath>
#include <map>

#include "tests/playback/show.h"

namespace shipped_particles_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

template <class Change>
Scene with_first_source(Scene scene, const Change& change) {
  scene.particles[0] = scene.particles[0].edited(change);
  return scene;
}

ParticleBlock block(Show& show, int frame, const std::string& name) {
  for (const auto& source : show.scene.particles)
    if (source->name == name) return *show.at(frame).find_particles(source->id);
  FAIL("no source " << name);
  return {};
}

/// Of what is older than a second.
struct Spread {
  std::size_t count = 0;
  Vec3 mean = Vec3::Zero(), about = Vec3::Zero();  // m; standard deviation
  double speed = 0, speed_about = 0;               // m/s, along x
};

Spread spread_of(const ParticleBlock& all) {
  Spread out;
  for (std::size_t i = 0; i < all.positions.size(); ++i) {
    if (all.times[i] < 1) continue;
    const Vec3 p = all.positions[i].cast<double>();
    const double u = all.velocities[i].x();
    ++out.count;
    out.mean += p;
    out.about += p.cwiseAbs2();
    out.speed += u;
    out.speed_about += u * u;
  }
  const auto n = static_cast<double>(out.count);
  out.mean /= n;
  out.about = (out.about / n - out.mean.cwiseAbs2()).cwiseMax(0).cwiseSqrt();
  out.speed /= n;
  out.speed_about = std::sqrt(std::max(0.0, out.speed_about / n - out.speed * out.speed));
  return out;
}

double farthest(const ParticleBlock& all, const Vec3f& from) {
  float out = 0;
  for (const Vec3f& p : all.positions) out = std::max(out, (p - from).norm());
  return out;
}

double mean_height(const ParticleBlock& all) {
  double sum = 0;
  for (const Vec3f& p : all.positions) sum += p.y();
  return sum / static_cast<double>(std::max<std::size_t>(1, all.positions.size()));
}

double highest(const ParticleBlock& all) {
  float out = 0;
  for (const Vec3f& p : all.positions) out = std::max(out, p.y());
  return out;
}

}  // namespace

TEST_CASE("smoke goes with the wind, gusts tear it, and it rises by its warmth", "[shipped][particles]") {
  Show show(shipped("chimney"));
  Scene steady_scene = shipped("chimney");
  steady_scene.fields[0] = steady_scene.fields[0].edited([](ForceField& wind) { wind.gust = 0; });
  Show steady(steady_scene);
  Show cold(with_first_source(shipped("chimney"), [](ParticleSource& smoke) { smoke.gravity = 0; }));
  const auto at = [](Show& one, int frame) { return spread_of(block(one, frame, "Smoke")); };
  double speed = 0, rise = 0;
  for (const int frame : {180, 240, 300, 360}) {
    const Spread smoke = at(show, frame), even = at(steady, frame), heavy = at(cold, frame);
    REQUIRE(smoke.count > 60);
    CHECK(even.speed == Approx(1.1).margin(0.01));  // that of the wind
    CHECK(even.speed_about < 0.05);
    CHECK(even.mean.y() > 2.7 + 0.35);
    CHECK(smoke.speed_about > 0.5);  // gusts of 0.9 m/s: 0.71 to 0.79
    CHECK(smoke.about.z() > 8 * even.about.z());
    CHECK(smoke.mean.x() > 0.1 + 1.5);
    speed += 0.25 * smoke.speed;
    rise += 0.25 * (smoke.mean.y() - heavy.mean.y());
  }
  CHECK(speed == Approx(1.1).margin(0.25));
  CHECK(rise > 0.1);  // 0.14 m; without gusts, which brake it, half a metre
}

TEST_CASE("ten blocks stand until the blast throws all of them apart, with sparks, fire and smoke",
          "[shipped][particles]") {
  Show show(shipped("explosion"));
  Scene without = shipped("explosion");
  without.tracks.clear();
  Show still(without);
  const Vec3f middle(0, 0.35f, -0.1f);
  const auto block_at = [](Show& one, int k, int frame) {
    return one.at(frame, "Block " + std::to_string(k)).position;
  };
  double apart = 10;
  for (int k = 1; k <= 10; ++k) {
    const Vec3f began = block_at(show, k, 0), flat(1, 0, 1);
    CHECK((block_at(show, k, 30) - began).norm() < 0.005f);
    CHECK((block_at(still, k, 200) - began).norm() < 0.005f);
    CHECK((block_at(show, k, 60) - began).norm() > 0.5f);
    CHECK((block_at(show, k, 300) - middle).cwiseProduct(flat).norm() >
          (began - middle).cwiseProduct(flat).norm() + 0.3f);
    for (int other = 1; other < k; ++other)
      apart = std::min<double>(apart, (block_at(show, k, 300) - block_at(show, other, 300)).norm());
  }
  CHECK(apart > 0.8);  // 0.42 m as they stand
  // The blast begins at half a second, smoke comes a little later; sparks come from its middle, and from nowhere else.
  for (const char* name : {"Blast sparks", "Blast fire", "Blast smoke"}) CHECK(block(show, 30, name).positions.empty());
  const ParticleBlock sparks = block(show, 31, "Blast sparks");
  CHECK(sparks.positions.size() == 260);
  CHECK(farthest(sparks, middle) < 0.35);
  CHECK(farthest(block(show, 60, "Blast sparks"), middle) > 4);
  CHECK(block(show, 31, "Blast fire").positions.size() == 90);
  CHECK(block(show, 33, "Blast smoke").positions.empty());
  CHECK(block(show, 36, "Blast smoke").positions.size() == 110);
  CHECK(farthest(block(show, 36, "Blast smoke"), middle) < 0.7);
  // Fire and sparks are out while smoke still rises.
  CHECK(block(show, 150, "Blast sparks").positions.empty());
  CHECK(block(show, 150, "Blast fire").positions.empty());
  CHECK(mean_height(block(show, 60, "Blast smoke")) > mean_height(block(show, 36, "Blast smoke")) + 0.05);
  CHECK(mean_height(block(show, 150, "Blast smoke")) > mean_height(block(show, 60, "Blast smoke")) + 0.3);
}

TEST_CASE("the jet rises to what drag lets it, falls into the basin and splits there", "[shipped][particles]") {
  Show show(shipped("fountain"));
  Show free(with_first_source(shipped("fountain"), [](ParticleSource& jet) { jet.quadratic = 0; }));
  const ParticleSource& jet = *show.scene.particles[0];
  // Straight up with the greatest speed against g + k v²: ln(1 + k v²/g)/(2 k), 1.708 m; without drag v²/2g, 1.799 m.
  const double v = jet.speed * (1 + jet.speed_spread), k = jet.quadratic, g = show.scene.settings.gravity.norm();
  const double most = std::log(1 + k * v * v / g) / (2 * k), without = 0.5 * v * v / g, from = jet.position.y();
  double top = 0, top_free = 0;
  int fresh = 0, on_water = 0, in_bowl = 0;
  for (int frame = 60; frame <= 300; frame += 12) {
    const ParticleBlock drops = block(show, frame, "Fountain"), pieces = block(show, frame, "Drops");
    top = std::max(top, highest(drops) - from);
    top_free = std::max(top_free, highest(block(free, frame, "Fountain")) - from);
    for (const Vec3f& p : drops.positions) {
      REQUIRE(p.y() > 0.23f);                     // the water
      REQUIRE(std::hypot(p.x(), p.z()) < 1.15f);  // the basin, inside
    }
    CHECK(drops.positions.size() >= 900);
    CHECK(drops.positions.size() < 1120);
    for (std::size_t i = 0; i < pieces.positions.size(); ++i) {
      if (pieces.times[i] > 1.0f / 60) continue;
      const float y = pieces.positions[i].y();
      ++fresh;
      on_water += y > 0.22f && y < 0.28f ? 1 : 0;
      in_bowl += y > 0.88f && y < 0.96f ? 1 : 0;
    }
  }
  INFO("top " << top << " of " << most << ", without drag " << top_free << " of " << without);
  CHECK(top < most);
  CHECK(top > 0.985 * most);
  CHECK(top_free < without);
  CHECK(top_free > 0.985 * without);
  CHECK(fresh > 300);
  CHECK(on_water > 0.5 * fresh);
  CHECK(on_water + in_bowl > 0.95 * fresh);
}

TEST_CASE("snow lies on the roof and on the ground, not under the roof, and goes along with the sign",
          "[shipped][particles]") {
  Show show(shipped("snowfall"));
  const ParticleBlock snow = block(show, 480, "Snow");
  int open = 0, roof = 0, under = 0;
  for (std::size_t i = 0; i < snow.positions.size(); ++i) {
    const Vec3f p = snow.positions[i];
    const bool below_roof = std::abs(p.x()) < 1.1f && std::abs(p.z()) < 0.9f;
    if (std::abs(p.x()) < 0.85f && std::abs(p.z()) < 0.65f) CHECK(p.y() > 1.1f);  // not in the hut
    if (snow.velocities[i].norm() > 0) continue;
    if (below_roof) ++(p.y() > 1.09f ? roof : under);
    const float out = std::hypot(p.x(), p.z());
    if (p.y() < 0.05f && out > 1.6f && out < 2.6f) ++open;
  }
  const double per_area = open / (kPi * (2.6 * 2.6 - 1.6 * 1.6)), area = 2.2 * 1.8;
  INFO(per_area << " a square metre, " << roof / area << " on the roof, " << under / area << " under it");
  CHECK(per_area > 80);
  CHECK(roof / area > 0.7 * per_area);
  CHECK(under / area < 0.3 * per_area);  // what the wind blows in under the eaves, and onto the walls
  // What lies on the sign stays at its place of it.
  const auto on_sign = [&](int frame) {
    const ParticleBlock flakes = block(show, frame, "Snow");
    const ObjectFrame sign = show.at(frame, "Sign");
    std::map<std::uint64_t, Vec3f> out;
    for (std::size_t i = 0; i < flakes.positions.size(); ++i) {
      const Vec3f own = sign.rotation.conjugate() * (flakes.positions[i] - sign.position);
      const Vec3f beyond = own.cwiseAbs() - Vec3f(0.35f, 0.2f, 0.15f);
      if (beyond.maxCoeff() < 0.04f && flakes.velocities[i].norm() == 0) out[flakes.numbers[i]] = own;
    }
    return out;
  };
  const auto first = on_sign(360), last = on_sign(420);
  CHECK((show.at(360, "Sign").position - show.at(420, "Sign").position).norm() > 0.005f);
  CHECK(first.size() > 15);
  for (const auto& [number, place] : first) {
    REQUIRE(last.count(number) == 1);
    CHECK((last.at(number) - place).norm() < 1e-4f);
  }
}

TEST_CASE("dust comes from behind the rear wheels, stays low and is left behind", "[shipped][particles]") {
  Show show(shipped("dusty_car"));
  CHECK(show.at(360, "Body").position.x() - show.at(0, "Body").position.x() > 5);
  for (const int frame : {60, 150, 240, 360}) {
    const ObjectFrame car = show.at(frame, "Body");
    const ObjectFrame wheels[] = {show.at(frame, "Rear right wheel"), show.at(frame, "Rear left wheel")};
    for (std::size_t s = 0; s < 2; ++s) {
      const ParticleSource& source = *show.scene.particles[s];
      const ParticleBlock dust = *show.at(frame).find_particles(source.id);
      INFO("frame " << frame << ", " << source.name);
      const Vec3f from = car.position + car.rotation * source.position.cast<float>();
      std::size_t fresh = 0;
      float last = car.position.x();
      for (std::size_t i = 0; i < dust.positions.size(); ++i) {
        const Vec3f p = dust.positions[i];
        CHECK(p.x() < wheels[s].position.x() + 0.2f);
        CHECK(p.y() < 0.9f);
        last = std::min(last, p.x());
        if (dust.times[i] > 1.0f / 60) continue;
        ++fresh;
        CHECK((p - from).norm() < source.radius + 0.05);
        CHECK((p - wheels[s].position).norm() < 0.6f);
      }
      CHECK(fresh >= 1);  // 70 a second
      CHECK(last < car.position.x() - (frame == 60 ? 1.5f : 2.5f));
    }
  }
}

TEST_CASE("more dust rises where a wheel lands, and only there", "[shipped][particles]") {
  Show show(shipped("dusty_car"));
  const Id raised = show.scene.particles.back()->id;
  const auto dust = [&](int frame) { return *show.at(frame).find_particles(raised); };
  CHECK(dust(100).positions.empty());  // it has climbed the first bump
  std::size_t landings = 0;
  for (int frame = 1; frame <= 360; ++frame) {
    const ParticleBlock now = dust(frame);
    for (std::size_t i = 0; i < now.positions.size(); ++i) {
      if (now.times[i] > 1.0f / 60) continue;
      ++landings;
      float nearest = 1e9f;
      for (const char* name : {"Front right wheel", "Front left wheel", "Rear right wheel", "Rear left wheel"})
        nearest = std::min(nearest, (now.positions[i] - show.at(frame, name).position).norm());
      INFO("frame " << frame);
      CHECK(now.positions[i].y() < 0.2f);
      CHECK(nearest < 0.45f);  // the wheel's radius is 0.26
    }
  }
  CHECK(landings >= 15 * 24);  // both axles, bump for bump
  CHECK(landings <= 30 * 24);
}

}  // namespace shipped_particles_test
