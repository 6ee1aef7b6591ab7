// Emit: a burst of a source where something hits, or at its centre.
#include <catch2/catch.hpp>

#include "core/math/rotation.h"
#include "core/motion/check.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/graph.h"
#include "tests/support/particle_world.h"

namespace emit_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// A ball that falls on the floor, and what it does when it lands.
struct Landing : ParticleWorld {
  Id ball, dust, event, emit;
  explicit Landing(std::vector<MotionParameter> parameters) {
    floor();
    Object falls = World::sphere(0.2, Vec3(0.5, 1, -0.3), 1);
    falls.body.velocity = Vec3(0, -2, 0);
    ball = add(falls);
    dust = source([](ParticleSource& s) {
      s.rate = 0;
      s.life = 100;
      s.gravity = 0;
    });
    event = box(MotionRole::event, "contact", 0, {});
    emit = box(MotionRole::procedure, "emit", dust.value, std::move(parameters));
    scene.motion[0] = scene.motion[0].edited([&](MotionNode& n) { n.wires = {{emit.value, false}}; });
  }
  Id box(MotionRole role, const char* kind, std::uint64_t other, std::vector<MotionParameter> parameters) {
    MotionNode node;
    node.id = next_id(scene);
    node.role = role;
    node.kind = kind;
    node.object = ball.value;
    node.other = other;
    node.parameters = std::move(parameters);
    scene.motion.push_back(Shared<MotionNode>(node));
    return node.id;
  }
};

}  // namespace

TEST_CASE("Emit gives a burst where something hits, its axis the normal", "[particles][motion]") {
  const Landing world({{"count", {}, 35}});
  Run run(world);
  int born_in = -1;
  for (int k = 0; k < 240 && born_in < 0; ++k) {
    const bool met = !run.events.empty();
    run.step();
    const ParticleMemory& p = particles_of(run, world.dust);
    if (p.size() == 0) continue;
    born_in = k;
    CHECK(met);  // the procedure speaks in the sub-step behind the one that it was started in
    REQUIRE(p.size() == 35);
    for (std::size_t i = 0; i < p.size(); ++i) {
      CHECK((place(p, i) - Vec3(0.5, 0, -0.3)).norm() < 0.03);
      CHECK((velocity(p, i) - Vec3(0, 3, 0)).norm() < 1e-6);
    }
  }
  CHECK(born_in > 20);
  run.seconds(0.5);
  CHECK(particles_of(run, world.dust).size() == 35);  // once
}

TEST_CASE("Emit at the centre, with the object's own speed; a box without a source says so", "[particles][motion]") {
  Landing world({{"count", {}, 5}, {"where", "centre", 0}, {"speed", {}, 1}});
  Run run(world);
  run.seconds(0.5);
  const ParticleMemory& p = particles_of(run, world.dust);
  REQUIRE(p.size() == 5);
  CHECK(place(p, 0).y() > 0.19);
  CHECK(velocity(p, 0).y() != Approx(3).margin(0.05));
  world.scene = without(world.scene, world.dust);
  const std::vector<MotionFault> faults = motion_problems(world.scene);
  REQUIRE_FALSE(faults.empty());
  CHECK(faults[0].message.find("not there") != std::string::npos);
  Run none(world);
  none.seconds(0.5);
  CHECK_FALSE(none.model->particles);
}

TEST_CASE("Emit where the source is gives copies of an object, which wait there for room", "[copies][motion]") {
  Landing world({{"count", {}, 6}, {"where", "source", 0}});
  Object coin = World::hard("coin", {PrimitiveShape::cylinder, Vec3(0.2, 0.04, 0.2), {16, 1, 1}}, Vec3(4, 4, 4), 0.1);
  const Id pattern = world.add(coin);
  world.change_source(world.dust, [&](ParticleSource& s) {
    s.gives = SourceGives::copies;
    s.object = pattern.value;
    s.position = Vec3(-2, 1, 0);
    s.speed = 4;
  });
  Run run(world);
  const auto there = [&] {
    std::size_t count = 0;
    for (std::size_t i = run.model->bodies.own(); i < run.model->bodies.size(); ++i) {
      const Observables seen = observe(*run.model, run.state, i);
      count += seen.mass > 0;
      if (seen.mass > 0) CHECK(std::abs(seen.centre.x() + 2) < 1);
    }
    return count;
  };
  while (run.events.empty()) run.step();
  CHECK(there() == 0);
  run.steps(2);
  CHECK(there() == 1);
  CHECK(particles_of(run, world.dust).size() == 5);
  run.seconds(0.5);
  CHECK(there() == 6);
}

TEST_CASE("Emit where something hits puts copies beside what was hit", "[copies][motion]") {
  Landing world({{"count", {}, 3}});
  Object coin = World::hard("coin", {PrimitiveShape::cylinder, Vec3(0.2, 0.04, 0.2), {16, 1, 1}}, Vec3(4, 4, 4), 0.1);
  const Id pattern = world.add(coin);
  world.change_source(world.dust, [&](ParticleSource& s) {
    s.gives = SourceGives::copies;
    s.object = pattern.value;
    s.cone = 1;  // they make way for each other
  });
  Run run(world);
  run.seconds(1.5);
  CHECK(particles_of(run, world.dust).size() == 0);
  std::size_t count = 0;
  for (std::size_t i = run.model->bodies.own(); i < run.model->bodies.size(); ++i) {
    const Observables seen = observe(*run.model, run.state, i);
    count += seen.mass > 0;
    if (seen.mass > 0) CHECK(seen.centre.y() > 0);
  }
  CHECK(count == 3);
}

