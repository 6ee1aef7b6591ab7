// Leads in a run (spec 2.1): what they lead is where its target is at the end of every sub-step; loosely with less strictness; let go it goes
// on as it came; the force that it takes is what the equation of motion lacks; the same bits from any state and on any threads.
#include <catch2/catch.hpp>

#include "core/playback/simulator.h"
#include "core/scene/derived/tracks.h"
#include "tests/sim/joint/joint_support.h"

namespace lead_runs_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kMass = 2, kSize = 0.4;  // kg, m

/// What is led by a place of it to keys in the world, which begin there.
struct LedWorld : JointWorld {
  Id lead;
  Vec3 start = Vec3::Zero();

  LedWorld(Object object, const Vec3& place) {
    object.contact.enabled = false;
    const Id id = add(std::move(object));
    lead = joined(JointKind::lead, id, Id{}, place);
    start = place;
  }
  void key(const char* field, double time, const FieldValue& value) {
    scene = with_key(std::move(scene), lead.value, field, time, value);
  }
  void go(double time, const Vec3& way) { key("b.place", time, Vec3(start + way)); }
};

LedWorld led_box(const Vec3& beside = Vec3::Zero()) {
  return {World::box(Vec3::Constant(kSize), Vec3(0, 2, 0), kMass), Vec3(0, 2, 0) + beside};
}

LedWorld led_jelly() {
  const Object soft = World::jelly(0.5 * kSize, Vec3(0, 2, 0), 2000, kMass);
  MeshStore meshes;
  const Truss truss = object_truss(soft, *meshes.mesh(soft));
  return {soft, Vec3(soft.transform.position + truss.nodes[3])};
}

/// m, from the place to the target of the first joint, now.
double apart(const JointRun& run) {
  const ModelJoint& joint = run.model->joints.at(0);
  std::vector<JointDrive> drives;
  for (const ModelJoint& one : run.model->joints) drives.push_back(own_drive(one));
  run.model->director->drive(*run.model, run.state.substep - 1, drives);
  return (run.place(joint.a, joint.place_a, joint.nodes_a) - drives[0].place_b).norm();
}

}  // namespace

TEST_CASE("What is led is where its target is at every step, rigid or by a node", "[joint][leads]") {
  for (const int kind : {0, 1, 2}) {
    LedWorld world = kind == 0 ? led_box() : kind == 1 ? led_box(Vec3(0.2, 0.1, -0.2)) : led_jelly();
    world.go(0, Vec3::Zero());
    world.go(0.5, Vec3(0.6, 0.4, -0.3));
    world.go(0.8, Vec3(0.2, 0.9, 0.3));
    world.go(1.5, Vec3(-0.4, 0.1, 0));
    JointRun run(world);
    REQUIRE(run.model->joints.size() == 1);
    double most = 0;
    const int steps = static_cast<int>(2 / run.model->step);
    for (int n = 0; n < steps; ++n) {
      run.steps(1);
      most = std::max(most, apart(run));
    }
    INFO("kind " << kind << ", apart by " << most << " m");
    CHECK(most < 1e-9 * kSize);
  }
}

TEST_CASE("The force of a lead is what the equation of motion lacks", "[joint][leads]") {
  // x = ½ A t², as one segment of Hermite's cubic.
  constexpr double kPull = 3;  // m/s²
  LedWorld world = led_box();
  world.go(0, Vec3::Zero());
  world.go(1, Vec3(0.5 * kPull, 0, 0));
  for (auto& track : world.scene.tracks)
    track = track.edited([](Track& t) {
      for (Key& key : t.keys) key.tangent = KeyTangent::aligned;
      t.keys[1].in = t.keys[1].out = {kPull, 0, 0, 0};
    });
  JointRun run(world);
  run.seconds(0.5);
  const Vec3 wanted = kMass * (Vec3(kPull, 0, 0) - run.model->gravity);
  for (int n = 0; n < 40; ++n) {
    run.steps(1);
    REQUIRE(run.readings.size() == 1);
    CHECK((run.readings[0].pull - wanted).norm() < 1e-6 * wanted.norm());
    CHECK(run.readings[0].force == Approx(wanted.norm()).epsilon(1e-6));
  }
  CHECK(run.velocity(Id{1}).x() ==
        Approx(kPull * static_cast<double>(run.state.substep) * run.model->step).epsilon(1e-6));
}

