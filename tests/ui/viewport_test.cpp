// The viewport in a window: selecting, looking around, what is shown, and that idle means idle.
#include "tests/ui/viewport_support.h"

#include <cmath>

#include <QImage>
#include <QMenu>
#include <QSignalSpy>

#include "core/scene/derived/cameras.h"
#include "ui/viewport/axis_gizmo.h"
#include "ui/viewport/canvas.h"

namespace viewport_test {

using namespace hazumi;
using namespace hazumi::testing;

TEST_CASE("OpenGL runs and the picture shows the scene", "[viewport]") {
  ViewportWindow w;
  REQUIRE(w.viewport.problem().isEmpty());
  const QImage picture = w.viewport.picture();
  REQUIRE(picture.size() == w.viewport.size() * w.viewport.devicePixelRatioF());
  // Something lit stands where the ball is; the corner far from everything is background or grid.
  const QColor on_ball =
      picture.pixelColor((w.pixel(w.transform(2).position) * w.viewport.devicePixelRatioF()).toPoint());
  const QColor corner = picture.pixelColor(5, picture.height() / 2);
  CHECK(on_ball.value() > corner.value() + 20);
}

TEST_CASE("While a frame is computed, gizmo and label are those of the picture, not of what is computed meanwhile",
          "[viewport]") {
  Scene scene = three_balls();
  scene.objects[1] = scene.objects[1].edited([](Object& o) { o.body.kind = BodyKind::rigid; });
  scene.settings.last_frame = 100000;  // not there before the test ends
  ViewportWindow w(scene);
  w.selection.select_only(Id{2});
  w.playback.set_frame(100000);
  w.playback.set_paused(true);
  w.viewport.refresh();
  REQUIRE_FALSE(w.viewport.picture().isNull());
  const auto drawn = w.viewport.displayed_frame();
  const int there = w.playback.cache().size();
  glm::vec3 before, now;
  REQUIRE(w.viewport.selection_pivot(before));
  w.playback.set_paused(false);
  for (int i = 0; i < 3000 && w.playback.cache().size() < there + 20; ++i) QTest::qWait(1);
  REQUIRE(w.playback.cache().size() >= there + 20);
  REQUIRE_FALSE(w.playback.shown());
  CHECK(w.viewport.displayed_frame() == drawn);
  REQUIRE(w.viewport.selection_pivot(now));
  CHECK(now == before);
  w.viewport.refresh();  // the next picture has what is there by then
  REQUIRE(w.viewport.displayed_frame());
  CHECK(w.viewport.displayed_frame() != drawn);
}

TEST_CASE("Click selects, Shift+click toggles, a click on nothing clears", "[viewport]") {
  ViewportWindow w;
  w.click(w.pixel(w.transform(2).position));
  CHECK(w.selection.ids() == std::set<Id>{Id{2}});
  w.click(w.pixel(w.transform(1).position), Qt::ShiftModifier);
  CHECK(w.selection.ids() == std::set<Id>{Id{1}, Id{2}});
  CHECK(w.selection.active() == Id{1});
  w.click(w.pixel(w.transform(1).position), Qt::ShiftModifier);
  CHECK(w.selection.ids() == std::set<Id>{Id{2}});
  const QPointF nothing(40, 420);
  w.click(nothing, Qt::ShiftModifier);
  CHECK(w.selection.ids() == std::set<Id>{Id{2}});
  w.click(nothing);
  CHECK(w.selection.empty());
  w.click(w.pixel(Vec3(0.2, 2.6, 0.1)));
  CHECK(w.selection.ids() == std::set<Id>{Id{4}});
}

TEST_CASE("Locked and hidden objects are not clicked", "[viewport]") {
  Scene scene = three_balls();
  scene = with_object(scene, Id{2}, [](Object& o) { o.locked = true; });
  scene = with_object(scene, Id{3}, [](Object& o) { o.visible = false; });
  ViewportWindow w(scene);
  w.click(w.pixel(w.transform(2).position));
  w.click(w.pixel(w.transform(3).position));
  CHECK(w.selection.empty());
}

TEST_CASE("A box selects, Shift adds, Ctrl takes away, Esc gives up", "[viewport]") {
  ViewportWindow w;
  const auto around = [&](std::uint64_t first, std::uint64_t last) {
    QPointF a = w.pixel(w.transform(first).position), b = w.pixel(w.transform(last).position);
    return QRectF(a, b).normalized().adjusted(-60, -60, 60, 60);
  };
  const QRectF left = around(1, 1);
  w.drag(left.topLeft(), left.bottomRight());
  CHECK(w.selection.ids() == std::set<Id>{Id{1}});
  const QRectF right = around(3, 3);
  w.drag(right.bottomRight(), right.topLeft(), Qt::LeftButton, Qt::ShiftModifier);
  CHECK(w.selection.ids() == std::set<Id>{Id{1}, Id{3}});
  w.drag(left.topLeft(), left.bottomRight(), Qt::LeftButton, Qt::ControlModifier);
  CHECK(w.selection.ids() == std::set<Id>{Id{3}});
  w.press(left.topLeft());
  w.move(left.bottomRight());
  w.key(Qt::Key_Escape);
  w.release(left.bottomRight());
  CHECK(w.selection.ids() == std::set<Id>{Id{3}});
}

TEST_CASE("Orbit, pan and zoom by mouse and wheel", "[viewport]") {
  ViewportWindow w;
  const Viewport& view = w.viewport;
  const ViewCamera before = view.camera();
  const QPointF middle(400, 420);

  SECTION("middle drag and Alt+drag orbit about the target") {
    w.drag(middle, middle + QPointF(60, 30), Qt::MiddleButton);
    CHECK(view.camera().yaw < before.yaw);
    CHECK(view.camera().pitch > before.pitch);
    CHECK(view.camera().target == before.target);
    CHECK(view.camera().distance == before.distance);
    const ViewCamera after = view.camera();
    w.drag(middle + QPointF(60, 30), middle, Qt::LeftButton, Qt::AltModifier);
    CHECK(view.camera().yaw == Approx(before.yaw).margin(1e-5));
    CHECK(view.camera().yaw != after.yaw);
    CHECK(w.selection.empty());
  }
  SECTION("Shift+middle pans: what was under the mouse stays under it") {
    const Vec3 target(before.target.x, before.target.y, before.target.z);
    const QPointF from = w.pixel(target), way(70, -40);
    w.drag(from, from + way, Qt::MiddleButton, Qt::ShiftModifier);
    const QPointF moved = w.pixel(target) - from;
    CHECK(moved.x() == Approx(way.x()).margin(9e-5));
    CHECK(moved.y() == Approx(way.y()).margin(9e-5));
  }
  SECTION("the wheel zooms towards the mouse") {
    const Vec3 target(before.target.x, before.target.y, before.target.z);
    const QPointF at = w.pixel(target);
    w.wheel(at, QPoint(0, 120));
    CHECK(view.camera().distance < before.distance);
    w.wheel(QPointF(100, 100), QPoint(0, -120));
    CHECK(view.camera().distance == Approx(before.distance).epsilon(1e-5));
    CHECK(view.camera().target != before.target);
  }
  SECTION("Shift+wheel pans both ways") {
    w.wheel(middle, QPoint(120, 0), Qt::ShiftModifier);
    CHECK(glm::dot(view.camera().target - before.target, before.right()) < 0);
    w.wheel(middle, QPoint(0, 120), Qt::ShiftModifier);
    CHECK(glm::dot(view.camera().target - before.target, before.up()) > 0);
    CHECK(view.camera().distance == before.distance);
  }
  SECTION("Ctrl+middle zooms") {
    w.drag(middle, middle + QPointF(0, -50), Qt::MiddleButton, Qt::ControlModifier);
    CHECK(view.camera().distance < before.distance);
    CHECK(view.camera().yaw == before.yaw);
  }
}

TEST_CASE("Home shows everything, '.' the selection, numbers the sides", "[viewport]") {
  ViewportWindow w;
  const Viewport& view = w.viewport;
  ViewCamera away;
  away.target = {50, 3, 8};
  away.distance = 0.5f;
  w.viewport.camera() = away;
  w.key(Qt::Key_Home);
  for (std::uint64_t id : {1, 2, 3}) CHECK(w.viewport.rect().contains(w.pixel(w.transform(id).position).toPoint()));
  const float all = view.camera().distance;
  w.selection.select_only(Id{3});
  w.key(Qt::Key_Period);
  CHECK(view.camera().distance < all);
  CHECK(view.camera().target.x == Approx(2).margin(1e-6));

  const auto forward = [&] { return view.camera().forward(); };
  w.key(Qt::Key_1, Qt::KeypadModifier);
  CHECK(forward().z == Approx(-1).margin(1e-5));
  CHECK(view.camera().orthographic);
  w.key(Qt::Key_3);
  CHECK(forward().x == Approx(-1).margin(1e-5));
  w.key(Qt::Key_7);
  CHECK(forward().y == Approx(-1).margin(1e-5));
  w.key(Qt::Key_1, Qt::ControlModifier | Qt::KeypadModifier);
  CHECK(forward().z == Approx(1).margin(1e-5));
  w.key(Qt::Key_5);
  CHECK_FALSE(view.camera().orthographic);
  CHECK_FALSE(w.actions["view.ortho"]->isChecked());
  w.key(Qt::Key_1);
  // A side view is parallel; turning away from it is perspective again.
  w.drag(QPointF(300, 300), QPointF(330, 320), Qt::MiddleButton);
  CHECK_FALSE(view.camera().orthographic);
}

TEST_CASE("A click on a ball of the axis gizmo looks along it; a drag orbits", "[viewport]") {
  ViewportWindow w;
  const Viewport& view = w.viewport;
  const QPointF up = axis_gizmo_ball(view.camera(), view.view_size(), 2);
  w.click(up);
  CHECK(view.camera().forward().y == Approx(-1).margin(1e-5));
  const float yaw = view.camera().yaw;
  const QPointF disc = axis_gizmo_centre(view.view_size()) + QPointF(20, 30);
  w.drag(disc, disc + QPointF(-50, 0));
  CHECK(view.camera().yaw > yaw);
  CHECK(w.selection.empty());
}

TEST_CASE("Nothing is drawn when nothing changed", "[viewport]") {
  ViewCanvas::smooth_when_at_rest(true);
  ViewportWindow w;
  // The background run may still report frames; wait for it.
  for (int i = 0; i < 200 && w.playback.status().phase != FillStatus::Phase::complete; ++i) QTest::qWait(10);
  for (int i = 0; i < 200 && !w.viewport.resting(); ++i) QTest::qWait(10);
  QTest::qWait(60);
  const int before = w.viewport.frames_drawn();
  REQUIRE(before > 0);
  QTest::qWait(120);
  w.move(QPointF(300, 350));
  w.move(QPointF(320, 350));
  QTest::qWait(60);
  CHECK(w.viewport.frames_drawn() == before);
  w.selection.select_only(Id{1});
  QTest::qWait(60);
  CHECK(w.viewport.frames_drawn() > before);
}

TEST_CASE("Through the scene's camera, and the camera to the view", "[viewport]") {
  ViewportWindow w;
  const Viewport& view = w.viewport;
  const ViewCamera before = view.camera();
  w.key(Qt::Key_0);
  REQUIRE(view.through_camera());
  const Camera camera = active_camera(w.document.scene());
  CHECK(view.camera().position().x == Approx(camera.position.x()).margin(1e-6));
  CHECK(view.camera().field_of_view > angle_of_lens(camera.focal_length));  // a margin around the picture
  w.key(Qt::Key_0);
  CHECK_FALSE(view.through_camera());
  CHECK(view.camera().yaw == before.yaw);
  CHECK(view.camera().distance == before.distance);

  w.viewport.camera_to_view();
  CHECK(w.document.undo_stack()->count() == 1);
  CHECK(active_camera(w.document.scene()).position.x() == Approx(before.position().x).margin(1e-6));
  CHECK(view.through_camera());
  w.document.undo_stack()->undo();
  CHECK(active_camera(w.document.scene()).position == camera.position);
  CHECK(view.camera().position().x == Approx(camera.position.x()).margin(1e-6));
  // Orbiting leaves the camera alone.
  w.drag(QPointF(300, 300), QPointF(330, 320), Qt::MiddleButton);
  CHECK_FALSE(view.through_camera());
  CHECK(active_camera(w.document.scene()).position == camera.position);
}

TEST_CASE("Actions and options agree", "[viewport]") {
  ViewportWindow w;
  const Viewport& view = w.viewport;
  CHECK(w.actions["view.grid"]->isChecked());
  w.actions["view.grid"]->trigger();
  CHECK_FALSE(view.options().grid);
  CHECK_FALSE(w.actions["view.grid"]->isChecked());
  w.actions["view.analysis_cycle"]->trigger();
  CHECK(view.options().analysis == AnalysisOverlay::selected);
  CHECK(w.actions["view.analysis_selected"]->isChecked());
  w.actions["view.analysis"]->trigger();
  w.actions["view.analysis"]->trigger();  // a second time is no change
  CHECK(view.options().analysis == AnalysisOverlay::all);
  CHECK(w.actions["view.analysis"]->isChecked());
  CHECK_FALSE(w.actions["view.analysis_selected"]->isChecked());
  w.actions["view.wireframe"]->trigger();
  CHECK(view.options().shade == ShadeMode::wireframe);
  w.actions["view.wireframe"]->trigger();
  CHECK(view.options().shade == ShadeMode::solid);
  for (const char* id : {"select", "move", "rotate", "scale"}) {
    w.actions[std::string("tool.") + id]->trigger();
    CHECK(view.tool() == id);
    for (const char* other : {"select", "move", "rotate", "scale"})
      CHECK(w.actions[std::string("tool.") + other]->isChecked() == (std::string(other) == id));
  }
}

TEST_CASE("Menus hold what can be done", "[viewport]") {
  ViewportWindow w;
  const auto ids = [](const QMenu* menu) {
    QStringList found;
    for (QAction* action : menu->actions()) found << action->objectName();
    return found;
  };
  std::unique_ptr<QMenu> add(w.viewport.make_add_menu(nullptr));
  CHECK(ids(add.get()).contains("add.sphere"));
  CHECK_FALSE(ids(add.get()).contains("add.menu"));
  std::unique_ptr<QMenu> nothing(w.viewport.make_context_menu(nullptr));
  CHECK_FALSE(ids(nothing.get()).contains("edit.delete"));
  w.selection.select_only(Id{1});
  std::unique_ptr<QMenu> something(w.viewport.make_context_menu(nullptr));
  CHECK(ids(something.get()).contains("edit.delete"));
  CHECK(ids(something.get()).contains("edit.duplicate"));
  CHECK(ids(something.get()).contains("edit.hide"));

  // Right click selects what it is about and opens the menu; Shift+A opens the other one.
  w.click(w.pixel(w.transform(3).position), {}, Qt::RightButton);
  CHECK(w.selection.ids() == std::set<Id>{Id{3}});
  auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  REQUIRE(menu);
  menu->close();
  w.settle();
  w.key(Qt::Key_A, Qt::ShiftModifier);
  menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  REQUIRE(menu);
  CHECK(ids(menu).contains("add.box"));
  menu->close();
}

TEST_CASE("The hint follows what is going on", "[viewport]") {
  ViewportWindow w;
  QSignalSpy spy(&w.viewport, &Viewport::hint_changed);
  w.selection.select_only(Id{2});
  REQUIRE(spy.count() == 1);
  CHECK(spy.last().at(0).toString() == w.viewport.hint());
  w.key(Qt::Key_G);
  CHECK(w.viewport.hint().contains("Esc"));
  CHECK(spy.last().at(0).toString() == w.viewport.hint());
  w.key(Qt::Key_Escape);
}

}  // namespace viewport_test
