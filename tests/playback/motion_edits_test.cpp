// Edits of motion graphs: what a run makes of them from the frames that it has equals a run from the start, bit for bit, and what no
// run has read yet drops nothing.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "core/motion/check.h"
#include "core/motion/document.h"
#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/values/lists.h"
#include "core/scene/values/scene_lists.h"
#include "tests/support/edits.h"
#include "tests/support/fill_run.h"
#include "tests/support/graph.h"
#include "tests/support/sanitized.h"

namespace motion_edits_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// A number that a row allows.
double some_value(const ParameterRow& row, EditDice& dice) {
  if (row.type == FieldType::boolean) return dice.below(2);
  if (row.type == FieldType::choice) return dice.below(static_cast<int>(row.choices.size()));
  if (row.type == FieldType::integer) return std::clamp<double>(1 + dice.below(4), row.low, row.high);
  const double low = std::max(row.low, row.unit == "s" ? 0.0 : -3.0),
               high = std::min(row.high, row.unit == "s" ? 0.4 : 3.0);
  double value = dice.between(low, high);
  if (row.low_open && value <= row.low) value = row.low + 0.1;
  return value;
}

struct Stage {
  World world;
  Graph graph{world};
  std::vector<Id> movers, about;  ///< objects and a collection; what boxes may be about
  Id curve;
  Camera camera;
  Sound sound;
  Id marker;
  std::vector<Id> numbered;  ///< what has numbers that can be set; none: its object, the scene

  explicit Stage(EditDice& dice) {
    world.scene.settings.substeps = 2;
    world.scene.settings.last_frame = 40;
    const Id floor = world.floor();
    Collection group;
    group.id = next_id(world.scene);
    group.name = "Group";
    world.scene.collections.push_back(Shared<Collection>(group));
    for (int k = 0; k < 3; ++k) {
      Object o = k == 2 ? World::jelly(0.15, Vec3(0.8 * k, 0.4, 0), 500)
                        : World::sphere(0.1, Vec3(0.8 * k, 0.12 + 0.3 * dice.unit(), 0));
      if (k > 0) o.collection = group.id.value;
      movers.push_back(world.add(o));
    }
    Curve way;
    way.id = next_id(world.scene);
    way.points = {{Vec3(0, 0.5, 0)}, {Vec3(1, 1, 0.5)}, {Vec3(0, 0.8, 1)}};
    world.scene.curves.push_back(Shared<Curve>(way));
    curve = way.id;
    camera.id = next_id(world.scene);
    world.scene.cameras.push_back(Shared<Camera>(camera));
    sound.id = next_id(world.scene);
    world.scene.sounds.push_back(Shared<Sound>(sound));
    add_marker(dice);
    marker = world.scene.markers.front()->id;
    add_numbered(dice);
    movers.push_back(group.id);
    about = movers;
    about.push_back(floor);
    about.push_back(Id{});
  }

  void add_numbered(EditDice& dice) {
    Joint joint;
    joint.id = next_id(world.scene);
    joint.kind = JointKind::hinge;
    joint.a.object = movers[1].value;
    joint.b.place = Vec3(0.8, 0.2, 0);
    joint.motor = true;
    joint.on = dice.below(2) == 0;
    world.scene.joints.push_back(Shared<Joint>(joint));
    Force force;
    force.id = next_id(world.scene);
    force.object = movers[0].value;
    force.on = dice.below(2) == 0;
    world.scene.forces.push_back(Shared<Force>(force));
    ForceField field;
    field.id = next_id(world.scene);
    field.kind = dice.below(2) == 0 ? FieldKind::wind : FieldKind::attractor;
    world.scene.fields.push_back(Shared<ForceField>(field));
    ParticleSource source;
    source.id = next_id(world.scene);
    source.rate = 100;
    source.collides = false;
    world.scene.particles.push_back(Shared<ParticleSource>(source));
    numbered = {Id{}, joint.id, force.id, field.id, source.id};
  }
  /// Something of which boxes set numbers says another one itself.
  void change_numbered(EditDice& dice) {
    const bool on = dice.below(2) == 0;
    const double number = dice.between(0, 3);
    world.scene = with_thing(world.scene, numbered[static_cast<std::size_t>(1 + dice.below(4))], [&](auto& thing) {
      using Thing = std::remove_cvref_t<decltype(thing)>;
      if constexpr (requires { thing.on = on; }) thing.on = on;
      if constexpr (std::is_same_v<Thing, Joint>) thing.motor_turn = number;
      if constexpr (std::is_same_v<Thing, ForceField>) thing.speed = thing.strength = number;
    });
  }
  /// A number of what the box names, mostly.
  void pick_number(Id box, EditDice& dice) {
    graph.change(box, [&](MotionNode& node) {
      if (node.kind != "set") return;
      std::vector<std::string_view> words;
      for (const SettableNumber& number : settable_numbers()) {
        const bool own = number.of == NumberOf::object || number.of == NumberOf::scene;
        if (node.other == 0 ? own : number.of == number_owner(world.scene, Id{node.other}))
          words.push_back(number.word);
      }
      if (!words.empty()) set_parameter(node, {"number", std::string(pick(words, dice))});
    });
  }

