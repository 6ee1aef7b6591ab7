// What is asked of joints by mouse beside flow_joint_test.cpp (docs/joint-bars.md): two nodes that are shared, motor, limits and breaking typed,
// a joined body scaled and hidden, a pull by clicking, joints that contradict each other, clay and biscuit.
#include <QCheckBox>
#include <QListView>

#include "core/scene/derived/joined.h"
#include "core/scene/derived/joint_faults.h"
#include "core/scene/derived/tracks.h"
#include "core/sim/elastic/parameters.h"
#include "tests/ui/flow_support.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/properties_panel.h"
#include "ui/viewport/joining.h"

namespace flow_joint_bars_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct BarsFlow : Flow {
  const Joint& joint() { return *scene().joints.back(); }
  std::string undo_text() { return document().undo_stack()->undoText().toStdString(); }
  int steps() { return document().undo_stack()->index(); }

  void stage(std::vector<Object> objects, int last = 30, float distance = 5) {
    Scene made = make_new_scene();
    for (Object& object : objects) {
      object.id = next_id(made);
      made.objects.push_back(Shared<Object>(std::move(object)));
    }
    made.settings.last_frame = last;
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
  FieldWidget* row(const char* path) {
    tab("properties");
    for (FieldWidget* widget : window.findChild<PropertiesPanel*>()->findChildren<FieldWidget*>(path))
      if (widget->isVisible()) return sight(widget);
    FAIL("no such row: " << path);
    return nullptr;
  }
  void type(const char* path, const char* number) {
    type_number(number_of(row(path)), number);
    QTest::qWait(5);
  }
  void tick(const char* path) {
    auto* box = row(path)->findChild<QCheckBox*>();
    REQUIRE(box);
    QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
    QTest::qWait(5);
  }
  const ObjectFrame& at(int frame, const char* name) {
    playback().set_frame(frame);
    REQUIRE(wait_for([&] { return playback().shown() && playback().shown()->index == frame; }, 60000));
    return *playback().shown()->find(object(name).id);
  }
  /// The text of the scene but for where the panels are.
  std::string saved_text() {
    Scene of = scene();
    of.layout.clear();
    return scene_to_text(of);
  }
  void save_and_open(const QString& file) {
    answer_file_dialog(file);
    menu("File", "file.save_as");
    REQUIRE(wait_for([&] { return QFile::exists(file) && document().undo_stack()->isClean(); }));
    open(file);
  }
};

Object plain_box(const char* name, const Vec3& at) {
  Object box = make_object(0, name, {PrimitiveShape::box, Vec3(0.5, 0.5, 0.5), {1, 1, 1}}, at);
  box.material = material_from("cyan plastic");
  return box;
}

/// A beam of two cells, which bends.
Object soft_beam(const char* name, const Vec3& at) {
  Object beam = make_object(0, name, {PrimitiveShape::box, Vec3(0.8, 0.4, 0.4), {2, 1, 1}}, at, BodyKind::flexible);
  beam.analysis.kind = AnalysisKind::box_grid;
  beam.analysis.size = Vec3(0.8, 0.4, 0.4);
  beam.analysis.divisions = {2, 1, 1};
  beam.body.stiffness = 2000;
  return beam;
}

std::size_t nearest_node(const ObjectFrame& of, const Vec3& place) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < of.nodes.size(); ++i)
    if ((of.nodes[i].cast<double>() - place).norm() < (of.nodes[best].cast<double>() - place).norm()) best = i;
  return best;
}

double longest(const ObjectFrame& of) {
  float most = 0;
  for (const Vec3f& a : of.nodes)
    for (const Vec3f& b : of.nodes) most = std::max(most, (a - b).norm());
  return most;
}

}  // namespace

