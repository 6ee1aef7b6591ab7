// Lights and lines of what boxes of motion graphs did, of a log written by hand.
#include <catch2/catch.hpp>

#include "tests/support/world.h"
#include "ui/model/motion_commands.h"
#include "ui/model/motion_log.h"

namespace motion_log_test {

using namespace hazumi;

namespace {

/// time (10) → throw (11); contact (12, loop) → bounce (13), of ball (1), with lane (2).
Scene graph() {
  Scene scene;
  scene.objects = {test::make_object(1, "ball", {PrimitiveShape::sphere, Vec3::Ones(), {16, 12, 1}}, Vec3::Zero()),
                   test::make_object(2, "lane", {PrimitiveShape::box, Vec3::Ones(), {1, 1, 1}}, Vec3::Zero())};
  const auto add = [&](std::uint64_t id, MotionRole role, const char* kind, std::vector<MotionWire> wires) {
    MotionNode node;
    node.id = Id{id};
    node.role = role;
    node.kind = kind;
    node.object = 1;
    node.wires = std::move(wires);
    scene.motion.push_back(Shared<MotionNode>(node));
  };
  add(10, MotionRole::event, "time", {{11, false}});
  add(11, MotionRole::procedure, "throw", {});
  add(12, MotionRole::event, "contact", {{13, false}});
  add(13, MotionRole::procedure, "bounce", {});
  return scene;
}

MotionMarks run() {
  const auto mark = [](std::int64_t substep, double moment, MotionTurn turn, std::uint64_t box,
                       std::uint64_t other = 0) {
    return MotionMark{substep, moment, turn, Id{box}, Id{1}, Id{other}};
  };
  return {{0, mark(0, 0, MotionTurn::armed, 10)},          {0, mark(0, 0, MotionTurn::armed, 12)},
          {5, mark(20, 0.5, MotionTurn::happened, 10)},    {5, mark(20, 0.5, MotionTurn::disarmed, 10)},
          {5, mark(20, 0.5, MotionTurn::started, 11)},     {6, mark(24, 0, MotionTurn::ended, 11)},
          {9, mark(38, 0.2, MotionTurn::happened, 12, 2)}, {9, mark(38, 0.2, MotionTurn::started, 13)}};
}

}  // namespace

TEST_CASE("Boxes are lit by what they did up to a frame", "[ui][motion_graph]") {
  const MotionMarks marks = run();
  BoxLights board;
  auto lights = board.at(marks, 0);
  CHECK(lights[Id{10}].armed == 1);
  CHECK(lights[Id{12}].armed == 1);
  CHECK(lights[Id{10}].last == -1);
  lights = board.at(marks, 5);
  CHECK(lights[Id{10}].armed == 0);
  CHECK(lights[Id{10}].count == 1);
  CHECK(lights[Id{10}].last == 5);
  CHECK(lights[Id{11}].running == 1);
  lights = board.at(marks, 20);
  CHECK(lights == BoxLights().at(marks, 20));
  CHECK(lights[Id{11}].running == 0);
  CHECK(lights[Id{13}].running == 1);
  CHECK(lights[Id{12}].last == 9);
  CHECK(board.at(marks, 5) == BoxLights().at(marks, 5));  // backwards
}

TEST_CASE("The log has a line for what happened, with what it started", "[ui][motion_graph]") {
  const Scene scene = graph();
  const MotionMarks marks = run();
  const auto lines = lines_of(marks, scene);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].box == Id{10});
  CHECK(lines[0].frame == 5);
  CHECK(lines[0].started == std::vector<Id>{Id{11}});
  CHECK(lines[1].box == Id{11});  // over
  CHECK(lines[2].box == Id{12});
  const QString contact = line_text(marks, lines[2], scene, 0.1504);
  CHECK(contact.startsWith("0.150 s · frame 9 · "));
  CHECK(contact.contains("ball"));
  CHECK(contact.contains("lane"));
  CHECK(contact.contains(" → "));
  CHECK(line_text(marks, lines[0], scene, 0.08).contains("ball"));
}

TEST_CASE("Playing stops at the first frame in which a box happens", "[ui][motion_graph]") {
  const MotionMarks marks = run();
  CHECK(first_stop(marks, {Id{12}}, -1, 60) == 9);
  CHECK(first_stop(marks, {Id{12}}, 9, 60) == std::nullopt);
  CHECK(first_stop(marks, {Id{12}}, 4, 8) == std::nullopt);
  CHECK(first_stop(marks, {Id{12}, Id{11}}, 4, 60) == 5);
}

}  // namespace motion_log_test
