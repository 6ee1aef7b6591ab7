// Pulls (spec 6.5): a hand is a damped spring to a place that goes; its work is booked, and it feels the same whatever it holds.
#include <algorithm>
#include <cmath>

#include "core/scene/derived/joint_faults.h"
#include "core/scene/validate.h"
#include "tests/sim/joint/pull_support.h"

namespace pull_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// About its place and away from it.
void wave(PulledWorld& world, Id pull, const Vec3& from, double size = 0.4, double seconds = 1) {
  for (int k = 0; k <= static_cast<int>(20 * seconds); ++k) {
    const double t = 0.05 * k;
    world.go(pull, t, from + size * Vec3(std::sin(7 * t), 1 - std::cos(5 * t), 0.5 * std::sin(11 * t)));
  }
}

}  // namespace

TEST_CASE("A body gains what its pull is booked with", "[joint][pull]") {
  for (const Pulled& one : pulled_bodies()) {
    PulledWorld world;
    Object object = one.object;
    object.body.damping = 0;
    if (object.body.kind != BodyKind::point) object.body.spin = Vec3(1, 2, -0.5);
    const Id body = world.add(object);
    const Id pull = world.pull(body, one.place);
    wave(world, pull, one.place);
    PulledRun run(world);
    REQUIRE(!run.model->joints.empty());
    const double energy = run.energy();
    double most = 0, scale = 0;
    for (int n = 0; n < 240; ++n) {
      run.steps(1);
      most = std::max(most, std::abs(run.energy() - energy - run.work + run.figures.met));
      scale = std::max(scale, std::abs(run.work));
    }
    INFO(one.what << ": off by " << most << " J of " << scale << ", met " << run.figures.met << ", passes "
                  << run.figures.passes / 240.0 << ", stayed " << run.figures.stayed);
    CHECK(scale > 0.1);
    CHECK(run.figures.stayed == 0);
    CHECK(most < 1e-9 * (1 + scale));
    CHECK(run.figures.springs == 0);
  }
}

TEST_CASE("What hangs on a pull hangs g/ω² below it", "[joint][pull]") {
  const double rate = 3, sag = 9.80665 / std::pow(2 * kPi * rate, 2);
  for (const Pulled& one : pulled_bodies()) {
    const bool soft = one.what == "flexible, between nodes";
    if (!soft && one.what != "point" && one.what != "rigid, by its middle") continue;
    PulledWorld world;
    Object object = one.object;
    object.body.damping = 20;
    const Vec3 place =
        soft ? Vec3(object.transform.position + Vec3(0, 0.15, 0)) : one.place;  // above its middle: it does not swing
    world.pull(world.add(object), place, rate);
    PulledRun run(world);
    run.seconds(soft ? 6 : 3);
    INFO(one.what << ": " << (place - run.held()).transpose() << ", should be " << sag);
    CHECK(place.y() - run.held().y() == Approx(sag).epsilon(soft ? 1e-6 : 1e-9));
    CHECK(run.readings.at(0).force == Approx(2 * 9.80665).epsilon(soft ? 1e-6 : 1e-9));
  }
}

TEST_CASE("A pull feels the same whatever the mass", "[joint][pull]") {
  std::vector<std::vector<Vec3>> ways;
  for (const double mass : {1e-3, 1.0, 1e3}) {
    PulledWorld world;
    world.scene.settings.gravity.setZero();
    const Vec3 at(0, 2, 0), place = at + Vec3(0.2, 0.1, 0);
    Object box = World::box(Vec3(0.5, 0.3, 0.4), at, mass);
    box.contact.enabled = false;
    const Id body = world.add(box);
    wave(world, world.pull(body, place, 4, 20), place, 3);
    PulledRun run(world);
    ways.emplace_back();
    for (int n = 0; n < 240; ++n) {
      run.steps(1);
      ways.back().push_back(run.held());
      CHECK(run.readings.at(0).force <= 20 * 9.80665 * mass * (1 + 1e-9));
    }
  }
  double off = 0;
  for (const auto& way : ways)
    for (std::size_t n = 0; n < way.size(); ++n) off = std::max(off, (way[n] - ways[1][n]).norm());
  INFO("off by " << off << " m");
  CHECK(off < 1e-9);
}

