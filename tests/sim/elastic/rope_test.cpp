// The analysis model "rope" (spec 5.1) with the solver "springs": the catenary, its own weight, bending against the closed form, energy
// and momenta of what whips about.
#include <catch2/catch.hpp>

#include <random>

#include "core/math/catenary.h"
#include "core/scene/values/scene.h"
#include "tests/sim/elastic/hanging_support.h"
#include "tests/support/world.h"

namespace elastic_rope_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;  // not the Body of a compiled model

namespace {

/// Along y; k in newtons.
Truss line(double length, int parts, double mass, double k, double bending, double damping = 1e-3) {
  Truss truss = make_truss(
      {.shape = TrussShape::rope, .divisions = {parts, 1, 1}, .size = Vec3(0.02, length, 0.02), .bending = bending});
  for (double& m : truss.masses) m *= mass;
  for (Spring& s : truss.springs) {
    s.damping *= damping * k;
    s.stiffness *= k;
  }
  return truss;
}

}  // namespace

TEST_CASE("A rope that hangs is as long however finely it is divided, and as its stiffness says", "[rope]") {
  const double length = 1.5, mass = 0.3, k = 80;
  double worst = 0;
  for (const int parts : {1, 2, 5, 17, 60}) {
    Truss truss = line(length, parts, mass, k, 0);
    truss.pinned = {static_cast<std::uint32_t>(parts)};
    Body body = springs_body(setup_of_truss(truss, 0.02));
    const double longer = 0.5 * length - rest_of(body, kDown, 1e-11)[0].y() - length;
    worst = std::max(worst, std::abs(longer / (mass * 9.80665 * length / (2 * k)) - 1));
  }
  CAPTURE(worst);
  CHECK(worst < 1e-6);
}

TEST_CASE("A rope between two ends hangs in a catenary, the finer the nearer", "[rope]") {
  const double length = 1, span = 0.7;
  double last = 1;
  for (const int parts : {10, 20, 40}) {
    Truss truss = line(length, parts, 0.05, 5e4, 0);
    truss.pinned = {0, static_cast<std::uint32_t>(parts)};
    ElasticSetup setup = setup_of_truss(truss, 0.02);
    for (Vec3& x : setup.nodes) x = Vec3(x.y() * span / length, 0, 0);  // along x, pressed together
    for (const Vec3& x : truss.nodes) setup.rest_offset.emplace_back(x.y() * (1 - span / length), 0, 0);
    Body body = springs_body(setup);
    std::vector<Vec3> sag;
    for (const Vec3& x : setup.nodes) sag.emplace_back(0, x.x() * x.x() / (0.25 * span) - 0.25 * span, 0);
    sag.front() = sag.back() = Vec3::Zero();
    body.solver->displace(body.state, sag);
    const std::vector<Vec3> x = rest_of(body);
    double low = 0.05, high = 10;  // 2 a sinh(span / 2a) = length
    for (int n = 0; n < 100; ++n) {
      const double a = 0.5 * (low + high);
      (2 * a * std::sinh(span / (2 * a)) > length ? low : high) = a;
    }
    double off = 0;
    for (const Vec3& p : x)
      off = std::max(off, std::abs(p.y() - low * (std::cosh(p.x() / low) - std::cosh(span / (2 * low)))));
    CAPTURE(parts, off);
    CHECK(off < 0.5 * last);
    last = off;
  }
  CHECK(last < 5e-4);
}

TEST_CASE("A catenary is as long as it was asked for, its parts are alike, and it hangs from end to end", "[rope]") {
  std::mt19937_64 source(20281130);
  const auto in = [&](double low, double high) {
    return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11);
  };
  for (int k = 0; k < 200; ++k) {
    const double across = k % 10 == 0 ? 0 : in(0.01, 3), rise = in(-2, 2);
    const double length = std::hypot(across, rise) * (1 + std::pow(10, in(-4, 1)));
    const std::vector<Vec2> at = catenary(across, rise, length, 400);
    CAPTURE(k, across, rise, length);
    CHECK(at.front().norm() < 1e-9 * length);
    CHECK((at.back() - Vec2(across, rise)).norm() < 1e-9 * length);
    double sum = 0, least = 1e300, most = 0;
    for (std::size_t i = 1; i < at.size(); ++i) {
      const double part = (at[i] - at[i - 1]).norm();
      sum += part;
      least = std::min(least, part);
      most = std::max(most, part);
    }
    // Chords of arcs; where it turns back sharply they are shorter.
    CHECK(sum == Approx(length).epsilon(across > 0.05 * length ? 2e-4 : 2e-2));
    if (across > 0.05 * length) CHECK(least > 0.97 * most);
  }
}

