// The whole way of issue 3 on the real window, by mouse: a three-ball figure of metaballs is built, carved and mirrored, gets a
// truss, two of its nodes are pinned, it plays; everything is undone to the empty scene and redone, the saved file to the byte.
#include <cmath>

#include <QMenu>
#include <QToolBar>
#include <QToolButton>

#include "core/geometry/metaball/catalogue.h"
#include "tests/ui/truss_support.h"
#include "ui/jobs/metaball_job.h"
#include "ui/panels/metaball_panel.h"
#include "ui/panels/strung_section.h"
#include "ui/panels/truss_builder.h"
#include "ui/widgets/segments.h"

namespace flow_figure_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct FigureFlow : Flow {
  ElementSelection& elements() { return window.context().elements; }
  const MetaballGroup& group() { return last().display.metaballs; }
  const StrungTruss& truss() { return *last().analysis.strung; }
  QPointF ball(std::uint32_t id) { return pixel(last().transform * find_primitive(group(), id)->centre); }
  QPointF node(std::uint32_t i) { return pixel(ObjectSpace(last()).world(truss().nodes[i].position)); }
  int steps() { return document().undo_stack()->index(); }
  bool settled() {
    return wait_for([&] { return window.metaball_job().idle(); });
  }
  void press(QWidget* button) {
    REQUIRE(button);
    REQUIRE(button->isVisible());
    INFO(button->objectName().toStdString() << ": " << button->toolTip().toStdString());
    REQUIRE(button->isEnabled());
    click_in(button, button->rect().center());
    QTest::qWait(10);
  }
  /// The button of the tool bar, or of the time line.
  QWidget* tool(const char* id) {
    if (auto* button = window.findChild<QToolButton*>(id)) return button;
    return window.findChild<QToolBar*>("tool_bar")->widgetForAction(action(id));
  }
  QToolButton* command(const char* id) { return view().mode_bar()->command(id); }
  /// Saves under a name by menu and dialog; the bytes of the file.
  QByteArray saved(const QString& file) {
    answer_file_dialog(file);
    menu("File", "file.save_as");
    QFile written(file);
    REQUIRE(written.open(QIODevice::ReadOnly));
    return written.readAll();
  }
};

/// What the arrangement of panels is does not belong to the work.
QByteArray without_layout(const QByteArray& bytes) {
  QByteArray kept;
  for (const QByteArray& line : bytes.split('\n'))
    if (!line.contains("\"layout\"")) kept += line + '\n';
  return kept;
}

}  // namespace

