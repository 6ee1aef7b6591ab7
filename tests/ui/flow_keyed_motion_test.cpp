// G, R and S on what keys lead, in the real window: its motion goes as a whole, I makes a key of it, F9 changes that; a figure goes with
// all that is on it; and a skin is seen where its keys have it while nothing is computed yet.
#include <cmath>

#include <QCursor>
#include <QToolButton>

#include "core/scene/derived/skinning.h"
#include "core/scene/derived/tracks.h"
#include "tests/ui/import_support.h"
#include "ui/model/keying.h"
#include "ui/widgets/adjust_panel.h"

namespace flow_keyed_motion_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// A bat that swings from frame 0 to 60 and turns meanwhile, with a flag on it.
Scene swing() {
  Scene scene = make_new_scene();
  scene.settings.last_frame = 60;
  Object bat = World::box(Vec3(0.6, 0.6, 0.6), Vec3(1, 0.3, 0), 2);
  bat.id = next_id(scene);
  bat.name = "Bat";
  scene.objects.push_back(bat);
  const std::uint64_t id = bat.id.value;
  scene = with_key(std::move(scene), id, "transform.position", 0, Vec3(1, 0.3, 0));
  scene = with_key(std::move(scene), id, "transform.position", 1, Vec3(1, 2.3, 0));
  scene = with_key(std::move(scene), id, "transform.rotation", 0, Quat::Identity());
  scene = with_key(std::move(scene), id, "transform.rotation", 1, Quat(Eigen::AngleAxisd(1, Vec3::UnitX())));
  Object flag = World::box(Vec3(0.1, 0.5, 0.1), Vec3(1, 0.9, 0), 1);
  flag.id = next_id(scene);
  flag.name = "Flag";
  flag.body.kind = BodyKind::fixed;
  flag.contact.enabled = false;
  flag.parent = id;
  scene.objects.push_back(flag);
  Object ball = World::sphere(0.3, Vec3(-2, 3, 0));
  ball.id = next_id(scene);
  ball.name = "Ball";
  scene.objects.push_back(ball);
  return scene;
}

struct MotionFlow : ImportFlow {
  explicit MotionFlow(const Scene& scene = swing()) {
    Window::open(scene);
    QCursor::setPos(view().mapToGlobal(QPoint(300, 200)));
    view().setFocus();
  }
  Keying& keying() { return session.keying; }
  void select(const char* name) {
    selection().select_only(id_of(scene(), name));
    QTest::qWait(10);
  }
  void go(int frame) {
    playback().set_frame(frame);
    QTest::qWait(20);
  }
  void type(std::initializer_list<Qt::Key> keys) {
    view().setFocus();
    for (const Qt::Key each : keys) {
      key(each);
      QTest::qWait(5);
    }
  }
  Vec3 key_at(const char* name, std::size_t number) {
    const Track* track = find_track(scene(), id_of(scene(), name).value, "transform.position");
    REQUIRE(track);
    REQUIRE(track->keys.size() > number);
    const Key& found = track->keys[number];
    return Vec3(found.value[0], found.value[1], found.value[2]);
  }
  std::size_t keys(const char* name, const char* field = "transform.position") {
    const Track* track = find_track(scene(), id_of(scene(), name).value, field);
    return track ? track->keys.size() : 0;
  }
  /// Where the run has it.
  Vec3 seen(const char* name, int number) {
    FramePtr frame;
    REQUIRE(wait_for([&] { return (frame = playback().cache().frame(number)) != nullptr; }));
    const ObjectFrame* object = frame->find(id_of(scene(), name));
    REQUIRE(object);
    return object->position.cast<double>();
  }
  QString undo_text() { return document().undo_stack()->undoText(); }
};

}  // namespace

