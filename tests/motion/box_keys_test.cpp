// Keys of the parameters of events and procedures, over both tables: keys that say one number all the time make the run of that number, and
// keys that change it leave what was before.
#include <catch2/catch.hpp>
#include <set>

#include "core/motion/catalogue.h"
#include "core/motion/check.h"
#include "core/motion/sight.h"
#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/keyed.h"
#include "core/scene/derived/parts.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/support/graph.h"
#include "tests/support/sanitized.h"
#include "tests/support/small_scenes.h"

namespace box_keys_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kLast = 20, kChange = 10;

/// What falls, slides, bends, hangs by pins and hits something, with a box of each kind in it that does something.
struct Stage {
  World world;
  Graph graph{world};
  Id ball, soft, mast, block, curve, source, camera, sound, marker;
  Id second_soft, second_curve, second_source, second_camera, second_sound, second_marker;

  Stage() {
    Scene& scene = world.scene;
    scene.settings.substeps = 2;
    scene.settings.last_frame = kLast;
    world.floor(0.5, 0.6);
    Object thrown = World::sphere(0.1, Vec3(0, 0.45, 0));
    thrown.body.velocity = Vec3(1, -1, 0);
    thrown.body.spin = Vec3(0, 0, 2);
    ball = world.add(thrown);
    block = world.add(World::box(Vec3::Constant(0.3), Vec3(0.5, 0.16, 0), 2));
    Object jelly = World::jelly(0.2, Vec3(0, 0.75, 2), 400, 0.5);
    jelly.body.velocity = Vec3(1, -2, 0);
    soft = world.add(jelly);
    mast = world.add(pinned());
    Curve way;
    way.id = curve = next_id(scene);
    way.points = {{Vec3(0, 0.5, 0)}, {Vec3(1, 1, 0.5)}, {Vec3(0, 0.8, 1)}};
    scene.curves.push_back(Shared<Curve>(way));
    ParticleSource fountain;
    fountain.id = source = next_id(scene);
    fountain.rate = 0;
    fountain.collides = false;
    scene.particles.push_back(Shared<ParticleSource>(fountain));
    Camera looks;
    looks.id = camera = next_id(scene);
    scene.cameras.push_back(Shared<Camera>(looks));
    Sound bang;
    bang.id = sound = next_id(scene);
    scene.sounds.push_back(Shared<Sound>(bang));
    Marker jump;
    jump.id = marker = next_id(scene);
    jump.name = "Jump";
    jump.time = 0.1;
    scene.markers.push_back(Shared<Marker>(jump));
    add_second();
  }

  /// What boxes are about by other keys.
  void add_second() {
    Scene& scene = world.scene;
    Object jelly = World::jelly(0.3, Vec3(-0.6, 0.6, 2), 400, 0.5);
    jelly.body.velocity = Vec3(1, 1, 0);
    jelly.contact.enabled = false;
    second_soft = world.add(jelly);
    const auto again = [&]<class Thing>(std::vector<Shared<Thing>>& things, const auto& change) {
      Thing other = *things.back();
      other.id = next_id(scene);
      other.name += " 2";
      change(other);
      things.push_back(Shared<Thing>(other));
      return other.id;
    };
    second_curve = again(scene.curves, [](Curve& c) { c.points = {{Vec3(0, 0.5, 0)}, {Vec3(-1, 1, 0.5)}}; });
    second_source = again(scene.particles, [](ParticleSource& one) { one.speed += 1; });
    second_camera = again(scene.cameras, [](Camera&) {});
    second_sound = again(scene.sounds, [](Sound&) {});
    second_marker = again(scene.markers, [](Marker& m) { m.time = 0.25; });
  }

  /// A prism that stands on three of its six nodes.
  static Object pinned() {
    Object o = make_object(0, "mast", {PrimitiveShape::sphere, Vec3::Constant(0.1), {8, 6, 1}}, Vec3(0.1, 0.75, 2),
                           BodyKind::flexible);
    o.display.kind = DisplayKind::none;
    o.analysis.kind = AnalysisKind::strung;
    o.analysis.strung = pinned_prism();
    o.body.mass = 0.3;
    o.body.stiffness = 60;
    o.body.damping = 1;
    o.contact.enabled = false;
    return o;
  }

