// What joints hold together sleeps as a whole once something of it touches and all of it lies still (constraint/sleep.h).
#include "core/sim/constraint/sleep.h"
#include "tests/sim/joint/joint_support.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/sanitized.h"

namespace sleeping_linkage_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Switches all joints off, or on, at a sub-step.
struct Switch final : Director {
  std::int64_t at = 0;
  bool then = false;
  MotionState initial() const override { return {}; }
  void direct(const Model&, const State&, const NumbersTold&, std::span<BodyForces>) const override {}
  void drive(const Model&, std::int64_t substep, std::span<JointDrive> joints) const override {
    for (JointDrive& joint : joints) joint.on = (substep >= at) == then;
  }
  void observe(const Model&, const State&, StepReport&, State&) const override {}
};

bool all_asleep(const State& state) {
  return !state.rows.empty() && std::all_of(state.rows.begin(), state.rows.end(),
                                            [](const RowMemory& row) { return (row.unloading & kAsleep) != 0; });
}
bool any_asleep(const State& state) {
  return std::any_of(state.rows.begin(), state.rows.end(),
                     [](const RowMemory& row) { return (row.unloading & kAsleep) != 0; });
}

std::vector<double> numbers(const JointRun& run) {
  std::vector<double> out;
  for (const auto& body : run.state.bodies) out.insert(out.end(), body.values.begin(), body.values.end());
  for (const JointMemory& joint : run.state.joints) out.insert(out.end(), joint.impulse.begin(), joint.impulse.end());
  for (const JointReading& r : run.readings) out.insert(out.end(), {r.force, r.torque, r.way, r.pull.x(), r.pull.y()});
  return out;
}

/// Five boxes in a row, of which the middle one is smaller and touches nothing; fixed joints hold it up.
JointWorld row(JointKind kind, std::vector<Id>& ids) {
  JointWorld world;
  world.scene.settings.substeps = 4;
  world.floor();
  for (int k = 0; k < 5; ++k) {
    const bool hangs = kind == JointKind::fixed && k == 2;
    ids.push_back(world.add(World::box(Vec3(0.4, hangs ? 0.05 : 0.1, 0.1), Vec3(0.45 * k, 0.3, 0), 0.5)));
    if (k) world.joined(kind, ids[ids.size() - 2], ids.back(), Vec3(0.45 * k - 0.225, 0.3, 0));
  }
  return world;
}

}  // namespace

TEST_CASE("A linkage that lies sleeps, reads the same forces, and wakes as a whole", "[joint][sleep]") {
  for (const JointKind kind : {JointKind::ball, JointKind::hinge, JointKind::slider, JointKind::fixed}) {
    INFO(static_cast<int>(kind));
    std::vector<Id> ids;
    const JointWorld world = row(kind, ids);
    JointRun run(world);
    std::vector<double> awake;
    for (int k = 0; k < 1200 && !all_asleep(run.state); ++k) run.steps(1);
    REQUIRE(all_asleep(run.state));
    run.steps(1);
    CHECK(run.readings.size() == 4);
    CHECK(run.gap() < 1e-9);
    const std::vector<double> before = numbers(run);
    run.steps(100);
    CHECK(numbers(run) == before);
    JointRun other(world);
    other.state = run.state;
    other.steps(1);
    CHECK(numbers(other) == before);
    // At one end only: the other wakes with it.
    Body& last = const_cast<Body&>(run.model->bodies[run.index(ids[4])]);
    last.add_velocity(run.state.bodies[run.index(ids[4])].values, Vec3(0, 1, 0));
    run.steps(1);
    CHECK(!any_asleep(run.state));
    CHECK(run.figures.passes > 0);
    run.seconds(0.05);
    CHECK(run.gap() < 1e-9);
    CHECK(run.velocity(ids[3]).norm() > 1e-3);
  }
}

