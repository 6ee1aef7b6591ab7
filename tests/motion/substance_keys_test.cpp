// Keys of friction, restitution and gravity of an object (core/scene/derived/substance_keys.h): a run has in each sub-step what they say;
// what sleeps wakes; edits equal fresh runs and keep the frames before.
#include <catch2/catch.hpp>

#include "core/scene/derived/keyed.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/validate.h"
#include "tests/support/edits.h"
#include "tests/support/fill_run.h"
#include "tests/support/run.h"

namespace substance_keys_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kG = 9.80665;

void step_keys(World& world, Id id, const char* field, const std::vector<std::pair<double, FieldValue>>& keys) {
  for (const auto& [time, value] : keys) world.scene = with_key(std::move(world.scene), id.value, field, time, value);
  for (auto& track : world.scene.tracks)
    track = track.edited([](Track& all) {
      for (Key& key : all.keys) key.shape = KeyShape::step;
    });
}

struct Slide {
  World world;
  Id ground, box;
  Vec3 along;
};

/// A box at rest on a slope of 20° that becomes slippery at 2 s.
Slide slide() {
  Slide s;
  const double tilt = 20 * 3.14159265358979 / 180;
  Object slope =
      make_object(0, "slope", {PrimitiveShape::plane, Vec3(20, 1, 20), {1, 1, 1}}, Vec3::Zero(), BodyKind::fixed);
  slope.transform.rotation = Quat(Eigen::AngleAxisd(tilt, Vec3::UnitZ()));
  slope.material.substance.friction = 1;
  s.ground = s.world.add(slope);
  s.along = slope.transform.rotation * Vec3::UnitX();
  Object box = World::box(Vec3::Constant(0.2), slope.transform.rotation * Vec3(0, 0.1, 0), 1);
  box.transform.rotation = slope.transform.rotation;
  box.material.substance.friction = 1;
  box.material.substance.restitution = 0;
  s.box = s.world.add(box);
  step_keys(s.world, s.ground, "material.substance.friction", {{0, 1.0}, {2, 0.0}});
  return s;
}

}  // namespace

TEST_CASE("A ball bounces as high as the keys of its restitution say at that moment", "[keys][substance]") {
  World world;
  world.floor(0.5, 1);
  Object ball = World::sphere(0.1, Vec3(0, 1.1, 0));
  ball.material.substance.restitution = 1;
  const Id id = world.add(ball);
  step_keys(world, id, "material.substance.restitution", {{0, 1.0}, {0.8, 0.25}});
  // As two balls that have these themselves.
  const auto speed_after = [&](const World& w, double time) {
    Run run(w);
    run.seconds(time);
    return run.velocity(id).y() + kG * 0;
  };
  const auto with_own = [&](double e) {
    World other;
    other.floor(0.5, 1);
    Object own = ball;
    own.material.substance.restitution = e;
    (void)other.add(own);
    return other;
  };
  const double first = std::sqrt(2 / kG);
  CHECK(speed_after(world, first + 0.1) == speed_after(with_own(1), first + 0.1));
  // At 3 first it comes down again, with sqrt(2 g).
  const double v = std::sqrt(2 * kG), e = speed_after(with_own(0.25), first + 0.01) / v, wanted = e * v;
  CHECK(speed_after(world, 3 * first + 0.01) == Approx(wanted).epsilon(0.05));
}

TEST_CASE("What sleeps on a slope slides when that becomes slippery by a key", "[keys][substance]") {
  Slide s = slide();
  Run run(s.world);
  run.seconds(2);
  const Vec3 rest = run.at(s.box).centre;
  CHECK(run.velocity(s.box).norm() < 1e-6);
  run.seconds(0.5);
  // mixed_value() of 0 and 1 is what the two have together.
  World other = slide().world;
  other.scene.tracks.clear();
  other.scene.objects[0] = other.scene.objects[0].edited([](Object& o) { o.material.substance.friction = 0; });
  Run slippery(other);
  slippery.seconds(0.5);
  const double gone = (run.at(s.box).centre - rest).dot(s.along);
  CHECK(gone < -0.1);
  CHECK(gone ==
        Approx((slippery.at(s.box).centre - other.scene.objects[1]->transform.position).dot(s.along)).epsilon(0.03));
}

