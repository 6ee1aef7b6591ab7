// Keys of what a box is about, of its choices, of which number it sets, and of whether it loops: they step, and each counts from its sub-step on.
#include <catch2/catch.hpp>

#include "core/motion/catalogue.h"
#include "core/motion/check.h"
#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/keyed.h"
#include "core/scene/derived/parts.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/support/graph.h"
#include "tests/support/small_scenes.h"

namespace thing_keys_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kKey = 0.25;  ///< s: where what is keyed becomes another one

struct Stage {
  World world;
  Graph graph{world};
  Stage() { world.scene.settings.substeps = 4; }
  Stage(const Stage& other) : world(other.world) {}

  FieldValue thing(Id id) { return static_cast<std::int64_t>(id.value); }
  void key(Id box, const char* field, double time, const FieldValue& value) {
    const std::size_t before = world.scene.tracks.size();
    world.scene = with_key(std::move(world.scene), box.value, field, time, value);
    REQUIRE(world.scene.tracks.size() >= std::max<std::size_t>(before, 1));
  }
  /// From `kKey` on the second one.
  void step(Id box, const char* field, const FieldValue& first, const FieldValue& second) {
    key(box, field, 0, first);
    key(box, field, kKey, second);
  }
  void step(Id box, const char* field, Id first, Id second) { step(box, field, thing(first), thing(second)); }
  Id start(Id of, Id procedure) {
    const Id event = graph.when("time", of, {{"time", 0.05}});
    graph.wire(event, procedure);
    return event;
  }
  Id each_frame(Id of) { return graph.loop(graph.when("frame", of)); }
  template <class Thing>
  Id put(std::vector<Shared<Thing>> Scene::*list, Thing one) {
    one.id = next_id(world.scene);
    (world.scene.*list).push_back(Shared<Thing>(one));
    return one.id;
  }
  /// Number of the sub-step that begins at the key.
  std::int64_t key_substep() const { return std::llround(kKey * 60 * world.scene.settings.substeps); }
};

std::uint64_t seen(const State& state) {
  State bare = state;
  bare.motion = {};
  return hash(bare);
}

/// The sub-step that makes the runs differ; −1: none of a second.
std::int64_t first_other_substep(const World& a, const World& b) {
  Run x(a), y(b);
  if (seen(x.state) != seen(y.state)) return -2;
  for (std::int64_t k = 0; k < 60 * a.scene.settings.substeps; ++k) {
    x.steps(1);
    y.steps(1);
    if (seen(x.state) != seen(y.state)) return k;
  }
  return -1;
}

/// The run as it is keyed is that of the first value up to the key, and another one in the sub-step that begins there.
void check_steps(Stage& stage, Id box, const char* field, const FieldValue& first, const FieldValue& second) {
  Stage plain = stage;
  plain.world.scene =
      with_motion(plain.world.scene, box, [&](MotionNode& node) { box_row(node, field)->set(node, first); });
  stage.step(box, field, first, second);
  INFO(field);
  CHECK(motion_problems(stage.world.scene).size() == motion_problems(plain.world.scene).size());
  CHECK(first_other_substep(plain.world, stage.world) == stage.key_substep());
}

Id jelly_at(World& world, const Vec3& place) {
  Object soft = World::jelly(0.2, place, 400, 0.5);
  soft.contact.enabled = false;
  return world.add(soft);
}

}  // namespace

TEST_CASE("A distance is to what its keys name by then", "[motion][keys][things]") {
  Stage s;
  s.world.scene.settings.gravity = Vec3::Zero();
  const Id ball = s.world.add(World::sphere(0.1, Vec3::Zero())), far = s.world.add(World::sphere(0.1, Vec3(5, 0, 0))),
           near = s.world.add(World::sphere(0.1, Vec3(0, 0.6, 0)));
  const Id event = s.graph.when("near", ball, {{"limit", 1}, {"side", 1}}, far);
  s.step(event, "event.near.with", far, near);
  MotionRun run(s.world);
  run.seconds(0.5);
  REQUIRE(run.count(event) == 1);
  CHECK(run.time_of(event) == Approx(kKey).margin(1e-9));
}

