// A window with nothing but a real viewport over a real document, driven by mouse and key events.
#pragma once

#include <catch2/catch.hpp>

#include <QApplication>
#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>
#include <QWidget>

#include "tests/support/world.h"
#include "tests/ui/session_parts.h"
#include "ui/viewport/viewport.h"

namespace hazumi::testing {

/// Fixed: frames do not move what is tested.
inline Object ball(std::uint64_t id, const std::string& name, Vec3 position) {
  return test::make_object(id, name, {PrimitiveShape::sphere, Vec3::Ones(), {16, 12, 1}}, position, BodyKind::fixed);
}

/// Three balls in a row along x, two metres apart, and a light. Numbers with fractions, so that exactness is a finding.
inline Scene three_balls() {
  Scene scene;
  scene.objects = {ball(1, "Left", Vec3(-2, 0.3, 0.1)), ball(2, "Ball", Vec3(0.1, 0.7, -0.2)),
                   ball(3, "Right", Vec3(2, 0.3, 0.1))};
  scene.lights = {test::make_light(4, "Lamp", LightKind::point, Vec3(0.2, 2.6, 0.1))};
  return scene;
}

struct ViewportWindow : test::SessionParts {
  QWidget window;
  Viewport viewport{context, &window};

  explicit ViewportWindow(Scene scene = three_balls(), QSize size = QSize(800, 600)) {
    actions.add_to(window);
    viewport.set_animation_time(0);
    window.resize(size);
    viewport.setGeometry(QRect(QPoint(0, 0), size));
    window.show();
    window.activateWindow();
    REQUIRE(QTest::qWaitForWindowExposed(&window));
    REQUIRE(QTest::qWaitForWindowActive(&window));
    // The view is set by hand so that no test depends on how scenes are opened.
    document.reset(std::move(scene), {});
    ViewCamera camera;
    camera.target = {0, 0.5f, 0};
    camera.distance = 9;
    camera.yaw = 0.5f;
    camera.pitch = 0.4f;
    viewport.camera() = camera;
    viewport.setFocus();
    settle();
  }
  void settle() { QTest::qWait(1); }

  const Transform& transform(std::uint64_t id) const { return find_object(document.scene(), Id{id})->transform; }

  QPointF pixel(const Vec3& world) {
    const glm::vec3 p = static_cast<const Viewport&>(viewport).camera().project(
        glm::vec3(world.x(), world.y(), world.z()), viewport.view_size());
    REQUIRE(p.z > 0);
    REQUIRE(p.z < 1);
    return {p.x, p.y};
  }

  void press(QPointF at, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers held = {}) {
    buttons_ |= button;
    send(QEvent::MouseButtonPress, at, button, held);
  }
  void release(QPointF at, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers held = {}) {
    buttons_ &= ~Qt::MouseButtons(button);
    send(QEvent::MouseButtonRelease, at, button, held);
  }
  void move(QPointF at, Qt::KeyboardModifiers held = {}) { send(QEvent::MouseMove, at, Qt::NoButton, held); }
  void click(QPointF at, Qt::KeyboardModifiers held = {}, Qt::MouseButton button = Qt::LeftButton) {
    move(at);
    press(at, button, held);
    release(at, button, held);
  }
  void drag(QPointF from, QPointF to, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers held = {}) {
    move(from);
    press(from, button, held);
    for (int i = 1; i <= 8; ++i) move(from + (to - from) * i / 8.0, held);
    release(to, button, held);
  }
  void wheel(QPointF at, QPoint angle, Qt::KeyboardModifiers held = {}) {
    QWheelEvent event(at, viewport.mapToGlobal(at), QPoint(), angle, Qt::NoButton, held, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&viewport, &event);
  }
  void key(int code, Qt::KeyboardModifiers held = {}) { QTest::keyClick(&viewport, static_cast<Qt::Key>(code), held); }
  void keys(std::initializer_list<int> codes) {
    for (int code : codes) key(code);
  }

 private:
  void send(QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers held) {
    QMouseEvent event(type, at, viewport.mapToGlobal(at), button, buttons_, held);
    QApplication::sendEvent(&viewport, &event);
  }
  Qt::MouseButtons buttons_;
};

inline bool same_bits(const Transform& a, const Transform& b) {
  return a.position == b.position && a.rotation.coeffs() == b.rotation.coeffs() && a.scale == b.scale;
}

}  // namespace hazumi::testing
