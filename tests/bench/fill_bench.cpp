// Filling spot.obj (5,856 triangles) with about 3,000 tetrahedra. Bar: under 15 s in the background; called
// off within 0.3 s.
#include <benchmark/benchmark.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "core/geometry/primitives.h"
#include "core/geometry/tetra_fill.h"
#include "core/import/mesh_file.h"

namespace {

using namespace hazumi;

/// spot.obj, beside the repository (shared/data); without it a sphere of as many triangles, and the row says
/// so.
DisplayMesh creature(std::string& name) {
  const std::filesystem::path file = HAZUMI_SOURCE_DIR "/../shared/data/spot.obj";
  if (Result<ImportedMesh> mesh = load_mesh_file(file, {}); mesh.ok()) {
    name = "spot.obj";
    return std::move(mesh.value().mesh);
  }
  name = "a sphere, spot.obj is not there";
  return make_primitive({PrimitiveShape::sphere, Vec3(1, 1.4, 1), {70, 43, 1}});
}

void fill_creature(benchmark::State& state) {
  std::string name;
  const DisplayMesh mesh = creature(name);
  TetraFillOptions options;
  options.tetrahedra = static_cast<int>(state.range(0));
  for (auto _ : state) {
    const Result<TetraFill> fill = fill_with_tetrahedra(mesh, options);
    if (!fill.ok()) return state.SkipWithError(fill.error().message.c_str());
    state.counters["tetrahedra"] = static_cast<double>(fill->truss.tetrahedra.size());
    state.counters["nodes"] = static_cast<double>(fill->truss.nodes.size());
  }
  state.SetLabel(name);
}
BENCHMARK(fill_creature)->Arg(1000)->Arg(3000)->Arg(10000)->Unit(benchmark::kMillisecond)->UseRealTime();

/// From the moment that a fill of 60,000 tetrahedra is called off until it has ended.
void call_off_fill(benchmark::State& state) {
  std::string name;
  const DisplayMesh mesh = creature(name);
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
  state.SetLabel(name);
}
BENCHMARK(call_off_fill)
    ->Arg(50)
    ->Arg(500)
    ->Arg(2000)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(3);

}  // namespace