TEST_CASE("Less strictness follows loosely, and none not at all", "[joint][leads]") {
  const auto way = [](double strictness) {
    LedWorld world = led_box();
    world.go(0, Vec3::Zero());
    world.go(0.5, Vec3(1, 0, 0));
    world.key("strictness", 0, strictness);
    world.scene.settings.gravity = Vec3(0, -1, 0);
    JointRun run(world);
    run.seconds(0.25);
    return Vec3(run.at(Id{1}).centre - Vec3(0, 2, 0));
  };
  const Vec3 free = way(0), strict = way(1), loose = way(0.3);
  CHECK((free - Vec3(0, -0.5 * 0.25 * 0.25, 0)).norm() < 1e-3);
  CHECK(strict.x() > 0.3);
  CHECK(loose.x() > 1e-4);
  CHECK(loose.x() < strict.x());
}

TEST_CASE("Let go by a key of its switch it goes on as it came", "[joint][leads]") {
  LedWorld world = led_box();
  world.scene.settings.gravity.setZero();
  world.go(0, Vec3::Zero());
  world.go(1, Vec3(2, 0, 0));
  for (auto& track : world.scene.tracks)
    track = track.edited([](Track& t) {
      for (Key& key : t.keys) key.shape = KeyShape::linear;
    });
  world.key("on", 0, true);
  world.key("on", 0.5, false);
  JointRun run(world);
  run.seconds(0.5);
  CHECK(run.readings.size() == 1);
  run.seconds(1);
  CHECK(run.readings.empty());
  CHECK((run.velocity(Id{1}) - Vec3(2, 0, 0)).norm() < 1e-6);
  CHECK(run.at(Id{1}).centre.x() == Approx(3).epsilon(1e-6));
  // A hinge that is let go: what hangs on it falls.
  JointWorld door;
  const Id box = door.add(World::box(Vec3::Constant(kSize), Vec3(0, 2, 0), kMass));
  const Id hinge = door.joined(JointKind::hinge, Id{}, box, Vec3(0, 2, 0));
  door.scene = with_key(door.scene, hinge.value, "on", 0, true);
  door.scene = with_key(door.scene, hinge.value, "on", 0.25, false);
  JointRun swings(door);
  swings.seconds(0.25);
  CHECK(swings.at(box).centre.y() == Approx(2).margin(1e-9));
  swings.seconds(0.5);
  CHECK(swings.at(box).centre.y() == Approx(2 - 0.5 * 9.80665 * 0.25).epsilon(0.02));
}

TEST_CASE("Runs with leads have the same bits from any state and on any threads", "[joint][leads][threads]") {
  for (const bool soft : {false, true}) {
    LedWorld world = soft ? led_jelly() : led_box(Vec3(0.2, 0, 0));
    world.go(0, Vec3::Zero());
    world.go(0.3, Vec3(0.5, 0.5, 0));
    world.key("strictness", 0, 1.0);
    world.key("strictness", 0.4, 0.5);
    world.key("on", 0, true);
    world.key("on", 0.5, false);
    world.key("on", 0.7, true);
    MeshStore meshes;
    const auto model = compile(world.scene, meshes).value();
    Simulator first(model, 1), again(model, 2);
    std::vector<std::uint64_t> hashes;
    for (int f = 0; f <= 60; ++f) hashes.push_back(hash(*first.state_at(f)));
    for (const int f : {60, 17, 31, 59, 2}) CHECK(hash(*again.state_at(f)) == hashes[static_cast<std::size_t>(f)]);
  }
}

}  // namespace lead_runs_test
