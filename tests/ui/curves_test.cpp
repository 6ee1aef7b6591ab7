// The curves in the real window, by mouse and keys.
#include <QCheckBox>
#include <QLabel>

#include "tests/ui/key_support.h"
#include "ui/panels/curve_view.h"
#include "ui/panels/track_list.h"

namespace curves_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct CurveFlow : Flow {
  KeyedScene k;
  CurveView* curves = nullptr;
  TrackList* list = nullptr;
  QDockWidget* dock = nullptr;

  CurveFlow() {
    document().reset(k.scene, {});
    playback().set_paused(true);
    tab("curves");
    QTest::qWait(60);
    curves = window.findChild<CurveView*>();
    dock = window.findChild<QDockWidget*>("curves");
    REQUIRE(curves);
    list = dock->findChild<TrackList*>();
    REQUIRE(list);
    session.keys.set_tracks({k.place});
    curves->grab();  // the axis follows when it is drawn
  }
  KeySelection& keys() { return session.keys; }
  QPointF point(Id track, double frame, int component) {
    const auto place = curves->place_of_key({track, frame / 60}, component);
    REQUIRE(place);
    return *place;
  }
  QPointF handle(Id track, double frame, int component, bool out) {
    const auto place = curves->place_of_handle({track, frame / 60}, component, out);
    REQUIRE(place);
    return *place;
  }
  double pixels_of(double value) { return value / (curves->high() - curves->low()) * curves->height(); }
  double pixels_of_frames(double frames) { return frames * session.time.scale(curves->width()).pixels(); }
  void click(QPointF at, Qt::KeyboardModifiers held = {}) {
    mouse(curves, QEvent::MouseMove, at, Qt::NoButton, Qt::NoButton, held);
    mouse(curves, QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton, held);
    mouse(curves, QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton, held);
  }
  void point_at(QPointF at) { mouse(curves, QEvent::MouseMove, at, Qt::NoButton, Qt::NoButton); }
  void type(Qt::Key key, Qt::KeyboardModifiers held = {}) {
    curves->setFocus();
    QTest::keyClick(curves, key, held);
  }
  const Key& place_key(std::size_t i) { return track_of(scene(), k.place).keys[i]; }
  int steps() { return document().undo_stack()->index(); }
};

}  // namespace

TEST_CASE("Curves: a point is dragged up and down and sideways; the other numbers stay", "[ui][flow][curves]") {
  CurveFlow f;
  const QPointF y = f.point(f.k.place, 30, 1);
  f.drag(f.curves, y, y + QPointF(f.pixels_of_frames(6), -f.pixels_of(0.4)));
  CHECK(frames_of(f.scene(), f.k.place) == std::vector<double>{0, 36, 60, 90});
  CHECK(f.place_key(1).value[0] == 1);
  CHECK(f.place_key(1).value[1] == Approx(2.4).margin(1e-6));
  CHECK(f.place_key(1).value[2] == 0.5);
  CHECK(f.steps() == 1);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.place_key(1).value[1] == 2);
}

TEST_CASE("Curves: G goes both ways, X in time only, Y in value only, numbers too", "[ui][flow][curves]") {
  CurveFlow f;
  f.click(f.point(f.k.place, 30, 1));
  const QPointF from = f.point(f.k.place, 30, 1) + QPointF(30, 30);
  f.point_at(from);
  f.type(Qt::Key_G);
  REQUIRE(f.curves->moving());
  f.point_at(from + QPointF(f.pixels_of_frames(9), f.pixels_of(0.5)));
  CHECK(f.place_key(1).time * 60 == Approx(39));
  CHECK(f.place_key(1).value[1] == Approx(1.5).margin(1e-6));
  f.type(Qt::Key_X);
  CHECK(f.place_key(1).time * 60 == Approx(39));
  CHECK(f.place_key(1).value[1] == 2);
  f.type(Qt::Key_Y);
  CHECK(f.place_key(1).time == 0.5);
  CHECK(f.place_key(1).value[1] == Approx(1.5).margin(1e-6));
  for (const Qt::Key key : {Qt::Key_Period, Qt::Key_2, Qt::Key_5}) f.type(key);
  CHECK(f.place_key(1).value[1] == Approx(2.25).margin(1e-12));
  f.type(Qt::Key_Return);
  CHECK(f.steps() == 1);
  // After a box all numbers that are shown move.
  f.drag(f.curves, f.point(f.k.place, 60, 0) - QPointF(9, 9), f.point(f.k.place, 60, 1) + QPointF(9, 9));
  CHECK(f.keys().keys() == KeyTimes{{f.k.place, {1}}});
  f.type(Qt::Key_G);
  f.type(Qt::Key_Y);
  f.type(Qt::Key_1);
  f.type(Qt::Key_Return);
  CHECK(f.place_key(2).value == std::array<double, 4>{3, 1.5, 2, 0});
}

