// Events that are not looked at while nothing can come of them: the run is that of one which looks at all of them in each sub-step.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/motion/watch.h"
#include "core/scene/derived/keyed.h"
#include "core/scene/derived/tracks.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/plain_run.h"
#include "tests/support/sanitized.h"

namespace watch_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

using reference::Dice;

int below(Dice& dice, int n) { return std::min(static_cast<int>(dice.uniform(0, n)), n - 1); }
template <class List>
const auto& any_of(const List& list, Dice& dice) {
  return list[static_cast<std::size_t>(below(dice, static_cast<int>(list.size())))];
}

/// Things that fly, bounce, lie, hang, bend and are led, with a graph of every kind of event, and procedures that throw, put, hold and push.
struct RandomStage {
  World world;
  Graph graph{world};
  std::vector<Id> movers, about;

  explicit RandomStage(Dice& dice) {
    world.scene.settings.substeps = 1 + below(dice, 4);
    world.scene.settings.last_frame = 60;
    if (below(dice, 4) == 0) world.scene.settings.time_scale = dice.uniform(0.2, 1.5);
    const Id floor = world.floor(dice.uniform(0, 0.9), dice.uniform(0, 0.6));
    Collection group;
    group.id = next_id(world.scene);
    group.name = "Group";
    world.scene.collections.push_back(Shared<Collection>(group));
    for (int k = 0; k < 4; ++k) {
      Object o = World::sphere(0.1, Vec3(0.5 * k, dice.uniform(0.1, 1), 0));
      if (k == 1) o = World::box(Vec3(0.2, 0.1, 0.3), Vec3(0.5, dice.uniform(0.2, 0.6), 0));
      if (k == 2 && below(dice, 3) == 0) o = World::jelly(0.1, Vec3(1, 0.3, 0), 300);
      if (k == 3) o.body.kind = BodyKind::point;
      o.body.velocity = Vec3(dice.uniform(-1, 1), dice.uniform(-2, 2), 0);
      if (k != 3) o.body.spin = 3 * dice.vector();
      if (k > 1) o.collection = group.id.value;
      if (below(dice, 6) == 0) o.body.gravity = false;
      movers.push_back(world.add(o));
    }
    const Id hat = world.add(make_object(0, "Hat", {PrimitiveShape::box, Vec3::Constant(0.05), {1, 1, 1}},
                                         Vec3(0, 1.2, 0), BodyKind::fixed));
    world.scene = with_object(world.scene, hat, [&](Object& o) { o.parent = movers[0].value; });
    if (below(dice, 3) == 0) {
      // Led by keys for a while.
      for (const double t : {0.1, 0.25, 0.4})
        world.scene = with_key(world.scene, movers[1].value, "transform.position", t,
                               FieldValue(Vec3(0.5 + dice.uniform(-0.3, 0.3), dice.uniform(0.2, 1), 0)));
    }
    movers.push_back(group.id);
    about = movers;
    about.push_back(floor);
    about.push_back(hat);
    about.push_back(Id{});
    for (const double t : {0.1, 0.3}) {
      Marker one;
      one.id = next_id(world.scene);
      one.name = "Mark";
      one.time = t + dice.uniform(0, 0.1);
      world.scene.markers.push_back(Shared<Marker>(one));
    }
  }

  std::string condition(Dice& dice) {
    const char* texts[] = {"t > 0.2",
                           "y < 0.3",
                           "speed > 1 && t < 0.5",
                           "n < 2",
                           "since > 0.1",
                           "distance < 0.6",
                           "abs(vy) < 1",
                           "turning > 2",
                           "frame > 9",
                           "x > 0.4 || vx < 0",
                           "max(x, y) > 0.45",
                           "energy > 0.5",
                           "t > 5",
                           "y > -3",
                           "rint(5*t) == 2"};
    return texts[below(dice, 15)];
  }
  double number(const ParameterRow& row, Dice& dice) {
    if (row.type == FieldType::choice) return below(dice, static_cast<int>(row.choices.size()));
    if (row.type == FieldType::boolean) return below(dice, 2);
    if (row.type == FieldType::integer) return std::clamp<double>(1 + below(dice, 4), row.low, row.high);
    double high = row.unit == "s" ? 0.5 : row.unit == "m" ? 1.2 : 3;
    if (below(dice, 6) == 0) high = 1e4;  // what never comes
    return std::clamp(dice.uniform(row.unit == "m" || row.low >= 0 ? 0 : -3, high), row.low, row.high);
  }
  Id add_event(Dice& dice) {
    const EventKind& kind = *any_of(event_kinds(), dice);
    Id other = kind.other == OtherUse::marker ? world.scene.markers[0]->id
               : kind.other == OtherUse::none ? Id{}
                                              : any_of(about, dice);
    Numbers numbers;
    for (const ParameterRow& row : kind.parameters)
      if (below(dice, 3) > 0) numbers.emplace_back(std::string(row.name), number(row, dice));
    const Id box = graph.when(std::string(kind.name), any_of(movers, dice), numbers, other);
    if (below(dice, 2) == 0) graph.loop(box);
    if (kind.name == "condition" || below(dice, 4) == 0) graph.only_if(box, condition(dice));
    if (below(dice, 12) == 0 && !kind.parameters.empty() && kind.parameters[0].type == FieldType::number)
      graph.change(box, [&](MotionNode& n) { set_parameter(n, {std::string(kind.parameters[0].name), "0.2 + t", 0}); });
    if (below(dice, 10) == 0 && kind.name == "height")
      for (const double t : {0.0, 0.3})
        world.scene = with_key(world.scene, box.value, "event.height.limit", t, FieldValue(dice.uniform(0, 1)));
    return box;
  }
  Id add_procedure(Dice& dice) {
    const char* kinds[] = {"throw", "place", "push", "hold", "message", "bounce", "gravity", "stop"};
    const std::string kind = kinds[below(dice, 8)];
    Numbers numbers;
    for (const ParameterRow& row : find_procedure_kind(kind)->parameters)
      if (row.type == FieldType::number && below(dice, 2) == 0) {
        const double high = row.unit == "s" ? 0.3 : 2;
        numbers.emplace_back(std::string(row.name), std::clamp(dice.uniform(-high, high), row.low, row.high));
      }
    return graph.does(kind, any_of(movers, dice), numbers);
  }
  void draw(Dice& dice) {
    std::vector<Id> events, all;
    for (int k = 6 + below(dice, 10); k > 0; --k) events.push_back(add_event(dice));
    all = events;
    for (int k = 2 + below(dice, 4); k > 0; --k) all.push_back(add_procedure(dice));
    for (int k = 3 + below(dice, 8); k > 0; --k) {
      const Id from = any_of(all, dice), to = any_of(all, dice);
      graph.wire(from, to, below(dice, 8) == 0);
    }
  }
};

