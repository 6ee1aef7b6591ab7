// Curves as a person has them: drawn by mouse, their points and tangents moved, ridden on by a body and by a camera, in the
// real window.
#include <QComboBox>
#include <QTreeView>

#include "core/scene/derived/following.h"
#include "core/scene/derived/tracks.h"
#include "tests/ui/flow_support.h"
#include "ui/model/keying.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/modes/curve_tools.h"
#include "ui/modes/element_selection.h"
#include "ui/panels/properties_panel.h"

namespace flow_curve_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct CurveFlow : Flow {
  UiContext& context() { return window.context(); }
  const Curve& curve() { return *scene().curves.back(); }
  Vec3 point(std::size_t i) { return curve().transform * curve().points.at(i).place; }
  std::string undo_text() { return document().undo_stack()->undoText().toStdString(); }
  int steps() { return document().undo_stack()->index(); }

  /// A floor, a box beside the way, one camera.
  void stage() {
    Scene scene = make_new_scene();
    Object box = make_object(next_id(scene).value, "Cart", {PrimitiveShape::box, Vec3(0.5, 0.3, 0.7), {1, 1, 1}},
                             Vec3(0, 0.15, 3));
    scene.objects.push_back(box);
    scene.settings.last_frame = 60;
    Flow::Window::open(scene);
    ViewCamera camera;
    camera.target = {0, 0.4f, 0.3f};
    camera.distance = 10;
    camera.yaw = 0.15f;
    camera.pitch = 0.6f;
    view().camera() = camera;
    view().setFocus();
    QTest::qWait(5);
  }
  void draw(const char* command, std::initializer_list<Vec3> places) {
    submenu("Add", command);
    REQUIRE(context().elements.in("curve"));
    REQUIRE(view().mode_tool() == "curve.draw");
    view().setFocus();
    for (const Vec3& place : places) click(pixel(place));
  }
  Vec3 place_in_frame(Id object, int frame) {
    REQUIRE(complete(playback()));
    const FramePtr seen = playback().cache().frame(frame);
    REQUIRE(seen);
    for (const ObjectFrame& one : seen->objects)
      if (one.id == object) return one.position.cast<double>();
    return Vec3::Constant(1e9);
  }
};

}  // namespace

