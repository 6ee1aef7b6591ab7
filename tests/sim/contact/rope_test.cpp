// Ropes drawn at random fall on things and each other: nothing is gained, nothing goes through. Two segments that move are held against
// a search of many times.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include "core/sim/contact/rope_touch.h"
#include "tests/support/run.h"

namespace rope_contact_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kDeepAtEnd = 0.03;  // m

struct Draw {
  std::mt19937_64 source;
  double operator()(double low, double high) {
    return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11);
  }
  int count(int low, int high) { return low + static_cast<int>((*this)(0, high - low + 0.999)); }
  Vec3 vector(double size) { return Vec3((*this)(-size, size), (*this)(-size, size), (*this)(-size, size)); }
  Quat turn() { return Quat((*this)(-1, 1), (*this)(-1, 1), (*this)(-1, 1), (*this)(-1, 1)).normalized(); }
};

Object rope(double length, double thick, int parts, double mass, double k, double bending) {
  Object o = make_object(0, "rope", {PrimitiveShape::cylinder, Vec3(thick, length, thick), {8, 2 * parts, 1}},
                         Vec3::Zero(), BodyKind::flexible);
  o.analysis.kind = AnalysisKind::rope;
  o.analysis.divisions = {parts, 1, 1};
  o.analysis.size = o.display.primitive.size;
  o.analysis.bending = bending;
  o.body.solver = "springs";
  o.body.mass = mass;
  o.body.stiffness = k;
  o.body.damping = 1e-3 * k;
  o.contact.self_collision = true;
  o.material.substance.restitution = 0;
  o.material.substance.friction = 0.5;
  return o;
}

std::vector<Vec3> nodes_of(const Run& run, std::size_t body) {
  std::vector<Vec3> x(run.model->bodies[body].truss.nodes.size());
  run.model->bodies[body].positions(run.state.bodies[body].values, x);
  return x;
}

struct Seen {
  double gain = 0;
  double deepest = 0, deep = 0;  ///< m, of nodes in the floor, boxes and balls: at any time, at the end
  double fastest = 0;            ///< m/s, at the end
};

/// How deep a ball about x is in a thing that stands still; 0 where it is not, or the thing is of another shape.
double depth_in(const Object& thing, const Vec3& x, double radius) {
  const Vec3 p = thing.transform.rotation.conjugate() * (x - thing.transform.position);
  const Vec3 half = 0.5 * thing.display.primitive.size;
  switch (thing.display.primitive.shape) {
    case PrimitiveShape::plane:
      return std::max(0.0, radius - p.y());
    case PrimitiveShape::sphere:
      return std::max(0.0, half.x() + radius - p.norm());
    case PrimitiveShape::box: {
      const Vec3 past = p.cwiseAbs() - half;
      const double out = past.cwiseMax(0).norm();
      return std::max(0.0, radius - (out > 0 ? out : past.maxCoeff()));
    }
    default:
      return 0;
  }
}

double depth(const Run& run, const World& world) {
  double most = 0;
  for (std::size_t k = 0; k < run.model->bodies.size(); ++k) {
    if (run.model->bodies[k].truss.line.empty()) continue;
    const double radius = run.model->bodies[k].proxy.radius;
    for (const Vec3& x : nodes_of(run, k))
      for (const auto& thing : world.scene.objects)
        if (thing->body.kind == BodyKind::fixed) most = std::max(most, depth_in(*thing, x, radius));
  }
  return most;
}

/// `seconds` of it.
Seen watch(const World& world, Run& run, double seconds) {
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
    seen.deep = depth(run, world);
    seen.deepest = std::max(seen.deepest, seen.deep);
  }
  for (std::size_t k = 0; k < run.model->bodies.size(); ++k) {
    const hazumi::Body& b = run.model->bodies[k];
    if (!b.deforms) continue;
    std::vector<Vec3> v(b.truss.nodes.size());
    b.node_velocities(run.state.bodies[k].values, v);
    for (const Vec3& u : v) seen.fastest = std::max(seen.fastest, u.norm());
  }
  return seen;
}

