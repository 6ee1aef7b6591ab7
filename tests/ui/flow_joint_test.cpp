// Joints as a person has them, in the real window by mouse: each kind by clicking, a chain by one command, moved, deleted with a body,
// duplicated, saved and reopened, and what is wrong with one put right by a click.
#include <QComboBox>
#include <QListView>
#include <QTreeView>

#include "core/scene/derived/joined.h"
#include "render/joint_symbols.h"
#include "tests/ui/flow_support.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/joint_commands.h"
#include "ui/model/last_operation.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/outliner_panel.h"
#include "ui/panels/properties_panel.h"
#include "ui/viewport/joining.h"

namespace flow_joint_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct JointFlow : Flow {
  UiContext& context() { return window.context(); }
  const Joint& joint() { return *scene().joints.back(); }
  JointPlaces places(const Joint& of) {
    const auto at = joint_places(scene(), of);
    REQUIRE(at);
    return *at;
  }
  std::string undo_text() { return document().undo_stack()->undoText().toStdString(); }
  int steps() { return document().undo_stack()->index(); }
  Id id(const char* name) {
    const Id found = id_of(scene(), name);
    REQUIRE(found);
    return found;
  }

  /// A floor and as many boxes in a row as are wanted, from the front, Box A the first.
  void stage(int boxes, double apart = 0.8, float distance = 6) {
    Scene made = make_new_scene();
    for (int i = 0; i < boxes; ++i) {
      Object box = make_object(next_id(made).value, std::string("Box ") + static_cast<char>('A' + i),
                               {PrimitiveShape::box, Vec3(0.5, 0.5, 0.5), {1, 1, 1}},
                               Vec3((i - 0.5 * (boxes - 1)) * apart, 1.5, 0));
      box.material = material_from(i % 2 ? "yellow plastic" : "cyan plastic");
      made.objects.push_back(box);
    }
    made.settings.last_frame = 30;
    Flow::Window::open(made);
    ViewCamera camera;
    camera.target = {0, 1.2f, 0};
    camera.distance = distance;
    camera.yaw = 0.25f;
    camera.pitch = 0.2f;
    view().camera() = camera;
    view().setFocus();
    QTest::qWait(5);
    key(Qt::Key_W);  // no handles in the way of clicks
  }
  /// A point of the front of a box, away from its corners.
  Vec3 front(const char* name, const Vec3& beside = Vec3(-0.12, 0.08, 0)) {
    return object(name).transform.position + beside + Vec3(0, 0, 0.25);
  }
  void begin(Qt::Key kind) {
    if (!view().joining().on()) key(Qt::Key_J, Qt::ShiftModifier);
    REQUIRE(view().joining().on());
    key(kind);
  }
  std::vector<QPushButton*> remedies() {
    auto* list = window.findChild<QListView*>("diagnostics_list");
    REQUIRE(list);
    std::vector<QPushButton*> found;
    for (int row = 0; row < list->model()->rowCount(); ++row)
      if (QWidget* widget = list->indexWidget(list->model()->index(row, 0)))
        for (QPushButton* button : widget->findChildren<QPushButton*>("remedy")) found.push_back(button);
    return found;
  }
};

/// The text of a scene but for where the panels are.
std::string without_layout(Scene scene) {
  scene.layout.clear();
  return scene_to_text(scene);
}

constexpr double kPixelAway = 0.02;  // m: what two pixels are in this view

}  // namespace

