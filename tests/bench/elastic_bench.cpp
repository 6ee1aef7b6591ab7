// The bar of spec 1 for flexible bodies: one step costs at most 1.3 times the bare triangular solves of Eigen
// that it performs on the same factor, at 1,000 nodes. Both are measured alternately in one run in processor
// time, so that the machine's mood falls on both; the counter `ratio` is the median step / (passes × the
// median solve).
//
// `step/*`: 3 passes when the body turns, 1 when it only vibrates. `nodes/*`: cost of a step by size (linear
// in springs for the sums, by fill for the solves). `small_bodies`: 100 bodies of 12 nodes for one 1/60 s
// frame of 4 sub-steps.
#include <benchmark/benchmark.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <ctime>

#include "core/geometry/mesh/primitives.h"
#include "core/geometry/truss/tetra_fill.h"
#include "core/sim/elastic/modes.h"
#include "core/sim/elastic/spring_network.h"
#include "tests/sim/elastic_support.h"

namespace {

using namespace hazumi;
using namespace hazumi::elastic_test;
using hazumi::elastic_test::Body;  // not the Body of a compiled model

/// Processor time of this thread, s: what others do on the machine does not count.
double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

Body make_body(const Truss& truss) {
  return Body(std::move(find_elastic_solver("lagrange")->make(setup_of(truss))).value());
}

void step_against_bare_solves(benchmark::State& bench, double spin, int passes) {
  const Truss truss = lattice(10, 0.1, 0.001, 800, 0.01);
  Body body = make_body(truss);
  body.start(Vec3::Zero(), spin * Vec3(0.6, 0.7, 0.4).normalized());
  if (spin > 0) {
    body.solver->apply_impulses(body.state, kicks(truss.nodes.size(), 1e-5));
  } else {  // stretched along x: vibrates without turning
    std::vector<Vec3> u(truss.nodes.size());
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = Vec3(0.01 * (truss.nodes[i].x() - 0.45), 0, 0);
    body.solver->displace(body.state, u);
  }
  const SpringNetwork springs(truss.nodes, truss.springs);
  const std::vector<double> masses(truss.nodes.size(), 0.001);
  const SparseMatrix a = springs.matrix(masses, 0.5 * kStep, 0.25 * kStep * kStep);
  // The same matrix in the same order: the same factor.
  const Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<int>> cholesky(a);
  const SparseMatrix l = cholesky.matrixL();
  const Eigen::SparseMatrix<double> upper = l.transpose();
  Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(a.rows(), -1, 1);
  const Eigen::VectorXd b = x;
  std::vector<double> step_times, solve_times;
  for (auto _ : bench) {
    const auto t0 = now();
    for (int p = 0; p < passes; ++p) {
      x = b;
      cholesky.matrixL().solveInPlace(x);
      cholesky.matrixU().solveInPlace(x);
      benchmark::DoNotOptimize(x.data());
    }
    const auto t1 = now();
    if (!body.step()) bench.SkipWithError("the body diverged");
    const auto t2 = now();
    solve_times.push_back(t1 - t0);
    step_times.push_back(t2 - t1);
    bench.SetIterationTime(t2 - t1);
  }
  if (step_times.empty()) return;
  const double step_time = median(step_times), solve_time = median(solve_times);
  bench.counters["ratio"] = step_time / solve_time;
  bench.counters["step_us"] = 1e6 * step_time;
  bench.counters["bare_solve_us"] = 1e6 * solve_time / passes;
  bench.counters["factor_entries"] = static_cast<double>(l.nonZeros());
  // Eigen's own choice of order on the plain matrix, to show that the common factor is no bad one.
  const Eigen::SimplicialLLT<SparseMatrix> own(a);
  const SparseMatrix own_l = own.matrixL();
  bench.counters["eigen_order_entries"] = static_cast<double>(own_l.nonZeros());
}

void turning(benchmark::State& bench) { step_against_bare_solves(bench, 3, 3); }
void not_turning(benchmark::State& bench) { step_against_bare_solves(bench, 0, 1); }
BENCHMARK(turning)->Name("elastic/step_1000_nodes/turning_3_passes")->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(not_turning)
    ->Name("elastic/step_1000_nodes/not_turning_1_pass")
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

void by_size(benchmark::State& bench) {
  const Truss truss = lattice(static_cast<int>(bench.range(0)), 0.1, 0.001, 800, 0.01);
  Body body = make_body(truss);
  body.start(Vec3::Zero(), Vec3(1, 2, 1));
  for (auto _ : bench) {
    if (!body.step()) bench.SkipWithError("the body diverged");
  }
  bench.counters["nodes"] = static_cast<double>(truss.nodes.size());
  bench.counters["springs"] = static_cast<double>(truss.springs.size());
}
BENCHMARK(by_size)
    ->Name("elastic/step_by_lattice_side")
    ->Arg(2)
    ->Arg(3)
    ->Arg(5)
    ->Arg(7)
    ->Arg(10)
    ->Unit(benchmark::kMicrosecond);

void small_bodies(benchmark::State& bench) {
  Truss truss;  // icosahedron with opposite corners joined
  const double g = 0.5 * (1 + std::sqrt(5.0));
  for (const double s : {-1.0, 1.0})
    for (const double t : {-g, g}) {
      truss.nodes.emplace_back(0, s, t);
      truss.nodes.emplace_back(s, t, 0);
      truss.nodes.emplace_back(t, 0, s);
    }
  truss.masses.assign(12, 0.1);
  for (std::uint32_t a = 0; a < 12; ++a)
    for (std::uint32_t b = a + 1; b < 12; ++b) {
      const double l = (truss.nodes[a] - truss.nodes[b]).norm();
      if (l < 2.1 || l > 3.5) truss.springs.push_back({a, b, 800, 0.5});
    }
  std::vector<Body> bodies;
  for (int i = 0; i < 100; ++i) {
    bodies.push_back(make_body(truss));
    bodies.back().start(Vec3::Zero(), Vec3(1, 0.1 * i, 2));
  }
  for (auto _ : bench)
    for (Body& body : bodies)
      for (int k = 0; k < 4; ++k)
        if (!body.step()) bench.SkipWithError("a body diverged");
}
BENCHMARK(small_bodies)->Name("elastic/frame_of_100_bodies_of_12_nodes")->Unit(benchmark::kMicrosecond);

/// A ball filled with tetrahedra, about 1,000 nodes, in uneven stiffness; `pinned`: held at what lies above 0.45 m.
Truss filled_ball(bool pinned) {
  TetraFillOptions options;
  options.tetrahedra = 4400;
  StrungTruss strung =
      fill_with_tetrahedra(make_primitive({PrimitiveShape::sphere, Vec3::Ones(), {40, 24, 1}}), options).value().truss;
  for (std::size_t s = 0; s < strung.springs.size(); ++s) strung.springs[s].stiffness = s % 3 == 0 ? 4 : 0.5;
  for (StrungNode& node : strung.nodes) node.pinned = pinned && node.position.y() > 0.45;
  Truss truss = to_truss(strung);
  for (Spring& spring : truss.springs) {
    spring.stiffness *= 800;
    spring.damping *= 0.01;
  }
  return truss;
}

void filled(benchmark::State& bench) {
  const Truss truss = filled_ball(bench.range(0) != 0);
  Body body = make_body(truss);
  body.start(Vec3::Zero(), Vec3(1, 2, 1));
  for (auto _ : bench) {
    if (!body.step(Vec3(0, -9.80665, 0))) bench.SkipWithError("the body diverged");
  }
  bench.counters["nodes"] = static_cast<double>(truss.nodes.size());
  bench.counters["springs"] = static_cast<double>(truss.springs.size());
  bench.counters["pins"] = static_cast<double>(truss.pinned.size());
}
BENCHMARK(filled)->Name("elastic/step_of_tetrahedral_fill_pinned")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

/// The solvers beside each other: a lattice of n³ nodes that falls, turning, and vibrates. 22³: 10,648 regions of shape matching.
void solvers(benchmark::State& bench, const char* name) {
  const Truss truss = lattice(static_cast<int>(bench.range(0)), 0.1, 0.001, 800, 0.01);
  Body body(std::move(find_elastic_solver(name)->make(setup_of(truss))).value());
  body.start(Vec3::Zero(), Vec3(1, 2, 1));
  body.solver->apply_impulses(body.state, kicks(truss.nodes.size(), 1e-5));
  for (auto _ : bench) {
    if (!body.step(Vec3(0, -9.80665, 0))) bench.SkipWithError("the body diverged");
  }
  bench.counters["nodes"] = static_cast<double>(truss.nodes.size());
  bench.counters["passes"] = body.workspace.passes;
}
BENCHMARK_CAPTURE(solvers, lagrange, "lagrange")->Arg(5)->Arg(10)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(solvers, polyhedral, "polyhedral")->Arg(5)->Arg(10)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(solvers, springs, "springs")->Arg(5)->Arg(10)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(solvers, fem, "fem")->Arg(5)->Arg(10)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(solvers, shape_matching, "shape_matching")->Arg(5)->Arg(10)->Arg(22)->Unit(benchmark::kMicrosecond);

/// Bar: 10,000 tetrahedra under 12 ms a step on two threads.
void tetrahedra(benchmark::State& bench) {
  TetraFillOptions options;
  options.tetrahedra = 10000;
  StrungTruss strung =
      fill_with_tetrahedra(make_primitive({PrimitiveShape::sphere, Vec3::Ones(), {60, 40, 1}}), options).value().truss;
  Truss truss = to_truss(strung);
  for (Spring& spring : truss.springs) spring.stiffness *= 800;
  Body body(std::move(find_elastic_solver("fem")->make(setup_of(truss))).value());
  body.start(Vec3::Zero(), Vec3(1, 2, 1));
  Executor executor(static_cast<int>(bench.range(0)));
  body.workspace.executor = &executor;
  for (auto _ : bench) {
    if (!body.step(Vec3(0, -9.80665, 0))) bench.SkipWithError("the body diverged");
  }
  bench.counters["tetrahedra"] = static_cast<double>(truss.tetrahedra.size());
  bench.counters["passes"] = body.workspace.passes;
}
BENCHMARK(tetrahedra)->Name("elastic/fem_of_a_fill")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMicrosecond);

