// The metaball modeler in the real window (issue 3, item 1): a three-ball figure is built, carved, mirrored and shaped by
// mouse and keys; everything is undone to the empty scene and redone, every state to the byte.
#include <QLabel>
#include <QSlider>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>

#include "core/geometry/metaball/catalogue.h"
#include "core/scene/values/materials.h"
#include "render/picture_formats.h"
#include "tests/ui/flow_support.h"
#include "ui/editors/export_worker.h"
#include "ui/jobs/metaball_job.h"
#include "ui/jobs/thumbnail_job.h"
#include "ui/modes/mode_bar.h"
#include "ui/panels/metaball_model.h"
#include "ui/panels/metaball_panel.h"
#include "ui/panels/surface_editor.h"
#include "ui/widgets/colour_editor.h"
#include "ui/widgets/section_editor.h"
#include "ui/widgets/swatch_grid.h"

namespace flow_metaballs_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct MetaballFlow : Flow {
  MetaballPanel& panel() {
    auto* found = window.findChild<MetaballPanel*>();
    REQUIRE(found);
    return *found;
  }
  const MetaballGroup& group() { return last().display.metaballs; }
  bool settled() {
    return wait_for([&] { return window.metaball_job().idle(); });
  }
  MetaballFigures figures() { return window.metaball_job().figures(last().id); }
  QPointF pixel_of(std::uint32_t id) { return pixel(last().transform * find_primitive(group(), id)->centre); }
  void drag_section(int which, SectionEditor::Handle handle, QPointF by) {
    SectionEditor* editor = sight(panel().section(which));
    const QPointF from = editor->handle_at(handle);
    REQUIRE(editor->handle_under(from) == handle);
    drag(editor, from, from + by);
  }
};

}  // namespace

