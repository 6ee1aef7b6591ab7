// What a led body would do if physics had it: shown by menu in the real window, the same as when it is let go, and taken as keys.
#include <random>

#include "core/scene/file/scene_io.h"
#include "tests/ui/key_support.h"
#include "ui/viewport/motion_view.h"
#include "ui/widgets/actions.h"

namespace flow_flight_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct FlightFlow : Flow {
  KeyedScene keyed;
  FlightFlow() {
    Window::open(keyed.scene);
    REQUIRE(complete(playback()));
    selection().select_only(Id{keyed.ball});
    view().setFocus();
  }
  const FlightJob& job() { return view().motion().flight_job(); }
  void at_frame(int frame) {
    playback().set_frame(frame);
    REQUIRE(flown());
  }
  bool flown() {
    return wait_for([&] { return !job().busy() && job().flight() && job().flight()->complete; });
  }
  /// m, the furthest of the run's frames from a flight.
  double apart(const PhysicsFlight& flight) {
    double most = 0;
    for (std::size_t i = 0; i < flight.way.size(); ++i) {
      const FramePtr frame = playback().cache().frame(flight.first + static_cast<int>(i));
      const ObjectFrame* own = frame ? frame->find(flight.body) : nullptr;
      REQUIRE(own);
      most = std::max(most, (own->position.cast<double>() - flight.way[i].pose.position).norm());
    }
    return most;
  }
  /// Lines of the picture in the colour of a flight.
  std::size_t drawn() {
    RenderList list;
    view().motion().draw(list);
    std::size_t count = 0;
    for (const DrawLines& line : list.lines)
      for (const auto& vertex : line.vertices) count += vertex.colour.r > 0.75f && vertex.colour.b > 0.9f;
    return count / 2;
  }
};

}  // namespace

TEST_CASE("Flow: the flight of a led body is that of letting it go there", "[ui][flow][flight]") {
  FlightFlow f;
  const Scene before = f.scene();
  CHECK_FALSE(f.action("key.take_flight")->isEnabled());
  f.menu("View", "view.flight");
  CHECK_FALSE(f.view().motion().ghosts());  // it has its own
  f.at_frame(20);
  const PhysicsFlight flight = *f.job().flight();
  CHECK(flight.first == 20);
  REQUIRE(flight.way.size() == 101);  // to frame 120
  CHECK(f.drawn() == 100);
  // Nothing of the scene or its frames is another.
  CHECK(scene_to_text(f.scene()) == scene_to_text(before));
  CHECK(f.playback().cache().size() == 121);
  CHECK(f.document().undo_stack()->count() == 0);

  // Let go there, at other frames, and at the start, where it has the velocity that it is given.
  const unsigned seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 dice(seed);
  for (const int first : {20, 0, 1, static_cast<int>(2 + dice() % 60), static_cast<int>(2 + dice() % 110)}) {
    INFO("frame " << first);
    f.at_frame(first);
    const PhysicsFlight here = *f.job().flight();
    REQUIRE(here.way.size() == static_cast<std::size_t>(121 - first));
    const double by_keys = f.apart(here);
    f.menu("Keys", "key.let_go");
    REQUIRE(complete(f.playback()));
    CHECK(f.apart(here) == 0);
    CHECK_FALSE(f.job().flight());  // it is led no more there
    f.view().setFocus();
    f.key(Qt::Key_Z, Qt::ControlModifier);
    REQUIRE(complete(f.playback()));
    if (first == 20) CHECK(by_keys > 0.1);  // the control: its keys go elsewhere
  }
}

TEST_CASE("Flow: a flight follows play head, selection and edits, and waits while the motion plays",
          "[ui][flow][flight]") {
  FlightFlow f;
  f.menu("View", "view.flight");
  f.at_frame(20);
  const Vec3 there = f.job().flight()->way.back().pose.position;
  f.at_frame(25);
  CHECK(f.job().flight()->first == 25);
  CHECK((f.job().flight()->way.back().pose.position - there).norm() > 0.01);
  // Another gravity, another flight.
  const Vec3 here = f.job().flight()->way[10].pose.position;
  Scene moon = f.scene();
  std::erase_if(moon.tracks, [](const auto& track) { return track->field == "settings.gravity"; });
  moon.settings.gravity = Vec3(0, -1.6, 0);
  REQUIRE(f.document().edit("Moon", moon).ok());
  CHECK_FALSE(f.job().flight());
  REQUIRE(f.flown());
  CHECK(f.job().flight()->way[10].pose.position.y() > here.y() + 0.01);
  // A colour is none of it.
  const PhysicsFlight* known = f.job().flight();
  REQUIRE(f.document().edit_object("Colour", Id{f.keyed.box}, [](Object& o) { o.name = "Crate"; }).ok());
  CHECK(f.job().flight() == known);
  f.key(Qt::Key_Space);
  QTest::qWait(100);
  CHECK_FALSE(f.job().flight());
  f.key(Qt::Key_Space);
  REQUIRE(f.flown());
  f.selection().clear();
  CHECK_FALSE(f.job().flight());
  CHECK(f.drawn() == 0);
  CHECK_FALSE(f.action("key.take_flight")->isEnabled());
  f.selection().select_only(Id{f.keyed.ball});
  REQUIRE(f.flown());
  // Ghosts are a switch of their own.
  for (const bool on : {true, false}) {
    f.view().setFocus();
    f.key(Qt::Key_T, Qt::AltModifier);
    CHECK(f.view().motion().ghosts() == on);
    CHECK(f.view().motion().flies());
    CHECK(f.job().flight());
  }
  f.menu("View", "view.flight");
  CHECK_FALSE(f.view().motion().flies());
  CHECK_FALSE(f.job().flight());
  // Opened anew while one is under way: nothing comes of it.
  f.menu("View", "view.flight");
  QTest::qWait(160);
  f.Window::open(f.keyed.scene);
  REQUIRE(complete(f.playback()));
  QTest::qWait(300);
  CHECK_FALSE(f.job().flight());
}

