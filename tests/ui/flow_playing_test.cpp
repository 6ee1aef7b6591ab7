// How the motion plays, by mouse and keys in the real window: speed, endings, every frame, markers, a part of the range.
#include <chrono>
#include <random>
#include <thread>

#include "tests/ui/flow_support.h"
#include "ui/panels/timeline_ruler.h"

namespace flow_playing_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Playing : Flow {
  std::vector<int> frames;  ///< that were shown
  std::vector<double> times;
  std::vector<int> drawn;  ///< pictures until then
  Clock::time_point start = Clock::now();
  double slow = 0;  ///< s that drawing takes

  explicit Playing(int last_frame = 120) {
    open(ball_scene(last_frame));
    REQUIRE(complete(playback()));
    view().setFocus();
    QObject::connect(&playback(), &PlaybackController::frame_changed, &window, [this](int frame) {
      frames.push_back(frame);
      times.push_back(seconds_since(start));
      drawn.push_back(view().frames_drawn());
      if (slow > 0) std::this_thread::sleep_for(std::chrono::duration<double>(slow));
    });
  }
  using Flow::open;
  void open(const Scene& scene) { Window::open(scene); }

  TimelineRuler& ruler() {
    auto* found = window.findChild<TimelineRuler*>();
    REQUIRE(found);
    return *found;
  }
  /// What is written down begins anew.
  void forget() {
    frames.clear();
    times.clear();
    drawn.clear();
  }
  void click_button(const char* name) {
    auto* button = window.findChild<QToolButton*>(QLatin1String(name));
    REQUIRE(button);
    QTest::mouseClick(button, Qt::LeftButton);
    QTest::qWait(5);
  }
  /// From the menu of the box of speeds in the time line.
  void choose_speed(const char* id) {
    auto* button = window.findChild<QToolButton*>("timeline_speed");
    REQUIRE(button);
    bool done = false;
    QTimer::singleShot(60, button, [&] {
      QMenu* menu = button->menu();
      if (menu->isVisible()) click_in(menu, menu->actionGeometry(action(id)).center());
      done = true;
    });
    QTest::mouseClick(button, Qt::LeftButton);
    REQUIRE(wait_for([&] { return done; }, 2000));
    QTest::qWait(5);
  }
};

/// Frames a second over those of a scene, of what was shown from the fifth on, when the machine has come to play.
double measured_speed(Playing& f) {
  REQUIRE(f.frames.size() > 6);
  return (f.frames.back() - f.frames[4]) / (f.times.back() - f.times[4]) / f.scene().settings.frame_rate;
}

}  // namespace

TEST_CASE("The way of the play head goes through every frame of its range and never out of it", "[ui][playing]") {
  const unsigned seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 dice(seed);
  for (int i = 0; i < 200; ++i) {
    PlayWay way;
    way.range.first = static_cast<int>(dice() % 50);
    way.range.last = way.range.first + static_cast<int>(dice() % 40);
    way.ending = static_cast<Ending>(dice() % 3);
    INFO(way.range.first << " to " << way.range.last << ", ending " << static_cast<int>(way.ending));
    std::vector<bool> seen(static_cast<std::size_t>(way.length()) + 1, false);
    int before = way.frame_at(0);
    CHECK(before == way.range.first);
    for (int step = 0; step <= 2 * way.lap(); ++step) {
      const int frame = way.frame_at(step);
      REQUIRE(frame >= way.range.first);
      REQUIRE(frame <= way.range.last);
      seen[static_cast<std::size_t>(frame - way.range.first)] = true;
      // One frame on or back; a loop may go to its start, once may stay.
      const int gone = frame - before;
      const bool wraps = way.ending == Ending::loop && frame == way.range.first && before == way.range.last;
      CHECK((std::abs(gone) <= 1 || wraps));
      if (way.ending == Ending::back_and_forth && step > 0 && way.length() > 0) CHECK(std::abs(gone) == 1);
      const bool back = way.ending == Ending::back_and_forth && step % way.lap() > way.length();
      if (way.ending != Ending::once) CHECK(way.step_of(frame, back) == step % way.lap());
      before = frame;
    }
    CHECK(std::all_of(seen.begin(), seen.end(), [](bool there) { return there; }));
  }
}

