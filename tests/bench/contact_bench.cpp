// 100 flexible bodies of 12 nodes with skins of about 2,000 vertices: simulate a frame and map it, on one core. 60 frames a
// second are wanted: below 16.6 ms. Falling (range 0): the first half second; heap (range 1): all of them lie on the floor
// and on each other.
#include <benchmark/benchmark.h>

#include "core/motion/compile.h"
#include "core/playback/simulator.h"
#include "core/sim/step.h"
#include "tests/support/world.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

Scene hundred_bodies() {
  Scene scene;
  scene.objects.push_back(
      make_object(1, "", {PrimitiveShape::plane, Vec3(40, 1, 40), {1, 1, 1}}, Vec3::Zero(), BodyKind::fixed));
  for (int k = 0; k < 100; ++k) {
    const Vec3 at(0.6 * (k % 5), 0.4 + 0.6 * (k / 25), 0.6 * (k / 5 % 5));
    Object o = World::jelly(0.25, at, 2000);
    o.id = Id{static_cast<std::uint64_t>(k + 2)};
    o.display.primitive.divisions = {64, 32, 1};
    scene.objects.push_back(o);
  }
  return scene;
}

void hundred_bodies_frame(benchmark::State& bench) {
  MeshStore meshes;
  auto model = compile(hundred_bodies(), meshes);
  if (!model.ok()) return bench.SkipWithError(model.error().message.c_str());
  State state = initial_state(**model);
  StepWorkspace workspace;
  Executor executor(1);
  const auto frame = [&] {
    for (int k = 0; k < (*model)->substeps; ++k)
      if (!step(**model, state, workspace, executor).ok) bench.SkipWithError("diverged");
  };
  if (bench.range(0) == 1)
    for (int k = 0; k < 180; ++k) frame();
  int index = 0;
  for (auto _ : bench) {
    frame();
    benchmark::DoNotOptimize(make_frame(**model, state, index++, executor));
  }
  bench.counters["vertices"] = static_cast<double>((*model)->bodies[100].mesh->positions.size());
  bench.counters["rows"] = static_cast<double>(state.rows.size());
}
BENCHMARK(hundred_bodies_frame)->Arg(0)->Arg(1)->Iterations(40)->Unit(benchmark::kMillisecond);

}  // namespace
