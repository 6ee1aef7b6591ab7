// The analysis panel of strung trusses: values of the selection, rigidity, trusses from the display model, modes.
#include <QCheckBox>
#include <QLabel>
#include <QSlider>
#include <QTreeWidget>

#include "tests/ui/truss_support.h"
#include "ui/panels/strung_section.h"
#include "ui/panels/truss_builder.h"
#include "ui/panels/vibration_section.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/vibration_plot.h"

namespace truss_panel_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("Truss panel: mass, stiffness and damping of the selection in kg and N/m", "[ui][truss]") {
  TrussFlow f;
  StrungSection& strung = *f.analysis().strung();
  CHECK(strung.counts()->text() == "8 nodes, 28 springs; none pinned");
  REQUIRE(wait_for([&] { return !strung.rigidity()->text().contains("Checking"); }));
  CHECK_FALSE(strung.loose_button()->isVisible());
  CHECK(strung.selection_title()->text() == "Nothing selected");
  CHECK_FALSE(strung.mass()->isEnabled());

  const std::uint32_t a = f.node_at(Vec3(0.5, 0.5, 0.5)), b = f.node_at(Vec3(-0.5, 0.5, 0.5));
  f.click(f.pixel_of_node(a));
  CHECK(strung.selection_title()->text() == QString("Node %1").arg(a + 1));
  CHECK(strung.mass()->value() == Approx(1.0 / 8));
  type_number(f.sight(strung.mass()), "0.5");
  CHECK(strung.mass()->value() == Approx(0.5));
  CHECK(f.box().body.mass == Approx(0.5 + 7.0 / 8));  // the others keep their kilograms
  CHECK(f.steps() == 1);
  f.elements().set({{0, a}, {0, b}});
  CHECK(strung.mass()->mixed());

  const auto spring = find_spring(f.truss(), a, b);
  REQUIRE(spring);
  f.elements().select_only({1, *spring});
  CHECK(strung.stiffness()->value() == Approx(800));
  type_number(f.sight(strung.stiffness()), "1600");
  CHECK(f.truss().springs[*spring].stiffness == Approx(2));
  type_number(f.sight(strung.damping()), "0");
  CHECK(f.truss().springs[*spring].damping == 0);
  CHECK(f.steps() == 3);
  QTest::mouseClick(f.sight(strung.pinned()), Qt::LeftButton, {}, QPoint(8, strung.pinned()->height() / 2));
  CHECK(f.truss().nodes[a].pinned);
  CHECK(f.truss().nodes[b].pinned);
  CHECK(strung.counts()->text().endsWith("2 pinned"));
}

TEST_CASE("Truss panel: one spring swings with period 2 pi sqrt(mu / k)", "[ui][truss]") {
  TrussFlow f;
  VibrationSection& vibration = *f.analysis().vibration();
  const std::uint32_t a = f.node_at(Vec3(0.5, 0.5, 0.5)), b = f.node_at(Vec3(-0.5, 0.5, 0.5));
  REQUIRE(f.document().edit_object("Undamped", f.id, [](Object& o) { o.body.damping = 0; }).ok());
  f.elements().select_only({1, *find_spring(f.truss(), a, b)});
  REQUIRE(vibration.plot()->vibration());
  const double mu = 0.5 / 8;  // two equal masses of an eighth of a kilogram
  CHECK(vibration.plot()->vibration()->period == Approx(2 * kPi * std::sqrt(mu / 800)));
  CHECK(vibration.words()->text().startsWith("This spring alone"));
  CHECK_FALSE(vibration.list()->isVisible());
  // A pinned end weighs infinitely much.
  REQUIRE(f.document()
              .edit_object("Pin", f.id,
                           [&](Object& o) {
                             o.analysis.strung =
                                 std::make_shared<const StrungTruss>(set_pinned(*o.analysis.strung, {a}, true).truss);
                           })
              .ok());
  CHECK(vibration.plot()->vibration()->period == Approx(2 * kPi * std::sqrt(1.0 / 8 / 800)));
}

