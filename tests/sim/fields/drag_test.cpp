// Fields of force that slow and carry: against closed forms, resolved flights, terminal speeds; nothing turns round however strong.
#include <catch2/catch.hpp>

#include <cmath>

#include "core/math/rotation.h"
#include "core/scene/derived/gusts.h"
#include "core/sim/fields/surface.h"
#include "tests/support/field_world.h"

namespace drag_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kG = 9.80665;

/// x'' = g − (k + q |u|) u by RK4 in steps of 10 µs.
std::pair<Vec3, Vec3> flight(Vec3 u, double seconds, double k, double q) {
  const double h = 1e-5;
  Vec3 x = Vec3::Zero();
  const auto rate = [&](const Vec3& v) { return Vec3(Vec3(0, -kG, 0) - (k + q * v.norm()) * v); };
  for (int i = 0; i < static_cast<int>(seconds / h + 0.5); ++i) {
    const Vec3 a = rate(u), b = rate(u + 0.5 * h * a), c = rate(u + 0.5 * h * b), d = rate(u + h * c);
    x += h * u + h * h / 6 * (a + b + c);
    u += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return {x, u};
}

}  // namespace

TEST_CASE("A throw through linear drag is the closed form to 1e-6", "[fields]") {
  for (const bool own : {false, true}) {
    FieldWorld world(kG);
    const Vec3 u0(8, 6, -3);
    Object ball = FieldWorld::thrown(World::sphere(0.2, Vec3::Zero(), 2), u0);
    if (own) ball.body.drag_linear = 0.7;
    const Id id = world.add(ball);
    if (!own) world.field(FieldKind::drag, [](ForceField& f) { f.linear = 0.7; });
    world.scene.settings.substeps = 8;
    Run run(world);
    run.seconds(2);
    const double k = 0.7, t = 2, fade = std::exp(-k * t);
    const Vec3 g(0, -kG, 0), end = g / k;
    const Vec3 u = end + fade * (u0 - end), x = end * t + (1 - fade) / k * (u0 - end);
    CHECK((run.velocity(id) - u).norm() / u.norm() < 1e-12);  // 0
    CHECK((run.at(id).centre - x).norm() / x.norm() <
          1e-6);  // 3.7e-7: the trapezoids of the step; 1.5e-6 with 4 sub-steps
  }
}

TEST_CASE("A throw through quadratic drag is the resolved flight to 1e-4", "[fields]") {
  FieldWorld world(kG);
  const Vec3 u0(20, 15, 4);
  const Id id = world.add(FieldWorld::thrown(World::box(Vec3(0.3, 0.2, 0.4), Vec3::Zero(), 3), u0));
  world.field(FieldKind::drag, [](ForceField& f) {
    f.linear = 0.1;
    f.quadratic = 0.05;
  });
  const auto [x, u] = flight(u0, 2, 0.1, 0.05);
  double before = 0;
  for (const int substeps : {4, 8}) {
    world.scene.settings.substeps = substeps;
    Run run(world);
    run.seconds(2);
    const double off = std::max((run.velocity(id) - u).norm() / u.norm(), (run.at(id).centre - x).norm() / x.norm());
    CHECK(off < 1e-4);                           // 3.6e-6, 9e-7; the bar of the issue
    if (before > 0) CHECK(off < 0.35 * before);  // of second order
    before = off;
  }
}

TEST_CASE("A board that falls flat through air has the terminal speed of its area to 0.1 %", "[fields]") {
  FieldWorld world(kG);
  const Id id = world.add(FieldWorld::thrown(World::box(Vec3(0.5, 0.05, 0.4), Vec3::Zero(), 0.3), Vec3(0, -3, 0)));
  const Id ball = world.add(FieldWorld::thrown(World::sphere(0.3, Vec3(5, 0, 0), 0.3), Vec3(0, -3, 0)));
  world.change_object(ball, [](Object& o) { o.display.primitive.divisions = {64, 32, 1}; });
  world.field(FieldKind::wind, [](ForceField& f) { f.speed = 0; });
  Run run(world);
  run.seconds(6);
  const double flat = std::sqrt(2 * 0.3 * kG / (1.2 * 0.5 * 0.4));
  CHECK(run.velocity(id).y() == Approx(-flat).epsilon(1e-3));  // 1e-11
  // c/2 of a ball, as far as its 4096 triangles are round: 0.12 %.
  CHECK(run.velocity(ball).y() == Approx(-std::sqrt(4 * 0.3 * kG / (1.2 * kPi * 0.09))).epsilon(3e-3));
  // Nothing turns them: they fall straight.
  CHECK(run.at(id).angular_momentum.norm() < 1e-9);
  // With half the coefficient it is √2 as fast.
  world.change_object(id, [](Object& o) { o.body.air = 0.5; });
  Run slippery(world);
  slippery.seconds(6);
  CHECK(slippery.velocity(id).y() == Approx(-flat * std::sqrt(2.0)).epsilon(1e-3));
}

