// Point 5 of the foundation and its bad inputs on the real window: save, close, open again, recent files, dropped files; what
// cannot be read or entered is said in one sentence and changes nothing.
#include <QDockWidget>
#include <QDropEvent>
#include <QMimeData>
#include <QToolButton>

#include "tests/ui/flow_support.h"
#include "ui/model/diagnostics_model.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/message_bar.h"

namespace flow_files_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

std::string without_layout(Scene scene) {
  scene.layout.clear();
  return scene_to_text(scene);
}

}  // namespace

TEST_CASE("Flow: save by dialog, close, open again from the recent list: scene and layout as they were", "[ui][flow]") {
  QTemporaryDir folder;
  const QString file = folder.filePath("mine.json");
  std::string text;
  QByteArray state;
  {
    Flow f;
    f.menu("Add", "add.torus");
    f.menu("Object", "object.set_flexible");
    f->findChild<QDockWidget*>("outliner")->toggleViewAction()->trigger();
    CHECK_FALSE(f->findChild<QDockWidget*>("outliner")->isVisible());
    QTest::qWait(30);
    answer_file_dialog(file);
    f.menu("File", "file.save_as");
    REQUIRE(QFile::exists(file));
    CHECK_FALSE(f->isWindowModified());
    text = without_layout(f.scene());
    state = f->saveState();
    CHECK(f->close());
  }
  Flow f;
  CHECK(f->findChild<QDockWidget*>("outliner")->isVisible());
  auto* file_menu = f->findChild<QMenu*>("File");
  auto* recent = f->findChild<QMenu*>("recent_menu");
  f.click_in(f->menuBar(), f->menuBar()->actionGeometry(file_menu->menuAction()).center());
  REQUIRE(wait_for([&] { return file_menu->isVisible(); }, 2000));
  f.click_in(file_menu, file_menu->actionGeometry(recent->menuAction()).center());
  REQUIRE(wait_for([&] { return recent->isVisible(); }, 2000));
  REQUIRE(recent->actions().first()->text() == "mine");
  f.click_in(recent, recent->actionGeometry(recent->actions().first()).center());
  REQUIRE(wait_for([&] { return f.document().file() == file.toStdString(); }));
  CHECK(without_layout(f.scene()) == text);
  CHECK_FALSE(f->findChild<QDockWidget*>("outliner")->isVisible());
  QTest::qWait(50);
  CHECK(f->saveState() == state);
  CHECK_FALSE(f.document().modified());
  CHECK(f.document().undo_stack()->count() == 0);
  f->settings().clear_recent_files();
  f->settings().set_window_state({});  // the next window starts as a first one
}

TEST_CASE("Flow: the first Save proposes a folder that is there, shows it, and saves there", "[ui][flow]") {
  const QString home = QDir::homePath(), documents = home + "/Documents";
  QDir(documents).removeRecursively();
  for (const bool there : {false, true}) {
    if (there) REQUIRE(QDir().mkpath(documents));
    Flow f;
    f->settings().set_last_folder(QFileInfo(shipped("heap.json")).absolutePath(), "scene");  // one was looked at before
    f.menu("Add", "add.box");
    QString shown, proposed;
    bool confirmed = false;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      auto* buttons = dialog ? dialog->findChild<QDialogButtonBox*>("buttonBox") : nullptr;
      if (!buttons || !dialog->isVisible() || confirmed) return;
      confirmed = true;
      shown = dialog->directory().absolutePath();
      proposed = dialog->selectedFiles().value(0);
      QTest::mouseClick(buttons->button(QDialogButtonBox::Save), Qt::LeftButton);
    });
    timer.start(20);
    f.menu("File", "file.save_as");
    REQUIRE(confirmed);
    CHECK(shown == (there ? documents : home));
    CHECK(proposed == (there ? documents : home) + "/Untitled.json");
    CHECK(QFile::exists(proposed));
    INFO(f->messages()->text().toStdString());
    CHECK(f->messages()->text().isEmpty());
    CHECK_FALSE(f.document().modified());
    QFile::remove(proposed);
    f->settings().clear_recent_files();
  }
  QDir(documents).removeRecursively();
}