TEST_CASE("Truss panel: the lowest modes are listed, the chosen one swings in the view and Esc stops it",
          "[ui][truss]") {
  TrussFlow f;
  VibrationSection& vibration = *f.analysis().vibration();
  REQUIRE(wait_for([&] { return vibration.list()->topLevelItemCount() == 6; }));
  double last = 0;
  for (int i = 0; i < 6; ++i) {
    vibration.list()->setCurrentItem(vibration.list()->topLevelItem(i));
    REQUIRE(vibration.plot()->vibration());
    CHECK(vibration.plot()->vibration()->lambda >= last);
    last = vibration.plot()->vibration()->lambda;
    CHECK(vibration.list()->topLevelItem(i)->text(1).endsWith("Hz"));
  }
  const std::string text = scene_to_text(f.scene());
  const Truss rest = object_truss(f.box(), DisplayMesh{});
  QTest::mouseClick(f.sight(vibration.animate_button()), Qt::LeftButton);
  REQUIRE(vibration.animating());
  // The display model joins in.
  REQUIRE(wait_for([&] {
    for (const DrawMesh& mesh : f.view().render_list().meshes)
      if (mesh.id == f.id) return mesh.deformed != nullptr;
    return false;
  }));
  CHECK(wait_for([&] {
    double moved = 0;
    const auto& points = f.view().render_list().points_on_top;
    for (const PointVertex& point : points) {
      double nearest = 1e9;
      for (const Vec3& node : rest.nodes)
        nearest = std::min(nearest, (to_double(point.position) - node - f.box().transform.position).norm());
      moved = std::max(moved, nearest);
    }
    return moved > 0.02;
  }));
  f.shot("vibration-in-view");
  CHECK(scene_to_text(f.scene()) == text);
  f.press_key(Qt::Key_Escape);
  CHECK_FALSE(vibration.animating());
  CHECK_FALSE(vibration.animate_button()->isChecked());
  CHECK(f.elements().in("truss"));  // the first Esc stops the swing, not the mode
  for (const DrawMesh& mesh : f.view().render_list().meshes) CHECK((mesh.id != f.id || mesh.deformed == nullptr));
  QTest::mouseClick(f.sight(vibration.animate_button()), Qt::LeftButton);
  REQUIRE(vibration.animating());
  f.selection().clear();
  CHECK_FALSE(vibration.animating());
}

TEST_CASE("Truss panel: fill, decimate and fit make trusses from the display model, one step each", "[ui][truss]") {
  TrussFlow f;
  f.elements().leave();
  TrussBuilder& builder = *f.analysis().builder();
  REQUIRE(wait_for([&] { return builder.fill_button()->isEnabled(); }));
  QTest::mouseClick(f.sight(builder.fill_button()), Qt::LeftButton);
  TrussDialog* dialog = builder.dialog();
  REQUIRE(dialog);
  type_number(dialog->count(), "120");
  f.shot("fill-dialog", dialog);
  QTest::mouseClick(dialog->start_button(), Qt::LeftButton);
  REQUIRE(wait_for([&] { return f.steps() == 1; }));
  CHECK(f.truss().tetrahedra.size() > 40);
  CHECK(f.document().undo_stack()->undoText().startsWith("Fill Box with"));
  double volume = 0;
  for (const auto& t : f.truss().tetrahedra) {
    const auto at = [&](int i) { return f.truss().nodes[t[static_cast<std::size_t>(i)]].position; };
    volume += (at(1) - at(0)).cross(at(2) - at(0)).dot(at(3) - at(0)) / 6;
  }
  CHECK(volume == Approx(1).epsilon(1e-9));

  QTest::mouseClick(f.sight(builder.decimate_button()), Qt::LeftButton);
  REQUIRE(builder.dialog());
  CHECK(builder.dialog()->per_part());
  type_number(builder.dialog()->count(), "20");
  QTest::mouseClick(builder.dialog()->start_button(), Qt::LeftButton);
  REQUIRE(wait_for([&] { return f.steps() == 2 || !builder.dialog()->running(); }));
  if (builder.dialog()) INFO(builder.dialog()->message()->text().toStdString());
  REQUIRE(f.steps() == 2);
  CHECK(f.truss().tetrahedra.empty());
  CHECK(f.truss().nodes.size() >= 8);

  QTest::mouseClick(f.sight(builder.fit_axes_button()), Qt::LeftButton);
  CHECK(f.steps() == 3);
  CHECK(f.box().analysis.kind == AnalysisKind::strung);
  while (f.steps() > 0) f.document().undo_stack()->undo();
  CHECK(f.truss().nodes.size() == 8);

  // A sheet has no inside.
  REQUIRE(f.document()
              .edit_object("Sheet", f.id, [](Object& o) { o.display.primitive.shape = PrimitiveShape::plane; })
              .ok());
  REQUIRE(wait_for([&] { return f.action("analysis.fill")->toolTip().contains("open"); }));
  CHECK_FALSE(builder.fill_button()->isEnabled());
}

