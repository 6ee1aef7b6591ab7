// The frictional problem of one large island (core/sim/constraint/cone.h): 17³ boxes in a wall bond, 19,652 rows, after a
// sub-step of fall, from nothing and from the λ of the solve before. 1,000 bodies with 20,000 rows are to take less than 8 ms a
// sub-step. `parts`: W by the bodies instead of its blocks. Small: the direct method, against gradients. Counters: passes, and what one costs.
#include <benchmark/benchmark.h>

#include "tests/sim/constraint/cone_support.h"

namespace {

using namespace hazumi;
using namespace hazumi::cone_test;

void cone_pile(benchmark::State& bench) {
  const Island island = pile(static_cast<int>(bench.range(0)), 0.5);
  const IslandByParts by_parts(island);
  const ConeIsland view = bench.range(3) ? by_parts.view() : island.view();
  const ConeOptions options = {.method = static_cast<ConeMethod>(bench.range(1)), .most_passes = 400};
  ConeWorkspace workspace;
  std::vector<Vec3> start(island.rows.size(), Vec3::Zero());
  if (bench.range(2)) solve_cone(view, options, workspace, start);
  ConeResult result;
  for (auto _ : bench) {
    std::vector<Vec3> impulse = start;
    result = solve_cone(view, options, workspace, impulse);
    benchmark::DoNotOptimize(impulse.data());
  }
  const int passes = result.guesses + result.passes;
  bench.counters["rows"] = static_cast<double>(island.rows.size());
  bench.counters["blocks"] = static_cast<double>(island.w.block.size());
  bench.counters["passes"] = passes;
  bench.counters["change"] = result.change;
  bench.counters["s_pass"] =
      benchmark::Counter(passes, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
constexpr auto kGradients = static_cast<int>(ConeMethod::gradients), kDirect = static_cast<int>(ConeMethod::direct);
BENCHMARK(cone_pile)
    ->ArgNames({"side", "method", "warm", "parts"})
    ->Args({17, kGradients, 0, 0})
    ->Args({17, kGradients, 1, 0})
    ->Args({17, kGradients, 0, 1})
    ->Args({17, kGradients, 1, 1})
    ->Args({2, kGradients, 0, 0})
    ->Args({2, kDirect, 0, 0})
    ->Unit(benchmark::kMillisecond);

}  // namespace