TEST_CASE("Flow: a spline is drawn by mouse, a cart is put on it, a point is moved, all of it undone",
          "[ui][flow][curves]") {
  CurveFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  f.draw("add.draw_spline", {Vec3(-2, 0, 1), Vec3(-1, 0, -1)});
  CHECK(f.undo_text() == "Add Point to Spline");
  REQUIRE(f.curve().points.size() == 2);
  CHECK((f.point(0) - Vec3(-2, 0, 1)).norm() < 1e-3);
  CHECK((f.point(1) - Vec3(-1, 0, -1)).norm() < 1e-3);
  CHECK(f.curve().points[1].tangents == TangentKind::automatic);
  // A drag pulls the tangents of the point that it makes.
  f.drag(&f.view(), f.pixel(Vec3(1, 0, -1)), f.pixel(Vec3(1.8, 0, -0.6)));
  REQUIRE(f.curve().points.size() == 3);
  CHECK(f.curve().points[2].tangents == TangentKind::aligned);
  CHECK((f.curve().points[2].out - Vec3(0.8, 0, 0.4)).norm() < 1e-3);
  CHECK((f.curve().points[2].in + Vec3(0.8, 0, 0.4)).norm() < 1e-3);
  f.click(f.pixel(Vec3(2, 0, 1)));
  REQUIRE(f.curve().points.size() == 4);
  CHECK(f.steps() == 5);  // the curve, and four points
  f.move_to(f.pixel(Vec3(1, 0, 2)));
  f.shot("curve_draw");
  f.key(Qt::Key_Escape);
  CHECK(f.view().mode_tool().isEmpty());

  // A point is dragged, a tangent too; the other side of an aligned one stays opposite.
  f.click(f.pixel(f.point(1)));
  CHECK(f.context().elements.elements() == Elements{{curve_element::point, 1}});
  f.shot("curve_mode");
  const Vec3 before = f.point(1);
  f.key(Qt::Key_G);
  for (const Qt::Key key : {Qt::Key_Y, Qt::Key_1, Qt::Key_Return}) f.key(key);
  CHECK((f.point(1) - before - Vec3(0, 1, 0)).norm() < 1e-9);
  CHECK(f.undo_text() == "Move Point 2 in Spline");
  f.click(f.pixel(f.point(2)));
  const QPointF handle = f.pixel(f.point(2) + f.curve().points[2].out);
  f.drag(&f.view(), handle, handle + QPointF(30, -40));
  CHECK(f.undo_text() == "Move Tangent in Spline");
  const CurvePoint& aligned = f.curve().points[2];
  CHECK((f.pixel(f.point(2) + aligned.out) - handle - QPointF(30, -40)).manhattanLength() < 3);
  CHECK(aligned.in.norm() == Approx(std::sqrt(0.8)).epsilon(1e-3));
  CHECK(aligned.in.normalized().dot(aligned.out.normalized()) == Approx(-1));
  f.key(Qt::Key_Tab);
  REQUIRE_FALSE(f.context().elements.mode());
  // The whole is lifted, so that the cart stands on the floor.
  f.key(Qt::Key_G);
  for (const Qt::Key key : {Qt::Key_Y, Qt::Key_Period, Qt::Key_1, Qt::Key_5, Qt::Key_Return}) f.key(key);
  CHECK(f.curve().transform.position.y() == 0.15);
  CHECK(f.undo_text() == "Move Spline");

  // Cart and curve are clicked, the command lets the one ride on the other.
  const Id cart = id_of(f.scene(), "Cart");
  f.click(f.pixel(Vec3(0, 0.3, 3)));
  REQUIRE(f.context().selection.active() == cart);
  f.click(f.pixel(way_of(f.scene().curves.back())->place(0.8)), Qt::ShiftModifier);
  REQUIRE(f.context().selection.ids() == std::set<Id>{cart, f.curve().id});
  f.menu("Object", "object.follow");
  CHECK(f.undo_text() == "Cart Follows Spline");
  const Track* along = find_track(f.scene(), cart.value, kAlong);
  REQUIRE(along);
  CHECK(along->keys.size() == 2);
  CHECK(along->keys[1].time == Approx(1));  // frame 60 of 60 a second
  CHECK((f.object("Cart").transform.position - f.point(0)).norm() < 1e-6);
  for (const int frame : {0, 15, 30, 60})
    CHECK((f.place_in_frame(cart, frame) - way_of(f.scene().curves.back())->place(frame / 60.0)).norm() < 1e-5);
  f.playback().set_frame(30);
  f.shot("curve_ride");

  // Inside it is edited at the frame that is shown: what rides is seen where it is there.
  f.click(f.pixel(way_of(f.scene().curves.back())->place(0.8)));
  f.key(Qt::Key_Tab);
  REQUIRE(f.context().elements.in("curve"));
  f.drag(&f.view(), f.pixel(f.point(3)), f.pixel(Vec3(2, 0, 2.5)));
  CHECK(f.playback().frame() == 30);
  CHECK((f.pixel(f.point(3)) - f.pixel(Vec3(2, 0, 2.5))).manhattanLength() < 3);
  CHECK((f.place_in_frame(cart, 60) - f.point(3)).norm() < 1e-5);
  f.shot("curve_inside");
  f.key(Qt::Key_Tab);
  back_and_forth(f, start);
}