/// A rope or two, and things that they fall on.
World scene(std::uint64_t seed) {
  Draw in{std::mt19937_64(seed)};
  World world;
  const int substeps[] = {1, 2, 4, 8};
  world.scene.settings.substeps = substeps[in.count(0, 3)];
  world.floor(in(0, 1), 0);
  for (int k = in.count(0, 3); k > 0; --k) {
    const Vec3 at(in(-0.4, 0.4), in(0.1, 0.5), in(-0.4, 0.4));
    Object thing = in(0, 1) < 0.4 ? World::sphere(in(0.1, 0.3), at)
                                  : World::box(Vec3(in(0.1, 0.5), in(0.1, 0.5), in(0.1, 0.5)), at);
    if (in(0, 1) < 0.2) thing.display.primitive = {PrimitiveShape::torus, Vec3(0.5, 0.1, 0.5), {16, 8, 1}};
    thing.transform.rotation = in.turn();
    if (in(0, 1) < 0.8)
      thing.body.kind = BodyKind::fixed;
    else
      thing.transform.position.y() = 6 + k;  // it falls on them
    thing.material.substance.restitution = 0;
    world.add(thing);
  }
  for (int k = in.count(1, 2), n = 0; n < k; ++n) {
    Object o = rope(in(0.4, 1.5), in(0.02, 0.06), in.count(1, 9), std::pow(10, in(-2, 0)), std::pow(10, in(2, 4.5)),
                    in(0, 1) < 0.3 ? 0 : std::pow(10, in(-5, -1)));
    o.transform.position = Vec3(in(-0.1, 0.1), in(2.1, 2.3) + 1.6 * n, in(-0.1, 0.1));
    o.transform.rotation = in.turn();
    o.body.velocity = Vec3(in(-1, 1), in(-3, 1), in(-1, 1));
    o.body.spin = in.vector(3);
    if (in(0, 1) < 0.3) o.contact.thickness = in(0, 0.02);
    world.add(o);
  }
  if (in(0, 1) < 0.1) {  // a cloth in the way
    Object o = make_object(0, "cloth", {PrimitiveShape::plane, Vec3(0.8, 1, 0.8), {4, 1, 4}}, Vec3(0, 1, 0),
                           BodyKind::flexible);
    o.analysis.kind = AnalysisKind::cloth;
    o.analysis.divisions = {4, 1, 4};
    o.analysis.size = o.display.primitive.size;
    o.body.solver = "springs";
    o.body.mass = 0.1;
    o.body.stiffness = 300;
    world.add(o);
  }
  if (in(0, 1) < 0.3) {
    Object ball = World::sphere(in(0.05, 0.2), Vec3(0.1, 5.2, 0), std::pow(10, in(-1, 0.5)));
    ball.material.substance.restitution = in(0, 0.8);
    world.add(ball);
  }
  return world;
}

/// `deepest`: of four sub-steps a frame and more, at any time, m.
void drop(std::uint64_t first, int count, double deepest) {
  Seen worst;
  double fine = 0;  // of four sub-steps a frame and more, at any time
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    CAPTURE(seed);
    const World world = scene(seed);
    Run run(world);
    const Seen seen = watch(world, run, 1.3);
    CAPTURE(world.scene.settings.substeps, seen.gain, seen.deepest, seen.deep, seen.fastest);
    CHECK(seen.gain < 1e-9);
    CHECK(seen.deep < kDeepAtEnd);
    if (world.scene.settings.substeps >= 4) {
      CHECK(seen.deepest < deepest);
      fine = std::max(fine, seen.deepest);
    }
    worst.gain = std::max(worst.gain, seen.gain);
    worst.deepest = std::max(worst.deepest, seen.deepest);
    worst.deep = std::max(worst.deep, seen.deep);
  }
  WARN(count << " scenes of ropes: gain " << worst.gain << "; in what they fell on at the end " << worst.deep
             << " m, at any time " << worst.deepest << " m, of four sub-steps and more " << fine << " m");
}