TEST_CASE("Flow: a three-ball figure is built from metaballs, carved, mirrored, shaped, undone and redone",
          "[ui][flow][metaballs]") {
  MetaballFlow f;
  const std::string empty = scene_to_text(f.scene());
  f.submenu("Add", "add.metaball_ball");
  REQUIRE(f.last().display.kind == DisplayKind::metaballs);
  REQUIRE(f.group().primitives.size() == 1);
  const Id id = f.last().id;
  CHECK(f.window.context().elements.in("metaballs"));
  CHECK(f.window.context().elements.elements() == Elements{{0, 1}});
  CHECK(f.panel().isVisible());  // the panel comes with the mode
  f.view().setFocus();
  f.menu("View", "view.frame_all");
  REQUIRE(f.settled());
  CHECK(f.figures().final);
  CHECK(f.figures().closed);
  CHECK(f.figures().triangles > 100);
  REQUIRE(wait_for([&] { return f.figures().error.has_value(); }));
  CHECK(f.figures().error->largest > 0);
  CHECK(f.figures().error->largest < f.group().final_tolerance);  // its diameter is 1 m
  QLabel* figures = f.sight(f.panel().findChild<QLabel*>("metaball_figures"));
  CHECK(figures->text().contains("mm off"));
  f.shot("metaballs_error");

  // A second ball for the head: Add puts it beside, G lifts it.
  f.submenu("Add", "add.metaball_ball");
  REQUIRE(f.group().primitives.size() == 2);
  CHECK(f.scene().objects.back()->id == id);
  f.view().setFocus();
  f.move_to(f.pixel_of(2));
  f.key(Qt::Key_G);
  f.key(Qt::Key_Y);
  for (Qt::Key k : {Qt::Key_Period, Qt::Key_7}) f.key(k);
  f.key(Qt::Key_Return);
  CHECK(f.document().undo_stack()->undoText() == "Move Ball 2 in Ball");
  // The third by Shift+D, along x, and smaller.
  f.move_to(f.pixel_of(2));
  f.key(Qt::Key_D, Qt::ShiftModifier);
  REQUIRE(f.view().gesture());
  f.key(Qt::Key_X);
  f.key(Qt::Key_Minus);
  for (Qt::Key k : {Qt::Key_1, Qt::Key_Period, Qt::Key_2}) f.key(k);
  f.key(Qt::Key_Return);
  REQUIRE(f.group().primitives.size() == 3);
  f.key(Qt::Key_S);
  for (Qt::Key k : {Qt::Key_Period, Qt::Key_8}) f.key(k);
  f.key(Qt::Key_Return);
  f.menu("View", "view.frame_all");
  REQUIRE(f.settled());
  CHECK(f.figures().closed);
  f.shot("metaballs_three");

  // Carved by a copy of the third: smaller, turned to carve with V.
  const std::size_t solid = f.figures().triangles;
  f.view().setFocus();
  f.move_to(f.pixel_of(3));
  f.key(Qt::Key_D, Qt::ShiftModifier);
  f.key(Qt::Key_Z);
  for (Qt::Key k : {Qt::Key_Period, Qt::Key_4}) f.key(k);
  f.key(Qt::Key_Return);
  f.key(Qt::Key_V);
  REQUIRE(f.group().primitives.size() == 4);
  CHECK(f.group().primitives[3].weight < 0);
  REQUIRE(f.settled());
  CHECK(f.figures().final);
  CHECK(f.figures().triangles != solid);
  f.shot("metaballs_carved");

  // Mirrored: third and fourth go to the other side.
  f.key(Qt::Key_A, Qt::AltModifier);
  f.click(f.pixel_of(3));
  REQUIRE(f.window.context().elements.contains({0, 3}));
  QTest::mouseClick(f.view().mode_bar()->command("metaballs.mirror_x"), Qt::LeftButton);
  REQUIRE(f.group().primitives.size() == 5);
  CHECK(f.group().primitives[4].centre.x() == -f.group().primitives[2].centre.x());

  // The sections of the first, chosen in the list.
  MetaballPanel& panel = f.panel();
  const QModelIndex first = panel.model()->index(0, 0);
  QTest::mouseClick(panel.list()->viewport(), Qt::LeftButton, {}, panel.list()->visualRect(first).center());
  REQUIRE(f.window.context().elements.elements() == Elements{{0, 1}});
  const MetaballPrimitive round = f.group().primitives[0];
  int steps = f.document().undo_stack()->index();
  f.drag_section(0, SectionEditor::Handle::corner, QPointF(14, -14));
  CHECK(f.group().primitives[0].round_xy < 0.8);  // out into the corner: boxy
  CHECK(f.group().primitives[0].round_xz == round.round_xz);
  CHECK(f.document().undo_stack()->index() == ++steps);
  CHECK(f.document().undo_stack()->undoText() == "Shape of Ball in Ball");
  f.drag_section(1, SectionEditor::Handle::corner, QPointF(-10, 10));
  CHECK(f.group().primitives[0].round_xz > 1.2);  // in: towards an octahedron
  CHECK(f.document().undo_stack()->index() == ++steps);
  f.drag_section(0, SectionEditor::Handle::right, QPointF(12, 0));
  CHECK(f.group().primitives[0].radii.x() > round.radii.x());
  CHECK(f.group().primitives[0].radii.y() == round.radii.y());
  f.drag_section(1, SectionEditor::Handle::top, QPointF(0, 8));
  CHECK(f.group().primitives[0].radii.z() < round.radii.z());
  steps = f.document().undo_stack()->index();
  CHECK(f.document().undo_stack()->undoText() == "Size of Ball in Ball");

  f.sight(panel.section(1));
  f.shot("metaball-panel", f->findChild<QDockWidget*>("metaballs"));

  // Weight by the slider, colour by the swatch, an eye, own colours.
  QSlider* weight = f.sight(panel.weight());
  f.drag(weight, QPointF(weight->width() * 0.75, weight->height() / 2.0),
         QPointF(weight->width() * 0.9, weight->height() / 2.0));
  CHECK(f.group().primitives[0].weight > 1.5);
  f.sight(panel.list());
  const QModelIndex colour = panel.model()->index(0, MetaballModel::colour_column);
  QTest::mouseClick(panel.list()->viewport(), Qt::LeftButton, {}, panel.list()->visualRect(colour).center());
  auto* editor = panel.findChild<ColourEditor*>("metaball_colour_editor");
  REQUIRE(editor);
  const Vec3 grey = f.group().primitives[0].surface.diffuse;
  QTest::mouseClick(editor->square(), Qt::LeftButton, {}, editor->square()->square().topRight() + QPoint(-6, 6));
  CHECK(f.group().primitives[0].surface.diffuse != grey);
  CHECK(f.group().own_colours);  // what is picked is shown
  editor->close();
  auto* own = f->findChild<QAbstractButton*>("metaball_own_colours");
  QTest::mouseClick(f.sight(own), Qt::LeftButton, {}, QPoint(10, 8));
  CHECK_FALSE(f.group().own_colours);
  // The whole of a material by its sphere, for the ball alone; one step that shows it again.
  const Surface another = f.group().primitives[1].surface;
  SurfaceEditor& material = *panel.material();
  const int before_jade = f.document().undo_stack()->index();
  f.sight(material.presets());
  const QRect jade = material.presets()->entry_rect("preset:jade");
  f.click_in(material.presets(), jade.center());
  CHECK(f.document().undo_stack()->index() == before_jade + 1);
  CHECK(f.group().primitives[0].preset == "jade");
  CHECK(f.group().primitives[0].surface == find_material("jade")->surface);
  CHECK(f.group().primitives[1].surface == another);
  CHECK(f.group().own_colours);
  f.shot("metaball-material", f->findChild<QDockWidget*>("metaballs"));
  f.sight(panel.list());
  const QModelIndex eye = panel.model()->index(1, MetaballModel::eye_column);
  QTest::mouseClick(panel.list()->viewport(), Qt::LeftButton, {}, panel.list()->visualRect(eye).center());
  CHECK_FALSE(f.group().primitives[1].visible);
  QTest::mouseClick(panel.list()->viewport(), Qt::LeftButton, {}, panel.list()->visualRect(eye).center());
  CHECK(f.group().primitives[1].visible);
  REQUIRE(f.settled());
  CHECK(f.figures().closed);
  f.shot("metaballs_shaped");

  // Everything back, and forth again.
  CHECK(f.document().undo_stack()->index() >= 16);
  back_and_forth(f, empty, [&] { CHECK_FALSE(f.window.context().elements.mode()); });
  REQUIRE(f.settled());
  CHECK(f.figures().final);
}

