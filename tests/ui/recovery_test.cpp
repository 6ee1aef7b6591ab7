// Nothing lost: the page of what a crash left, by mouse; what is kept after every command; a file that another program
// changes.
#include <QLabel>
#include <QMessageBox>
#include <QSignalSpy>

#include "tests/ui/recovery_support.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/start_page.h"

namespace recovery_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Presses a button of the next message box by its text.
void answer_box(const char* name, const QString& text) {
  auto* timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, timer, [timer, name, text] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (!box) return;
    timer->deleteLater();
    CHECK(box->objectName() == name);
    for (QAbstractButton* button : box->buttons())
      if (button->text() == text) return button->click();
    box->reject();
    FAIL_CHECK("no such button");
  });
  timer->start(10);
}

void press_answer(MainWindow& window, const QString& text) {
  QTest::qWait(10);
  for (QPushButton* button : window.messages()->findChildren<QPushButton*>())
    if (button->text() == text && button->isVisible()) return QTest::mouseClick(button, Qt::LeftButton);
  FAIL("not offered");
}

double mass_of(const Scene& scene) { return find_object(scene, id_of(scene, "Ball"))->body.mass; }

Scene with_mass(Scene scene, double kg) {
  const Id ball = id_of(scene, "Ball");
  return with_object(std::move(scene), ball, [&](Object& o) { o.body.mass = kg; });
}

QString copy_crate(const QTemporaryDir& folder) {
  for (const char* name : {"crate.obj", "crate.mtl", "checks.png"})
    REQUIRE(QFile::copy(QString(HAZUMI_SOURCE_DIR "/tests/import/files/") + name, folder.filePath(name)));
  return folder.filePath("crate.obj");
}

}  // namespace

TEST_CASE("Flow: what a crash left comes before anything else, each scene by itself", "[ui][flow][autosave]") {
  QTemporaryDir place;
  const QString file = place.filePath("bounce.json");
  REQUIRE(save_scene(ball_scene(), file.toStdString()).ok());
  const QString older = crashed("older", "/somewhere/old.json");
  QTest::qWait(20);  // told apart by their time
  const QString newer = crashed("newer", file, with_mass(ball_scene(), 7));
  REQUIRE(QFile::copy(HAZUMI_SOURCE_DIR "/docs/images/soft-and-hard-ball.png", newer + "/picture.png"));
  RecoveryFlow f;
  REQUIRE(f->recovery_shown());
  // Nothing sends it away but its own buttons: neither a file of the command line, nor New, nor a key of a command.
  f->show_start_page();
  QSignalSpy done(&f.window, &MainWindow::opened);
  f->open_file(shipped("tumbling_box.json"), true);
  REQUIRE(wait_for([&] { return done.count() == 1; }));
  f->new_scene();
  const std::string before = scene_to_text(f.scene());
  f.key(Qt::Key_A, Qt::ShiftModifier);
  f.key(Qt::Key_N, Qt::ControlModifier);
  CHECK(f->recovery_shown());
  CHECK(scene_to_text(f.scene()) == before);
  for (const QPoint at : {QPoint(20, 8), f->rect().center(), QPoint(f->width() - 30, f->height() - 30)}) {
    QWidget* hit = f->childAt(at);
    CHECK((hit == &f.page() || f.page().isAncestorOf(hit)));
  }
  CHECK(f.card(newer)->findChild<QLabel*>("recovery_name")->text() == "bounce");
  CHECK(f.card(newer)->findChild<QLabel*>("recovery_age")->text().endsWith("newer than its file"));
  CHECK(f.card(older)->findChild<QLabel*>("recovery_age")->text() == "Its file is gone");
  f.shot("recovery");
  // One is discarded, the other stays; what is discarded can be put back.
  f.press(older, "recovery_discard");
  CHECK_FALSE(QDir(older).exists());
  CHECK(left_behind().size() == 1);
  const auto trash = Autosave::trash(autosave_folder());
  REQUIRE(trash.size() == 1);
  f->resize(1600, 1000);
  f.shot("recovery_discarded");
  f->resize(1280, 720);
  f.shot("recovery_small");
  f.press(trash[0].folder, "recovery_put_back");
  CHECK(left_behind().size() == 2);
  CHECK(Autosave::trash(autosave_folder()).empty());
  f.press(f.page().findChild<QPushButton*>("recovery_later"));
  CHECK_FALSE(f->recovery_shown());
  CHECK(left_behind().size() == 2);
  f.menu("File", "file.recovery");
  REQUIRE(f->recovery_shown());
  f.press(newer, "recovery_bring_back");
  CHECK_FALSE(f->recovery_shown());
  CHECK(mass_of(f.scene()) == 7);
  CHECK(f.document().modified());
  CHECK(f.document().file() == file.toStdString());
  CHECK(left_behind().size() == 1);
  CHECK(f->messages()->text().contains("Another unsaved scene"));
  CHECK(QDir(newer).exists());  // until it has been saved
  f.key(Qt::Key_S, Qt::ControlModifier);
  REQUIRE_FALSE(f.document().modified());
  f.session.autosave.wait();
  CHECK_FALSE(QFile::exists(newer + "/scene.json"));
  CHECK(mass_of(*load_scene(file.toStdString())) == 7);
}

