// What spec 5.1 says of springs that pull along where they are: against closed forms, energy and momenta to round-off however far they
// are bent, stiffness over eight decades, unequal masses, sub-steps, pins, states that are restored, and the control: what is squashed
// flat stays flat.
#include <catch2/catch.hpp>

#include <cstring>
#include <random>

#include "core/sim/elastic/spring_matrix.h"
#include "tests/sim/elastic_support.h"
#include "tests/support/sanitized.h"

namespace springs_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;  // not the Body of a compiled model

namespace {

const Vec3 kGravity(0, -9.80665, 0);

double in(std::mt19937_64& source, double low, double high) {
  return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11);
}

Body make(const ElasticSetup& setup) {
  auto made = find_elastic_solver("springs")->make(setup);
  REQUIRE(made.ok());
  return Body(std::move(made).value());
}

Body make(const Truss& truss, double h = kStep) { return make(setup_of(truss, h)); }

/// A line of n nodes along x, `length` m in all.
Truss line(std::size_t n, double length, double mass, double stiffness, double damping) {
  Truss truss;
  for (std::size_t i = 0; i < n; ++i) {
    truss.nodes.emplace_back(length * static_cast<double>(i) / static_cast<double>(n - 1), 0, 0);
    truss.masses.push_back(mass / static_cast<double>(n));
    const auto b = static_cast<std::uint32_t>(i);
    if (i > 0) truss.springs.push_back({b - 1, b, stiffness, damping});
  }
  return truss;
}

}  // namespace

TEST_CASE("One spring swings with the period of its closed form, and as its own recurrence says", "[springs]") {
  const double k = 40, ma = 0.1, mb = 0.3, h = 1.0 / 240;
  Body b = make(two_nodes(1, ma, mb, k, 0), h);
  b.start(Vec3::Zero(), Vec3::Zero());
  std::vector<Vec3> u = {Vec3(-0.03, 0, 0), Vec3(0.01, 0, 0)};
  b.solver->displace(b.state, u);
  const double reduced = ma * mb / (ma + mb), w = std::sqrt(k / reduced);
  const double per_step = 2 * std::atan(0.5 * h * w);  // the midpoint rule turns by this
  double own = 0, off = 0;
  for (int n = 1; n <= 1000; ++n) {
    REQUIRE(b.step());
    const auto x = b.positions();
    own = std::max(own, std::abs((x[1] - x[0]).x() - 1 - 0.04 * std::cos(n * per_step)));
    off = std::max(off, std::abs((x[1] - x[0]).x() - 1 - 0.04 * std::cos(n * h * w)));
  }
  CHECK(own < 1e-12);  // 8e-16
  CHECK(off < 0.04 * 1000 * std::pow(h * w, 3) / 12 * 1.1);
}

TEST_CASE("A damped spring loses what its damping says", "[springs]") {
  const double k = 40, c = 0.2, m = 0.1, h = 1.0 / 2000;
  Truss truss = two_nodes(1, m, m, k, c);
  ElasticSetup setup = setup_of(truss, h);
  Body b = make(setup);
  b.start(Vec3::Zero(), Vec3::Zero());
  std::vector<Vec3> u = {Vec3(-0.02, 0, 0), Vec3(0.02, 0, 0)};
  b.solver->displace(b.state, u);
  const double rate = c / m, swing = std::sqrt(2 * k / m - rate * rate);  // of l − L: ẍ + 2 (c/m) ẋ + 2 (k/m) x = 0
  double off = 0;
  for (int n = 1; n <= 4000; ++n) {
    REQUIRE(b.step());
    const double t = n * h, x = (b.positions()[1] - b.positions()[0]).norm() - 1;
    off = std::max(
        off, std::abs(x - 0.04 * std::exp(-rate * t) * (std::cos(swing * t) + rate / swing * std::sin(swing * t))));
  }
  CHECK(off < 0.04 * 0.01);  // the floor of the damping and the order of the step
}

TEST_CASE("A spring that turns is as long as its spin says", "[springs]") {
  // Two nodes that turn at ω about their middle: m ω² l / 2 = k (l − L).
  const double k = 4e4, m = 0.1, h = 1.0 / 240;
  for (const double spin : {1.0, 20.0, 100.0}) {
    Body b = make(two_nodes(1, m, m, k, 0), h);
    b.start(Vec3::Zero(), Vec3(0, 0, spin));
    const double l = 1 / (1 - m * spin * spin / (2 * k));
    std::vector<Vec3> u = {Vec3(-0.5 * (l - 1), 0, 0), Vec3(0.5 * (l - 1), 0, 0)};
    b.solver->displace(b.state, u);
    const double add = 0.5 * spin * (l - 1) * m;
    const NodeImpulse more[] = {{0, Vec3(0, -add, 0)}, {1, Vec3(0, add, 0)}};
    b.solver->apply_impulses(b.state, more);
    double off = 0;
    for (int n = 0; n < 2000; ++n) {
      REQUIRE(b.step());
      off = std::max(off, std::abs((b.positions()[1] - b.positions()[0]).norm() / l - 1));
    }
    CAPTURE(spin, l);
    CHECK(off < std::pow(h * spin, 2) * (l - 1) + 1e-9);
  }
}

