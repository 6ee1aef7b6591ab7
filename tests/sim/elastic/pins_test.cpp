// Pinned nodes: what every elastic solver in the table must do with them, and what the pendulum and the
// clamped beam say.
#include <catch2/catch.hpp>

#include <Eigen/Core>
#include <cstring>

#include "core/math/rotation.h"
#include "core/sim/elastic/pins.h"
#include "tests/sim/elastic_support.h"
#include "tests/support/dense.h"
#include "tests/support/sanitized.h"
#include "tests/support/swings.h"

namespace pins_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;  // not the Body of a compiled model
using test::amplitude_factor, test::Crossings;

namespace {

const Vec3 kGravity(0, -9.80665, 0);
constexpr double kSize = 0.5;

/// 3 × 3 × 3 nodes, uneven masses.
Truss uneven(std::vector<std::uint32_t> pinned, double stiffness = 800, double damping = 0) {
  Truss truss = lattice(3, kSize, 0.1, stiffness, damping);
  truss.masses[0] = 0.15;
  truss.masses[5] = 0.07;
  truss.masses[23] = 0.2;
  truss.pinned = std::move(pinned);
  return truss;
}

Body make(const ElasticSolverInfo& info, const Truss& truss, double h = kStep, std::vector<double> parameters = {}) {
  ElasticSetup setup = setup_of(truss, h);
  setup.parameters = std::move(parameters);
  auto made = info.make(setup);
  REQUIRE(made.ok());
  return Body(std::move(made).value());
}

const ElasticSolverInfo& lagrange() { return *find_elastic_solver("lagrange"); }

/// One pin, two (a hinge), three on a line, a face, all.
std::vector<std::vector<std::uint32_t>> pin_sets() {
  std::vector<std::uint32_t> all(27), face;
  for (std::uint32_t i = 0; i < 27; ++i) {
    all[i] = i;
    if (i % 3 == 0) face.push_back(i);
  }
  return {{13}, {2}, {0, 20}, {6, 7, 8}, {0, 2, 24}, face, all};
}

/// A solver as by default, or soft with one of its choices made otherwise.
struct Variant {
  const ElasticSolverInfo* info;
  std::vector<double> parameters;
  bool fallback;
  Body make(const Truss& truss) const { return pins_test::make(*info, truss, kStep, parameters); }
};

std::vector<Variant> variants(const ElasticSolverInfo& info) {
  std::vector<double> defaults;
  for (const ParameterRow& row : info.parameters) defaults.push_back(row.fallback);
  std::vector<Variant> all = {{&info, defaults, true}};
  for (std::size_t i = 0; i < info.parameters.size(); ++i)
    for (std::size_t choice = 0; choice < info.parameters[i].choices.size(); ++choice) {
      Variant other{&info, defaults, false};
      other.parameters[i] = static_cast<double>(choice);
      if (other.parameters != defaults) all.push_back(std::move(other));
    }
  return all;
}

template <class Check>
void for_each_case(Check&& check) {
  for (const ElasticSolverInfo* info : elastic_solvers())
    for (const Variant& variant : variants(*info))
      for (const auto& pins : pin_sets()) {
        INFO("solver " << info->name << " parameters "
                       << Catch::StringMaker<std::vector<double>>::convert(variant.parameters) << " pins "
                       << pins.size() << " first " << pins[0]);
        check(variant, uneven(pins, variant.fallback ? 800 : 60));
      }
}

double potential(const Body& b, const std::vector<double>& masses) {
  double sum = 0;
  const auto x = b.positions();
  for (std::size_t i = 0; i < x.size(); ++i) sum -= masses[i] * kGravity.dot(x[i]);
  return sum;
}

bool is_pinned(const Truss& truss, std::uint32_t node) {
  return std::find(truss.pinned.begin(), truss.pinned.end(), node) != truss.pinned.end();
}

/// Period from the crossings of the centre through the vertical below the pin.
double measured_period(Body& b, double h, int steps, const Vec3& along) {
  Crossings crossings(h, along.dot(b.seen().centre));
  for (int n = 1; n <= steps; ++n) {
    REQUIRE(b.solver->step(b.state, b.none, kGravity, b.workspace));
    crossings.add(along.dot(b.seen().centre));
  }
  REQUIRE(crossings.periods() >= 2);
  return crossings.period();
}

}  // namespace

