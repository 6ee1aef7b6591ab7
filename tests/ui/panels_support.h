// What panel tests need without a main window: a session, and a plain window; and real
// mouse drags.
#pragma once

#include <QApplication>
#include <QVBoxLayout>
#include <QWidget>
#include <QtTest/QTest>

#include "core/scene/values/materials.h"
#include "tests/support/world.h"
#include "tests/ui/session_parts.h"
#include "tests/ui/waiting.h"
#include "ui/panels/panel.h"

namespace hazumi::test {

inline Object small_ball(std::uint64_t id, const std::string& name, BodyKind kind,
                         const Vec3& position = Vec3::Zero()) {
  return make_object(id, name, {PrimitiveShape::sphere, Vec3::Ones(), {12, 8, 1}}, position, kind);
}

/// Ball (1, rigid), Jelly (2, flexible), Floor (3, fixed), Sun (4, a light).
inline Scene small_scene() {
  Scene scene;
  scene.name = "Small";
  scene.settings.last_frame = 5;
  scene.objects = {small_ball(1, "Ball", BodyKind::rigid, Vec3(3, 1, 0)),
                   small_ball(2, "Jelly", BodyKind::flexible, Vec3(6, 1, 0)),
                   small_ball(3, "Floor", BodyKind::fixed, Vec3(9, 1, 0))};
  scene.lights = {make_light(4, "Sun")};
  return scene;
}

struct Bench : SessionParts {
  QWidget window;

  explicit Bench(Scene scene = small_scene(), QSize size = QSize(320, 900)) {
    actions.add_to(window);
    document.reset(std::move(scene), {});
    new QVBoxLayout(&window);
    window.layout()->setContentsMargins(0, 0, 0, 0);
    window.resize(size);
  }
  template <class Panel>
  Panel* show(Panel* panel) {
    window.layout()->addWidget(panel);
    window.show();
    (void)QTest::qWaitForWindowExposed(&window);
    window.activateWindow();
    QApplication::setActiveWindow(&window);
    QTest::qWait(10);
    return panel;
  }
  const Object& object(int id) { return *find_object(document.scene(), Id{static_cast<std::uint64_t>(id)}); }
  int steps() { return document.undo_stack()->index(); }
};

/// Presses in the middle, moves by `by` pixels in single steps, releases.
inline void drag(QWidget* widget, int by, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
  const QPoint from = widget->rect().center();
  QTest::mousePress(widget, Qt::LeftButton, modifiers, from);
  const int sign = by < 0 ? -1 : 1;
  for (int i = 1; i <= std::abs(by); ++i) {
    QMouseEvent move(QEvent::MouseMove, from + QPoint(sign * i, 0), widget->mapToGlobal(from + QPoint(sign * i, 0)),
                     Qt::NoButton, Qt::LeftButton, modifiers);
    QApplication::sendEvent(widget, &move);
  }
  QTest::mouseRelease(widget, Qt::LeftButton, modifiers, from + QPoint(by, 0));
}

/// Clicks the field and types, like a person: the old text is selected and replaced.
inline void type_into(QWidget* number_field, const QString& text, Qt::Key end = Qt::Key_Return) {
  QTest::mouseClick(number_field, Qt::LeftButton);
  QWidget* edit = number_field->findChild<QWidget*>("number_edit");
  QTest::keyClicks(edit, text);
  QTest::keyClick(edit, end);
}

}  // namespace hazumi::test
