// Transforms by handle and by key in a real viewport, and the arithmetic below them.
#include "tests/ui/viewport_support.h"

#include <cmath>

#include "ui/tools/gizmo.h"
#include "ui/tools/number_entry.h"
#include "ui/tools/tool.h"
#include "ui/tools/transform_gesture.h"

namespace tools_test {

using namespace hazumi;
using namespace hazumi::testing;
using Kind = TransformConstraint::Kind;

namespace {

QPointF handle_place(const Viewport& viewport, Kind kind, int axis) {
  for (const GizmoHandle& handle : viewport.gizmo())
    if (handle.constraint.kind == kind && (kind == Kind::free || handle.constraint.axis == axis))
      return grab_point(handle);
  FAIL("no such handle");
  return {};
}

}  // namespace

TEST_CASE("G X 1.5 Enter moves by exactly 1.5 m and undo brings back the bits", "[tools]") {
  ViewportWindow w;
  const Transform before = w.transform(2);
  w.selection.select_only(Id{2});
  w.move(QPointF(420, 300));
  w.key(Qt::Key_G);
  REQUIRE(w.viewport.gesture());
  w.move(QPointF(500, 340));
  CHECK(w.transform(2).position != before.position);  // follows at once
  w.keys({Qt::Key_X, Qt::Key_1, Qt::Key_Period, Qt::Key_5});
  CHECK(w.viewport.gesture()->value_text().startsWith("Move 1.5"));
  CHECK(w.viewport.gesture()->value_text().endsWith("along X"));
  w.move(QPointF(200, 240));  // a typed number does not follow the mouse
  w.key(Qt::Key_Return);
  CHECK_FALSE(w.viewport.gesture());
  const Transform after = w.transform(2);
  CHECK(after.position.x() == before.position.x() + 1.5);
  CHECK(after.position.y() == before.position.y());
  CHECK(after.position.z() == before.position.z());
  REQUIRE(w.document.undo_stack()->count() == 1);
  CHECK(w.document.undo_stack()->undoText() == "Move Ball");
  CHECK(w.selection.contains(Id{2}));  // X was an axis, not "delete"
  w.document.undo_stack()->undo();
  CHECK(same_bits(w.transform(2), before));
  w.document.undo_stack()->redo();
  CHECK(same_bits(w.transform(2), after));
}

TEST_CASE("Minus, backspace and another axis while typing", "[tools]") {
  ViewportWindow w;
  const Vec3 before = w.transform(2).position;
  w.selection.select_only(Id{2});
  w.key(Qt::Key_G);
  w.keys({Qt::Key_Y, Qt::Key_2, Qt::Key_5, Qt::Key_Backspace, Qt::Key_Minus});
  CHECK(w.transform(2).position == Vec3(before.x(), before.y() - 2, before.z()));
  w.key(Qt::Key_Z);
  CHECK(w.transform(2).position == Vec3(before.x(), before.y(), before.z() - 2));
  w.click(QPointF(300, 300));  // left click confirms, and selects nothing else
  CHECK_FALSE(w.viewport.gesture());
  CHECK(w.transform(2).position.z() == before.z() - 2);
  CHECK(w.selection.ids() == std::set<Id>{Id{2}});
}

TEST_CASE("Esc and the right button leave no undo step", "[tools]") {
  ViewportWindow w;
  const Transform before = w.transform(2);
  w.selection.select_only(Id{2});
  for (bool by_key : {true, false}) {
    for (int code : {Qt::Key_G, Qt::Key_R, Qt::Key_S}) {
      w.move(QPointF(420, 300));
      w.key(code);
      w.move(QPointF(520, 380));
      CHECK_FALSE(same_bits(w.transform(2), before));
      if (by_key)
        w.key(Qt::Key_Escape);
      else
        w.click(QPointF(520, 380), {}, Qt::RightButton);
      CHECK_FALSE(w.viewport.gesture());
      CHECK(same_bits(w.transform(2), before));
      CHECK(w.document.undo_stack()->count() == 0);
    }
  }
  // A gesture that is confirmed without a move is none either.
  w.keys({Qt::Key_G, Qt::Key_Return});
  CHECK(w.document.undo_stack()->count() == 0);
}

TEST_CASE("Dragging an arrow moves along its axis only, under the mouse", "[tools]") {
  ViewportWindow w;
  w.selection.select_only(Id{2});
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 before = w.transform(2).position;
    const QPointF from = handle_place(w.viewport, Kind::axis, axis);
    const QPointF one = w.pixel(before + Vec3::Unit(axis)) - w.pixel(before);
    w.drag(from, from + one * 0.8);
    const Vec3 moved = w.transform(2).position - before;
    for (int other = 0; other < 3; ++other)
      if (other != axis) CHECK(w.transform(2).position[other] == before[other]);
    CHECK(moved[axis] == Approx(0.8).margin(0.25));  // perspective: not exactly the pixels of one metre
    // The arrow's place on the screen went with the mouse.
    const QPointF now = handle_place(w.viewport, Kind::axis, axis) - from;
    CHECK(QPointF::dotProduct(now, one) / QPointF::dotProduct(one, one) == Approx(0.8).margin(0.12));
    CHECK(w.document.undo_stack()->count() == axis + 1);
  }
  CHECK(w.selection.ids() == std::set<Id>{Id{2}});
}