TEST_CASE("Flow: a scene dropped on the window opens; another file is not taken", "[ui][flow]") {
  Flow f;
  const auto drop = [&](const QString& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QApplication::sendEvent(&f.window, &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent event(QPointF(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&f.window, &event);
    return true;
  };
  CHECK_FALSE(drop(QString(HAZUMI_SOURCE_DIR "/README.md")));
  REQUIRE(drop(shipped("tumbling_box.json")));
  REQUIRE(opened_file(f.window));
  CHECK(f.document().file() == shipped("tumbling_box.json").toStdString());
  CHECK(f->settings().recent_files().first() == shipped("tumbling_box.json"));
  f->settings().clear_recent_files();
}

TEST_CASE("Flow: a garbled file is refused in one sentence and the document stays", "[ui][flow][bad]") {
  QTemporaryDir folder;
  Flow f;
  f.open(shipped("soft_and_hard_ball.json"));
  f.menu("Add", "add.box");
  const std::string before = scene_to_text(f.scene());
  const int undo = f.document().undo_stack()->index();
  QFile good(shipped("heap.json"));
  REQUIRE(good.open(QIODevice::ReadOnly));
  const QByteArray text = good.readAll();
  QByteArray nan = text, typed = text;
  nan.replace(nan.indexOf("\"mass\":") + 7, 2, " NaN");
  typed.replace(typed.indexOf("\"mass\":") + 7, 2, " \"heavy\"");
  const QString bad = folder.filePath("bad.json");
  for (const QByteArray& garbled : {text.left(text.size() / 2), nan, typed,
                                    QByteArray("\x7f"
                                               "ELF\x00\xff",
                                               6)}) {
    write_file(bad, garbled);
    f->open_file(bad);
    REQUIRE(opened_file(f.window));
    const QString said = f->messages()->text();
    INFO(said.toStdString());
    CHECK(said.startsWith("bad.json was not opened."));
    CHECK_FALSE(said.contains('\n'));
    CHECK(said.size() < 400);
    CHECK(scene_to_text(f.scene()) == before);
    CHECK(f.document().undo_stack()->index() == undo);
    CHECK(QApplication::activeModalWidget() == nullptr);
  }
  QTest::mouseClick(f->messages()->findChild<QToolButton*>("message_close"), Qt::LeftButton);
  CHECK(f->messages()->text().isEmpty());
  f->settings().clear_recent_files();
}

TEST_CASE("Flow: zero mass, negative stiffness and zero size cannot be entered; the field says why",
          "[ui][flow][bad]") {
  Flow f;
  f.menu("Add", "add.sphere");
  f.menu("Object", "object.set_flexible");
  INFO(f->messages()->text().toStdString());
  REQUIRE(f.last().body.kind == BodyKind::flexible);
  REQUIRE(f.document()
              .edit(QStringLiteral("Given"), with_object(f.scene(), f.last().id,
                                                         [](Object& o) {  // a new body follows its material
                                                           o.body.mass_source = MassSource::given;
                                                           o.body.stiffness_source = StiffnessSource::given;
                                                         }))
              .ok());
  const std::string before = scene_to_text(f.scene());
  AnalysisPanel& analysis = f.analysis();
  const auto refused = [&](FieldWidget* widget, const char* text) {
    Bubble::hide_all();
    NumberField* field = nullptr;
    if (auto* three = qobject_cast<VectorField*>(widget))
      field = three->field(0);
    else
      field = number_of(widget);
    const double shown = field->value();
    type_number(f.sight(field), text);
    INFO(widget->spec().path.toStdString() << " " << text << ": " << Bubble::shown_text().toStdString());
    CHECK(Bubble::shown_text().size() > 10);
    CHECK(field->value() == shown);
    CHECK(scene_to_text(f.scene()) == before);
    QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : field, Qt::Key_Escape);
  };
  refused(analysis.mass(), "0");
  refused(analysis.mass(), "-1");
  refused(analysis.stiffness(), "-5");
  refused(analysis.damping(), "1e400");
  for (FieldWidget* widget : analysis.findChildren<FieldWidget*>())
    if (widget->spec().path == "analysis.size") refused(widget, "0");
  CHECK(f->messages()->text().isEmpty());
  Bubble::hide_all();
}

TEST_CASE("Flow: a click on the bubble of a refusal reaches the field under it, and so does what is typed then",
          "[ui][flow][bad]") {
  Flow f;
  f.menu("Add", "add.box");
  f.tab("properties");
  NumberField* upper = nullptr;
  for (FieldWidget* widget : f->findChildren<FieldWidget*>())
    if (widget->spec().path == "transform.position" && widget->isVisibleTo(&f.window))
      upper = qobject_cast<VectorField*>(widget)->field(0);
  REQUIRE(upper);
  type_number(f.sight(upper), "north");
  REQUIRE_FALSE(Bubble::shown_text().isEmpty());
  QTest::qWait(50);
  QRect bubble;
  for (QWidget* widget : QApplication::allWidgets())
    if (qobject_cast<Bubble*>(widget) && widget->isVisible())
      bubble = QRect(widget->mapToGlobal(QPoint(0, 0)), widget->size());
  REQUIRE(bubble.isValid());
  NumberField* under = nullptr;
  QPoint place;
  for (NumberField* field : f->findChildren<NumberField*>()) {
    if (!field->isVisible() || field == upper) continue;
    const QRect both = QRect(field->mapToGlobal(QPoint(0, 0)), field->size()).intersected(bubble);
    if (both.width() < 20 || both.height() < 8) continue;
    under = field;
    place = both.center();
  }
  REQUIRE(under);
  // The display says whose the click is, as it does for a mouse.
  const QWidget* hit = QApplication::widgetAt(place);
  INFO((hit ? hit->metaObject()->className() : "nothing"));
  REQUIRE(hit == under);
  QTest::mouseClick(f.window.windowHandle(), Qt::LeftButton, {}, f.window.mapFromGlobal(place));
  CHECK(under->editing());
  CHECK(Bubble::shown_text().isEmpty());
  const auto selected = f.selection().ids();
  f.key(Qt::Key_A, Qt::ControlModifier);
  f.key(Qt::Key_7);
  f.key(Qt::Key_Return);
  CHECK(under->value() == Approx(7));
  CHECK(f.selection().ids() == selected);
}

TEST_CASE("Flow: the line that tells of a refused edit goes with the next good one, and with undo", "[ui][flow][bad]") {
  Flow f;
  f.menu("Add", "add.box");
  const Id box = f.last().id;
  const auto mass = [&](double kg) {
    return f.document().edit_object("Mass", box, [&](Object& o) { o.body.mass = kg; }).ok();
  };
  REQUIRE_FALSE(mass(-1));
  CHECK_FALSE(f->messages()->text().isEmpty());
  REQUIRE(mass(2));
  CHECK(f->messages()->text().isEmpty());
  REQUIRE_FALSE(mass(-1));
  CHECK_FALSE(f->messages()->text().isEmpty());
  f.view().setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f->messages()->text().isEmpty());
  // What is no refusal stays until it is closed.
  f->messages()->show_message(Severity::warning, "A mesh is missing.");
  REQUIRE(mass(3));
  CHECK(f->messages()->text() == "A mesh is missing.");
}

