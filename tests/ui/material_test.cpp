#include <catch2/catch.hpp>

#include <set>

#include <QCheckBox>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

#include "tests/ui/panels_support.h"
#include "ui/jobs/sphere_job.h"
#include "ui/model/own_materials.h"
#include "ui/panels/material_panel.h"
#include "ui/widgets/colour_editor.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/swatch_grid.h"

namespace material_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// The panel, with these objects selected.
struct MaterialBench : Bench {
  MaterialPanel* panel;
  explicit MaterialBench(std::set<Id> selected) {
    panel = show(new MaterialPanel(context, nullptr));
    selection.set(std::move(selected));
  }
};

void pick(MaterialPanel* panel, const char* key) {
  const QRect cell = panel->presets()->entry_rect(key);
  REQUIRE_FALSE(cell.isEmpty());
  QTest::mouseClick(panel->presets(), Qt::LeftButton, {}, cell.center());
}

}  // namespace

TEST_CASE("Material: all 29 presets are there by family and give look and physics", "[ui][material]") {
  MaterialBench b({Id{1}, Id{2}});
  MaterialPanel* panel = b.panel;
  std::set<QString> families, keys;
  for (const auto& entry : panel->presets()->entries()) {
    if (!entry.key.startsWith("preset:")) continue;
    families.insert(entry.group);
    keys.insert(entry.key);
  }
  CHECK(keys.size() == 29);
  CHECK(families.size() == 4);
  pick(panel, "preset:gold");
  const MaterialPreset* gold = find_material("gold");
  for (int id : {1, 2}) {
    CHECK(b.object(id).material.preset == "gold");
    CHECK(b.object(id).material.surface.diffuse == gold->surface.diffuse);
    CHECK(b.object(id).material.substance.density == gold->substance.density);
  }
  CHECK(b.steps() == 1);
  CHECK(panel->presets()->current() == "preset:gold");
  QTest::keyClick(panel->presets(), Qt::Key_Right);
  CHECK(b.object(1).material.preset == "polished gold");
  b.document.undo_stack()->undo();
  CHECK(panel->presets()->current() == "preset:gold");
}

TEST_CASE("Material: hue, saturation and value per component", "[ui][material]") {
  MaterialBench b({Id{1}});
  MaterialPanel* panel = b.panel;
  pick(panel, "preset:red plastic");
  type_into(panel->hsv(1, 0), "120");
  CHECK((b.object(1).material.surface.diffuse - Vec3(0, 0.5, 0)).norm() < 1e-9);
  type_into(panel->hsv(1, 1), "0");
  CHECK((b.object(1).material.surface.diffuse - Vec3(0.5, 0.5, 0.5)).norm() < 1e-9);
  CHECK(panel->hsv(1, 0)->value() == Approx(120));
  type_into(panel->hsv(1, 1), "100");
  CHECK((b.object(1).material.surface.diffuse - Vec3(0, 0.5, 0)).norm() < 1e-9);
  const int steps = b.steps();
  drag(panel->hsv(2, 2), -30);
  CHECK(b.object(1).material.surface.specular.maxCoeff() < 0.7);
  CHECK(b.steps() == steps + 1);
  CHECK(panel->presets()->current().isEmpty());
}

TEST_CASE("Material: physics follow the preset or are set apart", "[ui][material]") {
  MaterialBench b({Id{1}});
  MaterialPanel* panel = b.panel;
  pick(panel, "preset:gold");
  CHECK(panel->follow()->isChecked());
  type_into(static_cast<SingleNumberField*>(panel->physics(0))->field(), "500");
  CHECK(b.object(1).material.substance.density == 500);
  CHECK_FALSE(b.object(1).material.substance_follows);
  CHECK_FALSE(panel->follow()->isChecked());
  pick(panel, "preset:silver");
  CHECK(b.object(1).material.substance.density == 500);
  panel->follow()->click();
  CHECK(b.object(1).material.substance_follows);
  CHECK(b.object(1).material.substance.density == find_material("silver")->substance.density);
}

TEST_CASE("Material: own presets are kept, offered and taken", "[ui][material]") {
  MaterialBench b({Id{1}});
  MaterialPanel* panel = b.panel;
  pick(panel, "preset:jade");
  type_into(panel->hsv(1, 0), "300");
  const Surface wanted = b.object(1).material.surface;
  panel->save_own("Pink jade");
  CHECK(panel->presets()->current() == "own:Pink jade");
  b.selection.set({Id{2}});
  pick(panel, "own:Pink jade");
  CHECK(b.object(2).material.surface.diffuse == wanted.diffuse);
  MaterialPanel other(b.context, nullptr);
  bool offered = false;
  for (const auto& entry : other.presets()->entries()) offered |= entry.key == "own:Pink jade";
  CHECK(offered);
}

