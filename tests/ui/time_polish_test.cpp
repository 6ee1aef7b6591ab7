// What the editors of time say and do beside the keys themselves: menus, whose the keys are, hints, handles that lie on each other,
// what is selected where it is not seen, playing from each tab.
#include <algorithm>
#include <map>

#include <QCheckBox>
#include <QCursor>
#include <QLabel>
#include <QToolButton>

#include "tests/ui/key_support.h"
#include "ui/panels/curve_view.h"
#include "ui/panels/dope_sheet.h"
#include "ui/widgets/bubble.h"

namespace time_polish_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// With the real mouse: it goes from pane to pane, and menus close under it.
template <class Canvas>
struct Editor : Flow {
  KeyedScene k;
  Canvas* canvas = nullptr;
  QDockWidget* dock = nullptr;

  explicit Editor(const char* panel) {
    document().reset(k.scene, {});
    playback().set_paused(true);
    tab(panel);
    QTest::qWait(60);
    canvas = window.findChild<Canvas*>();
    dock = window.findChild<QDockWidget*>(panel);
    REQUIRE(canvas);
    canvas->grab();
  }
  KeySelection& keys() { return session.keys; }
  void go(QWidget* widget, QPoint at) {
    QTest::mouseMove(widget, at);
    QTest::qWait(30);
  }
  void go(QPoint at) { go(canvas, at); }
  QString hint() { return window.findChild<QLabel*>("status_hint")->text(); }
  QMenu* opened(Qt::Key key) {
    QTest::keyClick(QApplication::focusWidget(), key);
    if (!wait_for([&] { return QApplication::activePopupWidget() != nullptr; }, 1000)) return nullptr;
    return qobject_cast<QMenu*>(QApplication::activePopupWidget());
  }
  /// An inner menu, by its title.
  QMenu* inner(QMenu* menu, const QString& title) {
    for (QAction* entry : menu->actions())
      if (entry->menu() && entry->text() == title) {
        click_in(menu, menu->actionGeometry(entry).center());
        REQUIRE(wait_for([&] { return entry->menu()->isVisible(); }, 2000));
        return entry->menu();
      }
    FAIL("no inner menu");
    return nullptr;
  }
};

struct DopeEditor : Editor<DopeSheet> {
  DopeEditor() : Editor("dope_sheet") {}
};
struct CurveEditor : Editor<CurveView> {
  CurveEditor() : Editor("curves") {}
};

}  // namespace

TEST_CASE("Time editors: E has a menu for each end of the easings, and says why where there is no way",
          "[ui][flow][time_polish]") {
  DopeEditor f;
  f.keys().select_only({f.k.place, 0.5});
  f.go(QPoint(300, 60));
  REQUIRE(f.canvas->hasFocus());
  QMenu* menu = f.opened(Qt::Key_E);
  REQUIRE(menu);
  QStringList titles;
  for (QAction* entry : menu->actions()) {
    REQUIRE(entry->menu());
    titles << entry->text();
    CHECK(entry->menu()->actions().contains(f.action("keys.in.sine")) == (entry->text() == "Ease In"));
  }
  CHECK(titles == QStringList{"Ease In", "Ease Out", "Ease In and Out"});
  QMenu* out = f.inner(menu, "Ease Out");
  f.click_in(out, out->actionGeometry(f.action("keys.out.bounce")).center());
  CHECK(track_of(f.scene(), f.k.place).keys.size() > 4);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  // The last key has no way: nothing in the menu could be done, so that the reason comes instead.
  f.keys().select_only({f.k.place, 1.5});
  f.go(QPoint(310, 60));
  CHECK(f.opened(Qt::Key_E) == nullptr);
  CHECK(Bubble::shown_text() == "Select a key that has another one behind it.");
  Bubble::hide_all();
  f.keys().clear();
  CHECK(f.opened(Qt::Key_T) == nullptr);
  CHECK(Bubble::shown_text() == "Select a key first.");
  // Of the menu of the right button the entries that cannot be say it.
  const QPoint nothing(qRound(f.canvas->x_of(75 / 60.0)), 60);
  QTest::mousePress(f.canvas, Qt::RightButton, {}, nothing);
  QTest::mouseRelease(f.canvas, Qt::RightButton, {}, nothing);
  REQUIRE(wait_for([&] { return QApplication::activePopupWidget() != nullptr; }, 1000));
  auto* context = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  REQUIRE(context);
  CHECK_FALSE(context->actions().front()->isEnabled());
  CHECK(context->actions().front()->toolTip() == "Select a key first.");
  context->close();
}

