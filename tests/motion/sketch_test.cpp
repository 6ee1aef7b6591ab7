// What boxes show in the view, and that dragging a handle puts it there: against runs, and for every kind against itself.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/math/rotation.h"
#include "core/motion/sketch.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/graph.h"
#include "tests/support/sanitized.h"

namespace sketch_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kG = 9.80665;

SketchBody ball_at(const Vec3& place, double radius) {
  SketchBody body;
  body.centre = body.pose.position = place;
  body.low = Vec3::Constant(-radius);
  body.high = Vec3::Constant(radius);
  body.gravity = Vec3(0, -kG, 0);
  body.under = place.y() - radius;
  return body;
}

MotionNode box_of(const MotionKind& kind, MotionRole role) {
  MotionNode node;
  node.id = Id{1};
  node.role = role;
  node.kind = kind.name;
  return node;
}

SketchBody random_body(reference::Dice& dice) {
  SketchBody body;
  body.centre = 3 * dice.vector();
  body.pose = {body.centre + 0.1 * dice.vector(), exp_rotation(2 * dice.vector())};
  body.velocity = dice.uniform() < 0.3 ? Vec3(Vec3::Zero()) : Vec3(4 * dice.vector());
  body.high = Vec3(dice.uniform(0.3, 1), dice.uniform(0.3, 1), dice.uniform(0.3, 1));
  body.low = -Vec3(dice.uniform(0.3, 1), dice.uniform(0.3, 1), dice.uniform(0.3, 1));
  body.mass = std::pow(10, dice.uniform(-2, 3));
  body.gravity = dice.uniform() < 0.2 ? Vec3(Vec3::Zero()) : Vec3(Vec3(0, -kG, 0) + 2 * dice.vector());
  if (dice.uniform() < 0.8) body.under = dice.uniform(0, 3);
  if (dice.uniform() < 0.6) body.other = 2 * dice.vector();
  return body;
}

MotionNode random_box(const MotionKind& kind, MotionRole role, reference::Dice& dice) {
  MotionNode node = box_of(kind, role);
  for (const ParameterRow& row : kind.parameters) {
    if (dice.uniform() < 0.4) continue;
    MotionParameter parameter{std::string(row.name)};
    if (row.type == FieldType::choice)
      parameter.word = row.choices[static_cast<std::size_t>(dice.uniform(0, double(row.choices.size())))];
    else if (row.type == FieldType::boolean)
      parameter.number = dice.uniform() < 0.5 ? 0 : 1;
    else
      parameter.number = dice.uniform(std::max(row.low, -5.0), std::min(row.high, 60.0));
    set_parameter(node, parameter);
  }
  return node;
}

double number_of(const MotionNode& node, const ParameterRow& row) {
  const MotionParameter* own = find_parameter(node, row.name);
  return own ? own->number : row.fallback;
}

/// Every handle of the box, dragged to where it is and to a random place.
int drag_all(const MotionNode& node, const MotionKind& kind, const SketchBody& body, reference::Dice& dice) {
  const auto sketch = sketch_of(node, body);
  REQUIRE(sketch);
  for (const SketchLine& line : sketch->lines)
    for (const Vec3& p : line.points) REQUIRE(p.allFinite());
  for (std::size_t h = 0; h < sketch->handles.size(); ++h) {
    INFO("handle " << h << ", " << sketch->handles[h].label);
    // Nothing changes where it is not moved.
    const MotionNode still = dragged(node, h, sketch->handles[h].at, body);
    for (const ParameterRow& row : kind.parameters) {
      INFO(row.name);
      if (row.type == FieldType::number)
        CHECK(number_of(still, row) == Approx(number_of(node, row)).margin(2e-6).epsilon(1e-6));
      else
        CHECK((find_parameter(still, row.name) == nullptr) == (find_parameter(node, row.name) == nullptr));
    }
    // What it is dragged to it stays at: a second drag to where it has come changes nothing.
    const MotionNode there = dragged(node, h, sketch->handles[h].at + dice.vector(), body);
    const auto moved = sketch_of(there, body);
    REQUIRE(moved);
    REQUIRE(moved->handles.size() == sketch->handles.size());
    const auto again = sketch_of(dragged(there, h, moved->handles[h].at, body), body);
    CHECK((again->handles[h].at - moved->handles[h].at).norm() < 1e-5);
    for (const ParameterRow& row : kind.parameters)
      if (row.type == FieldType::number) {
        CHECK(number_of(there, row) >= row.low);
        CHECK(number_of(there, row) <= row.high);
      }
  }
  return static_cast<int>(sketch->handles.size());
}

}  // namespace

