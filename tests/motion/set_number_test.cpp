// Set: a number of the scene that a procedure tells a run (core/motion/procedures/set.cpp), against keys that say the same, bit for bit.
#include <catch2/catch.hpp>

#include "core/motion/check.h"
#include "core/scene/derived/keyed.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/diff.h"
#include "core/scene/values/scene_lists.h"
#include "tests/support/edits.h"
#include "tests/support/fill_run.h"
#include "tests/support/graph.h"
#include "tests/support/particle_world.h"

namespace set_number_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kG = 9.80665;

/// Something of everything that has numbers to set.
struct Stage : ParticleWorld {
  Id ground, box, ball, jelly_ball, arm, joint, force, field, source;
  Graph graph() { return Graph(*this); }

  explicit Stage(JointKind kind = JointKind::hinge) {
    scene.settings.substeps = 4;
    scene.settings.last_frame = 60;
    ground = floor(0.5, 0.6);
    Object slides = World::box(Vec3::Constant(0.2), Vec3(0, 0.1, 0), 1);
    slides.body.velocity = Vec3(2, 0, 0);
    box = add(slides);
    ball = add(World::sphere(0.1, Vec3(0, 0.25, 2)));
    Object soft = World::jelly(0.2, Vec3(0, 1.5, 4), 800);
    soft.body.volume.of = VolumeOf::hull;
    jelly_ball = add(soft);
    arm = add(World::box(Vec3(0.6, 0.1, 0.1), Vec3(0, 3, 6)));
    Joint one;
    one.id = joint = next_id(scene);
    one.name = "Joint";
    one.kind = kind;
    one.a.object = arm.value;
    one.b.place = one.a.place = Vec3(0, 0, 0);
    one.b.place = Vec3(0, 3, 6);
    one.motor = true;
    one.motor_turn = 1;
    one.motor_torque = one.motor_force = 50;
    one.limited = true;
    one.measured = false;
    scene.joints.push_back(Shared<Joint>(one));
    Force push;
    push.id = force = next_id(scene);
    push.name = "Force";
    push.object = ball.value;
    push.push = Vec3::Zero();
    scene.forces.push_back(Shared<Force>(push));
    field = FieldWorld::field(FieldKind::wind, [](ForceField& f) { f.speed = 2; });
    source = ParticleWorld::source([](ParticleSource& s) {
      s.rate = 300;
      s.life = 10;
      s.position = Vec3(3, 1, 0);
      s.fields = true;
    });
  }
  Id thing(NumberOf of) const {
    const Id all[] = {Id{}, joint, force, field, source, Id{}};
    return all[static_cast<std::size_t>(of)];
  }
  /// Of whom a number of objects is.
  Id owner(const SettableNumber& number) const {
    if (number.path == "body.volume.size") return jelly_ball;
    return number.path == "material.substance.friction" ? box : ball;
  }
  Id set(const SettableNumber& number, double to, double duration = 0, Id of = {}) {
    const auto at = static_cast<double>(&number - settable_numbers().data());
    const Id object = of ? of : owner(number);
    return graph().does("set", object, {{"number", at}, {"to", to}, {"duration", duration}}, thing(number.of));
  }
  /// Something of its list that has the number, if it has to be of another sort for that.
  bool fit(const SettableNumber& number) {
    const Id what = number.of == NumberOf::object ? owner(number) : thing(number.of);
    for (int kind = 0; kind < 8; ++kind)
      for (int shape = 0; shape < 8; ++shape) {
        if (has_number(scene, number, what)) return true;
        if (number.of == NumberOf::field && kind < int(words<FieldKind>().size()) &&
            shape < int(words<FieldShape>().size()))
          scene = with_thing(scene, field, [&](auto& thing) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(thing)>, ForceField>) {
              thing.kind = static_cast<FieldKind>(kind);
              thing.shape = static_cast<FieldShape>(shape);
            }
          });
        if (number.of == NumberOf::source && shape < int(words<SourceShape>().size()))
          change_source(source, [&](ParticleSource& s) { s.shape = static_cast<SourceShape>(shape); });
      }
    return has_number(scene, number, what);
  }
};

const SettableNumber& number(std::string_view word) {
  for (const SettableNumber& one : settable_numbers())
    if (one.word == word) return one;
  FAIL("no number " << word);
  return settable_numbers()[0];
}

