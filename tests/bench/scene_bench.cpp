// An edit of one object among 1,000 (new scene, validate, diff: under 1 ms; a whole mouse move: under 2 ms) and opening a scene of 1,000
// objects (under 1 s).
#include <benchmark/benchmark.h>

#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/support/world.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

Scene thousand_objects() {
  Scene scene;
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    scene.objects.push_back(make_object(i, "Object " + std::to_string(i), {}, Vec3(0.1 * static_cast<double>(i), 0, 0),
                                        BodyKind::flexible));
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
    if (!problems.empty() || change.first_frame != 0) state.SkipWithError("the edit was not what it should be");
    benchmark::DoNotOptimize(after.get());
  }
}
BENCHMARK(edit_one_of_1000)->Unit(benchmark::kMicrosecond);

/// What a mouse move over a number costs the interface thread, from the event to the snapshot that the simulation gets:
/// the new scene, its validation, what it changes (asked by the document, and by the fill about the frames it has), and
/// the name of the run.
void number_drag_of_1000(benchmark::State& state) {
  Shared<Scene> scene = thousand_objects();
  benchmark::DoNotOptimize(simulation_signature(*scene));  // as when it was opened
  double mass = 1;
  for (auto _ : state) {
    mass += 0.001;
    const Shared<Scene> after = with_object(*scene, Id{700}, [&](Object& o) { o.body.mass = mass; });
    const Diagnostics problems = validate_change(*scene, *after);
    const ChangeSet seen = diff(*scene, *after, {}), filled = diff(*scene, *after, {});
    benchmark::DoNotOptimize(simulation_signature(*after));
    if (!problems.empty() || seen.first_frame != 0 || filled.first_frame != 0)
      state.SkipWithError("the edit was not what it should be");
    scene = after;
  }
}
BENCHMARK(number_drag_of_1000)->Unit(benchmark::kMicrosecond);

/// The same when the object that is edited holds 500 metaballs, a fill of 3,000 tetrahedra, or is changed in
/// one of them.
Scene thousand_with(bool metaballs) {
  return with_object(thousand_objects(), Id{700}, [&](Object& o) {
    if (metaballs) {
      o.display.kind = DisplayKind::metaballs;
      for (std::uint32_t i = 1; i <= 500; ++i) {
        MetaballPrimitive ball;
        ball.id = i;
        ball.centre = Vec3(0.1 * i, 0, 0);
        o.display.metaballs.primitives.push_back(ball);
      }
      return;
    }
    StrungTruss truss;
    for (std::uint32_t i = 0; i < 750; ++i) {
      const Vec3 at(2.0 * i, 0, 0);
      for (const Vec3& corner : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)})
        truss.nodes.push_back({at + corner});
      for (std::uint32_t a = 0; a < 4; ++a)
        for (std::uint32_t b = a + 1; b < 4; ++b) truss.springs.push_back({4 * i + a, 4 * i + b});
      for (int copies = 0; copies < 4; ++copies) truss.tetrahedra.push_back({4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3});
    }
    o.analysis.kind = AnalysisKind::strung;
    o.analysis.strung = std::make_shared<const StrungTruss>(std::move(truss));
  });
}

template <class Change>
void edit_full(benchmark::State& state, bool metaballs, const Change& change) {
  const Shared<Scene> before = thousand_with(metaballs);
  double number = 1;
  for (auto _ : state) {
    number += 0.001;
    const Shared<Scene> after = with_object(*before, Id{700}, [&](Object& o) { change(o, number); });
    const Diagnostics problems = validate_change(*before, *after);
    const ChangeSet difference = diff(*before, *after, {});
    if (!problems.empty() || difference.first_frame != 0) state.SkipWithError("the edit was not what it should be");
    benchmark::DoNotOptimize(after.get());
  }
}

void edit_object_of_500_metaballs(benchmark::State& state) {
  edit_full(state, true, [](Object& o, double number) { o.body.mass = number; });
}
BENCHMARK(edit_object_of_500_metaballs)->Unit(benchmark::kMicrosecond);

void edit_one_of_500_metaballs(benchmark::State& state) {
  edit_full(state, true, [](Object& o, double number) { o.display.metaballs.primitives[321].weight = number; });
}
BENCHMARK(edit_one_of_500_metaballs)->Unit(benchmark::kMicrosecond);

void edit_object_of_3000_tetrahedra(benchmark::State& state) {
  edit_full(state, false, [](Object& o, double number) { o.body.mass = number; });
}
BENCHMARK(edit_object_of_3000_tetrahedra)->Unit(benchmark::kMicrosecond);

void edit_node_of_3000_tetrahedra(benchmark::State& state) {
  edit_full(state, false, [](Object& o, double number) {
    StrungTruss truss = *o.analysis.strung;
    truss.nodes[77].mass = number;
    o.analysis.strung = std::make_shared<const StrungTruss>(std::move(truss));
  });
}
BENCHMARK(edit_node_of_3000_tetrahedra)->Unit(benchmark::kMicrosecond);

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