TEST_CASE("Squares move in a plane, the disc in the plane of the screen", "[tools]") {
  ViewportWindow w;
  w.selection.select_only(Id{2});
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 before = w.transform(2).position;
    const QPointF from = handle_place(w.viewport, Kind::plane, axis);
    w.drag(from, from + QPointF(35, -25));
    CHECK(w.transform(2).position[axis] == before[axis]);
    CHECK(w.transform(2).position[(axis + 1) % 3] != before[(axis + 1) % 3]);
    CHECK(w.transform(2).position[(axis + 2) % 3] != before[(axis + 2) % 3]);
    w.document.undo_stack()->undo();
  }
  const QPointF from = handle_place(w.viewport, Kind::free, 0);
  w.drag(from, from + QPointF(50, -20));
  const QPointF now = w.pixel(w.transform(2).position) - from;
  CHECK(now.x() == Approx(50).margin(9e-5));
  CHECK(now.y() == Approx(-20).margin(9e-5));
}

TEST_CASE("Esc during a handle drag takes it back", "[tools]") {
  ViewportWindow w;
  w.selection.select_only(Id{2});
  const Transform before = w.transform(2);
  const QPointF from = handle_place(w.viewport, Kind::axis, 0);
  w.press(from);
  w.move(from + QPointF(50, 0));
  CHECK_FALSE(same_bits(w.transform(2), before));
  w.key(Qt::Key_Escape);
  w.move(from + QPointF(90, 0));
  w.release(from + QPointF(90, 0));
  CHECK(same_bits(w.transform(2), before));
  CHECK(w.document.undo_stack()->count() == 0);
  CHECK(w.selection.ids() == std::set<Id>{Id{2}});
}

TEST_CASE("A transform that is cancelled keeps what could be redone", "[tools]") {
  ViewportWindow w;
  w.selection.select_only(Id{2});
  const QPointF from = handle_place(w.viewport, Kind::axis, 0);
  w.drag(from, from + QPointF(50, 0));
  const Transform moved = w.transform(2);
  w.document.undo_stack()->undo();
  w.press(from);
  w.move(from + QPointF(70, 0));
  w.key(Qt::Key_Escape);
  w.release(from + QPointF(70, 0));
  REQUIRE(w.document.undo_stack()->canRedo());
  w.document.undo_stack()->redo();
  CHECK(same_bits(w.transform(2), moved));
}

TEST_CASE("Dragging what is selected moves it in the plane of the screen", "[tools]") {
  ViewportWindow w;
  w.selection.select_only(Id{2});
  const QPointF centre = w.pixel(w.transform(2).position);
  QPointF from = centre;  // on the ball, beside the gizmo
  for (int i = 0; i < 36 && handle_at(w.viewport.gizmo(), from) >= 0; ++i)
    from = centre + 30 * QPointF(std::cos(i * kPi / 18), std::sin(i * kPi / 18));
  REQUIRE(handle_at(w.viewport.gizmo(), from) == -1);
  w.drag(from, from + QPointF(60, 10));
  CHECK((w.pixel(w.transform(2).position) - centre).x() == Approx(60).margin(9e-5));
  CHECK(w.document.undo_stack()->count() == 1);
}

