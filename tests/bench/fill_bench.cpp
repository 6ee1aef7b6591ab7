// Filling spot.obj (5,856 triangles) with about 3,000 tetrahedra. Bar: under 15 s in the background; called
// off within 0.3 s.
#include <benchmark/benchmark.h>

#include <chrono>
#include <thread>

#include "core/geometry/truss/tetra_fill.h"
#include "core/import/mesh_file.h"

namespace {

using namespace hazumi;

DisplayMesh creature() {
  Result<ImportedMesh> mesh = load_mesh_file(HAZUMI_SOURCE_DIR "/scenes/spot.obj", {});
  return mesh.ok() ? std::move(mesh.value().mesh) : DisplayMesh();
}

void fill_creature(benchmark::State& state) {
  const DisplayMesh mesh = creature();
  TetraFillOptions options;
  options.tetrahedra = static_cast<int>(state.range(0));
  for (auto _ : state) {
    const Result<TetraFill> fill = fill_with_tetrahedra(mesh, options);
    if (!fill.ok()) return state.SkipWithError(fill.error().message.c_str());
    state.counters["tetrahedra"] = static_cast<double>(fill->truss.tetrahedra.size());
    state.counters["nodes"] = static_cast<double>(fill->truss.nodes.size());
  }
}
BENCHMARK(fill_creature)->Arg(1000)->Arg(3000)->Arg(10000)->Unit(benchmark::kMillisecond)->UseRealTime();

/// From the moment that a fill of 60,000 tetrahedra is called off until it has ended.
void call_off_fill(benchmark::State& state) {
  const DisplayMesh mesh = creature();
  for (auto _ : state) {
    std::atomic<bool> stop = false;
    TetraFillOptions options;
    options.tetrahedra = 60'000;
    options.cancelled = &stop;
    std::thread job([&] { benchmark::DoNotOptimize(fill_with_tetrahedra(mesh, options).ok()); });
    std::this_thread::sleep_for(std::chrono::milliseconds(state.range(0)));
    const auto asked = std::chrono::steady_clock::now();
    stop = true;
    job.join();
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count());
  }
}
BENCHMARK(call_off_fill)->Arg(50)->Arg(500)->Arg(2000)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(3);

}  // namespace
