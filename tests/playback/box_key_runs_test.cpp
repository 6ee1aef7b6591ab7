// Edits of keys of boxes of motion graphs: which frames they drop, and that what is computed again equals a run from the start, bit for bit.
#include <catch2/catch.hpp>

#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/tracks.h"
#include "tests/support/edits.h"
#include "tests/support/fill_run.h"
#include "tests/support/graph.h"
#include "tests/support/sanitized.h"

namespace box_key_runs_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Scene with_shape(Scene scene, KeyShape shape) {
  for (auto& track : scene.tracks)
    track = track.edited([shape](Track& t) {
      for (Key& key : t.keys) key.shape = shape;
    });
  return scene;
}

Scene key(Scene scene, Id box, const char* field, double time, double number) {
  return with_shape(with_key(std::move(scene), box.value, field, time, number), KeyShape::linear);
}

/// Ten edits of each graph.
void random_edits(std::uint64_t first, std::uint64_t graphs) {
  int kept = 0, edits = 0;
  for (std::uint64_t seed = first; seed < first + graphs; ++seed) {
    EditDice dice(9000 + seed);
    World world;
    world.scene.settings.substeps = 2;
    world.scene.settings.last_frame = 40;
    world.floor();
    const Id ball = world.add(World::sphere(0.1, Vec3(0, 0.2 + 0.2 * dice.unit(), 0)));
    const Id soft = world.add(World::jelly(0.15, Vec3(1, 0.3, 0), 500));
    Graph graph(world);
    std::vector<Id> boxes;
    const auto add = [&](const char* kind, Id of) {
      const Id event = dice.below(3) == 0 ? graph.loop(graph.when("frame", of, {{"every", 3}}))
                                          : graph.when("time", of, {{"time", 0.15 * dice.unit()}});
      boxes.push_back(event);
      boxes.push_back(graph.does(kind, of));
      graph.wire(event, boxes.back());
    };
    for (const char* kind : {"push", "gravity", "throw", "bounce", "hold", "colour"}) add(kind, ball);
    for (const char* kind : {"stretch", "sway", "pose", "squash", "push"}) add(kind, soft);
    boxes.push_back(graph.loop(graph.when("height", ball, {{"limit", 0.3}})));
    boxes.push_back(graph.loop(graph.when("contact", ball)));
    graph.wire(boxes[boxes.size() - 2], graph.does("push", ball, {{"y", 4}, {"duration", 0.05}}));
    graph.wire(boxes.back(), graph.does("push", ball, {{"x", 3}, {"duration", 0.05}}));
    const int last = 16;
    if (dice.below(3) == 0)  // slow motion: frames lie between sub-steps
      for (const auto& [time, scale] : {std::pair(0.0, 1.0), std::pair(0.1, 0.3), std::pair(0.2, 0.8)})
        world.scene = with_key(world.scene, 0, "settings.time_scale", time, scale);
    FillRun run(dice.below(2) + 1);
    Scene before = world.scene;
    run.start({}, before, last);
    run.settle();
    for (int k = 0; k < 10; ++k) {
      const Id box = pick(boxes, dice);
      const std::vector<Field<MotionNode>> rows = keyable_rows(*find_motion(before, box));
      if (rows.empty()) continue;
      const Field<MotionNode>& field = pick(rows, dice);
      INFO("seed " << seed << ", edit " << k << ": " << field.path);
      const double time = 0.3 * dice.unit();
      Scene after = before;
      if (find_track(before, box.value, field.path) && dice.below(5) == 0) {
        after = without_track(after, box.value, field.path, time);
      } else {
        const double number = std::clamp(dice.between(-2, 4), field.low, field.high);
        FieldValue value = number;
        if (field.type == FieldType::boolean) value = dice.below(2) == 0;
        if (field.type == FieldType::integer) value = static_cast<std::int64_t>(std::ceil(number));
        after = with_key(after, box.value, field.path, time, value);
      }
      if (dice.below(4) == 0) after = with_shape(after, static_cast<KeyShape>(dice.below(3)));
      const ChangeSet change = diff(before, after, [&](const Cause& cause) { return run.fill.first_frame(cause); });
      kept += !change.empty() && change.first_frame > 0;
      run.start(before, after, last);
      const FillStatus status = run.settle();
      if (status.phase == FillStatus::Phase::stopped) break;
      ++edits;
      run.check_equals_fresh(after, last);
      before = after;
    }
  }
  CHECK(edits > static_cast<int>(graphs) * 8);
  CHECK(kept > static_cast<int>(graphs));
}

}  // namespace

