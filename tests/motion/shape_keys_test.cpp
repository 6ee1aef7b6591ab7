// Keyed rest shapes (spec 5.4): the way between poses keeps the volume where straight lines lose a third of it; keys are met at
// following = 1; the whole flies on; edits equal fresh runs; poses that are gone.
#include <cmath>
#include <cstdio>
#include <random>

#include "core/geometry/mesh/mass_properties.h"
#include "core/motion/shape_keys.h"
#include "core/scene/derived/leading.h"
#include "core/scene/derived/poses.h"
#include "core/scene/derived/tracks.h"
#include "core/sim/elastic/rest_path.h"
#include "core/sim/elastic/setup.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace shape_keys_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kPi = 3.14159265358979323846;

/// A bar along x, its middle line bent to a circle's part of `angle` in the plane xy.
std::vector<Vec3> bent(const std::vector<Vec3>& nodes, double length, double angle) {
  std::vector<Vec3> out;
  for (const Vec3& x : nodes) {
    const double turn = angle * x.x() / length, radius = length / angle;
    out.emplace_back((radius - x.y()) * std::sin(turn), radius - (radius - x.y()) * std::cos(turn), x.z());
  }
  return out;
}

Object bar(const std::string& solver, double stiffness = 2e3, double damping = 20) {
  Object o = World::box(Vec3(1.2, 0.2, 0.2), Vec3(0, 1, 0), 1);
  o.name = "bar";
  o.body.kind = BodyKind::flexible;
  o.body.solver = solver;
  o.analysis.kind = AnalysisKind::box_grid;
  o.analysis.size = Vec3(1.2, 0.2, 0.2);
  o.analysis.divisions = {6, 1, 1};
  o.display.primitive.divisions = {12, 1, 1};
  o.body.stiffness = stiffness;
  o.body.damping = damping;
  return o;
}

int add_bend(Object& o, double angle) {
  const std::vector<Vec3> rest = analysis_truss(o.analysis).nodes;
  AnalysisPose pose;
  pose.name = "bent";
  pose.nodes = pose_from_places(rest, bent(rest, 1.2, angle)).value();
  return static_cast<int>(add_pose(o.analysis, std::move(pose)));
}

void key_shape(World& w, Id object, const std::vector<std::pair<double, int>>& keys) {
  for (const auto& [time, pose] : keys)
    w.scene = with_key(std::move(w.scene), object.value, "body.shape.pose", time, std::int64_t{pose});
}

double off_pose(const Run& run, Id id, const Object& object, int pose) {
  const Body& body = run.model->bodies[run.model->bodies.number(id)];
  std::vector<Vec3> x(body.truss.nodes.size());
  body.positions(run.state.bodies[run.model->bodies.number(id)].values, x);
  const std::vector<Vec3> want =
      pose == 0 ? body.truss.nodes
                : pose_nodes(object, *find_pose(object.analysis, static_cast<std::uint32_t>(pose)), body.truss.nodes);
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      most = std::max(most, std::abs((x[i] - x[j]).norm() - (want[i] - want[j]).norm()));
  return most;
}

}  // namespace

TEST_CASE("On its way to three quarters of a turn a bar keeps its volume; straight lines lose a third", "[shapes]") {
  const Truss truss = make_truss({.shape = TrussShape::box_grid, .divisions = {12, 2, 2}, .size = Vec3(1.2, 0.2, 0.2)});
  const ElasticSetup setup = setup_of_truss(truss, 1.0 / 240);
  const std::vector<Vec3> to = bent(truss.nodes, 1.2, 1.5 * kPi);
  const double volume = mesh_volume(truss.nodes, truss.hull);
  double least[2], most[2];
  for (const bool directed : {true, false}) {
    least[directed] = 1e9;
    most[directed] = 0;
    const auto path = rest_path(setup, truss.nodes, to, 24, directed);
    REQUIRE(path.size() == 25);
    double before = -1;
    for (const auto& shape : path) {
      const double now = mesh_volume(shape, truss.hull) / volume;
      least[directed] = std::min(least[directed], now);
      most[directed] = std::max(most[directed], now);
      // Evenly along the way, and always on.
      double way = 0;
      for (std::size_t i = 0; i < shape.size(); ++i) way += (shape[i] - path[0][i]).squaredNorm();
      if (!directed) CHECK(way > before);
      before = way;
    }
    std::printf("volume on the way, %s: %.3f to %.3f\n", directed ? "directed" : "linear", least[directed],
                most[directed]);
  }
  CHECK(least[true] > 0.95);
  CHECK(most[true] < 1.05);
  CHECK(least[false] < 0.75);
}