TEST_CASE("Several objects and a light move as one step about their median", "[tools]") {
  ViewportWindow w;
  w.selection.set({Id{1}, Id{3}, Id{4}}, Id{1});
  const Vec3 a = w.transform(1).position, b = w.transform(3).position;
  const Vec3 lamp = find_light(w.document.scene(), Id{4})->position;
  w.keys({Qt::Key_G, Qt::Key_Y, Qt::Key_2, Qt::Key_Enter});
  CHECK(w.transform(1).position == a + Vec3(0, 2, 0));
  CHECK(w.transform(3).position == b + Vec3(0, 2, 0));
  CHECK(find_light(w.document.scene(), Id{4})->position == lamp + Vec3(0, 2, 0));
  CHECK(w.document.undo_stack()->count() == 1);
  CHECK(w.document.undo_stack()->undoText() == "Move 3 objects");
  w.document.undo_stack()->undo();

  w.selection.set({Id{1}, Id{3}}, Id{1});
  const Vec3 median = (a + b) / 2;
  w.keys({Qt::Key_R, Qt::Key_Y, Qt::Key_9, Qt::Key_0, Qt::Key_Return});
  const Vec3 arm = w.transform(1).position - median;
  // (−2, 0, 0) turned by 90° about y is (0, 0, 2).
  CHECK(arm.x() == Approx(0).margin(1e-12));
  CHECK(arm.z() == Approx(2));
  CHECK((w.transform(1).rotation * Vec3::UnitX() - Vec3(0, 0, -1)).norm() < 1e-12);
  w.document.undo_stack()->undo();

  w.keys({Qt::Key_S, Qt::Key_2, Qt::Key_Return});
  CHECK(w.transform(1).scale == Vec3(2, 2, 2));
  CHECK((w.transform(1).position - median - Vec3(-4, 0, 0)).norm() < 1e-12);
}

TEST_CASE("Locked objects stay where they are", "[tools]") {
  ViewportWindow w(with_object(three_balls(), Id{1}, [](Object& o) { o.locked = true; }));
  w.selection.set({Id{1}, Id{2}}, Id{1});
  const Vec3 locked = w.transform(1).position, free = w.transform(2).position;
  w.keys({Qt::Key_G, Qt::Key_X, Qt::Key_1, Qt::Key_Return});
  CHECK(w.transform(1).position == locked);
  CHECK(w.transform(2).position == free + Vec3(1, 0, 0));
  w.document.undo_stack()->undo();
  w.selection.select_only(Id{1});
  CHECK(w.viewport.gizmo().empty());
  w.key(Qt::Key_G);
  CHECK_FALSE(w.viewport.gesture());
}

TEST_CASE("X twice is the object's own axis, Shift+X the plane across it", "[tools]") {
  const Quat turn(Eigen::AngleAxisd(kPi / 6, Vec3::UnitY()));
  ViewportWindow w(with_object(three_balls(), Id{2}, [&](Object& o) { o.transform.rotation = turn; }));
  w.selection.select_only(Id{2});
  const Vec3 before = w.transform(2).position;
  w.keys({Qt::Key_G, Qt::Key_X, Qt::Key_X, Qt::Key_2, Qt::Key_Return});
  CHECK((w.transform(2).position - before - turn * Vec3(2, 0, 0)).norm() < 1e-12);
  w.document.undo_stack()->undo();

  w.move(QPointF(400, 300));
  w.key(Qt::Key_G);
  w.key(Qt::Key_Y, Qt::ShiftModifier);
  w.move(QPointF(460, 330));
  CHECK(w.transform(2).position.y() == before.y());
  CHECK(w.transform(2).position.x() != before.x());
  CHECK(w.transform(2).position.z() != before.z());
  w.key(Qt::Key_Escape);
}

TEST_CASE("Ctrl snaps, Shift slows", "[tools]") {
  ViewportWindow w;
  const Vec3 before = w.transform(2).position;
  w.selection.select_only(Id{2});
  const auto moved = [&](Qt::KeyboardModifiers held) {
    w.move(QPointF(400, 300));
    w.keys({Qt::Key_G, Qt::Key_X});
    w.move(QPointF(473, 300), held);
    const double x = w.transform(2).position.x() - before.x();
    w.key(Qt::Key_Escape);
    return x;
  };
  const double plain = moved({}), snapped_by = moved(Qt::ControlModifier), slow = moved(Qt::ShiftModifier);
  CHECK(plain > 0.3);
  CHECK(snapped_by != plain);
  CHECK(snapped_by * 10 == Approx(std::round(plain * 10)).margin(1e-9));
  CHECK(slow == Approx(plain / 10).epsilon(0.1));

  w.move(QPointF(500, 300));
  w.key(Qt::Key_R);
  w.move(QPointF(480, 240), Qt::ControlModifier);
  const double angle = degrees(2 * std::acos(std::min(1.0, std::abs(w.transform(2).rotation.w()))));
  CHECK(angle > 1);
  CHECK(angle / 5 == Approx(std::round(angle / 5)).margin(2e-7));
  w.key(Qt::Key_Escape);
}

