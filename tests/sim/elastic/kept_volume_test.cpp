// Bodies that keep their volume: what holds after each step, of random trusses under random pushes, with sizes that change, free and
// pinned; against finite differences; and against the thesis's optimisation.
#include <catch2/catch.hpp>
#include <random>

#include "core/math/rotation.h"
#include "core/sim/elastic/kept_volume.h"
#include "core/sim/elastic/volume_search.h"
#include "tests/sim/elastic_support.h"
#include "tests/support/sanitized.h"

namespace kept_volume_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;  // not the Body of a compiled model

namespace {

struct Random {
  std::mt19937_64 source;
  double in(double low, double high) { return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11); }
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(in(0, count)); }
  Vec3 vector(double size) {
    const double z = in(-1, 1), y = in(-1, 1), x = in(-1, 1);
    return size * Vec3(x, y, z);
  }
};

double decade(Random& random, double low, double high) { return std::pow(10, random.in(low, high)); }

/// Tetrahedra set on faces of one another, 5 to 16 nodes, masses to 1 : 30, and the surface around all of them.
Truss random_truss(Random& random, double stiffness, double damping) {
  Truss truss;
  truss.nodes = {Vec3(0, 0, 0), Vec3(0.2, 0, 0), Vec3(0.05, 0.18, 0), Vec3(0.08, 0.06, 0.2)};
  truss.tetrahedra = {{0, 1, 2, 3}};
  truss.hull = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  const auto join = [&](std::uint32_t a, std::uint32_t b) { truss.springs.push_back({a, b, stiffness, damping}); };
  for (std::uint32_t a = 0; a < 4; ++a)
    for (std::uint32_t b = a + 1; b < 4; ++b) join(a, b);
  const std::uint32_t count = 5 + random.below(12);
  while (truss.nodes.size() < count) {
    const std::size_t f = random.below(static_cast<std::uint32_t>(truss.hull.size()));
    const auto [a, b, c] = truss.hull[f];
    const Vec3 &x = truss.nodes[a], &y = truss.nodes[b], &z = truss.nodes[c];
    const Vec3 normal = (y - x).cross(z - x).normalized();
    const auto top = static_cast<std::uint32_t>(truss.nodes.size());
    const double far = random.in(0.1, 0.2);
    truss.nodes.push_back((x + y + z) / 3 + far * normal + random.vector(0.02));
    for (const std::uint32_t from : {a, b, c}) join(from, top);
    truss.tetrahedra.push_back({a, b, c, top});
    truss.hull[f] = {a, b, top};
    truss.hull.push_back({b, c, top});
    truss.hull.push_back({c, a, top});
  }
  for (std::size_t i = 0; i < truss.nodes.size(); ++i) truss.masses.push_back(std::pow(30, random.in(0, 1)) * 0.02);
  return truss;
}

std::unique_ptr<KeptVolume> keep(const Truss& truss, double h, const VolumeSettings& volume = {VolumeOf::surface}) {
  const ElasticSetup setup = setup_of(truss, h);
  auto solver = find_elastic_solver("lagrange")->make(setup);
  REQUIRE(solver.ok());
  auto made = KeptVolume::make(std::move(solver).value(), setup, volume);
  INFO((made.ok() ? std::string() : to_string(made.error())));
  REQUIRE(made.ok());
  return std::move(made).value();
}

struct Case {
  double stiffness = 1e4, damping = 0, spin = 0, push = 0, step = 1.0 / 240, swell = 0;
  int pins = 0;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << "k " << c.stiffness << " c " << c.damping << " spin " << c.spin << " push " << c.push << " h 1/"
             << 1 / c.step << " swell " << c.swell << " pins " << c.pins;
}

struct Worst {
  double volume = 0, energy = 0, momentum = 0, angular = 0, work = 0;  // of their own sizes
  int passes = 0, steps = 0;
  long all_passes = 0;
  void add(const Worst& o) {
    volume = std::max(volume, o.volume);
    energy = std::max(energy, o.energy);
    momentum = std::max(momentum, o.momentum);
    angular = std::max(angular, o.angular);
    work = std::max(work, o.work);
    passes = std::max(passes, o.passes);
    all_passes += o.all_passes;
    steps += o.steps;
  }
};

std::ostream& operator<<(std::ostream& out, const Worst& w) {
  return out << "volume " << w.volume << " energy " << w.energy << " momentum " << w.momentum << " angular "
             << w.angular << " work " << w.work << " passes "
             << static_cast<double>(w.all_passes) / std::max(1, w.steps) << ", at most " << w.passes << ", steps "
             << w.steps;
}