TEST_CASE("Keys of a shape: the body goes there, at following = 1 exactly at their time", "[shapes]") {
  for (const char* solver : {"lagrange", "polyhedral", "fem"})
    for (const double following : {0.0, 1.0}) {
      World w;
      w.scene.settings.gravity.setZero();
      w.scene.settings.substeps = 4;
      Object o = bar(solver);
      const int pose = add_bend(o, std::string(solver) == "lagrange" ? 0.3 : 1.5 * kPi);
      o.body.shape.following = following;
      o.body.velocity = Vec3(0.3, 0, 0);
      const Id id = w.add(o);
      key_shape(w, id, {{0.2, 0}, {1.2, pose}, {1.5, pose}, {2.2, 0}});
      Run run(w);
      CAPTURE(solver, following);
      run.seconds(1.2);
      const double off = off_pose(run, id, o, pose);
      INFO("off " << off);
      CHECK(off < (following == 1 ? 0.002 : 0.15));  // of 1.2 m
      const Observables seen = run.at(id);
      CHECK((seen.momentum - Vec3(0.3, 0, 0)).norm() < 1e-9);
      CHECK(seen.angular_momentum.norm() < 1e-9);
      run.seconds(1.0);
      CHECK(off_pose(run, id, o, 0) < (following == 1 ? 0.002 : 0.15));
    }
}

TEST_CASE("At following = 1 a body is in each pose of a random performance at its time, in the midst of its way",
          "[shapes][bars]") {
  double worst[3] = {0, 0, 0};
  const char* solvers[] = {"lagrange", "polyhedral", "fem"};
  const int cases = test::rounds(24, 6);
  for (std::uint64_t seed = 20261501; seed < 20261501 + static_cast<std::uint64_t>(cases); ++seed) {
    std::mt19937_64 source(seed);
    const auto in = [&](double low, double high) {
      return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11);
    };
    const std::size_t which = seed % 3;
    World w;  // with gravity: it falls as it performs
    w.scene.settings.substeps = 1 + static_cast<int>(in(0, 7.99));
    Object o = bar(solvers[which], std::pow(10, in(2, 5)), 0);
    o.body.damping = o.body.stiffness * std::pow(10, in(-4, -1.5));
    // By three quarters of a turn stiff bars of one cell across do not settle (docs/elastic-bars.md).
    const double most = which == 0 ? 0.3 : 1.5;
    std::vector<int> poses = {0};
    for (int k = 0; k < 3; ++k) poses.push_back(add_bend(o, (k % 2 ? -1 : 1) * in(0.1, most)));
    o.body.shape.following = 1;
    o.body.shape.ease = in(0, 1);
    o.body.velocity = Vec3(in(-2, 2), in(-2, 2), 0);
    const Id id = w.add(o);
    const double h = 1 / (w.scene.settings.frame_rate * w.scene.settings.substeps);
    std::vector<std::pair<double, int>> keys = {{0, 0}};
    for (int k = 0; k < 6; ++k)  // on frames, as a person sets them
      keys.emplace_back(keys.back().first + std::round(in(10, 40)) / w.scene.settings.frame_rate,
                        poses[static_cast<std::size_t>(in(0, 3.99))]);
    key_shape(w, id, keys);
    Run run(w);
    double time = 0;
    for (const auto& [at, pose] : keys) {
      run.steps(static_cast<int>(std::lround((at - time) / h)));
      time = at;
      const double off = off_pose(run, id, o, pose);
      worst[which] = std::max(worst[which], off);
      CAPTURE(seed, solvers[which], at, pose, off, o.body.stiffness, w.scene.settings.substeps);
      CHECK(off < 0.012);  // a hundredth of its length
    }
  }
  std::printf("off the keys at following 1: lagrange %.2g, polyhedral %.2g, fem %.2g m of 1.2\n", worst[0], worst[1],
              worst[2]);
}

TEST_CASE("What damping would make a body late by, its lead takes away", "[shapes][bars]") {
  for (const char* solver : {"lagrange", "polyhedral", "fem"})
    for (const double late : {0.05, 0.15}) {
      // When its middle is half as far from its ends as it will be.
      const auto half_way = [&](double following) {
        World w;
        w.scene.settings.gravity.setZero();
        Object o = bar(solver, 2e3, late * 2e3);
        const int pose = add_bend(o, 0.3);
        o.body.shape.following = following;
        o.body.shape.ease = 0;
        const Id id = w.add(o);
        key_shape(w, id, {{0.5, 0}, {2.5, pose}});
        Run run(w);
        const std::size_t at = run.model->bodies.number(id);
        const Body& body = run.model->bodies[at];
        std::vector<Vec3> x(body.truss.nodes.size());
        const auto sag = [&] {
          body.positions(run.state.bodies[at].values, x);
          Vec3 middle = Vec3::Zero(), ends = Vec3::Zero();
          double m = 0, e = 0;
          for (std::size_t i = 0; i < x.size(); ++i) {
            const double along = body.truss.nodes[i].x();
            if (std::abs(along) < 1e-9) middle += x[i], ++m;
            if (std::abs(along) > 0.599) ends += x[i], ++e;
          }
          return (middle / m - ends / e).norm();
        };
        const double whole = 4 * (1 - std::cos(0.15));  // 1.2 m / 0.3
        double before = 0;
        for (int n = 1; n < 1000; ++n) {
          run.steps(1);
          const double now = sag();
          if (now > 0.5 * whole) return (n - (now - 0.5 * whole) / (now - before)) * run.model->step;
          before = now;
        }
        return 1e300;
      };
      const double lag = half_way(0) - half_way(1);
      std::printf("%s, damped by %g s: %.3f s behind\n", solver, late, lag);
      CAPTURE(solver, late, lag);
      CHECK(std::abs(lag) < 0.25 * late + 1.0 / 60);
    }
}

