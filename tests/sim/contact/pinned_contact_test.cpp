// Bodies with pinned nodes among others: contact, rest, thread counts, checkpoints.
#include "core/geometry/truss/edit.h"
#include "core/geometry/truss/select.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace pinned_contact_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// A slab of springs, 1.2 × 0.1 × 1.2 m, its border pinned (or only the nodes that `pin` names).
Object slab(const Vec3& position, double stiffness, bool border = true) {
  Object o;
  o.name = "slab";
  o.display.primitive = {PrimitiveShape::box, Vec3(1.2, 0.1, 1.2), {4, 1, 4}};
  TrussRecipe recipe;
  recipe.shape = TrussShape::plane_grid;
  recipe.divisions = {6, 1, 6};
  recipe.size = Vec3(1.2, 0.1, 1.2);
  StrungTruss strung = to_strung(make_truss(recipe));
  for (StrungNode& node : strung.nodes) {
    const double edge = std::max(std::abs(node.position.x()), std::abs(node.position.z()));
    node.pinned = border ? edge > 0.59 : node.position.x() < -0.59 && node.position.y() > 0;
  }
  o.analysis = {"Slab",       AnalysisKind::strung, {1, 1, 1},
                Vec3::Ones(), Vec3::Zero(),         std::make_shared<const StrungTruss>(strung)};
  o.transform.position = position;
  o.body.kind = BodyKind::flexible;
  o.body.mass = 2;
  o.body.stiffness = stiffness;
  o.body.damping = 0.5;
  return o;
}

double largest_gap(const Run& run, std::size_t body) {
  const hazumi::Body& b = run.model->bodies[body];
  std::vector<Vec3> x(b.truss.nodes.size());
  b.positions(run.state.bodies[body].values, x);
  Pose object = b.start;
  object.position -= object.rotation * b.mesh_origin;
  double gap = 0;
  for (const std::uint32_t i : b.truss.pinned) gap = std::max(gap, (x[i] - object * b.truss.nodes[i]).norm());
  return gap;
}

}  // namespace

TEST_CASE("A ball falls on a slab that is pinned at its border, and it comes to lie on it", "[pinned_contact]") {
  for (const double stiffness : {3000.0, 1e7}) {
    World world;
    const Id bed = world.add(slab(Vec3(0, 1, 0), stiffness));
    const Id ball = world.add(World::sphere(0.15, Vec3(0, 1.9, 0), 0.6));
    Run run(world);
    const std::size_t index = run.index(bed);
    const double start = run.energy();
    double highest = start, gap = 0;
    for (int n = 0; n < 4 * 240; ++n) {
      const StepReport report = run.step();
      REQUIRE(report.ok);
      highest = std::max(highest, run.energy());
      gap = std::max(gap, largest_gap(run, index));
    }
    INFO("stiffness " << stiffness);
    CHECK_FALSE(run.events.empty());
    CHECK(gap < 1e-12);
    CHECK(highest < start + 1e-9 * std::abs(start));
    // On the soft one it rolls about in the hollow that it makes.
    CHECK(run.at(ball).centre.y() == Approx(1.05 + 0.15).margin(stiffness < 1e4 ? 0.02 : 1e-4));
    CHECK(run.velocity(ball).norm() < (stiffness < 1e4 ? 0.25 : 6e-4));
    CHECK_FALSE(run.touching.empty());
  }
}

TEST_CASE("A slab on a hinge falls on a ball and rests on it; another swings on one pin over the floor",
          "[pinned_contact][slow]") {
  World world;
  world.floor();
  Object lid = slab(Vec3(0, 1, 0), 5e4, false);
  lid.body.damping = 20;
  const Id hinged = world.add(lid);
  Object post = World::box(Vec3(0.2, 0.7, 0.2), Vec3(0.4, 0.35, 0), 5);
  post.body.kind = BodyKind::fixed;
  world.add(post);
  Object hanging = slab(Vec3(3, 0.4, 0), 5e4, false);
  hanging.analysis.strung = std::make_shared<const StrungTruss>(
      set_pinned(set_pinned(*hanging.analysis.strung, all_nodes(*hanging.analysis.strung), false).truss, {0}, true)
          .truss);
  const Id swinging = world.add(hanging);
  Run run(world);
  double gap = 0;
  const double start = run.energy();
  double highest = start;
  for (int n = 0; n < 6 * 240; ++n) {
    const StepReport report = run.step();
    REQUIRE(report.ok);
    gap = std::max({gap, largest_gap(run, run.index(hinged)), largest_gap(run, run.index(swinging))});
    highest = std::max(highest, run.energy());
  }
  CHECK(gap < 1e-12);
  CHECK(highest < start + 1e-9 * std::abs(start));
  CHECK(flexible(run.model->bodies[run.index(hinged)]).pins.kind == PinKind::line);
  CHECK(run.at(hinged).centre.y() < 1.0);
  CHECK(run.at(hinged).centre.y() > 0.5);  // the post holds it up
  CHECK(run.at(swinging).centre.y() > 0.0);
}

TEST_CASE("Nothing moves what is pinned at every node", "[pinned_contact]") {
  World world;
  Object wall = slab(Vec3(0, 1, 0), 3000);
  wall.analysis.strung = std::make_shared<const StrungTruss>(
      set_pinned(*wall.analysis.strung, all_nodes(*wall.analysis.strung), true).truss);
  const Id held = world.add(wall);
  const Id ball = world.add(World::sphere(0.15, Vec3(0, 1.6, 0), 0.6));
  Run run(world);
  const State before = run.state;
  run.seconds(3);
  CHECK(largest_gap(run, run.index(held)) < 1e-13);
  CHECK(run.at(held).kinetic_energy == 0);
  CHECK(run.at(ball).centre.y() == Approx(1.05 + 0.15).margin(2e-5));
  CHECK(run.velocity(ball).norm() < 1e-10);
  // Pinned into each other: nothing can give way, and nothing breaks.
  World stuck;
  stuck.add(wall);
  Object other = wall;
  other.transform.position.y() += 0.05;
  stuck.add(other);
  Run quiet(stuck);
  quiet.seconds(0.5);
  CHECK(quiet.energy() == Approx(quiet.energy()));
}

TEST_CASE("Pinned bodies: the same bits on any number of threads and from a checkpoint", "[pinned_contact][threads]") {
  const auto build = [] {
    World world;
    world.floor();
    for (int i = 0; i < 5; ++i) {
      world.add(slab(Vec3(2 * i, 1, 0), 2000 + 3000 * i, i % 2 == 0));
      world.add(World::sphere(0.15, Vec3(2 * i + 0.1, 1.5, 0.1), 0.6));
    }
    return world;
  };
  Run one(build(), 1), four(build(), 4), late(build(), 3);
  const int steps = test::rounds(360, 120), half = steps / 2;
  for (int n = 0; n < steps; ++n) {
    REQUIRE(one.step().ok);
    REQUIRE(four.step().ok);
    if (n == half) {
      REQUIRE(restore(save(one.state), late.state));
    } else if (n > half) {
      REQUIRE(late.step().ok);
    }
    if (n % 60 == 0) REQUIRE(hash(one.state) == hash(four.state));
  }
  CHECK(hash(one.state) == hash(four.state));
  CHECK(hash(one.state) == hash(late.state));
}

}  // namespace pinned_contact_test