TEST_CASE("Curves: handles are pulled, automatic ones become aligned, with Alt free; Esc leaves them",
          "[ui][flow][curves]") {
  CurveFlow f;
  f.click(f.point(f.k.place, 30, 0));
  const std::string before = scene_to_text(f.scene());
  const QPointF end = f.handle(f.k.place, 30, 0, true), target = end + QPointF(20, -30);
  f.drag(f.curves, end, target);
  CHECK(f.place_key(1).tangent == KeyTangent::aligned);
  CHECK(f.place_key(1).out[0] == f.place_key(1).in[0]);
  CHECK(f.place_key(1).reach_out > 1.0 / 3);
  CHECK(f.place_key(1).reach_in == Approx(1.0 / 3));
  // The other numbers go where they went.
  CHECK(track_value(track_of(f.scene(), f.k.place), FieldType::vector, 0.7)[2] ==
        Approx(track_value(*find_track(f.k.scene, f.k.place), FieldType::vector, 0.7)[2]).margin(0.05));
  const QPointF now = f.handle(f.k.place, 30, 0, true);
  CHECK(std::hypot(now.x() - target.x(), now.y() - target.y()) < 0.5);
  CHECK(f.steps() == 1);
  CHECK(f.document().undo_stack()->undoText() == "Tangent of 1 key");
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(scene_to_text(f.scene()) == before);
  const QPointF in = f.handle(f.k.place, 30, 1, false);
  f.mouse(f.curves, QEvent::MouseMove, in, Qt::NoButton, Qt::NoButton);
  f.mouse(f.curves, QEvent::MouseButtonPress, in, Qt::LeftButton, Qt::LeftButton);
  f.mouse(f.curves, QEvent::MouseMove, in + QPointF(-5, 25), Qt::NoButton, Qt::LeftButton, Qt::AltModifier);
  CHECK(f.place_key(1).tangent == KeyTangent::free);
  CHECK(f.place_key(1).out[1] == 0);
  CHECK(f.place_key(1).in[1] != 0);
  f.type(Qt::Key_Escape);
  f.mouse(f.curves, QEvent::MouseButtonRelease, in, Qt::LeftButton, Qt::NoButton);
  CHECK(scene_to_text(f.scene()) == before);
  CHECK(f.steps() == 0);
  // Beyond the neighbour there is no way.
  const QPointF out = f.handle(f.k.place, 30, 1, true);
  f.drag(f.curves, out, out + QPointF(4000, 3000));
  CHECK(f.place_key(1).reach_out == 1);
  CHECK(std::isfinite(f.place_key(1).out[1]));
}

TEST_CASE("Curves: a fall becomes a bounce by one easing, whose keys are keys like any others", "[ui][flow][curves]") {
  CurveFlow f;
  Scene scene = f.k.scene;
  const Id id = scene.tracks.front()->id;
  scene.tracks.front() = scene.tracks.front().edited([](Track& t) {
    t.keys = {key_at(0.1, {0, 2, 0}), key_at(1.6, {1.5, 0.4, 0.5})};
  });
  f.document().reset(scene, {});
  f.keys().set_tracks({id});
  f.curves->grab();
  f.point_at(QPointF(300, 30));
  f.type(Qt::Key_A);
  CHECK(f.keys().count() == 2);
  f.submenu("Keys", "keys.out.bounce");
  REQUIRE(track_of(f.scene(), id).keys.size() == 5);
  CHECK(f.document().undo_stack()->undoText() == "Ease 2 keys");
  f.click(f.point(id, 0.1 * 60 + 90 * 2 / 2.75, 1));
  CHECK(f.keys().count() == 1);
  f.curves->grab();
  f.shot("curves", f.dock);
  const QPointF end = f.handle(id, 0.1 * 60 + 90 * 2 / 2.75, 1, true);
  f.drag(f.curves, end, end + QPointF(4, -12));
  CHECK(track_of(f.scene(), id).keys[2].tangent == KeyTangent::free);
  CHECK(f.steps() == 2);
}