TEST_CASE("Flow: each kind of joint is made by clicking two points, and a gear by clicking two hinges",
          "[ui][flow][joints]") {
  JointFlow f;
  f.stage(2, 1.2);
  const std::string start = scene_to_text(f.scene());
  const Id a = f.id("Box A"), b = f.id("Box B");
  const Qt::Key keys[] = {Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4, Qt::Key_5, Qt::Key_6};
  for (std::size_t kind = 0; kind < std::size(keys); ++kind) {
    f.begin(keys[kind]);
    const Vec3 first = f.front("Box A"), second = f.front("Box B");
    CHECK(f.view().hint().contains("first object"));
    f.click(f.pixel(first));
    REQUIRE(f.view().joining().first());
    CHECK(f.view().hint().contains("another object"));
    f.move_to(f.pixel(second));
    f.click(f.pixel(second));
    REQUIRE(f.scene().joints.size() == kind + 1);
    CHECK(f.joint().kind == static_cast<JointKind>(kind));
    CHECK(f.joint().a.object == a.value);
    CHECK(f.joint().b.object == b.value);
    CHECK((f.places(f.joint()).a - first).norm() < kPixelAway);
    if (has_two_places(f.joint().kind)) CHECK((f.places(f.joint()).b - second).norm() < kPixelAway);
    CHECK(f.undo_text() == "Join Box A and Box B");
    CHECK(f.steps() == static_cast<int>(kind) + 1);
    CHECK(f.selection().ids() == std::set<Id>{f.joint().id});
    CHECK(f.view().joining().on());  // the next one may be clicked at once
  }
  // Seen from the front a hinge turns in the plane of the view.
  CHECK((f.places(*f.scene().joints[1]).axis() - Vec3::UnitZ()).norm() < 1e-9);
  CHECK((f.places(*f.scene().joints[2]).axis() - Vec3::UnitY()).norm() < 1e-9);
  back_and_forth(f, start);

  // Beside all objects is the world: the pivot of a pendulum first, then what hangs on it.
  while (f.document().undo_stack()->canUndo()) f.key(Qt::Key_Z, Qt::ControlModifier);
  f.begin(Qt::Key_2);
  f.click(f.pixel(Vec3(0, 2.4, 0)));
  CHECK(f.view().hint().contains("holds to the world"));
  f.click(f.pixel(f.front("Box A")));
  REQUIRE(f.scene().joints.size() == 1);
  CHECK(f.joint().a.object == 0);
  CHECK(f.joint().b.object == a.value);
  CHECK((f.pixel(f.joint().a.place) - f.pixel(Vec3(0, 2.4, 0))).manhattanLength() < 1);
  CHECK(f.undo_text() == "Join Box A to the World");
  // The other way round it is where the object was clicked.
  f.click(f.pixel(f.front("Box B")));
  f.click(f.pixel(Vec3(0.3, 2.4, 0)));
  REQUIRE(f.scene().joints.size() == 2);
  CHECK(f.joint().a.object == 0);
  CHECK(f.joint().b.object == b.value);
  CHECK((f.joint().a.place - f.front("Box B")).norm() < kPixelAway);
  // An object is not joined to itself, nor the world to the world; both are said and nothing is made.
  int refused = 0;
  QObject::connect(&f.document(), &DocumentController::refused, &f.view(), [&] { ++refused; });
  f.click(f.pixel(f.front("Box B", Vec3(-0.1, 0.1, 0))));
  f.click(f.pixel(f.front("Box B", Vec3(0.1, -0.1, 0))));
  CHECK(refused == 1);
  f.key(Qt::Key_Escape);
  CHECK(f.view().joining().on());
  CHECK_FALSE(f.view().joining().first());
  f.click(f.pixel(Vec3(0, 2.4, 0)));
  f.click(f.pixel(Vec3(0.5, 2.4, 0)));
  CHECK(refused == 2);
  CHECK(f.scene().joints.size() == 2);
  f.key(Qt::Key_Escape);

  // The two hinges, by their symbols.
  const Id first = f.scene().joints[0]->id, second = f.scene().joints[1]->id;
  f.key(Qt::Key_7);
  for (const Id hinge : {first, second}) f.click(f.pixel(f.places(*find_joint(f.scene(), hinge)).a));
  REQUIRE(f.scene().joints.size() == 3);
  CHECK(f.joint().kind == JointKind::gear);
  CHECK(f.joint().first == first.value);
  CHECK(f.joint().second == second.value);
  CHECK(f.undo_text() == "Gear Hinge and Hinge 2");
  f.key(Qt::Key_Escape);
  CHECK_FALSE(f.view().joining().on());
  f.shot("joint_gear");
}

TEST_CASE("Flow: a click near a corner or a middle joins there, with Ctrl where the mouse is", "[ui][flow][joints]") {
  JointFlow f;
  f.stage(2, 1.2, 4);
  REQUIRE(complete(f.playback()));
  f.playback().set_frame(20);
  f.begin(Qt::Key_5);
  CHECK(f.playback().frame() == 0);  // things are joined as they lie at the start
  f.playback().set_frame(10);
  f.click(f.pixel(f.front("Box A")));
  CHECK(f.playback().frame() == 0);
  CHECK_FALSE(f.view().joining().first());
  const Vec3 corner = f.object("Box A").transform.position + Vec3(0.25, 0.25, 0.25);
  const QPointF near = f.pixel(corner) + QPointF(-4, 4);
  f.move_to(near);
  CHECK(f.view().joining().aim_at(near, false).snap == Joining::Snap::vertex);
  f.click(near);
  const QPointF middle = f.pixel(f.object("Box B").transform.position) + QPointF(3, 2);
  f.move_to(middle);
  f.shot("joint_clicking");
  CHECK(f.view().joining().aim_at(middle, false).snap == Joining::Snap::middle);
  CHECK(f.view().joining().aim_at(middle, true).snap == Joining::Snap::surface);
  f.click(middle);
  REQUIRE(f.scene().joints.size() == 1);
  CHECK((f.places(f.joint()).a - corner).norm() < 1e-6);
  CHECK(f.joint().b.place.norm() < 1e-6);
  f.click(near, Qt::ControlModifier);
  f.click(middle, Qt::ControlModifier);
  REQUIRE(f.scene().joints.size() == 2);
  CHECK((f.places(f.joint()).a - corner).norm() > 1e-3);
}

