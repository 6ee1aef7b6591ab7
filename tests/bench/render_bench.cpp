// What drawing costs before and on the graphics card. Bar: the picture list of 1,000 objects is cheap beside a frame.
#include <benchmark/benchmark.h>

#include "core/base/random.h"
#include "core/motion/compile.h"
#include "core/playback/frame_cache.h"
#include "core/playback/simulator.h"
#include "render/offscreen.h"
#include "render/picking.h"
#include "tests/support/world.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

Scene many(int count, PrimitiveShape shape, const std::array<int, 3>& divisions) {
  Scene scene;
  for (int i = 0; i < count; ++i) {
    Object object = make_object(static_cast<std::uint64_t>(i + 1), "", {shape, Vec3(0.3, 0.3, 0.3), divisions},
                                Vec3(i % 10 - 4.5, i / 100 * 0.5, i / 10 % 10 - 4.5));
    object.analysis.kind = AnalysisKind::icosahedron;
    object.analysis.size = Vec3(0.3, 0.3, 0.3);
    scene.objects.push_back(object);
  }
  Light sun = make_light(static_cast<std::uint64_t>(count + 1), "");
  sun.shadow = true;
  scene.lights.push_back(sun);
  return scene;
}

void extract_objects(benchmark::State& state, AnalysisOverlay overlay) {
  const Scene scene = many(1000, PrimitiveShape::sphere, {48, 40, 1});
  MeshStore meshes;
  ViewOptions options;
  options.analysis = overlay;
  const ViewCamera camera;
  for (auto _ : state) benchmark::DoNotOptimize(extract(scene, nullptr, camera, 1.6f, options, {}, meshes));
  state.SetLabel("1,000 objects of about 2,000 vertices");
}
BENCHMARK_CAPTURE(extract_objects, plain, AnalysisOverlay::off)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(extract_objects, overlay, AnalysisOverlay::all)->Unit(benchmark::kMillisecond);

/// The play head goes here and there over 240 frames of a thousand objects: the frame is found, and what a picture needs of it
/// made. Bar: 60 pictures a second without drawing.
void scrub_1000_objects(benchmark::State& state) {
  constexpr int kFrames = 240;
  const Scene scene = many(1000, PrimitiveShape::sphere, {48, 40, 1});
  FrameCache cache;
  for (int f = 0; f < kFrames; ++f) {
    auto frame = std::make_shared<Frame>();
    frame->index = f;
    for (const auto& object : scene.objects) {
      ObjectFrame own;
      own.id = object->id;
      own.position = object->transform.position.cast<float>() + Vec3f(0, 0.001f * static_cast<float>(f), 0);
      frame->objects.push_back(own);
    }
    cache.append(cache.generation(), frame);
  }
  MeshStore meshes;
  const ViewCamera camera;
  int at = 0;
  for (auto _ : state) {
    at = (at + 77) % kFrames;
    benchmark::DoNotOptimize(extract(scene, cache.frame(at), camera, 1.6f, {}, {}, meshes));
  }
  state.counters["bar_ms"] = 1000.0 / 60;
}
BENCHMARK(scrub_1000_objects)->Unit(benchmark::kMillisecond);

void pick_among_objects(benchmark::State& state) {
  const Scene scene = many(1000, PrimitiveShape::sphere, {48, 40, 1});
  MeshStore meshes;
  const ViewCamera camera;
  const RenderList list = extract(scene, nullptr, camera, 1.6f, {}, {}, meshes);
  for (auto _ : state) benchmark::DoNotOptimize(pick(list, scene, camera, {400, 300}, {960, 600}));
}
BENCHMARK(pick_among_objects)->Unit(benchmark::kMillisecond);

void draw_picture(benchmark::State& state, int count) {
  auto made = OffscreenRenderer::create();
  if (!made) return state.SkipWithError(made.error().message.c_str());
  const Scene scene = many(count, PrimitiveShape::sphere, {48, 40, 1});
  MeshStore meshes;
  const ViewCamera camera;
  const RenderList list = extract(scene, nullptr, camera, 16.0f / 9, {}, {}, meshes);
  PictureOptions options;
  options.samples = static_cast<int>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(made.value()->draw(list, options).ok());
  state.SetLabel("1280 × 720 with reading back");
}
BENCHMARK_CAPTURE(draw_picture, objects_20, 20)->Arg(1)->Arg(4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_picture, objects_1000, 1000)->Arg(4)->Unit(benchmark::kMillisecond);

/// As the window draws while the view is orbited on a software renderer: one sample, small things by fewer faces. Bar: 30 pictures a second.
void draw_in_motion(benchmark::State& state, int count) {
  auto made = OffscreenRenderer::create();
  if (!made) return state.SkipWithError(made.error().message.c_str());
  const Scene scene = many(count, PrimitiveShape::sphere, {48, 40, 1});
  MeshStore meshes;
  const ViewCamera camera;
  const RenderList list = extract(scene, nullptr, camera, 16.0f / 9, {}, {}, meshes);
  PictureOptions options;
  options.samples = 1;
  options.quick = state.range(0) != 0;
  for (int warm = 0; warm < 60; ++warm)  // levels are made a few each picture
    if (options.quick) benchmark::DoNotOptimize(made.value()->draw(list, options).ok());
  for (auto _ : state) benchmark::DoNotOptimize(made.value()->draw(list, options).ok());
  state.SetLabel(options.quick ? "by fewer faces" : "all faces");
}
BENCHMARK_CAPTURE(draw_in_motion, objects_20, 20)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(draw_in_motion, objects_1000, 1000)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

