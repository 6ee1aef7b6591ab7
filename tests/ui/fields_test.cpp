#include <catch2/catch.hpp>

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTimer>

#include "core/math/rotation.h"
#include "tests/ui/panels_support.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/colour_editor.h"
#include "ui/widgets/expression.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/number_field.h"

namespace fields_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// A field in a shown window, with what it reported.
struct Shown {
  QWidget window;
  NumberField* field;
  std::vector<std::pair<double, bool>> edits;
  Shown() : field(new NumberField(&window)) {
    field->resize(120, 24);
    field->move(40, 10);
    window.resize(300, 80);
    window.show();
    (void)QTest::qWaitForWindowExposed(&window);
    QObject::connect(field, &NumberField::edited, [this](double v, bool c) { edits.emplace_back(v, c); });
  }
  ~Shown() { Bubble::hide_all(); }
};

}  // namespace

TEST_CASE("Expressions: arithmetic, units, decimal comma; nonsense is refused", "[ui][fields]") {
  CHECK(*evaluate_expression("2*3") == 6);
  CHECK(*evaluate_expression(" -1.5e3 / 4 ") == -375);
  CHECK(*evaluate_expression("(1+2)^2 - 1") == 8);
  CHECK(*evaluate_expression("1,5") == 1.5);
  CHECK(*evaluate_expression("3 m", "m") == 3);
  CHECK(*evaluate_expression("-2^2") == -4);
  CHECK(*evaluate_expression("(1,5+1)*2") == 5);
  CHECK(*evaluate_expression("max(1, 2.5) + sqrt(4)") == 4.5);
  for (const char* bad : {"", "abc", "1+", "2*/3", "1 2", "(1", "1/0", "1e999", "3 kg"}) {
    INFO(bad);
    CHECK_FALSE(evaluate_expression(bad, "m"));
  }
  CHECK_FALSE(evaluate_expression(QString(150, '(')));
}

TEST_CASE("Numbers are written short", "[ui][fields]") {
  CHECK(number_text(1e10) == "1e10");
  CHECK(number_text(0.1 + 0.2) == "0.3");
  CHECK(number_text(2500000) == "2500000");
  CHECK(number_text(1e7) == "10000000");
  CHECK(number_text(0.00005) == "0.00005");
  CHECK(number_text(-0.0) == "0");
  CHECK(number_text(1e-9) == "1e-9");
}

TEST_CASE("A drag changes the number; Shift is finer, Ctrl coarser; one gesture", "[ui][fields]") {
  Shown s;
  s.field->set_step(0.1);
  drag(s.field, 20);
  CHECK(s.field->value() == Approx(2));
  REQUIRE(s.edits.size() > 5);
  CHECK_FALSE(s.edits.front().second);
  for (std::size_t i = 1; i < s.edits.size(); ++i) CHECK(s.edits[i].second);

  s.edits.clear();
  drag(s.field, -10, Qt::ShiftModifier);
  CHECK(s.field->value() == Approx(1.9));
  CHECK_FALSE(s.edits.front().second);
  drag(s.field, 10, Qt::ControlModifier);
  CHECK(s.field->value() == Approx(11.9));

  s.field->set_range(0, 12);
  drag(s.field, 60);
  CHECK(s.field->value() == 12);
  CHECK(Bubble::shown_text() == "The value goes from 0 to 12.");
}

TEST_CASE("A drag of a field without step is proportional and cannot reach an open lower end", "[ui][fields]") {
  Shown s;
  s.field->set_range(0, 1e9, true);
  s.field->set_value(100);
  drag(s.field, 100);
  CHECK(s.field->value() == Approx(100 * std::exp(1.0)).epsilon(3e-4));
  drag(s.field, -3000);
  CHECK(s.field->value() > 0);
}

TEST_CASE("Typing: Enter takes, Esc gives up, bad entries are refused with a sentence and the old value stays",
          "[ui][fields]") {
  Shown s;
  s.field->set_name("Mass");
  s.field->set_unit("kg");
  s.field->set_range(0, 1e9, true);
  s.field->set_value(1);
  type_into(s.field, "2*3");
  CHECK(s.field->value() == 6);
  REQUIRE(s.edits.size() == 1);
  CHECK_FALSE(s.edits[0].second);

  type_into(s.field, "9", Qt::Key_Escape);
  CHECK(s.field->value() == 6);
  for (const char* bad : {"0", "-3"}) {
    type_into(s.field, bad);
    CHECK(s.field->value() == 6);
    CHECK(Bubble::shown_text() == "Mass must be above 0 kg.");
  }
  type_into(s.field, "heavy");
  CHECK(Bubble::shown_text().contains("heavy"));
  CHECK(s.field->value() == 6);
  CHECK(s.edits.size() == 1);
  type_into(s.field, "7 kg");
  CHECK(s.field->value() == 7);
  CHECK(Bubble::shown_text().isEmpty());
}

