// Runs and exports of scenes with metaballs: polygonised in a phase of its own before compile, once for all, cancellable.
#include <catch2/catch.hpp>

#include <chrono>

#include "core/export/export_job.h"
#include "core/export/format.h"
#include "core/geometry/metaball/polygonise.h"
#include "core/motion/compile.h"
#include "tests/support/fill_run.h"
#include "tests/support/temporary_folder.h"

namespace hazumi::metaball_runs_test {

using namespace hazumi::test;

namespace {

Object blob(double tolerance, std::uint32_t balls) {
  Object o = box(2, "Blob", Vec3(0, 2, 0));
  o.display.kind = DisplayKind::metaballs;
  o.display.metaballs.final_tolerance = tolerance;
  for (std::uint32_t i = 0; i < balls; ++i) {
    auto& p = o.display.metaballs.primitives.emplace_back();
    p.id = i + 1;
    p.centre = Vec3(0.3 * i, 0.1 * (i % 3), 0.2 * (i % 5));
  }
  return o;
}

Scene scene_with(const Object& object) {
  Scene scene;
  scene.objects = {floor_object(1), object};
  return scene;
}

double seconds_since(std::chrono::steady_clock::time_point from) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
}

}  // namespace

TEST_CASE("Metaballs are polygonised before compile, which refuses to wait for them", "[metaball]") {
  const Scene scene = scene_with(blob(0.05, 2));
  MeshStore store;
  const auto refused = compile(scene, store);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message == "The surface of metaballs has not been made yet.");
  CHECK(store.polygonised() == 0);
  // A preview is nothing to run with.
  store.supply_preview(*scene.objects[1], std::make_shared<const DisplayMesh>(make_primitive(Primitive())));
  CHECK_FALSE(compile(scene, store).ok());
  const auto surfaces = store.prepare(scene, 2);
  const auto model = compile(scene, store);
  REQUIRE(model.ok());
  CHECK((*model)->bodies[1].mesh == surfaces->front());
  CHECK(store.polygonised() == 1);
}

TEST_CASE("A group that window, fill, sinks and export want is polygonised once", "[metaball][threads]") {
  const Scene scene = scene_with(blob(0.02, 3));
  const Object& shown = *scene.objects[1];
  const auto store = std::make_shared<MeshStore>();
  FillRun run(2, store);
  run.start(Scene(), scene, 8);
  // As the window's job does it, at about the same time.
  Executor executor(2);
  Polygoniser polygoniser;
  const auto window = store->surface(
      shown,
      [&](const std::atomic<bool>& cancel) {
        PolygoniseOptions options;
        options.tolerance = shown.display.metaballs.final_tolerance;
        options.cancel = &cancel;
        return polygoniser.update(shown.display.metaballs, options, executor);
      },
      [] { return false; });
  REQUIRE(window.mesh != nullptr);
  CHECK(run.settle().phase == FillStatus::Phase::complete);
  CHECK(store->polygonised() == 1);

  const TemporaryFolder folder;
  for (const FrameCache* cached : {static_cast<const FrameCache*>(nullptr), static_cast<const FrameCache*>(&run.cache)})
    for (const char* format : {"ply", "obj"}) {
      const ExportFormatInfo* info = find_export_format(format);
      auto sink = info->make({(folder / (std::string("f.#.") + format)).string(), {}, {}, store});
      REQUIRE(sink.ok());
      ExportOptions options;
      options.range = {0, 4, 2};
      options.meshes = store;
      CHECK(run_export(scene, **sink, options, cached, {}).end == ExportEnd::complete);
    }
  CHECK(store->polygonised() == 1);
  run.check_equals_fresh(scene, 8);
}

TEST_CASE("A fill tells that it prepares surfaces, and drops them within a second when the scene changes",
          "[metaball][threads]") {
  const Scene endless = scene_with(blob(1e-5, 40)), plain = scene_with(box(2, "Box", Vec3(0, 2, 0)));
  const auto store = std::make_shared<MeshStore>();
  FillRun run(2, store);
  run.start(Scene(), endless, 3);
  const FillStatus status = run.wait_for(FillStatus::Phase::preparing);
  REQUIRE(status.phase == FillStatus::Phase::preparing);
  CHECK(status.prepared == 0);
  CHECK(status.to_prepare == 1);
  const auto began = std::chrono::steady_clock::now();
  run.start(endless, plain, 3);
  CHECK(run.settle().phase == FillStatus::Phase::complete);
  CHECK(seconds_since(began) < 1.5);
  CHECK(store->polygonised() == 0);
}

TEST_CASE("An export that is cancelled while surfaces are made ends within a second", "[metaball]") {
  const Scene endless = scene_with(blob(1e-5, 40));
  const TemporaryFolder folder;
  auto sink = find_export_format("ply")->make({(folder / "f.#.ply").string(), {}});
  REQUIRE(sink.ok());
  ExportOptions options;
  options.range = {0, 4, 1};
  const auto began = std::chrono::steady_clock::now();
  double asked = 0;
  const ExportResult result = run_export(endless, **sink, options, nullptr, [&](const ExportProgress& progress) {
    CHECK(progress.done == 0);
    if (seconds_since(began) < 0.3) return true;
    if (asked == 0) asked = seconds_since(began);
    return false;
  });
  CHECK(result.end == ExportEnd::cancelled);
  CHECK(result.diagnostics.empty());
  CHECK(asked > 0);
  CHECK(seconds_since(began) - asked < 1);
  CHECK(folder.names().empty());
}

}  // namespace hazumi::metaball_runs_test
