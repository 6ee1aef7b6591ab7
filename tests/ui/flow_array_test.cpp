// Drop to Floor and Array in the real window.
#include <QCheckBox>
#include <QPushButton>
#include <QToolButton>

#include "tests/ui/flow_support.h"
#include "ui/editors/array_dialog.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/segments.h"

namespace flow_array_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Scene heap_scene() {
  Scene scene = ball_scene();
  Object crate = make_object(next_id(scene).value, "Crate", {PrimitiveShape::box, Vec3(0.6, 0.4, 0.6)}, Vec3(0, 2, 0));
  scene.objects.push_back(Shared<Object>(crate));
  Object sunk = make_object(next_id(scene).value, "Sunk", {PrimitiveShape::box, Vec3(0.5, 0.5, 0.5)}, Vec3(2, 0.1, 0));
  sunk.body.velocity = Vec3(1, 0, 0);
  scene.objects.push_back(Shared<Object>(sunk));
  return scene;
}

ArrayDialog* dialog_of(Flow& f) {
  f.menu("Object", "object.array");
  auto* dialog = f.window.findChild<ArrayDialog*>();
  REQUIRE(dialog);
  REQUIRE(wait_for([&] { return dialog->isVisible(); }, 2000));
  return dialog;
}

bool gone(Flow& f) {
  return wait_for([&] { return !f.window.findChild<ArrayDialog*>(); }, 2000);
}

}  // namespace

TEST_CASE("Flow: End drops what is selected onto what is under it, as one undo step", "[ui][flow][drop]") {
  Flow f;
  f.Window::open(heap_scene());
  f.view().setFocus();
  const std::string start = scene_to_text(f.scene());
  CHECK(f.action("object.drop")->statusTip() == "Select an object first.");
  f.selection().set({id_of(f.scene(), "Ball"), id_of(f.scene(), "Crate"), id_of(f.scene(), "Sunk")});
  f.shot("drop-before");
  f.key(Qt::Key_End);
  REQUIRE(wait_for([&] { return f.document().undo_stack()->count() == 1; }, 10000));
  CHECK(f.document().undo_stack()->text(0) == "Drop 3 objects to Floor");
  CHECK(std::abs(f.object("Ball").transform.position.y() - 0.2) < 1e-4);
  CHECK(std::abs(f.object("Crate").transform.position.y() - 0.6) < 1e-4);  // on the ball
  CHECK(std::abs(f.object("Sunk").transform.position.y() - 0.25) < 1e-4);
  CHECK(f.object("Crate").transform.position.x() == 0);
  f.shot("drop");
  // What lies stays, without a step; the floor itself does too, and that is said.
  f.selection().select_only(id_of(f.scene(), "Ball"));
  f.key(Qt::Key_End);
  REQUIRE(wait_for([&] { return !f.session.drop_job.busy(); }, 10000));
  CHECK(f.document().undo_stack()->count() == 1);
  f.selection().select_only(id_of(f.scene(), "Floor"));
  f.key(Qt::Key_End);
  REQUIRE(wait_for([&] { return !f.window.messages()->text().isEmpty(); }, 10000));
  CHECK(f.window.messages()->text().startsWith("Floor cannot be dropped"));
  (void)back_and_forth(f, start);
}

TEST_CASE("Flow: over nothing, an object stays and is named", "[ui][flow][drop]") {
  Flow f;
  Scene scene = heap_scene();
  f.Window::open(without(scene, id_of(scene, "Floor")));
  f.view().setFocus();
  f.selection().select_only(id_of(f.scene(), "Sunk"));
  f.key(Qt::Key_End);
  REQUIRE(wait_for([&] { return !f.window.messages()->text().isEmpty(); }, 10000));
  CHECK(f.window.messages()->text() == "Nothing is under Sunk, so it was not dropped.");
  CHECK(f.document().undo_stack()->count() == 0);
}