TEST_CASE("Flow: G on a keyed thing moves its whole motion, with what it carries; I sets a key, F9 chooses",
          "[ui][flow][keys][motion]") {
  MotionFlow f;
  REQUIRE(complete(f.playback()));
  const Vec3 carried = f.seen("Flag", 60);
  const std::string before = scene_to_text(f.scene());
  f.select("Bat");
  f.go(30);
  f.type({Qt::Key_G});
  f.move_to(QPointF(420, 260));
  CHECK(f.view().hint().startsWith("All its keys go along · I: a key at frame 30 instead"));
  f.shot("motion-whole");
  f.type({Qt::Key_Z, Qt::Key_2, Qt::Key_Return});
  CHECK(f.undo_text() == "Move Bat with All Its Keys");
  CHECK(f.key_at("Bat", 0) == Vec3(1, 0.3, 2));
  CHECK(f.key_at("Bat", 1) == Vec3(1, 2.3, 2));
  CHECK(f.keys("Bat") == 2);
  CHECK(f.keys("Bat", "transform.rotation") == 2);
  CHECK(f.object("Bat").transform.position == Vec3(1, 0.3, 2));
  REQUIRE(complete(f.playback()));
  for (const int frame : {0, 1, 30, 60}) CHECK(f.seen("Bat", frame).z() == Approx(2).margin(1e-6));
  CHECK((f.seen("Flag", 60) - carried - Vec3(0, 0, 2)).norm() < 1e-5);
  // F9: a key at the frame at which it was moved, and back.
  f.key(Qt::Key_F9);
  AdjustPanel& panel = *f.window.adjust_panel();
  FieldWidget* choice = panel.field("keys");
  REQUIRE(choice);
  const int steps = f.document().undo_stack()->count();
  emit choice->edited(std::int64_t{1}, -1, false);
  CHECK(f.undo_text() == "Move Bat at Frame 30");
  CHECK(f.document().undo_stack()->count() == steps);
  REQUIRE(f.keys("Bat") == 3);
  CHECK(f.key_at("Bat", 1).isApprox(Vec3(1, 1.3, 2)));
  CHECK(f.key_at("Bat", 0) == Vec3(1, 0.3, 0));
  f.shot("motion-adjust");
  emit choice->edited(std::int64_t{0}, -1, false);
  CHECK(f.undo_text() == "Move Bat with All Its Keys");
  CHECK(f.keys("Bat") == 2);
  f.view().setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(scene_to_text(f.scene()) == before);
  // I within the gesture, there and back and there again.
  f.type({Qt::Key_G, Qt::Key_X, Qt::Key_1, Qt::Key_I});
  CHECK(f.view().hint().startsWith("A key at frame 30 · I: all keys instead"));
  CHECK(f.keys("Bat") == 3);
  f.type({Qt::Key_I});
  CHECK(f.keys("Bat") == 2);
  CHECK(f.key_at("Bat", 1).x() == 2);
  f.type({Qt::Key_I, Qt::Key_Return});
  CHECK(f.undo_text() == "Move Bat at Frame 30");
  CHECK(f.document().undo_stack()->count() == steps);
  CHECK(f.key_at("Bat", 1).isApprox(Vec3(2, 1.3, 0)));
  CHECK(f.keys("Bat", "transform.rotation") == 2);  // it was not turned
  // Esc leaves nothing of it.
  f.key(Qt::Key_Z, Qt::ControlModifier);
  f.type({Qt::Key_G, Qt::Key_X, Qt::Key_1, Qt::Key_I, Qt::Key_Escape});
  CHECK(scene_to_text(f.scene()) == before);
  CHECK(f.document().undo_stack()->index() == 0);
}

