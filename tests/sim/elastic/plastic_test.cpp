// Springs that yield: what they keep, that it costs energy and never momentum, and that nothing else of the body's step changes.
#include <catch2/catch.hpp>
#include <random>

#include "core/math/rotation.h"
#include "tests/sim/elastic_support.h"

namespace plastic_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;  // not the Body of a compiled model

namespace {

Body make_body(const Truss& truss, double yield, double keeps = 1, double h = kStep) {
  ElasticSetup setup = setup_of(truss, h);
  const ElasticSolverInfo& info = *find_elastic_solver("lagrange");
  SolverParameters all;
  set_parameter(all, {"lagrange", "yield", {}, yield});
  set_parameter(all, {"lagrange", "keeps", {}, keeps});
  setup.parameters = read_parameters(info, all).value();
  auto made = info.make(setup);
  REQUIRE(made.ok());
  return Body(std::move(made).value());
}

/// m between two nodes.
double length(const Body& b) {
  const auto x = b.positions();
  return (x[1] - x[0]).norm();
}

}  // namespace

TEST_CASE("A spring keeps what it is stretched beyond yield", "[elastic][plastic]") {
  for (const double sign : {1.0, -1.0}) {
    const Truss truss = two_nodes(1, 1, 1, 100, 6);
    Body b = make_body(truss, 0.1);
    b.start(Vec3::Zero(), Vec3::Zero());
    const std::vector<Vec3> shift = {Vec3(-0.1 * sign, 0, 0), Vec3(0.1 * sign, 0, 0)};
    b.solver->displace(b.state, shift);  // to 1 ± 0.2
    for (int k = 0; k < 2400; ++k) REQUIRE(b.step());
    // The first step moves it back by 0.3 mm; of the 0.2 m that it is off, what is beyond 0.1 m stays.
    CHECK(length(b) == Approx(1 + 0.1 * sign).margin(5e-4));
    CHECK(b.seen().elastic_energy < 1e-12);
    // Within yield all of it comes back.
    Body soft = make_body(truss, 0.25);
    soft.start(Vec3::Zero(), Vec3::Zero());
    soft.solver->displace(soft.state, shift);
    for (int k = 0; k < 2400; ++k) REQUIRE(soft.step());
    CHECK(length(soft) == Approx(1).margin(1e-9));
  }
}

TEST_CASE("Half a share leaves half of what is beyond yield in a step", "[elastic][plastic]") {
  const Truss truss = two_nodes(1, 1e6, 1e6, 1e-3, 0);  // it does not move
  for (const double keeps : {0.0, 0.5, 1.0}) {
    Body b = make_body(truss, 0.1, keeps);
    b.start(Vec3::Zero(), Vec3::Zero());
    b.solver->displace(b.state, std::vector<Vec3>{Vec3(0, 0, 0), Vec3(0.3, 0, 0)});
    REQUIRE(b.step());
    const double left = 0.3 - keeps * 0.2;
    CHECK(b.seen().elastic_energy == Approx(0.5e-3 * left * left).epsilon(1e-9));
  }
}

TEST_CASE("Bodies that yield lose energy by it, and no momentum", "[elastic][plastic]") {
  double least = 1e300;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::mt19937_64 source(seed);
    const auto in = [&](double low, double high) {
      return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11);
    };
    const Truss truss = lattice(2 + static_cast<int>(seed % 2), 0.3, 0.1, std::pow(10, in(2, 6)), 0);
    const double yield = std::pow(10, in(-3, -1)), keeps = in(0.1, 1);
    Body b = make_body(truss, yield, keeps, 1.0 / (60 << seed % 4));
    const double a = in(-3, 3), c = in(-3, 3), d = in(-3, 3);
    b.start(Vec3(a, c, d), Vec3(c, d, a));
    b.solver->apply_impulses(b.state, kicks(truss.nodes.size(), 0.1 * in(0.1, 3)));
    const Momenta start = momenta(b, truss.masses);
    const double first = b.energy();
    double before = first;
    for (int k = 0; k < 240; ++k) {
      REQUIRE(b.step());
      INFO("seed " << seed << " step " << k);
      CHECK(b.energy() <= before + 1e-11 * first);
      before = b.energy();
    }
    const Momenta end = momenta(b, truss.masses);
    CHECK((end.linear - start.linear).norm() < 1e-12 * start.scale);
    CHECK((end.angular - start.angular).norm() < 1e-10 * start.angular_scale);
    least = std::min(least, before / first);
  }
  CHECK(least < 0.9);
}

TEST_CASE("What springs keep is in the state, and a body at yield 0 is what it was", "[elastic][plastic]") {
  const Truss truss = lattice(3, 0.2, 0.05, 500, 0.3);
  Body plain = make_body(truss, 0), clay = make_body(truss, 0.02), far = make_body(truss, 10);
  CHECK(plain.state.size() == 7 + 6 * 27 + RestShape::kNumbers);
  CHECK(clay.state.size() == plain.state.size() + truss.springs.size());
  for (Body* b : {&plain, &clay, &far}) {
    b->start(Vec3::Zero(), Vec3(1, 2, 3));
    b->solver->apply_impulses(b->state, kicks(27, 0.05));
  }
  for (int k = 0; k < 100; ++k) {
    for (Body* b : {&plain, &clay, &far}) REQUIRE(b->step());
    if (k != 50) continue;
    Body again = make_body(truss, 0.02);
    again.state = clay.state;
    clay.workspace = {};
    REQUIRE(again.step());
    REQUIRE(clay.step());
    CHECK(again.state == clay.state);
    REQUIRE(plain.step());
    REQUIRE(far.step());
  }
  for (std::size_t j = 0; j < plain.state.size(); ++j) CHECK(far.state[j] == plain.state[j]);
  CHECK(clay.state[8] != plain.state[8]);
  CHECK(clay.solver->still(clay.state));
  CHECK(std::any_of(clay.state.begin() + 7 + 6 * 27, clay.state.end(), [](double kept) { return kept != 0; }));
}

}  // namespace plastic_test
