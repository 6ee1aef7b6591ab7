// Matrices of springs that are eliminated in dense fronts (front_plan.h), and steps of large cloths, which are solved with them as far as is
// seen: answers against the plain elimination, bits whatever the processor and the memory, energy and momenta to round-off all the same.
#include <catch2/catch.hpp>

#include <cstring>
#include <numeric>
#include <set>

#include "core/sim/elastic/spring_matrix.h"
#include "tests/sim/elastic/hanging_support.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/sanitized.h"

namespace fronts_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;  // not the Body of a compiled model
using reference::Dice;

namespace {

using Ends = SpringPattern::Ends;

/// Nodes anywhere, joined to those near them; in one piece or several, some held.
struct Net {
  std::vector<Vec3> places;
  std::vector<Ends> ends;
  std::vector<char> held;
  std::vector<double> masses;

  explicit Net(Dice& dice) {
    const std::size_t n = 1 + static_cast<std::size_t>(dice.uniform(0, 1) < 0.1 ? 0 : dice.uniform(20, 300));
    const int kind = static_cast<int>(dice.uniform(0, 4));  // a line, a sheet, a level grid, a heap
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n))));
    for (std::size_t i = 0; i < n; ++i) {
      places.push_back(
          kind == 2 ? Vec3(static_cast<double>(i / side), 0, static_cast<double>(i % side))
                    : Vec3{dice.uniform(0, 9), kind > 0 ? dice.uniform(0, 9) : 0, kind > 2 ? dice.uniform(0, 9) : 0});
      held.push_back(dice.uniform(0, 1) < 0.05);
      masses.push_back(std::pow(10, dice.uniform(-1, 1)));
    }
    const double reach = kind == 2 ? 1.5 : kind == 0 ? 0.2 : kind == 1 ? 1.2 : 2;
    for (std::uint32_t a = 0; a < n; ++a)
      for (std::uint32_t b = a + 1; b < n; ++b)
        if ((places[a] - places[b]).norm() < reach) ends.push_back(dice.uniform(0, 1) < 0.5 ? Ends{a, b} : Ends{b, a});
    for (std::size_t k = 0; k < ends.size() && k < 5; ++k) ends.push_back(ends[k]);  // two between the same nodes
  }
};

/// A cloth of k N/m that nothing damps.
Truss cloth(int along, int across, double k, double bending, double shear) {
  Truss truss = make_truss({.shape = TrussShape::cloth,
                            .divisions = {along, 1, across},
                            .size = Vec3(1.5, 1, 1.1),
                            .shear = shear,
                            .bending = bending});
  for (double& m : truss.masses) m *= 0.3;
  for (Spring& s : truss.springs) {
    s.stiffness *= k;
    s.damping = 0;
  }
  return truss;
}

}  // namespace

TEST_CASE("Fronts solve what the plain elimination solves", "[springs][fronts]") {
  double worst = 0, worst_rough = 0;
  int most = 0;
  const int count = test::rounds(200, 20);
  for (int round = 0; round < count; ++round) {
    Dice dice(20261130 + static_cast<std::uint64_t>(round));
    const Net net(dice);
    const std::size_t n = net.places.size();
    CAPTURE(round, n, net.ends.size());
    std::vector<double> stiff, x(3 * n);
    for (double& v : x) v = dice.uniform(-1, 1);
    struct Pull {
      Vec3 direction;
      double across, along;
    };
    std::vector<Pull> pulls;
    for (std::size_t e = 0; e < net.ends.size(); ++e) {
      const double along = std::pow(10, dice.uniform(-2, 4));
      const Vec3 direction = dice.vector().normalized();
      pulls.push_back({direction, dice.uniform(0, 0.3) * along, along});
    }
    const SpringPattern plain(n, net.ends, net.held),
        fronts(net.places, net.ends, net.held, std::vector<double>(net.ends.size(), 1.0), false),
        rough(net.places, net.ends, net.held, std::vector<double>(net.ends.size(), 1.0), true);
    const auto answer = [&](const SpringPattern& pattern, double share, int* sweeps) {
      std::vector<double> memory(pattern.memory(), NAN), y = x;
      SpringMatrix matrix(pattern, net.masses, memory.data());
      for (std::size_t e = 0; e < pulls.size(); ++e) matrix.set(e, pulls[e].direction, pulls[e].across, pulls[e].along);
      matrix.factor();
      *sweeps = matrix.solve(y.data(), share);
      return y;
    };
    int sweeps = 0;
    const std::vector<double> expected = answer(plain, 1e-13, &sweeps), exact = answer(fronts, 1e-6, &sweeps);
    CHECK(sweeps <= 1);
    const std::vector<double> seven_digits = answer(rough, 1e-10, &sweeps);
    most = std::max(most, sweeps);
    double size = 0, off = 0, off_rough = 0;
    for (std::size_t j = 0; j < 3 * n; ++j) {
      size = std::max(size, std::abs(expected[j]));
      off = std::max(off, std::abs(exact[j] - expected[j]));
      off_rough = std::max(off_rough, std::abs(seven_digits[j] - expected[j]));
      if (net.held[j / 3]) CHECK(exact[j] == 0);
    }
    if (size == 0) continue;
    worst = std::max(worst, off / size);
    worst_rough = std::max(worst_rough, off_rough / size);
  }
  WARN(count << " nets: off by " << worst << ", of seven digits " << worst_rough << " after at most " << most
             << " sweeps");
  CHECK(worst < 1e-9);
  CHECK(worst_rough < 1e-7);
  CHECK(most < 12);
}

