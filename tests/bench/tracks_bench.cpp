// What keys cost: a thousand tracks at one time (under 0.2 ms), the scene as it looks then, and an edit of one key among ten
// thousand.
#include <benchmark/benchmark.h>

#include "core/scene/derived/keyed.h"
#include "core/scene/diff.h"
#include "core/scene/validate.h"
#include "tests/support/world.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

/// Each with ten keys: half of them of looks, half of places.
Scene thousand_tracks() {
  Scene scene;
  for (std::uint64_t i = 1; i <= 1000; ++i)
    scene.objects.push_back(
        make_object(i, "Object " + std::to_string(i), {}, Vec3(0.1 * static_cast<double>(i), 0, 0), BodyKind::fixed));
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    Track track;
    track.id = Id{1000 + i};
    track.name = "Track";
    track.target = i;
    track.field = i % 2 == 0 ? "transform.position" : "material.surface.diffuse";
    for (int k = 0; k < 10; ++k) {
      Key key;
      key.time = 0.4 * k;
      for (std::size_t n = 0; n < 3; ++n) key.value[n] = 0.5 + 0.5 * std::sin(static_cast<double>(i + n) + k);
      track.keys.push_back(key);
    }
    scene.tracks.push_back(Shared<Track>(std::move(track)));
  }
  return scene;
}

void tracks_1000(benchmark::State& state) {
  const Scene scene = thousand_tracks();
  double time = 0;
  for (auto _ : state) {
    time = time > 3.5 ? 0 : time + 1.0 / 60;
    double sum = 0;
    for (const auto& track : scene.tracks) sum += track_value(*track, FieldType::vector, time)[0];
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(tracks_1000)->Unit(benchmark::kMicrosecond);

/// What a window does at another frame: 500 objects have another colour, 500 another place.
void shown_1000(benchmark::State& state) {
  const Scene scene = thousand_tracks();
  double time = 0;
  for (auto _ : state) {
    time = time > 3.5 ? 0 : time + 1.0 / 60;
    benchmark::DoNotOptimize(shown_at(scene, time).objects.size());
  }
}
BENCHMARK(shown_1000)->Unit(benchmark::kMicrosecond);

/// One number of one of 10,000 keys: the new scene, its validation, and what it changes.
void key_of_10000(benchmark::State& state) {
  Shared<Scene> scene = thousand_tracks();
  double value = 0;
  for (auto _ : state) {
    value += 0.001;
    Scene next = *scene;
    next.tracks[700] = next.tracks[700].edited([&](Track& t) { t.keys[5].value[0] = value; });
    const Diagnostics problems = validate_change(*scene, next);
    benchmark::DoNotOptimize(diff(*scene, next, {}));
    if (!problems.empty()) state.SkipWithError("the edit was not what it should be");
    scene = Shared<Scene>(std::move(next));
  }
}
BENCHMARK(key_of_10000)->Unit(benchmark::kMicrosecond);

}  // namespace