  Id owner(const MotionKind& kind, MotionRole role) const {
    const ProcedureKind* procedure = role == MotionRole::procedure ? find_procedure_kind(kind.name) : nullptr;
    if (kind.name == "strain" || kind.name == "volume") return soft;
    if (kind.name == "rest") return block;
    if (procedure && procedure->rides) return mast;
    return procedure && procedure->shapes ? soft : ball;
  }
  Id other(const MotionKind& kind) const {
    switch (kind.other) {
      case OtherUse::curve:
        return curve;
      case OtherUse::source:
        return source;
      case OtherUse::camera:
        return camera;
      case OtherUse::sound:
        return sound;
      case OtherUse::marker:
        return marker;
      case OtherUse::thing:
        return soft;
      default:
        return {};
    }
  }
  /// Another one that it may be about.
  Id second(const MotionKind& kind) const {
    switch (kind.other) {
      case OtherUse::curve:
        return second_curve;
      case OtherUse::source:
        return second_source;
      case OtherUse::camera:
        return second_camera;
      case OtherUse::sound:
        return second_sound;
      case OtherUse::marker:
        return second_marker;
      case OtherUse::thing:
        return second_soft;
      case OtherUse::number:
        return source;
      default:
        return block;
    }
  }
  /// A box of the kind with what it needs to matter: an event with a push behind it, a procedure that starts `often` or once.
  Id add(const MotionKind& kind, MotionRole role, bool often) {
    const Id own = owner(kind, role);
    if (role == MotionRole::event) {
      const Id event = graph.loop(graph.when(std::string(kind.name), own, {}, other(kind)));
      if (kind.name == "bounces") graph.change(event, [](MotionNode& n) { set_parameter(n, {"count", {}, 1}); });
      graph.wire(event, graph.does("push", own, {{"x", 5}, {"y", 3}, {"duration", 0.05}}));
      if (find_event_kind(kind.name)->hears) graph.wire(each_frame(own), graph.does("message", block, {}, own));
      return event;
    }
    const Id procedure = graph.does(std::string(kind.name), own, {}, other(kind));
    graph.wire(often ? each_frame(own) : graph.when("time", own, {{"time", 0.01}}), procedure);
    if (find_procedure_kind(kind.name)->sends) {
      const Id heard = graph.loop(graph.when("message", block));
      graph.wire(heard, graph.does("push", block, {{"x", 9}, {"duration", 0.05}}));
    }
    return procedure;
  }
  Id each_frame(Id of) { return graph.loop(graph.when("frame", of, {{"every", 1}})); }
};

struct Case {
  const MotionKind* kind;
  MotionRole role;
  const Field<MotionNode>* field;
  const ParameterRow* row;
};

std::vector<Case> all_cases() {
  std::vector<Case> all;
  const auto add = [&](const MotionKind& kind, MotionRole role) {
    MotionNode node;
    node.role = role;
    node.kind = kind.name;
    static constexpr ParameterRow with{.name = "with", .label = "With", .type = FieldType::integer, .high = 1e6},
        loop{.name = "loop", .label = "Loop", .type = FieldType::boolean, .fallback = 1};
    for (const Field<MotionNode>& field : motion_parameter_rows()) {
      if (!field.shown(node) || !field.keyable) continue;
      const std::string_view name = parameter_of(field.path);
      const auto at = std::find_if(kind.parameters.begin(), kind.parameters.end(),
                                   [&](const ParameterRow& row) { return row.name == name; });
      all.push_back({&kind, role, &field, name == "with" ? &with : name == "loop" ? &loop : &*at});
    }
  };
  for (const EventKind* kind : event_kinds()) add(*kind, MotionRole::event);
  for (const ProcedureKind* kind : procedure_kinds()) add(*kind, MotionRole::procedure);
  return all;
}

FieldValue value(const Case& of, double number) {
  if (of.row->type == FieldType::boolean) return number != 0;
  if (of.row->type == FieldType::integer || of.row->type == FieldType::choice) return static_cast<std::int64_t>(number);
  return number;
}

