// Keys and what they say (core/scene/derived/tracks.h, spec 8.3).
#include <catch2/catch.hpp>

#include "core/math/rotation.h"
#include "core/scene/derived/keyed.h"
#include "core/scene/derived/parts.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/scene/random_scene.h"

namespace tracks_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Track track_of(std::vector<Key> keys) {
  Track track;
  track.id = Id{50};
  track.name = "Position";
  track.field = "transform.position";
  track.target = 3;
  track.keys = std::move(keys);
  return track;
}
Key key(double time, double value, KeyShape shape = KeyShape::spline, KeyTangent tangent = KeyTangent::automatic) {
  Key made;
  made.time = time;
  made.value = {value};
  made.shape = shape;
  made.tangent = tangent;
  return made;
}
double number(const Track& track, double time) { return track_value(track, FieldType::number, time)[0]; }
Quat turn(const Track& track, double time) {
  const auto v = track_value(track, FieldType::rotation, time);
  return Quat(v[0], v[1], v[2], v[3]);
}
Key turn_key(double time, const Quat& q) {
  Key made;
  made.time = time;
  made.value = numbers_of(q);
  return made;
}

Track random_track(Dice& dice, FieldType type) {
  Track track = track_of({});
  double time = dice.unit() - 0.5;
  for (std::int64_t n = 1 + dice.below(6); n > 0; --n) {
    Key k;
    k.time = time;
    time += 0.01 + dice.unit();
    if (type == FieldType::rotation)
      k.value = numbers_of(exp_rotation(3 * Vec3(dice.unit() - 0.5, dice.unit() - 0.5, dice.unit() - 0.5)));
    else
      for (std::size_t i = 0; i < 3; ++i) k.value[i] = 10 * dice.unit() - 5;
    k.shape = static_cast<KeyShape>(dice.below(3));
    k.tangent = static_cast<KeyTangent>(dice.below(4));
    for (std::size_t i = 0; i < 3; ++i) {
      k.in[i] = 20 * dice.unit() - 10;
      k.out[i] = 20 * dice.unit() - 10;
    }
    k.reach_in = dice.coin() ? 1.0 / 3 : dice.unit();
    k.reach_out = dice.coin() ? 1.0 / 3 : dice.unit();
    track.keys.push_back(k);
  }
  track.before = static_cast<Beyond>(dice.below(4));
  track.after = static_cast<Beyond>(dice.below(4));
  return track;
}

}  // namespace

TEST_CASE("Steps, lines and splines go through their keys", "[tracks]") {
  for (const KeyShape shape : {KeyShape::step, KeyShape::linear, KeyShape::spline}) {
    const Track track = track_of({key(0, 1, shape), key(0.5, 3, shape), key(2, -1, shape)});
    CHECK(number(track, 0) == 1);
    CHECK(number(track, 0.5) == 3);
    CHECK(number(track, 0.5 - 1e-10) == 3);  // a sub-step's time is that of the key, to round-off
    CHECK(number(track, 2) == -1);
    CHECK(number(track, -4) == 1);
    CHECK(number(track, 9) == -1);
  }
  CHECK(number(track_of({key(0, 1, KeyShape::step), key(1, 2)}), 0.999) == 1);
  CHECK(number(track_of({key(0, 1, KeyShape::linear), key(1, 2)}), 0.25) == Approx(1.25).margin(1e-15));
  // Two automatic ends are flat: slow in, slow out.
  const Track eased = track_of({key(0, 0), key(1, 1)});
  CHECK(number(eased, 0.25) == Approx(0.15625).margin(1e-15));  // 3x² − 2x³
  CHECK(number(eased, 0.5) == Approx(0.5).margin(1e-15));
}

TEST_CASE("A spline is Hermite's cubic where tangents reach a third", "[tracks]") {
  Key a = key(1, 2, KeyShape::spline, KeyTangent::free), b = key(3, -1, KeyShape::spline, KeyTangent::free);
  a.out[0] = 4;
  b.in[0] = -2;
  const Track track = track_of({a, b});
  for (double x = 0; x <= 1; x += 0.0625) {
    const double h00 = (1 + 2 * x) * (1 - x) * (1 - x), h10 = x * (1 - x) * (1 - x), h01 = x * x * (3 - 2 * x),
                 h11 = x * x * (x - 1);
    CHECK(number(track, 1 + 2 * x) == Approx(h00 * 2 + h10 * 2 * 4 + h01 * -1 + h11 * 2 * -2).margin(1e-13));
  }
}

