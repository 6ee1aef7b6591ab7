// Particles meet planes, boxes, balls and meshes, standing, moving and bending; they bounce, slide, stick, die and split.
#include <catch2/catch.hpp>

#include <cmath>

#include "tests/support/edits.h"
#include "tests/support/particle_world.h"

namespace particle_collision_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kG = 9.80665;

Object still(Object object) {
  object.body.kind = BodyKind::fixed;
  return object;
}

Object as_mesh(Object object) {
  object.contact.shape = ContactShape::surface;
  return object;
}

/// One that falls from a place.
std::function<void(ParticleSource&)> dropped(const Vec3& from, double bounce, double size = 0.02) {
  return [=](ParticleSource& s) {
    s.position = from;
    s.rate = 0;
    s.burst = 1;
    s.speed = 0;
    s.life = 1000;
    s.collides = true;
    s.bounce = bounce;
    s.size = size;
  };
}

/// Highest after the first time it goes up again.
double height_of_bounce(Run& run, Id id, double seconds) {
  double highest = -1e9;
  bool met = false;
  for (int k = 0; k < static_cast<int>(seconds / run.model->step); ++k) {
    run.step();
    const ParticleMemory& p = particles_of(run, id);
    met = met || p.v[0] > 0;
    if (met) highest = std::max(highest, p.y[0]);
    if (met && p.v[0] < 0) break;
  }
  return highest;
}

}  // namespace

TEST_CASE("A particle bounces by e on whatever shape it falls on", "[particles]") {
  std::vector<std::function<double(ParticleWorld&)>> grounds = {
      [](ParticleWorld& w) { return w.floor(), 0.0; },
      [](ParticleWorld& w) { return w.add(still(World::box(Vec3(2, 2, 2), Vec3(0, -1, 0)))), 0.0; },
      [](ParticleWorld& w) { return w.add(still(as_mesh(World::box(Vec3(2, 2, 2), Vec3(0, -1, 0))))), 0.0; },
      [](ParticleWorld& w) { return w.add(still(World::sphere(1, Vec3(0, -1, 0)))), 0.0; },
  };
  for (const auto& ground : grounds) {
    ParticleWorld world;
    const double level = ground(world);
    const Id id = world.source(dropped(Vec3(0.01, 1, 0.02), 0.8));
    Run run(world);
    const double fall = 1 - 0.01 - level;
    CHECK(height_of_bounce(run, id, 2) == Approx(0.64 * fall + 0.01 + level).epsilon(0.01));
  }
}

TEST_CASE("What lies on a slope below atan friction stays; above it slides at g (sin − μ cos)", "[particles]") {
  for (const double friction : {0.6, 0.2}) {
    ParticleWorld world;
    Object ramp = still(World::box(Vec3(40, 1, 10), Vec3::Zero()));
    const double slope = 0.4;
    ramp.transform.rotation = Quat(Eigen::AngleAxisd(-slope, Vec3::UnitZ()));  // tan 0.4 = 0.42
    world.add(ramp);
    const Vec3 normal(std::sin(slope), std::cos(slope), 0), down(std::cos(slope), -std::sin(slope), 0);
    const Id id = world.source([&](ParticleSource& s) {
      dropped(0.511 * normal, 0)(s);
      s.friction = friction;
    });
    Run run(world);
    run.seconds(1);
    const double u = velocity(particles_of(run, id), 0).dot(down), x = place(particles_of(run, id), 0).dot(down);
    const double wanted = friction > 0.5 ? 0 : kG * (std::sin(slope) - friction * std::cos(slope));
    CHECK(u == Approx(wanted).margin(0.03));
    CHECK(x == Approx(wanted / 2).margin(0.03));
    run.seconds(0.5);
    CHECK(velocity(particles_of(run, id), 0).dot(down) - u == Approx(0.5 * wanted).margin(0.001));
    CHECK(place(particles_of(run, id), 0).dot(normal) == Approx(0.51).margin(1e-6));
  }
}

