// The exact step of "lagrange": energy, momentum and angular momentum of random trusses change by what the outer forces and
// the damping say, at any stiffness, spin and step, free or pinned; and how many passes that takes.
#include <catch2/catch.hpp>
#include <random>

#include "core/math/rotation.h"
#include "core/sim/elastic/pins.h"
#include "tests/sim/elastic_support.h"
#include "tests/support/sanitized.h"

namespace midpoint_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;  // not the Body of a compiled model

namespace {

struct Random {
  std::mt19937_64 source;
  double in(double low, double high) { return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11); }
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(in(0, count)); }
  /// One after the other, here and below: compilers draw arguments in orders of their own, and seeds would mean other bodies.
  Vec3 vector(double size) {
    const double z = in(-1, 1), y = in(-1, 1), x = in(-1, 1);
    return size * Vec3(x, y, z);
  }
};

/// Tetrahedra set on faces of one another, 4 to 16 nodes within about 0.5 m of the origin, masses to 1 : 75.
Truss random_truss(Random& random, double stiffness, double damping) {
  Truss truss;
  truss.nodes = {Vec3(0, 0, 0), Vec3(0.2, 0, 0), Vec3(0.05, 0.18, 0), Vec3(0.08, 0.06, 0.2)};
  std::vector<std::array<std::uint32_t, 3>> faces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  const auto join = [&](std::uint32_t a, std::uint32_t b) { truss.springs.push_back({a, b, stiffness, damping}); };
  for (std::uint32_t a = 0; a < 4; ++a)
    for (std::uint32_t b = a + 1; b < 4; ++b) join(a, b);
  const std::uint32_t count = 4 + random.below(13);
  while (truss.nodes.size() < count) {
    const std::size_t f = random.below(static_cast<std::uint32_t>(faces.size()));
    const auto [a, b, c] = faces[f];
    const Vec3 &x = truss.nodes[a], &y = truss.nodes[b], &z = truss.nodes[c];
    const Vec3 normal = (y - x).cross(z - x).normalized();
    const auto top = static_cast<std::uint32_t>(truss.nodes.size());
    const double far = random.in(0.1, 0.2);
    const Vec3 aside = random.vector(0.02);
    truss.nodes.push_back((x + y + z) / 3 + far * normal + aside);
    for (const std::uint32_t from : {a, b, c}) join(from, top);
    faces[f] = {a, b, top};
    faces.push_back({b, c, top});
    faces.push_back({c, a, top});
  }
  for (std::size_t i = 0; i < truss.nodes.size(); ++i) truss.masses.push_back(std::pow(75, random.in(0, 1)) * 0.02);
  return truss;
}

/// Two nodes, or more: those bend freely.
Truss random_rod(Random& random, std::uint32_t count, double stiffness, double damping) {
  Truss truss;
  const Vec3 along = random.vector(1).normalized();
  for (std::uint32_t i = 0; i < count; ++i) {
    truss.nodes.push_back(Vec3(0.3, -1, 0.2) + 0.3 * i * along);
    truss.masses.push_back(random.in(0.1, 1));
    if (i > 0) truss.springs.push_back({i - 1, i, stiffness, damping});
  }
  return truss;
}

struct Case {
  double stiffness = 1e4, damping = 0;  // N/m, N s/m
  double spin = 0;                      // rad/s
  double push = 0;                      // m/s², forces; their twentieth in m/s: impulses
  double step = 1.0 / 240;              // s
  double offset = 0;                    // m, of the rest shape
  int pins = 0;                         // 0…3
  std::uint32_t rod = 0;                // nodes of a rod; 0: a truss
  bool free = false;                    // no forces, no gravity: impulses alone
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << "k " << c.stiffness << " c " << c.damping << " spin " << c.spin << " push " << c.push << " h 1/"
             << 1 / c.step << " offset " << c.offset << " pins " << c.pins << " rod " << c.rod;
}

struct Worst {
  double energy = 0, gain = 0, momentum = 0, angular = 0;  // of their own sizes
  double stirred = 0;                                      // gained by the velocity floor
  int passes = 0, steps = 0;
  long all_passes = 0;
  void add(const Worst& other) {
    energy = std::max(energy, other.energy);
    gain = std::max(gain, other.gain);
    stirred = std::max(stirred, other.stirred);
    momentum = std::max(momentum, other.momentum);
    angular = std::max(angular, other.angular);
    passes = std::max(passes, other.passes);
    all_passes += other.all_passes;
    steps += other.steps;
  }
  double mean_passes() const { return static_cast<double>(all_passes) / std::max(1, steps); }
};

std::ostream& operator<<(std::ostream& out, const Worst& w) {
  return out << "energy " << w.energy << " gain " << w.gain << " momentum " << w.momentum << " angular " << w.angular
             << " passes " << w.mean_passes() << ", at most " << w.passes << ", steps " << w.steps;
}

