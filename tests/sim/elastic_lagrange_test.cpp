// Flexible body in a body frame: what spec 1.3 says it must show. Measured values stand beside the bounds.
#include <catch2/catch.hpp>

#include "core/sim/elastic/spring_network.h"
#include "tests/sim/elastic_support.h"

namespace elastic_lagrange_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;  // not the Body of a compiled model

namespace {

Result<std::unique_ptr<ElasticSolver>> try_make(const Truss& truss, double h = kStep,
                                                const std::string& method = "factored",
                                                const std::string& beta = "1/4") {
  const ElasticSolverInfo& lagrange = *find_elastic_solver("lagrange");
  ElasticSetup setup = setup_of(truss, h);
  setup.parameters = parameters_of(lagrange, {{"method", method}, {"beta", beta}});
  return lagrange.make(setup);
}

Body body(const Truss& truss, double h = kStep, const std::string& method = "factored",
          const std::string& beta = "1/4") {
  auto made = try_make(truss, h, method, beta);
  REQUIRE(made.ok());
  return Body(std::move(made).value());
}

/// Two nodes, kicked apart, measured by the zero crossings of the stretch over about `periods` periods.
double measured_period(double h, const std::string& beta, double k, double ma, double mb, int periods) {
  Body b = body(two_nodes(1, ma, mb, k, 0), h, "factored", beta);
  b.start(Vec3::Zero(), Vec3::Zero());
  const NodeImpulse apart[] = {{0, Vec3(-0.01, 0, 0)}, {1, Vec3(0.01, 0, 0)}};
  b.solver->apply_impulses(b.state, apart);
  double before = 0, first = -1, last = -1;
  int crossings = 0;
  for (int n = 1; crossings < 2 * periods + 1 && n < 1000000; ++n) {
    REQUIRE(b.step());
    const auto x = b.positions();
    const double stretch = (x[1] - x[0]).norm() - 1;
    if (n > 1 && before * stretch < 0) {
      // Where the discrete sine passes zero, from the two samples beside it.
      const double w = 2 * kPi * h / (2 * kPi * std::sqrt(ma * mb / (ma + mb) / k));
      const double theta = std::atan2(std::sin(w) * before, before * std::cos(w) - stretch) / w;
      const double t = (n - 1 + theta) * h;
      if (first < 0) first = t;
      last = t;
      ++crossings;
    }
    before = stretch;
  }
  return 2 * (last - first) / (crossings - 1);
}

double energy_drift(double stiffness, double spin, int steps) {
  Body b = body(lattice(3, 0.5, 0.1, stiffness, 0));
  b.start(Vec3(0.3, 0, 0), spin * Vec3(0.6, 0.7, 0.4).normalized());
  b.solver->apply_impulses(b.state, kicks(27, 0.02));
  const double start = b.energy();
  double worst = 0;
  for (int n = 0; n < steps; ++n) {
    REQUIRE(b.step());
    if (n % 10 == 0) worst = std::max(worst, std::abs(b.energy() / start - 1));
  }
  return worst;
}

}  // namespace

TEST_CASE("Two-node oscillator has the period of the scheme", "[elastic][lagrange]") {
  const double k = 800, ma = 0.1, mb = 0.3, mu = ma * mb / (ma + mb), omega = std::sqrt(k / mu);
  const double exact = 2 * kPi / omega;
  // Small ω h, where (ω h)²/12 is the whole error; next term is 3/20 (ω h)² of it.
  for (const double h : {1.0 / 2000, 1.0 / 4000}) {
    const double term = (omega * h) * (omega * h) / 12;
    const double longer = measured_period(h, "1/4", k, ma, mb, 200) / exact - 1;
    INFO("h " << h << " longer by " << longer << ", theory " << term);
    CHECK(std::abs(longer / term - 1) < 0.01);  // spec 1.3; measured 2e-4
  }
  // β = 1/6 and 0 shift the period by (β − 1/12) (ω h)²·½: longer, and shorter by (ω h)²/24.
  const double h = 1.0 / 4000, square = (omega * h) * (omega * h);
  CHECK(measured_period(h, "1/6", k, ma, mb, 200) / exact - 1 == Approx(square / 24).epsilon(1.2e-4));
  CHECK(measured_period(h, "0", k, ma, mb, 200) / exact - 1 == Approx(-square / 24).epsilon(1.2e-4));
}

