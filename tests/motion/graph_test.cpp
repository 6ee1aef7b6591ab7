// What motion graphs mean (spec 7.3): small ones, each with the log that it must give.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/motion/check.h"
#include "tests/support/graph.h"

namespace graph_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Two balls without weight, far from each other, and a floor that they never reach by themselves.
struct Stage {
  World world;
  Id floor, ball, other, group;
  Graph graph{world};

  Stage() {
    floor = world.floor(0.5, 0);
    Object o = World::sphere(0.1, Vec3(0, 1, 0));
    o.body.gravity = false;
    ball = world.add(o);
    o.name = "second";
    o.transform.position = Vec3(3, 1, 0);
    other = world.add(o);
    Collection both;
    both.id = next_id(world.scene);
    both.name = "Both";
    world.scene.collections.push_back(Shared<Collection>(both));
    group = both.id;
    for (const Id id : {ball, other})
      world.scene = with_object(world.scene, id, [&](Object& object) { object.collection = group.value; });
  }
  std::string log(int substeps = 240, bool times = true) {
    MotionRun run(world);
    run.go(substeps);
    REQUIRE_FALSE(run.stopped);
    return run.log(times);
  }
  Id at(double time) { return graph.when("time", ball, {{"time", time}}); }
  Id named(Id box, const std::string& name) {
    graph.change(box, [&](MotionNode& n) { n.name = name; });
    return box;
  }
  Id mark(const std::string& name) { return named(graph.does("message", ball, {{"number", 99}}), name); }
};

struct Row {
  const char* what;
  void (*draw)(Stage&);
  const char* log;
};