TEST_CASE("However strong, drag turns nothing round, and carries to the speed of the air", "[fields]") {
  for (const double strength : {1.0, 100.0, 1e5}) {
    FieldWorld world;
    const Id id = world.add(FieldWorld::thrown(World::box(Vec3(0.5, 0.5, 0.5), Vec3::Zero(), 0.001), Vec3(30, 0, 0)));
    const Id soft = world.add(FieldWorld::thrown(World::jelly(0.5, Vec3(0, 5, 0), 500, 0.01), Vec3(30, 0, 0)));
    world.field(FieldKind::drag, [&](ForceField& f) { f.quadratic = strength; });
    world.field(FieldKind::wind, [](ForceField& f) { f.speed = 0; });
    Run run(world);
    double before = 30, energy = run.energy();
    for (int k = 0; k < 200; ++k) {
      run.steps(1);
      for (const Id one : {id, soft}) CHECK(run.velocity(one).x() >= -1e-9);
      CHECK(run.velocity(id).x() <= before);
      CHECK(run.energy() <= energy * (1 + 1e-12));
      before = run.velocity(id).x();
      energy = run.energy();
    }
    CHECK(before < 7);
  }
  FieldWorld blown;
  const Id leaf = blown.add(FieldWorld::thrown(World::box(Vec3(0.5, 0.5, 0.5), Vec3::Zero(), 0.01), Vec3::Zero()));
  blown.field(FieldKind::wind, [](ForceField& f) { f.rotation = Quat(Eigen::AngleAxisd(-0.5 * kPi, Vec3::UnitZ())); });
  Run run(blown);
  double before = 0;
  for (int k = 0; k < 2400; ++k) {
    run.steps(1);
    CHECK(run.velocity(leaf).x() >= before - 1e-12);
    CHECK(run.velocity(leaf).x() <= 5 + 1e-9);
    before = run.velocity(leaf).x();
  }
  CHECK(before > 4.9);
}

TEST_CASE("A spinning board in still air slows and gains nothing", "[fields]") {
  FieldWorld world;
  Object board = FieldWorld::thrown(World::box(Vec3(1, 0.02, 0.6), Vec3::Zero(), 0.2), Vec3(3, 1, 2));
  board.body.spin = Vec3(20, 5, 12);
  const Id id = world.add(board);
  world.field(FieldKind::wind, [](ForceField& f) { f.speed = 0; });
  Run run(world);
  const double first = run.energy();
  double energy = first;
  for (int k = 0; k < 480; ++k) {
    run.steps(1);
    CHECK(run.energy() <= energy + 1e-6 * first);
    energy = run.energy();
  }
  CHECK(energy < 0.2 * first);
  CHECK(run.at(id).angular_momentum.allFinite());
}

TEST_CASE("What bends is pushed by area and angle", "[fields]") {
  for (const double angle : {0.0, 0.6, 1.2, 1.5}) {
    FieldWorld world;
    Object flag =
        make_object(0, "flag", {PrimitiveShape::box, Vec3(1.5, 0.01, 1), {1, 1, 1}}, Vec3::Zero(), BodyKind::flexible);
    flag.analysis.kind = AnalysisKind::plane_grid;
    flag.analysis.divisions = {6, 1, 4};
    flag.analysis.size = Vec3(1.5, 0.01, 1);
    flag.body.mass = 3;
    flag.transform.rotation = Quat(Eigen::AngleAxisd(angle, Vec3::UnitX()));
    const Id id = world.add(flag);
    world.field(FieldKind::wind, [](ForceField& f) { f.speed = 4; });
    const Run run(world);
    const std::vector<BodyForces> told = told_by_fields(run);
    Vec3 sum = Vec3::Zero();
    for (const Vec3& node : told[run.index(id)].nodes) sum += node;
    // ½ ρ A (U·n)² n of its broad side, and the same of its narrow one.
    const Vec3 n = flag.transform.rotation * Vec3::UnitY(), side = flag.transform.rotation * Vec3::UnitZ();
    const double across = 4 * n.y(), edge = 4 * side.y();
    const Vec3 wanted = 0.6 * 1.5 * std::abs(across) * across * n + 0.6 * 0.015 * std::abs(edge) * edge * side;
    CHECK((sum - wanted).norm() < 1e-9 * wanted.norm());
  }
}

