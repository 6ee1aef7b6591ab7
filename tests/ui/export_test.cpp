#include <catch2/catch.hpp>

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <set>

#include "core/playback/simulator.h"
#include "render/picture_formats.h"
#include "tests/support/small_scenes.h"
#include "tests/ui/flow_support.h"
#include "tests/ui/panels_support.h"
#include "ui/editors/export_dialog.h"
#include "ui/editors/export_notes.h"

namespace export_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Scene still_scene(int last) {
  Scene scene = small_scene();
  scene.objects.erase(scene.objects.begin() + 1);  // no flexible body: quick
  scene.settings.last_frame = last;
  return scene;
}

template <class T>
T* part(QWidget* dialog, const char* name) {
  T* found = dialog->findChild<T*>(name);
  REQUIRE(found);
  return found;
}

/// A small, quick job into `folder`, chosen through the dialog's own widgets where a person would.
void fill(ExportDialog& dialog, const QString& folder) {
  ExportChoice choice = dialog.choice();
  choice.values = {{"width", 64}, {"height", 36}, {"samples", 1}, {"transparent", 0}};
  choice.folder = folder;
  choice.name = "ball";
  choice.format = "png";
  dialog.set_choice(choice);
}

/// The dialog, filled in, over a scene of so many frames.
struct ExportBench {
  QTemporaryDir folder;
  Bench b;
  ExportDialog dialog;
  explicit ExportBench(int last) : b(still_scene(last)), dialog(b.context) {
    dialog.show();
    fill(dialog, folder.path());
  }
};

bool ended(ExportDialog& dialog) {
  return wait_for([&] { return !dialog.running(); }, 60000);
}

}  // namespace

TEST_CASE("Export: a sequence is written, the dialog says where", "[ui][export]") {
  ExportBench e(4);
  (void)QTest::qWaitForWindowExposed(&e.dialog);
  CHECK_FALSE(e.dialog.isModal());
  CHECK(e.dialog.choice().range.last == 4);
  CHECK(part<QLabel>(&e.dialog, "export_example")->text() == "ball.0000.png … ball.0004.png");
  auto* name = part<QLineEdit>(&e.dialog, "export_name");
  name->setFocus();
  name->selectAll();
  QTest::keyClicks(name, "jump");
  CHECK(part<QLabel>(&e.dialog, "export_example")->text().startsWith("jump.0000.png"));
  QTest::mouseClick(part<QPushButton>(&e.dialog, "export_start"), Qt::LeftButton);
  CHECK(e.dialog.running());
  REQUIRE(ended(e.dialog));
  INFO(part<QLabel>(&e.dialog, "export_message")->text().toStdString());
  CHECK(part<QLabel>(&e.dialog, "export_message")->text() ==
        QString("5 frames written to %1.").arg(QDir::toNativeSeparators(e.folder.path())));
  CHECK(part<QPushButton>(&e.dialog, "export_open_folder")->isVisible());
  CHECK(QDir(e.folder.path()).entryList(QDir::Files) ==
        QStringList({"jump.0000.png", "jump.0001.png", "jump.0002.png", "jump.0003.png", "jump.0004.png"}));
  CHECK(QImage(e.folder.filePath("jump.0003.png")).size() == QSize(64, 36));
}

TEST_CASE("Export: where a tracked surface begins a new mesh is told, the first six", "[ui][export]") {
  ExportResult result;
  CHECK(told_notes(result).isEmpty());
  for (int frame = 10; frame < 18; ++frame)
    result.diagnostics.push_back(
        {Severity::info, "Blob", "A new mesh from frame " + std::to_string(frame) + ": 2 pieces become 1.", ""});
  const QStringList lines = told_notes(result).split('\n');
  REQUIRE(lines.size() == 8);  // the sentence before ends at the first break
  CHECK(lines[1] == "Blob: A new mesh from frame 10: 2 pieces become 1.");
  CHECK(lines[7] == "And 2 more; hazumi-cli export lists all.");
}

TEST_CASE("Export: JPEG, step, existing frames kept", "[ui][export]") {
  ExportBench e(4);
  ExportChoice choice = e.dialog.choice();
  choice.range.step = 2;
  choice.format = "jpg";
  choice.keep_existing = true;
  choice.padding = 2;
  e.dialog.set_choice(choice);
  CHECK_FALSE(part<QCheckBox>(&e.dialog, "export_transparent")->isEnabled());
  QFile there(e.folder.filePath("ball.02.jpg"));
  REQUIRE(there.open(QIODevice::WriteOnly));
  there.write("mine");
  there.close();
  e.dialog.start();
  REQUIRE(ended(e.dialog));
  CHECK(QDir(e.folder.path()).entryList(QDir::Files) == QStringList({"ball.00.jpg", "ball.02.jpg", "ball.04.jpg"}));
  CHECK(there.size() == 4);
  CHECK(part<QLabel>(&e.dialog, "export_message")->text().contains("1 that existed were kept"));
}