// clang-format off
const Row kRows[] = {
    {"an event without a wire to it waits from the start", [](Stage& s) { s.graph.wire(s.at(0.1), s.mark("a")); },
     "time@0.100 a+ a-"},
    {"at time 0 it happens before the first sub-step", [](Stage& s) { s.graph.wire(s.at(0), s.mark("a")); },
     "time@0.000 a+ a-"},
    {"between two sub-steps", [](Stage& s) { s.graph.wire(s.at(0.1234), s.mark("a")); }, "time@0.123 a+ a-"},
    {"two procedures start together, in the order of the wires",
     [](Stage& s) { const Id e = s.at(0.1); const Id a = s.mark("a"), b = s.mark("b"); s.graph.wire(e, b); s.graph.wire(e, a); },
     "time@0.100 b+ a+ b- a-"},
    {"an event behind another one waits for it",
     [](Stage& s) { const Id e = s.at(0.2), f = s.named(s.at(0.1), "late"); s.graph.wire(e, f); },
     "time@0.200 late@0.200"},
    {"an event behind a procedure is armed when that starts",
     [](Stage& s) { s.graph.chain({s.at(0.1), s.mark("a"), s.named(s.at(0.3), "b")}); }, "time@0.100 a+ a- b@0.300"},
    {"a chain of three in one frame, in order of time",
     [](Stage& s) { s.graph.chain({s.at(0.1001), s.named(s.at(0.1002), "b"), s.named(s.at(0.1003), "c")}); },
     "time@0.100 b@0.100 c@0.100"},
    {"two events in one sub-step, the later box earlier",
     [](Stage& s) { s.named(s.at(0.1020), "late"); s.named(s.at(0.1010), "early"); }, "early@0.101 late@0.102"},
    {"two at one moment: in order of their boxes", [](Stage& s) { s.named(s.at(0.1), "a"); s.named(s.at(0.1), "b"); },
     "a@0.100 b@0.100"},
    {"and before that of their objects",
     [](Stage& s) { s.named(s.graph.when("time", s.other, {{"time", 0.1}}), "b"); s.named(s.at(0.1), "a"); }, "a@0.100 b@0.100"},
    {"stacked events are armed together, and each happens when it comes",
     [](Stage& s) { const Id e = s.at(0.1); for (const double t : {0.3, 0.2}) s.graph.wire(e, s.named(s.at(t), t > 0.25 ? "b" : "a")); },
     "time@0.100 a@0.200 b@0.300"},
    {"stacked and related: the first is the only one",
     [](Stage& s) { const Id e = s.at(0.1), a = s.named(s.at(0.3), "a"), b = s.named(s.at(0.2), "b"); s.graph.wire(e, a); s.graph.wire(e, b); s.graph.wire(a, b, true); },
     "time@0.100 b@0.200"},
    {"related the other way round is the same",
     [](Stage& s) { const Id a = s.named(s.at(0.3), "a"), b = s.named(s.at(0.2), "b"); s.graph.wire(b, a, true); }, "b@0.200"},
    {"related at one moment: the first disarms the other",
     [](Stage& s) { const Id a = s.named(s.at(0.2), "a"), b = s.named(s.at(0.2), "b"); s.graph.wire(b, a, true); }, "a@0.200"},
    {"no loop: once", [](Stage& s) { s.graph.when("frame", s.ball, {{"every", 12}}); }, "frame@0.000"},
    {"a loop: each time", [](Stage& s) { s.graph.loop(s.graph.when("frame", s.ball, {{"every", 12}})); },
     "frame@0.000 frame@0.200 frame@0.400 frame@0.600 frame@0.800 frame@1.000"},
    {"a loop stays armed, what is related to it does not",
     [](Stage& s) { const Id f = s.graph.loop(s.graph.when("frame", s.ball, {{"every", 30}})); const Id t = s.at(0.7); s.graph.wire(t, f, true); },
     "frame@0.000 frame@0.500 frame@1.000"},
    {"a loop that is related is ended by the other",
     [](Stage& s) { const Id f = s.graph.loop(s.graph.when("frame", s.ball, {{"every", 15}})), t = s.at(0.2); s.graph.chain({s.named(s.at(0.1), "go"), f}); s.graph.wire(t, f, true); },
     "go@0.100 time@0.200"},
    {"a ring of two events with times since they were armed",
     [](Stage& s) { const Id a = s.named(s.graph.when("time", s.ball, {{"time", 0.1}, {"from", 1}}), "a"), b = s.named(s.graph.when("time", s.ball, {{"time", 0.15}, {"from", 1}}), "b"), go = s.named(s.at(0.25), "go"); s.graph.chain({go, a, b, a}); },
     "go@0.250 a@0.350 b@0.500 a@0.600 b@0.750 a@0.850 b@1.000"},
    {"what holds already happens with the next sub-step",
     [](Stage& s) { s.graph.chain({s.at(0.1), s.graph.when("speed", s.ball, {{"limit", 1}, {"side", 1}})}); }, "time@0.100 speed@0.100"},
    {"a ring of two that always hold goes on by sub-steps, not endlessly",
     [](Stage& s) { const Id a = s.named(s.graph.when("speed", s.ball, {{"limit", 1}, {"side", 1}}), "a"), b = s.named(s.graph.when("speed", s.ball, {{"limit", 1}, {"side", 1}}), "b"), go = s.named(s.at(0.98), "go"); s.graph.chain({go, a, b, a}); },
     "go@0.980 a@0.983 b@0.987 a@0.992 b@0.996 a@1.000"},
    {"a crossing is found inside the sub-step",
     [](Stage& s) { s.graph.wire(s.at(0), s.graph.does("throw", s.ball, {{"y", 1}})); s.graph.when("height", s.ball, {{"limit", 1.5002}, {"side", 0}}); },
     "time@0.000 throw+ throw- height@0.500"},
    {"a loop over a limit happens at each crossing",
     [](Stage& s) {
       s.graph.loop(s.graph.when("height", s.ball, {{"limit", 1.1}, {"side", 0}}));
       const Id up = s.graph.does("throw", s.ball, {{"y", 1}}), down = s.graph.does("throw", s.ball, {{"y", -1}});
       s.named(up, "up"); s.named(down, "down");
       s.graph.wire(s.at(0), up); s.graph.wire(s.named(s.at(0.2), "t"), down); s.graph.wire(s.named(s.at(0.4), "t"), up);
     },
     "time@0.000 up+ up- height@0.100 t@0.200 down+ down- t@0.400 up+ up- height@0.500"},
    {"a case that holds is followed, alone, and the others are not",
     [](Stage& s) {
       const Id e = s.at(0.1);
       const char* conditions[] = {"x > 5", "y > 0.5", ""};
       for (int k = 0; k < 3; ++k) { const Id c = s.named(s.graph.only_if(s.graph.when("case", s.ball), conditions[k]), std::string(1, static_cast<char>('a' + k))); s.graph.wire(e, c); s.graph.wire(c, s.mark(std::string("do ") + static_cast<char>('a' + k))); }
     },
     "time@0.100 b@0.100 do b+ do b-"},
    {"the order of cases is that of the wires",
     [](Stage& s) { const Id e = s.at(0.1), a = s.named(s.graph.when("case", s.ball), "a"), b = s.named(s.graph.when("case", s.ball), "b"); s.graph.wire(e, b); s.graph.wire(e, a); },
     "time@0.100 b@0.100"},
    {"a case in a case, and what it arms",
     [](Stage& s) { const Id e = s.at(0.1), a = s.named(s.graph.when("case", s.ball), "a"), b = s.named(s.graph.when("case", s.ball), "b"), t = s.named(s.at(0.2), "t"); s.graph.chain({e, a, b, t}); },
     "time@0.100 a@0.100 b@0.100 t@0.200"},
    {"no case holds: nothing", [](Stage& s) { const Id e = s.at(0.1), a = s.graph.only_if(s.graph.when("case", s.ball), "x > 5"); s.graph.wire(e, a); }, "time@0.100"},
    {"only if: it waits for the next time",
     [](Stage& s) { s.graph.only_if(s.graph.when("frame", s.ball, {{"every", 6}}), "t > 0.35"); }, "frame@0.400"},
    {"only if n: the first three of a loop", [](Stage& s) { s.graph.only_if(s.graph.loop(s.graph.when("frame", s.ball, {{"every", 6}})), "n < 3"); },
     "frame@0.000 frame@0.100 frame@0.200"},
    {"finished: when the procedure is over",
     [](Stage& s) { s.graph.chain({s.at(0.1), s.graph.does("push", s.ball, {{"y", 1}, {"duration", 0.2}}), s.graph.when("finished", s.ball)}); },
     "time@0.100 push+ push- finished@0.300"},
    {"finished, all: when the last is",
     [](Stage& s) { const Id e = s.at(0.1), p = s.named(s.graph.does("push", s.ball, {{"y", 1}, {"duration", 0.2}}), "p"), q = s.named(s.graph.does("push", s.ball, {{"y", 1}, {"duration", 0.3}}), "q"), f = s.graph.when("finished", s.ball, {{"which", 1}}); s.graph.wire(e, p); s.graph.wire(e, q); s.graph.wire(p, f); s.graph.wire(q, f); },
     "time@0.100 p+ q+ p- q- finished@0.400"},
    {"who takes over ends the other",
     [](Stage& s) { s.graph.chain({s.at(0.1), s.graph.does("hold", s.ball)}); s.graph.chain({s.named(s.at(0.2), "t"), s.graph.does("throw", s.ball, {{"y", 1}})}); },
     "time@0.100 hold+ t@0.200 hold- throw+ throw-"},
    {"on another body it does not",
     [](Stage& s) { s.graph.chain({s.at(0.1), s.graph.does("hold", s.ball)}); s.graph.chain({s.named(s.at(0.2), "t"), s.graph.does("throw", s.other, {{"y", 1}})}); },
     "time@0.100 hold+ t@0.200 throw+ throw-"},
    {"a message arms nothing and is heard by who waits",
     [](Stage& s) {
       s.graph.chain({s.at(0.1), s.graph.does("message", s.ball, {{"number", 7}}, s.other)});
       s.named(s.graph.when("message", s.other, {{"number", 7}}), "heard"); s.named(s.graph.when("message", s.other, {{"number", 8}}), "eight"); s.named(s.graph.when("message", s.ball, {{"number", 7}}), "own");
     },
     "time@0.100 message+ heard@0.100 message-"},
    {"a group: each of its objects by itself",
     [](Stage& s) { s.graph.chain({s.graph.when("height", s.group, {{"limit", 0.5}, {"side", 0}}), s.graph.does("throw", s.group, {{"x", 1}})}); },
     "height/ball@0.000 throw/ball+ height/second@0.000 throw/second+ throw/ball- throw/second-"},
    {"from one to a group: to all of it",
     [](Stage& s) { const Id e = s.graph.when("time", s.floor, {{"time", 0.1}}); s.graph.wire(e, s.graph.does("throw", s.group, {{"x", 1}})); },
     "time@0.100 throw/ball+ throw/second+ throw/ball- throw/second-"},
    {"from a group to one of it: to that",
     [](Stage& s) { const Id e = s.graph.when("time", s.group, {{"time", 0.1}}); s.graph.wire(e, s.graph.does("throw", s.other, {{"x", 1}})); },
     "time/ball@0.100 throw+ time/second@0.100 throw- throw+ throw-"},
    {"a box that is not used does nothing, nor what it leads to",
     [](Stage& s) { const Id e = s.at(0.1), a = s.mark("a"), b = s.named(s.at(0.2), "b"); s.graph.chain({e, a, b}); s.graph.change(a, [](MotionNode& n) { n.visible = false; }); },
     "time@0.100 b@0.200"},
    {"an unknown kind does nothing, the rest runs",
     [](Stage& s) { const Id e = s.at(0.1); s.graph.wire(e, s.graph.does("sneeze", s.ball)); s.graph.wire(e, s.mark("a")); }, "time@0.100 a+ a-"},
};
// clang-format on

}  // namespace