TEST_CASE(
    "Flow: three metaballs, carved, mirrored, with a truss and two pins, played; all undone to nothing and redone to "
    "the same bytes",
    "[ui][flow][figure]") {
  FigureFlow f;
  f.window.resize(1280, 822);  // the figure is clicked below the bars of the view
  QTest::qWait(30);
  QTemporaryDir folder;
  const QByteArray empty = f.saved(folder.filePath("empty.json"));
  REQUIRE(f.document().undo_stack()->count() == 0);

  // Three balls: body, head and an arm, each added by menu and pulled to its place.
  f.submenu("Add", "add.metaball_ball");
  f.submenu("View", "view.front");
  f.menu("View", "view.frame_all");
  REQUIRE(f.settled());
  // What makes an analysis model of it can be had at once, without a further edit.
  for (const char* id : {"analysis.fit", "analysis.decimate", "analysis.fill"}) {
    CAPTURE(id, f.action(id)->toolTip().toStdString());
    CHECK(wait_for([&] { return f.action(id)->isEnabled(); }));
  }
  f.shot("figure-1-ball");
  f.submenu("Add", "add.metaball_ball");
  REQUIRE(f.group().primitives.size() == 2);
  REQUIRE(f.settled());
  f.drag(&f.view(), f.ball(2), f.ball(1) - QPointF(0, 1.1 * std::abs(f.ball(2).x() - f.ball(1).x())));
  f.submenu("Add", "add.metaball_ball");
  REQUIRE(f.group().primitives.size() == 3);
  REQUIRE(f.settled());
  f.drag(&f.view(), f.ball(3), f.ball(1) + QPointF(f.ball(1).y() - f.ball(2).y(), 0));
  REQUIRE(f.settled());
  f.menu("View", "view.frame_all");
  CHECK(f.window.metaball_job().figures(f.last().id).closed);
  CHECK(find_primitive(f.group(), 2)->centre.y() > find_primitive(f.group(), 1)->centre.y() + 0.2);
  CHECK(find_primitive(f.group(), 3)->centre.x() > find_primitive(f.group(), 1)->centre.x() + 0.2);
  f.shot("figure-2-three-balls");

  // A fourth carves: a bite out of the arm.
  f.submenu("Add", "add.metaball_ball");
  REQUIRE(f.group().primitives.size() == 4);
  f.drag(&f.view(), f.ball(4),
         f.ball(3) + QPointF(0.3 * (f.ball(3).x() - f.ball(1).x()), 0.4 * (f.ball(3).x() - f.ball(1).x())));
  REQUIRE(f.settled());
  const std::size_t solid = f.window.metaball_job().figures(f.last().id).triangles;
  f.press(f.command("metaballs.carve"));
  CHECK(find_primitive(f.group(), 4)->weight < 0);
  REQUIRE(f.settled());
  CHECK(f.window.metaball_job().figures(f.last().id).closed);
  CHECK(f.window.metaball_job().figures(f.last().id).triangles != solid);
  f.shot("figure-3-carved");

  // Arm and bite on the other side too.
  f.click(f.ball(3));
  f.click(f.ball(4), Qt::ShiftModifier);
  REQUIRE(f.elements().elements() == Elements{{0, 3}, {0, 4}});
  f.press(f.command("metaballs.mirror_x"));
  REQUIRE(f.group().primitives.size() == 6);
  CHECK(find_primitive(f.group(), 5)->centre.x() == -find_primitive(f.group(), 3)->centre.x());
  CHECK(find_primitive(f.group(), 6)->weight < 0);
  REQUIRE(f.settled());
  CHECK(f.window.metaball_job().figures(f.last().id).final);
  f.menu("View", "view.frame_all");
  f.shot("figure-4-mirrored");

  // It bends, with nodes and springs of its own shape.
  f.press(f.tool("object.set_flexible"));
  CHECK(f.last().body.kind == BodyKind::flexible);
  const Box3 seen = bounds(*f.document().meshes().mesh(f.last()));
  CHECK((f.last().analysis.size - seen.size()).norm() < 1e-9);
  CHECK((f.last().analysis.offset - seen.centre()).norm() < 1e-9);
  auto* balls = f->findChild<MetaballPanel*>();
  f.press(f.sight(balls->findChild<QPushButton*>("analysis_decimate")));
  AnalysisPanel& analysis = *f->findChild<AnalysisPanel*>();
  TrussDialog* dialog = analysis.builder()->dialog();
  REQUIRE(dialog);
  type_number(dialog->count(), "40");
  f.shot("figure-5-truss-dialog");
  const int before = f.steps();
  f.press(dialog->start_button());
  REQUIRE(wait_for([&] { return f.steps() == before + 1; }));
  REQUIRE(f.last().analysis.kind == AnalysisKind::strung);
  f.press(f.view().mode_bar()->button(find_mode("truss")));
  REQUIRE(f.elements().in("truss"));
  CHECK(analysis.isVisible());  // its panel comes with the mode
  f.shot("figure-6-truss");

  // The two nodes that are highest on either side are pinned.
  const auto top = [&](double side) {
    std::uint32_t best = 0;
    double most = -1e9;
    for (std::uint32_t i = 0; i < f.truss().nodes.size(); ++i) {
      const Vec3& p = f.truss().nodes[i].position;
      if (side * p.x() > 0 && p.y() + 0.2 * p.z() > most) most = p.y() + 0.2 * p.z(), best = i;
    }
    return best;
  };
  const std::uint32_t left = top(-1), right = top(1);
  f.click(f.node(left));
  f.click(f.node(right), Qt::ShiftModifier);
  REQUIRE(f.elements().numbers(0) == std::set<std::uint32_t>{left, right});
  REQUIRE(f.elements().numbers(1).empty());
  f.press(f.command("truss.pin"));
  CHECK(f.truss().nodes[left].pinned);
  CHECK(f.truss().nodes[right].pinned);
  f.move_to(QPointF(-1, -1));
  f.shot("figure-7-pinned");

  // It plays: hangs on its pins, the rest swings.
  const Vec3 start = ObjectSpace(f.last()).world(f.truss().nodes[left].position);
  f.press(f.tool("play.toggle"));
  REQUIRE(f.playback().playing());
  REQUIRE(wait_for([&] { return f.playback().frame() >= 20 && f.playback().shown(); }));
  f.press(f.tool("play.toggle"));
  REQUIRE_FALSE(f.playback().playing());
  f.shot("figure-8-played");
  const auto nodes_at = [&](int frame) {
    f.playback().set_frame(frame);
    REQUIRE(wait_for([&] {
      return f.playback().shown() && f.playback().shown()->index == frame && f.playback().shown()->find(f.last().id);
    }));
    return f.playback().shown()->find(f.last().id)->nodes;
  };
  const auto played = nodes_at(20);
  REQUIRE(played.size() == f.truss().nodes.size());
  // A frame has floats: half of the last place in each of three coordinates.
  const Vec3 rounding = start.unaryExpr([](double x) { return x == 0 ? 0 : std::ldexp(1.0, std::ilogb(x) - 24); });
  CHECK((played[left].cast<double>() - start).norm() < 1.05 * rounding.norm());
  double moved = 0;
  for (std::size_t i = 0; i < played.size(); ++i)
    moved =
        std::max(moved, (played[i].cast<double>() - ObjectSpace(f.last()).world(f.truss().nodes[i].position)).norm());
  CHECK(moved > 0.01);

  // Everything taken back by the button, to what there was at first; then done again.
  const QByteArray made = f.saved(folder.filePath("figure.json"));
  const int edits = f.steps();
  CHECK(edits >= 11);
  for (int i = edits; i-- > 0;) {
    f.press(f.tool("edit.undo"));
    REQUIRE(f.steps() == i);
  }
  CHECK_FALSE(f.tool("edit.undo")->isEnabled());
  CHECK_FALSE(f.elements().mode());
  f.shot("figure-9-undone");
  CHECK(without_layout(f.saved(folder.filePath("undone.json"))) == without_layout(empty));
  for (int i = 0; i < edits; ++i) f.press(f.tool("edit.redo"));
  CHECK_FALSE(f.tool("edit.redo")->isEnabled());
  CHECK(f.steps() == edits);
  const QByteArray again = f.saved(folder.filePath("again.json"));
  CHECK(without_layout(again) == without_layout(made));
  CHECK(again.size() > 2 * empty.size());
  CHECK(nodes_at(20) == played);
  REQUIRE(f.settled());
  f.shot("figure-10-redone");
}

}  // namespace flow_figure_test
