// Collections and parents in the real window: by keys, menus, and rows dragged in the outliner.
#include <QLabel>
#include <QTreeView>
#include <QWindow>

#include "core/scene/values/materials.h"
#include "tests/ui/flow_support.h"
#include "ui/model/isolation.h"
#include "ui/panels/outliner_panel.h"
#include "ui/widgets/message_bar.h"

namespace flow_outliner_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Object standing(std::uint64_t id, const std::string& name, const Vec3& size, const Vec3& at, const char* material) {
  Object o = make_object(id, name, {PrimitiveShape::box, size, {2, 2, 2}}, at, BodyKind::fixed);
  if (const MaterialPreset* preset = find_material(material)) o.material = apply_preset(o.material, *preset);
  return o;
}

/// A tray with a cup and a plate, all fixed, a ball over them, and a floor.
Scene table_scene() {
  Scene scene = ball_scene();
  scene.objects.push_back(standing(10, "Tray", Vec3(1.6, 0.1, 1), Vec3(1.4, 0.4, 0), "cyan plastic"));
  scene.objects.push_back(standing(11, "Cup", Vec3(0.3, 0.4, 0.3), Vec3(1.0, 0.65, 0.1), "red plastic"));
  scene.objects.push_back(standing(12, "Plate", Vec3(0.6, 0.06, 0.6), Vec3(1.7, 0.48, 0), "white plastic"));
  return scene;
}

struct OutlinerFlow : Flow {
  OutlinerFlow() {
    Window::open(table_scene());
    tab("outliner");
    view().setFocus();
  }
  OutlinerPanel& panel() { return *window.findChild<OutlinerPanel*>(); }
  QTreeView& tree() { return *panel().view(); }
  Id id(const char* name) {
    Id found = id_of(scene(), name);
    for (const auto& collection : scene().collections)
      if (collection->name == name) found = collection->id;
    REQUIRE(found);
    return found;
  }
  QRect row(const char* name, int column = SceneModel::name_column) {
    const QModelIndex index = panel().index_of(id(name));
    REQUIRE(index.isValid());
    tree().scrollTo(index);
    return tree().visualRect(index.sibling(index.row(), column));
  }
  void pick(const char* name, Qt::KeyboardModifiers keys = {}) {
    const QPoint at(row(name).left() + 24, row(name).center().y());
    QTest::mouseClick(tree().viewport(), Qt::LeftButton, keys, at);
  }
  void press(const char* name, SceneModel::Column column) {
    QTest::mouseClick(tree().viewport(), Qt::LeftButton, {}, row(name, column).center());
  }
  QString above(const char* name) { return panel().index_of(id(name)).parent().data().toString(); }

  /// A row dragged to a place in the tree with the left button, as a person does: the drag has an event loop of its own.
  void drag_row(const char* name, QPoint to, const char* shot_name = nullptr) {
    QWidget* port = tree().viewport();
    const QPoint from(row(name).left() + 30, row(name).center().y());
    QWindow* handle = window.windowHandle();
    const auto in_window = [this, port](QPoint p) { return port->mapTo(&window, p); };
    QTest::mousePress(handle, Qt::LeftButton, {}, in_window(from));
    // One of these moves begins the drag, whose loop runs inside it: the others need timers of their own.
    constexpr int kMoves = 12, kPause = 15;
    bool released = false;
    for (int step = 1; step <= kMoves; ++step)
      QTimer::singleShot(step * kPause, port, [=] {
        QTest::mouseMove(handle, in_window(from + (to - from) * std::min(step, kMoves - 2) / (kMoves - 2)));
      });
    QTimer::singleShot((kMoves + 2) * kPause, port, [&, to] {
      if (shot_name) shot(shot_name);
      QTest::mouseRelease(handle, Qt::LeftButton, {}, in_window(to));
      released = true;
    });
    REQUIRE(wait_for([&] { return released; }, 5000));
    QTest::qWait(60);
  }
  QPoint onto(const char* name) { return QPoint(row(name).left() + 60, row(name).center().y()); }
  QPoint before(const char* name) { return QPoint(row(name).left() + 60, row(name).top() + 1); }
  QPoint nowhere() { return QPoint(60, tree().viewport()->height() - 6); }
};

}  // namespace

