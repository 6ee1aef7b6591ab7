// Fields of force in scenes: keys, who feels them, copies, what is told of them; from which frame on an edit counts, and the same bits from any state.
#include <catch2/catch.hpp>

#include "core/playback/simulator.h"
#include "core/scene/derived/collections.h"
#include "core/scene/derived/felt.h"
#include "core/scene/derived/keyed.h"
#include "core/scene/derived/parts.h"
#include "core/scene/derived/takes.h"
#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "core/scene/values/scene_lists.h"
#include "tests/support/edits.h"
#include "tests/support/field_world.h"
#include "tests/support/sanitized.h"

namespace field_runs {

using namespace hazumi;
using namespace hazumi::test;

namespace {

int first_frame(const Scene& before, const Scene& after) { return diff(before, after, {}).first_frame; }

/// Two boxes and a soft ball in gusts over water, with a floor.
struct Lake : FieldWorld {
  Id wind, water, box, leaf, soft;
  Lake() : FieldWorld(9.81) {
    scene.settings.frame_rate = 25;
    scene.settings.substeps = 2;
    scene.settings.last_frame = 12;
    box = add(World::box(Vec3(0.4, 0.3, 0.5), Vec3(0, 0.1, 0), 20));
    leaf = add(World::box(Vec3(0.4, 0.02, 0.5), Vec3(2, 2, 0), 0.1));
    soft = add(jelly(0.4, Vec3(-2, 0.2, 0), 800, 30));
    wind = field(FieldKind::wind, [](ForceField& f) {
      f.gust = 1;
      f.rotation = Quat(Eigen::AngleAxisd(-1.2, Vec3::UnitZ()));
    });
    water = field(FieldKind::water);
  }
};

std::vector<std::uint64_t> hashes(const Scene& scene, int last, int threads = 1) {
  MeshStore meshes;
  const auto model = compile(scene, meshes);
  REQUIRE(model.ok());
  Simulator simulator(*model, threads);
  std::vector<std::uint64_t> all;
  for (int f = 0; f <= last; ++f) all.push_back(hash(*simulator.state_at(f)));
  return all;
}

}  // namespace

TEST_CASE("What fields do is the same from any state and on any number of threads", "[fields]") {
  Lake lake;
  lake.scene = with_key(lake.scene, lake.wind.value, "speed", 0.1, 5.0);
  lake.scene = with_key(lake.scene, lake.wind.value, "speed", 0.4, -3.0);
  const std::vector<std::uint64_t> first = hashes(lake.scene, 24);
  CHECK(hashes(lake.scene, 24, 3) == first);
  MeshStore meshes;
  Simulator again(*compile(lake.scene, meshes), 2);
  for (const int f : {24, 3, 17, 9}) CHECK(hash(*again.state_at(f)) == first[static_cast<std::size_t>(f)]);
  // Another seed, other gusts.
  Scene other = lake.scene;
  other.settings.seed = 2;
  CHECK(hashes(other, 1)[1] != first[1]);
}

TEST_CASE("An edit of a field drops the frames from the first that it changes", "[fields][keys][diff]") {
  Lake lake;
  const Scene& scene = lake.scene;
  CHECK(first_frame(scene, with_force_field(scene, lake.wind, [](ForceField& f) { f.speed = 9; })) == 0);
  CHECK(first_frame(scene, with_force_field(scene, lake.wind, [](ForceField& f) { f.name = "Breeze"; })) == kNoFrame);
  CHECK(first_frame(scene, with_force_field(scene, lake.wind, [](ForceField& f) { f.visible = false; })) == kNoFrame);
  // What its kind does not say drops nothing.
  CHECK(first_frame(scene, with_force_field(scene, lake.wind, [](ForceField& f) { f.strength = 1; })) == kNoFrame);
  CHECK(first_frame(scene, without(scene, lake.water)) == 0);
  Scene keyed = with_key(scene, lake.wind.value, "speed", 0, 5.0);
  const Scene later = with_key(keyed, lake.wind.value, "speed", 0.2, 5.0);
  const Scene gale = with_key(later, lake.wind.value, "speed", 0.4, 50.0);
  CHECK(first_frame(later, gale) == 6);  // the sub-step behind 0.2 s is the first that is told more
  CHECK(simulation_signature(later) != simulation_signature(gale));
  const auto a = hashes(later, 12), b = hashes(gale, 12);
  for (int f = 0; f < 6; ++f) CHECK(a[std::size_t(f)] == b[std::size_t(f)]);
  CHECK(a[6] != b[6]);
}

TEST_CASE("A field for a collection is felt by what is in it", "[fields][diff]") {
  Lake lake;
  Collection leaves;
  leaves.id = next_id(lake.scene);
  leaves.name = "Leaves";
  lake.scene.collections.push_back(Shared<Collection>(leaves));
  const Scene all = lake.scene;
  lake.change(lake.wind, [&](ForceField& f) { f.feels = leaves.id.value; });
  const Scene none = lake.scene;
  CHECK(who_feels(none, *find_force_field(none, lake.wind)).empty());
  CHECK(first_frame(all, none) == 0);
  const Scene one = put_in(none, {lake.leaf}, leaves.id);
  CHECK(who_feels(one, *find_force_field(one, lake.wind)) == std::vector<Id>{lake.leaf});
  CHECK(first_frame(none, one) == 0);
  CHECK(simulation_signature(none) != simulation_signature(one));
  // A light in it makes no difference, nor does what is in none.
  CHECK(first_frame(all, put_in(all, {lake.leaf}, leaves.id)) == kNoFrame);
  lake.scene = one;
  const Run run(lake);
  const std::vector<BodyForces> told = told_by_fields(run);
  CHECK(told[run.index(lake.leaf)].force.x() > 0.1);
  // Not even where it is told of air does a body that feels none take it.
  lake.change_object(lake.leaf, [](Object& o) { o.body.fields = false; });
  const Run deaf(lake);
  CHECK(told_by_fields(deaf)[deaf.index(lake.leaf)].force == Vec3::Zero());
  // The collection goes.
  const Scene gone = without(one, leaves.id);
  REQUIRE(idle_fields(gone).size() == 1);
  CHECK(idle_fields(gone)[0].message ==
        "The collection that feels " + find_force_field(gone, lake.wind)->name + " is gone; nothing feels it.");
  CHECK(validate(gone).size() == 1);
  CHECK(validate_change(one, gone).size() == 1);
  // Copied with what feels it, it is for the collection there.
  const JoinedScene twice = joined(one, part_of(one, {lake.wind, lake.leaf}));
  CHECK(find_force_field(twice.scene, twice.ids.at(lake.wind))->feels == leaves.id.value);
}

TEST_CASE("A field round a curve that goes does nothing, and is told", "[fields]") {
  Lake lake;
  Curve curve;
  curve.id = next_id(lake.scene);
  curve.kind = CurveKind::line;
  curve.points.resize(2);
  curve.points[1].place = Vec3(4, 0, 0);
  lake.scene.curves.push_back(Shared<Curve>(curve));
  const Scene before = lake.scene;
  lake.change(lake.wind, [&](ForceField& f) {
    f.shape = FieldShape::curve;
    f.curve = curve.id.value;
    f.radius = 3;
  });
  CHECK(validate(lake.scene).empty());
  CHECK(first_frame(before, lake.scene) == 0);
  const Scene moved = with_curve(lake.scene, curve.id, [](Curve& c) { c.transform.position.y() = 1; });
  CHECK(first_frame(lake.scene, moved) == 0);
  CHECK(first_frame(before, with_curve(before, curve.id, [](Curve& c) { c.transform.position.y() = 1; })) == kNoFrame);
  lake.scene = without(lake.scene, curve.id);
  REQUIRE(idle_fields(lake.scene).size() == 1);
  CHECK(idle_fields(lake.scene)[0].path.ends_with(" curve"));
  const Run run(lake);
  CHECK(told_by_fields(run)[run.index(lake.leaf)].force == Vec3::Zero());
}

TEST_CASE("Fields that cannot be are refused in one sentence", "[fields][validate]") {
  Lake lake;
  const auto refused = [&](const std::function<void(ForceField&)>& how) {
    const Diagnostics found = validate(with_force_field(lake.scene, lake.wind, how));
    REQUIRE(found.size() == 1);
    CHECK(has_error(found));
    return found[0].message;
  };
  CHECK(refused([](ForceField& f) { f.radius = -1; }) == "Radius must be at least 0 m.");
  CHECK(refused([](ForceField& f) { f.gust_size = 0; }) == "Gust size must be above 0 m.");
  CHECK(refused([](ForceField& f) { f.speed = std::nan(""); }) == "Speed must be a finite number.");
  CHECK(refused([](ForceField& f) { f.position.x() = std::nan(""); }) == "Position must be a finite number.");
  CHECK(refused([](ForceField& f) { f.falloff = -2; }) == "Falloff must be at least 0 m.");
}

TEST_CASE("A field comes back from a file as it was, with its keys", "[fields][file]") {
  Lake lake;
  lake.scene = with_key(lake.scene, lake.wind.value, "speed", 0.2, 7.0);
  const auto back = scene_from_text(scene_to_text(lake.scene), "");
  REQUIRE(back.ok());
  CHECK(simulation_signature(*back) == simulation_signature(lake.scene));
  CHECK(std::get<double>(*value_at(shown_at(*back, 0.2), lake.wind.value, "speed", 0.2)) == 7.0);
  CHECK(find_force_field(shown_at(lake.scene, 0.2), lake.wind)->speed == 7.0);
}

TEST_CASE("Still air lets what lies sleep; wind does not", "[fields]") {
  for (const double speed : {0.0, 3.0}) {
    FieldWorld world(9.81);
    world.floor();
    const Id id = world.add(World::box(Vec3::Constant(0.4), Vec3(0, 0.2, 0), 2));
    world.field(FieldKind::wind, [&](ForceField& f) { f.speed = speed; });
    world.field(FieldKind::drag);
    Run run(world);
    run.seconds(2);
    CHECK(run.at(id).centre.y() == Approx(0.2).margin(1e-3));
    const bool still = told_by_fields(run)[run.index(id)].force == Vec3::Zero();
    CHECK(still == (speed == 0));
  }
}

TEST_CASE("Random edits of fields: what is kept is what a fresh run has", "[fields][diff]") {
  constexpr std::uint64_t kSeed = 15001;
  EditDice dice(kSeed);
  Scene scene = Lake().scene;
  std::vector<std::uint64_t> before = hashes(scene, 12);
  int kept = 0, changed = 0;
  const int rounds = test::rounds(200, 12);
  for (int i = 0; i < rounds; ++i) {
    Scene next = scene;
    std::string what;
    const auto at = static_cast<std::size_t>(dice.below(static_cast<int>(scene.fields.size())));
    const Id id = scene.fields[at]->id;
    switch (dice.below(5)) {
      case 0: {
        static constexpr const char* kKeyed[] = {"speed", "gust", "position", "on", "linear"};
        what = kKeyed[dice.below(5)];
        const Field<ForceField>& row = *find_field(force_field_fields(), std::string_view(what));
        ForceField wanted = *scene.fields[at];
        change_field(row, wanted, dice);
        next = with_key(next, id.value, what, dice.below(12) / 25.0, row.get(wanted));
        what += " keyed";
        break;
      }
      case 1:
        what = "object";
        next = with_object(next, Id{static_cast<std::uint64_t>(1 + dice.below(3))}, [&](Object& o) {
          static constexpr const char* kRows[] = {"body.fields", "body.air", "body.drag_linear", "body.drag_quadratic"};
          what = kRows[dice.below(4)];
          change_field(*find_field(object_fields(), std::string_view(what)), o, dice);
        });
        break;
      case 2:
        if (!scene.tracks.empty()) next = without(next, pick(scene.tracks, dice)->id);
        break;
      default:
        next =
            with_force_field(next, id, [&](ForceField& f) { change_some_field(force_field_fields(), f, dice, what); });
    }
    INFO("seed " << kSeed << ", edit " << i << ": " << what);
    if (has_error(validate(next))) continue;
    MeshStore meshes;
    const auto model = compile(next, meshes);
    REQUIRE(model.ok());
    Simulator simulator(*model, 1);
    std::vector<std::uint64_t> after;
    for (int f = 0; f <= 12; ++f) {
      const State* state = simulator.state_at(f);
      if (!state) break;
      after.push_back(hash(*state));
    }
    if (after.size() <= 12) continue;  // what pulls that hard ends the run
    const int first = first_frame(scene, next);
    for (int f = 0; f <= 12 && f < first; ++f, ++kept) CHECK(before[std::size_t(f)] == after[std::size_t(f)]);
    if (first <= 12) ++changed;
    scene = std::move(next);
    before = std::move(after);
  }
  CHECK(kept > rounds);
  CHECK(changed > rounds / 4);
}

TEST_CASE("A take has fields of its own", "[fields][takes]") {
  Lake lake;
  MadeTake made = with_new_take(lake.scene, "Gale");
  Scene gale = with_force_field(made.scene, lake.wind, [](ForceField& f) { f.speed = 30; });
  gale = with_settled_takes(made.scene, gale);
  const Scene back = in_take(gale, gale.takes[0]->id);
  CHECK(find_force_field(back, lake.wind)->speed == 5);
  CHECK(find_force_field(in_take(back, made.take), lake.wind)->speed == 30);
}

}  // namespace field_runs
