// Edits of boxes that change the solver of what bends: the frames of a run from the start, and none is dropped before the box was armed.
#include <catch2/catch.hpp>

#include "core/scene/derived/tracks.h"
#include "tests/support/edits.h"
#include "tests/support/fill_run.h"
#include "tests/support/graph.h"
#include "tests/support/sanitized.h"

namespace solver_edits_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Stage {
  World world;
  Graph graph{world};
  std::vector<Id> soft, events, boxes;

  explicit Stage(EditDice& dice) {
    world.scene.settings.substeps = 2;
    const Id floor = world.floor();
    for (int k = 0; k < 2; ++k) {
      Object o = World::jelly(0.15, Vec3(0.25 * k, 0.25 + 0.1 * dice.unit(), 0), 500);
      o.body.velocity = dice.vector(2);
      soft.push_back(world.add(o));
    }
    for (int k = 0; k < 4; ++k) {
      const Id of = pick(soft, dice);
      events.push_back(dice.below(3) == 0 ? graph.when("contact", of, {}, floor)
                                          : graph.when("time", of, {{"time", 0.25 * dice.unit()}}));
      boxes.push_back(graph.does("solver", of, {{"solver", solver(dice)}}));
      graph.wire(events.back(), boxes.back());
    }
  }
  static double solver(EditDice& dice) { return dice.below(static_cast<int>(elastic_solvers().size())); }
  void edit(EditDice& dice, int way) {
    const auto at = static_cast<std::size_t>(dice.below(4));
    const std::string word(elastic_solvers()[static_cast<std::size_t>(solver(dice))]->name);
    if (way == 0) graph.change(boxes[at], [&](MotionNode& n) { set_parameter(n, {"solver", word}); });
    if (way == 1) graph.change(boxes[at], [&](MotionNode& n) { n.visible = !n.visible; });
    if (way == 2) graph.change(boxes[at], [&](MotionNode& n) { n.object = pick(soft, dice).value; });
    if (way == 3) graph.change(events[at], [&](MotionNode& n) { set_parameter(n, {"time", {}, 0.25 * dice.unit()}); });
    if (way == 4) graph.change(events[at], [&](MotionNode& n) { n.wires.clear(); });
    if (way == 5) graph.wire(events[at], pick(boxes, dice));
    if (way == 6)
      world.scene = with_key(world.scene, boxes[at].value, "procedure.solver.solver", 0.25 * dice.unit(),
                             static_cast<std::int64_t>(solver(dice)));
    if (way == 7) {
      boxes[at] = graph.does("solver", pick(soft, dice), {{"solver", solver(dice)}});
      graph.wire(events[at], boxes[at]);
    }
  }
};

void edit_at_random(std::uint64_t first, int stages) {
  int kept = 0, edits = 0;
  for (int n = 0; n < stages; ++n) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(n);
    EditDice dice(seed);
    Stage stage(dice);
    const int last = 16;
    FillRun run(1);
    Scene before = stage.world.scene;
    run.start({}, before, last);
    run.settle();
    for (int k = 0; k < 10; ++k) {
      const int way = dice.below(8);
      INFO("seed " << seed << ", edit " << k << ": " << way);
      stage.edit(dice, way);
      const Scene after = stage.world.scene;
      const ChangeSet change = diff(before, after, [&](const Cause& cause) { return run.fill.first_frame(cause); });
      ++edits;
      if (!change.empty() && change.first_frame > 0) ++kept;
      run.start(before, after, last);
      REQUIRE(run.settle().phase != FillStatus::Phase::stopped);
      run.check_equals_fresh(after, last);
      before = after;
    }
  }
  CHECK(kept > edits / 6);
}

}  // namespace

TEST_CASE("200 random edits of boxes that change solvers make the frames of a run from the start",
          "[motion][fill][solver]") {
  edit_at_random(20271201, test::rounds(20, 4));
}

TEST_CASE("Thousands of edits of boxes that change solvers", "[.long]") { edit_at_random(20281201, 300); }

}  // namespace solver_edits_test