TEST_CASE("What lies where it has landed gives copies beside itself", "[copies][motion]") {
  Landing world({{"count", {}, 4}});
  const Id pattern =
      world.add(World::hard("chip", {PrimitiveShape::box, Vec3(0.08, 0.02, 0.05), {1, 1, 1}}, Vec3(4, 4, 4), 0.1));
  for (auto& object : world.scene.objects)
    if (object->id == world.ball)
      object = object.edited([](Object& o) {
        o.display.primitive = {PrimitiveShape::box, Vec3(0.8, 0.4, 0.8), {1, 1, 1}};
        o.material.substance.restitution = 0;
      });
  world.change_source(world.dust, [&](ParticleSource& s) {
    s.gives = SourceGives::copies;
    s.object = pattern.value;
    s.speed = 1;
  });
  Run run(world);
  while (run.events.empty()) run.step();
  run.steps(2);
  std::size_t count = 0;
  for (std::size_t i = run.model->bodies.own(); i < run.model->bodies.size(); ++i) {
    const Observables seen = observe(*run.model, run.state, i);
    if (!(seen.mass > 0)) continue;
    ++count;
    const Vec3 beside = seen.centre - run.at(world.ball).centre;
    CHECK(std::max(std::abs(beside.x()), std::abs(beside.z())) > 0.4);
    CHECK(std::max(std::abs(beside.x()), std::abs(beside.z())) < 0.6);
    CHECK(seen.centre.y() > 0);
    CHECK(seen.centre.y() < 0.1);
  }
  CHECK(count > 0);
  run.seconds(1);
  CHECK(particles_of(run, world.dust).size() == 0);
}

namespace {

constexpr std::uint64_t kSeed = 281129;

void check_hits(std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t k = first; k < first + count; ++k) {
    INFO("seed " << kSeed + k);
    reference::Dice dice(kSeed + k);
    Landing world({{"count", {}, 1}});
    world.scene.settings.gravity.setZero();
    world.scene.settings.seed = kSeed + k;
    const Vec3 normal = dice.vector().normalized();
    const PrimitiveShape shapes[] = {PrimitiveShape::sphere, PrimitiveShape::box, PrimitiveShape::capsule};
    Primitive primitive{
        shapes[k % 3], dice.uniform(0.05, 0.3) * Vec3(1, dice.uniform(0.5, 1), dice.uniform(0.5, 1)), {10, 6, 1}};
    if (primitive.shape == PrimitiveShape::sphere) primitive.size = Vec3::Constant(primitive.size.x());
    if (primitive.shape == PrimitiveShape::box) primitive.divisions = {1, 1, 1};
    const double thick = k % 4 == 0 ? dice.uniform(0.001, 0.02) : 0;
    const Id pattern = world.add(World::hard("bit", primitive, Vec3(40, 4, 4), 0.1));
    for (auto& object : world.scene.objects)
      object = object.edited([&](Object& o) {
        if (o.name == "floor") {
          o.transform.rotation = turn_onto(Vec3::UnitY(), normal);
          o.contact.thickness = thick;
        }
        if (o.id != world.ball) return;
        o.transform.position = 0.25 * normal;
        o.body.velocity = -3 * normal;
        o.material.substance.restitution = 1;
      });
    world.change_source(world.dust, [&](ParticleSource& s) {
      s.gives = SourceGives::copies;
      s.object = pattern.value;
      s.speed = s.whirl = 0;
      s.scale_spread = 0;
    });
    Run run(world);
    const std::size_t own = run.model->bodies.own();
    std::size_t born = 0;
    int since = 0;  // the hit: it does not wait for the ball to go
    for (int step = 0; step < 240 && born == 0; ++step) {
      run.step();
      for (std::size_t i = own; i < run.model->bodies.size(); ++i)
        if (observe(*run.model, run.state, i).mass > 0) born = i;
      since += run.events.empty() ? 0 : 1;
    }
    CHECK(since <= 2);
    REQUIRE(born > 0);
    const hazumi::Body& body = run.model->bodies[born];
    const Pose pose = body.pose(run.state.bodies[born].values);
    double least = 1e9;
    if (primitive.shape == PrimitiveShape::sphere)
      least = pose.position.dot(normal) - body.proxy.radius;
    else
      for (const Vec3& x : body.mesh->positions)
        least = std::min(least, (pose * Vec3(x - body.mesh_origin)).dot(normal));
    // Of many contacts with a thick wall few stay, and the deepest need not be among them (contact/thin.h).
    CHECK(least > thick - (thick > 0 ? 1e-3 * primitive.size.maxCoeff() : 0));
    CHECK(least < thick + 0.01);
  }
}

}  // namespace

TEST_CASE("200 random bodies that hit a wall give copies as near to it as they may be", "[copies][motion]") {
  check_hits(0, 200);
}

TEST_CASE("5,000 random bodies that hit a wall", "[.long]") { check_hits(1000, 5000); }

}  // namespace emit_test
