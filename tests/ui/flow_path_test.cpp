// Motion over the picture, by mouse in the real window: the path with its ticks and the keys on it, ghosts, velocities; what bends is keyed
// and led as what does not.
#include <cmath>
#include <set>

#include <QCursor>

#include "core/scene/derived/tracks.h"
#include "tests/ui/flow_support.h"
#include "ui/model/keying.h"
#include "ui/viewport/motion_view.h"

namespace flow_path_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// A box that keys lead over an arch in a second, a ball that falls beside it, a jelly that falls too.
Scene stage() {
  Scene scene = make_new_scene();
  scene.settings.last_frame = 60;
  const auto add = [&](Object object, const char* name) {
    object.id = next_id(scene);
    object.name = name;
    scene.objects.push_back(object);
    return object.id.value;
  };
  const std::uint64_t cart = add(World::box(Vec3(0.4, 0.3, 0.4), Vec3(-2, 0.5, 0), 2), "Cart");
  for (const auto& [time, place] :
       {std::pair(0.0, Vec3(-2, 0.5, 0)), std::pair(0.5, Vec3(0, 2, 0)), std::pair(1.0, Vec3(2, 0.5, 0))})
    scene = with_key(std::move(scene), cart, "transform.position", time, place);
  add(World::sphere(0.2, Vec3(0, 1.2, 2)), "Marble");
  add(World::jelly(0.3, Vec3(-1.5, 2, -2), 800), "Jelly");
  return scene;
}

struct PathFlow : Flow {
  PathFlow() {
    Window::open(stage());
    REQUIRE(complete(playback()));
    ViewCamera camera;
    camera.target = {0, 1, 0};
    camera.distance = 9;
    camera.yaw = 0.1f;
    camera.pitch = 0.15f;
    view().camera() = camera;
    view().setFocus();
    QTest::qWait(5);
  }
  void select(const char* name) {
    selection().select_only(id_of(scene(), name));
    QTest::qWait(10);
  }
  void go(int frame) {
    playback().set_frame(frame);
    REQUIRE(wait_for([&] { return playback().shown() && playback().shown()->index == frame; }, 20000));
  }
  std::vector<MotionView::Handle> handles() {
    return view().motion().handles(std::as_const(view()).camera(), view().view_size());
  }
  RenderList drawn() {
    RenderList list;
    DrawMesh own;
    own.id = selection().active();
    if (const FramePtr frame = playback().shown())
      if (const ObjectFrame* moved = frame->find(own.id); moved && moved->deformed) {
        own.frame = frame;
        own.deformed = moved;
      }
    list.meshes.push_back(own);
    view().motion().draw(list);
    return list;
  }
  const Track* track(const char* name, const char* field = "transform.position") {
    return find_track(scene(), id_of(scene(), name).value, field);
  }
  Vec3 seen(const char* name, int frame) {
    go(frame);
    const ObjectFrame* object = playback().shown()->find(id_of(scene(), name));
    REQUIRE(object);
    return object->position.cast<double>();
  }
  QString undo_text() { return document().undo_stack()->undoText(); }
};

double span(const std::vector<Vec3f>& points) {
  Box3 box;
  for (const Vec3f& p : points) box.add(p.cast<double>());
  return (box.high - box.low).norm();
}

}  // namespace

TEST_CASE("Flow: a motion path has a tick for each frame, and its keys are dragged where they are",
          "[ui][flow][path]") {
  PathFlow f;
  f.select("Cart");
  f.key(Qt::Key_T, Qt::ShiftModifier);
  REQUIRE(f.view().motion().paths());
  RenderList list = f.drawn();
  CHECK(list.points_on_top.size() == 61);
  REQUIRE(list.lines.size() == 1);
  CHECK(list.lines[0].vertices.size() == 120);
  REQUIRE(f.handles().size() == 3);
  f.shot("motion-path-handles");
  // The one in the middle, up; the play head goes to it.
  const QPointF from = f.handles()[1].at;
  f.drag(&f.view(), from, from - QPointF(0, 60));
  CHECK(f.playback().frame() == 30);
  REQUIRE(f.track("Cart"));
  REQUIRE(f.track("Cart")->keys.size() == 3);
  CHECK(f.track("Cart")->keys[1].value[1] > 2.2);
  CHECK(f.track("Cart")->keys[0].value[1] == 0.5);
  CHECK(f.track("Cart")->keys[2].value[1] == 0.5);
  CHECK(f.document().undo_stack()->count() == 1);
  CHECK((f.handles()[1].at - (from - QPointF(0, 60))).manhattanLength() < 3);
  REQUIRE(complete(f.playback()));
  CHECK(f.seen("Cart", 30).y() == Approx(f.track("Cart")->keys[1].value[1]).margin(1e-5));
  f.view().setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.track("Cart")->keys[1].value[1] == 2);
  // What physics moves is read out: ticks, and nothing to take.
  REQUIRE(complete(f.playback()));
  f.select("Marble");
  list = f.drawn();
  CHECK(list.points_on_top.size() == 61);
  CHECK(f.handles().empty());
  f.key(Qt::Key_T, Qt::ShiftModifier);
  CHECK(f.drawn().points_on_top.empty());
}

