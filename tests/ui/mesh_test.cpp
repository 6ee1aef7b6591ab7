// Mesh files that a person picks or drops: read in the background, drawn, named, saved and opened again.
#include <catch2/catch.hpp>

#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include "tests/ui/support.h"
#include "ui/editors/import_dialog.h"
#include "ui/jobs/mesh_job.h"
#include "ui/model/diagnostics_model.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/message_bar.h"

namespace mesh_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

const QByteArray kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

struct MeshWindow : Window {
  QTemporaryDir folder;
  Id ball;
  MeshWindow() {
    open(ball_scene());
    ball = id_of(scene(), "Ball");
    selection().select_only(ball);
    QDir(folder.path()).mkpath("elsewhere");
    QDir(folder.path()).mkpath("scene");
  }
  const Object& object() { return *find_object(scene(), ball); }
  QString path(const QString& name) const { return folder.path() + "/" + name; }
  template <class Widget>
  Widget* field(const char* name) {
    auto* widget = window.findChild<QDockWidget*>("properties")->findChild<Widget*>(name);
    REQUIRE(widget);
    return widget;
  }
  void show_mesh() {
    QComboBox* box = field<ChoiceField>("display.kind")->box();
    for (int i = 0; i < box->count() && object().display.kind != DisplayKind::mesh; ++i) {
      box->setCurrentIndex(i);
      emit box->activated(i);
    }
    REQUIRE(object().display.kind == DisplayKind::mesh);
  }
  void enter(const QString& file) {
    QLineEdit* edit = field<TextField>("display.mesh.file")->edit();
    edit->setFocus();
    edit->selectAll();
    QTest::keyClick(edit, Qt::Key_Delete);
    QTest::keyClicks(edit, file);
    QTest::keyClick(edit, Qt::Key_Return);
  }
  bool idle() {
    return wait_for([&] { return !window.mesh_job().busy(); });
  }
  void drop(const QString& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    REQUIRE(enter.isAccepted());
    QDropEvent event(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
  }
  /// What the dialog that a drop opened says once it has read the file; Import is then clicked when it can be.
  QString take_import() {
    auto* dialog = window.findChild<ImportDialog*>();
    REQUIRE(dialog);
    REQUIRE(wait_for([&] { return dialog->ready(); }));
    const QString said = dialog->findChild<QLabel*>("import_state")->text();
    auto* start = dialog->findChild<QPushButton*>("import_start");
    QTest::mouseClick(start->isEnabled() ? start : dialog->findChild<QPushButton*>("import_cancel"), Qt::LeftButton);
    REQUIRE(wait_for([&] { return window.findChild<ImportDialog*>() == nullptr; }));
    return said;
  }
  int vertices(Id id) {
    return static_cast<int>(document().meshes().mesh(*find_object(scene(), id))->positions.size());
  }
};

}  // namespace

TEST_CASE("A mesh file that is picked is drawn, undone, redone, saved and opened again", "[ui][mesh]") {
  MeshWindow w;
  write_file(w.path("elsewhere/tetra.obj"), kTetrahedron);
  w.show_mesh();
  w.field<FieldWidget>("display.mesh.file")->findChild<QToolButton*>("browse")->click();
  auto* dialog = w->findChild<QFileDialog*>("browse_dialog");
  REQUIRE(dialog);
  emit dialog->fileSelected(w.path("elsewhere/tetra.obj"));
  dialog->close();
  const int steps = w.document().undo_stack()->count();
  QSignalSpy drawn(w->viewport(), &Viewport::stats_changed);
  REQUIRE(w.idle());
  REQUIRE(w.object().display.mesh.mesh);
  CHECK(w.document().undo_stack()->count() == steps);
  int expected = 0;
  for (const auto& object : w.scene().objects) expected += w.vertices(object->id);
  CHECK(w.vertices(w.ball) >= 4);
  CHECK(wait_for([&] { return !drawn.isEmpty() && drawn.last().at(0).toInt() == expected; }));

  w.document().undo_stack()->undo();
  CHECK(w.object().display.mesh.file.empty());
  w.document().undo_stack()->redo();
  CHECK(w.object().display.mesh.mesh);  // at once

  const QString file = w.path("scene/scene.json");
  REQUIRE(w->save_to(file));
  CHECK(QFile::exists(w.path("scene/tetra.obj")));
  QSignalSpy opened(&w.window, &MainWindow::opened);
  w->open_file(file);
  REQUIRE(wait_for([&] { return !opened.isEmpty(); }));
  CHECK(w.object().display.mesh.file == "tetra.obj");
  CHECK(w.vertices(w.ball) >= 4);
}

TEST_CASE("A mesh file that is not there is told of once and read when it is named anew", "[ui][mesh]") {
  MeshWindow w;
  w.document().mark_saved(w.path("scene/scene.json").toStdString());
  w.show_mesh();
  w.enter("later.obj");
  REQUIRE(w.idle());
  const DiagnosticsModel& problems = w->context().diagnostics;
  REQUIRE(problems.rowCount() == 1);
  CHECK(problems.entries().front().object == w.ball);
  CHECK(w->messages()->text().contains("later.obj"));

  write_file(w.path("scene/later.obj"), kTetrahedron);
  REQUIRE(w.document().edit_object("Move", w.ball, [](Object& o) { o.transform.position.x() += 1; }).ok());
  CHECK_FALSE(w->mesh_job().busy());
  CHECK_FALSE(w.object().display.mesh.mesh);

  w.enter("");
  w.enter(w.path("scene/later.obj"));
  REQUIRE(w.idle());
  CHECK(w.object().display.mesh.mesh);
  CHECK(w.object().display.mesh.file == "later.obj");  // named as it lies beside the scene
  CHECK(problems.rowCount() == 0);
}

TEST_CASE("A mesh file that is dropped becomes an object, a broken one a message", "[ui][mesh]") {
  MeshWindow w;
  write_file(w.path("elsewhere/tetra.obj"), kTetrahedron);
  write_file(w.path("elsewhere/broken.obj"), "nothing\n");
  const std::size_t before = w.scene().objects.size();
  w.drop(w.path("elsewhere/tetra.obj"));
  CHECK(w.take_import().isEmpty());
  REQUIRE(w.scene().objects.size() == before + 1);
  const Object& added = *w.scene().objects.back();
  CHECK(added.name == "tetra");
  CHECK(added.display.mesh.mesh);
  CHECK(w.selection().active() == added.id);
  CHECK(w.document().undo_stack()->undoText() == "Import tetra");
  w.drop(w.path("elsewhere/broken.obj"));
  CHECK(w.take_import().endsWith("Pick another mesh file."));
  CHECK(w.scene().objects.size() == before + 1);
}

TEST_CASE("A save that could not bring a mesh along says so", "[ui][mesh]") {
  MeshWindow w;
  write_file(w.path("elsewhere/tetra.obj"), kTetrahedron);
  w.drop(w.path("elsewhere/tetra.obj"));
  CHECK(w.take_import().isEmpty());
  REQUIRE(QFile::remove(w.path("elsewhere/tetra.obj")));
  REQUIRE(w->save_to(w.path("scene/scene.json")));
  const DiagnosticsModel& problems = w->context().diagnostics;
  REQUIRE(problems.rowCount() == 1);
  CHECK(problems.entries().front().object == w.scene().objects.back()->id);
  CHECK(w->messages()->text().contains("tetra.obj"));
  write_file(w.path("elsewhere/tetra.obj"), kTetrahedron);
  REQUIRE(w->save_to(w.path("scene/scene.json")));
  CHECK(problems.rowCount() == 0);
}

}  // namespace mesh_test