TEST_CASE("A pull comes to a place that rests without swinging about it", "[joint][pull]") {
  for (const int substeps : {1, 4, 16})
    for (const double rate : {1.0, 4.0, 30.0}) {
      PulledWorld world;
      world.scene.settings.substeps = substeps;
      world.scene.settings.gravity.setZero();
      Object ball = World::sphere(0.1, Vec3(0, 2, 0), 1);
      ball.contact.enabled = false;
      const Id pull = world.pull(world.add(ball), Vec3(0, 2, 0), rate);
      world.go(pull, 0, Vec3(1, 2, 0));
      PulledRun run(world);
      double beyond = 0;
      const int steps = static_cast<int>(2 / run.model->step);
      for (int n = 0; n < steps; ++n) {
        run.steps(1);
        beyond = std::max(beyond, run.held().x() - 1);
      }
      INFO(substeps << " sub-steps, " << rate << " Hz: beyond by " << beyond << " m");
      // Of first order: less the finer the steps are.
      CHECK(beyond < 0.03 * std::pow(rate / 30 * 4 / substeps, 2) + 1e-9);
      CHECK(std::abs(run.held().x() - 1) < 1e-3);
      CHECK(run.energy() < 1e-6);
    }
}

TEST_CASE("However strong it is pulled, no node rings", "[joint][pull]") {
  PulledWorld world;
  world.scene.settings.gravity.setZero();
  Object soft = World::jelly(0.3, Vec3(0, 2, 0), 200, 1);
  soft.body.damping = 5;
  soft.contact.enabled = false;
  MeshStore meshes;
  const Vec3 place = Vec3(0, 2, 0) + object_truss(soft, *meshes.mesh(soft)).nodes[3];
  const Id pull = world.pull(world.add(soft), place, 30);
  world.go(pull, 0, place);
  world.go(pull, 1, place + Vec3(1, 0, 0));
  PulledRun run(world);
  Vec3 last = run.held(), rate = Vec3::Zero();
  int turns = 0;
  for (int n = 0; n < 200; ++n) {
    run.steps(1);
    const Vec3 now = (run.held() - last) / run.model->step;
    if (n > 20 && std::abs(now.x() - rate.x()) > 0.05) ++turns;
    last = run.held();
    rate = now;
  }
  CHECK(turns == 0);
  CHECK(rate.x() == Approx(1).epsilon(0.1));
}

TEST_CASE("What sleeps wakes when it is pulled, and goes on when it is let go", "[joint][pull]") {
  for (const bool pulled : {false, true}) {
    PulledWorld world;
    world.floor();
    const Id body = world.add(World::box(Vec3::Constant(0.4), Vec3(0, 0.2, 0), 1));
    const Id pull = world.pull(body, Vec3(0, 0.2, 0));
    world.turn(pull, 0, false);
    if (pulled) {
      world.turn(pull, 2, true);
      world.turn(pull, 2.5, false);
      world.go(pull, 2, Vec3(0, 0.2, 0));
      world.go(pull, 2.5, Vec3(2, 1.2, 0));
    }
    PulledRun run(world);
    run.seconds(2);
    CHECK(run.velocity(body).norm() < 1e-6);
    run.seconds(0.5);
    if (!pulled) {
      CHECK(run.work == 0);
      continue;
    }
    CHECK(run.work > 5);
    CHECK(run.at(body).centre.y() > 0.6);
    CHECK(run.velocity(body).x() > 2);
    const double work = run.work, x = run.at(body).centre.x();
    run.seconds(0.1);
    CHECK(run.work == work);
    CHECK(run.at(body).centre.x() > x + 0.2);
  }
}

