// Random edits of joints and of what they hold: whatever frames an edit leaves standing, they are those of a run from the start, bit for bit.
#include <catch2/catch.hpp>
#include <functional>

#include "core/scene/derived/tracks.h"
#include "core/scene/values/scene_lists.h"
#include "core/scene/values/words.h"
#include "tests/support/edits.h"
#include "tests/support/fill_run.h"
#include "tests/support/sanitized.h"

namespace joint_edits_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kLast = 12;

/// A floor and boxes apart from each other, so that nothing begins in something else.
Scene boxes() {
  Scene scene;
  scene.settings.substeps = 2;
  scene.settings.last_frame = kLast;
  scene.objects = {floor_object(1)};
  for (std::uint64_t id = 2; id < 6; ++id) {
    Object one = box(id, "Box " + std::to_string(id), Vec3(1.3 * static_cast<double>(id), 1.2, 0));
    one.body.velocity = Vec3(0.2, 0, -0.1);
    scene.objects.push_back(one);
  }
  return scene;
}

std::uint64_t some_end(const Scene& scene, EditDice& dice) {
  return dice.below(4) == 0 ? 0 : pick(scene.objects, dice)->id.value;
}

Scene edited(const Scene& scene, EditDice& dice, std::string& what) {
  Scene next = scene;
  const int kind = dice.below(10);
  if (kind <= 2 || next.joints.empty()) {
    what = "joint added";
    Joint joint;
    joint.id = next_id(next);
    joint.name = unique_name(next, "Joint");
    joint.kind = static_cast<JointKind>(dice.below(static_cast<int>(words<JointKind>().size())));
    joint.a.object = some_end(next, dice);
    joint.b.object = some_end(next, dice);
    joint.a.place = dice.vector(0.8);
    joint.b.place = dice.vector(0.8);
    if (!next.joints.empty()) {
      joint.first = pick(next.joints, dice)->id.value;
      joint.second = pick(next.joints, dice)->id.value;
    }
    next.joints.push_back(joint);
    return next;
  }
  auto& joint = next.joints[static_cast<std::size_t>(dice.below(static_cast<int>(next.joints.size())))];
  if (kind == 3) {
    what = "removed " + joint->name;
    return without(next, joint->id);
  }
  if (kind == 4) {
    const Id body = pick(next.objects, dice)->id;
    what = "fixed or not";
    return with_object(next, body, [](Object& o) {
      o.body.kind = o.body.kind == BodyKind::fixed ? BodyKind::rigid : BodyKind::fixed;
    });
  }
  if (kind >= 8) {
    std::vector<const Field<Joint>*> keyable;
    for (const auto& row : joint_fields())
      if (row.keyable && row.shown(*joint)) keyable.push_back(&row);
    const Field<Joint>& row = *pick(keyable, dice);
    const double frame = 1 / next.settings.frame_rate;
    Joint other = *joint;
    if (change_field(row, other, dice)) {
      what = "key of " + std::string(row.path) + " of " + joint->name;
      return with_key(std::move(next), other.id.value, row.path, frame * dice.below(kLast + 3), row.get(other));
    }
  }
  std::string field;
  joint = joint.edited([&](Joint& j) { change_some_field(joint_fields(), j, dice, field); });
  what = field + " of " + joint->name;
  return next;
}

}  // namespace

TEST_CASE("Random edits of joints leave the frames of a run from the start", "[joints]") {
  for (const std::uint64_t seed : {71, 72, 73}) {
    EditDice dice(seed);
    FillRun run(1);
    Scene scene = boxes();
    run.fill.start(Shared<Scene>(scene), 0, kLast);
    run.settle();
    int done = 0, kept = 0;
    const int edits = rounds(60, 8);
    for (int i = 0; i < edits; ++i) {
      std::string what;
      Scene next = edited(scene, dice, what);
      if (has_error(validate(next))) continue;
      INFO("seed " << seed << ", edit " << i << ": " << what);
      run.start(scene, next, kLast);
      ++done;
      kept += diff(scene, next, {}).first_frame == kNoFrame;
      run.settle();
      run.check_equals_fresh(next, kLast);
      scene = std::move(next);
    }
    CHECK(3 * done >= 2 * edits);
    CHECK(60 * kept >= 2 * edits);  // what their kinds do not have, names and looks
  }
}