TEST_CASE("A key of a box drops the frames from where its number is another one, and none before the box is read",
          "[motion][keys][fill]") {
  constexpr const char *kForce = "procedure.push.x", *kUp = "procedure.throw.y";
  World world;
  world.scene.settings.last_frame = 200;
  const Id ball = world.add(World::sphere(0.1, Vec3(0, 1, 0)));
  Graph graph(world);
  const Id start = graph.when("time", ball, {{"time", 0}}),
           push = graph.does("push", ball, {{"x", 1}, {"duration", 0}}),
           later = graph.when("time", ball, {{"time", 2.5}}), thrown = graph.does("throw", ball, {{"y", 3}}),
           never = graph.does("push", ball, {{"x", 1}});
  graph.wire(start, push);
  graph.wire(later, thrown);
  Scene before = world.scene;
  for (const auto& [time, force] : {std::pair(0.0, 0.0), std::pair(1.0, 5.0), std::pair(2.0, 1.0)})
    before = key(std::move(before), push, kForce, time, force);
  FillRun run(1);
  run.start({}, before, 180);
  run.settle();
  const auto change = [&](const Scene& after) {
    return diff(before, after, [&](const Cause& cause) { return run.fill.first_frame(cause); });
  };
  CHECK(change(key(before, push, kForce, 1, 4)).first_frame == 0);
  CHECK(change(key(before, push, kForce, 2, 4)).first_frame == 60);
  CHECK(change(key(before, push, kForce, 1.5, 4)).first_frame == 60);
  CHECK(change(key(before, push, kForce, 2.5, 4)).first_frame == 120);
  // Held where it was held anyway; and the number that it has, keyed for the first time.
  for (const Scene& after : {key(before, push, kForce, 2.5, 1), key(before, push, "procedure.push.y", 1, 0)}) {
    CHECK(change(after).first_frame == kNoFrame);
    CHECK(change(after).simulation);
  }
  CHECK(change(key(before, push, "procedure.push.y", 1, 2)).first_frame == 0);
  // The throw starts with the sub-step after 2.5 s; what its keys say before nobody reads.
  const Scene at_once = key(before, thrown, kUp, 1, 7);
  CHECK(change(at_once).first_frame >= 149);
  CHECK(change(at_once).first_frame <= 150);
  CHECK(change(key(key(before, thrown, kUp, 2.8, 3), thrown, kUp, 2.9, 5)).first_frame == 168);
  CHECK(change(key(before, never, kForce, 1, 7)).first_frame == kNoFrame);
  // What it waits for is another thing when keys say it: then it is in all states.
  CHECK(change(key(before, later, "event.time.time", 1, 2.5)).first_frame == 0);
  Scene muted = before;
  muted.tracks[0] = muted.tracks[0].edited([](Track& t) { t.visible = false; });
  CHECK(change(muted).first_frame == 0);

  for (const Scene& after : {key(before, push, kForce, 1.5, 4), at_once}) {
    run.start(before, after, 180);
    run.settle();
    run.check_equals_fresh(after, 180);
    run.start(after, before, 180);
    run.settle();
    run.check_equals_fresh(before, 180);
  }
}

TEST_CASE("200 random edits of keys of boxes make the frames of a run from the start", "[motion][keys][fill]") {
  random_edits(1, static_cast<std::uint64_t>(test::rounds(20, 4)));
}

TEST_CASE("3000 random edits of keys of boxes", "[.long][motion][keys][fill]") { random_edits(1000, 300); }

}  // namespace box_key_runs_test
