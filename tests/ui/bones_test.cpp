// Bones mode by mouse and keys.
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QToolButton>

#include "tests/ui/flow_support.h"
#include "ui/modes/bone_commands.h"
#include "ui/modes/mode_bar.h"
#include "ui/panels/bone_section.h"

namespace bones_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Bone make_bone(std::uint32_t id, std::uint32_t parent, const Vec3& head, const Vec3& tail) {
  Bone bone;
  bone.id = id;
  bone.parent = parent;
  bone.name = "Bone " + std::to_string(id);
  bone.head = head;
  bone.tail = tail;
  return bone;
}

/// A chain of three bones along x, and a fourth that begins apart.
std::vector<Bone> chain() {
  return {make_bone(1, 0, Vec3(0, 0, 0), Vec3(1, 0, 0)), make_bone(2, 1, Vec3(1, 0, 0), Vec3(2, 0, 0)),
          make_bone(3, 2, Vec3(2, 0, 0), Vec3(3, 0, 0)), make_bone(4, 1, Vec3(1, 1, 0), Vec3(2, 1, 0))};
}

struct BoneFlow : Flow {
  Id id;
  BoneFlow() {
    Scene made = make_new_scene();
    id = next_id(made);
    Object arm = make_object(id.value, "Arm", {PrimitiveShape::box, Vec3(3, 0.6, 0.6), {12, 3, 3}}, Vec3(0, 1.2, 0),
                             BodyKind::flexible);
    arm.analysis = fitting_analysis(arm, document().meshes());
    made.objects.push_back(arm);
    Window::open(made);
    selection().select_only(id);
    view().camera() = ViewCamera{};
    view().camera().target = {0, 1.2f, 0};
    view().camera().yaw = view().camera().pitch = 0;
    view().camera().distance = 6;
  }
  ElementSelection& elements() { return window.context().elements; }
  const Object& arm() { return *find_object(scene(), id); }
  const std::vector<Bone>& bones() { return arm().mapping.bones; }
  int steps() { return document().undo_stack()->index(); }
  QPointF at(const Vec3& local) { return pixel(ObjectSpace(arm()).world(local)); }
};

}  // namespace

TEST_CASE("Bones: what hangs on a bone and what meets at its joints goes along", "[ui][bones]") {
  std::vector<Bone> bones = chain();
  CHECK(with_children(bones, 2) == std::vector<std::uint32_t>{2, 3});
  CHECK(with_children(bones, 1).size() == 4);
  const auto moved = [&](Elements elements) { return moved_ends(bones, elements); };
  // The tail of 1 and the head of 2 are one joint; 4 begins apart.
  CHECK(moved({{bone_element::tail, 1}}) == std::vector<BoneEnd>{{0, true}, {1, false}});
  CHECK(moved({{bone_element::head, 2}}) == std::vector<BoneEnd>{{0, true}, {1, false}});
  // A bone takes its children, and its own joint with the parent.
  CHECK(moved({{bone_element::bone, 2}}) ==
        std::vector<BoneEnd>{{0, true}, {1, false}, {1, true}, {2, false}, {2, true}});
  CHECK(moved({{bone_element::bone, 4}}) == std::vector<BoneEnd>{{3, false}, {3, true}});
  CHECK(moved({{bone_element::bone, 9}}).empty());
}

