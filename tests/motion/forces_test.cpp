// Forces of the scene in a run: against closed forms, on nodes, keyed, in the axes of what they push; the same bits from any state; and from which
// frame on an edit of them counts.
#include <catch2/catch.hpp>

#include "core/playback/simulator.h"
#include "core/scene/derived/array.h"
#include "core/scene/derived/keyed.h"
#include "core/scene/derived/parts.h"
#include "core/scene/derived/pushes.h"
#include "core/scene/diff.h"
#include "core/scene/validate.h"
#include "core/scene/values/scene_lists.h"
#include "tests/support/run.h"

namespace forces_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kMass = 2;

/// Without weight: a box (1) and a force on it.
struct Void : World {
  Id force;
  explicit Void(Object object = box(Vec3(0.4, 0.6, 0.8), Vec3(0, 2, 0), kMass)) {
    scene.settings.gravity.setZero();
    scene.settings.substeps = 4;
    scene.settings.frame_rate = 25;
    add(std::move(object));
    Force one;
    one.id = force = next_id(scene);
    one.object = 1;
    one.push = Vec3(3, -1, 2);
    scene.forces = {one};
  }
  void change(const std::function<void(Force&)>& how) { scene = with_force(scene, force, how); }
  void key(const char* field, double time, const FieldValue& value) {
    scene = with_key(std::move(scene), force.value, field, time, value);
  }
  void linear() {
    for (auto& track : scene.tracks)
      track = track.edited([](Track& t) {
        for (Key& key : t.keys) key.shape = KeyShape::linear;
      });
  }
};

int first_frame(const Scene& before, const Scene& after) { return diff(before, after, {}).first_frame; }

}  // namespace

TEST_CASE("A force gives what it pushes F t, and its work is what the body gains", "[forces]") {
  Void world;
  Run run(world);
  run.seconds(1);
  CHECK((run.at(Id{1}).momentum - Vec3(3, -1, 2)).norm() < 1e-12);
  CHECK(run.at(Id{1}).angular_momentum.norm() < 1e-9);
  // v = F t/m, x = F t²/2m: the same work twice.
  CHECK(run.energy() == Approx(14.0 / (2 * kMass)).epsilon(1e-12));
  // Off it does nothing.
  world.change([](Force& f) { f.on = false; });
  Run still(world);
  CHECK_FALSE(still.model->director);
  still.seconds(1);
  CHECK(still.at(Id{1}).momentum == Vec3::Zero());
}

TEST_CASE("Beside the middle a force turns what it pushes", "[forces]") {
  Void world;
  world.change([](Force& f) {
    f.place = Vec3(0.2, 0, 0);
    f.push = Vec3(0, 3, 0);
  });
  Run run(world);
  const StepReport first = run.step();
  CHECK(first.ok);
  // In the first sub-step by x × F h.
  CHECK((run.at(Id{1}).angular_momentum - run.at(Id{1}).centre.cross(run.at(Id{1}).momentum) -
         Vec3(0, 0, 0.6) * run.model->step)
            .norm() < 1e-12);
  // With it, it goes on turning the box: as a jet on it does, the same in all directions of the world.
  world.change([](Force& f) { f.own_axes = true; });
  Run jet(world);
  jet.seconds(1);
  CHECK(jet.at(Id{1}).momentum.norm() < 3);
}

TEST_CASE("On nodes each has an equal part; without nodes the nearest has all", "[forces]") {
  Object soft = World::jelly(0.5, Vec3(0, 2, 0), 500, kMass);
  soft.analysis.size = Vec3::Constant(1);
  Void world(soft);
  world.change([](Force& f) { f.nodes = {{0}, {3}, {4}}; });
  const Run compiled(world);
  const Model& model = *compiled.model;
  REQUIRE(model.bodies[0].deforms);
  const auto told = [&](const Model& of) {
    std::vector<BodyForces> forces(of.bodies.size());
    for (std::size_t i = 0; i < forces.size(); ++i)
      forces[i].nodes.assign(of.bodies[i].truss.nodes.size(), Vec3::Zero());
    of.director->direct(of, initial_state(of), {}, forces);
    return forces[0].nodes;
  };
  const std::vector<Vec3> nodes = told(model);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    CHECK((nodes[i] - (i == 0 || i == 3 || i == 4 ? Vec3(Vec3(3, -1, 2) / 3) : Vec3(Vec3::Zero()))).norm() < 1e-15);
  // What there is not is left out, and told.
  world.change([](Force& f) { f.nodes = {{3}, {9999}}; });
  CHECK(told(*Run(world).model)[3] == Vec3(3, -1, 2));
  REQUIRE(idle_forces(world.scene).size() == 1);
  CHECK(idle_forces(world.scene)[0].message ==
        "Force pushes node 9999, which jelly has not; it pushes the others alone.");
  // By place.
  world.change([&](Force& f) {
    f.nodes.clear();
    f.place = model.bodies[0].truss.nodes[5] * 1.2;
  });
  CHECK(told(*Run(world).model)[5] == Vec3(3, -1, 2));
  // All of it moves as F t says.
  Run run(world);
  run.seconds(0.5);
  CHECK((run.at(Id{1}).momentum - 0.5 * Vec3(3, -1, 2)).norm() < 1e-9);
}