TEST_CASE("Of what shares leave out of a factor conjugate gradients find the rest", "[springs][fronts]") {
  Dice dice(7);
  const Truss truss = cloth(24, 20, 1e4, 1e-3, 0.3);
  const std::size_t n = truss.nodes.size();
  std::vector<Ends> ends;
  std::vector<double> shares;
  std::set<Ends> joined;
  for (const Spring& s : truss.springs) {
    ends.emplace_back(s.a, s.b);
    joined.insert(std::minmax(s.a, s.b));
    shares.push_back(1);
  }
  for (const Bend& b : truss.bends) {
    ends.emplace_back(b.a, b.b);
    shares.push_back(b.stiffness > 0 && joined.contains(std::minmax(b.a, b.b)) ? 0.5 : 0);
  }
  const std::vector<char> held(n, 0);
  const SpringPattern plain(n, ends, held), fronts(truss.nodes, ends, held, shares, true);
  CHECK(fronts.products() < 0.3 * plain.products());
  std::vector<double> memory(plain.memory()), light(fronts.memory()), x(3 * n), y;
  for (double& v : x) v = dice.uniform(-1, 1);
  y = x;
  SpringMatrix matrix(plain, truss.masses, memory.data()), other(fronts, truss.masses, light.data());
  const double h = 0.01;
  for (std::size_t e = 0; e < ends.size(); ++e) {
    const bool bends = e >= truss.springs.size();
    const double k =
        0.25 * h * h * (bends ? truss.bends[e - truss.springs.size()].stiffness : truss.springs[e].stiffness);
    const Vec3 along = (truss.nodes[ends[e].second] - truss.nodes[ends[e].first]).normalized();
    matrix.set(e, along, bends ? k : 0, k);
    other.set(e, along, bends ? k : 0, k);
  }
  matrix.factor();
  other.factor();
  matrix.solve(x.data(), 1e-13);
  const int sweeps = other.solve(y.data(), 1e-10);
  double off = 0, size = 0;
  for (std::size_t j = 0; j < 3 * n; ++j) {
    off = std::max(off, std::abs(x[j] - y[j]));
    size = std::max(size, std::abs(x[j]));
  }
  CAPTURE(sweeps);
  CHECK(off < 1e-8 * size);
  CHECK(sweeps < 40);
  // Too few of them are told.
  y = x;
  CHECK(other.solve(y.data(), 1e-10, 2) == 3);
}

TEST_CASE("Fronts give the same bits whatever the processor, and whatever was in their memory", "[springs][fronts]") {
  const spring_kernel::Kernels* sets[2];
  const int count = spring_kernel::kernel_sets(sets);
  Dice dice(99);
  for (int round = 0; round < 8; ++round) {
    const Net net(dice);
    const FrontPlan plan = FrontPlan::make(net.places, net.ends, net.held);
    std::vector<double> diagonal, springs, shares(net.ends.size(), 1.0), start(3 * plan.order.size());
    for (std::size_t k = 0; k < plan.order.size(); ++k)
      for (const double d : {900.0, 1.0, 2.0, 900.0, 3.0, 900.0}) diagonal.push_back(d);
    for (std::size_t e = 0; e < net.ends.size(); ++e)
      for (int c = 0; c < 5; ++c) springs.push_back(dice.uniform(0, 1));
    for (double& v : start) v = dice.uniform(-1, 1);
    std::size_t longest = 0;
    for (const Front& front : plan.fronts) longest = std::max<std::size_t>(longest, 3 * front.rows + 8);
    const auto run = [&]<class T>(const spring_kernel::FrontKernels<T>& kernels, T dirt) {
      std::vector<T> panels(plan.panels, dirt), rests(plan.rests, dirt), x(start.begin(), start.end()),
          work(longest, dirt);
      const spring_kernel::Fronts<T> view = {plan.fronts.data(), plan.fronts.size(), plan.row.data(), plan.edge.data(),
                                             plan.run.data(),    plan.child.data(),  panels.data(),   rests.data()};
      kernels.eliminate(view, diagonal.data(), springs.data(), shares.data(), 1);
      kernels.solve(view, x.data(), work.data());
      return x;
    };
    const auto exact = run(sets[0]->in_fronts, 0.0);
    const auto rough = run(sets[0]->in_rough_fronts, 0.0f);
    for (int k = 0; k < count; ++k)
      for (const double dirt : {0.0, 1e30}) {
        const auto other = run(sets[k]->in_fronts, dirt);
        const auto other_rough = run(sets[k]->in_rough_fronts, static_cast<float>(dirt));
        CHECK(std::memcmp(other.data(), exact.data(), exact.size() * sizeof(double)) == 0);
        CHECK(std::memcmp(other_rough.data(), rough.data(), rough.size() * sizeof(float)) == 0);
      }
  }
}