TEST_CASE("How a joint holds that keys have off drops the frames from where it is on", "[joints]") {
  constexpr int kOn = 7;
  for (const JointKind kind : {JointKind::hinge, JointKind::slider, JointKind::fixed, JointKind::spring,
                               JointKind::rope, JointKind::ball, JointKind::lead}) {
    Scene scene = boxes();
    Joint joint;
    joint.id = next_id(scene);
    joint.name = "Joint";
    joint.kind = kind;
    joint.a.object = 2;
    joint.b.object = 3;
    joint.a.place = Vec3(0.3, 0.1, 0);
    joint.b.place = Vec3(-0.3, 0, 0.1);
    joint.limited = joint.motor = true;
    joint.measured = false;
    scene.joints = {joint};
    const double frame = 1 / scene.settings.frame_rate;
    scene = with_key(std::move(scene), joint.id.value, "on", 0, false);
    scene = with_key(std::move(scene), joint.id.value, "on", kOn * frame, true);
    const std::vector<std::function<void(Joint&)>> changes = {
        [](Joint& j) { j.a.place = Vec3(0.1, 0.2, 0); },
        [](Joint& j) { j.b.place = Vec3(0.1, 0, 0); },
        [](Joint& j) { j.turn = Quat(Eigen::AngleAxisd(1, Vec3::UnitX())); },
        [](Joint& j) { j.limited = false; },
        [](Joint& j) { j.most_turn = j.most_way = 0.1; },
        [](Joint& j) { j.motor_turn = j.motor_speed = 3; },
        [](Joint& j) { j.stiffness = 30, j.length = 2; },
        [](Joint& j) { j.measured = true; },
        [](Joint& j) { j.break_force = 5; },
        [](Joint& j) { j.strictness = 0.3; }};
    for (std::size_t change = 0; change < changes.size(); ++change) {
      INFO(static_cast<int>(kind) << ", change " << change);
      FillRun run(1);
      run.fill.start(Shared<Scene>(scene), 0, kLast);
      run.settle();
      const auto old = run.cache.frames();
      const Scene next = with_joint(scene, joint.id, changes[change]);
      const int first = diff(scene, next, {}).first_frame;
      const bool kept = first == kOn || first == kOn + 1 || first == kNoFrame;
      CHECK(kept);
      run.start(scene, next, kLast);
      run.settle();
      const auto now = run.cache.frames();
      for (std::size_t f = 0; f < kOn; ++f) CHECK(now[f] == old[f]);  // the very same
      run.check_equals_fresh(next, kLast);
    }
    // Whether the two touch each other counts from the start, and what a box may switch on, too.
    CHECK(diff(scene, with_joint(scene, joint.id, [](Joint& j) { j.collide = true; }), {}).first_frame ==
          (kind == JointKind::spring || kind == JointKind::rope || kind == JointKind::lead ? kNoFrame : 0));
    CHECK(diff(scene, with_joint(scene, joint.id, [](Joint& j) { j.b.object = 4; }), {}).first_frame == 0);
  }
}

TEST_CASE("What holds more, or holds later, drops the frames from where it was met", "[joint]") {
  struct Case {
    JointKind kind;
    std::function<void(Joint&)> made, eased;
  };
  // Box 2 is thrown up at what holds it, or swings down from level; it meets its limit, or breaks, some frames later.
  const Case cases[] = {
      {JointKind::hinge, [](Joint& j) { j.limited = true, j.least_turn = -0.2, j.most_turn = 0.2; },
       [](Joint& j) { j.most_turn = 0.5, j.least_turn = -0.4; }},
      {JointKind::slider, [](Joint& j) { j.limited = true, j.least_way = -0.25, j.most_way = 0.25; },
       [](Joint& j) { j.most_way = 0.4; }},
      {JointKind::rope, [](Joint& j) { j.measured = false, j.length = 0.3; }, [](Joint& j) { j.length = 0.4; }},
      {JointKind::ball, [](Joint& j) { j.break_force = 4; }, [](Joint& j) { j.break_force = 0; }}};
  for (const Case& one : cases) {
    INFO(static_cast<int>(one.kind));
    Scene scene = boxes();
    scene = with_object(std::move(scene), Id{2}, [&](Object& o) {
      o.body.velocity = Vec3(0, one.kind == JointKind::ball ? 0 : 3, 0);
      o.contact.enabled = false;
    });
    Joint joint;
    joint.id = next_id(scene);
    joint.name = "Joint";
    joint.kind = one.kind;
    joint.a.place = Vec3(2.6, 1.2, 0);
    joint.b.object = 2;
    if (one.kind == JointKind::hinge || one.kind == JointKind::ball) joint.a.place.x() = 1.8;
    if (one.kind == JointKind::slider) joint.turn = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitY());
    one.made(joint);
    scene.joints = {joint};
    FillRun run(1);
    run.fill.start(Shared<Scene>(scene), 0, kLast);
    run.settle();
    const auto old = run.cache.frames();
    const Scene next = with_joint(scene, joint.id, one.eased);
    run.start(scene, next, kLast);
    run.settle();
    const auto now = run.cache.frames();
    std::size_t kept = 0;
    while (kept < now.size() && now[kept] == old[kept]) ++kept;
    CHECK(kept > 2);
    CHECK(kept < now.size());
    run.check_equals_fresh(next, kLast);
    // The other way round it may hold from the start.
    CHECK(diff(next, scene, {}).first_frame == 0);
  }
}

}  // namespace joint_edits_test