TEST_CASE("Flow: an array in a row is seen while its numbers change, and is one undo step", "[ui][flow][array]") {
  Flow f;
  f.window.resize(1600, 1000);
  f.Window::open(heap_scene());
  f.view().setFocus();
  const std::string start = scene_to_text(f.scene());
  CHECK_FALSE(f.action("object.array")->isEnabled());
  f.selection().select_only(id_of(f.scene(), "Crate"));
  ArrayDialog* dialog = dialog_of(f);
  CHECK(f.scene().objects.size() == 6);  // two copies are seen at once, and marked
  CHECK(f.selection().ids().size() == 3);
  type_number(dialog->findChild<NumberField*>("array_count"), "5");
  CHECK(f.scene().objects.size() == 8);
  type_number(dialog->findChild<VectorField*>("array_offset")->field(0), "0");
  type_number(dialog->findChild<VectorField*>("array_offset")->field(1), "0.5");
  CHECK(f.object("Crate 5").transform.position == Vec3(0, 4, 0));
  CHECK(dialog->findChild<QLabel*>("array_said")->text() == "4 copies.");
  type_number(dialog->findChild<NumberField*>("array_count"), "1");
  CHECK_FALSE(dialog->findChild<QPushButton*>("array_make")->isEnabled());
  type_number(dialog->findChild<NumberField*>("array_count"), "4");
  f.shot("array-row");
  QTest::mouseClick(dialog->findChild<QPushButton*>("array_make"), Qt::LeftButton);
  REQUIRE(gone(f));
  CHECK(f.document().undo_stack()->count() == 1);
  CHECK(f.document().undo_stack()->text(0) == "Array Crate");
  CHECK(f.scene().objects.size() == 7);
  CHECK(f.selection().ids().size() == 4);
  CHECK(f.selection().active() == id_of(f.scene(), "Crate"));
  f.window.activateWindow();
  QApplication::setActiveWindow(&f.window);
  (void)back_and_forth(f, start);
}

TEST_CASE("Flow: an array around a centre turns its copies and what they do; cancelled it leaves nothing",
          "[ui][flow][array]") {
  Flow f;
  f.window.resize(1280, 720);
  f.Window::open(heap_scene());
  f.view().setFocus();
  const std::string start = scene_to_text(f.scene());
  f.selection().select_only(id_of(f.scene(), "Sunk"));
  ArrayDialog* dialog = dialog_of(f);
  auto* kind = dialog->findChild<Segments*>("array_kind");
  const int lower = dialog->geometry().bottom();
  QTest::mouseClick(kind->button(1), Qt::LeftButton);
  QTest::qWait(20);
  CHECK(std::abs(dialog->geometry().bottom() - lower) <= 2);  // it grows upwards, off the time line
  type_number(dialog->findChild<NumberField*>("array_count"), "4");
  const auto close = [](const Vec3& a, const Vec3& b) { return (a - b).norm() < 1e-12; };
  CHECK(close(f.object("Sunk 2").transform.position, Vec3(0, 0.1, -2)));
  CHECK(close(f.object("Sunk 3").transform.position, Vec3(-2, 0.1, 0)));
  CHECK(close(f.object("Sunk 3").body.velocity, Vec3(-1, 0, 0)));
  CHECK(close(f.object("Sunk 3").transform.rotation * Vec3::UnitX(), -Vec3::UnitX()));
  type_number(dialog->findChild<NumberField*>("array_angle"), "180");  // the last is opposite
  CHECK(close(f.object("Sunk 4").transform.position, Vec3(-2, 0.1, 0)));
  QTest::mouseClick(dialog->findChild<QCheckBox*>("array_turned"), Qt::LeftButton, {}, QPoint(8, 8));
  CHECK(close(f.object("Sunk 4").body.velocity, Vec3(1, 0, 0)));
  type_number(dialog->findChild<VectorField*>("array_centre")->field(0), "1");
  CHECK(close(f.object("Sunk 4").transform.position, Vec3(0, 0.1, 0)));
  QTest::mouseClick(dialog->findChild<QCheckBox*>("array_turned"), Qt::LeftButton, {}, QPoint(8, 8));
  f.shot("array-circle");
  QTest::keyClick(dialog, Qt::Key_Escape);
  REQUIRE(gone(f));
  CHECK(scene_to_text(f.scene()) == start);
  CHECK(f.document().undo_stack()->count() == 0);
  CHECK(f.selection().ids() == std::set<Id>{id_of(f.scene(), "Sunk")});
}

}  // namespace flow_array_test
