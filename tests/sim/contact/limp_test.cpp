// Cloths drawn at random fall on things drawn at random: nothing is gained, nothing goes through the floor, what lies comes to rest.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include "core/sim/body/motion.h"
#include "tests/sim/contact/falling_support.h"
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
  seen.gain = watch_gain(run, seconds);
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

/// Cloths that hundreds of places hold: nearly level, just above a thing or two.
World large_scene(std::uint64_t seed) {
  Draw in{std::mt19937_64(seed)};
  World world;
  const int substeps[] = {1, 2, 4};
  world.scene.settings.substeps = substeps[in.count(0, 2)];
  world.floor(in(0, 1), 0);
  for (int k = in.count(0, 2); k > 0; --k) {
    const Vec3 size(in(0.3, 0.45), in(0.02, 0.1), in(0.3, 0.8));  // beside each other
    Object thing = World::box(size, Vec3(k == 1 ? -0.25 : 0.25, 0.05, in(-0.5, 0.5)));
    thing.body.kind = in(0, 1) < 0.7 ? BodyKind::fixed : BodyKind::rigid;
    thing.material.substance.restitution = 0;
    world.add(thing);
  }
  const double k = std::pow(10, in(1.5, 4));
  Object o = cloth(Vec3(in(0.8, 1.4), 1, in(0.8, 1.4)), {in.count(14, 20), 1, in.count(14, 20)},
                   std::pow(10, in(-1, 0)), k, k * std::pow(10, in(-4, -2)));
  o.analysis.bending = std::pow(10, in(-6, -2));
  o.material.substance.friction = in(0, 1);
  o.contact.self_collision = in(0, 1) < 0.5;
  o.contact.thickness = in(0, 0.01);
  o.transform.position = Vec3(0, 0.16, 0);
  o.transform.rotation = Quat(1, in(-0.03, 0.03), in(-1, 1), in(-0.03, 0.03)).normalized();
  o.body.velocity = Vec3(in(-2, 2), in(-3, 0), in(-2, 2));
  world.add(o);
  return world;
}

/// The most rows at the end of one.
std::size_t drop(World (*made)(std::uint64_t), double seconds, std::uint64_t first, int count) {
  Seen worst;
  std::size_t rows = 0;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    CAPTURE(seed);
    Run run(made(seed));
    const Seen seen = watch(run, seconds);
    CAPTURE(seen.gain, seen.below, seen.fastest);
    CHECK(seen.gain < 1e-9);
    CHECK(seen.below < 0.02);
    rows = std::max(rows, run.state.rows.size());
    worst.gain = std::max(worst.gain, seen.gain);
    worst.below = std::max(worst.below, seen.below);
  }
  WARN(count << " cloths: gain " << worst.gain << ", below the floor " << worst.below << " m, rows " << rows);
  return rows;
}

/// How far blocks that contacts are given are from how the body answers there, of the largest answer.
double block_error(Run& run, Id id, std::span<const Vec3> shift, std::vector<std::uint32_t> nodes) {
  const FlexibleBody& body = flexible(run.model->bodies[run.index(id)]);
  std::vector<double>& state = run.state.bodies[run.index(id)].values;
  body.elastic->displace(state, shift);
  std::vector<Vec3> dv(shift.size());
  BodyMotion motion;
  body.motion(run.model->step, state, state, motion);
  std::vector<Mat3> blocks(nodes.size() * nodes.size());
  ElasticWorkspace workspace;
  body.inverse_blocks(motion, nodes, blocks, workspace);
  const Mat3 r = motion.held.attitude;
  double off = 0, scale = 0;
  for (std::size_t b = 0; b < nodes.size(); ++b)
    for (int axis = 0; axis < 3; ++axis) {
      const NodeImpulse push[] = {{nodes[b], Vec3::Unit(axis)}};
      body.elastic->respond(state, push, dv);
      for (std::size_t a = 0; a < nodes.size(); ++a) {
        off =
            std::max(off, (r * blocks[a * nodes.size() + b] * r.transpose() * Vec3::Unit(axis) - dv[nodes[a]]).norm());
        scale = std::max(scale, dv[nodes[a]].norm());
      }
    }
  return off / scale;
}

}  // namespace