TEST_CASE("Flow: a collection is made, filled by dragging, hidden, locked and renamed", "[ui][flow][outliner]") {
  OutlinerFlow f;
  const std::string start = scene_to_text(f.scene());
  f.pick("Cup");
  f.pick("Plate", Qt::ControlModifier);
  f.view().setFocus();
  f.key(Qt::Key_G, Qt::ControlModifier);
  REQUIRE(f.scene().collections.size() == 1);
  CHECK(f.above("Cup") == "Collection");
  // Named in place.
  f.tree().setFocus();
  QTest::keyClick(&f.tree(), Qt::Key_F2);
  auto* edit = f.tree().viewport()->findChild<QLineEdit*>();
  REQUIRE(edit);
  QTest::keyClicks(edit, "Dishes");
  QTest::keyClick(edit, Qt::Key_Return);
  REQUIRE(wait_for([&] { return f.scene().collections[0]->name == "Dishes"; }));
  f.drag_row("Tray", f.onto("Dishes"), "outliner-drag");
  CHECK(f.above("Tray") == "Dishes");
  CHECK(f.document().undo_stack()->undoText() == "Move Tray to Dishes");
  f.shot("collections");
  // Its eye hides all, and they are not clicked; their own eyes stay as they are.
  const QPointF at = f.pixel(f.object("Tray").transform.position + Vec3(0, 0.05, 0));
  f.click(at);
  CHECK(f.selection().ids() == std::set<Id>{f.id("Tray")});
  f.press("Dishes", SceneModel::eye_column);
  CHECK(f.object("Tray").visible);
  CHECK(f.view().render_list().meshes.size() == 2);
  f.click(at);
  CHECK_FALSE(f.selection().contains(f.id("Tray")));
  f.shot("collections-hidden");
  f.press("Dishes", SceneModel::eye_column);
  f.press("Dishes", SceneModel::lock_column);
  f.click(at);
  CHECK_FALSE(f.selection().contains(f.id("Tray")));
  f.view().setFocus();
  f.key(Qt::Key_A);
  CHECK(f.selection().ids() == std::set<Id>{f.id("Ball")});
  f.press("Dishes", SceneModel::lock_column);
  f.view().setFocus();
  f.key(Qt::Key_A);
  CHECK(f.selection().ids().size() == 4);
  // Dragged out again, to the end.
  f.pick("Ball");
  f.drag_row("Cup", f.nowhere());
  CHECK(f.above("Cup") == "");
  std::string order;
  for (const auto& object : f.scene().objects) order += object->name + " ";
  CHECK(order == "Floor Ball Plate Tray Cup ");
  // Between two rows of another place.
  f.drag_row("Cup", f.before("Plate"));
  CHECK(f.above("Cup") == "Dishes");
  // On the line between the open branch and its first row: into it, before that.
  f.drag_row("Ball", QPoint(f.onto("Dishes").x(), f.row("Dishes").bottom()));
  CHECK(f.above("Ball") == "Dishes");
  CHECK(f.panel().index_of(f.id("Ball")).row() == 0);
  (void)back_and_forth(f, start);
}

TEST_CASE("Flow: the menu moves what is selected to a collection, and deletes collections", "[ui][flow][outliner]") {
  OutlinerFlow f;
  f.selection().clear();
  f.key(Qt::Key_G, Qt::ControlModifier);
  f.pick("Cup");
  f.pick("Ball", Qt::ControlModifier);
  f.view().setFocus();
  f.key(Qt::Key_M, Qt::ControlModifier);
  QMenu* menu = nullptr;
  REQUIRE(wait_for([&] {
    menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    return menu && menu->objectName() == "collection_menu";
  }));
  f.shot("collection-menu");
  f.click_in(menu, menu->actionGeometry(menu->actions().first()).center());
  REQUIRE(wait_for([&] { return f.document().undo_stack()->undoText() == "Move 2 objects to Collection"; }));
  CHECK(f.above("Ball") == "Collection");
  f.pick("Ball");
  QMenu* object_menu = f.open_menu("Object");
  CHECK(object_menu->height() < 680);  // fits below the menu bar of a screen of 720 pixels
  f.shot("object-menu");
  QTest::keyClick(object_menu, Qt::Key_Escape);
  f.submenu("Object", "collection.select");
  CHECK(f.selection().ids() == std::set<Id>{f.id("Ball"), f.id("Cup")});
  // X on a collection keeps what is in it.
  f.pick("Collection");
  f.view().setFocus();
  f.key(Qt::Key_X);
  CHECK(f.scene().collections.empty());
  CHECK(f.above("Cup") == "");
  f.key(Qt::Key_Z, Qt::ControlModifier);
  f.pick("Collection");
  f.submenu("Object", "collection.delete_contents");
  CHECK(f.scene().objects.size() == 3);
  CHECK(f.scene().collections.empty());
}

