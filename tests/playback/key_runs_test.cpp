// Edits of keys, at random moments: what was computed and kept equals a run from the start; how many frames an edit drops.
#include <catch2/catch.hpp>

#include "core/scene/derived/tracks.h"
#include "core/scene/validate.h"
#include "tests/support/edits.h"
#include "tests/support/fill_run.h"
#include "tests/support/sanitized.h"
#include "tests/support/world.h"

namespace key_runs_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kLast = 60;

/// A bat that is led to and fro, a ball that it may hit, a box and something soft that are led and let go; time goes slower for a while,
/// if asked.
Scene keyed_scene(bool slow) {
  World world;
  world.floor();
  Object bat = World::box(Vec3(0.2, 0.4, 0.4), Vec3(-0.6, 0.25, 0), 2);
  bat.body.kind = BodyKind::fixed;
  bat.name = "Bat";
  const Id of_bat = world.add(bat);
  const Id ball = world.add(World::sphere(0.15, Vec3(0, 0.16, 0)));
  const Id box = world.add(World::box(Vec3(0.2, 0.2, 0.2), Vec3(0.6, 0.8, 0), 1));
  (void)ball;
  Object lung = World::jelly(0.2, Vec3(0, 0.6, 0.8), 60, 0.5, false);
  lung.body.volume.of = VolumeOf::surface;
  const Id of_lung = world.add(lung);
  const Id soft = world.add(World::jelly(0.2, Vec3(0.2, 0.6, -0.5), 200, 0.5, false));
  Scene scene = world.scene;
  scene.settings.last_frame = kLast;
  for (const auto& [time, x] : {std::pair(0.0, 0.2), std::pair(0.3, 0.5), std::pair(0.6, 0.1)})
    scene = with_key(std::move(scene), soft.value, "transform.position", time, Vec3(x, 0.6, -0.5));
  scene = with_key(std::move(scene), soft.value, "body.led", 0, true);
  scene = with_key(std::move(scene), soft.value, "body.led", 0.4, false);
  scene = with_key(std::move(scene), of_bat.value, "transform.position", 0, Vec3(-0.6, 0.25, 0));
  scene = with_key(std::move(scene), of_bat.value, "transform.position", 0.4, Vec3(0.1, 0.25, 0));
  scene = with_key(std::move(scene), of_bat.value, "transform.position", 0.8, Vec3(-0.6, 0.25, 0));
  scene = with_key(std::move(scene), box.value, "transform.rotation", 0, Quat::Identity());
  scene = with_key(std::move(scene), box.value, "transform.rotation", 0.5, Quat(Eigen::AngleAxisd(2, Vec3::UnitY())));
  scene = with_key(std::move(scene), box.value, "body.led", 0, true);
  scene = with_key(std::move(scene), box.value, "body.led", 0.3, false);
  scene = with_key(std::move(scene), 0, "settings.gravity", 0, Vec3(0, -9.8, 0));
  for (const auto& [time, size] : {std::pair(0.0, 1.0), std::pair(0.4, 1.5), std::pair(0.7, 0.8)})
    scene = with_key(std::move(scene), of_lung.value, "body.volume.size", time, size);
  if (!slow) return scene;
  for (const auto& [time, scale] : {std::pair(0.1, 1.0), std::pair(0.3, 0.2), std::pair(0.5, 0.0), std::pair(0.6, 1.5)})
    scene = with_key(std::move(scene), 0, "settings.time_scale", time, scale);
  return scene;
}

