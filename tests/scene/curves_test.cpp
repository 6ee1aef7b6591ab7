// Curves as things of a scene, and what rides on them (core/scene/derived/following.h).
#include <catch2/catch.hpp>

#include "core/math/rotation.h"
#include "core/scene/derived/cameras.h"
#include "core/scene/derived/following.h"
#include "core/scene/derived/keyed.h"
#include "core/scene/derived/leading.h"
#include "core/scene/derived/parts.h"
#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/scene/random_scene.h"

namespace curves_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr std::uint64_t kBox = 3, kCurve = 20;

CurvePoint at(const Vec3& place) {
  CurvePoint point;
  point.place = place;
  return point;
}

Curve circle(double radius) {
  Curve curve;
  curve.id = Id{kCurve};
  curve.name = "Ring";
  curve.kind = CurveKind::arc;
  curve.closed = true;
  curve.points = {at(Vec3(radius, 0, 0)), at(Vec3(0, 0, -radius)), at(Vec3(-radius, 0, 0))};
  return curve;
}

/// A box on a circle about (0, 1, 0).
Scene riding(double along = 0) {
  Scene scene = plain_scene();
  Curve ring = circle(2);
  ring.transform.position = Vec3(0, 1, 0);
  scene.curves.push_back(ring);
  scene = with_object(std::move(scene), Id{kBox}, [&](Object& o) {
    o.body.kind = BodyKind::rigid;
    o.follow.curve = kCurve;
    o.follow.along = along;
  });
  return placed_on_curves(std::move(scene));
}

const Object& box(const Scene& scene) { return *find_object(scene, Id{kBox}); }

Scene edited(const Scene& before, Scene next) { return settled_on_curves(before, before, std::move(next)); }

bool same_scene(const Scene& a, const Scene& b) { return diff(a, b, {}).empty(); }

std::string refusal(const std::string& text) {
  const auto read = part_from_text(text);
  REQUIRE_FALSE(read.ok());
  CHECK(read.diagnostics().size() == 1);
  return read.diagnostics().front().path + ": " + read.diagnostics().front().message;
}

std::string scene_with(const std::string& curve) {
  return R"({"format": "hazumi scene", "version": 1, "curves": [{"id": 5, "name": "Way", "kind": "line", )" + curve +
         "}]}";
}

}  // namespace

TEST_CASE("A curve is in files to the bit, and is compared, copied and deleted as other things are", "[curves]") {
  Scene scene = riding(0.3);
  scene.curves[0] = scene.curves[0].edited([](Curve& c) {
    c.transform.scale = Vec3(1, 2, 1.0 / 3);
    c.points[1].in = Vec3(0.1, 1e-17, 3);
    c.points[1].out = Vec3(1.0 / 7, 0, 0);
    c.points[1].tangents = TangentKind::aligned;
  });
  scene = placed_on_curves(std::move(scene));
  const auto read = part_from_text(scene_to_text(scene));
  REQUIRE(read.ok());
  CHECK(same_scene(*read, scene));

  Scene moved = with_curve(scene, Id{kCurve}, [](Curve& c) { c.points[2].place.y() = 0.5; });
  const ChangeSet change = diff(scene, moved, {});
  CHECK(change.objects == std::vector<Id>{Id{kCurve}});
  CHECK_FALSE(same_scene(scene, moved));

  // With its curve a copy rides on the copy; alone it stands where it stood.
  const JoinedScene both = joined(scene, part_of(scene, {Id{kBox}, Id{kCurve}}));
  CHECK(find_object(both.scene, both.ids.at(Id{kBox}))->follow.curve == both.ids.at(Id{kCurve}).value);
  const JoinedScene alone = joined(scene, part_of(scene, {Id{kBox}}));
  CHECK(find_object(alone.scene, alone.ids.at(Id{kBox}))->follow.curve == 0);

  const Scene gone = edited(scene, without(scene, Id{kCurve}));
  CHECK(gone.curves.empty());
  CHECK(box(gone).follow.curve == 0);
  CHECK(box(gone).transform.position == box(scene).transform.position);
}

