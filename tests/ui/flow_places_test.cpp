// What a person comes back to: the folder of a file dialog, the viewpoint of a scene, one file of settings; and what does not come
// along: words of the scene before, and playing.
#include <QAbstractFileIconProvider>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QSettings>
#include <QStandardPaths>
#include <QStyle>
#include <QToolButton>
#include <QTreeView>

#include "tests/ui/flow_support.h"
#include "ui/editors/array_dialog.h"
#include "ui/editors/export_dialog.h"
#include "ui/viewport/viewpoint.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"
#include "ui/window/start_page.h"

namespace flow_places_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Looks at the next file dialog and closes it.
void with_next_dialog(const std::function<void(QFileDialog&)>& look) {
  auto* timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, timer, [timer, look] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (!dialog || !dialog->isVisible()) return;
    timer->stop();
    timer->deleteLater();
    QTest::qWait(300);  // the folder is read by a thread of its own
    look(*dialog);
    dialog->reject();
  });
  timer->start(20);
}

void with_next_box(const std::function<void(QMessageBox&)>& look) {
  auto* timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, timer, [timer, look] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (!box || !box->isVisible()) return;
    timer->stop();
    timer->deleteLater();
    look(*box);
    box->reject();
  });
  timer->start(20);
}

bool same_view(const ViewCamera& a, const ViewCamera& b) {
  return a.target == b.target && a.distance == b.distance && a.yaw == b.yaw && a.pitch == b.pitch &&
         a.field_of_view == b.field_of_view && a.orthographic == b.orthographic;
}

/// Pixels of the picture that are near this colour.
int pixels_of(const QPixmap& picture, const QColor& colour) {
  const QImage image = picture.toImage();
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const QColor pixel = image.pixelColor(x, y);
      count += pixel.alpha() > 200 && std::abs(pixel.red() - colour.red()) < 6 &&
               std::abs(pixel.green() - colour.green()) < 6 && std::abs(pixel.blue() - colour.blue()) < 6;
    }
  return count;
}

}  // namespace

TEST_CASE("Flow: a scene is looked at again as it was left, and looking is no edit", "[ui][flow][places]") {
  QTemporaryDir folder;
  const QString file = folder.filePath("mine.json"), other = folder.filePath("other.json");
  REQUIRE(save_scene(ball_scene(), file.toStdString()).ok());
  REQUIRE(save_scene(ball_scene(), other.toStdString()).ok());
  const QByteArray bytes = [&] {
    QFile f(file);
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
  }();
  ViewCamera left;
  {
    Flow f;
    f.open(file);
    f.drag(&f.view(), QPointF(300, 300), QPointF(380, 260), Qt::MiddleButton);
    f.key(Qt::Key_5);  // parallel
    f.key(Qt::Key_0);  // through the camera; the free one is kept
    CHECK(f.view().through_camera());
    CHECK_FALSE(f.document().modified());
    CHECK(f.document().undo_stack()->count() == 0);
    f.open(other);
    CHECK_FALSE(f.view().through_camera());
    CHECK_FALSE(std::as_const(f.view()).camera().orthographic);
    f.open(file);
    CHECK(f.view().through_camera());
    f.key(Qt::Key_0);
    left = std::as_const(f.view()).camera();
    CHECK(left.orthographic);
    f.window.close();
  }
  Flow f;
  f.open(file);
  CHECK(same_view(std::as_const(f.view()).camera(), left));
  CHECK_FALSE(f.document().modified());
  QFile again(file);
  REQUIRE(again.open(QIODevice::ReadOnly));
  CHECK(again.readAll() == bytes);
  // A shipped scene is seen as it was made to be.
  f.open(shipped("heap.json"));
  const ViewCamera made = std::as_const(f.view()).camera();
  f.drag(&f.view(), QPointF(300, 300), QPointF(380, 260), Qt::MiddleButton);
  f.open(file);
  f.open(shipped("heap.json"));
  CHECK(same_view(std::as_const(f.view()).camera(), made));
  // Nonsense in the settings is no viewpoint.
  for (const char* text : {"", "1 2 3", "0 0 0 -1 0 0 0.6", "0 0 0 nan 0 0 0.6", "0 0 0 1 0 0 9", "a b c d e f g"}) {
    INFO(text);
    CHECK_FALSE(viewpoint_from(text));
  }
}