TEST_CASE("A body begins in the pose that is its shape, and stays in it", "[shapes]") {
  for (const char* solver : {"polyhedral", "fem"}) {
    World w;
    w.scene.settings.gravity.setZero();
    Object o = bar(solver);
    o.body.shape.pose = add_bend(o, 2);
    const Id id = w.add(o);
    Run run(w);
    CHECK(off_pose(run, id, o, o.body.shape.pose) < 1e-9);
    run.seconds(0.5);
    CAPTURE(solver);
    CHECK(off_pose(run, id, o, o.body.shape.pose) < 1e-6);
    CHECK(run.at(id).kinetic_energy < 1e-9);
  }
}

TEST_CASE("Keys of shapes are told from the first sub-step that they matter in", "[shapes]") {
  World w;
  Object o = bar("fem");
  const int pose = add_bend(o, 1);
  const Id id = w.add(o);
  key_shape(w, id, {{1, 0}, {2, pose}, {3, 0}});
  Scene other = w.scene;
  other.tracks[0] = other.tracks[0].edited([](Track& t) { t.keys[2].time = 3.5; });
  const auto first = first_told_otherwise(w.scene, other);
  REQUIRE(first.has_value());
  const double fps = w.scene.settings.frame_rate;
  CHECK(*first >= 1.9 * fps);  // behind the key at 2 s, less η
  CHECK(*first <= 2 * fps + 1);
  // A pose that is gone counts as none.
  CHECK(shaped_objects(w.scene).size() == 1);
  Scene without = with_object(w.scene, id, [](Object& object) { object.analysis.poses.clear(); });
  CHECK(shaped_objects(without).empty());
  const ShapeTracks tracks = shaped_objects(w.scene)[0];
  CHECK(shape_ways(*find_object(w.scene, id), tracks) == std::vector<std::pair<int, int>>{{0, pose}, {pose, 0}});
}

TEST_CASE("Random performances on a floor: nothing is gained at contacts, nothing sinks in, any number of threads",
          "[shapes]") {
  const int cases = test::rounds(30, 4);
  for (std::uint64_t seed = 4200001; seed < 4200001 + static_cast<std::uint64_t>(cases); ++seed) {
    std::mt19937_64 source(seed);
    const auto in = [&](double low, double high) {
      return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11);
    };
    World w;
    w.scene.settings.substeps = 1 + static_cast<int>(in(0, 4.99));
    w.floor(in(0, 1), in(0, 1));
    const char* solvers[] = {"lagrange", "polyhedral", "fem"};
    const std::string solver = solvers[static_cast<std::size_t>(in(0, 2.99))];
    Object o = bar(solver, std::pow(10, in(2, 5)), 0);
    o.body.damping = o.body.stiffness * std::pow(10, in(-4, -1.5));
    const double most = solver == "lagrange" ? 0.5 : 3;
    const int poses[] = {0, add_bend(o, in(0.1, most)), add_bend(o, -in(0.1, most))};
    o.body.shape.following = in(0, 1) < 0.3 ? 0 : in(0, 1);
    o.body.shape.ease = in(0, 1);
    o.body.shape.way = in(0, 1) < 0.5 ? ShapeWay::directed : ShapeWay::linear;
    o.transform.position.y() = in(0.6, 1.2);
    o.transform.rotation = Quat(in(-1, 1), in(-1, 1), in(-1, 1), 0.5).normalized();
    const Id id = w.add(o);
    double time = 0;
    for (int k = 0; k < 5; ++k, time += in(0.05, 0.4))
      key_shape(w, id, {{time, poses[static_cast<std::size_t>(in(0, 2.99))]}});
    CAPTURE(seed, solver, o.body.stiffness, o.body.shape.following);
    Run one(w), two(w, 2);
    for (int k = 0; k < 60; ++k) {
      one.steps(w.scene.settings.substeps);  // accounts are looked at there
      two.steps(w.scene.settings.substeps);
    }
    CHECK(one.state.bodies[1].values == two.state.bodies[1].values);
    const Observables seen = one.at(id);
    CHECK(seen.centre.allFinite());
    CHECK(seen.centre.y() > 0.02);
  }
}

}  // namespace shape_keys_test
