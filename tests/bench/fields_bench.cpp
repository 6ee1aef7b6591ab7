// What fields of force cost: a sub-step of 500 boxes and of a flag of 77 nodes in gusts, with the field and without. Nothing touches.
#include <benchmark/benchmark.h>

#include "core/motion/compile.h"
#include "core/sim/step.h"
#include "tests/support/world.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

World in_wind(bool wind) {
  World world;
  if (!wind) return world;
  ForceField field;
  field.id = next_id(world.scene);
  field.gust = 2;
  world.scene.fields = {field};
  return world;
}

World boxes(bool wind) {
  World world = in_wind(wind);
  for (int i = 0; i < 500; ++i) {
    Object box = World::box(Vec3(0.4, 0.3, 0.2), Vec3(i % 25, 2 + i / 25, 0), 1);
    box.contact.enabled = false;
    world.add(box);
  }
  return world;
}

World flag(bool wind) {
  World world = in_wind(wind);
  Object cloth =
      make_object(0, "flag", {PrimitiveShape::box, Vec3(1.5, 0.03, 0.9), {10, 1, 6}}, Vec3::Zero(), BodyKind::flexible);
  cloth.analysis.kind = AnalysisKind::plane_grid;
  cloth.analysis.divisions = {10, 1, 6};
  cloth.analysis.size = cloth.display.primitive.size;
  cloth.contact.enabled = false;
  world.add(cloth);
  return world;
}

void substeps(benchmark::State& bench, const World& world) {
  MeshStore meshes;
  const auto model = compile(world.scene, meshes);
  if (!model.ok()) return bench.SkipWithError("cannot be compiled");
  State state = initial_state(**model);
  StepWorkspace workspace;
  Executor executor(1);
  for (auto _ : bench) benchmark::DoNotOptimize(step(**model, state, workspace, executor));
}

void boxes_in_gusts(benchmark::State& bench) { substeps(bench, boxes(bench.range(0) != 0)); }
void flag_in_gusts(benchmark::State& bench) { substeps(bench, flag(bench.range(0) != 0)); }
BENCHMARK(boxes_in_gusts)->Arg(0)->Arg(1)->ArgName("wind")->Unit(benchmark::kMicrosecond);
BENCHMARK(flag_in_gusts)->Arg(0)->Arg(1)->ArgName("wind")->Unit(benchmark::kMicrosecond);

}  // namespace
