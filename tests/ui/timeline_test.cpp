// The time line driven by the mouse, in the real window.
#include <QLabel>
#include <QToolButton>

#include "tests/ui/flow_support.h"
#include "ui/panels/timeline_ruler.h"
#include "ui/widgets/bubble.h"

namespace timeline_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

NumberField* number(Window& w, const char* name) {
  auto* widget = w->findChild<QWidget*>(QLatin1String(name));
  REQUIRE(widget);
  auto* field = qobject_cast<NumberField*>(widget);
  if (!field) field = widget->findChild<NumberField*>();
  REQUIRE(field);
  return field;
}

QPoint place(const TimelineRuler* ruler, int frame, int y) { return QPoint(qRound(ruler->x_of(frame)), y); }

}  // namespace

TEST_CASE("The ruler's pixels and frames agree", "[ui][timeline]") {
  Window w;
  w.open(ball_scene(200));
  auto* ruler = w->findChild<TimelineRuler*>();
  REQUIRE(ruler);
  for (int frame : {0, 1, 77, 199, 200}) CHECK(ruler->frame_at(ruler->x_of(frame)) == frame);
}

TEST_CASE("Dragging in the ruler scrubs and makes no undo step", "[ui][timeline]") {
  Window w;
  w.open(ball_scene(100));
  auto* ruler = w->findChild<TimelineRuler*>();
  QTest::mousePress(ruler, Qt::LeftButton, {}, place(ruler, 30, 6));
  CHECK(w.playback().frame() == 30);
  for (int frame : {40, 55, 64}) QTest::mouseMove(ruler, place(ruler, frame, 6));
  QTest::mouseRelease(ruler, Qt::LeftButton, {}, place(ruler, 64, 6));
  CHECK(w.playback().frame() == 64);
  CHECK(w.document().undo_stack()->count() == 0);
  CHECK(w->findChild<QLabel*>("timeline_seconds")->text() == "1.067 s");
}

TEST_CASE("Dragging the end handle is one undo step", "[ui][timeline]") {
  Window w;
  w.open(ball_scene(100));
  auto* ruler = w->findChild<TimelineRuler*>();
  const int low = ruler->height() - 12;
  const QPoint target = place(ruler, 60, low);
  QTest::mousePress(ruler, Qt::LeftButton, {}, place(ruler, 100, low));
  for (int frame : {90, 80, 70}) QTest::mouseMove(ruler, place(ruler, frame, low));
  QTest::mouseMove(ruler, target);
  QTest::mouseRelease(ruler, Qt::LeftButton, {}, target);
  CHECK(w.scene().settings.last_frame == 60);
  CHECK(w.document().undo_stack()->count() == 1);
  CHECK(number(w, "timeline_last")->value() == 60);
  w.action("edit.undo")->trigger();
  CHECK(w.scene().settings.last_frame == 100);
  CHECK(number(w, "timeline_last")->value() == 100);
}

TEST_CASE("Transport buttons and fields work", "[ui][timeline]") {
  Window w;
  w.open(ball_scene(50));
  const auto press = [&](const char* name) {
    QTest::mouseClick(w->findChild<QToolButton*>(QLatin1String(name)), Qt::LeftButton);
  };
  press("play.forward");
  press("play.forward");
  CHECK(w.playback().frame() == 2);
  press("play.back");
  CHECK(w.playback().frame() == 1);
  press("play.end");
  CHECK(w.playback().frame() == 50);
  press("play.start");
  CHECK(w.playback().frame() == 0);
  press("play.loop");
  CHECK(w.playback().ending() == Ending::once);
  press("play.toggle");
  CHECK(w.playback().playing());
  press("play.toggle");
  CHECK_FALSE(w.playback().playing());

  NumberField* rate = number(w, "timeline_rate");
  type_number(rate, "24");
  CHECK(w.scene().settings.frame_rate == 24.0);
  CHECK(w.document().undo_stack()->count() == 1);
  CHECK(w.document().undo_stack()->undoText() == "Frame rate");
  CHECK_FALSE(rate->editing());
  w.key(Qt::Key_Space);  // the window's again
  CHECK(w.playback().playing());
  w.key(Qt::Key_Space);
  type_number(number(w, "timeline_frame"), "33");
  CHECK(w.playback().frame() == 33);
  CHECK(w.document().undo_stack()->count() == 1);
}

TEST_CASE("What the time line's fields cannot take is refused with a sentence, and nothing becomes another number",
          "[ui][timeline][bad]") {
  Window w;
  w.open(ball_scene(50));
  const std::string before = scene_to_text(w.scene());
  const auto refused = [&](const char* name, const char* typed) {
    Bubble::hide_all();
    NumberField* field = number(w, name);
    const double shown = field->value();
    type_number(field, typed);
    INFO(name << " " << typed << ": " << Bubble::shown_text().toStdString());
    CHECK(field->value() == shown);
    CHECK(scene_to_text(w.scene()) == before);
    return Bubble::shown_text();
  };
  CHECK(refused("timeline_last", "-7") == "Last frame must be at least 0.");
  CHECK(refused("timeline_last", "100000000") == "Last frame must be at most 10000000.");
  CHECK(refused("timeline_last", "abc").contains("abc"));
  CHECK(refused("timeline_last", "7.5") == "Last frame must be a whole number.");
  CHECK(refused("timeline_rate", "0").startsWith("Frame rate must be at least 1"));
  CHECK(refused("timeline_substeps", "0") == "Sub-steps must be at least 1.");
  CHECK(refused("timeline_frame", "51") == "Frame must be at most 50.");
  CHECK(w.playback().frame() == 0);
  CHECK(w.document().undo_stack()->count() == 0);
  Bubble::hide_all();
  for (const char* name : {"timeline_frame", "timeline_first", "timeline_last"}) {
    const NumberField* field = number(w, name);
    CHECK(field->fontMetrics().horizontalAdvance("1000000") <= field->width() - 10);
  }
}

TEST_CASE("An edit leaves the frames it made out of date marked", "[ui][timeline]") {
  Window w;
  w.open(ball_scene(60));
  auto* ruler = w->findChild<TimelineRuler*>();
  REQUIRE(complete(w.playback()));
  QTest::qWait(50);
  CHECK(ruler->stale_until() == 0);
  w.playback().set_paused(true);
  REQUIRE(w.document().edit_object("Push", id_of(w.scene(), "Ball"), [](Object& o) { o.body.velocity.x() = 3; }).ok());
  CHECK(ruler->stale_until() == 61);
  w.playback().set_paused(false);
  REQUIRE(complete(w.playback()));
  CHECK(wait_for([&] { return ruler->stale_until() == 0; }));
}

}  // namespace timeline_test
