#include <cmath>

#include <catch2/catch.hpp>

#include "core/sim/elastic/modes.h"
#include "core/sim/elastic/setup.h"

namespace vibration_test {

using namespace hazumi;

namespace {

Truss pair(double m1, double m2, double k, double c) {
  Truss truss;
  truss.nodes = {Vec3(0.3, 0.1, -0.2), Vec3(0.8, 0.6, 0.4)};
  truss.masses = {m1, m2};
  truss.springs = {{0, 1, k, c}};
  return truss;
}

/// N equal masses on a line, free at both ends: λ = 4 k/m sin²(π / 2N).
Truss chain(int count, double m, double k, double c) {
  Truss truss;
  for (int i = 0; i < count; ++i) {
    truss.nodes.push_back(0.1 * i * Vec3(1, 2, -1).normalized());
    truss.masses.push_back(m);
    if (i > 0) truss.springs.push_back({static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(i), k, c});
  }
  return truss;
}

ModesOptions only_sparse() {
  ModesOptions options;
  options.dense_limit = 0;
  return options;
}

/// Nothing for what is refused, or has no mode.
std::optional<ModeValues> lowest_mode(const Truss& truss, ModesOptions options = {}) {
  options.count = 1;
  const auto system = find_elastic_solver("lagrange")->linearise(setup_of_truss(truss, 0));
  if (!system.ok()) return std::nullopt;
  const auto modes = vibration_modes(*system, options);
  if (!modes.ok() || modes->modes.empty()) return std::nullopt;
  return modes->modes[0].values;
}

}  // namespace

TEST_CASE("two nodes swing with the reduced mass", "[vibration]") {
  const double m1 = 2, m2 = 3, k = 800, c = 0.5, mu = m1 * m2 / (m1 + m2);
  for (const auto& options : {ModesOptions{}, only_sparse()}) {
    const auto mode = lowest_mode(pair(m1, m2, k, c), options);
    REQUIRE(mode);
    CHECK(mode->lambda == Approx(k / mu).epsilon(1e-9));
    CHECK(mode->gamma == Approx(c / mu).epsilon(1e-9));
    const Vibration v = make_vibration(*mode);
    const double zeta = c / (2 * std::sqrt(k * mu));
    CHECK(v.damping_ratio == Approx(zeta).epsilon(1e-9));
    CHECK(v.period == Approx(2 * kPi * std::sqrt(mu / k) / std::sqrt(1 - zeta * zeta)).epsilon(1e-9));
    CHECK(v.half_time == Approx(std::log(2.0) * 2 * mu / c).epsilon(1e-9));
  }
}

TEST_CASE("a free chain has the closed form of the lattice, dense and sparse", "[vibration]") {
  for (int count : {3, 10, 300}) {
    const auto mode = lowest_mode(chain(count, 0.1, 500, 0.2));
    REQUIRE(mode);
    const double s = std::sin(kPi / (2.0 * count));
    CHECK(mode->lambda == Approx(4 * 500 / 0.1 * s * s).epsilon(1e-9));
    // C is K times c/k, so γ is λ times c/k.
    CHECK(mode->gamma == Approx(mode->lambda * 0.2 / 500).epsilon(1e-9));
  }
}

TEST_CASE("catalogue shapes: the sparse solver finds what the dense one finds", "[vibration]") {
  for (TrussShape shape :
       {TrussShape::plane_grid, TrussShape::box_grid, TrussShape::octahedron, TrussShape::icosahedron}) {
    TrussRecipe recipe;
    recipe.shape = shape;
    recipe.divisions = {2, 2, 2};
    recipe.size = Vec3(1.3, 0.7, 1);
    Truss truss = make_truss(recipe);
    for (auto& spring : truss.springs) {
      spring.stiffness = 800 / (truss.nodes[spring.a] - truss.nodes[spring.b]).norm();
      spring.damping = 0.3;
    }
    ModesOptions dense;
    dense.dense_limit = 100000;
    const auto a = lowest_mode(truss, dense), b = lowest_mode(truss, only_sparse());
    REQUIRE(a);
    REQUIRE(b);
    CHECK(b->lambda == Approx(a->lambda).epsilon(1e-9));
    CHECK(b->gamma == Approx(a->gamma).epsilon(1e-9));
  }
}

TEST_CASE("frequency goes with the root of k over m; softness scaled with c keeps the damping ratio", "[vibration]") {
  TrussRecipe recipe;
  const Truss truss = make_truss(recipe);
  Truss harder = truss;
  for (auto& spring : harder.springs) {
    spring.stiffness *= 100;
    spring.damping *= 10;
  }
  const auto a = lowest_mode(truss), b = lowest_mode(harder);
  REQUIRE((a && b));
  CHECK(b->lambda == Approx(100 * a->lambda));
  CHECK(make_vibration(*b).damping_ratio == Approx(make_vibration(*a).damping_ratio));
}

TEST_CASE("the curve solves its own equation and halves when it says", "[vibration]") {
  for (double zeta : {0.0, 0.02, 0.5, 0.9999, 1.0, 1.0001, 3.0}) {
    const double lambda = 40, gamma = 2 * zeta * std::sqrt(lambda), h = 1e-4;
    const Vibration v = make_vibration({lambda, gamma});
    CHECK(v.displacement(0) == Approx(1));
    for (double t : {0.05, 0.3, 1.0}) {
      const double x = v.displacement(t), up = v.displacement(t + h), down = v.displacement(t - h);
      const double residual = (up - 2 * x + down) / (h * h) + gamma * (up - down) / (2 * h) + lambda * x;
      CHECK(std::abs(residual) < 2e-5);
    }
    if (zeta == 0)
      CHECK(std::isinf(v.half_time));
    else if (zeta < 1)
      CHECK(v.envelope(v.half_time) == Approx(v.envelope(0) / 2));
    else
      CHECK(v.displacement(v.half_time) == Approx(0.5));
    CHECK((v.frequency > 0) == (zeta < 1));
  }
}

TEST_CASE("what cannot swing gives nothing", "[vibration]") {
  CHECK_FALSE(lowest_mode(Truss{}));
  Truss loose = pair(1, 1, 100, 0);
  loose.springs.clear();
  CHECK_FALSE(lowest_mode(loose));
  CHECK_FALSE(lowest_mode(pair(0, 1, 100, 0)));
  Truss together = pair(1, 1, 100, 0);
  together.nodes[1] = together.nodes[0];
  CHECK_FALSE(lowest_mode(together));
}

TEST_CASE("a mechanism is left out: two springs in a plane that fold freely", "[vibration]") {
  Truss truss;
  truss.nodes = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(2, 1, 0.0)};
  truss.masses = {1, 1, 1, 1};
  truss.springs = {{0, 1, 100, 1}, {1, 2, 100, 1}, {2, 3, 100, 1}};
  const auto dense = lowest_mode(truss), sparse = lowest_mode(truss, only_sparse());
  REQUIRE((dense && sparse));
  CHECK(dense->lambda > 1);
  CHECK(sparse->lambda == Approx(dense->lambda).epsilon(1e-9));
}

TEST_CASE("a solve can be called off", "[vibration]") {
  ModesOptions options = only_sparse();
  options.cancelled = [] { return true; };
  CHECK_FALSE(lowest_mode(chain(50, 1, 1, 0), options));
}

}  // namespace vibration_test
