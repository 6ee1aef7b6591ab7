#include <catch2/catch.hpp>

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QToolButton>
#include <QTreeView>

#include "core/sim/elastic/solver.h"
#include "tests/ui/panels_support.h"
#include "ui/panels/outliner_panel.h"
#include "ui/panels/properties_panel.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/section.h"

namespace panels_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

NumberField* number(FieldForm* form, const char* path) {
  return static_cast<SingleNumberField*>(form->widget(path))->field();
}
NumberField* part(FieldForm* form, const char* path, int i) {
  return static_cast<VectorField*>(form->widget(path))->field(i);
}

}  // namespace

TEST_CASE("Properties: nothing selected shows the scene, a selected camera its own; edits are undone and redone",
          "[ui][properties]") {
  Scene scene = small_scene();
  Camera shot;
  shot.id = next_id(scene);
  scene.cameras = {shot};
  Bench b(scene);
  auto* panel = b.show(new PropertiesPanel(b.context, nullptr));
  REQUIRE(panel->settings_form()->isVisible());
  CHECK_FALSE(panel->form("objects")->isVisible());
  type_into(number(panel->settings_form(), "substeps"), "8");
  CHECK(b.document.scene().settings.substeps == 8);
  const Id camera = b.document.scene().cameras.at(0)->id;
  b.selection.select_only(camera);
  FieldForm* form = panel->form("cameras");
  REQUIRE(form->isVisible());
  CHECK_FALSE(form->widget("depth.near_plane")->isVisible());  // its depth is automatic
  type_into(number(form, "focal_length"), "85");
  CHECK(find_camera(b.document.scene(), camera)->focal_length == 85);
  CHECK(b.steps() == 2);
  b.document.undo_stack()->undo();
  CHECK(number(form, "focal_length")->value() == Approx(35));
  b.document.undo_stack()->redo();
  CHECK(number(form, "focal_length")->value() == Approx(85));
}

TEST_CASE("Properties: how collisions are done is chosen for the scene, undone and redone", "[ui][properties]") {
  Bench b;
  auto* panel = b.show(new PropertiesPanel(b.context, nullptr));
  QComboBox* box = static_cast<ChoiceField*>(panel->settings_form()->widget("impacts"))->box();
  CHECK(box->currentText() == "At once");
  QTest::mouseClick(box, Qt::LeftButton);
  REQUIRE(box->view()->isVisible());
  QTest::keyClick(box->view(), Qt::Key_Down);
  QTest::keyClick(box->view(), Qt::Key_Return);
  CHECK(box->currentText() == "Sine pulse");
  CHECK(b.document.scene().settings.impacts == Impacts::sine_pulse);
  REQUIRE(b.steps() == 1);
  CHECK(b.document.undo_stack()->undoText().contains("mpacts"));
  b.document.undo_stack()->undo();
  CHECK(b.document.scene().settings.impacts == Impacts::at_once);
  CHECK(box->currentText() == "At once");
  b.document.undo_stack()->redo();
  CHECK(b.document.scene().settings.impacts == Impacts::sine_pulse);
}

TEST_CASE("Properties: a drag of a number is one undo step", "[ui][properties]") {
  Bench b;
  auto* panel = b.show(new PropertiesPanel(b.context, nullptr));
  b.selection.set({Id{1}});
  drag(part(panel->form("objects"), "transform.position", 1), 40);
  CHECK(b.object(1).transform.position.y() == Approx(1.4));
  CHECK(b.steps() == 1);
  drag(part(panel->form("objects"), "transform.position", 1), 40);
  CHECK(b.steps() == 2);
  b.document.undo_stack()->undo();
  b.document.undo_stack()->undo();
  CHECK(b.object(1).transform.position.y() == 1);
  CHECK(part(panel->form("objects"), "transform.position", 1)->value() == 1);
}

