// The dope sheet in the real window, by mouse and keys.
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>

#include "tests/ui/key_support.h"
#include "ui/panels/dope_sheet.h"
#include "ui/panels/time_strip.h"
#include "ui/panels/timeline_ruler.h"
#include "ui/panels/track_list.h"
#include "ui/widgets/bubble.h"

namespace dope_sheet_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

// Rows of KeyedScene, as they stand under each other.
enum Row { all_row, scene_row, gravity_row, ball_row, place_row, colour_row, seen_row, box_row, turn_row };

struct DopeFlow : Flow {
  KeyedScene k;
  DopeSheet* sheet = nullptr;
  TrackList* list = nullptr;

  DopeFlow() {
    document().reset(k.scene, {});
    playback().set_paused(true);
    tab("dope_sheet");
    QTest::qWait(60);
    sheet = window.findChild<DopeSheet*>();
    REQUIRE(sheet);
    auto* dock = window.findChild<QDockWidget*>("dope_sheet");
    REQUIRE(dock);
    list = dock->findChild<TrackList*>();
    REQUIRE(list);
    REQUIRE(sheet->height() >= 8 * TrackView::kRowHeight);
  }
  KeySelection& keys() { return session.keys; }
  QPointF mark(int row, double frame) { return sheet->place_of_key(row, frame / 60); }
  QPointF beside(double frame, int row) { return mark(row, frame); }
  void press(QPointF at, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers held = {}) {
    mouse(sheet, QEvent::MouseMove, at, Qt::NoButton, Qt::NoButton, held);
    mouse(sheet, QEvent::MouseButtonPress, at, button, button, held);
  }
  void release(QPointF at, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers held = {}) {
    mouse(sheet, QEvent::MouseButtonRelease, at, button, Qt::NoButton, held);
  }
  void click_mark(int row, double frame, Qt::KeyboardModifiers held = {}) {
    press(mark(row, frame), Qt::LeftButton, held);
    release(mark(row, frame), Qt::LeftButton, held);
  }
  void point_at(QPointF at, Qt::KeyboardModifiers held = {}) {
    mouse(sheet, QEvent::MouseMove, at, Qt::NoButton, Qt::NoButton, held);
  }
  void type(Qt::Key key, Qt::KeyboardModifiers held = {}) {
    sheet->setFocus();
    QTest::keyClick(sheet, key, held);
  }
  std::vector<double> place_frames() { return frames_of(scene(), k.place); }
  QString hint() { return window.findChild<QLabel*>("status_hint")->text(); }
  int steps() { return document().undo_stack()->index(); }
  std::string text() { return scene_to_text(scene()); }
};

using Frames = std::vector<double>;

}  // namespace

TEST_CASE("Dope sheet: clicks select keys, Shift adds, a row of many selects all at its time", "[ui][flow][dope]") {
  DopeFlow f;
  f.click_mark(place_row, 30);
  CHECK(f.keys().keys() == KeyTimes{{f.k.place, {0.5}}});
  f.click_mark(place_row, 60, Qt::ShiftModifier);
  CHECK(f.keys().keys() == KeyTimes{{f.k.place, {0.5, 1}}});
  CHECK(f.keys().active() == KeyRef{f.k.place, 1});
  f.click_mark(place_row, 30, Qt::ShiftModifier);
  CHECK(f.keys().keys() == KeyTimes{{f.k.place, {1}}});
  f.click_mark(ball_row, 60);
  CHECK(f.keys().keys() == KeyTimes{{f.k.place, {1}}, {f.k.colour, {1}}});
  f.shot("dope-sheet", f->findChild<QDockWidget*>("dope_sheet"));
  f.click_mark(all_row, 0);
  CHECK(f.keys().keys() == KeyTimes{{f.k.place, {0}}, {f.k.colour, {0}}, {f.k.seen, {0}}, {f.k.turn, {0}}});
  f.press(f.mark(place_row, 105));  // nothing there
  f.release(f.mark(place_row, 105));
  CHECK(f.keys().empty());
  CHECK(f.steps() == 0);
}