TEST_CASE("Own materials: damaged files and values out of range are left out", "[ui][material]") {
  QTemporaryDir folder;
  const QString file = folder.filePath("materials.json");
  {
    OwnMaterials own(file);
    Material material;
    material.substance.density = 1234.5;
    material.surface.diffuse = Vec3(0.1, 0.2, 0.3);
    REQUIRE(own.save("B", material).ok());
    REQUIRE(own.save("A", material).ok());
  }
  OwnMaterials again(file);
  REQUIRE(again.all().size() == 2);
  CHECK(again.all()[0].name == "A");
  CHECK(again.all()[1].material.substance.density == 1234.5);
  CHECK(again.all()[1].material.surface.diffuse == Vec3(0.1, 0.2, 0.3));
  REQUIRE(again.remove("A").ok());
  CHECK(OwnMaterials(file).all().size() == 1);

  QFile bad(file);
  REQUIRE(bad.open(QIODevice::WriteOnly));
  bad.write(R"({"materials": [{"name": "X", "substance.density": -5, "surface.diffuse": "red"}, 7, {"name": ""}]})");
  bad.close();
  OwnMaterials damaged(file);
  REQUIRE(damaged.all().size() == 1);
  CHECK(damaged.all()[0].material.substance.density > 0);
  REQUIRE(bad.open(QIODevice::WriteOnly));
  bad.write("{\"materials\": [");
  bad.close();
  CHECK(OwnMaterials(file).all().empty());
}

TEST_CASE("Spheres come from the worker; the painted one shows colour, gloss and transparency", "[ui][material]") {
  const Surface gold = find_material("gold")->surface;
  const QImage painted = painted_sphere(gold, 64);
  CHECK(painted.pixelColor(0, 0).alpha() == 0);
  const QColor middle = painted.pixelColor(32, 32);
  CHECK(middle.red() > middle.blue() + 40);
  CHECK(painted.pixelColor(22, 20).lightness() > painted.pixelColor(44, 50).lightness());

  SphereJob job;
  std::map<QString, QImage> pictures;
  QObject::connect(&job, &SphereJob::done, [&](const QString& key, const QImage& picture) { pictures[key] = picture; });
  job.request("gold", gold, 48);
  job.request("jade", find_material("jade")->surface, 48);
  REQUIRE(wait_for([&] { return pictures.size() == 2; }));
  CHECK(pictures["gold"].size() == QSize(48, 48));
  const QColor a = pictures["gold"].pixelColor(24, 24), j = pictures["jade"].pixelColor(24, 24);
  CHECK(a.red() > a.blue() + 30);
  CHECK(j.green() > j.red());
  CHECK(pictures["gold"].pixelColor(0, 0).alpha() == 0);
}

namespace {

/// The small scene with a mesh of three parts, "head", "body" and "tail", as object 1.
Scene scene_with_parts() {
  auto mesh = std::make_shared<DisplayMesh>();
  const char* names[] = {"head", "body", "tail"};
  for (int i = 0; i < 3; ++i) {
    const auto first = static_cast<std::uint32_t>(mesh->positions.size());
    for (const Vec3& p : {Vec3(i, 0, 0), Vec3(i + 0.9, 0, 0), Vec3(i, 1, 0)}) {
      mesh->positions.push_back(p);
      mesh->normals.push_back(Vec3(0, 0, 1));
    }
    mesh->parts.push_back({names[i], static_cast<std::uint32_t>(i), 1});
    mesh->faces.push_back({first, first + 1, first + 2});
  }
  return with_object(small_scene(), Id{1}, [&](Object& o) {
    o.display.kind = DisplayKind::mesh;
    o.display.mesh.mesh = mesh;
    o.display.mesh.content = mesh_hash(*mesh);
    o.display.mesh.file = "creature.obj";
  });
}

}  // namespace