TEST_CASE("A discarded scene stays in the trash for thirty days", "[ui][autosave]") {
  QTemporaryDir root;
  const QString folder = root.filePath("one");
  QDir().mkpath(folder);
  REQUIRE(keep_for_recovery(ball_scene(), folder.toStdString()).ok());
  REQUIRE(Autosave::discard(folder));
  CHECK(Autosave::left_behind(root.path()).empty());
  const auto date = [&](int days) {
    write_file(root.filePath("trash/one/discarded.txt"),
               QDateTime::currentDateTime().addDays(-days).toString(Qt::ISODate).toUtf8());
  };
  date(29);
  CHECK(Autosave::trash(root.path()).size() == 1);
  date(30);
  CHECK(Autosave::trash(root.path()).empty());
  CHECK_FALSE(QDir(root.filePath("trash/one")).exists());
}

TEST_CASE("Flow: an imported mesh with its texture comes back twice, though its file is gone, and is saved whole",
          "[ui][flow][autosave]") {
  QTemporaryDir one, other;
  auto elsewhere = std::make_unique<QTemporaryDir>();
  RecoveryFlow f;
  f.import(copy_crate(*elsewhere));
  REQUIRE(f.last().display.mesh.mesh);
  REQUIRE(f.last().display.mesh.mesh->textures.size() == 1);
  const std::string was = what_it_is(f.scene());
  const QString first = crash(f.session, "first");
  elsewhere.reset();
  f.document().reset(make_new_scene(), {});  // ends as if it had ended
  f.menu("File", "file.recovery");
  f.press(first, "recovery_bring_back");
  CHECK(what_it_is(f.scene()) == was);
  CHECK(f->messages()->text().isEmpty());
  // A second crash at once, and one after an edit.
  const Result<Scene> at_once = recover_scene(first.toStdString(), {});
  REQUIRE(at_once.ok());
  CHECK(what_it_is(*at_once) == was);
  f.menu("Add", "add.box");
  const std::string now = what_it_is(f.scene());
  const QString second = crash(f.session, "second");
  f.document().reset(make_new_scene(), {});
  f.session.autosave.wait();
  f.menu("File", "file.recovery");
  f.press(second, "recovery_bring_back");
  CHECK(what_it_is(f.scene()) == now);
  // Into one folder, then into another: the mesh comes along with its texture, and nothing is said to be gone.
  for (const QTemporaryDir* folder : {&one, &other}) {
    const QString file = folder->filePath("scene.json");
    answer_file_dialog(file);
    f.menu("File", "file.save_as");
    INFO(f->messages()->text().toStdString());
    CHECK(f->messages()->text().isEmpty());
    CHECK_FALSE(f.document().modified());
    for (const char* name : {"crate.obj", "crate.mtl", "checks.png"}) CHECK(QFile::exists(folder->filePath(name)));
    const Result<Scene> saved = load_scene(file.toStdString());
    REQUIRE(saved.ok());
    CHECK(saved.diagnostics().empty());
    CHECK(what_it_is(*saved) == now);
    REQUIRE(saved->objects[saved->objects.size() - 2]->display.mesh.mesh);
    CHECK(saved->objects[saved->objects.size() - 2]->display.mesh.mesh->textures.size() == 1);
  }
}