TEST_CASE("Flow: R and S turn and stretch the whole motion about the pivot", "[ui][flow][keys][motion]") {
  MotionFlow f;
  f.select("Bat");
  f.go(60);
  f.type({Qt::Key_R, Qt::Key_Z, Qt::Key_9, Qt::Key_0, Qt::Key_Return});
  CHECK(f.undo_text() == "Rotate Bat with All Its Keys");
  // About where it is at frame 60: what came from below comes from the right.
  CHECK((f.key_at("Bat", 1) - Vec3(1, 2.3, 0)).norm() < 1e-9);
  CHECK((f.key_at("Bat", 0) - Vec3(3, 2.3, 0)).norm() < 1e-9);
  const Track* turn = find_track(f.scene(), id_of(f.scene(), "Bat").value, "transform.rotation");
  REQUIRE(turn->keys.size() == 2);
  const auto& q = turn->keys[0].value;
  CHECK(Eigen::AngleAxisd(Quat(q[0], q[1], q[2], q[3])).angle() == Approx(kPi / 2));
  f.key(Qt::Key_Z, Qt::ControlModifier);
  f.type({Qt::Key_S, Qt::Key_2, Qt::Key_Return});
  CHECK(f.undo_text() == "Scale Bat with All Its Keys");
  CHECK((f.key_at("Bat", 0) - Vec3(1, -1.7, 0)).norm() < 1e-9);
  CHECK(f.object("Bat").transform.scale == Vec3(2, 2, 2));
  // A camera's way, with what it looks at.
  f.key(Qt::Key_Z, Qt::ControlModifier);
  const Id camera = f.scene().cameras.front()->id;
  Scene next = with_key(f.scene(), camera.value, "position", 0, Vec3(4, 3, 6));
  next = with_key(std::move(next), camera.value, "position", 1, Vec3(0, 3, 6));
  next = with_key(std::move(next), camera.value, "target", 0, Vec3(0, 1, 0));
  f.Window::open(next);
  f.selection().select_only(camera);
  f.go(30);
  f.type({Qt::Key_G, Qt::Key_Y, Qt::Key_1, Qt::Key_Return});
  const auto key_of = [&](const char* field, std::size_t k) {
    const auto& v = find_track(f.scene(), camera.value, field)->keys[k].value;
    return Vec3(v[0], v[1], v[2]);
  };
  CHECK(key_of("position", 0) == Vec3(4, 4, 6));
  CHECK(key_of("position", 1) == Vec3(0, 4, 6));
  CHECK(key_of("target", 0) == Vec3(0, 2, 0));
}

TEST_CASE("Flow: with auto-key G sets a key where it is seen, and F9 can still move all", "[ui][flow][keys][motion]") {
  MotionFlow f;
  f.action("key.automatic")->trigger();
  f.select("Bat");
  f.go(30);
  f.type({Qt::Key_G, Qt::Key_X, Qt::Key_1, Qt::Key_Return});
  CHECK(f.undo_text() == "Move Bat at Frame 30");
  REQUIRE(f.keys("Bat") == 3);
  CHECK(f.key_at("Bat", 1).isApprox(Vec3(2, 1.3, 0)));
  f.key(Qt::Key_F9);
  FieldWidget* choice = f.window.adjust_panel()->field("keys");
  REQUIRE(choice);
  emit choice->edited(std::int64_t{0}, -1, false);
  CHECK(f.keys("Bat") == 2);
  CHECK(f.key_at("Bat", 0).x() == 2);
  // What has no keys has no such choice, and gets a key by I all the same.
  f.action("key.automatic")->trigger();
  f.select("Ball");
  REQUIRE(complete(f.playback()));
  const Vec3 fallen = f.seen("Ball", 30);
  f.type({Qt::Key_G, Qt::Key_X, Qt::Key_1, Qt::Key_I, Qt::Key_Return});
  REQUIRE(f.keys("Ball") == 1);
  CHECK((f.key_at("Ball", 0) - fallen - Vec3(1, 0, 0)).norm() < 1e-6);
  CHECK(f.object("Ball").transform.position == Vec3(-2, 3, 0));
  f.key(Qt::Key_F9);
  CHECK(f.window.adjust_panel()->field("keys") == nullptr);
}

