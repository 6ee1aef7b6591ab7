// What collections and a view that shows only some objects mean for what is drawn, picked, framed and exported.
#include <catch2/catch.hpp>

#include "core/export/text_sink.h"
#include "render/picking.h"
#include "tests/support/world.h"

namespace collections_view_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// A crate in a box of the collection, another beside it in none; the lamp is in the collection.
Scene crates() {
  Scene scene;
  Collection store;
  store.id = Id{20};
  store.name = "Store";
  scene.collections = {store};
  Object crate = make_object(1, "Crate", {}, Vec3(-1, 0, 0), BodyKind::fixed);
  crate.collection = 20;
  Object lid = make_object(2, "Lid", {}, Vec3(-1, 1.5, 0), BodyKind::fixed);
  lid.parent = 1;
  scene.objects = {crate, lid, make_object(3, "Other", {}, Vec3(1, 0, 0))};
  Light lamp = make_light(10, "Lamp", LightKind::point, Vec3(0, 3, 0));
  lamp.collection = 20;
  scene.lights = {lamp, make_light(11, "Sun")};
  return scene;
}

Scene changed(Scene scene, const std::function<void(Collection&)>& change) {
  scene.collections[0] = scene.collections[0].edited(change);
  return scene;
}

struct Look {
  MeshStore meshes;
  ViewCamera camera;
  RenderList list;
  const Scene scene;
  explicit Look(const Scene& of, std::set<Id> aside = {}) : scene(of) {
    camera.target = glm::vec3(0, 0.5f, 0);
    camera.distance = 12;
    ViewOptions options;
    options.aside = std::move(aside);
    list = extract(scene, nullptr, camera, 1, options, {}, meshes);
  }
  std::set<Id> drawn() const {
    std::set<Id> ids;
    for (const DrawMesh& mesh : list.meshes) ids.insert(mesh.id);
    return ids;
  }
  Id under(const Vec3& place) const {
    const glm::vec3 p = camera.project(glm::vec3(place.x(), place.y(), place.z()), {800, 800});
    const auto hit = pick(list, scene, camera, {p.x, p.y}, {800, 800});
    return hit ? hit->id : Id{};
  }
  std::vector<Id> in_box() const { return pick_box(list, scene, camera, {0, 0}, {800, 800}, {800, 800}); }
};

using Ids = std::set<Id>;

}  // namespace

TEST_CASE("A hidden collection is neither drawn, picked nor exported; its lamp is off", "[collections]") {
  const Look open(crates()), hidden(changed(crates(), [](Collection&c) { c.visible = false; }));
  CHECK(open.drawn() == Ids{Id{1}, Id{2}, Id{3}});
  CHECK(hidden.drawn() == Ids{Id{3}});
  CHECK(open.list.lights.size() == 2);
  CHECK(hidden.list.lights.size() == 1);
  CHECK(open.under(Vec3(-1, 0, 0)) == Id{1});
  CHECK(hidden.under(Vec3(-1, 0, 0)) == Id{});
  const auto names = [](const Look& look) {
    std::vector<std::string> all;
    for (const auto& [object, moved] : wanted_objects(look.scene, Frame{}, std::nullopt)) all.push_back(object->name);
    return all;
  };
  CHECK(names(open) == std::vector<std::string>{"Crate", "Lid", "Other"});
  CHECK(names(hidden) == std::vector<std::string>{"Other"});
  MeshStore meshes;
  CHECK(shown_bounds(open.scene, nullptr, meshes).low.x() == Approx(-1.5));
  CHECK(shown_bounds(hidden.scene, nullptr, meshes).low.x() == Approx(0.5));
}

TEST_CASE("A locked collection is drawn and not picked, its lamp neither", "[collections]") {
  const Look locked(changed(crates(), [](Collection& c) { c.locked = true; }));
  CHECK(locked.drawn() == Ids{Id{1}, Id{2}, Id{3}});
  CHECK(locked.list.lights.size() == 2);
  CHECK(locked.under(Vec3(-1, 0, 0)) == Id{});
  CHECK(locked.under(Vec3(-1, 1.5, 0)) == Id{});  // goes with what is in it
  CHECK(locked.under(Vec3(1, 0, 0)) == Id{3});
  CHECK(locked.under(Vec3(0, 3, 0)) == Id{});
  CHECK(Look(crates()).under(Vec3(0, 3, 0)) == Id{10});
  CHECK(locked.in_box() == std::vector<Id>{Id{3}});
  CHECK(Look(crates()).in_box() == std::vector<Id>{Id{1}, Id{2}, Id{3}, Id{10}});
}

TEST_CASE("What a view puts aside is not drawn, picked or framed there", "[collections]") {
  const Look look(crates(), {Id{1}, Id{2}});
  CHECK(look.drawn() == Ids{Id{3}});
  CHECK(look.under(Vec3(-1, 0, 0)) == Id{});
  MeshStore meshes;
  CHECK(shown_bounds(look.scene, nullptr, meshes, {Id{1}, Id{2}}).low.x() == Approx(0.5));
  CHECK(look.list.lights.size() == 2);
}

}  // namespace collections_view_test
