// What the contact bars of speed are read from, sub-steps on one core where nothing else is said:
//   warm_pile         boxes in a wall bond that have just come to lie: every sub-step solved from the λ before; asleep
//                     (range 1): the same when they have fallen asleep. Wanted: 20,000 rows below 30 ms, asleep below 0.5 ms
//   broad_phase       pairs of 10,000 boxes that all move. Wanted: below 4 ms
//   spread_spheres    100 and 1,000 balls, each alone on the plane. Wanted: time ~ count^1.1 at most
//   soft_balls        217 soft balls of twelve nodes that fall on each other: a frame and its meshes, two threads. Wanted: below 16.6 ms
//   stacks            sixty stacks of eight boxes, one and two threads. Wanted: two at least 1.5 times as fast
//   shipped_scene     a frame of a shipped scene, over its whole length. Wanted: below 4.17 ms
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "core/motion/compile.h"
#include "core/playback/simulator.h"
#include "core/scene/file/scene_io.h"
#include "core/sim/contact/shape.h"
#include "core/sim/step.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/world.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

struct Going {
  std::shared_ptr<const Model> model;
  State state;
  StepWorkspace workspace;
  Executor executor;
  ContactFigures figures;

  Going(const Scene& scene, int threads) : executor(threads) {
    MeshStore meshes;
    const auto surfaces = meshes.prepare(scene, 2);
    model = *compile(scene, meshes);
    state = initial_state(*model);
  }
  bool steps(int count) {
    for (int k = 0; k < count; ++k) {
      const StepReport report = step(*model, state, workspace, executor);
      if (!report.ok) return false;
      figures = report.figures;
    }
    return true;
  }
  void tell(benchmark::State& bench) const {
    bench.counters["rows"] = static_cast<double>(state.rows.size());
    bench.counters["solved"] = figures.rows;
    bench.counters["passes"] = figures.passes;
  }
};

Object quiet(Object o) {
  o.material.substance.friction = 0.5;
  o.material.substance.restitution = 0;
  return o;
}

void warm_pile(benchmark::State& bench) {
  const int side = static_cast<int>(bench.range(0));
  World world;
  world.floor(0.5, 0);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      for (int z = 0; z < side; ++z) {
        const double shift = y % 2 ? 0.25 : -0.25;
        world.add(
            quiet(World::box(Vec3(0.98, 0.5, 0.98), Vec3(x - 0.5 * side + shift, 0.25 + 0.5 * y, z - 0.5 * side))));
      }
  Going going(world.scene, 1);
  if (!going.steps(bench.range(1) ? 900 : 40)) return bench.SkipWithError("diverged");
  double passes = 0;
  for (auto _ : bench) {
    if (!going.steps(1)) return bench.SkipWithError("diverged");
    passes += going.figures.passes;
  }
  going.tell(bench);
  bench.counters["passes"] = passes / static_cast<double>(bench.iterations());
}

void broad_phase(benchmark::State& bench) {
  const int count = static_cast<int>(bench.range(0));
  World world;
  reference::Dice dice(5);
  const double room = std::cbrt(8.0 * count);
  for (int k = 0; k < count; ++k) {
    Object o = World::box(Vec3(1, 1, 1), room * Vec3(dice.uniform(0, 1), dice.uniform(0, 1), dice.uniform(0, 1)));
    o.body.velocity = 5 * dice.vector();
    world.add(o);
  }
  MeshStore meshes;
  const auto model = *compile(world.scene, meshes);
  const State state = initial_state(*model);
  std::vector<BodyShape> shapes(model->bodies.size());
  std::vector<Vec3> way;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    shapes[i].body = &model->bodies[i];
    shapes[i].active = true;
    read_shape(model->bodies[i], state.bodies[i].values, false, shapes[i]);
    way.push_back(5.0 / 60 * dice.vector());
  }
  NearPairs near;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (auto _ : bench) {
    bench.PauseTiming();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      shapes[i].to = shapes[i].from;
      shapes[i].to.position += way[i];
      finish_shape(shapes[i]);
    }
    bench.ResumeTiming();
    near.find(shapes, pairs);
    bench.PauseTiming();
    for (BodyShape& shape : shapes) shape.from = shape.to;
    bench.ResumeTiming();
  }
  bench.counters["pairs"] = static_cast<double>(pairs.size());
}

