// The time line driven by the mouse, in the real window.
#include <catch2/catch.hpp>

#include <QDoubleSpinBox>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>

#include "tests/ui/support.h"
#include "ui/panels/timeline_ruler.h"

namespace timeline_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

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
  CHECK(w->findChild<QSpinBox*>("timeline_last")->value() == 60);
  w.action("edit.undo")->trigger();
  CHECK(w.scene().settings.last_frame == 100);
  CHECK(w->findChild<QSpinBox*>("timeline_last")->value() == 100);
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
  CHECK_FALSE(w.playback().looping());
  press("play.toggle");
  CHECK(w.playback().playing());
  press("play.toggle");
  CHECK_FALSE(w.playback().playing());

  auto* rate = w->findChild<QDoubleSpinBox*>("timeline_rate");
  rate->setFocus();
  rate->selectAll();
  QTest::keyClicks(rate, "24");
  QTest::keyClick(rate, Qt::Key_Return);
  CHECK(w.scene().settings.frame_rate == 24.0);
  CHECK(w.document().undo_stack()->count() == 1);
  CHECK_FALSE(rate->hasFocus());
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