TEST_CASE("Two-node oscillator follows the discrete recurrence", "[elastic][lagrange]") {
  // u'' = −ω² u by Newmark β = 1/4, written out: the body must give the same numbers.
  const double k = 800, m = 0.2, h = kStep, mu = m / 2, w2 = k / mu, beta = 0.25;
  Body b = body(two_nodes(1, m, m, k, 0));
  b.start(Vec3::Zero(), Vec3::Zero());
  const NodeImpulse apart[] = {{0, Vec3(-0.01, 0, 0)}, {1, Vec3(0.01, 0, 0)}};
  b.solver->apply_impulses(b.state, apart);
  double u = 0, v = 0.1, a = 0;
  for (int n = 0; n < 1000; ++n) {
    REQUIRE(b.step());
    const double us = u + h * v + h * h * (0.5 - beta) * a, vs = v + 0.5 * h * a;
    a = -w2 * us / (1 + beta * h * h * w2);
    u = us + beta * h * h * a;
    v = vs + 0.5 * h * a;
    const auto x = b.positions();
    REQUIRE((x[1] - x[0]).x() - 1 == Approx(u).margin(1e-13));
  }
}

TEST_CASE("Converges at second order", "[elastic][lagrange][slow]") {
  const auto end = [](double damping, int steps) {
    Body b = body(lattice(3, 0.5, 0.1, 800, damping), 0.5 / steps);
    b.start(Vec3::Zero(), Vec3(1, 2, -1));
    b.solver->apply_impulses(b.state, kicks(27, 0.01));
    for (int n = 0; n < steps; ++n) REQUIRE(b.step());
    return b.positions();
  };
  // Undamped, where the highest modes keep their phases, and with the damping floor, which is of third order.
  for (const double damping : {0.0, 0.2}) {
    const auto coarse = end(damping, 1920), middle = end(damping, 3840), fine = end(damping, 7680);
    double e1 = 0, e2 = 0;
    for (std::size_t i = 0; i < fine.size(); ++i) {
      e1 = std::max(e1, (coarse[i] - middle[i]).norm());
      e2 = std::max(e2, (middle[i] - fine[i]).norm());
    }
    INFO("damping " << damping << ": differences " << e1 << " and " << e2 << ", ratio " << e1 / e2);
    CHECK(e1 / e2 > 3.95);
    CHECK(e1 / e2 < 4.06);
  }
}

TEST_CASE("A push within a step is answered by the inverse of A", "[elastic][lagrange]") {
  for (const double k : {80.0, 8e3, 8e5}) {
    Body still = body(lattice(3, 0.5, 0.1, k, 0.3));
    still.start(Vec3::Zero(), Vec3::Zero(), {Vec3(1, 2, 3), Quat(0.8, 0.1, -0.5, 0.3).normalized()});
    std::vector<Vec3> f(27, Vec3::Zero()), dv(27);
    std::vector<NodeImpulse> pushes = {{4, Vec3(1e-6, -2e-6, 0)}, {17, Vec3(0, 3e-6, 1e-6)}};
    for (const NodeImpulse& j : pushes) f[j.node] = j.impulse / kStep;
    still.solver->respond(still.state, pushes, dv);
    const auto from = still.positions();
    REQUIRE(still.step(f));
    const auto to = still.positions();  // 2 Δx/h: u⁺ before the velocity floor
    for (std::size_t i = 0; i < 27; ++i)
      CHECK((2 / kStep * (to[i] - from[i]) - dv[i]).norm() < 1e-7 * 1e-5);  // of 1e-5 m/s: the step turns by 1e-8
  }
}

