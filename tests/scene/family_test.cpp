// Families: children follow edits of their parents, whatever way the edit came; what cannot be is refused in a sentence.
#include "core/scene/derived/family.h"

#include <catch2/catch.hpp>
#include <random>

#include "core/scene/derived/array.h"
#include "core/scene/derived/collections.h"
#include "core/scene/derived/parts.h"
#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/support/world.h"

namespace family_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Object fixed(std::uint64_t id, const std::string& name, const Vec3& at, std::uint64_t parent = 0) {
  Object o = make_object(id, name, {}, at, BodyKind::fixed);
  o.parent = parent;
  return o;
}

/// A tray with a cup on it, in which there is a spoon; a ball beside them.
Scene tray() {
  Scene scene;
  scene.objects = {fixed(1, "Tray", Vec3(0, 1, 0)), fixed(2, "Cup", Vec3(0.5, 1.2, 0), 1),
                   fixed(3, "Spoon", Vec3(0.5, 1.5, 0.1), 2),
                   make_object(4, "Ball", {PrimitiveShape::sphere}, Vec3(3, 1, 0))};
  return scene;
}

Collection breakfast(bool visible = true) {
  Collection collection;
  collection.id = Id{9};
  collection.name = "Breakfast";
  collection.visible = visible;
  return collection;
}

const Transform& place(const Scene& scene, std::uint64_t id) { return find_object(scene, Id{id})->transform; }

Scene moved(const Scene& scene, std::uint64_t id, const Vec3& by) {
  return with_object(scene, Id{id}, [&](Object& o) { o.transform.position += by; });
}

bool same(const Transform& a, const Transform& b) {
  return a.position == b.position && a.rotation.coeffs() == b.rotation.coeffs() && a.scale == b.scale;
}

std::string said(const Scene& scene) {
  for (const Diagnostic& d : validate(scene))
    if (d.severity == Severity::error) return to_string(d);
  return {};
}

/// The child in the frame of its parent.
Vec3 local(const Transform& parent, const Transform& child) {
  return (parent.rotation.conjugate() * (child.position - parent.position)).cwiseQuotient(parent.scale);
}

}  // namespace

TEST_CASE("Children follow what moves their parent, through all generations", "[scene][family]") {
  const Scene before = tray();
  const Scene after = settled(before, before, moved(before, 1, Vec3(1, 2, 3)));
  CHECK(place(after, 2).position == Vec3(1.5, 3.2, 3));
  CHECK(place(after, 3).position == Vec3(1.5, 3.5, 3.1));
  CHECK(after.objects[3].same_as(before.objects[3]));
  // Only what hangs on it.
  const Scene cup = settled(before, before, moved(before, 2, Vec3(0, 1, 0)));
  CHECK(cup.objects[0].same_as(before.objects[0]));
  CHECK(place(cup, 3).position == Vec3(0.5, 2.5, 0.1));
}

TEST_CASE("Children turn and grow with their parent", "[scene][family]") {
  const Scene before = tray();
  const Quat quarter(Eigen::AngleAxisd(kPi / 2, Vec3::UnitY()));
  const Scene turned =
      settled(before, before, with_object(before, Id{1}, [&](Object& o) { o.transform.rotation = quarter; }));
  CHECK((place(turned, 2).position - Vec3(0, 1.2, -0.5)).norm() < 1e-15);
  CHECK(place(turned, 2).rotation.angularDistance(quarter) < 1e-7);
  CHECK((place(turned, 3).position - Vec3(0.1, 1.5, -0.5)).norm() < 1e-15);

  const Scene grown =
      settled(before, before, with_object(before, Id{1}, [](Object& o) { o.transform.scale = Vec3::Constant(2); }));
  CHECK((place(grown, 2).position - Vec3(1, 1.4, 0)).norm() < 1e-15);
  CHECK((place(grown, 2).scale - Vec3::Constant(2)).norm() < 1e-15);
  CHECK((place(grown, 3).position - Vec3(1, 2, 0.2)).norm() < 1e-15);
  // Along an axis, a child that is turned a quarter grows along its own.
  Scene across = before;
  across.objects[1] = across.objects[1].edited([&](Object& o) { o.transform.rotation = quarter; });
  const Scene wide =
      settled(across, across, with_object(across, Id{1}, [](Object& o) { o.transform.scale = Vec3(3, 1, 1); }));
  CHECK((place(wide, 2).scale - Vec3(1, 1, 3)).norm() < 1e-12);
}

