// What every elastic solver in the table must do before its author tests anything else. A solver that keeps
// angular momentum only to its own order says so (rotation_exact) and is measured with a wider bound.
#include <catch2/catch.hpp>

#include <cstring>

#include "tests/sim/elastic_support.h"

namespace elastic_conformance_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;  // not the Body of a compiled model

namespace {

constexpr double kSize = 0.5;
const Vec3 kGravity(0, -9.80665, 0);

Body make(const ElasticSolverInfo& info, double damping = 0, double stiffness = 800) {
  ElasticSetup setup;
  setup.truss = lattice(3, kSize, 0.1, stiffness, damping);
  setup.truss.masses[0] = 0.15;  // no symmetry to hide behind
  setup.truss.masses[5] = 0.07;
  setup.time_step = kStep;
  setup.settings.solver = std::string(info.name);
  auto made = info.make(setup);
  REQUIRE(made.ok());
  return Body(std::move(made).value());
}

std::vector<double> masses() {
  std::vector<double> m(27, 0.1);
  m[0] = 0.15;
  m[5] = 0.07;
  return m;
}

Vec3 centre_of(const std::vector<Vec3>& x) {
  Vec3 sum = Vec3::Zero();
  double total = 0;
  const auto m = masses();
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += m[i] * x[i];
    total += m[i];
  }
  return sum / total;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

template <class Check>
void for_each_solver(Check&& check) {
  REQUIRE_FALSE(elastic_solvers().empty());
  for (const ElasticSolverInfo* info : elastic_solvers()) {
    INFO("solver " << info->name);
    check(*info);
  }
}

}  // namespace

TEST_CASE("The table of solvers is usable", "[elastic][conformance]") {
  for_each_solver([](const ElasticSolverInfo& info) {
    CHECK(find_elastic_solver(info.name) == &info);
    CHECK_FALSE(info.label.empty());
    CHECK_FALSE(info.description.empty());
    CHECK_FALSE(info.source.empty());
  });
  CHECK(find_elastic_solver("no such solver") == nullptr);
}

TEST_CASE("Starts undeformed where and as it is told", "[elastic][conformance]") {
  for_each_solver([](const ElasticSolverInfo& info) {
    Body b = make(info);
    const Pose pose{Vec3(1, 2, -3), Quat(0.8, 0.1, -0.5, 0.3).normalized()};
    const Vec3 velocity(0.3, -1, 2), spin(1, -2, 0.5);
    b.start(velocity, spin, pose);
    const Truss truss = lattice(3, kSize, 0.1, 1, 0);
    const auto x = b.positions(), v = b.velocities();
    const Vec3 centre = centre_of(x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK((x[i] - pose * truss.nodes[i]).norm() < 1e-12);
      CHECK((v[i] - velocity - spin.cross(x[i] - centre)).norm() < 1e-11);
    }
    const Observables o = b.seen();
    CHECK(o.mass == Approx(2.72));
    CHECK((o.centre - centre).norm() < 1e-12);
    CHECK((o.momentum - 2.72 * velocity).norm() < 1e-11);
    CHECK(std::abs(o.elastic_energy) < 1e-15);
    CHECK(o.volume == Approx(1.0));
    CHECK(o.max_strain < 1e-12);
    CHECK((b.solver->frame(b.state).rotation.toRotationMatrix() - pose.rotation.toRotationMatrix()).norm() < 1e-12);
    CHECK(b.state.size() == b.solver->state_size());
  });
}

TEST_CASE("At rest without forces it stays at rest", "[elastic][conformance]") {
  for_each_solver([](const ElasticSolverInfo& info) {
    Body b = make(info, 0.5);
    b.start(Vec3::Zero(), Vec3::Zero());
    const auto before = b.positions();
    for (int n = 0; n < 240; ++n) REQUIRE(b.step());
    const auto after = b.positions(), v = b.velocities();
    for (std::size_t i = 0; i < after.size(); ++i) {
      CHECK((after[i] - before[i]).norm() < 1e-12);
      CHECK(v[i].norm() < 1e-12);
    }
  });
}

TEST_CASE("Falls as gravity says and is not deformed by it", "[elastic][conformance]") {
  for_each_solver([](const ElasticSolverInfo& info) {
    Body b = make(info);
    b.start(Vec3(1, 3, 0), Vec3::Zero());
    const Vec3 start = b.seen().centre;
    for (int n = 1; n <= 480; ++n) {
      REQUIRE(b.step(kGravity));
      const double t = n * kStep;
      const Observables o = b.seen();
      REQUIRE((o.momentum / o.mass - Vec3(1, 3, 0) - t * kGravity).norm() < 1e-10);
      // Exact parabola or a first-order scheme's own path: they differ by ½ g t h.
      const Vec3 parabola = start + t * Vec3(1, 3, 0) + 0.5 * t * t * kGravity;
      REQUIRE((o.centre - parabola).norm() < 0.51 * kGravity.norm() * t * kStep + 1e-10);
      if (info.rotation_exact) REQUIRE((o.centre - parabola).norm() < 1e-10);
    }
    CHECK(b.seen().max_strain < 1e-9);
  });
}