TEST_CASE("Flow: Space Evenly by the menu of the right button puts points at equal distances", "[ui][flow][curves]") {
  CurveFlow f;
  f.stage();
  f.draw("add.draw_spline", {Vec3(-2, 0, 1), Vec3(-1.6, 0, 0.8), Vec3(0, 0, -1), Vec3(2, 0, 1)});
  f.key(Qt::Key_Escape);
  REQUIRE(f.curve().points.size() == 4);
  const double length = way_of(f.scene().curves.back())->length();
  const int steps = f.steps();
  f.view().setFocus();
  const QPointF at = f.pixel(Vec3(2, 0, -2));
  QTest::mouseClick(&f.view(), Qt::RightButton, {}, at.toPoint());
  QTest::qWait(30);
  QMenu* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  REQUIRE(menu);
  QAction* wanted = nullptr;
  for (QAction* entry : menu->actions())
    if (entry->text().remove('&') == "Space Evenly") wanted = entry;
  REQUIRE(wanted);
  REQUIRE(wanted->isEnabled());
  f.click_in(menu, menu->actionGeometry(wanted).center());
  QTest::qWait(20);
  CHECK(f.steps() == steps + 1);
  REQUIRE(f.curve().points.size() == 4);
  const auto way = way_of(f.scene().curves.back());
  CHECK(way->length() == Approx(length).epsilon(0.1));  // corners are cut
  for (std::size_t i = 1; i < 4; ++i) {
    const double along = way->nearest(f.point(i));
    CHECK(along == Approx(static_cast<double>(i) / 3).margin(0.05));
  }
  f.shot("curve_evenly");
}

TEST_CASE("Flow: an arc by three clicks becomes a circle, a line is closed at its first point, points are boxed",
          "[ui][flow][curves]") {
  CurveFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  f.draw("add.draw_arc", {Vec3(2, 0, 0), Vec3(0, 0, -2), Vec3(-2, 0, 0)});
  REQUIRE(f.curve().kind == CurveKind::arc);
  REQUIRE(f.curve().points.size() == 3);
  CHECK(way_of(f.scene().curves.back())->length() == Approx(2 * kPi).epsilon(1e-3));
  f.key(Qt::Key_Escape);
  f.key(Qt::Key_C);
  CHECK(f.undo_text() == "Close Arc");
  CHECK(way_of(f.scene().curves.back())->length() == Approx(4 * kPi).epsilon(1e-3));
  const Vec3 quarter = way_of(f.scene().curves.back())->place(0.25);
  f.key(Qt::Key_R, Qt::AltModifier);
  CHECK(f.undo_text() == "Reverse Arc");
  CHECK((way_of(f.scene().curves.back())->place(0.25) - quarter).norm() < 1e-6);  // half way round both ways
  CHECK((f.point(0) - Vec3(-2, 0, 0)).norm() < 1e-3);
  f.shot("curve_circle");
  f.key(Qt::Key_Tab);

  f.draw("add.draw_line", {Vec3(-2.5, 0, 2.5), Vec3(-1, 0, 2.5), Vec3(-1, 0, 1.2)});
  REQUIRE(f.curve().points.size() == 3);
  f.click(f.pixel(f.point(0)));
  CHECK(f.curve().closed);
  CHECK(f.undo_text() == "Close Line");
  f.key(Qt::Key_Escape);
  // A box round the first two, a point between them, and away with it.
  f.drag(&f.view(), f.pixel(Vec3(-2.8, 0, 2.8)), f.pixel(Vec3(-0.7, 0, 2.2)));
  REQUIRE(f.context().elements.elements() == Elements{{curve_element::point, 0}, {curve_element::point, 1}});
  f.key(Qt::Key_D);
  REQUIRE(f.curve().points.size() == 4);
  CHECK((f.point(1) - 0.5 * (f.point(0) + f.point(2))).norm() < 1e-9);
  f.click(f.pixel(f.point(1)));
  f.key(Qt::Key_X);
  CHECK(f.undo_text() == "Delete Point 2 in Line");
  CHECK(f.curve().points.size() == 3);
  // Two points are a gesture of their own: turned about their middle.
  f.drag(&f.view(), f.pixel(Vec3(-2.8, 0, 2.8)), f.pixel(Vec3(-0.7, 0, 2.2)));
  const Vec3 a = f.point(0), b = f.point(1);
  f.key(Qt::Key_R);
  for (const Qt::Key key : {Qt::Key_Y, Qt::Key_1, Qt::Key_8, Qt::Key_0, Qt::Key_Return}) f.key(key);
  CHECK((f.point(0) - b).norm() < 1e-6);
  CHECK((f.point(1) - a).norm() < 1e-6);
  // The last point stays: a curve of none is refused, with a sentence.
  const int steps = f.steps();
  f.key(Qt::Key_A);
  f.key(Qt::Key_X);
  CHECK(f.curve().points.size() == 3);
  CHECK(f.steps() == steps);
  f.key(Qt::Key_Tab);
  back_and_forth(f, start);
}