TEST_CASE("Rotation follows the mouse around the centre, also more than once", "[tools]") {
  ViewportWindow w;
  w.selection.select_only(Id{2});
  w.key(Qt::Key_1);  // front, parallel: z points at the eye
  const QPointF centre = w.pixel(w.transform(2).position);
  const auto at = [&](double angle) { return centre + 120 * QPointF(std::cos(angle), -std::sin(angle)); };
  w.move(at(0));
  w.keys({Qt::Key_R, Qt::Key_Z});
  const auto turned = [&] { return w.transform(2).rotation * Vec3::UnitX(); };
  w.move(at(kPi / 4));
  w.move(at(kPi / 2));
  CHECK((turned() - Vec3(0, 1, 0)).norm() < 1.3e-7);  // counter-clockwise, as the mouse went
  for (int i = 3; i <= 9; ++i) w.move(at(i * kPi / 4));
  CHECK((turned() - Vec3(1, 1, 0).normalized()).norm() < 6e-7);
  CHECK(w.viewport.gesture()->value_text().contains("405"));  // one whole turn and an eighth
  w.key(Qt::Key_Return);
  CHECK(w.transform(2).rotation.norm() == Approx(1).epsilon(1e-14));
}

TEST_CASE("Rings turn about their axis only", "[tools]") {
  ViewportWindow w;
  w.selection.select_only(Id{2});
  w.key(Qt::Key_R, Qt::ShiftModifier);
  REQUIRE(w.viewport.tool() == "rotate");
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 place = w.transform(2).position;
    const QPointF from = handle_place(w.viewport, Kind::axis, axis);
    w.drag(from, from + QPointF(18, 14));
    CHECK((w.transform(2).rotation * Vec3::Unit(axis) - Vec3::Unit(axis)).norm() < 1e-9);
    CHECK(std::abs(w.transform(2).rotation.w()) < 1 - 1e-6);
    CHECK(w.transform(2).position == place);
    w.document.undo_stack()->undo();
  }
}

TEST_CASE("Boxes scale along one axis of the object, the middle one along all", "[tools]") {
  ViewportWindow w;
  w.selection.select_only(Id{2});
  w.key(Qt::Key_S, Qt::ShiftModifier);
  REQUIRE(w.viewport.tool() == "scale");
  for (int axis = 0; axis < 3; ++axis) {
    const QPointF from = handle_place(w.viewport, Kind::axis, axis), centre = handle_place(w.viewport, Kind::free, 0);
    w.drag(from, from + (from - centre) * 0.5);
    for (int other = 0; other < 3; ++other)
      if (other != axis) CHECK(w.transform(2).scale[other] == 1);
    CHECK(w.transform(2).scale[axis] == Approx(1.5).margin(0.15));
    w.document.undo_stack()->undo();
  }
  const QPointF middle = handle_place(w.viewport, Kind::free, 0);
  w.drag(middle, middle + QPointF(50, -50));
  const Vec3 scale = w.transform(2).scale;
  CHECK(scale.x() == Approx(2).epsilon(1e-9));
  CHECK(scale.x() == scale.y());
  CHECK(scale.y() == scale.z());
  // Pulled far beyond the centre it stays a thing with a size.
  const QPointF again = handle_place(w.viewport, Kind::axis, 1);
  w.drag(again, again + QPointF(0, 400));
  CHECK(w.transform(2).scale.y() >= kSmallestScale);
  CHECK(w.transform(2).scale.y() < 0.01);
}

