// The analysis model "cloth" (spec 5.1) with the solver "springs": bending against the closed form, stretch and its own weight however
// finely it is divided, the catenary, energy and momenta of what folds.
#include <catch2/catch.hpp>

#include <random>

#include "core/scene/values/scene.h"
#include "tests/sim/elastic/hanging_support.h"
#include "tests/support/world.h"

namespace elastic_cloth_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;  // not the Body of a compiled model

namespace {

/// `length` along x, `width` along z; k in N/m.
Truss strip(double length, double width, std::array<int, 3> squares, double mass, double k, double bending,
            double shear = 0) {
  Truss truss = make_truss({.shape = TrussShape::cloth,
                            .divisions = squares,
                            .size = Vec3(length, 1, width),
                            .shear = shear,
                            .bending = bending});
  for (double& m : truss.masses) m *= mass;
  for (Spring& s : truss.springs) {
    s.damping = 1e-3 * k * s.damping;
    s.stiffness *= k;
  }
  return truss;
}

void pin(Truss& truss, double low, double high) {
  for (std::uint32_t i = 0; i < truss.nodes.size(); ++i)
    if (truss.nodes[i].x() > low && truss.nodes[i].x() < high) truss.pinned.push_back(i);
}

Body make(const Truss& truss, double h) { return springs_body(setup_of_truss(truss, h)); }

}  // namespace

TEST_CASE("A strip of cloth that is clamped bends under its weight as a beam does, the finer the nearer", "[cloth]") {
  const double length = 0.3, width = 0.06, mass = 0.004, bending = 0.3;
  const double load = mass / (length * width) * 9.80665;
  const double tip = load * std::pow(length, 4) / (8 * bending);  // q L⁴ / 8 D
  REQUIRE(tip < 0.05 * length);                                   // of small bending
  double last = 1;
  for (const int squares : {8, 16, 32}) {
    // The first two rows of nodes are held, the clamp is in their middle.
    const double all = length * squares / (squares - 0.5), square = all / squares;
    Truss truss = strip(all, width, {squares, 1, 2}, mass * all / length, 1e4, bending);
    pin(truss, -1, -0.5 * all + 1.01 * square);
    Body body = make(truss, 0.01);
    double lowest = 0;
    for (const Vec3& x : rest_of(body, kDown, 2e-7)) lowest = std::min(lowest, x.y());
    const double off = std::abs(-lowest / tip - 1);
    CAPTURE(squares, lowest, tip, off);
    CHECK(off < last);
    last = off;
  }
  CHECK(last < 0.003);
}

TEST_CASE("A cloth that hangs is as long however finely it is divided, and as its stiffness says", "[cloth]") {
  const double length = 1, width = 0.5, mass = 0.4, k = 200;
  for (const std::array<int, 3>& squares : {std::array{4, 1, 4}, {8, 1, 4}, {8, 1, 9}, {24, 1, 3}}) {
    Truss truss = strip(length, width, squares, mass, k, 0);
    pin(truss, -1, -0.5 * length + 1e-6);
    Body body = make(truss, 0.02);
    double lowest = 0;
    for (const Vec3& x : rest_of(body, Vec3(9.80665, 0, 0))) lowest = std::max(lowest, x.x());
    const double longer = lowest + 0.5 * length - length, expected = mass * 9.80665 / width * length / (2 * k);
    CAPTURE(squares[0], squares[2], longer, expected);
    CHECK(longer == Approx(expected).epsilon(1e-6));
  }
}

TEST_CASE("A strip of cloth between two ends hangs in a catenary", "[cloth]") {
  const double length = 1, span = 0.8;
  Truss truss = strip(length, 0.1, {40, 1, 1}, 0.05, 2e4, 0);
  pin(truss, -1, -0.5 * length + 1e-6);
  pin(truss, 0.5 * length - 1e-6, 1);
  for (Vec3& x : truss.nodes) x.x() *= span / length;
  for (const std::uint32_t i : truss.pinned) truss.nodes[i].y() = 0;
  ElasticSetup setup = setup_of_truss(truss, 0.02);
  for (const Vec3& x : truss.nodes) setup.rest_offset.emplace_back(x.x() * (length / span - 1), 0, 0);
  auto made = find_elastic_solver("springs")->make(setup);
  REQUIRE(made.ok());
  Body body(std::move(made).value());
  body.start(Vec3::Zero(), Vec3::Zero());
  std::vector<Vec3> sag;
  for (const Vec3& x : truss.nodes)
    sag.emplace_back(0, 0.25 * (x.x() * x.x() - 0.25 * span * span) / (0.25 * span * span), 0);
  body.solver->displace(body.state, sag);
  const std::vector<Vec3> x = rest_of(body);
  // 2 a sinh(span / 2a) = length
  double low = 0.05, high = 10;
  for (int n = 0; n < 100; ++n) {
    const double a = 0.5 * (low + high);
    (2 * a * std::sinh(span / (2 * a)) > length ? low : high) = a;
  }
  double off = 0;
  for (const Vec3& p : x)
    off = std::max(off, std::abs(p.y() - low * (std::cosh(p.x() / low) - std::cosh(span / (2 * low)))));
  CAPTURE(off);
  CHECK(off < 5e-4);
}

