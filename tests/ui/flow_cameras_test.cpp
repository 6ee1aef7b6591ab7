// Cameras as a person has them: added from the view, looked through, moved with it, cut between on the time line, by
// mouse and keys in the real window.
#include "tests/ui/flow_support.h"

#include <QComboBox>
#include <QImage>
#include <QTreeView>

#include "core/scene/derived/cameras.h"
#include "core/scene/derived/tracks.h"
#include "render/extract_parts.h"
#include "tests/support/temporary_folder.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/key_commands.h"
#include "ui/model/keying.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/modes/element_selection.h"
#include "ui/panels/cut_strip.h"
#include "ui/panels/properties_panel.h"
#include "ui/viewport/camera_view.h"
#include "ui/viewport/motion_view.h"

namespace flow_cameras_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct CameraFlow : Flow {
  UiContext& context() { return window.context(); }
  const Camera& camera(std::size_t number) { return *scene().cameras.at(number); }
  int steps() { return document().undo_stack()->index(); }
  CutStrip& strip() { return *window.findChild<CutStrip*>(); }
  void at_frame(int frame) {
    context().playback.set_frame(frame);
    QTest::qWait(5);
  }
  /// A red ball, and three cameras round it.
  void film() {
    Scene scene = make_new_scene();
    Object ball;
    ball.id = next_id(scene);
    ball.name = "Ball";
    ball.display.primitive.shape = PrimitiveShape::sphere;
    ball.transform.position = Vec3(0, 0.5, 0);
    ball.body.kind = BodyKind::fixed;
    scene.objects.push_back(ball);
    scene.cameras.clear();
    int number = 0;
    for (const Vec3& from : {Vec3(4, 2, 5), Vec3(-5, 1.5, 2), Vec3(0, 6, 1)}) {
      Camera one;
      one.id = next_id(scene);
      one.name = std::array{"Wide", "Side", "Top"}[static_cast<std::size_t>(number++)];
      one.position = from;
      one.target = Vec3(0, 0.5, 0);
      scene.cameras.push_back(one);
    }
    Flow::Window::open(scene);
    view().setFocus();
  }
  QPointF on_strip(int frame, double from_line = 0) {
    return {strip().x_of(frame) + from_line, strip().height() / 2.0};
  }
};

}  // namespace

TEST_CASE("A camera is added from the view, looked through, and the view goes back to where it was",
          "[flow][cameras]") {
  CameraFlow f;
  f.film();
  f.drag(&f.view(), {400, 300}, {470, 340}, Qt::MiddleButton);
  const ViewCamera free = std::as_const(f.view()).camera();
  f.menu("Add", "camera.add");
  REQUIRE(f.scene().cameras.size() == 4);
  const Camera made = f.camera(3);
  CHECK(made.name == "Camera");
  CHECK(f.context().selection.active() == made.id);
  CHECK((made.position - Vec3(free.position().x, free.position().y, free.position().z)).norm() < 1e-5);
  CHECK(made.colour != f.camera(2).colour);
  f.view().setFocus();
  f.key(Qt::Key_0, Qt::ControlModifier);
  REQUIRE(f.view().through_camera());
  CHECK(f.view().looked_through()->id == made.id);
  f.key(Qt::Key_0);  // the scene's
  CHECK(f.view().follows_cuts());
  CHECK(f.view().looked_through()->name == "Wide");
  f.key(Qt::Key_N, Qt::ShiftModifier);
  CHECK(f.view().looked_through()->name == "Side");
  f.key(Qt::Key_N, Qt::ShiftModifier);
  CHECK(f.view().looked_through()->name == "Top");
  f.key(Qt::Key_0);
  f.key(Qt::Key_0);
  CHECK_FALSE(f.view().through_camera());
  CHECK(std::as_const(f.view()).camera().distance == free.distance);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.scene().cameras.size() == 3);
}

