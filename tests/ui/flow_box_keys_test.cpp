// Keys of what a box of a motion graph says, in the real window: its diamonds, what is seen between two keys, the dope sheet, handles, copies.
#include <QClipboard>
#include <QCursor>

#include "tests/ui/motion_support.h"
#include "ui/model/key_edits.h"
#include "ui/model/key_selection.h"
#include "ui/model/keying.h"
#include "ui/panels/dope_sheet.h"
#include "ui/panels/track_list.h"
#include "ui/widgets/expression_edit.h"
#include "ui/widgets/key_button.h"

namespace flow_box_keys_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct BoxKeysFlow : MotionFlow {
  Id time, push;

  BoxKeysFlow() {
    stage();
    const double w = canvas->viewport()->width(), h = canvas->viewport()->height();
    time = drag_from_palette(MotionRole::event, "time", QPointF(0.2 * w, 0.4 * h));
    push = drag_from_palette(MotionRole::procedure, "push", QPointF(0.6 * w, 0.4 * h));
    drag_on_canvas(right(time), middle(push));
    click_on_canvas(middle(push));
    type_number(number("duration"), "0");
  }
  MotionBoxPanel& panel() { return *window.findChild<MotionBoxPanel*>("motion_box_panel"); }
  NumberField* number(const char* parameter) {
    FieldWidget* widget = panel().field(parameter);
    REQUIRE(widget);
    return sight(widget)->findChild<NumberField*>();
  }
  KeyState state(const char* parameter) { return panel().field(parameter)->key()->state(); }
  void click_key(const char* parameter) {
    click_in(sight(panel().field(parameter))->key(), QPoint(7, 9));
    QTest::qWait(10);
  }
  void go(int frame) {
    playback().set_frame(frame);
    QTest::qWait(20);
  }
  const Track* track(const char* field) { return find_track(scene(), push.value, field); }
  double ball_in_frame(int frame) {
    go(frame);
    REQUIRE(wait_for([&] { return playback().shown() && playback().shown()->index == frame; }, 20000));
    return playback().shown()->find(id("ball"))->position.x();
  }
};

}  // namespace

TEST_CASE("Flow: a number of a box is keyed by its diamond, glides in the panel, and is dragged in the dope sheet",
          "[ui][flow][motion_graph][keys]") {
  BoxKeysFlow f;
  const std::string start = scene_to_text(f.scene());
  const int steps = f.steps();
  constexpr const char* kField = "procedure.push.x";
  CHECK(f.state("x") == KeyState::none);
  f.click_key("x");
  REQUIRE(f.track(kField));
  CHECK(f.undo_text() == "Key X of \"Push\"");
  CHECK(f.state("x") == KeyState::here);
  CHECK(f.state("y") == KeyState::none);
  f.go(40);
  CHECK(f.state("x") == KeyState::elsewhere);
  type_number(f.number("x"), "12");
  CHECK(f.undo_text() == "X of \"Push\"");
  REQUIRE(f.track(kField)->keys.size() == 2);
  CHECK(f.track(kField)->keys[1].value[0] == 12);
  CHECK(find_parameter(f.node(f.push), "x") == nullptr);  // its own number waits behind the keys
  CHECK(f.state("x") == KeyState::here);
  // Between the two it glides: in the panel, in its sentence, and in the run.
  f.go(20);
  CHECK(f.number("x")->value() == Approx(6));
  CHECK(f.panel().sentence().contains("6"));
  CHECK(f.canvas->box(f.push)->look().sentence.contains("6"));
  const double x = f.ball_in_frame(30);
  CHECK(x > -1.49);
  f.go(20);
  f.shot("motion-keys");

  // The dope sheet has a row of the ball's, named after box and number; a key of it is dragged.
  f.tab("dope_sheet");
  QTest::qWait(60);
  auto* sheet = f.window.findChild<DopeSheet*>();
  REQUIRE(sheet);
  const auto rows = track_rows(f.scene(), {});
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].label == "ball");
  CHECK(rows[1].target == f.id("ball").value);
  CHECK(rows[2].label == "Push: X");
  f.shot("dope-sheet-box", f.window.findChild<QDockWidget*>("dope_sheet"));
  const double rate = f.scene().settings.frame_rate;
  f.drag(sheet, sheet->place_of_key(2, 40 / rate), sheet->place_of_key(2, 20 / rate));
  REQUIRE(f.track(kField)->keys.size() == 2);
  CHECK(f.track(kField)->keys[1].time == Approx(20 / rate));
  CHECK(f.number("x")->value() == Approx(12));
  CHECK(f.ball_in_frame(30) > x + 0.01);
  // The time line's keys are those of what is selected.
  CHECK(f.session.keying.key_frames({f.id("ball")}) == std::vector<int>{0, 20});
  // Copied they are pasted into their box, though it is the ball that is selected in the view.
  sheet->setFocus();
  QTest::keyClick(sheet, Qt::Key_A);
  QTest::keyClick(sheet, Qt::Key_C, Qt::ControlModifier);
  f.go(30);
  sheet->setFocus();
  QTest::keyClick(sheet, Qt::Key_V, Qt::ControlModifier);
  CHECK(f.session.keying.key_frames({f.id("ball")}) == std::vector<int>{0, 20, 30, 50});
  CHECK(f.scene().tracks.size() == 1);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.session.keying.key_frames({f.id("lane")}).empty());

  // Back by keys, each state to the byte, and forth again.
  const std::string end = scene_to_text(f.scene());
  const int all = f.steps();
  f.view().setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.track(kField)->keys[1].time == Approx(40 / rate));
  while (f.steps() > steps) f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(scene_to_text(f.scene()) == start);
  CHECK(f.state("x") == KeyState::none);
  while (f.steps() < all) f.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(scene_to_text(f.scene()) == end);
}