TEST_CASE("Flow: five boxes become a chain by one command, which can be adjusted", "[ui][flow][joints]") {
  JointFlow f;
  f.stage(5, 0.55);
  const std::string start = scene_to_text(f.scene());
  // By a box over them: from one to the nearest.
  f.drag(&f.view(), f.pixel(Vec3(-1.9, 2.1, 0)), f.pixel(Vec3(1.9, 1.0, 0)));
  REQUIRE(f.selection().ids().size() == 5);
  f.move_to(f.pixel(Vec3(0, 2.4, 0)));
  f.key(Qt::Key_J, Qt::ControlModifier);
  auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  REQUIRE(menu);
  f.shot("joint_menu");
  Flow::click_in(menu, menu->actionGeometry(f.action("object.join_ball")).center());
  QTest::qWait(10);
  REQUIRE(f.scene().joints.size() == 4);
  CHECK(f.undo_text() == "Join 5 Objects in a Row");
  CHECK(f.steps() == 1);
  CHECK(hanging_together(f.scene(), f.id("Box A")).size() == 4);
  std::set<std::pair<std::uint64_t, std::uint64_t>> joined;
  for (const auto& joint : f.scene().joints) {
    joined.insert(std::minmax(joint->a.object, joint->b.object));
    // In the middle of the gap.
    const Vec3 middle = 0.5 * (find_object(f.scene(), Id{joint->a.object})->transform.position +
                               find_object(f.scene(), Id{joint->b.object})->transform.position);
    CHECK((f.places(*joint).a - middle).norm() < 1e-9);
  }
  for (char box = 'A'; box < 'E'; ++box) {
    const std::string one = std::string("Box ") + box, next = std::string("Box ") + static_cast<char>(box + 1);
    CHECK(joined.count(std::minmax(f.id(one.c_str()).value, f.id(next.c_str()).value)) == 1);
  }
  f.shot("joint_chain");
  // Other numbers make it anew, as the same step.
  const Operation* done = f.document().last_operation().operation();
  REQUIRE(done);
  for (std::size_t row = 0; row < done->row_count(); ++row)
    if (done->spec(row).path == "kind") CHECK(f.document().last_operation().adjust(row, std::int64_t{1}).isEmpty());
  CHECK(f.steps() == 1);
  REQUIRE(f.scene().joints.size() == 4);
  for (const auto& joint : f.scene().joints) CHECK(joint->kind == JointKind::hinge);
  CHECK((f.places(f.joint()).axis().cwiseAbs() - Vec3::UnitZ()).norm() < 1e-9);  // level, across the row
  back_and_forth(f, start);

  // One by one in another order.
  f.key(Qt::Key_Z, Qt::ControlModifier);
  for (const char* name : {"Box B", "Box D", "Box A"})
    f.click(f.pixel(f.front(name)), f.selection().empty() || name[4] == 'B' ? Qt::NoModifier : Qt::ShiftModifier);
  f.submenu("Object", "object.join_rope");
  REQUIRE(f.scene().joints.size() == 2);
  CHECK(f.scene().joints[0]->a.object == f.id("Box B").value);
  CHECK(f.scene().joints[0]->b.object == f.id("Box D").value);
  CHECK(f.scene().joints[1]->b.object == f.id("Box A").value);
  CHECK(f.undo_text() == "Join 3 Objects in a Row");
}