TEST_CASE("Large cloths keep energy and momenta though their steps are solved as far as is seen", "[cloth][fronts]") {
  double energy = 0, linear = 0, angular = 0, pinned = 0;
  const int count = test::rounds(6, 1);
  for (int round = 0; round < count; ++round) {
    Dice dice(41 + static_cast<std::uint64_t>(round));
    const int along = static_cast<int>(dice.uniform(17, 24)), across = static_cast<int>(dice.uniform(17, 24));
    const double k = std::pow(10, dice.uniform(2, 4.5)), bending = std::pow(10, dice.uniform(-6, -3));
    Truss truss = cloth(along, across, k, bending, dice.uniform(0.1, 1));
    const double h = 1.0 / 25 / std::floor(dice.uniform(2, 9));
    CAPTURE(round, truss.nodes.size(), h);
    {
      Body body = springs_body(setup_of_truss(truss, h));
      body.start(dice.vector(), 2 * dice.vector());
      body.solver->apply_impulses(body.state, kicks(truss.nodes.size(), 1e-5));
      const double before = body.energy();
      const Momenta begun = momenta(body, truss.masses);
      for (int n = 0; n < 60; ++n) REQUIRE(body.step());
      const Momenta ended = momenta(body, truss.masses);
      energy = std::max(energy, std::abs(body.energy() / before - 1));
      linear = std::max(linear, (ended.linear - begun.linear).norm() / begun.scale);
      angular = std::max(angular, (ended.angular - begun.angular).norm() / begun.angular_scale);
    }
    for (std::uint32_t i = 0; i < truss.nodes.size(); ++i)
      if (truss.nodes[i].z() > 0.55 - 1e-6 && std::abs(truss.nodes[i].x()) > 0.75 - 1e-6) truss.pinned.push_back(i);
    REQUIRE(truss.pinned.size() == 2);
    Body body = springs_body(setup_of_truss(truss, h));
    const auto whole = [&] {
      const std::vector<Vec3> x = body.positions();
      double sum = body.energy();
      for (std::size_t i = 0; i < x.size(); ++i) sum -= truss.masses[i] * kDown.dot(x[i]);
      return sum;
    };
    const double before = whole();
    double swung = 0;
    for (int n = 0; n < 60; ++n) {
      REQUIRE(body.step(kDown));
      swung = std::max(swung, body.seen().kinetic_energy);
    }
    pinned = std::max(pinned, std::abs(whole() - before) / swung);
  }
  WARN(count << " cloths: energy " << energy << ", P " << linear << ", L " << angular << ", swinging from two pins "
             << pinned);
  CHECK(energy < 1e-10);
  CHECK(linear < 1e-12);
  CHECK(angular < 1e-11);
  CHECK(pinned < 1e-10);
}

TEST_CASE("A large cloth goes on with the same bits from a state that is restored", "[cloth][fronts]") {
  Truss truss = cloth(20, 20, 5e3, 1e-4, 0.3);
  for (Spring& s : truss.springs) s.damping = 1e-3 * s.stiffness;
  truss.pinned = {0};
  const ElasticSetup setup = setup_of_truss(truss, 0.01);
  Body first = springs_body(setup);
  for (int n = 0; n < 10; ++n) REQUIRE(first.step(kDown));
  Body other = springs_body(setup);
  other.state = first.state;
  for (int n = 0; n < 5; ++n) {
    REQUIRE(first.step(kDown));
    REQUIRE(other.step(kDown));
  }
  CHECK(std::memcmp(first.state.data(), other.state.data(), first.state.size() * sizeof(double)) == 0);
}

}  // namespace fronts_test