TEST_CASE("Energy and momenta of free springs change by nothing, however they bend and turn", "[springs]") {
  for (const double k : {1.0, 1e2, 1e4, 1e6})
    for (const double kick : {0.02, 0.2})
      for (const double spin : {0.0, 8.0}) {
        Truss truss = lattice(3, 0.5, 0.1, k, 0);
        Body b = make(truss);
        b.start(Vec3(0.3, 0, 0), spin * Vec3(0.6, 0.7, 0.4).normalized());
        b.solver->apply_impulses(b.state, kicks(27, kick));
        const double start = b.energy();
        const Momenta before = momenta(b, truss.masses);
        double off = 0;
        int most = 0;
        for (int n = 0; n < test::rounds(1000, 200); ++n) {
          REQUIRE(b.step());
          off = std::max(off, std::abs(b.energy() / start - 1));
          most = std::max(most, b.workspace.passes);
        }
        const Momenta after = momenta(b, truss.masses);
        CAPTURE(k, kick, spin);
        CHECK(off < 1e-10);                                                             // 5e-12
        CHECK((after.linear - before.linear).norm() < 1e-13 * before.scale);            // 1e-15
        CHECK((after.angular - before.angular).norm() < 1e-12 * before.angular_scale);  // 9e-15
        CHECK(most <= 20);                                                              // 8
      }
}

TEST_CASE("A whip of springs keeps energy and momenta", "[springs]") {
  for (const double k : {1e2, 1e4, 1e6}) {
    Truss truss = line(30, 2, 0.3, k, 0);
    Body b = make(truss);
    b.start(Vec3::Zero(), Vec3(0, 0, 3));
    b.solver->apply_impulses(b.state, kicks(30, 0.003));
    const double start = b.energy();
    const Momenta before = momenta(b, truss.masses);
    double off = 0;
    int most = 0;
    for (int n = 0; n < test::rounds(1000, 200); ++n) {
      REQUIRE(b.step());
      off = std::max(off, b.energy() / start - 1);
      most = std::max(most, b.workspace.passes);
    }
    const Momenta after = momenta(b, truss.masses);
    CAPTURE(k, most, b.energy() / start);
    CHECK(off < 1e-10);
    CHECK((after.linear - before.linear).norm() < 1e-12 * before.scale);
    CHECK((after.angular - before.angular).norm() < 1e-11 * before.angular_scale);
  }
}

TEST_CASE("What is squashed flat stays flat: springs pull within the plane that they are in", "[springs]") {
  const Truss truss = lattice(3, 0.5, 0.1, 10, 0.02);
  Body b = make(truss);
  b.start(Vec3::Zero(), Vec3::Zero());
  std::vector<Vec3> u;
  for (const Vec3& x : truss.nodes) u.emplace_back(0.31 * x.y(), -x.y(), 0.17 * x.y());
  b.solver->displace(b.state, u);
  const double start = b.energy();
  double before = start, gain = 0;
  for (int n = 0; n < 24; ++n) {
    REQUIRE(b.step());
    gain = std::max(gain, b.energy() - before);
    before = b.energy();
  }
  CHECK(gain < 1e-10 * start);
  double out = 0;
  for (const Vec3& x : b.positions()) out = std::max(out, std::abs(x.y()));
  CHECK(out < 1e-9);  // round-off finds a way out later, and at once where two ends of a spring lie at one place
  CHECK(b.energy() > 0.1 * start);
}

TEST_CASE("Springs turned inside out or torn anywhere gain nothing", "[springs]") {
  for (const double k : {1e2, 1e4, 1e6})
    for (const int way : {0, 1, 2}) {
      const Truss truss = lattice(3, 0.5, 0.1, k, 1e-3 * k);
      Body b = make(truss);
      b.start(Vec3::Zero(), Vec3(0, 1, 0));
      std::vector<Vec3> u(27);
      std::mt19937_64 source(5);
      for (std::size_t i = 0; i < 27; ++i) {
        const Vec3& x = truss.nodes[i];
        if (way == 0) u[i] = Vec3(0, -2 * (x.y() - 0.5), 0);
        if (way == 1) {
          for (int axis = 0; axis < 3; ++axis) u[i][axis] = in(source, -1.5, 1.5);
        }
        if (way == 2 && i == 26) u[i] = Vec3(-2, -2, -2);
      }
      b.solver->displace(b.state, u);
      const double start = b.energy();
      double before = start, gain = 0;
      for (int n = 0; n < test::rounds(1200, 200); ++n) {
        REQUIRE(b.step());
        gain = std::max(gain, b.energy() - before);
        before = b.energy();
      }
      CAPTURE(k, way);
      CHECK(gain < 1e-10 * start);
    }
}

