// Bodies of Voronoi cells: how stiff they are from which side, beside lattices (the paper's figure 2: a diagonal makes a body of springs
// stiffer one way than another, cells have none), that they hold their energy and shape, and that other solvers take them.
#include <catch2/catch.hpp>

#include <Eigen/SparseCholesky>
#include <cstdio>

#include "core/base/random.h"
#include "core/geometry/mesh/mass_properties.h"
#include "core/geometry/mesh/primitives.h"
#include "core/geometry/truss/voronoi_fill.h"
#include "tests/sim/elastic_support.h"
#include "tests/support/sanitized.h"

namespace voronoi_cells_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;  // not the Body of a compiled model

namespace {

Truss voronoi(PrimitiveShape shape, const Vec3& size, int cells, int seed, double stiffness = 800, double damping = 0) {
  VoronoiFillOptions options;
  options.cells = cells;
  options.seed = seed;
  const auto fill = fill_with_cells(make_primitive({shape, size, {16, 12, 1}}), options);
  REQUIRE(fill.ok());
  Truss truss = to_truss(fill->truss);
  for (Spring& s : truss.springs) {
    s.stiffness = stiffness;
    s.damping = damping;
  }
  return truss;
}

/// How stiff a body is when all nodes at its hull are moved as an even stretch by 1 along `n` moves them, the others as they like:
/// twice the energy for each m³.
class Stretched {
 public:
  Stretched(const LinearSystem& system, const Truss& truss)
      : system_(system), volume_(mesh_volume(truss.nodes, truss.hull)), free_(3 * truss.nodes.size(), -1) {
    held_.assign(truss.nodes.size(), 0);
    for (const auto& f : truss.hull)
      for (const std::uint32_t i : f) held_[i] = 1;
    for (std::size_t i = 0; i < free_.size(); ++i)
      if (!held_[i / 3]) free_[i] = count_++;
    std::vector<Eigen::Triplet<double>> part;
    for (Eigen::Index column = 0; column < system.stiffness.cols(); ++column)
      for (Eigen::SparseMatrix<double>::InnerIterator it(system.stiffness, column); it; ++it) {
        const auto i = free_[static_cast<std::size_t>(it.row())], j = free_[static_cast<std::size_t>(it.col())];
        if (i >= 0 && j >= 0) part.emplace_back(i, j, it.value());
      }
    Eigen::SparseMatrix<double> inner(count_, count_);
    inner.setFromTriplets(part.begin(), part.end());
    factor_.compute(inner);
    REQUIRE(factor_.info() == Eigen::Success);
  }
  double along(const Vec3& n) const {
    Eigen::VectorXd u = Eigen::VectorXd::Zero(system_.stiffness.rows()), rest(count_);
    for (std::size_t i = 0; i < held_.size(); ++i)
      if (held_[i]) u.segment<3>(3 * static_cast<Eigen::Index>(i)) = n.dot(system_.nodes[i]) * n;
    const Eigen::VectorXd force = system_.stiffness * u;
    for (std::size_t i = 0; i < free_.size(); ++i)
      if (free_[i] >= 0) rest[free_[i]] = -force[static_cast<Eigen::Index>(i)];
    const Eigen::VectorXd moved = factor_.solve(rest);
    for (std::size_t i = 0; i < free_.size(); ++i)
      if (free_[i] >= 0) u[static_cast<Eigen::Index>(i)] = moved[free_[i]];
    return u.dot(system_.stiffness * u) / volume_;
  }

 private:
  const LinearSystem& system_;
  double volume_;
  std::vector<Eigen::Index> free_;  // number among those that are not held
  std::vector<char> held_;
  Eigen::Index count_ = 0;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor_;
};

struct Spread {
  double mean = 0, least = 1e300, most = 0;
  double by() const { return (most - least) / mean; }
};

/// Over the 13 lines through the corners, edges and faces of a cube, and 50 at random.
Spread by_direction(const char* solver, const Truss& truss) {
  const auto system = find_elastic_solver(solver)->linearise(setup_of(truss));
  REQUIRE(system.ok());
  const Stretched body(*system, truss);
  std::vector<Vec3> ways;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z)
        if (x + 2 * y + 4 * z > 0) ways.push_back(Vec3(x, y, z).normalized());
  for (std::uint64_t k = 0; k < 50; ++k) {
    const double z = 2 * random_unit(1, Id{1}, k, 1) - 1, a = 2 * kPi * random_unit(1, Id{1}, k, 2),
                 r = std::sqrt(1 - z * z);
    ways.emplace_back(r * std::cos(a), r * std::sin(a), z);
  }
  Spread spread;
  for (const Vec3& n : ways) {
    const double stiff = body.along(n);
    spread.mean += stiff / static_cast<double>(ways.size());
    spread.least = std::min(spread.least, stiff);
    spread.most = std::max(spread.most, stiff);
  }
  return spread;
}

/// A lattice with a spring along every edge and along one diagonal of every square, as in the paper's figure 2 (b).
Truss one_diagonal(int n) {
  Truss truss = lattice(n, 0.1, 0.1, 800, 0);
  std::erase_if(truss.springs, [&](const Spring& s) {
    const Vec3 d = (truss.nodes[s.b] - truss.nodes[s.a]) / 0.1;
    const int ways = static_cast<int>(std::lround(d.cwiseAbs().sum()));
    return ways == 3 || (ways == 2 && d.minCoeff() < -0.5);
  });
  truss.cells.clear();
  truss.tetrahedra.clear();
  return truss;
}

