// Collections: what is seen and may be taken hold of follows from all that a thing is in.
#include "core/scene/derived/collections.h"

#include <catch2/catch.hpp>
#include <random>

#include "core/scene/diff.h"
#include "core/scene/validate.h"
#include "tests/support/world.h"

namespace collections_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Collection collection(std::uint64_t id, const std::string& name, std::uint64_t in = 0) {
  Collection c;
  c.id = Id{id};
  c.name = name;
  c.collection = in;
  return c;
}

Object in(std::uint64_t collection, std::uint64_t id, std::uint64_t parent = 0) {
  Object o = make_object(id, "Object " + std::to_string(id), {}, Vec3::Zero(), BodyKind::fixed);
  o.collection = collection;
  o.parent = parent;
  return o;
}

/// Kitchen with a shelf in it; a cup on the shelf, a handle that goes with the cup, a pan in the kitchen, a hat in none.
Scene house() {
  Scene scene;
  scene.collections = {collection(20, "Kitchen"), collection(21, "Shelf", 20)};
  scene.objects = {in(21, 1), in(0, 2, 1), in(20, 3), in(0, 4)};
  scene.lights = {make_light(10, "Lamp"), make_light(11, "Sun")};
  scene.lights[0] = scene.lights[0].edited([](Light& l) { l.collection = 21; });
  return scene;
}

Scene changed(Scene scene, std::size_t at, const std::function<void(Collection&)>& change) {
  scene.collections[at] = scene.collections[at].edited(change);
  return scene;
}

std::set<Id> seen(const Scene& scene, const std::set<Id>& aside = {}) {
  const Standing standing(scene, &aside);
  std::set<Id> ids;
  for (const auto& object : scene.objects)
    if (standing.visible(*object)) ids.insert(object->id);
  for (const auto& light : scene.lights)
    if (standing.visible(*light)) ids.insert(light->id);
  return ids;
}

std::set<Id> open(const Scene& scene) {
  const Standing standing(scene);
  std::set<Id> ids;
  for (const auto& object : scene.objects)
    if (!standing.locked(*object)) ids.insert(object->id);
  for (const auto& light : scene.lights)
    if (!standing.locked(*light)) ids.insert(light->id);
  return ids;
}

std::string said(const Scene& scene) {
  for (const Diagnostic& d : validate(scene))
    if (d.severity == Severity::error) return to_string(d);
  return {};
}

using Ids = std::set<Id>;

}  // namespace

TEST_CASE("Eye and lock of a collection hold for all in it, at any depth, families included", "[scene][collections]") {
  const Scene scene = house();
  REQUIRE(said(scene).empty());
  CHECK(seen(scene) == Ids{Id{1}, Id{2}, Id{3}, Id{4}, Id{10}, Id{11}});
  const auto hide = [](Collection& c) { c.visible = false; };
  const auto lock = [](Collection& c) { c.locked = true; };
  CHECK(seen(changed(scene, 1, hide)) == Ids{Id{3}, Id{4}, Id{11}});
  CHECK(seen(changed(scene, 0, hide)) == Ids{Id{4}, Id{11}});
  CHECK(open(changed(scene, 1, lock)) == Ids{Id{3}, Id{4}, Id{11}});
  CHECK(open(changed(scene, 0, lock)) == Ids{Id{4}, Id{11}});
  CHECK(open(changed(scene, 0, hide)).size() == 6);
  // Its own switch counts as well.
  const Scene pan = with_object(scene, Id{3}, [](Object& o) { o.visible = false; });
  CHECK(seen(pan).count(Id{3}) == 0);
  // Put aside by a view.
  CHECK(seen(scene, {Id{1}}) == Ids{Id{2}, Id{3}, Id{4}, Id{10}, Id{11}});
}

TEST_CASE("No frame is dropped for what collections do", "[scene][collections][diff]") {
  const Scene scene = house();
  const auto keeps = [&](const Scene& after) {
    const ChangeSet change = diff(scene, after, [](const Cause&) { return 0; });
    return !change.simulation && change.first_frame == kNoFrame && !change.empty() &&
           simulation_signature(scene) == simulation_signature(after);
  };
  CHECK(keeps(changed(scene, 0, [](Collection& c) { c.visible = false; })));
  CHECK(keeps(changed(scene, 0, [](Collection& c) { c.locked = true; })));
  CHECK(keeps(put_in(scene, {Id{4}}, Id{20})));
  CHECK(keeps(without(scene, Id{20})));
  Scene more = scene;
  more.collections.push_back(collection(30, "Attic"));
  CHECK(keeps(more));
  CHECK(diff(scene, put_in(scene, {Id{4}}, Id{20}), [](const Cause&) { return 0; }).structure);
}

TEST_CASE("Things are put into collections and out of them", "[scene][collections]") {
  const Scene scene = house();
  CHECK(things_in(scene, Id{21}) == Ids{Id{1}, Id{2}, Id{10}});
  CHECK(things_in(scene, Id{20}) == Ids{Id{1}, Id{2}, Id{3}, Id{10}});
  CHECK(with_contents(scene, {Id{21}, Id{4}}) == Ids{Id{1}, Id{2}, Id{4}, Id{10}, Id{21}});
  Scene after = put_in(scene, {Id{4}, Id{2}, Id{11}}, Id{21});
  CHECK(things_in(after, Id{21}) == Ids{Id{1}, Id{2}, Id{4}, Id{10}, Id{11}});
  CHECK(find_object(after, Id{2})->collection == 0);  // goes with the cup
  // Not into itself.
  after = put_in(scene, {Id{20}}, Id{21});
  CHECK(after.collections[0]->collection == 0);
  after = put_in(scene, {Id{21}}, {});
  CHECK(after.collections[1]->collection == 0);
  CHECK(said(after).empty());
  // Without a collection its things come to where it was.
  after = without(scene, Id{21});
  CHECK(said(after).empty());
  CHECK(find_object(after, Id{1})->collection == 20);
  CHECK(find_light(after, Id{10})->collection == 20);
}

TEST_CASE("Collections that cannot be are named with place and remedy", "[scene][collections][validate]") {
  const Scene scene = house();
  CHECK(said(changed(scene, 0, [](Collection& c) { c.collection = 21; })) ==
        "error: collections[0] \"Kitchen\" collection: A collection must not be in itself. Put one of those that lie "
        "in each "
        "other elsewhere.");
  CHECK(said(with_object(scene, Id{4}, [](Object& o) { o.collection = 99; })) ==
        "error: objects[3] \"Object 4\" collection: The scene has no collection with the id 99. Give the id of one of "
        "its "
        "collections, or 0.");
  CHECK(has_error(validate_change(scene, changed(scene, 0, [](Collection& c) { c.collection = 20; }))));
  CHECK(has_error(validate_change(scene, with_light(scene, Id{10}, [](Light& l) { l.collection = 3; }))));
  Scene twice = scene;
  twice.collections.push_back(collection(3, "Pan"));
  CHECK(said(twice).find("is already that of") != std::string::npos);
}

}  // namespace collections_test