TEST_CASE("Flow: isolated, a part of the scene is alone in view until the key is pressed again",
          "[ui][flow][outliner]") {
  OutlinerFlow f;
  const std::size_t all = f.view().render_list().meshes.size();
  REQUIRE(all == 5);
  CHECK_FALSE(f.action("view.isolate")->isEnabled());
  f.pick("Cup");
  f.pick("Plate", Qt::ControlModifier);
  f.view().setFocus();
  f.key(Qt::Key_Slash);
  CHECK(f.action("view.isolate")->isChecked());
  CHECK(f.view().render_list().meshes.size() == 2);
  CHECK(f.document().undo_stack()->count() == 0);
  f.key(Qt::Key_Home);
  f.shot("isolated");
  f.key(Qt::Key_A);
  CHECK(f.selection().ids().size() == 2);
  // A drag over the whole view takes no one who is not there.
  f.drag(&f.view(), QPointF(60, 60), QPointF(f.view().width() - 60, f.view().height() - 40));
  CHECK_FALSE(f.selection().contains(f.id("Ball")));
  f.key(Qt::Key_Slash);
  CHECK_FALSE(f.action("view.isolate")->isChecked());
  CHECK(f.view().render_list().meshes.size() == all);
  // A whole collection, from the outliner.
  f.pick("Cup");
  f.pick("Ball", Qt::ControlModifier);
  f.view().setFocus();
  f.key(Qt::Key_G, Qt::ControlModifier);
  f.pick("Collection");
  // It is moved as a whole.
  const Vec3 cup = f.object("Cup").transform.position, ball = f.object("Ball").transform.position;
  f.view().setFocus();
  for (Qt::Key key : {Qt::Key_G, Qt::Key_Z, Qt::Key_1, Qt::Key_Return}) f.key(key);
  CHECK(f.object("Cup").transform.position == cup + Vec3(0, 0, 1));
  CHECK(f.object("Ball").transform.position == ball + Vec3(0, 0, 1));
  CHECK(f.object("Tray").transform.position.z() == 0);
  f.key(Qt::Key_Period);
  f.shot("collection-properties");
  f.tree().setFocus();
  QTest::keyClick(&f.tree(), Qt::Key_Slash);
  CHECK(f.view().render_list().meshes.size() == 2);
  // What is added meanwhile is seen, and gone again with its step; a scene that is opened is seen whole.
  f.view().setFocus();
  f.menu("Add", "add.box");
  CHECK(f.view().render_list().meshes.size() == 3);
  f.Window::open(table_scene());
  CHECK_FALSE(f.action("view.isolate")->isChecked());
  CHECK(f.view().render_list().meshes.size() == all);
}

TEST_CASE("Flow: dropped onto an object, a row gets it as its parent, and goes with it", "[ui][flow][outliner]") {
  OutlinerFlow f;
  const std::string start = scene_to_text(f.scene());
  const Vec3 cup = f.object("Cup").transform.position;
  f.drag_row("Cup", f.onto("Tray"), "parent-drag");
  CHECK(f.above("Cup") == "Tray");
  CHECK(f.document().undo_stack()->undoText() == "Parent Cup to Tray");
  CHECK(f.object("Cup").transform.position == cup);
  f.drag_row("Plate", f.onto("Tray"));
  f.pick("Tray");
  f.view().setFocus();
  f.key(Qt::Key_G);
  f.key(Qt::Key_Y);
  f.key(Qt::Key_2);
  f.key(Qt::Key_Return);
  CHECK((f.object("Cup").transform.position - cup - Vec3(0, 2, 0)).norm() < 1e-12);
  CHECK(f.document().undo_stack()->count() == 3);
  f.shot("parents");
  // What moves by itself goes with nobody, and that is said.
  f.drag_row("Ball", f.onto("Tray"));
  CHECK(f.object("Ball").parent == 0);
  REQUIRE(wait_for([&] { return !f.window.messages()->text().isEmpty(); }));
  CHECK(f.window.messages()->text() ==
        "Ball moves by itself; only a fixed object can have a parent. Make it fixed first.");
  // By keys.
  f.pick("Cup");
  f.view().setFocus();
  f.key(Qt::Key_P, Qt::AltModifier);
  CHECK(f.above("Cup") == "");
  CHECK((f.object("Cup").transform.position - cup - Vec3(0, 2, 0)).norm() < 1e-12);
  f.selection().set({f.id("Cup"), f.id("Ball")}, f.id("Ball"));
  f.view().setFocus();
  f.key(Qt::Key_P, Qt::ControlModifier);
  CHECK(f.above("Cup") == "Ball");
  f.pick("Cup");
  auto* note = f.window.findChild<QLabel*>("family_line_note");
  REQUIRE(note);
  CHECK(wait_for([&] { return note->isVisible(); }));
  CHECK(note->text() == "Carried by Ball, so it touches nothing, whatever stands under Contact.");
  f.shot("carried");
  (void)back_and_forth(f, start);
}

