// A cloth laid on nine spikes: it lies on their tips for twenty seconds, and none goes through, whatever its faces and stiffness are.
#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <cstdlib>

#include "tests/sim/reference/dense.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace cloth_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kTip = 0.3;  // m, above the floor

struct Laid {
  World world;
  Id cloth;
  std::vector<Vec2> tips;  ///< x and z

  Laid(double stiffness, int substeps, std::array<int, 3> squares = {16, 1, 16}) {
    world.scene.settings.substeps = substeps;
    world.floor(0.5, 0);
    const auto dry = [](Object& o) {
      o.contact.shape = ContactShape::surface;
      o.material.substance.restitution = 0;
      o.material.substance.friction = 0.6;
    };
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j) {
        tips.emplace_back(0.25 * i, 0.25 * j + 0.02 * i);
        Object spike = World::hard("spike", {PrimitiveShape::cone, Vec3(0.15, kTip, 0.15), {8, 1, 1}},
                                   Vec3(tips.back().x(), 0.5 * kTip, tips.back().y()), 1);
        spike.body.kind = BodyKind::fixed;
        dry(spike);
        world.add(spike);
      }
    Object o = make_object(0, "cloth", {PrimitiveShape::plane, Vec3(0.8, 1, 0.8), squares},
                           Vec3(0.01, kTip + 0.15, 0.02), BodyKind::flexible);
    o.analysis.kind = AnalysisKind::plane_grid;
    o.analysis.divisions = {8, 1, 8};
    o.analysis.size = Vec3(0.8, 0.1, 0.8);
    o.body.mass = 0.3;
    o.body.stiffness_source = StiffnessSource::given;
    o.body.stiffness = stiffness;
    o.body.damping = 0.02 * std::sqrt(stiffness);
    dry(o);
    cloth = world.add(o);
  }
};

std::vector<Vec3> seen(const Run& run, std::size_t body) {
  const hazumi::Body& b = run.model->bodies[body];
  std::vector<Vec3> nodes(b.truss.nodes.size()), out(b.mesh->positions.size());
  std::vector<std::uint32_t> all(out.size());
  for (std::uint32_t k = 0; k < all.size(); ++k) all[k] = k;
  b.positions(run.state.bodies[body].values, nodes);
  b.mapping->map_points(nodes, b.pose(run.state.bodies[body].values), all, out);
  return out;
}

/// How far a tip is above the cloth there, m.
double pierced(const Run& run, std::size_t body, const Vec2& tip) {
  const std::vector<Vec3> x = seen(run, body);
  double most = 0;
  for (const auto& f : run.model->bodies[body].mesh->faces) {
    const Vec3 u = x[f[1]] - x[f[0]], v = x[f[2]] - x[f[0]];
    const double dx = tip.x() - x[f[0]].x(), dz = tip.y() - x[f[0]].z(), area = u.x() * v.z() - v.x() * u.z();
    if (std::abs(area) < 1e-12) continue;
    const double s = (dx * v.z() - v.x() * dz) / area, t = (u.x() * dz - dx * u.z()) / area;
    if (s >= 0 && t >= 0 && s + t <= 1) most = std::max(most, kTip - (x[f[0]].y() + s * u.y() + t * v.y()));
  }
  return most;
}

struct Seen {
  double gain = 0;     ///< J, above the start
  double through = 0;  ///< m, of the worst tip
  double fast = 0;     ///< m/s, at the end
  Vec3 centre = Vec3::Zero();
};

Seen watch(const Laid& laid, double seconds) {
  Run run(laid.world);
  const std::size_t body = run.index(laid.cloth);
  const double start = run.energy();
  const int substeps = laid.world.scene.settings.substeps;
  Seen out;
  for (int n = 0; n < seconds * 60 * substeps; ++n) {
    run.steps(1);
    out.gain = std::max(out.gain, run.energy() - start);
    if (n % (5 * substeps) == 0)
      for (const Vec2& tip : laid.tips) out.through = std::max(out.through, pierced(run, body, tip));
  }
  out.fast = run.velocity(laid.cloth).norm();
  out.centre = run.at(laid.cloth).centre;
  return out;
}

}  // namespace