TEST_CASE("Springs: masses 1 : 100, stiffness over eight decades, one to sixteen sub-steps", "[springs][slow]") {
  for (const double k : {1.0, 1e2, 1e4, 1e6, 1e8})
    for (const int substeps : {1, 2, 4, 16}) {
      Truss truss = lattice(3, 0.5, 0.1, k, 1e-3 * k);
      std::mt19937_64 source(11);
      for (double& m : truss.masses) m = 0.1 * std::pow(10, in(source, -1, 1));
      Body b = make(truss, 1.0 / (60 * substeps));
      b.start(Vec3::Zero(), Vec3(1, 3, -2));
      std::vector<NodeImpulse> all = kicks(27, 1);
      for (NodeImpulse& j : all) j.impulse *= 0.5 * truss.masses[j.node];
      b.solver->apply_impulses(b.state, all);
      const double start = b.energy();
      double before = start, gain = 0;
      for (int n = 0; n < 60 * substeps; ++n) {
        REQUIRE(b.step());
        gain = std::max(gain, b.energy() - before);
        before = b.energy();
      }
      CAPTURE(k, substeps);
      CHECK(gain < 1e-10 * start);
    }
}

TEST_CASE("A state of springs that is restored goes on with the same bits", "[springs]") {
  Truss truss = line(40, 2, 0.3, 1e4, 1);
  truss.pinned = {0};
  Body a = make(truss);
  a.start(Vec3::Zero(), Vec3(0, 0, 2));
  for (int n = 0; n < 100; ++n) REQUIRE(a.step(kGravity));
  Body b = make(truss);
  b.state = a.state;
  for (int n = 0; n < 100; ++n) {
    REQUIRE(a.step(kGravity));
    REQUIRE(b.step(kGravity));
  }
  CHECK(std::memcmp(a.state.data(), b.state.data(), a.state.size() * sizeof(double)) == 0);
}

TEST_CASE("The matrix of springs is solved with and without its factor", "[springs][matrix]") {
  std::mt19937_64 source(3);
  const std::size_t n = 40;
  std::vector<SpringPattern::Ends> ends;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < i; ++j)
      if (in(source, 0, 1) < 0.15) ends.emplace_back(i, j);
  std::vector<char> held(n, 0);
  held[7] = held[20] = 1;
  std::vector<double> masses(n);
  for (double& m : masses) m = std::pow(10, in(source, -1, 1));
  for (const double most : {1e9, 0.0}) {
    const SpringPattern pattern(n, ends, held, most);
    CHECK(pattern.whole() == (most > 0));
    std::vector<double> memory(pattern.memory(), 1e300);
    SpringMatrix matrix(pattern, masses, memory.data());
    for (std::size_t e = 0; e < ends.size(); ++e) {
      const Vec3 way(in(source, -1, 1), in(source, -1, 1), in(source, -1, 1));
      const double across = in(source, 0, 10), along = std::pow(10, in(source, 0, 6));
      matrix.set(e, way.normalized(), across, along);
    }
    matrix.factor();
    std::vector<double> x(3 * n), seen(3 * n);
    for (std::size_t j = 0; j < 3 * n; ++j) x[j] = held[j / 3] ? 0 : in(source, -1, 1);
    matrix.multiply(x.data(), seen.data());
    matrix.solve(seen.data(), 1e-14);
    double off = 0;
    for (std::size_t j = 0; j < 3 * n; ++j) off = std::max(off, std::abs(seen[j] - x[j]));
    CAPTURE(most);
    CHECK(off < 1e-8);
    if (!pattern.whole()) continue;
    // Blocks of A⁻¹, whatever they are asked with; A of their columns is what was asked for.
    std::vector<std::uint32_t> nodes(n);
    for (std::uint32_t i = 0; i < n; ++i) nodes[i] = (7 * i + 3) % n;
    std::vector<Mat3> blocks(n * n), few(9);
    matrix.inverse_blocks(nodes, blocks);
    matrix.inverse_blocks(std::vector<std::uint32_t>{30, 7, 4}, few);
    off = 0;
    for (std::size_t a = 0; a < n; ++a)
      for (int c = 0; c < 3; ++c) {
        if (held[nodes[a]]) continue;
        for (std::size_t b = 0; b < n; ++b)
          for (int r = 0; r < 3; ++r) x[3 * nodes[b] + r] = blocks[b * n + a](r, c);
        matrix.multiply(x.data(), seen.data());
        seen[3 * nodes[a] + c] -= 1;
        for (const double s : seen) off = std::max(off, std::abs(s));
      }
    CHECK(off < 1e-6);
    const auto place = [&](std::uint32_t node) { return std::find(nodes.begin(), nodes.end(), node) - nodes.begin(); };
    CHECK(few[6] == blocks[place(4) * static_cast<std::ptrdiff_t>(n) + place(30)]);
    CHECK(few[2] == few[6].transpose());
    for (const std::size_t k : {1, 3, 4, 5, 7}) CHECK(few[k].isZero(0));
    // Those that come of the factor alone.
    std::vector<Mat3> near(pattern.blocks());
    matrix.near_inverse(near);
    std::size_t there = 0;
    off = 0;
    double size = 0;
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j <= i; ++j) {
        const std::size_t k = pattern.block_of(i, j);
        CHECK(k == pattern.block_of(j, i));
        if (k == pattern.blocks()) continue;
        ++there;
        const Mat3& block = blocks[place(i) * static_cast<std::ptrdiff_t>(n) + place(j)];
        off = std::max(off, (near[k] - block).norm());
        size = std::max(size, block.norm());
      }
    CHECK(there == pattern.blocks());
    CHECK(off < 1e-12 * size);
    std::copy(x.begin(), x.end(), seen.begin());
    std::vector<double> by_factor = x;
    matrix.solve(seen.data(), 1e-14);
    matrix.solve_by_factor(by_factor.data());
    for (std::size_t j = 0; j < 3 * n; ++j) CHECK(by_factor[j] == Approx(seen[j]).margin(1e-9));
  }
}