TEST_CASE("Degenerate gestures are safe", "[tools]") {
  ViewportWindow w;
  w.selection.select_only(Id{2});
  const auto finite = [&] {
    const Transform& t = w.transform(2);
    return t.position.allFinite() && t.rotation.coeffs().allFinite() && t.scale.allFinite() && t.scale.minCoeff() > 0 &&
           t.position.norm() < 1e4;
  };
  w.key(Qt::Key_1);  // front: z is the line of sight
  const QPointF centre = w.pixel(w.transform(2).position);
  for (int mode : {Qt::Key_G, Qt::Key_R, Qt::Key_S}) {
    for (int axis : {0, static_cast<int>(Qt::Key_X), static_cast<int>(Qt::Key_Y), static_cast<int>(Qt::Key_Z)}) {
      for (auto held : {Qt::KeyboardModifiers(Qt::NoModifier), Qt::KeyboardModifiers(Qt::ShiftModifier)}) {
        w.move(centre);  // exactly on the centre
        w.key(mode);
        if (axis) w.key(axis, held);
        for (QPointF way : {QPointF(0, 0), QPointF(1, 0), QPointF(0, 0), QPointF(-300, 250), QPointF(0, 0)}) {
          w.move(centre + way);
          CHECK(finite());
        }
        w.key(Qt::Key_Escape);
      }
    }
  }
  CHECK(w.document.undo_stack()->count() == 0);
  // Up along the line of sight still moves along it.
  w.move(centre);
  w.keys({Qt::Key_G, Qt::Key_Z});
  const double z = w.transform(2).position.z();
  w.move(centre + QPointF(0, -50));
  CHECK(w.transform(2).position.z() > z);
  w.key(Qt::Key_Escape);
  // The horizon: a plane seen in perspective, the mouse far above it.
  w.key(Qt::Key_5);
  w.move(centre);
  w.key(Qt::Key_G);
  w.key(Qt::Key_Y, Qt::ShiftModifier);
  for (int y = 590; y > 0; y -= 10) {
    w.move(QPointF(380, y));
    CHECK(w.transform(2).position.allFinite());
  }
  w.key(Qt::Key_Escape);
}

TEST_CASE("Scale multiplies; zero and minus are refused with a sentence, and asked for again", "[tools]") {
  ViewportWindow w(with_object(three_balls(), Id{2}, [](Object& o) { o.transform.scale = Vec3(2, 1, 0.5); }));
  w.selection.select_only(Id{2});
  w.keys({Qt::Key_S, Qt::Key_X, Qt::Key_3, Qt::Key_Return});
  CHECK(w.transform(2).scale == Vec3(6, 1, 0.5));
  for (const auto& typed : {std::vector<int>{Qt::Key_0}, {Qt::Key_Minus, Qt::Key_2}}) {
    w.key(Qt::Key_S);
    for (int code : typed) w.key(code);
    w.key(Qt::Key_Return);
    REQUIRE(w.viewport.gesture());
    CHECK(w.viewport.hint() == "The factor must be at least 0.001.");
    CHECK(w.transform(2).scale == Vec3(6, 1, 0.5));
    w.key(Qt::Key_Escape);
    CHECK_FALSE(w.viewport.gesture());
    CHECK(w.transform(2).scale == Vec3(6, 1, 0.5));
    CHECK(w.document.undo_stack()->count() == 1);
  }
  // A factor that begins with a zero is only not complete yet.
  w.keys({Qt::Key_S, Qt::Key_0, Qt::Key_Period, Qt::Key_5, Qt::Key_Return});
  CHECK_FALSE(w.viewport.gesture());
  CHECK(w.transform(2).scale == Vec3(3, 0.5, 0.25));
}

TEST_CASE("A number that is too large moves nothing: the gesture goes on asking, and says why", "[tools]") {
  ViewportWindow w;
  w.selection.select_only(Id{2});
  const Transform before = w.transform(2);
  QStringList said;
  QObject::connect(&w.document, &DocumentController::refused, &w.viewport, [&](const QString& s) { said << s; });
  w.move(QPointF(300, 300));
  w.keys({Qt::Key_G, Qt::Key_X});
  for (int i = 0; i < 11; ++i) w.key(Qt::Key_9);
  CHECK(same_bits(w.transform(2), before));  // not what the number was some digits ago
  w.key(Qt::Key_Return);
  REQUIRE(w.viewport.gesture());
  CHECK(w.viewport.hint() == w.viewport.gesture()->refusal());
  CHECK(w.viewport.hint().endsWith('.'));
  CHECK(same_bits(w.transform(2), before));
  CHECK(w.document.undo_stack()->count() == 0);
  CHECK(w.diagnostics.rowCount() == 0);
  CHECK(said.isEmpty());
  for (int i = 0; i < 10; ++i) w.key(Qt::Key_Backspace);
  w.key(Qt::Key_Return);
  CHECK_FALSE(w.viewport.gesture());
  CHECK(w.transform(2).position == before.position + Vec3(9, 0, 0));
  CHECK(w.document.undo_stack()->count() == 1);
  // A handle that is let go cannot ask: the window tells, and it is true that nothing was changed.
  const Transform there = w.transform(2);
  w.viewport.frame_all();
  const QPointF arrow = handle_place(w.viewport, Kind::axis, 0);
  w.move(arrow);
  w.press(arrow);
  REQUIRE(w.viewport.gesture());
  for (int i = 0; i < 11; ++i) w.key(Qt::Key_9);
  w.release(arrow);
  CHECK_FALSE(w.viewport.gesture());
  CHECK(same_bits(w.transform(2), there));
  REQUIRE(said.size() == 1);
  CHECK(w.diagnostics.rowCount() == 1);
  w.document.undo_stack()->undo();
  CHECK(w.diagnostics.rowCount() == 0);
}