void spread_spheres(benchmark::State& bench) {
  World world;
  world.floor(0.5, 0.3);
  const int count = static_cast<int>(bench.range(0)), side = static_cast<int>(std::ceil(std::sqrt(count)));
  for (int k = 0; k < count; ++k) {
    Object o = World::sphere(0.2, Vec3(0.6 * (k % side - side / 2), 0.2, 0.6 * (k / side - side / 2)));
    o.body.velocity = Vec3(0.02, 0, 0.1);
    world.add(o);
  }
  Going going(world.scene, 1);
  if (!going.steps(60)) return bench.SkipWithError("diverged");
  for (auto _ : bench)
    if (!going.steps(1)) return bench.SkipWithError("diverged");
  going.tell(bench);
}

void soft_balls(benchmark::State& bench) {
  World world;
  world.floor(0.5, 0.3);
  reference::Dice dice(9);
  for (int k = 0; k < bench.range(0); ++k) {
    const Vec3 jitter = 0.05 * dice.vector();
    world.add(World::jelly(0.25, Vec3(0.6 * (k % 6), 0.4 + 0.6 * (k / 36), 0.6 * (k / 6 % 6)) + jitter, 2000));
  }
  Going going(world.scene, 2);
  int index = 0;
  for (auto _ : bench) {
    if (!going.steps(going.model->substeps)) return bench.SkipWithError("diverged");
    benchmark::DoNotOptimize(make_frame(*going.model, going.state, index++, going.executor));
  }
  going.tell(bench);
}

void stacks(benchmark::State& bench) {
  World world;
  world.floor(0.5, 0.3);
  for (int k = 0; k < 60; ++k)
    for (int y = 0; y < 8; ++y)
      world.add(quiet(World::box(Vec3(1, 0.5, 1), Vec3(1.5 * (k % 8), 0.26 + 0.52 * y, 1.5 * (k / 8)))));
  Going going(world.scene, static_cast<int>(bench.range(0)));
  for (auto _ : bench)
    if (!going.steps(1)) return bench.SkipWithError("diverged");
  going.tell(bench);
}

void shipped_scene(benchmark::State& bench, const std::string& file) {
  Result<Scene> scene = load_scene(file);
  if (!scene.ok()) return bench.SkipWithError("not read");
  MeshStore meshes;
  const auto surfaces = meshes.prepare(*scene, 2);
  const auto model = *compile(*scene, meshes);
  const int frames = scene->settings.last_frame;
  Executor executor(1);
  double slowest = 0;
  for (auto _ : bench) {
    State state = initial_state(*model);
    StepWorkspace workspace;
    for (int f = 0; f < frames; ++f) {
      const auto begun = std::chrono::steady_clock::now();
      for (int k = 0; k < model->substeps; ++k)
        if (!step(*model, state, workspace, executor).ok) return bench.SkipWithError("diverged");
      slowest = std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
    }
  }
  bench.counters["frame_ms"] =
      benchmark::Counter(1e-3 * frames, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  bench.counters["slowest_ms"] = 1000 * slowest;
}

const bool shipped = [] {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(HAZUMI_SOURCE_DIR "/scenes"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files)
    benchmark::RegisterBenchmark(("shipped_scene/" + file.stem().string()).c_str(), shipped_scene, file.string())
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  return true;
}();

BENCHMARK(warm_pile)
    ->ArgNames({"side", "asleep"})
    ->Args({12, 0})
    ->Args({12, 1})
    ->Iterations(20)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(broad_phase)->Arg(10000)->Iterations(100)->Unit(benchmark::kMillisecond);
BENCHMARK(spread_spheres)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(soft_balls)->Arg(217)->Iterations(40)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(stacks)->ArgName("threads")->Arg(1)->Arg(2)->Iterations(120)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
