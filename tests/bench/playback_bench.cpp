// Bars of issue 2: scrubbing cached frames of 100,000 vertices under 16 ms without drawing; a scene of 1,000 objects opens
// under 1 s; an edit of one object among 1,000 (new scene, check, diff) under 1 ms, and handing it to the background fill.
#include <benchmark/benchmark.h>

#include <cstring>
#include <filesystem>

#include "core/motion/compile.h"
#include "core/playback/background_fill.h"
#include "core/scene/diff.h"
#include "core/scene/document.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/support/world.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

/// A thousand balls in a block, each with a name, a place and a speed of its own.
Scene thousand_running() {
  Scene scene;
  scene.name = "Thousand";
  scene.objects.push_back(make_object(1, "Floor", {PrimitiveShape::plane}, Vec3::Zero(), BodyKind::fixed));
  for (int i = 1; i < 1000; ++i) {
    Object o =
        make_object(static_cast<std::uint64_t>(i + 1), "Ball " + std::to_string(i),
                    {PrimitiveShape::sphere, Vec3::Constant(0.5), {12, 8, 1}}, Vec3(i % 10, 1 + i / 100, i / 10 % 10));
    o.body.velocity = Vec3(0.01 * i, 0, 0);
    scene.objects.push_back(o);
  }
  return scene;
}

FramePtr large_frame(int index, std::size_t vertices) {
  auto frame = std::make_shared<Frame>();
  frame->index = index;
  frame->objects.resize(1);
  ObjectFrame& object = frame->objects[0];
  object.id = Id{1};
  object.deformed = true;
  object.vertices.assign(vertices, Vec3f::Constant(static_cast<float>(index)));
  object.normals.assign(vertices, Vec3f::UnitY());
  return frame;
}

/// Finding the frame and copying positions and normals, interleaved, to where a vertex buffer would be.
void scrub_100k_vertices(benchmark::State& state) {
  constexpr std::size_t kVertices = 100'000;
  constexpr int kFrames = 200;
  FrameCache cache;
  for (int f = 0; f < kFrames; ++f) cache.append(cache.generation(), large_frame(f, kVertices));
  std::vector<float> buffer(6 * kVertices);
  int at = 0;
  for (auto _ : state) {
    at = (at + 77) % kFrames;  // here and there, as a hand does
    const FramePtr frame = cache.frame(at);
    const ObjectFrame* object = frame->find(Id{1});
    float* out = buffer.data();
    for (std::size_t v = 0; v < kVertices; ++v, out += 6) {
      std::memcpy(out, object->vertices[v].data(), 3 * sizeof(float));
      std::memcpy(out + 3, object->normals[v].data(), 3 * sizeof(float));
    }
    benchmark::DoNotOptimize(buffer.data());
    benchmark::ClobberMemory();
  }
  state.counters["bar_ms"] = 16;
}
BENCHMARK(scrub_100k_vertices)->Unit(benchmark::kMillisecond);

/// From a file to a model that can run.
void open_1000_objects(benchmark::State& state) {
  const auto file = std::filesystem::temp_directory_path() / "hazumi-bench-thousand.json";
  if (!save_scene(thousand_running(), file)) return state.SkipWithError("cannot write the scene");
  for (auto _ : state) {
    const auto scene = load_scene(file);
    if (!scene || has_error(validate(*scene))) return state.SkipWithError("the scene is refused");
    MeshStore meshes;
    const auto model = compile(*scene, meshes);
    if (!model) return state.SkipWithError("the scene does not compile");
    benchmark::DoNotOptimize(model.value().get());
  }
  std::filesystem::remove(file);
  state.counters["bar_ms"] = 1000;
}
BENCHMARK(open_1000_objects)->Unit(benchmark::kMillisecond);

/// What one mouse move of a drag costs, up to and with the undo entry's two versions.
void edit_and_undo_entry_of_1000(benchmark::State& state) {
  Document document(thousand_running());
  std::vector<std::pair<Shared<Scene>, Shared<Scene>>> undo;
  double x = 0;
  for (auto _ : state) {
    const Shared<Scene> before = document.snapshot();
    x += 0.001;
    const Shared<Scene> after(with_object(*before, Id{500}, [x](Object& o) { o.transform.position.x() = x; }));
    if (has_error(validate_change(*before, *after))) return state.SkipWithError("the edit is refused");
    const ChangeSet change = diff(*before, *after, [](const Cause&) { return 0; });
    benchmark::DoNotOptimize(change.first_frame);
    undo.emplace_back(before, after);
    document.set_scene(after);
    if (undo.size() > 100) undo.clear();
  }
  state.counters["bar_ms"] = 1;
}
BENCHMARK(edit_and_undo_entry_of_1000)->Unit(benchmark::kMillisecond);

/// How long the interface is held up when it hands the edit on: the worker is busy all the while.
void hand_edit_to_fill(benchmark::State& state) {
  FrameCache cache;
  BackgroundFill fill(cache, 1, {});
  Shared<Scene> before(thousand_running());
  fill.start(before, 0, 100'000);
  double x = 0;
  for (auto _ : state) {
    state.PauseTiming();
    x += 0.001;
    const Shared<Scene> after(with_object(*before, Id{500}, [x](Object& o) { o.transform.position.x() = x; }));
    state.ResumeTiming();
    fill.start(after, 0, 100'000);
    before = after;
  }
}
BENCHMARK(hand_edit_to_fill)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
