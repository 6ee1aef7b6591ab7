// Mapping panel, variants of analysis models and Show Drivers, by mouse and keys.
#include <catch2/catch.hpp>

#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QToolButton>

#include "core/scene/values/variants.h"
#include "tests/ui/panels_support.h"
#include "tests/ui/viewport_support.h"
#include "ui/model/variants.h"
#include "ui/panels/analysis_panel.h"
#include "ui/panels/bone_section.h"
#include "ui/panels/mapping_panel.h"
#include "ui/viewport/driver_view.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/variant_row.h"

namespace mapping_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

void click(QWidget* widget) { QTest::mouseClick(widget, Qt::LeftButton); }

NumberField* part(FieldWidget* widget, int i) { return static_cast<VectorField*>(widget)->field(i); }

}  // namespace

TEST_CASE("Mapping: each kind is one click and one step back", "[ui][mapping]") {
  Bench b;
  auto* panel = b.show(new MappingPanel(b.context, nullptr));
  b.selection.set({Id{2}});
  CHECK(panel->kinds()->current() == 0);
  click(panel->kinds()->button(3));
  CHECK(b.object(2).mapping.kind == MappingKind::lattice);
  CHECK(panel->lattice()->isVisible());
  CHECK_FALSE(panel->skeleton()->make()->isVisible());
  type_into(part(panel->lattice(), 1), "5");
  CHECK(b.object(2).mapping.lattice == std::array<int, 3>{3, 5, 3});
  CHECK(b.document.undo_stack()->undoText().contains("Jelly"));
  click(panel->kinds()->button(1));
  CHECK(b.object(2).mapping.kind == MappingKind::linear);
  CHECK_FALSE(panel->lattice()->isVisible());
  CHECK(b.steps() == 3);
  for (int k = 0; k < 3; ++k) b.document.undo_stack()->undo();
  CHECK(b.object(2).mapping == MappingSettings());
  CHECK(panel->kinds()->current() == 0);
}

TEST_CASE("Mapping: bones are made, renamed, moved, added and deleted", "[ui][mapping]") {
  Bench b;
  auto* panel = b.show(new MappingPanel(b.context, nullptr));
  b.selection.set({Id{2}});
  click(panel->kinds()->button(4));
  REQUIRE(b.object(2).mapping.bones.size() == 3);  // a skeleton does not begin empty
  CHECK(panel->skeleton()->list()->count() == 3);
  type_into(panel->skeleton()->count(), "2");
  click(panel->skeleton()->make());
  REQUIRE(b.object(2).mapping.bones.size() == 2);
  CHECK(panel->skeleton()->list()->count() == 2);

  // The second bone: chosen in the list, renamed, its tail moved.
  QTest::mouseClick(panel->skeleton()->list()->viewport(), Qt::LeftButton, {},
                    panel->skeleton()->list()->visualItemRect(panel->skeleton()->list()->item(1)).center());
  CHECK(panel->skeleton()->chosen() == 2);
  panel->skeleton()->list()->item(1)->setText("Head");
  CHECK(b.object(2).mapping.bones[1].name == "Head");
  const double before = b.object(2).mapping.bones[1].tail.y();
  type_into(part(panel->skeleton()->field("tail"), 1), "0.75");
  CHECK(b.object(2).mapping.bones[1].tail.y() == 0.75);
  b.document.undo_stack()->undo();
  CHECK(b.object(2).mapping.bones[1].tail.y() == before);
  type_into(static_cast<SingleNumberField*>(panel->skeleton()->field("radius"))->field(), "0");  // refused
  CHECK(b.object(2).mapping.bones[1].radius > 0);

  click(panel->skeleton()->add());
  REQUIRE(b.object(2).mapping.bones.size() == 3);
  CHECK(b.object(2).mapping.bones[2].parent == 2);
  CHECK(b.object(2).mapping.bones[2].head == b.object(2).mapping.bones[1].tail);
  CHECK(panel->skeleton()->chosen() == 3);
  CHECK(panel->skeleton()->parent_bone()->currentText() == "Head");
  QTest::mouseClick(panel->skeleton()->list()->viewport(), Qt::LeftButton, {},
                    panel->skeleton()->list()->visualItemRect(panel->skeleton()->list()->item(1)).center());
  click(panel->skeleton()->remove());
  REQUIRE(b.object(2).mapping.bones.size() == 2);
  CHECK(b.object(2).mapping.bones[1].parent == 1);
  b.document.undo_stack()->undo();
  CHECK(b.object(2).mapping.bones.size() == 3);
  while (b.steps() > 0) b.document.undo_stack()->undo();
  CHECK(b.object(2).mapping == MappingSettings());
}