Body make(const Truss& truss, const char* solver = "polyhedral", double h = kStep) {
  auto made = find_elastic_solver(solver)->make(setup_of(truss, h));
  INFO(solver << (made.ok() ? "" : " " + made.error().message));
  REQUIRE(made.ok());
  return Body(std::move(made).value());
}

double off_shape(const Body& b, const Truss& truss) {
  const auto x = b.positions();
  double most = 0;
  for (const Spring& s : truss.springs)
    most = std::max(most, std::abs((x[s.a] - x[s.b]).norm() - (truss.nodes[s.a] - truss.nodes[s.b]).norm()));
  return most;
}

}  // namespace

TEST_CASE("Cells are as stiff from every side, lattices of springs are not", "[polyhedral][voronoi_fill]") {
  const Spread diagonal = by_direction("springs", one_diagonal(5));
  const Spread springs = by_direction("springs", lattice(5, 0.1, 0.1, 800, 0));
  const Spread cubes = by_direction("polyhedral", lattice(5, 0.1, 0.1, 800, 0));
  std::printf(
      "stiffness by direction, (most - least)/mean: springs with one diagonal %.3f, with all %.3f, cubes %.1e\n",
      diagonal.by(), springs.by(), cubes.by());
  CHECK(diagonal.by() > 0.5);  // the negative control: the paper's figure 2 (b)
  CHECK(springs.by() > 0.05);
  CHECK(cubes.by() < 1e-9);
  for (const int cells : {30, 100, 300}) {
    if (test::sanitized() && cells > 30) continue;
    const Truss truss = voronoi(PrimitiveShape::sphere, Vec3::Ones(), cells, 1);
    const Spread voronoi_cells = by_direction("polyhedral", truss), edges = by_direction("springs", truss);
    std::printf("%d Voronoi cells %.3f, springs along their edges %.3f\n", cells, voronoi_cells.by(), edges.by());
    CHECK(voronoi_cells.by() < (cells < 50 ? 0.35 : cells < 200 ? 0.15 : 0.10));
    CHECK(voronoi_cells.by() < diagonal.by());
  }
}

TEST_CASE("Every solver takes a fill with Voronoi cells", "[elastic][voronoi_fill]") {
  const Truss truss = voronoi(PrimitiveShape::sphere, Vec3(1, 0.7, 0.8), 12, 4, 800, 2);
  for (const ElasticSolverInfo* info : elastic_solvers()) {
    INFO(info->name);
    Body b = make(truss, std::string(info->name).c_str());
    b.start(Vec3(0.1, 0, 0), Vec3(1, 2, 3));
    for (int n = 0; n < 40; ++n) REQUIRE(b.step());
    for (const Vec3& x : b.positions()) REQUIRE(x.allFinite());
    CHECK(off_shape(b, truss) < 0.2);
  }
}

TEST_CASE("Free Voronoi cells keep energy and momenta, however they bend", "[polyhedral][voronoi_fill]") {
  double worst = 0, worst_spin = 0;
  for (int k = 0; k < 6; ++k) {
    const auto chance = [k](std::uint64_t i) { return random_unit(static_cast<std::uint64_t>(k), Id{5}, i, 1); };
    INFO("seed " << k);
    const Truss truss = voronoi(k % 2 ? PrimitiveShape::sphere : PrimitiveShape::torus,
                                Vec3(0.6 + chance(1), 0.4 + 0.3 * chance(2), 0.6 + chance(3)),
                                6 + static_cast<int>(10 * chance(4)), k, std::pow(10, 1 + 3 * chance(5)));
    Body b = make(truss);
    b.start(Vec3(chance(6), 0, 0), Vec3(2 * chance(7), 3 * chance(8), 0));
    b.solver->apply_impulses(b.state, kicks(static_cast<int>(truss.nodes.size()), 0.02));
    const Observables begun = b.seen();
    for (int n = 0; n < 40; ++n) REQUIRE(b.step());
    const Observables ended = b.seen();
    const double energy = begun.kinetic_energy + begun.elastic_energy;
    worst = std::max(worst, std::abs(ended.kinetic_energy + ended.elastic_energy - energy) / energy);
    worst_spin = std::max(
        worst_spin, (ended.angular_momentum - begun.angular_momentum).norm() / (1 + begun.angular_momentum.norm()));
  }
  std::printf("free Voronoi cells: energy %.1e, angular momentum %.1e\n", worst, worst_spin);
  CHECK(worst < 1e-9);
  CHECK(worst_spin < 1e-10);
}

TEST_CASE("Voronoi cells squashed flat come back to their shape", "[polyhedral][voronoi_fill]") {
  const Truss truss = voronoi(PrimitiveShape::sphere, Vec3(1, 1, 1), 8, 2, 2000, 40);
  Body b = make(truss);
  b.start(Vec3::Zero(), Vec3::Zero());
  std::vector<Vec3> flat;
  for (const Vec3& x : b.positions()) flat.emplace_back(0, -0.98 * x.y(), 0);
  b.solver->displace(b.state, flat);
  CHECK(off_shape(b, truss) > 0.1);
  double most = b.seen().elastic_energy + b.seen().kinetic_energy;
  for (int n = 0; n < 2 * 240; ++n) {
    REQUIRE(b.step());
    const double energy = b.seen().elastic_energy + b.seen().kinetic_energy;
    CHECK(energy <= most * (1 + 1e-9) + 1e-15);
    most = std::min(most, energy);
  }
  CHECK(off_shape(b, truss) < 1e-6);
}

}  // namespace voronoi_cells_test