TEST_CASE("Bad curves in a file are one sentence each", "[curves]") {
  CHECK(refusal(scene_with(R"("points": [])")).find("at least one point") != std::string::npos);
  CHECK(refusal(scene_with(R"("points": [[0, 0]])")).find("10 numbers") != std::string::npos);
  CHECK(refusal(scene_with(R"("points": [[0, 0, 0], [0, 0, 1e300]])")).find("Z must be at most") != std::string::npos);
  CHECK(refusal(scene_with(R"("points": [[0, 0, 0, 7]])")).find("Tangents must be at most 2") != std::string::npos);
  CHECK(refusal(scene_with(R"("points": [[0, 0, 0]], "closed": 3)")).find("true or false") != std::string::npos);
  const auto many = [](int count) {
    std::string points = R"("points": [[0, 0, 0])";
    for (int i = 0; i < count; ++i) points += ",[0,0,1]";
    return scene_with(points + "]");
  };
  CHECK(refusal(many(5000)).find("at most 4096 are possible") != std::string::npos);
  CHECK(refusal(many(1'000'000)).find("more than a scene can hold") != std::string::npos);
  Curve broken = circle(1);
  broken.points[0].place.x() = std::nan("");
  Scene scene = plain_scene();
  scene.curves.push_back(broken);
  const Diagnostics problems = validate(scene);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].message == "X must be a finite number.");
}

TEST_CASE("What names a curve that is not there, or looks at itself, is told once and stays as it is", "[curves]") {
  Scene scene = riding();
  scene = with_object(std::move(scene), Id{kBox}, [](Object& o) { o.follow.curve = 99; });
  REQUIRE_FALSE(has_error(validate(scene)));
  auto lost = lost_references(scene);
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].who == Id{kBox});
  CHECK(lost[0].message == "The curve that Box is on is gone; it stands where it was.");
  CHECK(same_scene(placed_on_curves(scene), scene));

  // Itself, or what goes with it, would have to be where it looks to know where to look.
  for (const std::uint64_t target : {kBox, std::uint64_t{1}}) {
    Scene ring = riding();
    ring = with_object(std::move(ring), Id{kBox}, [&](Object& o) { o.follow.looks_at = target; });
    ring = with_object(std::move(ring), Id{1}, [&](Object& o) { o.parent = kBox; });
    lost = lost_references(ring);
    REQUIRE(lost.size() == 1);
    INFO(lost[0].message);
    CHECK(lost[0].message.find("turned as without it") != std::string::npos);
    CHECK(same_scene(placed_on_curves(ring), ring));
  }
}

TEST_CASE("A circle that is stretched is an ellipse, a turned one lies where it is turned to", "[curves]") {
  Curve ring = circle(2);
  ring.transform.scale = Vec3(3, 1, 0.5);
  ring.transform.position = Vec3(1, 2, 3);
  ring.transform.rotation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 2) / 3));
  const auto way = way_of(Shared<Curve>(ring));
  for (int i = 0; i <= 100; ++i) {
    const Vec3 local = ring.transform.rotation.conjugate() * (way->place(i / 100.0) - ring.transform.position);
    CHECK(std::abs(local.y()) < 1e-12);
    CHECK(std::abs(std::pow(local.x() / 6, 2) + std::pow(local.z() / 1, 2) - 1) < 1e-12);
  }
}