TEST_CASE("A rope that is clamped bends under its weight as a beam does, the finer the nearer", "[rope]") {
  const double length = 0.5, mass = 0.01, bending = 0.05;
  const double tip = mass / length * 9.80665 * std::pow(length, 4) / (8 * bending);  // q L⁴ / 8 D
  REQUIRE(tip < 0.07 * length);                                                      // of small bending
  double last = 1;
  for (const int parts : {8, 16, 32}) {
    // The first two nodes are held, the clamp is in their middle.
    const double all = length * parts / (parts - 0.5);
    Truss truss = line(all, parts, mass * all / length, 1e5, bending);
    truss.pinned = {0, 1};
    Body body = springs_body(setup_of_truss(truss, 0.01));
    const double fallen = rest_of(body, Vec3(9.80665, 0, 0), 2e-8).back().x();
    const double off = std::abs(fallen / tip - 1);
    CAPTURE(parts, fallen, tip, off);
    CHECK(off < last);
    last = off;
  }
  CHECK(last < 0.01);
}

TEST_CASE("A rope that nothing touches keeps energy and momenta, however it whips", "[rope]") {
  std::mt19937_64 source(20281127);
  const auto in = [&](double low, double high) {
    return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11);
  };
  double energy = 0, linear = 0, angular = 0;
  for (int k = 0; k < 20; ++k) {
    const int parts = 1 + static_cast<int>(in(0, 30));
    const Truss truss = line(in(0.3, 3), parts, std::pow(10, in(-2, 1)), std::pow(10, in(1, 5)),
                             in(0, 1) < 0.3 ? 0 : std::pow(10, in(-6, 0)), 0);
    Body body = springs_body(setup_of_truss(truss, 1.0 / 240));
    body.start(Vec3(in(-1, 1), 0, 1), Vec3(in(-4, 4), in(-4, 4), 1));
    body.solver->apply_impulses(body.state, kicks(truss.nodes.size(), 0.5 * truss.masses[0]));
    const double before = body.energy();
    const Momenta begun = momenta(body, truss.masses);
    CAPTURE(k, parts);
    for (int n = 0; n < 240; ++n) REQUIRE(body.step());
    const Momenta ended = momenta(body, truss.masses);
    energy = std::max(energy, std::abs(body.energy() / before - 1));
    linear = std::max(linear, (ended.linear - begun.linear).norm() / begun.scale);
    angular = std::max(angular, (ended.angular - begun.angular).norm() / begun.angular_scale);
  }
  WARN("ropes: energy " << energy << ", P " << linear << ", L " << angular);
  CHECK(energy < 1e-10);
  CHECK(linear < 1e-11);
  CHECK(angular < 1e-11);
}

TEST_CASE("Solvers that hold a shape refuse a rope in one sentence", "[rope]") {
  for (const double bending : {0.0, 1e-3})
    for (const char* name : {"lagrange", "shape_matching", "polyhedral", "fem"}) {
      CAPTURE(name, bending);
      const auto made = find_elastic_solver(name)->make(setup_of_truss(line(1, 4, 1, 100, bending), 0.01));
      REQUIRE_FALSE(made.ok());
      CHECK(made.error().message.find("rope") != std::string::npos);
      CHECK(made.error().hint.find("Springs, large deformation") != std::string::npos);
    }
}

TEST_CASE("A rope is as stiff as its length says, whether that is its own or the object's scale", "[rope]") {
  const auto truss_of = [](const Vec3& size, const Vec3& scale) {
    Object o;
    o.analysis.kind = AnalysisKind::rope;
    o.analysis.divisions = {5, 1, 1};
    o.analysis.size = size;
    o.analysis.offset = Vec3(0.1, 0.3, 0.2).cwiseQuotient(scale);
    o.transform.scale = scale;
    o.body.kind = BodyKind::flexible;
    o.body.mass = 0.7;
    o.body.stiffness = 90;
    return object_truss(o, {});
  };
  const Truss own = truss_of(Vec3(0.02, 0.9, 0.02), Vec3::Ones()),
              scaled = truss_of(Vec3(0.01, 0.3, 0.01), Vec3(2, 3, 2));
  REQUIRE(own.springs.size() == 5);
  REQUIRE(own.bends.size() == 3 * 4);
  double mass = 0;
  for (std::size_t i = 0; i < own.nodes.size(); ++i) {
    CHECK((own.nodes[i] - scaled.nodes[i]).norm() < 1e-14);
    mass += own.masses[i];
  }
  CHECK(mass == Approx(0.7).epsilon(1e-12));
  for (std::size_t i = 0; i < own.springs.size(); ++i) {
    CHECK(own.springs[i].stiffness == Approx(90 / 0.18).epsilon(1e-12));
    CHECK(scaled.springs[i].stiffness == Approx(own.springs[i].stiffness).epsilon(1e-12));
  }
  for (std::size_t i = 0; i < own.bends.size(); ++i)
    CHECK(scaled.bends[i].stiffness == Approx(own.bends[i].stiffness).epsilon(1e-12));
}

}  // namespace elastic_rope_test