TEST_CASE("Opening and leaving a field without typing changes nothing, even when the text is rounded", "[ui][fields]") {
  Shown s;
  s.field->set_value(1.0 / 3);
  QTest::mouseClick(s.field, Qt::LeftButton);
  REQUIRE(s.field->editing());
  QTest::keyClick(s.field->findChild<QWidget*>("number_edit"), Qt::Key_Return);
  CHECK(s.field->value() == 1.0 / 3);
  CHECK(s.edits.empty());
}

TEST_CASE("Tab takes what was typed, shows it and types in the next field", "[ui][fields]") {
  QWidget window;
  QVBoxLayout column(&window);
  NumberField first, second;
  column.addWidget(&first);
  column.addWidget(&second);
  first.set_integer(true);
  second.set_integer(true);
  window.show();
  REQUIRE(QTest::qWaitForWindowExposed(&window));
  QApplication::setActiveWindow(&window);
  for (const int typed : {30, 12, 21}) {
    QTest::mouseClick(&first, Qt::LeftButton);
    REQUIRE(first.editing());
    QTest::keyClicks(QApplication::focusWidget(), QString::number(typed));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    CHECK(first.value() == typed);
    CHECK(first.shown_text() == QString::number(typed));
    CHECK_FALSE(first.editing());
    CHECK_FALSE(first.hasFocus());
    CHECK(second.editing());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  }
}

TEST_CASE("What is being typed survives a refresh from the model", "[ui][fields]") {
  Shown s;
  s.field->set_value(1);
  QTest::mouseClick(s.field, Qt::LeftButton);
  auto* edit = s.field->findChild<QLineEdit*>("number_edit");
  QTest::keyClicks(edit, "12");
  s.field->set_value(5);
  CHECK(edit->text() == "12");
  QTest::keyClick(edit, Qt::Key_Return);
  CHECK(s.field->value() == 12);
}

TEST_CASE("The wheel turns only the field that has the focus; arrow keys step", "[ui][fields]") {
  Shown s;
  s.field->set_step(0.1);
  const auto wheel = [&] {
    QWheelEvent event(QPointF(20, 10), s.field->mapToGlobal(QPointF(20, 10)), {}, QPoint(0, 120), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(s.field, &event);
    return event.isAccepted();
  };
  s.field->clearFocus();
  CHECK_FALSE(wheel());
  CHECK(s.field->value() == 0);
  s.window.activateWindow();
  QApplication::setActiveWindow(&s.window);
  s.field->setFocus(Qt::OtherFocusReason);
  REQUIRE(wait_for([&] { return s.field->hasFocus(); }));
  CHECK(wheel());
  CHECK(s.field->value() == Approx(1));
  QTest::keyClick(s.field, Qt::Key_Down);
  CHECK(s.field->value() == Approx(0));
  QTest::keyClick(s.field, Qt::Key_Up, Qt::ShiftModifier);
  CHECK(s.field->value() == Approx(0.1));
  QTest::keyClick(s.field, '4');
  REQUIRE(s.field->editing());
  QTest::keyClick(s.field->findChild<QWidget*>("number_edit"), Qt::Key_Return);
  CHECK(s.field->value() == 4);
}

TEST_CASE("Right click: reset to default, copy, paste", "[ui][fields]") {
  Shown s;
  s.field->set_default(1);
  s.field->set_value(0.1 + 0.2);
  const auto choose = [&](int entry) {
    QTimer::singleShot(50, [&, entry] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      REQUIRE(menu);
      menu->setActiveAction(menu->actions()[entry]);
      QTest::keyClick(menu, Qt::Key_Return);
    });
    QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(5, 5), s.field->mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(s.field, &event);
  };
  choose(1);
  CHECK(QApplication::clipboard()->text().toDouble() == Approx(0.3).epsilon(1e-14));
  choose(0);
  CHECK(s.field->value() == 1);
  choose(2);
  CHECK(s.field->value() == Approx(0.3));
}

TEST_CASE("Euler angles and quaternions belong together", "[ui][fields]") {
  for (const Vec3& degrees3 :
       {Vec3(10, 20, 30), Vec3(-170, 60, 5), Vec3(0, 89.9, 0), Vec3(40, 90, 0), Vec3(0, -90, 0)}) {
    const Quat q = from_euler_angles(degrees3 * kPi / 180);
    CHECK(from_euler_angles(euler_angles(q)).angularDistance(q) < 1e-9);
  }
  const Quat turned = from_euler_angles(Vec3(0, 0, kPi / 2));
  CHECK((turned * Vec3::UnitX() - Vec3::UnitY()).norm() < 1e-12);
}