TEST_CASE("A free body keeps its momenta", "[elastic][conformance]") {
  for_each_solver([](const ElasticSolverInfo& info) {
    Body b = make(info, 0.2);
    b.start(Vec3(1, -2, 0.5), Vec3(1, 3, -2));
    b.solver->apply_impulses(b.state, kicks(27, 0.02));
    const Momenta start = momenta(b, masses());
    for (int n = 0; n < 2000; ++n) REQUIRE(b.step());
    const Momenta end = momenta(b, masses());
    CHECK((end.linear - start.linear).norm() < 1e-9 * start.scale);
    CHECK((end.angular - start.angular).norm() < (info.rotation_exact ? 1e-9 : 0.05) * start.angular_scale);
  });
}

TEST_CASE("Impulses change momenta by exactly what they carry", "[elastic][conformance]") {
  for_each_solver([](const ElasticSolverInfo& info) {
    Body b = make(info);
    b.start(Vec3(0.2, 0, 0), Vec3(0.5, 0, 1));
    b.solver->apply_impulses(b.state, kicks(27, 0.05));
    for (int n = 0; n < 30; ++n) REQUIRE(b.step());
    const auto x = b.positions(), v = b.velocities();
    const Momenta before = momenta(b, masses());
    const NodeImpulse j[] = {{4, Vec3(0.3, -0.2, 0.1)}, {22, Vec3(0, 0.5, 0)}, {4, Vec3(0.1, 0, 0)}};
    b.solver->apply_impulses(b.state, j);
    const Momenta after = momenta(b, masses());
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    std::vector<Vec3> expected = v;
    const auto m = masses();
    for (const NodeImpulse& i : j) {
      linear += i.impulse;
      angular += x[i.node].cross(i.impulse);
      expected[i.node] += i.impulse / m[i.node];
    }
    CHECK((after.linear - before.linear - linear).norm() < 1e-12 * after.scale);
    CHECK((after.angular - before.angular - angular).norm() < 1e-12 * after.angular_scale);
    const auto x_after = b.positions(), v_after = b.velocities();
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK((x_after[i] - x[i]).norm() < 1e-13);
      CHECK((v_after[i] - expected[i]).norm() < 1e-11);
    }
  });
}

TEST_CASE("Displacing moves nodes and leaves their velocities", "[elastic][conformance]") {
  for_each_solver([](const ElasticSolverInfo& info) {
    Body b = make(info);
    b.start(Vec3(0.2, 0, 0), Vec3(0.5, 2, 1));
    b.solver->apply_impulses(b.state, kicks(27, 0.05));
    for (int n = 0; n < 30; ++n) REQUIRE(b.step());
    const auto x = b.positions(), v = b.velocities();
    for (const bool whole : {false, true}) {
      std::vector<Vec3> u(27, whole ? Vec3(0.1, 0.2, 0.3) : Vec3(0, 0, 0));
      u[3] += Vec3(0.02, 0.01, 0);
      u[8] += Vec3(0, 0.03, -0.01);
      const auto before = b.positions();
      b.solver->displace(b.state, u);
      const auto x_after = b.positions(), v_after = b.velocities();
      for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK((x_after[i] - before[i] - u[i]).norm() < 1e-12);
        CHECK((v_after[i] - v[i]).norm() < 1e-11);
      }
    }
    CHECK(b.seen().max_strain > 0.01);
    for (int n = 0; n < 240; ++n) REQUIRE(b.step());
  });
}

TEST_CASE("Two runs, and a run continued from a saved state, give the same bits", "[elastic][conformance]") {
  for_each_solver([](const ElasticSolverInfo& info) {
    const auto begin = [&](Body& b) {
      b.start(Vec3(1, 2, 0), Vec3(1, 3, 2));
      b.solver->apply_impulses(b.state, kicks(27, 0.02));
    };
    Body a = make(info, 0.1), b = make(info, 0.1), c = make(info, 0.1);
    begin(a);
    begin(b);
    for (int n = 0; n < 200; ++n) {
      REQUIRE(a.step(kGravity));
      REQUIRE(b.step(kGravity));
      if (n == 99) c.state = b.state;  // another solver object, fresh workspace
    }
    for (int n = 100; n < 200; ++n) REQUIRE(c.step(kGravity));
    CHECK(same_bits(a.state, b.state));
    CHECK(same_bits(a.state, c.state));
    CHECK(a.positions() == c.positions());
  });
}

