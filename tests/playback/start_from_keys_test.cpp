// What a run has at a frame by its keys, grips and boxes, as the start of another one: what comes then is what would have come.
#include <catch2/catch.hpp>
#include <functional>

#include "core/motion/compile.h"
#include "core/playback/start_from.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/validate.h"
#include "core/scene/values/scene_lists.h"
#include "tests/support/edits.h"
#include "tests/support/graph.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"
#include "tests/support/small_scenes.h"

namespace start_from_keys_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// m, the largest difference of places (nodes, origins) between a run from frame `from` on and one that starts there, over `frames`.
double difference(const Scene& scene, int from, int frames, bool* moves = nullptr) {
  World first, second;
  first.scene = scene;
  test::Run run(first);
  const int per = scene.settings.substeps;
  run.steps(from * per);
  second.scene = started_from(scene, *run.model, run.state);
  REQUIRE_FALSE(has_error(validate(second.scene)));
  test::Run on(second);
  const State begun = run.state;
  double far = 0;
  const auto compare = [&] {
    for (std::size_t i = 0; i < run.model->bodies.size(); ++i) {
      const Body &a = run.model->bodies[i], &b = on.model->bodies[i];
      const auto &x = run.state.bodies[i].values, &y = on.state.bodies[i].values;
      if (a.deforms) {
        std::vector<Vec3> p(a.truss.nodes.size()), q(p.size());
        a.positions(x, p), b.positions(y, q);
        for (std::size_t n = 0; n < p.size(); ++n) far = std::max(far, (p[n] - q[n]).norm());
        continue;
      }
      const Pose p = a.object_pose(a.pose(x)), q = b.object_pose(b.pose(y));
      far = std::max({far, (p.position - q.position).norm(),
                      (p.rotation.toRotationMatrix() - q.rotation.toRotationMatrix()).norm()});
    }
  };
  compare();
  for (int f = 0; f < frames; ++f) {
    run.steps(per);
    on.steps(per);
    compare();
  }
  if (moves) *moves = hash(begun) != hash(run.state);
  return far;
}

template <class Value>
void key(Scene& scene, Id target, const char* field, std::initializer_list<std::pair<double, Value>> keys) {
  for (const auto& [time, value] : keys)
    scene = with_key(std::move(scene), target.value, field, time, FieldValue(value));
  REQUIRE(find_track(scene, target.value, field));
}

template <class Thing>
Id put(Scene& scene, std::vector<Shared<Thing>> Scene::*list, Thing one) {
  one.id = next_id(scene);
  (scene.*list).push_back(Shared<Thing>(one));
  return one.id;
}

World bare() {
  World world;
  world.scene.settings.substeps = 4;
  world.scene.settings.last_frame = 120;
  return world;
}

Id jelly(World& world, const Vec3& place, double stiffness = 400) {
  Object soft = World::jelly(0.2, place, stiffness, 0.5);
  soft.contact.enabled = false;
  soft.body.spin = Vec3(1, 2, 0.5);
  return world.add(soft);
}

}  // namespace

TEST_CASE("It begins with the solver that a box has given it", "[start_from][solver]") {
  for (const char* solver : {"springs", "shape_matching", "fem", "polyhedral"}) {
    INFO(solver);
    World world = bare();
    Graph graph(world);
    const Id soft = jelly(world, Vec3(0, 1, 0));
    graph.wire(graph.when("time", soft, {{"time", 0.1}}),
               graph.does("solver", soft, {{"solver", static_cast<double>(number_of_solver(solver))}}));
    CHECK(difference(world.scene, 20, 20) < 1e-9);
    CHECK(difference(world.scene, 3, 20) < 1e-9);  // before it is changed
  }
}