TEST_CASE("Flow: with auto-key, what is carried is moved on its carrier, which it does not leave",
          "[ui][flow][keys][motion]") {
  MotionFlow f;
  REQUIRE(complete(f.playback()));
  const Vec3 carried = f.seen("Flag", 60);
  f.action("key.automatic")->trigger();
  f.select("Flag");
  f.go(30);
  f.type({Qt::Key_G, Qt::Key_X, Qt::Key_1});
  CHECK(f.view().hint().startsWith("The start pose"));
  f.type({Qt::Key_Return});
  CHECK(f.undo_text() == "Move Flag");
  CHECK(f.keys("Flag") == 0);
  CHECK(f.object("Flag").transform.position == Vec3(2, 0.9, 0));
  REQUIRE(complete(f.playback()));
  CHECK((f.seen("Flag", 60) - carried).norm() == Approx(1).margin(1e-5));
  CHECK(f.seen("Flag", 60).y() > 2);
}

TEST_CASE("Flow: I on what is carried says who carries it, and keys nothing", "[ui][flow][keys][motion]") {
  MotionFlow f;
  REQUIRE(complete(f.playback()));
  f.select("Flag");
  f.go(30);
  QString told;
  QObject::connect(&f.document(), &DocumentController::refused, &f.window, [&](const QString& why) { told = why; });
  f.type({Qt::Key_I});
  CHECK(f.keys("Flag") == 0);
  CHECK(f.document().undo_stack()->count() == 0);
  INFO(told.toStdString());
  CHECK(told.contains("Flag goes with Bat, which carries it"));
  // Freed, it has keys of its own.
  f.submenu("Object", "object.clear_parent");
  f.type({Qt::Key_I});
  CHECK(f.keys("Flag") == 1);
}

TEST_CASE("Flow: G on a figure moves all of it, hat and all, and its skin is seen with it at once",
          "[ui][flow][keys][motion][skins]") {
  MotionFlow f;
  f.import_by_menu(HAZUMI_SOURCE_DIR "/tests/import/clips/bending.glb");
  f.press("import_start");
  f.window.activateWindow();
  REQUIRE(wait_for([&] { return f.window.isActiveWindow(); }));
  REQUIRE(complete(f.playback()));
  const Id body = f.object("body").id;
  const auto vertex = [&](int number) {
    FramePtr frame;
    REQUIRE(wait_for([&] { return (frame = f.playback().cache().frame(number)) != nullptr; }));
    return frame->find(body)->vertices[0];
  };
  const Vec3 hat = f.seen("hat", 20);
  const Vec3f start = vertex(0), later = vertex(20);
  f.key(Qt::Key_Home);
  f.selection().select_only(body);
  f.go(0);
  const auto drawn = [&] {
    for (const DrawMesh& mesh : f.view().render_list().meshes)
      if (mesh.id == body) return mesh.deformed ? std::optional(mesh.deformed->vertices[0]) : std::nullopt;
    return std::optional<Vec3f>();
  };
  const std::string before = scene_to_text(f.scene());
  f.type({Qt::Key_G, Qt::Key_X, Qt::Key_2});
  // While it is moved, and nothing of it is computed: bent, and as far as it was moved.
  f.playback().set_paused(true);
  REQUIRE(drawn());
  CHECK((*drawn() - start - Vec3f(2, 0, 0)).norm() < 1e-4f);
  f.shot("motion-figure");
  f.type({Qt::Key_Return});
  CHECK(f.undo_text() == "Move body with All Its Keys");
  // As an edit lets the computation go on, its first frame may be there by now; that or the bent skin is drawn at once.
  f.playback().set_paused(true);
  REQUIRE(drawn());
  CHECK((*drawn() - start - Vec3f(2, 0, 0)).norm() < 1e-4f);
  f.shot("motion-figure-uncomputed");
  f.playback().set_paused(false);
  REQUIRE(complete(f.playback()));
  CHECK((vertex(0) - start - Vec3f(2, 0, 0)).norm() < 1e-4f);
  CHECK((vertex(20) - later - Vec3f(2, 0, 0)).norm() < 1e-4f);
  CHECK((f.seen("hat", 20) - hat - Vec3(2, 0, 0)).norm() < 1e-5);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(scene_to_text(f.scene()) == before);
}

}  // namespace flow_keyed_motion_test