TEST_CASE("A mesh whose file has gone is kept from memory, with its look and texture", "[ui][autosave]") {
  QTemporaryDir folder;
  auto elsewhere = std::make_unique<QTemporaryDir>();
  Scene scene = ball_scene();
  const Id ball = id_of(scene, "Ball");
  scene = with_object(std::move(scene), ball, [&](Object& o) {
    o.display.kind = DisplayKind::mesh;
    o.display.mesh.file = copy_crate(*elsewhere).toStdString();
    o.display.mesh.settings.scale = 0.5;
  });
  REQUIRE(resolve_meshes(scene, {}).empty());
  elsewhere.reset();
  REQUIRE(keep_for_recovery(scene, folder.path().toStdString()).ok());
  const Result<Scene> back = recover_scene(folder.path().toStdString(), {});
  REQUIRE(back.ok());
  CHECK(back.diagnostics().empty());
  const DisplayMesh &was = *find_object(scene, ball)->display.mesh.mesh,
                    &is = *find_object(*back, ball)->display.mesh.mesh;
  CHECK(is.positions.size() == was.positions.size());
  CHECK(bounds(is).size().isApprox(bounds(was).size()));
  REQUIRE(is.textures.size() == 1);
  CHECK(is.textures[0]->bytes == was.textures[0]->bytes);
  REQUIRE(is.parts.size() == 1);
  REQUIRE(is.parts[0].surface);
  CHECK(is.parts[0].surface->shininess == Approx(was.parts[0].surface->shininess));
}

TEST_CASE("Every command is kept when it is done, and nothing when all is undone", "[ui][autosave]") {
  RecoveryFlow f;
  f.menu("Add", "add.box");
  kept(f.session);
  f.view().setFocus();
  f.key(Qt::Key_D, Qt::ShiftModifier);
  f.key(Qt::Key_Return);  // the copy follows the mouse until then
  kept(f.session);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  kept(f.session);
  CHECK(wait_for([&] { return QFile::exists(f.session.autosave.folder() + "/picture.png"); }));
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(wait_for([&] { return !QFile::exists(f.session.autosave.folder() + "/scene.json"); }));
}

TEST_CASE(
    "On a full disk what was kept stays whole; there is one sentence, and what is owed is kept when there is room",
    "[ui][autosave]") {
  RecoveryFlow f;
  f.import(HAZUMI_SOURCE_DIR "/tests/import/files/crate.obj");
  f.menu("Add", "add.box");
  kept(f.session);
  const std::string before = what_it_is(f.scene());
  const auto there = [&] {
    const Result<Scene> scene = recover_scene(f.session.autosave.folder().toStdString(), "");
    return scene.ok() ? what_it_is(*scene) : std::string();
  };
  QStringList said;
  QObject::connect(&f.session.autosave, &Autosave::failed, &f.window, [&](const QString& text) { said << text; });
  {
    const FullDisk full;
    f.menu("Add", "add.sphere");
    REQUIRE(wait_for([&] { return f->messages()->text().contains("cannot be kept"); }));
    f.import(HAZUMI_SOURCE_DIR "/tests/import/files/blocks.glb");
    f.session.autosave.wait();
    QTest::qWait(50);
    CHECK(there() == before);
    CHECK(said.size() == 1);
  }
  // Nobody does anything.
  CHECK(wait_for([&] { return there() == what_it_is(f.scene()); }));
  CHECK(wait_for([&] { return f->messages()->text() == "Unsaved work is kept for a crash again."; }));
}

TEST_CASE("A folder of unsaved work that disappears is made again, with its lock and its meshes", "[ui][autosave]") {
  RecoveryFlow f;
  const QString folder = f.session.autosave.folder();
  f.import(HAZUMI_SOURCE_DIR "/tests/import/files/crate.obj");
  kept(f.session);
  // By itself, and again; then at the next command, when what lies above it has gone too.
  for (int n = 0; n < 2; ++n) {
    f.session.autosave.wait();
    (void)QDir(folder).removeRecursively();
    kept(f.session);
  }
  f.session.autosave.wait();
  REQUIRE(QDir(folder + "/meshes").removeRecursively());
  kept(f.session);
  f.session.autosave.wait();
  (void)QDir(autosave_folder()).removeRecursively();
  f.menu("Add", "add.box");
  kept(f.session);
  CHECK(left_behind().empty());  // it is this program's
  CHECK(QFile::exists(folder + "/lock"));
}

