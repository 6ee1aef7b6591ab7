// Point 6 of the foundation on the real window: the export dialog by mouse.
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QImage>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>

#include "core/scene/file/scene_io.h"
#include "core/sound/decode.h"
#include "tests/support/blob_scene.h"
#include "tests/support/files.h"
#include "tests/support/glb.h"
#include "tests/support/small_scenes.h"
#include "tests/support/wav.h"
#include "tests/ui/flow_support.h"
#include "ui/editors/export_dialog.h"

namespace flow_export_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Dialog {
  Flow& f;
  ExportDialog* dialog = nullptr;

  explicit Dialog(Flow& flow, const char* scene = "soft_and_hard_ball.json") : Dialog(flow, shipped(scene)) {}
  Dialog(Flow& flow, const QString& file) : f(flow) {
    f.open(file);
    f.menu("File", "file.export_images");
    dialog = f->findChild<ExportDialog*>();
    REQUIRE(dialog);
    REQUIRE(wait_for([&] { return dialog->isVisible(); }, 3000));
  }
  template <class T>
  T* part(const char* name) {
    T* found = dialog->findChild<T*>(name);
    REQUIRE(found);
    return found;
  }
  NumberField* number(const char* name) {
    for (NumberField* field : dialog->findChildren<NumberField*>())
      if (field->accessibleName() == name) return field;
    FAIL("no field " << name);
    return nullptr;
  }
  void text(const char* name, const QString& text) {
    auto* edit = part<QLineEdit>(name);
    QTest::mouseClick(edit, Qt::LeftButton);
    edit->selectAll();
    QTest::keyClicks(edit, text);
  }
  void tick(const char* name, bool on) {
    auto* box = part<QCheckBox>(name);
    if (box->isChecked() != on) QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
    CHECK(box->isChecked() == on);
  }
  void small(const QString& folder, const char* first, const char* last, const char* step) {
    type_number(number("First frame"), first);
    type_number(number("Last frame"), last);
    type_number(number("Step"), step);
    type_number(number("Width"), "96");
    type_number(number("Height"), "54");
    text("export_folder", folder);
  }
  /// Small pictures of frames 0 to `last`, over what is there.
  void start(const QString& folder, const char* last) {
    small(folder, "0", last, "1");
    tick("export_keep", false);
    press("export_start");
  }
  void press(const char* name) { QTest::mouseClick(part<QPushButton>(name), Qt::LeftButton); }
  bool ended() {
    return wait_for([&] { return !dialog->running(); }, 120000);
  }
  QString said() { return part<QLabel>("export_message")->text(); }
};

}  // namespace

TEST_CASE("Flow: pictures of a shipped scene do not go among the shipped scenes", "[ui][flow][export]") {
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  QDir(documents).removeRecursively();
  for (const bool there : {false, true}) {
    if (there) REQUIRE(QDir().mkpath(documents));
    Flow f;
    QSettings(settings_file(), QSettings::IniFormat).remove("export/folder");
    Dialog d(f);
    CHECK(d.part<QLineEdit>("export_folder")->text() == (there ? documents : QDir::homePath()) + "/pictures");
  }
  QDir(documents).removeRecursively();
  Flow f;
  Dialog d(f);
  const QString folder = d.part<QLineEdit>("export_folder")->text();
  CHECK_FALSE(folder.startsWith(QFileInfo(shipped("soft_and_hard_ball.json")).canonicalPath()));
}