TEST_CASE("The floors of damping and velocity stop what the step does not resolve, and leave the rest alone",
          "[elastic][lagrange]") {
  const auto energy_after = [](double k, double c, double h, int steps) {
    Body b = body(two_nodes(1, 0.2, 0.2, k, c), h);
    b.start(Vec3::Zero(), Vec3::Zero());
    const NodeImpulse apart[] = {{0, Vec3(-0.01, 0, 0)}, {1, Vec3(0.01, 0, 0)}};
    b.solver->apply_impulses(b.state, apart);
    const double start = b.energy();
    for (int n = 0; n < steps; ++n) REQUIRE(b.step());
    return b.energy() / start;
  };
  // One mode, ω d and u, by the midpoint rule with C as floored, and then u less G³ u. Without the velocity floor the first of
  // these c would leave 1.5e-5 of the energy, and the last, which should stop it at once, 0.75: u comes back as −1 + 2/(2 + b) of it.
  const double h = 1.0 / 60, k = 1.44e5, mu = 0.1, omega_stiff = std::sqrt(k / mu), a = 0.25 * h * h * k / mu;
  for (const double c : {1e-3, 3.0, 1e4}) {
    const double rate = (c + 0.05 * h * k * a / (1 + a)) / mu, x = a + 0.5 * h * rate;
    const auto run = [&](bool floored) {
      double d = 0, u = 1;  // ω d, u
      for (int n = 0; n < 60; ++n) {
        const double change = -(h * omega_stiff * d + (2 * a + h * rate) * u) / (1 + x);
        d += h * omega_stiff * (u + 0.5 * change);
        u += change;
        if (floored) u *= 1 - std::pow(x / (1 + x), 3);
      }
      return d * d + u * u;
    };
    CAPTURE(c, run(false));
    const double left = energy_after(k, c, h, 60);
    CHECK(left == Approx(run(true)).epsilon(1e-6));
    CHECK(left < 1e-10);
    CHECK(run(false) > 1e-6);
  }
  CHECK(energy_after(k, 0, h, 60) == Approx(1).epsilon(1e-12));
  // h ω = 0.09: it decays as its own damping says, exp(−c t/μ), over whole periods to 1e-3 of the exponent.
  const double periods = 20, omega = std::sqrt(800 / 0.1), time = periods * 2 * kPi / omega;
  const double left = energy_after(800, 0.02, time / 1400, 1400);
  CHECK(std::log(left) == Approx(-0.02 / 0.1 * time).epsilon(5e-3));
}

TEST_CASE("Momenta of a free body stand still for 10,000 steps", "[elastic][lagrange][slow]") {
  const Truss truss = lattice(3, 0.5, 0.1, 8000, 0);
  Body b = body(truss);
  b.start(Vec3(1, -2, 0.5), Vec3(2, 5, -3));
  b.solver->apply_impulses(b.state, kicks(27, 0.02));
  const Momenta start = momenta(b, truss.masses);
  for (int n = 0; n < 10000; ++n) REQUIRE(b.step());
  const Momenta end = momenta(b, truss.masses);
  INFO("linear " << (end.linear - start.linear).norm() / start.linear.norm() << ", angular "
                 << (end.angular - start.angular).norm() / start.angular.norm());
  CHECK((end.linear - start.linear).norm() < 1e-11 * start.linear.norm());
  CHECK((end.angular - start.angular).norm() < 1e-11 * start.angular.norm());  // spec 1.3 asks for 1e-9
}

TEST_CASE("Energy of an undamped body holds at any stiffness and spin", "[elastic][lagrange][slow]") {
  for (const double k : {800.0, 8e4, 8e6, 8e8})
    for (const double spin : {0.0, 1.0, 10.0}) {
      const double drift = energy_drift(k, spin, 10000);
      UNSCOPED_INFO("k " << k << " spin " << spin << ": energy within " << 100 * drift << " %");
      CHECK(drift < 1e-10);  // spec 1.3 asks for 0.002, spinning 0.02; measured 5e-12
    }
}