  /// All of one name.
  void add_marker(EditDice& dice) {
    Marker one;
    one.id = next_id(world.scene);
    one.name = "Jump";
    one.time = dice.between(0, 0.4);
    world.scene.markers.push_back(Shared<Marker>(one));
  }
  /// One comes, is somewhere else, is not shown, or goes.
  void change_markers(EditDice& dice) {
    auto& all = world.scene.markers;
    const int way = dice.below(4);
    if (all.empty() || way == 0) return add_marker(dice);
    const auto at = static_cast<std::size_t>(dice.below(static_cast<int>(all.size())));
    if (way == 1) return void(all.erase(all.begin() + static_cast<std::ptrdiff_t>(at)));
    all[at] = all[at].edited([&](Marker& m) {
      if (way == 2) m.time = dice.between(0, 0.4);
      if (way == 3) m.visible = !m.visible;
    });
  }

  Id add_box(EditDice& dice) {
    const bool event = dice.below(2) == 0;
    Id box;
    if (event) {
      const EventKind& kind = *pick(event_kinds(), dice);
      box = graph.when(std::string(kind.name), pick(movers, dice), {}, other_of(kind.other, dice));
      if (dice.below(3) == 0) graph.loop(box);
      if (dice.below(5) == 0) graph.only_if(box, "n < 3 && t < 0.5");
    } else {
      const ProcedureKind& kind = *pick(procedure_kinds(), dice);
      box = graph.does(std::string(kind.name), pick(movers, dice), {}, other_of(kind.other, dice));
    }
    change_parameter(box, dice);
    if (dice.below(4) > 0) pick_number(box, dice);
    return box;
  }
  Id other_of(OtherUse use, EditDice& dice) {
    switch (use) {
      case OtherUse::none:
      case OtherUse::source:
        return {};
      case OtherUse::curve:
        return curve;
      case OtherUse::camera:
        return camera.id;
      case OtherUse::sound:
        return sound.id;
      case OtherUse::marker:
        return marker;
      case OtherUse::number:
        return pick(numbered, dice);
      default:
        return pick(about, dice);
    }
  }
  /// What is there goes, what went comes back.
  template <class Thing>
  static void come_or_go(std::vector<Shared<Thing>>& things, const Thing& thing) {
    if (things.empty())
      things.push_back(Shared<Thing>(thing));
    else
      things.clear();
  }
  void change_parameter(Id box, EditDice& dice) {
    graph.change(box, [&](MotionNode& node) {
      const MotionKind* kind = kind_of(node);
      if (!kind || kind->parameters.empty()) return;
      const ParameterRow& row = pick(kind->parameters, dice);
      MotionParameter parameter{std::string(row.name), {}, some_value(row, dice)};
      if (row.type == FieldType::choice) parameter.word = row.choices[static_cast<std::size_t>(parameter.number)];
      if (row.type == FieldType::number && dice.below(6) == 0) parameter.word = "0.1 + 0.2*t";
      set_parameter(node, std::move(parameter));
    });
  }
  /// A key of a number of the box comes, is another one, or goes; or its track is muted.
  void change_keys(Id box, EditDice& dice) {
    Scene& scene = world.scene;
    const std::vector<Field<MotionNode>> rows = keyable_rows(*find_motion(scene, box));
    if (rows.empty()) return;
    const Field<MotionNode>& field = pick(rows, dice);
    const double time = 0.25 * dice.unit() - 0.02;
    const Track* there = find_track(scene, box.value, field.path);
    if (there && dice.below(6) == 0) {
      scene = without_track(scene, box.value, field.path, time);
    } else if (there && dice.below(6) == 0) {
      for (auto& track : scene.tracks)
        if (track.get() == there) {
          track = track.edited([](Track& t) { t.visible = !t.visible; });
          break;
        }
    } else {
      const double number = std::clamp(dice.between(-1, 3), field.low, field.high);
      FieldValue value = number;
      if (field.type == FieldType::boolean) value = dice.below(2) == 0;
      if (field.type == FieldType::integer) value = static_cast<std::int64_t>(std::ceil(number));
      scene = with_key(scene, box.value, field.path, time, value);
      const std::uint64_t ways = static_cast<std::uint64_t>(dice.below(9));
      for (auto& track : scene.tracks)
        if (track->target == box.value && track->field == field.path && dice.below(3) == 0)
          track = track.edited([&](Track& t) {
            for (Key& key : t.keys) key.shape = static_cast<KeyShape>(ways % 3);
            t.after = static_cast<Beyond>(ways % 4);
          });
    }
  }
  Id some_box(EditDice& dice) const { return pick(world.scene.motion, dice)->id; }
  void wire(EditDice& dice) {
    const Id from = some_box(dice), to = some_box(dice);
    graph.change(from, [&](MotionNode& node) {
      if (std::none_of(node.wires.begin(), node.wires.end(), [&](const MotionWire& w) { return w.to == to.value; }))
        node.wires.push_back({to.value, dice.below(6) == 0});
    });
  }