TEST_CASE("Properties: a solver's own parameters stand under its name and are edited like any field",
          "[ui][properties][parameters]") {
  Bench b;
  auto* panel = b.show(new PropertiesPanel(b.context, nullptr));
  b.selection.set({Id{1}});  // rigid
  const auto fields = elastic_parameter_fields();
  REQUIRE_FALSE(fields.empty());
  for (const auto& field : fields)
    CHECK(panel->form("objects")->widget(QString::fromUtf8(field.path.data()))->isHidden());
  b.selection.set({Id{2}});  // flexible
  const ElasticSolverInfo& solver = *find_elastic_solver(b.object(2).body.solver);
  REQUIRE(panel->form("objects")->section(QString::fromUtf8(solver.label.data())));
  for (const auto& field : fields)
    CHECK(panel->form("objects")->widget(QString::fromUtf8(field.path.data()))->isHidden() != field.shown(b.object(2)));

  auto* beta = static_cast<ChoiceField*>(panel->form("objects")->widget("body.parameters.lagrange.beta"))->box();
  CHECK(beta->currentText() == "1/4");
  beta->setFocus();
  QTest::keyClick(beta, Qt::Key_Down);
  CHECK(b.object(2).body.parameters == SolverParameters{{"lagrange", "beta", "1/6"}});
  CHECK(b.steps() == 1);
  b.document.undo_stack()->undo();
  CHECK(b.object(2).body.parameters.empty());
  CHECK(beta->currentText() == "1/4");
  b.document.undo_stack()->redo();
  CHECK(beta->currentText() == "1/6");
  QTest::keyClick(beta, Qt::Key_Up);
  CHECK(b.object(2).body.parameters.empty());  // the default again: nothing to keep
}

TEST_CASE("Properties: only rows that mean something are shown", "[ui][properties]") {
  Bench b;
  auto* panel = b.show(new PropertiesPanel(b.context, nullptr));
  b.selection.set({Id{1}});
  CHECK(panel->form("objects")->widget("body.stiffness")->isHidden());
  b.selection.set({Id{2}});
  CHECK_FALSE(panel->form("objects")->widget("body.stiffness")->isHidden());
  auto* kind = static_cast<ChoiceField*>(panel->form("objects")->widget("body.kind"))->box();
  kind->setFocus();
  for (int i = 0; i < 3; ++i) QTest::keyClick(kind, Qt::Key_Up);
  CHECK(b.object(2).body.kind == BodyKind::fixed);
  CHECK(panel->form("objects")->widget("body.stiffness")->isHidden());
  CHECK(panel->form("objects")->widget("body.mass")->isHidden());
}

TEST_CASE("Properties: several objects show what they share; an edit sets all in one step, a component only itself",
          "[ui][properties]") {
  Bench b;
  auto* panel = b.show(new PropertiesPanel(b.context, nullptr));
  b.selection.set({Id{1}, Id{2}});
  CHECK(part(panel->form("objects"), "transform.position", 0)->shown_text() == "—");
  CHECK(part(panel->form("objects"), "transform.position", 1)->shown_text() == "1");
  CHECK(static_cast<TextField*>(panel->form("objects")->widget("name"))->edit()->placeholderText() == "—");
  type_into(part(panel->form("objects"), "transform.position", 1), "2.5");
  CHECK(b.object(1).transform.position == Vec3(3, 2.5, 0));
  CHECK(b.object(2).transform.position == Vec3(6, 2.5, 0));
  CHECK(b.steps() == 1);
  type_into(part(panel->form("objects"), "transform.position", 0), "1");
  CHECK(b.object(1).transform.position.x() == 1);
  CHECK(b.object(2).transform.position.x() == 1);
  CHECK(part(panel->form("objects"), "transform.position", 0)->shown_text() == "1");
  b.document.undo_stack()->undo();
  CHECK(part(panel->form("objects"), "transform.position", 0)->mixed());
}

TEST_CASE("Properties: zero mass, negative stiffness, zero size cannot be entered; the field says why",
          "[ui][properties]") {
  Bench b;
  auto* panel = b.show(new PropertiesPanel(b.context, nullptr));
  b.selection.set({Id{2}});
  panel->form("objects")->section("Display model")->set_open(true);
  const auto before = b.document.snapshot();
  type_into(number(panel->form("objects"), "body.mass"), "0");
  CHECK(Bubble::shown_text() == "Mass must be above 0 kg.");
  type_into(number(panel->form("objects"), "body.stiffness"), "-5");
  CHECK(Bubble::shown_text() == "Stiffness must be above 0 N/m.");
  type_into(part(panel->form("objects"), "display.primitive.size", 0), "0");
  CHECK(Bubble::shown_text().startsWith("Size x must be at least"));
  CHECK(part(panel->form("objects"), "display.primitive.size", 0)->value() == 1);
  CHECK(b.document.snapshot().same_as(before));
  CHECK(b.steps() == 0);
  auto* name = static_cast<TextField*>(panel->form("objects")->widget("name"))->edit();
  name->setFocus();
  name->selectAll();
  QTest::keyClick(name, Qt::Key_Delete);
  QTest::keyClick(name, Qt::Key_Return);
  CHECK(b.object(2).name == "Jelly");
  CHECK(name->text() == "Jelly");
  CHECK_FALSE(Bubble::shown_text().isEmpty());
  Bubble::hide_all();
}

