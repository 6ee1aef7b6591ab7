// Files in which something moves, by mouse: a glTF with two clips comes in as objects led by keys, plays where Blender has it,
// is undone and done again, saved and opened; BVH is dropped on the window; what the dialog says of damaged ones.
#include <cmath>
#include <fstream>

#include <QCheckBox>
#include <QComboBox>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QLabel>
#include <QMimeData>
#include <QPointer>

#include <nlohmann/json.hpp>

#include "core/scene/derived/tracks.h"
#include "tests/ui/import_support.h"

namespace flow_clip_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

QString sample(const char* name) { return QString(HAZUMI_SOURCE_DIR "/tests/import/clips/") + name; }

struct ClipFlow : ImportFlow {
  void drop(const QString& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    REQUIRE(enter.isAccepted());
    QDropEvent event(QPointF(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
    settle();
  }
  void choose(const char* name, int row) {
    auto* box = part<QComboBox>(name);
    REQUIRE(box->isVisible());
    box->setFocus();
    while (box->currentIndex() != row) QTest::keyClick(box, box->currentIndex() < row ? Qt::Key_Down : Qt::Key_Up);
    settle();
  }
  int clip_row(const QString& beginning) {
    auto* box = part<QComboBox>("import_clip");
    for (int i = 0; i < box->count(); ++i)
      if (box->itemText(i).startsWith(beginning)) return i;
    return -1;
  }
  std::size_t keys() {
    std::size_t all = 0;
    for (const auto& track : scene().tracks) all += track->keys.size();
    return all;
  }
  /// The furthest that an object is from where Blender has it, in the frames of the run.
  double furthest(const std::string& file, const std::string& clip) {
    std::ifstream in(HAZUMI_SOURCE_DIR "/tests/import/clips/poses.json");
    double far = 0;
    int rows = 0;
    for (const auto& sample : nlohmann::json::parse(in)) {
      if (sample["file"] != file || sample["clip"] != clip) continue;
      for (const auto& row : sample["rows"]) {
        const int number = row["frame"].get<int>();
        FramePtr frame;
        REQUIRE(wait_for([&] { return (frame = playback().cache().frame(number)) != nullptr; }));
        const ObjectFrame* own = frame->find(id_of(scene(), row["name"]));
        REQUIRE(own);
        for (int k = 0; k < 3; ++k)
          far = std::max(far, std::abs(own->position[k] - row["place"][static_cast<std::size_t>(k)].get<double>()));
        ++rows;
      }
    }
    CHECK(rows >= 60);
    return far;
  }
};

}  // namespace

TEST_CASE("Flow: a clip of a glTF comes in as led objects and plays where Blender has it",
          "[ui][flow][import][clips]") {
  ClipFlow f;
  const std::string before = scene_to_text(f.scene());
  f.import_by_menu(sample("clips.glb"));
  auto* clips = f.part<QComboBox>("import_clip");
  REQUIRE(clips->count() == 3);
  CHECK(clips->itemText(2).startsWith("None"));
  f.choose("import_clip", f.clip_row("drive"));
  CHECK(clips->currentText() == "drive (1.58 s)");
  CHECK(
      f.text("import_clip_effect").startsWith("3 objects are led by keys (190), 1 stands still. New keys are within"));
  CHECK_FALSE(f.part<QComboBox>("import_as")->isEnabled());
  auto* time = f.part<QCheckBox>("import_clip_time");
  CHECK(time->isChecked());
  CHECK(time->text() == "The scene gets its 24 frames per second, frames 0 to 38");
  f.shot("import-clip", f.dialog());
  // As one mesh: everything as with other meshes.
  f.choose("import_clip", 2);
  CHECK(f.part<QComboBox>("import_as")->isEnabled());
  CHECK_FALSE(time->isEnabled());
  f.choose("import_clip", f.clip_row("drive"));
  f.choose("import_keys", 1);
  CHECK(f.text("import_clip_effect").contains("(103)"));
  f.choose("import_keys", 0);
  f.press("import_start");

  REQUIRE(f.scene().objects.size() == 5);
  CHECK(f.keys() == 190);
  for (const char* name : {"base", "arm", "hook"}) {
    INFO(name);
    CHECK(is_led(f.scene(), f.object(name).id));
    CHECK(f.object(name).body.kind == BodyKind::rigid);
    CHECK(f.selection().contains(f.object(name).id));
  }
  CHECK(f.object("wall").body.kind == BodyKind::fixed);
  CHECK(f.object("hook").display.mesh.settings.piece == "hook");
  REQUIRE(f.scene().collections.size() == 1);
  CHECK(f.scene().collections[0]->name == "clips");
  CHECK(f.object("arm").collection == f.scene().collections[0]->id.value);
  CHECK(f.scene().settings.frame_rate == 24);
  CHECK(f.scene().settings.last_frame == 38);
  CHECK(f.document().undo_stack()->count() == 1);
  CHECK(f.document().undo_stack()->undoText() == "Import clips");
  CHECK(f.furthest("clips.glb", "drive") < 1e-4);  // 6e-7 m
  f.key(Qt::Key_Home);
  f.playback().set_frame(20);
  QTest::qWait(60);
  f.shot("imported-clip");

  const std::string after = scene_to_text(f.scene());
  f.menu("Edit", "edit.undo");
  CHECK(scene_to_text(f.scene()) == before);
  f.menu("Edit", "edit.redo");
  CHECK(scene_to_text(f.scene()) == after);

  // Each object finds its piece of the file again.
  QTemporaryDir folder;
  const auto hook = f.object("hook").display.mesh.content;
  answer_file_dialog(folder.filePath("driven.json"));
  f.menu("File", "file.save_as");
  REQUIRE(wait_for([&] { return QFile::exists(folder.filePath("driven.json")); }));
  CHECK(QFile::exists(folder.filePath("clips.glb")));
  f.open(folder.filePath("driven.json"));
  CHECK(f.object("hook").display.mesh.content == hook);
  REQUIRE(f.object("arm").display.mesh.mesh);
  CHECK(f.furthest("clips.glb", "drive") < 1e-4);
}

TEST_CASE("Flow: a BVH that is dropped becomes bars that are led; they do not touch each other",
          "[ui][flow][import][clips]") {
  ClipFlow f;
  f.drop(sample("arm.bvh"));
  CHECK(f.part<QComboBox>("import_clip")->itemText(0) == "Motion (1.58 s)");
  CHECK(f.text("import_unit_note") == "The file does not say; this is a guess.");
  auto* up = f.part<QComboBox>("import_up");
  up->setFocus();
  QTest::keyClick(up, Qt::Key_Down);
  REQUIRE(up->currentText() == "Z");
  f.settle();
  CHECK(f.text("import_clip_effect").startsWith("3 objects are led by keys"));
  f.shot("import-bvh", f.dialog());
  f.press("import_start");
  REQUIRE(f.scene().objects.size() == 4);
  CHECK(f.object("hand").contact.groups == "arm");
  CHECK(f.object("hand").contact.ignores == "arm");
  CHECK(f.furthest("arm.bvh", "") < 1e-4);
  f.key(Qt::Key_Home);
  f.playback().set_frame(15);
  QTest::qWait(60);
  f.shot("imported-bvh");
}

TEST_CASE("Flow: a skin comes in cut at its joints where that is asked for, and the dialog says so",
          "[ui][flow][import][clips]") {
  ClipFlow f;
  f.import_by_menu(sample("arm.fbx"));
  REQUIRE(f.part<QComboBox>("import_clip")->count() == 3);
  CHECK_FALSE(f.text("import_warnings").contains("The skin is cut at its joints"));
  f.choose("import_skin", 1);
  CHECK(f.text("import_warnings").contains("The skin is cut at its joints"));
  f.shot("import-cut-skin", f.dialog());
  f.press("import_start");
  CHECK(f.scene().objects.size() == 4);
  f.key(Qt::Key_Home);
  f.playback().set_frame(15);
  REQUIRE(wait_for([&] { return f.playback().cache().frame(15) != nullptr; }));
  QTest::qWait(60);
  f.shot("imported-cut-skin");
}

TEST_CASE("Flow: damaged keys are told of, and what is sound of the file comes in", "[ui][flow][import][clips]") {
  QTemporaryDir folder;
  QFile whole(sample("arm.bvh"));
  REQUIRE(whole.open(QIODevice::ReadOnly));
  const QByteArray bytes = whole.readAll();
  write_file(folder.filePath("cut.bvh"), bytes.left(bytes.size() / 2));
  ClipFlow f;
  const std::string before = scene_to_text(f.scene());
  f.import_by_menu(folder.filePath("cut.bvh"));
  CHECK(f.text("import_state").contains("The BVH file is cut off (line "));
  CHECK_FALSE(f.part<QPushButton>("import_start")->isEnabled());
  f.shot("import-bvh-damaged", f.dialog());
  f.press("import_cancel");
  // A glTF whose keys are wrong is a mesh all the same.
  QFile keys(sample("hook_linear.gltf"));
  REQUIRE(keys.open(QIODevice::ReadOnly));
  QByteArray text = keys.readAll();
  const auto channels = text.indexOf("\"channels\"");
  text.replace(text.indexOf("\"translation\"", channels), 13, "\"rotation\"");
  write_file(folder.filePath("wrong.gltf"), text);
  f.import_by_menu(folder.filePath("wrong.gltf"));
  CHECK(
      f.text("import_warnings").contains("What moves in the file was not read: The keys of “hook” are not complete."));
  CHECK(f.part<QPushButton>("import_start")->isEnabled());
  CHECK_FALSE(f.part<QComboBox>("import_clip")->isVisible());
  f.press("import_cancel");
  CHECK(scene_to_text(f.scene()) == before);
  CHECK(f.document().undo_stack()->count() == 0);
}

TEST_CASE("Flow: keys of a long file are made with progress, and Cancel ends it at once", "[ui][flow][import][clips]") {
  QTemporaryDir folder;
  constexpr int kJoints = 40, kFrames = 6000;
  QByteArray text = "HIERARCHY\nROOT j\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n";
  for (int i = 1; i < kJoints; ++i) text += "JOINT j\n{\nOFFSET 0 0.1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n";
  text += "End Site\n{\nOFFSET 0 0.1 0\n}\n" + QByteArray("}\n").repeated(kJoints);
  text += "MOTION\nFrames: " + QByteArray::number(kFrames) + "\nFrame Time: 0.01\n";
  for (int f = 0; f < kFrames; ++f) {
    for (int i = 0; i < 3 * kJoints; ++i) text += QByteArray::number(20 * std::sin(0.03 * f + i), 'f', 3) + ' ';
    text += '\n';
  }
  write_file(folder.filePath("long.bvh"), text);
  ClipFlow f;
  const std::string before = scene_to_text(f.scene());
  answer_file_dialog(folder.filePath("long.bvh"));
  f.menu("File", "file.import");
  REQUIRE(wait_for([&] { return f.text("import_state").startsWith("Making keys…"); }));
  CHECK_FALSE(f.part<QPushButton>("import_start")->isEnabled());
  QElapsedTimer clock;
  clock.start();
  f.press("import_cancel");
  CHECK(clock.elapsed() < 1000);
  CHECK(scene_to_text(f.scene()) == before);
}

}  // namespace flow_clip_test