TEST_CASE("Flow: a scene whose mesh file is gone opens, and the list of problems says what to do", "[ui][flow][bad]") {
  QTemporaryDir folder;
  Scene scene = ball_scene();
  const Id id = id_of(scene, "Ball");
  for (auto& object : scene.objects)
    if (object->id == id)
      object = object.edited([](Object& o) {
        o.display.kind = DisplayKind::mesh;
        o.display.mesh.file = "gone.obj";
      });
  const QString file = folder.filePath("lost.json");
  QFile text(file);
  REQUIRE(text.open(QIODevice::WriteOnly));
  text.write(QByteArray::fromStdString(scene_to_text(scene)));
  text.close();
  Flow f;
  f->open_file(file);
  REQUIRE(opened_file(f.window));
  REQUIRE(id_of(f.scene(), "Ball"));
  const DiagnosticsModel* problems = &f->context().diagnostics;
  REQUIRE(problems->rowCount() == 1);
  const auto& entry = problems->entries().front();
  CHECK(entry.object == id);
  CHECK(QString::fromStdString(entry.diagnostic.message).contains("gone.obj"));
  CHECK(entry.diagnostic.hint.size() > 10);
  CHECK(f->messages()->text().contains("gone.obj"));
  // Something is drawn where it stands, and it can be picked.
  f.view().setFocus();
  f.key(Qt::Key_Home);
  f.click(f.pixel(f.object("Ball").transform.position));
  CHECK(f.selection().active() == id);
  REQUIRE(complete(f.playback()));
  f->settings().clear_recent_files();
}

}  // namespace flow_files_test
