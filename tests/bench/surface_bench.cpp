// Two meshes of 10,000 faces that rest on each other: flat on flat (range 0: boxes whose faces are divided) and round in a hollow
// (range 1: a sphere in a torus). Below 3 ms a sub-step is wanted.
#include <benchmark/benchmark.h>

#include "core/motion/compile.h"
#include "core/sim/step.h"
#include "tests/support/world.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

void two_meshes_substep(benchmark::State& bench) {
  World world;
  Object below = World::box(Vec3(1, 0.5, 1), Vec3(0, -0.25, 0));
  Object above = World::box(Vec3(0.9, 0.5, 0.9), Vec3(0, 0.25, 0));
  below.display.primitive.divisions = above.display.primitive.divisions = {29, 29, 29};
  if (bench.range(0) == 1) {
    below.display.primitive = {PrimitiveShape::torus, Vec3(1, 0.4, 1), {100, 50, 1}};
    above.display.primitive = {PrimitiveShape::sphere, Vec3(0.6, 0.6, 0.6), {100, 51, 1}};
    above.transform.position.y() = 0.4;
  }
  below.contact.shape = above.contact.shape = ContactShape::surface;
  below.body.kind = BodyKind::fixed;
  world.add(below);
  world.add(above);
  MeshStore meshes;
  const auto model = compile(world.scene, meshes);
  if (!model.ok()) return bench.SkipWithError(model.error().message.c_str());
  State state = initial_state(**model);
  StepWorkspace workspace;
  Executor executor(1);
  for (int k = 0; k < 480; ++k) step(**model, state, workspace, executor);
  for (auto _ : bench)
    if (!step(**model, state, workspace, executor).ok) bench.SkipWithError("diverged");
  bench.counters["faces"] = static_cast<double>((*model)->bodies[1].mesh->faces.size());
  bench.counters["rows"] = static_cast<double>(state.rows.size());
}
BENCHMARK(two_meshes_substep)->Arg(0)->Arg(1)->Iterations(400)->Unit(benchmark::kMillisecond);

}  // namespace
