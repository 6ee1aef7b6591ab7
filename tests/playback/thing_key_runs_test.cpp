// Edits of keys of what boxes are about, of their choices, of which number they set and of whether they loop: what is computed again equals a
// run from the start, bit for bit, also where what is keyed comes or goes.
#include <catch2/catch.hpp>
#include <set>

#include "core/motion/director.h"
#include "core/motion/tracks.h"
#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/values/scene_lists.h"
#include "tests/support/edits.h"
#include "tests/support/fill_run.h"
#include "tests/support/graph.h"
#include "tests/support/sanitized.h"

namespace thing_key_runs_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kLast = 16;

/// One box of every kind, each started or waited for somehow, and two of all that they may be about.
struct Stage {
  World world;
  Graph graph{world};
  std::vector<Id> boxes, movers, bodies, curves, sources, cameras, sounds, markers, numbered;

  explicit Stage(EditDice& dice) {
    Scene& scene = world.scene;
    scene.settings.substeps = 2;
    scene.settings.last_frame = 40;
    const Id floor = world.floor(0.5, 0.4);
    movers = {world.add(World::sphere(0.1, Vec3(0, 0.15 + 0.3 * dice.unit(), 0))),
              world.add(World::box(Vec3::Constant(0.2), Vec3(0.6, 0.12 + 0.2 * dice.unit(), 0))),
              world.add(World::jelly(0.15, Vec3(1.3, 0.3, 0), 500))};
    bodies = movers;
    bodies.push_back(floor);
    for (int k = 0; k < 2; ++k) {
      Curve way;
      way.points = {{Vec3(0, 0.5, 0)}, {Vec3(1 - 2 * k, 1, 0.5)}};
      curves.push_back(put(&Scene::curves, way));
      ParticleSource source;
      source.rate = 60;
      source.speed = 1 + k;
      source.collides = false;
      sources.push_back(put(&Scene::particles, source));
      cameras.push_back(put(&Scene::cameras, Camera()));
      sounds.push_back(put(&Scene::sounds, Sound()));
      Force force;
      force.object = movers[static_cast<std::size_t>(k)].value;
      numbered.push_back(put(&Scene::forces, force));
      ForceField field;
      field.kind = k == 0 ? FieldKind::wind : FieldKind::attractor;
      numbered.push_back(put(&Scene::fields, field));
    }
    numbered.insert(numbered.end(), sources.begin(), sources.end());
    for (int k = 0; k < 4; ++k) {
      Marker one;
      one.name = k % 2 == 0 ? "A" : "B";
      one.time = 0.25 * dice.unit();
      markers.push_back(put(&Scene::markers, one));
    }
    for (int k = 0; k < 9; ++k) add_event(dice);
    for (int k = 0; k < 9; ++k) add_procedure(dice);
  }

  template <class Thing>
  Id put(std::vector<Shared<Thing>> Scene::*list, Thing one) {
    one.id = next_id(world.scene);
    (world.scene.*list).push_back(Shared<Thing>(one));
    return one.id;
  }
  Id other_of(OtherUse use, EditDice& dice) const {
    switch (use) {
      case OtherUse::none:
        return {};
      case OtherUse::curve:
        return pick(curves, dice);
      case OtherUse::source:
        return pick(sources, dice);
      case OtherUse::camera:
        return pick(cameras, dice);
      case OtherUse::sound:
        return pick(sounds, dice);
      case OtherUse::marker:
        return pick(markers, dice);
      case OtherUse::number:
        return dice.below(4) == 0 ? Id{} : pick(numbered, dice);
      default:
        return dice.below(4) == 0 ? Id{} : pick(bodies, dice);
    }
  }
  void add_event(EditDice& dice) {
    const EventKind& kind = *pick(event_kinds(), dice);
    const Id of = pick(movers, dice);
    const Id event = graph.when(std::string(kind.name), of, {}, other_of(kind.other, dice));
    if (dice.below(2) == 0) graph.loop(event);
    graph.wire(event, graph.does("push", of, {{"y", 5}, {"x", 2}, {"duration", 0.05}}));
    boxes.push_back(event);
  }
  void add_procedure(EditDice& dice) {
    const ProcedureKind& kind = *pick(procedure_kinds(), dice);
    const Id of = pick(movers, dice);
    const Id box = graph.does(std::string(kind.name), of, {}, other_of(kind.other, dice));
    const Id event = dice.below(3) == 0 ? graph.loop(graph.when("frame", of, {{"every", 2}}))
                                        : graph.when("time", of, {{"time", 0.1 * dice.unit()}});
    graph.wire(event, box);
    boxes.push_back(box);
  }
};

