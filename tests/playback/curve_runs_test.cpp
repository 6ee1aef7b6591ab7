// Edits of curves and of what rides on them, at random moments: what was computed and kept equals a run from the start.
#include <catch2/catch.hpp>

#include "core/scene/derived/family.h"
#include "core/scene/derived/following.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/validate.h"
#include "tests/support/edits.h"
#include "tests/support/fill_run.h"
#include "tests/support/sanitized.h"
#include "tests/support/world.h"

namespace curve_runs_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kLast = 60;

struct Stage {
  Scene scene;
  Id platform, bat, ball, curve, other;
};

/// A platform and a bat that ride, a box on one, a ball in the way, a child that is carried.
Stage stage() {
  Stage s;
  World world;
  world.floor();
  Object plate = World::box(Vec3(0.6, 0.05, 0.6), Vec3::Zero(), 1);
  plate.body.kind = BodyKind::fixed;
  s.platform = world.add(plate);
  s.bat = world.add(World::box(Vec3(0.2, 0.4, 0.4), Vec3::Zero(), 2));
  s.ball = world.add(World::sphere(0.15, Vec3(0, 0.16, 0)));
  world.add(World::box(Vec3(0.2, 0.2, 0.2), Vec3(-1, 0.65, 0), 1));
  Object child = World::box(Vec3(0.1, 0.1, 0.1), Vec3(-1, 0.4, 0.3), 1);
  child.body.kind = BodyKind::fixed;
  child.parent = s.platform.value;
  world.add(child);
  s.scene = world.scene;
  s.scene.settings.last_frame = kLast;
  const auto add = [&](CurveKind kind, std::vector<Vec3> places) {
    Curve curve;
    curve.id = next_id(s.scene);
    curve.kind = kind;
    for (const Vec3& place : places) {
      CurvePoint point;
      point.place = place;
      curve.points.push_back(point);
    }
    s.scene.curves.push_back(curve);
    return s.scene.curves.back()->id;
  };
  s.curve = add(CurveKind::spline, {Vec3(-1, 0.5, 0), Vec3(-0.5, 0.8, 0.4), Vec3(0.5, 0.5, 0.3), Vec3(1, 0.5, 0)});
  s.other = add(CurveKind::line, {Vec3(-1.5, 0.25, 0), Vec3(1, 0.25, 0)});
  const auto ride = [&](Id who, Id curve, double first, double last) {
    s.scene = with_object(std::move(s.scene), who, [&](Object& o) { o.follow.curve = curve.value; });
    s.scene = with_key(std::move(s.scene), who.value, kAlong, first, 0.0);
    s.scene = with_key(std::move(s.scene), who.value, kAlong, last, 1.0);
  };
  ride(s.platform, s.curve, 0, 1);
  ride(s.bat, s.other, 0.3, 0.8);
  s.scene = placed_on_curves(std::move(s.scene));
  return s;
}

