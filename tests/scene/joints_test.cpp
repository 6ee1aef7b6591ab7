// Joints as values of a scene: where they are, what goes with what, what copies of them hold, what they are warned of, and from when on
// a run is out of date. What a run makes of them is in tests/sim.
#include <catch2/catch.hpp>

#include <filesystem>
#include <set>

#include "core/scene/derived/array.h"
#include "core/scene/derived/collections.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/joint_faults.h"
#include "core/scene/derived/keyed.h"
#include "core/scene/derived/parts.h"
#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "core/scene/values/lists.h"
#include "core/scene/values/scene_lists.h"
#include "tests/support/world.h"

namespace hazumi::joints_test {

namespace {

Joint make_joint(std::uint64_t id, const std::string& name, JointKind kind, std::uint64_t a, std::uint64_t b) {
  Joint joint;
  joint.id = Id{id};
  joint.name = name;
  joint.kind = kind;
  joint.a.object = a;
  joint.b.object = b;
  return joint;
}

/// A floor (1), a scaled and turned box (2), two more (3, 4); a hinge (5) of 2 and 3, a hinge (6) of the world and 4, their gear (7), and a rope
/// (8) from 3 to 4.
Scene chained() {
  Scene scene;
  scene.objects = {test::make_object(1, "Floor", {PrimitiveShape::plane}, Vec3::Zero(), BodyKind::fixed),
                   test::make_object(2, "Box", {}, Vec3(1, 2, 3)), test::make_object(3, "Ball", {}, Vec3(2, 2, 3)),
                   test::make_object(4, "Wheel", {}, Vec3(5, 2, 3))};
  scene.objects[1] = scene.objects[1].edited([](Object& o) {
    o.transform.rotation = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitY()));
    o.transform.scale = Vec3(2, 3, 4);
  });
  Joint hinge = make_joint(5, "Hinge", JointKind::hinge, 2, 3), wheel = make_joint(6, "Axle", JointKind::hinge, 0, 4);
  hinge.a.place = Vec3(0, 0, 0.25);
  wheel.a.place = Vec3(5, 2, 3);
  Joint gear = make_joint(7, "Gear", JointKind::gear, 0, 0), rope = make_joint(8, "Rope", JointKind::rope, 3, 4);
  gear.first = 5;
  gear.second = 6;
  scene.joints = {hinge, wheel, gear, rope};
  return scene;
}

Scene with(const Scene& scene, std::uint64_t id, const std::function<void(Joint&)>& change) {
  return with_joint(scene, Id{id}, change);
}

std::string only(const Scene& scene) {
  const Diagnostics found = validate(scene);
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == Severity::warning);
  CHECK_FALSE(found[0].hint.empty());
  return found[0].path + ": " + found[0].message;
}

std::vector<std::uint64_t> ids_of(const std::vector<Shared<Joint>>& joints) {
  std::vector<std::uint64_t> ids;
  for (const auto& joint : joints) ids.push_back(joint->id.value);
  return ids;
}

}  // namespace

TEST_CASE("A joint is where its first end is, in the axes of its object, and turned with it", "[scene][joints]") {
  const Scene scene = chained();
  const auto places = joint_places(scene, *scene.joints[0]);
  REQUIRE(places);
  // 0.25 of a scale of 4 along z, which a quarter turn about y takes to x.
  CHECK((places->a - Vec3(2, 2, 3)).norm() < 1e-12);
  CHECK(places->b == places->a);
  CHECK((places->axis() - Vec3::UnitX()).norm() < 1e-12);
  const auto axle = joint_places(scene, *scene.joints[1]);
  REQUIRE(axle);
  CHECK(axle->a == Vec3(5, 2, 3));
  CHECK(axle->axis() == Vec3::UnitZ());
  const auto rope = joint_places(scene, *scene.joints[3]);
  REQUIRE(rope);
  CHECK(rope->a == Vec3(2, 2, 3));
  CHECK(rope->b == Vec3(5, 2, 3));
  const auto gear = joint_places(scene, *scene.joints[2]);
  REQUIRE(gear);
  CHECK(gear->a == places->a);
  CHECK(gear->b == axle->a);
  CHECK_FALSE(joint_places(scene, make_joint(9, "Lost", JointKind::ball, 2, 77)));
  // There and back.
  JointPlaces wanted{Vec3(-1, 4, 0.5), Vec3(3, 3, 3), turn_to(Vec3(1, 2, -2) / 3)};
  for (const JointKind kind : {JointKind::slider, JointKind::spring}) {
    const Joint put = with_places(make_joint(9, "Put", kind, 2, 3), wanted, placed_in(scene));
    const auto again = joint_places(scene, put);
    REQUIRE(again);
    CHECK((again->a - wanted.a).norm() < 1e-12);
    CHECK((again->b - (kind == JointKind::spring ? wanted.b : wanted.a)).norm() < 1e-12);
    CHECK((again->axis() - Vec3(1, 2, -2) / 3).norm() < 1e-12);
  }
}

