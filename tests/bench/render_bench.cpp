// What drawing costs before and on the graphics card. Bar: the picture list of 1,000 objects is cheap beside a frame.
#include <benchmark/benchmark.h>

#include "render/offscreen.h"
#include "render/picking.h"

namespace {

using namespace hazumi;

Scene many(int count, PrimitiveShape shape, const std::array<int, 3>& divisions) {
  Scene scene;
  for (int i = 0; i < count; ++i) {
    Object object;
    object.id = Id{static_cast<std::uint64_t>(i + 1)};
    object.display.primitive.shape = shape;
    object.display.primitive.size = Vec3(0.3, 0.3, 0.3);
    object.display.primitive.divisions = divisions;
    object.analysis.kind = AnalysisKind::icosahedron;
    object.analysis.divisions = {1, 1, 1};
    object.analysis.size = Vec3(0.3, 0.3, 0.3);
    object.transform.position = Vec3(i % 10 - 4.5, i / 100 * 0.5, i / 10 % 10 - 4.5);
    scene.objects.push_back(object);
  }
  Light sun;
  sun.id = Id{static_cast<std::uint64_t>(count + 1)};
  sun.shadow = true;
  scene.lights.push_back(sun);
  return scene;
}

void extract_objects(benchmark::State& state, AnalysisOverlay overlay) {
  const Scene scene = many(1000, PrimitiveShape::sphere, {48, 40, 1});
  MeshCache meshes;
  ViewOptions options;
  options.analysis = overlay;
  const ViewCamera camera;
  for (auto _ : state) benchmark::DoNotOptimize(extract(scene, nullptr, camera, 1.6f, options, {}, meshes));
  state.SetLabel("1,000 objects of about 2,000 vertices");
}
BENCHMARK_CAPTURE(extract_objects, plain, AnalysisOverlay::off)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(extract_objects, overlay, AnalysisOverlay::all)->Unit(benchmark::kMillisecond);

void pick_among_objects(benchmark::State& state) {
  const Scene scene = many(1000, PrimitiveShape::sphere, {48, 40, 1});
  MeshCache meshes;
  const ViewCamera camera;
  const RenderList list = extract(scene, nullptr, camera, 1.6f, {}, {}, meshes);
  for (auto _ : state) benchmark::DoNotOptimize(pick(list, scene, camera, {400, 300}, {960, 600}));
}
BENCHMARK(pick_among_objects)->Unit(benchmark::kMillisecond);

void draw_picture(benchmark::State& state, int count) {
  auto made = OffscreenRenderer::create();
  if (!made) return state.SkipWithError(made.error().message.c_str());
  const Scene scene = many(count, PrimitiveShape::sphere, {48, 40, 1});
  MeshCache meshes;
  const ViewCamera camera;
  const RenderList list = extract(scene, nullptr, camera, 16.0f / 9, {}, {}, meshes);
  PictureOptions options;
  options.samples = static_cast<int>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(made.value()->draw(list, options).ok());
  state.SetLabel("1280 × 720 with reading back");
}
BENCHMARK_CAPTURE(draw_picture, objects_20, 20)->Arg(1)->Arg(4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_picture, objects_1000, 1000)->Arg(4)->Unit(benchmark::kMillisecond);

}  // namespace