TEST_CASE("A keyed force is that of the middle of each sub-step; the switch is that of its beginning",
          "[forces][keys]") {
  Void world;
  world.key("push", 0, Vec3(0, 0, 0));
  world.key("push", 1, Vec3(4, 0, 0));
  world.linear();
  Run run(world);
  run.seconds(1);
  // Midpoints of a straight line: ∫ F dt = 2, to round-off.
  CHECK(run.at(Id{1}).momentum.x() == Approx(2).epsilon(1e-12));
  Void switched;
  switched.key("on", 0, true);
  switched.key("on", 0.2, false);
  Run stops(switched);
  stops.seconds(1);
  CHECK((stops.at(Id{1}).momentum - 0.2 * Vec3(3, -1, 2)).norm() < 1e-12);
  // Steps.
  Void steps;
  steps.key("push", 0, Vec3(1, 0, 0));
  steps.key("push", 0.5, Vec3(5, 0, 0));
  for (auto& track : steps.scene.tracks)
    track = track.edited([](Track& t) {
      for (Key& key : t.keys) key.shape = KeyShape::step;
    });
  Run by_steps(steps);
  by_steps.seconds(1);
  CHECK(by_steps.at(Id{1}).momentum.x() == Approx(3).epsilon(1e-12));
}

TEST_CASE("A force wakes what sleeps, and what it does is the same from any state", "[forces]") {
  World world;
  world.floor();
  const Id sleeper = world.add(World::box(Vec3(0.4, 0.4, 0.4), Vec3(0, 0.2, 0), kMass));
  Force push;
  push.id = next_id(world.scene);
  push.object = sleeper.value;
  push.push.setZero();
  world.scene.forces = {push};
  world.scene = with_key(world.scene, push.id.value, "push", 0, Vec3(Vec3::Zero()));
  world.scene = with_key(world.scene, push.id.value, "push", 2, Vec3(Vec3::Zero()));
  world.scene = with_key(world.scene, push.id.value, "push", 2.1, Vec3(40, 10, 0));
  MeshStore meshes;
  const auto model = compile(world.scene, meshes).value();
  Simulator simulator(model, 1);
  const int last = static_cast<int>(2.5 * world.scene.settings.frame_rate);
  std::vector<std::uint64_t> hashes;
  for (int f = 0; f <= last; ++f) hashes.push_back(hash(*simulator.state_at(f)));
  const std::size_t body = model->bodies.number(sleeper);
  CHECK(observe(*model, *simulator.state_at(last), body).centre.x() > 0.05);
  Simulator again(model, 2);
  for (const int f : {last, 20, last - 3, 121}) CHECK(hash(*again.state_at(f)) == hashes[static_cast<std::size_t>(f)]);
}

TEST_CASE("An edit of a force drops the frames from the first that it changes", "[forces][keys][diff]") {
  Void world;
  world.key("push", 0, Vec3(1, 0, 0));
  world.key("push", 1, Vec3(1, 0, 0));
  world.linear();
  const Scene& scene = world.scene;
  const Scene later = with_key(scene, world.force.value, "push", 2, Vec3(5, 0, 0));
  CHECK(first_frame(scene, later) == 26);  // the sub-step that begins at 1 s is the first that is told more
  CHECK(simulation_signature(scene) != simulation_signature(later));
  CHECK(first_frame(scene, with_force(scene, world.force, [](Force& f) { f.push.x() = 9; })) == 0);
  CHECK(first_frame(scene, with_force(scene, world.force, [](Force& f) { f.name = "Wind"; })) == kNoFrame);
  CHECK(first_frame(scene, with_force(scene, world.force, [](Force& f) { f.visible = false; })) == kNoFrame);
  CHECK(first_frame(scene, without(scene, world.force)) == 0);
  CHECK(without(scene, Id{1}).forces.empty());
  CHECK(without(scene, Id{1}).tracks.empty());
  CHECK(first_frame(scene, with_force(scene, world.force, [](Force& f) { f.nodes = {{1}}; })) == 0);
}

TEST_CASE("Copies of what is pushed are pushed; what pushes nothing is told", "[forces][parts]") {
  Void world;
  world.key("push", 1, Vec3(1, 0, 0));
  const Scene& scene = world.scene;
  CHECK(validate(scene).empty());
  const JoinedScene twice = joined(scene, part_of(scene, {Id{1}}));
  REQUIRE(twice.scene.forces.size() == 2);
  CHECK(twice.scene.forces[1]->object == twice.ids.at(Id{1}).value);
  CHECK(find_track(twice.scene, twice.scene.forces[1]->id.value, "push"));
  CHECK(validate(twice.scene).empty());
  ArraySettings ring;
  ring.kind = ArrayKind::circle;
  ring.count = 4;
  const Array made = arrayed(scene, {Id{1}}, ring);
  REQUIRE(made.scene.forces.size() == 4);
  CHECK(made.scene.forces[1]->push.norm() == Approx(Vec3(3, -1, 2).norm()));
  CHECK((made.scene.forces[1]->push - made.scene.forces[0]->push).norm() > 1);
  // Warnings, no errors.
  const auto told = [&](const Scene& of) {
    const Diagnostics found = validate(of);
    REQUIRE(found.size() == 1);
    CHECK(found[0].severity == Severity::warning);
    CHECK(validate_change(scene, of).size() == 1);
    return found[0].path + ": " + found[0].message;
  };
  CHECK(told(with_force(scene, world.force, [](Force& f) { f.object = 0; })) ==
        "forces[0] \"Force\" object: Force has no object; it pushes nothing.");
  CHECK(told(with_force(scene, world.force, [](Force& f) { f.object = 77; })) ==
        "forces[0] \"Force\" object: What Force pushes is gone; it pushes nothing.");
  CHECK(told(with_object(scene, Id{1}, [](Object& o) { o.body.kind = BodyKind::fixed; })) ==
        "forces[0] \"Force\" object: box does not move by itself; Force pushes nothing.");
}

}  // namespace forces_test