TEST_CASE("Material: a part takes a material of its own, is changed alone and cleared", "[ui][material]") {
  Bench b(scene_with_parts());
  auto* panel = b.show(new MaterialPanel(b.context, nullptr));
  b.selection.set({Id{2}});
  CHECK(panel->parts()->isHidden() == panel->parts()->parentWidget()->isHidden());
  CHECK_FALSE(panel->parts()->isVisible());
  b.selection.set({Id{1}});
  REQUIRE(panel->parts()->isVisible());
  REQUIRE(panel->parts()->count() == 4);
  CHECK(panel->parts()->item(1)->text() == "head");
  CHECK_FALSE(panel->part());
  pick(panel, "preset:gold");
  CHECK(b.object(1).material.preset == "gold");
  CHECK(b.object(1).part_materials.empty());

  QTest::mouseClick(panel->parts()->viewport(), Qt::LeftButton, {},
                    panel->parts()->visualItemRect(panel->parts()->item(3)).center());
  REQUIRE(panel->part());
  CHECK(*panel->part() == "tail");
  CHECK_FALSE(panel->clear_part()->isEnabled());
  CHECK_FALSE(panel->follow()->isVisible());  // physics belong to the whole
  const int steps = b.steps();
  pick(panel, "preset:ruby");
  CHECK(b.steps() == steps + 1);
  CHECK(b.document.undo_stack()->undoText().contains("tail"));
  REQUIRE(b.object(1).part_materials.size() == 1);
  CHECK(b.object(1).part_materials[0].part == "tail");
  CHECK(b.object(1).part_materials[0].material.preset == "ruby");
  CHECK(b.object(1).material.preset == "gold");
  CHECK(panel->presets()->current() == "preset:ruby");
  type_into(panel->hsv(1, 0), "120");
  CHECK(b.object(1).part_materials[0].material.surface.diffuse.y() > 0.3);
  CHECK(b.object(1).material.surface.diffuse == find_material("gold")->surface.diffuse);

  CHECK(panel->clear_part()->isEnabled());
  panel->clear_part()->click();
  CHECK(b.object(1).part_materials.empty());
  CHECK(panel->presets()->current() == "preset:gold");
  b.document.undo_stack()->undo();
  REQUIRE(b.object(1).part_materials.size() == 1);
  while (b.document.undo_stack()->canUndo()) b.document.undo_stack()->undo();
  CHECK(b.object(1).part_materials.empty());
}

TEST_CASE("Material: a click in the viewport chooses the part while the panel asks", "[ui][material]") {
  Bench b(scene_with_parts());
  auto* panel = b.show(new MaterialPanel(b.context, nullptr));
  b.selection.set({Id{1}});
  b.selection.announce_part(Id{1}, "body");
  CHECK_FALSE(panel->part());
  panel->pick_part()->click();
  b.selection.announce_part(Id{1}, "body");
  REQUIRE(panel->part());
  CHECK(*panel->part() == "body");
  CHECK(panel->parts()->currentRow() == 2);
  b.selection.announce_part(Id{3}, "tail");  // another object's
  CHECK(*panel->part() == "body");
  b.selection.set({Id{2}});
  CHECK_FALSE(panel->part());
}

TEST_CASE("Surface editor: edits whatever its target says, in one step with a drag", "[ui][material]") {
  QWidget window;
  std::vector<SurfaceValue> looks(2);
  looks[1].surface.diffuse = Vec3(0, 0, 1);
  std::vector<bool> continued;
  QString last;
  auto* editor = new SurfaceEditor("test", &window);
  SurfaceTarget target;
  target.values = [&] { return looks; };
  target.edit = [&](const QString& what, const SurfaceChange& change, bool continues, QWidget*) {
    last = what;
    continued.push_back(continues);
    for (SurfaceValue& look : looks) change(look);
    editor->refresh();
  };
  target.several = "primitives";
  CHECK_FALSE(editor->isEnabled());
  editor->set_target(target);
  window.resize(320, 700);
  editor->resize(320, 700);
  window.show();
  REQUIRE(QTest::qWaitForWindowExposed(&window));
  CHECK(editor->isEnabled());
  CHECK(window.findChild<QLabel*>("material_name")->text() == "Several materials");
  drag(editor->hsv(1, 2), -20);
  CHECK(last == "Diffuse colour");
  REQUIRE(continued.size() >= 2);
  CHECK_FALSE(continued.front());
  CHECK(continued.back());
  CHECK(looks[0].surface.diffuse == looks[1].surface.diffuse);
  const QRect jade = editor->presets()->entry_rect("preset:jade");
  QTest::mouseClick(editor->presets(), Qt::LeftButton, {}, jade.center());
  CHECK(looks[0].preset == "jade");
  CHECK(looks[1].surface == find_material("jade")->surface);
  CHECK(editor->presets()->current() == "preset:jade");
  type_into(static_cast<SingleNumberField*>(editor->opacity())->field(), "0.5");
  CHECK(looks[1].surface.opacity == 0.5);
  looks.clear();
  editor->refresh();
  CHECK_FALSE(editor->isEnabled());
}

}  // namespace material_test