TEST_CASE("What leaves one thing does not leave another that it never touched", "[motion][keys][things]") {
  Stage s;
  s.world.floor();
  const Id ball = s.world.add(World::sphere(0.1, Vec3(0, 0.1, 0))),
           other = s.world.add(World::sphere(0.1, Vec3(3, 1, 0)));
  const Id ground = s.world.scene.objects[0]->id;
  const Id leaves = s.graph.loop(s.graph.when("leave", ball, {}, ground)),
           touches = s.graph.loop(s.graph.when("touch", ball, {}, other));
  s.step(leaves, "event.leave.with", ground, other);
  s.step(touches, "event.touch.with", other, ground);
  MotionRun run(s.world);
  run.seconds(0.5);
  CHECK(run.count(leaves) == 0);
  CHECK(run.count(touches) == 1);  // of what it touches already it begins to be asked at the key
  CHECK(run.time_of(touches) == Approx(kKey).margin(1.5 * run.model->step));
}

TEST_CASE("Collisions count with what is keyed", "[motion][keys][things]") {
  Stage s;
  s.world.scene.settings.gravity = Vec3::Zero();
  Object thrown = World::sphere(0.1, Vec3::Zero(), 50);
  thrown.body.velocity = Vec3(2, 0, 0);
  const Id ball = s.world.add(thrown);
  std::vector<Id> others;
  for (const auto& [x, z] : {std::pair(0.4, 0.1), std::pair(0.9, -0.1)})
    others.push_back(s.world.add(World::sphere(0.05, Vec3(x, 0, z), 0.01)));
  const auto count = [&](Id first, Id second) {
    Stage one = s;
    const Id event = one.graph.loop(one.graph.when("contact", ball, {}, first));
    one.step(event, "event.contact.with", first, second);
    MotionRun run(one.world);
    run.seconds(0.6);
    return run.count(event);
  };
  CHECK(count(others[0], others[1]) == 2);  // the one before the key, the other behind it
  CHECK(count(others[1], others[0]) == 0);
  CHECK(count(others[0], others[0]) == 1);
  CHECK(count(Id{}, others[0]) == 1);
}

TEST_CASE("A marker counts while it is the one that is keyed", "[motion][keys][things]") {
  Stage s;
  const Id ball = s.world.add(World::sphere(0.1, Vec3(0, 1, 0)));
  const auto marker = [&](const char* name, double time) {
    Marker one;
    one.name = name;
    one.time = time;
    return s.put(&Scene::markers, one);
  };
  const Id a = marker("A", 0.1), b = marker("B", 0.2);
  marker("A", 0.4);
  marker("B", 0.45);
  const Id event = s.graph.loop(s.graph.when("marker", ball, {}, a));
  s.step(event, "event.marker.with", a, b);
  MotionRun run(s.world);
  run.seconds(0.6);
  REQUIRE(run.count(event) == 2);
  CHECK(run.time_of(event, 0) == Approx(0.1).margin(1e-9));
  CHECK(run.time_of(event, 1) == Approx(0.45).margin(1e-9));
  // One at the very moment of the key is of the key.
  s.key(event, "event.marker.with", 0.4, s.thing(a));
  MotionRun again(s.world);
  again.seconds(0.6);
  CHECK(again.count(event) == 2);
  CHECK(again.time_of(event, 1) == Approx(0.4).margin(1e-9));
}

TEST_CASE("An event loops while its keys say so", "[motion][keys][things]") {
  Stage s;
  const Id ball = s.world.add(World::sphere(0.1, Vec3(0, 1, 0)));
  const Id event = s.graph.when("frame", ball);
  s.step(event, "event.frame.loop", true, false);
  MotionRun run(s.world);
  run.seconds(0.6);
  // Those of frames 0 … 14 loop, and the one of frame 15, where it no longer does, is the last.
  CHECK(run.count(event) == 16);
}

TEST_CASE("Sends, cuts, sounds and particles go to what is keyed as they start", "[motion][keys][things]") {
  Stage s;
  const Id ball = s.world.add(World::sphere(0.1, Vec3(0, 2, 0))), a = s.world.add(World::sphere(0.1, Vec3(1, 2, 0))),
           b = s.world.add(World::sphere(0.1, Vec3(2, 2, 0)));
  const Id first = s.put(&Scene::cameras, Camera()), second = s.put(&Scene::cameras, Camera());
  const Id low = s.put(&Scene::sounds, Sound()), high = s.put(&Scene::sounds, Sound());
  const Id frame = s.each_frame(ball), sends = s.graph.does("message", ball, {}, a),
           cuts = s.graph.does("cut", ball, {}, first), plays = s.graph.does("play", ball, {}, low);
  for (const Id box : {sends, cuts, plays}) s.graph.wire(frame, box);
  const Id hears_a = s.graph.loop(s.graph.when("message", a)), hears_b = s.graph.loop(s.graph.when("message", b));
  s.step(sends, "procedure.message.with", a, b);
  s.step(cuts, "procedure.cut.with", first, second);
  s.step(plays, "procedure.play.with", low, high);
  MotionRun run(s.world);
  run.seconds(0.5);
  CHECK(run.count(hears_a) == 15);
  CHECK(run.count(hears_b) == 16);
  int cues = 0;
  for (const FilmCue& cue : run.state.motion.cues) {
    const bool late = cue.time > kKey - 1e-9, camera = cue.thing == first || cue.thing == second;
    CHECK(cue.thing == (camera ? (late ? second : first) : (late ? high : low)));
    ++cues;
  }
  CHECK(cues == 62);
}