double distance(const SegmentPath& a, const SegmentPath& b, double time) {
  const auto at = [&](const SegmentPath& p, std::size_t k) { return Vec3((1 - time) * p.from[k] + time * p.to[k]); };
  const Vec3 p = at(a, 0), u = at(a, 1) - p;
  const auto to_b = [&](double s) {
    const Vec3 q = at(b, 0), w = at(b, 1) - q, x = p + s * u;
    const double t = w.squaredNorm() > 0 ? std::clamp((x - q).dot(w) / w.squaredNorm(), 0.0, 1.0) : 0.0;
    return (x - q - t * w).norm();
  };
  // Least where an end of one is nearest to the other, or where both are free.
  const Vec3 q = at(b, 0), w = at(b, 1) - q;
  const auto nearest = [&](const Vec3& x) { return u.squaredNorm() > 0 ? (x - p).dot(u) / u.squaredNorm() : 0.0; };
  const double uw = u.dot(w), area = u.squaredNorm() * w.squaredNorm() - uw * uw;
  const double free = area > 0 ? ((q - p).dot(u) * w.squaredNorm() - (q - p).dot(w) * uw) / area : 0.0;
  double least = std::min(to_b(0), to_b(1));
  for (const double s : {nearest(q), nearest(q + w), free}) least = std::min(least, to_b(std::clamp(s, 0.0, 1.0)));
  return least;
}

}  // namespace

TEST_CASE("Segments that move touch where and when a search says so", "[rope][contact]") {
  Draw in{std::mt19937_64(20281201)};
  int touched = 0, missed = 0, passed = 0;
  double off = 0;
  for (int k = 0; k < 1500; ++k) {
    SegmentPath a{{in.vector(1), in.vector(1)}, {}}, b{{in.vector(1), in.vector(1)}, {}};
    if (k % 5 == 0) a.from[1] = a.from[0];
    if (k % 7 == 0) b.from[1] = b.from[0];
    if (k % 3 == 0 && k % 5 != 0) b.from[1] = b.from[0] + 0.7 * (a.from[1] - a.from[0]);  // alongside
    const double fast = std::pow(10, in(-2, 1));
    for (std::size_t e = 0; e < 2; ++e) a.to[e] = a.from[e] + in.vector(fast), b.to[e] = b.from[e] + in.vector(fast);
    if (k % 5 == 0) a.to[1] = a.to[0];
    if (k % 7 == 0) b.to[1] = b.to[0];
    const double radius = in(0.02, 0.2), margin = 0.01;
    if (distance(a, b, 0) < 1.01 * radius) continue;
    double least = 1e300;
    for (int n = 0; n <= 200; ++n) least = std::min(least, distance(a, b, n / 200.0));
    SegmentTouch t;
    const bool touch = segments_touch(a, b, radius, margin, t);
    touched += touch;
    const double ends = distance(a, b, 1);
    const bool grazes = least > radius && least < 1.02 * radius;  // near enough to count as touched
    if (grazes) continue;
    if (least > radius && ends > radius + margin + 0.02 * fast) missed += touch;
    if (least > radius && ends < radius + margin) {
      off = std::max(off, std::abs(t.gap - (ends - radius)));
      passed += !touch;
    }
    // What ends within the radius came in on the way: it is pushed back the way that it came.
    if (ends < radius) passed += !touch;
    if (touch && ends < radius) {
      CHECK(t.gap < 0);
      CHECK(t.normal.norm() == Approx(1));
    }
  }
  CAPTURE(touched, missed, passed, off);
  CHECK(touched > 60);
  CHECK(missed == 0);
  CHECK(passed == 0);
  CHECK(off < 1e-9);
}

TEST_CASE("A rope that is shot at another one is held by it, at 0.3 m in a sub-step too", "[rope][contact]") {
  for (const double speed : {3.0, 10.0, 30.0}) {
    World world;
    world.scene.settings.gravity.setZero();
    Object standing = rope(1, 0.03, 2, 1, 1e5, 0.1), flying = rope(1, 0.03, 2, 0.01, 1e5, 0.1);
    flying.transform.rotation = Quat(Eigen::AngleAxisd(1.2, Vec3::UnitX()));
    flying.transform.position = Vec3(-0.2 - 0.003 * speed, 0.13, 0.05);
    flying.body.velocity = Vec3(speed, 0, 0);
    const Id a = world.add(standing), b = world.add(flying);
    Run run(world);
    run.seconds(1.0);
    CAPTURE(speed);
    CHECK(run.at(b).centre.x() < run.at(a).centre.x());
    const Vec3 momentum = run.at(a).momentum + run.at(b).momentum;
    CHECK((momentum - Vec3(0.01 * speed, 0, 0)).norm() < 1e-9 * speed);
  }
}