TEST_CASE("Reaches bend time as CSS's cubic-bezier does, and never back", "[tracks]") {
  Key a = key(0, 0, KeyShape::spline, KeyTangent::free), b = key(1, 1, KeyShape::spline, KeyTangent::free);
  a.reach_out = 0.42;  // ease-in-out: (0.42, 0) (0.58, 1)
  b.reach_in = 0.42;
  const Track track = track_of({a, b});
  CHECK(number(track, 0.5) == Approx(0.5).margin(1e-12));
  // The curve at u = 1/4: time 3·(9/64)·.42·… by hand.
  const auto at = [](double u, double p, double q) {
    return 3 * (1 - u) * (1 - u) * u * p + 3 * (1 - u) * u * u * q + u * u * u;
  };
  for (const double u : {0.1, 0.25, 0.4, 0.7, 0.95})
    CHECK(number(track, at(u, 0.42, 0.58)) == Approx(at(u, 0, 1)).margin(1e-12));
  Dice dice(7);
  for (int i = 0; i < 200; ++i) {
    a.reach_out = dice.coin() ? dice.unit() : 1;
    b.reach_in = dice.coin() ? dice.unit() : 1;
    double before = 0;
    for (double x = 0; x <= 1; x += 1.0 / 64) {
      const double now = number(track_of({a, b}), x);
      CHECK(now >= before - 1e-12);
      before = now;
    }
  }
}

TEST_CASE("Automatic slopes never go beyond the keys, and join smoothly", "[tracks][random]") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    Dice dice(seed);
    Track track = random_track(dice, FieldType::number);
    for (Key& k : track.keys) {
      k.shape = KeyShape::spline;
      k.tangent = KeyTangent::automatic;
      k.reach_in = k.reach_out = 1.0 / 3;
    }
    for (std::size_t i = 0; i + 1 < track.keys.size(); ++i) {
      const Key &a = track.keys[i], &b = track.keys[i + 1];
      const auto [low, high] = std::minmax(a.value[0], b.value[0]);
      for (double x = 0; x <= 1; x += 1.0 / 32) {
        const double value = number(track, a.time + x * (b.time - a.time));
        CHECK(value >= low - 1e-12);
        CHECK(value <= high + 1e-12);
      }
      if (i == 0) continue;
      const double shortest = std::min(b.time - a.time, a.time - track.keys[i - 1].time), h = 1e-4 * shortest;
      const double slack = 5e-3 * 10 / shortest;  // h times the greatest curvature
      const double before = (number(track, a.time) - number(track, a.time - h)) / h,
                   after = (number(track, a.time + h) - number(track, a.time)) / h;
      CHECK(before == Approx(after).margin(slack));
      CHECK(before == Approx(key_slopes(track, FieldType::number, i).in[0]).margin(slack));
    }
  }
}

TEST_CASE("Beyond the ends: held, straight on, again, and again from there", "[tracks]") {
  Track track = track_of({key(1, 0, KeyShape::linear), key(2, 1, KeyShape::linear), key(3, 4, KeyShape::linear)});
  CHECK(number(track, 5) == 4);
  track.after = track.before = Beyond::linear;
  CHECK(number(track, 5) == Approx(10).margin(1e-12));
  CHECK(number(track, -1) == Approx(-2).margin(1e-12));
  track.after = track.before = Beyond::cycle;
  CHECK(number(track, 3.5) == Approx(0.5).margin(1e-12));
  CHECK(number(track, 8.5) == Approx(number(track, 2.5)).margin(1e-12));
  CHECK(number(track, -0.5) == Approx(number(track, 1.5)).margin(1e-12));
  track.after = track.before = Beyond::cycle_offset;
  CHECK(number(track, 3.5) == Approx(4.5).margin(1e-12));
  CHECK(number(track, 7.5) == Approx(12.5).margin(1e-12));
  CHECK(number(track, 0.5) == Approx(-1.5).margin(1e-12));
  // A cycle of splines is smooth where it begins anew.
  Track round = track_of({key(0, 0), key(0.3, 1), key(1, 0), key(1.4, -1), key(2, 0)});
  round.after = round.before = Beyond::cycle;
  const double h = 1e-6;
  CHECK((number(round, 2) - number(round, 2 - h)) / h ==
        Approx((number(round, 2 + h) - number(round, 2)) / h).margin(1e-3));
}

