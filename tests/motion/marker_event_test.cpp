// The event that the film comes to a marker, or to another one of its name.
#include <catch2/catch.hpp>

#include "core/motion/check.h"
#include "core/scene/diff.h"
#include "tests/support/graph.h"

namespace marker_event_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Stage {
  World world;
  Id ball;
  Graph graph{world};
  Stage() {
    world.floor();
    ball = world.add(World::sphere(0.1, Vec3(0, 0.1, 0)));
  }
  Id mark(double time, const char* name = "Jump") {
    Marker marker;
    marker.id = next_id(world.scene);
    marker.name = name;
    marker.time = time;
    world.scene.markers.push_back(Shared<Marker>(marker));
    return marker.id;
  }
  /// s of the film at which it happened.
  std::vector<double> happened(Id box, int substeps = 600) {
    MotionRun run(world);
    run.go(substeps);
    std::vector<double> times;
    for (const MotionMark& m : run.marks)
      if (m.box == box && m.turn == MotionTurn::happened) {
        const double begin = run.model->clock.film(m.substep), end = run.model->clock.film(m.substep + 1);
        times.push_back(begin + m.moment * (end - begin));
      }
    return times;
  }
};

void check_times(const std::vector<double>& seen, const std::vector<double>& wanted) {
  REQUIRE(seen.size() == wanted.size());
  for (std::size_t i = 0; i < seen.size(); ++i) CHECK(seen[i] == Approx(wanted[i]).margin(1e-9));
}

}  // namespace

TEST_CASE("At each marker of that name it happens as a loop, else at the first", "[motion][marker]") {
  Stage s;
  const Id first = s.mark(0.7);
  for (const double time : {0.31234, 0.0, 0.5, 1.0 / 3, 0.7}) s.mark(time);
  s.mark(0.6, "Other");
  const Id box = s.graph.when("marker", s.ball, {}, first);
  check_times(s.happened(box), {0});
  s.graph.loop(box);
  check_times(s.happened(box), {0, 0.31234, 1.0 / 3, 0.5, 0.7});
  // On frames and sub-steps each happens once, whatever the rate.
  for (const int substeps : {1, 3, 4, 7}) {
    s.world.scene.settings.substeps = substeps;
    s.world.scene.markers.clear();
    std::vector<double> frames;
    for (int f = 1; f < 40; ++f) frames.push_back(f / 60.0);
    for (const double time : frames) s.mark(time);
    s.graph.change(box, [&](MotionNode& n) { n.other = s.world.scene.markers.front()->id.value; });
    check_times(s.happened(box, 45 * substeps), frames);
  }
}

TEST_CASE("Markers that are not shown, before it is waited for, or gone, do nothing", "[motion][marker]") {
  Stage s;
  const Id first = s.mark(0.2);
  s.mark(0.4);
  const Id box = s.graph.loop(s.graph.when("marker", s.ball, {}, first));
  const Id later = s.graph.when("time", s.ball, {{"time", 0.3}});
  s.graph.wire(later, box);
  check_times(s.happened(box), {0.4});
  s.world.scene.markers[1] = s.world.scene.markers[1].edited([](Marker& m) { m.visible = false; });
  check_times(s.happened(box), {});
  s.world.scene.markers.clear();
  check_times(s.happened(box), {});
  const auto problems = motion_problems(s.world.scene);
  CHECK(std::any_of(problems.begin(), problems.end(), [&](const MotionFault& fault) {
    return fault.node == box && fault.message.find("needs a marker") != std::string::npos;
  }));
}

TEST_CASE("A marker that is set while it plays keeps the frames before it", "[motion][marker]") {
  Stage s;
  const Id first = s.mark(0.5);
  const Id box = s.graph.loop(s.graph.when("marker", s.ball, {}, first));
  s.graph.wire(box, s.graph.does("throw", s.ball, {{"y", 2}}));
  const Scene before = s.world.scene;
  const auto first_frame = [&](const Scene& a, const Scene& b) {
    return diff(a, b, [](const Cause&) { return 0; }).first_frame;
  };
  s.mark(1.5);
  CHECK(first_frame(before, s.world.scene) == 90);
  CHECK(first_frame(s.world.scene, before) == 90);
  s.mark(0.25);
  CHECK(first_frame(before, s.world.scene) == 15);
  Scene renamed = s.world.scene;
  renamed.markers[1] = renamed.markers[1].edited([](Marker& m) { m.name = "Other"; });
  CHECK(first_frame(s.world.scene, renamed) == 90);
  // Its only one goes: an event that is related to it tells who is waited for.
  Stage related;
  const Id only = related.mark(0.8);
  const Id waits = related.graph.when("marker", related.ball, {}, only);
  related.graph.wire(related.graph.when("time", related.ball, {{"time", 0.2}}), waits, true);
  Scene without = related.world.scene;
  without.markers.clear();
  CHECK(first_frame(related.world.scene, without) <= 12);
  CHECK(first_frame(without, related.world.scene) <= 12);
  // One that nobody waits for changes nothing.
  Scene more = s.world.scene;
  Marker alone;
  alone.id = next_id(more);
  alone.name = "Alone";
  more.markers.push_back(Shared<Marker>(alone));
  CHECK(first_frame(s.world.scene, more) == kNoFrame);
}

}  // namespace marker_event_test