TEST_CASE("A moving wall throws particles, and none gets through it", "[particles]") {
  for (const bool mesh : {false, true}) {
    ParticleWorld world(0);
    Object wall = FieldWorld::thrown(World::box(Vec3(0.2, 6, 6), Vec3(-3, 0, 0), 1e6), Vec3(5, 0, 0));
    wall.contact.enabled = true;
    if (mesh) wall.contact.shape = ContactShape::surface;
    const Id body = world.add(wall);
    const Id id = world.source([](ParticleSource& s) {
      s.shape = SourceShape::ball;
      s.radius = 2;
      s.cone = kPi;
      s.rate = 0;
      s.burst = 300;
      s.speed = 0;
      s.life = 100;
      s.collides = true;
      s.bounce = 0.5;
      s.friction = 0;
    });
    Run run(world);
    run.seconds(1.2);
    const double front = run.at(body).centre.x() + 0.1;
    const ParticleMemory& p = particles_of(run, id);
    for (std::size_t i = 0; i < p.size(); ++i) {
      CHECK(p.x[i] > front);
      CHECK((p.u[i] == 0 || p.u[i] == Approx(7.5).epsilon(1e-9)));
    }
  }
}

TEST_CASE("Rain on a turning, bending and moving crowd gets into nothing", "[particles]") {
  constexpr std::uint64_t kSeed = 15207;
  EditDice dice(kSeed);
  ParticleWorld world;
  world.floor();
  const Id table = world.add(
      still(as_mesh(make_object(0, "torus", {PrimitiveShape::torus, Vec3(2, 0.8, 2), {24, 16, 1}}, Vec3(0, 0.6, 0)))));
  Object spinner = World::box(Vec3(1.5, 0.3, 0.4), Vec3(2, 1.5, 0), 5);
  spinner.body.spin = Vec3(0, 0, 9);
  spinner.body.gravity = false;
  world.add(as_mesh(spinner));
  const Id jelly = world.add(World::jelly(0.5, Vec3(-2, 1.2, 0), 600, 5));
  const Id id = world.source([](ParticleSource& s) {
    s.position = Vec3(0, 3.5, 0);
    s.rotation = Quat(Eigen::AngleAxisd(kPi, Vec3::UnitX()));
    s.radius = 3;
    s.rate = 2000;
    s.speed = 6;
    s.life = 2;
    s.collides = true;
    s.bounce = 0.3;
    s.size = 0.03;
  });
  (void)table;
  Run run(world);
  for (int k = 0; k < 480; ++k) {
    run.step();
    const ParticleMemory& p = particles_of(run, id);
    const Vec3 middle = run.at(jelly).centre;
    for (std::size_t i = 0; i < p.size(); ++i) {
      INFO("seed " << kSeed << ", sub-step " << k << ", particle " << p.number[i] << " at " << place(p, i).transpose());
      // Pressed between the jelly and the floor one has no way out.
      if ((place(p, i) - middle).norm() > 0.7) REQUIRE(p.y[i] > 0.014);
      const double ring = std::hypot(std::hypot(p.x[i], p.z[i]) - 0.6, p.y[i] - 0.6);  // 0.4 thick
      REQUIRE(ring > 0.36);                                                            // it is a polygon
    }
  }
  CHECK(particles_of(run, id).size() > 2000);
}

TEST_CASE("A particle sticks to what it hits and goes with it; another dies; another splits", "[particles]") {
  for (const bool soft : {false, true}) {
    ParticleWorld world(0);
    Object target = soft ? World::jelly(0.5, Vec3(0, 0, 0), 800, 1) : World::box(Vec3(1, 1, 1), Vec3::Zero(), 1);
    target.body.velocity = Vec3(1, 0, 0);
    target.body.spin = Vec3(0, 0, 1);
    const Id body = world.add(target);
    const Id sticky = world.source([](ParticleSource& s) {
      dropped(Vec3(0, 2, 0), 0)(s);
      s.rotation = Quat(Eigen::AngleAxisd(kPi, Vec3::UnitX()));
      s.speed = 20;
      s.hit = ParticleHit::stick;
    });
    Run run(world);
    run.seconds(0.2);
    REQUIRE(particles_of(run, sticky).held[0] == 1 + run.index(body));
    const auto own = [&] {
      const hazumi::Body& b = run.model->bodies[run.index(body)];
      const Pose pose = b.pose(run.state.bodies[run.index(body)].values);
      return Vec3(pose.rotation.conjugate() * (place(particles_of(run, sticky), 0) - pose.position));
    };
    const Vec3 before = own();
    CHECK(before.norm() == Approx(0.51).margin(0.06));
    run.seconds(1);
    CHECK((own() - before).norm() < (soft ? 0.02 : 1e-9));
  }
  ParticleWorld world(0);
  world.floor();
  const Id pieces = world.source([](ParticleSource& s) {
    s.rate = 0;
    s.speed = 1;
    s.life = 100;
  });
  const Id drop = world.source([&](ParticleSource& s) {
    dropped(Vec3(3, 2, 1), 0)(s);
    s.rotation = Quat(Eigen::AngleAxisd(kPi, Vec3::UnitX()));
    s.speed = 4;
    s.hit = ParticleHit::split;
    s.into = pieces.value;
    s.pieces = 7;
  });
  Run run(world);
  run.seconds(1);
  CHECK(particles_of(run, drop).size() == 0);
  const ParticleMemory& p = particles_of(run, pieces);
  REQUIRE(p.size() == 7);
  for (std::size_t i = 0; i < p.size(); ++i) {
    CHECK((velocity(p, i) - Vec3(0, 1, 0)).norm() < 1e-12);
    CHECK(p.birth[i] == Approx(1.99 / 4).margin(1.01 / 240));
    CHECK((place(p, i) - Vec3(3, 0.01 + 1 - p.birth[i], 1)).norm() < 1e-9);
  }
  world.change_source(drop, [](ParticleSource& s) { s.hit = ParticleHit::die; });
  Run dying(world);
  dying.seconds(1);
  CHECK(particles_of(dying, drop).size() == 0);
  CHECK(particles_of(dying, pieces).size() == 0);
}