TEST_CASE("Rotations turn the shortest way, smoothly, at the speeds that were asked for", "[tracks]") {
  const Quat a = exp_rotation(Vec3(0.2, 0, 0)), b = exp_rotation(Vec3(0, 1.4, 0)), c = exp_rotation(Vec3(0.3, 2, 1));
  Track track = track_of({turn_key(0, a), turn_key(0.7, Quat(-b.coeffs())), turn_key(2, c)});
  track.field = "transform.rotation";
  CHECK(turn(track, 0).angularDistance(a) < 1e-12);
  CHECK(turn(track, 0.7).angularDistance(b) < 1e-12);
  CHECK(turn(track, 2).angularDistance(c) < 1e-12);
  const auto rate = [&](double from, double to) {
    return Vec3(log_rotation(turn(track, from).conjugate() * turn(track, to)) / (to - from));
  };
  const double h = 1e-6;
  CHECK((rate(0.7 - h, 0.7) - rate(0.7, 0.7 + h)).norm() < 1e-4);  // whatever the lengths on both sides
  CHECK(rate(0, h).norm() < 1e-4);                                 // flat ends
  for (Key& k : track.keys) k.shape = KeyShape::linear;
  CHECK((rate(0.1, 0.2) - rate(0.5, 0.6)).norm() < 1e-9);
  // Given speeds, in its own axes.
  Key from = turn_key(0, a), to = turn_key(1, b);
  from.tangent = to.tangent = KeyTangent::free;
  from.out = {0.5, -1, 2};
  to.in = {1, 1, 0};
  track.keys = {from, to};
  CHECK((rate(0, h) - Vec3(0.5, -1, 2)).norm() < 1e-4);
  CHECK((rate(1 - h, 1) - Vec3(1, 1, 0)).norm() < 1e-4);
  // A wheel: straight on, and cycles with offset, turn for ever.
  track.keys = {turn_key(0, Quat::Identity()), turn_key(1, exp_rotation(Vec3(0, 0, 2)))};
  for (Key& k : track.keys) k.shape = KeyShape::linear;
  for (const Beyond how : {Beyond::linear, Beyond::cycle_offset}) {
    track.after = how;
    CHECK(turn(track, 6.5).angularDistance(exp_rotation(Vec3(0, 0, 13))) < 1e-9);
  }
}

TEST_CASE("Keyed angles may turn many times", "[tracks]") {
  Track track = track_of({key(0, 0, KeyShape::linear), key(1, 0, KeyShape::linear)});
  track.field = "transform.rotation";
  track.turn = TurnBy::angles;
  track.keys[1].value = {0, 0, 6 * kPi, 0};
  CHECK(turn(track, 1.0 / 12).angularDistance(exp_rotation(Vec3(0, 0, kPi / 2))) < 1e-9);
  CHECK(turn(track, 5.0 / 12).angularDistance(exp_rotation(Vec3(0, 0, kPi / 2))) < 1e-9);
  CHECK(turn(track, 0.25).angularDistance(exp_rotation(Vec3(0, 0, 1.5 * kPi))) < 1e-9);
}