  std::string edit(EditDice& dice) {
    switch (dice.below(23)) {
      case 0:
        add_box(dice);
        return "box added";
      case 1:
        if (world.scene.motion.size() > 1) world.scene = without(world.scene, some_box(dice));
        return "box removed";
      case 2:
      case 3:
        wire(dice);
        return "wire";
      case 4:
        graph.change(some_box(dice), [&](MotionNode& n) {
          if (!n.wires.empty()) n.wires.erase(n.wires.begin() + dice.below(static_cast<int>(n.wires.size())));
        });
        return "wire removed";
      case 5:
        graph.change(some_box(dice), [&](MotionNode& n) { n.loop = !n.loop; });
        return "loop";
      case 6:
        graph.change(some_box(dice), [&](MotionNode& n) { n.visible = !n.visible; });
        return "used";
      case 7:
        graph.change(some_box(dice), [&](MotionNode& n) { n.object = pick(movers, dice).value; });
        return "object";
      case 8:
        graph.change(some_box(dice), [&](MotionNode& n) { n.object = dice.below(3) ? pick(movers, dice).value : 0; });
        return "object or none";
      case 9:
        graph.change(some_box(dice), [&](MotionNode& n) {
          n.condition = dice.below(2) ? "" : dice.below(2) ? "t > " : "t > 0.1";
        });
        return "condition";
      case 10:
        graph.change(some_box(dice), [&](MotionNode& n) {
          n.kind = dice.below(3) == 0            ? "sneeze"
                   : n.role == MotionRole::event ? pick(event_kinds(), dice)->name
                                                 : pick(procedure_kinds(), dice)->name;
        });
        return "kind";
      case 11:
        come_or_go(world.scene.cameras, camera);
        return "camera";
      case 12:
        come_or_go(world.scene.sounds, sound);
        return "sound";
      case 13:
      case 14:
        change_markers(dice);
        return "markers";
      case 15:
        change_numbered(dice);
        return "own number";
      case 16:
      case 17:
      case 18:
      case 19:
        change_keys(some_box(dice), dice);
        return "keys";
      default:
        change_parameter(some_box(dice), dice);
        return "parameter";
    }
  }
};

Stage random_stage(EditDice& dice) {
  Stage stage(dice);
  for (int k = 3 + dice.below(8); k > 0; --k) stage.add_box(dice);
  for (int k = dice.below(12); k > 0; --k) stage.wire(dice);
  for (int k = dice.below(8); k > 0; --k) stage.change_keys(stage.some_box(dice), dice);
  return stage;
}

}  // namespace