TEST_CASE("200 cloths drawn at random fall on things, gain nothing and stay above the floor",
          "[cloth][contact][slow]") {
  drop(scene, 1.2, 20271201, 200);
}

TEST_CASE("The same for many more", "[.long][cloth]") { drop(scene, 1.2, 20281201, 1000); }

TEST_CASE("Cloths of hundreds of rows do the same", "[cloth][contact]") {
  CHECK(drop(large_scene, 0.3, 20271301, rounds(6, 2)) > 200);  // of one limp body: it goes by products
}

TEST_CASE("And many more of them", "[.long][cloth]") { drop(large_scene, 0.3, 20281301, 200); }

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

TEST_CASE("So does one of a thousand squares, in little memory", "[cloth][contact]") {
  World world;
  world.scene.settings.substeps = 4;
  world.floor(0.5, 0);
  Object o = cloth(Vec3(1.4, 1, 1.4), {32, 1, 32}, 0.4, 400, 0.4);
  o.analysis.bending = 2e-4;
  o.contact.thickness = 0.005;
  o.contact.self_collision = true;
  o.transform.position.y() = 0.02;
  const Id id = world.add(o);
  Run run(world);
  const Seen seen = watch(run, 0.2);
  CHECK(seen.gain < 1e-12);
  CHECK(seen.fastest == 0);
  CHECK(run.at(id).centre.y() == Approx(0.005).margin(1e-4));
}

TEST_CASE("Rounds of a large cloth go on until W and the true step agree, and none leads away", "[cloth][contact]") {
  World world;
  world.scene.settings.substeps = 4;
  world.floor(0.5, 0);
  Object ball = World::sphere(0.25, Vec3(0.02, 0.3, 0.03), 1);
  ball.body.kind = BodyKind::fixed;
  world.add(ball);
  Object o;
  o.name = "cloth";
  o.display.kind = DisplayKind::none;
  o.analysis.kind = AnalysisKind::cloth;
  o.analysis.divisions = {12, 1, 12};
  o.analysis.size = Vec3(1, 1, 1);
  o.analysis.bending = 1e-5;
  o.contact.thickness = 0.005;
  o.contact.self_collision = true;
  o.transform.position = Vec3(0, 0.6, 0);
  o.body.kind = BodyKind::flexible;
  o.body.mass = 0.3;
  o.body.stiffness = 500;
  o.body.damping = 0.5;
  o.body.solver = "springs";
  o.material.substance.restitution = 0;
  world.add(o);
  Run run(world);
  double most = 0;
  for (int n = 0; n < 100; ++n) {
    const StepReport report = run.step();
    REQUIRE(report.ok);
    most = std::max(most, report.figures.mismatch);
  }
  CHECK(most < 0.05);  // 0.016 m/s; after one round each 1.2
}

TEST_CASE("Contacts of a folded cloth ask how it answers where its nodes are", "[cloth][contact]") {
  World world;
  Object o = cloth(Vec3(1, 1, 1), {4, 1, 4}, 0.3, 2000, 2);
  o.body.gravity = false;
  const Id id = world.add(o);
  Run run(world);
  // Folded by a right angle about its middle.
  std::vector<Vec3> shift(25, Vec3::Zero());
  for (std::size_t i = 0; i < shift.size(); ++i)
    if (const double x = run.model->bodies[run.index(id)].truss.nodes[i].x(); x > 0) shift[i] = Vec3(-x, x, 0);
  CHECK(block_error(run, id, shift, {0, 7, 14, 24}) < 1e-9);
}