/// Two numbers that the row allows. Of events the one lets nothing happen, as a rule, and the other one everything.
std::pair<double, double> two_numbers(const Case& of, const Stage& stage) {
  const ParameterRow& row = *of.row;
  if (row.name == "with")
    return {static_cast<double>(stage.other(*of.kind).value), static_cast<double>(stage.second(*of.kind).value)};
  if (row.type == FieldType::boolean) return {row.fallback, 1 - row.fallback};
  if (row.type == FieldType::choice) return {row.fallback, row.fallback == 0 ? 1 : 0};
  if (of.kind->name == "time") return {0.05, 0.25};
  if (of.kind->name == "bounces" && row.name == "count") return {50, 1};
  if (of.kind->name == "frame") return {30, 1};
  if (of.kind->name == "message") return {1, 2};
  if (of.role == MotionRole::event) {
    const bool under = row.name == "limit" && row.fallback != 0 && of.kind->name != "speed" &&
                       of.kind->name != "turning" && of.kind->name != "strain";
    if (row.name == "radius" || row.name == "slower" || under) return {std::max(row.low, -10.0), 1000};
    if (row.name == "duration") return {1000, 0};
    return {std::min(row.high, 1000.0), std::max(row.low, 0.0)};
  }
  const double step = row.unit == "s" ? 0.07 : row.unit == "%" ? 15 : row.unit == "°" ? 0.3 : 0.4;
  double b = row.type == FieldType::integer ? row.fallback + 3 : row.fallback + step;
  if (b > row.high) b = row.fallback - step;
  return {row.fallback, b};
}

Scene keyed_at(Scene scene, const Case& of, Id box, std::initializer_list<std::pair<int, double>> keys) {
  for (const auto& [frame, number] : keys)
    scene = with_key(std::move(scene), box.value, of.field->path, frame / scene.settings.frame_rate, value(of, number));
  const Track* track = find_track(scene, box.value, of.field->path);
  REQUIRE(track);
  for (auto& one : scene.tracks)
    if (one->id == track->id)
      one = one.edited([](Track& t) {
        for (Key& key : t.keys) key.shape = KeyShape::step;
      });
  return scene;
}

Scene with_number(const Scene& scene, const Case& of, Id box, double number) {
  return with_motion(scene, box, [&](MotionNode& node) { of.field->set(node, value(of, number)); });
}

/// Frames of a run, and by frame what is seen and heard of it: all but what boxes remember.
struct Frames {
  std::vector<Frame> all;
  std::vector<std::uint64_t> seen;

  explicit Frames(const Scene& scene) {
    Simulator simulator(compiled(scene), 1);
    for (int f = 0; f <= kLast; ++f) {
      State state = *simulator.state_at(f);
      all.push_back(simulator.frame_at(f));
      Hasher hasher;
      if (all.back().looks)
        for (const FrameLook& look : *all.back().looks) {
          hasher.add(look.object.value).add(look.visible);
          for (const float x :
               {look.colour.x(), look.colour.y(), look.colour.z(), look.coloured, look.opacity, look.faded})
            hasher.add(static_cast<double>(x));
          hasher.add(static_cast<double>(look.replaced)).add(look.surface.shininess);
        }
      for (const FilmCue& cue : state.motion.cues) hasher.add(cue.thing.value).add(cue.time).add(cue.gain);
      state.motion = {};
      seen.push_back(hasher.add(hash(state)).value());
    }
  }
  /// The first frame that is not the same in another run; none: one more than there are.
  int first_other(const Frames& other) const {
    std::size_t f = 0;
    while (f < all.size() && same_bits(all[f], other.all[f]) && seen[f] == other.seen[f]) ++f;
    return static_cast<int>(f);
  }
  int first_seen_other(const Frames& other) const {
    const auto at = std::mismatch(seen.begin(), seen.end(), other.seen.begin());
    return static_cast<int>(at.first - seen.begin());
  }
};

}  // namespace

