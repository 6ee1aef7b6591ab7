// A hundred thousand living particles with gravity, drag and a wind with gusts over a plane, or over a mesh of ten thousand triangles too: a
// frame of four sub-steps is simulated and made, on two threads and on one. And what bodies cost that a source has not given yet. (With --benchmark_filter=particles.)
#include <benchmark/benchmark.h>

#include <map>

#include "core/motion/compile.h"
#include "core/playback/simulator.h"
#include "tests/support/world.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

constexpr int kMany = 100'000;

World many_particles(bool mesh) {
  World world;
  world.floor();
  if (mesh) {
    Object torus =
        make_object(0, "torus", {PrimitiveShape::torus, Vec3(8, 2, 8), {100, 50, 1}}, Vec3(0, 1, 0), BodyKind::fixed);
    world.add(torus);
  }
  ForceField wind;
  wind.id = next_id(world.scene);
  wind.gust = 2;
  wind.rotation = Quat(Eigen::AngleAxisd(-0.5 * kPi, Vec3::UnitZ()));
  world.scene.fields = {wind};
  ParticleSource source;
  source.id = next_id(world.scene);
  source.radius = 4;
  source.position = Vec3(0, 3, 0);
  source.cone = 0.6;
  source.rate = 0;
  source.burst = kMany;
  source.most = kMany;
  source.life = 1e6;
  source.linear = 0.2;
  source.collides = true;
  source.size = 0.02;
  world.scene.particles = {source};
  world.scene.settings.frame_rate = 60;
  world.scene.settings.substeps = 4;
  return world;
}

void particles(benchmark::State& bench) {
  const World world = many_particles(bench.range(0) != 0);
  MeshStore meshes;
  const auto model = compile(world.scene, meshes);
  if (!model.ok()) return bench.SkipWithError("cannot be compiled");
  State state = initial_state(**model);
  StepWorkspace workspace;
  Executor executor(static_cast<int>(bench.range(1)));
  const auto frame = [&] {
    for (int k = 0; k < 4; ++k) step(**model, state, workspace, executor);
    return make_frame(**model, state, 1, executor);
  };
  static std::map<std::int64_t, State> down;  // most of them have come down; found once for all repetitions
  State& begun = down[bench.range(0)];
  if (begun.particles.empty()) {
    for (int k = 0; k < 60; ++k) frame();
    begun = state;
  }
  state = begun;
  for (auto _ : bench) benchmark::DoNotOptimize(frame());
  bench.counters["frames_per_second"] = benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate);
  bench.counters["living"] = static_cast<double>(state.particles[0].size());
}
BENCHMARK(particles)
    ->ArgsProduct({{0, 1}, {2, 1}})
    ->ArgNames({"mesh", "threads"})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Iterations(30);  // with more of them more has come down: what is faster would be given more to do

/// A scene with a mesh of 250,000 faces that particles meet, compiled: anew (0), or behind an edit that leaves the mesh as it is (1).
void compile_large_mesh(benchmark::State& bench) {
  World world = many_particles(false);
  world.add(
      make_object(0, "torus", {PrimitiveShape::torus, Vec3(8, 2, 8), {500, 250, 1}}, Vec3(0, 1, 0), BodyKind::fixed));
  MeshStore meshes;
  const auto first = compile(world.scene, meshes);
  if (!first.ok()) return bench.SkipWithError("cannot be compiled");
  for (auto _ : bench)
    benchmark::DoNotOptimize(compile(world.scene, meshes, bench.range(0) == 0 ? nullptr : first->get()));
}
BENCHMARK(compile_large_mesh)->Arg(0)->Arg(1)->ArgName("again")->Unit(benchmark::kMillisecond);

/// A pile of boxes that is awake, alone and beside copies of which none is born yet: a sub-step.
void sleeping_copies(benchmark::State& bench) {
  World world;
  world.floor(0, 1);
  for (int k = 0; k < 60; ++k) world.add(World::box(Vec3::Constant(0.3), Vec3(0.5 * (k % 8), 2 + 0.5 * (k / 8), 0), 1));
  const Id pattern = world.add(World::sphere(0.1, Vec3(5, 5, 5), 1));
  ParticleSource source;
  source.id = next_id(world.scene);
  source.gives = SourceGives::copies;
  source.object = pattern.value;
  source.start = 1e5;
  source.most_copies = static_cast<int>(bench.range(0));
  world.scene.particles = {source};
  MeshStore meshes;
  const auto model = compile(world.scene, meshes);
  if (!model.ok()) return bench.SkipWithError("cannot be compiled");
  const State start = initial_state(**model);
  StepWorkspace workspace;
  Executor executor(1);
  for (auto _ : bench) {
    State state = start;
    for (int k = 0; k < 240; ++k) step(**model, state, workspace, executor);
  }
}
BENCHMARK(sleeping_copies)->Arg(1)->Arg(200)->ArgName("copies")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
