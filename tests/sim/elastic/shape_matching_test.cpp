// What spec 5.2 says that shape matching must show, with measured values beside the bounds: momenta exact, nothing gained, stable at any
// stiffness and step, flat and torn bodies come back.
#include <catch2/catch.hpp>

#include <random>

#include "tests/sim/elastic_support.h"
#include "tests/support/sanitized.h"

namespace shape_matching_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;  // not the Body of a compiled model

namespace {

struct Random {
  std::mt19937_64 source;
  double in(double low, double high) { return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11); }
  Vec3 vector(double size) {
    const double z = in(-1, 1), y = in(-1, 1), x = in(-1, 1);
    return size * Vec3(x, y, z);
  }
};

Body make(const Truss& truss, double h = kStep, int rings = 1) {
  const ElasticSolverInfo& info = *find_elastic_solver("shape_matching");
  ElasticSetup setup = setup_of(truss, h);
  setup.parameters = {1, 1, static_cast<double>(rings), 1};
  auto made = info.make(setup);
  REQUIRE(made.ok());
  return Body(std::move(made).value());
}

double off_shape(const Body& b, const Truss& truss) {
  const auto x = b.positions();
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      most = std::max(most, std::abs((x[i] - x[j]).norm() - (truss.nodes[i] - truss.nodes[j]).norm()));
  return most;
}

}  // namespace

TEST_CASE("Momenta are kept and nothing is gained, however regions bend and turn", "[shape_matching]") {
  double linear = 0, angular = 0, gain = 0, lost = 0;
  for (const double k : {1.0, 1e2, 1e4, 1e8})
    for (const double kick : {0.05, 0.5})
      for (const double spin : {0.0, 8.0}) {
        Body b = make(lattice(3, 0.5, 0.1, k, 0));
        b.start(Vec3(0.3, 0, 0), spin * Vec3(0.6, 0.7, 0.4).normalized());
        b.solver->apply_impulses(b.state, kicks(27, kick));
        const std::vector<double> m(27, 0.1);
        const double start = b.energy();
        double before_it = start;
        const Momenta before = momenta(b, m);
        for (int n = 0; n < test::rounds(1000, 200); ++n) {
          REQUIRE(b.step());
          gain = std::max(gain, (b.energy() - before_it) / start);
          before_it = b.energy();
        }
        const Momenta after = momenta(b, m);
        linear = std::max(linear, (after.linear - before.linear).norm() / before.scale);
        angular = std::max(angular, (after.angular - before.angular).norm() / before.angular_scale);
        if (spin == 0 && kick < 0.1 && k > 10) lost = std::max(lost, 1 - b.energy() / start);
      }
  CAPTURE(linear, angular, gain, lost);
  CHECK(linear < 1e-12);   // 1e-15
  CHECK(angular < 1e-11);  // 8e-15
  CHECK(gain < 1e-10);     // 4e-11
  CHECK(lost < 0.1);       // 2e-3, undamped, in four seconds
}

TEST_CASE("Shape matching comes back from flat, from a rod and from anywhere", "[shape_matching][slow]") {
  for (const double k : {1e2, 1e4, 1e7})
    for (const int way : {0, 1, 2}) {
      const Truss truss = lattice(3, 0.5, 0.1, k, 0.02 * k);
      Body b = make(truss);
      b.start(Vec3::Zero(), Vec3::Zero());
      std::vector<Vec3> u(27);
      Random random{std::mt19937_64(5)};
      for (std::size_t i = 0; i < 27; ++i) {
        const Vec3& x = truss.nodes[i];
        if (way == 0) u[i] = Vec3(0, -x.y(), 0);                       // into a plane, exactly
        if (way == 1) u[i] = Vec3(0, -0.999 * x.y(), -0.999 * x.z());  // nearly to a line
        if (way == 2) u[i] = random.vector(0.6);                       // over each other
      }
      b.solver->displace(b.state, u);
      const double start = b.energy();
      double before = start, gain = 0;
      for (int n = 0; n < 4800; ++n) {
        REQUIRE(b.step());
        gain = std::max(gain, b.energy() - before);
        before = b.energy();
      }
      CAPTURE(k, way);
      CHECK(off_shape(b, truss) < 1e-3);
      CHECK(gain < 1e-10 * start);
    }
}

TEST_CASE("Shape matching is stable at any stiffness, mass and step", "[shape_matching]") {
  for (const double k : {1.0, 1e3, 1e6, 1e9})
    for (const int substeps : {1, 4, 16}) {
      Truss truss = lattice(3, 0.5, 0.1, k, 1e-3 * k);
      Random random{std::mt19937_64(11)};
      for (double& m : truss.masses) m = 0.1 * std::pow(10, random.in(-1, 1));
      Body b = make(truss, 1.0 / (60 * substeps));
      b.start(Vec3::Zero(), Vec3(1, 3, -2));
      std::vector<NodeImpulse> all = kicks(27, 0.5);
      for (NodeImpulse& j : all) j.impulse *= truss.masses[j.node];
      b.solver->apply_impulses(b.state, all);
      const double start = b.energy();
      double before = start, gain = 0;
      for (int n = 0; n < 120 * substeps; ++n) {
        REQUIRE(b.step());
        gain = std::max(gain, b.energy() - before);
        before = b.energy();
      }
      CAPTURE(k, substeps);
      CHECK(gain < 1e-8 * start);  // 2e-9: the round-off of so stiff a body
    }
}

TEST_CASE("More rings and more sub-steps make a firm body stiffer", "[shape_matching][slow]") {
  // A beam of 3 × 3 × 12 nodes, clamped, under its weight.
  const auto sag = [](int rings, double h) {
    Truss truss = lattice(12, 0.1, 0.01, 1e7, 1e4);
    std::vector<std::uint32_t> kept;
    Truss beam;
    std::vector<std::uint32_t> number(truss.nodes.size(), 0xffffffffu);
    for (std::uint32_t i = 0; i < truss.nodes.size(); ++i) {
      const Vec3& x = truss.nodes[i];
      if (x.y() > 0.25 || x.z() > 0.25) continue;
      number[i] = static_cast<std::uint32_t>(beam.nodes.size());
      if (x.x() < 0.05) beam.pinned.push_back(number[i]);
      beam.nodes.push_back(x);
      beam.masses.push_back(0.01);
    }
    for (const Spring& s : truss.springs)
      if (std::max(number[s.a], number[s.b]) != 0xffffffffu && number[s.a] != 0xffffffffu)
        beam.springs.push_back({number[s.a], number[s.b], s.stiffness, s.damping});
    Body b = make(beam, h, rings);
    b.start(Vec3::Zero(), Vec3::Zero());
    for (int n = 0; n < static_cast<int>(6 / h); ++n) REQUIRE(b.step(Vec3(0, -9.80665, 0)));
    const auto x = b.positions();
    double low = 0;
    for (std::size_t i = 0; i < x.size(); ++i) low = std::min(low, x[i].y() - beam.nodes[i].y());
    return -low;
  };
  const double one = sag(1, 1.0 / 240), three = sag(3, 1.0 / 240), fine = sag(1, 1.0 / 960);
  CAPTURE(one, three, fine);
  CHECK(three < 0.5 * one);
  CHECK(fine < 0.5 * one);
}

}  // namespace shape_matching_test