TEST_CASE("Variants: duplicate, switch with one click, rename, delete, undo", "[ui][mapping]") {
  Bench b;
  auto* panel = b.show(new AnalysisPanel(b.context, nullptr));
  b.selection.set({Id{2}});
  VariantRow* row = panel->variants();
  REQUIRE(row->buttons().size() == 1);
  CHECK_FALSE(row->compare()->isEnabled());
  click(row->duplicate());
  REQUIRE(row->buttons().size() == 2);
  CHECK(b.object(2).analysis.name == "Truss 2");
  CHECK(row->buttons()[1]->isChecked());
  click(panel->kinds()->button(static_cast<int>(AnalysisKind::box_grid)));
  row->name()->setFocus();
  row->name()->selectAll();
  QTest::keyClicks(row->name(), "Block");
  QTest::keyClick(row->name(), Qt::Key_Return);
  CHECK(b.object(2).analysis.name == "Block");
  CHECK(row->buttons()[0]->text() == "Block");
  const AnalysisKind first = b.object(2).other_analyses[0].kind;
  CHECK(first != AnalysisKind::box_grid);

  click(row->buttons()[1]);
  CHECK(b.object(2).analysis.name == "Truss");
  CHECK(b.object(2).analysis.kind == first);
  CHECK(row->buttons()[1]->isChecked());
  CHECK_FALSE(row->buttons()[0]->isChecked());
  CHECK(b.document.undo_stack()->undoText() == "Switch Jelly to Truss");
  b.document.undo_stack()->undo();
  CHECK(b.object(2).analysis.name == "Block");
  CHECK(row->buttons()[0]->isChecked());
  use_next_variant(b.context);
  CHECK(b.object(2).analysis.name == "Truss");
  click(row->remove());
  CHECK(b.object(2).analysis.name == "Block");
  CHECK(b.object(2).other_analyses.empty());
  CHECK_FALSE(row->remove()->isEnabled());
  while (b.steps() > 0) b.document.undo_stack()->undo();
  CHECK(b.object(2).analysis.name == "Truss");
  CHECK(b.object(2).other_analyses.empty());
}

TEST_CASE("Variants: compare puts the other one beside it and plays both; undo takes it away", "[ui][mapping]") {
  Bench b;
  auto* panel = b.show(new AnalysisPanel(b.context, nullptr));
  b.selection.set({Id{2}});
  click(panel->variants()->duplicate());
  click(panel->kinds()->button(static_cast<int>(AnalysisKind::octahedron)));
  const std::size_t before = b.document.scene().objects.size();
  click(panel->variants()->compare());
  REQUIRE(b.document.scene().objects.size() == before + 1);
  const Object& copy = *b.document.scene().objects.back();
  CHECK(copy.name == "Jelly \u00b7 Truss");
  CHECK(copy.analysis.kind != AnalysisKind::octahedron);
  CHECK(copy.body.kind == BodyKind::flexible);
  CHECK((copy.transform.position - b.object(2).transform.position).norm() > 0.9);
  CHECK(b.selection.ids() == std::set<Id>{Id{2}, copy.id});
  CHECK(b.playback.playing());
  b.playback.play(false);
  b.document.undo_stack()->undo();
  CHECK(b.document.scene().objects.size() == before);
}

TEST_CASE("Show Drivers: pointing, keeping, and colouring by a node", "[ui][mapping][viewport]") {
  Scene scene;
  Object o = testing::ball(1, "Jelly", Vec3(0, 0.7, 0));
  o.body.kind = BodyKind::flexible;
  o.body.gravity = false;
  o.analysis.kind = AnalysisKind::icosahedron;
  scene.objects.push_back(o);
  testing::ViewportWindow w(std::move(scene));
  w.viewport.set_tool("select");
  DriverView& drivers = w.viewport.drivers();
  w.selection.select_only(Id{1});
  w.actions["view.drivers"]->trigger();
  CHECK(drivers.on());
  CHECK(w.actions["view.drivers"]->isChecked());
  REQUIRE(wait_for([&] { return drivers.ready(); }));
  CHECK(w.viewport.hint().contains("Jelly"));

  const QPointF middle = w.pixel(Vec3(0, 0.7, 0));
  w.move(middle);
  REQUIRE(drivers.vertex());
  const auto shares = drivers.nodes();
  REQUIRE(shares.size() == 3);
  double sum = 0;
  for (const NodeWeight& s : shares) sum += s.weight;
  CHECK(sum == Approx(1));
  CHECK(shares[0].weight >= shares[1].weight);
  w.move(middle + QPointF(300, 0));
  CHECK_FALSE(drivers.vertex());

  // A click keeps the vertex; the selection stays.
  w.click(middle);
  REQUIRE(drivers.vertex());
  const std::size_t kept = *drivers.vertex();
  w.move(middle + QPointF(300, 0));
  REQUIRE(drivers.vertex());
  CHECK(*drivers.vertex() == kept);
  CHECK(w.selection.contains(Id{1}));

  // A click on its first node colours the object by it.
  const DriverView::View view{static_cast<const Viewport&>(w.viewport).camera(), w.viewport.view_size(),
                              w.viewport.displayed_frame()};
  const auto node = drivers.node_pixel(view, shares[0].node);
  REQUIRE(node);
  w.click(*node);
  REQUIRE(drivers.chosen());
  CHECK(*drivers.chosen() == DriverView::Driver{false, shares[0].node});
  const RenderList& list = w.viewport.render_list();
  REQUIRE(list.meshes.size() == 1);
  CHECK(list.meshes[0].mesh->looks.size() == list.meshes[0].mesh->positions.size());
  w.click(*node);
  CHECK_FALSE(drivers.chosen());
  CHECK(w.viewport.render_list().meshes[0].mesh->looks.empty());

  w.actions["view.drivers"]->trigger();
  CHECK_FALSE(drivers.on());
  CHECK_FALSE(drivers.vertex());
  w.click(middle + QPointF(300, 0));
  CHECK(w.selection.empty());
}

}  // namespace mapping_test