TEST_CASE("What sleeps on a joint wakes where that lets go or takes hold", "[joint][sleep]") {
  for (const bool then : {false, true}) {
    JointWorld world;
    world.floor();
    // Beyond the edge of a block that stands hangs a box on one that lies.
    const Id block = world.add(World::box(Vec3(1, 1, 1), Vec3(0, 0.5, 0), 100));
    const Id lies = world.add(World::box(Vec3(0.6, 0.2, 0.2), Vec3(0.1, 1.1, 0), 5));
    const Id hangs = world.add(World::box(Vec3(0.2, 0.2, 0.2), Vec3(then ? 0.2 : 0.7, then ? 1.3 : 1.1, 0), 0.5));
    world.joined(JointKind::fixed, lies, hangs, Vec3(then ? 0.2 : 0.55, 1.15, 0));
    JointRun run(world);
    Switch told;
    told.at = static_cast<std::int64_t>(2 / run.model->step);
    told.then = then;
    std::const_pointer_cast<Model>(run.model)->director = std::make_shared<Switch>(told);
    run.seconds(2 - 2 * run.model->step);
    INFO(then << ", block " << run.at(block).centre.y());
    CHECK(all_asleep(run.state));
    const double height = run.at(hangs).centre.y();
    CHECK(height > 1.05);
    run.steps(4);
    CHECK((run.readings.size() == 1) == then);
    run.seconds(0.3);
    if (then)
      CHECK(run.at(hangs).centre.y() == Approx(height).margin(1e-4));
    else
      CHECK(run.at(hangs).centre.y() < height - 0.3);
  }
}

TEST_CASE("Random linkages fall asleep where nothing drives them, and gain nothing by it", "[joint][sleep]") {
  constexpr std::uint64_t kFirstSeed = 20261129;
  const int count = rounds(24, 4);
  int slept = 0;
  for (int k = 0; k < count; ++k) {
    const std::uint64_t seed = kFirstSeed + static_cast<std::uint64_t>(k);
    INFO("seed " << seed);
    reference::Dice dice(seed);
    JointWorld world;
    world.scene.settings.substeps = 2 << static_cast<int>(dice.uniform(0, 2));
    world.floor(0.8, 0);
    const JointKind kinds[] = {JointKind::ball, JointKind::hinge, JointKind::slider, JointKind::fixed};
    std::vector<Id> ids;
    std::vector<Vec3> at;
    const int bodies = 2 + static_cast<int>(dice.uniform(0, 4));
    for (int b = 0; b < bodies; ++b) {
      at.push_back(Vec3(0.5 * b, 0.3, 0) + 0.03 * dice.vector());
      Object o = World::box(Vec3(dice.uniform(0.2, 0.4), dice.uniform(0.1, 0.2), dice.uniform(0.1, 0.3)), at.back(),
                            std::pow(10, dice.uniform(-1, 1)));
      o.material.substance.restitution = 0;
      o.transform.rotation = exp_rotation(0.2 * dice.vector());
      ids.push_back(world.add(o));
      if (b == 0) continue;
      const auto other = static_cast<std::size_t>(dice.uniform(0, b));
      world.add_joint(kinds[static_cast<int>(dice.uniform(0, 4))], ids[other], ids.back(),
                      0.5 * (at[other] + at.back()), exp_rotation(dice.vector()));
    }
    JointRun run(world);
    double energy = run.energy(), given = 0;
    const int steps = static_cast<int>(4 / run.model->step);
    for (int n = 0; n < steps && !all_asleep(run.state); ++n) {
      const StepReport report = run.step();
      REQUIRE(report.ok);
      for (const ContactGift& gift : report.gifts) given += gift.energy();
      CHECK(run.energy() < energy + given + 1e-9);
    }
    if (!all_asleep(run.state)) continue;
    ++slept;
    run.steps(1);
    const std::vector<double> before = numbers(run);
    JointRun other(world, 2);
    other.state = run.state;
    other.steps(20);
    run.steps(20);
    CHECK(numbers(run) == before);
    CHECK(numbers(other) == before);
    const std::size_t struck = run.index(ids[static_cast<std::size_t>(dice.uniform(0, bodies))]);
    run.model->bodies[struck].add_velocity(run.state.bodies[struck].values, dice.vector());
    energy = run.energy();
    run.steps(1);
    CHECK(!any_asleep(run.state));
    for (int n = 0; n < 60; ++n) {
      run.steps(1);
      CHECK(run.energy() < energy + 1e-9);
    }
  }
  INFO(slept << " of " << count << " slept");
  CHECK(slept >= count / 2);
}

}  // namespace sleeping_linkage_test
