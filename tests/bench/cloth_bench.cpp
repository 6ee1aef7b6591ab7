// What a cloth costs where many of its places are held: a frame of four sub-steps of one that falls flat on a floor and of one that drapes over
// a table (the mean of the first 40 frames). N × N squares, 1.4 m, 0.4 kg, 400 N/m.
#include <benchmark/benchmark.h>

#include "core/motion/compile.h"
#include "core/sim/step.h"
#include "tests/support/world.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

constexpr int kSubsteps = 4;

Object cloth(int squares) {
  Object o = make_object(0, "cloth", {PrimitiveShape::plane, Vec3(1.4, 1, 1.4), {squares, 1, squares}}, Vec3::Zero(),
                         BodyKind::flexible);
  o.analysis.kind = AnalysisKind::cloth;
  o.analysis.divisions = {squares, 1, squares};
  o.analysis.size = o.display.primitive.size;
  o.analysis.bending = 2e-4;
  o.body.solver = "springs";
  o.body.mass = 0.4;
  o.body.stiffness = 400;
  o.body.damping = 0.4;
  o.body.drag_linear = 0.8;
  o.contact.self_collision = true;
  o.contact.thickness = 0.005;
  o.material.substance.restitution = 0;
  o.material.substance.friction = 0.4;
  return o;
}

void frames(benchmark::State& bench, World world, int count) {
  world.scene.settings.substeps = kSubsteps;
  MeshStore meshes;
  const auto model = compile(world.scene, meshes);
  if (!model.ok()) return bench.SkipWithError("cannot be compiled");
  StepWorkspace workspace;
  Executor executor(1);
  for (auto _ : bench) {
    State state = initial_state(**model);
    for (int n = 0; n < count * kSubsteps; ++n)
      if (!step(**model, state, workspace, executor).ok) return bench.SkipWithError("stopped");
  }
  bench.counters["frame_ms"] =
      benchmark::Counter(1e-3 * count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void cloth_flat(benchmark::State& bench) {
  World world;
  world.floor(0.4, 0);
  Object o = cloth(static_cast<int>(bench.range(0)));
  o.transform.position.y() = 0.03;
  world.add(o);
  frames(bench, std::move(world), 10);
}

void cloth_draped(benchmark::State& bench) {
  World world;
  world.floor(0.4, 0);
  Object table = make_object(0, "table", {PrimitiveShape::cylinder, Vec3(0.9, 0.04, 0.9), {32, 1, 1}}, Vec3(0, 0.72, 0),
                             BodyKind::fixed);
  table.material.substance.friction = 0.4;
  world.add(table);
  Object o = cloth(static_cast<int>(bench.range(0)));
  o.transform.position = Vec3(0.03, 0.8, 0.02);
  o.transform.rotation = Quat(Eigen::AngleAxisd(0.2, Vec3::UnitY()));
  world.add(o);
  frames(bench, std::move(world), 40);
}

BENCHMARK(cloth_flat)->Arg(12)->Arg(20)->Arg(40)->ArgName("squares")->Unit(benchmark::kMillisecond);
BENCHMARK(cloth_draped)->Arg(12)->Arg(20)->Arg(30)->Arg(40)->ArgName("squares")->Unit(benchmark::kMillisecond);

}  // namespace