TEST_CASE("Flow: a flight is taken as keys, in one step, and what was before stays", "[ui][flow][flight]") {
  FlightFlow f;
  f.menu("View", "view.flight");
  f.at_frame(20);
  const PhysicsFlight flight = *f.job().flight();
  std::vector<Vec3> before;
  for (int frame = 0; frame < 20; ++frame)
    before.push_back(f.playback().cache().frame(frame)->find(Id{f.keyed.ball})->position.cast<double>());
  const int steps = f.document().undo_stack()->count();
  f.menu("Keys", "key.take_flight");
  CHECK(f.document().undo_stack()->count() == steps + 1);
  CHECK(f.document().undo_stack()->undoText() == "Take Flight of Ball as Keys");
  const Track* place = find_track(f.scene(), f.keyed.ball, "transform.position");
  REQUIRE(place);
  CHECK(place->keys.size() < 24);  // of 101 frames with its bounces
  REQUIRE(complete(f.playback()));
  double moved = 0;
  for (int frame = 0; frame < 20; ++frame)
    moved = std::max(moved, (f.playback().cache().frame(frame)->find(Id{f.keyed.ball})->position.cast<double>() -
                             before[static_cast<std::size_t>(frame)])
                                .norm());
  CHECK(f.apart(flight) < 1.1e-3);  // the tolerance is 1 mm
  CHECK(moved < 1.1e-3);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(find_track(f.scene(), f.keyed.ball, "transform.position")->keys.size() == 4);
}

TEST_CASE("Flow: flights from anywhere are taken as keys within the tolerance, of what turns by angles too",
          "[ui][flow][flight]") {
  FlightFlow f;
  const unsigned seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 dice(seed);
  f.menu("View", "view.flight");
  // m and rad, the furthest of the run's frames from these poses.
  const auto away = [&](Id body, int first, const std::vector<Pose>& poses) {
    std::pair<double, double> most{0, 0};
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const ObjectFrame* own = f.playback().cache().frame(first + static_cast<int>(i))->find(body);
      REQUIRE(own);
      most.first = std::max(most.first, (own->position.cast<double>() - poses[i].position).norm());
      most.second = std::max(most.second, own->rotation.cast<double>().angularDistance(poses[i].rotation));
    }
    return most;
  };
  for (int i = 0; i < 6; ++i) {
    const Id body{i % 2 == 0 ? f.keyed.ball : f.keyed.box};
    const int first = static_cast<int>(dice() % 110);
    INFO((i % 2 == 0 ? "ball" : "box") << " from frame " << first);
    f.selection().select_only(body);
    f.at_frame(first);
    std::vector<Pose> before, flight;
    for (int frame = 0; frame < first; ++frame) {
      const ObjectFrame* own = f.playback().cache().frame(frame)->find(body);
      before.push_back({own->position.cast<double>(), own->rotation.cast<double>()});
    }
    for (const MotionSample& sample : f.job().flight()->way) flight.push_back(sample.pose);
    f.menu("Keys", "key.take_flight");
    REQUIRE(complete(f.playback()));
    const auto [off, turned] = away(body, first, flight);
    const auto [moved, leaned] = away(body, 0, before);
    // Of a millimetre and half a degree; frames are floats.
    CHECK(off < 1.01e-3);
    CHECK(turned < 0.51 * kPi / 180);
    CHECK(moved < 1.01e-3);
    CHECK(leaned < 0.51 * kPi / 180);
    f.view().setFocus();
    f.key(Qt::Key_Z, Qt::ControlModifier);
    REQUIRE(complete(f.playback()));
  }
}

TEST_CASE("Flow: pictures of the user guide: the flight of a led ball", "[ui][flow][shots]") {
  if (qEnvironmentVariableIsEmpty("HAZUMI_SHOTS")) return;  // pictures only; nothing to check
  FlightFlow f;
  f.menu("View", "view.flight");
  f.menu("View", "view.motion_path");
  f.at_frame(20);
  f.move_to(QPointF(-1, -1));
  f.shot("flight", &f.view());
}

}  // namespace flow_flight_test
