// What armed events cost (issue: under a tenth of the step): a thousand balls that bounce on a floor, each with ten events that wait for what
// does not come, and without them; the same balls in free flight, whose step costs nearly nothing; and a thousand boxes that fall on each
// other. One sub-step an iteration.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "core/motion/compile.h"
#include "core/motion/kinds.h"
#include "core/sim/step.h"
#include "tests/support/world.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

constexpr int kBalls = 1000;

enum class What { bouncing, flying, boxes };

Object one_of(What what, int k) {
  if (what == What::boxes)
    return World::box(Vec3::Constant(0.2),
                      Vec3(0.23 * (k % 10) + 0.004 * (k % 7), 0.12 + 0.23 * (k / 100), 0.23 * (k / 10 % 10)));
  const double height = what == What::flying ? 100 : 0.1;
  return World::sphere(0.1, Vec3(0.25 * (k % 30), 0.1 + height + 0.001 * (k % 97), 0.25 * (k / 30)));
}

Scene things(bool events, What what) {
  World world;
  const Id floor = world.floor(0.5, 0.9);
  std::vector<Id> all;
  for (int k = 0; k < kBalls; ++k) all.push_back(world.add(one_of(what, k)));
  if (!events) return world.scene;
  std::uint64_t next = next_id(world.scene).value;
  const auto add = [&](const char* kind, Id object, Id other, std::vector<MotionParameter> parameters,
                       const char* only_if = "") {
    MotionNode node;
    node.id = Id{next++};
    node.kind = kind;
    node.object = object.value;
    node.other = other.value;
    node.condition = only_if;
    node.parameters = std::move(parameters);
    world.scene.motion.push_back(Shared<MotionNode>(std::move(node)));
  };
  for (const Id ball : all) {
    add("time", ball, {}, {{"time", {}, 1e5}});
    add("contact", ball, floor, {{"above", {}, 1e6}});
    add("contact", ball, {}, {{"above", {}, 1e6}});
    add("bounces", ball, floor, {{"count", {}, 1e6}});
    add("touch", ball, floor, {}, "t > 1e5");
    add("near", ball, floor, {{"limit", {}, 0.001}});
    add("speed", ball, {}, {{"limit", {}, 1e4}});
    add("height", ball, {}, {{"limit", {}, -100}});
    add("message", ball, {}, {});
    add("condition", ball, {}, {}, "y < -10");
  }
  return world.scene;
}

void run(benchmark::State& bench, What what) {
  MeshStore meshes;
  const auto model = compile(things(bench.range(0) != 0, what), meshes).value();
  State state = initial_state(*model);
  StepWorkspace workspace;
  Executor executor(1);
  for (int k = 0; k < 60; ++k) step(*model, state, workspace, executor);
  for (auto _ : bench) {
    benchmark::DoNotOptimize(step(*model, state, workspace, executor).ok);
    if (state.substep > 400) {
      bench.PauseTiming();
      state = initial_state(*model);
      for (int k = 0; k < 60; ++k) step(*model, state, workspace, executor);
      bench.ResumeTiming();
    }
  }
}

void events_of_bouncing_balls(benchmark::State& bench) { run(bench, What::bouncing); }
void events_of_flying_balls(benchmark::State& bench) { run(bench, What::flying); }
void events_of_falling_boxes(benchmark::State& bench) { run(bench, What::boxes); }

}  // namespace

BENCHMARK(events_of_bouncing_balls)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);
BENCHMARK(events_of_flying_balls)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);
BENCHMARK(events_of_falling_boxes)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);