TEST_CASE("A million times stiffer is still stable; an explicit step is not", "[elastic][lagrange]") {
  const Truss truss = lattice(3, 0.5, 0.1, 800e6, 0);
  Body b = body(truss);
  b.start(Vec3::Zero(), Vec3(0, 5, 1));
  b.solver->apply_impulses(b.state, kicks(27, 0.02));
  const double start = b.energy();
  for (int n = 0; n < 2000; ++n) REQUIRE(b.step());
  CHECK(b.energy() < (1 + 1e-9) * start);

  // Negative control: symplectic Euler on the same springs at the same step must blow up.
  const SpringNetwork springs(truss.nodes, truss.springs);
  std::vector<double> d(81), v(81), f(81), zero(81, 0.0);
  for (std::size_t i = 0; i < 81; ++i) v[i] = std::sin(1.3 * static_cast<double>(i));
  bool blown = false;
  for (int n = 0; n < 100 && !blown; ++n) {
    springs.forces(d.data(), zero.data(), f.data());
    for (std::size_t i = 0; i < 81; ++i) {
      v[i] += kStep * f[i] / 0.1;
      d[i] += kStep * v[i];
      blown = blown || !(std::abs(d[i]) < 1e9);
    }
  }
  CHECK(blown);
}

TEST_CASE("Fixed point and factored agree where both converge", "[elastic][lagrange]") {
  const Truss truss = lattice(3, 0.5, 0.1, 200, 0.05);
  Body factored = body(truss), fixed = body(truss, kStep, "fixed point");
  for (Body* b : {&factored, &fixed}) {
    b->start(Vec3(1, 0, 0), Vec3(1, 2, 0));
    b->solver->apply_impulses(b->state, kicks(27, 0.01));
    for (int n = 0; n < 500; ++n) REQUIRE(b->step(Vec3(0, -9.8, 0)));
  }
  const auto x = factored.positions(), y = fixed.positions();
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, (x[i] - y[i]).norm());
  INFO("apart by " << worst << " m");
  CHECK(worst < 1e-10);  // spec 1.3 asks for 1e-6; they are the same equations
}

TEST_CASE("Fixed point outside its domain is refused with a remedy", "[elastic][lagrange][slow]") {
  const auto made = try_make(lattice(3, 0.5, 0.1, 8e4, 0), kStep, "fixed point");
  REQUIRE_FALSE(made.ok());
  CHECK(made.error().message.find("does not converge") != std::string::npos);
  CHECK(made.error().hint.find("factored") != std::string::npos);
  // Just inside the bound it may be slow, but then it converges or says so: never garbage.
  const double k = 200 * 0.98 / [] {
    const Truss truss = lattice(3, 0.5, 0.1, 200, 0);
    const SpringNetwork s(truss.nodes, truss.springs);
    return s.largest_rate(std::vector<double>(27, 0.1), 0.5 * kStep, 0.25 * kStep * kStep);
  }();
  Body b = body(lattice(3, 0.5, 0.1, k, 0), kStep, "fixed point");
  b.start(Vec3::Zero(), Vec3(0, 1, 0));
  b.solver->apply_impulses(b.state, kicks(27, 0.01));
  const double start = b.energy();
  for (int n = 0; n < 300 && b.step(); ++n) REQUIRE(b.energy() < (1 + 1e-9) * start);
}

