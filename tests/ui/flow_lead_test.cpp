// Leads as a person has them, in the real window by mouse: along a curve, to a place, by clicking, on a node of what bends; keyed, moved, put
// right where they begin apart; and what they hold with, plotted.
#include <QCheckBox>
#include <QComboBox>
#include <QListView>

#include "core/scene/derived/following.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/joint_faults.h"
#include "core/scene/derived/tracks.h"
#include "tests/ui/flow_support.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/keying.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/plot_view.h"
#include "ui/panels/properties_panel.h"
#include "ui/viewport/joining.h"
#include "ui/widgets/key_button.h"

namespace flow_lead_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kPixelAway = 0.02;  // m: what two pixels are in this view

struct LeadFlow : Flow {
  UiContext& context() { return window.context(); }
  const Joint& lead() { return *scene().joints.back(); }
  JointPlaces places() {
    const auto at = joint_places(context().keying.shown(), *find_joint(context().keying.shown(), lead().id));
    REQUIRE(at);
    return *at;
  }
  std::string undo_text() { return document().undo_stack()->undoText().toStdString(); }
  int steps() { return document().undo_stack()->index(); }
  const Track* track(const char* field) { return find_track(scene(), lead().id.value, field); }

  /// A floor, two boxes, a soft ball and a curve that begins in the middle of the first box.
  void stage() {
    Scene made = make_new_scene();
    const auto add = [&](Object object) {
      object.id = next_id(made);
      made.objects.push_back(Shared<Object>(std::move(object)));
    };
    add(make_object(0, "Box A", {PrimitiveShape::box, Vec3(0.5, 0.5, 0.5), {1, 1, 1}}, Vec3(-1, 1, 0)));
    add(make_object(0, "Box B", {PrimitiveShape::box, Vec3(0.5, 0.5, 0.5), {1, 1, 1}}, Vec3(0.6, 1, 0)));
    Object soft = make_object(0, "Jelly", {PrimitiveShape::sphere, Vec3(0.6, 0.6, 0.6), {16, 8, 1}}, Vec3(1.6, 1, 0),
                              BodyKind::flexible);
    soft.analysis.size = Vec3(0.6, 0.6, 0.6);
    add(soft);
    Curve curve;
    curve.id = next_id(made);
    curve.name = "Way";
    curve.points.resize(3);
    curve.points[1].place = Vec3(0.8, 0.8, 0);
    curve.points[2].place = Vec3(2, 0.6, 0);
    curve.transform.position = Vec3(-1, 1, 0);
    made.curves = {curve};
    made.settings.last_frame = 40;
    Flow::Window::open(made);
    ViewCamera camera;
    camera.target = {0.2f, 1.1f, 0};
    camera.distance = 6;
    camera.yaw = 0.2f;
    camera.pitch = 0.15f;
    view().camera() = camera;
    view().setFocus();
    QTest::qWait(5);
    key(Qt::Key_W);  // no handles in the way of clicks
  }
  Vec3 front(const char* name, const Vec3& beside = Vec3(-0.1, 0.08, 0)) {
    return object(name).transform.position + beside + Vec3(0, 0, 0.25);
  }
  Vec3 on_curve(double along) { return way_of(scene().curves[0])->place(along); }
  FieldWidget* row(std::string_view path) {
    tab("properties");
    FieldForm* form = window.findChild<PropertiesPanel*>()->form("joints");
    REQUIRE(form);
    const auto fields = joint_fields();
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (fields[i].path == path) return sight(form->widget(static_cast<int>(i)));
    FAIL("no such row");
    return nullptr;
  }
  std::vector<QPushButton*> remedies() {
    auto* list = window.findChild<QListView*>("diagnostics_list");
    REQUIRE(list);
    std::vector<QPushButton*> found;
    for (int at = 0; at < list->model()->rowCount(); ++at)
      if (QWidget* widget = list->indexWidget(list->model()->index(at, 0)))
        for (QPushButton* button : widget->findChildren<QPushButton*>("remedy")) found.push_back(button);
    return found;
  }
  bool drawn_at(const Vec3& place) {
    for (const PickSymbol& symbol : view().render_list().symbols) {
      if (symbol.id != lead().id) continue;
      const glm::vec3 at = symbol.points.back();
      return (Vec3(at.x, at.y, at.z) - place).norm() < 1e-4;
    }
    return false;
  }
};

}  // namespace