// What each look costs beside the plain picture: twenty balls on a floor that fills most of it. Final is sixteen samples.
struct Looked {
  bool filmic = false, occluded = false, soft = false, fading = false, finest = false;
};
void draw_looks(benchmark::State& state, const Looked& looked) {
  auto made = OffscreenRenderer::create();
  if (!made) return state.SkipWithError(made.error().message.c_str());
  Scene scene = many(20, PrimitiveShape::sphere, {48, 40, 1});
  Object floor = make_object(99, "", {PrimitiveShape::plane, Vec3(20, 1, 20), {1, 1, 1}}, Vec3(0, -0.15, 0));
  floor.body.kind = BodyKind::fixed;
  scene.objects.push_back(floor);
  SceneLook& look = scene.settings.look;
  if (looked.filmic) look.curve = ToneCurve::filmic;
  if (looked.occluded) look.occlusion = 0.7;
  if (looked.soft) look.softness = 0.07;
  look.floor_fades = looked.fading;
  MeshStore meshes;
  const ViewCamera camera;
  const RenderList list = extract(scene, nullptr, camera, 1.6f, {}, {}, meshes);
  PictureOptions options;
  options.width = 1280;
  options.height = 800;
  options.samples = static_cast<int>(state.range(0));
  options.final_quality = looked.finest;
  for (auto _ : state) benchmark::DoNotOptimize(made.value()->draw(list, options).ok());
  state.SetLabel("1280 × 800 with reading back");
}
BENCHMARK_CAPTURE(draw_looks, plain, Looked{})->Arg(1)->Arg(4)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(draw_looks, filmic, Looked{.filmic = true})
    ->Arg(1)
    ->Arg(4)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(draw_looks, occlusion, Looked{.occluded = true})
    ->Arg(1)
    ->Arg(4)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(draw_looks, soft_shadows, Looked{.soft = true})
    ->Arg(1)
    ->Arg(4)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(draw_looks, fading_floor, Looked{.fading = true})
    ->Arg(1)
    ->Arg(4)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(draw_looks, all, Looked{true, true, true, true, false})
    ->Arg(1)
    ->Arg(4)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(draw_looks, final, Looked{.finest = true})->Arg(16)->Unit(benchmark::kMillisecond)->UseRealTime();

/// A hundred thousand particles in a cloud, in the picture's middle third.
void draw_particles(benchmark::State& state, ParticleLook look) {
  auto made = OffscreenRenderer::create();
  if (!made) return state.SkipWithError(made.error().message.c_str());
  Scene scene = many(1, PrimitiveShape::box, {1, 1, 1});
  ParticleSource source;
  source.id = next_id(scene);
  source.look = look;
  source.opacity = 0.5;
  scene.particles.push_back(Shared<ParticleSource>(source));
  MeshStore meshes;
  const auto model = compile(scene, meshes);
  if (!model.ok()) return state.SkipWithError("cannot be compiled");
  Executor executor(2);
  const auto frame = std::make_shared<Frame>(make_frame(**model, initial_state(**model), 0, executor));
  ParticleBlock& block = frame->particles.at(0);
  for (std::uint64_t n = 0; n < 100'000; ++n) {
    const auto unit = [&](std::uint64_t k) { return static_cast<float>(random_unit(1, source.id, n, k)); };
    block.numbers.push_back(n);
    block.positions.emplace_back(4 * unit(0) - 2, 2 * unit(1), 4 * unit(2) - 2);
    block.velocities.emplace_back(0, 1, 0);
    block.ages.push_back(unit(3));
    block.times.push_back(unit(3));
    block.sizes.push_back(0.03f);
    block.masses.push_back(0.001f);
  }
  const ViewCamera camera;
  PictureOptions options;
  options.samples = 4;
  for (auto _ : state) {
    const RenderList list = extract(scene, frame, camera, 16.0f / 9, {}, {}, meshes);
    benchmark::DoNotOptimize(made.value()->draw(list, options).ok());
  }
  state.SetLabel("100,000, 1280 × 720 with reading back");
}
BENCHMARK_CAPTURE(draw_particles, discs, ParticleLook::disc)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_particles, streaks, ParticleLook::streak)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_particles, points, ParticleLook::point)->Unit(benchmark::kMillisecond);