TEST_CASE("Bones: a skeleton is given, moved, extruded, named, parented, deleted and painted; one step each",
          "[ui][bones]") {
  BoneFlow f;
  const std::string start = scene_to_text(f.scene());
  QToolButton* button = f.view().mode_bar()->button(find_mode("bones"));
  REQUIRE(button);
  QTest::mouseClick(button, Qt::LeftButton);
  auto* menu = f.view().mode_bar()->findChild<QMenu*>("mode_remedy");
  REQUIRE(menu);
  REQUIRE(wait_for([&] { return menu->isVisible(); }, 2000));
  Flow::click_in(menu, menu->actionGeometry(menu->actions().back()).center());
  REQUIRE(wait_for([&] { return f.arm().mapping.kind == MappingKind::skeleton; }, 2000));
  REQUIRE(f.bones().size() == 3);
  REQUIRE(f.elements().in("bones"));
  f.view().setFocus();

  // A joint by click, moved by keys: the child's head follows.
  const std::uint32_t first = f.bones()[0].id, second = f.bones()[1].id;
  const Vec3 joint = f.bones()[0].tail;
  f.click(f.at(joint));
  REQUIRE(f.elements().elements() == Elements{{bone_element::tail, first}});
  for (Qt::Key key : {Qt::Key_G, Qt::Key_Y, Qt::Key_Period, Qt::Key_2, Qt::Key_Return}) f.key(key);
  CHECK(f.bones()[0].tail.isApprox(joint + Vec3(0, 0.2, 0), 1e-12));
  CHECK(f.bones()[1].head == f.bones()[0].tail);
  CHECK(f.steps() == 2);

  // The middle of the second bone is the bone itself; the panel names it.
  f.click(f.at(0.5 * (f.bones()[1].head + f.bones()[1].tail)));
  REQUIRE(f.elements().elements() == Elements{{bone_element::bone, second}});
  BoneSection& section = *f.mapping().skeleton();
  f.sight(section.name());
  section.name()->setFocus();
  section.name()->selectAll();
  QTest::keyClicks(section.name(), "Elbow");
  QTest::keyClick(section.name(), Qt::Key_Return);
  CHECK(f.bones()[1].name == "Elbow");
  f.sight(section.list());
  f.shot("mapping-bones", f->findChild<QDockWidget*>("mapping"));
  CHECK(f.steps() == 3);

  // E and a number: one step for the new bone and where it ends.
  f.view().setFocus();
  f.elements().select_only({bone_element::tail, f.bones()[2].id});
  const Vec3 tip = f.bones()[2].tail;
  f.move_to(f.at(tip));
  for (Qt::Key key : {Qt::Key_E, Qt::Key_Y, Qt::Key_1, Qt::Key_Return}) f.key(key);
  REQUIRE(f.bones().size() == 4);
  CHECK(f.bones()[3].head == tip);
  CHECK(f.bones()[3].parent == f.bones()[2].id);
  CHECK(f.bones()[3].tail.y() == Approx(tip.y() + 0.5 * (f.bones()[2].tail - f.bones()[2].head).y() + 1));
  CHECK(f.steps() == 4);

  // Parent by the panel; a bone that hangs on this one is not offered.
  CHECK(section.parent_bone()->findText("Elbow") >= 0);
  f.elements().select_only({bone_element::bone, second});
  CHECK(section.parent_bone()->findData(f.bones()[3].id) < 0);
  // Ctrl+P refuses a loop with a sentence.
  QString said;
  QObject::connect(&f.document(), &DocumentController::refused, &f.view(), [&](const QString& text) { said = text; });
  f.elements().set({{bone_element::bone, second}, {bone_element::bone, f.bones()[3].id}},
                   {bone_element::bone, f.bones()[3].id});
  f.view().setFocus();
  f.key(Qt::Key_P, Qt::ControlModifier);
  CHECK(said.contains("free it first"));
  CHECK(f.steps() == 4);

  // Weights of the first bone, painted on the front.
  f.elements().select_only({bone_element::bone, first});
  f.view().setFocus();
  f.key(Qt::Key_B);
  CHECK(f.view().mode_tool() == "bones.weights");
  f.drag(&f.view(), f.at(Vec3(1.0, 0, 0.3)), f.at(Vec3(1.2, 0, 0.3)));
  CHECK(f.steps() == 5);
  CHECK_FALSE(f.arm().mapping.painted.empty());
  for (const PaintedWeight& w : f.arm().mapping.painted) CHECK(w.bone == first);
  f.move_to(f.at(Vec3(0.9, 0.1, 0.3)));
  f.sight(section.brush_target());
  f.shot("bones-weights");
  f.key(Qt::Key_Escape);

  f.elements().select_only({bone_element::bone, first});
  f.key(Qt::Key_X);
  CHECK(f.bones().size() == 3);
  CHECK(f.arm().mapping.painted.empty());
  const std::string end = scene_to_text(f.scene());
  const int edits = f.steps();
  while (f.steps() > 0) f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == start);
  while (f.steps() < edits) f.document().undo_stack()->redo();
  CHECK(scene_to_text(f.scene()) == end);
}

}  // namespace bones_test
