// What keeping a volume costs, at 125 nodes. All rows are in processor time, measured alternately in one run.
//
//   volume/row           a step of a body that keeps its volume, in the units of the plain step of the same body: it makes 3 to 5 of them
//   volume/closed_form   Newton's rule on λ alone, from where a plain step came (volume_search.h); `of_step`: its share of that step
//   volume/search        the thesis's optimisation from the same place; `times`: how much longer than the closed form
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>

#include "core/sim/elastic/kept_volume.h"
#include "core/sim/elastic/volume_search.h"
#include "tests/sim/elastic_support.h"

namespace {

using namespace hazumi;
using namespace hazumi::elastic_test;
using hazumi::elastic_test::Body;  // not the Body of a compiled model

double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

Truss body() { return lattice(5, 0.1, 0.008, 800, 0.05); }

std::unique_ptr<ElasticSolver> plain(const Truss& truss) {
  return std::move(find_elastic_solver("lagrange")->make(setup_of(truss))).value();
}

void start(Body& b, std::size_t nodes) {
  b.start(Vec3::Zero(), Vec3(1, 3, 2));
  b.solver->apply_impulses(b.state, kicks(nodes, 2e-3));
}

void row(benchmark::State& bench) {
  const Truss truss = body();
  auto made = KeptVolume::make(plain(truss), setup_of(truss), {VolumeOf::surface});
  Body kept(std::move(made).value()), free(plain(truss));
  start(kept, truss.nodes.size());
  start(free, truss.nodes.size());
  std::vector<double> with, without;
  for (auto _ : bench) {
    const double t0 = now();
    free.step();
    const double t1 = now();
    kept.step();
    const double t2 = now();
    without.push_back(t1 - t0);
    with.push_back(t2 - t1);
    bench.SetIterationTime(t2 - t1);
  }
  bench.counters["of_step"] = median(with) / median(without);
}
BENCHMARK(row)->Name("volume/row")->UseManualTime()->MinTime(0.5);

void closed_form(benchmark::State& bench) {
  const Truss truss = body();
  const EnclosedVolume surface(truss.hull);
  const double wanted = surface.volume(truss.nodes);
  Body b(plain(truss));
  start(b, truss.nodes.size());
  std::vector<double> closed, steps;
  for (auto _ : bench) {
    const double t0 = now();
    b.step();
    const double t1 = now();
    auto x = b.positions();
    const double t2 = now();
    benchmark::DoNotOptimize(move_to_volume(surface, truss.masses, {}, wanted, x));
    const double t3 = now();
    steps.push_back(t1 - t0);
    closed.push_back(t3 - t2);
    bench.SetIterationTime(t3 - t2);
  }
  bench.counters["of_step"] = median(closed) / median(steps);
}
BENCHMARK(closed_form)->Name("volume/closed_form")->UseManualTime()->MinTime(0.5);

void search(benchmark::State& bench) {
  const Truss truss = body();
  const EnclosedVolume surface(truss.hull);
  const double wanted = surface.volume(truss.nodes);
  Body b(plain(truss));
  start(b, truss.nodes.size());
  std::vector<double> closed, searched;
  double off = 0;
  for (auto _ : bench) {
    const auto before = b.positions();
    b.step();
    const auto moved = b.positions();
    const double t0 = now();
    const SearchedVolume found = searched_volume(surface, {before, moved, {}, wanted});
    const double t1 = now();
    auto x = moved;
    benchmark::DoNotOptimize(move_to_volume(surface, truss.masses, {}, wanted, x));
    const double t2 = now();
    searched.push_back(t1 - t0);
    closed.push_back(t2 - t1);
    off = std::max(off, found.off);
    bench.SetIterationTime(t1 - t0);
  }
  bench.counters["times"] = median(searched) / median(closed);
  bench.counters["off"] = off;
}
BENCHMARK(search)->Name("volume/search")->UseManualTime()->Iterations(5);

}  // namespace