TEST_CASE("Properties: an edit elsewhere does not disturb what is being typed", "[ui][properties]") {
  Bench b;
  auto* panel = b.show(new PropertiesPanel(b.context, nullptr));
  b.selection.set({Id{1}});
  NumberField* mass = number(panel->form("objects"), "body.mass");
  QTest::mouseClick(mass, Qt::LeftButton);
  auto* edit = mass->findChild<QLineEdit*>("number_edit");
  QTest::keyClicks(edit, "4");
  REQUIRE(b.document.edit_object("Move", Id{1}, [](Object& o) { o.transform.position.x() = 9; }).ok());
  CHECK(mass->editing());
  CHECK(edit->text() == "4");
  CHECK(part(panel->form("objects"), "transform.position", 0)->value() == 9);
  QTest::keyClick(edit, Qt::Key_Return);
  CHECK(b.object(1).body.mass == 4);
}

TEST_CASE("Properties: lights, removal of what is shown, folded sections are remembered", "[ui][properties]") {
  Bench b;
  auto* panel = b.show(new PropertiesPanel(b.context, nullptr));
  b.selection.set({Id{4}});
  REQUIRE(panel->form("lights")->isVisible());
  type_into(number(panel->form("lights"), "intensity"), "2");
  CHECK(find_light(b.document.scene(), Id{4})->intensity == 2);
  REQUIRE(b.document.edit("Delete", without(b.document.scene(), Id{4})).ok());
  CHECK(panel->settings_form()->isVisible());

  b.selection.set({Id{1}});
  Section* section = panel->form("objects")->section("Transform");
  REQUIRE(section->is_open());
  QTest::mouseClick(section->header(), Qt::LeftButton);
  CHECK_FALSE(section->is_open());
  PropertiesPanel again(b.context, nullptr);
  CHECK_FALSE(again.form("objects")->section("Transform")->is_open());
  QTest::mouseClick(section->header(), Qt::LeftButton);
}

TEST_CASE("Properties: every list of the scene has a form, shown for its active thing", "[ui][properties]") {
  Scene scene = small_scene();
  ContactPair pair;
  pair.id = Id{5};
  pair.name = "Pair";
  pair.a = 1;
  pair.b = 3;
  scene.pairs = {pair};
  Collection collection;
  collection.id = Id{6};
  collection.name = "Collection";
  scene.collections = {collection};
  Camera camera;
  camera.id = Id{7};
  scene.cameras = {camera};
  Curve curve;
  curve.id = Id{8};
  curve.points.resize(1);
  scene.curves = {curve};
  Joint joint;
  joint.id = Id{9};
  joint.a.object = 1;
  scene.joints = {joint};
  Force force;
  force.id = Id{10};
  force.object = 1;
  scene.forces = {force};
  ForceField wind;
  wind.id = Id{11};
  scene.fields = {wind};
  ParticleSource smoke;
  smoke.id = Id{12};
  scene.particles = {smoke};
  Bench b(scene);
  auto* panel = b.show(new PropertiesPanel(b.context, nullptr));
  int lists = 0;
  visit_scene_lists([&](const auto& list) {
    INFO(list.path);
    FieldForm* form = panel->form(list.path);
    if (!list.listed) {  // tracks have editors of their own
      CHECK_FALSE(form);
      return;
    }
    REQUIRE(form);
    for (const auto& field : list.fields()) CHECK(form->widget(QString::fromUtf8(field.path.data())));
    const Id id = (b.document.scene().*list.member).front()->id;
    b.selection.set({Id{1}, Id{4}, id}, id);
    visit_scene_lists([&](const auto& other) {
      if (other.listed) CHECK(panel->form(other.path)->isVisible() == (other.path == list.path));
    });
    ++lists;
  });
  CHECK(lists >= 2);
  CHECK(panel->form("curtains") == nullptr);
}

TEST_CASE("Outliner: selection goes both ways", "[ui][outliner]") {
  Bench b;
  auto* panel = b.show(new OutlinerPanel(b.context, nullptr));
  QTreeView* view = panel->view();
  const auto click = [&](int row, int column, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::mouseClick(view->viewport(), Qt::LeftButton, modifiers,
                      view->visualRect(view->model()->index(row, column)).center());
  };
  REQUIRE(view->model()->rowCount() == 4);
  click(1, 0);
  CHECK(b.selection.ids() == std::set<Id>{Id{2}});
  CHECK(b.selection.active() == Id{2});
  click(3, 0, Qt::ControlModifier);
  CHECK(b.selection.ids() == std::set<Id>{Id{2}, Id{4}});
  click(0, 0, Qt::ShiftModifier);
  CHECK(b.selection.contains(Id{1}));
  b.selection.set({Id{1}, Id{3}}, Id{3});
  CHECK(view->selectionModel()->selectedRows().size() == 2);
  CHECK(view->currentIndex().row() == 2);
  b.selection.clear();
  CHECK(view->selectionModel()->selectedRows().isEmpty());
}

