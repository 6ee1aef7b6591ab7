// Keys of the place of something that bends lead it as a whole (spec 8.3): where its keys are, in the shape that it has or that its own keys
// say; what it meets is hit as by anything led; let go it goes on as it came. What cannot be led says why.
#include <catch2/catch.hpp>

#include "core/math/rotation.h"
#include "core/scene/derived/poses.h"
#include "core/scene/derived/tracks.h"
#include "tests/motion/led_support.h"
#include "tests/support/fill_run.h"

namespace led_soft_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Object soft_bar(const std::string& solver, const Vec3& position = Vec3(0, 2, 0)) {
  Object o = World::box(Vec3(0.6, 0.2, 0.2), position, 1);
  o.name = "Bar";
  o.body.kind = BodyKind::flexible;
  o.body.solver = solver;
  o.analysis.kind = AnalysisKind::box_grid;
  o.analysis.size = Vec3(0.6, 0.2, 0.2);
  o.analysis.divisions = {3, 1, 1};
  o.body.stiffness = 2e3;
  o.body.damping = 5;
  return o;
}

Quat turn(double angle) { return Quat(Eigen::AngleAxisd(angle, Vec3(1, 2, 2) / 3)); }

/// Along x and turning, from 0 to 1 s, as straight lines.
void lead(World& world, Id id, double speed = 2) {
  for (const double t : {0.0, 1.0}) {
    key(world, id, "transform.position", t, Vec3(speed * t, 2, 0));
    key(world, id, "transform.rotation", t, turn(t));
  }
  for (auto& track : world.scene.tracks)
    track = track.edited([](Track& all) {
      for (Key& one : all.keys) one.shape = KeyShape::linear;
    });
}

double turned(const Quat& a, const Quat& b) { return a.angularDistance(b); }

}  // namespace

TEST_CASE("Keys lead what bends as a whole, whatever solves it, and let it go as it comes", "[led][soft]") {
  for (const ElasticSolverInfo* solver : elastic_solvers()) {
    INFO("solver " << solver->name);
    World world;
    const Id bar = world.add(soft_bar(std::string(solver->name)));
    lead(world, bar);
    key(world, bar, "body.led", 0, true);
    key(world, bar, "body.led", 0.5, false);
    Run run(world);
    const std::vector<Vec3> rest = run.model->bodies[0].truss.nodes;
    double off = 0, angle = 0, bent = 0;
    while (static_cast<double>(run.state.substep) * run.model->step < 0.5 - 1e-9) {
      const double t = static_cast<double>(run.state.substep) * run.model->step;
      const Pose now = pose_in(run, bar);
      off = std::max(off, (now.position - Vec3(2 * t, 2, 0)).norm());
      angle = std::max(angle, turned(now.rotation, turn(t)));
      bent = std::max(bent, bent_by(nodes_in(run, bar), rest));
      run.steps(1);
    }
    INFO("off " << off << " m, " << angle << " rad, bent " << bent << " m");
    CHECK(off < 1e-9);
    CHECK(angle < 1e-7);
    CHECK(bent < 1e-9);
    CHECK((run.velocity(bar) - Vec3(2, 0, 0)).norm() < 1e-9);
    const Vec3 left = run.at(bar).centre;
    run.seconds(0.5);
    CHECK((run.at(bar).centre - left - Vec3(1, -0.125 * 9.80665, 0)).norm() < 0.02);
    CHECK(turned(pose_in(run, bar).rotation, turn(1)) < 0.2);
  }
}

TEST_CASE("A ball hit by something soft that keys lead leaves as from a moving wall", "[led][soft]") {
  World world;
  world.scene.settings.gravity.setZero();
  const Id bar = world.add(soft_bar("lagrange", Vec3(-1, 0, 0)));
  for (const double t : {0.0, 1.0}) key(world, bar, "transform.position", t, Vec3(-1 + 2 * t, 0, 0));
  world.scene.tracks[0] = world.scene.tracks[0].edited([](Track& all) {
    for (Key& one : all.keys) one.shape = KeyShape::linear;
  });
  Object hit = World::sphere(0.1, Vec3(0, 0, 0));
  hit.material.substance.restitution = 0.5;
  hit.material.substance.friction = 0;
  const Id ball = world.add(hit);
  world.scene.objects[0] = world.scene.objects[0].edited([](Object& o) { o.material.substance.restitution = 0.5; });
  Run run(world);
  const std::vector<Vec3> rest = run.model->bodies[0].truss.nodes;
  run.seconds(0.9);
  CHECK(run.velocity(ball).x() == Approx(3).epsilon(0.01));  // (1 + e) V
  CHECK(bent_by(nodes_in(run, bar), rest) < 1e-9);
  CHECK((pose_in(run, bar).position - Vec3(0.8, 0, 0)).norm() < 1e-9);
}