TEST_CASE("What runs goes over to what is keyed, in the sub-step of the key", "[motion][keys][things]") {
  SECTION("friction with something else") {
    Stage s;
    s.world.floor(0.5, 0);
    Object slides = World::box(Vec3::Constant(0.2), Vec3(0, 0.1, 0), 1);
    slides.body.velocity = Vec3(2, 0, 0);
    const Id box = s.world.add(slides), other = s.world.add(World::sphere(0.1, Vec3(0, 3, 3)));
    const Id ground = s.world.scene.objects[0]->id;
    const Id does = s.graph.does("collide", box, {{"friction", 0}, {"restitution", 0}}, other);
    s.start(box, does);
    check_steps(s, does, "procedure.collide.with", s.thing(other), s.thing(ground));
  }
  SECTION("what it passes through") {
    Stage s;
    s.world.floor();
    const Id box = s.world.add(World::box(Vec3::Constant(0.2), Vec3(0, 0.1, 0), 1)),
             other = s.world.add(World::sphere(0.1, Vec3(0, 3, 3)));
    const Id ground = s.world.scene.objects[0]->id;
    const Id does = s.graph.does("pass", box, {{"duration", 0}}, other);
    s.start(box, does);
    check_steps(s, does, "procedure.pass.with", s.thing(other), s.thing(ground));
  }
  SECTION("whose number is set, and which one") {
    Stage s;
    s.world.scene.settings.gravity = Vec3::Zero();
    Force push;
    push.push = Vec3::Zero();
    push.object = s.world.add(World::sphere(0.1, Vec3::Zero())).value;
    const Id a = s.put(&Scene::forces, push);
    push.object = s.world.add(World::sphere(0.1, Vec3(1, 0, 0))).value;
    const Id b = s.put(&Scene::forces, push);
    const auto words = settable_words();
    const auto number = [&](std::string_view word) {
      return static_cast<double>(std::find(words.begin(), words.end(), word) - words.begin());
    };
    const double x = number("force.push.x"), y = number("force.push.y");
    REQUIRE(y < static_cast<double>(words.size()));
    const Id does = s.graph.does("set", Id{push.object}, {{"number", x}, {"to", 3}}, a);
    s.start(Id{push.object}, does);
    Stage other = s;
    check_steps(s, does, "procedure.set.with", s.thing(a), s.thing(b));
    check_steps(other, does, "procedure.set.number", static_cast<std::int64_t>(x), static_cast<std::int64_t>(y));
    // The first one goes on as it says itself: at the speed that it has.
    Run run(s.world);
    run.seconds(0.5);
    CHECK(run.velocity(Id{s.world.scene.forces[0]->object}).x() > 0);
    CHECK(run.velocity(Id{s.world.scene.forces[0]->object}).x() ==
          Approx(run.velocity(Id{s.world.scene.forces[1]->object}).x() * 0.2 / 0.25).epsilon(0.03));
  }
}