TEST_CASE("A cloth lies on spikes for twenty seconds", "[contact][cloth][slow]") {
  for (const double stiffness : {300.0, 1e3, 5e3})
    for (const int substeps : {1, 2, 4}) {
      const Laid laid(stiffness, substeps);
      const Seen seen = watch(laid, 20);
      CAPTURE(stiffness, substeps, seen.through, seen.fast);
      CHECK(seen.gain <= 1e-12);
      CHECK(seen.through < 6e-5);  // 4.4e-5
      CHECK(seen.fast < 1e-4);     // 0: asleep
      CHECK((seen.centre - Vec3(0.01, kTip, 0.02)).norm() < 5e-3);
    }
}

// Faces as long as the cloth: when it lands again tips were 0.4 mm through, then beyond the reach of rows and all the way, since the
// account did not pay for what had sunk, and a sheet takes what is deep behind it for what is before it.
TEST_CASE("A cloth of long strips, or of two triangles, is not pierced", "[contact][cloth][slow]") {
  for (const std::array<int, 3>& squares : {std::array{16, 16, 1}, std::array{1, 1, 1}})
    for (const double stiffness : {30.0, 300.0, 1e3})
      for (const int substeps : {1, 2}) {
        const Laid laid(stiffness, substeps, squares);
        const Seen seen = watch(laid, 3);
        CAPTURE(squares[0], squares[2], stiffness, substeps, seen.through);
        CHECK(seen.gain <= 1e-12);
        CHECK(seen.through <
              0.012);  // 8.8e-3 (30 N/m, which lands three times as fast as it can hold); from 300 on 4.4e-3
      }
}

Laid random_cloth(std::uint64_t seed) {
  reference::Dice dice(seed);
  const int substeps[] = {1, 2, 4, 8};
  const auto count = [&] { return static_cast<int>(std::pow(10, dice.uniform(0, 1.3))); };
  const std::array<int, 3> squares = {count(), dice.uniform() < 0.3 ? count() : 1, count()};
  Laid laid(std::pow(10, dice.uniform(1.5, 4.5)), substeps[static_cast<int>(dice.uniform(0, 4))], squares);
  for (auto& o : laid.world.scene.objects) {
    if (o->body.kind != BodyKind::flexible) continue;
    Object cloth = *o;
    const int nodes = static_cast<int>(dice.uniform(3, 12));
    cloth.analysis.divisions = {nodes, 1, static_cast<int>(dice.uniform(3, 12))};
    cloth.transform.position += Vec3(dice.uniform(-0.1, 0.1), dice.uniform(-0.1, 0.2), dice.uniform(-0.1, 0.1));
    cloth.transform.rotation = Quat(Eigen::AngleAxisd(dice.uniform(0, 6.2), Vec3::UnitY()));
    cloth.body.velocity = Vec3(dice.uniform(-0.3, 0.3), dice.uniform(-5, 2), dice.uniform(-0.3, 0.3));
    cloth.body.mass = std::pow(10, dice.uniform(-1, 0.5));
    // Softer ones are stretched by more than their size by their own weight (one of 200 was pierced, k/m = 13 /s²).
    cloth.body.stiffness = std::max(cloth.body.stiffness, 100 * cloth.body.mass);
    cloth.body.damping = dice.uniform() < 0.5 ? 0.02 * std::sqrt(cloth.body.stiffness * cloth.body.mass) : 0;
    cloth.material.substance.friction = dice.uniform(0, 1);
    cloth.material.substance.restitution = dice.uniform() < 0.5 ? 0 : dice.uniform(0, 1);
    o = cloth;
  }
  return laid;
}

void check_random(std::uint64_t seed) {
  const Laid laid = random_cloth(seed);
  const Seen seen = watch(laid, sanitized() ? 0.5 : 4);
  CAPTURE(seed, laid.world.scene.settings.substeps, seen.through);
  CHECK(seen.gain <= 1e-9);
  CHECK(seen.through < 0.04);  // twentieth of its size: what has sunk deeper than kSunk is lost
}

TEST_CASE("Cloths drawn at random are not pierced", "[contact][cloth][slow]") {
  for (int k = 0; k < rounds(20, 2); ++k) check_random(8100 + static_cast<std::uint64_t>(k));
}

// HAZUMI_SEED: the first; HAZUMI_COUNT: how many.
TEST_CASE("200 random cloths", "[.long]") {
  const char *first = std::getenv("HAZUMI_SEED"), *count = std::getenv("HAZUMI_COUNT");
  const std::uint64_t seed = first ? std::strtoull(first, nullptr, 10) : 9100;
  for (int k = 0; k < (count ? std::atoi(count) : 200); ++k) check_random(seed + static_cast<std::uint64_t>(k));
}

}  // namespace cloth_test
