// Sounds as a person has them: imported, dropped, dragged, muted in the real window, and heard by a device that writes down.
#include <numbers>
#include <random>
#include <set>

#include <QContextMenuEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>

#include "tests/support/temporary_folder.h"
#include "tests/support/wav.h"
#include "tests/ui/flow_support.h"
#include "tests/ui/sound_support.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/sound_stream.h"
#include "ui/model/sounds.h"
#include "ui/panels/sound_strip.h"
#include "ui/panels/timeline_ruler.h"

namespace flow_sound_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kRate = 48'000;

/// Left says which sample it is: what is heard tells when in the file it is.
std::vector<std::int16_t> ramp_values(double seconds) {
  std::vector<std::int16_t> values(static_cast<std::size_t>(seconds * kRate));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int16_t>(i / 24);
  return values;
}
/// s of the file, of what of a ramp is heard. To half a millisecond.
double ramp_time(float heard) { return heard * 32'767 * 24 / kRate; }

struct SoundFlow : Flow {
  std::shared_ptr<Heard> heard = std::make_shared<Heard>();
  TemporaryFolder folder;

  explicit SoundFlow(int last_frame = 120) {
    session.sound_player.set_device([heard = heard] { return std::make_unique<FakeDevice>(heard); });
    Window::open(ball_scene(last_frame));
    REQUIRE(complete(playback()));
    view().setFocus();
  }
  using Flow::open;
  QString file(const char* name, const std::vector<std::int16_t>& values, int channels = 1, int rate = kRate) {
    folder.write(name, wav_bytes(values, channels, rate));
    return QString::fromStdString((folder / name).string());
  }
  SoundStrip& strip() { return *window.findChild<SoundStrip*>(); }
  TimelineRuler& ruler() { return *window.findChild<TimelineRuler*>(); }
  const Sound& sound(std::size_t number = 0) { return *scene().sounds.at(number); }
  QString undo_text() { return document().undo_stack()->undoText(); }
  void settle() {
    REQUIRE(wait_for([&] { return !session.sounds.busy(); }));
    QTest::qWait(20);
  }
  void import(const QString& name) {
    answer_file_dialog(name);
    menu("File", "file.import_sound");
    settle();
  }
  QPointF in_strip(double frame, std::size_t number = 0) {
    return {strip().x_of(frame), strip().place_of(sound(number).id).center().y()};
  }
  void drag_with_ctrl(QPointF from, QPointF to) {
    mouse(&strip(), QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
    for (const QPointF at : {(from + to) / 2, to})
      mouse(&strip(), QEvent::MouseMove, at, Qt::NoButton, Qt::LeftButton, Qt::ControlModifier);
    mouse(&strip(), QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton, Qt::ControlModifier);
    QTest::qWait(5);
  }
  bool drop(const QString& name, QPoint at) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(name)});
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QApplication::sendEvent(&window, &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent event(QPointF(at), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
    settle();
    return true;
  }
  QMenu* strip_menu(QPointF at) {
    QContextMenuEvent event(QContextMenuEvent::Mouse, at.toPoint(), strip().mapToGlobal(at.toPoint()));
    QApplication::sendEvent(&strip(), &event);
    QMenu* menu = nullptr;
    REQUIRE(wait_for([&] { return (menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) != nullptr; }));
    return menu;
  }
  void choose(QMenu* menu, const QString& entry) {
    for (QAction* each : menu->actions())
      if (each->text() == entry) {
        click_in(menu, menu->actionGeometry(each).center());
        QTest::qWait(20);
        return;
      }
    FAIL("no such entry");
  }
  /// Pixels of the strip in a rectangle that have the colour of a waveform.
  int wave_pixels(const QRectF& place) {
    const QImage picture = strip().grab().toImage();
    const double ratio = picture.devicePixelRatio();
    int count = 0;
    for (int y = static_cast<int>(place.top() * ratio); y < static_cast<int>(place.bottom() * ratio); ++y)
      for (int x = static_cast<int>(place.left() * ratio); x < static_cast<int>(place.right() * ratio); ++x)
        if (picture.rect().contains(x, y)) {
          const QColor colour = picture.pixelColor(x, y);
          count += colour.green() > 150 && colour.red() < 130;
        }
    return count;
  }
};

}  // namespace

