// An edit of one object among 1,000 (new scene, validate, diff: under 1 ms) and opening a scene of 1,000
// objects (under 1 s).
#include <benchmark/benchmark.h>

#include "core/scene/diff.h"
#include "core/scene/scene_io.h"
#include "core/scene/validate.h"

namespace {

using namespace hazumi;

Scene thousand_objects() {
  Scene scene;
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    Object object;
    object.id = Id{i};
    object.name = "Object " + std::to_string(i);
    object.transform.position = Vec3(0.1 * static_cast<double>(i), 0, 0);
    object.analysis.kind = AnalysisKind::icosahedron;
    object.body.kind = BodyKind::flexible;
    scene.objects.push_back(object);
  }
  return scene;
}

void edit_one_of_1000(benchmark::State& state) {
  const Shared<Scene> before = thousand_objects();
  double mass = 1;
  for (auto _ : state) {
    mass += 0.001;
    const Shared<Scene> after = with_object(*before, Id{700}, [&](Object& o) { o.body.mass = mass; });
    const Diagnostics problems = validate_change(*before, *after);
    const ChangeSet change = diff(*before, *after, {});
    if (!problems.empty() || change.first_frame != 0)
      state.SkipWithError("the edit was not what it should be");
    benchmark::DoNotOptimize(after.get());
  }
}
BENCHMARK(edit_one_of_1000)->Unit(benchmark::kMicrosecond);

void open_scene_of_1000(benchmark::State& state) {
  const std::string text = scene_to_text(thousand_objects());
  for (auto _ : state) {
    const Result<Scene> scene = scene_from_text(text, "");
    if (!scene.ok()) state.SkipWithError("the scene did not load");
    benchmark::DoNotOptimize(scene.ok());
  }
  state.counters["bytes"] = static_cast<double>(text.size());
}
BENCHMARK(open_scene_of_1000)->Unit(benchmark::kMillisecond);

void signature_of_1000(benchmark::State& state) {
  const Scene scene = thousand_objects();
  for (auto _ : state) benchmark::DoNotOptimize(simulation_signature(scene));
}
BENCHMARK(signature_of_1000)->Unit(benchmark::kMicrosecond);

}  // namespace