TEST_CASE("Flow: the surface follows a drag by previews and becomes final at rest", "[ui][flow][metaballs]") {
  MetaballFlow f;
  f.submenu("Add", "add.metaball_figure");
  REQUIRE(f.settled());
  const MetaballFigures before = f.figures();
  CHECK(before.final);
  CHECK(before.closed);
  f.view().setFocus();
  f.menu("View", "view.frame_selected");
  f.shot("metaballs_figure");
  std::uint32_t head = 0;
  for (const MetaballPrimitive& p : f.group().primitives)
    if (p.name == "Head") head = p.id;
  REQUIRE(head);
  const QPointF at = f.pixel_of(head);
  bool preview = false;
  QObject::connect(&f.window.metaball_job(), &MetaballJob::figures_changed, &f.window,
                   [&] { preview = preview || !f.figures().final; });
  f.mouse(&f.view(), QEvent::MouseMove, at, Qt::NoButton, Qt::NoButton);
  f.mouse(&f.view(), QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton);
  int seen = 0;
  const auto counted = QObject::connect(&f.window.metaball_job(), &MetaballJob::supplied, &f.window, [&] { ++seen; });
  for (int i = 1; i <= 10; ++i) {
    f.mouse(&f.view(), QEvent::MouseMove, at + QPointF(3.0 * i, -2.0 * i), Qt::NoButton, Qt::LeftButton);
    QTest::qWait(20);
  }
  CHECK(wait_for([&] { return seen > 0; }));
  f.mouse(&f.view(), QEvent::MouseButtonRelease, at + QPointF(30, -20), Qt::LeftButton, Qt::NoButton);
  QObject::disconnect(counted);
  CHECK(preview);
  REQUIRE(f.settled());
  CHECK(f.figures().final);
  CHECK(f.figures().closed);
  // What is shown is the mesh of the group as it is now, not of some moment of the drag.
  REQUIRE(f.document().meshes().ready(f.last()));
  CHECK(f.document().meshes().mesh(f.last()) == f.document().meshes().ready(f.last()));
  f.key(Qt::Key_Z, Qt::ControlModifier);
  REQUIRE(f.settled());
  CHECK(f.figures().triangles == before.triangles);
}

TEST_CASE("Flow: window, run, export and thumbnails have a group polygonised once between them",
          "[ui][flow][metaballs]") {
  MetaballFlow f;
  const std::shared_ptr<MeshStore> store = f.document().mesh_store();
  CHECK(store->polygonised() == 0);
  f.submenu("Add", "add.metaball_figure");
  REQUIRE(f.settled());
  REQUIRE(f.figures().final);
  CHECK(f.figures().milliseconds > 0);
  const auto run = [&] { return f.window.context().playback.status().phase == FillStatus::Phase::complete; };
  REQUIRE(wait_for(run, 60000));
  CHECK(store->polygonised() == 1);

  const QTemporaryDir folder;
  ExportTask task;
  task.scene = f.document().snapshot();
  task.format = find_any_format("png");
  REQUIRE(task.format);
  task.target.pattern = folder.filePath("figure.#.png").toStdString();
  task.target.values = {{"width", 64}, {"height", 48}};
  task.target.meshes = store;
  task.options.range = {0, 2, 2};
  task.options.meshes = store;
  ExportWorkerState state;
  run_export_task(task, state, [] {});
  CHECK(state.read().result.end == ExportEnd::complete);
  CHECK(state.read().result.written == 2);
  CHECK(store->polygonised() == 1);

  const QString file = folder.filePath("figure.json");
  REQUIRE(save_scene(f.scene(), file.toStdString()).ok());
  ThumbnailJob thumbnails(folder.path(), store);
  int pictures = 0;
  QObject::connect(&thumbnails, &ThumbnailJob::ready, &thumbnails,
                   [&](const QString&, const QVector<QImage>& strip) { pictures = static_cast<int>(strip.size()); });
  thumbnails.request({file});
  REQUIRE(wait_for([&] { return pictures > 1; }, 60000));
  CHECK(store->polygonised() == 1);
}

}  // namespace flow_metaballs_test
