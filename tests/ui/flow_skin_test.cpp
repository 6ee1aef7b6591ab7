// Skins by mouse: one of a file comes in whole and bends with led bones; a tube is bound to three boxes that fall, is moved with
// them, let go, and all is undone.
#include <cmath>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>

#include "core/scene/derived/skinning.h"
#include "core/scene/file/scene_io.h"
#include "tests/support/small_scenes.h"
#include "tests/ui/import_support.h"

namespace flow_skin_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct SkinFlow : ImportFlow {
  FramePtr frame_at(int number) {
    FramePtr frame;
    REQUIRE(wait_for([&] { return (frame = playback().cache().frame(number)) != nullptr; }));
    return frame;
  }
  QLabel* line() { return window.findChild<QLabel*>("family_line_text"); }
  QPushButton* line_button() { return window.findChild<QPushButton*>("family_line_button"); }
};

/// How far the vertices of an object are between two frames, at most.
double moved(const ObjectFrame& a, const ObjectFrame& b) {
  REQUIRE(a.vertices.size() == b.vertices.size());
  float most = 0;
  for (std::size_t v = 0; v < a.vertices.size(); ++v) most = std::max(most, (a.vertices[v] - b.vertices[v]).norm());
  return static_cast<double>(most);
}

Scene boxes_and_tube() {
  Scene scene;
  scene.name = "Tube";
  scene.settings.last_frame = 30;
  scene.objects = {floor_object(1)};
  for (std::uint64_t k = 0; k < 3; ++k)
    scene.objects.push_back(
        Shared<Object>(box(k + 2, "Box " + std::to_string(k + 1), Vec3(0.9 * static_cast<double>(k) - 0.9, 1.2, 0))));
  Object tube = make_object(5, "Tube", {PrimitiveShape::capsule, Vec3(1.3, 3.4, 1.3), {24, 10, 16}}, Vec3(0, 1.2, 0),
                            BodyKind::fixed);
  tube.transform.rotation = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitZ()));
  scene.objects.push_back(Shared<Object>(std::move(tube)));
  scene.lights = {make_light(10, "Sun")};
  return scene;
}

}  // namespace

TEST_CASE("Flow: the skin of a file comes in whole, bends with its bones, and is found again",
          "[ui][flow][import][skins]") {
  SkinFlow f;
  const std::string before = scene_to_text(f.scene());
  f.import_by_menu(HAZUMI_SOURCE_DIR "/tests/import/clips/bending.glb");
  auto* skin = f.part<QComboBox>("import_skin");
  REQUIRE(skin->isVisible());
  CHECK(skin->currentIndex() == 0);
  CHECK(f.text("import_clip_effect").contains("A skin bends with them."));
  f.shot("import-skin", f.dialog());
  skin->setFocus();
  QTest::keyClick(skin, Qt::Key_Down);
  f.settle();
  CHECK_FALSE(f.text("import_clip_effect").contains("bends"));
  QTest::keyClick(skin, Qt::Key_Up);
  f.settle();
  f.press("import_start");
  const Object& body = f.object("body");
  REQUIRE(is_skin(body));
  CHECK(body.visible);
  CHECK(carriers_of(f.scene(), body).size() == 3);
  for (const Id id : carriers_of(f.scene(), body)) CHECK_FALSE(find_object(f.scene(), id)->visible);
  CHECK(f.object("hat").visible);
  CHECK(f.object("hat").contact.ignores == "bending");  // it sits on a bone
  const FramePtr first = f.frame_at(0), later = f.frame_at(20);
  REQUIRE(later->find(body.id)->deformed);
  CHECK(moved(*first->find(body.id), *later->find(body.id)) > 0.1);
  f.key(Qt::Key_Home);
  f.playback().set_frame(20);
  QTest::qWait(100);
  f.shot("imported-skin");
  const std::string after = scene_to_text(f.scene());
  f.menu("Edit", "edit.undo");
  CHECK(scene_to_text(f.scene()) == before);
  f.menu("Edit", "edit.redo");
  CHECK(scene_to_text(f.scene()) == after);
  QTemporaryDir folder;
  answer_file_dialog(folder.filePath("bending.json"));
  f.menu("File", "file.save_as");
  REQUIRE(wait_for([&] { return QFile::exists(folder.filePath("bending.json")); }));
  f.open(folder.filePath("bending.json"));
  REQUIRE(is_skin(f.object("body")));
  REQUIRE(f.object("body").display.mesh.mesh);
  CHECK(same_bits(*f.frame_at(20)->find(f.object("body").id), *later->find(f.object("body").id)));
}

TEST_CASE("Flow: a tube is bound to boxes that fall, moved with them and released", "[ui][flow][skins]") {
  SkinFlow f;
  QTemporaryDir folder;
  const QString file = folder.filePath("tube.json");
  REQUIRE(save_scene(boxes_and_tube(), file.toStdString()).ok());
  f.open(file);
  // Without what it shall bend with the menu says what is missing.
  f.selection().set({f.object("Tube").id});
  CHECK_FALSE(f.window.context().actions["object.bind_skin"]->isEnabled());
  f.selection().set({f.object("Box 1").id, f.object("Box 2").id, f.object("Box 3").id, f.object("Tube").id});
  f.submenu("Object", "object.bind_skin");
  CHECK(f.document().undo_stack()->undoText() == "Bind Tube to 3 Objects");
  REQUIRE(is_skin(f.object("Tube")));
  f.selection().set({f.object("Tube").id});
  CHECK(f.line()->text() == "Bends with 3 objects");
  CHECK(f.line_button()->text() == "Release");
  const Id tube = f.object("Tube").id;
  const FramePtr first = f.frame_at(0), later = f.frame_at(30);
  CHECK(moved(*first->find(tube), *later->find(tube)) > 0.2);
  f.playback().set_frame(30);
  QTest::qWait(100);
  f.shot("skin-bound");
  // Its bones are edited as those of what nodes move.
  f.playback().set_frame(0);
  CHECK(f.window.context().elements.enter(*find_mode("bones")).isEmpty());
  QTest::qWait(50);
  f.shot("skin-bones");
  CHECK(f.window.context().elements.elements().empty());
  f.key(Qt::Key_Tab);
  QTest::qWait(20);
  CHECK(f.window.context().elements.mode() == nullptr);
  // G on the skin moves what it goes with, once.
  f.move_to(f.pixel(Vec3(0, 1.2, 0.6)));
  f.key(Qt::Key_G);
  f.key(Qt::Key_Y);
  f.key(Qt::Key_2);
  f.key(Qt::Key_Return);
  CHECK(f.object("Box 1").transform.position.y() == Approx(3.2));
  CHECK(f.object("Tube").transform.position.y() == Approx(1.2));
  const FramePtr raised = f.frame_at(0);
  REQUIRE(wait_for([&] {
    const FramePtr now = f.playback().cache().frame(0);
    return now && std::abs(now->find(tube)->vertices[0].y() - first->find(tube)->vertices[0].y() - 2) < 1e-4f;
  }));
  f.click_in(f.line_button(), f.line_button()->rect().center());
  CHECK(f.document().undo_stack()->undoText() == "Release Tube");
  CHECK_FALSE(is_skin(f.object("Tube")));
  f.menu("Edit", "edit.undo");
  CHECK(is_skin(f.object("Tube")));
  f.menu("Edit", "edit.undo");
  f.menu("Edit", "edit.undo");
  CHECK_FALSE(f.document().undo_stack()->canUndo());
  CHECK_FALSE(is_skin(f.object("Tube")));
}

}  // namespace flow_skin_test