TEST_CASE("Flow: the box of speeds and the menu set how fast it plays, and are no edit", "[ui][flow][playing]") {
  Playing f(400);
  auto* box = f->findChild<QToolButton*>("timeline_speed");
  REQUIRE(box);
  CHECK(box->text() == QString("1 ×"));
  struct Case {
    const char* id;
    double speed;
    const char* text;
  };
  for (const Case& each : {Case{"play.quarter", 0.25, "¼ ×"}, Case{"play.half", 0.5, "½ ×"},
                           Case{"play.double", 2, "2 ×"}, Case{"play.real", 1, "1 ×"}}) {
    INFO(each.id);
    f.choose_speed(each.id);
    CHECK(f.playback().speed() == each.speed);
    CHECK(box->text() == QString(each.text));
    CHECK(f.action(each.id)->isChecked());
    f.view().setFocus();
    f.playback().set_frame(0);
    f.forget();
    f.key(Qt::Key_Space);
    REQUIRE(wait_for([&] { return f.playback().frame() > std::max(30.0, 90 * each.speed); }));
    f.key(Qt::Key_Space);
    CHECK(measured_speed(f) == Approx(each.speed).epsilon(0.25));
  }
  f.submenu("Playback", "play.half");
  CHECK(f.playback().speed() == 0.5);
  // Faster while it plays: it goes on from where it is.
  f.view().setFocus();
  f.playback().set_frame(0);
  f.key(Qt::Key_Space);
  REQUIRE(wait_for([&] { return f.playback().frame() > 20; }));
  const int before = f.playback().frame();
  f.choose_speed("play.double");
  CHECK(f.playback().playing());
  CHECK(f.playback().frame() - before < 60);
  f.playback().play(false);
  CHECK(f.document().undo_stack()->count() == 0);
  CHECK_FALSE(f.document().modified());
}

TEST_CASE("Flow: once, loop, or back and forth", "[ui][flow][playing]") {
  Playing f(20);
  CHECK(f.playback().ending() == Ending::loop);
  f.click_button("play.back_and_forth");
  CHECK(f.playback().ending() == Ending::back_and_forth);
  CHECK_FALSE(f.action("play.loop")->isChecked());  // one choice
  f.menu("Playback", "play.every_frame");           // so that each frame is told of
  f.forget();
  f.view().setFocus();
  f.key(Qt::Key_Space);
  REQUIRE(wait_for([&] { return f.frames.size() > 70; }, 20000));
  f.key(Qt::Key_Space);
  for (std::size_t i = 0; i < f.frames.size(); ++i) {
    const int step = (static_cast<int>(i) + 1) % 40;
    REQUIRE(f.frames[i] == (step <= 20 ? step : 40 - step));
  }
  // From the last frame it goes back at once.
  f.key(Qt::Key_Right, Qt::ShiftModifier);
  REQUIRE(f.playback().frame() == 20);
  f.forget();
  f.key(Qt::Key_Space);
  REQUIRE(wait_for([&] { return f.frames.size() > 3; }));
  f.key(Qt::Key_Space);
  CHECK(f.frames[0] == 19);
  f.key(Qt::Key_L);
  CHECK(f.playback().ending() == Ending::loop);
  f.key(Qt::Key_L);
  CHECK(f.playback().ending() == Ending::once);
  CHECK(f.action("play.once")->isChecked());
  f.key(Qt::Key_Space);
  REQUIRE(wait_for([&] { return !f.playback().playing(); }));
  CHECK(f.playback().frame() == 20);
  f.key(Qt::Key_L, Qt::ShiftModifier);
  CHECK(f.playback().ending() == Ending::back_and_forth);
}