JointKind kind_with(const SettableNumber& of) {
  if (of.of != NumberOf::joint) return JointKind::hinge;
  if (of.path == "motor_speed" || of.path == "motor_force" || of.path.ends_with("_way")) return JointKind::slider;
  if (of.path == "length") return JointKind::rope;
  if (of.path == "stiffness" || of.path == "damping") return JointKind::spring;
  if (of.path.starts_with("pull_")) return JointKind::pull;
  if (of.path == "ratio") return JointKind::gear;
  return of.path == "strictness" ? JointKind::lead : JointKind::hinge;
}

double own_value(const Stage& stage, const SettableNumber& of) {
  const Id what = of.of == NumberOf::object ? stage.owner(of) : stage.thing(of.of);
  const std::string path = (of.of == NumberOf::scene ? "settings." : "") + std::string(of.path);
  return numbers_of(*value_at(stage.scene, what.value, path, 0))[of.axis < 0 ? 0 : static_cast<std::size_t>(of.axis)];
}

/// What bodies and particles do; what boxes remember is another thing.
std::uint64_t motion_hash(State state) {
  state.motion = {};
  return hash(state);
}

}  // namespace

TEST_CASE("Numbers that can be set stay at their places, which keys in files name", "[motion][set][file]") {
  // A new one comes behind these in told_numbers.cpp, whatever the order of its table of fields.
  static constexpr std::string_view kPlaces[] = {"object.material.substance.friction",
                                                 "object.material.substance.restitution",
                                                 "object.body.volume.size",
                                                 "joint.on",
                                                 "joint.strictness",
                                                 "joint.motor_turn",
                                                 "joint.motor_speed",
                                                 "joint.motor_torque",
                                                 "joint.motor_force",
                                                 "force.on",
                                                 "force.push.x",
                                                 "force.push.y",
                                                 "force.push.z",
                                                 "field.on",
                                                 "field.position.x",
                                                 "field.position.y",
                                                 "field.position.z",
                                                 "field.size.x",
                                                 "field.size.y",
                                                 "field.size.z",
                                                 "field.radius",
                                                 "field.falloff",
                                                 "field.core",
                                                 "field.speed",
                                                 "field.gust",
                                                 "field.rise",
                                                 "field.inflow",
                                                 "field.density",
                                                 "field.water_density",
                                                 "field.linear",
                                                 "field.quadratic",
                                                 "field.strength",
                                                 "source.on",
                                                 "source.position.x",
                                                 "source.position.y",
                                                 "source.position.z",
                                                 "source.radius",
                                                 "source.tilt",
                                                 "source.cone",
                                                 "source.rate",
                                                 "source.speed",
                                                 "scene.gravity.x",
                                                 "scene.gravity.y",
                                                 "scene.gravity.z",
                                                 "joint.a.place.x",
                                                 "joint.a.place.y",
                                                 "joint.a.place.z",
                                                 "joint.least_turn",
                                                 "joint.most_turn",
                                                 "joint.least_way",
                                                 "joint.most_way",
                                                 "joint.length",
                                                 "joint.stiffness",
                                                 "joint.damping",
                                                 "joint.pull_rate",
                                                 "joint.pull_most",
                                                 "joint.ratio",
                                                 "joint.break_force"};
  const auto words = settable_words();
  REQUIRE(words.size() >= std::size(kPlaces));
  for (std::size_t i = 0; i < std::size(kPlaces); ++i) CHECK(words[i] == kPlaces[i]);
}