TEST_CASE("Keyed switches, motors, forces, sizes and gravity go on from there", "[start_from][keys]") {
  World world = bare();
  Scene& scene = world.scene;
  SECTION("a hinge that lets go, before and after") {
    const Id box = world.add(World::box(Vec3(0.6, 0.1, 0.1), Vec3(0.3, 1, 0)));
    Joint hinge;
    hinge.kind = JointKind::hinge;
    hinge.a.object = box.value;
    hinge.b.place = Vec3(0, 1, 0);
    hinge.motor = true;
    hinge.motor_torque = 20;
    const Id joint = put(scene, &Scene::joints, hinge);
    key<bool>(scene, joint, "on", {{0.0, true}, {0.5, false}});
    key<double>(scene, joint, "motor_turn", {{0.1, 0.0}, {0.7, 3.0}});
    CHECK(difference(scene, 20, 30) < 1e-7);
    CHECK(difference(scene, 40, 10) < 1e-7);
  }
  SECTION("a force") {
    Force force;
    force.object = world.add(World::sphere(0.1, Vec3(0, 1, 0))).value;
    const Id id = put(scene, &Scene::forces, force);
    key<bool>(scene, id, "on", {{0.0, true}, {0.4, false}, {0.6, true}});
    key<Vec3>(scene, id, "push", {{0.0, Vec3(1, 0, 0)}, {0.5, Vec3(0, 5, 2)}, {1.0, Vec3(0, 0, 0)}});
    CHECK(difference(scene, 15, 40) < 1e-9);
    CHECK(difference(scene, 27, 40) < 1e-9);
  }
  SECTION("the size of a kept volume") {
    Object soft = World::jelly(0.2, Vec3(0, 1, 0), 400, 0.5);
    soft.body.volume.of = VolumeOf::hull;
    soft.contact.enabled = false;
    const Id id = world.add(soft);
    key<double>(scene, id, "body.volume.size", {{0.0, 1.0}, {0.3, 1.6}, {0.8, 0.8}});
    CHECK(difference(scene, 10, 30) < 1e-7);
    CHECK(difference(scene, 55, 30) < 1e-7);
  }
  SECTION("gravity, time scale, friction") {
    world.floor(0.5, 0.2);
    Object slides = World::box(Vec3::Constant(0.2), Vec3(0, 0.1, 0));
    slides.body.velocity = Vec3(2, 0, 0);
    slides.material.substance_follows = false;
    const Id box = world.add(slides);
    const Id ball = world.add(World::sphere(0.1, Vec3(0, 3, 1)));
    key<Vec3>(scene, Id{}, "settings.gravity", {{0.0, Vec3(0, -9.8, 0)}, {0.5, Vec3(1, -9.8, 0)}});
    key<double>(scene, box, "material.substance.friction", {{0.0, 0.0}, {0.6, 0.4}});
    key<bool>(scene, ball, "body.gravity", {{0.0, true}, {0.4, false}});
    CHECK(difference(scene, 18, 30) < 1e-6);
    CHECK(difference(scene, 30, 30) < 1e-6);
  }
}

TEST_CASE("What keys lead and what is pulled goes on from there", "[start_from][keys]") {
  World world = bare();
  Scene& scene = world.scene;
  SECTION("what keys lead, before, while and after") {
    world.floor();
    const Id bat = world.add(World::box(Vec3(0.4, 0.1, 0.1), Vec3(0, 1, 0)));
    key<Vec3>(scene, bat, "transform.position", {{0.1, Vec3(0, 1, 0)}, {0.5, Vec3(0.5, 1, 0)}, {0.8, Vec3(0, 1.5, 0)}});
    SECTION("all the time") {
      for (const int from : {3, 20, 40, 60}) CHECK(difference(scene, from, 20) < 1e-9);
    }
    SECTION("until it is let go, and back") {
      scene = with_object(scene, bat, [](Object& o) { o.body.blend = 0.2; });
      key<bool>(scene, bat, "body.led", {{0.0, true}, {0.4, false}, {0.55, true}});
      for (const int from : {20, 26, 37, 60}) {
        INFO(from);
        CHECK(difference(scene, from, 20) < 1e-9);
      }
    }
  }
  SECTION("a pull") {
    const Id ball = world.add(World::box(Vec3::Constant(0.2), Vec3(0, 1, 0)));
    Joint pull;
    pull.kind = JointKind::pull;
    pull.a.object = ball.value;
    pull.a.place = Vec3(0.1, 0.1, 0);
    pull.b.place = Vec3(0, 1, 0);
    const Id joint = put(scene, &Scene::joints, pull);
    key<bool>(scene, joint, "on", {{0.0, false}, {0.1, true}, {0.7, false}});
    key<Vec3>(scene, joint, "b.place", {{0.1, Vec3(0.1, 0.95, 0)}, {0.4, Vec3(0.5, 1.5, 0)}, {0.7, Vec3(0, 1.5, 0.4)}});
    for (const int from : {3, 12, 30, 50}) {
      INFO(from);
      CHECK(difference(scene, from, 25) < 1e-6);
    }
  }
  SECTION("a pull of what bends") {
    const Id soft = jelly(world, Vec3(0, 1, 0));
    Joint pull;
    pull.kind = JointKind::pull;
    pull.a.object = soft.value;
    pull.a.place = Vec3(0.053, 0.091, 0.072);
    pull.b.place = Vec3(0.1, 1.1, 0.1);
    const Id joint = put(scene, &Scene::joints, pull);
    key<bool>(scene, joint, "on", {{0.0, false}, {0.1, true}, {0.7, false}});
    key<Vec3>(scene, joint, "b.place", {{0.1, Vec3(0.1, 1, 0.1)}, {0.4, Vec3(0.5, 1.5, 0)}, {0.7, Vec3(0, 1.5, 0.4)}});
    for (const int from : {3, 12, 30, 50}) {
      INFO(from);
      CHECK(difference(scene, from, 25) < 1e-6);
    }
  }
}

