// Bringing a mesh in, by mouse: a GLB with two parts that is broken is given a unit, mended, simplified and imported; then
// everything is undone and done again. And what the dialog says of files that are sound, damaged or cancelled.
#include <QCheckBox>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QPointer>
#include <QSlider>

#include "core/geometry/mesh/topology.h"
#include "tests/ui/import_support.h"

namespace flow_import_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

QString sample(const char* name) { return QString(HAZUMI_SOURCE_DIR "/tests/import/files/") + name; }

struct MeshFlow : ImportFlow {
  void tick(const char* name) {
    auto* box = part<QCheckBox>(name);
    REQUIRE(box->isEnabled());
    click_in(box, QPoint(10, box->height() / 2));
    settle();
  }
  void choose(const char* name, const QString& entry) {
    auto* box = part<QComboBox>(name);
    box->setFocus();
    const int row = box->findText(entry);
    REQUIRE(row >= 0);
    while (box->currentIndex() != row) QTest::keyClick(box, box->currentIndex() < row ? Qt::Key_Down : Qt::Key_Up);
    settle();
  }
};

}  // namespace

TEST_CASE("Flow: a broken GLB with two parts is given a unit, mended and imported; undo, redo", "[ui][flow][import]") {
  MeshFlow f;
  const std::string before = scene_to_text(f.scene());
  f.import_by_menu(sample("broken.glb"));
  CHECK(f.text("import_name") == "broken.glb");
  CHECK(f.text("import_contents") == "2 parts · 2 materials");
  CHECK(f.text("import_size") == "5 × 2 × 2 m");
  CHECK(f.text("import_counts").startsWith("32 triangles"));
  CHECK(f.text("import_warnings").contains("4 edges have only one face"));
  CHECK(f.text("import_warnings").contains("2 faces point the wrong way"));
  CHECK(f.text("import_orient_effect") == "Would turn 2 faces.");
  CHECK(f.text("import_fill_effect") == "Would close 1 hole.");
  CHECK_FALSE(f.part<QCheckBox>("import_merge")->isEnabled());
  CHECK_FALSE(f.part<QCheckBox>("import_textures")->isVisible());
  f.shot("import-dialog", f.dialog());

  f.choose("import_unit", "Centimetres");
  CHECK(f.text("import_size") == "5 × 2 × 2 cm");
  f.choose("import_unit", "Scale to fit");
  type_number(f.part<QWidget>("import_fit"), "2.5");
  f.settle();
  CHECK(f.text("import_size") == "2.5 × 1 × 1 m");
  f.tick("import_orient");
  CHECK(f.text("import_orient_effect") == "Turns 2 faces.");
  f.tick("import_fill");
  CHECK(f.text("import_fill_effect") == "Closes 1 hole.");
  CHECK(f.text("import_warnings").isEmpty());
  CHECK(f.text("import_counts").startsWith("34 triangles"));
  f.shot("import-dialog-mended", f.dialog());
  f.press("import_start");

  REQUIRE(f.scene().objects.size() == 2);
  const Object& object = f.last();
  CHECK(object.name == "broken");
  CHECK(f.selection().contains(object.id));
  CHECK(f.document().undo_stack()->undoText() == "Import broken");
  CHECK(f.document().undo_stack()->count() == 1);
  REQUIRE(object.display.mesh.mesh);
  CHECK(is_closed(*object.display.mesh.mesh));
  CHECK(object.display.mesh.mesh->faces.size() == 34);
  CHECK(object.display.mesh.settings.scale == Approx(0.5));
  CHECK(object.display.mesh.settings.orient);
  CHECK(object.display.mesh.settings.fill_holes == 12);
  // The cone has more faces: its look is the object's, the box has a material of its own.
  REQUIRE(object.part_materials.size() == 1);
  CHECK(object.part_materials[0].part == "box");
  CHECK(object.part_materials[0].material.surface.diffuse.x() > 0.8);
  CHECK(object.material.surface.diffuse.z() > 0.7);
  // On the floor, in the middle.
  const Box3 box = bounds(*object.display.mesh.mesh);
  CHECK(box.low.y() + object.transform.position.y() == Approx(0).margin(1e-9));
  f.key(Qt::Key_Home);
  f.shot("imported");
  MaterialPanel& material = f.material();
  REQUIRE(material.parts()->count() == 3);
  QTest::mouseClick(material.parts()->viewport(), Qt::LeftButton, {},
                    material.parts()->visualItemRect(material.parts()->item(1)).center());
  CHECK(material.part() == std::optional<std::string>("box"));
  f.shot("material-parts", f->findChild<QDockWidget*>("material"));

  // The same dialog again, from Properties, with what was chosen then.
  f.tab("properties");
  CHECK(f->findChild<QLabel*>("properties_mesh_counts")->text() == "34 triangles, 2 parts");
  f.shot("properties-mesh", f->findChild<QDockWidget*>("properties"));
  auto* adjust = f->findChild<QPushButton*>("properties_mesh_adjust");
  f.click_in(adjust, adjust->rect().center());
  f.settle();
  CHECK(f.part<QCheckBox>("import_orient")->isChecked());
  CHECK(f.part<QCheckBox>("import_fill")->isChecked());
  CHECK(f.text("import_size") == "2.5 × 1 × 1 m");
  f.tick("import_fill");
  f.press("import_start");
  CHECK(f.last().display.mesh.mesh->faces.size() == 32);
  CHECK(f.last().part_materials.size() == 1);
  CHECK(f.document().undo_stack()->undoText() == "Change mesh of broken");
  f.menu("Edit", "edit.undo");
  CHECK(f.last().display.mesh.mesh->faces.size() == 34);

  const std::string after = scene_to_text(f.scene());
  f.menu("Edit", "edit.undo");
  CHECK(scene_to_text(f.scene()) == before);
  f.menu("Edit", "edit.redo");
  CHECK(scene_to_text(f.scene()) == after);
  CHECK(f.last().display.mesh.mesh);
}