TEST_CASE("Kernels of the matrix of springs give the same bits whatever the processor", "[springs][matrix]") {
  const spring_kernel::Kernels* sets[2];
  const int count = spring_kernel::kernel_sets(sets);
  std::mt19937_64 source(4);
  const std::uint32_t n = 30;
  // All nodes joined to all: of each column all below it.
  std::vector<std::uint32_t> start = {0}, row, before = {0}, at, end, target;
  const auto slot = [&](std::uint32_t i, std::uint32_t j) { return start[j] + i - j - 1; };
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::uint32_t i = j + 1; i < n; ++i) row.push_back(i);
    start.push_back(static_cast<std::uint32_t>(row.size()));
  }
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::uint32_t b = 0; b < j; ++b) {
      at.push_back(slot(j, b));
      end.push_back(start[b + 1]);
      for (std::uint32_t i = j + 1; i < n; ++i) target.push_back(slot(i, j));
    }
    before.push_back(static_cast<std::uint32_t>(at.size()));
  }
  const std::size_t lanes = spring_kernel::kLanes;
  std::vector<double> diagonal(12 * n), below(12 * row.size()), x(4 * n), many(3 * lanes * n), masses(n, 1.0);
  for (double& d : below) d = in(source, -0.1, 0.1);
  for (double& d : x) d = in(source, -1, 1);
  for (double& d : many) d = in(source, -1, 1);
  for (std::uint32_t i = 0; i < n; ++i) diagonal[12 * i] = diagonal[12 * i + 5] = diagonal[12 * i + 10] = 10;
  std::vector<std::uint32_t> changes(row.size());
  std::uint32_t next = 0;
  for (std::size_t b = 0; b < at.size(); ++b) {
    changes[at[b]] = next;
    next += end[b] - at[b] - 1;
  }
  std::vector<std::vector<double>> made;
  for (int k = 0; k < count; ++k) {
    auto d = diagonal, b = below, one = x, wide = many;
    const spring_kernel::Factor factor = {n,          start.data(),  row.data(), before.data(), at.data(),
                                          end.data(), target.data(), d.data(),   b.data()};
    sets[k]->eliminate(factor, masses.data());
    sets[k]->solve(factor, one.data());
    sets[k]->columns(factor, 0, wide.data());
    std::vector<double> near(12 * (n + row.size())), work(4 * 12 * n);
    sets[k]->near_inverse(factor, changes.data(), near.data(), near.data() + 12 * n, work.data());
    for (std::size_t i = 0; i < near.size(); ++i)
      if (i % 4 != 3) one.push_back(near[i]);
    one.insert(one.end(), wide.begin(), wide.end());
    for (std::size_t i = 0; i < d.size(); ++i)
      if (i % 4 != 3) one.push_back(d[i]);
    made.push_back(one);
  }
  for (const auto& other : made) CHECK(std::memcmp(other.data(), made[0].data(), 8 * made[0].size()) == 0);
}

}  // namespace springs_test