TEST_CASE("Flow: back and forth an edit waits for the frames it needs", "[ui][flow][playing]") {
  Playing f(40);
  f.key(Qt::Key_L, Qt::ShiftModifier);
  bool missing = false;
  QObject::connect(&f.playback(), &PlaybackController::frame_changed, &f.window,
                   [&](int frame) { missing |= !f.playback().cache().frame(frame); });
  f.key(Qt::Key_Space);
  // On the way back.
  REQUIRE(wait_for([&] {
    const std::size_t n = f.frames.size();
    return n > 1 && f.frames[n - 1] < f.frames[n - 2] && f.frames[n - 1] > 15;
  }));
  f.playback().set_paused(true);
  const int reached = f.playback().frame();
  REQUIRE(f.document().edit_object("Push", id_of(f.scene(), "Ball"), [](Object& o) { o.body.velocity.x() = 1; }).ok());
  REQUIRE(wait_for([&] { return f.playback().waiting(); }));
  CHECK(f.playback().frame() == reached);
  f.forget();
  f.playback().set_paused(false);
  REQUIRE(wait_for([&] { return f.frames.size() > 2; }));
  CHECK(f.frames[0] < reached);
  CHECK_FALSE(missing);
}

TEST_CASE("Flow: slow pictures leave frames out, or show every frame when that is wanted", "[ui][flow][playing]") {
  Playing f(200);
  f.slow = 0.045;  // of a frame's 1/60 s
  f.key(Qt::Key_Space);
  REQUIRE(wait_for([&] { return f.frames.size() > 15; }));
  f.key(Qt::Key_Space);
  // Keeps to the clock: through the end of the range where pictures are slower still.
  int gone = 0;
  for (std::size_t i = 5; i <= 14; ++i) gone += (f.frames[i] - f.frames[i - 1] + 201) % 201;
  CHECK(gone > 15);

  f.choose_speed("play.every_frame");
  CHECK(f.action("play.every_frame")->isChecked());
  f.view().setFocus();
  f.key(Qt::Key_Left, Qt::ShiftModifier);
  QTest::qWait(100);
  f.forget();
  f.key(Qt::Key_Space);
  REQUIRE(wait_for([&] { return f.frames.size() > 20; }));
  f.key(Qt::Key_Space);
  for (std::size_t i = 1; i < f.frames.size(); ++i) {
    INFO(i);
    CHECK(f.frames[i] == f.frames[i - 1] + 1);
    CHECK(f.drawn[i] > f.drawn[i - 1]);  // it was in a picture
  }
  CHECK(measured_speed(f) < 0.6);
  // No faster than it is where pictures are quick; how slow the machine is meanwhile, nobody says.
  f.slow = 0;
  f.playback().set_frame(0);
  f.choose_speed("play.quarter");
  f.forget();
  f.view().setFocus();
  f.key(Qt::Key_Space);
  REQUIRE(wait_for([&] { return f.frames.size() > 15; }));
  f.key(Qt::Key_Space);
  CHECK(measured_speed(f) < 0.3);
}