TEST_CASE("Flow: branches that were closed stay closed, and what is searched is found in them",
          "[ui][flow][outliner]") {
  OutlinerFlow f;
  Scene scene = table_scene();
  for (const auto& [id, name, in] :
       {std::tuple(20, "Room", 0), std::tuple(21, "Table", 20), std::tuple(22, "Toys", 0)}) {
    Collection collection;
    collection.id = Id{static_cast<std::uint64_t>(id)};
    collection.name = name;
    collection.collection = static_cast<std::uint64_t>(in);
    if (id == 21) collection.colour = Vec3(0.47, 0.72, 0.90);
    if (id == 22) collection.colour = Vec3(0.60, 0.80, 0.50);
    scene.collections.push_back(Shared<Collection>(collection));
  }
  for (const auto& [name, in, parent] :
       {std::tuple("Floor", 20, ""), std::tuple("Tray", 21, ""), std::tuple("Cup", 0, "Tray"),
        std::tuple("Plate", 0, "Tray"), std::tuple("Ball", 22, "")})
    scene = with_object(scene, id_of(scene, name), [&scene, in = in, parent = parent](Object& o) {
      o.collection = static_cast<std::uint64_t>(in);
      o.parent = id_of(scene, parent).value;
    });
  f.Window::open(scene);
  f.selection().select_only(f.id("Cup"));
  f.window.resizeDocks({f.window.findChild<QDockWidget*>("outliner")}, {320}, Qt::Vertical);
  QTest::qWait(30);
  f.shot("outliner", f.window.findChild<QDockWidget*>("outliner"));
  const auto arrow = [&](const char* name) { return QPoint(f.row(name).left() - 8, f.row(name).center().y()); };
  const auto open = [&](const char* name) { return f.tree().isExpanded(f.panel().index_of(f.id(name))); };
  REQUIRE(open("Table"));
  QTest::mouseClick(f.tree().viewport(), Qt::LeftButton, {}, arrow("Table"));
  CHECK_FALSE(open("Table"));
  CHECK(f.selection().ids() == std::set<Id>{f.id("Cup")});
  // Edits that change the tree, undo too; what is selected is not dragged into sight by them.
  REQUIRE(f.document().edit("Delete", without(f.scene(), f.id("Ball"))).ok());
  f.document().undo_stack()->undo();
  CHECK_FALSE(open("Table"));
  CHECK(open("Room"));
  QTest::mouseClick(f.panel().filter(), Qt::LeftButton);
  QTest::keyClicks(f.panel().filter(), "plate");
  CHECK(open("Table"));
  CHECK(f.tree().model()->rowCount() == 1);
  CHECK(f.above("Plate") == "Tray");
  f.panel().filter()->clear();
  CHECK_FALSE(open("Table"));
  // Clicked in the view, it is shown where it is.
  f.selection().select_only(f.id("Plate"));
  CHECK(open("Table"));
}

TEST_CASE("Flow: what a body carries is seen, and clicked, where the body is", "[ui][flow][outliner]") {
  OutlinerFlow f;
  f.selection().set({f.id("Cup"), f.id("Ball")}, f.id("Ball"));
  f.key(Qt::Key_P, Qt::ControlModifier);
  REQUIRE(complete(f.playback()));
  f.playback().set_frame(30);
  REQUIRE(wait_for([&] { return f.view().displayed_frame() && f.view().displayed_frame()->index == 30; }));
  const FramePtr frame = f.view().displayed_frame();
  const Vec3 ball = frame->find(f.id("Ball"))->position.cast<double>(),
             cup = frame->find(f.id("Cup"))->position.cast<double>();
  CHECK((cup - f.object("Cup").transform.position).norm() > 0.05);
  CHECK((ball - f.object("Ball").transform.position).norm() > 0.05);
  f.selection().clear();
  f.click(f.pixel(cup));
  CHECK(f.selection().ids() == std::set<Id>{f.id("Cup")});
  f.shot("carried-frame");
}

}  // namespace flow_outliner_test
