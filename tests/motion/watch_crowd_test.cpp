// Many that hit and touch each other, which are looked at by what they met: the run is that of one which looks at all events in each
// sub-step.
#include <catch2/catch.hpp>

#include "tests/sim/reference/dense.h"
#include "tests/support/plain_run.h"
#include "tests/support/sanitized.h"

namespace watch_crowd_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

using reference::Dice;

int below(Dice& dice, int n) { return std::min(static_cast<int>(dice.uniform(0, n)), n - 1); }

struct Crowd {
  World world;
  Graph graph{world};
  std::vector<Id> all, about;
  std::vector<Id> boxes, procedures;

  /// Nothing but the time, nearly: of most a run knows from the start when they cannot hold yet.
  std::string condition(Dice& dice) {
    const char* texts[] = {"t > 0.2",     "t > 0.15 && t < 0.3",      "frame >= 6",    "frame == 7",
                           "t > 1e5",     "t < 0.1 || t > 0.3",       "min(t, 1) > 0", "t > 0.25 && impulse > 0.01",
                           "0",           "t >= 0.125 ? t < 0.3 : 0", "sin(t) > 0.2",  "t - 0.2 == abs(t - 0.2)",
                           "1/(0.2 - t)", "sqrt(t - 0.2) > 0",        "t > -1"};
    return texts[below(dice, 15)];
  }

  explicit Crowd(Dice& dice) {
    world.scene.settings.substeps = 1 + below(dice, 4);
    if (below(dice, 4) == 0) world.scene.settings.time_scale = dice.uniform(0.2, 1.5);
    const Id floor = world.floor(dice.uniform(0, 0.9), dice.uniform(0, 0.8));
    // Numbers of bodies are looked up otherwise where ids lie far apart.
    if (below(dice, 3) == 0) {
      Object far = World::sphere(0.1, Vec3(5, 1, 5));
      far.id = Id{1000000};
      far.name = "far";
      world.scene.objects.push_back(Shared<Object>(std::move(far)));
    }
    for (int k = 0; k < 18; ++k) {
      Object o = World::sphere(0.1, Vec3(0.25 * (k % 6), 0.11 + dice.uniform(0, 0.3), 0.25 * (k / 6)));
      if (k % 7 == 3) o = World::box(Vec3::Constant(0.15), Vec3(0.25 * (k % 6), 0.2, 0.25 * (k / 6)));
      o.body.velocity = Vec3(dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1));
      all.push_back(world.add(o));
    }
    about = all;
    about.push_back(floor);
    about.push_back(Id{});
    for (const Id one : all)
      for (int k = 1 + below(dice, 4); k > 0; --k) add_event(one, dice);
    for (int k = below(dice, 5); k > 0; --k) add_procedure(dice);
    if (!procedures.empty())
      for (int k = 0; k < 6; ++k)
        graph.wire(boxes[static_cast<std::size_t>(below(dice, static_cast<int>(boxes.size())))],
                   procedures[static_cast<std::size_t>(below(dice, static_cast<int>(procedures.size())))]);
    for (int k = 0; k < 6; ++k)
      graph.wire(boxes[static_cast<std::size_t>(below(dice, static_cast<int>(boxes.size())))],
                 boxes[static_cast<std::size_t>(below(dice, static_cast<int>(boxes.size())))], below(dice, 5) == 0);
  }

  void add_event(Id of, Dice& dice) {
    const char* kinds[] = {"contact", "contact", "bounces", "touch", "leave", "height", "speed", "condition"};
    const std::string kind = kinds[below(dice, 8)];
    Numbers numbers;
    if (kind == "contact" || kind == "bounces") {
      if (below(dice, 2) == 0) numbers.emplace_back("above", dice.uniform(0, 3));
      if (kind == "bounces") numbers.emplace_back("count", 1 + below(dice, 3));
    }
    if (kind == "height") numbers.emplace_back("limit", dice.uniform(0.1, 0.3));
    const bool alone = kind == "height" || kind == "speed";
    const Id other = alone ? Id{} : about[static_cast<std::size_t>(below(dice, static_cast<int>(about.size())))];
    const Id box = graph.when(kind, of, numbers, other);
    boxes.push_back(box);
    if (below(dice, 3) > 0) graph.loop(box);
    if (kind == "condition" || below(dice, 2) == 0) graph.only_if(box, condition(dice));
    if (kind == "contact" && below(dice, 6) == 0)
      graph.change(box, [&](MotionNode& n) { set_parameter(n, {"above", "10*t", 0}); });
  }
  void add_procedure(Dice& dice) {
    const char* kinds[] = {"throw", "push", "bounce", "collide", "pass"};
    procedures.push_back(graph.does(kinds[below(dice, 5)],
                                    all[static_cast<std::size_t>(below(dice, static_cast<int>(all.size())))], {},
                                    all[static_cast<std::size_t>(below(dice, static_cast<int>(all.size())))]));
  }
};

void compare(int rounds, std::uint64_t first) {
  int happened = 0;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(rounds); ++seed) {
    INFO("seed " << seed);
    Dice dice(seed);
    Crowd crowd(dice);
    PlainRun all(crowd.world);
    MotionRun due(crowd.world);
    REQUIRE(hash(all.state) == hash(due.state));
    for (int k = 0; k < 48 && !due.stopped; ++k) {
      INFO("sub-step " << k);
      if (below(dice, 30) == 0) {
        State restored;
        REQUIRE(restore(save(due.state), restored).ok());
        due.state = std::move(restored);
      }
      all.go(1);
      due.go(1);
      REQUIRE(all.stopped.has_value() == due.stopped.has_value());
      REQUIRE(all.marks == due.marks);
      REQUIRE(hash(all.state) == hash(due.state));
    }
    for (const MotionMark& mark : all.marks) happened += mark.turn == MotionTurn::happened;
  }
  CHECK(happened > 10 * rounds);
}

}  // namespace

TEST_CASE("Crowds looked at by what they met make the run that looks at all", "[motion][watch]") {
  compare(test::rounds(200, 20), 4000);
}

TEST_CASE("Thousands of crowds looked at by what they met", "[.long][watch]") { compare(3000, 50000); }

}  // namespace watch_crowd_test
