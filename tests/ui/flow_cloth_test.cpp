// A cloth, in the real window: added from the menu it falls on a box and drapes; a plane becomes one under Analysis.
#include "tests/ui/flow_support.h"
#include "ui/widgets/segments.h"

namespace flow_cloth_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("Flow: a cloth is added, falls on a ball and drapes; a plane becomes one by a click", "[ui][flow][cloth]") {
  Flow f;
  const std::string empty = scene_to_text(f.scene());
  f.menu("Add", "add.sphere");
  const Id ball = f.last().id;
  Scene scene = f.scene();
  for (auto& object : scene.objects)
    if (object->id == ball)
      object = object.edited([](Object& o) {
        o.body.kind = BodyKind::fixed;
        o.transform.position = Vec3(0, 0.4, 0);
      });
  REQUIRE(f.document().edit("Hold the ball", std::move(scene)).ok());
  f.menu("Add", "add.cloth");
  const Id cloth = f.last().id;
  const auto now = [&]() -> const Object& { return *find_object(f.scene(), cloth); };
  CHECK(now().analysis.kind == AnalysisKind::cloth);
  CHECK(now().body.solver == "springs");
  CHECK(now().contact.self_collision);
  REQUIRE(f.selection().active() == cloth);
  f.playback().set_frame(60);
  REQUIRE(wait_for([&] { return f.playback().cache().frame(60) != nullptr; }));
  QTest::qWait(100);
  f.shot("cloth");

  f.menu("Add", "add.plane");
  const Id plane = f.last().id;
  REQUIRE(f.selection().active() == plane);
  const int steps = f.document().undo_stack()->index();
  QTest::mouseClick(f.sight(f.analysis().kinds()->button(static_cast<int>(AnalysisKind::cloth))), Qt::LeftButton);
  const Object& made = *find_object(f.scene(), plane);
  CHECK(made.analysis.kind == AnalysisKind::cloth);
  CHECK(made.body.kind == BodyKind::flexible);
  CHECK(made.display.primitive.divisions[0] >= made.analysis.divisions[0]);
  CHECK(f.document().undo_stack()->index() == steps + 1);
  f.sight(f.analysis().kinds());
  f.shot("cloth-panel", f->findChild<QDockWidget*>("analysis"));
  while (f.document().undo_stack()->canUndo()) f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == empty);
}

}  // namespace flow_cloth_test
