// A cloth, in the real window: added from the menu it falls on a box and drapes; a plane becomes one under Analysis.
#include <QCheckBox>
#include <QPushButton>
#include "tests/ui/flow_support.h"

#include "ui/panels/truss_builder.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/segments.h"

namespace flow_cloth_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("Flow: a cloth is added, falls on a ball and drapes; a plane becomes one by a click", "[ui][flow][cloth]") {
  Flow f;
  const std::string empty = scene_to_text(f.scene());
  f.menu("Add", "add.sphere");
  const Id ball = f.last().id;
  Scene scene = f.scene();
  for (auto& object : scene.objects)
    if (object->id == ball)
      object = object.edited([](Object& o) {
        o.body.kind = BodyKind::fixed;
        o.transform.position = Vec3(0, 0.4, 0);
      });
  REQUIRE(f.document().edit("Hold the ball", std::move(scene)).ok());
  f.menu("Add", "add.cloth");
  const Id cloth = f.last().id;
  const auto now = [&]() -> const Object& { return *find_object(f.scene(), cloth); };
  CHECK(now().analysis.kind == AnalysisKind::cloth);
  CHECK(now().body.solver == "springs");
  CHECK(now().contact.self_collision);
  REQUIRE(f.selection().active() == cloth);
  f.playback().set_frame(60);
  REQUIRE(wait_for([&] { return f.playback().cache().frame(60) != nullptr; }));
  QTest::qWait(100);
  f.shot("cloth");

  f.menu("Add", "add.plane");
  const Id plane = f.last().id;
  REQUIRE(f.selection().active() == plane);
  const int steps = f.document().undo_stack()->index();
  QTest::mouseClick(f.sight(f.analysis().kinds()->button(static_cast<int>(AnalysisKind::cloth))), Qt::LeftButton);
  const Object& made = *find_object(f.scene(), plane);
  CHECK(made.analysis.kind == AnalysisKind::cloth);
  CHECK(made.body.kind == BodyKind::flexible);
  CHECK(made.display.primitive.divisions[0] >= made.analysis.divisions[0]);
  CHECK(f.document().undo_stack()->index() == steps + 1);
  f.sight(f.analysis().kinds());
  f.shot("cloth-panel", f->findChild<QDockWidget*>("analysis"));
  while (f.document().undo_stack()->canUndo()) f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == empty);
}

TEST_CASE("Flow: a cloth is made of a mesh from the panel, blown up where it is closed, and refused where it cannot be",
          "[ui][flow][cloth]") {
  Flow f;
  f.menu("Add", "add.torus");
  const Id ring = f.last().id;
  const auto now = [&]() -> const Object& { return *find_object(f.scene(), ring); };
  REQUIRE(f.selection().active() == ring);
  const std::string before = scene_to_text(f.scene());
  const int steps = f.document().undo_stack()->index();
  TrussBuilder& builder = *f.analysis().builder();
  REQUIRE(wait_for([&] { return builder.cloth_button()->isEnabled() && builder.fill_button()->isEnabled(); }));
  QTest::mouseClick(f.sight(builder.cloth_button()), Qt::LeftButton);
  QPointer<TrussDialog> dialog = builder.dialog();
  REQUIRE(dialog);
  REQUIRE(dialog->keeps_volume());
  type_number(dialog->count(), "150");
  QTest::mouseClick(dialog->keeps_volume(), Qt::LeftButton, {}, QPoint(8, dialog->keeps_volume()->height() / 2));
  REQUIRE(dialog->keeps_volume()->isChecked());
  f.shot("cloth-dialog", dialog);
  QTest::mouseClick(dialog->start_button(), Qt::LeftButton);
  REQUIRE(wait_for([&] { return f.document().undo_stack()->index() == steps + 1; }));
  CHECK(f.document().undo_stack()->undoText() == "Cloth of " + QString::fromStdString(now().name) + " from its mesh");
  REQUIRE(is_sheet(now().analysis));
  CHECK(now().analysis.strung->nodes.size() <= 150);
  CHECK(now().analysis.strung->nodes.size() > 140);
  CHECK(now().body.kind == BodyKind::flexible);
  CHECK(now().body.solver == "springs");
  CHECK(now().body.volume.of == VolumeOf::surface);
  CHECK(now().contact.self_collision);
  CHECK(now().contact.thickness > 0);
  f.shot("cloth-mesh-panel", f->findChild<QDockWidget*>("analysis"));
  f.playback().set_frame(30);
  REQUIRE(wait_for([&] { return f.playback().cache().frame(30) != nullptr; }));
  QTest::qWait(100);
  f.shot("cloth-mesh");
  f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == before);

  // Three faces at an edge: the dialog says where.
  DisplayMesh mesh;
  mesh.positions = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1), Vec3(0, 1, 0), Vec3(0, -1, 0.5)};
  mesh.normals.assign(5, Vec3(0, 1, 0));
  mesh.faces = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
  mesh.parts.push_back({"fins", 0, 3});
  REQUIRE(f.document()
              .edit_object("Fins", ring,
                           [&](Object& o) {
                             o.display.kind = DisplayKind::mesh;
                             o.display.mesh.file = "fins.obj";
                             o.display.mesh.mesh = std::make_shared<const DisplayMesh>(mesh);
                             o.display.mesh.content = mesh_hash(mesh);
                           })
              .ok());
  REQUIRE(wait_for([&] { return builder.cloth_button()->isEnabled(); }));
  QTest::mouseClick(f.sight(builder.cloth_button()), Qt::LeftButton);
  dialog = builder.dialog();
  REQUIRE(dialog);
  QTest::mouseClick(dialog->start_button(), Qt::LeftButton);
  REQUIRE(wait_for([&] { return dialog->message()->text().contains("3 faces"); }));
  CHECK(dialog->message()->text().contains("(0.5, 0, 0) m"));
  CHECK_FALSE(is_sheet(now().analysis));
  dialog->reject();
}

}  // namespace flow_cloth_test
