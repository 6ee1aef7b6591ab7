// Secondary action (core/motion/riding.h): a part on its parent, against the same part worked out in the inertial frame.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/math/rotation.h"
#include "core/motion/check.h"
#include "core/motion/riding.h"
#include "core/sim/carried.h"
#include "tests/support/graph.h"

namespace ride_on_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// A prism of six nodes, the lower three of which are its pins: it bends to all sides at a few swings a second.
Object mast(const Vec3& place, double stiffness, double damping, double mass = 0.6) {
  Object o =
      make_object(0, "mast", {PrimitiveShape::sphere, Vec3::Constant(0.1), {8, 6, 1}}, place, BodyKind::flexible);
  o.display.kind = DisplayKind::none;
  o.analysis.kind = AnalysisKind::strung;
  StrungTruss truss;
  for (int high = 0; high < 2; ++high)
    for (int k = 0; k < 3; ++k) {
      StrungNode node;
      const double angle = 2 * 3.14159265358979 * k / 3;
      node.position = Vec3(0.1 * std::cos(angle), 0.4 * high, 0.1 * std::sin(angle));
      node.pinned = high == 0;
      truss.nodes.push_back(node);
    }
  const auto spring = [&](std::uint32_t a, std::uint32_t b) { truss.springs.push_back({a, b, 1, 1, 1}); };
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::uint32_t next = (k + 1) % 3;
    spring(std::min(k, next), std::max(k, next));
    spring(3 + std::min(k, next), 3 + std::max(k, next));
    spring(k, 3 + k);
    spring(k, 3 + next);
    spring(next, 3 + k);
  }
  o.analysis.strung = std::make_shared<const StrungTruss>(truss);
  o.body.mass = mass;
  o.body.stiffness = stiffness;
  o.body.damping = damping;
  o.contact.enabled = false;
  return o;
}

/// The same springs, linear about the rest shape as the solver has them, by fourth-order Runge–Kutta in world coordinates on a frame that
/// moves as it is told: V of pins and all else follows from it.
struct Inertial {
  struct Frame {
    Pose pose;  ///< rest shape → world
    Vec3 velocity, spin;
    Vec3 at(const Vec3& place) const { return velocity + spin.cross(place - pose.position); }
  };
  const Body& body;
  Vec3 gravity;
  std::vector<Vec3> x, u;

  std::vector<Vec3> forces(const std::vector<Vec3>& p, const std::vector<Vec3>& v, const Frame& frame) const {
    const std::size_t n = p.size();
    std::vector<Vec3> f(n, Vec3::Zero()), d(n), rate(n);
    const Quat back = frame.pose.rotation.conjugate();
    for (std::size_t i = 0; i < n; ++i) {
      d[i] = back * (p[i] - frame.pose.position) - body.truss.nodes[i];
      rate[i] = back * (v[i] - frame.at(p[i]));
    }
    for (const Spring& s : body.truss.springs) {
      const Vec3 e = (body.truss.nodes[s.b] - body.truss.nodes[s.a]).normalized();
      const Vec3 pull = frame.pose.rotation *
                        Vec3((s.stiffness * (d[s.b] - d[s.a]).dot(e) + s.damping * (rate[s.b] - rate[s.a]).dot(e)) * e);
      f[s.a] += pull;
      f[s.b] -= pull;
    }
    return f;
  }
  template <class FrameAt>
  void step(double t, double h, const FrameAt& frame_at) {
    const std::size_t n = x.size();
    const auto slope = [&](const std::vector<Vec3>& p, const std::vector<Vec3>& v, double at, std::vector<Vec3>& dp,
                           std::vector<Vec3>& dv) {
      const Frame frame = frame_at(at);
      const std::vector<Vec3> f = forces(p, v, frame);
      dp = v;
      dv.resize(n);
      for (std::size_t i = 0; i < n; ++i) dv[i] = f[i] / body.truss.masses[i] + gravity;
      hold(frame, p, dp, dv);
    };
    const auto moved = [&](const std::vector<Vec3>& from, const std::vector<Vec3>& by, double part) {
      std::vector<Vec3> out(n);
      for (std::size_t i = 0; i < n; ++i) out[i] = from[i] + part * by[i];
      return out;
    };
    std::vector<Vec3> p1, v1, p2, v2, p3, v3, p4, v4;
    slope(x, u, t, p1, v1);
    slope(moved(x, p1, h / 2), moved(u, v1, h / 2), t + h / 2, p2, v2);
    slope(moved(x, p2, h / 2), moved(u, v2, h / 2), t + h / 2, p3, v3);
    slope(moved(x, p3, h), moved(u, v3, h), t + h, p4, v4);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += h / 6 * (p1[i] + 2 * p2[i] + 2 * p3[i] + p4[i]);
      u[i] += h / 6 * (v1[i] + 2 * v2[i] + 2 * v3[i] + v4[i]);
    }
    const Frame end = frame_at(t + h);
    for (const std::uint32_t pin : body.truss.pinned) {
      x[pin] = end.pose * body.truss.nodes[pin];
      u[pin] = end.at(x[pin]);
    }
  }
  void hold(const Frame& frame, const std::vector<Vec3>& p, std::vector<Vec3>& dp, std::vector<Vec3>& dv) const {
    for (const std::uint32_t pin : body.truss.pinned) {
      dp[pin] = frame.at(p[pin]);
      dv[pin].setZero();
    }
  }
};

