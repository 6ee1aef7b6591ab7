// What comes to rest, and when: stacks of unequal masses, damped soft boxes at any number of sub-steps; and that an island takes no
// notice of what happens elsewhere.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/sim/elastic/modes.h"
#include "core/sim/elastic/setup.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace rest_bars_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Object soft_box(const Vec3& size, const Vec3& position, double stiffness, double damping) {
  Object o = World::box(size, position, 2);
  o.body.kind = BodyKind::flexible;
  o.analysis.kind = AnalysisKind::box_grid;
  o.analysis.size = size;
  o.body.stiffness_source = StiffnessSource::given;
  o.body.stiffness = stiffness;
  o.body.damping = damping;
  return o;
}

double fastest_node(const Run& run, Id id) {
  const hazumi::Body& body = run.model->bodies[run.index(id)];
  std::vector<Vec3> u(body.truss.nodes.size());
  flexible(body).elastic->velocities(run.state.bodies[run.index(id)].values, u);
  double most = 0;
  for (const Vec3& v : u) most = std::max(most, v.norm());
  return most;
}

/// Of the lowest mode: ω (rad/s) and its damping ratio.
std::pair<double, double> lowest_mode(const Run& run, const World& world, Id id) {
  const hazumi::Body& body = run.model->bodies[run.index(id)];
  for (const auto& o : world.scene.objects) {
    if (o->id != id) continue;
    const ElasticSolverInfo& info = *find_elastic_solver(o->body.solver);
    const auto setup = setup_of_object(info, *o, body.truss, run.model->step);
    REQUIRE(setup.ok());
    const auto system = info.linearise(*setup);
    REQUIRE(system.ok());
    const auto modes = vibration_modes(*system);
    REQUIRE(modes.ok());
    REQUIRE_FALSE(modes->modes.empty());
    const VibrationMode& m = modes->modes.front();
    return {2 * kPi * m.vibration.frequency, m.vibration.damping_ratio};
  }
  FAIL("no such object");
  return {};
}

}  // namespace

TEST_CASE("Ten boxes stand, each twice as heavy as the one below; so does one of a hundred times on nine",
          "[constraint][rest_bars][slow]") {
  for (const int substeps : {1, 2, 4, 8})
    for (const bool doubling : {true, false}) {
      World w;
      w.scene.settings.substeps = substeps;
      w.floor();
      std::vector<Id> boxes;
      for (int k = 0; k < 10; ++k) {
        const double mass = doubling ? std::pow(2.0, k) : k == 9 ? 100.0 : 1.0;
        boxes.push_back(w.add(World::box(Vec3(1, 0.5, 1), Vec3(0, 0.25 + 0.5 * k, 0), mass)));
      }
      Run run(w);
      run.seconds(9);
      double fastest = 0;
      for (int n = 0; n < 60 * substeps; ++n) {
        run.steps(1);
        for (const Id id : boxes) fastest = std::max(fastest, run.velocity(id).norm());
      }
      CAPTURE(substeps, doubling);
      CHECK(fastest < (substeps < 4 ? 1e-3 : 1e-4));  // 0: asleep, each where it was put
      for (int k = 0; k < 10; ++k) CHECK((run.at(boxes[k]).centre - Vec3(0, 0.25 + 0.5 * k, 0)).norm() < 5e-4);
    }
}

TEST_CASE("A ball that is set on the pole of a ball stays", "[constraint][rest_bars]") {
  for (const int substeps : {1, 4}) {
    World w;
    w.scene.settings.substeps = substeps;
    w.floor();
    Object low = World::sphere(0.5, Vec3(0, 0.5, 0));
    low.body.kind = BodyKind::fixed;
    w.add(low);
    const Id ball = w.add(World::sphere(0.2, Vec3(0, 1.2, 0)));
    Run run(w);
    run.seconds(10);
    CAPTURE(substeps);
    CHECK(run.velocity(ball).norm() < (substeps < 4 ? 1e-3 : 1e-4));  // 0, where it was put
    CHECK((run.at(ball).centre - Vec3(0, 1.2, 0)).norm() < 1e-3);
  }
}

