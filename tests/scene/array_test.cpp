// Arrays: where the copies stand, and what goes with them.
#include "core/scene/derived/array.h"

#include <catch2/catch.hpp>
#include <numbers>
#include <set>

#include "core/scene/validate.h"
#include "tests/support/world.h"

namespace array_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Scene pair_and_lamp(Id& a, Id& b, Id& lamp) {
  World world;
  world.floor();
  Object first = World::sphere(0.5, Vec3(2, 1, 0));
  first.display.kind = DisplayKind::mesh;
  first.display.mesh.file = "ball.obj";
  first.display.mesh.source = "/elsewhere/ball.obj";
  first.body.velocity = Vec3(0, 0, 1);
  first.body.spin = Vec3(3, 0, 0);
  a = world.add(first);
  b = world.add(World::box(Vec3(1, 1, 1), Vec3(3, 1, 0)));
  lamp = next_id(world.scene);
  world.scene.lights.push_back(Shared<Light>(make_light(lamp.value, "Lamp", LightKind::directional, Vec3(2, 3, 0))));
  ContactPair pair;
  pair.id = next_id(world.scene);
  pair.name = "Pair";
  pair.a = a.value;
  pair.b = b.value;
  world.scene.pairs.push_back(Shared<ContactPair>(pair));
  return world.scene;
}

bool close(const Vec3& x, const Vec3& y) { return (x - y).norm() < 1e-12; }

}  // namespace

TEST_CASE("A row: each copy one offset on, with its pair, its mesh under the same name", "[scene][array]") {
  Id a, b, lamp;
  const Scene scene = pair_and_lamp(a, b, lamp);
  ArraySettings settings;
  settings.count = 4;
  settings.offset = Vec3(0, 0.5, 2);
  const Array made = arrayed(scene, {a, b, lamp}, settings);
  REQUIRE_FALSE(has_error(validate(made.scene)));
  CHECK(made.copies.size() == 9);
  CHECK(made.scene.objects.size() == 3 + 6);
  CHECK(made.scene.lights.size() == 4);
  REQUIRE(made.scene.pairs.size() == 4);
  std::set<std::uint64_t> partners;
  for (const auto& pair : made.scene.pairs) CHECK(partners.insert(pair->a).second);
  for (int k = 1; k < 4; ++k) {
    const Object& copy = *find_object(made.scene, made.copies[static_cast<std::size_t>(3 * (k - 1))]);
    CHECK(close(copy.transform.position, Vec3(2, 1, 0) + k * settings.offset));
    CHECK(copy.body.velocity == Vec3(0, 0, 1));
    CHECK(copy.display.mesh.file == "ball.obj");
    CHECK(copy.name == "ball " + std::to_string(k + 1));
    const Light& light = *find_light(made.scene, made.copies[static_cast<std::size_t>(3 * (k - 1) + 2)]);
    CHECK(close(light.position - light.target, Vec3(2, 3, 0)));
  }
  // What was there is as it was.
  for (std::size_t i = 0; i < scene.objects.size(); ++i) CHECK(made.scene.objects[i].same_as(scene.objects[i]));
  settings.count = 1;
  CHECK(arrayed(scene, {a}, settings).copies.empty());
}

TEST_CASE("A circle: whole it closes without a copy on the first, an arc ends with the last", "[scene][array]") {
  Id a, b, lamp;
  const Scene scene = pair_and_lamp(a, b, lamp);
  ArraySettings settings;
  settings.kind = ArrayKind::circle;
  settings.count = 4;
  Array made = arrayed(scene, {a}, settings);
  const auto place = [&](std::size_t k) { return find_object(made.scene, made.copies[k])->transform.position; };
  CHECK(close(place(0), Vec3(0, 1, -2)));
  CHECK(close(place(1), Vec3(-2, 1, 0)));
  CHECK(close(place(2), Vec3(0, 1, 2)));
  CHECK(close(find_object(made.scene, made.copies[0])->body.velocity, Vec3(1, 0, 0)));
  CHECK(close(find_object(made.scene, made.copies[0])->body.spin, Vec3(0, 0, -3)));
  settings.angle = std::numbers::pi;
  made = arrayed(scene, {a}, settings);
  CHECK(close(place(2), Vec3(-2, 1, 0)));
  settings.turned = false;
  settings.axis = 2;
  settings.centre = Vec3(2, 0, 0);
  settings.angle = 3 * std::numbers::pi / 2;
  made = arrayed(scene, {a}, settings);
  CHECK(close(place(0), Vec3(1, 0, 0)));
  CHECK(close(place(2), Vec3(3, 0, 0)));
  CHECK(find_object(made.scene, made.copies[0])->transform.rotation.isApprox(Quat::Identity()));
  CHECK(find_object(made.scene, made.copies[0])->body.velocity == Vec3(0, 0, 1));
}

}  // namespace array_test