TEST_CASE("Moments of the film come so much earlier, and those that are over do not come again", "[start_from][keys]") {
  World world = bare();
  Scene& scene = world.scene;
  const Id ball = world.add(World::sphere(0.1, Vec3(0, 1, 0)));
  Graph graph(world);
  for (const double time : {0.2, 0.7})
    graph.wire(graph.when("time", ball, {{"time", time}}), graph.does("throw", ball, {{"y", 3}, {"x", time}}));
  Marker jump;
  jump.name = "Jump";
  jump.time = 0.1;
  const Id marker = put(scene, &Scene::markers, jump);
  jump.name = "Hop";
  jump.time = 0.9;
  const Id later = put(scene, &Scene::markers, jump);
  Sound bang;
  bang.name = "Bang";
  bang.file = "/bang.wav";
  bang.start = 0.3;
  put(scene, &Scene::sounds, bang);
  for (const Id id : {marker, later})
    graph.wire(graph.when("marker", ball, {}, id), graph.does("throw", ball, {{"z", 2}, {"y", 1}}));
  for (const int from : {3, 9, 30, 50}) {
    INFO(from);
    CHECK(difference(scene, from, 40) < 1e-9);
  }
  test::Run run(world);
  run.seconds(0.5);
  const Scene begun = started_from(scene, *run.model, run.state);
  CHECK(begun.markers[0]->time == Approx(-0.4));
  CHECK(begun.sounds[0]->start == Approx(-0.2));
  // Of one that is selected the film stays.
  CHECK(started_from(scene, *run.model, run.state, {ball}).markers[0]->time == 0.1);
}

