// What taking overlaps out drives into something else. A sub-step that ends an impact goes on into what it meets for half a sub-step's
// way, and is moved out by as much; a wall that it is moved into is found where it is then, and its row has to say where the body was
// without that (contacts.cpp). First, its gap was that of the place moved to with the way of the one before: balls ended up to half a
// sub-step's way before the wall.
#include <cmath>

#include "tests/sim/reference/dense.h"
#include "tests/support/run.h"

namespace lift_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr std::uint64_t kFirstSeed = 61000;

/// A wedge: a slope that a ball is thrown on, in touch with it, and a wall beside it. The distance from the wall after one sub-step, m.
struct Wedge {
  double radius, incline, speed, room;

  double after(bool with_wall, double* gain = nullptr) const {
    World w;
    w.scene.settings.substeps = 1;
    const auto block = [&](const Vec3& at, const Quat& turn) {
      Object o = World::box(Vec3(4, 4, 4), at);
      o.body.kind = BodyKind::fixed;
      o.transform.rotation = turn;
      o.material.substance.friction = o.material.substance.restitution = 0;
      w.add(o);
    };
    const Quat turn(Eigen::AngleAxisd(-incline, Vec3::UnitZ()));
    block(turn * Vec3(0, -2, 0), turn);
    Object o = World::sphere(radius, turn * Vec3(0, radius, 0));
    const double wall = o.transform.position.x() + radius + room;
    if (with_wall) block(Vec3(wall + 2, 0, 0), Quat::Identity());
    o.body.velocity = Vec3(0, -speed, 0);
    o.material.substance.friction = o.material.substance.restitution = 0;
    const Id ball = w.add(o);
    Run run(w);
    const double start = run.energy();
    run.steps(1);
    if (gain) *gain = run.energy() - start;
    return wall - run.at(ball).centre.x() - radius;
  }
};

Wedge wedge_of(std::uint64_t seed) {
  reference::Dice dice(seed);
  Wedge wedge;
  wedge.radius = dice.uniform(0.05, 0.3);
  wedge.incline = dice.uniform(0.3, 1.2);
  wedge.speed = dice.uniform(3, 15);
  // How far it goes sideways in a sub-step, and how far it is moved out besides: the wall is met by that alone.
  const double h = 1.0 / 60, way = 0.5 * wedge.speed * h * std::sin(wedge.incline) * std::cos(wedge.incline);
  wedge.room = way * dice.uniform(1.05, 1.95);
  return wedge;
}

}  // namespace

TEST_CASE("a ball that is moved out of a slope into a wall ends at the wall", "[contact][random]") {
  int met = 0;
  double worst_in = 0, worst_out = 0;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + 200; ++seed) {
    const Wedge wedge = wedge_of(seed);
    double gain = 0;
    const double alone = wedge.after(false), gap = wedge.after(true, &gain);
    CAPTURE(seed, wedge.radius, wedge.incline, wedge.speed, wedge.room, alone, gap);
    CHECK(gain < 1e-9);
    if (alone > -1e-3) continue;
    ++met;
    worst_in = std::max(worst_in, -gap);
    worst_out = std::max(worst_out, gap);
    CHECK(std::abs(gap) < 5e-4);
  }
  std::printf("seeds from %llu: %d met, in %.2g m, before it %.2g m\n", static_cast<unsigned long long>(kFirstSeed),
              met, worst_in, worst_out);
  CHECK(met > 100);
}

}  // namespace lift_test