TEST_CASE("Time editors: a menu that closes over the view leaves the keys with the editor that asked for it",
          "[ui][flow][time_polish]") {
  DopeEditor f;
  f.selection().select_only(Id{f.k.ball});
  f.keys().select_only({f.k.place, 0.5});
  const std::size_t objects = f.scene().objects.size();
  f.go(QPoint(300, 60));
  REQUIRE(f.canvas->hasFocus());
  QMenu* menu = f.opened(Qt::Key_T);
  REQUIRE(menu);
  // Over the view it is closed, where the mouse then is.
  f.go(&f.view(), QPoint(400, 300));
  QTest::keyClick(menu, Qt::Key_Escape);
  REQUIRE(wait_for([] { return QApplication::activePopupWidget() == nullptr; }, 1000));
  QTest::qWait(60);
  CHECK(f.canvas->hasFocus());
  f.key(Qt::Key_X);
  CHECK(f.scene().objects.size() == objects);
  CHECK(frames_of(f.scene(), f.k.place) == std::vector<double>{0, 60, 90});
  // A hand that shakes moves nothing; who moves on in the view works there.
  f.go(&f.view(), QPoint(405, 303));
  CHECK(f.canvas->hasFocus());
  f.go(&f.view(), QPoint(480, 330));
  CHECK(f.view().hasFocus());
  f.key(Qt::Key_X);
  CHECK(f.scene().objects.size() == objects - 1);
}

TEST_CASE("Time editors: G goes on outside the editor, and the keys stay its own", "[ui][flow][time_polish]") {
  DopeEditor f;
  f.keys().select_only({f.k.place, 0.5});
  f.go(QPoint(300, 60));
  QTest::keyClick(f.canvas, Qt::Key_G);
  REQUIRE(f.canvas->moving());
  f.go(&f.view(), QPoint(400, 300));
  CHECK(f.canvas->moving());
  CHECK(f.canvas->hasFocus());
  CHECK(f.hint().startsWith("Move: "));
  f.key(Qt::Key_Escape);
  CHECK_FALSE(f.canvas->moving());
  CHECK(frames_of(f.scene(), f.k.place) == std::vector<double>{0, 30, 60, 90});
}

TEST_CASE("Time editors: keys that are not shown any more are not selected any more", "[ui][flow][time_polish]") {
  DopeEditor f;
  f.selection().select_only(Id{f.k.ball});
  auto* only = f.dock->findChild<QCheckBox*>("only_selected");
  REQUIRE(only);
  QTest::mouseClick(only, Qt::LeftButton, {}, QPoint(8, only->height() / 2));
  f.keys().set({{f.k.place, {0.5}}, {f.k.turn, {1}}});
  CHECK(f.keys().keys() == KeyTimes{{f.k.place, {0.5}}});  // the box's are not shown
  f.selection().select_only(Id{f.k.box});
  CHECK(f.keys().empty());
  f.go(QPoint(300, 60));
  const std::string before = scene_to_text(f.scene());
  f.key(Qt::Key_X);
  CHECK((scene_to_text(f.scene()) == before));
  CHECK(Bubble::shown_text() == "Select a key first.");
  Bubble::hide_all();
  // All shown, what is selected stays, whatever else is.
  QTest::mouseClick(only, Qt::LeftButton, {}, QPoint(8, only->height() / 2));
  f.keys().select_only({f.k.place, 0.5});
  f.selection().select_only(Id{f.k.ball});
  f.selection().select_only(Id{f.k.box});
  CHECK(f.keys().count() == 1);
  // The curves show other tracks; the time line has the keys of all.
  f.keys().set_tracks({f.k.turn});
  f.tab("curves");
  CHECK(f.keys().empty());
  f.tab("timeline");
  f.keys().select_only({f.k.place, 0.5});
  CHECK(f.keys().count() == 1);
}

TEST_CASE("Time editors: undo in the editor brings back what was selected and is shown", "[ui][flow][time_polish]") {
  DopeEditor f;
  f.keys().select_only({f.k.place, 0.5});
  f.go(QPoint(300, 60));
  f.key(Qt::Key_X);
  CHECK(f.keys().empty());
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.keys().keys() == KeyTimes{{f.k.place, {0.5}}});
}

TEST_CASE("Time editors: after an edit the status bar has the hint of the editor under the mouse",
          "[ui][flow][time_polish]") {
  DopeEditor f;
  f.keys().select_only({f.k.place, 0.5});
  f.go(&f.view(), QPoint(400, 300));
  const QString of_view = f.hint();
  f.go(QPoint(300, 60));
  const QString of_sheet = f.hint();
  CHECK(of_sheet.startsWith("Click or box selects"));
  CHECK(of_sheet != of_view);
  f.key(Qt::Key_G);
  f.key(Qt::Key_2);
  CHECK(f.hint().contains("[2]"));
  f.key(Qt::Key_Return);
  CHECK(f.hint() == of_sheet);
  // What the view has to say meanwhile is not said over the sheet.
  f.selection().select_only(Id{f.k.box});
  f.playback().set_frame(12);
  QTest::qWait(60);
  CHECK(f.hint() == of_sheet);
  QMenu* menu = f.opened(Qt::Key_T);
  REQUIRE(menu);
  menu->close();
  QTest::qWait(30);
  CHECK(f.hint() == of_sheet);
}