TEST_CASE("A part that falls across a thin rod between two nodes is held", "[rope][contact]") {
  for (const int parts : {1, 2, 3}) {
    World world;
    Object rod = World::box(Vec3(0.01, 0.01, 1), Vec3(0, 0.5, 0));
    rod.transform.rotation = Quat(Eigen::AngleAxisd(0.3, Vec3::UnitZ()));
    rod.body.kind = BodyKind::fixed;
    world.add(rod);
    Object o = rope(1.2, 0.02, parts, 0.1, 2e4, 0.05);
    o.transform.rotation = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitZ()));
    o.transform.position = Vec3(0, 0.9, 0.1);
    const Id id = world.add(o);
    Run run(world);
    run.seconds(0.6);
    CAPTURE(parts);
    CHECK(run.at(id).centre.y() > 0.2);
  }
}

TEST_CASE("A rope on a floor lies as high as it is thick, and sleeps", "[rope][contact]") {
  World world;
  world.floor(0.5, 0);
  Object o = rope(1, 0.04, 12, 0.3, 5000, 1e-3);
  o.transform.rotation = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()));
  o.transform.position.y() = 0.05;
  const Id id = world.add(o);
  Run run(world);
  const Seen seen = watch(world, run, 1);
  CHECK(seen.gain < 1e-12);
  CHECK(seen.fastest == 0);
  CHECK(run.at(id).centre.y() == Approx(0.02).margin(1e-4));
}

TEST_CASE("A rope that begins at rest, straight down from a hook, is stretched by its weight", "[rope][joint]") {
  World world;
  Object o = rope(1.5, 0.03, 24, 0.75, 500, 1e-3);
  o.body.damping = 20;
  o.transform.position = Vec3(0, 1.25, 0);
  const Id id = world.add(o);
  Joint hook;
  hook.id = next_id(world.scene);
  hook.a.place = Vec3(0, 2, 0);
  hook.b = {id.value, Vec3(0, 0.75, 0)};
  world.scene.joints.emplace_back(hook);
  Run run(world);
  run.seconds(3);
  const std::vector<Vec3> x = nodes_of(run, run.index(id));
  CHECK(x.back().y() == Approx(2).margin(1e-9));
  CHECK(x.back().y() - x.front().y() - 1.5 == Approx(0.75 * 9.80665 * 1.5 / (2 * 500)).epsilon(1e-3));
}

TEST_CASE("A rope let down on the floor lies on itself, nowhere nearer than it is thick", "[rope][contact]") {
  World world;
  world.floor(0.6, 0);
  Object o = rope(1.2, 0.04, 20, 0.3, 5000, 2e-4);
  o.transform.position = Vec3(0, 0.7, 0);
  o.transform.rotation = Quat(Eigen::AngleAxisd(0.1, Vec3::UnitX()));
  const Id id = world.add(o);
  Run run(world);
  const Seen seen = watch(world, run, 1.5);
  CHECK(seen.gain < 1e-9);
  CHECK(seen.deep < 1e-3);
  const std::vector<Vec3> x = nodes_of(run, run.index(id));
  double least = 1;
  for (std::size_t i = 0; i + 3 < x.size(); ++i)
    for (std::size_t k = i + 3; k + 1 < x.size(); ++k)
      least = std::min(least, distance({{x[i], x[i + 1]}, {x[i], x[i + 1]}}, {{x[k], x[k + 1]}, {x[k], x[k + 1]}}, 0));
  WARN("a rope of 0.04 m let down on itself: nearest lines " << least << " m");
  CHECK(least > 0.038);
}

TEST_CASE("200 scenes of ropes drawn at random gain nothing, and nothing goes through", "[rope][contact][slow]") {
  drop(20281301, 200, 0.08);
}

TEST_CASE("The same of ropes for many more", "[.long][rope]") { drop(20291301, 1000, 0.08); }

}  // namespace rope_contact_test