TEST_CASE("Dope sheet: a box selects what is in it; A all, Alt+A none, Ctrl+I the others", "[ui][flow][dope]") {
  DopeFlow f;
  const QPointF from = f.mark(place_row, 20) - QPointF(0, 8), to = f.mark(colour_row, 70) + QPointF(0, 8);
  f.drag(f.sheet, from, to);
  CHECK(f.keys().keys() == KeyTimes{{f.k.place, {0.5, 1}}, {f.k.colour, {1}}});
  f.type(Qt::Key_A);
  CHECK(f.keys().keys() == all_keys(f.scene()));
  f.type(Qt::Key_A, Qt::AltModifier);
  CHECK(f.keys().empty());
  f.click_mark(gravity_row, 10);
  f.type(Qt::Key_I, Qt::ControlModifier);
  CHECK(f.keys().count() == 10);
  CHECK_FALSE(f.keys().contains({f.k.gravity, 10.0 / 60}));
  // Esc leaves a box.
  f.press(from);
  f.point_at(to);
  f.type(Qt::Key_Escape);
  f.release(to);
  CHECK(f.keys().count() == 10);
  CHECK(f.steps() == 0);
}

TEST_CASE("Dope sheet: dragging moves keys by whole frames as one step, the right button takes it back",
          "[ui][flow][dope]") {
  DopeFlow f;
  const std::string before = f.text();
  f.drag(f.sheet, f.mark(place_row, 30), f.mark(place_row, 42.3));
  CHECK(f.place_frames() == Frames{0, 42, 60, 90});
  CHECK(f.steps() == 1);
  CHECK(f.document().undo_stack()->undoText() == "Move 1 key");
  CHECK(f.keys().keys() == KeyTimes{{f.k.place, {track_of(f.scene(), f.k.place).keys[1].time}}});
  // Over another one and back: it is there again. Onto it: the moved one stays.
  f.press(f.mark(place_row, 42));
  for (const double frame : {50.0, 60.0, 70.0, 80.0})
    f.mouse(f.sheet, QEvent::MouseMove, f.mark(place_row, frame), Qt::NoButton, Qt::LeftButton);
  CHECK(f.place_frames() == Frames{0, 60, 80, 90});
  f.mouse(f.sheet, QEvent::MouseMove, f.mark(place_row, 60), Qt::NoButton, Qt::LeftButton);
  CHECK(f.place_frames() == Frames{0, 60, 90});
  CHECK(track_of(f.scene(), f.k.place).keys[1].value[1] == 2);
  CHECK(f.hint().startsWith("Move: 18 frames"));
  f.press(f.mark(place_row, 60), Qt::RightButton);
  f.release(f.mark(place_row, 60), Qt::RightButton);
  CHECK(f.place_frames() == Frames{0, 42, 60, 90});
  CHECK(f.steps() == 1);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.text() == before);
  CHECK(f.keys().keys() == KeyTimes{{f.k.place, {0.5}}});
}

TEST_CASE("Dope sheet: G moves with the mouse or a typed number, Esc leaves the scene and its undo alone",
          "[ui][flow][dope]") {
  DopeFlow f;
  f.click_mark(place_row, 30);
  f.click_mark(place_row, 60, Qt::ShiftModifier);
  const std::string before = f.text();
  f.point_at(f.mark(place_row, 50));
  f.type(Qt::Key_G);
  REQUIRE(f.sheet->moving());
  f.point_at(f.mark(place_row, 55));
  CHECK(f.place_frames() == Frames{0, 35, 65, 90});
  f.type(Qt::Key_Escape);
  CHECK_FALSE(f.sheet->moving());
  CHECK(f.text() == before);
  CHECK(f.steps() == 0);
  CHECK(f.keys().count() == 2);
  f.type(Qt::Key_G);
  for (const Qt::Key key : {Qt::Key_1, Qt::Key_2, Qt::Key_Minus}) f.type(key);
  CHECK(f.place_frames() == Frames{0, 18, 48, 90});
  CHECK(f.hint().contains("[−12]"));
  f.type(Qt::Key_Return);
  CHECK(f.place_frames() == Frames{0, 18, 48, 90});
  CHECK(f.steps() == 1);
  // Between frames with Shift.
  f.point_at(f.mark(place_row, 20));
  f.type(Qt::Key_G);
  f.point_at(f.mark(place_row, 22.4), Qt::ShiftModifier);
  CHECK(f.place_frames()[1] == Approx(20.4).margin(0.1));
  f.press(f.mark(place_row, 22.4));  // a click takes it
  CHECK_FALSE(f.sheet->moving());
  CHECK(f.steps() == 2);
}