TEST_CASE("Time editors: of handles that lie on each other the one that a drag takes is shown, a click takes the next",
          "[ui][flow][time_polish]") {
  CurveEditor f;
  // x and z go the same way: their handles lie on each other.
  Scene scene = f.k.scene;
  scene.tracks.front() = scene.tracks.front().edited([](Track& track) {
    track.keys = {key_at(0, {0, 3, 0}), key_at(0.5, {1, 2, 1}), key_at(1, {1.5, 3, 1.5})};
  });
  f.document().reset(scene, {});
  f.keys().set_tracks({f.k.place});
  f.keys().select_only({f.k.place, 0.5});
  f.canvas->grab();
  const auto end = f.canvas->place_of_handle({f.k.place, 0.5}, 0, true);
  REQUIRE(end);
  CHECK((*end - *f.canvas->place_of_handle({f.k.place, 0.5}, 2, true)).manhattanLength() < 0.01);
  const auto send = [&](QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::MouseButtons held) {
    f.mouse(f.canvas, type, at, button, held);
  };
  const auto click = [&](QPointF at) {
    send(QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton);
  };
  CHECK_FALSE(f.canvas->hot_handle());
  send(QEvent::MouseMove, *end, Qt::NoButton, Qt::NoButton);
  REQUIRE(f.canvas->hot_handle());
  const int first = f.canvas->hot_handle()->component;
  CHECK(f.hint().contains(first == 0 ? "Handle of x of Position after the key at frame 30"
                                     : "Handle of z of Position after the key at frame 30"));
  CHECK(f.hint().contains("2 lie here"));
  f.canvas->grab();
  click(*end);
  REQUIRE(f.canvas->hot_handle());
  const int second = f.canvas->hot_handle()->component;
  CHECK(second == 2 - first);
  CHECK(f.document().undo_stack()->index() == 0);  // a click pulls nothing
  click(*end);
  CHECK(f.canvas->hot_handle()->component == first);
  click(*end);
  f.drag(f.canvas, *end, *end + QPointF(10, -25));
  const Key& key = track_of(f.scene(), f.k.place).keys[1];
  CHECK(key.tangent == KeyTangent::aligned);
  CHECK(std::abs(key.out[static_cast<std::size_t>(second)] - key.out[static_cast<std::size_t>(first)]) > 0.1);
  send(QEvent::MouseMove, QPointF(20, 10), Qt::NoButton, Qt::NoButton);
  CHECK_FALSE(f.canvas->hot_handle());
}

TEST_CASE("Time editors: T and V tick what the selected keys have, and rotations how they turn",
          "[ui][flow][time_polish]") {
  CurveEditor f;
  f.keys().select_only({f.k.place, 0.5});
  f.go(QPoint(300, 60));
  CHECK(f.action("keys.spline")->isChecked());
  CHECK_FALSE(f.action("keys.step")->isChecked());
  CHECK(f.action("keys.automatic")->isChecked());
  f.action("keys.flat")->trigger();
  CHECK(f.action("keys.flat")->isChecked());
  CHECK_FALSE(f.action("keys.automatic")->isChecked());
  // Of several that differ none is ticked.
  f.keys().set({{f.k.place, {0.5, 1}}});
  CHECK(f.action("keys.spline")->isChecked());
  CHECK_FALSE(f.action("keys.flat")->isChecked());
  f.keys().select_only({f.k.turn, 1});
  CHECK(f.action("keys.angles")->isChecked());
  CHECK_FALSE(f.action("keys.quaternions")->isChecked());
  f.keys().clear();
  CHECK_FALSE(f.action("keys.spline")->isChecked());
}

TEST_CASE("Time editors: each tab plays and stops", "[ui][flow][time_polish]") {
  for (const char* panel : {"dope_sheet", "curves"}) {
    INFO(panel);
    Flow f;
    f.Window::open(ball_scene(120));
    f.tab(panel);
    auto* dock = f.window.findChild<QDockWidget*>(panel);
    REQUIRE(dock);
    auto* play = dock->findChild<QToolButton*>("keys_play.toggle");
    REQUIRE(play);
    CHECK(play->isVisible());
    f.click_in(play, play->rect().center());
    CHECK(f.playback().playing());
    f.click_in(play, play->rect().center());
    CHECK_FALSE(f.playback().playing());
    auto* last = dock->findChild<QToolButton*>("keys_play.end");
    REQUIRE(last);
    f.click_in(last, last->rect().center());
    CHECK(f.playback().frame() == 120);
  }
}

TEST_CASE("Curves: the ground is one colour from the left edge on", "[ui][flow][time_polish]") {
  CurveEditor f;
  f.document().reset(ball_scene(120), {});  // no curve: only ground is between the numbers
  f.session.time.show(10, 60);              // inside the range of the scene
  QTest::qWait(30);
  const QImage picture = f.canvas->grab().toImage();
  const int y = picture.height() - 3;
  const auto most = [&](int from, int to) {
    std::map<QRgb, int> count;
    for (int x = from; x < to; ++x) ++count[picture.pixel(x, y)];
    return std::max_element(count.begin(), count.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
  };
  CHECK(most(1, 40) == most(60, 200));
}

}  // namespace time_polish_test