TEST_CASE("Random graphs: the same bits from saved bytes and on any threads, and contacts gain nothing",
          "[motion][threads]") {
  int happened = 0;
  const std::uint64_t graphs = test::rounds(200, 12);
  for (std::uint64_t seed = 1; seed <= graphs; ++seed) {
    INFO("seed " << seed);
    EditDice dice(seed);
    const Stage stage = random_stage(dice);
    MotionRun one(stage.world), two(stage.world, 2);
    REQUIRE(one.marks == two.marks);
    for (int k = 0; k < 60 && !one.stopped; ++k) {
      one.go(1);
      two.go(1);
      REQUIRE(one.stopped.has_value() == two.stopped.has_value());
      State restored;
      REQUIRE(restore(save(two.state), restored).ok());
      two.state = restored;
      REQUIRE(hash(one.state) == hash(two.state));
    }
    REQUIRE(one.marks == two.marks);
    for (const MotionMark& mark : one.marks) happened += mark.turn == MotionTurn::happened;
    // Nothing happens before it was armed, and nothing ends before it began.
    std::map<std::pair<Id, Id>, int> armed, running;
    for (const MotionMark& mark : one.marks) {
      const auto of = std::pair(mark.box, mark.object);
      const MotionNode& node = *find_motion(stage.world.scene, mark.box);
      const EventKind* kind = node.role == MotionRole::event ? find_event_kind(node.kind) : nullptr;
      if (mark.turn == MotionTurn::reached) continue;
      if (mark.turn == MotionTurn::armed) ++armed[of];
      if (mark.turn == MotionTurn::disarmed) --armed[of];
      if (mark.turn == MotionTurn::happened && !kind->is_case) REQUIRE(armed[of] == 1);
      if (mark.turn == MotionTurn::started) ++running[of];
      if (mark.turn == MotionTurn::ended) REQUIRE(--running[of] >= 0);
    }
  }
  CHECK(happened > static_cast<int>(graphs));
}

TEST_CASE("Random edits of graphs make the frames of a run from the start", "[motion][fill]") {
  const std::uint64_t graphs = test::rounds(40, 8);
  int kept = 0;
  for (std::uint64_t seed = 1; seed <= graphs; ++seed) {
    EditDice dice(1000 + seed);
    Stage stage = random_stage(dice);
    const int last = 14;
    FillRun run(1);
    Scene before = stage.world.scene;
    run.start({}, before, last);
    run.settle();
    for (int k = 0; k < 5; ++k) {
      const std::string what = stage.edit(dice);
      INFO("seed " << seed << ", edit " << k << ": " << what);
      const Scene after = stage.world.scene;
      const ChangeSet change = diff(before, after, [&](const Cause& cause) { return run.fill.first_frame(cause); });
      if (!change.empty() && change.first_frame > 0) ++kept;
      run.start(before, after, last);
      const FillStatus status = run.settle();
      if (status.phase == FillStatus::Phase::stopped) break;
      run.check_equals_fresh(after, last);
      before = after;
    }
  }
  CHECK(kept > static_cast<int>(graphs) / 2);
}

