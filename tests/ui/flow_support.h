// What a person does with the real main window: clicks in menus, tabs, panels and the view, drags, types. With HAZUMI_SHOTS=dir
// in the environment the flows leave the pictures of the user guide there, as they are on the screen.
#pragma once

#include <catch2/catch.hpp>

#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMouseEvent>
#include <QPixmap>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>

#include "tests/ui/support.h"
#include "ui/panels/analysis_panel.h"
#include "ui/panels/mapping_panel.h"
#include "ui/panels/material_panel.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/number_field.h"

namespace hazumi::test {

inline QString shipped(const char* name) { return QString(HAZUMI_SOURCE_DIR "/scenes/") + name; }

inline bool opened_file(MainWindow& window) {
  return wait_for([&] { return !window.loading(); });
}

/// Clicks the field and types over what is in it.
inline void type_number(QWidget* number_field, const QString& text, Qt::Key end = Qt::Key_Return) {
  QTest::mouseClick(number_field, Qt::LeftButton);
  auto* edit = number_field->findChild<QWidget*>("number_edit");
  REQUIRE(edit);
  QTest::keyClicks(edit, text);
  QTest::keyClick(edit, end);
}

inline NumberField* number_of(FieldWidget* widget) { return static_cast<SingleNumberField*>(widget)->field(); }

struct Flow : Window {
  Flow() {
    window.resize(1280, 800);
    window.move(0, 0);
    for (QAction* action : window.findChildren<QAction*>())
      if (action->text() == "Default Layout") action->trigger();
    view().set_animation_time(0);
    view().setFocus();
    QTest::qWait(30);
  }

  Viewport& view() { return *window.viewport(); }
  const Object& object(const std::string& name) {
    const Object* found = find_object(scene(), id_of(scene(), name));
    REQUIRE(found);
    return *found;
  }
  const Object& last() { return *scene().objects.back(); }

  void open(const QString& file) {
    window.open_file(file);
    REQUIRE(opened_file(window));
    QTest::qWait(20);
  }

  /// By a click on its title in the menu bar.
  QMenu* open_menu(const char* title) {
    auto* menu = window.findChild<QMenu*>(title);
    REQUIRE(menu);
    click_in(window.menuBar(), window.menuBar()->actionGeometry(menu->menuAction()).center());
    REQUIRE(wait_for([&] { return menu->isVisible(); }, 2000));
    return menu;
  }
  /// By mouse: the title in the menu bar, then the entry.
  void menu(const char* title, const char* id) {
    QMenu* menu = open_menu(title);
    click_in(menu, menu->actionGeometry(action(id)).center());
    QTest::qWait(10);
  }

  /// The same for an entry of a menu inside it: "Add", "add.metaball_ball".
  void submenu(const char* title, const char* id) {
    QMenu* menu = open_menu(title);
    for (QAction* entry : menu->actions()) {
      QMenu* inner = entry->menu();
      if (!inner || !inner->actions().contains(action(id))) continue;
      click_in(menu, menu->actionGeometry(entry).center());
      REQUIRE(wait_for([&] { return inner->isVisible(); }, 2000));
      click_in(inner, inner->actionGeometry(action(id)).center());
      QTest::qWait(10);
      return;
    }
    FAIL("no such entry");
  }

  /// Brings a panel to the front by a click on its tab; nothing to click when it stands alone.
  void tab(const char* dock_id) {
    auto* dock = window.findChild<QDockWidget*>(dock_id);
    REQUIRE(dock);
    for (QTabBar* bar : window.findChildren<QTabBar*>())
      for (int i = 0; i < bar->count(); ++i)
        if (bar->isVisible() && bar->tabText(i) == dock->windowTitle()) click_in(bar, bar->tabRect(i).center());
    REQUIRE(wait_for([&] { return dock->widget()->isVisible(); }, 2000));
    QTest::qWait(10);
  }
  AnalysisPanel& analysis() {
    tab("analysis");
    return *window.findChild<AnalysisPanel*>();
  }
  MappingPanel& mapping() {
    tab("mapping");
    return *window.findChild<MappingPanel*>();
  }
  MaterialPanel& material() {
    tab("material");
    return *window.findChild<MaterialPanel*>();
  }

  /// What a person does with the wheel before a click: brings it into sight.
  template <class W>
  W* sight(W* widget) {
    for (QWidget* up = widget->parentWidget(); up; up = up->parentWidget())
      if (auto* area = qobject_cast<QScrollArea*>(up)) area->ensureWidgetVisible(widget);
    QTest::qWait(5);
    CHECK(widget->isVisible());
    return widget;
  }

