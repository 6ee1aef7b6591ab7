// Keys on the real window: what they do does not depend on where the focus was left, or on what still moves.
#include <catch2/catch.hpp>

#include <QCursor>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include "core/scene/values/materials.h"
#include "tests/ui/flow_support.h"
#include "ui/editors/export_dialog.h"
#include "ui/model/commands.h"
#include "ui/modes/element_selection.h"

namespace hazumi::keys_test {

using namespace hazumi::test;

namespace {

/// The mouse rests in the middle of the view, for the window system too.
void rest_in_view(Flow& f) {
  const QPoint middle = f.view().rect().center();
  QCursor::setPos(f.view().mapToGlobal(middle));
  QTest::mouseMove(&f.view(), middle);
  QTest::qWait(30);
}

}  // namespace

TEST_CASE("Tab over the view switches modes wherever the focus was left", "[ui][keys]") {
  Flow f;
  f.submenu("Add", "add.metaball_ball");
  const auto inside = [&] { return f.window.context().elements.mode() != nullptr; };
  const bool before = inside();
  rest_in_view(f);
  f.view().setFocus();
  f.key(Qt::Key_Tab);
  REQUIRE(inside() != before);
  if (inside()) f.key(Qt::Key_Tab);
  REQUIRE_FALSE(inside());
  NumberField* field = nullptr;
  for (NumberField* each : f.analysis().findChildren<NumberField*>())
    if (!field && each->isVisible()) field = each;
  REQUIRE(field);
  QTest::mouseClick(field, Qt::LeftButton);  // typed into
  rest_in_view(f);
  REQUIRE(QApplication::focusWidget() != &f.view());
  f.key(Qt::Key_Tab);
  CHECK(inside());
  CHECK(f.view().hasFocus());
}

TEST_CASE("Shift+D grabs the copies of objects too, one step back takes them away", "[ui][keys]") {
  Flow f;
  add_primitive(f.document(), f.selection(), PrimitiveShape::box);
  const Scene before = f.scene();
  const std::size_t count = before.objects.size();
  f.view().setFocus();
  rest_in_view(f);
  f.key(Qt::Key_D, Qt::ShiftModifier);
  REQUIRE(f.scene().objects.size() == count + 1);
  REQUIRE(f.view().gesture() != nullptr);
  const Vec3 beside = f.last().transform.position;
  QTest::mouseMove(&f.view(), f.view().rect().center() + QPoint(80, 0));
  QTest::qWait(30);
  f.key(Qt::Key_Return);
  CHECK(f.view().gesture() == nullptr);
  CHECK((f.last().transform.position - beside).norm() > 0.1);
  CHECK(f.last().transform.position != before.objects.back()->transform.position);
  f.document().undo_stack()->undo();
  CHECK(f.scene().objects.size() == count);
}

TEST_CASE("A view key followed at once by Home ends in that view", "[ui][keys]") {
  Flow f;
  add_primitive(f.document(), f.selection(), PrimitiveShape::box);
  f.view().set_animation_time(200);
  rest_in_view(f);
  f.view().setFocus();
  f.key(Qt::Key_7);
  QTest::qWait(40);
  f.key(Qt::Key_Home);
  QTest::qWait(400);
  CHECK(f.view().camera().pitch == Approx(kPi / 2).margin(1e-4));
  CHECK(f.view().camera().yaw == Approx(0).margin(1e-4));
  f.key(Qt::Key_Home);
  QTest::qWait(30);
  f.key(Qt::Key_1);
  QTest::qWait(400);
  CHECK(f.view().camera().pitch == Approx(0).margin(1e-4));
}

TEST_CASE("Enter on a number of a dialog does what the main button says", "[ui][keys]") {
  Flow f;
  f.open(shipped("soft_and_hard_ball.json"));
  f.menu("File", "file.export_images");
  auto* dialog = f->findChild<ExportDialog*>();
  REQUIRE(dialog);
  REQUIRE(wait_for([&] { return dialog->isVisible(); }, 3000));
  QPushButton* main = nullptr;
  for (QPushButton* button : dialog->findChildren<QPushButton*>())
    if (button->isDefault()) main = button;
  REQUIRE(main);
  QSignalSpy pressed(main, &QPushButton::clicked);
  main->disconnect(dialog);  // what it does is tested elsewhere
  NumberField* field = nullptr;
  for (NumberField* each : dialog->findChildren<NumberField*>())
    if (!field && each->isVisible()) field = each;
  REQUIRE(field);
  type_number(field, "3");  // the first Enter takes what was typed
  CHECK(pressed.count() == 0);
  field->setFocus();
  QTest::keyClick(field, Qt::Key_Return);
  CHECK(pressed.count() == (main->isEnabled() ? 1 : 0));
  CHECK(main->isEnabled());
  dialog->close();
}

TEST_CASE("X spares what is locked and says so", "[ui][keys]") {
  Flow f;
  add_primitive(f.document(), f.selection(), PrimitiveShape::box);
  const Id box = f.last().id, floor = id_of(f.scene(), "Floor");
  REQUIRE(find_object(f.scene(), floor)->locked);
  QSignalSpy told(&f.document(), &DocumentController::refused);
  f.selection().set({box, floor}, box);
  f.view().setFocus();
  f.key(Qt::Key_X);
  CHECK(find_object(f.scene(), box) == nullptr);
  CHECK(find_object(f.scene(), floor) != nullptr);
  CHECK(f.selection().ids() == std::set<Id>{floor});
  REQUIRE(told.count() == 1);
  CHECK(told[0][0].toString().contains("Floor"));
  const int steps = f.document().undo_stack()->index();
  f.key(Qt::Key_X);  // nothing but what is locked
  CHECK(find_object(f.scene(), floor) != nullptr);
  CHECK(f.document().undo_stack()->index() == steps);
  CHECK(told.count() == 2);
}

TEST_CASE("New bodies weigh what their material does; the shell is a field that is taken back", "[ui][keys]") {
  Flow f;
  const Id id = add_primitive(f.document(), f.selection(), PrimitiveShape::sphere);
  const auto weigh = [&] {
    const Object& o = *find_object(f.scene(), id);
    return object_mass(o, *f.document().meshes().mesh(o));
  };
  CHECK(find_object(f.scene(), id)->body.stiffness_source == StiffnessSource::material);
  const double plastic = weigh();
  CHECK(plastic > 100);
  REQUIRE(
      f.document()
          .edit_object("Brass", id, [](Object& o) { o.material = apply_preset(o.material, *find_material("brass")); })
          .ok());
  CHECK(weigh() > 5 * plastic);
  AnalysisPanel& panel = f.analysis();
  auto* shell = panel.findChild<FieldWidget*>("body.shell");
  REQUIRE(shell);
  CHECK(shell->isVisible());
  auto* note = panel.findChild<QLabel*>("mass_note");
  REQUIRE(note);
  CHECK_FALSE(note->isVisible());
  const double solid = weigh();
  type_number(number_of(f.sight(shell)), "0.01");
  CHECK(find_object(f.scene(), id)->body.shell == Approx(0.01));
  CHECK(weigh() < 0.2 * solid);
  f.document().undo_stack()->undo();
  CHECK(weigh() == solid);
  REQUIRE(
      f.document().edit_object("Plane", id, [](Object& o) { o.display.primitive.shape = PrimitiveShape::plane; }).ok());
  CHECK(note->isVisible());
  CHECK(note->text().contains("encloses no volume"));
}

}  // namespace hazumi::keys_test
