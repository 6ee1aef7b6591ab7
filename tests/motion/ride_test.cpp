// Bodies that ride on curves, in runs: where they are, what they carry, and where they look.
#include <catch2/catch.hpp>

#include "core/scene/derived/following.h"
#include "core/scene/derived/tracks.h"
#include "tests/support/run.h"

namespace ride_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Curve circle(double radius, const Vec3& centre) {
  Curve curve;
  curve.kind = CurveKind::arc;
  curve.closed = true;
  for (const Vec3& place : {Vec3(radius, 0, 0), Vec3(0, 0, -radius), Vec3(-radius, 0, 0)}) {
    CurvePoint point;
    point.place = place;
    curve.points.push_back(point);
  }
  curve.transform.position = centre;
  return curve;
}

Id add_curve(World& world, Curve curve) {
  curve.id = next_id(world.scene);
  const Id id = curve.id;
  world.scene.curves.push_back(Shared<Curve>(std::move(curve)));
  return id;
}

/// From the start to `end` of the curve in so many seconds, evenly.
void ride(World& world, Id rider, Id curve, double seconds, double end = 1) {
  Scene scene = with_object(world.scene, rider, [&](Object& o) { o.follow.curve = curve.value; });
  scene = with_key(std::move(scene), rider.value, kAlong, 0, 0.0);
  scene = with_key(std::move(scene), rider.value, kAlong, seconds, end);
  scene.tracks.back() = scene.tracks.back().edited([](Track& t) {
    for (Key& key : t.keys) key.shape = KeyShape::linear;
  });
  world.scene = placed_on_curves(std::move(scene));
}

Pose pose_of(const Run& run, Id id) {
  const Body& body = run.model->bodies[run.index(id)];
  return body.object_pose(body.pose(run.state.bodies[run.index(id)].values));
}

}  // namespace

TEST_CASE("A body rides round a circle, and is let go with the velocity that it had", "[curves][led]") {
  World world;
  world.scene.settings.gravity = Vec3::Zero();
  const Id box = world.add(World::box(Vec3(0.2, 0.2, 0.2), Vec3::Zero(), 1));
  ride(world, box, add_curve(world, circle(2, Vec3(0, 1, 0))), 4);
  world.scene = with_key(std::move(world.scene), box.value, "body.led", 0, true);
  world.scene = with_key(std::move(world.scene), box.value, "body.led", 1.5, false);
  Run run(world);
  const double h = run.model->step, rate = kPi / 2;
  const auto place = [&](double t) { return Vec3(2 * std::cos(rate * t), 1, -2 * std::sin(rate * t)); };
  const auto velocity = [&](double t) {
    return Vec3(-2 * rate * std::sin(rate * t), 0, -2 * rate * std::cos(rate * t));
  };
  for (int k = 0; k <= static_cast<int>(1.5 / h + 0.5); ++k) {
    CHECK((pose_of(run, box).position - place(k * h)).norm() < 1e-9);
    CHECK((run.velocity(box) - velocity(k * h)).norm() < 1e-8);
    run.steps(1);
  }
  run.seconds(0.5);
  const double gone = static_cast<double>(run.state.substep) * h - 1.5;
  CHECK((pose_of(run, box).position - (place(1.5) + gone * velocity(1.5))).norm() < 1e-7);
}

TEST_CASE("At half the time scale what rides is where it is in the film, and twice as fast for physics",
          "[curves][led][clock]") {
  World world;
  world.scene.settings.gravity = Vec3::Zero();
  world.scene.settings.time_scale = 0.5;
  const Id box = world.add(World::box(Vec3(0.2, 0.2, 0.2), Vec3::Zero(), 1));
  ride(world, box, add_curve(world, circle(2, Vec3(0, 1, 0))), 4);
  world.scene = with_key(std::move(world.scene), box.value, "body.led", 0, true);
  world.scene = with_key(std::move(world.scene), box.value, "body.led", 1.5, false);
  Run run(world);
  const double rate = kPi / 2;  // rad per second of the film
  const auto place = [&](double t) { return Vec3(2 * std::cos(rate * t), 1, -2 * std::sin(rate * t)); };
  const auto velocity = [&](double t) {
    return Vec3(-4 * rate * std::sin(rate * t), 0, -4 * rate * std::cos(rate * t));
  };
  const double h = run.model->step;
  for (int k = 0; k <= static_cast<int>(0.75 / h + 0.5); ++k) {
    CHECK((pose_of(run, box).position - place(2 * k * h)).norm() < 1e-9);
    CHECK((run.velocity(box) - velocity(2 * k * h)).norm() < 1e-8);
    run.steps(1);
  }
  run.seconds(0.5);
  const double gone = static_cast<double>(run.state.substep) * h - 0.75;
  CHECK((pose_of(run, box).position - (place(1.5) + gone * velocity(1.5))).norm() < 1e-7);
}