TEST_CASE("Outliner: eye and lock, for several at once; the selection stays", "[ui][outliner]") {
  Bench b;
  auto* panel = b.show(new OutlinerPanel(b.context, nullptr));
  QTreeView* view = panel->view();
  const auto click = [&](int row, int column) {
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                      view->visualRect(view->model()->index(row, column)).center());
  };
  b.selection.set({Id{1}, Id{2}});
  click(0, SceneModel::eye_column);
  CHECK_FALSE(b.object(1).visible);
  CHECK_FALSE(b.object(2).visible);
  CHECK(b.object(3).visible);
  CHECK(b.steps() == 1);
  CHECK(b.selection.ids().size() == 2);
  click(2, SceneModel::lock_column);
  CHECK(b.object(3).locked);
  CHECK_FALSE(b.object(1).locked);
  click(3, SceneModel::lock_column);
  CHECK(b.steps() == 2);
  click(3, SceneModel::eye_column);
  CHECK_FALSE(find_light(b.document.scene(), Id{4})->visible);
}

TEST_CASE("Outliner: rename in place with F2 and with a double click", "[ui][outliner]") {
  Bench b;
  auto* panel = b.show(new OutlinerPanel(b.context, nullptr));
  QTreeView* view = panel->view();
  b.selection.set({Id{2}});
  view->setFocus();
  QTest::keyClick(view, Qt::Key_F2);
  auto* edit = view->viewport()->findChild<QLineEdit*>();
  REQUIRE(edit);
  QTest::keyClicks(edit, "Pudding");
  QTest::keyClick(edit, Qt::Key_Return);
  REQUIRE(wait_for([&] { return b.object(2).name == "Pudding"; }));
  CHECK(view->model()->index(1, 0).data().toString() == "Pudding");
  b.document.undo_stack()->undo();
  CHECK(view->model()->index(1, 0).data().toString() == "Jelly");
  QTest::qWait(10);
  const QPoint at = view->visualRect(view->model()->index(3, 0)).center();
  QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, at);
  QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, at);
  QLineEdit* light_edit = nullptr;
  REQUIRE(wait_for([&] {
    for (auto* e : view->viewport()->findChildren<QLineEdit*>())
      if (e->isVisible()) light_edit = e;
    return light_edit != nullptr;
  }));
  light_edit->selectAll();
  QTest::keyClicks(light_edit, "Moon");
  QTest::keyClick(light_edit, Qt::Key_Return);
  CHECK(wait_for([&] { return find_light(b.document.scene(), Id{4})->name == "Moon"; }));
}

TEST_CASE("Outliner: dropping reorders objects among objects, in one step", "[ui][outliner]") {
  Bench b;
  auto* panel = b.show(new OutlinerPanel(b.context, nullptr));
  SceneModel* model = panel->model();
  const auto drop = [&](std::vector<int> rows, int to) {
    QModelIndexList indexes;
    for (int row : rows) indexes << model->index(row, 0);
    std::unique_ptr<QMimeData> data(model->mimeData(indexes));
    model->dropMimeData(data.get(), Qt::MoveAction, to, 0, {});
  };
  const auto order = [&] {
    std::vector<std::uint64_t> ids;
    for (const auto& object : b.document.scene().objects) ids.push_back(object->id.value);
    return ids;
  };
  drop({0}, 3);
  CHECK(order() == std::vector<std::uint64_t>{2, 3, 1});
  drop({1, 2}, 0);
  CHECK(order() == std::vector<std::uint64_t>{3, 1, 2});
  drop({0}, 4);
  CHECK(order() == std::vector<std::uint64_t>{1, 2, 3});
  CHECK(b.steps() == 3);
  CHECK(b.document.scene().lights.size() == 1);
  b.document.undo_stack()->undo();
  CHECK(order() == std::vector<std::uint64_t>{3, 1, 2});
  CHECK(model->id(0) == Id{3});
}