TEST_CASE("Small graphs give the log that they must", "[motion]") {
  for (const Row& row : kRows) {
    INFO(row.what);
    Stage stage;
    row.draw(stage);
    CHECK(stage.log(241) == row.log);
  }
}

TEST_CASE("A thousand times in a frame stop the run, with its name", "[motion]") {
  Stage s;
  // Each hears what the other sends, at the same moment.
  const Id a = s.named(s.graph.loop(s.graph.when("message", s.ball, {{"number", 1}})), "Echo"),
           b = s.graph.loop(s.graph.when("message", s.other, {{"number", 2}}));
  s.graph.wire(a, s.graph.does("message", s.ball, {{"number", 2}}, s.other));
  s.graph.wire(b, s.graph.does("message", s.other, {{"number", 1}}, s.ball));
  s.graph.wire(s.at(0.2), s.graph.does("message", s.ball, {{"number", 1}}, s.ball));
  MotionRun run(s.world);
  run.go(240);
  REQUIRE(run.stopped);
  CHECK(run.stopped->message == "\"Echo\" of \"ball\" happened more than 1000 times in one frame.");
  CHECK_FALSE(run.stopped->hint.empty());
  CHECK(static_cast<double>(run.state.substep) * run.model->step == Approx(0.2).margin(0.01));
  CHECK(run.state.motion.running.empty());  // as before the sub-step
}