TEST_CASE("Curves: letters show and hide numbers, tracks are chosen in the list, Home shows all",
          "[ui][flow][curves]") {
  CurveFlow f;
  constexpr int kPlaceRow = 4;
  QTest::mouseClick(f.list, Qt::LeftButton, {}, f.list->letter_place(kPlaceRow, 1).center().toPoint());
  CHECK_FALSE(f.curves->place_of_key({f.k.place, 0.5}, 1));
  CHECK(f.curves->place_of_key({f.k.place, 0.5}, 0));
  QTest::mouseClick(f.list, Qt::LeftButton, {}, f.list->letter_place(kPlaceRow, 1).center().toPoint());
  CHECK(f.curves->place_of_key({f.k.place, 0.5}, 1));
  CHECK_FALSE(f.curves->place_of_key({f.k.turn, 1}, 1));
  f.keys().set_tracks({f.k.turn});
  f.curves->grab();
  // Angles in degrees: the axis comes to where they are.
  CHECK(f.curves->high() > degrees(3));
  CHECK(f.curves->high() < 2 * degrees(3));
  const double low = f.curves->low();
  f.drag(f.curves, QPointF(200, 60), QPointF(200, 90), Qt::MiddleButton);
  CHECK(f.curves->low() > low);
  QWheelEvent wheel(QPointF(200, 60), f.curves->mapToGlobal(QPointF(200, 60)), {}, QPoint(0, 240), Qt::NoButton,
                    Qt::ControlModifier, Qt::NoScrollPhase, false);
  const double range = f.curves->high() - f.curves->low();
  QApplication::sendEvent(f.curves, &wheel);
  CHECK(f.curves->high() - f.curves->low() == Approx(range * 0.88 * 0.88));
  f.type(Qt::Key_Home);
  f.curves->grab();
  CHECK(f.curves->low() == Approx(low));
  const QPointF top = f.point(f.k.turn, 60, 1);
  CHECK(f.curves->rect().contains(top.toPoint()));
}

TEST_CASE("Curves: normalised, each is as high as the others and is moved in its own size", "[ui][flow][curves]") {
  CurveFlow f;
  f.keys().set_tracks({f.k.place, f.k.turn});
  auto* box = f.dock->findChild<QCheckBox*>("normalised");
  REQUIRE(box);
  QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
  REQUIRE(f.curves->normalised());
  f.curves->grab();
  CHECK(f.point(f.k.place, 30, 1).y() == Approx(f.point(f.k.turn, 60, 1).y()).margin(0.5));
  CHECK(f.curves->high() == Approx(1.24).margin(0.05));
  const QPointF y = f.point(f.k.place, 30, 1);
  f.drag(f.curves, y, y + QPointF(0, f.pixels_of(1)));  // half of its height, which is 1.5 m
  CHECK(f.place_key(1).value[1] == Approx(1.25).margin(0.02));
}

TEST_CASE("Curves: T and V open what is chosen from by keys", "[ui][flow][curves]") {
  CurveFlow f;
  f.click(f.point(f.k.place, 30, 0));
  const auto choose = [&](Qt::Key key, const char* id) {
    f.point_at(QPointF(250, 60));
    f.type(key);
    REQUIRE(wait_for([&] { return QApplication::activePopupWidget() != nullptr; }, 2000));
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    REQUIRE(menu);
    for (QAction* entry : menu->actions())  // of the easings a menu each
      if (entry->menu() && entry->menu()->actions().contains(f.action(id))) {
        f.click_in(menu, menu->actionGeometry(entry).center());
        REQUIRE(wait_for([&] { return entry->menu()->isVisible(); }, 2000));
        menu = entry->menu();
        break;
      }
    REQUIRE(menu->actions().contains(f.action(id)));
    f.click_in(menu, menu->actionGeometry(f.action(id)).center());
    QTest::qWait(10);
  };
  choose(Qt::Key_T, "keys.step");
  CHECK(f.place_key(1).shape == KeyShape::step);
  choose(Qt::Key_T, "keys.spline");
  choose(Qt::Key_V, "keys.flat");
  CHECK(f.place_key(1).tangent == KeyTangent::flat);
  choose(Qt::Key_E, "keys.in_out.back");
  CHECK(track_of(f.scene(), f.k.place).keys.size() == 5);
  CHECK(f.place_key(1).tangent == KeyTangent::free);
}

TEST_CASE("Curves: a quaternion stays one however its numbers are dragged", "[ui][flow][curves]") {
  CurveFlow f;
  Scene scene = f.k.scene;
  const Id id =
      add_track(scene, f.k.ball, "transform.rotation", {key_at(0, {1, 0, 0, 0}), key_at(1, {0.8, 0, 0.6, 0})});
  f.document().reset(scene, {});
  f.keys().set_tracks({id});
  f.curves->grab();
  const QPointF w = f.point(id, 60, 0);
  f.drag(f.curves, w, w + QPointF(0, f.pixels_of(0.3)));
  const auto& v = track_of(f.scene(), id).keys[1].value;
  CHECK(v[0] == Approx(0.5).margin(1e-6));
  CHECK(std::hypot(v[0], v[1], std::hypot(v[2], v[3])) == Approx(1).epsilon(1e-12));
  CHECK_FALSE(f.curves->place_of_handle({id, 1}, 0, false));
}

}  // namespace curves_test