TEST_CASE("Flow: markers are set, dragged, renamed, jumped to and deleted, each one undo step",
          "[ui][flow][playing][markers]") {
  Playing f(120);
  const std::string start = scene_to_text(f.scene());
  const auto generation = f.playback().cache().generation();
  const auto flag = [&](int frame) { return QPointF(f.ruler().x_of(frame) + 4, 18); };
  for (const int frame : {30, 90}) {
    f.playback().set_frame(frame);
    f.key(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
  }
  REQUIRE(f.scene().markers.size() == 2);
  CHECK(f.scene().markers[0]->time == Approx(0.5));
  CHECK(f.document().undo_stack()->undoText() == "Add Marker 2");
  CHECK_FALSE(f.action("marker.add")->isEnabled());  // there is one here
  // Dragged: one step, however many moves, and the play head stays.
  f.drag(&f.ruler(), flag(30), flag(48));
  CHECK(f.scene().markers[0]->time == Approx(0.8));
  CHECK(f.document().undo_stack()->count() == 3);
  CHECK(f.document().undo_stack()->undoText() == "Move Marker 1");
  CHECK(f.playback().frame() == 90);
  // A click goes there.
  QTest::mouseClick(&f.ruler(), Qt::LeftButton, {}, flag(48).toPoint());
  CHECK(f.playback().frame() == 48);
  CHECK(f.document().undo_stack()->count() == 3);
  // A double click: its name is typed; keys of the window are letters.
  QTest::mouseDClick(&f.ruler(), Qt::LeftButton, {}, flag(48).toPoint());
  auto* edit = f.ruler().findChild<QLineEdit*>("marker_name");
  REQUIRE(edit);
  QTest::keyClicks(edit, "Sit LM");
  QTest::keyClick(edit, Qt::Key_Return);
  CHECK(f.scene().markers[0]->name == "Sit LM");
  CHECK(f.playback().ending() == Ending::loop);
  CHECK(f.document().undo_stack()->undoText() == "Rename to Sit LM");
  QTest::qWait(20);
  QTest::mouseDClick(&f.ruler(), Qt::LeftButton, {}, flag(48).toPoint());
  edit = f.ruler().findChild<QLineEdit*>("marker_name");
  REQUIRE(edit);
  QTest::keyClicks(edit, "No");
  QTest::keyClick(edit, Qt::Key_Escape);
  CHECK(f.scene().markers[0]->name == "Sit LM");
  QTest::qWait(20);
  // To the next and the one before.
  f.view().setFocus();
  f.playback().set_frame(60);
  f.key(Qt::Key_Up, Qt::ControlModifier);
  CHECK(f.playback().frame() == 90);
  CHECK_FALSE(f.action("marker.next")->isEnabled());
  f.key(Qt::Key_Down, Qt::ControlModifier);
  CHECK(f.playback().frame() == 48);
  CHECK(f.playback().cache().generation() == generation);  // nothing is computed for it
  // Another frame rate: they stay at their time.
  type_number(f->findChild<QWidget*>("timeline_rate")->findChild<NumberField*>(), "30");
  CHECK(f.ruler().frame_at(f.ruler().x_of(24)) == 24);
  f.view().setFocus();
  f.playback().set_frame(24);
  CHECK(f.action("marker.delete")->isEnabled());
  f.submenu("Playback", "marker.delete");
  REQUIRE(f.scene().markers.size() == 1);
  CHECK(f.document().undo_stack()->undoText() == "Delete Sit LM");
  back_and_forth(f, start);
}

TEST_CASE("Flow: the menu of the ruler lists markers, colours and deletes one", "[ui][flow][playing][markers]") {
  Playing f(120);
  for (const int frame : {30, 90}) {
    f.playback().set_frame(frame);
    f.submenu("Playback", "marker.add");
  }
  const auto opened = [&](QPointF at) {
    QContextMenuEvent event(QContextMenuEvent::Mouse, at.toPoint(), f.ruler().mapToGlobal(at.toPoint()));
    QApplication::sendEvent(&f.ruler(), &event);
    QMenu* menu = nullptr;
    REQUIRE(wait_for([&] { return (menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) != nullptr; }));
    return menu;
  };
  const auto inner = [&](QMenu* menu, const QString& title, const QString& entry) {
    for (QAction* each : menu->actions())
      if (each->menu() && each->text() == title) {
        f.click_in(menu, menu->actionGeometry(each).center());
        REQUIRE(wait_for([&] { return each->menu()->isVisible(); }));
        for (QAction* one : each->menu()->actions())
          if (one->text() == entry) return f.click_in(each->menu(), each->menu()->actionGeometry(one).center());
      }
    FAIL("no such entry");
  };
  inner(opened(QPointF(f.ruler().x_of(10), 30)), "Go to Marker", "Marker 1, frame 30");
  QTest::qWait(20);
  CHECK(f.playback().frame() == 30);
  const QPointF flag(f.ruler().x_of(90) + 4, 18);
  inner(opened(flag), "Colour", "Red");
  QTest::qWait(20);
  CHECK(f.scene().markers[1]->colour.x() > f.scene().markers[1]->colour.z());
  CHECK(f.document().undo_stack()->undoText() == "Colour of Marker 2");
  QMenu* menu = opened(flag);
  for (QAction* each : menu->actions())
    if (each->text() == "Delete") f.click_in(menu, menu->actionGeometry(each).center());
  QTest::qWait(20);
  CHECK(f.scene().markers.size() == 1);
}

TEST_CASE("Flow: the rulers of the dope sheet and of the curves have the same flags", "[ui][flow][playing][markers]") {
  Playing f(120);
  f.playback().set_frame(30);
  f.key(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
  int frame = 30;
  for (const char* dock : {"dope_sheet", "curves"}) {
    INFO(dock);
    f.tab(dock);
    TimeStrip* strip = nullptr;
    for (TimeStrip* each : f->findChildren<TimeStrip*>())
      if (each->isVisible()) strip = each;
    REQUIRE(strip);
    f.drag(strip, QPointF(strip->x_of(frame) + 4, 18), QPointF(strip->x_of(frame + 20) + 4, 18));
    frame += 20;
    REQUIRE(f.scene().markers.size() == 1);
    CHECK(f.scene().markers[0]->time == Approx(frame / 60.0));
    f.playback().set_frame(0);
    QTest::mouseClick(strip, Qt::LeftButton, {}, QPoint(static_cast<int>(strip->x_of(frame)) + 4, 18));
    CHECK(f.playback().frame() == frame);
    f.shot((std::string("playing-") + dock).c_str());
  }
}

TEST_CASE("Flow: a part of the range is played, by mouse and keys, and the scene stays as it is",
          "[ui][flow][playing][part]") {
  Playing f(120);
  const auto at = [&](int frame, double y) { return QPointF(f.ruler().x_of(frame), y); };
  f.playback().set_frame(40);
  f.key(Qt::Key_B, Qt::AltModifier);
  CHECK(f.playback().part() == PlayRange{40, 120});
  f.playback().set_frame(60);
  f.key(Qt::Key_N, Qt::AltModifier);
  CHECK(f.playback().part() == PlayRange{40, 60});
  // Ends by mouse.
  f.drag(&f.ruler(), at(40, 3), at(45, 3));
  f.drag(&f.ruler(), at(60, 3), at(52, 3));
  CHECK(f.playback().part() == PlayRange{45, 52});
  CHECK(f.playback().frame() == 60);
  // What plays stays in it, from wherever the play head was.
  f.menu("Playback", "play.every_frame");
  f.view().setFocus();
  f.forget();
  f.key(Qt::Key_Space);
  REQUIRE(wait_for([&] { return f.frames.size() > 30; }, 20000));
  f.key(Qt::Key_Space);
  for (std::size_t i = 0; i < f.frames.size(); ++i) CHECK(f.frames[i] == 45 + static_cast<int>(i % 8));
  f.key(Qt::Key_Right, Qt::ShiftModifier);
  CHECK(f.playback().frame() == 52);
  f.key(Qt::Key_Left, Qt::ShiftModifier);
  CHECK(f.playback().frame() == 45);
  // Outside of it can be looked at.
  f.drag(&f.ruler(), at(80, 8), at(100, 8));
  CHECK(f.playback().frame() == 100);
  // Anew, with Shift, in either direction.
  for (const auto& [from, to] : {std::pair(20, 35), std::pair(35, 20)}) {
    f.key(Qt::Key_B, Qt::AltModifier | Qt::ShiftModifier);
    CHECK_FALSE(f.playback().part());
    f.mouse(&f.ruler(), QEvent::MouseButtonPress, at(from, 8), Qt::LeftButton, Qt::LeftButton, Qt::ShiftModifier);
    f.mouse(&f.ruler(), QEvent::MouseMove, at(28, 8), Qt::NoButton, Qt::LeftButton, Qt::ShiftModifier);
    f.mouse(&f.ruler(), QEvent::MouseMove, at(to, 8), Qt::NoButton, Qt::LeftButton, Qt::ShiftModifier);
    f.mouse(&f.ruler(), QEvent::MouseButtonRelease, at(to, 8), Qt::LeftButton, Qt::NoButton, Qt::ShiftModifier);
    CHECK(f.playback().part() == PlayRange{20, 35});
  }
  CHECK(f.playback().frame() == 100);
  CHECK(f.document().undo_stack()->count() == 0);
  CHECK_FALSE(f.document().modified());
}

TEST_CASE("Flow: the part that is played is remembered by file, and gone with the scene", "[ui][flow][playing][part]") {
  QTemporaryDir folder;
  const QString file = folder.filePath("mine.json"), other = folder.filePath("other.json");
  write_file(file, QByteArray::fromStdString(scene_to_text(ball_scene(120))));
  write_file(other, QByteArray::fromStdString(scene_to_text(ball_scene(120))));
  {
    Flow f;
    f.open(file);
    f.playback().play(false);
    f.playback().set_frame(40);
    f.view().setFocus();
    f.key(Qt::Key_B, Qt::AltModifier);
    REQUIRE(f.playback().part());
    f.open(other);
    CHECK_FALSE(f.playback().part());
    f.open(file);
    CHECK(f.playback().part() == PlayRange{40, 120});
    f.view().setFocus();
    f.key(Qt::Key_B, Qt::AltModifier | Qt::ShiftModifier);
    f.open(other);
    f.open(file);
    CHECK_FALSE(f.playback().part());
  }
}

TEST_CASE("Flow: the selected keys are played", "[ui][flow][playing][part]") {
  Playing f(120);
  f.selection().select_only(id_of(f.scene(), "Ball"));
  CHECK_FALSE(f.action("part.keys")->isEnabled());
  for (const int frame : {10, 50}) {
    f.playback().set_frame(frame);
    f.view().setFocus();
    QCursor::setPos(f.view().mapToGlobal(QPoint(200, 200)));
    f.key(Qt::Key_I);
  }
  REQUIRE_FALSE(f.scene().tracks.empty());
  const auto press_key = [&](int frame, Qt::KeyboardModifiers keys) {
    const QPointF at(f.ruler().x_of(frame), 0.5 * (24 + f.ruler().height() - 6));
    f.mouse(&f.ruler(), QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton, keys);
    f.mouse(&f.ruler(), QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton, keys);
  };
  press_key(10, {});
  CHECK_FALSE(f.action("part.keys")->isEnabled());
  press_key(50, Qt::ShiftModifier);
  REQUIRE(f.action("part.keys")->isEnabled());
  const int edits = f.document().undo_stack()->count();
  f.submenu("Playback", "part.keys");
  CHECK(f.playback().part() == PlayRange{10, 50});
  CHECK(f.playback().playing());
  f.playback().play(false);
  CHECK(f.document().undo_stack()->count() == edits);
}

TEST_CASE("Flow: at 1280 nothing of the time line is cut", "[ui][flow][playing]") {
  Playing f(120);
  f.window.resize(1280, 720);
  QTest::qWait(50);
  for (const int frame : {24, 72, 96}) {
    f.playback().set_frame(frame);
    f.key(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
  }
  f.playback().set_part(PlayRange{30, 90});
  QWidget* panel = f->findChild<QWidget*>("timeline_panel");
  int right = 0;
  for (const char* name : {"play.start", "play.back_and_forth", "timeline_speed", "timeline_frame", "timeline_seconds",
                           "timeline_first", "timeline_last", "timeline_rate", "timeline_substeps"}) {
    INFO(name);
    auto* widget = panel->findChild<QWidget*>(name);
    REQUIRE(widget);
    CHECK(widget->geometry().left() >= right);
    right = widget->geometry().right();
    CHECK(right < panel->width());
  }
  f.shot("playing-1280");
  CHECK(panel->findChild<QWidget*>("timeline_seconds")->width() >=
        panel->findChild<QWidget*>("timeline_seconds")->sizeHint().width());
  f.shot("playing", panel);
  f.window.resize(1600, 1000);
  f.shot("playing-1600");
}

}  // namespace flow_playing_test