TEST_CASE("Dope sheet: S scales about the play head, by mouse and by a number", "[ui][flow][dope]") {
  DopeFlow f;
  f.playback().set_frame(20);
  f.click_mark(place_row, 30);
  f.click_mark(place_row, 60, Qt::ShiftModifier);
  f.point_at(f.mark(place_row, 40));
  f.type(Qt::Key_S);
  f.point_at(f.mark(place_row, 60));
  CHECK(f.place_frames() == Frames{0, 40, 90, 100});
  f.type(Qt::Key_Escape);
  CHECK(f.place_frames() == Frames{0, 30, 60, 90});
  f.type(Qt::Key_S);
  for (const Qt::Key key : {Qt::Key_0, Qt::Key_Period, Qt::Key_5}) f.type(key);
  f.type(Qt::Key_Enter);
  CHECK(f.place_frames() == Frames{0, 25, 40, 90});
  CHECK(f.document().undo_stack()->undoText().toStdString() == "Scale 2 keys");
}

TEST_CASE("Dope sheet: X deletes, Shift+D copies along, Ctrl+C and Ctrl+V bring keys to the play head and to others",
          "[ui][flow][dope]") {
  DopeFlow f;
  f.click_mark(place_row, 30);
  f.point_at(f.mark(place_row, 30));
  f.type(Qt::Key_D, Qt::ShiftModifier);
  REQUIRE(f.sheet->moving());
  f.point_at(f.mark(place_row, 40));
  f.type(Qt::Key_Return);
  CHECK(f.place_frames() == Frames{0, 30, 40, 60, 90});
  CHECK(f.document().undo_stack()->undoText() == "Duplicate 1 key");
  f.type(Qt::Key_X);
  CHECK(f.place_frames() == Frames{0, 30, 60, 90});
  CHECK(f.keys().empty());
  f.type(Qt::Key_X);
  CHECK(Bubble::shown_text() == "Select a key first.");
  f.click_mark(place_row, 30);
  f.click_mark(place_row, 60, Qt::ShiftModifier);
  f.type(Qt::Key_C, Qt::ControlModifier);
  f.playback().set_frame(70);
  f.type(Qt::Key_V, Qt::ControlModifier);
  CHECK(f.place_frames() == Frames{0, 30, 60, 70, 90, 100});
  f.selection().select_only(Id{f.k.box});
  f.playback().set_frame(5);
  f.type(Qt::Key_V, Qt::ControlModifier);
  const Track* fresh = find_track(f.scene(), f.k.box, "transform.position");
  REQUIRE(fresh);
  CHECK(frames_of(f.scene(), fresh->id) == Frames{5, 35});
  CHECK(f.document().undo_stack()->undoText() == "Paste 2 keys");
  // In another scene, by the name of the thing.
  f.document().reset(ball_scene(100), {});
  f.playback().set_frame(12);
  f.type(Qt::Key_V, Qt::ControlModifier);
  REQUIRE(f.scene().tracks.size() == 1);
  CHECK(frames_of(f.scene(), f.scene().tracks[0]->id) == Frames{12, 42});
  QGuiApplication::clipboard()->setText("no keys");
  f.type(Qt::Key_V, Qt::ControlModifier);
  CHECK(Bubble::shown_text() == "Nothing was pasted: the clipboard holds no keys that were copied in Hazumi.");
  CHECK(f.scene().tracks.size() == 1);
}