Scene random_key_edit(const Scene& scene, EditDice& dice, std::string& what) {
  Scene next = scene;
  const auto at = static_cast<std::size_t>(dice.below(static_cast<int>(next.tracks.size())));
  const auto share = [&] { return dice.below(1000) / 1000.0; };
  next.tracks[at] = next.tracks[at].edited([&](Track& track) {
    const auto k = static_cast<std::size_t>(dice.below(static_cast<int>(track.keys.size())));
    Key& key = track.keys[k];
    what = track.field + " key " + std::to_string(k) + ": ";
    switch (dice.below(8)) {
      case 0: {
        const double low = k > 0 ? track.keys[k - 1].time + 1e-3 : std::min(0.0, key.time),
                     high = k + 1 < track.keys.size() ? track.keys[k + 1].time - 1e-3 : 1.1;
        if (high > low) key.time = low + share() * (high - low);
        what += "time";
        break;
      }
      case 1:
        if (track.field == "body.led")
          key.value[0] = dice.below(2);
        else if (track.field == "settings.time_scale")
          key.value[0] = dice.below(4) == 0 ? 0 : 2 * share();
        else if (track.field == "transform.rotation")
          key.value = numbers_of(Quat(Eigen::AngleAxisd(3 * share(), Vec3(1, 2, 2) / 3)));
        else
          key.value[static_cast<std::size_t>(dice.below(3))] += 0.4 * (share() - 0.5);
        what += "value";
        break;
      case 2:
        key.shape = static_cast<KeyShape>(dice.below(3));
        what += "shape";
        break;
      case 3:
        key.tangent = static_cast<KeyTangent>(dice.below(4));
        for (std::size_t i = 0; i < 3; ++i) key.in[i] = share() - 0.5, key.out[i] = share() - 0.5;
        what += "tangent";
        break;
      case 4:
        track.after = static_cast<Beyond>(dice.below(4));
        what += "after";
        break;
      case 5:
        track.before = static_cast<Beyond>(dice.below(4));
        what += "before";
        break;
      case 6:
        if (track.keys.size() > 1) track.keys.erase(track.keys.begin() + static_cast<std::ptrdiff_t>(k));
        what += "deleted";
        break;
      default:
        track.visible = !track.visible || dice.below(3) > 0;
        what += "used";
    }
  });
  if (dice.below(8) == 0) {
    const Id bat = next.objects[1]->id;
    next = with_key(std::move(next), bat.value, "transform.position", share(), Vec3(share() - 0.6, 0.25, 0));
    what += ", a new one";
  }
  return next;
}

struct Edits {
  int made = 0, kept = 0;
};

void edit_at_random(std::uint64_t seed, Edits& edits) {
  EditDice dice(seed);
  FillRun run(2);
  Scene scene = keyed_scene(seed % 2 == 0);
  run.fill.start(Shared<Scene>(scene), 0, kLast);
  std::string story;
  for (int k = 0; k < 20; ++k) {
    if (const int moment = dice.below(3); moment == 1)
      run.wait_for(dice.below(kLast));
    else if (moment == 2)
      run.settle();
    std::string what;
    Scene next = random_key_edit(scene, dice, what);
    if (has_error(validate(next))) continue;
    ++edits.made;
    story += "\n" + what;
    run.start(scene, next, kLast);
    edits.kept += run.cache.size() > 0;
    scene = std::move(next);
    if (dice.below(4) != 0 && k < 19) continue;
    INFO("seed " << seed << story);
    run.settle();
    run.check_equals_fresh(scene, kLast);
  }
}

}  // namespace

TEST_CASE("frames after 200 random edits of keys equal those of a fresh run", "[keys][threads]") {
  Edits edits;
  const int rounds = test::rounds(10, 1);
  for (int seed = 1; seed <= rounds; ++seed) edit_at_random(static_cast<std::uint64_t>(seed), edits);
  INFO(edits.made << " edits, " << edits.kept << " kept frames");
  CHECK(edits.made >= 18 * rounds);
  CHECK((edits.kept >= 4 * rounds || rounds == 1));
}

TEST_CASE("frames after 6000 random edits of keys equal those of a fresh run", "[.long]") {
  Edits edits;
  for (std::uint64_t seed = 5001; seed <= 5300; ++seed) edit_at_random(seed, edits);
}

