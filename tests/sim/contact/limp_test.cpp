// Cloths drawn at random fall on things drawn at random: nothing is gained, nothing goes through the floor, what lies comes to rest.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include "core/sim/body/motion.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace limp_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Draw {
  std::mt19937_64 source;
  double operator()(double low, double high) {
    return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11);
  }
  int count(int low, int high) { return low + static_cast<int>((*this)(0, high - low + 0.999)); }
  Quat turn() { return Quat((*this)(-1, 1), (*this)(-1, 1), (*this)(-1, 1), (*this)(-1, 1)).normalized(); }
};

Object cloth(const Vec3& size, std::array<int, 3> squares, double mass, double k, double damping) {
  Object o = make_object(0, "cloth", {PrimitiveShape::plane, Vec3(size.x(), 1, size.z()), squares}, Vec3::Zero(),
                         BodyKind::flexible);
  o.analysis.kind = AnalysisKind::cloth;
  o.analysis.divisions = squares;
  o.analysis.size = o.display.primitive.size;
  o.body.solver = "springs";
  o.body.mass = mass;
  o.body.stiffness = k;
  o.body.damping = damping;
  o.material.substance.restitution = 0;
  o.material.substance.friction = 0.5;
  return o;
}

struct Seen {
  double gain = 0, below = 0, fastest = 0;
};

/// `seconds` of it; heights and speeds of all that moves.
Seen watch(Run& run, double seconds) {
  Seen seen;
  const double start = run.energy();
  double scale = std::abs(start);
  for (const hazumi::Body& b : run.model->bodies)
    if (b.moves) scale += b.mass * 9.8;
  const int steps = static_cast<int>(seconds / run.model->step + 0.5);
  for (int n = 0; n < steps; ++n) {
    const StepReport report = run.step();
    if (!report.ok) FAIL(to_string(*report.failure));
    seen.gain = std::max(seen.gain, (run.energy() - start) / scale);
  }
  for (std::size_t k = 0; k < run.model->bodies.size(); ++k) {
    const hazumi::Body& b = run.model->bodies[k];
    if (!b.deforms) continue;
    std::vector<Vec3> x(b.truss.nodes.size()), v(x.size());
    b.positions(run.state.bodies[k].values, x);
    b.node_velocities(run.state.bodies[k].values, v);
    for (std::size_t i = 0; i < x.size(); ++i) {
      seen.below = std::max(seen.below, -x[i].y());
      seen.fastest = std::max(seen.fastest, v[i].norm());
    }
  }
  return seen;
}

/// A cloth, a thing or two that it falls on, and at times a ball that falls on it.
World scene(std::uint64_t seed) {
  Draw in{std::mt19937_64(seed)};
  World world;
  const int substeps[] = {1, 2, 4, 8};
  world.scene.settings.substeps = substeps[in.count(0, 3)];
  world.floor(in(0, 1), 0);
  for (int k = in.count(0, 2); k > 0; --k) {
    const Vec3 at(in(-0.4, 0.4), in(0.1, 0.4), in(-0.4, 0.4));
    Object thing = in(0, 1) < 0.5 ? World::sphere(in(0.1, 0.3), at)
                                  : World::box(Vec3(in(0.1, 0.5), in(0.1, 0.5), in(0.1, 0.5)), at);
    thing.transform.rotation = in.turn();
    thing.body.kind = BodyKind::fixed;
    thing.material.substance.restitution = 0;
    world.add(thing);
  }
  const std::array<int, 3> squares = {in.count(1, 9), 1, in.count(1, 9)};
  const double k = std::pow(10, in(1, 4.5));
  Object o =
      cloth(Vec3(in(0.3, 1.2), 1, in(0.3, 1.2)), squares, std::pow(10, in(-2, 0)), k, k * std::pow(10, in(-4, -2)));
  o.analysis.shear = in(0, 1);
  o.analysis.bending = in(0, 1) < 0.2 ? 0 : std::pow(10, in(-6, -1));
  o.contact.self_collision = in(0, 1) < 0.5;
  o.contact.thickness = in(0, 1) < 0.5 ? 0 : in(0, 0.02);
  o.transform.position = Vec3(in(-0.1, 0.1), in(1.6, 2), in(-0.1, 0.1));  // clear of what stands there
  o.transform.rotation = in.turn();
  o.body.velocity = Vec3(in(-2, 2), in(-3, 1), in(-2, 2));
  o.body.spin = Vec3(in(-3, 3), in(-3, 3), in(-3, 3));
  world.add(o);
  if (in(0, 1) < 0.3) {
    Object ball = World::sphere(in(0.05, 0.2), Vec3(0.1, 3.1, 0), std::pow(10, in(-1, 0.5)));
    ball.material.substance.restitution = in(0, 0.8);
    world.add(ball);
  }
  return world;
}

