// Where a blob of metaballs merges and parts, on the time line by mouse: marks that come as the run is computed, their tool tips, a click
// that goes there, and what an export adds.
#include <QComboBox>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolTip>

#include "tests/support/blob_scene.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/flow_support.h"
#include "ui/editors/export_dialog.h"
#include "ui/model/surface_changes.h"
#include "ui/panels/surface_marks.h"
#include "ui/panels/timeline_ruler.h"

namespace flow_surfaces_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct SurfaceFlow : Flow {
  TimelineRuler* ruler = nullptr;
  explicit SurfaceFlow(double roundness = 1) {
    Scene scene = two_flying();
    scene.name = "Blob";
    scene.settings.last_frame = 80;
    scene.objects[0] = scene.objects[0].edited([&](Object& o) {
      for (MetaballPrimitive& p : o.display.metaballs.primitives) p.round_xz = p.round_xy = roundness;
    });
    document().reset(std::move(scene), {});
    ruler = window.findChild<TimelineRuler*>();
    REQUIRE(ruler);
    finish();
  }
  void finish() {
    QTest::qWait(20);
    REQUIRE(complete(playback()));
    QTest::qWait(60);
  }
  const std::vector<SurfaceChanges::Change>& marks() { return session.context.surfaces.all(); }
  QPointF place(int frame) { return {ruler->x_of(frame), SurfaceMarks::height()}; }
  QString tip(QPointF at) {
    QToolTip::hideText();
    REQUIRE(wait_for([] { return !QToolTip::isVisible(); }, 3000));
    const QPoint there = at.toPoint();
    QHelpEvent help(QEvent::ToolTip, there, ruler->mapToGlobal(there));
    QApplication::sendEvent(ruler, &help);
    QTest::qWait(20);
    return QToolTip::text();
  }
  void click_mark(QPointF at) {
    mouse(ruler, QEvent::MouseMove, at, Qt::NoButton, Qt::NoButton);
    mouse(ruler, QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton);
    mouse(ruler, QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton);
    QTest::qWait(20);
  }
};

}  // namespace

TEST_CASE("Flow: where a blob merges and parts is marked on the time line", "[ui][flow][surfaces]") {
  SurfaceFlow f;
  // Centres 1.2 − 2t m apart meet at 0.5286 m and part as far again: frames 20.14 and 51.86.
  REQUIRE(f.marks().size() == 2);
  CHECK(f.marks()[0].frame == 21);
  CHECK(f.marks()[1].frame == 52);
  CHECK(f.tip(f.place(21)) == "Frame 21\nBlob: 2 pieces become 1.\nExports begin a new mesh here. Click goes there.");
  CHECK(f.tip(f.place(52)).contains("Blob: 1 piece becomes 2."));
  CHECK_FALSE(f.tip(f.place(35)).contains("Blob"));
  // Beside it a few pixels; the frame is that of the mark.
  f.click_mark(f.place(52) + QPointF(3, 1));
  CHECK(f.playback().frame() == 52);
  CHECK(f.ruler->cursor().shape() == Qt::PointingHandCursor);
  f.click_mark(f.place(21) - QPointF(3, 0));
  CHECK(f.playback().frame() == 21);
  CHECK(f.document().undo_stack()->count() == 0);
  f.shot("surfaces_marks");
  // Beside the marks a click scrubs, as it did.
  f.click_mark(f.place(35));
  CHECK(f.playback().frame() == 35);

  // Half as fast they meet twice as late, and part beyond the end.
  Scene slower = f.scene();
  for (auto& object : slower.objects) object = object.edited([](Object& o) { o.body.velocity *= 0.5; });
  const Status done = f.document().edit("Slower", std::move(slower));
  INFO((done ? "" : done.error().message));
  REQUIRE(done);
  f.finish();
  REQUIRE(f.marks().size() == 1);
  CHECK(f.marks()[0].frame == 41);
  f.action("edit.undo")->trigger();
  f.finish();
  CHECK(f.marks().size() == 2);
  f.document().reset(make_new_scene(), {});
  QTest::qWait(60);
  CHECK(f.marks().empty());
}

TEST_CASE("Flow: an export adds where triangles could not follow", "[ui][flow][surfaces]") {
  const TemporaryFolder folder;
  SurfaceFlow f(1.6);  // pinched: faces turn over at their edges
  f.menu("File", "file.export_images");
  auto* dialog = f->findChild<ExportDialog*>();
  REQUIRE(dialog);
  REQUIRE(wait_for([&] { return dialog->isVisible(); }, 3000));
  ExportChoice choice = dialog->choice();
  choice.format = "ply";
  choice.folder = QString::fromStdString(folder.path().string());
  choice.object = Id{kBlob};
  dialog->set_choice(choice);
  QTest::mouseClick(dialog->findChild<QPushButton*>("export_start"), Qt::LeftButton);
  REQUIRE(wait_for([&] { return !dialog->running(); }, 120000));
  const QString said = dialog->findChild<QLabel*>("export_message")->text();
  CHECK(said.contains("frame 21: 2 pieces become 1"));
  QTest::mouseClick(dialog->findChild<QPushButton*>("export_close"), Qt::LeftButton);
  int topology = 0, others = 0;
  for (const SurfaceChanges::Change& change : f.marks()) {
    (change.topology ? topology : others) += 1;
    if (change.topology) continue;
    const QString tip = f.tip(f.place(change.frame));
    CHECK(tip.contains("Blob: the export begins a new mesh, since "));
    CHECK(said.contains(change.what));
    f.click_mark(f.place(change.frame));
    CHECK(f.playback().frame() == change.frame);
  }
  CHECK(topology == 2);
  INFO(said.toStdString());
  CHECK(others > 0);
  CHECK(others >= said.count("A new mesh from frame") - 2);
  f.shot("surfaces_exported");

  // What an edit makes out of date goes.
  Scene faster = f.scene();
  for (auto& object : faster.objects) object = object.edited([](Object& o) { o.body.velocity *= 1.1; });
  REQUIRE(f.document().edit("Faster", std::move(faster)));
  f.finish();
  for (const SurfaceChanges::Change& change : f.marks()) CHECK(change.topology);
}

}  // namespace flow_surfaces_test