const MotionWatch* watch_of(const MotionRun& run) {
  return dynamic_cast<const MotionWatch*>(run.state.motion.own.notes.get());
}

}  // namespace

TEST_CASE("Random graphs: looked at where something may come of it, or always, it is the same run", "[motion][watch]") {
  int happened = 0, bodies = 0, looked = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::rounds(200, 30)); ++seed) {
    INFO("seed " << seed);
    Dice dice(20261129 + seed);
    RandomStage stage(dice);
    stage.draw(dice);
    PlainRun all(stage.world);
    MotionRun due(stage.world);
    REQUIRE(all.marks == due.marks);
    REQUIRE(hash(all.state) == hash(due.state));
    for (int k = 0; k < 60 && !due.stopped; ++k) {
      INFO("sub-step " << k);
      // From bytes, from a copy, or thrown about by somebody: what is kept beside the state is of no use, or still is.
      const int way = below(dice, 40);
      if (way == 0) {
        State restored;
        REQUIRE(restore(save(due.state), restored).ok());
        due.state = std::move(restored);
      } else if (way == 1) {
        const State copy = due.state;
        due.state = copy;
      } else if (way == 2) {
        const std::size_t body = all.index(stage.movers[0]);
        const Vec3 by = 3 * dice.vector();
        for (MotionRun* run : {static_cast<MotionRun*>(&all), &due})
          run->model->bodies[body].add_velocity(run->state.bodies[body].values, by);
      }
      all.go(1);
      due.go(1);
      REQUIRE(all.stopped.has_value() == due.stopped.has_value());
      REQUIRE(all.marks == due.marks);
      REQUIRE(hash(all.state) == hash(due.state));
      if (const MotionWatch* watch = watch_of(due); watch && watch->is_made()) {
        bodies += 5;
        looked += static_cast<int>(watch->were_due());
      }
    }
    for (const MotionMark& mark : all.marks) happened += mark.turn == MotionTurn::happened;
  }
  CHECK(happened > 12 * test::rounds(200, 30));
  CHECK(looked < bodies);
}

TEST_CASE("Nothing is looked at while all that is waited for is far", "[motion][watch]") {
  World world;
  world.floor();
  Object o = World::sphere(0.1, Vec3(0, 50, 0));
  const Id ball = world.add(o);
  o.transform.position.x() = 5;
  const Id other = world.add(o);
  Graph graph(world);
  graph.when("height", ball, {{"limit", 20}});
  graph.when("speed", ball, {{"limit", 100}});
  graph.when("near", ball, {{"limit", 1}}, other);
  graph.when("place", ball, {{"x", 40}});
  graph.when("time", ball, {{"time", 100}});
  graph.when("contact", ball);
  graph.when("touch", ball);
  graph.only_if(graph.when("condition", ball), "y < 10 && t > 0.01");
  graph.only_if(graph.loop(graph.when("height", ball, {{"limit", 60}})), "y > 30");  // it holds, and goes on to
  MotionRun run(world);
  int looked = 0;
  for (int k = 0; k < 240; ++k) {
    run.go(1);
    REQUIRE(watch_of(run));
    if (k > 1) looked += static_cast<int>(watch_of(run)->were_due());
  }
  CHECK(looked < 12);  // of 240: the nearer, the smaller the margin
  CHECK(run.marks.size() > 8);
  // What is copied is looked at once, and goes on as before.
  const State copy = run.state;
  CHECK_FALSE(copy.motion.own.notes);
  CHECK(hash(copy) == hash(run.state));
}

TEST_CASE("A stop takes back what events remembered in the sub-step", "[motion][watch]") {
  World world;
  const Id ball = world.add(World::sphere(0.1, Vec3(0, 1, 0)));
  Graph graph(world);
  const Id a = graph.loop(graph.when("message", ball, {{"number", 1}})),
           say = graph.does("message", ball, {{"number", 1}}, ball), go = graph.when("time", ball, {{"time", 0.2}});
  graph.wire(go, say);
  graph.wire(a, say);
  graph.wire(go, graph.when("height", ball, {{"limit", 0}}));
  PlainRun all(world);
  MotionRun due(world);
  for (int k = 0; k < 200 && !due.stopped; ++k) {
    all.go(1);
    due.go(1);
    REQUIRE(hash(all.state) == hash(due.state));
  }
  REQUIRE(due.stopped);
  REQUIRE(all.stopped);
  for (const EventState& event : due.state.motion.events) CHECK(event.count == 0);
  CHECK(due.state.motion.running.empty());
}

}  // namespace watch_test
