// The procedure "place": every kind of body is put, as it is, at its moment; frames before stay to the bit, and energy is booked.
#include <catch2/catch.hpp>

#include "core/math/rotation.h"
#include "core/motion/change_here.h"
#include "core/motion/sight.h"
#include "core/playback/simulator.h"
#include "core/scene/derived/takes.h"
#include "tests/support/graph.h"
#include "tests/support/small_scenes.h"

namespace place_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Stage {
  World world;
  Graph graph{world};
  Id body, event, box;
  explicit Stage(Object o, const Numbers& numbers, double time = 0.25) {
    body = world.add(std::move(o));
    event = graph.when("time", body, {{"time", time}});
    box = graph.does("place", body, numbers);
    graph.wire(event, box);
  }
};

Object thrown(Object o) {
  o.body.velocity = Vec3(1, 2, 0.5);
  if (body_kind(o.body.kind).turns) o.body.spin = Vec3(0, 2, 1);
  return o;
}

Object some_body(int kind) {
  if (kind == 0) return thrown(World::sphere(0.1, Vec3(0, 5, 0)));
  if (kind == 1) return thrown(World::jelly(0.15, Vec3(0, 5, 0), 500));
  Object o = ball(9, "Point", BodyKind::point, Vec3(0, 5, 0));
  return thrown(o);
}

Vec3 centre(const MotionRun& run) { return centre_of(*run.model, run.state, 0); }

double energy(const MotionRun& run) {
  const Observables o = observe(*run.model, run.state, 0);
  return o.kinetic_energy + o.elastic_energy - o.mass * run.model->gravity.dot(o.centre);
}

}  // namespace

TEST_CASE("A body is put where it is said, and goes on with the velocity of its centre", "[motion]") {
  for (int kind = 0; kind < 3; ++kind) {
    INFO("kind " << kind);
    Stage stage(some_body(kind), {{"x", 3}, {"y", 7}, {"z", -1}});
    MotionRun run(stage.world);
    while (run.count(stage.box, MotionTurn::started) == 0) run.go(1);
    const Body& body = run.model->bodies[0];
    const Vec3 before = centre(run), velocity = velocity_of(*run.model, run.state, 0);
    const Vec3 origin = body.object_pose(body.pose(run.state.bodies[0].values)).position;
    const double held = energy(run);
    const StepReport report = run.step();
    REQUIRE(report.ok);
    const double h = run.model->step;
    // By as much as its origin was put, and one sub-step of flight.
    const Vec3 wanted = before + (Vec3(3, 7, -1) - origin) + h * velocity + 0.5 * h * h * run.model->gravity;
    CHECK((centre(run) - wanted).norm() < 1e-9);
    CHECK((velocity_of(*run.model, run.state, 0) - velocity - h * run.model->gravity).norm() < 1e-9);
    // What was given is booked: the rest is what a flight conserves (or damping takes).
    const double after = energy(run);
    CHECK(std::abs(report.given) > 1);
    CHECK(after - held <= report.given + 1e-9 * std::abs(after));
    if (kind != 1) CHECK(after - held == Approx(report.given).epsilon(1e-9));
  }
}

TEST_CASE("What bends is turned as it is bent, with all its motion", "[motion]") {
  const Vec3 angles(0.4, -0.7, 1.1);
  Stage stage(some_body(1), {{"moves", 0}, {"turns", 1}, {"rx", angles.x()}, {"ry", angles.y()}, {"rz", angles.z()}});
  MotionRun run(stage.world);
  while (run.count(stage.box, MotionTurn::started) == 0) run.go(1);
  const Body& body = run.model->bodies[0];
  std::vector<double> values = run.state.bodies[0].values;
  const Observables before = body.observe(values);
  const Pose at = body.object_pose(body.pose(values));
  REQUIRE(body.put({at.position, from_euler_angles(angles)}, values));
  const Observables after = body.observe(values);
  CHECK(after.kinetic_energy == Approx(before.kinetic_energy).epsilon(1e-9));
  CHECK(after.elastic_energy == Approx(before.elastic_energy).epsilon(1e-7));
  CHECK((after.momentum - before.momentum).norm() < 1e-9 * before.momentum.norm());
  CHECK(after.angular_momentum.norm() > 0);
  const Pose put = body.object_pose(body.pose(values));
  CHECK(put.rotation.angularDistance(from_euler_angles(angles)) < 1e-9);
  CHECK((put.position - at.position).norm() < 1e-9);
  // Put back, it is as it was.
  REQUIRE(body.put(at, values));
  for (std::size_t i = 0; i < values.size(); ++i)
    CHECK(values[i] == Approx(run.state.bodies[0].values[i]).margin(1e-8));
}

TEST_CASE("A body is given another velocity and spin, whatever way it is turned", "[motion]") {
  for (int kind = 0; kind < 2; ++kind) {
    Stage stage(some_body(kind), {{"moves", 0},
                                  {"turns", 1},
                                  {"rx", 0.5},
                                  {"throws", 1},
                                  {"vx", -1},
                                  {"vy", 4},
                                  {"spins", 1},
                                  {"sx", 3},
                                  {"sz", -2}});
    stage.world.scene.settings.gravity = Vec3::Zero();
    MotionRun run(stage.world);
    while (run.count(stage.box, MotionTurn::started) == 0) run.go(1);
    run.go(1);
    CHECK((velocity_of(*run.model, run.state, 0) - Vec3(-1, 4, 0)).norm() < 1e-9);
    CHECK((spin_of(*run.model, run.state, 0) - Vec3(3, 0, -2)).norm() < 0.03);
  }
}