TEST_CASE("A rotation keeps the angles as they were entered", "[ui][fields]") {
  const Field<Object>* field = find_field(object_fields(), std::string_view("transform.rotation"));
  QWidget window;
  auto* widget = static_cast<VectorField*>(make_field_widget(field_spec(*field), &window));
  Object object;
  widget->set_value(field->get(object));
  QObject::connect(widget, &FieldWidget::edited, [&](const FieldValue& value, int, bool) {
    field->set(object, value);
    widget->set_value(field->get(object));
  });
  window.resize(400, 60);
  widget->resize(380, 24);
  window.show();
  (void)QTest::qWaitForWindowExposed(&window);
  type_into(widget->field(1), "180");
  CHECK(widget->field(0)->shown_text() == "0");
  CHECK(widget->field(1)->shown_text() == "180");
  CHECK(widget->field(2)->shown_text() == "0");
  type_into(widget->field(0), "45");
  CHECK(widget->field(1)->shown_text() == "180");
  CHECK(object.transform.rotation.angularDistance(from_euler_angles(Vec3(kPi / 4, kPi, 0))) < 1e-7);
}

TEST_CASE("Hue, saturation and value go both ways; grey keeps its hue", "[ui][fields]") {
  for (const Vec3& rgb : {Vec3(1, 0, 0), Vec3(0.2, 0.7, 0.4), Vec3(0.1, 0.1, 0.9), Vec3(0.3, 0.3, 0.3), Vec3(0, 0, 0)})
    CHECK((from_hsv(to_hsv(rgb)) - rgb).norm() < 1e-12);
  CHECK(to_hsv(Vec3(0, 1, 0)).x() == Approx(120));
  CHECK(to_hsv(Vec3(0.5, 0.5, 0.5), Vec3(200, 0.4, 1)).x() == 200);
  CHECK(to_hsv(Vec3(0, 0, 0), Vec3(200, 0.4, 1)).y() == 0.4);
}

TEST_CASE("The colour editor: square, hue strip, numbers, hex", "[ui][fields]") {
  ColourEditor editor;
  editor.resize(260, 300);
  editor.show();
  (void)QTest::qWaitForWindowExposed(&editor);
  std::vector<bool> continued;
  QObject::connect(&editor, &ColourEditor::edited,
                   [&](const Vec3&, bool continues) { continued.push_back(continues); });
  HueSquare* square = editor.square();
  QTest::mouseClick(square, Qt::LeftButton, Qt::NoModifier, square->square().topRight());
  CHECK((editor.colour() - Vec3(1, 0, 0)).norm() < 0.02);
  const QRect strip = square->strip();
  QTest::mouseClick(square, Qt::LeftButton, Qt::NoModifier,
                    QPoint(strip.center().x(), strip.top() + strip.height() / 3));
  CHECK(editor.colour().y() > 0.95);
  CHECK(editor.colour().x() < 0.1);
  type_into(editor.number(2), "50");
  CHECK(editor.colour().maxCoeff() == Approx(0.5));
  editor.hex()->selectAll();
  QTest::keyClicks(editor.hex(), "#102030");
  QTest::keyClick(editor.hex(), Qt::Key_Return);
  CHECK((editor.colour() - Vec3(16, 32, 48) / 255).norm() < 1e-9);
  editor.hex()->selectAll();
  QTest::keyClicks(editor.hex(), "red");
  QTest::keyClick(editor.hex(), Qt::Key_Return);
  CHECK(Bubble::shown_text().contains("six digits"));
  CHECK((editor.colour() - Vec3(16, 32, 48) / 255).norm() < 1e-9);
  Bubble::hide_all();
  CHECK(std::count(continued.begin(), continued.end(), true) == 0);
}

TEST_CASE("Every row of the field tables gets a widget with unit and path in its tooltip", "[ui][fields]") {
  QWidget parent;
  int count = 0;
  const auto check = [&](const auto& fields) {
    for (const auto& field : fields) {
      const FieldSpec spec = field_spec(field);
      FieldWidget* widget = make_field_widget(spec, &parent);
      INFO(spec.path.toStdString());
      CHECK(widget->toolTip().contains(spec.path));
      if (!spec.unit.isEmpty()) CHECK(widget->toolTip().contains(spec.unit));
      widget->set_value(spec.fallback);
      ++count;
    }
  };
  check(object_fields());
  check(light_fields());
  check(camera_fields());
  check(settings_fields());
  CHECK(count > 50);
}

}  // namespace fields_test