TEST_CASE("Betas below a quarter are refused where they are unstable", "[elastic][lagrange]") {
  const double k = 8e4;
  CHECK(try_make(lattice(3, 0.5, 0.1, k, 0)).ok());
  CHECK_FALSE(try_make(lattice(3, 0.5, 0.1, k, 0), kStep, "factored", "1/6").ok());
  CHECK_FALSE(try_make(lattice(3, 0.5, 0.1, k, 0), kStep, "factored", "0").ok());
  for (const char* beta : {"1/6", "0"}) {
    Body b = body(lattice(3, 0.5, 0.1, 300, 0), kStep, "factored", beta);
    b.start(Vec3::Zero(), Vec3(0, 1, 0));
    b.solver->apply_impulses(b.state, kicks(27, 0.01));
    const double start = b.energy();
    for (int n = 0; n < 2000; ++n) REQUIRE(b.step());
    CHECK(b.energy() == Approx(start).epsilon(6e-3));
  }
}

TEST_CASE("Forces turn and push: momenta follow the sums of forces and torques", "[elastic][lagrange]") {
  const Truss truss = lattice(3, 0.5, 0.1, 800, 0.3);
  Body b = body(truss);
  b.start(Vec3::Zero(), Vec3(0, 1, 0));
  Vec3 linear = momenta(b, truss.masses).linear, angular = momenta(b, truss.masses).angular;
  for (int n = 0; n < 240; ++n) {
    std::vector<Vec3> f(27, Vec3::Zero());
    f[3] = Vec3(0.2, 0.1, 0);
    f[20] = Vec3(0, -0.3, 0.1);
    const auto before = b.positions();
    REQUIRE(b.step(f));
    const auto after = b.positions();
    for (std::size_t i = 0; i < f.size(); ++i) {
      linear += kStep * f[i];
      angular += kStep * (0.5 * (before[i] + after[i])).cross(f[i]);
    }
  }
  const Momenta end = momenta(b, truss.masses);
  CHECK((end.linear - linear).norm() < 1e-12);
  CHECK((end.angular - angular).norm() < 1e-12 * end.angular.norm());
}

TEST_CASE("A rod and a flat sheet tumble with exact momenta", "[elastic][lagrange]") {
  Truss sheet;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      sheet.nodes.emplace_back(i, 0, j);
      sheet.masses.push_back(0.1 + 0.01 * i);
    }
  for (std::uint32_t a = 0; a < 9; ++a)
    for (std::uint32_t c = a + 1; c < 9; ++c)
      if ((sheet.nodes[a] - sheet.nodes[c]).norm() < 1.5) sheet.springs.push_back({a, c, 800, 0});
  Truss chain;  // four on a line
  for (std::uint32_t i = 0; i < 4; ++i) {
    chain.nodes.emplace_back(0.3 * i, 0.4 * i, 0);
    chain.masses.push_back(0.2);
    if (i) chain.springs.push_back({i - 1, i, 800, 0});
  }
  for (const Truss& truss : {two_nodes(1, 0.1, 0.3, 800, 0), sheet, chain}) {
    Body b = body(truss);
    b.start(Vec3(0.1, 0, 0), Vec3(0.5, 2, 1));
    const Momenta start = momenta(b, truss.masses);
    const double energy = b.energy();
    // Chain and sheet have nothing that resists bending in a linear model, and spin makes it grow like exp(ω
    // t) (docs/numerics/flexible-body.md, Limits): they are watched for two seconds, the rod for ten.
    for (int n = 0; n < (truss.nodes.size() == 2 ? 2400 : 480); ++n) {
      INFO(truss.nodes.size() << " nodes, step " << n);
      REQUIRE(b.step());
    }
    const Momenta end = momenta(b, truss.masses);
    CHECK((end.linear - start.linear).norm() < 1e-12 * start.scale);
    CHECK((end.angular - start.angular).norm() < 1e-12 * start.angular_scale);
    CHECK(b.energy() == Approx(energy).epsilon(1e-10));  // spec 1.3 asks for 0.02
  }
}