TEST_CASE("A material, a solver and a shape go over in the sub-step of the key", "[motion][keys][things]") {
  SECTION("a material") {
    Stage s;
    s.world.floor(0.5, 0.6);
    Object slides = World::box(Vec3::Constant(0.2), Vec3(0, 0.1, 0), 1);
    slides.body.velocity = Vec3(3, 0, 0);
    const Id box = s.world.add(slides);
    const Id does = s.graph.does("material", box, {{"duration", 0}});
    s.start(box, does);
    const auto choices = box_row(*find_motion(s.world.scene, does), "procedure.material.material")->choices;
    const auto of = [&](std::string_view name) {
      const auto at = std::find(choices.begin(), choices.end(), name);
      REQUIRE(at != choices.end());
      return static_cast<std::int64_t>(at - choices.begin());
    };
    check_steps(s, does, "procedure.material.material", of("black rubber"), of("yellow plastic"));
  }
  SECTION("a solver, and the axis of a shape") {
    Stage s;
    s.world.scene.settings.gravity = Vec3::Zero();
    const Id soft = jelly_at(s.world, Vec3(0, 1, 0));
    const Id shape = s.graph.does("pose", soft, {{"in", 0.1}, {"stay", 5}, {"stretch", 30}}),
             solver = s.graph.does("solver", soft, {{"solver", static_cast<double>(number_of_solver("lagrange"))}});
    s.start(soft, shape);
    Stage other = s;
    check_steps(s, shape, "procedure.pose.axis", std::int64_t{1}, std::int64_t{0});
    other.start(soft, solver);
    check_steps(other, solver, "procedure.solver.solver", static_cast<std::int64_t>(number_of_solver("lagrange")),
                static_cast<std::int64_t>(number_of_solver("springs")));
  }
  SECTION("what keys name for a while and then nothing ends") {
    Stage s;
    const Id ball = s.world.add(World::sphere(0.1, Vec3(0, 1, 0))),
             other = s.world.add(World::sphere(0.1, Vec3(3, 1, 0)));
    Force push;
    push.object = ball.value;
    const Id force = s.put(&Scene::forces, push);
    const auto words = settable_words();
    const auto x = static_cast<double>(std::find(words.begin(), words.end(), "force.push.x") - words.begin());
    const Id does = s.graph.does("set", ball, {{"number", x}, {"to", 3}}, force);
    s.start(ball, does);
    s.step(does, "procedure.set.with", force, other);  // which has no such number
    CHECK(motion_problems(s.world.scene).size() == 1);
    MotionRun run(s.world);
    run.seconds(0.5);
    CHECK(run.state.motion.running.empty());
  }
}

TEST_CASE("It rides on what is keyed, by the nodes of that", "[motion][keys][things]") {
  Stage s;
  s.world.scene.settings.gravity = Vec3::Zero();
  const Id a = jelly_at(s.world, Vec3(0, 1, 0)), b = jelly_at(s.world, Vec3(2, 1, 0));
  for (const auto& [id, speed] : {std::pair(a, Vec3(0.5, 0, 0)), std::pair(b, Vec3(0, 0.5, 0))})
    s.world.scene = with_object(s.world.scene, id, [v = speed](Object& o) { o.body.velocity = v; });
  Object mast = World::jelly(0.1, Vec3(0, 1.3, 0), 400, 0.5);
  mast.contact.enabled = false;
  mast.analysis.kind = AnalysisKind::strung;
  mast.analysis.strung = pinned_prism();
  const Id rides = s.world.add(mast);
  const Id does = s.graph.does("ride", rides, {}, a);
  s.start(rides, does);
  Stage plain = s;
  check_steps(s, does, "procedure.ride.with", s.thing(a), s.thing(b));
  // It goes up with the second one from then on, and no longer to the side with the first.
  Run run(s.world);
  const auto place = [&] { return run.at(rides).centre; };
  run.seconds(0.05);
  const Vec3 begin = place();
  run.seconds(kKey - 0.05);
  const Vec3 middle = place();
  run.seconds(0.25);
  CHECK((middle - begin - Vec3(0.1, 0, 0)).norm() < 0.01);
  CHECK((place() - middle - Vec3(0, 0.125, 0)).norm() < 0.02);
}

