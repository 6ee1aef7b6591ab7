// Springs that break: when, what the parts do then, that momenta stay and energy never rises.
#include <catch2/catch.hpp>
#include <numbers>
#include <random>
#include <thread>

#include "core/math/rotation.h"
#include "core/sim/elastic/brittle.h"
#include "tests/sim/elastic_support.h"

namespace brittle_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;  // not the Body of a compiled model

namespace {

Result<std::unique_ptr<ElasticSolver>> make_solver(const ElasticSetup& of, double breaks, double yield = 0) {
  ElasticSetup setup = of;
  const ElasticSolverInfo& info = *find_elastic_solver("lagrange");
  SolverParameters all;
  set_parameter(all, {"lagrange", "breaks", {}, breaks});
  set_parameter(all, {"lagrange", "yield", {}, yield});
  setup.parameters = read_parameters(info, all).value();
  return info.make(setup);
}

Body make_body(const Truss& truss, double breaks, double h = kStep, double yield = 0) {
  auto made = make_solver(setup_of(truss, h), breaks, yield);
  REQUIRE(made.ok());
  return Body(std::move(made).value());
}

/// A sub-step with what comes at its end.
bool go(Body& b, const std::vector<Vec3>& forces = {}) {
  const bool good = b.solver->step(b.state, forces.empty() ? b.none : forces, Vec3::Zero(), b.workspace);
  b.solver->crack(b.state);
  return good;
}

const Brittle& brittle(const Body& b) { return dynamic_cast<const Brittle&>(*b.solver); }

/// Whether a spring is by more than what its part may keep: none has fallen apart yet.
bool stretched_beyond(const Body& b, const Truss& truss, double breaks) {
  if (b.seen().parts > 1) return false;
  const auto x = b.positions();
  const auto broken = brittle(b).broken(b.state);
  for (std::size_t k = 0; k < broken.size(); ++k) {
    const Spring& s = truss.springs[k];
    const double l = (truss.nodes[s.b] - truss.nodes[s.a]).norm();
    const bool held = std::find(truss.pinned.begin(), truss.pinned.end(), s.a) != truss.pinned.end();
    if (!held && !broken[k] && (x[s.b] - x[s.a]).norm() > (1 + 1.0001 * breaks) * l) return true;
  }
  return false;
}

/// Nodes one length apart on a line.
Truss chain(int nodes, double length, double mass, double stiffness, double damping = 0) {
  Truss truss;
  for (int i = 0; i < nodes; ++i) {
    truss.nodes.emplace_back(length * i, 0, 0);
    truss.masses.push_back(mass);
    if (i > 0)
      truss.springs.push_back({static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(i), stiffness, damping});
  }
  return truss;
}

/// Nodes a × b × c one apart × size, cells with all diagonals.
Truss bar(int a, int b, int c, double size, double mass, double stiffness, double damping) {
  Truss truss;
  for (int k = 0; k < c; ++k)
    for (int j = 0; j < b; ++j)
      for (int i = 0; i < a; ++i) {
        truss.nodes.emplace_back(size * i, size * j, size * k);
        truss.masses.push_back(mass);
      }
  for (std::uint32_t i = 0; i < truss.nodes.size(); ++i)
    for (std::uint32_t j = i + 1; j < truss.nodes.size(); ++j)
      if ((truss.nodes[i] - truss.nodes[j]).cwiseAbs().maxCoeff() < 1.5 * size)
        truss.springs.push_back({i, j, stiffness, damping});
  return truss;
}

/// s, when two masses on a spring that part with `speed` are first a strain apart: of the motion l ω t.
double broken_at(double h, double strain, double speed, double length, double mass, double stiffness) {
  Body b = make_body(two_nodes(length, mass, mass, stiffness, 0), strain, h);
  b.start(Vec3::Zero(), Vec3::Zero());
  b.solver->apply_impulses(
      b.state, std::vector<NodeImpulse>{{0, Vec3(-0.5 * speed * mass, 0, 0)}, {1, Vec3(0.5 * speed * mass, 0, 0)}});
  for (int k = 1; k < 100000; ++k) {
    REQUIRE(go(b));
    if (b.seen().parts == 2) return k * h;
  }
  return 0;
}

}  // namespace