TEST_CASE("Flow: a dropped mesh takes the place of the selected object's; the slider says what is left",
          "[ui][flow][import]") {
  MeshFlow f;
  f.menu("Add", "add.sphere");
  const Id sphere = f.last().id;
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(sample("figure_mm.stl"))});
  QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&f.window, &enter);
  REQUIRE(enter.isAccepted());
  QDropEvent event(QPointF(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&f.window, &event);
  f.settle();
  CHECK(f.part<QComboBox>("import_unit")->currentText() == "Millimetres");
  CHECK(f.part<QComboBox>("import_up")->currentText() == "Z");
  f.choose("import_as", "The mesh of “Sphere”");
  auto* slider = f.part<QSlider>("import_simplify");
  slider->setFocus();
  QTest::keyClick(slider, Qt::Key_Home);
  f.settle();
  CHECK(f.text("import_simplify_effect").startsWith("1 %: 80 → "));
  CHECK(f.dialog()->preview()->report.faces < 80);
  f.press("import_start");
  CHECK(f.scene().objects.size() == 2);
  const Object& object = *find_object(f.scene(), sphere);
  CHECK(object.name == "Sphere");
  CHECK(object.display.kind == DisplayKind::mesh);
  CHECK(object.display.mesh.settings.simplify == Approx(0.01));
  f.menu("Edit", "edit.undo");
  CHECK(find_object(f.scene(), sphere)->display.kind == DisplayKind::primitive);
}

TEST_CASE("Flow: a damaged file says why, a cancelled import changes nothing", "[ui][flow][import]") {
  QTemporaryDir folder;
  const QString cut = folder.filePath("cut.glb");
  QFile whole(sample("broken.glb"));
  REQUIRE(whole.open(QIODevice::ReadOnly));
  write_file(cut, whole.readAll().left(700));
  MeshFlow f;
  const std::string before = scene_to_text(f.scene());
  f.import_by_menu(cut);
  CHECK(f.text("import_state").endsWith("Pick another mesh file."));
  CHECK_FALSE(f.part<QPushButton>("import_start")->isEnabled());
  f.shot("import-dialog-damaged", f.dialog());
  f.press("import_cancel");
  f.import_by_menu(sample("crate.obj"));
  CHECK(f.text("import_contents") == "1 part · 1 material · 1 texture · 2 more files");
  CHECK(f.part<QCheckBox>("import_textures")->isVisible());
  CHECK(f.text("import_warnings").isEmpty());
  f.press("import_cancel");
  CHECK(scene_to_text(f.scene()) == before);
  CHECK(f.document().undo_stack()->count() == 0);
}

}  // namespace flow_import_test
