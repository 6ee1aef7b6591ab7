// Rigid bodies whose analysis model is pinned: ball joint, hinge, held.
#include "core/sim/body/pinned_body.h"
#include "core/sim/body/rigid_values.h"
#include "tests/support/run.h"
#include "tests/support/swings.h"

namespace pinned_rigid_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// A body with nodes at the given places (object frame), pinned.
Object pinned(Object o, const std::vector<Vec3>& pins) {
  StrungTruss truss;
  for (const Vec3& p : pins) truss.nodes.push_back({p, 1, true});
  truss.nodes.push_back({Vec3(0, -0.05, 0), 1, false});
  for (std::uint32_t i = 0; i + 1 < truss.nodes.size(); ++i)
    truss.springs.push_back({i, static_cast<std::uint32_t>(truss.nodes.size() - 1), 1, 1, 1});
  o.analysis = {"Pins",       AnalysisKind::strung, {1, 1, 1},
                Vec3::Ones(), Vec3::Zero(),         std::make_shared<const StrungTruss>(truss)};
  return o;
}

/// Where the object-frame point is now.
Vec3 now(const Run& run, Id id, const Vec3& p) {
  const std::size_t i = run.index(id);
  return read_rigid(run.state.bodies[i].values).pose * (p - run.model->bodies[i].mesh_origin);
}

}  // namespace

TEST_CASE("A rigid body on a pin is a pendulum, on two a hinge", "[pinned_rigid]") {
  for (const bool hinge : {false, true})
    for (const double angle : {0.05, 1.1}) {
      World world;
      const double length = 0.8;
      std::vector<Vec3> pins = {Vec3(0, length, 0)};
      if (hinge) pins.push_back(Vec3(0, length, 0.5));
      Object o = pinned(World::box(Vec3(0.2, 0.3, 0.4), Vec3::Zero(), 2), pins);
      o.transform.rotation = Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ()));
      o.transform.position = Vec3(length * std::sin(angle), 3 - length * std::cos(angle), 0);
      const Id id = world.add(o);
      Run run(world);
      const Vec3 place = now(run, id, pins[0]), second = now(run, id, pins.back());
      const double start = run.energy();
      Crossings crossings(run.model->step, run.at(id).centre.x());
      double gap = 0, off = 0;
      for (int n = 1; n <= 20 * 240; ++n) {
        REQUIRE(run.step().ok);
        crossings.add(run.at(id).centre.x());
        gap = std::max({gap, (now(run, id, pins[0]) - place).norm(), (now(run, id, pins.back()) - second).norm()});
        off = std::max(off, std::abs(run.energy() - start));
      }
      const double inertia = 2 * (0.04 + 0.09) / 12 + 2 * length * length;
      const double exact = 2 * kPi * std::sqrt(inertia / (2 * 9.80665 * length)) * amplitude_factor(angle);
      INFO("hinge " << hinge << " angle " << angle);
      CHECK(std::abs(crossings.period() / exact - 1) < 5e-5);
      CHECK(gap < 1e-12);
      CHECK(off < 1.2e-5 * 2 * 9.80665 * length * (1 - std::cos(angle)));
    }
}

TEST_CASE("On one pin without gravity the angular momentum about it stays", "[pinned_rigid]") {
  World world;
  Object o = pinned(World::box(Vec3(0.2, 0.6, 0.4), Vec3::Zero(), 2), {Vec3(0.1, 0.5, 0)});
  o.body.gravity = false;
  o.body.spin = Vec3(1, 2, 3);
  o.body.velocity = Vec3(0.3, 0, 1);
  const Id id = world.add(o);
  Run run(world);
  const auto about_pin = [&] {
    const Observables seen = run.at(id);
    return Vec3(seen.angular_momentum + (seen.centre - Vec3(0.1, 0.5, 0)).cross(seen.momentum));
  };
  const Vec3 start = about_pin();
  const double energy = run.at(id).kinetic_energy;
  run.steps(10000);
  CHECK((about_pin() - start).norm() < 1.5e-11 * start.norm());
  CHECK(run.at(id).kinetic_energy == Approx(energy).epsilon(2e-7));
}

TEST_CASE("Three pins hold a rigid body, and contact pushes no pin", "[pinned_rigid]") {
  World world;
  world.floor();
  const Id shelf = world.add(pinned(World::box(Vec3(1, 0.1, 1), Vec3(0, 1, 0), 2),
                                    {Vec3(-0.5, 0, 0), Vec3(-0.5, 0, 0.3), Vec3(-0.5, 0.05, 0)}));
  const Id ball = world.add(World::sphere(0.15, Vec3(0.2, 1.5, 0), 0.6));
  const std::vector<Vec3> line = {Vec3(-0.5, 0, -0.4), Vec3(-0.5, 0, 0.4)};
  const Id flap = world.add(pinned(World::box(Vec3(1, 0.1, 1), Vec3(3, 0.45, 0), 2), line));
  const Id dropped = world.add(World::sphere(0.15, Vec3(3.3, 1.5, 0), 0.6));
  Run run(world);
  const State before = run.state;
  const double start = run.energy();
  double gap = 0, highest = start;
  for (int n = 0; n < 6 * 240; ++n) {
    REQUIRE(run.step().ok);
    for (const Vec3& p : line) gap = std::max(gap, (now(run, flap, p) - (p + Vec3(3, 0.45, 0))).norm());
    highest = std::max(highest, run.energy());
  }
  CHECK(run.state.bodies[run.index(shelf)].values == before.bodies[run.index(shelf)].values);
  CHECK(run.at(ball).centre.y() == Approx(1.2).margin(2e-5));
  CHECK(run.velocity(ball).norm() < 1e-12);
  CHECK(gap < 1e-12);
  CHECK(highest < start + 1e-6 * std::abs(start));
  CHECK(run.at(flap).centre.y() < 0.4);  // its free edge has come down to the floor
  CHECK(run.at(flap).centre.y() > 0.15);
  CHECK(run.at(dropped).centre.y() > 0.1499);
}

TEST_CASE("Pinned rigid bodies go on from a saved state bit for bit", "[pinned_rigid]") {
  World world;
  world.floor();
  for (int i = 0; i < 4; ++i) {
    world.add(pinned(World::box(Vec3(0.4, 0.1, 0.4), Vec3(i, 1, 0), 1), {Vec3(-0.3, 0.2, 0)}));
    world.add(World::sphere(0.1, Vec3(i + 0.1, 1.5, 0), 0.5));
  }
  Run a(world, 1), b(world, 4);
  a.steps(200);
  REQUIRE(restore(save(a.state), b.state));
  a.steps(200);
  b.steps(200);
  CHECK(hash(a.state) == hash(b.state));
}

}  // namespace pinned_rigid_test