TEST_CASE("The viewpoints of a hundred scenes are kept, the oldest goes first", "[ui][places]") {
  Settings settings;
  for (int i = 0; i < 103; ++i) settings.set_viewpoint(QString("/nowhere/%1.json").arg(i), QString::number(i));
  QSettings saved(settings_file(), QSettings::IniFormat);
  saved.beginGroup("viewpoints");
  CHECK(saved.allKeys().size() == 100);
  CHECK(settings.viewpoint("/nowhere/102.json") == "102");
  saved.remove("");
}

TEST_CASE("Flow: only shipped scenes of the gallery play when they are opened, or where that is preferred",
          "[ui][flow][places]") {
  QTemporaryDir folder;
  const QString file = folder.filePath("mine.json");
  REQUIRE(save_scene(ball_scene(), file.toStdString()).ok());
  Flow f;
  auto* gallery = f.window.findChild<StartPage*>();
  REQUIRE(gallery);
  emit gallery->open_wanted(file);
  REQUIRE(opened_file(f.window));
  QTest::qWait(30);
  CHECK_FALSE(f.playback().playing());
  emit gallery->open_wanted(shipped("heap.json"));
  REQUIRE(opened_file(f.window));
  QTest::qWait(30);
  CHECK(f.playback().playing());
  Preferences playing;
  playing.play_own = true;
  f.session.preferences.set(playing);
  f.playback().play(false);
  f.open(file);
  CHECK(f.playback().playing());
}