TEST_CASE("Numbers that can be set: all that keys may change and a run reads, but what other procedures do",
          "[motion][set]") {
  std::set<std::string_view> words_seen;
  for (const SettableNumber& one : settable_numbers()) {
    INFO(one.word);
    CHECK(words_seen.insert(one.word).second);
    CHECK(one.range.low < one.range.high);
    const MotionNode node;
    CHECK_FALSE(one.label.empty());
  }
  const std::set<std::string> done_elsewhere = {"object.transform.position",
                                                "object.transform.rotation",
                                                "object.follow.along",
                                                "object.follow.roll",
                                                "object.body.shape.pose",
                                                "object.body.shape.following",
                                                "object.body.gravity",
                                                "object.body.led",
                                                "joint.along",
                                                "joint.b.place",
                                                "joint.turn",
                                                "scene.time_scale",
                                                "field.rotation",
                                                "source.rotation"};
  std::size_t rows = 0;
  const auto check = [&](const std::string& prefix, auto fields) {
    for (const auto& row : fields) {
      if (!row.keyable || row.effect == Effect::look) continue;
      const std::string path = prefix + std::string(row.path);
      const bool vector = row.type == FieldType::vector;
      INFO(path);
      CHECK((words_seen.contains(vector ? path + ".x" : path)) != done_elsewhere.contains(path));
      ++rows;
    }
  };
  check("object.", object_fields());
  check("joint.", joint_fields());
  check("force.", force_fields());
  check("field.", force_field_fields());
  check("source.", particle_source_fields());
  check("scene.", settings_fields());
  CHECK(rows > 40);
}

TEST_CASE("Every number set at once is what keys that step there do, bit for bit", "[motion][set]") {
  constexpr int kAt = 20;
  int told_otherwise = 0, compared = 0;
  for (const SettableNumber& one : settable_numbers()) {
    INFO(one.word);
    Stage stage(kind_with(one));
    if (one.is_switch()) {
      const Id what = stage.thing(one.of);
      stage.scene = with_thing(stage.scene, what, [](auto& thing) {
        if constexpr (requires { thing.on = false; }) thing.on = false;
      });
      if (one.of == NumberOf::force)
        stage.scene = with_thing(stage.scene, what, [](auto& thing) {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(thing)>, Force>) thing.push = Vec3(3, 0, 0);
        });
    }
    REQUIRE(stage.fit(one));
    const double own = own_value(stage, one), h = 1.0 / 240;
    double to = one.is_switch() ? 1 : std::clamp(1.5 * own + 0.3, one.range.low, one.range.high);
    if (to == own) to = std::clamp(0.5 * own, one.range.low, one.range.high);
    to = one.meant(one.shown(to));  // degrees
    const World plain = stage;
    Stage keyed = stage;
    // What a sub-step reads at its end is keyed between its ends.
    const bool at_end = (one.of == NumberOf::joint && !one.is_switch()) || one.path == "body.volume.size";
    const double time = (kAt + (at_end ? 0.5 : 0)) * h;
    const Id what = one.of == NumberOf::object ? stage.owner(one) : stage.thing(one.of);
    const std::string path = (one.of == NumberOf::scene ? "settings." : "") + std::string(one.path);
    const FieldValue was = *value_at(stage.scene, what.value, path, 0);
    FieldValue is = to;
    if (one.is_switch()) is = to >= 0.5;
    if (one.axis >= 0) {
      Vec3 all = std::get<Vec3>(was);
      all[one.axis] = to;
      is = all;
    }
    keyed.scene = with_key(keyed.scene, what.value, path, 0, was);
    keyed.scene = with_key(keyed.scene, what.value, path, time, is);
    for (auto& track : keyed.scene.tracks)
      track = track.edited([](Track& t) {
        for (Key& key : t.keys) key.shape = KeyShape::step;
      });
    Stage set = stage;  // it happens in the sub-step before, and tells the one that comes
    set.graph().chain({set.graph().when("time", set.ball, {{"time", (kAt - 0.5) * h}}), set.set(one, one.shown(to))});
    CHECK(motion_problems(set.scene).empty());
    MotionRun a(keyed), b(set), without(plain);
    // A place that jumps is passed on the way by what is born with keys, and not when it is set between two sub-steps.
    const bool jumps = one.path == "position" && one.of == NumberOf::source;
    bool differs = false;
    for (int k = 0; k < 3 * kAt; ++k) {
      a.go(1);
      b.go(1);
      without.go(1);
      REQUIRE_FALSE(b.stopped);
      INFO("sub-step " << k);
      if (!jumps) REQUIRE(motion_hash(a.state) == motion_hash(b.state));
      // Of a joint that is off for good a state knows nothing.
      if (k < kAt && one.word != "joint.on") REQUIRE(motion_hash(b.state) == motion_hash(without.state));
      differs = differs || motion_hash(b.state) != motion_hash(without.state);
    }
    told_otherwise += differs;
    ++compared;
  }
  // Of a field of one kind and shape alone some numbers are far from everything here.
  CHECK(compared == static_cast<int>(settable_numbers().size()));
  CHECK(told_otherwise >= 30);
}