TEST_CASE("A spinning rod stretches as far as its spring and its spin say", "[elastic][lagrange]") {
  // Circular motion of two masses m about their middle, angular momentum L: k (l − l0) = m ω² l/2, L = m ω
  // l²/2.
  const double k = 800, m = 0.2, spin = 8;
  Body b = body(two_nodes(1, m, m, k, 3));
  b.start(Vec3::Zero(), Vec3(0, 0, spin));
  for (int n = 0; n < 20000; ++n) REQUIRE(b.step());
  const double L = m * spin / 2;
  double l = 1;
  for (int i = 0; i < 200; ++i) {
    const double w = 2 * L / (m * l * l);
    l = 1 + 0.5 * m * w * w * l / k;
  }
  const auto x = b.positions();
  CHECK((x[1] - x[0]).norm() == Approx(l).epsilon(1e-9));
  CHECK(l > 1.004);
}

TEST_CASE("Stiffness is the gradient of the energy, symmetric, and free of rigid motion", "[elastic][lagrange]") {
  const Truss truss = lattice(3, 0.5, 0.1, 800, 2);
  const SpringNetwork springs(truss.nodes, truss.springs);
  const std::vector<double> masses(27, 0.1);
  std::vector<double> d(81), v(81), zero(81, 0.0), f(81), g(81);
  for (std::size_t i = 0; i < 81; ++i) {
    d[i] = 0.01 * std::sin(1.3 * static_cast<double>(i));
    v[i] = std::cos(0.7 * static_cast<double>(i));
  }
  springs.forces(d.data(), zero.data(), f.data());
  for (std::size_t i = 0; i < 81; ++i) {
    auto low = d, high = d;
    low[i] -= 1e-4;
    high[i] += 1e-4;
    CHECK((springs.energy(low.data()) - springs.energy(high.data())) / 2e-4 == Approx(f[i]).margin(5e-11));
  }
  // The assembled matrix is the same operator, with C and M.
  const SparseMatrix a = springs.matrix(masses, 0.5, 0.25);
  std::vector<double> dv(81);
  springs.forces(zero.data(), v.data(), g.data());
  springs.forces(v.data(), zero.data(), f.data());
  const Eigen::Map<const Eigen::VectorXd> vm(v.data(), 81);
  const Eigen::VectorXd product = a * vm;
  for (int i = 0; i < 81; ++i) CHECK(product[i] == Approx(0.1 * v[i] - 0.5 * g[i] - 0.25 * f[i]).margin(1e-9));
  CHECK((SparseMatrix(a.transpose()) - a).norm() == 0);
  // Six rigid motions cost nothing.
  for (int mode = 0; mode < 6; ++mode) {
    for (std::size_t i = 0; i < 27; ++i) {
      const Vec3 r = truss.nodes[springs.order()[i]];
      const Vec3 u = mode < 3 ? Vec3(Vec3::Unit(mode)) : Vec3(Vec3::Unit(mode - 3).cross(r));
      for (int k = 0; k < 3; ++k) d[3 * i + k] = u[k];
    }
    CHECK(springs.energy(d.data()) < 1e-24);
  }
}

TEST_CASE("What cannot be simulated is refused with place and remedy", "[elastic][lagrange]") {
  const auto refused = [](Truss truss, double h = kStep) {
    const auto made = try_make(truss, h);
    if (made.ok()) return false;
    return !made.error().message.empty() && !made.error().hint.empty() && !made.error().path.empty();
  };
  const Truss good = lattice(2, 1, 0.1, 800, 0);
  CHECK_FALSE(refused(good));
  CHECK(refused(good, 0));
  CHECK(refused(good, NAN));
  Truss bad = good;
  bad.masses[3] = 0;
  CHECK(refused(bad));
  bad = good;
  bad.nodes[2].x() = INFINITY;
  CHECK(refused(bad));
  bad = good;
  bad.springs[0].stiffness = -1;
  CHECK(refused(bad));
  bad = good;
  bad.springs[0].b = 99;
  CHECK(refused(bad));
  bad = good;
  bad.nodes[1] = bad.nodes[0];
  CHECK(refused(bad));
  Truss single;
  single.nodes = {Vec3::Zero()};
  single.masses = {1};
  CHECK(refused(single));
}

}  // namespace elastic_lagrange_test