/// What a step of this truss takes out of it: Δdᵀ C Δd/h with the damping floor, J; `unsure`: what the round-off of positions
/// makes of it.
double damped_energy(const Truss& truss, const Case& c, const Pose& before, const Pose& after,
                     const std::vector<Vec3>& x0, const std::vector<Vec3>& x1, double& unsure) {
  double lost = 0;
  if (!(c.damping > 0)) return 0;
  for (const Spring& s : truss.springs) {
    const double resolved = 0.25 * c.step * c.step * s.stiffness * (1 / truss.masses[s.a] + 1 / truss.masses[s.b]);
    const double damping = s.damping + 0.05 * c.step * s.stiffness * resolved / (1 + resolved);
    const Vec3 along = (truss.nodes[s.b] - truss.nodes[s.a]).normalized();
    const double change =
        along.dot(after.rotation.conjugate() * (x1[s.b] - x1[s.a]) - before.rotation.conjugate() * (x0[s.b] - x0[s.a]));
    lost += damping * change * change / c.step;
    unsure += 1e-14 * damping * std::abs(change) / c.step;
  }
  return lost;
}

/// 60 steps of one body with forces and impulses: how far they are off the identities. Ends early at a step that is refused.
Worst measure(const Case& c, std::uint64_t seed) {
  Random random{std::mt19937_64(seed)};
  Truss truss =
      c.rod > 0 ? random_rod(random, c.rod, c.stiffness, c.damping) : random_truss(random, c.stiffness, c.damping);
  for (int k = 0; k < c.pins; ++k) truss.pinned.push_back(static_cast<std::uint32_t>(k));
  const std::size_t n = truss.nodes.size();
  ElasticSetup setup = setup_of(truss, c.step);
  if (c.offset > 0)
    for (std::size_t i = 0; i < n; ++i) setup.rest_offset.push_back(random.vector(c.offset));
  auto made = find_elastic_solver("lagrange")->make(setup);
  REQUIRE(made.ok());
  Body b(std::move(made).value());
  const Quat turned = exp_rotation(random.vector(2));
  const Vec3 position = random.vector(1), spin = random.vector(c.spin), velocity = random.vector(3);
  b.start(velocity, spin, {position, turned});
  const Vec3 gravity = c.free || random.in(0, 1) < 0.5 ? Vec3(Vec3::Zero()) : Vec3(0, -9.8, 1);
  const PinFrame pins = pin_frame(truss.nodes, truss.pinned);
  const Vec3 about = truss.pinned.empty() ? random.vector(2) : b.positions()[truss.pinned[0]];
  const Vec3 axis = turned * pins.axis;
  Worst worst;
  for (int step = 0; step < 60; ++step) {
    std::vector<Vec3> f(n, Vec3::Zero());
    if (!c.free && step % 3 != 2)
      for (std::size_t i = 0; i < n; ++i) f[i] = truss.masses[i] * random.vector(c.push);
    if (step % 7 == 3) {
      const auto hit = random.below(static_cast<std::uint32_t>(n));
      const NodeImpulse kick[] = {{hit, truss.masses[hit] * random.vector(c.push * 0.05)}};
      b.solver->apply_impulses(b.state, kick);
    }
    const auto x0 = b.positions(), u0 = b.velocities();
    const double e0 = b.energy();
    const Pose before = b.solver->frame(b.state);
    if (!b.solver->step(b.state, f, gravity, b.workspace)) break;
    const auto x1 = b.positions(), u1 = b.velocities();
    const double e1 = b.energy();
    double work = 0, size = e0 + e1, momentum_size = 0, angular_size = 0, unsure = 0;
    Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero();
    for (std::size_t i = 0; i < n; ++i) {
      const double m = truss.masses[i];
      const Vec3 force = f[i] + m * gravity, way = x1[i] - x0[i], arm = 0.5 * (x0[i] + x1[i]) - about;
      work += force.dot(way);
      size += std::abs(force.dot(way));
      unsure += 1e-15 * force.norm();  // positions of the order of a metre
      momentum += m * (u1[i] - u0[i]) - c.step * force;
      angular += m * ((x1[i] - about).cross(u1[i]) - (x0[i] - about).cross(u0[i])) - c.step * arm.cross(force);
      momentum_size += m * (u0[i].norm() + u1[i].norm()) + c.step * force.norm();
      angular_size += (m * (u0[i].norm() + u1[i].norm()) + c.step * force.norm()) * arm.norm();
    }
    const double lost = damped_energy(truss, c, before, b.solver->frame(b.state), x0, x1, unsure);
    // Of damped bodies the identity is that of the step before the velocity floor, which leaves 2 Δx/h − u⁻: but for the round-off
    // of positions of some metres, and for what momenta are put right by at the end, 1e-12 of u.
    double calmed = 0, unsure_speed = 0;
    for (std::size_t i = 0; i < n && c.damping > 0; ++i) {
      const Vec3 u = 2 / c.step * (x1[i] - x0[i]) - u0[i];
      calmed += 0.5 * truss.masses[i] * (u.squaredNorm() - u1[i].squaredNorm());
      unsure_speed += truss.masses[i] * u.norm() * (8e-15 / c.step + 1e-12 * u.norm());
    }
    unsure += unsure_speed;
    if (pins.kind == PinKind::line) angular = axis * axis.dot(angular);
    Worst now;
    now.energy = std::max(0.0, std::abs(e1 + calmed - e0 - work + lost) - unsure) / size;
    now.gain = (e1 - e0 - work) / size;
    now.stirred = std::max(0.0, -calmed - unsure_speed) / size;
    if (pins.kind == PinKind::none) now.momentum = momentum.norm() / momentum_size;
    if (pins.kind != PinKind::held) now.angular = angular.norm() / angular_size;
    now.all_passes = now.passes = b.workspace.passes;
    now.steps = 1;
    worst.add(now);
  }
  return worst;
}

