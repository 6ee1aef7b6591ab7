// Mapping 100,000 display vertices (spec 1.6: less than simulating 1,000 nodes; issue 3: under 2 ms on two threads).
#include <benchmark/benchmark.h>

#include "core/geometry/mapping/linear.h"
#include "core/geometry/primitives.h"

namespace {

using namespace hazumi;

void map_100k_vertices(benchmark::State& state) {
  Primitive sphere;
  sphere.shape = PrimitiveShape::sphere;
  sphere.divisions = {400, 251, 1};
  const DisplayMesh mesh = make_primitive(sphere);
  TrussRecipe recipe;
  recipe.shape = TrussShape::icosahedron;
  recipe.divisions = {10, 1, 1};
  const Truss truss = make_truss(recipe);
  const LinearMapping mapping(mesh, truss);
  std::vector<Vec3f> positions(mesh.positions.size()), normals(mesh.positions.size());
  Executor executor(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    mapping.map_vertices(truss.nodes, {mapping.origin(), Quat::Identity()}, positions, normals, executor);
    benchmark::DoNotOptimize(positions.data());
  }
  state.counters["vertices"] = static_cast<double>(positions.size());
  state.counters["nodes"] = static_cast<double>(truss.nodes.size());
}
BENCHMARK(map_100k_vertices)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