TEST_CASE("Back from physics it comes to its keys as it is bent", "[led][soft]") {
  World world;
  world.floor();
  const Id bar = world.add(soft_bar("lagrange", Vec3(0, 0.3, 0)));
  for (const double t : {0.0, 2.0}) key(world, bar, "transform.position", t, Vec3(t, 0.3, 0));
  key(world, bar, "body.led", 0, false);
  key(world, bar, "body.led", 1, true);
  world.scene.objects.back() = world.scene.objects.back().edited([](Object& o) { o.body.blend = 0.25; });
  Run run(world);
  run.seconds(1);
  const Vec3 before = pose_in(run, bar).position;
  CHECK(before.y() < 0.15);  // it fell
  run.steps(1);
  CHECK((pose_in(run, bar).position - before).norm() < 0.05);
  run.seconds(0.3);
  const double t = static_cast<double>(run.state.substep) * run.model->step;
  std::array<double, 4> wanted{};
  for (const auto& track : world.scene.tracks)
    if (track->field == "transform.position") wanted = track_value(*track, FieldType::vector, t);
  CHECK((pose_in(run, bar).position - Vec3(wanted[0], wanted[1], wanted[2])).norm() < 1e-9);
}

TEST_CASE("Led, it has the shape that its own keys say", "[led][soft][shapes]") {
  World world;
  Object o = soft_bar("polyhedral");
  const std::vector<Vec3> rest = analysis_truss(o.analysis).nodes;
  std::vector<Vec3> high = rest;
  for (Vec3& x : high) x.y() += 0.5 * x.x() * x.x();
  AnalysisPose pose;
  pose.name = "bent";
  pose.nodes = pose_from_places(rest, high).value();
  const int bent = static_cast<int>(add_pose(o.analysis, std::move(pose)));
  const Id bar = world.add(o);
  lead(world, bar);
  key(world, bar, "body.shape.pose", 0, std::int64_t{0});
  key(world, bar, "body.shape.pose", 0.5, std::int64_t{bent});
  Run run(world);
  CHECK(bent_by(nodes_in(run, bar), rest) < 1e-9);
  run.seconds(0.75);
  CHECK(bent_by(nodes_in(run, bar), rest) > 0.02);
  CHECK(bent_by(nodes_in(run, bar), high) < 1e-6);
  run.seconds(0.25);
  // Its middle is where its keys are, but for what the pose itself moves.
  CHECK((pose_in(run, bar).position - Vec3(2, 2, 0)).norm() < 0.05);
}

TEST_CASE("Slow motion shows something soft between two sub-steps where its keys are", "[led][soft][clock]") {
  World world;
  const Id bar = world.add(soft_bar("lagrange"));
  lead(world, bar);
  Object hat = World::box(Vec3::Constant(0.1), Vec3(0.2, 2.15, 0));
  hat.body.kind = BodyKind::fixed;
  hat.parent = bar.value;
  hat.contact.enabled = false;
  const Id on_it = world.add(hat);
  key(world, Id{}, "settings.time_scale", 0, 0.01);
  const std::vector<Vec3> rest = Run(world).model->bodies[0].truss.nodes;
  const auto frames = fresh_run(world.scene, 30);
  for (const int frame : {0, 7, 30}) {
    const double t = frame / world.scene.settings.frame_rate;
    const Frame& shown = frames.at(static_cast<std::size_t>(frame));
    const ObjectFrame* own = shown.find(bar);
    REQUIRE(own);
    CHECK((own->position.cast<double>() - Vec3(2 * t, 2, 0)).norm() < 1e-5);
    const Vec3f first = own->nodes[0] - own->position;
    CHECK((first.cast<double>() - turn(t) * rest[0]).norm() < 1e-5);  // what turns does not shrink
    const ObjectFrame* carried = shown.find(on_it);
    REQUIRE(carried);
    CHECK((carried->position.cast<double>() - Vec3(2 * t, 2, 0) - turn(t) * Vec3(0.2, 0.15, 0)).norm() <
          5e-3);  // in a straight line
  }
}

TEST_CASE("What hangs on pins or breaks cannot be led, and the reason is told", "[led][soft]") {
  for (const bool breaks : {false, true}) {
    World world;
    Object o = soft_bar("lagrange");
    if (breaks) {
      set_parameter(o.body.parameters, {"lagrange", "breaks", {}, 0.1});
    } else {
      StrungTruss truss = to_strung(analysis_truss(o.analysis));
      truss.nodes[0].pinned = true;
      o.analysis.kind = AnalysisKind::strung;
      o.analysis.strung = std::make_shared<const StrungTruss>(truss);
    }
    lead(world, world.add(o));
    MeshStore meshes;
    const auto made = compile(world.scene, meshes);
    REQUIRE(made.ok());
    std::string told;
    for (const Diagnostic& d : made.diagnostics()) told += to_string(d) + "\n";
    INFO(told);
    CHECK(told.find(breaks ? "because it can break" : "nodes of it are pinned") != std::string::npos);
  }
}

}  // namespace led_soft_test