TEST_CASE("Export: what cannot be is said beside the field, and the button waits", "[ui][export]") {
  ExportBench e(4);
  auto* start = part<QPushButton>(&e.dialog, "export_start");
  auto* name = part<QLineEdit>(&e.dialog, "export_name");
  CHECK(start->isEnabled());
  name->clear();
  CHECK(part<QLabel>(&e.dialog, "export_name_note")->text() == "Give the pictures a name.");
  CHECK_FALSE(start->isEnabled());
  for (const char* bad : {"a/b", "a#b", ".hidden"}) {
    name->setText(bad);
    CHECK_FALSE(part<QLabel>(&e.dialog, "export_name_note")->text().isEmpty());
    CHECK_FALSE(start->isEnabled());
  }
  name->setText("ok");
  CHECK(start->isEnabled());
  ExportChoice choice = e.dialog.choice();
  choice.range = {10, 3, 1};
  e.dialog.set_choice(choice);
  CHECK(part<QLabel>(&e.dialog, "export_range_note")->text() == "The last frame must not be before the first.");
  CHECK_FALSE(start->isEnabled());
  choice.range = {0, 3, 1};
  QFile file(e.folder.filePath("file"));
  REQUIRE(file.open(QIODevice::WriteOnly));
  choice.folder = file.fileName();
  e.dialog.set_choice(choice);
  CHECK(part<QLabel>(&e.dialog, "export_folder_note")->text().contains("file"));
  CHECK_FALSE(start->isEnabled());
  choice.folder = e.folder.filePath("new/deep");
  e.dialog.set_choice(choice);
  CHECK(part<QLabel>(&e.dialog, "export_folder_note")->text() == "The folder will be made.");
  CHECK(start->isEnabled());
}

TEST_CASE("Export: cancel leaves whole files; the dialog stays and can start again", "[ui][export]") {
  ExportBench e(400);
  e.dialog.start();
  REQUIRE(wait_for([&] { return QDir(e.folder.path()).entryList({"*.png"}, QDir::Files).size() >= 3; }));
  // Work goes on meanwhile; the pictures are of the scene as it was.
  CHECK(e.b.document.edit_object("Move", Id{1}, [](Object& o) { o.transform.position.x() = 1; }).ok());
  QTest::mouseClick(part<QPushButton>(&e.dialog, "export_close"), Qt::LeftButton);
  REQUIRE(ended(e.dialog));
  CHECK(part<QLabel>(&e.dialog, "export_message")->text().startsWith("Cancelled."));
  const QStringList files = QDir(e.folder.path()).entryList(QDir::Files);
  CHECK(files.size() < 401);
  for (const QString& file : files) {
    CHECK(file.endsWith(".png"));
    CHECK_FALSE(QImage(e.folder.filePath(file)).isNull());
  }
  CHECK(e.dialog.isVisible());
  CHECK(part<QPushButton>(&e.dialog, "export_start")->isVisible());
}

TEST_CASE("Export: a folder that goes away or cannot be written ends with one sentence", "[ui][export]") {
  ExportBench e(4);
  // A folder stands where a picture should go: this cannot be written, for root neither.
  REQUIRE(QDir(e.folder.path()).mkpath("ball.0002.png/inside"));
  e.dialog.start();
  REQUIRE(ended(e.dialog));
  const QString message = part<QLabel>(&e.dialog, "export_message")->text();
  INFO(message.toStdString());
  CHECK(message.contains("2 frames written before that."));
  CHECK(message.contains("ball.0002.png"));
  // It was about that folder: another one, and it goes.
  CHECK(part<QLabel>(&e.dialog, "export_message")->isVisible());
  part<QLineEdit>(&e.dialog, "export_folder")->setText(e.folder.filePath("other"));
  CHECK_FALSE(part<QLabel>(&e.dialog, "export_message")->isVisible());
  CHECK(e.dialog.isVisible());
  CHECK(part<QPushButton>(&e.dialog, "export_start")->isEnabled());
}