  static void click_in(QWidget* widget, QPoint at) {
    QTest::mouseMove(widget, at);
    QTest::mouseClick(widget, Qt::LeftButton, {}, at);
  }

  QPointF pixel(const Vec3& world) {
    const glm::vec3 p = static_cast<const Viewport&>(view()).camera().project(
        glm::vec3(world.x(), world.y(), world.z()), view().view_size());
    REQUIRE(p.z > 0);
    return {p.x, p.y};
  }
  void mouse(QWidget* widget, QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::MouseButtons held,
             Qt::KeyboardModifiers keys = {}) {
    QMouseEvent event(type, at, widget->mapToGlobal(at), button, held, keys);
    QApplication::sendEvent(widget, &event);
  }
  void move_to(QPointF at) { mouse(&view(), QEvent::MouseMove, at, Qt::NoButton, Qt::NoButton); }
  void click(QPointF at, Qt::KeyboardModifiers keys = {}) {
    move_to(at);
    mouse(&view(), QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton, keys);
    mouse(&view(), QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton, keys);
    QTest::qWait(5);
  }
  void drag(QWidget* widget, QPointF from, QPointF to, Qt::MouseButton button = Qt::LeftButton) {
    mouse(widget, QEvent::MouseMove, from, Qt::NoButton, Qt::NoButton);
    mouse(widget, QEvent::MouseButtonPress, from, button, button);
    for (int i = 1; i <= 8; ++i) mouse(widget, QEvent::MouseMove, from + (to - from) * i / 8.0, Qt::NoButton, button);
    mouse(widget, QEvent::MouseButtonRelease, to, button, Qt::NoButton);
    QTest::qWait(5);
  }

  /// The window, or a part of it, as it is on the screen, dialogs over it included.
  void shot(const char* name, QWidget* part = nullptr) {
    const QByteArray folder = qgetenv("HAZUMI_SHOTS");
    if (folder.isEmpty()) return;
    QTest::qWait(400);
    if (!part) part = &window;
    const QRect r(part->mapToGlobal(QPoint(0, 0)), part->size());
    QPixmap picture = window.screen()->grabWindow(0, r.x(), r.y(), r.width(), r.height());
    const QImage small = picture.toImage().convertToFormat(QImage::Format_RGB888);
    CHECK(small.save(QString::fromUtf8(folder) + "/" + name + ".png", nullptr, 0));
  }
};

/// Types a file name into the next file dialog and confirms it.
inline void answer_file_dialog(const QString& file) {
  auto* timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, timer, [timer, file] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    auto* name = dialog ? dialog->findChild<QLineEdit*>("fileNameEdit") : nullptr;
    if (!name) return;
    timer->stop();
    timer->deleteLater();
    name->setText(file);  // typed, the completer's list would take the Enter
    auto* buttons = dialog->findChild<QDialogButtonBox*>("buttonBox");
    REQUIRE(buttons);
    QPushButton* confirm = buttons->button(QDialogButtonBox::Save);
    QTest::mouseClick(confirm ? confirm : buttons->button(QDialogButtonBox::Open), Qt::LeftButton);
  });
  timer->start(20);
}

/// All the way back by Ctrl+Z to the scene whose text is `start`, and forth again by Ctrl+Shift+Z, every state to the byte.
/// `at_start` is called where there is nothing left to undo. The states, the present one first.
inline std::vector<std::string> back_and_forth(Flow& f, const std::string& start,
                                               const std::function<void()>& at_start = {}) {
  const int edits = f.document().undo_stack()->index();
  std::vector<std::string> states{scene_to_text(f.scene())};
  f.view().setFocus();
  while (f.document().undo_stack()->canUndo()) {
    f.key(Qt::Key_Z, Qt::ControlModifier);
    states.push_back(scene_to_text(f.scene()));
    REQUIRE(states.size() <= static_cast<std::size_t>(edits) + 1);
  }
  CHECK(states.back() == start);
  if (at_start) at_start();
  for (int i = edits; i-- > 0;) {
    f.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    CHECK(scene_to_text(f.scene()) == states[static_cast<std::size_t>(i)]);
  }
  CHECK(scene_to_text(f.scene()) == states.front());
  return states;
}

}  // namespace hazumi::test