std::vector<Vec3> nodes_of(const MotionRun& run, Id id) {
  const std::size_t i = run.index(id);
  std::vector<Vec3> x(run.model->bodies[i].truss.nodes.size());
  run.model->bodies[i].positions(run.state.bodies[i].values, x);
  return x;
}

/// What turns about y and flies along x; pushed for a while.
struct Carrier {
  World world;
  Id parent, part;
  double spin = 2.5, push = 3, from = 0.3, lasts = 0.4;

  explicit Carrier(double feels, int substeps = 8, double damping = 0.6) {
    world.scene.settings.substeps = substeps;
    Object o = World::sphere(0.2, Vec3::Zero());
    o.body.gravity = false;
    o.body.spin = Vec3(0, spin, 0);
    o.body.velocity = Vec3(0.5, 0, 0);
    parent = world.add(o);
    part = world.add(mast(Vec3(0.15, 0.3, 0), 150, damping));
    Graph graph(world);
    graph.wire(graph.when("time", part), graph.does("ride", part, {{"feels", feels}}, parent));
    graph.wire(graph.when("time", parent, {{"time", from}}),
               graph.does("push", parent, {{"x", push}, {"duration", lasts}}));
  }
  Inertial::Frame at(double t) const {
    const double pushed = std::clamp(t - from, 0.0, lasts), after = std::max(t - from - lasts, 0.0);
    Inertial::Frame frame;
    const double v = 0.5 + push * pushed, c = 0.5 * t + 0.5 * push * pushed * pushed + push * lasts * after;
    const Quat turn(Eigen::AngleAxisd(spin * t, Vec3::UnitY()));
    // Of the part's own frame, that is turned about the parent's centre.
    frame.pose = {Vec3(c, 0, 0) + turn * Vec3(0.15, 0.3, 0), turn};
    frame.spin = Vec3(0, spin, 0);
    frame.velocity = Vec3(v, 0, 0) + frame.spin.cross(frame.pose.position - Vec3(c, 0, 0));
    return frame;
  }
};

/// How far nodes are off those in the inertial frame over 2 s, of how far they move in their own.
double off_inertial(int substeps) {
  const Carrier c(1, substeps);
  MotionRun run(c.world);
  const std::size_t number = run.index(c.part);
  const Body& body = run.model->bodies[number];
  Inertial reference{body, run.model->gravity, nodes_of(run, c.part), {}};
  // It begins in the frame, at rest.
  for (const Vec3& x : reference.x) reference.u.push_back(c.at(0).at(x));
  double most = 0, off = 0;
  for (int k = 0; k < 120 * substeps; ++k) {
    const double t = k * run.model->step;
    run.go(1);
    REQUIRE_FALSE(run.stopped);
    for (int i = 0; i < 20; ++i)
      reference.step(t + i * run.model->step / 20, run.model->step / 20, [&](double at) { return c.at(at); });
    const std::vector<Vec3> x = nodes_of(run, c.part);
    const Inertial::Frame frame = c.at(t + run.model->step);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3 rest = frame.pose * body.truss.nodes[i];
      most = std::max(most, (reference.x[i] - rest).norm());
      off = std::max(off, (x[i] - reference.x[i]).norm());
    }
  }
  CHECK(most > 0.02);
  return off / most;
}

}  // namespace

TEST_CASE("A part that feels all of its parent is the same part in the inertial frame, to 1 %", "[motion][ride]") {
  double before = 0;
  for (const int substeps : {4, 8}) {
    const double off = off_inertial(substeps);
    INFO(substeps << " sub-steps: " << off);
    CHECK(off < 0.002);  // 0.13 % and 0.03 %
    if (before > 0) CHECK(off < 0.4 * before);
    before = off;
  }
}