TEST_CASE("A ring of cases stops the run, with its name", "[motion]") {
  Stage s;
  const Id first = s.named(s.graph.when("case", s.ball), "Round"), second = s.graph.when("case", s.ball);
  s.graph.chain({s.at(0.2), first, second, first});
  MotionRun run(s.world);
  run.go(240);
  REQUIRE(run.stopped);
  CHECK(run.stopped->message == "\"Round\" of \"ball\" leads to itself by cases alone, without end.");
  CHECK_FALSE(run.stopped->hint.empty());
  CHECK(run.state.motion.running.empty());
}

TEST_CASE("So does one at time 0", "[motion]") {
  Stage s;
  const Id first = s.named(s.graph.when("case", s.ball), "Round"), second = s.graph.when("case", s.ball);
  s.graph.chain({s.at(0), first, second, first});
  MotionRun run(s.world);
  run.go(240);
  REQUIRE(run.stopped);
  CHECK(run.stopped->message == "\"Round\" of \"ball\" leads to itself by cases alone, without end.");
  CHECK(run.state.substep == 0);
  // A ring that nothing leads into at the start stops nothing.
  Stage later;
  const Id one = later.graph.only_if(later.graph.when("case", later.ball), "t > 9"),
           two = later.graph.when("case", later.ball);
  later.graph.chain({later.at(0), one, two, one});
  MotionRun goes(later.world);
  goes.go(60);
  CHECK_FALSE(goes.stopped);
}