TEST_CASE("Random tracks say finite numbers at any time, at a key its value, and the same bits twice",
          "[tracks][random]") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    Dice dice(seed);
    const FieldType type =
        std::array{FieldType::number,  FieldType::vector, FieldType::rotation,
                   FieldType::boolean, FieldType::choice, FieldType::colour}[static_cast<std::size_t>(dice.below(6))];
    const Track track = random_track(dice, type);
    const Track copy = track;
    for (int i = 0; i < 40; ++i) {
      const double time = 400 * (dice.unit() - 0.5);
      const auto value = track_value(track, type, time);
      for (double x : value) CHECK(std::isfinite(x));
      CHECK(value == track_value(copy, type, time));
      if (type == FieldType::rotation)
        CHECK(Quat(value[0], value[1], value[2], value[3]).norm() == Approx(1).margin(1e-9));
    }
    for (const Key& k : track.keys) {
      const auto value = track_value(track, type, k.time);
      if (type == FieldType::rotation)
        CHECK(Quat(value[0], value[1], value[2], value[3])
                  .angularDistance(Quat(k.value[0], k.value[1], k.value[2], k.value[3])) < 1e-6);
      else
        CHECK(value == k.value);
    }
  }
}

TEST_CASE("Setting keys makes tracks, replaces and removes", "[tracks]") {
  const Scene plain = plain_scene();
  Scene scene = with_key(plain, 3, "transform.position", 0.5, Vec3(1, 2, 3));
  REQUIRE(scene.tracks.size() == 1);
  CHECK(scene.tracks[0]->name == "Position");
  CHECK(find_track(scene, 3, "transform.position") != nullptr);
  scene = with_key(scene, 3, "transform.position", 0.5, Vec3(4, 5, 6));
  scene = with_key(scene, 3, "transform.position", 0, Vec3(0, 1, 0));
  REQUIRE(scene.tracks[0]->keys.size() == 2);
  CHECK(scene.tracks[0]->keys[0].time == 0);
  CHECK(std::get<Vec3>(*value_at(scene, 3, "transform.position", 0.5)) == Vec3(4, 5, 6));
  CHECK_FALSE(has_error(validate(scene)));
  // What cannot be keyed is not.
  CHECK(with_key(plain, 3, "transform.scale", 0, Vec3(1, 1, 1)).tracks.empty());
  CHECK(with_key(plain, 99, "visible", 0, true).tracks.empty());
  // The last key that goes leaves what was shown.
  Scene light = with_key(plain, 5, "intensity", 1, 7.0);
  light = without_key(light, 5, "intensity", 1);
  CHECK(light.tracks.empty());
  CHECK(find_light(light, Id{5})->intensity == 7);
  Scene sky = with_key(plain, 0, "settings.background", 0, Vec3(0.5, 0, 0));
  sky = without_key(sky, 0, "settings.background", 0);
  CHECK(sky.settings.background == Vec3(0.5, 0, 0));
  CHECK(without_key(scene, 3, "transform.position", 0.25).tracks[0]->keys.size() == 2);
  // Keyed angles count on.
  Scene wheel = with_key(plain, 3, "transform.rotation", 0, Quat::Identity());
  wheel.tracks[0] = wheel.tracks[0].edited([](Track& t) {
    t.turn = TurnBy::angles;
    t.keys[0].value = {0, 0, 4 * kPi, 0};
  });
  wheel = with_key(wheel, 3, "transform.rotation", 1, exp_rotation(Vec3(0, 0, 0.5)));
  CHECK(wheel.tracks[0]->keys[1].value[2] == Approx(4 * kPi + 0.5));
}