// What is selected is drawn twice more, into a mask and, for what hides it, into depths; read beside the row without.
void draw_outlines(benchmark::State& state, int count, int selected) {
  auto made = OffscreenRenderer::create();
  if (!made) return state.SkipWithError(made.error().message.c_str());
  const Scene scene = many(count, PrimitiveShape::sphere, {48, 40, 1});
  MeshStore meshes;
  const ViewCamera camera;
  ViewSelection selection;
  for (int i = 0; i < selected; ++i) selection.selected.insert(Id{static_cast<std::uint64_t>(i + 1)});
  const RenderList list = extract(scene, nullptr, camera, 16.0f / 9, {}, selection, meshes);
  PictureOptions options;
  options.samples = 1;
  for (auto _ : state) benchmark::DoNotOptimize(made.value()->draw(list, options).ok());
  state.SetLabel("1280 × 720 with reading back");
}
BENCHMARK_CAPTURE(draw_outlines, none_of_20, 20, 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_outlines, one_of_20, 20, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_outlines, all_of_20, 20, 20)->Unit(benchmark::kMillisecond);

void extract_selected(benchmark::State& state) {
  const Scene scene = many(1000, PrimitiveShape::sphere, {48, 40, 1});
  MeshStore meshes;
  ViewSelection selection;
  for (const auto& object : scene.objects) selection.selected.insert(object->id);
  const ViewCamera camera;
  for (auto _ : state) benchmark::DoNotOptimize(extract(scene, nullptr, camera, 1.6f, {}, selection, meshes));
  state.SetLabel("1,000 objects, all selected");
}
BENCHMARK(extract_selected)->Unit(benchmark::kMillisecond);

// One mesh of a million triangles. Bars: extract as for any other mesh, a pick ray under a millisecond once the worker is done,
// an upload that is not felt.
Scene million_drawn() {
  Object object;
  object.id = Id{1};
  Primitive shape;
  shape.shape = PrimitiveShape::torus;
  shape.size = Vec3(3, 1, 3);
  shape.divisions = {1000, 500, 1};
  object.display.kind = DisplayKind::mesh;
  object.display.mesh.mesh = std::make_shared<const DisplayMesh>(make_primitive(shape));
  Scene scene;
  scene.objects.push_back(object);
  Light sun = make_light(2, "");
  sun.shadow = true;
  scene.lights.push_back(sun);
  return scene;
}

void extract_million(benchmark::State& state) {
  const Scene scene = million_drawn();
  MeshStore meshes;
  ViewCamera camera;
  for (auto _ : state) {
    camera.yaw += 0.01f;
    benchmark::DoNotOptimize(extract(scene, nullptr, camera, 1.6f, {}, {}, meshes));
  }
}
BENCHMARK(extract_million)->Unit(benchmark::kMicrosecond);

void pick_million(benchmark::State& state, bool prepared) {
  const Scene scene = million_drawn();
  MeshStore meshes;
  ViewCamera camera;
  camera.distance = 6;
  const RenderList list = extract(scene, nullptr, camera, 1.6f, {}, {}, meshes);
  if (prepared) list.meshes[0].facts->prepare(*list.meshes[0].mesh);
  float x = 0;
  for (auto _ : state) {
    x = x > 900 ? 0 : x + 7;
    benchmark::DoNotOptimize(pick(list, scene, camera, {x, 320}, {960, 600}));
  }
}
BENCHMARK_CAPTURE(pick_million, every_face, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(pick_million, tree, true)->Unit(benchmark::kMicrosecond);

void prepare_million(benchmark::State& state) {
  const Scene scene = million_drawn();
  const DisplayMesh& mesh = *scene.objects[0]->display.mesh.mesh;
  for (auto _ : state) {
    MeshFacts facts(mesh);
    facts.prepare(mesh);
  }
  state.SetLabel("tree, closedness and edges, in a worker");
}
BENCHMARK(prepare_million)->Unit(benchmark::kMillisecond);

enum class Million { first, orbit, orbit_quick };

// The first picture holds the upload, the others are an orbit; quick as the viewport draws it in motion on a processor.
void draw_million(benchmark::State& state, Million what) {
  auto made = OffscreenRenderer::create();
  if (!made) return state.SkipWithError(made.error().message.c_str());
  const Scene scene = million_drawn();
  MeshStore meshes;
  ViewCamera camera;
  camera.distance = 6;
  PictureOptions options;
  options.samples = 1;
  options.quick = what == Million::orbit_quick;
  const auto picture = [&] {
    camera.yaw += 0.01f;
    const RenderList list = extract(scene, nullptr, camera, 16.0f / 9, {}, {}, meshes);
    if (options.quick) list.meshes[0].facts->prepare(*list.meshes[0].mesh);
    benchmark::DoNotOptimize(made.value()->draw(list, options).ok());
  };
  if (what != Million::first) picture();
  for (auto _ : state) {
    picture();
    if (what != Million::first) continue;
    state.PauseTiming();
    made = OffscreenRenderer::create();
    state.ResumeTiming();
  }
  state.SetLabel("1280 × 720 with reading back");
}
BENCHMARK_CAPTURE(draw_million, first_with_upload, Million::first)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_million, orbit, Million::orbit)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_million, orbit_in_motion, Million::orbit_quick)->Unit(benchmark::kMillisecond);

}  // namespace