TEST_CASE("Outliner: filter and empty states", "[ui][outliner]") {
  Bench b;
  auto* panel = b.show(new OutlinerPanel(b.context, nullptr));
  CHECK(panel->empty_label()->isHidden());
  QTest::keyClicks(panel->filter(), "jel");
  CHECK(panel->view()->model()->rowCount() == 1);
  QTest::keyClicks(panel->filter(), "zz");
  CHECK_FALSE(panel->empty_label()->isHidden());
  CHECK(panel->empty_label()->text().contains("jelzz"));
  panel->filter()->clear();
  b.document.reset(Scene{}, {});
  CHECK(panel->empty_label()->text().contains("add.box"));
  bool triggered = false;
  QObject::connect(b.actions["add.box"], &QAction::triggered, [&] { triggered = true; });
  emit panel->empty_label()->linkActivated("add.box");
  CHECK(triggered);
}

TEST_CASE("Outliner: a thousand objects, all selected, follow edits", "[ui][outliner]") {
  Scene scene;
  for (int i = 1; i <= 1000; ++i)
    scene.objects.push_back(small_ball(static_cast<std::uint64_t>(i), "Object " + std::to_string(i), BodyKind::fixed));
  Bench b(scene);
  auto* panel = b.show(new OutlinerPanel(b.context, nullptr));
  std::set<Id> all;
  for (const auto& object : scene.objects) all.insert(object->id);
  b.selection.set(all);
  CHECK(panel->view()->selectionModel()->selectedRows().size() == 1000);
  CHECK(panel->view()->selectionModel()->selection().size() == 1);
  REQUIRE(b.document.edit_object("Rename", Id{500}, [](Object& o) { o.name = "Five hundred"; }).ok());
  CHECK(panel->index_of(Id{500}).data().toString() == "Five hundred");
  REQUIRE(b.document.edit("Delete", without(b.document.scene(), Id{1})).ok());
  CHECK(panel->view()->model()->rowCount() == 999);
}

TEST_CASE("Problems: load warnings come and go with their cause, double click selects, refused edits are listed",
          "[ui][diagnostics]") {
  Bench b;
  QWidget* panel = nullptr;
  for (const PanelInfo* info : panels())
    if (info->id == "diagnostics") panel = b.show(info->make(b.context, nullptr));
  REQUIRE(panel);
  auto* list = panel->findChild<QListView*>("diagnostics_list");
  auto* none = panel->findChild<QLabel*>("diagnostics_empty");
  CHECK(none->isVisible());
  CHECK(none->text() == "No problems.");

  Scene scene = small_scene();
  scene.objects[1] = scene.objects[1].edited([](Object& o) {
    o.display.kind = DisplayKind::mesh;
    o.display.mesh.file = "teapot.obj";
  });
  b.document.reset(scene, {});
  b.diagnostics.set_load_diagnostics(
      {{Severity::warning, "objects[1].display.mesh.file", "teapot.obj is missing.", "Put it beside the scene."}});
  REQUIRE(list->isVisible());
  REQUIRE(b.diagnostics.rowCount() == 1);
  const QModelIndex index = b.diagnostics.index(0);
  CHECK(index.data().toString() == "teapot.obj is missing.\nPut it beside the scene.");
  CHECK(index.data(DiagnosticsModel::place_role).toString() == "Jelly");
  const QPoint at = list->visualRect(index).center();
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, at);
  QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, at);
  CHECK(b.selection.ids() == std::set<Id>{Id{2}});

  CHECK_FALSE(b.document.edit_object("Mass", Id{1}, [](Object& o) { o.body.mass = -1; }).ok());
  CHECK(b.diagnostics.rowCount() == 2);
  REQUIRE(b.document.edit_object("Mass", Id{1}, [](Object& o) { o.body.mass = 2; }).ok());
  CHECK(b.diagnostics.rowCount() == 1);
  REQUIRE(b.document.edit_object("Display", Id{2}, [](Object& o) { o.display.kind = DisplayKind::primitive; }).ok());
  CHECK(b.diagnostics.rowCount() == 0);
  CHECK(none->isVisible());
}

TEST_CASE("The place of a diagnostic is found by index and by name", "[ui][diagnostics]") {
  const Scene scene = small_scene();
  CHECK(diagnostic_object(scene, "objects[2].body.mass") == Id{3});
  CHECK(diagnostic_object(scene, "lights[0].intensity") == Id{4});
  CHECK(diagnostic_object(scene, "Ball") == Id{1});
  CHECK(diagnostic_object(scene, "objects[99].name") == Id{});
  CHECK(diagnostic_object(scene, "objects[") == Id{});
  CHECK(diagnostic_object(scene, "settings.substeps") == Id{});
}

}  // namespace panels_test