TEST_CASE("Who hangs together says who is joined", "[scene][joints]") {
  const Scene scene = chained();
  CHECK(joints_of(scene, Id{3}) == std::vector<Id>{Id{5}, Id{7}, Id{8}});
  CHECK(joints_of(scene, Id{1}).empty());
  CHECK(joined_with(scene, Id{3}) == std::set<Id>{Id{2}, Id{4}});
  CHECK(joined_with(scene, Id{2}) == std::set<Id>{Id{3}});
  CHECK(hanging_together(scene, Id{2}) == std::set<Id>{Id{3}, Id{4}});
}

TEST_CASE("With an object go the joints that hold it, with a hinge its gears, and their tracks", "[scene][joints]") {
  Scene scene = chained();
  Track track;
  track.id = Id{20};
  track.name = "On";
  track.target = 7;
  track.field = "on";
  scene.tracks = {track};
  CHECK(ids_of(without(scene, Id{2}).joints) == std::vector<std::uint64_t>{6, 8});
  CHECK(without(scene, Id{2}).tracks.empty());
  CHECK(ids_of(without(scene, Id{6}).joints) == std::vector<std::uint64_t>{5, 8});
  CHECK(ids_of(without(scene, Id{8}).joints) == std::vector<std::uint64_t>{5, 6, 7});
  CHECK(without(scene, Id{8}).tracks.size() == 1);
  CHECK(ids_of(without(scene, Id{1}).joints) == std::vector<std::uint64_t>{5, 6, 7, 8});
}

TEST_CASE("Copies take along the joints between them, their ends on the copies", "[scene][joints][parts]") {
  const Scene scene = chained();
  CHECK(joints_among(scene, {Id{2}, Id{3}}) == std::set<Id>{Id{5}});
  CHECK(joints_among(scene, {Id{4}}) == std::set<Id>{Id{6}});
  CHECK(joints_among(scene, {Id{8}}).empty());
  CHECK(joints_among(scene, {Id{2}, Id{3}, Id{4}}) == std::set<Id>{Id{5}, Id{6}, Id{7}, Id{8}});
  CHECK(joints_among(scene, {Id{1}}).empty());

  const Scene part = part_of(scene, {Id{2}, Id{3}, Id{4}});
  CHECK(part.joints.size() == 4);
  const JoinedScene twice = joined(scene, part);
  REQUIRE(twice.scene.joints.size() == 8);
  CHECK(validate(twice.scene).empty());
  const auto& copies = twice.ids;
  const Joint& hinge = *twice.scene.joints[4];
  CHECK(hinge.a.object == copies.at(Id{2}).value);
  CHECK(hinge.b.object == copies.at(Id{3}).value);
  CHECK(hinge.name == "Hinge 2");
  CHECK(twice.scene.joints[5]->a.object == 0);
  CHECK(twice.scene.joints[6]->first == hinge.id.value);
  CHECK(twice.scene.joints[6]->second == twice.scene.joints[5]->id.value);
  // Of a file by another hand: what names something that is not there stays out, and gears of that.
  Scene strange = part;
  strange.joints[0] = strange.joints[0].edited([](Joint& j) { j.b.object = 99; });
  CHECK(joined(scene, strange).scene.joints.size() == 4 + 2);
}