void drop(std::uint64_t first, int count) {
  Seen worst;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    CAPTURE(seed);
    Run run(scene(seed));
    const Seen seen = watch(run, 1.2);
    CAPTURE(seen.gain, seen.below, seen.fastest);
    CHECK(seen.gain < 1e-9);
    CHECK(seen.below < 0.02);
    worst.gain = std::max(worst.gain, seen.gain);
    worst.below = std::max(worst.below, seen.below);
  }
  WARN(count << " cloths: gain " << worst.gain << ", below the floor " << worst.below << " m");
}

}  // namespace

TEST_CASE("200 cloths drawn at random fall on things, gain nothing and stay above the floor",
          "[cloth][contact][slow]") {
  drop(20271201, 200);
}

TEST_CASE("The same for many more", "[.long][cloth]") { drop(20281201, 1000); }

TEST_CASE("A cloth that falls flat on the floor lies there at once and sleeps", "[cloth][contact]") {
  World world;
  world.floor(0.5, 0);
  Object o = cloth(Vec3(1, 1, 1), {12, 1, 12}, 0.3, 2000, 2);
  o.transform.position.y() = 0.02;
  const Id id = world.add(o);
  Run run(world);
  const Seen seen = watch(run, 0.5);
  CHECK(seen.gain < 1e-12);
  CHECK(seen.below < 1e-4);
  CHECK(seen.fastest == 0);
  CHECK(run.at(id).centre.y() == Approx(0).margin(1e-4));
}

TEST_CASE("Contacts of a folded cloth ask how it answers where its nodes are", "[cloth][contact]") {
  World world;
  Object o = cloth(Vec3(1, 1, 1), {4, 1, 4}, 0.3, 2000, 2);
  o.body.gravity = false;
  const Id id = world.add(o);
  Run run(world);
  const FlexibleBody& body = flexible(run.model->bodies[run.index(id)]);
  // Folded by a right angle about its middle.
  std::vector<Vec3> shift(25, Vec3::Zero());
  for (std::size_t i = 0; i < shift.size(); ++i)
    if (const double x = body.truss.nodes[i].x(); x > 0) shift[i] = Vec3(-x, x, 0);
  std::vector<double>& state = run.state.bodies[run.index(id)].values;
  body.elastic->displace(state, shift);
  std::vector<Vec3> x(25), dv(25);
  body.positions(state, x);
  BodyMotion motion;
  body.motion(run.model->step, state, state, motion);
  std::vector<std::uint32_t> nodes = {0, 7, 14, 24};
  std::vector<Mat3> blocks(16);
  ElasticWorkspace workspace;
  body.inverse_blocks(motion, nodes, blocks, workspace);
  const Mat3 r = motion.held.attitude;
  double off = 0, scale = 0;
  for (std::size_t b = 0; b < nodes.size(); ++b)
    for (int axis = 0; axis < 3; ++axis) {
      const NodeImpulse push[] = {{nodes[b], Vec3::Unit(axis)}};
      body.elastic->respond(state, push, dv);
      for (std::size_t a = 0; a < nodes.size(); ++a) {
        off = std::max(off, (r * blocks[a * 4 + b] * r.transpose() * Vec3::Unit(axis) - dv[nodes[a]]).norm());
        scale = std::max(scale, dv[nodes[a]].norm());
      }
    }
  CHECK(off < 1e-9 * scale);
}

}  // namespace limp_test