TEST_CASE("A camera is clicked, moved with what it looks at, turned, and its target dragged by its handle",
          "[flow][cameras]") {
  CameraFlow f;
  f.film();
  f.key(Qt::Key_Home);
  f.click(f.pixel(f.camera(1).position));
  REQUIRE(f.context().selection.active() == f.camera(1).id);
  const Camera before = f.camera(1);
  f.key(Qt::Key_G);
  for (const Qt::Key key : {Qt::Key_X, Qt::Key_1, Qt::Key_Return}) f.key(key);
  CHECK((f.camera(1).position - before.position - Vec3(1, 0, 0)).norm() < 1e-9);
  CHECK((f.camera(1).target - before.target - Vec3(1, 0, 0)).norm() < 1e-9);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  f.key(Qt::Key_R);
  for (const Qt::Key key : {Qt::Key_Y, Qt::Key_9, Qt::Key_0, Qt::Key_Return}) f.key(key);
  const Mat3 turned = Eigen::AngleAxisd(kPi / 2, Vec3::UnitY()).toRotationMatrix() * camera_axes(before);
  CHECK((camera_axes(f.camera(1)) - turned).norm() < 1e-6);
  CHECK((f.camera(1).position - before.position).norm() < 1e-9);
  f.key(Qt::Key_Z, Qt::ControlModifier);

  const int steps = f.steps();
  REQUIRE(f.view().cameras().targets().size() == 1);
  const QPointF handle = f.view().cameras().targets()[0].at;
  f.drag(&f.view(), handle, handle + QPointF(60, -40));
  CHECK(f.camera(1).position == before.position);
  CHECK((f.camera(1).target - before.target).norm() > 0.1);
  CHECK(f.steps() == steps + 1);
  const QPointF after = f.view().cameras().targets().at(0).at;
  CHECK(std::hypot(after.x() - handle.x() - 60, after.y() - handle.y() + 40) < 1.5);
}

TEST_CASE("Locked to its camera the view takes it along: a drag is a step, and a key where it has keys",
          "[flow][cameras]") {
  CameraFlow f;
  f.film();
  f.key(Qt::Key_0);
  REQUIRE(f.view().through_camera());
  f.key(Qt::Key_L, Qt::ControlModifier | Qt::AltModifier);
  REQUIRE(f.view().locked_to_camera());
  const Camera before = f.camera(0);
  f.drag(&f.view(), {400, 300}, {500, 330}, Qt::MiddleButton);
  CHECK(f.view().through_camera());
  CHECK((f.camera(0).position - before.position).norm() > 0.3);
  CHECK((f.camera(0).target - before.target).norm() < 1e-5);
  CHECK(f.camera(0).focal_length == before.focal_length);
  CHECK(f.steps() == 1);
  f.drag(&f.view(), {400, 300}, {420, 300}, Qt::MiddleButton);
  CHECK(f.steps() == 2);
  // The lens by the wheel, with Ctrl.
  QWheelEvent wheel({400, 300}, f.view().mapToGlobal(QPointF(400, 300)), {}, QPoint(0, 120), Qt::NoButton,
                    Qt::ControlModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&f.view(), &wheel);
  CHECK(f.camera(0).focal_length == Approx(36.75));
  CHECK(f.steps() == 3);

  // With a key: navigating at another frame makes one there.
  f.key(Qt::Key_I);
  f.at_frame(30);
  f.drag(&f.view(), {400, 300}, {460, 300}, Qt::MiddleButton);
  const Track* track = find_track(f.scene(), f.camera(0).id.value, "position");
  REQUIRE(track);
  CHECK(track->keys.size() == 2);
  CHECK(track->keys.back().time == Approx(0.5));
  // In between the view goes along.
  f.at_frame(15);
  const Vec3 half = find_camera(f.context().keying.shown(), f.camera(0).id)->position;
  const glm::vec3 eye = std::as_const(f.view()).camera().position();
  CHECK((half - Vec3(eye.x, eye.y, eye.z)).norm() < 1e-5);
  // Its way, with a handle at each key.
  f.context().selection.select_only(f.camera(0).id);
  f.view().motion().set_paths(true);
  CHECK(f.view().motion().handles(std::as_const(f.view()).camera(), f.view().view_size()).size() <= 2);
  ViewCamera above;
  above.distance = 30;
  above.pitch = 1.2f;
  CHECK(f.view().motion().handles(above, f.view().view_size()).size() == 2);
  // Unlocked, navigating leaves it.
  f.view().setFocus();
  f.key(Qt::Key_L, Qt::ControlModifier | Qt::AltModifier);
  f.drag(&f.view(), {400, 300}, {460, 300}, Qt::MiddleButton);
  CHECK_FALSE(f.view().through_camera());
  CHECK(find_track(f.scene(), f.camera(0).id.value, "position")->keys.size() == 2);
}