/// 120 steps under forces, with a size that swings by `swell` with some period.
Worst measure(const Case& c, std::uint64_t seed) {
  Random random{std::mt19937_64(seed)};
  Truss truss = random_truss(random, c.stiffness, c.damping);
  for (int k = 0; k < c.pins; ++k) truss.pinned.push_back(static_cast<std::uint32_t>(k));
  const std::size_t n = truss.nodes.size();
  auto kept = keep(truss, c.step);
  const KeptVolume& volume = *kept;
  Body b(std::move(kept));
  const Quat turned = exp_rotation(random.vector(2));
  const Vec3 position = random.vector(1), spin = random.vector(c.spin), velocity = random.vector(3);
  b.start(velocity, spin, {position, turned});
  const Vec3 gravity = random.in(0, 1) < 0.5 ? Vec3(Vec3::Zero()) : Vec3(0, -9.8, 1);
  const double rate = 2 * kPi * random.in(0.5, 2);
  const Vec3 about = truss.pinned.empty() ? random.vector(2) : b.positions()[truss.pinned[0]];
  Worst worst;
  for (int step = 0; step < 120; ++step) {
    std::vector<Vec3> f(n, Vec3::Zero());
    if (step % 3 != 2)
      for (std::size_t i = 0; i < n; ++i) f[i] = truss.masses[i] * random.vector(c.push);
    const auto x0 = b.positions(), u0 = b.velocities();
    const double e0 = b.energy();
    volume.tell(b.state, 1 + c.swell * std::sin(rate * (step + 1) * c.step));
    REQUIRE(b.solver->step(b.state, f, gravity, b.workspace));
    const auto x1 = b.positions(), u1 = b.velocities();
    const double e1 = b.energy();
    const KeptVolumeReading reading = volume.reading(b.state);
    double work = 0, size = e0 + e1, momentum_size = 0, angular_size = 0, unsure = 0;
    Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero();
    for (std::size_t i = 0; i < n; ++i) {
      const double m = truss.masses[i];
      const Vec3 force = f[i] + m * gravity, way = x1[i] - x0[i], arm = 0.5 * (x0[i] + x1[i]) - about;
      work += force.dot(way);
      size += std::abs(force.dot(way));
      unsure += 1e-15 * force.norm();
      momentum += m * (u1[i] - u0[i]) - c.step * force;
      angular += m * ((x1[i] - about).cross(u1[i]) - (x0[i] - about).cross(u0[i])) - c.step * arm.cross(force);
      momentum_size += m * (u0[i].norm() + u1[i].norm()) + c.step * force.norm();
      angular_size += (m * (u0[i].norm() + u1[i].norm()) + c.step * force.norm()) * arm.norm();
    }
    Worst now;
    now.volume = std::abs(reading.volume / reading.wanted - 1);
    if (c.damping == 0) now.energy = std::max(0.0, std::abs(e1 - e0 - work - reading.work) - unsure) / size;
    if (c.damping > 0) now.energy = std::max(0.0, e1 - e0 - work - reading.work - unsure) / size;
    now.work = std::abs(reading.work) / size;
    if (c.pins == 0) now.momentum = momentum.norm() / momentum_size;
    if (c.pins < 2) now.angular = angular.norm() / angular_size;
    now.all_passes = now.passes = b.workspace.passes;
    now.steps = 1;
    worst.add(now);
  }
  return worst;
}

}  // namespace

TEST_CASE("200 random trusses keep their volume in each step, their momenta, and their energy but for what is told",
          "[elastic][volume]") {
  Worst all;
  const auto count = static_cast<std::uint64_t>(test::rounds(200, 30));
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    Random random{std::mt19937_64(seed + 1000)};
    Case c;
    c.stiffness = decade(random, 2, 7);
    c.damping = seed % 3 == 0 ? decade(random, -5, -2) * c.stiffness : 0;
    c.spin = seed % 4 == 0 ? 0 : random.in(0, 10);
    c.push = random.in(0, 30);
    c.step = 1.0 / (60 << random.below(4));
    // Springs that are strained by more than the step can follow: the next test.
    c.swell = seed % 2 == 0 ? 0 : random.in(0, std::min(0.5, 0.02 / (c.step * c.step * c.stiffness)));
    c.pins = std::max(0, static_cast<int>(seed % 6) - 2);
    const Worst w = measure(c, seed);
    INFO("seed " << seed << ": " << c << ": " << w);
    CHECK(w.volume < 1e-10);
    CHECK(w.energy < 1e-9);
    CHECK(w.momentum < 1e-12);
    CHECK(w.angular < 1e-9);
    all.add(w);
  }
  WARN("200 trusses: " << all);
}