TEST_CASE("G, R and S change the mode in the middle of a gesture; still one step", "[tools]") {
  ViewportWindow w;
  w.selection.select_only(Id{2});
  const Vec3 before = w.transform(2).position;
  w.keys({Qt::Key_G, Qt::Key_X, Qt::Key_4, Qt::Key_S, Qt::Key_2, Qt::Key_Return});
  CHECK(w.transform(2).position == before);
  CHECK(w.transform(2).scale == Vec3(2, 2, 2));
  CHECK(w.document.undo_stack()->count() == 1);
}

TEST_CASE("At a later frame the start pose is shown and edited; the frame number stays", "[tools]") {
  Scene scene = three_balls();
  scene = with_object(scene, Id{2}, [](Object& o) {
    o.body.kind = BodyKind::rigid;
    o.transform.position = Vec3(0, 6, 0);
  });
  ViewportWindow w(scene);
  w.playback.set_frame(12);
  for (int i = 0; i < 300 && !w.playback.shown(); ++i) QTest::qWait(10);
  REQUIRE(w.playback.shown());
  REQUIRE(w.viewport.displayed_frame());
  const ObjectFrame* shown = w.viewport.displayed_frame()->find(Id{2});
  REQUIRE(shown);
  REQUIRE(shown->position.y() < 5.95f);  // it falls
  w.selection.select_only(Id{2});
  w.key(Qt::Key_G);
  CHECK_FALSE(w.viewport.displayed_frame());
  CHECK(w.viewport.hint().contains("frame 0"));
  w.keys({Qt::Key_X, Qt::Key_2, Qt::Key_Return});
  CHECK(w.playback.frame() == 12);
  CHECK(w.transform(2).position == Vec3(2, 6, 0));
}

TEST_CASE("Somebody else's edit ends a transform without another", "[tools]") {
  ViewportWindow w;
  w.selection.select_only(Id{2});
  const Vec3 before = w.transform(2).position;
  w.keys({Qt::Key_G, Qt::Key_X, Qt::Key_3});
  REQUIRE(w.document.edit_object("Rename", Id{1}, [](Object& o) { o.name = "Other"; }).ok());
  CHECK_FALSE(w.viewport.gesture());
  CHECK(w.transform(2).position == before + Vec3(3, 0, 0));
  CHECK(QWidget::mouseGrabber() == nullptr);
}

TEST_CASE("Handles keep their size on the screen and end where nothing can be moved", "[tools]") {
  ViewportWindow w;
  w.selection.select_only(Id{2});
  const auto reach = [&] {
    double longest = 0;
    const QPointF centre = handle_place(w.viewport, Kind::free, 0);
    for (const GizmoHandle& handle : w.viewport.gizmo())
      for (const QPolygonF& area : handle.areas)
        for (QPointF p : area) longest = std::max(longest, std::hypot((p - centre).x(), (p - centre).y()));
    return longest;
  };
  const double near_by = reach();
  CHECK(near_by > 60);
  CHECK(near_by < 110);
  w.viewport.camera().distance = 60;
  CHECK(reach() == Approx(near_by).epsilon(0.025));
  w.selection.clear();
  CHECK(w.viewport.gizmo().empty());
}

