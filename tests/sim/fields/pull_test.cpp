// Fields of force that pull and lift: orbits, energy, Archimedes; who feels them, and where.
#include <catch2/catch.hpp>

#include <cmath>

#include "core/scene/derived/field_values.h"
#include "core/sim/fields/immersed.h"
#include "tests/support/field_world.h"

namespace pull_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kG = 9.80665;

double potential(const ForceField& f, const Vec3& x) {
  const double far = std::sqrt((x - f.position).squaredNorm() + f.core * f.core);
  return f.kind == FieldKind::attractor ? f.strength * far : -f.strength / far;
}

}  // namespace

TEST_CASE("A field of gravity is gravity", "[fields]") {
  FieldWorld fields, own(kG);
  for (FieldWorld* world : {&fields, &own}) {
    world->add(FieldWorld::thrown(World::box(Vec3(0.3, 0.2, 0.5), Vec3::Zero(), 2), Vec3(3, 4, 1)));
    world->add(FieldWorld::thrown(World::jelly(0.3, Vec3(2, 0, 0), 500), Vec3(0, 4, 1)));
  }
  fields.field(FieldKind::gravity);
  Run a(fields), b(own);
  a.seconds(0.5);
  b.seconds(0.5);
  for (const std::uint64_t id : {1, 2}) {
    CHECK((a.at(Id{id}).centre - b.at(Id{id}).centre).norm() < 1e-10);
    CHECK((a.velocity(Id{id}) - b.velocity(Id{id})).norm() < 1e-9);
  }
}

TEST_CASE("Round what pulls to its centre energy and angular momentum are kept", "[fields]") {
  for (const FieldKind kind : {FieldKind::attractor, FieldKind::point_gravity}) {
    FieldWorld world;
    const Id id = world.add(FieldWorld::thrown(World::sphere(0.1, Vec3(1, 0, 0), 2), Vec3(0, 2, 0.5)));
    const Id field = world.field(kind, [](ForceField& f) {
      f.strength = 6;
      f.core = 0.2;
    });
    Run run(world);
    const ForceField f = *find_force_field(world.scene, field);
    const auto energy = [&] {
      const Observables o = run.at(id);
      return o.kinetic_energy + o.mass * potential(f, o.centre);
    };
    const auto turn = [&] { return Vec3(run.at(id).centre.cross(run.velocity(id))); };
    const double first = energy(), scale = run.at(id).kinetic_energy;
    const Vec3 turning = turn();
    double off = 0;
    for (int k = 0; k < 240 * 60; ++k) {
      run.steps(1);
      off = std::max(off, std::abs(energy() - first) / scale);
    }
    CHECK(off < 8e-5);  // 8e-6 and 2.7e-5: it swings, and does not grow
    CHECK((turn() - turning).norm() < 1e-9);
  }
}

TEST_CASE("A floating box lies as deep as Archimedes says", "[fields]") {
  for (const double density : {200.0, 500.0, 900.0}) {
    FieldWorld world(kG);
    Object box =
        FieldWorld::thrown(World::box(Vec3(0.8, 0.4, 0.6), Vec3(0, 0.3, 0), density * 0.8 * 0.4 * 0.6), Vec3::Zero());
    const Id id = world.add(box);
    world.field(FieldKind::water, [](ForceField& f) { f.linear = 8; });
    Run run(world);
    run.seconds(10);
    const double depth = 0.2 - run.at(id).centre.y();
    CHECK(depth ==
          Approx(0.4 * density / 1000).epsilon(0.01));  // 1.6e-4 of the lightest, still swinging a little; 1e-9
    CHECK(run.velocity(id).norm() < 1e-3);
  }
  // What is heavier sinks, with its weight less that of the water.
  FieldWorld world(kG);
  const Id stone = world.add(FieldWorld::thrown(World::box(Vec3::Constant(0.2), Vec3(0, -1, 0), 20), Vec3::Zero()));
  world.change_object(stone, [](Object& o) { o.body.air = 0; });
  world.field(FieldKind::water, [](ForceField& f) { f.linear = 0; });
  Run run(world);
  run.seconds(1);
  CHECK(run.velocity(stone).y() == Approx(-kG * (1 - 8.0 / 20)).epsilon(1e-9));
}

TEST_CASE("Without drag a floating box swings for ever, and its energy stays", "[fields]") {
  FieldWorld world(kG);
  Object box =
      FieldWorld::thrown(World::box(Vec3(0.8, 0.4, 0.6), Vec3(0, 0.05, 0), 500 * 0.8 * 0.4 * 0.6), Vec3::Zero());
  box.body.air = 0;
  const Id id = world.add(box);
  world.field(FieldKind::water, [](ForceField& f) { f.linear = 0; });
  Run run(world);
  double first = 0, last = 0;
  for (int k = 0; k < 240 * 20; ++k) {
    run.steps(1);
    double& most = k < 240 * 2 ? first : last;
    if (k < 240 * 2 || k > 240 * 18) most = std::max(most, std::abs(run.at(id).centre.y()));
  }
  CHECK(first == Approx(0.05).epsilon(0.01));
  CHECK(last == Approx(first).epsilon(0.01));
}