TEST_CASE("Gravity lets go of a body and takes it again by keys, asleep or not", "[keys][substance]") {
  World world;
  world.floor();
  const Id ball = world.add(World::sphere(0.1, Vec3(0, 3, 0)));
  const Id rests = world.add(World::box(Vec3::Constant(0.2), Vec3(2, 0.1, 0), 1));
  const Id floats = world.add([] {
    Object o = World::sphere(0.1, Vec3(4, 1, 0));
    o.body.gravity = false;
    return o;
  }());
  step_keys(world, ball, "body.gravity", {{0, true}, {0.25, false}, {0.5, true}});
  step_keys(world, rests, "body.gravity", {{0, true}, {0.5, false}});
  step_keys(world, floats, "body.gravity", {{0, false}, {0.5, true}});
  Run run(world);
  run.seconds(0.5);
  CHECK(run.velocity(ball).y() == Approx(-0.25 * kG).epsilon(1e-9));
  CHECK(run.velocity(floats).norm() < 1e-12);
  run.seconds(0.25);
  CHECK(run.velocity(ball).y() == Approx(-0.5 * kG).epsilon(1e-9));
  CHECK(run.velocity(floats).y() == Approx(-0.25 * kG).epsilon(1e-9));
  CHECK(run.at(rests).centre.y() == Approx(0.1).margin(1e-3));
}

TEST_CASE("Properties show what keys of a substance say at a frame, and a change is a key", "[keys][substance]") {
  Slide s = slide();
  const Scene shown = shown_at(s.world.scene, 2.5);
  CHECK(find_object(shown, s.ground)->material.substance.friction == 0);
  const Scene next = with_object(shown, s.ground, [](Object& o) { o.material.substance.friction = 0.3; });
  const Scene kept = keyed(s.world.scene, shown, next, 2.5, false, {});
  CHECK(find_object(kept, s.ground)->material.substance.friction == 1);
  CHECK(kept.tracks[0]->keys.size() == 3);
}

TEST_CASE("An edit of such a key keeps the frames before it; 40 random ones equal fresh runs",
          "[keys][substance][threads]") {
  Slide s = slide();
  s.world.scene.settings.last_frame = 150;
  const Scene before = s.world.scene;
  const auto moved = [&](double to) {
    Scene next = before;
    next.tracks[0] = next.tracks[0].edited([&](Track& t) { t.keys[1].time = to; });
    return next;
  };
  CHECK(diff(before, moved(2.2), {}).first_frame > 119);
  CHECK(diff(before, moved(2.2), {}).first_frame <= 121);

  constexpr int kLast = 45;
  World world;
  const Id floor = world.floor(0.6, 0.8);
  Object ball = World::sphere(0.1, Vec3(0, 0.5, 0));
  ball.body.velocity = Vec3(1, 0, 0);
  const Id id = world.add(ball);
  const Id soft = world.add(World::jelly(0.15, Vec3(1, 0.6, 0), 400));
  step_keys(world, id, "material.substance.restitution", {{0, 0.9}, {0.4, 0.2}});
  step_keys(world, floor, "material.substance.friction", {{0, 0.6}, {0.3, 0.0}});
  step_keys(world, soft, "body.gravity", {{0, true}, {0.2, false}, {0.35, true}});
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    EditDice dice(seed);
    FillRun run(2);
    Scene scene = world.scene;
    run.fill.start(Shared<Scene>(scene), 0, kLast);
    for (int k = 0; k < 10; ++k) {
      if (dice.below(2) == 0) run.settle();
      Scene next = scene;
      const auto at = static_cast<std::size_t>(dice.below(static_cast<int>(next.tracks.size())));
      next.tracks[at] = next.tracks[at].edited([&](Track& track) {
        Key& key = track.keys[static_cast<std::size_t>(dice.below(static_cast<int>(track.keys.size())))];
        switch (dice.below(4)) {
          case 0:
            key.value[0] = track.field == "body.gravity" ? dice.below(2) : dice.below(100) / 100.0;
            break;
          case 1:
            if (&key == &track.keys.back()) key.time += dice.below(100) / 1000.0;
            break;
          case 2:
            key.shape = static_cast<KeyShape>(dice.below(2));
            break;
          default:
            track.visible = !track.visible;
        }
      });
      if (has_error(validate(next))) continue;
      run.start(scene, next, kLast);
      scene = std::move(next);
    }
    INFO("seed " << seed);
    run.settle();
    run.check_equals_fresh(scene, kLast);
  }
}

}  // namespace substance_keys_test