/// A key of a row that is no plain number, or what keys may name comes, goes or changes.
Scene edited(const Stage& stage, const Scene& before, EditDice& dice, std::string& what) {
  const double time = 0.26 * dice.unit();
  if (dice.below(6) == 0) {
    Scene after = before;
    what = "what is named";
    const int way = dice.below(3);
    if (way == 0 && !after.markers.empty()) after.markers.pop_back();
    if (way == 1 && !after.curves.empty())
      after.curves[0] = after.curves[0].edited([&](Curve& c) { c.transform.position.y() += 0.1; });
    if (way == 2 && !after.cameras.empty()) after.cameras.erase(after.cameras.begin());
    return after;
  }
  const MotionNode& box = *find_motion(before, pick(stage.boxes, dice));
  std::vector<Field<MotionNode>> rows = keyable_rows(box);
  std::erase_if(rows, [](const Field<MotionNode>& row) { return row.type == FieldType::number; });
  if (rows.empty()) return before;
  const Field<MotionNode>& row = pick(rows, dice);
  what = std::string(row.path);
  if (find_track(before, box.id.value, row.path) && dice.below(4) == 0)
    return without_track(before, box.id.value, row.path, time);
  FieldValue value = dice.below(2) == 0;
  if (row.type == FieldType::choice)
    value = static_cast<std::int64_t>(dice.below(static_cast<int>(row.choices.size())));
  if (row.type == FieldType::integer) value = std::int64_t{1 + dice.below(3)};
  if (is_with(row.path)) value = static_cast<std::int64_t>(stage.other_of(kind_of(box)->other, dice).value);
  Scene after = with_key(before, box.id.value, row.path, time, value);
  if (dice.below(5) == 0) {
    const Track* track = find_track(after, box.id.value, row.path);
    for (auto& one : after.tracks)
      if (one.get() == track) {
        one = one.edited([&](Track& t) { t.after = static_cast<Beyond>(dice.below(4)); });
        break;
      }
  }
  return after;
}

void random_edits(std::uint64_t first, std::uint64_t graphs) {
  int kept = 0, edits = 0;
  std::set<std::string> rows;
  for (std::uint64_t seed = first; seed < first + graphs; ++seed) {
    EditDice dice(51000 + seed);
    Stage stage(dice);
    FillRun run(dice.below(2) + 1);
    Scene before = stage.world.scene;
    if (dice.below(4) == 0)  // slow motion: frames lie between sub-steps
      for (const auto& [time, scale] : {std::pair(0.0, 1.0), std::pair(0.1, 0.4)})
        before = with_key(before, 0, "settings.time_scale", time, scale);
    run.start({}, before, kLast);
    if (run.settle().phase == FillStatus::Phase::stopped) continue;
    for (int k = 0; k < 10; ++k) {
      std::string what;
      const Scene after = edited(stage, before, dice, what);
      INFO("seed " << seed << ", edit " << k << ": " << what);
      const ChangeSet change = diff(before, after, [&](const Cause& cause) { return run.fill.first_frame(cause); });
      kept += !change.empty() && change.first_frame > 0;
      run.start(before, after, kLast);
      const FillStatus status = run.settle();
      if (status.phase == FillStatus::Phase::stopped) break;
      ++edits;
      rows.insert(what);
      run.check_equals_fresh(after, kLast);
      before = after;
    }
  }
  CAPTURE(edits, kept, rows.size());
  CHECK(edits > static_cast<int>(graphs) * 4);
  CHECK(kept >= static_cast<int>(graphs));
}

/// A run whose events are looked at where something may come of them, beside one whose are looked at in each sub-step.
void check_watched(std::uint64_t seed) {
  INFO("seed " << seed);
  EditDice dice(77000 + seed);
  Stage stage(dice);
  Scene scene = stage.world.scene;
  std::string what;
  for (int k = 0; k < 8; ++k) scene = edited(stage, scene, dice, what);
  MeshStore meshes;
  auto made = compile(scene, meshes);
  REQUIRE(made.ok());
  std::vector<std::uint64_t> hashes[2];
  for (int way = 0; way < 2; ++way) {
    auto model = std::make_shared<Model>(**made);
    model->director = make_motion_director(scene, *model, make_track_director(scene, *model),
                                           way == 0 ? EventLooks::where_due : EventLooks::all);
    State state = initial_state(*model);
    StepWorkspace workspace;
    Executor executor(1);
    for (int k = 0; k < 2 * kLast; ++k) {
      if (!step(*model, state, workspace, executor).ok) break;
      hashes[way].push_back(hash(state));
    }
  }
  CHECK(hashes[0] == hashes[1]);
}

}  // namespace

TEST_CASE("200 random edits of keys of things and choices make the frames of a run from the start",
          "[motion][keys][things][fill]") {
  random_edits(1, static_cast<std::uint64_t>(test::rounds(20, 4)));
  random_edits(1192, 1);  // a distance to nothing gets its first key, which names nothing
}

TEST_CASE("3000 random edits of keys of things and choices", "[.long][motion][keys][things][fill]") {
  random_edits(1000, 300);
}

TEST_CASE("200 random graphs with keyed things: events looked at where due, or always", "[motion][keys][things]") {
  const auto all = static_cast<std::uint64_t>(test::rounds(200, 20));
  for (std::uint64_t seed = 0; seed < all; ++seed) check_watched(seed);
}

}  // namespace thing_key_runs_test