TEST_CASE("Expressions are read, and what is wrong is said with its place", "[motion]") {
  ExpressionFault fault;
  const auto value = [&](const char* text) {
    const std::string_view names[] = {"x", "speed"};
    const double values[] = {3, 0.5};
    const Expression e = Expression::parse(text, names, fault);
    return e.empty() ? std::nan("") : e.value(values);
  };
  CHECK(value("2*x+1") == 7);
  CHECK(value("x > 2 && speed < 1") == 1);
  CHECK(value("x >= 4 || speed == 1") == 0);
  CHECK(value("x > 2 ? 10 : 20") == 10);
  CHECK(value("-x^2") == Approx(-9));
  CHECK(value("max(x, speed) - sqrt(4)") == 1);
  const auto wrong = [&](const char* text) {
    CHECK(std::isnan(value(text)));
    CHECK_FALSE(fault.message.empty());
    return fault.place;
  };
  CHECK(wrong("x + sped") == 4);
  CHECK(wrong("x +") == 3);
  CHECK(wrong("(x + 1") >= 5);
  CHECK(wrong("x = 3") == 2);
  CHECK(wrong("") == 0);
  CHECK(wrong("x, 3") == 1);
  CHECK(wrong("max(") <= 4);
  wrong(std::string(100'000, 'x').c_str());
  wrong((std::string(1'000'000, '(')).c_str());
  wrong((std::string(1900, '(') + "x" + std::string(1899, ')')).c_str());
  wrong("x\n+1");
  CHECK(with_caret("x + sped", ExpressionFault{"No.", 4}) == "x + sped\n    ^ No.");
}

TEST_CASE("A value that is an expression is worked out when the procedure starts", "[motion]") {
  Stage s;
  const Id e = s.graph.loop(s.graph.when("frame", s.ball, {{"every", 12}}));
  const Id throwing = s.graph.does("throw", s.ball);
  s.graph.change(throwing, [](MotionNode& n) { n.parameters = {{"y", "1 + 10 * t", 0}}; });
  s.graph.wire(e, throwing);
  MotionRun run(s.world);
  run.go(10);
  CHECK(run.velocity(s.ball).y() == Approx(1).margin(1e-9));
  run.go(50);
  CHECK(run.velocity(s.ball).y() == Approx(3).margin(1e-9));
}

TEST_CASE("What is wrong with boxes is said with place and remedy", "[motion]") {
  const auto said = [](void (*draw)(Stage&)) {
    Stage s;
    draw(s);
    std::string all;
    for (const MotionFault& fault : motion_problems(s.world.scene)) {
      CHECK_FALSE(fault.path.empty());
      CHECK_FALSE(fault.hint.empty());
      all += fault.message;
    }
    MotionRun run(s.world);
    run.go(30);
    CHECK_FALSE(run.stopped);
    return all;
  };
  CHECK(said([](Stage& s) { s.graph.wire(s.at(0), s.mark("a")); }).empty());
  CHECK(said([](Stage& s) { s.graph.when("sneeze", s.ball); }) == "There is no event called \"sneeze\" here.");
  CHECK(said([](Stage& s) { s.graph.when("time", Id{777}); }) == "\"time\" is of an object that is not there.");
  CHECK(said([](Stage& s) { s.graph.when("time", Id{}); }) == "\"time\" is of no object, so it does nothing.");
  CHECK(said([](Stage& s) { s.graph.when("contact", s.ball, {}, Id{777}); }) ==
        "\"contact\" is about something that is not there.");
  CHECK(said([](Stage& s) { s.graph.when("contact", s.ball, {{"above", -1}}); }) == "Above must be at least 0 N s.");
  CHECK_FALSE(said([](Stage& s) { s.graph.when("near", s.ball); }).empty());
  CHECK_FALSE(said([](Stage& s) { s.graph.wire(s.at(0), s.graph.does("follow", s.ball)); }).empty());
  CHECK_FALSE(said([](Stage& s) { s.graph.wire(s.at(0), s.graph.does("throw", s.floor)); }).empty());
  CHECK_FALSE(said([](Stage& s) { s.graph.does("throw", s.ball); }).empty());
  CHECK_FALSE(said([](Stage& s) { s.graph.when("case", s.ball); }).empty());
  CHECK_FALSE(said([](Stage& s) { s.graph.when("finished", s.ball); }).empty());
  CHECK(said([](Stage& s) { s.graph.only_if(s.at(0), "speed > "); }) == "Only if: The expression ends too early.");
  CHECK_FALSE(said([](Stage& s) { s.graph.wire(s.at(0), Id{777}); }).empty());
  CHECK_FALSE(said([](Stage& s) {
                const Id a = s.named(s.at(0), "a"), b = s.named(s.at(1), "b");
                s.graph.chain({a, b, a});
              }).empty());
}

}  // namespace graph_test