TEST_CASE("What pins leave of the rigid motions", "[pins]") {
  const std::vector<Vec3> nodes = {Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(2, 2, 0), Vec3(0, 0, 1), Vec3(0, 0, 0)};
  using Pins = std::vector<std::uint32_t>;
  CHECK(pin_frame(nodes, Pins{}).kind == PinKind::none);
  CHECK(pin_frame(nodes, Pins{1}).kind == PinKind::point);
  CHECK(pin_frame(nodes, Pins{1}).origin == nodes[1]);
  CHECK(pin_frame(nodes, Pins{0, 4}).kind == PinKind::point);
  CHECK(pin_frame(nodes, Pins{0, 1, 2}).kind == PinKind::line);
  CHECK(pin_frame(nodes, Pins{0, 1, 2}).axis.cross(Vec3(1, 1, 0)).norm() < 1e-15);
  CHECK(pin_frame(nodes, Pins{0, 1, 3}).kind == PinKind::held);
}

TEST_CASE("Pinned nodes stay where they are for 1,000 frames", "[pins][conformance][slow]") {
  for_each_case([](const Variant& variant, const Truss& truss) {
    Body b = variant.make(truss);
    const Pose pose{Vec3(1, 2, -3), Quat(0.8, 0.1, -0.5, 0.3).normalized()};
    b.start(Vec3(0.5, 0, 0), Vec3(0, 1, 0.4), pose);
    b.solver->apply_impulses(b.state, kicks(27, 0.01));
    const int steps = (variant.fallback ? 4000 : 400) / test::rounds(1, 5);
    double gap = 0, speed = 0;
    for (int n = 0; n < steps; ++n) {
      REQUIRE(b.step(kGravity));
      const auto x = b.positions(), v = b.velocities();
      for (const std::uint32_t i : truss.pinned) {
        gap = std::max(gap, (x[i] - pose * truss.nodes[i]).norm());
        speed = std::max(speed, v[i].norm());
      }
    }
    CHECK(gap < 1e-12 * kSize);  // the bar is 1e-9 of the size
    CHECK(speed < 1e-12);
    if (truss.pinned.size() == 27) CHECK(b.energy() < 1e-20);
  });
}

TEST_CASE("Impulses at the pins go into the world, others act as on any node", "[pins][conformance]") {
  for_each_case([](const Variant& variant, const Truss& truss) {
    Body b = variant.make(truss);
    b.start(Vec3::Zero(), Vec3(0, 1, 0.4));
    for (int n = 0; n < 20; ++n) REQUIRE(b.step(kGravity));
    const auto x = b.positions(), v = b.velocities();
    const auto push = kicks(27, 0.03);
    b.solver->apply_impulses(b.state, push);
    const auto x_after = b.positions(), v_after = b.velocities();
    for (std::uint32_t i = 0; i < 27; ++i) {
      CHECK((x_after[i] - x[i]).norm() < 1e-13);
      const Vec3 expected = is_pinned(truss, i) ? Vec3::Zero() : Vec3(v[i] + push[i].impulse / truss.masses[i]);
      CHECK((v_after[i] - expected).norm() < 1e-11);
    }
    // Displacements likewise; velocities stay.
    std::vector<Vec3> u(27, Vec3(0.01, 0.02, -0.01));
    u[3] += Vec3(0.02, 0.01, 0);
    u[20] += Vec3(0, -0.02, 0.01);
    b.solver->displace(b.state, u);
    const auto x_moved = b.positions(), v_moved = b.velocities();
    for (std::uint32_t i = 0; i < 27; ++i) {
      const Vec3 wanted = is_pinned(truss, i) ? x[i] : Vec3(x[i] + u[i]);
      CHECK((x_moved[i] - wanted).norm() < 1e-12);
      CHECK((v_moved[i] - v_after[i]).norm() < 1e-11);
    }
    for (int n = 0; n < 20; ++n) REQUIRE(b.step(kGravity));
  });
}

TEST_CASE("A pinned run has the same bits again, also continued from a saved state", "[pins][conformance]") {
  for_each_case([](const Variant& variant, const Truss& truss) {
    Body a = variant.make(truss), b = variant.make(truss);
    a.start(Vec3::Zero(), Vec3(1, 1, 0));
    a.solver->apply_impulses(a.state, kicks(27, 0.02));
    for (int n = 0; n < 60; ++n) {
      if (n == 30) b.state = a.state;
      REQUIRE(a.step(kGravity));
      if (n >= 30) REQUIRE(b.step(kGravity));
    }
    CHECK(std::memcmp(a.state.data(), b.state.data(), a.state.size() * sizeof(double)) == 0);
  });
}