TEST_CASE("where time comes to stand still, the end of its last sub-step is another", "[keys]") {
  // Up to the last frame the clocks are the same; of the sub-step that it is in they are not.
  World world;
  Object lung = World::jelly(0.2, Vec3::Zero(), 60, 0.5, false);
  lung.body.volume.of = VolumeOf::surface;
  const Id id = world.add(lung);
  Scene scene = world.scene;
  scene.settings.last_frame = 30;
  for (const auto& [time, size] : {std::pair(0.0, 1.0), std::pair(0.4, 1.5), std::pair(0.9, 0.8)})
    scene = with_key(std::move(scene), id.value, "body.volume.size", time, size);
  for (const auto& [time, scale] : {std::pair(0.0, 1.0), std::pair(0.3, 0.3), std::pair(0.5, 0.0), std::pair(0.6, 0.4)})
    scene = with_key(std::move(scene), 0, "settings.time_scale", time, scale);
  Scene still = scene;
  still.tracks.back() = still.tracks.back().edited([](Track& track) { track.keys.pop_back(); });
  const auto before = fresh_run(scene, 30), after = fresh_run(still, 30);
  const ChangeSet change = diff(scene, still, {});
  REQUIRE(change.simulation);
  for (int f = 0; f < change.first_frame && f <= 30; ++f)
    CHECK(same_bits(before[static_cast<std::size_t>(f)], after[static_cast<std::size_t>(f)]));
  CHECK(change.first_frame <= 30);
}

TEST_CASE("an edit of a key drops the frames from which what keys say is otherwise", "[keys]") {
  World world;
  Object bat = World::box(Vec3(0.2, 0.4, 0.4), Vec3::Zero(), 2);
  bat.body.kind = BodyKind::fixed;
  const Id id = world.add(bat);
  const Id light = world.add(World::sphere(0.1, Vec3(3, 0, 0)));
  Scene scene = world.scene;
  scene.settings.last_frame = 240;
  for (int k = 0; k <= 8; ++k)
    scene = with_key(std::move(scene), id.value, "transform.position", 0.5 * k, Vec3(0.1 * k * k, 0, 0));
  const auto changed = [&](const std::function<void(Track&)>& change) {
    Scene next = scene;
    next.tracks[0] = next.tracks[0].edited(change);
    return next;
  };
  const auto first = [&](const Scene& before, const Scene& after) { return diff(before, after, {}).first_frame; };
  const auto all = [](KeyShape shape) {
    return [shape](Track& t) {
      for (Key& k : t.keys) k.shape = shape;
    };
  };
  // Key 6 is at frame 180 of 240.
  const auto move = [](Track& t) { t.keys[6].time += 1.0 / 60; };
  scene = changed(all(KeyShape::step));
  CHECK(first(scene, changed(move)) >= 180);  // at most 60 frames
  scene = changed(all(KeyShape::linear));
  CHECK(first(scene, changed(move)) == 151);  // from the key before on
  scene = changed(all(KeyShape::spline));
  CHECK(first(scene, changed(move)) == 121);  // automatic tangents reach two keys back
  scene = changed([](Track& t) { t.after = Beyond::cycle; });
  CHECK(first(scene, changed([](Track& t) { t.before = Beyond::cycle; })) <= 1);
  CHECK(first(scene, changed([](Track& t) { t.keys[4].tangent = KeyTangent::automatic; })) == kNoFrame);
  CHECK(first(scene, changed([](Track& t) { t.name = "Way"; })) == kNoFrame);
  // A look drops nothing.
  const Scene lit = with_key(scene, light.value, "material.surface.diffuse", 0.5, Vec3(1, 0, 0));
  const ChangeSet look = diff(scene, lit, {});
  CHECK(look.first_frame == kNoFrame);
  CHECK_FALSE(look.simulation);
}

}  // namespace key_runs_test
