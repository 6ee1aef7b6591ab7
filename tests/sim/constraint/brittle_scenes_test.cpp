// Bodies that break, thrown on things: whatever stiffness, strain, masses, speed and sub-steps are, no run stops and nothing gains
// energy. What fails is told by its seed.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/sim/reference/dense.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"
#include "tests/support/seen.h"

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

namespace {

/// The nodes of the analysis model of the only flexible object.
std::vector<Vec3> nodes_of(const World& world, Id id) {
  const Run run(world);
  return run.model->bodies[run.index(id)].truss.nodes;
}

void start_with(World& world, Id id, const std::vector<StartNode>& start) {
  for (auto& o : world.scene.objects)
    if (o->id == id) o = o.edited([&](Object& edited) { edited.body.start = start; });
}

}  // namespace

TEST_CASE("A bar that is cut by an edge comes to lie in parts", "[brittle][contact][slow]") {
  World world;
  world.floor(0.6, 0.1);
  Object edge = World::box(Vec3(0.1, 0.3, 1), Vec3(0, 0.15, 0));
  edge.body.kind = BodyKind::fixed;
  world.add(edge);
  const Id id = world.add(brittle_box(Vec3(1.2, 0.12, 0.3), {8, 1, 2}, Vec3(0.01, 1.2, 0), 1, 4e3, 0.04));
  Run run(world);
  run.seconds(2.5);
  CHECK(run.at(id).parts >= 2);
  double lowest = 1e300, farthest = 0;
  for (const Vec3& p : seen(run, id)) {
    lowest = std::min(lowest, p.y());
    farthest = std::max(farthest, p.norm());
  }
  CHECK(lowest > -5e-3);
  CHECK(lowest < 5e-3);
  CHECK(farthest < 5);
  CHECK(run.at(id).kinetic_energy < 0.05);
}

TEST_CASE("Each of many parts lies on the floor", "[brittle][contact][slow]") {
  World world;
  world.floor(0.5, 0.1);
  const Id id = world.add(brittle_box(Vec3(1.2, 0.1, 0.8), {5, 1, 3}, Vec3(0, 0.06, 0), 1, 4e3, 0.01));
  std::vector<StartNode> start;
  for (const Vec3& x : nodes_of(world, id)) start.push_back({Vec3(0.3 * x.x(), 4 * x.y(), 0.3 * x.z()), Vec3::Zero()});
  for (StartNode& node : start) node.shift.y() += 0.2;
  start_with(world, id, start);
  Run run(world);
  const std::size_t parts = static_cast<std::size_t>(run.at(id).parts);
  CHECK(parts == start.size());
  run.seconds(1.2);
  double lowest = 1e300;
  for (const Vec3& p : seen(run, id)) lowest = std::min(lowest, p.y());
  CHECK(lowest > -1e-3);
  CHECK(run.at(id).kinetic_energy < 0.01);
}

TEST_CASE("Two halves do not pass through each other, and keep their momentum", "[brittle][contact][slow]") {
  for (const bool itself : {false, true}) {
    World world;
    world.scene.settings.gravity.setZero();
    Object o = brittle_box(Vec3(0.9, 0.3, 0.3), {5, 2, 2}, Vec3::Zero(), 1, 4e4, 0.5);
    o.contact.self_collision = itself;
    const Id id = world.add(o);
    const std::vector<Vec3> nodes = nodes_of(world, id);
    std::vector<StartNode> start;
    for (const Vec3& x : nodes) {
      const double side = x.x() > 0 ? 1 : -1;
      start.push_back({Vec3(0.3 * side, 0.01 * side, 0), Vec3(-1.5 * side, 0, 0)});
    }
    start_with(world, id, start);
    Run run(world);
    REQUIRE(run.at(id).parts == 2);
    const Observables before = run.at(id);
    const double energy = run.energy();
    run.seconds(0.8);
    const hazumi::Body& body = run.model->bodies[run.index(id)];
    std::vector<Vec3> now(nodes.size());
    body.positions(run.state.bodies[run.index(id)].values, now);
    double left = -1e300, right = 1e300;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      (nodes[i].x() > 0 ? right : left) = nodes[i].x() > 0 ? std::min(right, now[i].x()) : std::max(left, now[i].x());
    CHECK(right > left + 0.05);
    CHECK((run.at(id).momentum - before.momentum).norm() < 1e-12);
    // Rows between parts leave out levers; what that changes is given back, but where no account pays (docs/numerics/brittle.md). Of 0.015.
    CHECK((run.at(id).angular_momentum - before.angular_momentum).norm() < 5e-4);
    CHECK(run.energy() < energy);
  }
}

TEST_CASE("A body that breaks is the same on any threads and from any sub-step", "[brittle][contact]") {
  const Scene1 scene = random_scene(20261129);
  INFO(scene.text);
  Run one(scene.world, 1), three(scene.world, 3);
  std::vector<State> states;
  const int steps = static_cast<int>(0.8 / one.model->step);
  for (int s = 0; s < steps; ++s) {
    states.push_back(one.state);
    one.steps(1);
    three.steps(1);
    REQUIRE(hash(one.state) == hash(three.state));
  }
  CHECK(one.at(scene.body).parts > 1);
  for (std::size_t s = states.size() - 1; s > 0; s = s > 7 ? s - 7 : 0) {
    Run again(scene.world, 1);
    again.state = states[s - 1];
    again.steps(1);
    CHECK(hash(again.state) == hash(states[s]));
  }
}

TEST_CASE("Bodies that break on things neither stop nor gain energy", "[brittle][random_scenes][slow]") {
  CHECK(run_scenes(20261126, test::rounds(8, 4)) > 2);
}

// Each takes more than a second: the 200 of the other generators are behind `long`, with the thousands.
TEST_CASE("12 bodies that break on things", "[brittle][random_scenes][slow]") { run_scenes(20262126, 12); }

TEST_CASE("Thousands of bodies that break on things", "[.long]") {
  const char *first = std::getenv("HAZUMI_SEED"), *wanted = std::getenv("HAZUMI_COUNT");
  run_scenes(first ? std::strtoull(first, nullptr, 10) : 20270000, wanted ? std::atoi(wanted) : 2000);
}

}  // namespace brittle_scenes_test