TEST_CASE("Flow: a joint is clicked, moved and turned, goes with its first body, and stays where it is on another one",
          "[ui][flow][joints]") {
  JointFlow f;
  f.stage(2, 0.6);
  f.click(f.pixel(f.front("Box A")));
  f.click(f.pixel(f.front("Box B")), Qt::ShiftModifier);
  f.submenu("Object", "object.join_hinge");
  REQUIRE(f.scene().joints.size() == 1);
  const Id joint = f.joint().id;
  const Vec3 at = f.places(f.joint()).a;
  CHECK((at - Vec3(0, 1.5, 0)).norm() < 1e-9);
  f.key(Qt::Key_A, Qt::AltModifier);
  REQUIRE(f.selection().empty());
  // Its symbol is over the boxes, and is clicked before them.
  f.click(f.pixel(at));
  REQUIRE(f.selection().ids() == std::set<Id>{joint});
  f.shot("joint_hinge");
  // By a small box too.
  f.key(Qt::Key_A, Qt::AltModifier);
  f.drag(&f.view(), f.pixel(at) + QPointF(-9, -14), f.pixel(at) + QPointF(9, 14));
  REQUIRE(f.selection().ids() == std::set<Id>{joint});
  f.key(Qt::Key_F2);
  auto* name = f->findChild<QLineEdit*>("rename_field");
  REQUIRE(name);
  QTest::keyClicks(name, "Door");
  QTest::keyClick(name, Qt::Key_Return);
  CHECK(f.joint().name == "Door");
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.joint().name == "Hinge");
  f.view().setFocus();
  f.key(Qt::Key_G);
  for (const Qt::Key key : {Qt::Key_Y, Qt::Key_Period, Qt::Key_2, Qt::Key_Return}) f.key(key);
  CHECK((f.places(f.joint()).a - at - Vec3(0, 0.2, 0)).norm() < 1e-9);
  CHECK(f.undo_text() == "Move Hinge");
  f.key(Qt::Key_R);
  for (const Qt::Key key : {Qt::Key_X, Qt::Key_9, Qt::Key_0, Qt::Key_Return}) f.key(key);
  CHECK((f.places(f.joint()).axis().cwiseAbs() - Vec3::UnitY()).norm() < 1e-9);
  CHECK((f.places(f.joint()).a - at - Vec3(0, 0.2, 0)).norm() < 1e-9);
  // A body takes the end that is on it along; the joint is where its first end is.
  f.click(f.pixel(f.front("Box A", Vec3(-0.1, -0.1, 0))));
  REQUIRE(f.selection().active() == f.id("Box A"));
  f.key(Qt::Key_G);
  for (const Qt::Key key : {Qt::Key_Z, Qt::Key_1, Qt::Key_Return}) f.key(key);
  CHECK((f.places(f.joint()).a - at - Vec3(0, 0.2, 1)).norm() < 1e-9);
  f.key(Qt::Key_Z, Qt::ControlModifier);

  // The world instead of its first object, in Properties: it stays where it is.
  f.click(f.pixel(f.places(f.joint()).a));
  REQUIRE(f.selection().active() == joint);
  f.tab("properties");
  FieldForm* form = f.window.findChild<PropertiesPanel*>()->form("joints");
  REQUIRE(form);
  const auto row = [&](std::string_view path) {
    const auto fields = joint_fields();
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (fields[i].path == path) return static_cast<int>(i);
    return -1;
  };
  auto* end = f.sight(form->widget(row("a.object")))->findChild<QComboBox*>();
  REQUIRE(end);
  CHECK(end->currentText() == "Box A");
  CHECK(end->itemText(0) == "The world");
  end->setFocus();
  for (int up = end->currentIndex(); up > 0; --up) QTest::keyClick(end, Qt::Key_Up);  // by way of Floor
  QTest::qWait(5);
  CHECK(f.joint().a.object == 0);
  CHECK((f.places(f.joint()).a - at - Vec3(0, 0.2, 0)).norm() < 1e-9);
  f.shot("joint_properties");
  f.view().setFocus();
}