TEST_CASE("Each parameter of each kind, keyed to one number, makes its run; keyed to change, what was before stays",
          "[motion][keys]") {
  int matter = 0, compared = 0, number = 0;
  const int each = rounds(1, 6);
  for (const Case& of : all_cases()) {
    if (number++ % each != 0) continue;
    for (const bool often : {true, false}) {
      if (!often && of.role == MotionRole::event) continue;
      INFO(of.field->path << (often ? ", started each frame" : ", started once"));
      Stage stage;
      const Id box = stage.add(*of.kind, of.role, often);
      const auto [a, b] = two_numbers(of, stage);
      const Scene with_a = with_number(stage.world.scene, of, box, a),
                  with_b = with_number(stage.world.scene, of, box, b);
      const Scene keyed = keyed_at(with_b, of, box, {{0, a}}),
                  changes = keyed_at(with_a, of, box, {{0, a}, {kChange, b}});
      CHECK(motion_problems(keyed).size() == motion_problems(with_a).size());
      const Frames run_a(with_a), run_keyed(keyed), run_changes(changes);
      CHECK(run_a.first_seen_other(run_keyed) == kLast + 1);
      // That a moment is waited for which keys say is in each state from the start.
      if (of.kind->name != "time") {
        CHECK(run_a.first_other(run_keyed) == kLast + 1);
        CHECK(run_a.first_other(run_changes) >= kChange);
      }
      const int first = run_a.first_seen_other(run_changes);
      CHECK(first >= kChange);
      ++compared;
      const bool changed = first <= kLast;
      const bool matters = changed || run_a.first_seen_other(Frames(with_b)) <= kLast;
      matter += matters;
      const ProcedureKind* procedure = of.role == MotionRole::procedure ? find_procedure_kind(of.kind->name) : nullptr;
      const bool at_once = procedure && procedure->at_once;
      // How it is processed it keeps while it runs; what is held is held in either way, and what is over a height was once under it.
      const bool either = of.row->name == "processing" || of.row->name == "side";
      if (matters && !either) CHECK(changed == (often || !at_once));
    }
  }
  CHECK(compared > 220 / each);
  CHECK(matter > 150 / each);
}

TEST_CASE("A running push follows its keys: momentum is what they add up to", "[motion][keys]") {
  World world;
  world.scene.settings.gravity = Vec3::Zero();
  world.scene.settings.substeps = 4;
  const Id ball = world.add(World::sphere(0.1, Vec3::Zero(), 2));
  Graph graph(world);
  const Id push = graph.does("push", ball, {{"duration", 0}});
  graph.wire(graph.when("time", ball, {{"time", 0}}), push);
  for (const auto& [time, force] : {std::pair(0.0, 0.0), std::pair(0.25, 6.0), std::pair(0.5, 1.0)})
    world.scene = with_key(world.scene, push.value, "procedure.push.x", time, force);
  const Track track = *find_track(world.scene, push.value, "procedure.push.x");
  MotionRun run(world);
  double momentum = 0;
  for (int k = 0; k < 150; ++k) {
    run.go(1);
    if (k > 0) momentum += run.model->step * track_value(track, FieldType::number, k * run.model->step)[0];
    INFO("sub-step " << k);
    REQUIRE(2 * velocity_of(*run.model, run.state, 0).x() == Approx(momentum).margin(1e-12));
  }
  CHECK(momentum > 1);
}

TEST_CASE("What goes along a path keeps the numbers with which it started", "[motion][keys]") {
  // A throw under twice its gravity; keys make it weightless on its way.
  for (const bool geometric : {true, false}) {
    World world;
    world.scene.settings.substeps = 4;
    const Id ball = world.add(World::sphere(0.1, Vec3(0, 5, 0)));
    Graph graph(world);
    const Id thrown = graph.does("throw", ball, {{"x", 1}, {"y", 2}, {"gain", 2}, {"processing", geometric ? 1 : 0}});
    graph.wire(graph.when("time", ball, {{"time", 0}}), thrown);
    world.scene = with_key(world.scene, thrown.value, "procedure.throw.gain", 0, 2.0);
    world.scene = with_key(world.scene, thrown.value, "procedure.throw.gain", 0.2, 0.0);
    MotionRun run(world);
    run.seconds(0.5);
    const double y = centre_of(*run.model, run.state, 0).y();
    const double fallen = 5 + 2 * 0.5 - 9.80665 * 0.5 * 0.5;
    INFO(y << " for " << fallen);
    CHECK((std::abs(y - fallen) < 0.1) == geometric);
  }
}