TEST_CASE("Energy of an undamped pinned body holds", "[pins][conformance][slow]") {
  // Largest change over 10,000 steps, of the energy of the swing. 0.02 is every solver's bound; `lagrange` measures 4e-12.
  for (const ElasticSolverInfo* info : elastic_solvers())
    for (const auto& pins : pin_sets()) {
      if (pins.size() == 27) continue;
      const Truss truss = uneven(pins, 8000);
      Body b = make(*info, truss);
      b.start(Vec3::Zero(), Vec3::Zero());
      b.solver->apply_impulses(b.state, kicks(27, 0.05));
      REQUIRE(b.step(kGravity));  // gravity sets in during the first step
      const double start = b.energy() + potential(b, truss.masses);
      double lowest = potential(b, truss.masses), highest = lowest, off = 0;
      for (int n = 0; n < 10000; ++n) {
        REQUIRE(b.step(kGravity));
        const double depth = potential(b, truss.masses);
        lowest = std::min(lowest, depth);
        highest = std::max(highest, depth);
        // What keeps rotation to its own order only may lose energy too; so may shape matching (3 %), whose regions turn explicitly.
        const double change = b.energy() + depth - start;
        const bool may_lose = !info->rotation_exact || info->name == "shape_matching";
        off = std::max(off, may_lose ? change : std::abs(change));
      }
      const double swing = std::max(highest - lowest, b.energy());
      INFO(pins.size() << " pins from " << pins[0] << ": " << off / swing);
      CHECK(off < (info == &lagrange() ? 1e-10 : 0.02) * swing);
    }
}

TEST_CASE("Without gravity a body on one pin keeps its angular momentum about it", "[pins]") {
  const Truss truss = uneven({2});
  Body b = make(lagrange(), truss);
  b.start(Vec3(0.2, 0, 0), Vec3(0, 1, 1));
  b.solver->apply_impulses(b.state, kicks(27, 0.02));
  const auto about_pin = [&] {
    Vec3 sum = Vec3::Zero();
    const auto x = b.positions(), v = b.velocities();
    for (std::size_t i = 0; i < 27; ++i) sum += truss.masses[i] * (x[i] - truss.nodes[2]).cross(v[i]);
    return sum;
  };
  const Vec3 start = about_pin();
  REQUIRE(start.norm() > 0.1);
  for (int n = 0; n < 10000; ++n) REQUIRE(b.step());
  CHECK((about_pin() - start).norm() < 1e-11 * start.norm());
}

TEST_CASE("A hanging body swings like the pendulum it is", "[pins]") {
  constexpr double h = 1.0 / 480;
  SECTION("a mass on a rod") {
    for (const double angle : {0.05, 1.2}) {
      Truss truss = two_nodes(0.8, 0.3, 0.5, 5e5, 0);
      truss.pinned = {0};
      Body b = make(lagrange(), truss, h);
      // From the x axis down to the vertical, less the angle.
      b.start(Vec3::Zero(), Vec3::Zero(), {Vec3::Zero(), Quat(Eigen::AngleAxisd(-0.5 * kPi - angle, Vec3::UnitZ()))});
      const double period = measured_period(b, h, 8 * 480, Vec3::UnitX());
      const double exact = 2 * kPi * std::sqrt(0.8 / 9.80665) * amplitude_factor(angle);
      CHECK(std::abs(period / exact - 1) < 5e-5);
    }
  }
  SECTION("a box on a corner and on a hinge") {
    for (const bool hinge : {false, true}) {
      Truss truss = lattice(3, 0.2, 0.05, 2e5, 0);
      truss.pinned = hinge ? std::vector<std::uint32_t>{0, 18} : std::vector<std::uint32_t>{0};
      Vec3 centre = Vec3::Zero();
      double mass = 0;
      for (std::size_t i = 0; i < truss.nodes.size(); ++i) {
        centre += truss.masses[i] * truss.nodes[i];
        mass += truss.masses[i];
      }
      centre /= mass;
      // The box is turned so that its centre hangs straight below the pin (for the hinge: below its axis, z),
      // then by the angle.
      const double angle = 0.06;
      Vec3 arm = centre;
      if (hinge) arm.z() = 0;
      const Quat down = turn_onto(arm, -Vec3::UnitY());
      const Quat turned = Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ())) * down;
      const Vec3 axis = turned.conjugate() * Vec3::UnitZ();
      double inertia = 0;
      for (std::size_t i = 0; i < truss.nodes.size(); ++i)
        inertia += truss.masses[i] * (truss.nodes[i] - axis * axis.dot(truss.nodes[i])).squaredNorm();
      Body b = make(lagrange(), truss, h);
      b.start(Vec3::Zero(), Vec3::Zero(), {Vec3::Zero(), turned});
      const double period = measured_period(b, h, 8 * 480, Vec3::UnitX());
      const double exact = 2 * kPi * std::sqrt(inertia / (mass * 9.80665 * arm.norm())) * amplitude_factor(angle);
      CHECK(std::abs(period / exact - 1) < 7e-5);
    }
  }
}