TEST_CASE("A damped soft box comes to rest as fast as its lowest mode dies away, at 1, 2, 4 and 8 sub-steps",
          "[constraint][rest_bars][slow]") {
  for (const double stiffness : {1e4, 1e5, 1e6})
    for (const int substeps : {1, 2, 4, 8}) {
      World w;
      w.scene.settings.substeps = substeps;
      w.floor(0.5, 0.5);
      Object o = soft_box(Vec3(0.6, 0.4, 0.5), Vec3(0, 0.5, 0), stiffness, 0);
      // ζ = c ω/(2 k) of the lowest mode is to be 0.05.
      const double omega = [&] {
        World alone;
        const Id id = alone.add(o);
        return lowest_mode(Run(alone), alone, id).first;
      }();
      o.body.damping = 0.05 * 2 * stiffness / omega;
      o.transform.rotation = Quat(Eigen::AngleAxisd(0.1, Vec3(1, 0.3, 0.2).normalized()));
      const Id id = w.add(o);
      Run run(w);
      const auto [lowest, ratio] = lowest_mode(run, w, id);
      REQUIRE(ratio == Approx(0.05).epsilon(0.02));
      double hit = 0;
      while (run.events.empty()) {
        run.steps(1);
        hit = std::max(hit, run.velocity(id).norm());
      }
      run.seconds(2 + std::log(hit / 1e-4) / (ratio * lowest));
      double fastest = 0;
      for (int n = 0; n < 60 * substeps; ++n) {
        run.steps(1);
        fastest = std::max(fastest, fastest_node(run, id));
      }
      CAPTURE(stiffness, substeps, lowest, hit);
      CHECK(fastest < 1e-4);  // 2.5e-5 at 1e6 N/m and one sub-step; else 0: asleep
    }
}

TEST_CASE("The bits of an island do not depend on other islands", "[constraint][rest_bars]") {
  World full;
  full.scene.settings.substeps = 2;
  full.floor();
  std::vector<Id> far;
  for (int k = 0; k < 6; ++k)  // they come first, so that every number of the others moves
    far.push_back(full.add(World::box(Vec3(0.4, 0.3, 0.4), Vec3(30 + 0.02 * k, 0.2 + 0.31 * k, 30), 1 + k)));
  far.push_back(full.add(World::jelly(0.4, Vec3(33, 0.6, 30), 1500)));
  std::vector<Id> near;
  for (int k = 0; k < 3; ++k) {
    Object o = World::box(Vec3(0.4, 0.3, 0.4), Vec3(0.03 * k, 0.3 + 0.35 * k, 0), 1 + k);
    o.body.spin = Vec3(0, 2, 1);
    near.push_back(full.add(o));
  }
  near.push_back(full.add(World::sphere(0.2, Vec3(0.1, 1.6, 0.05))));
  Object jelly = World::jelly(0.3, Vec3(0.5, 2.2, 0), 2000);
  jelly.body.spin = Vec3(1, 0, 2);
  near.push_back(full.add(jelly));
  near.push_back(full.add(soft_box(Vec3(0.5, 0.4, 0.4), Vec3(-0.6, 0.5, 0.1), 1e4, 1)));

  World alone = full;
  std::erase_if(alone.scene.objects,
                [&](const auto& o) { return std::find(far.begin(), far.end(), o->id) != far.end(); });
  Run with(full, 2), without(alone);
  for (int n = 0; n < test::rounds(300, 120); ++n) {
    with.steps(1);
    without.steps(1);
    for (const Id id : near)
      REQUIRE(with.state.bodies[with.index(id)].values == without.state.bodies[without.index(id)].values);
  }
  CHECK_FALSE(without.touching.empty());
}

TEST_CASE("The bits of a run do not depend on the order in which objects stand in the scene",
          "[constraint][rest_bars]") {
  World made;
  made.scene.settings.substeps = 2;
  made.floor();
  for (int k = 0; k < 4; ++k)
    made.add(World::box(Vec3(0.4, 0.3, 0.4), Vec3(0.03 * k, 0.3 + 0.35 * k, 0.01 * k), 1 + k));
  made.add(World::sphere(0.2, Vec3(0.1, 2, 0.05)));
  made.add(World::jelly(0.3, Vec3(0.4, 2.6, 0), 2000));
  made.add(soft_box(Vec3(0.5, 0.4, 0.4), Vec3(-0.5, 0.5, 0.1), 1e4, 1));
  World turned = made;
  std::reverse(turned.scene.objects.begin(), turned.scene.objects.end());
  Run run(made), other(turned, 2);
  for (int n = 0; n < test::rounds(300, 120); ++n) {
    run.steps(1);
    other.steps(1);
    for (const auto& o : made.scene.objects)
      REQUIRE(run.state.bodies[run.index(o->id)].values == other.state.bodies[other.index(o->id)].values);
  }
  CHECK_FALSE(run.touching.empty());
}

}  // namespace rest_bars_test