TEST_CASE("A cloth that nothing touches keeps energy and momenta, however it folds", "[cloth]") {
  std::mt19937_64 source(20271127);
  const auto in = [&](double low, double high) {
    return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11);
  };
  double energy = 0, linear = 0, angular = 0;
  for (int k = 0; k < 12; ++k) {
    const std::array<int, 3> squares = {2 + static_cast<int>(in(0, 6)), 1, 2 + static_cast<int>(in(0, 6))};
    Truss truss =
        strip(in(0.3, 1), in(0.3, 1), squares, 0.2, std::pow(10, in(1, 5)), std::pow(10, in(-6, 0)), in(0, 1));
    for (Spring& s : truss.springs) s.damping = 0;
    Body body = make(truss, 1.0 / 240);
    body.start(Vec3(in(-1, 1), 0, 1), Vec3(in(-4, 4), in(-4, 4), 0));
    body.solver->apply_impulses(body.state, kicks(truss.nodes.size(), 1e-3));
    const double before = body.energy();
    const Momenta begun = momenta(body, truss.masses);
    CAPTURE(k, squares[0], squares[2]);
    for (int n = 0; n < 240; ++n) REQUIRE(body.step());
    const Momenta ended = momenta(body, truss.masses);
    energy = std::max(energy, std::abs(body.energy() / before - 1));
    linear = std::max(linear, (ended.linear - begun.linear).norm() / begun.scale);
    angular = std::max(angular, (ended.angular - begun.angular).norm() / begun.angular_scale);
  }
  CAPTURE(energy, linear, angular);
  CHECK(energy < 1e-10);
  CHECK(linear < 1e-12);
  CHECK(angular < 1e-11);
}

TEST_CASE("What cannot be a cloth is told in one sentence", "[cloth]") {
  const Truss truss = strip(1, 1, {4, 1, 4}, 1, 100, 1e-4);
  const auto made = find_elastic_solver("lagrange")->make(setup_of_truss(truss, 0.01));
  REQUIRE_FALSE(made.ok());
  CHECK(made.error().message.find("cloth") != std::string::npos);
  CHECK(made.error().hint.find("Springs, large deformation") != std::string::npos);
  REQUIRE_FALSE(find_elastic_solver("fem")->make(setup_of_truss(truss, 0.01)).ok());
}

TEST_CASE("A cloth is as stiff as its sizes say, whether these are its own or the object's scale", "[cloth]") {
  const auto truss_of = [](const Vec3& size, const Vec3& scale) {
    Object o;
    o.analysis.kind = AnalysisKind::cloth;
    o.analysis.divisions = {3, 1, 4};
    o.analysis.size = size;
    o.analysis.offset = Vec3(0.1, 0, 0.2).cwiseQuotient(scale);
    o.transform.scale = scale;
    o.body.kind = BodyKind::flexible;
    o.body.mass = 0.7;
    o.body.stiffness = 90;
    return object_truss(o, {});
  };
  const Truss own = truss_of(Vec3(0.9, 1, 0.4), Vec3::Ones()), scaled = truss_of(Vec3(0.45, 1, 0.1), Vec3(2, 3, 4));
  REQUIRE(own.springs.size() == scaled.springs.size());
  REQUIRE(own.bends.size() == scaled.bends.size());
  for (std::size_t i = 0; i < own.nodes.size(); ++i) CHECK((own.nodes[i] - scaled.nodes[i]).norm() < 1e-14);
  for (std::size_t i = 0; i < own.springs.size(); ++i)
    CHECK(own.springs[i].stiffness == Approx(scaled.springs[i].stiffness).epsilon(1e-12));
  for (std::size_t i = 0; i < own.bends.size(); ++i)
    CHECK(own.bends[i].stiffness == Approx(scaled.bends[i].stiffness).epsilon(1e-12));
  double mass = 0;
  for (const double m : own.masses) mass += m;
  CHECK(mass == Approx(0.7).epsilon(1e-12));
}

}  // namespace elastic_cloth_test