TEST_CASE("A thing on a curve stands on it at the start, and moving it slides it along", "[curves]") {
  const Scene scene = riding(0.25);
  CHECK((box(scene).transform.position - Vec3(0, 1, -2)).norm() < 1e-9);
  CHECK(same_scene(placed_on_curves(scene), scene));  // the same bits a second time

  // Moved towards (−5, 3, 0), the nearest place of the circle is half way round.
  const Scene moved =
      edited(scene, with_object(scene, Id{kBox}, [](Object& o) { o.transform.position = Vec3(-5, 3, 0); }));
  CHECK(box(moved).follow.along == Approx(0.5).margin(1e-9));
  CHECK((box(moved).transform.position - Vec3(-2, 1, 0)).norm() < 1e-6);
  // The curve moves: it goes with it.
  const Scene lifted = edited(scene, with_curve(scene, Id{kCurve}, [](Curve& c) { c.transform.position.y() = 4; }));
  CHECK(box(lifted).follow.along == 0.25);
  CHECK((box(lifted).transform.position - Vec3(0, 4, -2)).norm() < 1e-9);
  // The field of the panel.
  const Scene typed = edited(scene, with_object(scene, Id{kBox}, [](Object& o) { o.follow.along = 0.75; }));
  CHECK((box(typed).transform.position - Vec3(0, 1, 2)).norm() < 1e-9);

  // Turned with it, its z points along the curve; turning it by hand turns it on the curve.
  const Scene turned = edited(scene, with_object(scene, Id{kBox}, [](Object& o) { o.follow.turned = true; }));
  CHECK((box(turned).transform.rotation * Vec3::UnitZ() - Vec3(-1, 0, 0)).norm() < 1e-9);
  const Quat by_hand(Eigen::AngleAxisd(0.4, Vec3::UnitX()));
  const Scene leaning =
      edited(turned, with_object(turned, Id{kBox}, [&](Object& o) { o.transform.rotation = by_hand; }));
  CHECK(box(leaning).transform.rotation.angularDistance(by_hand) < 1e-12);
  const Scene further = edited(leaning, with_object(leaning, Id{kBox}, [](Object& o) { o.follow.along = 0; }));
  CHECK(box(further).transform.rotation.angularDistance(by_hand) == Approx(kPi / 2).margin(0.3));
  // Looking at something is stronger.
  const Scene looking = edited(turned, with_object(turned, Id{kBox}, [](Object& o) { o.follow.looks_at = 2; }));
  const Vec3 to = find_object(looking, Id{2})->transform.position - box(looking).transform.position;
  CHECK((box(looking).transform.rotation * Vec3::UnitZ() - to.normalized()).norm() < 1e-12);
}

TEST_CASE("Where keys of Along lead a thing, moving it at a frame keys Along there", "[curves]") {
  Scene scene = riding();
  scene = with_key(std::move(scene), kBox, kAlong, 0, 0.0);
  scene = with_key(std::move(scene), kBox, kAlong, 2, 0.5);
  scene = placed_on_curves(std::move(scene));
  const Scene shown = shown_at(scene, 1);
  CHECK(box(shown).follow.along == Approx(0.25));
  CHECK((box(shown).transform.position - Vec3(0, 1, -2)).norm() < 1e-6);
  const Scene next = with_object(shown, Id{kBox}, [](Object& o) { o.transform.position = Vec3(9, 1, 0); });
  const Scene done = edited(scene, keyed(scene, shown, next, 1, false));
  REQUIRE(find_track(done, kBox, kAlong)->keys.size() == 3);
  CHECK((box(shown_at(done, 1)).transform.position - Vec3(2, 1, 0)).norm() < 1e-6);
  CHECK(box(done).transform.position == box(scene).transform.position);  // the start stays
  CHECK(find_track(done, kBox, "transform.position") == nullptr);
  CHECK(key_problem(scene, kBox, "transform.position").find("on a curve") != std::string::npos);
}

TEST_CASE("What physics has taken from its curve is led along it from where it is put by hand", "[curves]") {
  const Scene scene = riding();  // it starts on the curve; nothing leads it
  const MovedPoses moved = {{Id{kBox}, {Vec3(0.3, 0.2, -3), Quat::Identity()}}};
  const Scene shown = shown_at(scene, 1, moved);
  CHECK(box(shown).transform.position == Vec3(0.3, 0.2, -3));
  const Scene next = with_object(shown, Id{kBox}, [](Object& o) { o.transform.position = Vec3(-5, 1, 0); });
  const Scene done = edited(scene, keyed(scene, shown, next, 1, true, moved));
  const Track* along = find_track(done, kBox, kAlong);
  REQUIRE(along);
  REQUIRE(along->keys.size() == 1);
  CHECK(along->keys[0].value[0] == Approx(0.5).margin(1e-6));
  CHECK(find_track(done, kBox, "transform.position") == nullptr);
  const Track* led = find_track(done, kBox, "body.led");
  REQUIRE(led);
  CHECK(track_value(*led, FieldType::boolean, 0.5)[0] == 0);
  CHECK(track_value(*led, FieldType::boolean, 1)[0] == 1);
  // Touched by nobody it stays as it is.
  CHECK(same_scene(edited(scene, keyed(scene, shown, shown, 1, true, moved)), scene));
}