TEST_CASE("A ball dropped on a platform that rides along is carried by it", "[curves][led]") {
  World world;
  Object plate = World::box(Vec3(1, 0.1, 1), Vec3::Zero(), 1);
  plate.body.kind = BodyKind::fixed;
  plate.material.substance.restitution = 0;
  plate.material.substance.friction = 1;
  const Id platform = world.add(plate);
  Object box = World::box(Vec3(0.2, 0.2, 0.2), Vec3(0, 0.3, 0), 1);
  box.material.substance.restitution = 0;
  box.material.substance.friction = 1;
  const Id cargo = world.add(box);
  Curve line;
  line.kind = CurveKind::line;
  line.points.resize(2);
  line.points[1].place = Vec3(3, 0, 0);
  ride(world, platform, add_curve(world, line), 6);
  Run run(world);
  run.seconds(3);
  CHECK((pose_of(run, platform).position - Vec3(1.5, 0, 0)).norm() < 1e-9);
  CHECK(run.velocity(cargo).x() == Approx(0.5).epsilon(1e-3));
  CHECK(run.at(cargo).centre.y() == Approx(0.15).margin(2e-3));
}

TEST_CASE("What looks at a body that falls is turned to it in every sub-step", "[curves][led]") {
  World world;
  Object watcher = World::box(Vec3(0.2, 0.2, 0.2), Vec3::Zero(), 1);
  watcher.body.kind = BodyKind::fixed;
  watcher.contact.enabled = false;
  const Id eye = world.add(watcher);
  const Id ball = world.add(World::sphere(0.1, Vec3(0, 5, 0)));
  const Id curve = add_curve(world, circle(2, Vec3(0, 1, 0)));
  world.scene = with_object(std::move(world.scene), eye, [&](Object& o) {
    o.follow.curve = curve.value;
    o.follow.looks_at = ball.value;
  });
  world.scene = placed_on_curves(std::move(world.scene));
  SECTION("standing") {}
  SECTION("riding") { ride(world, eye, curve, 4); }
  Run run(world);
  Vec3 target = run.at(ball).centre;
  for (int k = 0; k < 200; ++k) {
    const Pose pose = pose_of(run, eye);
    CHECK((pose.rotation * Vec3::UnitZ() - (target - pose.position).normalized()).norm() < 1e-9);
    target = run.at(ball).centre;  // where it is when the sub-step begins
    run.steps(1);
  }
  // Continued from a state it is the same.
  const State kept = run.state;
  run.steps(20);
  const Pose once = pose_of(run, eye);
  run.state = kept;
  run.steps(20);
  CHECK(pose_of(run, eye).rotation.coeffs() == once.rotation.coeffs());
}

TEST_CASE("Two that ride and look at each other both do", "[curves][led]") {
  World world;
  const Id a = world.add(World::box(Vec3(0.2, 0.2, 0.2), Vec3::Zero(), 1));
  const Id b = world.add(World::box(Vec3(0.2, 0.2, 0.2), Vec3::Zero(), 1));
  const Id curve = add_curve(world, circle(2, Vec3(0, 1, 0)));
  ride(world, a, curve, 4, 0.4);
  ride(world, b, curve, 4, 0.9);
  for (const auto& [who, whom] : {std::pair(a, b), std::pair(b, a)})
    world.scene = with_object(std::move(world.scene), who, [&at = whom](Object& o) { o.follow.looks_at = at.value; });
  Run run(world);
  run.seconds(2);
  for (const auto& [who, whom] : {std::pair(a, b), std::pair(b, a)}) {
    const Vec3 way = pose_of(run, whom).position - pose_of(run, who).position;
    CHECK((pose_of(run, who).rotation * Vec3::UnitZ() - way.normalized()).norm() < 1e-9);
  }
}

}  // namespace ride_test