namespace {

/// Keys of a field at random times, of values near what it has.
void some_keys(Scene& scene, Id target, const std::string& field, EditDice& dice,
               const std::function<FieldValue()>& value) {
  const int count = 1 + dice.below(4);
  for (int k = 0; k < count; ++k)
    scene = with_key(std::move(scene), target.value, field, std::round(60 * dice.unit()) / 60, value());
}

/// Keys that lead one or a hinge that turns it, a pull, and boxes that change a solver.
void hold_and_change(World& world, const std::vector<Id>& bodies, EditDice& dice) {
  Scene& scene = world.scene;
  const auto some = [&](double low, double high) { return dice.between(low, high); };
  const auto between = [&](double low, double high) {
    return std::function<FieldValue()>([&dice, low, high] { return FieldValue(dice.between(low, high)); });
  };
  const std::function<FieldValue()> tick = [&] { return FieldValue(dice.below(2) == 0); };
  const std::function<FieldValue()> arrow = [&] { return FieldValue(Vec3(some(-3, 3), some(-3, 3), some(-3, 3))); };
  const auto sometimes = [&] { return dice.below(2) == 0; };
  const int way = dice.below(3);
  if (way == 0) {  // keys lead one, let it go, and take it back
    some_keys(scene, bodies[0], "transform.position", dice, arrow);
    if (sometimes()) some_keys(scene, bodies[0], "body.led", dice, tick);
    scene = with_object(scene, bodies[0], [&](Object& o) { o.body.blend = sometimes() ? 0.15 : 0; });
  } else if (way == 1) {
    Joint hinge;
    hinge.kind = JointKind::hinge;
    hinge.a.object = bodies[0].value;
    hinge.b.place = Vec3(0, 1, 0);
    hinge.motor = true;
    hinge.motor_torque = 10;
    const Id id = put(scene, &Scene::joints, hinge);
    if (sometimes()) scene = with_key(scene, id.value, "on", std::round(60 * dice.unit()) / 60, false);
    some_keys(scene, id, "motor_turn", dice, between(-3, 3));
    some_keys(scene, id, "motor_torque", dice, between(0, 20));
  }
  if (sometimes()) {
    Joint pull;
    pull.kind = JointKind::pull;
    pull.a.object = bodies[static_cast<std::size_t>(dice.below(2))].value;
    pull.a.place = Vec3(some(-0.08, 0.08), some(-0.08, 0.08), some(-0.08, 0.08));
    pull.b.place = Vec3(1, 1, 0);
    const Id id = put(scene, &Scene::joints, pull);
    some_keys(scene, id, "on", dice, tick);
    some_keys(scene, id, "b.place", dice, arrow);
  }
  if (sometimes()) {
    Graph graph(world);
    for (int k = 1 + dice.below(2); k > 0; --k) {
      const Id soft = bodies[2];
      const char* solver =
          pick(std::vector<const char*>{"springs", "shape_matching", "fem", "polyhedral", "lagrange"}, dice);
      graph.wire(graph.when("time", soft, {{"time", 0.6 * dice.unit()}}),
                 graph.does("solver", soft, {{"solver", static_cast<double>(number_of_solver(solver))}}));
    }
  }
}

/// What moves by keys, joints, forces, fields, pulls and solvers that change, and meets nothing.
World random_world(EditDice& dice) {
  World world = bare();
  Scene& scene = world.scene;
  world.scene.settings.substeps = 2 + dice.below(4);
  const auto some = [&](double low, double high) { return dice.between(low, high); };
  const auto vector = [&](double size) { return Vec3(some(-size, size), some(-size, size), some(-size, size)); };
  std::vector<Id> bodies;
  for (int k = 0; k < 4; ++k) {
    Object o = k == 0   ? World::box(Vec3(0.3, 0.2, 0.1), Vec3(0, 1, 0), 2)
               : k == 1 ? World::sphere(0.1, Vec3(1, 1, 0))
                        : World::jelly(0.2, Vec3(k, 1, 0), some(200, 900), 0.5);
    o.contact.enabled = false;
    o.body.velocity = vector(1);
    o.body.spin = vector(2);
    if (k == 3) o.body.volume.of = VolumeOf::hull;
    bodies.push_back(world.add(o));
  }
  const auto any = [&] { return pick(bodies, dice); };
  const auto number = [&](double low, double high) {
    return std::function<FieldValue()>([&dice, low, high] { return FieldValue(dice.between(low, high)); });
  };
  const std::function<FieldValue()> tick = [&] { return FieldValue(dice.below(2) == 0); };
  const std::function<FieldValue()> arrow = [&] { return FieldValue(Vec3(some(-3, 3), some(-3, 3), some(-3, 3))); };
  const auto sometimes = [&] { return dice.below(2) == 0; };
  if (sometimes()) some_keys(scene, Id{}, "settings.gravity", dice, arrow);
  if (sometimes()) some_keys(scene, any(), "body.gravity", dice, tick);
  if (sometimes()) some_keys(scene, bodies[3], "body.volume.size", dice, number(0.7, 1.5));
  if (sometimes()) {
    Force force;
    force.object = any().value;
    force.push = vector(2);
    const Id id = put(scene, &Scene::forces, force);
    some_keys(scene, id, "on", dice, tick);
    some_keys(scene, id, "push", dice, arrow);
  }
  if (sometimes()) {
    ForceField wind;
    wind.kind = sometimes() ? FieldKind::wind : FieldKind::attractor;
    wind.gust = 0;
    const Id id = put(scene, &Scene::fields, wind);
    some_keys(scene, id, "on", dice, tick);
    some_keys(scene, id, wind.kind == FieldKind::wind ? "speed" : "strength", dice, number(0, 4));
    if (sometimes()) some_keys(scene, id, "position", dice, arrow);
  }
  hold_and_change(world, bodies, dice);
  return world;
}

double check_random(std::uint64_t first, int count) {
  double worst = 0;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    EditDice dice(91000 + seed);
    const World world = random_world(dice);
    const int from = 1 + dice.below(50);
    INFO("seed " << seed << ", from " << from);
    const double far = difference(world.scene, from, 20);
    // Turns of regions and the pressure of a kept volume are found in rounds, from where the last ones ended.
    CHECK(far < 5e-4);
    worst = std::max(worst, far);
  }
  return worst;
}

}  // namespace

TEST_CASE("200 random scenes with keys, pulls and solvers that change go on as they went", "[start_from][keys]") {
  const double worst = check_random(1, test::rounds(200, 20));
  WARN("places apart by up to " << worst << " m");
}

}  // namespace start_from_keys_test