TEST_CASE("A camera rides on a curve, looking along it or where it is told to", "[curves]") {
  Scene scene = with_new_camera(riding(), Vec3(4, 3, 6), Vec3(0, 0.5, 0));
  const Id camera = scene.cameras[0]->id;
  const auto ride = [&](const std::function<void(Camera&)>& change) {
    Scene next = with_camera(scene, camera, [&](Camera& c) {
      c.follow.curve = kCurve;
      change(c);
    });
    next = with_key(std::move(next), camera.value, kAlong, 0, 0.0);
    next = with_key(std::move(next), camera.value, kAlong, 4, 1.0);
    for (auto& track : next.tracks)
      track = track.edited([](Track& t) {
        for (Key& key : t.keys) key.shape = KeyShape::linear;
      });
    return edited(scene, std::move(next));
  };
  const Scene still = ride([](Camera&) {});
  CHECK((still.cameras[0]->position - Vec3(2, 1, 0)).norm() < 1e-9);
  const Scene at_one = scene_at(still, 1);
  const Camera& there = *at_one.cameras[0];
  CHECK((there.position - Vec3(0, 1, -2)).norm() < 1e-6);
  CHECK(there.target == Vec3(0, 0.5, 0));
  const Scene along = ride([](Camera& c) { c.follow.turned = true; });
  for (const double t : {0.0, 0.5, 1.0, 3.3}) {
    const Scene seen = scene_at(along, t);
    const Camera& c = *seen.cameras[0];
    const double angle = t * kPi / 2;
    CHECK((c.position - Vec3(2 * std::cos(angle), 1, -2 * std::sin(angle))).norm() < 1e-6);
    CHECK((-camera_axes(c).col(2) - Vec3(-std::sin(angle), 0, -std::cos(angle))).norm() < 1e-6);
  }
}

TEST_CASE("On a circle at even speed place, velocity and spin are those of the closed form", "[curves]") {
  Scene scene = riding();
  scene = with_object(std::move(scene), Id{kBox}, [](Object& o) { o.follow.turned = true; });
  scene = with_key(std::move(scene), kBox, kAlong, 0, 0.0);
  scene = with_key(std::move(scene), kBox, kAlong, 4, 1.0);
  for (auto& track : scene.tracks)
    track = track.edited([](Track& t) {
      for (Key& key : t.keys) key.shape = KeyShape::linear;
    });
  scene = placed_on_curves(std::move(scene));
  const auto led = led_objects(scene);
  REQUIRE(led.size() == 1);
  const double h = 1.0 / 240, rate = kPi / 2;  // rad/s
  for (std::int64_t k = 0; k < 900; k += 7) {
    const Told now = told(led[0], box(scene), k, RunClock(h, 4));
    const double angle = rate * static_cast<double>(k + 1) * h;
    REQUIRE(now.led);
    CHECK((now.lead.pose.position - Vec3(2 * std::cos(angle), 1, -2 * std::sin(angle))).norm() < 1e-9);
    CHECK((now.lead.velocity - 2 * rate * Vec3(-std::sin(angle), 0, -std::cos(angle))).norm() < 1e-8);
    CHECK((now.lead.spin - Vec3(0, rate, 0)).norm() < 1e-6);
  }
}