TEST_CASE("Flow: two parts share the nodes that are clicked on both", "[ui][flow][joints]") {
  BarsFlow f;
  f.stage({soft_beam("Left", Vec3(-0.4, 1.5, 0)), soft_beam("Right", Vec3(0.4, 1.5, 0))});
  const std::string start = scene_to_text(f.scene());
  const Vec3 upper(0, 1.7, 0.2), lower(0, 1.3, 0.2);
  f.key(Qt::Key_J, Qt::ShiftModifier);
  f.key(Qt::Key_1);
  for (const Vec3& node : {upper, lower})
    for (const double side : {-0.04, 0.04}) {
      const QPointF mouse = f.pixel(node + Vec3(side, node.y() > 1.5 ? -0.03 : 0.03, 0));
      f.move_to(mouse);
      CHECK(f.view().joining().aim_at(mouse, false).snap == Joining::Snap::node);
      f.click(mouse);
    }
  f.key(Qt::Key_Escape);
  REQUIRE(f.scene().joints.size() == 2);
  CHECK(f.steps() == 2);
  for (const auto& joint : f.scene().joints) {
    CHECK(joint->kind == JointKind::ball);
    CHECK(joint->a.object == id_of(f.scene(), "Left").value);
    CHECK(joint->b.object == id_of(f.scene(), "Right").value);
  }
  f.shot("joint_nodes");
  REQUIRE(complete(f.playback()));
  for (const Vec3& node : {upper, lower}) {
    const std::size_t left = nearest_node(f.at(0, "Left"), node), right = nearest_node(f.at(0, "Right"), node);
    CHECK((f.at(0, "Left").nodes[left].cast<double>() - node).norm() < 1e-5);
    for (const int frame : {10, 30})
      CHECK((f.at(frame, "Left").nodes[left] - f.at(frame, "Right").nodes[right]).norm() < 1e-5f);
  }
  f.playback().set_frame(0);
  back_and_forth(f, start);
}

TEST_CASE("Flow: motor, limits and breaking are typed in Properties, and do what they say", "[ui][flow][joints]") {
  BarsFlow f;
  f.stage({plain_box("Box", Vec3(0, 1.5, 0))}, 60);
  const std::string start = scene_to_text(f.scene());
  f.click(f.pixel(Vec3(-0.1, 1.55, 0.25)));
  f.submenu("Object", "object.join_hinge");
  REQUIRE(f.scene().joints.size() == 1);
  f.tick("motor");
  CHECK(f.joint().motor);
  f.type("motor_turn", "180");
  f.type("motor_torque", "1000");
  CHECK(f.joint().motor_turn == Approx(kPi));
  CHECK(f.joint().motor_torque == 1000);
  f.tick("limited");
  f.type("least_turn", "-10");
  f.type("most_turn", "90");
  CHECK(f.joint().most_turn == Approx(kPi / 2));
  f.shot("joint_motor");
  REQUIRE(complete(f.playback()));
  const auto turned = [&](int frame) {  // by
    return Eigen::AngleAxisf(f.at(frame, "Box").rotation).angle();
  };
  CHECK(turned(15) == Approx(kPi / 4).epsilon(0.02));  // a quarter of a second
  CHECK(turned(60) == Approx(kPi / 2).epsilon(1e-5));  // at its limit
  // What holds less than the weight breaks.
  f.playback().set_frame(0);
  f.type("break_force", "1");
  CHECK(f.joint().break_force == 1);
  REQUIRE(complete(f.playback()));
  CHECK(f.at(30, "Box").position.y() < 1.2f);
  f.playback().set_frame(0);
  back_and_forth(f, start);
}