TEST_CASE("Keys of a box go where it goes; an expression has them wait", "[motion][keys]") {
  World world;
  const Id ball = world.add(World::sphere(0.1, Vec3(0, 1, 0)));
  Graph graph(world);
  const Id event = graph.when("time", ball), thrown = graph.does("throw", ball, {{"y", 3}});
  graph.wire(event, thrown);
  constexpr const char* kField = "procedure.throw.y";
  CHECK(key_problem(world.scene, thrown.value, kField).empty());
  CHECK(key_problem(world.scene, thrown.value, "procedure.throw.processing").empty());
  CHECK_FALSE(key_problem(world.scene, thrown.value, "procedure.push.x").empty());  // of another kind
  world.scene = with_key(world.scene, thrown.value, kField, 0.5, 7.0);
  REQUIRE(world.scene.tracks.size() == 1);
  CHECK(world.scene.tracks[0]->name == "Y");
  CHECK(std::get<double>(*value_at(world.scene, thrown.value, kField, 0)) == 7);
  CHECK(find_parameter(*find_motion(shown_at(world.scene, 0), thrown), "y")->number == 7);
  CHECK(validate(world.scene).empty());

  SECTION("deletion") {
    CHECK(without(world.scene, thrown).tracks.empty());
    CHECK(without(world.scene, ball).tracks.empty());
    CHECK(without(world.scene, event).tracks.size() == 1);
  }
  SECTION("parts") {
    const JoinedScene twice = joined(world.scene, part_of(world.scene, {ball}));
    REQUIRE(twice.scene.tracks.size() == 2);
    CHECK(twice.scene.tracks[1]->target == twice.ids.at(thrown).value);
    CHECK(find_motion(twice.scene, twice.ids.at(thrown))->object == twice.ids.at(ball).value);
  }
  SECTION("files") {
    const std::string text = scene_to_text(world.scene);
    const auto back = scene_from_text(text, {});
    REQUIRE(back.ok());
    CHECK(scene_to_text(*back) == text);
    CHECK(simulation_signature(*back) == simulation_signature(world.scene));
    const Scene bare = without_track(world.scene, thrown.value, kField, 0);
    CHECK(simulation_signature(bare) != simulation_signature(world.scene));
    CHECK(find_parameter(*find_motion(bare, thrown), "y")->number == 7);  // as it showed
  }
  SECTION("an expression") {
    graph.change(thrown, [](MotionNode& n) { set_parameter(n, {"y", "1 + t", 3}); });
    CHECK(key_problem(world.scene, thrown.value, kField) ==
          "An expression says this; give it a number first, then key it.");
    CHECK_FALSE(is_keyed(world.scene, *find_motion(world.scene, thrown)));
    CHECK(find_parameter(*find_motion(shown_at(world.scene, 0), thrown), "y")->word == "1 + t");
    const std::uint64_t with_keys = simulation_signature(world.scene);
    world.scene.tracks.clear();
    CHECK(simulation_signature(world.scene) == with_keys);
  }
  SECTION("a change of what is seen is a key, and other numbers and expressions stay") {
    graph.change(thrown, [](MotionNode& n) { set_parameter(n, {"x", "2*t", 0}); });
    const Scene shown = shown_at(world.scene, 0.25);
    const Scene next = with_motion(shown, thrown, [](MotionNode& n) {
      set_parameter(n, {"y", {}, 9});
      set_parameter(n, {"z", {}, 1});
    });
    const Scene edited = keyed(world.scene, shown, next, 0.25, false);
    const MotionNode& node = *find_motion(edited, thrown);
    REQUIRE(edited.tracks.size() == 1);
    REQUIRE(edited.tracks[0]->keys.size() == 2);
    CHECK(edited.tracks[0]->keys[0].value[0] == 9);
    CHECK(find_parameter(node, "y")->number == 3);
    CHECK(find_parameter(node, "z")->number == 1);
    CHECK(find_parameter(node, "x")->word == "2*t");
    // By itself each change becomes a key, of its own row alone.
    const Scene all = keyed(world.scene, shown, next, 0.25, true);
    CHECK(all.tracks.size() == 2);
  }
}