TEST_CASE("At a height above its curve a thing stands along up of it, slides there, and goes as that place goes",
          "[curves]") {
  Scene scene = riding(0.25);
  scene = edited(scene, with_object(scene, Id{kBox}, [](Object& o) { o.follow.height = 0.5; }));
  CHECK((box(scene).transform.position - Vec3(0, 1.5, -2)).norm() < 1e-9);
  CHECK(box(scene).follow.along == 0.25);
  CHECK(same_scene(placed_on_curves(scene), scene));
  const Scene moved =
      edited(scene, with_object(scene, Id{kBox}, [](Object& o) { o.transform.position = Vec3(-5, 3, 0); }));
  CHECK(box(moved).follow.along == Approx(0.5).margin(1e-9));
  CHECK((box(moved).transform.position - Vec3(-2, 1.5, 0)).norm() < 1e-6);
  // In a file it is a row like others, and nothing where it is 0.
  const std::string text = scene_to_text(scene);
  CHECK(text.find("\"height\": 0.5") != std::string::npos);
  CHECK(scene_to_text(riding(0.25)).find("\"height\"") == std::string::npos);
  // Through a loop that stands upright: up turns with the curve, so that inside is slower than outside.
  const auto looping = [](double height) {
    Scene loop = riding();
    loop = with_curve(std::move(loop), Id{kCurve},
                      [](Curve& c) { c.transform.rotation = Quat(Eigen::AngleAxisd(1.3, Vec3::UnitX())); });
    loop = with_object(std::move(loop), Id{kBox}, [&](Object& o) {
      o.follow.turned = true;
      o.follow.height = height;
    });
    loop = with_key(std::move(loop), kBox, kAlong, 0, 0.0);
    loop = with_key(std::move(loop), kBox, kAlong, 4, 1.0);
    return placed_on_curves(std::move(loop));
  };
  double most = 0;
  for (const double height : {0.0, 0.4, -0.4}) {
    const Scene loop = looping(height);
    const auto led = led_objects(loop);
    REQUIRE(led.size() == 1);
    const double h = 1.0 / 240;
    for (std::int64_t k = 20; k < 900; k += 37) {
      const Lead lead = told(led[0], box(loop), k, RunClock(h, 4)).lead;
      const double time = static_cast<double>(k + 1) * h, step = 1e-5;
      const Vec3 after = led_pose(led[0], box(loop), time + step).position;
      const Vec3 before = led_pose(led[0], box(loop), time - step).position;
      CHECK((lead.velocity - (after - before) / (2 * step)).norm() < 1e-4);
      const CurveFrame frame = led[0].way->frame(led_along(led[0], box(loop), time));
      const Vec3 over = lead.pose.position - frame.place;
      CHECK((over - height * (frame.rotation * Vec3::UnitY())).norm() < 1e-9);
      if (height != 0) most = std::max(most, std::abs(lead.velocity.norm() - led[0].way->length() / 4));
    }
  }
  CHECK(most > 0.1);
}

TEST_CASE("An edit of a curve drops the frames from which what it says is otherwise", "[curves]") {
  Scene scene = plain_scene();
  Curve way;
  way.id = Id{kCurve};
  way.kind = CurveKind::line;
  way.points = {at(Vec3(0, 1, 0)), at(Vec3(4, 1, 0)), at(Vec3(4, 1, 4))};
  scene.curves.push_back(way);
  scene.settings.last_frame = 240;
  scene = with_object(std::move(scene), Id{kBox}, [](Object& o) { o.follow.curve = kCurve; });
  scene = with_key(std::move(scene), kBox, kAlong, 0, 0.0);
  scene = with_key(std::move(scene), kBox, kAlong, 2, 0.0);
  scene = with_key(std::move(scene), kBox, kAlong, 4, 1.0);
  scene = placed_on_curves(std::move(scene));
  const auto first = [&](const std::function<void(Curve&)>& change) {
    return diff(scene, edited(scene, with_curve(scene, Id{kCurve}, change)), {}).first_frame;
  };
  // It waits at the start until frame 120.
  CHECK(first([](Curve& c) { c.points[2].place.z() = 5; }) == 121);
  CHECK(first([](Curve& c) { c.points[0].place.y() = 2; }) == 0);
  CHECK(first([](Curve& c) { c.name = "Rail"; }) == kNoFrame);
  CHECK(first([](Curve& c) { c.colour = Vec3(1, 0, 0); }) == kNoFrame);
  CHECK(first([](Curve& c) { c.visible = false; }) == kNoFrame);
  const Scene other = edited(scene, without(scene, Id{kCurve}));
  CHECK(diff(scene, other, {}).first_frame <= 121);
  // What nobody rides on is looked at only.
  Scene spare = scene;
  Curve second = way;
  second.id = Id{21};
  second.name = "Spare";
  spare.curves.push_back(second);
  CHECK(diff(scene, spare, {}).first_frame == kNoFrame);
  CHECK_FALSE(diff(scene, spare, {}).simulation);
}

}  // namespace curves_test
