// Thrown at a target through fields of force and drag (core/motion/aiming.h): spec 7.1's bar is 2 cm.
#include <catch2/catch.hpp>

#include "core/math/rotation.h"
#include "core/motion/aiming.h"
#include "core/motion/air.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/field_world.h"
#include "tests/support/graph.h"
#include "tests/support/sanitized.h"

namespace aiming_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kG = 9.80665;

/// What is thrown, what is round it, and whereto.
struct Throw {
  FieldWorld world{kG};
  Graph graph{world};
  Id body;
  Vec3 target = Vec3::Zero();
  double begin = 0, time = 0;

  explicit Throw(Object object) {
    object.contact.enabled = false;
    body = world.add(std::move(object));
  }
  void aim() {
    graph.wire(graph.when("time", body, {{"time", begin}}),
               graph.does("aim", body, {{"x", target.x()}, {"y", target.y()}, {"z", target.z()}, {"duration", time}}));
  }
};

/// m, from the target to the nearest that the centre comes to it after `from` s; when, s.
std::pair<double, double> nearest(MotionRun& run, Id body, const Vec3& target, double from, double until) {
  double least = 1e9, when = 0;
  Vec3 was = run.at(body).centre;
  const double h = run.model->step;
  while (static_cast<double>(run.state.substep) * h < until && !run.stopped) {
    run.go(1);
    const Vec3 now = run.at(body).centre, way = now - was;
    const double end = static_cast<double>(run.state.substep) * h;
    const double share = std::clamp((target - was).dot(way) / std::max(way.squaredNorm(), 1e-30), 0.0, 1.0);
    const double off = (was + share * way - target).norm();
    if (end > from && off < least) least = off, when = end - (1 - share) * h;
    was = now;
  }
  return {least, when};
}

Throw random_throw(reference::Dice& dice) {
  const auto vector = [&](double size) {
    return Vec3(size * Vec3(dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1)));
  };
  const Vec3 place(0, 3, 0);
  const double mass = std::pow(10, dice.uniform(-1, 1));
  const int kind = static_cast<int>(dice.uniform(0, 3.3));
  const double radius = dice.uniform(0.05, 0.2);
  const Vec3 size(dice.uniform(0.1, 0.4), dice.uniform(0.1, 0.4), dice.uniform(0.1, 0.4));
  Object object = kind == 0   ? World::sphere(radius, place, mass)
                  : kind == 1 ? World::box(size, place, mass)
                  : kind == 2 ? World::sphere(0.1, place, mass)
                              : World::jelly(0.2, place, 800, mass, false);
  if (kind == 2) object.body.kind = BodyKind::point;
  object.body.velocity = vector(3);
  if (kind == 1) object.body.spin = vector(4);
  if (dice.uniform(0, 1) < 0.4) object.body.drag_linear = dice.uniform(0, 1.5);
  if (dice.uniform(0, 1) < 0.3) object.body.drag_quadratic = dice.uniform(0, 0.1);
  Throw out(std::move(object));
  if (dice.uniform(0, 1) < 0.5)
    out.world.field(FieldKind::drag,
                    [&](ForceField& f) { f.linear = dice.uniform(0, 1), f.quadratic = dice.uniform(0, 0.1); });
  if (dice.uniform(0, 1) < 0.5)
    out.world.field(FieldKind::wind,
                    [&](ForceField& f) { f.speed = dice.uniform(0, 10), f.gust = dice.uniform(0, 2); });
  if (dice.uniform(0, 1) < 0.3)
    out.world.field(FieldKind::vortex, [&](ForceField& f) { f.speed = dice.uniform(0, 5), f.position = vector(2); });
  if (dice.uniform(0, 1) < 0.3)
    out.world.field(FieldKind::gravity, [&](ForceField& f) { f.strength = dice.uniform(0, 4); });
  out.target = place + Vec3(4, 2, 4).cwiseProduct(vector(1));
  out.begin = dice.uniform(0, 0.3);
  out.time = dice.uniform(0, 1) < 0.3 ? 0 : dice.uniform(0.3, 1.5);
  out.world.scene.settings.substeps = 1 + static_cast<int>(dice.uniform(0, 6));
  out.aim();
  return out;
}