TEST_CASE("A pull pushes against what is in its way, and nothing gains but by it", "[joint][pull]") {
  for (const Pulled& one : pulled_bodies(1)) {
    PulledWorld world;
    world.floor(0.5, 0.5);
    Object object = one.object;
    object.contact.enabled = true;
    const Id body = world.add(object);
    Object heap = World::box(Vec3::Constant(0.4), Vec3(0.9, 0.2, 0), 2);
    world.add(heap);
    const Id pull = world.pull(body, one.place, 4, 20);
    world.go(pull, 0, one.place);
    world.go(pull, 0.5, Vec3(0.4, 0, 0));
    world.go(pull, 1, Vec3(2, -0.2, 0));
    PulledRun run(world);
    const double energy = run.energy();
    double gain = 0;
    for (int n = 0; n < 360; ++n) {
      run.steps(1);
      gain = std::max(gain, run.energy() - energy - run.work);
    }
    INFO(one.what << ": gained " << gain << " J of " << run.work);
    CHECK(gain < 1e-9 * (1 + std::abs(run.work)));
    if (one.what.find("pin") == std::string::npos) CHECK(run.at(body).centre.y() < 1);
  }
}

TEST_CASE("What hangs on pins stays on them while it is pulled", "[joint][pull]") {
  for (const Pulled& one : pulled_bodies()) {
    if (one.what != "on a pin" && one.what != "on two pins") continue;
    PulledWorld world;
    const Id body = world.add(one.object);
    const Id pull = world.pull(body, one.place);
    wave(world, pull, one.place, 1);
    world.turn(pull, 0, true);
    world.turn(pull, 0.7, false);
    PulledRun run(world);
    const std::vector<Vec3> start = run.nodes(0);
    double off = 0, moved = 0;
    for (int n = 0; n < 360; ++n) {
      const double energy = run.energy(), work = run.work;
      run.steps(1);
      const std::vector<Vec3> now = run.nodes(0);
      for (const std::uint32_t pin : run.model->bodies[0].truss.pinned)
        off = std::max(off, (now[pin] - start[pin]).norm());
      moved = std::max(moved, (now[7] - start[7]).norm());
      if (n < 168) CHECK(std::abs(run.energy() - energy - (run.work - work)) < 1e-9);
      if (n == 168) CHECK(run.energy() - energy < 1e-6);  // let go: what pins take is lost, nothing comes
    }
    INFO(one.what << ": off its pins by " << off << ", moved by " << moved);
    CHECK(off < 1e-9);
    CHECK(moved > 0.2);
  }
}

TEST_CASE("A pull on what cannot move, or faster than a hand, says so in one sentence", "[joint][pull]") {
  PulledWorld still;
  const Id floor = still.floor();
  still.pull(floor, Vec3(0, 0, 0));
  const std::vector<FaultyJoint> faults = joint_faults(still.scene);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].message == "floor does not move, so Joint 2 pulls nothing.");

  PulledWorld held;
  Object box = on_pins(World::box(Vec3::Constant(0.3), Vec3(0, 1, 0)), {0, 1, 2, 3});
  box.name = "Sign";
  held.pull(held.add(box), box.transform.position);
  MeshStore meshes;
  const auto model = compile(held.scene, meshes);
  REQUIRE(model.ok());
  CHECK((*model)->joints.empty());
  const auto told = [&](const char* words) {
    return std::any_of(model.diagnostics().begin(), model.diagnostics().end(),
                       [&](const Diagnostic& d) { return d.message.find(words) != std::string::npos; });
  };
  CHECK(told("\"Sign\" cannot move on its pins"));

  PulledWorld hasty;
  const Id ball = hasty.add(World::sphere(0.2, Vec3(0, 1, 0), 1));
  const Id pull = hasty.pull(ball, Vec3(0, 1, 0));
  hasty.go(pull, 0, Vec3(0, 1, 0));
  hasty.go(pull, 0.5, Vec3(0, 6000, 0));
  const std::vector<FaultyJoint> fast = joint_faults(hasty.scene);
  REQUIRE(fast.size() == 1);
  CHECK(fast[0].message == "The target of Joint 2 goes faster than 10,000 m/s to its key at 0.5 s; it pulls nothing.");
  PulledRun run(hasty);
  run.seconds(1);
  CHECK(run.work == 0);
  hasty.go(pull, 0.5, Vec3(0, 4000, 0));
  CHECK(joint_faults(hasty.scene).empty());
  PulledRun fastest(hasty);
  fastest.seconds(1);
  CHECK(fastest.work > 0);
}

}  // namespace pull_test
