// Forces as a person has them, in the real window by mouse: on an object, on nodes; the tip of the arrow is dragged, keyed and seen while it plays.
#include "core/geometry/truss/strung.h"
#include "core/scene/derived/tracks.h"
#include "render/force_arrows.h"
#include "tests/ui/flow_support.h"
#include "ui/model/force_commands.h"
#include "ui/model/keying.h"
#include "ui/model/last_operation.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/modes/element_selection.h"

namespace flow_force_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct ForceFlow : Flow {
  UiContext& context() { return window.context(); }
  const Force& force() { return *scene().forces.back(); }
  std::string undo_text() { return document().undo_stack()->undoText().toStdString(); }
  ForceArrow arrow() {
    const auto at = force_arrow(context().keying.shown(), *find_force(context().keying.shown(), force().id),
                                view().displayed_frame().get(), document().meshes());
    REQUIRE(at);
    return *at;
  }
  const Track* track() { return find_track(scene(), force().id.value, "push"); }

  void stage() {
    Scene made = make_new_scene();
    Object box = make_object(next_id(made).value, "Box", {PrimitiveShape::box, Vec3(0.5, 0.5, 0.5), {1, 1, 1}},
                             Vec3(0, 0.25, 0));
    box.body.mass = 2;
    made.objects.push_back(box);
    Object soft = make_object(next_id(made).value, "Jelly", {PrimitiveShape::sphere, Vec3(0.6, 0.6, 0.6), {16, 8, 1}},
                              Vec3(1.5, 0.5, 0), BodyKind::flexible);
    soft.analysis.size = Vec3(0.6, 0.6, 0.6);
    soft.analysis.strung = std::make_shared<const StrungTruss>(to_strung(make_truss(truss_recipe(soft.analysis))));
    soft.analysis.kind = AnalysisKind::strung;
    made.objects.push_back(soft);
    made.settings.last_frame = 30;
    Flow::Window::open(made);
    ViewCamera camera;
    camera.target = {0.4f, 0.8f, 0};
    camera.distance = 6;
    camera.yaw = 0.2f;
    camera.pitch = 0.15f;
    view().camera() = camera;
    view().setFocus();
    QTest::qWait(5);
    key(Qt::Key_W);  // no handles in the way of clicks
  }
};

}  // namespace

TEST_CASE("Flow: a force is added, its tip dragged, keyed, and it pushes", "[ui][flow][forces]") {
  ForceFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  CHECK_FALSE(f.action("object.force")->isEnabled());
  f.click(f.pixel(Vec3(-0.1, 0.3, 0.25)));
  f.menu("Object", "object.force");
  REQUIRE(f.scene().forces.size() == 1);
  CHECK(f.undo_text() == "Add Force on Box");
  CHECK(f.force().object == id_of(f.scene(), "Box").value);
  // As hard as it weighs: an arrow of 1 m.
  CHECK((f.force().push + 2 * f.scene().settings.gravity).norm() < 1e-9);
  CHECK((f.arrow().tip - Vec3(0, 1.25, 0)).norm() < 1e-6);
  CHECK(f.selection().ids() == std::set<Id>{f.force().id});
  f.shot("force");
  // By its tip: to the side and up.
  const Vec3 tip = f.arrow().tip;
  f.drag(&f.view(), f.pixel(tip), f.pixel(tip + Vec3(0.5, 0.4, 0)));
  CHECK(f.undo_text().starts_with("Move"));
  CHECK((f.pixel(f.arrow().tip) - f.pixel(tip + Vec3(0.5, 0.4, 0))).manhattanLength() < 2);
  CHECK(f.force().push.x() > 5);
  CHECK((f.arrow().from - Vec3(0, 0.25, 0)).norm() < 1e-6);
  // I keys it; at another frame a drag is another key.
  f.view().setFocus();
  f.key(Qt::Key_I);
  REQUIRE(f.track());
  CHECK(f.track()->keys.size() == 1);
  f.playback().set_frame(15);
  QTest::qWait(20);
  const ForceArrow was = f.arrow();
  const Vec3 here = was.tip;
  f.drag(&f.view(), f.pixel(here), f.pixel(here + Vec3(-1.2, -0.3, 0)));
  REQUIRE(f.track()->keys.size() == 2);
  CHECK(f.track()->keys[1].value[0] < f.track()->keys[0].value[0]);
  // By then what it pushes has gone elsewhere.
  const Vec3 pulled = was.from + f.arrow().tip - f.arrow().from;
  CHECK((f.pixel(pulled) - f.pixel(here + Vec3(-1.2, -0.3, 0))).manhattanLength() < 3);
  f.shot("force_keyed");
  back_and_forth(f, start);
  // It pushes: with more than its weight up it leaves the floor.
  f.playback().set_frame(0);
  REQUIRE(complete(f.playback()));
  const FramePtr frame = f.playback().cache().frame(10);
  REQUIRE(frame);
  CHECK(frame->find(id_of(f.scene(), "Box"))->position.x() > 0.02f);
  // The symbol is clicked; deleted with its body, which comes back with it.
  f.key(Qt::Key_A, Qt::AltModifier);
  f.playback().set_frame(0);
  QTest::qWait(20);
  f.click(f.pixel(0.5 * (f.arrow().from + f.arrow().tip)));
  CHECK(f.selection().active() == f.force().id);
  f.click(f.pixel(Vec3(-0.15, 0.1, 0.25)));
  f.key(Qt::Key_X);
  CHECK(f.scene().forces.empty());
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.scene().forces.size() == 1);
}

TEST_CASE("Flow: selected nodes are pushed, and a copy of what is pushed is pushed", "[ui][flow][forces]") {
  ForceFlow f;
  f.stage();
  const Id jelly = id_of(f.scene(), "Jelly");
  f.click(f.pixel(Vec3(1.5, 0.5, 0.2)));
  REQUIRE(f.selection().active() == jelly);
  f.key(Qt::Key_Tab);
  REQUIRE(f.context().elements.mode());
  REQUIRE(f.context().elements.in("truss"));
  f.key(Qt::Key_A);
  f.menu("Object", "object.force");
  REQUIRE(f.scene().forces.size() == 1);
  CHECK(f.force().object == jelly.value);
  CHECK(f.force().nodes.size() > 3);
  CHECK_FALSE(f.context().elements.mode());
  CHECK(f.arrow().nodes.size() == f.force().nodes.size());
  f.shot("force_nodes");
  f.click(f.pixel(Vec3(1.5, 0.4, 0.2)));
  f.key(Qt::Key_D, Qt::ShiftModifier);
  f.key(Qt::Key_Escape);
  REQUIRE(f.scene().forces.size() == 2);
  CHECK(f.force().object == id_of(f.scene(), "Jelly 2").value);
}

}  // namespace flow_force_test