TEST_CASE("A soft ball floats too", "[fields]") {
  FieldWorld world(kG);
  Object soft = FieldWorld::thrown(World::jelly(0.4, Vec3(0, 0.2, 0), 2000, 80), Vec3::Zero());
  const Id id = world.add(soft);
  world.field(FieldKind::water, [](ForceField& f) { f.linear = 2; });
  Run run(world);
  run.seconds(8);
  CHECK(run.velocity(id).norm() < 0.02);
  CHECK(std::abs(run.at(id).centre.y()) < 0.4);
  CHECK(run.at(id).max_strain < 0.2);
}

TEST_CASE("What of a box is under water is exact", "[fields]") {
  const DisplayMesh mesh = make_primitive({PrimitiveShape::box, Vec3(2, 1, 4), {1, 1, 1}});
  for (const double level : {-0.6, -0.2, 0.0, 0.3, 0.7}) {
    const Immersed part = immersed(mesh.positions, mesh.faces, Vec3(7, level, -3), Vec3::UnitY());
    const double high = std::clamp(level + 0.5, 0.0, 1.0);
    CHECK(part.volume == Approx(8 * high).margin(1e-12));
    if (high > 0) CHECK((part.moment / part.volume - Vec3(0, 0.5 * high - 0.5, 0)).norm() < 1e-12);
  }
  // Across a corner: a tetrahedron of the legs 0.3.
  const Vec3 up = -Vec3(1, 1, 1).normalized();
  const Immersed corner = immersed(mesh.positions, mesh.faces, Vec3(1 - 0.3, 0.5, 2), up);
  CHECK(corner.volume == Approx(0.3 * 0.3 * 0.3 / 6).epsilon(1e-9));
  CHECK(immersed_part_of_ball(2, 0) == 0.5);
  CHECK(immersed_part_of_ball(2, 5) == 1);
  CHECK(immersed_part_of_ball(2, -2) == 0);
}

TEST_CASE("A field acts in its shape and fades outside it", "[fields]") {
  ForceField f;
  f.kind = FieldKind::gravity;
  f.strength = 1;
  f.falloff = 2;
  f.position = Vec3(1, 0, 0);
  f.shape = FieldShape::ball;
  f.radius = 3;
  const auto pull = [&](const Vec3& x) { return -FieldNow(f, nullptr, 1).acceleration(x).y(); };
  CHECK(pull(Vec3(3, 1, 0)) == 1);
  CHECK(pull(Vec3(5, 0, 0)) == 0.5);
  CHECK(pull(Vec3(6.1, 0, 0)) == 0);
  f.shape = FieldShape::box;
  f.size = Vec3(2, 4, 6);
  f.rotation = Quat(Eigen::AngleAxisd(0.5 * kPi, Vec3::UnitY()));
  CHECK(pull(Vec3(3.9, 1.9, 0.9)) == 1);
  CHECK(pull(Vec3(1, 0, 2)) == 0.5);
  CHECK(pull(Vec3(1, 0, 3.1)) == 0);
  f.shape = FieldShape::curve;
  CHECK(pull(Vec3(1, 0, 0)) == 0);  // no curve
  CurveShape line;
  line.kind = CurveKind::line;
  line.points.resize(2);
  line.points[1].place = Vec3(10, 0, 0);
  const auto way = std::make_shared<const CurveWay>(line);
  f.kind = FieldKind::wind;
  Medium air;
  FieldNow(f, way, 1).add_air(Vec3(5, 2, 0), 0, air);
  CHECK((air.velocity - Vec3(5, 0, 0)).norm() < 1e-12);  // along the curve
  CHECK(air.density == 1.2);
}

TEST_CASE("A vortex carries round its axis, fastest at its core", "[fields]") {
  ForceField f;
  f.kind = FieldKind::vortex;
  f.speed = 3;
  f.core = 2;
  const auto air = [&](const Vec3& x) {
    Medium m;
    FieldNow(f, nullptr, 1).add_air(x, 0, m);
    return m.velocity;
  };
  CHECK((air(Vec3(2, 5, 0)) - Vec3(0, 0, -3)).norm() < 1e-12);
  CHECK(air(Vec3(1, 0, 0)).norm() < 3);
  CHECK(air(Vec3(4, 0, 0)).norm() < 3);
  f.rise = 1;
  f.inflow = 2;
  CHECK(air(Vec3(2, 0, 0)).y() == Approx(1));
  CHECK(air(Vec3(2, 0, 0)).x() == Approx(-2 / std::sqrt(2.0)));
}

}  // namespace pull_test