TEST_CASE("A push that glides gives the momentum that its values add up to", "[motion][set]") {
  Stage stage;
  stage.scene.settings.gravity = Vec3::Zero();
  stage.scene = without(stage.scene, stage.field);
  stage.graph().chain(
      {stage.graph().when("time", stage.ball, {{"time", 0}}), stage.set(number("force.push.x"), 8, 0.5)});
  MotionRun run(stage);
  const double h = run.model->step;
  double momentum = 0;
  const Object& ball = *find_object(stage.scene, stage.ball);
  for (int k = 0; k < 200; ++k) {
    run.go(1);
    momentum += h * 8 * std::min(1.0, (k + 1) * h / 0.5);
    REQUIRE(run.velocity(stage.ball).x() * ball.body.mass == Approx(momentum).epsilon(1e-12));
  }
  CHECK(momentum > 4);
}

TEST_CASE("A box slides without friction until it is set, and is braked by μ g then", "[motion][set]") {
  Stage stage;
  stage.scene = without(stage.scene, stage.field);
  for (const Id id : {stage.box, stage.ground})
    stage.scene = with_object(stage.scene, id, [](Object& o) { o.material.substance.friction = 0; });
  const SettableNumber& friction = number("object.material.substance.friction");
  const Id event = stage.graph().when("time", stage.box, {{"time", 0.25}});
  stage.graph().wire(event, stage.set(friction, 0.4, 0, stage.box));
  stage.graph().wire(event, stage.set(friction, 0.4, 0, stage.ground));
  MotionRun run(stage);
  run.seconds(0.25);
  CHECK(run.velocity(stage.box).x() == Approx(2).epsilon(1e-9));
  const double before = run.velocity(stage.box).x();
  run.seconds(0.2);
  // Of both the mean or the product, whatever the rule of pairs makes of 0.4 and 0.4.
  const double braked = (before - run.velocity(stage.box).x()) / (0.2 * kG);
  CHECK(braked == Approx(0.4).epsilon(0.02));
}

TEST_CASE("Set takes over what another one has set, of whatever object, and glides on from there", "[motion][set]") {
  Stage stage;
  const SettableNumber& speed = number("field.speed");
  const Id first = stage.set(speed, 10, 0.5), second = stage.set(speed, -4, 0.2, stage.box),
           other = stage.set(number("field.gust"), 1, 1, stage.ball);
  stage.graph().chain({stage.graph().when("time", stage.ball, {{"time", 0.1}}), first});
  const Id later = stage.graph().when("time", stage.box, {{"time", 0.3}});
  stage.graph().wire(later, second);
  stage.graph().wire(later, other);
  MotionRun run(stage);
  double before = 2, largest = 0;
  const double h = run.model->step;
  for (int k = 0; k < 160; ++k) {
    std::vector<NumberTold> all;
    run.model->director->numbers(*run.model, run.state, run.state.substep, all);
    double now = 2;
    for (const NumberTold& one : all)
      if (settable_numbers()[one.number].word == speed.word) now = told(one, 2);
    // 8 m/s in 0.5 s, then at most 9.2 in 0.2: nothing jumps.
    CHECK(std::abs(now - before) <= 14 * h / 0.2);
    before = now;
    largest = std::max(largest, now);
    run.go(1);
  }
  CHECK(before == -4);
  CHECK(largest == Approx(2 + 8 * 0.2 / 0.5).epsilon(0.02));
  CHECK(run.count(first, MotionTurn::ended) == 1);
  CHECK(run.time_of(first, 0, MotionTurn::ended) == Approx(0.3).margin(h));
  CHECK(run.count(second, MotionTurn::ended) == 1);
}