TEST_CASE("Keys of things are kept in files, copies and motions; what they name that goes is told in one sentence",
          "[motion][keys][things]") {
  Stage s;
  const Id ball = s.world.add(World::sphere(0.1, Vec3(0, 1, 0))), a = s.world.add(World::sphere(0.1, Vec3(1, 1, 0))),
           b = s.world.add(World::sphere(0.1, Vec3(2, 1, 0)));
  const Id event = s.graph.when("near", ball, {}, a);
  s.graph.wire(event, s.graph.does("throw", ball));
  s.step(event, "event.near.with", a, b);
  const Scene& scene = s.world.scene;
  CHECK(motion_problems(scene).empty());
  CHECK(validate(scene).empty());
  CHECK(find_motion(shown_at(scene, 0.1), event)->other == a.value);
  CHECK(find_motion(shown_at(scene, 0.3), event)->other == b.value);
  SECTION("files") {
    const std::string text = scene_to_text(scene);
    const auto back = scene_from_text(text, {});
    REQUIRE(back.ok());
    CHECK(scene_to_text(*back) == text);
    CHECK(simulation_signature(*back) == simulation_signature(scene));
  }
  SECTION("deletion") {
    const Scene gone = without(scene, b);
    REQUIRE(gone.tracks.size() == 1);
    CHECK(gone.tracks[0]->keys.size() == 2);
    const auto problems = motion_problems(gone);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].message ==
          "The key of \"near\" at 0.25 s names something that is not there; up to the next key it does nothing.");
    World world;
    world.scene = gone;
    MotionRun run(world);
    run.seconds(0.5);
    CHECK(run.count(event) == 0);
  }
  SECTION("copies") {
    const JoinedScene twice = joined(scene, part_of(scene, {ball, a}));
    REQUIRE(twice.scene.tracks.size() == 2);
    const Track& copy = *twice.scene.tracks[1];
    CHECK(copy.target == twice.ids.at(event).value);
    CHECK(copy.keys[0].value[0] == static_cast<double>(twice.ids.at(a).value));  // copied along
    CHECK(copy.keys[1].value[0] == static_cast<double>(b.value));                // and what was not
  }
  SECTION("motions") {
    const BodyOf body = [](const Object&) { return MotionBody(); };
    std::set<Id> boxes;
    for (const auto& node : scene.motion) boxes.insert(node->id);
    const Scene motion = motion_of(scene, boxes, "Near", "", body);
    CHECK(stand_ins(motion).size() == 3);
    World other;
    const Id mine = other.add(World::sphere(0.1, Vec3(0, 1, 0))), first = other.add(World::sphere(0.1, Vec3(1, 1, 0))),
             second = other.add(World::sphere(0.1, Vec3(2, 1, 0)));
    const auto put = put_motion(other.scene, motion, {{ball, mine}, {a, first}, {b, second}}, {}, body, 0, 0);
    REQUIRE(put.ok());
    REQUIRE(put->scene.tracks.size() == 1);
    CHECK(put->scene.tracks[0]->keys[0].value[0] == static_cast<double>(first.value));
    CHECK(put->scene.tracks[0]->keys[1].value[0] == static_cast<double>(second.value));
  }
}

TEST_CASE("Keys of things: wrong ones, the first frame that they change, and rows without", "[motion][keys][things]") {
  Stage s;
  const Id ball = s.world.add(World::sphere(0.1, Vec3(0, 1, 0))), a = s.world.add(World::sphere(0.1, Vec3(1, 1, 0))),
           b = s.world.add(World::sphere(0.1, Vec3(2, 1, 0)));
  const Id event = s.graph.when("near", ball, {}, a);
  s.graph.wire(event, s.graph.does("throw", ball));
  s.step(event, "event.near.with", a, b);
  const Scene& scene = s.world.scene;
  SECTION("a key of a wrong choice, as of a newer version") {
    s.key(event, "event.near.side", 0.1, std::int64_t{1});
    s.world.scene.tracks[1] = s.world.scene.tracks[1].edited([](Track& t) { t.keys[0].value[0] = 9; });
    const auto problems = motion_problems(s.world.scene);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].message.find("choice number 9") != std::string::npos);
    const auto back = scene_from_text(scene_to_text(s.world.scene), {});
    REQUIRE(back.ok());
    CHECK(back->tracks[1]->keys[0].value[0] == 9);
  }
  SECTION("the first frame that a key changes") {
    const auto first = [&](double time, Id to) {
      Scene next = with_key(scene, event.value, "event.near.with", time, static_cast<std::int64_t>(to.value));
      return diff(scene, next, [](const Cause&) { return 0; }).first_frame;
    };
    CHECK(first(0.5, a) == 30);
    CHECK(first(0.25, a) == 15);
    CHECK(first(0.5, b) == kNoFrame);
    CHECK(first(0.1, b) == 6);
  }
  SECTION("rows that cannot be keyed say why") {
    const Id marker = s.graph.when("marker", ball);
    CHECK(key_problem(s.world.scene, marker.value, "event.marker.key").find("No run reads this") == 0);
    CHECK(key_problem(s.world.scene, marker.value, "event.marker.with").empty());
    CHECK(key_problem(s.world.scene, marker.value, "event.marker.loop").empty());
  }
}

}  // namespace thing_keys_test
