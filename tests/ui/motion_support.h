// Motion graphs in the real window: boxes, wires and menus by mouse.
#pragma once

#include <QTabBar>
#include <QTabWidget>
#include <QTreeWidget>

#include "core/motion/kinds.h"
#include "core/scene/derived/motion_rules.h"
#include "tests/ui/flow_support.h"
#include "ui/model/motion_commands.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/motion_box_panel.h"
#include "ui/panels/motion_canvas.h"
#include "ui/panels/motion_palette.h"

namespace hazumi::test {

struct MotionFlow : Flow {
  MotionCanvas* canvas = nullptr;
  MotionPalette* palette = nullptr;

  UiContext& context() { return window.context(); }
  Id id(const char* name) { return id_of(scene(), name); }
  std::string undo_text() { return document().undo_stack()->undoText().toStdString(); }
  int steps() { return document().undo_stack()->index(); }

  /// A lane and a ball beside it, with the panel in front.
  void stage() {
    window.resize(1600, 1000);
    Scene made = make_new_scene();
    Object ball = make_object(next_id(made).value, "ball", {PrimitiveShape::sphere, Vec3(0.4, 0.4, 0.4), {16, 12, 1}},
                              Vec3(-1.5, 1, 0));
    ball.material = material_from("red plastic");
    made.objects.push_back(ball);
    Object lane = make_object(next_id(made).value, "lane", {PrimitiveShape::box, Vec3(6, 0.2, 1), {1, 1, 1}},
                              Vec3(0, 0.1, 0), BodyKind::fixed);
    lane.material = material_from("yellow plastic");
    made.objects.push_back(lane);
    made.settings.last_frame = 60;
    Flow::Window::open(made);
    selection().select_only(id("ball"));
    tab("motion_graph");
    canvas = window.findChild<MotionCanvas*>("motion_canvas");
    palette = window.findChild<MotionPalette*>("motion_palette");
    REQUIRE(canvas);
    REQUIRE(palette);
    REQUIRE(wait_for([&] { return canvas->viewport()->height() > 180; }, 3000));
    QTest::qWait(30);
  }
  const MotionNode& node(Id box) {
    const MotionNode* found = find_motion(scene(), box);
    REQUIRE(found);
    return *found;
  }
  const MotionNode& newest() { return *scene().motion.back(); }

  QPointF at(QPointF place) { return canvas->mapFromScene(place); }
  QPointF middle(Id box) {
    REQUIRE(canvas->box(box));
    return at(canvas->box(box)->placed().center());
  }
  QPointF right(Id box) { return at(canvas->box(box)->exit()); }
  QPointF bottom(Id box) { return at(canvas->box(box)->relation()); }

  QWidget* view_of_canvas() { return canvas->viewport(); }
  void drag_on_canvas(QPointF from, QPointF to, Qt::KeyboardModifiers keys = {}) {
    QWidget* pane = view_of_canvas();
    mouse(pane, QEvent::MouseMove, from, Qt::NoButton, Qt::NoButton, keys);
    mouse(pane, QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton, keys);
    for (int i = 1; i <= 6; ++i)
      mouse(pane, QEvent::MouseMove, from + (to - from) * i / 6.0, Qt::NoButton, Qt::LeftButton, keys);
    mouse(pane, QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton, keys);
    QTest::qWait(5);
  }
  void click_on_canvas(QPointF place, Qt::KeyboardModifiers keys = {}) { drag_on_canvas(place, place, keys); }
  void canvas_key(Qt::Key key, Qt::KeyboardModifiers held = {}) {
    QTest::keyClick(canvas, key, held);
    QTest::qWait(5);
  }
  /// An entry of the palette, dragged so that the middle of its box is there.
  Id drag_from_palette(MotionRole role, const char* kind, QPointF to) {
    const std::size_t before = scene().motion.size();
    QWidget* list = palette->list()->viewport();
    const QPointF from = palette->place_of(role, kind).center(),
                  end = list->mapFrom(&window, view_of_canvas()->mapTo(&window, to.toPoint()));
    mouse(list, QEvent::MouseMove, from, Qt::NoButton, Qt::NoButton);
    mouse(list, QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
    for (int i = 1; i <= 6; ++i)
      mouse(list, QEvent::MouseMove, from + (end - from) * i / 6.0, Qt::NoButton, Qt::LeftButton);
    mouse(list, QEvent::MouseButtonRelease, end, Qt::LeftButton, Qt::NoButton);
    QTest::qWait(5);
    REQUIRE(scene().motion.size() == before + 1);
    return newest().id;
  }
  /// Clicks an entry of a menu that is open.
  void choose(const char* menu_name, const char* entry) {
    QMenu* menu = nullptr;
    REQUIRE(wait_for([&] { return (menu = canvas->findChild<QMenu*>(menu_name)) && menu->isVisible(); }, 3000));
    auto* action = menu->findChild<QAction*>(entry);
    REQUIRE(action);
    click_in(menu, menu->actionGeometry(action).center());
    QTest::qWait(10);
  }
  /// An event and what leads out of it to the empty, made there.
  Id follow_in_empty(Id from, QPointF to, const char* kind) {
    drag_on_canvas(right(from), to);
    choose("motion_follow_menu", (std::string("add_") + kind).c_str());
    return newest().id;
  }
};

}  // namespace hazumi::test
