// What the editors of time cost. Bar: with 10,000 keys a picture of a pan or a zoom takes less than 16 ms, in the dope sheet and in the
// curves.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>

#include "tests/support/world.h"
#include "ui/model/key_selection.h"
#include "ui/model/time_window.h"
#include "ui/panels/curve_view.h"
#include "ui/panels/dope_sheet.h"
#include "ui/window/session.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

/// Widgets need an application; none is shown.
void have_application() {
  static int count = 1;
  static char name[] = "hazumi_bench", *arguments[] = {name, nullptr};
  if (QCoreApplication::instance()) return;
  qputenv("QT_QPA_PLATFORM", "offscreen");
  static QApplication application(count, arguments);
}

/// Places of so many objects, each with as many keys.
Scene keyed_scene(int tracks, int keys) {
  Scene scene;
  scene.settings.last_frame = 1000;
  for (int i = 0; i < tracks; ++i) {
    const auto id = static_cast<std::uint64_t>(i + 1);
    scene.objects.push_back(make_object(id, "Ball " + std::to_string(i),
                                        {PrimitiveShape::sphere, Vec3::Ones(), {12, 8, 1}}, Vec3(2 * i, 1, 0),
                                        BodyKind::fixed));
  }
  for (int i = 0; i < tracks; ++i) {
    Track track;
    track.id = Id{static_cast<std::uint64_t>(tracks + i + 1)};
    track.target = static_cast<std::uint64_t>(i + 1);
    track.field = "transform.position";
    for (int k = 0; k < keys; ++k) {
      Key key;
      key.time = k * 1000.0 / 60 / keys + 0.001 * (i % 7);
      key.value = {2.0 * i + std::sin(0.7 * k), 1 + std::cos(0.3 * k + i), 0.1 * (k % 5), 0};
      track.keys.push_back(key);
    }
    scene.tracks.push_back(Shared<Track>(std::move(track)));
  }
  return scene;
}

template <class Canvas>
void pan_and_zoom(benchmark::State& state, bool selected) {
  have_application();
  Session session(1);
  session.autosave.set_on(false);
  session.playback.set_paused(true);
  const int tracks = static_cast<int>(state.range(0)), keys = static_cast<int>(state.range(1));
  session.document.reset(keyed_scene(tracks, keys), {});
  TrackView view(session.context);
  Canvas canvas(session.context, view);
  canvas.resize(1400, 500);
  if (selected) session.keys.set(all_keys(session.document.scene()));
  QImage image(canvas.size(), QImage::Format_ARGB32_Premultiplied);
  int step = 0;
  canvas.render(&image);
  for (auto _ : state) {
    ++step;
    if (step % 2 == 0)
      session.time.pan(step % 40 < 20 ? 9 : -9);
    else
      session.time.zoom(step % 40 < 20 ? 0.96 : 1 / 0.96, 500);
    canvas.render(&image);
  }
  state.SetLabel("10,000 keys, 1400 × 500");
}

void dope_sheet_pan_and_zoom(benchmark::State& state) { pan_and_zoom<DopeSheet>(state, false); }
void dope_sheet_all_selected(benchmark::State& state) { pan_and_zoom<DopeSheet>(state, true); }
void curves_pan_and_zoom(benchmark::State& state) { pan_and_zoom<CurveView>(state, false); }
void curves_all_selected(benchmark::State& state) { pan_and_zoom<CurveView>(state, true); }

// Tracks, and keys of each.
BENCHMARK(dope_sheet_pan_and_zoom)->Args({10, 1000})->Args({1000, 10})->Unit(benchmark::kMillisecond);
BENCHMARK(dope_sheet_all_selected)->Args({10, 1000})->Args({1000, 10})->Unit(benchmark::kMillisecond);
BENCHMARK(curves_pan_and_zoom)->Args({1, 10000})->Args({10, 1000})->Args({100, 100})->Unit(benchmark::kMillisecond);
BENCHMARK(curves_all_selected)->Args({1, 10000})->Args({10, 1000})->Unit(benchmark::kMillisecond);

}  // namespace