TEST_CASE("Dope sheet: over it keys are keys of keys, over the view they are of objects", "[ui][flow][dope]") {
  DopeFlow f;
  f.selection().select_only(Id{f.k.ball});
  f.click_mark(place_row, 30);
  QTest::mouseMove(f.sheet, f.mark(place_row, 100).toPoint());
  REQUIRE(wait_for([&] { return f.sheet->hasFocus(); }, 2000));
  f.key(Qt::Key_X);
  CHECK(f.place_frames() == Frames{0, 60, 90});
  REQUIRE(find_object(f.scene(), Id{f.k.ball}));
  QTest::mouseMove(&f.view(), f.view().rect().center());
  REQUIRE(wait_for([&] { return f.view().hasFocus(); }, 2000));
  f.key(Qt::Key_X);
  CHECK(find_object(f.scene(), Id{f.k.ball}) == nullptr);
  CHECK(find_track(f.scene(), f.k.place) == nullptr);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.place_frames() == Frames{0, 60, 90});
}

TEST_CASE("Dope sheet: its menu mirrors, snaps, aligns, shapes and eases; the same commands are in the menu Keys",
          "[ui][flow][dope]") {
  DopeFlow f;
  const auto from_menu = [&](const char* id) {
    f.press(f.mark(place_row, 30), Qt::RightButton);
    f.release(f.mark(place_row, 30), Qt::RightButton);
    QTest::qWait(30);
    QMenu* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    REQUIRE(menu);
    QAction* wanted = f.action(id);
    for (QAction* entry : menu->actions()) {
      if (QMenu* inner = entry->menu(); inner && inner->actions().contains(wanted)) {
        f.click_in(menu, menu->actionGeometry(entry).center());
        REQUIRE(wait_for([&] { return inner->isVisible(); }, 2000));
        f.click_in(inner, inner->actionGeometry(wanted).center());
        QTest::qWait(10);
        return;
      }
    }
    REQUIRE(menu->actions().contains(wanted));
    f.click_in(menu, menu->actionGeometry(wanted).center());
    QTest::qWait(10);
  };
  f.playback().set_frame(50);
  from_menu("keys.mirror");  // the right button selects what is under it
  CHECK(f.place_frames() == Frames{0, 60, 70, 90});
  f.key(Qt::Key_Z, Qt::ControlModifier);
  f.click_mark(place_row, 30);
  from_menu("keys.linear");
  CHECK(track_of(f.scene(), f.k.place).keys[1].shape == KeyShape::linear);
  for (const auto& [id, tangent] :
       {std::pair("keys.flat", KeyTangent::flat), std::pair("keys.free", KeyTangent::free),
        std::pair("keys.aligned", KeyTangent::aligned), std::pair("keys.automatic", KeyTangent::automatic)}) {
    from_menu(id);
    CHECK(track_of(f.scene(), f.k.place).keys[1].tangent == tangent);
  }
  from_menu("keys.out.bounce");
  CHECK(track_of(f.scene(), f.k.place).keys.size() == 7);
  CHECK(f.document().undo_stack()->undoText() == "Ease 1 key");
  f.key(Qt::Key_Z, Qt::ControlModifier);
  f.click_mark(place_row, 30);
  f.menu("Keys", "keys.align");
  CHECK(f.place_frames() == Frames{0, 50, 60, 90});
  f.submenu("Keys", "keys.after.cycle_offset");
  CHECK(track_of(f.scene(), f.k.place).after == Beyond::cycle_offset);
  CHECK(f.action("keys.after.cycle_offset")->isChecked());
  f.type(Qt::Key_S, Qt::AltModifier);
  CHECK(f.place_frames() == Frames{0, 50, 60, 90});
  f.keys().clear();
  CHECK_FALSE(f.action("keys.mirror")->isEnabled());
  CHECK(f.action("keys.mirror")->statusTip() == "Select a key first.");
}