TEST_CASE("Flow: a box is led along a curve from the frame that is shown", "[ui][flow][joints][leads]") {
  LeadFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  f.playback().set_frame(10);
  f.playback().set_frame(0);
  f.click(f.pixel(f.front("Box A", Vec3(-0.15, -0.15, 0))));
  f.click(f.pixel(f.on_curve(0.8)), Qt::ShiftModifier);
  REQUIRE(f.selection().ids().size() == 2);
  f.submenu("Object", "object.lead_along");
  REQUIRE(f.scene().joints.size() == 1);
  CHECK(f.undo_text() == "Lead Box A along Way");
  CHECK(f.steps() == 1);
  CHECK(f.lead().kind == JointKind::lead);
  CHECK(f.lead().curve == f.scene().curves[0]->id.value);
  CHECK(f.selection().ids() == std::set<Id>{f.lead().id});
  const Track* along = f.track("along");
  REQUIRE(along);
  REQUIRE(along->keys.size() == 2);
  CHECK(along->keys[0].time == 0);
  CHECK(along->keys[1].time == Approx(40 / f.scene().settings.frame_rate));
  CHECK(along->keys[1].value[0] == 1);
  CHECK(jumping_leads(f.scene()).empty());
  // The target is drawn where it is in the frame that is shown, and the field says how far that is.
  f.playback().set_frame(20);
  QTest::qWait(20);
  CHECK((f.places().b - f.on_curve(0.5)).norm() < 1e-9);
  CHECK(f.drawn_at(f.on_curve(0.5)));
  CHECK(f.row("along")->key()->state() == KeyState::elsewhere);
  f.shot("lead_curve");
  // G slides it on the curve: a key.
  f.view().setFocus();
  f.move_to(f.pixel(f.on_curve(0.5)));
  f.key(Qt::Key_G);
  f.move_to(f.pixel(f.on_curve(0.5)) + QPointF(40, 0));
  f.key(Qt::Key_Return);
  REQUIRE(f.track("along")->keys.size() == 3);
  CHECK(f.track("along")->keys[1].value[0] > 0.52);
  CHECK(f.row("along")->key()->state() == KeyState::here);
  back_and_forth(f, start);
  // With its curve it goes.
  f.key(Qt::Key_A, Qt::AltModifier);
  f.click(f.pixel(f.on_curve(0.9)));
  REQUIRE(f.selection().active() == f.scene().curves[0]->id);
  f.key(Qt::Key_X);
  CHECK(f.scene().joints.empty());
  CHECK(f.scene().tracks.empty());
}

TEST_CASE("Flow: a box is led to a place, whose target is moved and keyed", "[ui][flow][joints][leads]") {
  LeadFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  f.click(f.pixel(f.front("Box B")));
  f.move_to(f.pixel(Vec3(0, 2.2, 0)));
  f.key(Qt::Key_J, Qt::ControlModifier);
  auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  REQUIRE(menu);
  f.shot("lead_menu");
  CHECK_FALSE(f.action("object.lead_along")->isEnabled());
  Flow::click_in(menu, menu->actionGeometry(f.action("object.join_lead")).center());
  QTest::qWait(10);
  REQUIRE(f.scene().joints.size() == 1);
  CHECK(f.undo_text() == "Lead Box B to a Place");
  CHECK(f.lead().a.object == id_of(f.scene(), "Box B").value);
  CHECK(f.lead().b.object == 0);
  CHECK((f.lead().b.place - Vec3(0.6, 1, 0)).norm() < 1e-9);
  // I keys the place; then G, with a key, moves all of its keys.
  f.view().setFocus();
  f.key(Qt::Key_I);
  REQUIRE(f.track("b.place"));
  CHECK(f.track("b.place")->keys.size() == 1);
  // With auto-key it is keyed where it goes.
  f.action("key.automatic")->trigger();
  f.playback().set_frame(20);
  f.view().setFocus();
  f.key(Qt::Key_G);
  for (const Qt::Key key : {Qt::Key_Y, Qt::Key_Period, Qt::Key_5, Qt::Key_Return}) f.key(key);
  REQUIRE(f.track("b.place")->keys.size() == 2);
  CHECK(f.track("b.place")->keys[1].value[1] == Approx(1.5));
  CHECK((f.lead().b.place - Vec3(0.6, 1, 0)).norm() < 1e-9);
  CHECK(f.lead().a.place.norm() < 1e-9);
  f.action("key.automatic")->trigger();
  f.key(Qt::Key_G);
  for (const Qt::Key key : {Qt::Key_X, Qt::Key_1, Qt::Key_Return}) f.key(key);
  REQUIRE(f.track("b.place")->keys.size() == 2);
  CHECK(f.track("b.place")->keys[0].value[0] == Approx(1.6));
  CHECK(f.track("b.place")->keys[1].value[0] == Approx(1.6));
  QTest::qWait(20);
  CHECK(f.drawn_at(Vec3(1.6, 1.5, 0)));
  // By its diamond the strictness.
  FieldWidget* strictness = f.row("strictness");
  REQUIRE(strictness->key());
  Flow::click_in(strictness->key(), strictness->key()->rect().center());
  REQUIRE(f.track("strictness"));
  CHECK(f.row("b.place")->key()->isVisible());
  f.shot("lead_properties");
  back_and_forth(f, start);
}