TEST_CASE("What is moved itself does not follow; what the edit sets where it was stays there", "[scene][family]") {
  const Scene before = tray();
  Scene both = moved(moved(before, 1, Vec3(1, 0, 0)), 2, Vec3(0, 5, 0));
  Scene after = settled(before, before, both);
  CHECK(place(after, 2).position == Vec3(0.5, 6.2, 0));
  CHECK(place(after, 3).position == Vec3(0.5, 6.5, 0.1));
  // All put at x = 0.5, where the cup is already.
  Scene aligned = before;
  for (std::size_t i = 0; i < 2; ++i)
    aligned.objects[i] = aligned.objects[i].edited([](Object& o) { o.transform.position.x() = 0.5; });
  after = settled(before, before, aligned);
  CHECK(place(after, 2).position == Vec3(0.5, 1.2, 0));
  CHECK(place(after, 3).position == Vec3(0.5, 1.5, 0.1));
  // What gets a parent, or leaves it, stays where it is.
  Scene other = with_object(moved(before, 1, Vec3(9, 0, 0)), Id{2}, [](Object& o) { o.parent = 0; });
  CHECK(place(settled(before, before, other), 2).position == Vec3(0.5, 1.2, 0));
}

TEST_CASE("A gesture may come from its start or from where it is, and comes back to the bit", "[scene][family]") {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> in(-2, 2);
  for (int round = 0; round < 200; ++round) {
    INFO("seed 7, round " << round);
    Scene start = tray();
    for (auto& object : start.objects)
      object = object.edited([&](Object& o) {
        o.transform.position = Vec3(in(engine), in(engine), in(engine));
        o.transform.rotation = Quat(in(engine), in(engine), in(engine), in(engine)).normalized();
        o.transform.scale = Vec3::Constant(1 + 0.3 * in(engine) / 2);
      });
    const Transform home = place(start, 1);
    const Vec3 cup = local(home, place(start, 2));
    Scene now = start;
    for (int step = 0; step < 5; ++step) {
      const bool from_start = engine() % 2 == 0;
      Transform to = home;
      to.position += Vec3(in(engine), in(engine), in(engine));
      to.rotation = Quat(in(engine), in(engine), in(engine), in(engine)).normalized();
      to.scale *= 1.5;
      now = settled(start, now, with_object(from_start ? start : now, Id{1}, [&](Object& o) { o.transform = to; }));
      CHECK((local(place(now, 1), place(now, 2)) - cup).norm() < 1e-12);  // 3e-15 measured
    }
    now = settled(start, now, with_object(now, Id{1}, [&](Object& o) { o.transform = home; }));
    for (std::uint64_t id = 1; id <= 3; ++id) CHECK(same(place(now, id), place(start, id)));
  }
}

TEST_CASE("What begins to move by itself leaves its parent and stays in the collection", "[scene][family]") {
  Scene before = tray();
  before.collections = {breakfast()};
  before.objects[0] = before.objects[0].edited([](Object& o) { o.collection = 9; });
  REQUIRE(said(before).empty());
  const Scene after =
      settled(before, before, with_object(before, Id{2}, [](Object& o) { o.body.kind = BodyKind::rigid; }));
  CHECK(find_object(after, Id{2})->parent == 0);
  CHECK(find_object(after, Id{2})->collection == 9);
  CHECK(find_object(after, Id{3})->parent == 2);  // carried from now on
  CHECK(carried_objects(after) == std::vector<Carried>{{Id{3}, Id{2}}});
  CHECK(said(after).empty());
}

TEST_CASE("Without its parent a child stays where it is, in the collection that it was in", "[scene][family]") {
  Scene scene = tray();
  scene.collections = {breakfast()};
  scene.objects[0] = scene.objects[0].edited([](Object& o) { o.collection = 9; });
  const Scene after = without(scene, Id{1});
  CHECK(said(after).empty());
  CHECK(find_object(after, Id{2})->parent == 0);
  CHECK(find_object(after, Id{2})->collection == 9);
  CHECK(same(place(after, 2), place(scene, 2)));
  CHECK(find_object(after, Id{3})->parent == 2);
}

TEST_CASE("Families that cannot be are named with place and remedy", "[scene][family][validate]") {
  const Scene scene = tray();
  const auto with_parent = [&](std::uint64_t child, std::uint64_t parent) {
    return with_object(scene, Id{child}, [&](Object& o) { o.parent = parent; });
  };
  CHECK(said(with_parent(1, 77)) ==
        "error: objects[0] \"Tray\" parent: The scene has no object with the id 77. Give the id of one of its "
        "objects, or 0.");
  CHECK(said(with_parent(4, 1)) ==
        "error: objects[3] \"Ball\" parent: Only a fixed object can have a parent; this one moves by itself. Make it "
        "fixed, "
        "or take its parent away.");
  CHECK(said(with_parent(1, 1)).find("must not go with itself") != std::string::npos);
  CHECK(said(with_parent(1, 3)).find("must not go with itself") != std::string::npos);
  // As an edit sees it, also when the parent is what changes.
  CHECK(has_error(validate_change(scene, with_parent(1, 3))));
  CHECK(has_error(validate_change(scene, with_object(scene, Id{2}, [](Object& o) { o.body.kind = BodyKind::rigid; }))));
  Scene gone = scene;
  gone.objects.erase(gone.objects.begin());
  CHECK(has_error(validate_change(scene, gone)));
  CHECK_FALSE(has_error(validate_change(scene, with_parent(2, 4))));
}