TEST_CASE("200 random edits of boxes that set numbers make the frames of a run from the start", "[motion][fill][set]") {
  const std::uint64_t graphs = test::rounds(20, 4);
  int kept = 0, told = 0;
  for (std::uint64_t seed = 1; seed <= graphs; ++seed) {
    EditDice dice(5000 + seed);
    Stage stage(dice);
    const auto add_set = [&] {
      const Id event = stage.graph.when("time", stage.movers[0], {{"time", 0.2 * dice.unit()}});
      const Id box = stage.graph.does("set", pick(stage.movers, dice), {{"duration", dice.below(2) * 0.1}},
                                      pick(stage.numbered, dice));
      stage.pick_number(box, dice);
      stage.graph.change(box, [&](MotionNode& n) { set_parameter(n, {"to", {}, dice.between(0, 3)}); });
      stage.graph.wire(event, box);
      return box;
    };
    std::vector<Id> boxes;
    for (int k = 0; k < 6; ++k) boxes.push_back(add_set());
    const int last = 16;
    FillRun run(1);
    Scene before = stage.world.scene;
    run.start({}, before, last);
    run.settle();
    for (int k = 0; k < 10; ++k) {
      const Id box = pick(boxes, dice);
      const int way = dice.below(7);
      INFO("seed " << seed << ", edit " << k << ": " << way);
      if (way == 0) stage.graph.change(box, [&](MotionNode& n) { set_parameter(n, {"to", {}, dice.between(0, 3)}); });
      if (way == 1)
        stage.graph.change(box, [&](MotionNode& n) { set_parameter(n, {"duration", {}, 0.2 * dice.unit()}); });
      if (way == 2) stage.graph.change(box, [&](MotionNode& n) { n.visible = !n.visible; });
      if (way == 3) stage.change_numbered(dice);
      if (way == 4) stage.pick_number(box, dice);
      if (way == 5) stage.graph.change(box, [&](MotionNode& n) { n.other = pick(stage.numbered, dice).value; });
      if (way == 6) boxes.push_back(add_set());
      const Scene after = stage.world.scene;
      const ChangeSet change = diff(before, after, [&](const Cause& cause) { return run.fill.first_frame(cause); });
      kept += !change.empty() && change.first_frame > 0;
      run.start(before, after, last);
      const FillStatus status = run.settle();
      if (status.phase == FillStatus::Phase::stopped) break;
      ++told;
      run.check_equals_fresh(after, last);
      before = after;
    }
  }
  CHECK(told > static_cast<int>(graphs) * 8);
  CHECK(kept > static_cast<int>(graphs));
}

TEST_CASE("A procedure that is edited after its event keeps the frames before", "[motion][fill]") {
  EditDice dice(3);
  World world;
  world.scene.settings.last_frame = 200;
  const Id ball = world.add(World::sphere(0.1, Vec3(0, 1, 0)));
  Graph graph(world);
  const Id event = graph.when("time", ball, {{"time", 2.5}}), thrown = graph.does("throw", ball, {{"y", 3}}),
           later = graph.when("time", ball, {{"time", 1}, {"from", 1}}), never = graph.does("push", ball, {{"x", 1}});
  graph.chain({event, thrown, later, never});
  // Cases that nothing tries: as events they would wait, from the start or from when their procedure starts.
  const Id alone = graph.when("case", ball), behind = graph.when("case", ball);
  graph.wire(thrown, behind);
  FillRun run(1);
  run.start({}, world.scene, 180);
  run.settle();
  const Scene before = world.scene;
  const auto first_frame = [&](const std::function<void(Graph&)>& edit) {
    world.scene = before;
    edit(graph);
    const ChangeSet change = diff(before, world.scene, [&](const Cause& cause) { return run.fill.first_frame(cause); });
    return change.first_frame;
  };
  const auto put = [](Id box, const char* name, double value) {
    return [=](Graph& g) { g.change(box, [&](MotionNode& n) { set_parameter(n, {name, {}, value}); }); };
  };
  // The procedure starts with the sub-step that comes after 2.5 s: frame 150 is the last without it.
  CHECK(first_frame(put(thrown, "y", 5)) >= 149);
  CHECK(first_frame(put(thrown, "y", 5)) <= 150);
  CHECK(first_frame(put(later, "time", 0.5)) >= 149);
  CHECK(first_frame(put(later, "time", 0.5)) <= 150);
  CHECK(first_frame(put(never, "x", 5)) == kNoFrame);
  // An event that waits for a moment is read from that on, and one that is moved from the earlier of both.
  CHECK(first_frame(put(event, "time", 1)) == 60);
  CHECK(first_frame([&](Graph& g) { g.when("time", ball, {{"time", 2}}); }) == 120);
  // Of one that is related to another, that other may happen before.
  CHECK(first_frame([&](Graph& g) { g.wire(g.when("time", ball, {{"time", 2}}), event, true); }) == 0);
  CHECK(first_frame([&](Graph& g) {
          g.change(thrown, [](MotionNode& n) {
            n.x = 30;
            n.name = "Up";
          });
        }) == kNoFrame);
  CHECK(first_frame([&](Graph& g) { g.wire(later, g.does("stop", ball)); }) >= 149);
  CHECK(first_frame([&](Graph& g) { g.when("height", ball); }) == 0);
  const auto as_height = [](Id box) {
    return [=](Graph& g) { g.change(box, [](MotionNode& n) { n.kind = "height"; }); };
  };
  CHECK(first_frame(as_height(alone)) == 0);
  CHECK(first_frame(as_height(behind)) >= 149);
  CHECK(first_frame(as_height(behind)) <= 150);
  CHECK(first_frame([&](Graph& g) { g.does("throw", ball); }) == kNoFrame);

  world.scene = before;
  put(thrown, "y", 5)(graph);
  run.start(before, world.scene, 180);
  run.settle();
  run.check_equals_fresh(world.scene, 180);
}