TEST_CASE("Two masses on a spring part when it is stretched to its strain, and fly on", "[elastic][brittle]") {
  const double length = 0.5, mass = 0.2, k = 300, speed = 2, strain = 0.05;
  const double omega = std::sqrt(2 * k / mass);
  const double at = std::asin(strain * length * omega / speed) / omega;
  double before = 1;
  for (const double h : {1.0 / 1000, 1.0 / 4000, 1.0 / 16000, 1.0 / 64000}) {
    const double off = broken_at(h, strain, speed, length, mass, k) - at;
    INFO("h " << h << " off " << off);
    CHECK(off > -1e-3 * h);
    CHECK(off < 1.001 * h);  // the end of the step in which it comes to that
    before = std::min(before, off);
  }
  CHECK(before < 1.0 / 64000);
  // What it holds at most is less: it never breaks.
  const double most = speed / omega / length;
  CHECK(broken_at(1e-4, 0.999 * most, speed, length, mass, k) > 0);
  CHECK(broken_at(1e-3, 1.001 * most, speed, length, mass, k) == 0);
  // Apart they are points: what was lost is the spring's.
  Body b = make_body(two_nodes(length, mass, mass, k, 0), strain, 1e-4);
  b.start(Vec3(1, 0, 0), Vec3::Zero());
  b.solver->apply_impulses(b.state, std::vector<NodeImpulse>{{0, Vec3(-1 * mass, 0, 0)}, {1, Vec3(1 * mass, 0, 0)}});
  const double first = b.energy();
  while (b.seen().parts == 1) REQUIRE(go(b));
  const double stretched = (b.positions()[1] - b.positions()[0]).norm() - length;
  CHECK(brittle(b).lost(b.state) == Approx(0.5 * k * stretched * stretched).epsilon(1e-9));
  CHECK(b.energy() + brittle(b).lost(b.state) == Approx(first).epsilon(1e-12));
  const auto x = b.positions(), u = b.velocities();
  REQUIRE(go(b));
  CHECK((b.positions()[1] - x[1] - 1e-4 * u[1]).norm() < 1e-15);
  CHECK(b.velocities()[1] == u[1]);
}

TEST_CASE("A chain pulled at both ends breaks once, at the force that its springs hold", "[elastic][brittle]") {
  // Slowly: k l strain = 200 · 0.1 · 0.03 = 0.6 N.
  for (const double force : {0.59, 0.61}) {
    Body b = make_body(chain(8, 0.1, 0.01, 200, 2), 0.03);
    b.start(Vec3::Zero(), Vec3::Zero());
    std::vector<Vec3> forces(8, Vec3::Zero());
    const int slowly = 4800;
    for (int k = 0; k < slowly + 500 && b.seen().parts == 1; ++k) {
      const double now = force * std::min(1.0, static_cast<double>(k) / slowly);
      forces[0] = Vec3(-now, 0, 0);
      forces[7] = Vec3(now, 0, 0);
      REQUIRE(go(b, forces));
    }
    CHECK(b.seen().parts == (force < 0.6 ? 1 : 2));
    if (force < 0.6) continue;
    CHECK(brittle(b).parts(b.state)->broken == 1);
    // Let go, both hold: no spring breaks after.
    for (int k = 0; k < 2000; ++k) REQUIRE(go(b));
    CHECK(b.seen().parts == 2);
  }
}

TEST_CASE("A bar that is torn keeps momentum and angular momentum, and loses what its springs held",
          "[elastic][brittle]") {
  double worst_linear = 0, worst_angular = 0, worst_gain = -1e300;
  int most = 1;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 source(seed);
    const auto in = [&](double low, double high) {
      return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11);
    };
    Truss truss = bar(6, 3, 2, 0.1, 0.02, std::pow(10, in(2, 5)), seed % 3 == 0 ? in(0, 1) : 0);
    for (double& m : truss.masses) m *= in(0.5, 2);
    const double h = 1.0 / (240 << seed % 3);
    if (seed % 4 == 1) truss.pinned = {0};
    const double breaks = std::pow(10, in(-2.5, -1));
    Body b = make_body(truss, breaks, h, seed % 5 == 0 ? 0.01 : 0);
    const double a = in(-6, 6), c = in(-6, 6), d = in(-6, 6);
    b.start(Vec3(a, c, d), Vec3(c, d, a));
    b.solver->apply_impulses(b.state, kicks(truss.nodes.size(), 0.02 * in(0.1, 4)));
    const bool free = truss.pinned.empty();
    const double first = b.energy();
    double before = first, lost = 0;
    for (int k = 0; k < 240; ++k) {
      const Momenta start = momenta(b, truss.masses);
      INFO("seed " << seed << " step " << k << " parts " << b.seen().parts);
      REQUIRE(b.step());
      const bool beyond = seed % 5 != 0 && stretched_beyond(b, truss, breaks);  // of those that keep nothing
      CHECK(b.solver->crack(b.state) >= beyond);                                // it is never refused
      const Momenta end = momenta(b, truss.masses);
      if (free) {
        worst_linear = std::max(worst_linear, (end.linear - start.linear).norm() / start.scale);
        worst_angular = std::max(worst_angular, (end.angular - start.angular).norm() / start.angular_scale);
      }
      const double now_lost = brittle(b).lost(b.state);
      CHECK(now_lost >= lost);
      CHECK(b.energy() <= before + 1e-11 * first);
      worst_gain = std::max(worst_gain, (b.energy() + now_lost - before - lost) / first);
      before = b.energy();
      lost = now_lost;
    }
    most = std::max(most, b.seen().parts);
  }
  INFO("momentum " << worst_linear << " angular " << worst_angular << " gain " << worst_gain << " parts " << most);
  CHECK(worst_linear < 1e-13);
  CHECK(worst_angular < 1e-12);
  CHECK(worst_gain < 1e-11);
  CHECK(most > 4);
}