TEST_CASE("What hangs on pins stays, and what stands too", "[motion]") {
  Object o = World::jelly(0.15, Vec3(0, 5, 0), 500);
  Stage stage(ball(9, "Fixed", BodyKind::fixed, Vec3(0, 5, 0)), {{"x", 3}});
  MotionRun run(stage.world);
  run.seconds(0.5);
  CHECK_FALSE(run.stopped);
  CHECK(run.model->bodies[0].pose(run.state.bodies[0].values).position.x() == 0);
}

TEST_CASE("An event that waits for a moment is in no state before it", "[motion]") {
  Scene scene = busy_scene();
  World world;
  world.scene = scene;
  Graph graph(world);
  graph.chain({graph.when("time", Id{2}, {{"time", 10 / 60.0}}), graph.does("place", Id{2}, {{"y", 3}})});
  Simulator with(compiled(world.scene), 1), without_it(compiled(scene), 1);
  for (int f = 0; f < 10; ++f) CHECK(hash(*with.state_at(f)) == hash(*without_it.state_at(f)));
  CHECK(hash(*with.state_at(10)) != hash(*without_it.state_at(10)));
  CHECK(same_bits(with.frame_at(10).objects[1], without_it.frame_at(10).objects[1]));  // it happens from then on
  CHECK_FALSE(same_bits(with.frame_at(11).objects[1], without_it.frame_at(11).objects[1]));
}

TEST_CASE("A frame that is changed shows it, those before stay to the bit, and it goes on in a take of its own",
          "[motion][takes]") {
  constexpr int kFrame = 12;
  for (const double scale : {1.0, 0.37}) {
    INFO("time scale " << scale);
    Scene scene = busy_scene();
    scene.settings.time_scale = scale;
    scene.objects.erase(scene.objects.begin());  // nothing is met
    Simulator base(compiled(scene), 1);
    std::vector<BodyChange> changes;
    for (const std::uint64_t id : {2, 3, 5}) {
      BodyChange change;
      change.object = Id{id};
      change.move = Vec3(0.5, 1, -0.25);
      if (id == 2) change.velocity = Vec3(0, 7, 0);
      changes.push_back(change);
    }
    changes[1].turn = Quat(Eigen::AngleAxisd(0.8, Vec3(1, 2, 0).normalized()));
    const Scene changed = changed_at(scene, kFrame, changes, {});
    REQUIRE(changed.takes.size() == 2);
    CHECK(current_take(changed)->name == "From frame 12");
    CHECK(simulation_signature(in_take(changed, changed.takes.front()->id)) == simulation_signature(scene));
    Simulator run(compiled(changed), 1);
    for (int f = 0; f < kFrame; ++f) {
      const Frame a = run.frame_at(f), b = base.frame_at(f);
      if (scale == 1) REQUIRE(a.state_hash == b.state_hash);
      for (std::size_t i = 0; i < a.objects.size(); ++i) REQUIRE(same_bits(a.objects[i], b.objects[i]));
    }
    const int seen = scale == 1 ? kFrame : kFrame + 4;
    const Frame was = base.frame_at(seen), is = run.frame_at(seen);
    for (const BodyChange& change : changes) {
      const ObjectFrame &from = *was.find(change.object), &to = *is.find(change.object);
      INFO("object " << change.object.value);
      if (change.velocity && scale != 1) continue;
      CHECK((to.position - from.position - change.move.cast<float>()).norm() < (change.velocity ? 0.1f : 2e-3f));
    }
    const Eigen::Quaternionf turned = is.find(Id{3})->rotation * was.find(Id{3})->rotation.conjugate();
    CHECK(turned.angularDistance(changes[1].turn.cast<float>()) < 0.02f);
    const ObjectFrame &soft_was = *was.find(Id{3}), &soft_is = *is.find(Id{3});
    for (std::size_t i = 0; i < soft_was.nodes.size(); ++i) {
      const Vec3f arm = soft_was.nodes[i] - soft_was.position;
      CHECK((soft_is.nodes[i] - soft_is.position - changes[1].turn.cast<float>() * arm).norm() < 0.02f);
    }
    CHECK(same_bits(*is.find(Id{4}), *was.find(Id{4})));
    // Once more, in the same take: on top.
    const BodyChange more{Id{5}, Vec3(0, 0, 1), Quat::Identity(), std::nullopt};
    const Scene again = changed_at(changed, kFrame, std::span(&more, 1), current_take(changed)->id);
    CHECK(again.takes.size() == 2);
    CHECK(again.motion.size() == changed.motion.size());
    Simulator twice(compiled(again), 1);
    REQUIRE(twice.state_at(seen));
    const Vec3f way = twice.frame_at(seen).find(Id{5})->position - was.find(Id{5})->position;
    CHECK((way - Vec3f(0.5f, 1, 0.75f)).norm() < 2e-3f);
  }
}

}  // namespace place_test
