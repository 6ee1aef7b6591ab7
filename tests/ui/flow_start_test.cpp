// Start from This Frame in the real window.
#include <QPushButton>

#include "tests/ui/flow_support.h"
#include "ui/widgets/message_bar.h"

namespace flow_start_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// A ball of clay that falls on the floor and a stone that turns as it flies.
Scene soft_scene() {
  Scene scene = ball_scene();
  Object soft = make_object(next_id(scene).value, "Soft", {PrimitiveShape::sphere, Vec3(0.6, 0.6, 0.6), {12, 8, 1}},
                            Vec3(1.5, 0.45, 0), BodyKind::flexible);
  soft.analysis.size = Vec3(0.6, 0.6, 0.6);
  soft.body.velocity = Vec3(0, -4, 0);
  soft.body.stiffness = 300;
  set_parameter(soft.body.parameters, {"lagrange", "yield", {}, 0.01});
  scene.objects.push_back(Shared<Object>(soft));
  Object stone = make_object(next_id(scene).value, "Stone", {PrimitiveShape::box, Vec3(0.2, 0.3, 0.5)}, Vec3(-2, 3, 0));
  stone.body.velocity = Vec3(1, 1, 0);
  stone.body.spin = Vec3(1, 2, 3);
  scene.objects.push_back(Shared<Object>(stone));
  scene.settings.last_frame = 40;
  return scene;
}

FramePtr frame_of(Flow& f, int frame) {
  f.session.playback.set_frame(frame);
  REQUIRE(wait_for([&] { return f.session.playback.shown() && f.session.playback.shown()->index == frame; }, 20000));
  return f.session.playback.shown();
}

double apart(const ObjectFrame& a, const ObjectFrame& b) {
  double most = (a.position - b.position).norm();
  REQUIRE(a.vertices.size() == b.vertices.size());
  for (std::size_t i = 0; i < a.vertices.size(); ++i)
    most = std::max(most, static_cast<double>((a.vertices[i] - b.vertices[i]).norm()));
  for (std::size_t i = 0; i < a.nodes.size(); ++i)
    most = std::max(most, static_cast<double>((a.nodes[i] - b.nodes[i]).norm()));
  return most;
}

}  // namespace

TEST_CASE("Flow: the frame shown becomes the start of all objects, as one undo step", "[ui][flow][start]") {
  Flow f;
  f.Window::open(soft_scene());
  f.view().setFocus();
  const std::string start = scene_to_text(f.scene());
  const Id soft = id_of(f.scene(), "Soft"), stone = id_of(f.scene(), "Stone");
  CHECK(f.action("play.start_here")->statusTip() == "This is the start; go to a later frame.");
  const FramePtr shown = frame_of(f, 5);
  // Bent on the floor: the lowest of its skin is nearer to its middle than at rest.
  float low = 1;
  for (const Vec3f& p : shown->find(soft)->vertices) low = std::min(low, p.y());
  CHECK(shown->find(soft)->position.y() - low < 0.28f);
  REQUIRE(wait_for([&] { return f.action("play.start_here")->isEnabled(); }, 2000));
  f.menu("Playback", "play.start_here");
  REQUIRE(wait_for([&] { return f.document().undo_stack()->count() == 1; }, 10000));
  CHECK(f.document().undo_stack()->text(0) == "Start from Frame 5");
  CHECK(f.session.playback.frame() == 0);
  CHECK(f.window.messages()->text().isEmpty());
  const Object& bent = f.object("Soft");
  CHECK(bent.body.start.size() == shown->find(soft)->nodes.size());
  CHECK(bent.analysis.size == Vec3(0.6, 0.6, 0.6));
  CHECK((f.object("Stone").transform.position - shown->find(stone)->position.cast<double>()).norm() < 1e-5);
  CHECK((f.object("Stone").body.velocity - Vec3(1, 1 - 5 * 9.80665 / 60, 0)).norm() < 1e-9);
  CHECK(f.object("Floor").transform.position == Vec3::Zero());
  const FramePtr now = frame_of(f, 0);
  CHECK(apart(*now->find(soft), *shown->find(soft)) < 1e-5);
  CHECK(apart(*now->find(stone), *shown->find(stone)) < 1e-5);
  f.shot("start-from-frame");
  const FramePtr later = frame_of(f, 20);
  (void)back_and_forth(f, start);
  // What came before comes again.
  while (f.document().undo_stack()->canUndo()) f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == start);
  const FramePtr flown = frame_of(f, 25);
  CHECK(apart(*later->find(stone), *flown->find(stone)) < 1e-4);
}

TEST_CASE("Flow: one object starts from the frame, and straight again", "[ui][flow][start]") {
  Flow f;
  f.window.resize(1280, 720);
  f.Window::open(soft_scene());
  f.view().setFocus();
  f.selection().select_only(id_of(f.scene(), "Floor"));
  (void)frame_of(f, 5);
  CHECK(f.action("play.start_selected")->statusTip() == "Nothing that is selected moves.");
  CHECK_FALSE(f.action("object.start_unbent")->isEnabled());
  f.selection().select_only(id_of(f.scene(), "Soft"));
  const std::string stone = scene_to_text(without(f.scene(), id_of(f.scene(), "Soft")));
  f.menu("Playback", "play.start_selected");
  REQUIRE(wait_for([&] { return f.document().undo_stack()->count() == 1; }, 10000));
  CHECK(f.document().undo_stack()->text(0) == "Start Soft from Frame 5");
  CHECK(scene_to_text(without(f.scene(), id_of(f.scene(), "Soft"))) == stone);
  CHECK_FALSE(f.object("Soft").body.start.empty());
  CHECK_FALSE(f.object("Soft").body.start_springs.empty());
  f.tab("properties");
  auto* line = f.window.findChild<QWidget*>("bent_line");
  REQUIRE(line);
  CHECK(line->isVisible());
  f.shot("starts-bent");
  QTest::mouseClick(f.window.findChild<QPushButton*>("bent_line_button"), Qt::LeftButton);
  CHECK(f.object("Soft").body.start.empty());
  CHECK(f.object("Soft").body.start_springs.empty());
  CHECK_FALSE(line->isVisible());
  CHECK(f.document().undo_stack()->text(1) == "Start Soft Unbent");
  CHECK(f.action("object.start_unbent")->statusTip() == "The object starts in its rest shape.");
}

TEST_CASE("Flow: a scene that is changed while the frame is looked up stays as it was changed", "[ui][flow][start]") {
  Flow f;
  f.Window::open(soft_scene());
  (void)frame_of(f, 5);
  f.session.playback.want_start({});
  REQUIRE(f.document().edit_object("Heavier", id_of(f.scene(), "Stone"), [](Object& o) { o.body.mass = 7; }).ok());
  REQUIRE(wait_for([&] { return !f.window.messages()->text().isEmpty(); }, 10000));
  CHECK(f.window.messages()->text().contains("nothing starts anew"));
  CHECK(f.document().undo_stack()->count() == 1);
}

}  // namespace flow_start_test