TEST_CASE("An array of joined things is joined as they are, ends in the world a step on", "[scene][joints][array]") {
  const Scene scene = chained();
  ArraySettings settings;
  settings.count = 3;
  settings.offset = Vec3(0, 0, 2);
  const Array made = arrayed(scene, {Id{2}, Id{3}, Id{4}}, settings);
  REQUIRE(made.scene.joints.size() == 12);
  CHECK(validate(made.scene).empty());
  for (std::size_t k = 1; k < 3; ++k)
    for (std::size_t i = 0; i < 4; ++i) {
      const auto copy = joint_places(made.scene, *made.scene.joints[4 * k + i]),
                 first = joint_places(scene, *scene.joints[i]);
      REQUIRE((copy && first));
      CHECK((copy->a - first->a - static_cast<double>(k) * settings.offset).norm() < 1e-12);
      CHECK((copy->b - first->b - static_cast<double>(k) * settings.offset).norm() < 1e-12);
    }
  // In a circle the axes turn with them.
  settings = {};
  settings.kind = ArrayKind::circle;
  settings.count = 4;
  const Array ring = arrayed(scene, {Id{4}}, settings);
  REQUIRE(ring.scene.joints.size() == 4 + 3);
  const auto quarter = joint_places(ring.scene, *ring.scene.joints[4]);
  REQUIRE(quarter);
  const Quat turn(Eigen::AngleAxisd(kPi / 2, Vec3::UnitY()));
  CHECK((quarter->a - turn * Vec3(5, 2, 3)).norm() < 1e-12);
  CHECK((quarter->axis() - turn * Vec3::UnitZ()).norm() < 1e-12);
  // A joint by itself: more of them between the same two.
  settings = {};
  settings.offset = Vec3(0, 0.5, 0);
  const Array alone = arrayed(scene, {Id{5}}, settings);
  REQUIRE(alone.scene.joints.size() == 4 + 2);
  CHECK(alone.copies.size() == 2);
  CHECK(alone.scene.joints[4]->b.object == 3);
  const auto up = joint_places(alone.scene, *alone.scene.joints[5]);
  REQUIRE(up);
  CHECK((up->a - Vec3(2, 3, 3)).norm() < 1e-12);
}