TEST_CASE("Particles meet only what is in their collection, and bodies feel nothing of them", "[particles]") {
  ParticleWorld world;
  world.floor();
  const Id lid = world.add(still(World::box(Vec3(2, 0.1, 2), Vec3(0, 1, 0))));
  Collection lids;
  lids.id = next_id(world.scene);
  lids.name = "Lids";
  world.scene.collections.push_back(Shared<Collection>(lids));
  world.change_object(lid, [&](Object& o) { o.collection = lids.id.value; });
  const auto rain = [&](double x, std::uint64_t meets) {
    return world.source([=](ParticleSource& s) {
      dropped(Vec3(x, 2, 0), 0)(s);
      s.meets = meets;
    });
  };
  const Id all = rain(0, 0), lidded = rain(0, lids.id.value), beside = rain(3, lids.id.value);
  Run run(world);
  run.seconds(1);
  CHECK(particles_of(run, all).y[0] == Approx(1.06).margin(1e-6));
  CHECK(particles_of(run, lidded).y[0] == Approx(1.06).margin(1e-6));
  CHECK(particles_of(run, beside).y[0] < -2);
}

TEST_CASE("A source inside of what its particles meet is told of", "[particles]") {
  ParticleWorld world;
  world.add(still(World::box(Vec3(2, 2, 2), Vec3::Zero())));
  const Id id = world.source(dropped(Vec3(0, 0.2, 0), 0));
  MeshStore meshes;
  const auto inside = compile(world.scene, meshes);
  REQUIRE(inside.ok());
  REQUIRE(inside.diagnostics().size() == 1);
  CHECK(inside.diagnostics()[0].message == "It is inside box, which its particles leave as if it were not there.");
  world.change_source(id, [](ParticleSource& s) { s.position.y() = 2; });
  const auto outside = compile(world.scene, meshes);
  CHECK(outside.diagnostics().empty());
}

TEST_CASE("A source deep inside of a mesh is told of, one in its hole or beside it is not", "[particles]") {
  const auto told = [](PrimitiveShape shape, const Vec3& place) {
    ParticleWorld world;
    world.add(make_object(0, "thing", {shape, Vec3(1, 1, 1), {24, 12, 6}}, Vec3::Zero(), BodyKind::fixed));
    const Id id = world.source(dropped(place, 0));
    world.change_source(id, [](ParticleSource& s) { s.size = 0.03; });
    MeshStore meshes;
    const auto model = compile(world.scene, meshes);
    REQUIRE(model.ok());
    return model.diagnostics().size();
  };
  for (const PrimitiveShape shape : {PrimitiveShape::box, PrimitiveShape::sphere, PrimitiveShape::cylinder,
                                     PrimitiveShape::rounded_box, PrimitiveShape::cone}) {
    CHECK(told(shape, Vec3(0, -0.2, 0)) == 1);
    CHECK(told(shape, Vec3(0, 0.6, 0)) == 0);
    CHECK(told(shape, Vec3(0.7, 0, 0)) == 0);
  }
  CHECK(told(PrimitiveShape::torus, Vec3::Zero()) == 0);
  // No deeper than half a particle counts as on it.
  CHECK(told(PrimitiveShape::cylinder, Vec3(0, 0.49, 0)) == 0);
  CHECK(told(PrimitiveShape::cylinder, Vec3(0, 0.48, 0)) == 1);
}

}  // namespace particle_collision_test