TEST_CASE("Every kind: its rows make fields that round-trip, its words end in a full stop", "[motion]") {
  std::set<std::string_view> paths;
  for (const auto& field : motion_parameter_rows()) CHECK(paths.insert(field.path).second);
  const auto check = [&](const MotionKind& kind, MotionRole role) {
    INFO(kind.name);
    CHECK(kind.tooltip.ends_with('.'));
    CHECK_FALSE(kind.label.empty());
    CHECK_FALSE(kind.group.empty());
    CHECK((kind.sentence.find("{") != std::string_view::npos || kind.parameters.empty()));
    // What stands in braces is there.
    for (std::size_t at = 0; (at = kind.sentence.find('{', at)) != std::string_view::npos; ++at) {
      const auto name = kind.sentence.substr(at + 1, kind.sentence.find('}', at) - at - 1);
      CHECK((name == "of" || name == "with" ||
             std::any_of(kind.parameters.begin(), kind.parameters.end(),
                         [&](const ParameterRow& r) { return r.name == name; })));
      if (name == "with") CHECK(kind.other != OtherUse::none);
    }
    MotionNode node;
    node.role = role;
    node.kind = kind.name;
    CHECK(kind_of(node) == &kind);
    for (const ParameterRow& row : kind.parameters)
      if (row.unit.starts_with("°"))
        for (const double angle : {row.low, row.high}) {
          INFO(row.name << ", " << degrees(angle) << " degrees");
          CHECK(std::abs(100 * degrees(angle) - std::round(100 * degrees(angle))) < 1e-6);
        }
    std::size_t shown = 0;
    for (const auto& field : motion_parameter_rows()) {
      if (!field.shown(node)) continue;
      if (is_parameter(field.path)) ++shown;
      CHECK(field.tooltip.ends_with('.'));
      CHECK(field_problem(field, field.get(node)).empty());
      EditDice dice(shown);
      for (int k = 0; k < 20; ++k) {
        const FieldValue value = near_value(field, field.get(node), dice);
        if (!field_problem(field, value).empty()) continue;
        field.set(node, value);
        CHECK(operator_equal(field.get(node), value));
      }
      std::vector<MotionValueProblem> problems;
      CHECK(motion_values(node, kind, problems).size() == kind.parameters.size());
      CHECK(problems.empty());
    }
    CHECK(shown == kind.parameters.size());
  };
  for (const EventKind* kind : event_kinds()) {
    check(*kind, MotionRole::event);
    CHECK((kind->happened != nullptr) + (kind->lasting != nullptr) + kind->is_case + kind->hears == 1);
  }
  for (const ProcedureKind* kind : procedure_kinds()) {
    check(*kind, MotionRole::procedure);
    CHECK(kind->over != nullptr);
  }
}

TEST_CASE("docs/motion-boxes.md is what the tables of kinds say", "[motion]") {
  const std::string path = std::string(HAZUMI_SOURCE_DIR) + "/docs/motion-boxes.md";
  if (std::getenv("HAZUMI_UPDATE") != nullptr) std::ofstream(path, std::ios::binary) << motion_document();
  std::ifstream in(path, std::ios::binary);
  const std::string there{std::istreambuf_iterator<char>(in), {}};
  INFO(path << " is out of date: run core_playback_tests \"[motion]\" with HAZUMI_UPDATE=1");
  CHECK(there == motion_document());
}

}  // namespace motion_edits_test