TEST_CASE("Flow: a lead by clicking begins apart, which is told and put right", "[ui][flow][joints][leads]") {
  LeadFlow f;
  f.stage();
  f.key(Qt::Key_J, Qt::ShiftModifier);
  f.key(Qt::Key_8);
  REQUIRE(f.view().joining().kind() == JointKind::lead);
  CHECK(f.view().hint().contains("shall be led"));
  const Vec3 place = f.front("Box B");
  f.click(f.pixel(place));
  CHECK(f.view().hint().contains("where it is led to"));
  const QPointF to = f.pixel(place) + QPointF(30, -70);
  f.move_to(to);
  f.shot("lead_clicking");
  f.click(to);
  REQUIRE(f.scene().joints.size() == 1);
  CHECK(f.lead().a.object == id_of(f.scene(), "Box B").value);
  CHECK(f.lead().b.object == 0);
  CHECK((f.places().a - place).norm() < kPixelAway);
  CHECK((f.pixel(f.places().b) - to).manhattanLength() < 2);
  // On an object: the place of one to a point of the other.
  f.click(f.pixel(f.front("Box A")));
  f.click(f.pixel(f.front("Box B", Vec3(0.1, -0.1, 0))));
  REQUIRE(f.scene().joints.size() == 2);
  CHECK(f.lead().a.object == id_of(f.scene(), "Box A").value);
  CHECK(f.lead().b.object == id_of(f.scene(), "Box B").value);
  f.key(Qt::Key_Escape);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  REQUIRE(f.scene().joints.size() == 1);

  f.window.resize(1580, 960);
  f.tab("diagnostics");
  auto* list = f.window.findChild<QListView*>("diagnostics_list");
  REQUIRE(list);
  REQUIRE(wait_for([&] { return list->model()->rowCount() == 1; }, 3000));
  const QString told = list->model()->index(0, 0).data(DiagnosticsModel::message_role).toString();
  CHECK(told.startsWith("Box B begins 0."));
  CHECK(told.endsWith("m from where Lead leads it: it jumps in the first step."));
  QTest::qWait(60);
  REQUIRE(f.remedies().size() == 2);
  CHECK(f.remedies()[0]->text() == "Move It There");
  CHECK(f.remedies()[1]->text() == "Key the Strictness from 0");
  f.shot("lead_problem");
  Flow::click_in(f.remedies()[0], f.remedies()[0]->rect().center());
  QTest::qWait(20);
  CHECK((f.places().a - f.places().b).norm() < 1e-9);
  CHECK(list->model()->rowCount() == 0);
  f.view().setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  REQUIRE(wait_for([&] { return f.remedies().size() == 2; }, 3000));
  Flow::click_in(f.remedies()[1], f.remedies()[1]->rect().center());
  QTest::qWait(20);
  CHECK(list->model()->rowCount() == 0);
  const Track* strictness = f.track("strictness");
  REQUIRE(strictness);
  REQUIRE(strictness->keys.size() == 2);
  CHECK(strictness->keys[0].value[0] == 0);
  CHECK(strictness->keys[1].value[0] == 1);
}

TEST_CASE("Flow: a click on what bends takes its nearest node", "[ui][flow][joints][leads]") {
  LeadFlow f;
  f.stage();
  f.key(Qt::Key_J, Qt::ShiftModifier);
  f.key(Qt::Key_8);
  const Vec3 middle = f.object("Jelly").transform.position;
  // Anywhere on it, but with Ctrl.
  const QPointF best = f.pixel(middle) + QPointF(14, 9);
  REQUIRE(f.view().joining().aim_at(best, false).snap == Joining::Snap::node);
  f.move_to(best);
  f.shot("lead_node");
  const Joining::Aim aim = f.view().joining().aim_at(best, false);
  f.click(best);
  f.click(f.pixel(middle + Vec3(0, 0.9, 0)));
  REQUIRE(f.scene().joints.size() == 1);
  CHECK((f.places().a - aim.at).norm() < 1e-6);
  CHECK(f.lead().a.object == id_of(f.scene(), "Jelly").value);
  // With Ctrl it is where the mouse is.
  CHECK(f.view().joining().aim_at(best, true).snap == Joining::Snap::surface);
}