TEST_CASE("What is only looked at has the values of its tracks; what a run reads has not", "[tracks]") {
  Scene scene = with_new_camera(plain_scene());
  scene = with_key(scene, 3, "material.surface.diffuse", 0, Vec3(0, 0, 0));
  scene = with_key(scene, 3, "material.surface.diffuse", 1, Vec3(1, 0.5, 0));
  scene = with_key(scene, 3, "transform.position", 1, Vec3(9, 9, 9));
  scene = with_key(scene, 5, "intensity", 1, 3.0);
  scene = with_key(scene, scene.cameras.at(0)->id.value, "focal_length", 1, 85.0);
  scene = with_key(scene, 0, "settings.ambient", 1, Vec3(0.1, 0.2, 0.3));
  const Scene seen = scene_at(scene, 0.5);
  CHECK(find_object(seen, Id{3})->material.surface.diffuse.isApprox(Vec3(0.5, 0.25, 0)));
  CHECK(find_object(seen, Id{3})->transform.position == find_object(scene, Id{3})->transform.position);
  CHECK(find_light(seen, Id{5})->intensity == 3);
  CHECK(seen.cameras[0]->focal_length == 85);
  CHECK(seen.settings.ambient == Vec3(0.1, 0.2, 0.3));
  for (std::size_t i = 0; i < seen.objects.size(); ++i)
    CHECK(seen.objects[i].same_as(scene.objects[i]) == (seen.objects[i]->id.value != 3));
  // A spline that swings beyond is cut to the field's range.
  Scene swings = with_key(plain_scene(), 3, "material.surface.opacity", 0, 0.0);
  swings = with_key(swings, 3, "material.surface.opacity", 1, 1.0);
  swings.tracks[0] = swings.tracks[0].edited([](Track& t) {
    for (Key& k : t.keys) k.tangent = KeyTangent::free, k.in[0] = k.out[0] = -20;
  });
  for (double t = 0; t <= 1; t += 0.1) {
    const double opacity = find_object(scene_at(swings, t), Id{3})->material.surface.opacity;
    CHECK(opacity >= 0);
    CHECK(opacity <= 1);
  }
  // Not used: the field's own value.
  swings.tracks[0] = swings.tracks[0].edited([](Track& t) { t.visible = false; });
  CHECK(find_object(scene_at(swings, 0.1), Id{3})->material.surface.opacity == 1);
}

TEST_CASE("Keys beyond time 0 lead what can be led; a key at time 0 alone is a start", "[tracks]") {
  Scene scene = with_key(plain_scene(), 3, "transform.position", 0, Vec3(1, 0, 0));
  CHECK(led_objects(scene).empty());
  scene = with_key(scene, 3, "transform.position", 1, Vec3(2, 0, 0));
  scene = with_key(scene, 3, "body.led", 0, true);
  scene = with_key(scene, 3, "body.led", 0.5, false);
  const auto led = led_objects(scene);
  REQUIRE(led.size() == 1);
  CHECK(led[0].object == Id{3});
  const Object& box = *find_object(scene, Id{3});
  CHECK(led_pose(led[0], box, 1).position == Vec3(2, 0, 0));
  CHECK(led_pose(led[0], box, 1).rotation.coeffs() == box.transform.rotation.coeffs());
  CHECK(led_now(led[0], box, 0.49));
  CHECK_FALSE(led_now(led[0], box, 0.5));
  CHECK(is_led(with_key(scene, 2, "transform.position", 1, Vec3(2, 0, 0)), Id{2}));  // what bends, too
}

TEST_CASE("Tracks go with what they are of: copies, parts, deletion, files", "[tracks]") {
  Scene scene = with_key(plain_scene(), 3, "transform.position", 1, Vec3(2, 0, 0));
  scene = with_key(scene, 5, "colour", 1, Vec3(1, 0, 0));
  scene = with_key(scene, 0, "settings.background", 1, Vec3(1, 0, 0));
  const Scene part = part_of(scene, {Id{3}});
  REQUIRE(part.tracks.size() == 1);
  const JoinedScene joint = joined(scene, part);
  REQUIRE(joint.scene.tracks.size() == 4);
  CHECK(joint.scene.tracks.back()->target == joint.ids.at(Id{3}).value);
  CHECK(joint.scene.tracks.back()->name == "Position");
  CHECK(without(scene, Id{3}).tracks.size() == 2);
  CHECK(without(scene, Id{5}).tracks.size() == 2);
  const auto back = scene_from_text(scene_to_text(scene), {});
  REQUIRE(back.ok());
  CHECK(scene_to_text(*back) == scene_to_text(scene));
  CHECK(back->tracks.size() == 3);
  CHECK(same_entry(back->tracks[0]->keys[0], scene.tracks[0]->keys[0]));
}