TEST_CASE("Truss panel: Voronoi cells fill the display model, take the solver that reads them, and are one step",
          "[ui][truss]") {
  TrussFlow f;
  f.elements().leave();
  TrussBuilder& builder = *f.analysis().builder();
  REQUIRE(wait_for([&] { return builder.cells_button()->isEnabled(); }));
  QTest::mouseClick(f.sight(builder.cells_button()), Qt::LeftButton);
  QPointer<TrussDialog> dialog = builder.dialog();
  REQUIRE(dialog);
  REQUIRE(dialog->relaxation());
  type_number(dialog->count(), "25");
  type_number(dialog->relaxation(), "5");
  type_number(dialog->seed(), "3");
  f.shot("cells-dialog", dialog);
  QTest::mouseClick(dialog->start_button(), Qt::LeftButton);
  REQUIRE(wait_for([&] { return f.steps() == 1; }));
  const StrungTruss first = f.truss();
  REQUIRE_FALSE(first.cells.empty());
  CHECK(first.cells.back()[0] + 1 >= 24);
  CHECK(f.box().body.solver == "polyhedral");
  CHECK(f.document().undo_stack()->undoText().startsWith("Fill Box with"));
  CHECK(f.document().undo_stack()->undoText().contains("Voronoi cells"));
  f.enter();
  f.shot("cells-truss");
  f.elements().leave();
  f.document().undo_stack()->undo();
  CHECK(f.truss().cells.empty());
  CHECK(f.box().body.solver != "polyhedral");

  // Another seed, other cells; called off, none.
  QTest::mouseClick(f.sight(builder.cells_button()), Qt::LeftButton);
  type_number(builder.dialog()->count(), "25");
  type_number(builder.dialog()->relaxation(), "5");
  type_number(builder.dialog()->seed(), "4");
  QTest::mouseClick(builder.dialog()->start_button(), Qt::LeftButton);
  REQUIRE(wait_for([&] { return f.steps() == 1; }));
  CHECK_FALSE(f.truss() == first);
  f.document().undo_stack()->undo();
  f.action("analysis.cells")->trigger();
  dialog = builder.dialog();
  REQUIRE(dialog);
  type_number(dialog->count(), "2000");
  QTest::mouseClick(dialog->start_button(), Qt::LeftButton);
  REQUIRE(dialog->running());
  QTest::mouseClick(dialog->findChild<QPushButton*>("truss_dialog_cancel"), Qt::LeftButton);
  REQUIRE(wait_for([&] { return !dialog->running(); }));
  CHECK(dialog->message()->text() == "Cancelled.");
  CHECK(f.steps() == 0);
  dialog->reject();
}

TEST_CASE("Truss panel: a fill that is called off changes nothing", "[ui][truss]") {
  TrussFlow f;
  f.elements().leave();
  TrussBuilder& builder = *f.analysis().builder();
  REQUIRE(wait_for([&] { return builder.fill_button()->isEnabled(); }));
  f.action("analysis.fill")->trigger();
  QPointer<TrussDialog> dialog = builder.dialog();
  REQUIRE(dialog);
  type_number(dialog->count(), "90000");
  QTest::mouseClick(dialog->start_button(), Qt::LeftButton);
  REQUIRE(dialog->running());
  QTest::mouseClick(dialog->findChild<QPushButton*>("truss_dialog_cancel"), Qt::LeftButton);
  REQUIRE(wait_for([&] { return !dialog->running(); }));
  CHECK(dialog->message()->text() == "Cancelled.");
  CHECK(f.steps() == 0);
  dialog->reject();
}

TEST_CASE("Truss panel: loose nodes are named and selected", "[ui][truss]") {
  TrussFlow f;
  const std::uint32_t a = f.node_at(Vec3(0.5, 0.5, 0.5));
  f.elements().set(as_elements({}, springs_of_nodes(f.truss(), {a}, true)));
  f.press_key(Qt::Key_X);  // a node without springs
  StrungSection& strung = *f.analysis().strung();
  REQUIRE(wait_for([&] { return strung.loose_button()->isVisible(); }));
  QTest::mouseClick(f.sight(strung.loose_button()), Qt::LeftButton);
  CHECK(f.elements().contains({0, a}));
}

}  // namespace truss_panel_test