TEST_CASE("A part that feels nothing of its parent moves as on one that stands", "[motion][ride]") {
  for (const double feels : {0.0, 0.5}) {
    const Carrier c(feels);
    MotionRun run(c.world);
    World still = c.world;
    still.scene = with_object(still.scene, c.parent, [](Object& o) {
      o.body.spin.setZero();
      o.body.velocity.setZero();
    });
    still.scene.motion.pop_back();
    MotionRun other(still);
    // Gravity goes along y, about which the parent turns.
    double off = 0;
    for (int k = 0; k < 480; ++k) {
      run.go(1);
      other.go(1);
      const Inertial::Frame frame = c.at((k + 1) * run.model->step), start = c.at(0);
      const std::vector<Vec3> x = nodes_of(run, c.part), y = nodes_of(other, c.part);
      for (std::size_t i = 0; i < x.size(); ++i)
        off = std::max(off, (frame.pose.rotation.conjugate() * (x[i] - frame.pose.position) -
                             start.pose.rotation.conjugate() * (y[i] - start.pose.position))
                                .norm());
    }
    INFO(feels << ": " << off << " m");
    if (feels == 0)
      CHECK(off < 1e-9);
    else
      CHECK(off > 1e-3);
  }
}

TEST_CASE("What rides on three nodes goes with them, wherever they go, and three in a line are none",
          "[motion][ride]") {
  World world;
  world.floor(0.8, 0.2);
  Object below = World::jelly(0.4, Vec3(0, 1.2, 0), 400, 3);
  below.body.damping = 4;
  below.body.spin = Vec3(1, 2, 0.5);
  const Id parent = world.add(below);
  const Id part = world.add(mast(Vec3(0, 1.6, 0), 300, 1, 0.05)),
           rider = world.add(mast(Vec3(0, 2.0, 0), 300, 1, 0.02));
  Graph graph(world);
  // The rider first: it must wait for what it rides on.
  graph.wire(graph.when("time", rider), graph.does("ride", rider, {{"feels", 0}}, part));
  graph.wire(graph.when("time", part), graph.does("ride", part, {}, parent));
  MotionRun run(world), other(world, 2);
  CHECK(motion_problems(world.scene).empty());
  const std::vector<Vec3> start = nodes_of(run, parent);
  std::vector<std::size_t> three;  // that the mast rides on: what its box remembers begins with them, behind five rows
  for (const RunningProcedure& running : run.state.motion.running)
    if (running.object == part)
      for (std::size_t i = 0; i < 3; ++i) three.push_back(static_cast<std::size_t>(running.values[5 + i]));
  REQUIRE(three.size() == 3);
  for (int k = 0; k < 480; ++k) {
    run.go(1);
    other.go(1);
    REQUIRE_FALSE(run.stopped);
    // Pins keep their shape: they go rigidly, as the polar decomposition says, whatever the three nodes do.
    const std::vector<Vec3> x = nodes_of(run, part);
    for (std::uint32_t a = 0; a < 3; ++a)
      CHECK((x[a] - x[(a + 1) % 3]).norm() == Approx(0.1 * std::sqrt(3)).epsilon(1e-9));
    if (k == 240) REQUIRE(restore(save(run.state), run.state).ok());
  }
  CHECK(hash(run.state) == hash(other.state));
  const std::vector<Vec3> now = nodes_of(run, parent), x = nodes_of(run, part), y = nodes_of(run, rider);
  Vec3 held = Vec3::Zero(), pins = Vec3::Zero(), top = Vec3::Zero(), foot = Vec3::Zero();
  for (std::size_t i = 0; i < 3; ++i) {
    held += now[three[i]] / 3;
    pins += x[i] / 3;
    top += x[3 + i] / 3;
    foot += y[i] / 3;
  }
  Vec3 held_before = Vec3::Zero();
  for (const std::size_t i : three) held_before += start[i] / 3;
  CHECK((pins - held).norm() == Approx((Vec3(0, 1.6, 0) - held_before).norm()).epsilon(1e-6));
  CHECK((foot - top).norm() < 0.1);  // its foot was where the top of the mast was
  const std::vector<Vec3> line = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3(3, 0, 0)};
  CHECK_FALSE(nodes_to_ride(line, Vec3::Zero(), {}));
}

TEST_CASE("A box that rides says what it cannot ride", "[motion][ride]") {
  World world;
  const Id parent = world.add(World::sphere(0.2, Vec3::Zero())), ball = world.add(World::sphere(0.1, Vec3(1, 0, 0))),
           jelly = world.add(World::jelly(0.1, Vec3(2, 0, 0), 300)), part = world.add(mast(Vec3(0, 0.2, 0), 300, 1));
  Graph graph(world);
  for (const Id of : {ball, jelly, part}) graph.wire(graph.when("time", of), graph.does("ride", of, {}, parent));
  const auto problems = motion_problems(world.scene);
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].message.find("does not bend") != std::string::npos);
  CHECK(problems[1].message.find("no pins") != std::string::npos);
}

}  // namespace ride_on_test