/// Bar: 10,000 one-ring regions of a tetrahedral fill under 2.5 ms.
void regions(benchmark::State& bench) {
  TetraFillOptions options;
  options.tetrahedra = 55000;
  StrungTruss strung =
      fill_with_tetrahedra(make_primitive({PrimitiveShape::sphere, Vec3::Ones(), {60, 40, 1}}), options).value().truss;
  Truss truss = to_truss(strung);
  for (Spring& spring : truss.springs) spring.stiffness *= 800;
  Body body(std::move(find_elastic_solver("shape_matching")->make(setup_of(truss))).value());
  body.start(Vec3::Zero(), Vec3(1, 2, 1));
  Executor executor(static_cast<int>(bench.range(0)));
  body.workspace.executor = &executor;
  for (auto _ : bench) {
    if (!body.step(Vec3(0, -9.80665, 0))) bench.SkipWithError("the body diverged");
  }
  bench.counters["regions"] = static_cast<double>(truss.nodes.size());
}
BENCHMARK(regions)
    ->Name("elastic/shape_matching_one_ring_of_a_fill")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

/// The same body of 22³ regions with two examples (0: none): 1 falls in its rest shape, where none is in use;
/// 2 is in one and on its way back; 3 as 2, of examples that warp its regions: a twist by 1.6 rad and a bend;
/// 4 is what 2 is compared with: without examples, let go where 2 is, so that it vibrates as well.
void examples(benchmark::State& bench) {
  const Truss truss = lattice(22, 0.1, 0.001, 800, 0.01);
  ElasticSetup setup = setup_of(truss);
  const bool warped = bench.range(0) == 3;
  std::vector<Vec3> sheared = truss.nodes, wide = truss.nodes;
  for (Vec3& x : sheared) {
    if (warped)
      x = Vec3(1.05, 1.05, 0) + Quat(Eigen::AngleAxisd(0.76 * x.z(), Vec3::UnitZ())) * (x - Vec3(1.05, 1.05, 0));
    else
      x.x() += 0.2 * x.y();
  }
  for (Vec3& x : wide) {
    if (warped)
      x.x() += 0.2 * x.z() * x.z();
    else
      x.z() *= 1.2;
  }
  if (bench.range(0) % 4 > 0) setup.examples = {{1, sheared}, {2, wide}};
  Body body(std::move(find_elastic_solver("shape_matching")->make(setup)).value());
  body.start(Vec3::Zero(), Vec3::Zero());  // what spins is drawn out, and may turn to an example
  if (bench.range(0) > 1) {
    std::vector<Vec3> shift = sheared;
    for (std::size_t i = 0; i < shift.size(); ++i) shift[i] -= truss.nodes[i];
    body.solver->displace(body.state, shift);
  }
  for (auto _ : bench) {
    if (!body.step(Vec3(0, -9.80665, 0))) bench.SkipWithError("the body diverged");
  }
}
BENCHMARK(examples)
    ->Name("elastic/shape_matching_examples")
    ->Arg(0)
    ->Arg(1)
    ->Arg(2)
    ->Arg(3)
    ->Arg(4)
    ->Unit(benchmark::kMicrosecond);

/// Bar: under 2 s.
void modes(benchmark::State& bench) {
  const Truss truss = lattice(10, 0.1, 0.001, 800, 0.01);
  for (auto _ : bench) benchmark::DoNotOptimize(vibration_modes(system_of(truss)).value().modes.size());
}
BENCHMARK(modes)->Name("elastic/lowest_6_modes_of_1000_nodes")->Unit(benchmark::kMillisecond);

void factoring(benchmark::State& bench) {
  const Truss truss = lattice(10, 0.1, 0.001, 800, 0.01);
  for (auto _ : bench) benchmark::DoNotOptimize(make_body(truss));
}
BENCHMARK(factoring)->Name("elastic/make_1000_nodes")->Unit(benchmark::kMillisecond);

}  // namespace