TEST_CASE("Flow: a scene file that another program changed is asked for on save and when the window comes back",
          "[ui][flow][autosave]") {
  QTemporaryDir place;
  const QString file = place.filePath("bounce.json");
  REQUIRE(save_scene(ball_scene(), file.toStdString()).ok());
  RecoveryFlow f;
  f.open(file);
  const auto change = [&](double kg) {
    QTest::qWait(20);
    REQUIRE(save_scene(with_mass(ball_scene(), kg), file.toStdString()).ok());
  };
  const auto come_back = [&] {
    QEvent event(QEvent::WindowActivate);
    QApplication::sendEvent(&f.window, &event);
  };
  come_back();
  CHECK(f->messages()->text().isEmpty());
  change(3);
  come_back();
  CHECK(f->messages()->text() == "bounce.json was changed by another program.");
  press_answer(f.window, "Reload");
  REQUIRE(opened_file(f.window));
  CHECK(mass_of(f.scene()) == 3);
  CHECK(f->messages()->text().isEmpty());
  // Kept mine: what is open counts as not saved, and saving asks no more.
  change(4);
  come_back();
  press_answer(f.window, "Keep Mine");
  CHECK(f.document().modified());
  come_back();
  CHECK(f->messages()->text().isEmpty());
  CHECK(f->save());
  CHECK(mass_of(*load_scene(file.toStdString())) == 3);
  // On save: Cancel writes nothing, Keep Mine writes.
  f.menu("Add", "add.box");
  change(5);
  answer_box("changed_file", "Cancel");
  CHECK_FALSE(f->save());
  CHECK(mass_of(*load_scene(file.toStdString())) == 5);
  answer_box("changed_file", "Keep Mine");
  CHECK(f->save());
  CHECK(mass_of(*load_scene(file.toStdString())) == 3);
  // Reload lets go of edits, which are in the trash then.
  f.menu("Add", "add.box");
  const std::string mine = what_it_is(f.scene());
  change(6);
  answer_box("changed_file", "Reload");
  CHECK_FALSE(f->save());
  REQUIRE(opened_file(f.window));
  CHECK(mass_of(f.scene()) == 6);
  f.session.autosave.wait();
  const auto trash = Autosave::trash(autosave_folder());
  REQUIRE(trash.size() == 1);
  CHECK(what_it_is(*recover_scene(trash[0].folder.toStdString(), place.path().toStdString())) == mine);
}

TEST_CASE("Flow: a shipped scene is never overwritten, by no name and through no link", "[ui][flow][autosave]") {
  QTemporaryDir scenes, place;
  const QString file = scenes.filePath("ball.json"), link = place.filePath("link.json");
  REQUIRE(save_scene(ball_scene(), file.toStdString()).ok());
  REQUIRE(QFile::link(file, link));
  const QByteArray before = qgetenv("HAZUMI_SCENES");
  qputenv("HAZUMI_SCENES", scenes.path().toUtf8());
  RecoveryFlow f;
  f.open(file);
  f.menu("Add", "add.box");
  for (const QString& name : {file, link}) {
    CHECK_FALSE(f->save_to(name));
    CHECK(f->messages()->text().contains("shipped scene"));
    CHECK(f->messages()->text().contains("Save As"));
  }
  // Save leads to Save As.
  answer_file_dialog(place.filePath("mine.json"));
  f.key(Qt::Key_S, Qt::ControlModifier);
  CHECK(QFile::exists(place.filePath("mine.json")));
  CHECK(scene_to_text(*load_scene(file.toStdString())) == scene_to_text(ball_scene()));
  before.isEmpty() ? qunsetenv("HAZUMI_SCENES") : qputenv("HAZUMI_SCENES", before);
}

}  // namespace recovery_test