TEST_CASE("What cannot be set is said, and the rest runs", "[motion][set]") {
  Stage stage;
  const auto says = [&](Id box, const char* words) {
    for (const MotionFault& fault : motion_problems(stage.scene))
      if (fault.node == box && fault.message.find(words) != std::string::npos) return true;
    return false;
  };
  const Id event = stage.graph().when("time", stage.ball, {{"time", 0}});
  const Id none = stage.set(number("joint.motor_turn"), 1);
  stage.graph().change(none, [](MotionNode& n) { n.other = 0; });
  CHECK(says(none, "is of a joint, and none is picked"));
  const Id wrong = stage.set(number("joint.motor_turn"), 1);
  stage.graph().change(wrong, [&](MotionNode& n) { n.other = stage.field.value; });
  CHECK(says(wrong, "is of a joint"));
  const Id hard = stage.set(number("object.body.volume.size"), 2, 0, stage.box);
  CHECK(says(hard, "has no \"Size\" now"));
  const Id slides = stage.set(number("joint.motor_speed"), 1);
  CHECK(says(slides, "has no \"Speed\" now"));
  const Id far = stage.set(number("object.material.substance.restitution"), 7);
  CHECK(says(far, "goes to the end of its range"));
  const Id unknown = stage.set(number("field.speed"), 1);
  stage.graph().change(unknown, [](MotionNode& n) { set_parameter(n, {"number", "field.colour"}); });
  CHECK(says(unknown, "\"field.colour\" is none of the 58 that there are"));
  const Id works = stage.set(number("field.speed"), 5);
  for (const Id box : {none, wrong, hard, slides, far, works}) stage.graph().wire(event, box);
  MotionRun run(stage);
  run.go(10);
  CHECK_FALSE(run.stopped);
  CHECK(run.count(works, MotionTurn::started) == 1);
  CHECK(run.count(hard, MotionTurn::started) == 0);
}

TEST_CASE("What sleeps wakes when a number is set that moves it", "[motion][set]") {
  for (const char* word : {"scene.gravity.x", "field.speed", "force.push.x"}) {
    INFO(word);
    Stage stage;
    stage.scene = with_object(stage.scene, stage.box, [](Object& o) { o.body.velocity.setZero(); });
    stage.scene = with_thing(stage.scene, stage.field, [](auto& thing) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(thing)>, ForceField>) thing.speed = 0;
    });
    stage.scene = with_thing(stage.scene, stage.force, [&](auto& thing) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(thing)>, Force>) thing.object = stage.box.value;
    });
    const double to = number(word).of == NumberOf::field ? 60 : 12;
    stage.graph().chain({stage.graph().when("time", stage.box, {{"time", 1.5}}), stage.set(number(word), to)});
    MotionRun run(stage);
    run.seconds(1.5);
    CHECK(run.velocity(stage.box).norm() < 1e-3);
    run.seconds(0.3);
    CHECK(run.velocity(stage.box).norm() > 0.1);
  }
}

TEST_CASE("A joint that only a box switches on holds from then on, and edits of that are runs from the start",
          "[motion][set][fill]") {
  Stage stage;
  stage.scene = with_thing(stage.scene, stage.joint, [](auto& thing) {
    if constexpr (requires { thing.motor_turn; }) thing.on = false;
  });
  const Scene off = stage.scene;
  stage.graph().chain({stage.graph().when("time", stage.ball, {{"time", 0.1}}), stage.set(number("joint.on"), 1)});
  MotionRun run(stage);
  run.seconds(0.1);
  const double falling = run.velocity(stage.arm).y();
  CHECK(falling == Approx(-kG * 0.1).epsilon(0.05));
  run.seconds(0.2);
  CHECK(std::abs(run.velocity(stage.arm).y()) < 0.05);
  constexpr int kLast = 20;
  FillRun fill(1);
  fill.start({}, off, kLast);
  fill.settle();
  const ChangeSet change = diff(off, stage.scene, [&](const Cause& cause) { return fill.fill.first_frame(cause); });
  CHECK(change.first_frame == 0);  // the joint is a part of the run now
  fill.start(off, stage.scene, kLast);
  fill.settle();
  fill.check_equals_fresh(stage.scene, kLast);
  const Scene on = stage.scene;
  stage.graph().change(stage.scene.motion.back()->id, [](MotionNode& n) { set_parameter(n, {"to", {}, 0}); });
  const ChangeSet later = diff(on, stage.scene, [&](const Cause& cause) { return fill.fill.first_frame(cause); });
  CHECK(later.first_frame >= 5);
  fill.start(on, stage.scene, kLast);
  fill.settle();
  fill.check_equals_fresh(stage.scene, kLast);
}

}  // namespace set_number_test