TEST_CASE("Flow: a joined body is scaled and hidden, each one step, and is saved and opened as it is",
          "[ui][flow][joints]") {
  BarsFlow f;
  f.stage({plain_box("Box A", Vec3(-0.3, 1.5, 0)), plain_box("Box B", Vec3(0.3, 1.5, 0))});
  f.click(f.pixel(Vec3(-0.42, 1.58, 0.25)));
  f.click(f.pixel(Vec3(0.18, 1.58, 0.25)), Qt::ShiftModifier);
  f.submenu("Object", "object.join_hinge");
  REQUIRE(f.scene().joints.size() == 1);
  const Vec3 own = f.joint().a.place;
  const Vec3 first = f.object("Box A").transform.position;
  REQUIRE(f.joint().a.object == id_of(f.scene(), "Box A").value);
  const int steps = f.steps();
  f.click(f.pixel(Vec3(-0.42, 1.42, 0.25)));
  REQUIRE(f.selection().active() == id_of(f.scene(), "Box A"));
  f.key(Qt::Key_S);
  for (const Qt::Key key : {Qt::Key_2, Qt::Key_Return}) f.key(key);
  CHECK(f.steps() == steps + 1);
  CHECK(f.object("Box A").transform.scale.isApprox(Vec3(2, 2, 2)));
  // It is at the same place of the larger box.
  CHECK((f.joint().a.place - own).norm() < 1e-12);
  const auto places = joint_places(f.scene(), f.joint());
  REQUIRE(places);
  CHECK((places->a - first - 2 * own).norm() < 1e-12);
  CHECK(joint_faults(f.scene()).empty());
  REQUIRE(complete(f.playback()));
  const std::uint64_t before = f.playback().cache().frame(20)->state_hash;
  // Hidden, it is held as it was, and nothing is computed anew.
  f.key(Qt::Key_H);
  CHECK(f.steps() == steps + 2);
  CHECK_FALSE(f.object("Box A").visible);
  REQUIRE(f.playback().cache().frame(20));
  CHECK(f.playback().cache().frame(20)->state_hash == before);
  QTemporaryDir folder;
  const std::string saved = f.saved_text();
  f.save_and_open(folder.filePath("scaled.json"));
  CHECK(f.saved_text() == saved);
  REQUIRE(complete(f.playback()));
  CHECK(f.playback().cache().frame(20)->state_hash == before);
}

TEST_CASE("Flow: a pull is made by clicking what it pulls and where to", "[ui][flow][joints][pull]") {
  BarsFlow f;
  f.stage({plain_box("Box", Vec3(0, 1.5, 0))}, 60);
  const std::string start = scene_to_text(f.scene());
  f.key(Qt::Key_J, Qt::ShiftModifier);
  f.key(Qt::Key_9);
  REQUIRE(f.view().joining().kind() == JointKind::pull);
  CHECK(f.view().hint().contains("shall be pulled"));
  const Vec3 place(-0.12, 1.58, 0.25);
  f.click(f.pixel(place));
  CHECK(f.view().hint().contains("pulled to"));
  const QPointF to = f.pixel(Vec3(0.6, 2.2, 0.25));
  f.move_to(to);
  f.shot("pull_clicking");
  f.click(to);
  REQUIRE(f.scene().joints.size() == 1);
  CHECK(f.joint().kind == JointKind::pull);
  CHECK(f.joint().a.object == id_of(f.scene(), "Box").value);
  CHECK(f.joint().b.object == 0);
  CHECK(f.undo_text() == "Pull Box to a Place");
  CHECK(f.steps() == 1);
  CHECK((f.pixel(f.joint().b.place) - to).manhattanLength() < 2);
  CHECK(joint_faults(f.scene()).empty());
  f.key(Qt::Key_Escape);
  REQUIRE(complete(f.playback()));
  // It hangs below its target by g/ω².
  const ObjectFrame& box = f.at(60, "Box");
  const Vec3 held = box.position.cast<double>() + box.rotation.cast<double>() * f.joint().a.place;
  CHECK((held - f.joint().b.place).norm() < 0.1);
  f.playback().set_frame(0);
  back_and_forth(f, start);
}