TEST_CASE("Cuts are made by a key, shown under the ruler, dragged, deleted, undone; the view follows them",
          "[flow][cameras]") {
  CameraFlow f;
  f.film();
  const std::string start = scene_to_text(f.scene());
  REQUIRE(f.strip().isVisible());
  f.key(Qt::Key_0);
  f.context().selection.select_only(f.camera(1).id);
  f.at_frame(60);
  f.view().setFocus();
  f.key(Qt::Key_K, Qt::ShiftModifier);
  f.context().selection.select_only(f.camera(2).id);
  f.at_frame(120);
  f.key(Qt::Key_K, Qt::ShiftModifier);
  CHECK(f.steps() == 2);
  auto stretches = f.strip().stretches();
  REQUIRE(stretches.size() >= 3);
  CHECK(stretches[1].camera == f.camera(1).id);
  for (const auto& [frame, name] : {std::pair(0, "Wide"), {59, "Wide"}, {60, "Side"}, {119, "Side"}, {120, "Top"}}) {
    INFO(frame);
    f.at_frame(frame);
    CHECK(f.view().looked_through()->name == name);
    const glm::vec3 eye = std::as_const(f.view()).camera().position();
    CHECK((find_camera(f.scene(), f.view().looked_through()->id)->position - Vec3(eye.x, eye.y, eye.z)).norm() < 1e-5);
  }
  // In the dope sheet too: a track of the scene.
  const Track* track = find_track(f.scene(), 0, kCutField);
  REQUIRE(track);
  CHECK(track->keys.size() == 3);
  CHECK(track->keys[1].shape == KeyShape::step);

  // Dragged to frame 90: whole frames, one step.
  f.drag(&f.strip(), f.on_strip(60), f.on_strip(90, 0.3));
  CHECK(f.steps() == 3);
  CHECK(find_track(f.scene(), 0, kCutField)->keys[1].time == Approx(1.5));
  f.at_frame(75);
  CHECK(f.view().looked_through()->name == "Wide");
  // A drag over the next cut and back leaves that one where it was.
  f.mouse(&f.strip(), QEvent::MouseButtonPress, f.on_strip(90), Qt::LeftButton, Qt::LeftButton);
  for (const int frame : {100, 120, 140, 110})
    f.mouse(&f.strip(), QEvent::MouseMove, f.on_strip(frame), Qt::NoButton, Qt::LeftButton);
  f.mouse(&f.strip(), QEvent::MouseButtonRelease, f.on_strip(110), Qt::LeftButton, Qt::NoButton);
  REQUIRE(find_track(f.scene(), 0, kCutField)->keys.size() == 3);
  CHECK(find_track(f.scene(), 0, kCutField)->keys[1].time == Approx(110 / 60.0));
  // A click on a stretch selects its camera; Delete takes the cut that begins it.
  QTest::mouseClick(&f.strip(), Qt::LeftButton, {}, f.on_strip(115).toPoint());
  CHECK(f.context().selection.active() == f.camera(1).id);
  QTest::keyClick(&f.strip(), Qt::Key_Delete);
  CHECK(find_track(f.scene(), 0, kCutField)->keys.size() == 2);
  CHECK(f.scene().cameras.size() == 3);
  (void)back_and_forth(f, start);
}

TEST_CASE("The menu of the strip cuts to any camera at the frame under the mouse, and deletes a cut",
          "[flow][cameras]") {
  CameraFlow f;
  f.film();
  const auto menu_at = [&](QPointF at) {
    QContextMenuEvent event(QContextMenuEvent::Mouse, at.toPoint(), f.strip().mapToGlobal(at.toPoint()));
    QApplication::sendEvent(&f.strip(), &event);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    REQUIRE(menu);
    return menu;
  };
  QMenu* menu = menu_at(f.on_strip(100));
  QMenu* cuts = menu->actions().front()->menu();
  REQUIRE(cuts);
  CHECK(menu->actions().front()->text() == "Cut at Frame 100 to");
  REQUIRE(cuts->actions().size() == 3);
  Flow::click_in(menu, menu->actionGeometry(menu->actions().front()).center());
  REQUIRE(wait_for([&] { return cuts->isVisible(); }, 2000));
  Flow::click_in(cuts, cuts->actionGeometry(cuts->actions()[2]).center());
  REQUIRE(find_track(f.scene(), 0, kCutField));
  CHECK(active_camera(scene_at(f.scene(), 100 / 60.0)).name == "Top");
  menu = menu_at(f.on_strip(100));
  for (QAction* entry : menu->actions())
    if (entry->text() == "Delete Cut") Flow::click_in(menu, menu->actionGeometry(entry).center());
  CHECK(find_track(f.scene(), 0, kCutField)->keys.size() == 1);
}

