// A rope, in the real window: added from the menu it hangs and swings; between two things it hangs from one to the other; a cylinder
// becomes one under Analysis.
#include "tests/ui/flow_support.h"
#include "ui/widgets/segments.h"

namespace flow_rope_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

void show_frame(Flow& f, int frame) {
  f.playback().set_frame(frame);
  REQUIRE(wait_for([&] { return f.playback().cache().frame(frame) != nullptr; }));
  QTest::qWait(100);
}

}  // namespace

TEST_CASE("Flow: a rope is added, hangs, and is strung between two things; a cylinder becomes one by a click",
          "[ui][flow][rope]") {
  Flow f;
  const std::string empty = scene_to_text(f.scene());
  f.menu("Add", "add.rope");
  const Id rope = f.last().id;
  const auto now = [&](Id id) -> const Object& { return *find_object(f.scene(), id); };
  CHECK(now(rope).analysis.kind == AnalysisKind::rope);
  CHECK(now(rope).body.solver == "springs");
  CHECK(now(rope).contact.self_collision);
  REQUIRE(f.selection().active() == rope);
  REQUIRE(f.scene().joints.size() == 1);
  CHECK(f.scene().joints[0]->b.object == rope.value);
  CHECK(f.document().undo_stack()->index() == 1);  // the rope and its hook are one step
  CHECK(f.document().undo_stack()->undoText() == "Add Rope");
  show_frame(f, 20);
  f.shot("rope-hangs");
  const std::vector<Vec3f> nodes = f.playback().cache().frame(20)->find(rope)->nodes;
  CHECK(nodes.back().y() == Approx(2).margin(1e-4));
  CHECK(nodes.front().y() == Approx(0.5).margin(0.01));
  f.sight(f.analysis().kinds());
  f.shot("rope-panel", f->findChild<QDockWidget*>("analysis"));

  // Two boxes that stand apart.
  f.menu("Add", "add.box");
  const Id left = f.last().id;
  f.menu("Add", "add.box");
  const Id right = f.last().id;
  Scene scene = f.scene();
  for (auto& object : scene.objects)
    if (object->id == left || object->id == right)
      object = object.edited([&](Object& o) {
        o.body.kind = BodyKind::fixed;
        o.transform.position = Vec3(object->id == left ? -1.5 : 1.5, object->id == left ? 1.2 : 1.8, 0.6);
      });
  REQUIRE(f.document().edit("Put the boxes apart", std::move(scene)).ok());
  f.selection().set({left, right}, right);
  f.menu("Add", "add.rope");
  const Id between = f.last().id;
  REQUIRE(f.selection().active() == between);
  REQUIRE(f.scene().joints.size() == 3);
  CHECK(f.scene().joints[1]->a.object == left.value);
  CHECK(f.scene().joints[2]->a.object == right.value);
  REQUIRE(now(between).body.start.size() == static_cast<std::size_t>(now(between).analysis.divisions[0]) + 1);
  show_frame(f, 25);
  const auto sag = [&](int frame) {
    float least = 10;
    for (const Vec3f& x : f.playback().cache().frame(frame)->find(between)->nodes) least = std::min(least, x.y());
    return least;
  };
  // It begins as it hangs.
  CHECK(sag(25) == Approx(sag(0)).margin(0.005));
  CHECK(sag(0) < 1.3F);
  f.shot("rope-between");
  const std::string text = scene_to_text(f.scene());
  const auto back = scene_from_text(text, {});
  REQUIRE(back.ok());
  CHECK(scene_to_text(*back) == text);

  f.menu("Add", "add.cylinder");
  const Id cylinder = f.last().id;
  const int steps = f.document().undo_stack()->index();
  QTest::mouseClick(f.sight(f.analysis().kinds()->button(static_cast<int>(AnalysisKind::rope))), Qt::LeftButton);
  CHECK(now(cylinder).analysis.kind == AnalysisKind::rope);
  CHECK(now(cylinder).body.kind == BodyKind::flexible);
  CHECK(f.document().undo_stack()->index() == steps + 1);
  while (f.document().undo_stack()->canUndo()) f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == empty);
}

}  // namespace flow_rope_test