TEST_CASE("Flow: a curve is clicked, moved, turned, copied, hidden and deleted like everything else",
          "[ui][flow][curves]") {
  CurveFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  f.submenu("Add", "add.curve_circle");
  const Id id = f.curve().id;
  CHECK(f.curve().name == "Circle");
  f.view().setFocus();
  f.click(QPointF(100, 600));
  REQUIRE(f.context().selection.empty());
  f.click(f.pixel(way_of(f.scene().curves.back())->place(0.6)));
  REQUIRE(f.context().selection.active() == id);
  f.shot("curve_object");
  f.key(Qt::Key_G);
  for (const Qt::Key key : {Qt::Key_Y, Qt::Key_1, Qt::Key_Return}) f.key(key);
  CHECK(f.curve().transform.position.y() == Approx(1.5));
  CHECK(f.undo_text() == "Move Circle");
  f.key(Qt::Key_S);
  for (const Qt::Key key : {Qt::Key_2, Qt::Key_Return}) f.key(key);
  CHECK(way_of(f.scene().curves.back())->length() == Approx(8 * kPi));
  f.key(Qt::Key_D, Qt::ShiftModifier);
  for (const Qt::Key key : {Qt::Key_X, Qt::Key_1, Qt::Key_Return}) f.key(key);
  REQUIRE(f.scene().curves.size() == 2);
  CHECK(f.curve().transform.position.y() == Approx(1.5));
  CHECK(f.curve().transform.position.x() > 0.9);
  f.key(Qt::Key_C, Qt::ControlModifier);
  f.key(Qt::Key_V, Qt::ControlModifier);
  CHECK(f.scene().curves.size() == 3);
  f.key(Qt::Key_X);
  CHECK(f.scene().curves.size() == 2);
  f.context().selection.select_only(id);
  f.key(Qt::Key_H);
  CHECK_FALSE(find_curve(f.scene(), id)->visible);
  f.key(Qt::Key_H, Qt::AltModifier);
  CHECK(find_curve(f.scene(), id)->visible);
  back_and_forth(f, start);
}

TEST_CASE("Flow: what falls from its curve is baked off it, what rides is given back to physics",
          "[ui][flow][curves]") {
  CurveFlow f;
  f.stage();
  f.submenu("Add", "add.curve_circle");
  const Id cart = id_of(f.scene(), "Cart");
  const auto put = [&] {
    Scene next = f.scene();
    const std::uint64_t curve = f.curve().id.value;
    next = with_object(std::move(next), cart, [&](Object& o) { o.follow.curve = curve; });
    REQUIRE(f.document().edit("On the circle", std::move(next)).ok());
    f.context().selection.select_only(cart);
  };
  put();
  const Vec3 start = f.object("Cart").transform.position;
  CHECK((start - way_of(f.scene().curves.back())->place(0)).norm() < 1e-9);
  const Vec3 fallen = f.place_in_frame(cart, 60);
  CHECK(fallen.y() < start.y() - 0.3);
  f.menu("Keys", "key.bake");
  CHECK(f.object("Cart").follow.curve == 0);
  REQUIRE(find_track(f.scene(), cart.value, "transform.position"));
  CHECK((f.object("Cart").transform.position - start).norm() < 1e-6);
  CHECK((f.place_in_frame(cart, 60) - fallen).norm() < 0.01);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.object("Cart").follow.curve == f.curve().id.value);

  f.context().selection.set({cart, f.curve().id}, cart);
  f.menu("Object", "object.follow");
  f.context().selection.select_only(cart);
  REQUIRE(is_led(f.scene(), cart));
  f.menu("Keys", "key.give_back");
  CHECK_FALSE(is_led(f.scene(), cart));
  CHECK((f.place_in_frame(cart, 60) - fallen).norm() < 1e-6);
}