TEST_CASE("Flow: a joint that is saved is the same again; it is hidden, and goes with its body", "[ui][flow][joints]") {
  JointFlow f;
  f.stage(2, 0.6);
  f.click(f.pixel(f.front("Box A")));
  f.click(f.pixel(f.front("Box B")), Qt::ShiftModifier);
  f.submenu("Object", "object.join_slider");
  REQUIRE(f.scene().joints.size() == 1);
  const Id joint = f.joint().id;
  QTemporaryDir folder;
  const QString file = folder.filePath("joined.json");
  answer_file_dialog(file);
  f.menu("File", "file.save_as");
  REQUIRE(wait_for([&] { return QFile::exists(file) && f.document().undo_stack()->isClean(); }));
  const std::string saved = without_layout(f.scene());
  f.open(file);
  REQUIRE(f.scene().joints.size() == 1);
  CHECK(without_layout(f.scene()) == saved);

  // Hidden, it cannot be clicked; shown again it can; and it goes with its body.
  f.view().setFocus();
  const QPointF pixel = f.pixel(f.places(f.joint()).a);
  f.click(pixel);
  REQUIRE(f.selection().active() == joint);
  f.key(Qt::Key_H);
  CHECK_FALSE(f.joint().visible);
  f.click(pixel);
  CHECK(f.selection().active() != joint);
  f.key(Qt::Key_H, Qt::AltModifier);
  CHECK(f.joint().visible);
  f.key(Qt::Key_H, Qt::ShiftModifier);  // none is drawn
  f.click(pixel);
  CHECK(f.selection().active() != joint);
  f.key(Qt::Key_H, Qt::ShiftModifier);
  f.click(pixel);
  CHECK(f.selection().active() == joint);
  f.click(f.pixel(f.front("Box B", Vec3(0.1, -0.15, 0))));
  REQUIRE(f.selection().active() == f.id("Box B"));
  f.key(Qt::Key_X);
  CHECK(f.scene().joints.empty());
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.scene().joints.size() == 1);
}

TEST_CASE("Flow: duplicated bodies are joined as the originals are", "[ui][flow][joints]") {
  JointFlow f;
  f.stage(2, 0.6);
  f.click(f.pixel(f.front("Box A")));
  f.click(f.pixel(f.front("Box B")), Qt::ShiftModifier);
  f.submenu("Object", "object.join_hinge");
  const std::string start = scene_to_text(f.scene());
  f.click(f.pixel(f.front("Box A", Vec3(-0.1, -0.1, 0))));
  f.click(f.pixel(f.front("Box B", Vec3(0.1, -0.1, 0))), Qt::ShiftModifier);
  REQUIRE(f.selection().ids().size() == 2);
  f.key(Qt::Key_D, Qt::ShiftModifier);
  f.key(Qt::Key_Escape);
  REQUIRE(f.scene().joints.size() == 2);
  REQUIRE(f.scene().objects.size() == 5);
  CHECK(f.joint().name == "Hinge 2");
  CHECK(find_object(f.scene(), Id{f.joint().a.object})->name == "Box A 2");
  CHECK(find_object(f.scene(), Id{f.joint().b.object})->name == "Box B 2");
  CHECK(f.selection().contains(f.joint().id));
  const Vec3 way = f.object("Box A 2").transform.position - f.object("Box A").transform.position;
  CHECK((f.places(f.joint()).a - f.places(*f.scene().joints[0]).a - way).norm() < 1e-9);
  // All of the copy moves as one.
  f.key(Qt::Key_G);
  for (const Qt::Key key : {Qt::Key_Y, Qt::Key_1, Qt::Key_Return}) f.key(key);
  CHECK((f.places(f.joint()).a - f.places(*f.scene().joints[0]).a - way - Vec3(0, 1, 0)).norm() < 1e-9);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(scene_to_text(f.scene()) == start);
}

TEST_CASE("Flow: every kind has a symbol, with limits and motors", "[ui][flow][joints]") {
  JointFlow f;
  f.stage(7, 0.75);
  Scene all = f.scene();
  for (int kind = 0; kind < 7; ++kind) {
    Joint joint;
    joint.id = next_id(all);
    joint.kind = static_cast<JointKind>(kind);
    joint.name = unique_name(all, joint_name(joint.kind).toStdString());
    joint.b.object = f.id((std::string("Box ") + static_cast<char>('A' + kind)).c_str()).value;
    const Vec3 box = find_object(all, Id{joint.b.object})->transform.position;
    joint.a.place = box + Vec3(0, has_two_places(joint.kind) ? 0.9 : 0.3, 0.25);
    joint.b.place = Vec3(0, 0.3, 0.25);
    joint.limited = has_axis(joint.kind);
    joint.motor = joint.kind == JointKind::slider;
    joint.least_way = -0.2;
    joint.most_way = 0.4;
    if (joint.kind == JointKind::slider) joint.turn = turn_to(Vec3::UnitX());
    if (joint.kind == JointKind::rope) {
      joint.measured = false;
      joint.length = 0.9;
    }
    if (joint.kind == JointKind::gear) {
      joint.b.object = 0;
      joint.first = all.joints.at(1)->id.value;
      Joint hinge = *all.joints.at(1);
      hinge.id = Id{joint.id.value + 1};
      hinge.name = "Hinge 2";
      hinge.limited = false;
      hinge.motor = true;
      hinge.a.place = box + Vec3(0, 0.3, 0.25);
      hinge.b.object = f.id("Box G").value;
      joint.second = hinge.id.value;
      all.joints.push_back(hinge);
    }
    all.joints.push_back(joint);
  }
  f.Flow::Window::open(all);
  ViewCamera camera;
  camera.target = {0, 1.6f, 0};
  camera.distance = 5.2f;
  camera.yaw = 0.5f;
  camera.pitch = 0.25f;
  f.view().camera() = camera;
  QTest::qWait(20);
  std::set<Id> seen;
  for (const PickSymbol& symbol : f.view().render_list().symbols)
    if (find_joint(f.scene(), symbol.id)) seen.insert(symbol.id);
  CHECK(seen.size() == 8);
  f.shot("joint_symbols");
}