TEST_CASE("So do those of a limp body that keeps its volume", "[cloth][contact][volume]") {
  World world;
  Object o = World::jelly(0.5, Vec3::Zero(), 3000);
  o.body.solver = "springs";
  o.body.volume.of = VolumeOf::surface;
  o.body.gravity = false;
  const Id id = world.add(o);
  Run run(world);
  Draw in{std::mt19937_64(20271128)};
  std::vector<Vec3> shift(run.model->bodies[run.index(id)].truss.nodes.size());
  for (Vec3& s : shift) s = Vec3(in(-0.2, 0.2), in(-0.2, 0.2), in(-0.2, 0.2));
  CHECK(block_error(run, id, shift, {0, 3, 7, 11}) < 1e-9);
}

namespace {

Object balloon(double radius, int parts, double k, double size) {
  Object o = World::jelly(radius, Vec3::Zero(), k, 0.05);
  o.analysis.hollow = true;
  o.analysis.divisions = {parts, 1, 1};
  o.body.solver = "springs";
  o.body.damping = 1e-3 * k;
  o.body.volume.of = VolumeOf::surface;
  o.body.volume.size = size;
  o.material.substance.restitution = 0.3;
  return o;
}

}  // namespace

TEST_CASE("The pressure in a balloon is twice its tension over its radius", "[cloth][volume]") {
  for (const double size : {1.05, 1.5, 4.0}) {
    World world;
    Object o = balloon(0.3, 3, 300, size);
    o.body.gravity = false;
    const Id id = world.add(o);
    Run run(world);
    run.seconds(2);
    const FlexibleBody& body = flexible(run.model->bodies[run.index(id)]);
    const std::vector<double>& state = run.state.bodies[run.index(id)].values;
    std::vector<Vec3> x(body.truss.nodes.size());
    body.positions(state, x);
    // Laplace: p = 2 T / R, T the slope of the energy by the area A, R = 3 V / A.
    double stretch = 0;  // Σ k (l − L) l = 2 A T
    for (const Spring& s : body.truss.springs) {
      const double l = (x[s.b] - x[s.a]).norm();
      stretch += s.stiffness * (l - (body.truss.nodes[s.b] - body.truss.nodes[s.a]).norm()) * l;
    }
    const KeptVolumeReading reading = body.kept->reading(state);
    CAPTURE(size);
    CHECK(reading.volume == Approx(size * body.kept->rest_volume()).epsilon(1e-6));
    CHECK(reading.pressure == Approx(stretch / (3 * reading.volume)).epsilon(0.01));
  }
}

TEST_CASE("Balloons drawn at random fall on things, gain nothing and keep their volume",
          "[cloth][contact][volume][slow]") {
  for (std::uint64_t seed = 20271301; seed < 20271341; ++seed) {
    CAPTURE(seed);
    Draw in{std::mt19937_64(seed)};
    World world;
    const int substeps[] = {1, 2, 4, 8};
    world.scene.settings.substeps = substeps[in.count(0, 3)];
    world.floor(in(0, 1), 0);
    Object under = World::box(Vec3(0.3, in(0.1, 0.4), 0.3), Vec3(in(-0.2, 0.2), 0.2, 0));
    under.body.kind = BodyKind::fixed;
    under.transform.rotation = in.turn();
    world.add(under);
    Object o = balloon(in(0.1, 0.4), in.count(1, 3), std::pow(10, in(1, 4)), in(0.9, 1.5));
    o.transform.position = Vec3(0, in(1.2, 1.6), 0);
    o.body.velocity = Vec3(in(-2, 2), in(-3, 0), in(-2, 2));
    o.body.spin = Vec3(in(-3, 3), in(-3, 3), in(-3, 3));
    const Id id = world.add(o);
    Run run(world);
    const Seen seen = watch(run, 1.2);
    CHECK(seen.gain < 1e-9);
    CHECK(seen.below < 0.02);
    const FlexibleBody& body = flexible(run.model->bodies[run.index(id)]);
    const KeptVolumeReading reading = body.kept->reading(run.state.bodies[run.index(id)].values);
    CHECK(reading.volume == Approx(o.body.volume.size * body.kept->rest_volume()).epsilon(1e-6));
  }
}

}  // namespace limp_test