void swell(std::uint64_t from, std::uint64_t to) {
  Worst all;
  for (std::uint64_t seed = from; seed < to; ++seed) {
    Random random{std::mt19937_64(seed + 2000)};
    Case c;
    c.stiffness = decade(random, 2, 8);
    c.damping = seed % 3 == 0 ? decade(random, -5, -2) * c.stiffness : 0;
    c.spin = random.in(0, 30);
    c.push = decade(random, 0, 4);
    c.step = 1.0 / (60 << random.below(4));
    c.swell = random.in(0, 0.8);
    c.pins = std::max(0, static_cast<int>(seed % 6) - 2);
    const Worst w = measure(c, seed);
    INFO("seed " << seed << ": " << c << ": " << w);
    CHECK(w.volume < 1e-6);
    CHECK(w.energy < 1e-8);
    CHECK(w.momentum < 1e-12);
    all.add(w);
  }
  WARN(to - from << " trusses: " << all);
}

TEST_CASE("Trusses that swell beyond all that their springs can follow keep their volume all the same",
          "[elastic][volume][slow]") {
  swell(0, 50);
}

TEST_CASE("200 trusses that swell beyond all that their springs can follow", "[.long]") { swell(50, 250); }

TEST_CASE("How a body that keeps its volume answers to a push is what its step shows", "[elastic][volume]") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random{std::mt19937_64(seed + 3000)};
    Truss truss = random_truss(random, decade(random, 2, 6), 0);
    if (seed % 3 == 1) truss.pinned = {2};
    Body b(keep(truss, kStep));
    b.start(Vec3::Zero(), Vec3::Zero());
    const std::size_t n = truss.nodes.size();
    const auto begin = b.state;
    const auto node = random.below(static_cast<std::uint32_t>(n));
    const Vec3 push = 1e-5 * random.vector(1);  // N s
    std::vector<Vec3> forces(n, Vec3::Zero()), dv(n);
    forces[node] = push / kStep;
    REQUIRE(b.step(forces));
    const auto x = b.positions();
    const NodeImpulse impulse[] = {{node, push}};
    b.solver->respond(begin, impulse, dv);
    double size = 0;
    for (const Vec3& v : dv) size = std::max(size, v.norm());
    std::vector<Vec3> start(n);
    b.solver->positions(begin, start);
    for (std::size_t i = 0; i < n; ++i) CHECK((2 / kStep * (x[i] - start[i]) - dv[i]).norm() < 1e-4 * size + 1e-12);

    // The same by blocks, as rows of contacts ask for it.
    const auto& kept = dynamic_cast<const KeptVolume&>(*b.solver);
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t i = 0; i < n; ++i) nodes.push_back(i);
    std::vector<Mat3> blocks(n * n);
    kept.inverse_blocks(nodes, blocks, b.workspace);
    kept.project(truss.nodes, nodes, blocks);
    for (std::uint32_t i = 0; i < n; ++i) {
      CHECK((blocks[i * n + node] * push - dv[i]).norm() < 1e-12 * size);
      for (std::uint32_t k = 0; k < n; ++k) CHECK(blocks[i * n + k] == blocks[k * n + i].transpose());
    }
    // What would change the volume alone is answered by nothing.
    std::vector<Vec3> g(n), none(n);
    kept.surface().gradient(truss.nodes, g);
    std::vector<NodeImpulse> along;
    for (std::uint32_t i = 0; i < n; ++i) along.push_back({i, g[i]});
    for (const std::uint32_t pin : truss.pinned) along[pin].impulse.setZero();
    kept.respond(begin, along, none);
    kept.inner().respond(std::span<const double>(begin).first(kept.inner().state_size()), along, dv);
    for (std::size_t i = 0; i < n; ++i) CHECK(none[i].norm() < 1e-10 * dv[i].norm() + 1e-12);
  }
}