TEST_CASE("Dope sheet: rows are chosen, folded and muted; only what is selected may be shown", "[ui][flow][dope]") {
  DopeFlow f;
  const auto click_row = [&](int row, Qt::KeyboardModifiers held = {}) {
    QTest::mouseClick(f.list, Qt::LeftButton, held, QPoint(60, qRound(f.mark(row, 0).y())));
  };
  click_row(place_row);
  CHECK(f.keys().tracks() == std::set<Id>{f.k.place});
  click_row(turn_row, Qt::ShiftModifier);
  CHECK(f.keys().tracks() == std::set<Id>{f.k.place, f.k.turn});
  click_row(ball_row);
  CHECK(f.keys().tracks() == std::set<Id>{f.k.place, f.k.colour, f.k.seen});
  CHECK(f.selection().active() == Id{f.k.ball});
  QTest::mouseClick(f.list, Qt::LeftButton, {}, f.list->eye_place(place_row).center().toPoint());
  CHECK_FALSE(track_of(f.scene(), f.k.place).visible);
  CHECK(f.document().undo_stack()->undoText() == "Mute 1 track");
  QTest::mouseClick(f.list, Qt::LeftButton, {}, f.list->eye_place(place_row).center().toPoint());
  CHECK(track_of(f.scene(), f.k.place).visible);
  QTest::mouseClick(f.list, Qt::LeftButton, {}, f.list->arrow_place(ball_row).center().toPoint());
  f.click_mark(ball_row + 2, 60);  // the box's rows have come up
  CHECK(f.keys().keys() == KeyTimes{{f.k.turn, {1}}});
  QTest::mouseClick(f.list, Qt::LeftButton, {}, f.list->arrow_place(ball_row).center().toPoint());
  QTest::mouseDClick(f.list, Qt::LeftButton, {}, QPoint(60, qRound(f.mark(place_row, 0).y())));
  CHECK(f.keys().keys() == all_keys(f.scene(), {f.k.place}));
  f.selection().select_only(Id{f.k.box});
  auto* only = f->findChild<QDockWidget*>("dope_sheet")->findChild<QCheckBox*>("only_selected");
  REQUIRE(only);
  QTest::mouseClick(only, Qt::LeftButton, {}, QPoint(8, only->height() / 2));
  f.type(Qt::Key_A);
  CHECK(f.keys().keys() == all_keys(f.scene(), {f.k.turn}));
}

TEST_CASE("Dope sheet: time and value of the active key are typed", "[ui][flow][dope]") {
  DopeFlow f;
  auto* dock = f->findChild<QDockWidget*>("dope_sheet");
  const auto field = [&](const char* name) {
    auto* found = dock->findChild<NumberField*>(name);
    REQUIRE(found);
    return found;
  };
  f.click_mark(place_row, 30);
  CHECK(dock->findChild<QLabel*>("active_key")->text() == "Position of Ball");
  CHECK(field("key_frame")->value() == 30);
  CHECK(field("key_value_1")->value() == 2);
  type_number(field("key_frame"), "33.5");
  CHECK(f.place_frames() == Frames{0, 33.5, 60, 90});
  type_number(field("key_value_1"), "2*3");
  CHECK(track_of(f.scene(), f.k.place).keys[1].value == std::array<double, 4>{1, 6, 0.5, 0});
  CHECK(f.document().undo_stack()->undoText() == "Value of 1 key");
  // Angles in degrees; all that are selected get it.
  f.click_mark(turn_row, 0);
  f.click_mark(turn_row, 60, Qt::ShiftModifier);
  type_number(field("key_value_0"), "90");
  for (const Key& key : track_of(f.scene(), f.k.turn).keys) CHECK(key.value[0] == Approx(kPi / 2).epsilon(1e-12));
  // What is beyond the range of the field is refused.
  f.click_mark(colour_row, 0);
  type_number(field("key_value_0"), "7");
  CHECK(track_of(f.scene(), f.k.colour).keys[0].value[0] == 0.9);
  CHECK_FALSE(Bubble::shown_text().isEmpty());
}