TEST_CASE("Bad tracks are told in one sentence; those of fields that are not there are kept", "[tracks]") {
  const Scene good = with_key(plain_scene(), 3, "transform.position", 1, Vec3(2, 0, 0));
  const auto first_problem = [&](const std::function<void(Track&)>& change) {
    Scene scene = good;
    scene.tracks[0] = scene.tracks[0].edited(change);
    const Diagnostics problems = validate(scene);
    return problems.empty() ? Diagnostic{} : problems.front();
  };
  CHECK(first_problem([](Track& t) { t.keys[0].value[1] = std::nan(""); }).message == "Y must be a finite number.");
  CHECK(first_problem([](Track& t) { t.keys.push_back(t.keys[0]); }).message ==
        "A key must come after the one before it.");
  CHECK(first_problem([](Track& t) { t.keys[0].time = -1e7; }).message == "Time must be at least -1000000.");
  CHECK(first_problem([](Track& t) { t.keys[0].reach_in = 2; }).message == "Reach in must be at most 1.");
  for (const auto& change : {std::function<void(Track&)>([](Track& t) { t.field = "transform.hover"; }),
                             std::function<void(Track&)>([](Track& t) { t.target = 77; })}) {
    const Diagnostic problem = first_problem(change);
    CHECK(problem.severity == Severity::warning);
    CHECK(problem.message.find("the track is kept and not used") != std::string::npos);
  }
  Scene twice = good;
  twice.tracks.push_back(twice.tracks[0].edited([](Track& t) { t.id = Id{60}; }));
  CHECK(has_error(validate(twice)));
  CHECK(has_error(validate_change(good, twice)));
}

TEST_CASE("Moved keys follow what was moved", "[tracks]") {
  Track track = track_of({key(0, 1), key(1, 2)});
  track.keys[1].out = {1, 0, 0};
  const Quat quarter = exp_rotation(Vec3(0, kPi / 2, 0));
  move_keys(
      track, [&](const Vec3& p) { return Vec3(quarter * p + Vec3(0, 3, 0)); }, quarter);
  CHECK(Vec3(track.keys[0].value[0], track.keys[0].value[1], track.keys[0].value[2]).isApprox(Vec3(0, 3, -1)));
  CHECK(track.keys[1].out[2] == Approx(-1));
}

TEST_CASE("Free slopes of turned angles turn with them", "[tracks]") {
  Track track =
      track_of({key(0, 0.3, KeyShape::spline, KeyTangent::free), key(1, 1.1, KeyShape::spline, KeyTangent::free)});
  track.field = "transform.rotation";
  track.turn = TurnBy::angles;
  track.keys[0].value = {0.3, -0.4, 0.9, 0};
  track.keys[1].value = {1.1, 0.5, 0.2, 0};
  for (Key& one : track.keys) one.in = one.out = {0.7, -0.2, 1.3, 0};
  const Quat turn = exp_rotation(Vec3(0.4, 0.8, -0.3));
  Track moved = track;
  move_keys(
      moved, [](const Vec3& p) { return p; }, turn);
  const auto at = [](const Track& of, double time) {
    const auto v = track_value(of, FieldType::rotation, time);
    return Quat(v[0], v[1], v[2], v[3]);
  };
  for (const double time : {0.001, 0.999})  // the same speed; the way between is that of other angles
    CHECK(at(moved, time).angularDistance(turn * at(track, time)) < 1e-5);
}

TEST_CASE("What is carried cannot get a place of its own by the way", "[tracks]") {
  Scene scene = plain_scene();
  const Id child = scene.objects[0]->id, carrier = Id{3};
  REQUIRE(child != carrier);
  scene = with_object(std::move(scene), carrier, [](Object& o) { o.body.kind = BodyKind::rigid; });
  scene = with_object(std::move(scene), child, [&](Object& o) {
    o.body.kind = BodyKind::fixed;
    o.parent = carrier.value;
  });
  CHECK(key_problem(scene, child.value, "transform.position").find("which carries it") != std::string::npos);
  CHECK(key_problem(scene, child.value, "visible").empty());
  scene = with_object(std::move(scene), child, [](Object& o) { o.parent = 0; });
  CHECK(key_problem(scene, child.value, "transform.position").empty());
}

}  // namespace tracks_test
