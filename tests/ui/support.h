// Helpers of the interface tests: waiting for the event loop, small scenes, the real main window.
#pragma once

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest/QTest>

#include "core/scene/file/scene_io.h"
#include "tests/support/world.h"
#include "tests/ui/waiting.h"
#include "ui/model/commands.h"
#include "ui/window/main_window.h"

namespace hazumi::test {

/// A floor and a rigid ball above it, a short range.
inline Scene ball_scene(int last_frame = 40) {
  Scene scene = make_new_scene();
  scene.name = "Test";
  scene.objects.push_back(make_object(next_id(scene).value, "Ball",
                                      {PrimitiveShape::sphere, Vec3(0.4, 0.4, 0.4), {12, 6, 1}}, Vec3(0, 0.5, 0)));
  scene.settings.last_frame = last_frame;
  return scene;
}

inline Id id_of(const Scene& scene, const std::string& name) {
  for (const auto& object : scene.objects)
    if (object->name == name) return object->id;
  return {};
}

/// A document of ball_scene(): for TEST_CASE_METHOD.
struct BallDocument {
  DocumentController document;
  Id ball;
  BallDocument() {
    document.reset(ball_scene(), {});
    ball = id_of(document.scene(), "Ball");
  }
};

inline bool complete(PlaybackController& playback) {
  return wait_for([&] { return playback.status().phase == FillStatus::Phase::complete; });
}

inline void write_file(const QString& path, const QByteArray& text) {
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write(text);
}

/// The window, shown and with the focus, so that shortcuts reach it.
struct Window {
  Session session;
  MainWindow window{session};
  Window() {
    window.resize(1400, 900);
    window.show();
    (void)QTest::qWaitForWindowExposed(&window);
    window.activateWindow();
    QApplication::setActiveWindow(&window);
    QTest::qWait(20);
  }
  ~Window() { window.context().document.mark_saved({}); }
  MainWindow* operator->() { return &window; }
  DocumentController& document() { return window.context().document; }
  Selection& selection() { return window.context().selection; }
  PlaybackController& playback() { return window.context().playback; }
  QAction* action(const char* id) { return window.context().actions[id]; }
  const Scene& scene() { return document().scene(); }
  void open(const Scene& scene) {
    document().reset(scene, {});
    QTest::qWait(10);
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    // Another test program on the same display takes the focus as it shows its window; no shortcut works without.
    if (!QApplication::activeWindow()) QApplication::setActiveWindow(&window);
    QWidget* target = QApplication::focusWidget() ? QApplication::focusWidget() : &window;
    QTest::keyClick(target, key, modifiers);
  }
};

}  // namespace hazumi::test