TEST_CASE("A motion takes its keys along, by the units of their rows", "[motion][keys][catalogue]") {
  World world;
  const Id ball = world.add(World::sphere(0.1, Vec3(0, 1, 0)));
  Graph graph(world);
  const Id event = graph.when("time", ball, {{"time", 0.2}}), thrown = graph.does("throw", ball),
           push = graph.does("push", ball), high = graph.when("height", ball, {{"limit", 2}});
  graph.wire(event, thrown);
  const auto key = [&](Id box, const char* field, double time, double number) {
    world.scene = with_key(world.scene, box.value, field, time, number);
  };
  key(thrown, "procedure.throw.y", 0, 3);
  key(thrown, "procedure.throw.y", 0.5, 4);
  key(push, "procedure.push.x", 0.1, 5);
  key(high, "event.height.limit", 0.1, 2);
  for (auto& track : world.scene.tracks)
    if (track->target == thrown.value)
      track = track.edited([](Track& t) {
        t.keys[0].tangent = KeyTangent::free;
        t.keys[0].out[0] = 6;
      });
  const MotionBody small{0.2, 1}, large{0.8, 20};
  const Scene motion =
      motion_of(world.scene, {event, thrown, push, high}, "Up", "It goes up.", [&](const Object&) { return small; });
  REQUIRE(motion.tracks.size() == 3);
  World other;
  const Id big = other.add(World::sphere(0.4, Vec3(1, 5, 0)));
  const auto put = put_motion(other.scene, motion, {{ball, big}}, {}, [&](const Object&) { return large; });
  REQUIRE(put.ok());
  REQUIRE(put->scene.tracks.size() == 3);
  const auto track_of = [&](const char* field) -> const Track& {
    for (const auto& track : put->scene.tracks)
      if (track->field == field && put->boxes.count(Id{track->target})) return *track;
    FAIL("no keys of " << field);
    return *put->scene.tracks[0];
  };
  // Four times as large: times and speeds twice, lengths about its middle four times, forces by the mass.
  const Track& up = track_of("procedure.throw.y");
  CHECK(up.keys[1].time == Approx(1));
  CHECK(up.keys[0].value[0] == Approx(6));
  CHECK(up.keys[1].value[0] == Approx(8));
  CHECK(up.keys[0].out[0] == Approx(6));
  CHECK(track_of("procedure.push.x").keys[0].value[0] == Approx(100));
  CHECK(track_of("procedure.push.x").keys[0].time == Approx(0.2));
  CHECK(track_of("event.height.limit").keys[0].value[0] == Approx(5 + 4 * (2 - 1)));
}

TEST_CASE("A message is heard by the number that its event has then, keyed or worked out", "[motion][keys]") {
  World world;
  const Id ball = world.add(World::sphere(0.1, Vec3(0, 1, 0)));
  const Id box = world.add(World::box(Vec3::Ones(), Vec3(3, 1, 0)));
  Graph graph(world);
  const Id heard = graph.loop(graph.when("message", box, {{"number", 1}})),
           words = graph.loop(graph.when("message", box, {{"number", 1}}));
  graph.change(words, [](MotionNode& n) { set_parameter(n, {"number", "8*t", 0}); });
  for (const double time : {0.05, 0.15, 0.25})
    graph.wire(graph.when("time", ball, {{"time", time}}), graph.does("message", ball, {{"number", 2}}, box));
  for (const auto& [time, number] : {std::pair(0.0, 1), std::pair(0.1, 2), std::pair(0.2, 3)})
    world.scene = with_key(world.scene, heard.value, "event.message.number", time, std::int64_t{number});
  MotionRun run(world);
  run.seconds(0.4);
  REQUIRE(run.count(heard) == 1);
  CHECK(run.time_of(heard) == Approx(0.15).margin(0.02));
  REQUIRE(run.count(words) == 1);
  CHECK(run.time_of(words) == Approx(0.25).margin(0.02));
}

}  // namespace box_keys_test