TEST_CASE("A step that is made again from what it found comes to the same; a state alone says all",
          "[elastic][volume]") {
  Random random{std::mt19937_64(7)};
  const Truss truss = random_truss(random, 1e4, 3);
  Body b(keep(truss, kStep));
  b.start(Vec3(1, 0, 0), Vec3(0, 3, 1));
  const auto& kept = dynamic_cast<const KeptVolume&>(*b.solver);
  std::vector<Vec3> forces(truss.nodes.size(), Vec3::Zero());
  for (int k = 0; k < 30; ++k) {
    for (std::size_t i = 0; i < forces.size(); ++i) forces[i] = truss.masses[i] * random.vector(20);
    kept.tell(b.state, 1 + 0.01 * k);
    const auto begin = b.state;
    REQUIRE(b.step(forces));
    auto alone = begin;
    ElasticWorkspace fresh;
    REQUIRE(b.solver->step(alone, forces, Vec3::Zero(), fresh));
    CHECK(alone == b.state);
    std::vector<double> found;
    fresh.found = &found;
    for (int again = 0; again < 2; ++again) {
      alone = begin;
      REQUIRE(b.solver->step(alone, forces, Vec3::Zero(), fresh));
    }
    b.solver->calm(alone, fresh);
    for (std::size_t j = 0; j < alone.size() - 4; ++j) CHECK(alone[j] == Approx(b.state[j]).margin(1e-9));
  }
}

TEST_CASE("A body that begins with another volume, is moved, or laid down has the volume that it was told",
          "[elastic][volume]") {
  const Truss ball = [] {
    Truss truss = lattice(3, 0.2, 0.05, 500, 0.2);
    return truss;
  }();
  for (const double size : {0.3, 1.0, 1.7, 4.0}) {
    VolumeSettings settings{VolumeOf::surface, size};
    Body b(keep(ball, kStep, settings));
    b.start(Vec3(1, 2, 3), Vec3(0, 1, 0), {Vec3(2, 0, 0), Quat::Identity()});
    const auto& kept = dynamic_cast<const KeptVolume&>(*b.solver);
    CHECK(kept.reading(b.state).volume == Approx(size * 0.064).epsilon(1e-10));
    const auto before = b.seen();
    CHECK((before.momentum - before.mass * Vec3(1, 2, 3)).norm() < 1e-12);
    std::vector<Vec3> shift(ball.nodes.size(), Vec3::Zero());
    shift[4] = Vec3(0, -0.05, 0.02);
    b.solver->displace(b.state, shift);
    CHECK(kept.reading(b.state).volume == Approx(size * 0.064).epsilon(1e-10));
    kept.resize(b.state, 1.1 * size);
    CHECK(kept.reading(b.state).volume == Approx(1.1 * size * 0.064).epsilon(1e-10));
    REQUIRE(b.solver->still(b.state));
    CHECK(b.seen().kinetic_energy == 0);
    CHECK(kept.reading(b.state).work == 0);
  }
}

TEST_CASE("Surfaces whose volume cannot be kept are refused in one sentence", "[elastic][volume]") {
  const auto refusal = [](Truss truss, VolumeOf of) {
    const ElasticSetup setup = setup_of(truss);
    auto solver = find_elastic_solver("lagrange")->make(setup);
    REQUIRE(solver.ok());
    auto made = KeptVolume::make(std::move(solver).value(), setup, {of});
    REQUIRE_FALSE(made.ok());
    CHECK(made.error().path == "body.volume.of");
    CHECK_FALSE(made.error().hint.empty());
    return made.error().message;
  };
  Truss truss = lattice(2, 0.2, 0.1, 500, 0);
  truss.hull.clear();
  CHECK(refusal(truss, VolumeOf::surface) == "Its analysis model has no surface whose volume could be kept.");
  truss = lattice(2, 0.2, 0.1, 500, 0);
  truss.hull.pop_back();
  CHECK(refusal(truss, VolumeOf::surface) ==
        "The surface of its analysis model is not closed, so it has no volume that could be kept.");
  truss = lattice(2, 0.2, 0.1, 500, 0);
  for (auto& t : truss.hull) std::swap(t[0], t[1]);
  CHECK(refusal(truss, VolumeOf::surface) ==
        "The surface of its analysis model is inside out: its volume is negative.");
  truss = lattice(2, 0.2, 0.1, 500, 0);
  for (std::uint32_t i = 0; i < 8; ++i) truss.pinned.push_back(i);
  CHECK(refusal(truss, VolumeOf::hull) == "All nodes of the surface whose volume is kept are pinned.");
  CHECK(refusal(two_nodes(1, 1, 1, 100, 0), VolumeOf::hull) ==
        "Its nodes lie on a line and have no hull whose volume could be kept.");
  Truss sheet;
  for (int i = 0; i < 9; ++i) sheet.nodes.emplace_back(i % 3, 0, i / 3);
  sheet.masses.assign(9, 0.1);
  for (std::uint32_t a = 0; a < 9; ++a)
    for (std::uint32_t b = a + 1; b < 9; ++b) sheet.springs.push_back({a, b, 100, 0});
  CHECK(refusal(sheet, VolumeOf::hull) == "The hull of its nodes is flat and encloses no volume that could be kept.");
}

}  // namespace kept_volume_test
