// Piles of many boxes: they come to rest with few sweeps a sub-step, sleep then, and wake when something comes.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/sim/constraint/cone_support.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace pile_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// side × side × layers boxes of half a metre, each turned a little, that fall onto each other.
World loose_boxes(int side, int layers, std::vector<Id>& boxes) {
  World w;
  w.scene.settings.substeps = 4;
  w.floor();
  for (int y = 0; y < layers; ++y)
    for (int x = 0; x < side; ++x)
      for (int z = 0; z < side; ++z) {
        const int k = static_cast<int>(boxes.size());
        const Vec3 off = 0.03 * Vec3(std::sin(3.0 * k), 0, std::cos(5.0 * k));
        Object o = World::box(Vec3(0.5, 0.5, 0.5), Vec3(0.52 * x, 0.3 + 0.55 * y, 0.52 * z) + off);
        o.transform.rotation = Quat(Eigen::AngleAxisd(0.2 * std::sin(7.0 * k), Vec3(1, 2, k % 3).normalized()));
        boxes.push_back(w.add(o));
      }
  return w;
}

double fastest(const Run& run, const std::vector<Id>& boxes) {
  double most = 0;
  for (const Id id : boxes) most = std::max(most, run.velocity(id).norm());
  return most;
}

}  // namespace

TEST_CASE("With as many sweeps momentum leaves less of a pile than gradients do", "[cone][pile]") {
  using namespace cone_test;
  const Island island = pile(12, 0.5);
  const IslandByParts by_parts(island);
  const auto left = [&](ConeMethod method) {
    ConeWorkspace workspace;
    std::vector<Vec3> impulse(island.rows.size(), Vec3::Zero());
    solve_cone(by_parts.view(), {.method = method, .most_passes = 100}, workspace, impulse);
    // What one more sweep changes says how far it is from the solution.
    return solve_cone(by_parts.view(), {.method = ConeMethod::sweep, .most_passes = 1}, workspace, impulse).change;
  };
  const double momentum = left(ConeMethod::momentum), gradients = left(ConeMethod::gradients);
  CAPTURE(momentum, gradients);
  CHECK(momentum < 0.5 * gradients);
}

TEST_CASE("A heap of sixty boxes comes to rest and sleeps; a ball wakes it", "[constraint][pile][slow]") {
  std::vector<Id> boxes;
  World w = loose_boxes(4, 4, boxes);
  Object thrown = World::sphere(0.2, Vec3(0.8, 60, 0.8));
  const Id ball = w.add(thrown);
  Run run(w);
  const double start = run.energy();
  bool large = false;
  int woken = 0, slept = 0;
  std::vector<double> at_rest;
  for (int n = 0; n < 240 * 5; ++n) {
    const StepReport report = run.step();
    REQUIRE(report.ok);
    large = large || report.figures.rows > 100;
    const std::vector<double>& values = run.state.bodies[run.index(boxes[0])].values;
    if (report.figures.rows == 0 && !report.touching.empty()) {  // all but the ball
      CHECK(fastest(run, boxes) == 0);
      if (slept++ > 0 && woken == 0) CHECK(values == at_rest);  // bit by bit
      at_rest = values;
    } else if (slept > 0) {
      ++woken;
      at_rest = values;
    }
  }
  CHECK(large);
  CHECK(slept > 100);
  CHECK(woken > 0);
  CHECK(run.energy() < start);
  CHECK(run.at(ball).centre.y() > 0.15);
}

TEST_CASE("What a sleeping box stands on is taken away, and it falls", "[constraint][pile]") {
  World w;
  w.scene.settings.substeps = 4;
  w.floor();
  const Id low = w.add(World::box(Vec3(1, 0.5, 1), Vec3(0, 0.25, 0)));
  const Id high = w.add(World::box(Vec3(0.5, 0.5, 0.5), Vec3(0, 0.75, 0)));
  Run run(w);
  run.seconds(2);
  REQUIRE(run.velocity(high) == Vec3::Zero());
  // The lower one is given a speed: its island wakes with it.
  std::vector<double>& values = run.state.bodies[run.index(low)].values;
  values[7] = 8 * run.at(low).mass;
  run.seconds(2);
  CHECK(run.at(high).centre.y() < 0.3);
}

TEST_CASE("A pile sleeps and wakes the same on any number of threads", "[constraint][pile][threads]") {
  std::vector<Id> boxes;
  World w = loose_boxes(3, 4, boxes);
  w.add(World::sphere(0.2, Vec3(0.5, 40, 0.5)));
  Run one(w, 1), three(w, 3);
  for (int n = 0; n < 240 * test::rounds(4, 1); ++n) {
    one.steps(1);
    three.steps(1);
    REQUIRE(hash(one.state) == hash(three.state));
  }
  CHECK_FALSE(one.touching.empty());
}

TEST_CASE("Two hundred boxes come to rest", "[constraint][pile][slow]") {
  std::vector<Id> boxes;
  Run run(loose_boxes(6, 6, boxes));
  run.seconds(10);
  CHECK(fastest(run, boxes) < 1e-4);
  double lowest = 1;
  for (const Id id : boxes) lowest = std::min(lowest, run.at(id).centre.y());
  CHECK(lowest > 0.2499);
}

}  // namespace pile_test