Scene random_edit(const Stage& s, const Scene& scene, EditDice& dice, std::string& what) {
  const auto share = [&] { return dice.below(1000) / 1000.0; };
  const Id curve = dice.below(2) ? s.curve : s.other, rider = dice.below(2) ? s.platform : s.bat;
  const auto at_curve = [&](const std::function<void(Curve&)>& change) { return with_curve(scene, curve, change); };
  const auto at_rider = [&](const std::function<void(Object&)>& change) { return with_object(scene, rider, change); };
  switch (dice.below(11)) {
    case 0:
    case 1:
      what = "a point";
      return at_curve([&](Curve& c) {
        c.points[static_cast<std::size_t>(dice.below(static_cast<int>(c.points.size())))].place += dice.vector(0.1);
      });
    case 2:
      what = "the curve moved";
      return at_curve([&](Curve& c) { c.transform.position += dice.vector(0.05); });
    case 3:
      what = "its kind or end";
      return at_curve([&](Curve& c) {
        c.kind = static_cast<CurveKind>(dice.below(3));
        c.closed = dice.below(3) == 0;
      });
    case 4:
      what = "a key";
      return with_key(scene, rider.value, kAlong, share(), share());
    case 5:
      what = "turned";
      return at_rider([&](Object& o) {
        o.follow.turned = !o.follow.turned;
        o.follow.roll = share() - 0.5;
      });
    case 6:
      what = "looks at";
      return at_rider([&](Object& o) {
        o.follow.looks_at = o.follow.looks_at ? 0 : dice.below(2) ? s.ball.value : s.platform.value;
      });
    case 7:
      what = "another curve";
      return at_rider([&](Object& o) { o.follow.curve = o.follow.curve == 0 || dice.below(3) ? curve.value : 0; });
    case 8:
      what = "slid";
      return at_rider([&](Object& o) { o.transform.position += dice.vector(0.2); });
    case 9:
      what = "the time scale";
      return with_key(scene, 0, "settings.time_scale", share(), dice.below(3) ? 0.2 + share() : 0.0);
    default:
      what = "a name";
      return at_curve([&](Curve& c) { c.name += "x"; });
  }
}

}  // namespace

TEST_CASE("frames after 200 random edits of curves and rides equal those of a fresh run", "[curves][threads]") {
  int edits = 0, kept = 0;
  const Stage s = stage();
  const auto rounds = static_cast<std::uint64_t>(test::rounds(10, 2));
  for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
    EditDice dice(seed);
    FillRun run(2);
    Scene scene = s.scene;
    run.fill.start(Shared<Scene>(scene), 0, kLast);
    std::string story;
    for (int k = 0; k < 20; ++k) {
      if (const int moment = dice.below(3); moment == 1)
        run.wait_for(dice.below(kLast));
      else if (moment == 2)
        run.settle();
      std::string what;
      Scene next = random_edit(s, scene, dice, what);
      next = placed_on_curves(settled(scene, scene, settled_on_curves(scene, scene, std::move(next))));
      if (has_error(validate(next))) continue;
      ++edits;
      story += "\n" + what;
      run.start(scene, next, kLast);
      kept += run.cache.size() > 0;
      scene = std::move(next);
      if (dice.below(4) != 0 && k < 19) continue;
      INFO("seed " << seed << story);
      run.settle();
      run.check_equals_fresh(scene, kLast);
    }
  }
  INFO(edits << " edits, " << kept << " kept frames");
  CHECK(edits >= static_cast<int>(18 * rounds));
  CHECK(kept >= static_cast<int>(2 * rounds));
}

TEST_CASE("In slow motion what looks at a falling ball is turned to where that is seen", "[curves][clock]") {
  Stage s = stage();
  s.scene.settings.time_scale = 0.37;
  s.scene = with_object(std::move(s.scene), s.ball, [](Object& o) { o.transform.position = Vec3(0, 3, 0.5); });
  s.scene = with_object(std::move(s.scene), s.bat, [&](Object& o) { o.follow.looks_at = s.ball.value; });
  s.scene = placed_on_curves(std::move(s.scene));
  const Shared<Curve>& line = *find_shared_curve(s.scene, s.other.value);
  bool fell = false;
  for (const Frame& frame : fresh_run(s.scene, kLast)) {
    const ObjectFrame &bat = *frame.find(s.bat), &ball = *frame.find(s.ball);
    const double along = std::get<double>(*value_at(s.scene, s.bat.value, kAlong, frame.index / 60.0));
    CHECK((bat.position.cast<double>() - way_of(line)->place(along)).norm() < 1e-6);
    const Vec3f way = (ball.position - bat.position).normalized();
    CHECK((bat.rotation * Vec3f::UnitZ() - way).norm() < 1e-5f);
    fell = fell || ball.position.y() < 2.5f;
  }
  CHECK(fell);
}

}  // namespace curve_runs_test
