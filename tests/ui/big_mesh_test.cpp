// A mesh of a million triangles in the real window: while it is opened, looked at and orbited with the mouse
// the event loop keeps turning. Gaps are times between two beats of the loop without what is drawn in between
// (here a processor draws; drawing is told apart and printed). Other programs share the machine: of three
// rounds the best counts, a stall of ours is in all.
#include <QMimeData>

#include "core/geometry/mesh/primitives.h"
#include "tests/ui/flow_support.h"
#include "tests/ui/heart.h"
#include "ui/editors/import_dialog.h"
#include "ui/jobs/looks_job.h"
#include "ui/viewport/canvas.h"

namespace big_mesh_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// 1,000,000 triangles as a binary PLY file.
void write_million(const QString& path) {
  Primitive shape;
  shape.shape = PrimitiveShape::torus;
  shape.size = Vec3(3, 1, 3);
  shape.divisions = {1000, 500, 1};
  const DisplayMesh mesh = make_primitive(shape);
  QByteArray bytes =
      "ply\nformat binary_little_endian 1.0\nelement vertex " + QByteArray::number(qulonglong(mesh.positions.size())) +
      "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
      QByteArray::number(qulonglong(mesh.faces.size())) + "\nproperty list uchar uint vertex_indices\nend_header\n";
  for (const Vec3& p : mesh.positions) {
    const Vec3f f = p.cast<float>();
    bytes.append(reinterpret_cast<const char*>(f.data()), 12);
  }
  for (const auto& f : mesh.faces) {
    bytes.append('\3');
    bytes.append(reinterpret_cast<const char*>(f.data()), 12);
  }
  write_file(path, bytes);
}

struct BigMeshFlow : Flow {
  void import(const QString& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QDropEvent event(QPointF(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
    auto* dialog = window.findChild<ImportDialog*>();
    REQUIRE(dialog);
    REQUIRE(wait_for([&] { return dialog->ready(); }, 120000));
    QTest::mouseClick(dialog->findChild<QPushButton*>("import_start"), Qt::LeftButton);
    REQUIRE(scene().objects.size() == 2);
    REQUIRE(last().display.mesh.mesh->faces.size() == 1'000'000);
  }
};

}  // namespace

TEST_CASE("Flow: a mesh of a million triangles is opened, orbited and clicked without a stall",
          "[ui][flow][big_mesh][time]") {
  ViewCanvas::smooth_when_at_rest(true);
  QTemporaryDir folder;
  const QString file = folder.filePath("million.ply");
  write_million(file);
  double opening = 1e9, orbiting = 1e9, clicking = 1e9;
  for (int round = 0; round < 3 && (opening > 100 || orbiting > 100 || clicking > 100); ++round) {
    BigMeshFlow f;
    // The form of an object is made when one is selected first, whatever it is (about 50 ms): the mesh is not that one.
    f.selection().select_only(f.scene().objects.front()->id);
    QTest::qWait(50);
    Heart heart(f.window);
    f.playback().set_paused(true);  // the run has its own thread; here it would only take the machine
    QElapsedTimer clock;
    clock.start();
    f.import(file);
    const double opened = 1e-3 * static_cast<double>(clock.elapsed());
    f.key(Qt::Key_Home);
    // Until everything about the mesh is known it is drawn in full.
    REQUIRE(wait_for([&] { return !f.view().looks().busy() && f.view().resting(); }, 120000));
    opening = std::min(opening, heart.longest_gap);
    std::printf("round %d: opened in %.1f s, longest gap %.0f ms; drawing %.0f ms in %d pictures, longest %.0f ms\n",
                round, opened, heart.longest_gap, heart.drawing, heart.pictures, heart.longest_drawing);

    heart.start_over();
    const QPointF middle(0.5 * f.view().width(), 0.5 * f.view().height());
    const float yaw = static_cast<const Viewport&>(f.view()).camera().yaw;
    f.mouse(&f.view(), QEvent::MouseButtonPress, middle, Qt::MiddleButton, Qt::MiddleButton);
    for (int i = 1; i <= 30; ++i) {
      f.mouse(&f.view(), QEvent::MouseMove, middle + QPointF(4 * i, i), Qt::NoButton, Qt::MiddleButton);
      const int drawn = f.view().frames_drawn();
      REQUIRE(wait_for([&] { return f.view().frames_drawn() > drawn; }));
    }
    f.mouse(&f.view(), QEvent::MouseButtonRelease, middle + QPointF(120, 30), Qt::MiddleButton, Qt::NoButton);
    CHECK(std::abs(static_cast<const Viewport&>(f.view()).camera().yaw - yaw) > 0.1f);
    CHECK(heart.pictures >= 30);
    orbiting = std::min(orbiting, heart.longest_gap);
    std::printf("         orbit: longest gap %.0f ms; %.0f ms a picture, longest %.0f ms\n", heart.longest_gap,
                heart.drawing / std::max(1, heart.pictures), heart.longest_drawing);

    heart.start_over();
    f.selection().clear();
    const Vec3 on_the_tube = f.last().transform.position + Vec3(0, 0, 1);
    for (int i = 0; i < 10; ++i) f.move_to(f.pixel(on_the_tube) + QPointF(i, 0));
    f.click(f.pixel(on_the_tube));
    CHECK(f.selection().contains(f.last().id));
    REQUIRE(wait_for([&] { return f.view().resting(); }));
    QTest::qWait(20);
    clicking = std::min(clicking, heart.longest_gap);
    std::printf("         click: longest gap %.0f ms; longest picture (at rest, whole) %.0f ms\n", heart.longest_gap,
                heart.longest_drawing);
  }
  CHECK(opening < 100);
  CHECK(orbiting < 100);
  CHECK(clicking < 100);
}

}  // namespace big_mesh_test
