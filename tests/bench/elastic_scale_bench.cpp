// What elastic bodies cost by their size, one run (docs/elastic-bars.md); one core where nothing else is said:
//   soft_lattice      cubes of n³ nodes, 2 m wide, that fall 1 m on a floor at 25 frames a second, 4 sub-steps, one and two threads: the mean of 100 whole
//                     frames, and how high it stands in the end, of 2 m. tests/bench/soft_vs_blender.sh has Blender's beside it
//   elastic_size      a step of n³ nodes that fall, turning
//   elastic_threads   a sub-step of eight bodies of 10³ nodes, one and two threads. Wanted: 1.6 times as fast
//   one_body_threads  a step of one body of n³ nodes, the same
//   fem_skin          a frame of 900 tetrahedra with a skin of 20,000 triangles, four sub-steps, and its vertices. Wanted: real time, 1/60 s
#include <benchmark/benchmark.h>

#include <chrono>

#include "core/geometry/mesh/primitives.h"
#include "core/geometry/truss/tetra_fill.h"
#include "core/motion/compile.h"
#include "core/playback/simulator.h"
#include "core/sim/step.h"
#include "tests/sim/elastic_support.h"
#include "tests/support/world.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

double wall_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr double kCubeSide = 2;  // m

Object falling_cube(const char* solver, int nodes) {
  const int cells = nodes - 1;
  Object o = World::box(Vec3::Constant(kCubeSide), Vec3(0, 0.5 * kCubeSide + 1, 0), 800);
  o.display.primitive.divisions = {cells, cells, cells};
  o.body.kind = BodyKind::flexible;
  o.body.solver = solver;
  o.analysis.kind = AnalysisKind::box_grid;
  o.analysis.size = Vec3::Constant(kCubeSide);
  o.analysis.divisions = {cells, cells, cells};
  // As stiff as 0.2 MPa however finely it is divided: 13 springs a node, k ∝ the edge of a cube.
  o.body.stiffness = 2e5 / 13 * 2.6 * kCubeSide / cells;
  o.body.damping = 0.01 * o.body.stiffness;
  o.contact.shape = ContactShape::nodes;
  return o;
}

