// Metaballs that go with bones by their ids.
#include <catch2/catch.hpp>

#include "core/geometry/mapping/bones.h"
#include "core/scene/validate.h"

namespace metaball_bones_test {

using namespace hazumi;

namespace {

/// A skin of two metaballs and two bones, the second with the second.
Scene skinned() {
  Object o;
  o.id = Id{1};
  o.name = "Worm";
  o.body.kind = BodyKind::fixed;
  o.display.kind = DisplayKind::metaballs;
  o.display.metaballs.moving = true;
  o.mapping.kind = MappingKind::skeleton;
  for (std::uint32_t i = 1; i <= 2; ++i) {
    Bone bone;
    bone.id = i;
    bone.name = "Bone " + std::to_string(i);
    bone.head = Vec3(0, i, 0);
    bone.tail = Vec3(0, i + 1.0, 0);
    bone.carrier = 2;
    o.mapping.bones.push_back(bone);
    MetaballPrimitive ball;
    ball.id = i;
    ball.name = "Ball " + std::to_string(i);
    ball.centre = Vec3(0, i + 0.5, 0);
    ball.bone = i == 2 ? 2 : 0;
    o.display.metaballs.primitives.push_back(ball);
  }
  Object carrier;
  carrier.id = Id{2};
  carrier.name = "Carrier";
  Scene scene;
  scene.objects = {Shared<Object>(o), Shared<Object>(carrier)};
  return scene;
}

/// What is said of metaballs.
Diagnostics told(const Scene& scene) {
  Diagnostics found;
  for (const Diagnostic& d : validate(scene))
    if (d.path.find("primitives") != std::string::npos) found.push_back(d);
  return found;
}

}  // namespace

TEST_CASE("A metaball whose bone is not there goes with the nearest one, and that is told", "[lists][validate]") {
  const Scene good = skinned();
  REQUIRE(is_skin(*find_object(good, Id{1})));
  CHECK(told(good).empty());
  const Scene lost = with_object(good, Id{1}, [](Object& o) { o.display.metaballs.primitives[1].bone = 7; });
  REQUIRE(told(lost).size() == 1);
  CHECK(told(lost)[0].severity == Severity::warning);
  CHECK(told(lost)[0].path == "objects[0] \"Worm\" display.metaballs.primitives[1] \"Ball 2\" bone");
  CHECK(told(lost)[0].message == "The object has no bone with the id 7, so the metaball goes with the nearest one.");
  // Who deletes the bone takes it from the metaballs, so that none goes with a later bone of that id.
  const Scene left = with_object(good, Id{1}, [](Object& o) {
    remove_bone(o.mapping, 2);
    leave_bone(o.display.metaballs, 2);
  });
  CHECK(find_object(left, Id{1})->display.metaballs.primitives[1].bone == 0);
  CHECK(told(left).empty());
}

}  // namespace metaball_bones_test
