// Fields of force as a person has them, in the real window by mouse: from the Add menu, moved, turned and keyed, their numbers in Properties.
#include "core/scene/derived/felt.h"
#include "core/scene/derived/tracks.h"
#include "tests/ui/flow_support.h"
#include "ui/model/keying.h"
#include "ui/model/last_operation.h"
#include "ui/model/playback_controller.h"
#include "ui/model/problem.h"
#include "ui/model/selection.h"

namespace flow_field_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct FieldFlow : Flow {
  UiContext& context() { return window.context(); }
  const ForceField& field() { return *scene().fields.back(); }
  std::string undo_text() { return document().undo_stack()->undoText().toStdString(); }

  void stage() {
    Scene made = make_new_scene();
    Object box = make_object(next_id(made).value, "Box", {PrimitiveShape::box, Vec3(0.5, 0.5, 0.5), {1, 1, 1}},
                             Vec3(0, 0.26, 0));
    box.body.mass = 0.3;
    box.material.substance.friction = 0;
    made.objects.push_back(box);
    made.settings.last_frame = 30;
    Flow::Window::open(made);
    ViewCamera camera;
    camera.target = {0.3f, 0.8f, 0};
    camera.distance = 7;
    camera.yaw = 0.2f;
    camera.pitch = 0.2f;
    view().camera() = camera;
    view().setFocus();
    QTest::qWait(5);
    key(Qt::Key_W);  // no handles in the way of clicks
  }
};

}  // namespace

TEST_CASE("Flow: a wind is added, clicked, moved, keyed, and blows", "[ui][flow][fields]") {
  FieldFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  f.submenu("Add", "add.field_wind");
  REQUIRE(f.scene().fields.size() == 1);
  CHECK(f.undo_text() == "Add Wind");
  CHECK(f.field().kind == FieldKind::wind);
  CHECK((f.field().rotation * Vec3::UnitY() - Vec3::UnitX()).norm() < 1e-12);
  CHECK(f.selection().ids() == std::set<Id>{f.field().id});
  QTest::qWait(30);
  f.shot("field_wind");
  // Its symbol is clicked.
  f.key(Qt::Key_A, Qt::AltModifier);
  CHECK(f.selection().empty());
  f.click(f.pixel(f.field().position));
  CHECK(f.selection().active() == f.field().id);
  // G moves it, and the mouse says where.
  const Vec3 before = f.field().position;
  f.key(Qt::Key_G);
  f.move_to(f.pixel(before));
  f.move_to(f.pixel(before + Vec3(0.6, 0.4, 0)));
  f.key(Qt::Key_Return);
  CHECK((f.field().position - before).norm() > 0.2);
  // I keys it; at another frame G and I are another key.
  f.key(Qt::Key_I);
  REQUIRE(find_track(f.scene(), f.field().id.value, "position"));
  REQUIRE(find_track(f.scene(), f.field().id.value, "rotation"));
  f.playback().set_frame(20);
  QTest::qWait(20);
  f.key(Qt::Key_I);
  CHECK(find_track(f.scene(), f.field().id.value, "position")->keys.size() == 2);
  // It blows the box along x.
  f.playback().set_frame(0);
  REQUIRE(complete(f.playback()));
  const FramePtr frame = f.playback().cache().frame(30);
  REQUIRE(frame);
  const float blown = frame->find(id_of(f.scene(), "Box"))->position.x();
  CHECK(blown > 0.2f);
  back_and_forth(f, start);
  // Deleted, it blows no more.
  f.key(Qt::Key_X);
  CHECK(f.scene().fields.empty());
  CHECK(f.scene().tracks.empty());
  REQUIRE(complete(f.playback()));
  CHECK(std::abs(f.playback().cache().frame(30)->find(id_of(f.scene(), "Box"))->position.x()) < 1e-3f);
}

TEST_CASE("Flow: every kind of field has a command, a symbol and its rows", "[ui][flow][fields]") {
  FieldFlow f;
  f.stage();
  const char* const kinds[] = {"wind", "drag", "vortex", "attractor", "water", "gravity", "point_gravity"};
  for (const char* kind : kinds) {
    f.submenu("Add", ("add.field_" + std::string(kind)).c_str());
    INFO(kind);
    REQUIRE_FALSE(f.scene().fields.empty());
    const Id id = f.field().id;
    CHECK(f.selection().active() == id);
    QTest::qWait(20);
    f.shot(("field_" + std::string(kind)).c_str());
  }
  CHECK(f.scene().fields.size() == std::size(kinds));
  std::set<std::string> names;
  for (const auto& field : f.scene().fields) names.insert(field->name);
  CHECK(names.size() == std::size(kinds));
  // In a box its edges are seen, and S makes it larger.
  const Id id = f.scene().fields[0]->id;
  REQUIRE(f.document()
              .edit("In a box", with_force_field(f.scene(), id, [](ForceField& wind) { wind.shape = FieldShape::box; }))
              .ok());
  f.selection().select_only(id);
  f.view().setFocus();
  f.move_to(f.pixel(f.scene().fields[0]->position + Vec3(0.8, 0.3, 0)));
  f.key(Qt::Key_S);
  f.key(Qt::Key_2);
  f.key(Qt::Key_Return);
  CHECK((find_force_field(f.scene(), id)->size - Vec3(4, 4, 4)).norm() < 1e-9);
  QTest::qWait(20);
  f.shot("field_box");
}

}  // namespace flow_field_test