void check_throws(std::uint64_t seed, int count) {
  for (int k = 0; k < count; ++k) {
    INFO("seed " << seed + static_cast<std::uint64_t>(k));
    reference::Dice dice(seed + static_cast<std::uint64_t>(k));
    Throw thrown = random_throw(dice);
    MotionRun run(thrown.world);
    const double h = run.model->step, start = std::ceil(thrown.begin / h - 1e-9) * h;
    const auto [off, when] =
        nearest(run, thrown.body, thrown.target, start, start + (thrown.time > 0 ? thrown.time + 3 * h : 6));
    REQUIRE_FALSE(run.stopped);
    CHECK(off < 0.02);
    if (thrown.time > 0) CHECK(when == Approx(start + thrown.time).margin(2 * h));
  }
}

}  // namespace

TEST_CASE("What is thrown into drag flies as what began so", "[motion][fields]") {
  const Vec3 velocity(8, 6, -3), spin(3, -2, 1);
  for (const bool soft : {false, true}) {
    INFO("soft " << soft);
    Object object = soft ? World::jelly(0.2, Vec3::Zero(), 800) : World::box(Vec3(0.3, 0.2, 0.4), Vec3::Zero(), 3);
    object.body.drag_linear = 0.7;
    Throw thrown(object);
    object.body.velocity = velocity, object.body.spin = spin;
    Throw begun(object);
    for (Throw* one : {&thrown, &begun}) one->world.field(FieldKind::wind, [](ForceField& f) { f.speed = 4; });
    thrown.graph.wire(
        thrown.graph.when("time", thrown.body, {{"time", 0}}),
        thrown.graph.does("throw", thrown.body,
                          {{"x", 8}, {"y", 6}, {"z", -3}, {"spins", 1}, {"sx", 3}, {"sy", -2}, {"sz", 1}}));
    MotionRun run(thrown.world), other(begun.world);
    run.go(120);
    other.go(120);
    CHECK((run.at(thrown.body).centre - other.at(begun.body).centre).norm() < 1e-9);
    CHECK((run.velocity(thrown.body) - other.velocity(begun.body)).norm() < 1e-9);
  }
}

TEST_CASE("Thrown through fields and drag it comes to its target", "[motion][fields]") {
  check_throws(20261129, rounds(200, 12));
}

TEST_CASE("3,000 throws through fields and drag", "[.long][motion][fields]") { check_throws(51000, 3000); }

TEST_CASE("As gently as it can is as gently as that, through drag", "[motion][fields]") {
  const auto speed_of = [](double time, const Vec3& target) {
    Object ball = World::sphere(0.1, Vec3::Zero(), 0.2);
    ball.body.drag_linear = 0.6, ball.body.drag_quadratic = 0.05;
    Throw thrown(ball);
    thrown.world.field(FieldKind::wind, [](ForceField& f) {
      f.speed = 5, f.rotation = turn_onto(Vec3::UnitY(), Vec3(1, 0, 0.5).normalized());
    });
    thrown.target = target, thrown.time = time;
    thrown.aim();
    MotionRun run(thrown.world);
    run.go(1);
    const double first = run.velocity(thrown.body).norm();
    const auto [off, when] = nearest(run, thrown.body, target, 0, 4);
    CHECK(off < 1e-3);
    return std::pair(first, when);
  };
  for (const Vec3& target : {Vec3(3, 1, 0), Vec3(-2, 0.5, 2), Vec3(0, 2, 0), Vec3(1, -2, -1)}) {
    const auto [gentle, time] = speed_of(0, target);
    for (const double factor : {0.8, 0.95, 1.05, 1.25}) CHECK(speed_of(factor * time, target).first > gentle * 0.9995);
  }
}