TEST_CASE("Flow: I keys the number under the mouse; an expression takes its place, and a number gives the keys back",
          "[ui][flow][motion_graph][keys]") {
  BoxKeysFlow f;
  f.number("y");
  FieldWidget* up = f.panel().field("y");
  QCursor::setPos(up->mapToGlobal(up->rect().center()));
  QTest::qWait(20);
  f.view().setFocus();
  f.key(Qt::Key_I);
  REQUIRE(f.track("procedure.push.y"));
  CHECK(f.undo_text() == "Key Y of \"Push\"");
  CHECK(f.state("y") == KeyState::here);
  Flow::click_in(f.panel().expression_button("y"), QPoint(5, 5));
  QTest::qWait(10);
  CHECK_FALSE(f.panel().field("y")->isVisible());
  CHECK(f.panel().expression("y")->isVisible());
  CHECK(f.track("procedure.push.y"));
  CHECK_FALSE(key_problem(f.scene(), f.push.value, "procedure.push.y").empty());
  Flow::click_in(f.panel().expression_button("y"), QPoint(5, 5));
  QTest::qWait(10);
  CHECK(f.panel().field("y")->isVisible());
  CHECK(f.state("y") == KeyState::here);
  // A set of what has keys keys the boxes of what is selected, too.
  f.session.keying.set_active_set({ActiveSet::Kind::keyed, {}});
  f.go(20);
  QCursor::setPos(f.view().mapToGlobal(QPoint(300, 200)));
  QTest::qWait(20);
  f.view().setFocus();
  f.key(Qt::Key_I);
  CHECK(f.track("procedure.push.y")->keys.size() == 2);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  f.session.keying.set_active_set({});
  // With auto-key what is typed is a key, of that number alone.
  f.session.keying.set_automatic(true);
  f.go(10);
  type_number(f.number("z"), "3");
  REQUIRE(f.track("procedure.push.z"));
  CHECK(f.track("procedure.push.z")->keys.front().value[0] == 3);
  CHECK(f.scene().tracks.size() == 2);
  f.session.keying.set_automatic(false);
}

TEST_CASE("Flow: keys go with their box when it is duplicated, copied and taken away",
          "[ui][flow][motion_graph][keys]") {
  BoxKeysFlow f;
  f.click_key("x");
  f.go(30);
  type_number(f.number("x"), "5");
  f.click_on_canvas(f.middle(f.push));
  f.canvas_key(Qt::Key_D, Qt::ControlModifier);
  REQUIRE(f.scene().tracks.size() == 2);
  CHECK(f.scene().tracks[1]->target == f.newest().id.value);
  CHECK(f.scene().tracks[1]->keys.size() == 2);
  f.canvas_key(Qt::Key_C, Qt::ControlModifier);
  f.canvas_key(Qt::Key_Delete);
  CHECK(f.scene().tracks.size() == 1);
  f.canvas_key(Qt::Key_V, Qt::ControlModifier);
  REQUIRE(f.scene().tracks.size() == 2);
  CHECK(f.scene().tracks[1]->target == f.newest().id.value);
  CHECK(f.newest().id != f.push);
  // The object takes all of it along.
  f.selection().select_only(f.id("ball"));
  f.view().setFocus();
  f.key(Qt::Key_Delete);
  CHECK(f.scene().motion.empty());
  CHECK(f.scene().tracks.empty());
}

TEST_CASE("Flow: a handle of a box in the view makes a key where its numbers have some",
          "[ui][flow][motion_graph][keys]") {
  BoxKeysFlow f;
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id thrown = f.drag_from_palette(MotionRole::procedure, "throw", QPointF(0.6 * w, 0.75 * h));
  f.drag_on_canvas(f.right(f.time), f.middle(thrown));
  f.click_on_canvas(f.middle(thrown));
  type_number(f.number("x"), "2");
  f.click_key("x");
  REQUIRE(complete(f.playback()));
  f.go(30);
  f.shot("box-keys-handle");
  // The arrow of its velocity, as long as a quarter of a second's way, from where it was thrown.
  const Vec3 tip = Vec3(-1.5, 1, 0) + 0.25 * Vec3(2, 4, 0);
  f.drag(&f.view(), f.pixel(tip), f.pixel(tip + Vec3(0.25, 0, 0)));
  const Track* track = find_track(f.scene(), thrown.value, "procedure.throw.x");
  REQUIRE(track);
  REQUIRE(track->keys.size() == 2);
  CHECK(track->keys[0].value[0] == 2);
  CHECK(track->keys[1].value[0] > 2.4);  // in the plane of the view
  CHECK(track->keys[1].value[0] < 3.4);
  CHECK(track->keys[1].time == Approx(30 / f.scene().settings.frame_rate));
  CHECK(find_parameter(f.node(thrown), "x")->number == 2);
  CHECK(f.scene().tracks.size() == 1);  // what has no keys gets none
}

}  // namespace flow_box_keys_test