TEST_CASE("Flow: what joints hold with is plotted, scrubbed in and written as a table", "[ui][flow][joints][plots]") {
  LeadFlow f;
  f.stage();
  // A box that hangs on a ball joint: its weight.
  f.click(f.pixel(f.front("Box B")));
  f.submenu("Object", "object.join_ball");
  REQUIRE(f.scene().joints.size() == 1);
  REQUIRE(complete(f.playback()));
  f.window.resize(1580, 960);
  f.tab("plots");
  auto* plot = f.window.findChild<PlotView*>();
  REQUIRE(plot);
  REQUIRE(wait_for([&] { return plot->series().size() == 1 && plot->series()[0].values.size() == 41; }, 3000));
  const double weight = f.object("Box B").body.mass * f.scene().settings.gravity.norm();
  CHECK(std::isnan(plot->series()[0].values[0]));
  CHECK(plot->series()[0].values[20] == Approx(weight).epsilon(0.02));
  CHECK(plot->value_label() == "Force, N");
  CHECK(plot->value_range().second > weight);
  CHECK(plot->why().isEmpty());
  CHECK(plot->uncomputed_from() == 40);
  // A press goes to the frame, a drag on.
  const auto press = [&](double frame) {
    auto* inner = plot->findChild<QWidget*>();
    for (QWidget* child : plot->findChildren<QWidget*>())
      if (child->inherits("QCustomPlot")) inner = child;
    f.drag(inner, plot->place_of(frame - 4, weight / 2), plot->place_of(frame, weight / 2));
  };
  press(30);
  CHECK(f.playback().frame() == 30);
  auto* line = f.window.findChild<QLabel*>("properties_joint");
  REQUIRE(line);
  f.tab("properties");
  CHECK(line->text().startsWith("Frame 30: Force "));
  // Along y it pulls the box up; a ball joint has no way.
  auto* quantity = f.window.findChild<QComboBox*>("plot_quantity");
  REQUIRE(quantity);
  quantity->setCurrentIndex(2);
  REQUIRE(plot->series().size() == 1);
  CHECK(std::abs(plot->series()[0].values[20]) == Approx(weight).epsilon(0.02));
  quantity->setCurrentIndex(5);
  CHECK(plot->series().empty());
  CHECK(plot->why() == "What is selected has no way.");
  quantity->setCurrentIndex(0);

  QTemporaryDir folder;
  const QString file = folder.filePath("forces.csv");
  answer_file_dialog(file);
  auto* button = f.window.findChild<QPushButton*>("plot_export");
  REQUIRE(button);
  Flow::click_in(button, button->rect().center());
  REQUIRE(wait_for([&] { return QFile::exists(file); }, 5000));
  QFile table(file);
  REQUIRE(table.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = table.readAll().split('\n');
  CHECK(lines.size() == 43);
  CHECK(lines[0] ==
        "frame,time (s),Ball Joint: force (N),Ball Joint: force x (N),Ball Joint: force y (N),"
        "Ball Joint: force z (N)");
  CHECK(lines[1] == "0,0,,,,");
  CHECK(lines[21].startsWith("20,"));
  CHECK(std::abs(lines[21].split(',')[2].toDouble() - weight) < 0.02 * weight);
  // Nothing of what is selected.
  f.view().setFocus();
  f.key(Qt::Key_A, Qt::AltModifier);
  f.playback().set_frame(0);
  QTest::qWait(20);
  f.click(f.pixel(f.front("Box A", Vec3(-0.15, -0.15, 0))));
  CHECK(plot->series().empty());
  CHECK(plot->why() == "Select joints, or what they hold.");
  // Another line comes with another joint: what it takes to go along the curve.
  f.click(f.pixel(f.on_curve(0.8)), Qt::ShiftModifier);
  f.submenu("Object", "object.lead_along");
  REQUIRE(f.scene().joints.size() == 2);
  REQUIRE(complete(f.playback()));
  f.playback().set_frame(20);
  f.key(Qt::Key_A, Qt::AltModifier);
  REQUIRE(wait_for([&] { return plot->series().size() == 2 && plot->series()[1].values.size() == 41; }, 3000));
  f.shot("plots");
}

}  // namespace flow_lead_test