TEST_CASE("The handles of every kind of box stay where they are dragged, in 200 random cases", "[motion][sketch]") {
  int handles = 0, kinds = 0;
  const auto try_kind = [&](const MotionKind& kind, MotionRole role) {
    if (!kind.sketch) {
      CHECK_FALSE(kind.drag);
      return;
    }
    ++kinds;
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(rounds(200, 20)); ++seed) {
      INFO(kind.name << ", seed " << seed);
      reference::Dice dice(20261127 + seed);
      SketchBody body = random_body(dice);
      CurveShape shape;
      for (int k = 0; k < 4; ++k) shape.points.push_back({3 * dice.vector()});
      const CurveWay way(with_tangents(shape));
      if (dice.uniform() < 0.8) body.way = &way;
      std::vector<Vec3> nodes(static_cast<std::size_t>(dice.uniform(0, 12)));
      for (Vec3& node : nodes) node = 2 * dice.vector();
      body.other_nodes = nodes;
      if (dice.uniform() < 0.5) body.seat = Vec3(2 * dice.vector());
      handles += drag_all(random_box(kind, role, dice), kind, body, dice);
    }
  };
  for (const EventKind* kind : event_kinds()) try_kind(*kind, MotionRole::event);
  for (const ProcedureKind* kind : procedure_kinds()) try_kind(*kind, MotionRole::procedure);
  CHECK(kinds == 13);
  CHECK(handles > 5 * rounds(200, 20));
}

TEST_CASE("What rides is taken to other nodes by its handles, and feels as much as its arrow is long",
          "[motion][sketch]") {
  MotionNode node = box_of(*find_procedure_kind("ride"), MotionRole::procedure);
  SketchBody body = ball_at(Vec3(0, 1, 0), 0.1);
  const std::vector<Vec3> nodes = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1), Vec3(2, 0, 0), Vec3(1, 0, 1)};
  body.other = Vec3(0.5, 0, 0.5);
  body.other_nodes = nodes;
  body.seat = Vec3(0.1, 0.1, 0.1);
  const auto sketch = sketch_of(node, body);
  REQUIRE(sketch);
  REQUIRE(sketch->handles.size() == 4);
  CHECK(sketch->handles[0].at == nodes[0]);  // the nearest that span a plane
  // The third is taken to the corner opposite; the others are said from then on, too.
  const MotionNode moved = dragged(node, 2, Vec3(1.1, 0.1, 0.9), body);
  const auto number = [&](const MotionNode& of, const char* name) {
    const MotionParameter* own = find_parameter(of, name);
    return own ? own->number : -1;
  };
  CHECK(number(moved, "first") == 0);
  CHECK(number(moved, "third") == 4);
  // Onto a line with the others it does not go.
  MotionNode three = node;
  for (const auto& [name, k] : {std::pair("first", 0.0), std::pair("second", 1.0), std::pair("third", 2.0)})
    set_parameter(three, {name, {}, k});
  CHECK(number(dragged(three, 2, Vec3(2, 0, 0), body), "third") == 2);
  const Vec3 root = sketch->handles[3].root, up = sketch->handles[3].at - root;
  CHECK(number(dragged(node, 3, root + 0.25 * up, body), "feels") == Approx(0.25));
  CHECK(number(dragged(node, 3, root - up, body), "feels") == 0);
}

TEST_CASE("An expression is known in a run alone: its box shows nothing and is not dragged", "[motion][sketch]") {
  MotionNode node = box_of(*find_procedure_kind("throw"), MotionRole::procedure);
  const SketchBody body = ball_at(Vec3(0, 1, 0), 0.1);
  REQUIRE(sketch_of(node, body));
  set_parameter(node, {"y", "2 * speed", 0});
  CHECK_FALSE(sketch_of(node, body));
  const MotionNode after = dragged(node, 0, Vec3(1, 2, 3), body);
  CHECK(find_parameter(after, "y")->word == "2 * speed");
  CHECK(find_parameter(after, "x") == nullptr);
}