TEST_CASE("Only what is carried by something that moves makes another run", "[scene][family][diff]") {
  const Scene scene = tray();
  const auto first_frame = [&](const Scene& before, const Scene& after) {
    return diff(before, after, [](const Cause&) { return 5; });
  };
  const Scene on_tray = with_object(scene, Id{3}, [](Object& o) { o.parent = 1; });
  ChangeSet change = first_frame(scene, on_tray);
  CHECK(change.first_frame == kNoFrame);
  CHECK_FALSE(change.simulation);
  CHECK(change.structure);
  CHECK(simulation_signature(scene) == simulation_signature(on_tray));
  const Scene on_ball = with_object(scene, Id{2}, [](Object& o) { o.parent = 4; });
  change = first_frame(scene, on_ball);
  CHECK(change.first_frame == 0);
  CHECK(simulation_signature(scene) != simulation_signature(on_ball));
  CHECK(carried_objects(on_ball) == std::vector<Carried>{{Id{2}, Id{4}}, {Id{3}, Id{4}}});
  // From one that is carried to another of the same family: the ball carries it as before.
  const Scene beside = with_object(on_ball, Id{3}, [](Object& o) { o.parent = 4; });
  CHECK(first_frame(on_ball, beside).first_frame == kNoFrame);
  CHECK(simulation_signature(beside) == simulation_signature(on_ball));
}

TEST_CASE("Parts of families: with their parent, and without it", "[scene][family][parts]") {
  Scene scene = tray();
  scene.collections = {breakfast()};
  scene.objects[0] = scene.objects[0].edited([](Object& o) { o.collection = 9; });
  // A cup and its spoon, without the tray: the cup goes with nobody, the spoon with the new cup.
  const Scene part = part_of(scene, {Id{2}, Id{3}});
  CHECK(said(part).empty());
  CHECK(find_object(part, Id{2})->parent == 0);
  CHECK(find_object(part, Id{2})->collection == 9);
  REQUIRE(part.collections.size() == 1);
  const JoinedScene same_scene = joined(scene, part);
  CHECK(said(same_scene.scene).empty());
  CHECK(same_scene.scene.collections.size() == 1);
  const Object& spoon = *find_object(same_scene.scene, same_scene.ids.at(Id{3}));
  CHECK(spoon.parent == same_scene.ids.at(Id{2}).value);
  // Into another scene the collection comes by its name.
  const JoinedScene other = joined(Scene{}, *part_from_text(scene_to_text(part)));
  REQUIRE(other.scene.collections.size() == 1);
  CHECK(other.scene.collections[0]->name == "Breakfast");
  CHECK(find_object(other.scene, other.ids.at(Id{2}))->collection == other.scene.collections[0]->id.value);
  // Copies of an array go with the same parent, or with its copies.
  ArraySettings row;
  row.count = 2;
  const Array cups = arrayed(scene, {Id{2}}, row);
  CHECK(said(cups.scene).empty());
  CHECK(find_object(cups.scene, cups.copies[0])->parent == 1);
  const Array trays = arrayed(scene, {Id{1}, Id{2}}, row);
  CHECK(said(trays.scene).empty());
  CHECK(find_object(trays.scene, trays.copies[1])->parent == trays.copies[0].value);
  CHECK(find_object(trays.scene, trays.copies[0])->collection == 9);
}

TEST_CASE("Parents and collections are in the file", "[scene][family][file]") {
  Scene scene = tray();
  scene.collections = {breakfast(false)};
  scene.objects[0] = scene.objects[0].edited([](Object& o) { o.collection = 9; });
  scene.lights = {make_light(12, "Lamp")};
  scene.lights[0] = scene.lights[0].edited([](Light& l) { l.collection = 9; });
  const std::string text = scene_to_text(scene);
  CHECK(text.find("\"parent\": 1") != std::string::npos);
  const Result<Scene> read = scene_from_text(text, {});
  REQUIRE(read.ok());
  CHECK(scene_to_text(*read) == text);
  CHECK(find_object(*read, Id{3})->parent == 2);
  CHECK_FALSE(read->collections.at(0)->visible);
  // A scene without them says nothing of them.
  Scene alone;
  alone.objects = {fixed(1, "Tray", Vec3::Zero())};
  const std::string plain = scene_to_text(alone);
  CHECK(plain.find("parent") == std::string::npos);
  CHECK(plain.find("collection") == std::string::npos);
}

}  // namespace family_test
