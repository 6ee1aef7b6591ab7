// A director leads a run: events look, procedures tell, and what it remembers is state like any other.
#include <catch2/catch.hpp>
#include <random>

#include "core/motion/compile.h"
#include "core/motion/graph.h"
#include "core/motion/kinds.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// A ball and a box over a floor; the box is soft and stands still without weight.
struct Stage {
  World world;
  Id floor, ball, jelly;

  Stage() {
    floor = world.floor();
    ball = world.add(World::sphere(0.1, Vec3(0, 1, 0)));
    Object soft = World::jelly(0.2, Vec3(3, 2, 0), 500);
    soft.body.gravity = false;
    jelly = world.add(soft);
  }
};

struct Directed : Run {
  explicit Directed(const World& world, const MotionGraph& graph, int threads = 1) : Run(world, threads) {
    auto director = make_director(graph, *model);
    INFO((director.ok() ? std::string() : to_string(director.error())));
    REQUIRE(director.ok());
    auto directed = compile(world.scene, meshes).value();
    std::const_pointer_cast<Model>(directed)->director = std::move(director).value();
    model = directed;
    state = initial_state(*model);
  }
};

MotionNode velocity(Id body, const Vec3& v) { return {body, "velocity", {{"x", v.x()}, {"y", v.y()}, {"z", v.z()}}}; }

/// When the ball hits something it goes up at 6 m/s, each time, and the soft body goes off sideways once.
MotionGraph bouncing(const Stage& stage) {
  MotionGraph graph;
  graph.events = {{stage.ball, "contact", {}, true}, {stage.ball, "contact", {}}};
  graph.procedures = {velocity(stage.ball, Vec3(0, 6, 0)), velocity(stage.jelly, Vec3(0, 0, 2))};
  graph.starts = {{0, 0}, {1, 1}};
  return graph;
}

std::string refusal(const MotionGraph& graph, const Model& model) {
  const auto made = make_director(graph, model);
  if (made.ok()) return {};
  CHECK_FALSE(made.error().path.empty());
  CHECK_FALSE(made.error().hint.empty());
  return made.error().message;
}

}  // namespace

TEST_CASE("When the ball hits the floor it is thrown up, each time anew", "[director]") {
  const Stage stage;
  Directed run(stage.world, bouncing(stage));
  const double g = -run.model->gravity.y(), h = run.model->step;
  while (run.events.empty()) run.steps(1);
  run.steps(1);  // the sub-step in which it is given: v⁺ = v + h g
  CHECK(run.velocity(stage.ball).y() == Approx(6 - h * g).margin(1e-9));
  CHECK((run.velocity(stage.jelly) - Vec3(0, 0, 2)).norm() < 1e-9);
  // Each throw: from the floor, or up to a sub-step of flight above it, by v²/(2 g).
  double thrown = run.at(stage.ball).centre.y(), highest = thrown;
  const auto check = [&] {
    CHECK(thrown > 0.1 - 1e-6);
    CHECK(thrown < 0.1 + 2 * 6 * h);
    CHECK(highest == Approx(thrown + (6 - h * g) * (6 - h * g) / (2 * g)).margin(g * h * h));
  };
  for (int k = 0; k < 700; ++k) {
    const auto before = run.state.motion.events[0].count;
    run.steps(1);
    if (run.state.motion.events[0].count > before) {
      check();
      run.steps(1);
      thrown = highest = run.at(stage.ball).centre.y();
    }
    highest = std::max(highest, run.at(stage.ball).centre.y());
  }
  CHECK(run.state.motion.events[0].count == 3);  // after 0.43 s, and every 1.22 s
  CHECK(run.state.motion.events[0].armed);
  CHECK(run.state.motion.events[1].count == 1);  // no loop: once
  CHECK_FALSE(run.state.motion.events[1].armed);
  CHECK((run.velocity(stage.jelly) - Vec3(0, 0, 2)).norm() < 1e-9);
}

TEST_CASE("What moves as a whole is sent off without turning or trembling", "[director]") {
  // A kick to a soft body that spins: its spin and its shape's energy are as without.
  Stage stage;
  stage.world.scene = with_object(stage.world.scene, stage.jelly, [](Object& o) { o.body.spin = Vec3(0, 3, 1); });
  Directed run(stage.world, bouncing(stage));
  Run plain(stage.world);
  for (int k = 0; k < 200; ++k) {
    run.steps(1);
    plain.steps(1);
  }
  REQUIRE(run.state.motion.events[1].count == 1);
  const Observables a = run.at(stage.jelly), b = plain.at(stage.jelly);
  CHECK((a.angular_momentum - b.angular_momentum).norm() < 1e-9 * b.angular_momentum.norm());
  CHECK(a.elastic_energy == Approx(b.elastic_energy).epsilon(1e-9));
  CHECK((a.momentum / a.mass - Vec3(0, 0, 2)).norm() < 1e-9);
}

TEST_CASE("Events behind an event look from the next sub-step on, and only when they are armed", "[director]") {
  const Stage stage;
  MotionGraph graph = bouncing(stage);
  graph.events.push_back({stage.ball, "contact", {{"above", 1e6}}, true});  // never so hard
  graph.events.push_back({stage.ball, "contact", {}});                      // armed by the second
  graph.arms = {{1, 3}};
  Directed run(stage.world, graph);
  CHECK_FALSE(run.state.motion.events[3].armed);
  while (run.events.empty()) run.steps(1);
  const std::int64_t first = run.state.motion.events[1].last;
  CHECK(first == run.state.substep - 1);
  CHECK(run.state.motion.events[3].armed);
  CHECK(run.state.motion.events[3].count == 0);  // not by the same contact
  run.steps(600);
  CHECK(run.state.motion.events[2].count == 0);
  CHECK(run.state.motion.events[3].count == 1);
  CHECK(run.state.motion.events[3].last > first);
}