TEST_CASE("A rope that hangs in a wind leans as far as its weight and its thickness say", "[fields][rope]") {
  constexpr double kWind = 6, kThick = 0.05, kLength = 1.2, kMass = 0.3;
  FieldWorld world(kG);
  Object rope = make_object(0, "rope", {PrimitiveShape::cylinder, Vec3(kThick, kLength, kThick), {8, 16, 1}},
                            Vec3(0, -0.5 * kLength, 0), BodyKind::flexible);
  rope.analysis.kind = AnalysisKind::rope;
  rope.analysis.divisions = {12, 1, 1};
  rope.analysis.size = rope.display.primitive.size;
  rope.body.solver = "springs";
  rope.body.mass = kMass;
  rope.body.stiffness = 1e5;
  rope.body.damping = 100;
  const Id id = world.add(rope);
  world.field(FieldKind::wind, [](ForceField& f) {
    f.rotation = turn_onto(Vec3::UnitY(), Vec3::UnitX());
    f.speed = kWind;
  });
  Joint hook;
  hook.id = next_id(world.scene);
  hook.b = {id.value, Vec3(0, 0.5 * kLength, 0)};
  world.scene.joints.emplace_back(hook);
  Run run(world);
  run.seconds(30);
  const FlexibleBody& body = flexible(run.model->bodies[run.index(id)]);
  std::vector<Vec3> x(13);
  body.positions(run.state.bodies[run.index(id)].values, x);
  // Straight, where across it wind and weight are in balance: w sin α = ½ ρ (2/3) d (V cos α)².
  double low = 0, high = 0.5 * kPi;
  for (int k = 0; k < 100; ++k) {
    const double a = 0.5 * (low + high);
    const double wind = 0.5 * 1.2 * 2.0 / 3 * kThick * std::pow(kWind * std::cos(a), 2);
    (kMass / kLength * kG * std::sin(a) < wind ? low : high) = a;
  }
  const Vec3 lean = x.front() - x.back();
  CHECK(std::atan2(lean.x(), -lean.y()) == Approx(low).epsilon(0.002));
  CHECK(low > 0.15);
}

TEST_CASE("Gusts have zero mean and the spectrum that is stated", "[fields]") {
  const Gusts gusts(7, Id{3}, 1.5, 4, 2);
  double square = 0, largest = 0, smallest = 1e9, bound = 0;
  const double seconds = 2000;
  for (const Gusts::Wave& wave : gusts.waves()) {
    square += 0.5 * wave.push.squaredNorm();
    CHECK(std::abs(wave.k.dot(wave.push)) < 1e-12 * wave.k.norm() * wave.push.norm());
    // a² ∝ λ^(2/3), and 1/τ ∝ λ^(−2/3).
    const double length = 2 * kPi / wave.k.norm();
    CHECK(wave.push.squaredNorm() / std::pow(length, 2.0 / 3) ==
          Approx(gusts.waves()[0].push.squaredNorm() / std::pow(4, 2.0 / 3)).epsilon(1e-9));
    CHECK(2 * kPi / std::abs(wave.rate) == Approx(2 * std::pow(length / 4, 2.0 / 3)).epsilon(1e-9));
    largest = std::max(largest, length);
    smallest = std::min(smallest, length);
    bound += 2 * wave.push.norm() / (std::abs(wave.rate) * seconds);
  }
  CHECK(square == Approx(3 * 1.5 * 1.5).epsilon(1e-12));
  CHECK(largest == Approx(4));
  CHECK(smallest == Approx(4 * std::exp2(-23 / 6.5)).epsilon(1e-9));
  Vec3 mean = Vec3::Zero();
  double energy = 0;
  const int samples = 20000;
  for (int i = 0; i < samples; ++i) {
    const Vec3 g = gusts.at(Vec3(1, 2, 3), (i + 0.5) * seconds / samples);
    mean += g / samples;
    energy += g.squaredNorm() / samples;
  }
  CHECK(mean.norm() < 1.05 * bound);                     // 0.0003, of 0.0031
  CHECK(energy == Approx(3 * 1.5 * 1.5).epsilon(1e-4));  // 3e-5
  // One moment is not the mean.
  CHECK(gusts.at(Vec3(1, 2, 3), 0.3).norm() > 10 * bound);
  // Seed and field make others; the same ones are the same.
  CHECK(gusts.at(Vec3(1, 0, 0), 5) == Gusts(7, Id{3}, 1.5, 4, 2).at(Vec3(1, 0, 0), 5));
  CHECK(gusts.at(Vec3(1, 0, 0), 5) != Gusts(8, Id{3}, 1.5, 4, 2).at(Vec3(1, 0, 0), 5));
  CHECK(gusts.at(Vec3(1, 0, 0), 5) != Gusts(7, Id{4}, 1.5, 4, 2).at(Vec3(1, 0, 0), 5));
}

}  // namespace drag_test
