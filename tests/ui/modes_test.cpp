// Edit modes: what every mode must keep to, the selection of elements, and metaball mode by mouse and keys in a real view.
#include "tests/ui/viewport_support.h"

#include <cmath>
#include <set>

#include <QKeySequence>
#include <QMenu>
#include <QToolButton>

#include "core/geometry/metaball/catalogue.h"
#include "core/scene/file/scene_io.h"
#include "ui/modes/metaball_commands.h"
#include "ui/modes/mode_bar.h"
#include "ui/tools/gizmo.h"
#include "ui/tools/transform_gesture.h"
#include "ui/widgets/theme.h"

namespace modes_test {

using namespace hazumi;
using namespace hazumi::testing;

namespace {

QString text_of(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

MetaballPrimitive blob(std::uint32_t id, const char* name, Vec3 centre) {
  MetaballPrimitive p = make_metaball(MetaballKind::ball);
  p.id = id;
  p.name = name;
  p.centre = centre;
  return p;
}

/// Object 1, "Body": three metaballs in a row along x; moved, turned and scaled, so that frames matter. Object 2: a sphere.
Scene blobs(bool turned = false) {
  Scene scene;
  Object body = ball(1, "Body", Vec3(0.2, 0.6, -0.1));
  body.display.kind = DisplayKind::metaballs;
  body.display.metaballs.primitives = {blob(1, "Head", Vec3(-1.5, 0.3, 0)), blob(2, "Belly", Vec3(0, 0.1, 0.05)),
                                       blob(3, "Tail", Vec3(1.5, 0.3, 0))};
  if (turned) {
    body.transform.rotation = Quat(Eigen::AngleAxisd(0.6, Vec3(1, 3, 0.5).normalized()));
    body.transform.scale = Vec3(0.8, 1.3, 0.6);
  }
  scene.objects = {body, ball(2, "Other", Vec3(0, 3, 0))};
  return scene;
}

struct MetaballWindow : ViewportWindow {
  explicit MetaballWindow(bool turned = false) : ViewportWindow(blobs(turned)) {
    selection.select_only(Id{1});
    REQUIRE(elements().enter(*find_mode("metaballs")).isEmpty());
    settle();
  }
  ElementSelection& elements() { return viewport.context().elements; }
  const Object& body() { return *find_object(document.scene(), Id{1}); }
  const MetaballPrimitive& primitive(std::uint32_t id) {
    const MetaballPrimitive* p = find_primitive(body().display.metaballs, id);
    REQUIRE(p);
    return *p;
  }
  QPointF pixel_of(std::uint32_t id) { return pixel(body().transform * primitive(id).centre); }
};

constexpr Element kHead{0, 1}, kBelly{0, 2}, kTail{0, 3};

}  // namespace

TEST_CASE("Every mode says what it is and has what the viewport needs", "[modes]") {
  REQUIRE(find_mode("metaballs"));
  std::set<std::string_view> ids;
  for (const ModeInfo* mode : modes()) {
    INFO(std::string(mode->id));
    CHECK(ids.insert(mode->id).second);
    CHECK_FALSE(mode->title.empty());
    CHECK(mode->tip.ends_with('.'));
    CHECK_FALSE(theme_icon(text_of(mode->icon)).isNull());
    for (const bool there :
         {mode->why_not != nullptr, mode->elements != nullptr, mode->name != nullptr, mode->shapes != nullptr,
          mode->draw != nullptr, mode->place != nullptr, mode->apply != nullptr, mode->remove != nullptr})
      REQUIRE(there);
    CHECK((mode->remedy == nullptr) == (mode->apply_remedy == nullptr));
    CHECK((mode->hide == nullptr) == (mode->show_all == nullptr));
    // An object that shows nothing fits no mode, and the sentence says so.
    Object nothing;
    nothing.name = "Nothing";
    nothing.display.kind = DisplayKind::none;
    nothing.id = Id{1};
    Scene scene;
    scene.objects.push_back(Shared<Object>(nothing));
    CHECK(mode_refusal(scene, nothing.id, *mode).endsWith(QLatin1Char('.')));
    std::set<QString> keys{"Tab", "Esc", "G", "R", "S", "X", "Del", "A", "H", "Shift+D"};
    std::set<std::string_view> actions;
    for (const ModeAction& action : mode->actions) {
      INFO(std::string(action.id));
      CHECK(action.id.starts_with(std::string(mode->id) + "."));
      CHECK(actions.insert(action.id).second);
      CHECK(action.tip.ends_with('.'));
      CHECK(action.run);
      if (action.in_bar) CHECK_FALSE(theme_icon(text_of(action.icon)).isNull());
      if (!action.keys.empty()) CHECK(keys.insert(text_of(action.keys)).second);
    }
    for (const ModeTool& tool : mode->tools) {
      INFO(std::string(tool.id));
      CHECK(tool.id.starts_with(std::string(mode->id) + "."));
      CHECK_FALSE(theme_icon(text_of(tool.icon)).isNull());
      CHECK(tool.start);
      if (!tool.keys.empty()) CHECK(keys.insert(text_of(tool.keys)).second);
    }
  }
}

TEST_CASE("A motion in an object's frame is the motion in the world", "[modes]") {
  Object object;
  object.transform.position = Vec3(1, 2, -0.5);
  object.transform.rotation = Quat(Eigen::AngleAxisd(0.9, Vec3(1, -2, 0.4).normalized()));
  object.transform.scale = Vec3(0.5, 2, 1.2);
  const ObjectSpace space(object);
  const Vec3 p(0.3, -0.8, 1.1), pivot(0.5, 0.2, 0.1), move(0.4, -1, 0.25), axis = Vec3(0.2, 1, -0.3).normalized();
  CHECK((space.local(space.world(p)) - p).norm() < 1e-12);
  const Mat3 frame = Quat(Eigen::AngleAxisd(0.3, Vec3::UnitZ())).toRotationMatrix();
  const Vec3 factors(1.5, 1, 0.7), w = space.world(p);
  const auto in = [&](TransformMode mode, double angle, const Vec3& f) {
    return in_object(object.transform, mode, pivot, move, axis, angle, frame, f);
  };
  CHECK((space.world(in(TransformMode::move, 0, Vec3::Ones()).point(p)) - (w + move)).norm() < 1e-12);
  const Vec3 turned = pivot + Eigen::AngleAxisd(1.2, axis) * Vec3(w - pivot);
  CHECK((space.world(in(TransformMode::rotate, 1.2, Vec3::Ones()).point(p)) - turned).norm() < 1e-12);
  const Vec3 scaled_place = pivot + frame * factors.asDiagonal() * frame.transpose() * (w - pivot);
  CHECK((space.world(in(TransformMode::scale, 0, factors).point(p)) - scaled_place).norm() < 1e-12);
  CHECK(in(TransformMode::rotate, 0, Vec3::Ones()).point(p) == p);
  CHECK(in(TransformMode::scale, 0, Vec3::Ones()).point(p) == p);
}

TEST_CASE("Tab goes into a mode that fits and out again, and what does not fit says why", "[modes]") {
  ViewportWindow w(blobs());
  ElementSelection& elements = w.viewport.context().elements;
  w.key(Qt::Key_Tab);
  CHECK_FALSE(elements.mode());  // nothing is selected
  w.selection.select_only(Id{2});
  CHECK(elements.enter(*find_mode("metaballs")).contains("not shown by metaballs"));
  CHECK_FALSE(elements.mode());
  w.selection.select_only(Id{1});
  REQUIRE(elements.enter(*find_mode("metaballs")).isEmpty());
  w.key(Qt::Key_Tab);
  CHECK_FALSE(elements.mode());
  w.key(Qt::Key_Tab);
  CHECK(elements.in("metaballs"));
  CHECK(elements.object_id() == Id{1});
  w.key(Qt::Key_Escape);
  CHECK_FALSE(elements.mode());
  // Another object becomes active: the mode is left when it does not fit.
  w.key(Qt::Key_Tab);
  w.selection.select_only(Id{2});
  CHECK_FALSE(elements.mode());
}

TEST_CASE("The mode bar greys what does not fit and offers the remedy", "[modes]") {
  ViewportWindow w(blobs());
  ElementSelection& elements = w.viewport.context().elements;
  QToolButton* button = w.viewport.mode_bar()->button(find_mode("metaballs"));
  QToolButton* objects = w.viewport.mode_bar()->button(nullptr);
  CHECK(objects->isChecked());
  CHECK(button->property("unfit").toBool());
  w.selection.select_only(Id{1});
  CHECK_FALSE(button->property("unfit").toBool());
  QTest::mouseClick(button, Qt::LeftButton);
  CHECK(elements.in("metaballs"));
  CHECK(button->isChecked());
  CHECK_FALSE(objects->isChecked());
  REQUIRE(w.viewport.mode_bar()->command("metaballs.mirror_x"));
  CHECK_FALSE(w.viewport.mode_bar()->command("metaballs.mirror_x")->isEnabled());  // nothing selected yet
  QTest::mouseClick(objects, Qt::LeftButton);
  CHECK_FALSE(elements.mode());
  CHECK_FALSE(w.viewport.mode_bar()->command("metaballs.mirror_x"));
  w.selection.select_only(Id{2});
  CHECK(button->property("unfit").toBool());
  QTest::mouseClick(button, Qt::LeftButton);
  CHECK_FALSE(button->isChecked());
  auto* menu = w.viewport.findChild<QMenu*>("mode_remedy");
  REQUIRE(menu);
  CHECK(menu->actions().front()->text().contains("not shown by metaballs"));
  QAction* remedy = menu->actions().back();
  CHECK(remedy->text() == "Turn into metaballs");
  QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(remedy).center());
  const Object& turned = *find_object(w.document.scene(), Id{2});
  CHECK(turned.display.kind == DisplayKind::metaballs);
  REQUIRE(turned.display.metaballs.primitives.size() == 1);
  // As large as the sphere was.
  const MetaballPrimitive& p = turned.display.metaballs.primitives.front();
  CHECK(seen_fraction(p.weight) * p.radii.x() == Approx(0.5 * turned.display.primitive.size.x()));
  CHECK(elements.in("metaballs"));
  w.document.undo_stack()->undo();
  CHECK(find_object(w.document.scene(), Id{2})->display.kind == DisplayKind::primitive);
  CHECK_FALSE(elements.mode());
}

TEST_CASE("Metaballs are selected by click, Shift+click and box, like objects", "[modes][metaballs]") {
  MetaballWindow w;
  w.click(w.pixel_of(1));
  CHECK(w.elements().elements() == Elements{kHead});
  w.click(w.pixel_of(3), Qt::ShiftModifier);
  CHECK(w.elements().elements() == Elements{kHead, kTail});
  CHECK(w.elements().active() == kTail);
  w.click(w.pixel_of(3), Qt::ShiftModifier);
  CHECK(w.elements().elements() == Elements{kHead});
  w.click(QPointF(400, 560));
  CHECK(w.elements().empty());
  CHECK(w.selection.active() == Id{1});  // the object stays selected
  w.drag(QPointF(60, 560), QPointF(760, 60));
  CHECK(w.elements().elements() == Elements{kHead, kBelly, kTail});
  w.drag(w.pixel_of(1) - QPointF(90, 90), w.pixel_of(1) + QPointF(70, 70), Qt::LeftButton, Qt::ControlModifier);
  CHECK(w.elements().elements() == Elements{kBelly, kTail});
  CHECK(w.document.undo_stack()->count() == 0);
}

TEST_CASE("Hovering lights a metaball up, and only that", "[modes][metaballs]") {
  MetaballWindow w;
  w.move(w.pixel_of(2));
  const auto view = w.viewport.mode_view();
  REQUIRE(view);
  CHECK(view->hovered == kBelly);
  w.move(QPointF(400, 570));
  CHECK_FALSE(w.viewport.mode_view()->hovered.has_value());
}

TEST_CASE("G X 1.5 moves a metaball by exactly 1.5 m in the world, one undo step, to the bit", "[modes][metaballs]") {
  MetaballWindow w;
  const std::string start = scene_to_text(w.document.scene());
  const Vec3 before = w.primitive(2).centre;
  w.click(w.pixel_of(2));
  w.key(Qt::Key_G);
  REQUIRE(w.viewport.gesture());
  w.move(QPointF(500, 340));
  w.keys({Qt::Key_X, Qt::Key_1, Qt::Key_Period, Qt::Key_5, Qt::Key_Return});
  CHECK_FALSE(w.viewport.gesture());
  CHECK(w.primitive(2).centre == before + Vec3(1.5, 0, 0));
  REQUIRE(w.document.undo_stack()->count() == 1);
  CHECK(w.document.undo_stack()->undoText() == "Move Belly in Body");
  CHECK(w.elements().in("metaballs"));
  w.document.undo_stack()->undo();
  CHECK(scene_to_text(w.document.scene()) == start);
  CHECK(w.elements().elements() == Elements{kBelly});
  // Esc takes back and leaves no step; the mode stays.
  w.document.undo_stack()->clear();
  w.key(Qt::Key_G);
  w.move(QPointF(300, 240));
  CHECK(scene_to_text(w.document.scene()) != start);
  w.key(Qt::Key_Escape);
  CHECK(scene_to_text(w.document.scene()) == start);
  CHECK(w.document.undo_stack()->count() == 0);
  CHECK(w.elements().in("metaballs"));
}

TEST_CASE("Moving, turning and scaling follow the world in a turned and scaled object", "[modes][metaballs]") {
  MetaballWindow w(true);
  const auto world = [&](std::uint32_t id) -> Vec3 { return w.body().transform * w.primitive(id).centre; };
  const Vec3 head = world(1), tail = world(3);
  w.elements().set({kHead, kTail});
  w.move(QPointF(420, 300));
  w.keys({Qt::Key_G, Qt::Key_Y, Qt::Key_2, Qt::Key_Return});
  CHECK((world(1) - (head + Vec3(0, 2, 0))).norm() < 1e-9);
  CHECK((world(3) - (tail + Vec3(0, 2, 0))).norm() < 1e-9);
  w.keys({Qt::Key_R, Qt::Key_Z, Qt::Key_9, Qt::Key_0, Qt::Key_Return});
  const Vec3 middle = 0.5 * (head + tail) + Vec3(0, 2, 0);
  const Vec3 arm = 0.5 * (head - tail);
  CHECK((world(1) - (middle + Vec3(-arm.y(), arm.x(), arm.z()))).norm() < 1e-9);
  w.keys({Qt::Key_S, Qt::Key_2, Qt::Key_Return});
  CHECK((world(1) - (middle + 2 * Vec3(-arm.y(), arm.x(), arm.z()))).norm() < 1e-9);
  CHECK(w.primitive(1).radii.isApprox(2 * make_metaball(MetaballKind::ball).radii, 1e-9));
  CHECK(w.primitive(2) == blobs(true).objects[0]->display.metaballs.primitives[1]);
}

TEST_CASE("Dragging a metaball moves it in the plane of the screen and selects it first", "[modes][metaballs]") {
  MetaballWindow w;
  const QPointF from = w.pixel_of(3);
  w.drag(from, from + QPointF(40, -60));
  CHECK(w.elements().elements() == Elements{kTail});
  const QPointF now = w.pixel_of(3);
  CHECK(std::hypot(now.x() - from.x() - 40, now.y() - from.y() + 60) < 4.5e-5);
  CHECK(w.document.undo_stack()->count() == 1);
  // The arrow along y of the gizmo.
  const Vec3 before = w.primitive(3).centre;
  for (const GizmoHandle& handle : w.viewport.gizmo())
    if (handle.constraint.kind == TransformConstraint::Kind::axis && handle.constraint.axis == 1) {
      const QPointF grip = grab_point(handle);
      w.drag(grip, grip + QPointF(3, -50));
      break;
    }
  CHECK(w.primitive(3).centre.y() > before.y() + 0.1);
  CHECK(w.primitive(3).centre.x() == before.x());
  CHECK(w.primitive(3).centre.z() == before.z());
}

TEST_CASE("A copy moves at once, and both are one step; Esc leaves the copy in place", "[modes][metaballs]") {
  MetaballWindow w;
  w.click(w.pixel_of(1));
  w.move(QPointF(420, 300));
  REQUIRE(w.viewport.duplicate_elements_and_move());
  REQUIRE(w.viewport.gesture());
  w.keys({Qt::Key_Z, Qt::Key_3, Qt::Key_Return});
  REQUIRE(w.body().display.metaballs.primitives.size() == 4);
  CHECK(w.elements().elements() == Elements{{0, 4}});
  CHECK(w.primitive(4).name == "Head 2");
  CHECK(w.primitive(4).centre == w.primitive(1).centre + Vec3(0, 0, 3));
  CHECK(w.document.undo_stack()->count() == 1);
  w.document.undo_stack()->undo();
  CHECK(w.body().display.metaballs.primitives.size() == 3);
  CHECK(w.elements().elements() == Elements{kHead});
  REQUIRE(w.viewport.duplicate_elements_and_move());
  w.move(QPointF(500, 200));
  w.key(Qt::Key_Escape);
  REQUIRE(w.body().display.metaballs.primitives.size() == 4);
  CHECK(w.primitive(4).centre == w.primitive(1).centre);
  CHECK(w.document.undo_stack()->count() == 1);
}

TEST_CASE("Delete, undo: what was deleted is selected again", "[modes][metaballs]") {
  MetaballWindow w;
  w.elements().set({kHead, kTail}, kHead);
  remove_elements(w.viewport.context());
  CHECK(w.body().display.metaballs.primitives.size() == 1);
  CHECK(w.elements().empty());
  w.document.undo_stack()->undo();
  CHECK(w.elements().elements() == Elements{kHead, kTail});
  CHECK(w.elements().active() == kHead);
  w.document.undo_stack()->redo();
  CHECK(w.elements().empty());
  w.document.undo_stack()->undo();
  CHECK(w.elements().elements() == Elements{kHead, kTail});
}

TEST_CASE("Hide, select all, invert and show all mean the metaballs", "[modes][metaballs]") {
  MetaballWindow w;
  UiContext& context = w.viewport.context();
  w.elements().select_only(kBelly);
  hide_elements(context);
  CHECK_FALSE(w.primitive(2).visible);
  CHECK(w.elements().empty());  // what is hidden cannot be selected
  select_all_elements(context);
  CHECK(w.elements().elements() == Elements{kHead, kTail});
  w.elements().select_only(kHead);
  invert_elements(context);
  CHECK(w.elements().elements() == Elements{kTail});
  show_all_elements(context);
  CHECK(w.primitive(2).visible);
}

TEST_CASE("Carve, mirror and snap by their keys", "[modes][metaballs]") {
  MetaballWindow w;
  w.elements().select_only(kHead);
  w.key(Qt::Key_V);
  CHECK(w.primitive(1).weight == -1.5);
  CHECK(w.viewport.mode_bar()->command("metaballs.carve")->isChecked());
  w.key(Qt::Key_V);
  CHECK(w.primitive(1).weight == 1.5);
  w.elements().set({kHead, kBelly});
  w.key(Qt::Key_M, Qt::ControlModifier);
  // The belly lies in the plane and is not doubled.
  REQUIRE(w.body().display.metaballs.primitives.size() == 4);
  CHECK(w.primitive(4).centre == Vec3(1.5, 0.3, 0));
  CHECK(w.elements().elements() == Elements{{0, 4}});
  w.elements().select_only(kBelly);
  w.key(Qt::Key_G, Qt::ControlModifier);
  const Vec3 world = w.body().transform * w.primitive(2).centre;
  for (double x : world) CHECK(std::abs(x - std::round(x * 10) / 10) < 1e-12);
  CHECK_FALSE(w.viewport.gesture());
}

TEST_CASE("New metaballs go into the group while its mode is on", "[modes][metaballs]") {
  MetaballWindow w;
  w.elements().select_only(kTail);
  CHECK(add_metaballs(w.viewport.context(), MetaballStart::primitive, MetaballKind::torus) == Id{1});
  REQUIRE(w.body().display.metaballs.primitives.size() == 4);
  CHECK(w.primitive(4).shape == MetaballShape::torus);
  CHECK(w.elements().elements() == Elements{{0, 4}});
  CHECK(w.document.scene().objects.size() == 2);
  w.elements().leave();
  const Id figure = add_metaballs(w.viewport.context(), MetaballStart::figure);
  CHECK(w.document.scene().objects.size() == 3);
  CHECK(find_object(w.document.scene(), figure)->display.metaballs.primitives.size() > 10);
  CHECK(w.elements().in("metaballs"));
}

TEST_CASE("While another frame is shown the elements are out of sight and a click goes back to the start", "[modes]") {
  Scene scene = blobs();
  scene.settings.last_frame = 10;
  ViewportWindow w(scene);
  w.selection.select_only(Id{1});
  ElementSelection& elements = w.viewport.context().elements;
  REQUIRE(elements.enter(*find_mode("metaballs")).isEmpty());
  CHECK(w.viewport.elements_shown());
  w.playback.set_frame(5);
  CHECK_FALSE(w.viewport.elements_shown());
  CHECK_FALSE(w.viewport.element_under(w.pixel(Vec3(0.2, 0.7, 0))).has_value());
  CHECK(w.viewport.hint().contains("start pose"));
  w.click(QPointF(400, 300));
  CHECK(w.playback.frame() == 0);
  CHECK(w.viewport.elements_shown());
  CHECK(elements.in("metaballs"));
}

}  // namespace modes_test