TEST_CASE("Files hold joints only where there are some, and read them as they were", "[scene][joints][scene_io]") {
  CHECK(scene_to_text(Scene{}).find("\"joints\"") == std::string::npos);
  const Scene scene = chained();
  const Result<Scene> read = part_from_text(scene_to_text(scene));
  REQUIRE(read.ok());
  REQUIRE(read->joints.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(same_fields(joint_fields(), *read->joints[i], *scene.joints[i]));
  CHECK(simulation_signature(*read) == simulation_signature(scene));
}

TEST_CASE("A run is out of date from the start when a joint comes, goes, or holds otherwise", "[scene][joints][diff]") {
  const Scene scene = chained();
  const auto drops = [&](const Scene& after) {
    const ChangeSet change = diff(scene, after, {});
    CHECK(change.simulation == (simulation_signature(scene) != simulation_signature(after)));
    if (change.simulation) CHECK(change.first_frame == 0);
    return change.simulation;
  };
  CHECK(drops(without(scene, Id{8})));
  CHECK(drops(with(scene, 5, [](Joint& j) { j.on = false; })));
  CHECK(drops(with(scene, 5, [](Joint& j) { j.a.place.x() = 0.1; })));
  CHECK(drops(with(scene, 5, [](Joint& j) { j.limited = true; })));
  CHECK(drops(with(scene, 7, [](Joint& j) { j.ratio = 3; })));
  // What its kind does not have, and what is only looked at.
  CHECK_FALSE(drops(with(scene, 5, [](Joint& j) { j.stiffness = 3; })));
  CHECK_FALSE(drops(with(scene, 5, [](Joint& j) { j.most_turn = 3; })));
  CHECK_FALSE(drops(with(scene, 5, [](Joint& j) { j.b.place.x() = 3; })));
  CHECK_FALSE(drops(with(scene, 5, [](Joint& j) { j.name = "Door"; })));
  CHECK_FALSE(drops(with(scene, 5, [](Joint& j) { j.visible = false; })));
  CHECK_FALSE(drops(with(scene, 7, [](Joint& j) { j.a.object = 2; })));
}

TEST_CASE("Keys of a joint that cannot hold are told of with their time", "[scene][joints][validate][keys]") {
  const auto told = [](const Scene& before, const Scene& after) {
    CHECK(validate(before).empty());
    CHECK(validate_change(before, after).size() == validate(after).size());
    return only(after);
  };
  const Scene rope = with_key(with(chained(), 8, [](Joint& j) { j.measured = false; }), 8, "length", 0, 1.0);
  CHECK(told(rope, with_key(rope, 8, "length", 1.25, 0.0)) ==
        "joints[3] \"Rope\" length: The rope Rope has no length at its key at 1.25 s; it holds nothing.");
  const Scene hinge = with_key(with(chained(), 5, [](Joint& j) { j.limited = true; }), 5, "least_turn", 0, -0.5);
  CHECK(told(hinge, with_key(hinge, 5, "least_turn", 2, 1.5)) ==
        "joints[0] \"Hinge\" least_turn: The least turn of Hinge is above the most at its key at 2 s; it is held where "
        "it is at the start.");
  // What keys never say does not count.
  const Scene unread = with(rope, 8, [](Joint& j) { j.length = 0; });
  CHECK(validate(unread).empty());
}

TEST_CASE("What a joint cannot hold is a warning that says what to do", "[scene][joints][validate]") {
  const Scene scene = chained();
  CHECK(validate(scene).empty());
  const auto told = [&](std::uint64_t id, const std::function<void(Joint&)>& change) {
    const Scene after = with(scene, id, change);
    const Diagnostics whole = validate(after), edit = validate_change(scene, after);
    REQUIRE(edit.size() == whole.size());
    CHECK(edit[0].message == whole[0].message);
    return only(after);
  };
  CHECK(told(8, [](Joint& j) { j.b.object = 99; }) ==
        "joints[3] \"Rope\" b.object: What Rope holds at its second end is gone; it holds nothing.");
  CHECK(told(8, [](Joint& j) { j.b.object = 3; }) ==
        "joints[3] \"Rope\" b.object: Rope joins Ball to itself; it holds nothing.");
  CHECK(told(6, [](Joint& j) { j.b.object = 0; }) ==
        "joints[1] \"Axle\" b.object: Axle joins the world to the world; it holds nothing.");
  CHECK(told(6, [](Joint& j) { j.b.object = 1; }) ==
        "joints[1] \"Axle\" a.object: Nothing moves either end of Axle; it has nothing to hold.");
  CHECK(told(8, [](Joint& j) { j.b.place = Vec3(-3, 0, 0); }) ==
        "joints[3] \"Rope\" measured: The rope Rope begins and ends at one place, so that it has no length; it holds "
        "nothing.");
  CHECK(told(8, [](Joint& j) { j.measured = false, j.length = 0; }) ==
        "joints[3] \"Rope\" length: The rope Rope has no length; it holds nothing.");
  CHECK(told(5, [](Joint& j) { j.limited = true, j.least_turn = 1; }) ==
        "joints[0] \"Hinge\" least_turn: The least turn of Hinge is above the most; it is held where it is at the "
        "start.");
  CHECK(told(7, [](Joint& j) { j.second = 0; }) ==
        "joints[2] \"Gear\" second: The gear Gear has no second hinge; it turns nothing.");
  CHECK(told(7, [](Joint& j) { j.second = 8; }) ==
        "joints[2] \"Gear\" second: The gear Gear names Rope, which is no hinge; it turns nothing.");
  CHECK(told(7, [](Joint& j) { j.second = 5; }) ==
        "joints[2] \"Gear\" second: The gear Gear names the same hinge twice; it turns nothing.");
  CHECK(told(7, [](Joint& j) { j.first = 99; }) ==
        "joints[2] \"Gear\" first: The first hinge of Gear is gone; it turns nothing.");
  // An edit of an object is told of too.
  const Scene still = with_object(scene, Id{4}, [](Object& o) { o.body.kind = BodyKind::fixed; });
  CHECK(only(still) == "joints[1] \"Axle\" a.object: Nothing moves either end of Axle; it has nothing to hold.");
  CHECK(validate_change(scene, still).size() == 1);
  const Scene carried = with_object(still, Id{4}, [](Object& o) { o.parent = 3; });
  CHECK(validate(carried).size() == 2);
  CHECK(joint_faults(carried)[0].message == "Axle holds Wheel, which Ball carries; it holds nothing.");
  CHECK(joint_faults(carried)[0].carrier == Id{3});
  CHECK_FALSE(has_error(validate(carried)));
}

TEST_CASE("Joints are in collections like other things", "[scene][joints][collections]") {
  Scene scene = chained();
  Collection collection;
  collection.id = Id{30};
  collection.name = "Joints";
  collection.visible = false;
  collection.locked = true;
  scene.collections = {collection};
  scene = put_in(std::move(scene), {Id{5}}, Id{30});
  CHECK(things_in(scene, Id{30}) == std::set<Id>{Id{5}});
  const Standing standing(scene);
  CHECK_FALSE(standing.visible(*scene.joints[0]));
  CHECK(standing.locked(*scene.joints[0]));
  CHECK(standing.visible(*scene.joints[1]));
  CHECK(without(scene, Id{30}).joints[0]->collection == 0);
}

TEST_CASE("An end that is put on another object stays where it is in the world", "[scene][joints]") {
  const Scene scene = chained();
  const auto settled = [&](std::uint64_t id, const std::function<void(Joint&)>& change) {
    return with_settled_joints(scene, with(scene, id, change));
  };
  for (const std::uint64_t object : {0, 1, 4}) {
    const Scene after = settled(5, [&](Joint& j) { j.a.object = object; });
    const auto before = joint_places(scene, *scene.joints[0]), now = joint_places(after, *after.joints[0]);
    REQUIRE((before && now));
    CHECK((now->a - before->a).norm() < 1e-12);
    CHECK((now->axis() - before->axis()).norm() < 1e-12);
    CHECK(after.joints[0]->a.place != scene.joints[0]->a.place);
  }
  // Who says where it is now says it.
  const Scene said = settled(5, [](Joint& j) {
    j.a.object = 4;
    j.a.place = Vec3(0, 1, 0);
  });
  CHECK(said.joints[0]->a.place == Vec3(0, 1, 0));
  // A hinge that becomes a spring has a length.
  const Scene ball = with(scene, 8, [](Joint& j) {
    j.kind = JointKind::ball;
    j.b.place = Vec3(-3, 0, 0);
  });
  const Scene spring = with_settled_joints(ball, with(ball, 8, [](Joint& j) { j.kind = JointKind::spring; }));
  CHECK(validate(spring).empty());
  CHECK(spring.joints[3]->b.place == Vec3::Zero());
  // What is not touched is shared.
  CHECK(with_settled_joints(scene, scene).joints[0].same_as(scene.joints[0]));
}

namespace {

/// chained() with a lead (9) of the box along a curve (10), and one (11) of the wheel to a keyed place in the world.
Scene with_leads() {
  Scene scene = chained();
  Curve curve;
  curve.id = Id{10};
  curve.kind = CurveKind::line;
  curve.points.resize(2);
  curve.points[1].place = Vec3(4, 0, 0);
  curve.transform.position = Vec3(1, 2, 3);
  scene.curves = {curve};
  Joint along = make_joint(9, "Ride", JointKind::lead, 2, 0), free = make_joint(11, "Hand", JointKind::lead, 4, 0);
  along.curve = 10;
  along.along = 0.5;
  free.b.place = Vec3(5, 2, 3);
  scene.joints.push_back(Shared<Joint>(along));
  scene.joints.push_back(Shared<Joint>(free));
  scene = with_key(std::move(scene), 9, "along", 0, 0.0);
  scene = with_key(std::move(scene), 9, "along", 1, 1.0);
  scene = with_key(std::move(scene), 11, "b.place", 0, Vec3(5, 2, 3));
  return with_key(std::move(scene), 11, "b.place", 1, Vec3(6, 2, 3));
}

Vec3 key_of(const Scene& scene, Id joint) {
  const Track* track = find_track(scene, joint.value, "b.place");
  REQUIRE(track);
  const auto& v = track->keys.back().value;
  return Vec3(v[0], v[1], v[2]);
}

}  // namespace

TEST_CASE("A lead is where its place is and where it leads to, along a curve too", "[scene][joints][leads]") {
  const Scene scene = with_leads();
  CHECK(validate(scene).empty());
  const auto ride = joint_places(scene, *find_joint(scene, Id{9})),
             hand = joint_places(scene, *find_joint(scene, Id{11}));
  REQUIRE((ride && hand));
  CHECK((ride->a - Vec3(1, 2, 3)).norm() < 1e-12);
  CHECK((ride->b - Vec3(3, 2, 3)).norm() < 1e-9);
  CHECK(hand->b == Vec3(5, 2, 3));
  // It holds nothing at its curve's end, and hangs on nobody.
  CHECK(joints_of(with(scene, 9, [](Joint& j) { j.b.object = 3; }), Id{3}) == std::vector<Id>{Id{5}, Id{7}, Id{8}});
  CHECK(hanging_together(with(scene, 9, [](Joint& j) { j.b.object = 4; }), Id{2}) == std::set<Id>{Id{3}, Id{4}});
  // Put elsewhere, the one on the curve stays on it.
  const Joint put =
      with_places(*find_joint(scene, Id{9}), {Vec3(1, 3, 3), Vec3(9, 9, 9), Quat::Identity()}, placed_in(scene));
  CHECK(put.b.place == find_joint(scene, Id{9})->b.place);
  // A joint to the world that becomes a lead leads what it held, and begins where that is.
  const Scene lead = with_settled_joints(scene, with(scene, 6, [](Joint& j) { j.kind = JointKind::lead; }));
  const Joint& made = *find_joint(lead, Id{6});
  CHECK(made.a.object == 4);
  CHECK(made.b.object == 0);
  CHECK((made.b.place - place_in_world(made.a, find_object(lead, Id{4})->transform)).norm() < 1e-12);
}

TEST_CASE("What a lead cannot lead is told", "[scene][joints][leads][validate]") {
  const Scene scene = with_leads();
  CHECK(only(with(scene, 9, [](Joint& j) { j.curve = 77; })) ==
        "joints[4] \"Ride\" curve: The curve along which Ride leads is gone; it leads nothing.");
  CHECK(only(with(scene, 9, [](Joint& j) { j.a.object = 0; })) ==
        "joints[4] \"Ride\" a.object: Ride names no object that it leads.");
  CHECK(only(with(scene, 11, [](Joint& j) { j.b.object = 4; })) ==
        "joints[5] \"Hand\" b.object: Hand leads Wheel to a place on itself; it leads nothing.");
  // Where it begins apart it jumps, but for one that begins to lead later.
  const Scene apart = with_key(scene, 11, "b.place", 0, Vec3(5, 2.4, 3));
  CHECK(only(apart) ==
        "joints[5] \"Hand\" b.place: Wheel begins 0.4 m from where Hand leads it: it jumps in the first step.");
  CHECK((jumping_leads(apart).at(0).way - Vec3(0, 0.4, 0)).norm() < 1e-12);
  CHECK(only(with_key(scene, 9, "along", 0, 0.0005)).find("Box begins 2 mm from where Ride leads it") !=
        std::string::npos);
  CHECK(validate(with_key(apart, 11, "strictness", 0, 0.0)).empty());
  CHECK(validate(with_key(apart, 11, "on", 0, false)).empty());
  CHECK(has_error(validate(with(scene, 9, [](Joint& j) { j.along = 1.5; }))));
  CHECK(has_error(validate(with(scene, 9, [](Joint& j) { j.strictness = -0.1; }))));
}

TEST_CASE("With a curve go the leads along it, and copies have copies of both", "[scene][joints][leads][parts]") {
  const Scene scene = with_leads();
  CHECK(ids_of(without(scene, Id{10}).joints) == std::vector<std::uint64_t>{5, 6, 7, 8, 11});
  CHECK(without(scene, Id{10}).tracks.size() == 1);
  // Without its curve it does not come along.
  CHECK(joints_among(scene, {Id{2}}).empty());
  CHECK(joints_among(scene, {Id{2}, Id{10}}) == std::set<Id>{Id{9}});
  CHECK(joints_among(scene, {Id{4}}) == std::set<Id>{Id{6}, Id{11}});
  const JoinedScene twice = joined(scene, part_of(scene, {Id{2}, Id{10}}));
  CHECK(validate(twice.scene).empty());
  REQUIRE(twice.ids.count(Id{9}));
  const Joint& copy = *find_joint(twice.scene, twice.ids.at(Id{9}));
  CHECK(copy.curve == twice.ids.at(Id{10}).value);
  CHECK(copy.a.object == twice.ids.at(Id{2}).value);
  CHECK(find_track(twice.scene, copy.id.value, "along"));
  // In an array the keys of a place in the world go along.
  ArraySettings settings;
  settings.count = 2;
  settings.offset = Vec3(0, 0, 2);
  const Array made = arrayed(scene, {Id{4}}, settings);
  CHECK(validate(made.scene).empty());
  for (const auto& joint : made.scene.joints)
    if (joint->name == "Hand 2") CHECK((key_of(made.scene, joint->id) - Vec3(6, 2, 5)).norm() < 1e-12);
}

TEST_CASE("Keys of where a lead leads to stay in the world when it is on another object", "[scene][joints][leads]") {
  const Scene scene = with_leads();
  const Scene after = with_settled_joints(scene, with(scene, 11, [](Joint& j) { j.b.object = 2; }));
  const Joint& hand = *find_joint(after, Id{11});
  const Transform& box = find_object(after, Id{2})->transform;
  CHECK((box * hand.b.place - Vec3(5, 2, 3)).norm() < 1e-12);
  CHECK((box * key_of(after, Id{11}) - Vec3(6, 2, 3)).norm() < 1e-12);
}

TEST_CASE("What of a joint is keyed is seen, and changed, at a time", "[scene][joints][leads][keys]") {
  const Scene scene = with_key(with_leads(), 11, "b.place", 2, Vec3(8, 2, 3));
  const Scene shown = shown_at(scene, 2);
  CHECK(find_joint(shown, Id{11})->b.place == Vec3(8, 2, 3));
  CHECK(find_joint(shown, Id{9})->along == 1);
  const Scene edit = keyed(scene, shown, with(shown, 11, [](Joint& j) { j.b.place = Vec3(7, 2, 3); }), 2, false);
  CHECK(find_joint(edit, Id{11})->b.place == Vec3(5, 2, 3));
  CHECK(std::get<Vec3>(*value_at(edit, 11, "b.place", 2)) == Vec3(7, 2, 3));
  CHECK(find_joint(edit, Id{9})->along == 0.5);
  // Without keys it is a value, unless all gets some.
  const auto slower = [&](const Scene& at) { return with(at, 11, [](Joint& j) { j.strictness = 0.5; }); };
  CHECK_FALSE(find_track(keyed(scene, shown, slower(shown), 2, false), 11, "strictness"));
  CHECK(find_track(keyed(scene, shown, slower(shown), 2, true), 11, "strictness"));
  CHECK(key_problem(scene, 11, "strictness").empty());
  CHECK(key_problem(scene, 9, "b.place") == "The lead goes along a curve, which says where; key Along.");
  CHECK(key_problem(scene, 8, "b.place").empty());  // a rope's second end
  const Scene ball = with(scene, 8, [](Joint& j) { j.kind = JointKind::ball; });
  CHECK(key_problem(ball, 8, "b.place") == find_joint(ball, Id{8})->name + " has one place alone; key First place.");
  CHECK_FALSE(key_problem(scene, 5, "strictness").empty());
  CHECK_FALSE(key_problem(scene, 5, "least_turn").empty());
}

TEST_CASE("Every kind of joint has a word and a picture", "[scene][joints]") {
  std::set<std::string> icons;
  for (int kind = 0; kind <= static_cast<int>(JointKind::pull); ++kind) {
    const Joint joint = make_joint(1, "Joint", static_cast<JointKind>(kind), 0, 0);
    const std::string icon(lists::joint_icon(joint));
    INFO(lists::joint_label(joint));
    CHECK(icons.insert(icon).second);
    CHECK(std::filesystem::exists(HAZUMI_SOURCE_DIR "/assets/icons/" + icon + ".svg"));
  }
}

}  // namespace hazumi::joints_test