TEST_CASE("A directed run goes on from saved bytes with the same bits, on any threads", "[director][threads]") {
  const Stage stage;
  Directed one(stage.world, bouncing(stage)), two(stage.world, bouncing(stage), 2);
  State restored;
  for (int k = 0; k < 500; ++k) {
    one.steps(1);
    two.steps(1);
    REQUIRE(hash(one.state) == hash(two.state));
    if (k % 37 == 0) {  // also where a procedure runs
      REQUIRE(restore(save(two.state), restored).ok());
      two.state = restored;
    }
  }
  State other = one.state;
  other.motion.events[0].armed = false;
  CHECK(hash(other) != hash(one.state));
  other = one.state;
  other.motion.running.push_back({0, 3});
  CHECK(hash(other) != hash(one.state));
}

TEST_CASE("Random graphs: the same bits from saved bytes, and nothing happens that nobody armed", "[director]") {
  int happened = 0;
  const std::uint64_t graphs = test::rounds(200, 60);
  for (std::uint64_t seed = 1; seed <= graphs; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 dice(seed);
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(dice); };
    std::uniform_real_distribution<double> speed(-3, 3);
    Stage stage;
    stage.world.scene = with_object(stage.world.scene, stage.ball, [](Object& o) { o.transform.position.y() = 0.15; });
    const Id bodies[] = {stage.floor, stage.ball, stage.jelly};
    MotionGraph graph;
    for (std::size_t i = 0, n = 1 + below(5); i < n; ++i)
      graph.events.push_back({bodies[below(2)], "contact", {{"above", below(2) ? 0.0 : 0.5}}, below(2) == 1});
    for (std::size_t i = 0, n = 1 + below(4); i < n; ++i)
      graph.procedures.push_back(velocity(bodies[1 + below(2)], Vec3(speed(dice), speed(dice), speed(dice))));
    for (std::size_t i = 0, n = below(7); i < n; ++i)
      graph.starts.push_back({below(graph.events.size()), below(graph.procedures.size())});
    for (std::size_t i = 0, n = below(4); i < n; ++i)
      graph.arms.push_back({below(graph.events.size()), below(graph.events.size())});
    Directed one(stage.world, graph), two(stage.world, graph, 2);
    const MotionState start = one.state.motion;
    for (int k = 0; k < 80; ++k) {
      one.steps(1);
      two.steps(1);
      State restored;
      REQUIRE(restore(save(two.state), restored).ok());
      two.state = restored;
      REQUIRE(hash(one.state) == hash(two.state));
      REQUIRE(one.state.motion.running.size() <= graph.procedures.size());
    }
    for (std::size_t i = 0; i < graph.events.size(); ++i) {
      const EventState& event = one.state.motion.events[i];
      happened += static_cast<int>(event.count);
      bool armed_by = start.events[i].armed;
      for (const MotionWire& wire : graph.arms)
        armed_by = armed_by || (wire.to == i && one.state.motion.events[wire.from].count > 0);
      if (!armed_by) CHECK(event.count == 0);
      CHECK((event.count == 0) == (event.last < 0));
    }
  }
  CHECK(happened > static_cast<int>(graphs));
}

TEST_CASE("A graph that cannot be is refused with place and remedy", "[director]") {
  const Stage stage;
  const Run run(stage.world);
  const auto changed = [&](auto change) {
    MotionGraph graph = bouncing(stage);
    change(graph);
    return refusal(graph, *run.model);
  };
  CHECK(changed([](MotionGraph&) {}).empty());
  CHECK(changed([](MotionGraph& g) { g.events[0].kind = "sneeze"; }) == "There is no \"sneeze\".");
  CHECK_FALSE(changed([](MotionGraph& g) { g.procedures[0].kind = "contact"; }).empty());  // an event is no procedure
  CHECK_FALSE(changed([](MotionGraph& g) { g.events[1].body = Id{999}; }).empty());
  CHECK_FALSE(changed([](MotionGraph& g) { g.events[1].parameters = {{"above", -1}}; }).empty());
  CHECK_FALSE(changed([](MotionGraph& g) { g.events[1].parameters = {{"above", NAN}}; }).empty());
  CHECK_FALSE(changed([](MotionGraph& g) { g.procedures[0].parameters[0].second = INFINITY; }).empty());
  CHECK_FALSE(changed([](MotionGraph& g) { g.procedures[0].parameters[0].first = "speed"; }).empty());
  CHECK_FALSE(changed([](MotionGraph& g) { g.starts.push_back({0, 2}); }).empty());
  CHECK_FALSE(changed([](MotionGraph& g) { g.arms.push_back({2, 0}); }).empty());
}

TEST_CASE("Every kind of event and procedure says what it is", "[director]") {
  const auto said = [](const auto& kind) {
    INFO(kind.name);
    CHECK_FALSE(kind.name.empty());
    CHECK_FALSE(kind.label.empty());
    CHECK(kind.tooltip.ends_with('.'));
    for (const ParameterRow& row : kind.parameters) {
      INFO(row.name);
      CHECK_FALSE(row.label.empty());
      CHECK(row.tooltip.ends_with('.'));
      CHECK((row.low <= row.fallback && row.fallback <= row.high));
    }
  };
  CHECK_FALSE(event_kinds().empty());
  CHECK_FALSE(procedure_kinds().empty());
  for (const EventKind* kind : event_kinds()) said(*kind);
  for (const ProcedureKind* kind : procedure_kinds()) said(*kind);
}