TEST_CASE("What a device gets goes around every loop and back, whatever it asks for at a time", "[ui][sound]") {
  const unsigned seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 dice(seed);
  SoundClip clip{kRate, {}};
  for (const std::int16_t value : ramp_values(4)) clip.samples.push_back({value, value});
  const std::vector<PlacedSound> sounds{{&clip, 0, 1, false}};
  for (int i = 0; i < 60; ++i) {
    SoundStream stream;
    stream.way.range.first = static_cast<int>(dice() % 20);
    stream.way.range.last = stream.way.range.first + static_cast<int>(dice() % 12);
    stream.way.ending = static_cast<Ending>(dice() % 3);
    stream.speed = std::array{0.25, 0.5, 1.0, 2.0}[dice() % 4];
    stream.start = static_cast<double>(dice() % static_cast<unsigned>(stream.way.length() + 1));
    INFO(stream.way.range.first << " to " << stream.way.range.last << ", ending " << static_cast<int>(stream.way.ending)
                                << ", speed " << stream.speed << ", from " << stream.start);
    std::vector<float> heard(2 * kRate);
    for (std::size_t at = 0; at < heard.size();) {
      const std::size_t count = std::min<std::size_t>(2 * (1 + dice() % 3'000), heard.size() - at);
      stream.fill(sounds, static_cast<std::int64_t>(at / 2), std::span(heard).subspan(at, count));
      at += count;
    }
    int wrong = 0;
    for (std::size_t n = 0; n < heard.size() / 2; n += 7) {
      const double steps = stream.steps_at(static_cast<double>(n) / kRate);
      const bool over = stream.way.ending == Ending::once && steps >= stream.way.length() + 1;
      const int frame = stream.way.frame_at(static_cast<int>(std::floor(steps + 1e-9)));
      const double frames = ramp_time(heard[2 * n]) * stream.frame_rate;  // in the file, which begins at frame 0
      // Within the frame that is seen, to a sample and half a millisecond.
      wrong += over ? heard[2 * n] != 0 : frames < frame - 0.09 || frames > frame + 1.09;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("Flow: a sound is imported by the menu, drawn, dragged, named and deleted", "[ui][flow][sound]") {
  SoundFlow f;
  CHECK_FALSE(f.strip().isVisible());
  f.playback().set_frame(12);
  f.import(f.file("bang.wav", tone_values(300, 0.5)));
  REQUIRE(f.scene().sounds.size() == 1);
  CHECK(f.sound().name == "bang");
  CHECK(f.sound().start == Approx(12 / 60.0).margin(1e-12));
  CHECK(f.undo_text() == "Import bang");
  REQUIRE(f.strip().isVisible());
  const int computed = f.playback().cache().size();
  // From frame 12 to 42, with its waveform in it and none beside it.
  const QRectF place = f.strip().place_of(f.sound().id);
  CHECK(place.left() == Approx(f.strip().x_of(12)).margin(1));
  CHECK(place.right() == Approx(f.strip().x_of(42)).margin(1));
  CHECK(f.wave_pixels(place.adjusted(4, 18, -4, 0)) > 400);
  CHECK(f.wave_pixels(place.translated(place.width() + 4, 0)) == 0);

  const double before = f.sound().start;
  f.drag(&f.strip(), f.in_strip(20), QPointF(f.strip().x_of(30.3), f.in_strip(20).y()), Qt::LeftButton);
  CHECK(f.sound().start * 60 == Approx(22).margin(1e-9));
  CHECK(f.undo_text() == "Move bang");
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.sound().start == before);
  f.drag_with_ctrl(f.in_strip(20), QPointF(f.strip().x_of(24.4), f.in_strip(20).y()));
  CHECK(f.sound().start * 60 == Approx(16.4).margin(0.2));
  CHECK(std::abs(f.sound().start * 60 - 16) > 0.1);

  // A double click, a name.
  QTest::mouseDClick(&f.strip(), Qt::LeftButton, {}, f.in_strip(30).toPoint());
  auto* name = f.strip().findChild<QLineEdit*>("sound_name");
  REQUIRE(name);
  QTest::keyClicks(name, "Boom");
  QTest::keyClick(name, Qt::Key_Return);
  QTest::qWait(20);
  CHECK(f.sound().name == "Boom");
  CHECK(f.undo_text() == "Rename bang");

  QTest::mouseClick(&f.strip(), Qt::LeftButton, {}, f.in_strip(30).toPoint());
  const std::size_t objects = f.scene().objects.size();
  QTest::keyClick(&f.strip(), Qt::Key_Delete);
  CHECK(f.scene().sounds.empty());
  CHECK(f.scene().objects.size() == objects);
  CHECK(f.undo_text() == "Delete Boom");
  CHECK_FALSE(f.strip().isVisible());
  f.key(Qt::Key_Z, Qt::ControlModifier);
  f.settle();
  CHECK(f.strip().isVisible());
  CHECK(f.playback().cache().size() == computed);  // no frame was dropped for any of it
}

TEST_CASE("Flow: a sound dropped on the time line begins there, elsewhere at the play head", "[ui][flow][sound]") {
  SoundFlow f;
  f.playback().set_frame(7);
  const QString name = f.file("bang.wav", tone_values(300, 1));
  REQUIRE(f.drop(name, f.ruler().mapTo(&f.window, QPoint(static_cast<int>(f.ruler().x_of(30)), 20))));
  CHECK(f.sound(0).start * 60 == Approx(30));
  REQUIRE(f.drop(name, f.view().mapTo(&f.window, QPoint(300, 200))));
  CHECK(f.sound(1).start * 60 == Approx(7));
  CHECK(f.sound(1).name == "bang 2");
  // They overlap: one below the other.
  CHECK_FALSE(f.strip().place_of(f.sound(0).id).intersects(f.strip().place_of(f.sound(1).id)));
  f.drop(name, f.strip().mapTo(&f.window, QPoint(static_cast<int>(f.strip().x_of(90)), 5)));
  CHECK(f.sound(2).start * 60 == Approx(90));
}

TEST_CASE("Flow: gain and mute of a sound by its menu", "[ui][flow][sound]") {
  SoundFlow f;
  f.import(f.file("bang.wav", tone_values(300, 1)));
  const auto loudness = [&] { return f.wave_pixels(f.strip().place_of(f.sound().id).adjusted(4, 0, -4, 0)); };
  const int loud = loudness();
  QMenu* menu = f.strip_menu(f.in_strip(20));
  auto* gain = menu->findChild<NumberField*>("sound_gain");
  REQUIRE(gain);
  CHECK(gain->value() == 100);
  type_number(gain, "25");
  QTest::qWait(20);
  menu->close();
  QTest::qWait(20);
  CHECK(f.sound().gain == 0.25);
  CHECK(f.undo_text() == "Gain of bang");
  CHECK(loudness() < loud / 2);
  f.choose(f.strip_menu(f.in_strip(20)), "Mute");
  CHECK_FALSE(f.sound().visible);
  CHECK(f.undo_text() == "Mute bang");
  f.choose(f.strip_menu(f.in_strip(20)), "Mute");
  CHECK(f.sound().visible);
  f.choose(f.strip_menu(f.in_strip(20)), "Only in Motions");
  CHECK(f.sound().waits);
  CHECK(f.undo_text() == "bang Only in Motions");
  f.choose(f.strip_menu(f.in_strip(20)), "Only in Motions");
  CHECK_FALSE(f.sound().waits);
  f.playback().set_frame(50);
  f.choose(f.strip_menu(f.in_strip(20)), "Begin at Play Head");
  CHECK(f.sound().start * 60 == Approx(50));
}

TEST_CASE("Flow: playing is heard in time, around the loop, and ends with the picture", "[ui][flow][sound]") {
  SoundFlow f(30);
  f.import(f.file("ramp.wav", ramp_values(3)));
  f.heard->takes.clear();
  f.view().setFocus();
  f.key(Qt::Key_Space);
  REQUIRE(wait_for([&] { return f.heard->plays; }));
  std::vector<double> apart;
  std::set<int> frames;
  QObject::connect(&f.playback(), &PlaybackController::frame_changed, &f.window,
                   [&](int frame) { frames.insert(frame); });
  // How many of the frames are drawn in a lap is the machine's affair.
  REQUIRE(wait_for([&] { return f.heard->seconds() > 1.5 && frames.size() > 15; }));
  f.key(Qt::Key_Space);
  CHECK_FALSE(f.heard->plays);
  CHECK(f.heard->takes.size() == 1);  // nothing began anew around the loop
  const std::vector<float>& heard = f.heard->last();
  int wrong = 0;
  // It begins where the picture is by then, on a busy machine a millisecond or more behind the key.
  const double begun = ramp_time(heard[0]) * 60;
  CHECK(begun < 3);
  for (std::size_t n = 0; n < heard.size() / 2; n += 11) {
    const double frame = std::fmod(begun + static_cast<double>(n) / kRate * 60, 31);
    wrong += std::abs(ramp_time(heard[2 * n]) * 60 - frame) > 0.1;
  }
  CHECK(wrong < 20);  // of 6,000; at a turn rounded samples may be of either side

  // Muted there is nothing to hear, and the picture goes by its own clock.
  mute_sound(f.window.context(), f.sound().id, true);
  f.heard->takes.clear();
  f.key(Qt::Key_Space);
  const int from = f.playback().frame();
  REQUIRE(wait_for([&] { return f.playback().frame() != from; }));
  CHECK(f.heard->takes.empty());
  // While it plays: heard at once from where the picture is.
  mute_sound(f.window.context(), f.sound().id, false);
  REQUIRE(wait_for([&] { return f.heard->plays; }));
  CHECK(ramp_time(f.heard->last()[2]) * 60 == Approx(f.playback().frame()).margin(4));
  // With every frame it is silent.
  f.playback().set_every_frame(true);
  CHECK_FALSE(f.heard->plays);
  f.playback().set_every_frame(false);
  REQUIRE(wait_for([&] { return f.heard->plays; }));
  f.key(Qt::Key_Space);
  CHECK_FALSE(f.heard->plays);
}

TEST_CASE("Flow: the picture keeps to the device's clock, and does not wait for one that stops", "[ui][flow][sound]") {
  SoundFlow f(400);
  f.import(f.file("ramp.wav", ramp_values(8)));
  f.heard->pace = 0.5;
  // Frames in a second, between moments at which the picture was told of one: a busy machine leaves some out.
  const auto pace = [&](int frames) {
    using Clock = std::chrono::steady_clock;
    std::vector<std::pair<Clock::time_point, int>> seen;
    const auto ears = QObject::connect(&f.playback(), &PlaybackController::frame_changed, &f.window,
                                       [&](int frame) { seen.emplace_back(Clock::now(), frame); });
    REQUIRE(wait_for([&] { return !seen.empty() && seen.back().second - seen.front().second >= frames; }));
    QObject::disconnect(ears);
    return (seen.back().second - seen.front().second) /
           std::chrono::duration<double>(seen.back().first - seen.front().first).count();
  };
  f.view().setFocus();
  f.key(Qt::Key_Space);
  CHECK(pace(30) == Approx(30).epsilon(0.2));  // half as fast as the computer's clock has it
  f.heard->stuck = true;
  const int stopped = f.playback().frame();
  REQUIRE(wait_for([&] { return f.playback().frame() > stopped + 20; }, 3'000));
  CHECK(pace(30) == Approx(60).epsilon(0.2));
  CHECK(std::ranges::all_of(f.heard->last(), [](float value) { return value == 0; }));
  // It plays again: heard from where the picture is.
  const std::size_t takes = f.heard->takes.size();
  int began = -1;
  QObject::connect(&f.playback(), &PlaybackController::frame_changed, &f.window, [&](int frame) {
    if (began < 0 && f.heard->takes.size() > takes) began = frame;
  });
  f.heard->pace = 1;
  f.heard->stuck = false;
  REQUIRE(wait_for([&] { return began >= 0; }));
  CHECK(ramp_time(f.heard->last()[2]) * 60 == Approx(began).margin(1.1));
  CHECK(pace(30) == Approx(60).epsilon(0.2));
  f.key(Qt::Key_Space);
  CHECK_FALSE(f.heard->plays);
  // No device is there: as without sounds.
  f.heard->there = false;
  f.playback().set_frame(0);
  f.heard->takes.clear();
  f.key(Qt::Key_Space);
  CHECK(pace(30) == Approx(60).epsilon(0.2));
  CHECK(f.heard->takes.empty());
  f.key(Qt::Key_Space);
}

TEST_CASE("Flow: a play head that is moved is heard for a moment", "[ui][flow][sound]") {
  SoundFlow f(120);
  f.import(f.file("ramp.wav", ramp_values(3)));
  f.heard->takes.clear();
  const auto at = [&](int frame) { return QPointF(f.ruler().x_of(frame), 10); };
  f.drag(&f.ruler(), at(20), at(60), Qt::LeftButton);
  REQUIRE(f.heard->takes.size() >= 2);
  CHECK(f.playback().frame() == 60);
  std::vector<float>& last = f.heard->takes.back().stereo;
  // Its middle is of frame 60 and a little later; it begins and ends in silence.
  CHECK(ramp_time(last[2 * 1'000]) == Approx(60 / 60.0 + 1'000.0 / kRate).margin(0.001));
  CHECK(last[0] == 0);
  // 80 ms, and no more comes.
  std::vector<float> rest(2 * kRate);
  CHECK(f.heard->seconds() < 0.1);
  f.key(Qt::Key_Right);
  CHECK(ramp_time(f.heard->last()[2 * 1'000]) == Approx(61 / 60.0 + 1'000.0 / kRate).margin(0.001));
  // Another scene that is opened is no play head that is moved.
  const std::size_t takes = f.heard->takes.size();
  f.Window::open(ball_scene(60));
  CHECK(f.heard->takes.size() == takes);
}

TEST_CASE("Flow: slow motion of physics is none of the sound, which is at its frames", "[ui][flow][sound]") {
  SoundFlow f(60);
  Scene slow = f.scene();
  slow.settings.time_scale = 0.5;
  REQUIRE(f.document().edit("Slow", slow).ok());
  f.import(f.file("ramp.wav", ramp_values(3)));
  REQUIRE(complete(f.playback()));
  f.heard->takes.clear();
  f.view().setFocus();
  f.key(Qt::Key_Space);
  REQUIRE(wait_for([&] { return f.heard->plays && f.heard->seconds() > 0.6; }));
  f.key(Qt::Key_Space);
  const std::vector<float>& heard = f.heard->last();
  CHECK(ramp_time(heard[2 * 24'000]) == Approx(0.5).margin(0.001));
}

TEST_CASE("Flow: sounds that together are too long for the memory are told of, and heard when there is room",
          "[ui][flow][sound][bad]") {
  SoundFlow f;
  f.session.sounds.set_room(3 * kRate / 2);
  f.import(f.file("one.wav", tone_values(300, 1)));
  f.import(f.file("two.wav", tone_values(300, 1)));
  const auto& problems = f.session.diagnostics.entries();
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].diagnostic.message ==
        "The sound \"two.wav\" is not heard: the sounds of the scene together are too long for the memory.");
  CHECK(f.session.sounds.find(f.sound(0).file));
  CHECK_FALSE(f.session.sounds.find(f.sound(1).file));
  delete_sound(f.window.context(), f.sound(0).id);
  f.settle();
  CHECK(f.session.sounds.find(f.sound(0).file));
  CHECK(f.session.diagnostics.entries().empty());
}

TEST_CASE("Flow: a sound that cannot be heard says so once, in its place and in the list", "[ui][flow][sound][bad]") {
  SoundFlow f;
  f.folder.write("bad.wav", "no sound at all");
  f.import(QString::fromStdString((f.folder / "bad.wav").string()));
  const auto& problems = f.session.diagnostics.entries();
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].diagnostic.message == "The sound \"bad.wav\" is not heard: no sound can be read from the file.");
  CHECK(problems[0].diagnostic.path == "sounds[0] \"bad\" file");
  CHECK(f.strip().isVisible());
  CHECK(f.strip().place_of(f.sound().id).width() > 10);
  // Playing is as without it; another file is heard.
  f.view().setFocus();
  f.key(Qt::Key_Space);
  REQUIRE(wait_for([&] { return f.playback().frame() > 10; }));
  f.key(Qt::Key_Space);
  CHECK(f.heard->takes.empty());
  const QString good = f.file("good.wav", tone_values(200, 1));
  answer_file_dialog(good);
  f.choose(f.strip_menu(f.in_strip(1)), "Other File…");
  f.settle();
  CHECK(f.undo_text() == "File of bad");
  CHECK(f.session.sounds.find(f.sound().file));
  CHECK(f.session.diagnostics.entries().empty());
}

TEST_CASE("Flow: sounds are saved beside the scene and are there when it is opened again", "[ui][flow][sound]") {
  SoundFlow f;
  f.import(f.file("bang.wav", tone_values(300, 1)));
  std::filesystem::create_directories(f.folder / "scene");
  const QString saved = QString::fromStdString((f.folder / "scene" / "s.json").string());
  answer_file_dialog(saved);
  f.menu("File", "file.save_as");
  REQUIRE(wait_for([&] { return QFileInfo::exists(saved); }));
  CHECK(std::filesystem::exists(f.folder / "scene" / "bang.wav"));
  std::filesystem::remove(f.folder / "bang.wav");
  f.open(saved);
  f.settle();
  CHECK(f.session.sounds.find(f.sound().file));
  CHECK(f.strip().isVisible());
}

/// A hit that dies away, and a tone under it.
std::vector<std::int16_t> hit_values(double seconds, double frequency) {
  std::vector<std::int16_t> values(static_cast<std::size_t>(seconds * kRate));
  std::mt19937 dice(7);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double time = static_cast<double>(i) / kRate, fades = std::exp(-time * 9 / seconds);
    const double noise = static_cast<double>(dice() % 2'000) / 1'000 - 1;
    values[i] = static_cast<std::int16_t>(
        30'000 * fades *
        (0.55 * noise * std::exp(-time * 30) + 0.45 * std::sin(2 * std::numbers::pi * frequency * time)));
  }
  return values;
}

TEST_CASE("Flow: pictures of the user guide: sounds under the ruler", "[ui][flow][shots]") {
  if (qEnvironmentVariableIsEmpty("HAZUMI_SHOTS")) return;  // pictures only; nothing to check
  SoundFlow f;
  const QByteArray size = qgetenv("HAZUMI_SHOT_SIZE");  // "1600x1000"
  if (const qsizetype at = size.indexOf('x'); at > 0) f.window.resize(size.left(at).toInt(), size.mid(at + 1).toInt());
  f.open(shipped("cuts.json"));
  REQUIRE(complete(f.playback()));
  f.playback().set_frame(20);
  f.import(f.file("Creak.wav", hit_values(1.6, 70)));
  f.playback().set_frame(71);
  f.import(f.file("First slab.wav", hit_values(0.9, 110)));
  f.folder.write("bad.wav", "no sound at all");
  f.playback().set_frame(62);
  f.selection().clear();
  f.move_to(QPointF(-1, -1));
  f.shot("sound-window");
  f.shot("sound", f->findChild<QDockWidget*>("timeline"));
  f.playback().set_frame(150);
  f.import(QString::fromStdString((f.folder / "bad.wav").string()));
  mute_sound(f.window.context(), f.sound(1).id, true);
  QTest::mouseClick(&f.strip(), Qt::LeftButton, {}, f.in_strip(45).toPoint());
  f.shot("sound-bad");
  QMenu* menu = f.strip_menu(f.in_strip(50));
  f.shot("sound-menu");
  menu->close();
  QTimer::singleShot(500, &f.window, [&] {
    f.shot("keying-set-menu");
    if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
  });
  QTest::mouseClick(f->findChild<QToolButton*>("timeline_keying_set"), Qt::LeftButton);
}

}  // namespace flow_sound_test