TEST_CASE("The last camera stays, and a cut to one that is gone is told of", "[flow][cameras]") {
  CameraFlow f;
  f.film();
  f.at_frame(60);
  f.context().selection.select_only(f.camera(1).id);
  f.key(Qt::Key_K, Qt::ShiftModifier);
  f.key(Qt::Key_X);
  CHECK(f.scene().cameras.size() == 2);
  const auto problem = [&] {
    QString text;
    for (const Problem& p : f.context().diagnostics.entries())
      if (p.source == Problem::Source::camera) text += QString::fromStdString(p.diagnostic.message);
    return text;
  };
  CHECK(problem() == "The cut at 1 s names a camera that is gone; the one before it stays.");
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(problem().isEmpty());
  QString refused;
  QObject::connect(&f.document(), &DocumentController::refused, &f.document(),
                   [&](const QString& sentence) { refused = sentence; });
  f.context().selection.set({f.camera(0).id, f.camera(1).id, f.camera(2).id}, f.camera(0).id);
  f.view().setFocus();
  f.key(Qt::Key_X);
  REQUIRE(f.scene().cameras.size() == 1);
  CHECK(refused.contains("it is the last camera"));
  f.key(Qt::Key_X);
  CHECK(f.scene().cameras.size() == 1);
}

TEST_CASE("Properties of a camera: it looks at an object by a list, and a picture that is missing is told of",
          "[flow][cameras]") {
  CameraFlow f;
  f.film();
  f.context().selection.select_only(f.camera(1).id);
  f.tab("properties");
  FieldForm* form = f.window.findChild<PropertiesPanel*>()->form("cameras");
  REQUIRE(wait_for([&] { return form->isVisible(); }, 1000));
  QComboBox* looks = static_cast<ThingField*>(form->widget("looks_at"))->box();
  REQUIRE(looks->count() == 3);  // nothing, the floor, the ball
  CHECK(looks->currentText() == "Nothing");
  f.sight(looks)->setFocus();
  QTest::keyClick(looks, Qt::Key_End);
  QTest::keyClick(looks, Qt::Key_Return);
  CHECK(f.camera(1).looks_at == id_of(f.scene(), "Ball").value);
  CHECK_FALSE(form->widget("target")->isVisible());
  f.document().undo_stack()->undo();
  CHECK(looks->currentText() == "Nothing");

  const auto told = [&] {
    QString text;
    for (const Problem& p : f.context().diagnostics.entries()) text += QString::fromStdString(p.diagnostic.message);
    return text;
  };
  const auto with_picture = [&](const std::string& file) {
    (void)f.document().edit("Picture",
                            with_camera(f.scene(), f.camera(1).id, [&](Camera& c) { c.picture.file = file; }));
  };
  with_picture("/nowhere/plate.png");
  REQUIRE(wait_for([&] { return told().contains("/nowhere/plate.png"); }, 3000));
  with_picture("");
  CHECK_FALSE(told().contains("plate.png"));
}

