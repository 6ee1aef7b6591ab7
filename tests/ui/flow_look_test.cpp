// How pictures look, chosen by mouse in the menu View ▸ Look: undo, the file, the picture in the window.
#include "tests/ui/flow_support.h"

#include <QImage>

#include "core/scene/file/scene_io.h"
#include "tests/support/temporary_folder.h"

namespace flow_look_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Scene ball_on_floor() {
  Scene scene = make_new_scene();
  Object ball;
  ball.id = next_id(scene);
  ball.name = "Ball";
  ball.display.primitive.shape = PrimitiveShape::sphere;
  ball.transform.position = Vec3(0, 0.5, 0);
  ball.body.kind = BodyKind::fixed;
  scene.objects.push_back(ball);
  return scene;
}

}  // namespace

TEST_CASE("Look: lights, curve, corners, shadows and floor by mouse, each one step to undo, kept in the file",
          "[flow][look]") {
  Flow f;
  f.Flow::Window::open(ball_on_floor());
  const auto look = [&]() -> const SceneLook& { return f.scene().settings.look; };
  const auto text = [&] { return f.document().undo_stack()->undoText(); };
  QTest::qWait(50);
  const QImage before = f.view().grab().toImage();

  f.submenu("View", "look.evening");
  CHECK(look().light == StudioLight::evening);
  CHECK(text() == "Light as in the Evening");
  CHECK(f.action("look.evening")->isChecked());
  CHECK_FALSE(f.action("look.scene")->isChecked());
  const int steps = f.document().undo_stack()->count();
  f.submenu("View", "look.evening");  // what is on already is no step
  CHECK(f.document().undo_stack()->count() == steps);
  QTest::qWait(50);
  CHECK(f.view().grab().toImage() != before);

  f.submenu("View", "look.film");
  CHECK(look().curve == ToneCurve::filmic);
  CHECK(text() == "Filmic Curve");
  f.submenu("View", "look.occlusion");
  CHECK(look().occlusion == 0.7);
  CHECK(text() == "Darken Corners");
  f.submenu("View", "look.soft_shadows");
  CHECK(degrees(look().softness) == Approx(4).epsilon(1e-12));
  CHECK(text() == "Soft Shadows");
  f.submenu("View", "look.floor");
  CHECK(look().floor_fades);
  CHECK(text() == "Fading Floor");
  for (const char* id : {"look.film", "look.occlusion", "look.soft_shadows", "look.floor"}) {
    INFO(id);
    CHECK(f.action(id)->isChecked());
    CHECK_FALSE(f.action(id)->toolTip().isEmpty());
    CHECK_FALSE(f.action(id)->statusTip().isEmpty());
  }
  QTest::qWait(300);  // the resting picture
  if (const QByteArray shots = qgetenv("HAZUMI_SHOTS"); !shots.isEmpty())
    f.view().grab().save(QString::fromUtf8(shots) + "/look.png");

  const TemporaryFolder folder;
  const auto file = folder.path() / "look.json";
  REQUIRE(save_scene(f.scene(), file).ok());
  const auto read = load_scene(file);
  REQUIRE(read.ok());
  CHECK(read.value().settings.look.light == StudioLight::evening);
  CHECK(read.value().settings.look.curve == ToneCurve::filmic);
  CHECK(read.value().settings.look.occlusion == 0.7);
  CHECK(read.value().settings.look.floor_fades);

  for (int i = 0; i < 5; ++i) f.action("edit.undo")->trigger();
  CHECK(look().light == StudioLight::scene);
  CHECK(look().curve == ToneCurve::shoulder);
  CHECK(look().occlusion == 0);
  CHECK(look().softness == 0);
  CHECK_FALSE(look().floor_fades);
  QTest::qWait(300);
  CHECK(f.action("look.scene")->isChecked());
}

}  // namespace flow_look_test
