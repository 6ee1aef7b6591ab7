// What an edit touches and from which frame on a run is out of date.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "core/scene/derived/contact_rules.h"
#include "core/scene/diff.h"
#include "tests/scene/random_scene.h"

namespace hazumi::diff_test {

namespace {

constexpr Id kFloor{1}, kBall{2}, kBox{3}, kDot{4}, kSun{5};
constexpr int kContact = 37;  // frame

int contact_at_37(const Cause&) { return kContact; }

ChangeSet diff_of(const Scene& before, const Scene& after) { return diff(before, after, contact_at_37); }

/// Who ignores whom, by the names themselves.
std::set<std::pair<Id, Id>> ignoring(const Scene& scene) {
  const auto ignores = [](const Object& a, const Object& b) {
    const auto in = group_names(b.contact.groups);
    for (const std::string_view name : group_names(a.contact.ignores))
      if (std::find(in.begin(), in.end(), name) != in.end()) return true;
    return false;
  };
  std::set<std::pair<Id, Id>> pairs;
  for (const auto& a : scene.objects)
    for (const auto& b : scene.objects)
      if (a->id < b->id && collides(*a) && collides(*b) && (ignores(*a, *b) || ignores(*b, *a)))
        pairs.emplace(a->id, b->id);
  return pairs;
}

ChangeSet after_change(Id id, const std::function<void(Object&)>& change) {
  const Scene scene = test::plain_scene();
  return diff_of(scene, with_object(scene, id, change));
}

}  // namespace

TEST_CASE("A scene does not differ from itself or from an equal copy", "[diff]") {
  const Scene scene = test::plain_scene();
  CHECK(diff_of(scene, scene).empty());
  // New memory, same values.
  const Scene copy = with_object(scene, kBall, [](Object&) {});
  REQUIRE_FALSE(copy.objects[1].same_as(scene.objects[1]));
  const ChangeSet change = diff_of(scene, copy);
  CHECK(change.empty());
  CHECK(change.first_frame == kNoFrame);
  CHECK_FALSE(change.simulation);
  CHECK_FALSE(change.look);
}

/// From when on a run differs when a row changes, by what the table says of the object before and after.
int first_frame_by_table(const Field<Object>& field, const Object& before, const Object& after) {
  if (field.content != nullptr && field.content(before) == field.content(after)) return kNoFrame;
  const Effect was = effect_now(field, before), is = effect_now(field, after);
  if (was == Effect::motion || is == Effect::motion || is == Effect::touch) return 0;
  // What no longer touches: from the first contact on. Of what is fixed besides the shape is not read any more.
  if (was == Effect::touch) return before.body.kind == BodyKind::fixed ? 0 : kContact;
  return was == Effect::contact || is == Effect::contact ? kContact : kNoFrame;
}

TEST_CASE("Every row's effect is what diff makes of it", "[diff]") {
  std::map<int, int> tally;
  for (const std::uint64_t seed : {7, 8, 9, 10}) {
    test::Dice dice(seed);
    const Scene plain = test::plain_scene();
    for (const Field<Object>& field : object_fields())
      for (const auto& start : plain.objects) {
        const FieldValue value = test::other_value(dice, field, *start);
        const Scene after = with_object(plain, start->id, [&](Object& o) { field.set(o, value); });
        const ChangeSet change = diff_of(plain, after);
        INFO("seed " << seed << ", " << field.path << " of " << start->name);
        CHECK(change.objects == std::vector<Id>{start->id});
        // The model is rebuilt exactly when the signature says that the run is another one.
        CHECK(change.simulation == (simulation_signature(plain) != simulation_signature(after)));
        CHECK(change.look == !change.simulation);
        CHECK(change.simulation == (change.first_frame != kNoFrame));
        CHECK(change.first_frame == first_frame_by_table(field, *start, *find_object(after, start->id)));
        CHECK(effect_now(field, *start) <= field.effect);
        if (field.effect == Effect::look) CHECK_FALSE(change.simulation);
        ++tally[change.first_frame];
      }
  }
  CHECK(tally[0] > 200);
  CHECK(tally[kContact] > 50);
  CHECK(tally[kNoFrame] > 400);
}

TEST_CASE("Members that the present kind does not read drop no frame", "[diff]") {
  const auto keeps = [](Id id, const std::function<void(Object&)>& change) {
    const ChangeSet set = after_change(id, change);
    return !set.simulation && set.first_frame == kNoFrame && set.objects == std::vector<Id>{id};
  };
  CHECK(keeps(kBox, [](Object& o) { o.body.stiffness = 5; }));
  CHECK(keeps(kBox, [](Object& o) { o.body.damping = 5; }));
  CHECK(keeps(kBox, [](Object& o) { o.body.solver = "other"; }));
  CHECK(keeps(kBox, [](Object& o) { o.analysis.divisions = {3, 3, 3}; }));  // there is no analysis model
  CHECK(keeps(kBox, [](Object& o) { o.material.substance.density = 5; }));  // the mass is given
  CHECK(keeps(kBox, [](Object& o) { o.display.mesh.file = "x.obj"; }));     // it is a primitive
  CHECK(keeps(kFloor, [](Object& o) { o.body.mass = 5; }));
  CHECK(keeps(kFloor, [](Object& o) { o.body.velocity = Vec3(1, 0, 0); }));
  CHECK(keeps(kFloor, [](Object& o) { o.display.primitive.divisions = {2, 2, 2}; }));
  CHECK(keeps(kDot, [](Object& o) { o.body.spin = Vec3(1, 0, 0); }));
  CHECK(keeps(kBall, [](Object& o) { o.body.birth = 1; }));
  CHECK(keeps(kBall, [](Object& o) { o.visible = false; }));
  CHECK(keeps(kBall, [](Object& o) { o.material.surface.diffuse = Vec3(1, 0, 0); }));
}

TEST_CASE("Members that the present kind reads drop frames", "[diff]") {
  const auto first = [](Id id, const std::function<void(Object&)>& change) {
    return after_change(id, change).first_frame;
  };
  CHECK(first(kBall, [](Object& o) { o.body.stiffness = 5; }) == 0);
  CHECK(first(kBall, [](Object& o) { o.body.damping = 5; }) == 0);
  CHECK(first(kBall, [](Object& o) { o.display.primitive.divisions = {9, 9, 9}; }) == 0);
  CHECK(first(kBox, [](Object& o) { o.body.mass = 5; }) == 0);
  CHECK(first(kBox, [](Object& o) { o.display.primitive.divisions = {9, 9, 9}; }) == 0);
  CHECK(first(kBox, [](Object& o) { o.body.kind = BodyKind::fixed; }) == 0);
  CHECK(first(kDot, [](Object& o) { o.body.birth = 1; }) == 0);
  CHECK(first(kFloor, [](Object& o) { o.transform.position.y() = 1; }) == 0);
  CHECK(first(kBox, [](Object& o) { o.body.mass_source = MassSource::material; }) == 0);
  CHECK(first(kBall, [](Object& o) { o.body.cross_section = 2e-4; }) == kContact);
  CHECK(first(kBall, [](Object& o) { o.material.substance.friction = 0.1; }) == kContact);
}

TEST_CASE("Young's modulus acts from the start when the stiffness comes from it", "[diff]") {
  const Scene scene =
      with_object(test::plain_scene(), kBall, [](Object& o) { o.body.stiffness_source = StiffnessSource::material; });
  const auto softer = [](Object& o) { o.material.substance.young = 1e5; };
  CHECK(diff_of(scene, with_object(scene, kBall, softer)).first_frame == 0);
  CHECK(after_change(kBall, softer).first_frame == kContact);
}

TEST_CASE("Contact turned off acts from the first contact, turned on from the start", "[diff]") {
  const Scene on = test::plain_scene();
  const Scene off = with_object(on, kBox, [](Object& o) { o.contact.enabled = false; });
  CHECK(diff_of(on, off).first_frame == kContact);
  CHECK(diff_of(off, on).first_frame == 0);
  const Scene sphere = with_object(on, kBox, [](Object& o) { o.contact.shape = ContactShape::sphere; });
  CHECK(diff_of(on, sphere).first_frame == 0);
  // While contact is off, its properties are not read.
  const Scene slippery = with_object(off, kBox, [](Object& o) { o.material.substance.friction = 0; });
  CHECK(diff_of(off, slippery).look);
}

TEST_CASE("An object that has not touched anything keeps the frames, but the model is made anew", "[diff]") {
  const Scene scene = test::plain_scene();
  const Scene after = with_object(scene, kBox, [](Object& o) { o.material.substance.restitution = 0.1; });
  const ChangeSet change = diff(scene, after, [](const Cause&) { return kNoFrame; });
  CHECK(change.first_frame == kNoFrame);
  CHECK(change.simulation);
  CHECK_FALSE(change.look);
  CHECK(diff(scene, after, {}).first_frame == 0);  // nobody knows
}

TEST_CASE("Objects and lights that come and go", "[diff]") {
  const Scene scene = test::plain_scene();
  ChangeSet change = diff_of(scene, without(scene, kBox));
  CHECK(change.structure);
  CHECK(change.objects == std::vector<Id>{kBox});
  CHECK(change.first_frame == 0);
  change = diff_of(without(scene, kBox), scene);
  CHECK(change.objects == std::vector<Id>{kBox});
  CHECK(change.first_frame == 0);

  change = diff_of(scene, without(scene, kSun));
  CHECK(change.structure);
  CHECK(change.objects == std::vector<Id>{kSun});
  CHECK(change.first_frame == kNoFrame);
  CHECK(change.look);

  Scene reordered = scene;
  std::reverse(reordered.objects.begin(), reordered.objects.end());
  change = diff_of(scene, reordered);
  CHECK(change.structure);
  CHECK(change.objects.empty());
  CHECK(change.first_frame == kNoFrame);
  CHECK(simulation_signature(scene) == simulation_signature(reordered));

  // Removed, reordered and changed at once.
  Scene all = with_object(without(reordered, kDot), kBall, [](Object& o) { o.name = "Bill"; });
  change = diff_of(scene, all);
  CHECK(change.objects == std::vector<Id>{kBall, kDot});
  CHECK(change.first_frame == 0);
}

TEST_CASE("Settings and cameras", "[diff]") {
  const Scene scene = test::with_new_camera(test::plain_scene());
  test::Dice dice(3);
  INFO("seed 3");
  for (const auto& field : settings_fields()) {
    INFO(field.path);
    Scene after = scene;
    field.set(after.settings, test::other_value(dice, field, after.settings));
    const ChangeSet change = diff_of(scene, after);
    CHECK(change.settings);
    CHECK(change.first_frame == (field.effect == Effect::look ? kNoFrame : 0));
    CHECK(change.simulation == (field.effect == Effect::motion));
    CHECK(change.simulation == (simulation_signature(scene) != simulation_signature(after)));
  }
  for (const auto& field : camera_fields()) {
    INFO(field.path);
    const Id id = scene.cameras.at(0)->id;
    const FieldValue value = test::other_value(dice, field, *scene.cameras[0]);
    const Scene after = with_camera(scene, id, [&](Camera& c) { field.set(c, value); });
    const ChangeSet change = diff_of(scene, after);
    CHECK((change.objects == std::vector<Id>{id} && change.look && !change.settings));
    CHECK(simulation_signature(scene) == simulation_signature(after));
  }
  for (const auto& field : light_fields()) {
    const FieldValue value = test::other_value(dice, field, *scene.lights[0]);
    const ChangeSet change = diff_of(scene, with_light(scene, kSun, [&](Light& l) { field.set(l, value); }));
    CHECK((change.look && change.objects == std::vector<Id>{kSun}));
  }
}

TEST_CASE("Renaming is a change of structure and of nothing else", "[diff]") {
  const ChangeSet change = after_change(kBall, [](Object& o) { o.name = "Bill"; });
  CHECK(change.structure);
  CHECK(change.look);
  CHECK(change.first_frame == kNoFrame);
}

TEST_CASE("Another mesh under the same file name is another run", "[diff]") {
  const auto mesh_of = [](double size) {
    Primitive p;
    p.size = Vec3(size, 1, 1);
    return std::make_shared<const DisplayMesh>(make_primitive(p));
  };
  const auto with_mesh = [](std::shared_ptr<const DisplayMesh> mesh) {
    return with_object(test::plain_scene(), kBox, [&](Object& o) {
      o.display.kind = DisplayKind::mesh;
      o.display.mesh.file = "box.obj";
      o.display.mesh.mesh = mesh;
    });
  };
  const Scene none = with_mesh(nullptr), one = with_mesh(mesh_of(1)), same = with_mesh(mesh_of(1)),
              two = with_mesh(mesh_of(2));
  CHECK(diff_of(one, same).first_frame == kNoFrame);
  CHECK(diff_of(one, two).first_frame == 0);
  CHECK(diff_of(none, one).first_frame == 0);
  // A hash that was stored with the mesh is the hash that is computed.
  const Scene stored =
      with_object(one, kBox, [](Object& o) { o.display.mesh.content = mesh_hash(*o.display.mesh.mesh); });
  CHECK(simulation_signature(stored) == simulation_signature(one));
}

TEST_CASE("Random edits: no change of signature without a first frame or a contact, and the other way round",
          "[diff]") {
  test::Dice dice(11);
  INFO("seed 11");
  const Scene scene = test::random_scene(5, 12);
  int dropped = 0, kept = 0;
  for (int i = 0; i < 500; ++i) {
    const auto& object = scene.objects[static_cast<std::size_t>(dice.below(12))];
    const auto& field = object_fields()[static_cast<std::size_t>(dice.below(std::ssize(object_fields())))];
    const FieldValue value = test::random_value(dice, field);
    const Scene after = with_object(scene, object->id, [&](Object& o) { field.set(o, value); });
    const ChangeSet there = diff_of(scene, after), back = diff_of(after, scene);
    INFO(field.path);
    CHECK(there.objects == back.objects);
    CHECK(there.simulation == back.simulation);
    const bool other_run = simulation_signature(scene) != simulation_signature(after);
    CHECK(there.simulation == other_run);
    // Other groups may be the same to every pair: another model of the same frames.
    const bool groups = field.path == "contact.groups" || field.path == "contact.ignores";
    const bool same_frames = groups && ignoring(scene) == ignoring(after);
    CHECK((there.first_frame == kNoFrame) == (!other_run || same_frames));
    ++(other_run ? dropped : kept);
  }
  CHECK(dropped > 50);
  CHECK(kept > 50);
}

}  // namespace hazumi::diff_test
