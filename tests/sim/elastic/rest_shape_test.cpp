// Rest shapes that bodies are told while they run: they go there, by their own dynamics, and nothing but what they are told changes their
// energy.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/sim/elastic/rest_shape.h"
#include "tests/sim/elastic_support.h"

namespace rest_shape_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;

namespace {

/// A bar of 2 × 2 × 5 cells of 0.1 m, standing on end.
ElasticSetup bar(double stiffness, double damping) {
  ElasticSetup setup;
  const auto at = [](int x, int y, int z) { return static_cast<std::uint32_t>((y * 3 + x) * 3 + z); };
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 3; ++x)
      for (int z = 0; z < 3; ++z) {
        setup.nodes.push_back(0.1 * Vec3(x - 1, y - 2.5, z - 1));
        setup.masses.push_back(0.02 + 0.001 * x);
      }
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 3; ++x)
      for (int z = 0; z < 3; ++z)
        for (int dy = 0; dy < 2; ++dy)
          for (int dx = -1; dx < 2; ++dx)
            for (int dz = -1; dz < 2; ++dz) {
              if (dy == 0 && (dx < 0 || (dx == 0 && dz <= 0))) continue;
              const int x1 = x + dx, y1 = y + dy, z1 = z + dz;
              if (x1 < 0 || x1 > 2 || y1 > 5 || z1 < 0 || z1 > 2) continue;
              setup.springs.push_back({at(x, y, z), at(x1, y1, z1), stiffness, damping});
            }
  setup.time_step = 1.0 / 240;
  return setup;
}

struct Settled {
  std::vector<Vec3> nodes;
  Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero();
  double energy = 0;
};

/// Told a shape, and left alone for two seconds.
Settled settle(const RestShape& shape) {
  const ElasticSetup setup = bar(2e4, 40);
  auto solver = find_elastic_solver("lagrange")->make(setup);
  REQUIRE(solver.ok());
  std::vector<double> state((*solver)->state_size());
  ElasticWorkspace workspace;
  (*solver)->initialise({}, Vec3(1, 2, 3), Vec3::Zero(), state);
  REQUIRE((*solver)->take_shape(state, shape));
  CHECK((*solver)->shape(state) == shape);
  const std::vector<Vec3> none(setup.nodes.size(), Vec3::Zero());
  for (int k = 0; k < 480; ++k) REQUIRE((*solver)->step(state, none, Vec3::Zero(), workspace));
  Settled out;
  out.nodes.resize(setup.nodes.size());
  (*solver)->positions(state, out.nodes);
  const Observables seen = (*solver)->observe(state);
  const Pose frame = (*solver)->frame(state);
  for (Vec3& x : out.nodes) x = frame.rotation.conjugate() * (x - frame.position);
  out.momentum = seen.momentum / seen.mass;
  out.angular = seen.angular_momentum;
  out.energy = seen.elastic_energy;
  return out;
}

double height(const std::vector<Vec3>& nodes) {
  double low = 0, high = 0;
  for (const Vec3& x : nodes) low = std::min(low, x.y()), high = std::max(high, x.y());
  return high - low;
}

}  // namespace

TEST_CASE("A rest shape that is told is where a body comes to rest", "[elastic][shape]") {
  const Settled longer = settle(RestShape::stretched(Vec3::UnitY(), 1.4, 1 / std::sqrt(1.4)));
  CHECK(height(longer.nodes) == Approx(0.5 * 1.4).epsilon(1e-3));
  CHECK(longer.energy < 1e-6);
  CHECK((longer.momentum - Vec3(1, 2, 3)).norm() < 1e-10);
  CHECK(longer.angular.norm() < 1e-10);

  // A straight line of places goes along a circle: the middle line of a bar bent by 0.6 rad.
  RestShape bent = RestShape::bent(Vec3::UnitY(), Vec3::UnitX(), 0.6 / 0.5);
  const Settled bow = settle(bent);
  const auto at = [&](int y) { return bow.nodes[static_cast<std::size_t>((y * 3 + 1) * 3 + 1)]; };
  const double sag = (0.5 * (at(0) + at(5)) - 0.5 * (at(2) + at(3))).x();
  CHECK(sag == Approx(0.5 * 1.2 * (0.25 * 0.25 - 0.05 * 0.05)).epsilon(0.02));

  const Settled turned = settle(RestShape::twisted(Vec3::UnitY(), 0.5 / 0.5));
  const auto angle = [&](int y) {
    const Vec3 side = turned.nodes[static_cast<std::size_t>((y * 3 + 2) * 3 + 1)] -
                      turned.nodes[static_cast<std::size_t>((y * 3 + 0) * 3 + 1)];
    return std::atan2(-side.z(), side.x());
  };
  CHECK(std::abs(angle(5) - angle(0)) == Approx(0.5).epsilon(0.05));
  CHECK(turned.angular.norm() < 1e-9);
}

TEST_CASE("Between two shapes energy stays; what it is told changes it at once", "[elastic][shape]") {
  const ElasticSetup setup = bar(2e4, 0);
  auto solver = find_elastic_solver("lagrange")->make(setup);
  REQUIRE(solver.ok());
  std::vector<double> state((*solver)->state_size());
  ElasticWorkspace workspace;
  (*solver)->initialise({}, Vec3(1, 0, 0), Vec3(3, 1, 2), state);
  const std::vector<Vec3> none(setup.nodes.size(), Vec3::Zero());
  const auto energy = [&] {
    const Observables o = (*solver)->observe(state);
    return o.kinetic_energy + o.elastic_energy;
  };
  double told = 0;
  const double begun = energy();
  for (int k = 0; k < 240; ++k) {
    RestShape shape = RestShape::stretched(Vec3::UnitX(), 1 + 0.2 * std::sin(0.1 * k), 1);
    shape += RestShape::leaning(Vec3::UnitY(), Vec3::UnitZ(), 0.3 * std::sin(0.07 * k));
    const double was = energy();
    (*solver)->take_shape(state, shape);
    told += energy() - was;
    REQUIRE((*solver)->step(state, none, Vec3::Zero(), workspace));
    REQUIRE(energy() == Approx(begun + told).epsilon(1e-9));
  }
  CHECK(std::abs(told) > 0.1);  // J: it was driven
  // Told to be as it was made again, it is another body in no way.
  (*solver)->take_shape(state, RestShape());
  CHECK((*solver)->shape(state).none());
}

TEST_CASE("Numbers of a rest shape are stored and read as they are, and add up", "[elastic][shape]") {
  RestShape a = RestShape::bent(Vec3::UnitX(), Vec3::UnitY(), 0.4);
  a += RestShape::twisted(Vec3(1, 2, 2) / 3, 0.7);
  a += RestShape::stretched(Vec3::UnitZ(), 1.2, 0.9);
  std::array<double, RestShape::kNumbers> numbers{};
  a.store(numbers.data());
  CHECK(RestShape::of(numbers.data()) == a);
  const Vec3 r(0.3, -0.2, 0.5);
  const Vec3 apart = RestShape::bent(Vec3::UnitX(), Vec3::UnitY(), 0.4).offset(r) +
                     RestShape::twisted(Vec3(1, 2, 2) / 3, 0.7).offset(r) +
                     RestShape::stretched(Vec3::UnitZ(), 1.2, 0.9).offset(r);
  CHECK((a.offset(r) - apart).norm() < 1e-14);
}

}  // namespace rest_shape_test