TEST_CASE("It is aimed by the gravity that keys and boxes say as it is thrown", "[motion][fields]") {
  Throw thrown(World::sphere(0.1, Vec3::Zero()));
  thrown.world.field(FieldKind::drag, [](ForceField& f) { f.linear = 0.4; });
  thrown.target = Vec3(3, 1, 0), thrown.time = 1, thrown.begin = 0.2;
  thrown.aim();
  thrown.graph.wire(thrown.graph.when("time", thrown.body, {{"time", 0}}),
                    thrown.graph.does("gravity", thrown.body, {{"gain", 0.3}}));
  MotionRun run(thrown.world);
  CHECK(nearest(run, thrown.body, thrown.target, 0.2, 1.3).first < 1e-3);
}

TEST_CASE("The arc through air that is shown before a run is the run's, nearly", "[motion][fields][sketch]") {
  double round_worst = 0, box_worst = 0;  // of the way
  for (int k = 0; k < rounds(200, 20); ++k) {
    INFO("seed " << 7000 + k);
    reference::Dice dice(static_cast<std::uint64_t>(7000 + k));
    Throw thrown = random_throw(dice);
    Scene& scene = thrown.world.scene;
    // What does not bend, from the start; whirls and strong gusts magnify what a section more or less does.
    if (find_object(scene, thrown.body)->body.kind == BodyKind::flexible) continue;
    std::erase_if(scene.fields, [](const auto& f) { return f->kind == FieldKind::vortex || f->gust > 0.5; });
    for (std::size_t n = 0; n < scene.motion.size(); ++n)  // each change makes the list anew
      if (scene.motion[n]->kind == "time")
        thrown.graph.change(scene.motion[n]->id, [](MotionNode& box) { set_parameter(box, {"time", {}, 0}); });
    const bool aimed = dice.uniform(0, 1) < 0.5;
    const MotionNode* box = nullptr;
    for (const auto& one : scene.motion)
      if (one->kind == "aim") box = &*one;
    if (!aimed)
      thrown.graph.change(box->id, [&](MotionNode& n) {
        n.kind = "throw";
        n.parameters = {{"x", {}, dice.uniform(-6, 6)}, {"y", {}, dice.uniform(0, 8)}, {"z", {}, dice.uniform(-6, 6)}};
      });
    for (const auto& one : scene.motion)
      if (one->role == MotionRole::procedure) box = &*one;
    MotionRun run(thrown.world);
    const Object& object = *find_object(scene, thrown.body);
    const Body& body = run.model->bodies[run.index(thrown.body)];
    SketchBody at;
    at.centre = run.at(thrown.body).centre;
    at.pose = {object.transform.position, object.transform.rotation};
    at.velocity = object.body.velocity;
    at.mass = body.mass;
    at.gravity = scene.settings.gravity;
    at.frame_rate = scene.settings.frame_rate;
    const auto air = SketchAir::round(scene, object, body.mesh.get(), body.mass, 0);
    at.air = air.get();
    const auto sketch = sketch_of(*box, at);
    REQUIRE(sketch);
    double way = 0;
    Vec3 was = at.centre;
    for (std::size_t f = 0; f < sketch->ticks.size(); ++f) {
      run.go(scene.settings.substeps);
      const Vec3 now = run.at(thrown.body).centre;
      way += (now - was).norm();
      was = now;
      double& worst = object.name == "box" ? box_worst : round_worst;
      worst = std::max(worst, (now - sketch->ticks[f]).norm() / (0.1 + way));
    }
  }
  INFO(round_worst << " " << box_worst);
  CHECK(round_worst < 0.02);
  CHECK(box_worst < 0.25);  // its section is more or less than the mean
}

}  // namespace aiming_test