TEST_CASE("Flow: file dialogs begin where one of their kind was left, never among shipped scenes, and show whole names",
          "[ui][flow][places]") {
  QTemporaryDir scenes, meshes;
  const QString name = "a_figure_that_falls_down_the_stairs_version_017_with_soft_arms.json";
  REQUIRE(save_scene(ball_scene(), scenes.filePath(name).toStdString()).ok());
  Settings().set_last_folder(meshes.path(), "mesh");
  Settings().set_last_folder(scenes.path(), "scene");
  Flow f;
  f.open(shipped("heap.json"));
  QString scene_folder, mesh_folder, filters;
  bool whole = false, icons = false;
  with_next_dialog([&](QFileDialog& dialog) {
    scene_folder = dialog.directory().canonicalPath();
    f.shot("file-dialog", &dialog);
    auto* list = dialog.findChild<QTreeView*>("treeView");
    if (!list) return;
    whole = list->model()->rowCount(list->rootIndex()) == 1 &&
            list->columnWidth(0) >= list->sizeHintForIndex(list->model()->index(0, 0, list->rootIndex())).width();
    icons = dialog.iconProvider()->icon(QAbstractFileIconProvider::File).pixmap(16, 16).toImage() ==
            theme_icon("file").pixmap(16, 16).toImage();
  });
  f.key(Qt::Key_O, Qt::ControlModifier);
  CHECK(scene_folder == QDir(scenes.path()).canonicalPath());
  CHECK(whole);
  CHECK(icons);
  with_next_dialog([&](QFileDialog& dialog) {
    mesh_folder = dialog.directory().canonicalPath();
    filters = dialog.nameFilters().join('|');
  });
  QApplication::setActiveWindow(&f.window);
  f.view().setFocus();
  f.key(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(mesh_folder == QDir(meshes.path()).canonicalPath());
  CHECK(filters.contains("Mesh files (*.obj"));
  CHECK(filters.contains("OBJ (*.obj)"));
}

TEST_CASE("Flow: message boxes have the program's own icons, words that can be selected, the safe button first",
          "[ui][flow][places]") {
  Flow f;
  f.window.resize(1280, 720);
  f.Window::open(ball_scene());
  f.selection().select_only(id_of(f.scene(), "Ball"));
  f.action("object.set_fixed")->trigger();
  int coloured = 0, with_icons = 0;
  bool selectable = false;
  QString usual;
  with_next_box([&](QMessageBox& box) {
    coloured = pixels_of(box.iconPixmap(), theme_colours().accent);
    auto* words = box.findChild<QLabel*>("qt_msgbox_label");
    selectable = words && words->textInteractionFlags().testFlag(Qt::TextSelectableByMouse);
    for (QAbstractButton* button : box.buttons()) with_icons += !button->icon().isNull();
    if (box.defaultButton()) usual = box.defaultButton()->text();
    f.shot("message-box");
  });
  f.key(Qt::Key_N, Qt::ControlModifier);
  CHECK(coloured > 20);  // 132 were counted
  CHECK(with_icons == 0);
  CHECK(selectable);
  CHECK(usual.remove('&') == "Save");
  // All that Qt asks for itself: none is its own any more.
  for (const auto& [which, name, colour] :
       {std::tuple{QStyle::SP_MessageBoxWarning, "warning", theme_colours().warning},
        std::tuple{QStyle::SP_MessageBoxCritical, "error", theme_colours().error},
        std::tuple{QStyle::SP_MessageBoxInformation, "info", theme_colours().computed},
        std::tuple{QStyle::SP_MessageBoxQuestion, "question", theme_colours().accent}}) {
    INFO(name);
    CHECK(QApplication::style()->standardIcon(which).pixmap(32, 32).toImage() ==
          theme_icon(name, colour).pixmap(32, 32).toImage());
  }
}

TEST_CASE("What an older version kept in a second folder is taken over into the one file", "[ui][places]") {
  const QString config = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
  const QString older = config + "/Unknown Organization/" + QCoreApplication::applicationName() + ".conf";
  QDir().mkpath(QFileInfo(older).path());
  {
    QSettings before(older, QSettings::IniFormat);
    before.setValue("sections/test/Body", false);
    before.setValue("export/format", "older");
    QSettings now(settings_file(), QSettings::IniFormat);
    now.setValue("export/format", "jpeg");
  }
  const Settings settings;
  QSettings now(settings_file(), QSettings::IniFormat);
  CHECK(now.value("sections/test/Body", true).toBool() == false);
  CHECK(now.value("export/format") == "jpeg");  // what is newer stays
  CHECK_FALSE(QFile::exists(older));
  CHECK_FALSE(QDir(QFileInfo(older).path()).exists());
  now.remove("sections/test");
  now.remove("export");
  // All that is remembered lies in folders of one name.
  for (const QString& place :
       {QFileInfo(settings_file()).path(), QFileInfo(autosave_folder()).path(), QFileInfo(thumbnail_folder()).path()})
    CHECK(QFileInfo(place).fileName() == QCoreApplication::applicationName());
}

TEST_CASE("Flow: no folder beside the settings appears when sections fold and pictures are written",
          "[ui][flow][places]") {
  Flow f;
  f.Window::open(ball_scene());
  f.selection().select_only(id_of(f.scene(), "Ball"));
  f.tab("properties");
  for (auto* header : f.window.findChildren<QToolButton*>("section_header"))
    if (header->isVisible()) {
      QTest::mouseClick(header, Qt::LeftButton);
      QTest::mouseClick(header, Qt::LeftButton);
      break;
    }
  const QString home = QDir::homePath();
  CHECK_FALSE(QDir(home + "/.config/Unknown Organization").exists());
}

TEST_CASE("Flow: what was said of a scene goes with it", "[ui][flow][places]") {
  QTemporaryDir folder;
  Flow f;
  f.Window::open(ball_scene());
  auto* hint = f.window.findChild<QWidget*>("status_hint");
  const auto words = [&] { return static_cast<QLabel*>(hint)->text(); };
  REQUIRE(f.window.save_to(folder.filePath("first.json")));
  CHECK(words().contains("first.json"));
  f.window.messages()->show_message(Severity::warning, "something about the first scene");
  f.window.messages()->offer("first.json was changed by another program.", {});
  Bubble::show_at(&f.view(), "a refusal");
  f.action("file.export_images")->trigger();
  auto* dialog = f.window.findChild<ExportDialog*>();
  REQUIRE(dialog);
  CHECK(dialog->isVisible());
  // The line follows the fill, which is in a thread of its own, by a message.
  REQUIRE(wait_for([&] { return f.window.findChild<QLabel*>("status_computing")->text() == "41 frames computed"; }));
  f.window.new_scene();
  CHECK_FALSE(words().contains("first.json"));
  CHECK(f.window.messages()->text().isEmpty());
  CHECK(Bubble::shown_text().isEmpty());
  CHECK_FALSE(dialog->isVisible());
  CHECK(f.window.findChild<QLabel*>("status_computing")->text() != "41 frames computed");
  REQUIRE(wait_for([&] { return f.window.findChild<QLabel*>("status_counts")->text().startsWith("1 object"); }, 3000));
  // An array that is being chosen when another scene comes: neither it nor its Cancel touch that one.
  f.Window::open(ball_scene());
  f.selection().select_only(id_of(f.scene(), "Ball"));
  f.menu("Object", "object.array");
  REQUIRE(f.window.findChild<ArrayDialog*>());
  const Scene other = make_new_scene();
  f.document().reset(other, {});
  REQUIRE(wait_for([&] { return !f.window.findChild<ArrayDialog*>(); }, 2000));
  CHECK(scene_to_text(f.scene()) == scene_to_text(other));
  CHECK(f.document().undo_stack()->count() == 0);
}

}  // namespace flow_places_test