TEST_CASE("A clamped body comes to rest where the springs carry its weight", "[pins]") {
  Truss truss = lattice(3, 0.2, 0.05, 900, 4);
  for (std::uint32_t i = 0; i < 27; i += 3) truss.pinned.push_back(i);  // the face x = 0
  Body b = make(lagrange(), truss);
  b.start(Vec3::Zero(), Vec3::Zero());
  for (int n = 0; n < 6000; ++n) REQUIRE(b.step(kGravity));
  // K d = m g on the free nodes, assembled by hand.
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(81, 81);
  Eigen::VectorXd f(81);
  for (const Spring& s : truss.springs) {
    const Vec3 along = (truss.nodes[s.b] - truss.nodes[s.a]).normalized();
    const Mat3 e = s.stiffness * along * along.transpose();
    k.block<3, 3>(3 * s.a, 3 * s.a) += e;
    k.block<3, 3>(3 * s.b, 3 * s.b) += e;
    k.block<3, 3>(3 * s.a, 3 * s.b) -= e;
    k.block<3, 3>(3 * s.b, 3 * s.a) -= e;
  }
  for (int i = 0; i < 27; ++i) f.segment<3>(3 * i) = truss.masses[static_cast<std::size_t>(i)] * kGravity;
  for (const std::uint32_t i : truss.pinned)
    for (int c = 0; c < 3; ++c) {
      k.row(3 * i + c).setZero();
      k.col(3 * i + c).setZero();
      k(3 * i + c, 3 * i + c) = 1;
      f[3 * i + c] = 0;
    }
  const Eigen::VectorXd d = test::solved(k, f);
  const auto x = b.positions();
  CHECK(d.cwiseAbs().maxCoeff() > 0.002);
  for (int i = 0; i < 27; ++i)
    CHECK(
        (x[static_cast<std::size_t>(i)] - truss.nodes[static_cast<std::size_t>(i)] - Vec3(d.segment<3>(3 * i))).norm() <
        1e-9);
}

TEST_CASE("Pinned: both methods agree, and halving the step converges at second order", "[pins]") {
  const Truss truss = uneven({0, 20}, 60, 0.05);
  Body a = make(lagrange(), truss),
       b = make(lagrange(), truss, kStep, parameters_of(lagrange(), {{"method", "fixed point"}}));
  for (Body* body : {&a, &b}) {
    body->start(Vec3::Zero(), Vec3(1, 0.5, 0));
    for (int n = 0; n < 240; ++n) REQUIRE(body->step(kGravity));
  }
  const auto xa = a.positions(), xb = b.positions();
  for (std::size_t i = 0; i < xa.size(); ++i) CHECK((xa[i] - xb[i]).norm() < 1e-10);  // spec 1.3 asks for 1e-6

  std::vector<std::vector<Vec3>> ends;
  for (const int parts : {1, 2, 4}) {
    // Small kicks from rest, undamped: then no force acts at the start, as the scheme takes it.
    Body c = make(lagrange(), uneven({0, 20}, 60), kStep / parts);
    c.start(Vec3::Zero(), Vec3::Zero());
    c.solver->apply_impulses(c.state, kicks(27, 1e-4));
    for (int n = 0; n < 60 * parts; ++n) REQUIRE(c.step());
    ends.push_back(c.positions());
  }
  double coarse = 0, fine = 0;
  for (std::size_t i = 0; i < ends[0].size(); ++i) {
    coarse = std::max(coarse, (ends[0][i] - ends[1][i]).norm());
    fine = std::max(fine, (ends[1][i] - ends[2][i]).norm());
  }
  CHECK(coarse / fine > 3.7);
  CHECK(coarse / fine < 4.3);
}

TEST_CASE("Pinned bodies of any stiffness are stable", "[pins]") {
  for (const auto& pins : pin_sets())
    for (const double stiffness : {8.0, 8e4, 8e8}) {
      const Truss truss = uneven(pins, stiffness, 0.1);
      Body b = make(lagrange(), truss);
      b.start(Vec3::Zero(), Vec3::Zero());
      b.solver->apply_impulses(b.state, kicks(27, 0.001));
      for (int n = 0; n < test::rounds(1000, 300); ++n) REQUIRE(b.step(stiffness > 10 ? kGravity : Vec3::Zero()));
    }
  CHECK_FALSE(lagrange().make(setup_of(uneven({99}))).ok());
}

}  // namespace pins_test