TEST_CASE("The camera that is looked through shows its frame, safe areas and the picture behind", "[flow][cameras]") {
  CameraFlow f;
  f.film();
  const TemporaryFolder folder;
  QImage plate(160, 90, QImage::Format_RGB888);
  plate.fill(QColor(0, 220, 40));
  const QString file = QString::fromStdString((folder / "plate.png").string());
  REQUIRE(plate.save(file));
  Scene scene = f.scene();
  const Id camera = scene.cameras[0]->id;
  scene = with_camera(scene, camera, [&](Camera& c) {
    c.position = Vec3(0, 1, 6);
    c.target = Vec3(0, 1.6, 0);
    c.picture.file = file.toStdString();
    c.picture.opacity = 1;
  });
  (void)f.document().edit("Plate", scene);
  f.key(Qt::Key_0);
  const auto green = [&](QPointF at) {
    const QImage image = f.view().picture();
    const QColor c = image.pixelColor((at * f.view().devicePixelRatioF()).toPoint());
    return c.green() > 150 && c.red() < 60;
  };
  const QPointF sky(f.view().width() / 2.0, f.view().height() * 0.2);
  REQUIRE(wait_for([&] { return green(sky); }, 5000));
  CHECK_FALSE(green(f.pixel(Vec3(0, 0.5, 0))));            // the ball is before it
  CHECK_FALSE(green(QPointF(f.view().width() / 2.0, 8)));  // outside the frame
  const auto bright_lines = [&] {
    const QImage image = f.view().picture();
    int count = 0;
    const int y = image.height() / 2 + 30;
    for (int x = 0; x < image.width(); ++x) {
      const QColor c = image.pixelColor(x, y);
      count += c.red() > 120 && c.blue() > 120;
    }
    return count;
  };
  const int before = bright_lines();
  (void)f.document().edit("Safe", with_camera(f.scene(), camera, [](Camera& c) { c.safe_areas = true; }));
  CHECK(bright_lines() >= before + 2);
  (void)f.document().edit("Off", with_camera(f.scene(), camera, [](Camera& c) { c.picture.shown = false; }));
  CHECK_FALSE(green(sky));
  f.shot("cameras-frame");
}

TEST_CASE("The shipped scene of the cuts is played through its cameras; Close keeps the ball in its middle",
          "[flow][cameras]") {
  CameraFlow f;
  f.open(shipped("cuts.json"));
  f.context().playback.set_frame(100);
  REQUIRE(wait_for([&] { return f.context().playback.shown() && f.context().playback.shown()->index == 100; }, 60000));
  f.view().setFocus();
  f.key(Qt::Key_0);
  REQUIRE(f.view().looked_through()->name == "Close");
  QTest::qWait(100);
  const Vec3f ball = f.context().playback.shown()->find(id_of(f.scene(), "Ball"))->position;
  const QPointF at = f.pixel(ball.cast<double>());
  CHECK(std::abs(at.x() - f.view().width() / 2.0) < 1);
  CHECK(std::abs(at.y() - f.view().height() / 2.0) < 1);
  (void)f.document().edit(
      "Safe areas", with_camera(f.scene(), f.view().looked_through()->id, [](Camera& c) { c.safe_areas = true; }));
  f.context().selection.select_only(f.view().looked_through()->id);
  f.tab("properties");
  f.shot("cameras");
  f.view().setFocus();
  f.key(Qt::Key_0);
  f.key(Qt::Key_Home);
  f.view().camera().distance *= 1.6f;
  f.shot("cameras-free");
}

TEST_CASE("The outliner has cameras: renamed, duplicated, hidden, put into a collection, undone", "[flow][cameras]") {
  CameraFlow f;
  f.film();
  const std::string start = scene_to_text(f.scene());
  f.context().selection.select_only(f.camera(0).id);
  f.view().setFocus();
  f.key(Qt::Key_D, Qt::ControlModifier);
  REQUIRE(f.scene().cameras.size() == 4);
  CHECK(f.camera(3).name == "Wide 2");
  CHECK((f.camera(3).target - f.camera(0).target - (f.camera(3).position - f.camera(0).position)).norm() < 1e-12);
  f.submenu("Object", "collection.new");
  REQUIRE(f.scene().collections.size() == 1);
  CHECK(f.camera(3).collection == f.scene().collections[0]->id.value);
  f.context().selection.select_only(f.camera(3).id);
  f.view().setFocus();
  f.key(Qt::Key_H);
  CHECK_FALSE(f.camera(3).visible);
  f.key(Qt::Key_H, Qt::AltModifier);
  CHECK(f.camera(3).visible);
  f.context().selection.select_only(f.camera(3).id);
  f.key(Qt::Key_C, Qt::ControlModifier);
  f.key(Qt::Key_V, Qt::ControlModifier);
  CHECK(f.scene().cameras.size() == 5);
  (void)back_and_forth(f, start);
}

}  // namespace flow_cameras_test