TEST_CASE("Flow: a camera rides on a curve, looks along it, then at the cart", "[ui][flow][curves]") {
  CurveFlow f;
  f.stage();
  f.submenu("Add", "add.curve_arc");
  const Id camera = f.scene().cameras[0]->id;
  f.context().selection.set({camera, f.curve().id}, f.curve().id);
  f.menu("Object", "object.follow");
  REQUIRE(f.scene().cameras[0]->follow.curve == f.curve().id.value);
  f.context().selection.select_only(camera);
  f.tab("properties");
  FieldForm* form = f.window.findChild<PropertiesPanel*>()->form("cameras");
  REQUIRE(wait_for([&] { return form->isVisible(); }, 1000));
  f.shot("curve_camera");
  QComboBox* looks = static_cast<ThingField*>(form->widget("looks_at"))->box();
  f.sight(looks)->setFocus();
  QTest::keyClick(looks, Qt::Key_End);
  QTest::keyClick(looks, Qt::Key_Return);
  CHECK(f.scene().cameras[0]->looks_at == id_of(f.scene(), "Cart").value);
  for (const int frame : {0, 20, 60}) {
    f.playback().set_frame(frame);
    const Vec3 place = way_of(f.scene().curves.back())->place(frame / 60.0);
    CHECK((f.context().keying.shown().cameras[0]->position - place).norm() < 1e-9);
  }
  // Taken off it stays where it starts.
  const Vec3 place = f.scene().cameras[0]->position;
  f.menu("Object", "object.leave_curve");
  CHECK(f.scene().cameras[0]->follow.curve == 0);
  CHECK(f.scene().cameras[0]->position == place);
}

TEST_CASE("Flow: X, Y and Z hold a point of a curve that is dragged to an axis", "[ui][flow][curves]") {
  CurveFlow f;
  f.stage();
  f.draw("add.draw_spline", {Vec3(-2, 0, 1), Vec3(-1, 0, -1), Vec3(1, 0, -1)});
  f.key(Qt::Key_Escape);
  f.click(f.pixel(f.point(1)));
  const Vec3 before = f.point(1);
  const QPointF from = f.pixel(before), down = from + QPointF(30, 60);
  f.mouse(&f.view(), QEvent::MouseMove, from, Qt::NoButton, Qt::NoButton);
  f.mouse(&f.view(), QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
  for (int i = 1; i <= 4; ++i)
    f.mouse(&f.view(), QEvent::MouseMove, from + (down - from) * i / 4.0, Qt::NoButton, Qt::LeftButton);
  REQUIRE(f.view().gesture());
  CHECK(f.view().hint().contains("X Y Z axis"));
  CHECK(f.point(1).y() < 0);  // in the plane of the view
  f.key(Qt::Key_X);
  CHECK(f.point(1).y() == 0);
  CHECK(f.point(1).z() == before.z());
  CHECK(f.point(1).x() != before.x());
  f.key(Qt::Key_Z);
  CHECK(f.point(1).x() == before.x());
  CHECK(f.point(1).y() == 0);
  CHECK(f.point(1).z() > before.z());
  f.mouse(&f.view(), QEvent::MouseButtonRelease, down, Qt::LeftButton, Qt::NoButton);
  CHECK(f.undo_text() == "Move Point 2 in Spline");
  CHECK(f.point(1).y() == 0);
}

}  // namespace flow_curve_test