TEST_CASE("Divergence is reported", "[elastic][conformance]") {
  for_each_solver([](const ElasticSolverInfo& info) {
    for (const double force :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300, 1e12}) {
      Body b = make(info);
      b.start(Vec3::Zero(), Vec3(0, 1, 0));
      std::vector<Vec3> f(27, Vec3::Zero());
      f[7] = Vec3(force, 0, 0);
      bool ok = true;
      for (int n = 0; n < 20 && ok; ++n) ok = b.step(f);
      CHECK_FALSE(ok);
    }
    Body b = make(info);
    b.start(Vec3(2e6, 0, 0), Vec3::Zero());
    CHECK_FALSE(b.step());
    b.start(Vec3(1e3, 0, 0), Vec3::Zero());
    CHECK(b.step());
  });
}

TEST_CASE("Damping never adds energy", "[elastic][conformance]") {
  for_each_solver([](const ElasticSolverInfo& info) {
    Body b = make(info, 2.0);
    b.start(Vec3::Zero(), Vec3::Zero());
    b.solver->apply_impulses(b.state, kicks(27, 0.02));
    const double start = b.energy();
    double before = start;
    for (int n = 0; n < 960; ++n) {
      REQUIRE(b.step());
      const double now = b.energy();
      // What bodies turn by round-off of the coupling may swing within a step.
      CHECK(now <= before + 1e-4 * start);
      before = now;
    }
    CHECK(before < 0.5 * start);
    CHECK(b.seen().max_strain < 0.01);
  });
}

TEST_CASE("Undamped energy does not grow", "[elastic][conformance]") {
  for_each_solver([](const ElasticSolverInfo& info) {
    Body b = make(info, 0);
    b.start(Vec3::Zero(), Vec3(1, 3, 2));
    b.solver->apply_impulses(b.state, kicks(27, 0.02));
    const double start = b.energy();
    for (int n = 0; n < 2000; ++n) {
      REQUIRE(b.step());
      REQUIRE(b.energy() < 1.02 * start);
    }
  });
}

TEST_CASE("A million times stiffer at the same step", "[elastic][conformance]") {
  for_each_solver([](const ElasticSolverInfo& info) {
    Body b = make(info, 0, 800e6);
    b.start(Vec3::Zero(), Vec3(1, 3, 2));
    b.solver->apply_impulses(b.state, kicks(27, 0.02));
    const double start = b.energy();
    for (int n = 0; n < 500; ++n) REQUIRE(b.step(Vec3::Zero()));
    CHECK(b.energy() < 1.02 * start);
    CHECK(b.seen().max_strain < 0.01);
  });
}

TEST_CASE("What is seen agrees with the nodes", "[elastic][conformance]") {
  for_each_solver([](const ElasticSolverInfo& info) {
    Body b = make(info);
    b.start(Vec3(0.5, 1, 0), Vec3(1, 3, 2));
    b.solver->apply_impulses(b.state, kicks(27, 0.05));
    for (int n = 0; n < 50; ++n) REQUIRE(b.step(kGravity));
    const Observables o = b.seen();
    const auto x = b.positions(), v = b.velocities();
    const auto m = masses();
    const Vec3 centre = centre_of(x);
    Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero();
    double kinetic = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      momentum += m[i] * v[i];
      angular += m[i] * (x[i] - centre).cross(v[i]);
      kinetic += 0.5 * m[i] * v[i].squaredNorm();
    }
    CHECK((o.centre - centre).norm() < 1e-12);
    CHECK((o.momentum - momentum).norm() < 1e-11);
    CHECK((o.angular_momentum - angular).norm() < 1e-11);
    CHECK(o.kinetic_energy == Approx(kinetic));
    CHECK(o.elastic_energy > 0);
    CHECK(o.max_strain > 0);
    CHECK(o.volume > 0.5);
    CHECK(o.volume < 2);
  });
}

TEST_CASE("Two nodes work, one is refused", "[elastic][conformance]") {
  for_each_solver([](const ElasticSolverInfo& info) {
    ElasticSetup setup;
    setup.truss = two_nodes(1, 0.1, 0.2, 800, 0.1);
    setup.time_step = kStep;
    setup.settings.solver = std::string(info.name);
    auto made = info.make(setup);
    REQUIRE(made.ok());
    Body b(std::move(made).value());
    b.start(Vec3::Zero(), Vec3(3, 4, 0));  // the x part is about the line itself: nothing can turn
    for (int n = 0; n < 240; ++n) REQUIRE(b.step(kGravity));
    CHECK(b.seen().max_strain < 0.1);
    setup.truss.nodes.pop_back();
    setup.truss.masses.pop_back();
    setup.truss.springs.clear();
    const auto refused = info.make(setup);
    REQUIRE_FALSE(refused.ok());
    CHECK_FALSE(refused.error().hint.empty());
  });
}

}  // namespace elastic_conformance_test