TEST_CASE("Flow: the export dialog keeps its height, whatever the format, and says how long it lasts",
          "[ui][flow][export]") {
  Flow f;
  f.Window::open(ball_scene(240));
  QSettings(settings_file(), QSettings::IniFormat).remove("export/folder");
  f.menu("File", "file.export_images");
  auto* dialog = f->findChild<ExportDialog*>();
  REQUIRE(dialog);
  REQUIRE(wait_for([&] { return dialog->isVisible(); }, 3000));
  auto* format = dialog->findChild<QComboBox*>("export_format");
  auto* button = dialog->findChild<QPushButton*>("export_start");
  REQUIRE(format);
  REQUIRE(button);
  QTest::qWait(30);
  const int height = dialog->height(), at = button->mapTo(dialog, QPoint(0, 0)).y();
  for (int i = 0; i < format->count(); ++i) {
    if (!format->itemData(i).isValid()) continue;
    format->setCurrentIndex(i);
    QTest::qWait(20);
    INFO(format->currentText().toStdString());
    CHECK(dialog->height() == height);
    CHECK(button->mapTo(dialog, QPoint(0, 0)).y() == at);
  }
  format->setCurrentIndex(format->findData("png"));
  const auto* note = dialog->findChild<QLabel*>("export_range_note");
  // Nor what is wrong with a field, that a folder will be made, how far it is, and how it ended.
  auto* folder_field = dialog->findChild<QLineEdit*>("export_folder");
  auto* name_field = dialog->findChild<QLineEdit*>("export_name");
  const auto stays = [&](const char* when) {
    QTest::qWait(20);
    INFO(when);
    CHECK(dialog->height() == height);
    CHECK(button->mapTo(dialog, QPoint(0, 0)).y() == at);
  };
  const QString kept_folder = folder_field->text(), kept_name = name_field->text();
  QTemporaryDir away;
  folder_field->setText(away.filePath("new"));
  stays("a new folder");
  name_field->setText("a/b");
  stays("a name that cannot be");
  name_field->setText(kept_name);
  const auto number = [&](const char* name) -> NumberField* {
    for (NumberField* field : dialog->findChildren<NumberField*>())
      if (field->accessibleName() == name) return field;
    return nullptr;
  };
  type_number(number("Step"), "40");
  dialog->start();
  QTest::qWait(20);
  CHECK(dialog->height() == height);
  REQUIRE(wait_for([&] { return !dialog->running(); }, 60000));
  stays("at its end");
  folder_field->setText(kept_folder);
  type_number(number("Step"), "1");
  CHECK(note->text() == "241 pictures, frames 0 to 240: 4.00 s of motion");
  type_number(number("Step"), "7");
  CHECK(note->text() == "35 pictures, frames 0 to 238: 3.97 s of motion");
  // Never saved: in a folder of its own where pictures lie, or at home.
  const QString folder = dialog->findChild<QLineEdit*>("export_folder")->text();
  CHECK(folder.endsWith("/Hazumi"));
}

TEST_CASE("Flow: the export dialog says what becomes of sound", "[ui][flow][export][sound]") {
  for (const bool heard : {false, true}) {
    Flow f;
    Scene scene = ball_scene(10);
    Sound sound;
    sound.id = next_id(scene);
    sound.name = "bang";
    sound.file = "/nowhere/bang.wav";
    if (heard) scene.sounds.push_back(sound);
    f.Window::open(scene);
    f.menu("File", "file.export_images");
    auto* dialog = f->findChild<ExportDialog*>();
    REQUIRE(wait_for([&] { return dialog->isVisible(); }, 3000));
    const auto* note = dialog->findChild<QLabel*>("export_format_note");
    CHECK(note->text().contains("Its sound goes into a WAV file beside them") == heard);
    auto* format = dialog->findChild<QComboBox*>("export_format");
    REQUIRE(format);
    format->setCurrentIndex(format->findData("obj"));
    CHECK(note->text().contains("Sound is not written with it") == heard);
    format->setCurrentIndex(format->findData("png"));
    f.shot(heard ? "export-sound" : "export-silent", dialog);
  }
}