TEST_CASE("Flow: ghosts stand before and after, of what is led, falls and bends", "[ui][flow][path]") {
  PathFlow f;
  f.go(30);
  f.key(Qt::Key_T, Qt::AltModifier);
  REQUIRE(f.view().motion().ghosts());
  for (const char* name : {"Cart", "Marble", "Jelly"}) {
    INFO(name);
    f.select(name);
    const RenderList list = f.drawn();
    REQUIRE(list.meshes.size() > 4);
    CHECK(list.meshes.size() % 2 == 1);  // as many before as after, beside itself
    std::set<const ObjectFrame*> bent;
    for (std::size_t i = 1; i < list.meshes.size(); ++i)
      if (list.meshes[i].deformed) bent.insert(list.meshes[i].deformed);
    if (std::string(name) == "Jelly") CHECK(bent.size() == list.meshes.size() - 1);
    f.shot((std::string("ghosts-") + name).c_str());
  }
  f.go(0);
  const std::size_t at_start = f.drawn().meshes.size();
  f.go(30);
  CHECK(f.drawn().meshes.size() > at_start);  // there is nothing before the first frame
}

TEST_CASE("Flow: velocities are as long as the way of a tenth of a second", "[ui][flow][path]") {
  PathFlow f;
  f.menu("View", "view.velocities");
  REQUIRE(f.view().motion().velocities());
  f.select("Marble");
  f.go(15);
  const double fall = f.seen("Marble", 16).y() - f.seen("Marble", 14).y();
  f.go(15);
  const RenderList list = f.drawn();
  REQUIRE(list.lines.size() == 1);
  const auto& shaft = list.lines[0].vertices;
  REQUIRE(shaft.size() == 10);
  CHECK(static_cast<double>(shaft[1].position.y - shaft[0].position.y) == Approx(0.1 * fall * 60 / 2).epsilon(1e-3));
  CHECK(std::abs(shaft[1].position.x - shaft[0].position.x) < 1e-5f);
  f.shot("velocities");
  // What rests has none.
  f.select("Jelly");
  f.go(0);
  CHECK(f.drawn().lines.size() <= 1);
}

TEST_CASE("Flow: I keys something soft where it falls; it is led from there on, dragged on its path and let go",
          "[ui][flow][path][soft]") {
  PathFlow f;
  f.select("Jelly");
  const Vec3 fallen = f.seen("Jelly", 20);
  CHECK(fallen.y() < 1.8);
  QCursor::setPos(f.view().mapToGlobal(QPoint(300, 60)));
  f.view().setFocus();
  f.key(Qt::Key_I);
  QTest::qWait(20);
  REQUIRE(f.track("Jelly"));
  REQUIRE(f.track("Jelly", "body.led"));
  const Key& key = f.track("Jelly")->keys[0];
  CHECK((Vec3(key.value[0], key.value[1], key.value[2]) - fallen).norm() < 1e-5);
  REQUIRE(complete(f.playback()));
  CHECK((f.seen("Jelly", 20) - fallen).norm() < 1e-4);
  CHECK((f.seen("Jelly", 45) - fallen).norm() < 1e-4);
  // The next key by G at a later frame, with I.
  f.go(50);
  f.view().setFocus();
  for (const Qt::Key each : {Qt::Key_G, Qt::Key_X, Qt::Key_1, Qt::Key_I, Qt::Key_Return}) {
    f.key(each);
    QTest::qWait(5);
  }
  REQUIRE(f.track("Jelly")->keys.size() == 2);
  REQUIRE(complete(f.playback()));
  CHECK((f.seen("Jelly", 50) - fallen - Vec3(1, 0, 0)).norm() < 1e-4);
  const ObjectFrame* led = f.playback().shown()->find(id_of(f.scene(), "Jelly"));
  REQUIRE(led->deformed);
  CHECK(span(led->vertices) == Approx(span(f.playback().cache().frame(20)->find(led->id)->vertices)).margin(1e-3));
  f.key(Qt::Key_T, Qt::ShiftModifier);
  REQUIRE(f.handles().size() == 2);
  const QPointF from = f.handles()[1].at;
  f.drag(&f.view(), from, from - QPointF(0, 40));
  CHECK(f.playback().frame() == 50);
  CHECK(f.track("Jelly")->keys[1].value[1] > fallen.y() + 0.1);
  REQUIRE(complete(f.playback()));
  f.shot("soft-led");
  f.go(55);
  f.menu("Keys", "key.let_go");
  REQUIRE(complete(f.playback()));
  CHECK(f.seen("Jelly", 60).y() < f.seen("Jelly", 55).y());
}

}  // namespace flow_path_test