TEST_CASE("Flow: fixed joints that contradict each other are told of in one sentence, and one goes by a click",
          "[ui][flow][joints]") {
  BarsFlow f;
  Object bat = plain_box("Bat", Vec3(0.6, 1.5, 0));
  bat.body.kind = BodyKind::fixed;
  f.stage({plain_box("Box", Vec3(-0.1, 1.5, 0)), bat});
  Scene keyed = with_key(f.scene(), id_of(f.scene(), "Bat").value, "transform.position", 0, Vec3(0.6, 1.5, 0));
  keyed = with_key(std::move(keyed), id_of(f.scene(), "Bat").value, "transform.position", 0.5, Vec3(1.2, 1.5, 0));
  REQUIRE(f.document().edit("Keys", keyed).ok());
  f.window.resize(1580, 960);
  f.click(f.pixel(Vec3(-0.2, 1.58, 0.25)));
  f.submenu("Object", "object.join_fixed");
  f.click(f.pixel(Vec3(-0.2, 1.42, 0.25)));
  f.click(f.pixel(Vec3(0.5, 1.58, 0.25)), Qt::ShiftModifier);
  f.submenu("Object", "object.join_fixed");
  REQUIRE(f.scene().joints.size() == 2);
  f.tab("diagnostics");
  auto* list = f.window.findChild<QListView*>("diagnostics_list");
  REQUIRE(list);
  REQUIRE(wait_for([&] { return list->model()->rowCount() == 1; }, 3000));
  CHECK(list->model()->index(0, 0).data(DiagnosticsModel::message_role).toString() ==
        "Fixed Joint 2 holds Box fast to Bat, which goes away from the world, to which it is held fast too; they "
        "cannot both hold.");
  REQUIRE(complete(f.playback()));  // and it runs
  QTest::qWait(60);
  QPushButton* remove = nullptr;
  if (QWidget* widget = list->indexWidget(list->model()->index(0, 0)))
    for (QPushButton* button : widget->findChildren<QPushButton*>("remedy")) remove = button;
  REQUIRE(remove);
  Flow::click_in(remove, remove->rect().center());
  QTest::qWait(20);
  CHECK(f.scene().joints.size() == 1);
  CHECK(list->model()->rowCount() == 0);
  f.view().setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.scene().joints.size() == 2);
}

TEST_CASE("Flow: clay that keeps its dent and a biscuit that breaks are made by typing a number",
          "[ui][flow][plastic]") {
  BarsFlow f;
  Object bar = soft_beam("Bar", Vec3(0, 1.2, 0));
  bar.analysis.divisions = {6, 1, 1};
  bar.body.stiffness = 1000;
  Object edge = plain_box("Edge", Vec3(0, 0.2, 0));
  edge.display.primitive.size = Vec3(0.1, 0.4, 0.8);
  edge.body.kind = BodyKind::fixed;
  f.stage({bar, edge}, 50);
  const std::string start = scene_to_text(f.scene());
  f.selection().select_only(id_of(f.scene(), "Bar"));
  QTest::qWait(20);
  REQUIRE(complete(f.playback()));
  const double sound = longest(f.at(50, "Bar"));
  f.playback().set_frame(0);
  f.type("body.parameters.lagrange.yield", "0.01");
  CHECK(f.undo_text().find("Yield") != std::string::npos);
  CHECK(f.steps() == 1);
  REQUIRE(complete(f.playback()));
  CHECK(f.playback().cache().frame(50)->state_hash != 0);
  const double dented = longest(f.at(50, "Bar"));
  CHECK(std::abs(dented - sound) > 1e-4);
  f.playback().set_frame(0);
  f.type("body.parameters.lagrange.yield", "0");
  f.type("body.parameters.lagrange.breaks", "0.01");
  REQUIRE(complete(f.playback()));
  CHECK(longest(f.at(50, "Bar")) > 1.05 * sound);
  f.playback().set_frame(0);
  back_and_forth(f, start);
}

}  // namespace flow_joint_bars_test