TEST_CASE(
    "Time line, dope sheet and curves show one window of time; rulers scrub, the wheel zooms, the middle button pans",
    "[ui][flow][dope]") {
  DopeFlow f;
  auto* dock = f->findChild<QDockWidget*>("dope_sheet");
  auto* strip = dock->findChild<TimeStrip*>("time_strip");
  REQUIRE(strip);
  f.drag(strip, QPointF(strip->x_of(10), 8), QPointF(strip->x_of(77), 8));
  CHECK(f.playback().frame() == 77);
  CHECK(f.steps() == 0);
  CHECK(strip->x_of(60) == Approx(f.mark(place_row, 60).x()));
  const double length = f.session.time.last() - f.session.time.first();
  const QPointF centre = f.mark(place_row, 60);
  QWheelEvent wheel(centre, f.sheet->mapToGlobal(centre), {}, QPoint(0, 120), Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(f.sheet, &wheel);
  CHECK(f.session.time.last() - f.session.time.first() == Approx(0.88 * length));
  CHECK(f.mark(place_row, 60).x() == Approx(centre.x()));
  const double first = f.session.time.first();
  f.drag(f.sheet, centre, centre + QPointF(50, 0), Qt::MiddleButton);
  CHECK(f.session.time.first() < first);
  CHECK(f.mark(place_row, 60).x() == Approx(centre.x() + 50));
  CHECK(f.keys().empty());
  auto* ruler = f->findChild<TimelineRuler*>();
  CHECK(f.session.time.scale(ruler->width()).x_of(30) == ruler->x_of(30));
  f.type(Qt::Key_Home);
  CHECK(f.session.time.first() < 0);
  CHECK(f.session.time.last() == Approx(96).margin(6));
}

TEST_CASE("Time line: a click on a diamond selects its keys for all editors, Shift adds; beside it scrubs",
          "[ui][flow][dope]") {
  DopeFlow f;
  f.tab("timeline");
  auto* ruler = f->findChild<TimelineRuler*>();
  REQUIRE(ruler);
  const double middle = 0.5 * (TimeStrip::kRulerHeight + ruler->height() - 6);
  const auto click = [&](int frame, Qt::KeyboardModifiers held = {}) {
    const QPointF at(ruler->x_of(frame), middle);
    f.mouse(ruler, QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton, held);
    f.mouse(ruler, QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton, held);
  };
  f.selection().clear();
  click(60);
  CHECK(f.keys().keys() == KeyTimes{{f.k.place, {1}}, {f.k.colour, {1}}, {f.k.turn, {1}}});
  CHECK(f.playback().frame() == 60);
  click(45, Qt::ShiftModifier);
  CHECK(f.keys().count() == 4);
  click(75);  // none there
  CHECK(f.keys().count() == 4);
  CHECK(f.playback().frame() == 75);
  f.selection().select_only(Id{f.k.box});  // its diamonds are shown, and meant
  click(0);
  CHECK(f.keys().keys() == KeyTimes{{f.k.turn, {0}}});
  f.submenu("Keys", "keys.linear");
  CHECK(track_of(f.scene(), f.k.turn).keys[0].shape == KeyShape::linear);
  CHECK(f.steps() == 1);
}

TEST_CASE("Dope sheet: without keys it says how to set one", "[ui][flow][dope]") {
  DopeFlow f;
  f.document().reset(ball_scene(60), {});
  QTest::qWait(20);
  f.point_at(QPointF(300, 40));
  f.type(Qt::Key_A);
  CHECK(f.keys().empty());
  f.type(Qt::Key_G);
  CHECK_FALSE(f.sheet->moving());
  CHECK(Bubble::shown_text() == "Select a key first.");
  f.type(Qt::Key_Home);
  CHECK(f.steps() == 0);
}

TEST_CASE("Dope sheet: a document that is replaced ends what is being moved", "[ui][flow][dope]") {
  DopeFlow f;
  f.click_mark(place_row, 30);
  f.type(Qt::Key_G);
  REQUIRE(f.sheet->moving());
  f.document().reset(ball_scene(60), {});
  CHECK_FALSE(f.sheet->moving());
  f.point_at(QPointF(300, 40));
  f.press(QPointF(300, 40));
  f.release(QPointF(300, 40));
  CHECK(f.steps() == 0);
}

}  // namespace dope_sheet_test