TEST_CASE("Same bits from a saved state, whoever made the parts, in how many threads", "[elastic][brittle]") {
  const Truss truss = bar(5, 3, 3, 0.1, 0.02, 2000, 0.3);
  const auto started = [&](Body& b) {
    b.start(Vec3::Zero(), Vec3(3, 9, 20));
    b.solver->apply_impulses(b.state, kicks(truss.nodes.size(), 0.05));
  };
  std::vector<std::vector<double>> states;
  Body b = make_body(truss, 0.01);
  started(b);
  for (int k = 0; k < 120; ++k) {
    states.push_back(b.state);
    REQUIRE(go(b));
  }
  REQUIRE(b.seen().parts > 1);
  // From any of them, backwards, with a solver that has made nothing yet and one that has made all.
  Body fresh = make_body(truss, 0.01);
  for (std::size_t k = states.size() - 1; k > 0; --k)
    for (Body* from : {&fresh, &b}) {
      from->state = states[k - 1];
      REQUIRE(go(*from));
      CHECK(from->state == states[k]);
    }
  // Several at the same time, of one solver.
  Body shared = make_body(truss, 0.01);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      ElasticWorkspace workspace;
      const std::vector<Vec3> none(truss.nodes.size(), Vec3::Zero());
      for (std::size_t k = t; k + 1 < states.size(); k += 2) {
        std::vector<double> state = states[k];
        const bool good = shared.solver->step(state, none, Vec3::Zero(), workspace);
        shared.solver->crack(state);
        wrong[t] += !good || state != states[k + 1];
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("A step made again and calmed after is the step", "[elastic][brittle]") {
  const Truss truss = bar(5, 2, 2, 0.1, 0.02, 2000, 0.3);
  Body plain = make_body(truss, 0.01), again = make_body(truss, 0.01);
  for (Body* b : {&plain, &again}) {
    b->start(Vec3::Zero(), Vec3(3, 9, 20));
    b->solver->apply_impulses(b->state, kicks(truss.nodes.size(), 0.05));
  }
  std::vector<double> found;
  for (int k = 0; k < 120; ++k) {
    REQUIRE(plain.step());
    found.clear();
    again.workspace.found = &found;
    const std::vector<double> before = again.state;
    for (int pass = 0; pass < 3; ++pass) {
      again.state = before;
      REQUIRE(again.step());
      CHECK(brittle(again).parts(again.state)->broken == brittle(again).parts(before)->broken);
    }
    again.solver->calm(again.state, again.workspace);
    double off = 0;
    for (std::size_t j = 0; j < before.size(); ++j) off = std::max(off, std::abs(again.state[j] - plain.state[j]));
    CHECK(off < 1e-9);
    CHECK(brittle(plain).parts(plain.state)->broken == brittle(plain).parts(before)->broken);
    plain.solver->crack(plain.state);
    again.state = plain.state;
  }
  CHECK(plain.seen().parts > 1);
}

TEST_CASE("A push on one part moves no other", "[elastic][brittle]") {
  const Truss truss = bar(6, 2, 2, 0.1, 0.02, 2000, 0.3);
  Body b = make_body(truss, 0.01);
  b.start(Vec3::Zero(), Vec3(0, 2, 3));
  std::vector<NodeImpulse> apart;
  for (std::uint32_t i = 0; i < truss.nodes.size(); ++i)
    apart.push_back({i, Vec3(truss.nodes[i].x() > 0.25 ? 0.03 : -0.03, 0, 0)});
  b.solver->apply_impulses(b.state, apart);
  for (int k = 0; k < 60; ++k) REQUIRE(go(b));
  const auto parts = brittle(b).parts(b.state);
  REQUIRE(parts->count > 1);
  const std::size_t n = truss.nodes.size();
  std::vector<std::uint32_t> all(n);
  for (std::uint32_t i = 0; i < n; ++i) all[i] = i;
  std::vector<Mat3> blocks(n * n);
  const Mat3 attitude = exp_rotation(Vec3(0.3, -0.2, 0.9)).toRotationMatrix();
  brittle(b).inverse_blocks(*parts, b.positions(), attitude, all, blocks, b.workspace);
  std::vector<Vec3> answer(n);
  double off = 0, size = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Vec3 impulse(0.3, -1, 0.7);
    b.solver->respond(b.state, std::vector<NodeImpulse>{{i, impulse}}, answer);
    Vec3 sum = Vec3::Zero();
    for (std::uint32_t j = 0; j < n; ++j) {
      CHECK(blocks[i * n + j] == blocks[j * n + i].transpose());
      off = std::max(off, (answer[j] - attitude * blocks[j * n + i] * attitude.transpose() * impulse).norm());
      size = std::max(size, answer[j].norm());
      if (parts->of_node[i] != parts->of_node[j]) CHECK(answer[j] == Vec3::Zero());
      sum += truss.masses[j] * answer[j];
    }
    CHECK((sum - impulse).norm() < 1e-12);
  }
  CHECK(off < 1e-10 * size);
}

TEST_CASE("What hangs on an edge or a node alone comes off", "[elastic][brittle]") {
  const Truss truss = lattice(3, 1, 1, 100, 0);
  const Cohesion whole(truss.nodes, truss.springs);
  CHECK(whole.braced());
  std::vector<char> broken(truss.springs.size(), 0);
  CHECK(whole.parts(broken) == std::vector<std::uint32_t>(27, 0));
  // All springs from the corner but two.
  int left = 2;
  for (std::size_t k = 0; k < broken.size(); ++k)
    if (truss.springs[k].a == 0 && left-- <= 0) broken[k] = 1;
  auto parts = whole.parts(broken);
  CHECK(parts[0] == 0);
  CHECK(std::count(parts.begin(), parts.end(), 0u) == 1);
  CHECK(*std::max_element(parts.begin(), parts.end()) == 1);
  for (std::size_t k = 0; k < broken.size(); ++k) CHECK((broken[k] != 0) == (truss.springs[k].a == 0));
  // Two blocks that have an edge in common.
  Truss two = lattice(2, 1, 1, 100, 0);
  const Truss other = lattice(2, 1, 1, 100, 0);
  std::vector<std::uint32_t> number;
  for (const Vec3& x : other.nodes) {
    const Vec3 at = x + Vec3(1, 1, 0);
    const auto known = std::find(two.nodes.begin(), two.nodes.end(), at);
    number.push_back(static_cast<std::uint32_t>(known - two.nodes.begin()));
    if (known == two.nodes.end()) two.nodes.push_back(at);
  }
  for (Spring s : other.springs) {
    s.a = number[s.a];
    s.b = number[s.b];
    two.springs.push_back(s);
  }
  const Cohesion hinge(two.nodes, two.springs);
  CHECK(!hinge.braced());  // it was made so: it stays one
  std::vector<char> none(two.springs.size(), 0);
  CHECK(hinge.parts(none) == std::vector<std::uint32_t>(two.nodes.size(), 0));
}

TEST_CASE("A body that breaks is refused where it cannot be stepped", "[elastic][brittle]") {
  ElasticSetup setup = setup_of(lattice(2, 0.3, 0.1, 500, 0));
  const ElasticSolverInfo& info = *find_elastic_solver("lagrange");
  for (const auto& [name, word] : {std::pair("method", "fixed point"), {"beta", "1/6"}}) {
    SolverParameters all;
    set_parameter(all, {"lagrange", "breaks", {}, 0.1});
    set_parameter(all, {"lagrange", name, word});
    setup.parameters = read_parameters(info, all).value();
    const auto made = info.make(setup);
    REQUIRE(!made.ok());
    CHECK(made.error().path == std::string("body.parameters.lagrange.") + name);
  }
}

}  // namespace brittle_test
