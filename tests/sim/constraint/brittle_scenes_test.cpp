// Bodies that break, thrown on things: whatever stiffness, strain, masses, speed and sub-steps are, no run stops and nothing gains
// energy. What fails is told by its seed.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/sim/reference/dense.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace brittle_scenes_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kSeconds = 1.0;

Object brittle_box(const Vec3& size, const std::array<int, 3>& cells, const Vec3& at, double mass, double stiffness,
                   double breaks) {
  Object o = make_object(0, "biscuit", {PrimitiveShape::box, size, {2, 2, 2}}, at, BodyKind::flexible);
  o.analysis.kind = AnalysisKind::box_grid;
  o.analysis.divisions = cells;
  o.analysis.size = size;
  o.body.mass = mass;
  o.body.stiffness = stiffness;
  o.body.damping = 0.002 * std::sqrt(stiffness * mass);
  o.body.cross_section = 2e-5;
  set_parameter(o.body.parameters, {"lagrange", "breaks", {}, breaks});
  return o;
}

struct Scene1 {
  World world;
  Id body;
  std::string text;
};

Scene1 random_scene(std::uint64_t seed) {
  reference::Dice dice(seed);
  Scene1 scene;
  scene.world.scene.settings.substeps = 2 << static_cast<int>(dice.uniform(0, 3));
  scene.world.floor(dice.uniform(), dice.uniform());
  Object edge = World::box(Vec3(0.15, 0.3, 1.5), Vec3(dice.uniform(-0.2, 0.2), 0.15, 0));
  edge.body.kind = BodyKind::fixed;
  scene.world.add(edge);
  const Vec3 size(dice.uniform(0.3, 1), dice.uniform(0.1, 0.5), dice.uniform(0.3, 1));
  const auto cells = [&] { return 1 + static_cast<int>(dice.uniform(0, 3)); };
  const std::array<int, 3> divisions = {cells() + 1, cells(), cells()};
  const double mass = std::pow(10, dice.uniform(-1, 1)), stiffness = mass * std::pow(10, dice.uniform(2, 6)),
               breaks = std::pow(10, dice.uniform(-3, -0.7));
  Object o = brittle_box(size, divisions, Vec3(0, dice.uniform(0.8, 1.6), 0), mass, stiffness, breaks);
  if (dice.uniform() < 0.2) o.body.damping = 0;
  if (dice.uniform() < 0.2) set_parameter(o.body.parameters, {"lagrange", "yield", {}, 0.3 * breaks});
  o.transform.rotation = Quat(dice.attitude()).normalized();
  o.body.velocity = 4 * dice.vector() - Vec3(0, 2, 0);
  o.body.spin = 4 * dice.vector();
  o.material.substance.restitution = dice.uniform();
  o.material.substance.friction = dice.uniform();
  scene.body = scene.world.add(o);
  if (dice.uniform() < 0.4)
    scene.world.add(World::sphere(dice.uniform(0.1, 0.2), Vec3(0.1, 2.4, 0), mass * dice.uniform(0.2, 4)));
  char line[200];
  std::snprintf(line, sizeof line, "seed %llu: %d sub-steps, %d %d %d cells, %.3g kg, k %.3g, breaks %.3g",
                static_cast<unsigned long long>(seed), scene.world.scene.settings.substeps, divisions[0], divisions[1],
                divisions[2], mass, stiffness, breaks);
  scene.text = line;
  return scene;
}

int run_scenes(std::uint64_t first, int count) {
  int most = 1;
  for (int k = 0; k < count; ++k) {
    const Scene1 scene = random_scene(first + static_cast<std::uint64_t>(k));
    INFO(scene.text);
    Run run(scene.world);
    const double start = run.energy();
    double gifts = 0, highest = start;
    std::string stopped;
    const int steps = static_cast<int>(kSeconds / run.model->step + 0.5);
    for (int s = 0; s < steps && stopped.empty(); ++s) {
      const StepReport report = step(*run.model, run.state, run.workspace, run.executor);
      if (!report.ok) stopped = to_string(*report.failure);
      if (s == 0)
        for (const PairMemory& pair : run.state.pairs) gifts += pair.given;
      CHECK(report.figures.least_account >= 0);
      highest = std::max(highest, run.energy());
    }
    CHECK(stopped == "");
    CHECK(highest - start - gifts < 1e-6 * std::abs(start));
    most = std::max(most, run.at(scene.body).parts);
  }
  return most;
}

}  // namespace

TEST_CASE("A bar that is cut by an edge comes to lie on the floor in parts", "[brittle][contact]") {
  World world;
  world.floor(0.6, 0.1);
  Object edge = World::box(Vec3(0.1, 0.3, 1), Vec3(0, 0.15, 0));
  edge.body.kind = BodyKind::fixed;
  world.add(edge);
  const Id id = world.add(brittle_box(Vec3(1.2, 0.12, 0.3), {8, 1, 2}, Vec3(0.01, 1.2, 0), 1, 4e3, 0.01));
  Run run(world);
  run.seconds(4);
  CHECK(run.at(id).parts >= 2);
  const std::size_t i = run.index(id);
  const hazumi::Body& body = run.model->bodies[i];
  const std::vector<double>& values = run.state.bodies[i].values;
  const auto parts = body.parts(values);
  std::vector<Vec3> nodes(body.truss.nodes.size());
  body.positions(values, nodes);
  std::vector<std::uint32_t> all(body.mesh->positions.size());
  for (std::uint32_t v = 0; v < all.size(); ++v) all[v] = v;
  std::vector<Vec3> places(all.size());
  body.mapping_in(parts.get())->map_points(nodes, body.pose(values), all, places);
  double lowest = 1e300, farthest = 0;
  for (const Vec3& p : places) {
    lowest = std::min(lowest, p.y());
    farthest = std::max(farthest, p.norm());
  }
  CHECK(lowest > -5e-3);
  CHECK(lowest < 5e-3);
  CHECK(farthest < 5);
  CHECK(run.at(id).kinetic_energy < 0.05);
}

TEST_CASE("Bodies that break on things neither stop nor gain energy", "[brittle][random_scenes]") {
  CHECK(run_scenes(20261126, test::rounds(30, 8)) > 2);
}

TEST_CASE("100 bodies that break on things", "[brittle][random_scenes][slow]") { run_scenes(20262126, 100); }

TEST_CASE("Thousands of bodies that break on things", "[.long]") {
  const char *first = std::getenv("HAZUMI_SEED"), *wanted = std::getenv("HAZUMI_COUNT");
  run_scenes(first ? std::strtoull(first, nullptr, 10) : 20270000, wanted ? std::atoi(wanted) : 2000);
}

}  // namespace brittle_scenes_test