/// Between 10^low and 10^high, evenly in the exponent.
double decade(Random& random, double low, double high) { return std::pow(10, random.in(low, high)); }

}  // namespace

TEST_CASE("Energy and momenta of 200 random trusses change by what acts on them, to round-off", "[elastic][midpoint]") {
  Worst all;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random{std::mt19937_64(seed + 1000)};
    Case c;
    c.stiffness = decade(random, 2, 8);
    c.damping = seed % 3 == 0 ? decade(random, -6, -2) * c.stiffness : 0;
    c.spin = seed % 4 == 0 ? 0 : random.in(0, 10);
    c.push = random.in(0, 30);
    c.step = 1.0 / (60 << random.below(4));
    c.offset = seed % 5 == 0 ? 0.01 * std::min(1.0, std::sqrt(1e4 / c.stiffness)) : 0;
    c.pins = std::max(0, static_cast<int>(seed % 6) - 2);
    if (seed % 10 == 1) c.rod = 2;
    if (seed % 20 == 7) c.rod = 3;
    if (c.rod > 0) c.pins = std::min(c.pins, 1);
    if (c.rod > 2) {  // nothing resists its bending: no more than a little of it
      c.free = true;
      c.push = 0.2;
      c.pins = 0;
    }
    const Worst w = measure(c, seed);
    INFO("seed " << seed << ": " << c << ": " << w);
    CHECK(w.steps == 60);
    // In modes of h ω ≫ 1 u⁺ is nearly −u⁻, and the round-off of both is multiplied by ¼ (h ω)².
    CHECK(w.energy < 1e-12 + 1e-15 * c.step * c.step * c.stiffness / 0.02);
    CHECK(w.stirred < 1e-15);
    CHECK(w.momentum < 1e-13);
    CHECK(w.angular < 1e-12);
    CHECK(w.passes <= 40);
    all.add(w);
  }
  WARN("200 trusses: " << all);
  CHECK(all.mean_passes() < 9);
}

TEST_CASE("Bodies that no iteration settles stay finite, keep their momenta and gain nothing", "[elastic][midpoint]") {
  Worst all;
  int whole = 0, split = 0;
  const int bodies = test::rounds(120, 40);
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(bodies); ++seed) {
    Random random{std::mt19937_64(seed + 2000)};
    Case c;
    c.free = true;
    c.stiffness = decade(random, 2, 8);
    c.damping = seed % 3 == 0 ? 1e-3 * c.stiffness : 0;
    c.spin = random.in(0, 60);
    c.push = 1000;
    c.step = 1.0 / (60 << random.below(4));
    c.offset = seed % 4 == 0 ? 0.01 : 0;
    c.rod = seed % 3 == 1 ? 4 : 0;
    c.pins = static_cast<int>(seed % 2);
    const Worst w = measure(c, seed);
    INFO("seed " << seed << ": " << c << ": " << w);
    CHECK(w.gain < 1e-8);  // measured 1e-9, of a folded rod
    CHECK(w.momentum < 1e-13);
    CHECK(w.angular < 1e-11);
    whole += w.steps == 60;
    split += w.passes > 40;
    all.add(w);
  }
  WARN(whole << " of " << bodies << " ran to the end, " << split << " with steps in parts: " << all);
}

TEST_CASE("Bodies that are pushed and spin beyond all that a step can follow gain nothing", "[elastic][midpoint]") {
  Worst all;
  const int bodies = test::rounds(120, 40);
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(bodies); ++seed) {
    Random random{std::mt19937_64(seed + 3000)};
    Case c;
    c.stiffness = decade(random, 2, 8);
    c.damping = seed % 3 == 0 ? 1e-4 * c.stiffness : 0;
    c.spin = decade(random, 1, 3.5);
    c.push = decade(random, 3, 5);  // up to 1,700 m/s a step
    c.step = 1.0 / (60 << random.below(4));
    c.rod = seed % 5 == 1 ? 2 : 0;
    c.pins = seed % 4 == 3 ? 1 : 0;
    const Worst w = measure(c, seed);
    INFO("seed " << seed << ": " << c << ": " << w);
    CHECK(w.gain < 1e-8);  // measured 8e-10; 0.16 when a torque gave spin to what did not turn
    CHECK(w.momentum < 1e-13);
    all.add(w);
  }
  WARN(bodies << " bodies: " << all);
}

}  // namespace midpoint_test