TEST_CASE("What is thrown flies along the arc that is shown, and lands at its end", "[motion][sketch]") {
  World world;
  world.floor(0, 0);
  const Id ball = world.add(World::sphere(0.1, Vec3(0, 1, 0)));
  Graph graph{world};
  const Id box = graph.does("throw", ball, {{"x", 2.0}, {"y", 3.0}, {"z", -1.0}});
  graph.wire(graph.when("time", ball, {{"time", 0}}), box);
  const MotionNode& node =
      *std::find_if(world.scene.motion.begin(), world.scene.motion.end(), [&](const auto& n) { return n->id == box; })
           ->
           operator->();
  const auto sketch = sketch_of(node, ball_at(Vec3(0, 1, 0), 0.1));
  REQUIRE(sketch);
  MotionRun run(world);
  const int substeps = world.scene.settings.substeps;
  for (std::size_t f = 0; f < sketch->ticks.size(); ++f) {
    run.go(substeps);
    CHECK((run.at(ball).centre - sketch->ticks[f]).norm() < 1e-9);
  }
  const double t = (3 + std::sqrt(9 + 2 * kG * 0.9)) / kG;
  CHECK((sketch->lines[0].points.back() - Vec3(2 * t, 0.1, -t)).norm() < 1e-12);
  CHECK(sketch->ticks.size() == static_cast<std::size_t>(t * 60));
}

TEST_CASE("A bounce dragged to a height comes up to it", "[motion][sketch]") {
  World world;
  const Id floor = world.floor(0.5, 0);
  const Id ball = world.add(World::sphere(0.1, Vec3(0, 2.1, 0)));
  const SketchBody body = ball_at(Vec3(0, 2.1, 0), 0.1);
  MotionNode node = box_of(*find_procedure_kind("bounce"), MotionRole::procedure);
  node = dragged(node, 0, Vec3(0.3, 0.1 + 1.28, 0), body);
  CHECK(find_parameter(node, "restitution")->number == Approx(0.8).epsilon(1e-12));
  const auto sketch = sketch_of(node, body);
  CHECK(sketch->handles[0].at.y() == Approx(1.38));
  Graph graph{world};
  graph.wire(graph.when("time", ball, {{"time", 0}}),
             graph.does("bounce", ball, {{"restitution", find_parameter(node, "restitution")->number}}, floor));
  MotionRun run(world);
  bool up = false;
  double highest = 0;
  for (int k = 0; k < 400; ++k) {
    run.go(1);
    up = up || run.velocity(ball).y() > 0;
    if (up && run.velocity(ball).y() > 0) highest = std::max(highest, run.at(ball).centre.y());
  }
  CHECK(highest == Approx(1.38).epsilon(0.005));
  // As often as it is shown: e v ≥ 0.2.
  const double first = std::sqrt(2 * kG * 2);
  const int times = 1 + static_cast<int>(std::floor(std::log(0.2 / first) / std::log(0.8)));
  CHECK(sketch->notes.back().text == std::to_string(times) + " times");
}

TEST_CASE("A squash tells frames where its depth is dragged, and depth where its frames are", "[motion][sketch]") {
  SketchBody body = ball_at(Vec3(0, 1.5, 0), 0.5);
  const double v = std::sqrt(2 * kG * 1.0);
  MotionNode node = box_of(*find_procedure_kind("squash"), MotionRole::procedure);
  set_parameter(node, {"restitution", {}, 1});
  node = dragged(node, 0, Vec3(0, 0.6, 0), body);  // 0.4 below its height of 1 m
  CHECK(find_parameter(node, "depth")->number == Approx(40));
  // T₁ = ½ π D/v, D = 0.4 · 0.5 m; it goes down and up in the same time.
  const double frames = 60 * 2 * 0.5 * 3.14159265358979 * 0.2 / v;
  CHECK(sketch_of(node, body)->notes[0].text == "40 %, " + sketch::number_text(frames, 1) + " frames");
  set_parameter(node, {"by", "frames", 0});
  set_parameter(node, {"frames", {}, frames});
  CHECK(sketch_of(node, body)->handles[0].at.y() == Approx(0.6));
  node = dragged(node, 0, Vec3(0, 0.8, 0), body);
  CHECK(find_parameter(node, "frames")->number == Approx(frames / 2));
  set_parameter(node, {"by", "both", 0});  // depth 40 %, half of its frames: twice as fast
  CHECK(sketch_of(node, body)->notes[0].text.find("at " + sketch::number_text(2 * v) + " m/s") != std::string::npos);
}

}  // namespace sketch_test
