// Contact that is directed: so deep, or so many frames.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/graph.h"

namespace squash_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Seen {
  double frames = 0, depth = 0, back = 0;  ///< touched for; of its height, %; speed after for speed before
  double given = 0;
};

/// A soft ball that falls on the floor at `speed`.
Seen watch(const Numbers& numbers, double speed, double radius, double stiffness, int substeps, bool print = false) {
  World world;
  world.scene.settings.substeps = substeps;
  const Id floor = world.floor(0.5, 0.3);
  Object o = World::jelly(radius, Vec3(0, radius + 0.05, 0), stiffness, 1);
  o.body.damping = 0.05 * std::sqrt(stiffness);
  o.body.velocity = Vec3(0, -std::sqrt(speed * speed - 2 * 9.80665 * 0.05), 0);
  const Id ball = world.add(o);
  Graph graph(world);
  graph.wire(graph.when("time", ball, {{"time", 0}}), graph.does("squash", ball, numbers, floor));
  MotionRun run(world);
  const std::size_t i = run.index(ball);
  Seen seen;
  double first = -1, last = -1, lowest = 1e9;
  const double h = run.model->step;
  for (int k = 0; k < 1.2 / h; ++k) {
    StepReport report = run.step();
    REQUIRE(report.ok);
    seen.given += report.given;
    bool touches = false;
    double impulse = 0;
    for (const ContactMark& m : report.marks) impulse += m.impulse.norm();
    touches = impulse > 0;
    const double now = (k + 1) * h;
    if (touches && first < 0) first = now - h;
    if (touches && (last < 0 || now - last < 2.5 * h)) last = now;
    std::vector<Vec3> x(run.model->bodies[i].truss.nodes.size());
    run.model->bodies[i].positions(run.state.bodies[i].values, x);
    double low = 1e9, high = -1e9;
    for (const Vec3& p : x) low = std::min(low, p.y()), high = std::max(high, p.y());
    const double c = run.at(ball).centre.y();
    lowest = std::min(lowest, c);
    if (print && first >= 0 && now < last + 0.02)
      std::printf("%.4f c %.4f v %.3f height %.4f F %.1f\n", now - first, c, run.velocity(ball).y(), high - low, impulse / h);
    if (last > 0 && now - last > 2.5 * h) {
      seen.back = std::max(seen.back, run.velocity(ball).y() / speed);
      if (now - last > 0.05) break;
    }
  }
  seen.frames = (last - first) * 60;
  seen.depth = 100 * (1 - lowest / radius);
  return seen;
}

}  // namespace

TEST_CASE("probe", "[.probe]") {
  const bool print = std::getenv("PRINT") != nullptr;
  for (const double k : {2e3, 2e4})
    for (const double v : {2.0, 5.0, 10.0})
      for (const double d : {10.0, 30.0, 50.0}) {
        const Seen s = watch({{"by", 0}, {"depth", d}, {"restitution", 0.7}}, v, 0.5, k, 4, print);
        std::printf("k %g v %g depth %g: frames %.2f depth %.1f back %.2f given %.1f\n", k, v, d, s.frames, s.depth, s.back, s.given);
      }
}

}  // namespace squash_test