void soft_lattice(benchmark::State& bench, const char* solver) {
  const int nodes = static_cast<int>(bench.range(0)), threads = static_cast<int>(bench.range(1)), frames = 100;
  World world;
  world.scene.settings.frame_rate = 25;
  world.scene.settings.substeps = 4;
  world.scene.settings.last_frame = frames;
  world.floor(0.5, 0.1);
  const Id id = world.add(falling_cube(solver, nodes));
  MeshStore meshes;
  const auto model = compile(world.scene, meshes);
  if (!model.ok()) return bench.SkipWithError("cannot be compiled");
  double height = 0, worst = 0, all = 0;
  for (auto _ : bench) {
    Simulator run(*model, threads);
    const double start = wall_clock();
    for (int f = 1; f <= frames; ++f) {
      const double before = wall_clock();
      if (!run.state_at(f)) return bench.SkipWithError("stopped");
      const Frame frame = run.frame_at(f);
      worst = std::max(worst, wall_clock() - before);
      double low = 1e300, high = -1e300;
      for (const Vec3f& x : frame.find(id)->nodes) {
        low = std::min(low, static_cast<double>(x.y()));
        high = std::max(high, static_cast<double>(x.y()));
      }
      height = high - low;
    }
    all += wall_clock() - start;
  }
  bench.counters["frame_ms"] = 1e3 * all / frames / static_cast<double>(bench.iterations());
  bench.counters["worst_ms"] = 1e3 * worst;
  bench.counters["stands"] = height / kCubeSide;
}
#define SOFT_LATTICE(solver)                       \
  BENCHMARK_CAPTURE(soft_lattice, solver, #solver) \
      ->Iterations(1)                              \
      ->Unit(benchmark::kMillisecond)              \
      ->Args({5, 1})                               \
      ->Args({10, 1})                              \
      ->Args({10, 2})
SOFT_LATTICE(shape_matching)->Args({20, 1})->Args({20, 2});
SOFT_LATTICE(polyhedral);  // of 20³ the factor alone takes seconds
SOFT_LATTICE(fem);
SOFT_LATTICE(lagrange);

void step_of_cube(benchmark::State& bench, const char* name, Executor* executor) {
  const int n = static_cast<int>(bench.range(0));
  const Truss truss =
      make_truss({.shape = TrussShape::box_grid, .divisions = {n - 1, n - 1, n - 1}, .size = Vec3::Constant(0.1 * n)});
  ElasticSetup setup = setup_of_truss(truss, elastic_test::kStep);
  for (double& m : setup.masses) m *= 0.001 * n * n * n;
  for (Spring& s : setup.springs) s.stiffness *= 800, s.damping *= 0.01;
  auto made = find_elastic_solver(name)->make(setup);
  if (!made.ok()) return bench.SkipWithError("cannot be made");
  elastic_test::Body body(std::move(made).value());
  body.start(Vec3::Zero(), Vec3(1, 2, 1));
  body.solver->apply_impulses(body.state, elastic_test::kicks(truss.nodes.size(), 1e-5));
  body.workspace.executor = executor;
  for (auto _ : bench)
    if (!body.step(Vec3(0, -9.80665, 0))) return bench.SkipWithError("the body diverged");
  bench.counters["nodes"] = static_cast<double>(truss.nodes.size());
  bench.counters["passes"] = body.workspace.passes;
}

void elastic_size(benchmark::State& bench, const char* name) { step_of_cube(bench, name, nullptr); }
BENCHMARK_CAPTURE(elastic_size, shape_matching, "shape_matching")
    ->Arg(10)
    ->Arg(22)
    ->Arg(46)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(elastic_size, springs, "springs")->Arg(10)->Arg(22)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(elastic_size, polyhedral, "polyhedral")->Arg(10)->Arg(16)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(elastic_size, fem, "fem")->Arg(10)->Arg(16)->Unit(benchmark::kMicrosecond);

void one_body_threads(benchmark::State& bench, const char* name) {
  Executor executor(static_cast<int>(bench.range(1)));
  step_of_cube(bench, name, &executor);
}
#define ONE_BODY_THREADS(solver, n)                    \
  BENCHMARK_CAPTURE(one_body_threads, solver, #solver) \
      ->Args({n, 1})                                   \
      ->Args({n, 2})                                   \
      ->UseRealTime()                                  \
      ->Unit(benchmark::kMicrosecond)
ONE_BODY_THREADS(shape_matching, 10);
ONE_BODY_THREADS(shape_matching, 22);
ONE_BODY_THREADS(polyhedral, 10);
ONE_BODY_THREADS(fem, 10);
ONE_BODY_THREADS(fem, 16);
ONE_BODY_THREADS(springs, 10);
ONE_BODY_THREADS(springs, 22);
ONE_BODY_THREADS(lagrange, 10);

void elastic_threads(benchmark::State& bench, const char* solver) {
  World world;
  world.scene.settings.gravity.setZero();
  for (int k = 0; k < 8; ++k) {
    Object o = falling_cube(solver, 10);
    o.transform.position = Vec3(5.0 * k, 2, 0);
    o.body.spin = Vec3(0.3, 0.5, 0.1);
    world.add(o);
  }
  MeshStore meshes;
  const auto model = compile(world.scene, meshes);
  if (!model.ok()) return bench.SkipWithError("cannot be compiled");
  Executor executor(static_cast<int>(bench.range(0)));
  StepWorkspace workspace;
  State state = initial_state(**model);
  for (auto _ : bench)
    if (!step(**model, state, workspace, executor).ok) return bench.SkipWithError("stopped");
}
#define ELASTIC_THREADS(solver) \
  BENCHMARK_CAPTURE(elastic_threads, solver, #solver)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond)
ELASTIC_THREADS(shape_matching);
ELASTIC_THREADS(polyhedral);
ELASTIC_THREADS(fem);
ELASTIC_THREADS(springs);

void fem_skin(benchmark::State& bench) {
  TetraFillOptions options;
  options.tetrahedra = 900;
  World world;
  world.floor(0.5, 0.3);
  Object o = World::sphere(0.5, Vec3(0, 1.2, 0), 50);
  o.display.primitive.divisions = {125, 81, 1};
  const auto fill = fill_with_tetrahedra(make_primitive(o.display.primitive), options);
  if (!fill.ok()) return bench.SkipWithError("cannot be filled");
  o.body.kind = BodyKind::flexible;
  o.body.solver = "fem";
  o.analysis.kind = AnalysisKind::strung;
  o.analysis.strung = std::make_shared<const StrungTruss>(fill->truss);
  o.body.stiffness_source = StiffnessSource::material;
  o.material.substance.young = 5e4;
  o.body.damping = 3;
  o.contact.shape = ContactShape::nodes;
  world.scene.settings.substeps = 4;
  world.scene.settings.last_frame = 120;
  const Id id = world.add(o);
  MeshStore meshes;
  const auto model = compile(world.scene, meshes);
  if (!model.ok()) return bench.SkipWithError("cannot be compiled");
  std::size_t triangles = make_primitive(o.display.primitive).faces.size(), vertices = 0;
  for (auto _ : bench) {
    Simulator run(*model, 1);
    for (int f = 1; f <= 120; ++f) {
      if (!run.state_at(f)) return bench.SkipWithError("stopped");
      const Frame frame = run.frame_at(f);
      vertices = frame.find(id)->vertices.size();
    }
  }
  bench.counters["frame_ms"] =
      benchmark::Counter(1e-3 * 120, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  bench.counters["tetrahedra"] = static_cast<double>(fill->truss.tetrahedra.size());
  bench.counters["triangles"] = static_cast<double>(triangles);
  bench.counters["vertices"] = static_cast<double>(vertices);
}
BENCHMARK(fem_skin)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