TEST_CASE("Flow: what is heard in the frames is written beside their pictures, where that is ticked",
          "[ui][flow][export][sound]") {
  QTemporaryDir folder;
  const std::filesystem::path bang = folder.filePath("bang.wav").toStdString();
  write_bytes(bang, wav_bytes(tone_values(440, 0.5), 1, 48'000));
  Flow f;
  Dialog d(f);
  Scene scene = f.scene();
  Sound sound;
  sound.id = next_id(scene);
  sound.name = "bang";
  sound.file = bang.string();
  sound.start = 0.1;
  scene.sounds.push_back(sound);
  REQUIRE(f.document().edit("Add Sound", scene).ok());
  d.text("export_name", "film");
  d.tick("export_sound", true);
  d.start(folder.path(), "11");
  REQUIRE(d.ended());
  INFO(d.said().toStdString());
  REQUIRE(QFileInfo::exists(folder.filePath("film.wav")));
  const auto heard = read_sound(folder.filePath("film.wav").toStdString(), std::atomic<bool>(false));
  REQUIRE(heard.ok());
  CHECK(heard->seconds() == Approx(12 / scene.settings.frame_rate).margin(1e-4));
  CHECK(heard->samples[static_cast<std::size_t>(0.05 * 48'000)][0] == 0);
  int loudest = 0;
  for (const StereoSample& sample : heard->samples) loudest = std::max(loudest, std::abs(sample[0]));
  CHECK(loudest > 15'000);
  QFile::remove(folder.filePath("film.wav"));
  d.tick("export_sound", false);
  d.start(folder.path(), "3");
  REQUIRE(d.ended());
  CHECK_FALSE(QFileInfo::exists(folder.filePath("film.wav")));
}

TEST_CASE("Flow: pictures along the cuts, or of one camera, chosen in the export dialog", "[ui][flow][export]") {
  QTemporaryDir folder;
  Flow f;
  Dialog d(f, "cuts.json");
  auto* camera = d.part<QComboBox>("export_camera");
  CHECK(camera->currentText() == "The scene's cuts");
  REQUIRE(camera->count() == 4);
  d.small(folder.path(), "30", "40", "10");  // the first cut is at frame 36
  const auto written = [&](const char* name) {
    d.text("export_name", name);
    d.press("export_start");
    REQUIRE(d.ended());
    const QString at = QString::fromLatin1(name) + ".%1.png";
    return std::pair(QImage(folder.filePath(at.arg("0030"))), QImage(folder.filePath(at.arg("0040"))));
  };
  const auto cuts = written("cuts");
  REQUIRE_FALSE(cuts.first.isNull());
  d.f.sight(camera)->setFocus();
  QTest::keyClick(camera, Qt::Key_Down);  // Wide
  const auto wide = written("wide");
  QTest::keyClick(camera, Qt::Key_Down);  // Close
  CHECK(camera->currentText() == "Close");
  const auto close = written("close");
  CHECK(cuts.first == wide.first);
  CHECK(cuts.second == close.second);
  CHECK(wide.second != close.second);
}

TEST_CASE("Flow: export of a range with step, size, digits and transparency by mouse", "[ui][flow][export]") {
  QTemporaryDir folder;
  Flow f;
  Dialog d(f);
  type_number(d.number("Width"), "1280");
  type_number(d.number("Height"), "720");
  type_number(d.number("Samples"), "4");
  d.text("export_folder", QDir::temp().filePath("pictures"));
  f.shot("export-dialog");
  d.small(folder.path(), "4", "16", "4");
  d.text("export_name", "bounce");
  type_number(d.number("Digits"), "6");
  d.tick("export_transparent", true);
  CHECK(d.part<QLabel>("export_example")->text() == "bounce.000004.png … bounce.000016.png");
  d.press("export_start");
  CHECK(d.dialog->running());
  REQUIRE(d.ended());
  INFO(d.said().toStdString());
  CHECK(d.said().startsWith("4 frames written to "));
  CHECK(QDir(folder.path()).entryList(QDir::Files) ==
        QStringList({"bounce.000004.png", "bounce.000008.png", "bounce.000012.png", "bounce.000016.png"}));
  const QImage picture(folder.filePath("bounce.000008.png"));
  CHECK(picture.size() == QSize(96, 54));
  CHECK(picture.hasAlphaChannel());
  CHECK(picture.pixelColor(2, 2).alpha() == 0);  // nothing is up there
  bool solid = false;
  for (int x = 0; x < 96; ++x) solid = solid || picture.pixelColor(x, 40).alpha() == 255;
  CHECK(solid);

  // Once more with one picture taken away and one changed: only the missing one is made.
  QFile::remove(folder.filePath("bounce.000012.png"));
  write_file(folder.filePath("bounce.000004.png"), "mine");
  d.tick("export_keep", true);
  d.press("export_start");
  REQUIRE(d.ended());
  CHECK(d.said().contains("3 that existed were kept"));
  CHECK(QFileInfo(folder.filePath("bounce.000004.png")).size() == 4);
  CHECK_FALSE(QImage(folder.filePath("bounce.000012.png")).isNull());
  d.press("export_close");
  CHECK_FALSE(d.dialog->isVisible());
}

TEST_CASE("Flow: all frames go into one animated glTF, by mouse", "[ui][flow][export]") {
  QTemporaryDir folder;
  Flow f;
  Dialog d(f, "thrower.json");
  auto* formats = d.part<QComboBox>("export_format");
  const int glb = formats->findData("glb");
  REQUIRE(glb >= 0);
  const auto choose = [&](int to) {
    formats->setFocus();
    for (int guard = 0; formats->currentIndex() != to && guard < 20; ++guard)
      QTest::keyClick(formats, formats->currentIndex() < to ? Qt::Key_Down : Qt::Key_Up);
    CHECK(formats->currentIndex() == to);
  };
  CHECK(d.number("Digits")->isVisible());
  choose(glb);
  CHECK_FALSE(d.number("Digits")->isVisible());  // there is no number to write
  CHECK(d.part<QCheckBox>("export_keep")->text() == "Keep the file if it exists already");
  type_number(d.number("First frame"), "0");
  type_number(d.number("Last frame"), "60");
  d.text("export_folder", folder.path());
  d.text("export_name", "throw");
  d.tick("export_keep", false);
  CHECK(d.part<QLabel>("export_example")->text() == "throw.glb");
  CHECK(d.part<QLabel>("export_range_note")->text().startsWith("61 frames in 1 file, "));
  f.shot("export-clip");
  d.press("export_start");
  REQUIRE(d.ended());
  const QString file = folder.filePath("throw.glb");
  CHECK(d.said() == "61 frames written to " + QDir::toNativeSeparators(file) + ".");
  CHECK(QDir(folder.path()).entryList(QDir::Files) == QStringList({"throw.glb"}));
  CHECK(d.part<QPushButton>("export_open_folder")->isVisible());
  f.shot("export-clip-done");
  const ReadGlb read(contents(file.toStdString()));
  const Scene scene = f->context().document.scene();
  const std::vector<Frame> run = fresh_run(scene, 60);
  for (const auto& object : scene.objects)
    for (const std::size_t k : {0, 30, 60}) {
      INFO(object->name << ", frame " << k);
      const auto place = read.value(read.node(object->name), "translation", k, 61);
      // Keys that a straight line through the others comes within 1e-6 m of are left out.
      CHECK((Vec3f(place[0], place[1], place[2]) - run[k].find(object->id)->position).norm() < 2e-6f);
    }

  // Kept when asked; a file that would be too large is refused, and what was there stays.
  write_file(file, "mine");
  d.tick("export_keep", true);
  d.press("export_start");
  REQUIRE(d.ended());
  CHECK(d.said() == QDir::toNativeSeparators(file) + " exists already and was kept.");
  d.tick("export_keep", false);
  type_number(d.number("Last frame"), "4000");
  type_number(d.number("Largest size"), "1");
  d.press("export_start");
  REQUIRE(d.ended());
  INFO(d.said().toStdString());
  CHECK(d.said().contains("more than 1 MB"));
  CHECK(d.said().endsWith("Nothing was written."));
  CHECK(contents(file.toStdString()) == "mine");
  d.press("export_start");
  REQUIRE(wait_for([&] { return d.dialog->findChild<QProgressBar*>()->value() > 3; }, 20000));
  d.press("export_close");
  REQUIRE(d.ended());
  CHECK(d.said() == "Cancelled. Nothing was written.");
  CHECK(contents(file.toStdString()) == "mine");
  CHECK(QDir(folder.path()).entryList(QDir::Files).size() == 1);
  choose(formats->findData("obj"));
  CHECK(d.number("Digits")->isVisible());
  CHECK(d.part<QCheckBox>("export_keep")->text() == "Keep frames that exist already");
  d.press("export_close");
  QSettings(settings_file(), QSettings::IniFormat).remove("export");
}

TEST_CASE("Flow: a cancelled export leaves whole files", "[ui][flow][export]") {
  QTemporaryDir folder;
  Flow f;
  Dialog d(f, "tumbling_box.json");
  d.start(folder.path(), "5000");
  REQUIRE(wait_for([&] { return QDir(folder.path()).entryList({"*.png"}, QDir::Files).size() >= 3; }));
  d.press("export_close");
  REQUIRE(d.ended());
  CHECK(d.said().startsWith("Cancelled."));
  const QStringList files = QDir(folder.path()).entryList(QDir::Files);
  CHECK(files.size() < 5001);
  for (const QString& file : files) CHECK(QImage(folder.filePath(file)).size() == QSize(96, 54));
  d.press("export_close");
}

TEST_CASE("Flow: export where nothing can be written says so", "[ui][flow][export][bad]") {
  QTemporaryDir folder;
  Flow f;
  Dialog d(f);
  // /proc takes no files from anybody, root neither.
  d.small("/proc/hazumi", "0", "3", "1");
  CHECK_FALSE(d.part<QPushButton>("export_start")->isEnabled());
  const QString sentence = d.part<QLabel>("export_folder_note")->text();
  INFO(sentence.toStdString());
  CHECK(sentence.contains("/proc"));
  CHECK(sentence.contains("cannot be made"));
  CHECK(sentence.contains('.'));
  d.text("export_folder", folder.filePath("new"));
  CHECK(d.part<QLabel>("export_folder_note")->text() == "The folder will be made.");
  CHECK(d.part<QPushButton>("export_start")->isEnabled());
  CHECK(QDir(folder.path()).isEmpty());  // nothing is left of the trial
  CHECK(d.dialog->isVisible());
  d.press("export_close");
}

TEST_CASE("Flow: a dialog closed while it exports goes on and is found again", "[ui][flow][export]") {
  QTemporaryDir folder;
  Flow f;
  Dialog d(f, "tumbling_box.json");
  d.start(folder.path(), "40");
  QTest::keyClick(d.dialog, Qt::Key_Escape);
  CHECK_FALSE(d.dialog->isVisible());
  f.menu("File", "file.export_images");
  REQUIRE(f->findChildren<ExportDialog*>().size() == 1);
  CHECK(d.dialog->isVisible());
  REQUIRE(d.ended());
  CHECK(QDir(folder.path()).entryList(QDir::Files).size() == 41);
  d.press("export_close");
}

TEST_CASE("Flow: a blob is written as surfaces that keep their vertices, and where a new one begins is told",
          "[ui][flow][export]") {
  Flow f;
  QTemporaryDir folder, scenes;
  const QString blob = scenes.filePath("blob.json");  // two balls that meet in frame 21
  REQUIRE(save_scene(two_flying(), blob.toStdString()).ok());
  Dialog d(f, blob);
  auto* formats = d.part<QComboBox>("export_format");
  formats->setCurrentIndex(formats->findData("obj"));
  type_number(d.number("First frame"), "15");
  type_number(d.number("Last frame"), "27");
  type_number(d.number("Step"), "1");
  d.text("export_folder", folder.path());
  const int height = d.dialog->height();
  d.press("export_start");
  REQUIRE(d.ended());
  INFO(d.said().toStdString());
  CHECK(d.said().startsWith("13 frames written"));
  CHECK(d.said().contains("Blob: A new mesh from frame 21: 2 pieces become 1."));
  CHECK(d.dialog->height() <= height + 1);
  // As many vertices and the same faces in each file of a stretch.
  QByteArray before;
  for (int frame = 15; frame <= 27; ++frame) {
    QFile file(folder.filePath(QStringLiteral("blob.%1.obj").arg(frame, 4, 10, QLatin1Char('0'))));
    REQUIRE(file.open(QIODevice::ReadOnly));
    QByteArray faces;
    for (const QByteArray& line : file.readAll().split('\n'))
      if (line.startsWith("f ")) faces += line + '\n';
    CHECK_FALSE(faces.isEmpty());
    if (frame > 15) CHECK((faces == before) == (frame != 21));
    before = faces;
  }
  f.shot("export-blob", d.dialog);
}

}  // namespace flow_export_test