TEST_CASE("Flow: while it plays a joint is drawn where its body is", "[ui][flow][joints]") {
  JointFlow f;
  f.stage(2, 0.6);
  f.click(f.pixel(f.front("Box A")));
  f.click(f.pixel(f.front("Box B")), Qt::ShiftModifier);
  f.submenu("Object", "object.join_ball");
  REQUIRE(complete(f.playback()));
  f.playback().set_frame(20);
  QTest::qWait(20);
  const FramePtr frame = f.view().displayed_frame();
  REQUIRE(frame);
  REQUIRE(frame->index == 20);
  const ObjectFrame* box = frame->find(f.id("Box A"));
  REQUIRE(box);
  const Vec3 there = box->position.cast<double>() + box->rotation.cast<double>() * f.joint().a.place;
  CHECK((there - f.places(f.joint()).a).norm() > 0.1);  // it has fallen
  bool drawn = false;
  for (const PickSymbol& symbol : f.view().render_list().symbols)
    if (symbol.id == f.joint().id) {
      drawn = true;
      CHECK((Vec3(symbol.points.at(0).x, symbol.points.at(0).y, symbol.points.at(0).z) - there).norm() < 1e-5);
    }
  CHECK(drawn);
}

TEST_CASE("Flow: what is wrong with a joint is said in Problems and put right by a click", "[ui][flow][joints]") {
  JointFlow f;
  f.stage(2, 0.6);
  Scene wrong = f.scene();
  Joint hinge;
  hinge.id = next_id(wrong);
  hinge.name = "Door";
  hinge.kind = JointKind::hinge;
  hinge.a.object = f.id("Box A").value;
  hinge.b.object = f.id("Box B").value;
  hinge.limited = true;
  hinge.least_turn = 1;
  hinge.most_turn = -1;
  wrong.joints.push_back(hinge);
  f.window.resize(1580, 960);
  f.Flow::Window::open(wrong);
  f.tab("diagnostics");
  auto* list = f.window.findChild<QListView*>("diagnostics_list");
  REQUIRE(list);
  REQUIRE(wait_for([&] { return list->model()->rowCount() == 1; }, 3000));
  CHECK(list->model()->index(0, 0).data(DiagnosticsModel::message_role).toString() ==
        "The least turn of Door is above the most; it is held where it is at the start.");
  QTest::qWait(60);
  REQUIRE(f.remedies().size() == 1);
  QPushButton* swap = f.remedies()[0];
  CHECK(swap->text() == "Swap the limits");
  Flow::click_in(swap, swap->rect().center());
  QTest::qWait(20);
  CHECK(f.joint().least_turn == -1);
  CHECK(f.joint().most_turn == 1);
  CHECK(list->model()->rowCount() == 0);
  CHECK(f.undo_text() == "Swap the limits: Door");
  // Both held still: one of them is made to move.
  Scene still = f.scene();
  for (const char* name : {"Box A", "Box B"})
    still = with_object(std::move(still), f.id(name), [](Object& o) { o.body.kind = BodyKind::fixed; });
  REQUIRE(f.document().edit("Still", still).ok());
  REQUIRE(wait_for([&] { return f.remedies().size() == 2; }, 3000));
  CHECK(f.remedies()[0]->text() == "Make Box B rigid");
  f.shot("joint_problem");
  Flow::click_in(f.remedies()[0], f.remedies()[0]->rect().center());
  QTest::qWait(20);
  CHECK(f.object("Box B").body.kind == BodyKind::rigid);
  CHECK(list->model()->rowCount() == 0);
}

}  // namespace flow_joint_test
