// Numbers of joints keyed by mouse: a rope is wound up and a hinge is opened by keys of Properties, set with the diamonds of their rows.
#include "core/scene/derived/joined.h"
#include "core/scene/derived/tracks.h"
#include "tests/ui/flow_support.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/properties_panel.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/key_button.h"

namespace flow_joint_keys_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct KeysFlow : Flow {
  Id joint;

  /// A box that hangs under the world, and the joint that it hangs on.
  void stage(JointKind kind, const Vec3& place, const std::function<void(Joint&)>& change) {
    Scene made = make_new_scene();
    Object box = make_object(0, "Load", {PrimitiveShape::box, Vec3(0.6, 0.3, 0.3), {1, 1, 1}}, Vec3(0, 1, 0));
    box.material = material_from("cyan plastic");
    box.id = next_id(made);
    made.objects.push_back(Shared<Object>(box));
    Joint one;
    one.id = joint = next_id(made);
    one.name = "Hold";
    one.kind = kind;
    one.b.object = box.id.value;
    one.a.place = place;
    change(one);
    made.joints.push_back(Shared<Joint>(one));
    made.settings.last_frame = 60;
    Flow::Window::open(made);
    ViewCamera camera;
    camera.target = {0, 1.3f, 0};
    camera.distance = 5;
    camera.yaw = 0.3f;
    camera.pitch = 0.1f;
    view().camera() = camera;
    tab("properties");
    selection().select_only(joint);
    QTest::qWait(20);
  }
  FieldWidget* field(const char* path) {
    for (FieldWidget* widget : window.findChild<PropertiesPanel*>()->findChildren<FieldWidget*>(path))
      if (widget->isVisible()) return sight(widget);
    FAIL("no such row: " << path);
    return nullptr;
  }
  /// The diamond at the start, and another number at a frame.
  void key(const char* path, int frame, const char* number) {
    playback().set_frame(0);
    QTest::qWait(20);
    click_in(field(path)->key(), QPoint(7, 9));
    playback().set_frame(frame);
    QTest::qWait(20);
    type_number(number_of(field(path)), number);
    QTest::qWait(20);
  }
  const ObjectFrame& load(int frame) {
    playback().set_frame(frame);
    REQUIRE(wait_for([&] { return playback().shown() && playback().shown()->index == frame; }, 60000));
    return *playback().shown()->find(object("Load").id);
  }
};

}  // namespace

TEST_CASE("Flow: a rope is wound up by keys of its length", "[ui][flow][joints][keys]") {
  KeysFlow f;
  f.stage(JointKind::rope, Vec3(0, 2.3, 0), [](Joint& j) {
    j.b.place = Vec3(0, 0.15, 0);
    j.measured = false;
    j.length = 1.15;
  });
  f.key("length", 40, "0.5");
  const Track* track = find_track(f.scene(), f.joint.value, "length");
  REQUIRE(track);
  REQUIRE(track->keys.size() == 2);
  CHECK(track->keys[0].value[0] == Approx(1.15));
  CHECK(track->keys[1].value[0] == Approx(0.5));
  CHECK(find_joint(f.scene(), f.joint)->length == Approx(1.15));
  REQUIRE(complete(f.playback()));
  CHECK(f.load(0).position.y() == Approx(1).margin(1e-3));
  const double top = f.load(40).position.y();
  CHECK(top == Approx(2.3 - 0.5 - 0.15).margin(0.02));
  f.shot("joint_keys_rope");
  f.shot("joint_keys_rope_panel", f.window.findChild<QDockWidget*>("properties"));
  // The key is taken back: it hangs where it hung.
  f.document().undo_stack()->undo();
  REQUIRE(complete(f.playback()));
  CHECK(f.load(40).position.y() == Approx(1).margin(1e-3));
}

TEST_CASE("Flow: keys of an axis and of a limit turn what a hinge holds", "[ui][flow][joints][keys]") {
  KeysFlow f;
  // It lies on its lower limit as gravity has it, and is lifted by that.
  f.stage(JointKind::hinge, Vec3(-0.3, 1, 0), [](Joint& j) {
    j.limited = true;
    j.least_turn = 0;
    j.most_turn = 3;
  });
  f.key("least_turn", 40, "60");
  REQUIRE(find_track(f.scene(), f.joint.value, "least_turn"));
  CHECK(find_track(f.scene(), f.joint.value, "least_turn")->keys[1].value[0] == Approx(kPi / 3));
  REQUIRE(complete(f.playback()));
  const Vec3f along = f.load(60).rotation * Vec3f(1, 0, 0);
  CHECK(std::atan2(along.y(), along.x()) == Approx(kPi / 3).margin(1e-3));
  f.shot("joint_keys_hinge");
  CHECK(f.field("turn")->key()->isVisible());
}

}  // namespace flow_joint_keys_test