TEST_CASE("Export: every format stands under its heading, with the options of its table and no others",
          "[ui][export]") {
  ExportBench e(2);
  auto* formats = part<QComboBox>(&e.dialog, "export_format");
  QStringList headings;
  for (int i = 0; i < formats->count(); ++i)
    if (!formats->itemData(i).isValid()) {
      headings << formats->itemText(i);
      CHECK_FALSE(formats->model()->flags(formats->model()->index(i, 0)).testFlag(Qt::ItemIsSelectable));
    }
  CHECK(headings == QStringList({"Pictures", "Models", "Data"}));
  CHECK(formats->count() == headings.size() + static_cast<int>(all_export_formats().size()));
  std::set<std::string> names;
  for (const ExportFormatInfo* format : all_export_formats())
    for (const ExportOption& option : format->options) names.emplace(option.name);
  CHECK(names.size() >= 7);
  for (const ExportFormatInfo* format : all_export_formats()) {
    INFO(std::string(format->name));
    formats->setCurrentIndex(formats->findData(QString::fromUtf8(format->name.data())));
    CHECK(part<QLabel>(&e.dialog, "export_format_note")->text().toStdString() == format->description);
    for (const std::string& name : names) {
      INFO(name);
      auto* widget = part<QWidget>(&e.dialog, ("export_" + name).c_str());
      CHECK(widget->isVisible() == (find_option(format->options, name) != nullptr));
      CHECK(widget->isEnabled() == widget->isVisible());
    }
    CHECK(part<QComboBox>(&e.dialog, "export_object")->isVisible() == (format->kind != ExportKind::pictures));
    const std::string extension(format->extension);
    CHECK(part<QLabel>(&e.dialog, "export_example")->text().toStdString() ==
          (format->one_file ? "ball" + extension : "ball.0000" + extension + " … ball.0002" + extension));
    CHECK(part<QPushButton>(&e.dialog, "export_start")->isEnabled());
  }
}

TEST_CASE("Export: a model with its options, of one object; the next dialog remembers them", "[ui][export]") {
  QTemporaryDir folder;
  Bench b(still_scene(1));
  {
    ExportDialog dialog(b.context);
    dialog.show();
    fill(dialog, folder.path());
    auto* formats = part<QComboBox>(&dialog, "export_format");
    formats->setCurrentIndex(formats->findData("obj"));
    CHECK(part<QLabel>(&dialog, "export_example")->text() == "ball.0000.obj … ball.0001.obj");
    CHECK(part<QLabel>(&dialog, "export_range_note")->text().startsWith("2 files"));
    part<QComboBox>(&dialog, "export_up")->setCurrentIndex(1);
    type_number(part<NumberField>(&dialog, "export_scale"), "100");
    auto* object = part<QComboBox>(&dialog, "export_object");
    object->setCurrentIndex(1);
    const ExportChoice choice = dialog.choice();
    CHECK(choice.values == ExportValues{{"up", 1}, {"scale", 100}, {"tracked", 1}});
    REQUIRE(choice.object);
    dialog.start();
    REQUIRE(ended(dialog));
    // The very bytes that the format itself writes with these values.
    auto sink = find_export_format("obj")->make(
        {folder.filePath("own.####.obj").toStdString(), choice.object, {{"up", 1}, {"scale", 100}}});
    REQUIRE(sink);
    Simulator simulator(compiled(b.document.scene()), 1);
    REQUIRE((*sink)->write(b.document.scene(), simulator.frame_at(1)));
    const auto bytes = [&](const char* name) {
      QFile file(folder.filePath(name));
      REQUIRE(file.open(QIODevice::ReadOnly));
      return file.readAll();
    };
    CHECK(bytes("ball.0001.obj") == bytes("own.0001.obj"));
    CHECK(bytes("ball.0001.obj").count("\no ") == 1);
  }
  ExportDialog again(b.context);
  CHECK(again.choice().format == "obj");
  CHECK(again.choice().values == ExportValues{{"up", 1}, {"scale", 100}, {"tracked", 1}});
  CHECK_FALSE(again.choice().object);
  ExportChoice back = again.choice();
  back.values = {{"up", 0}, {"scale", 1}};
  again.set_choice(back);
  CHECK(again.choice().values == ExportValues{{"up", 0}, {"scale", 1}, {"tracked", 1}});
  QSettings(settings_file(), QSettings::IniFormat).remove("export");  // the next test begins as a person does
}

TEST_CASE("Export: time left in words; closing the program in the middle is safe", "[ui][export]") {
  CHECK(time_left_text(-1).isEmpty());
  CHECK(time_left_text(0.2) == "less than a second left");
  CHECK(time_left_text(11.2) == "12 s left");
  CHECK(time_left_text(150) == "about 3 minutes left");
  CHECK(time_left_text(2 * 3600) == "about 2.0 hours left");
  QTemporaryDir folder;
  Bench b(still_scene(300));
  {
    ExportDialog dialog(b.context);
    fill(dialog, folder.path());
    dialog.start();
    QTest::qWait(50);
  }
  for (const QString& file : QDir(folder.path()).entryList(QDir::Files))
    CHECK_FALSE(QImage(folder.filePath(file)).isNull());
}

}  // namespace export_test