TEST_CASE("Every tool of the table is whole", "[tools]") {
  REQUIRE(tools().size() == 5);
  GizmoView view;
  view.size = {800, 600};
  for (const ToolInfo* info : tools()) {
    INFO(info->id);
    CHECK_FALSE(info->title.empty());
    CHECK_FALSE(info->tip.empty());
    CHECK(info->transforms == (info->handles != nullptr));
    if (!info->handles) continue;
    // From every side: finite points, and every handle that can be picked is picked at its own grab point.
    for (int yaw = 0; yaw < 12; ++yaw) {
      for (int pitch = -3; pitch <= 3; ++pitch) {
        view.camera.yaw = static_cast<float>(yaw) * 0.5236f;
        view.camera.pitch = static_cast<float>(pitch) * 0.5236f;
        const std::vector<GizmoHandle> handles = info->handles(view);
        CHECK_FALSE(handles.empty());
        for (const GizmoHandle& handle : handles) {
          for (const auto* group : {&handle.lines, &handle.faint, &handle.areas})
            for (const QPolygonF& line : *group)
              for (QPointF p : line) REQUIRE((std::isfinite(p.x()) && std::isfinite(p.y())));
          if (handle.strength >= 0.25) CHECK(handle_at(handles, grab_point(handle)) >= 0);
        }
      }
    }
  }
}

TEST_CASE("Nearest point of an axis to a ray", "[tools][math]") {
  Ray ray{{0, 1, 5}, {0, 0, -1}};
  CHECK(nearest_on_axis(ray, Vec3(0, 0, 0), Vec3::UnitY()).value() == Approx(1));
  CHECK_FALSE(nearest_on_axis(ray, Vec3(0, 0, 0), Vec3::UnitZ()));  // parallel
  CHECK_FALSE(nearest_on_axis(ray, Vec3(0, 0, 9), Vec3::UnitY()));  // behind
  ray = {{3, 2, 5}, glm::normalize(glm::vec3(-1, 0.2f, -2))};
  const Vec3 origin(0.3, -0.1, 0.2), axis = Vec3(1, 2, -0.5).normalized();
  const double t = nearest_on_axis(ray, origin, axis).value();
  const auto gap = [&](double at) {
    const Vec3 w = origin + at * axis - to_double(ray.origin), d = to_double(ray.direction);
    return (w - d * w.dot(d)).norm();
  };
  CHECK(gap(t) < gap(t + 1e-3));
  CHECK(gap(t) < gap(t - 1e-3));
}

TEST_CASE("Scaling a turned object keeps the lengths along its own axes", "[tools][math]") {
  Transform t;
  t.rotation = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitZ()));  // own x along world y
  t.scale = Vec3(1, 2, 3);
  const Transform s = scaled(t, Vec3::Zero(), Mat3::Identity(), Vec3(5, 7, 1));
  CHECK((s.scale - Vec3(7, 10, 3)).norm() < 1e-9);
  const Transform half = scaled(t, Vec3(1, 0, 0), Mat3::Identity(), Vec3::Constant(0.5));
  CHECK((half.position - Vec3(0.5, 0, 0)).norm() < 1e-15);
  CHECK(half.scale == Vec3(0.5, 1, 1.5));
}

TEST_CASE("Typed numbers", "[tools][math]") {
  NumberEntry entry;
  CHECK(entry.empty());
  CHECK_FALSE(entry.value());
  CHECK(entry.key(Qt::Key_Minus));
  CHECK_FALSE(entry.empty());
  CHECK_FALSE(entry.value());  // only a sign so far
  for (int key : {Qt::Key_1, Qt::Key_Period, Qt::Key_Period, Qt::Key_2, Qt::Key_5}) CHECK(entry.key(key));
  CHECK(entry.value() == -1.25);
  entry.key(Qt::Key_Minus);
  CHECK(entry.value() == 1.25);
  for (int i = 0; i < 4; ++i) entry.key(Qt::Key_Backspace);
  CHECK(entry.empty());
  CHECK_FALSE(entry.key(Qt::Key_X));
  for (int i = 0; i < 400; ++i) entry.key(Qt::Key_9);
  CHECK(std::isfinite(entry.value().value()));
}

TEST_CASE("Snapped decimals are the decimals", "[tools][math]") {
  CHECK(snapped(0.32, 0.1) == 0.3);
  CHECK(snapped(-1.27, 0.1) == -1.3);
  CHECK(snapped(7.4, 5) == 5);
  CHECK(wrapped_angle(3 * kPi) == Approx(kPi));
  CHECK(wrapped_angle(-kPi / 2) == Approx(-kPi / 2));
}

}  // namespace tools_test
