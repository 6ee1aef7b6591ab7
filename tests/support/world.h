// World builder for tests: objects and small scenes in a few words. tests/support/run.h runs them.
#pragma once

#include <string>
#include <utility>

#include "core/scene/values/scene.h"

namespace hazumi::test {

/// An object of this shape and kind; a flexible one has an icosahedron of 1 m for its truss. All else is a new object's.
inline Object make_object(std::uint64_t id, const std::string& name, const Primitive& primitive,
                          const Vec3& position = Vec3::Zero(), BodyKind kind = BodyKind::rigid) {
  Object o;
  o.id = Id{id};
  o.name = name;
  o.display.primitive = primitive;
  o.transform.position = position;
  o.body.kind = kind;
  if (kind == BodyKind::flexible) o.analysis.kind = AnalysisKind::icosahedron;
  return o;
}

inline Light make_light(std::uint64_t id, const std::string& name, LightKind kind = LightKind::directional,
                        const Vec3& position = Light().position) {
  Light light;
  light.id = Id{id};
  light.name = name;
  light.kind = kind;
  light.position = position;
  return light;
}

struct World {
  Scene scene;

  World() { scene.name = "test"; }

  /// Adds an object under the next id, which it returns.
  Id add(Object object) {
    object.id = next_id(scene);
    if (object.name.empty()) object.name = "object " + std::to_string(object.id.value);
    scene.objects.push_back(Shared<Object>(std::move(object)));
    return scene.objects.back()->id;
  }

  Id floor(double friction = 0.5, double restitution = 0.6, double young = 1e9) {
    Object o =
        make_object(0, "floor", {PrimitiveShape::plane, Vec3(20, 1, 20), {1, 1, 1}}, Vec3::Zero(), BodyKind::fixed);
    o.material.substance = {1000, young, 0.3, restitution, friction};
    return add(o);
  }

  static Object hard(const std::string& name, const Primitive& primitive, const Vec3& position, double mass) {
    Object o = make_object(0, name, primitive, position);
    o.body.mass = mass;
    o.material.substance.young = 1e9;
    return o;
  }
  static Object sphere(double radius, const Vec3& position, double mass = 1) {
    return hard("ball", {PrimitiveShape::sphere, Vec3::Constant(2 * radius), {24, 12, 1}}, position, mass);
  }
  static Object box(const Vec3& size, const Vec3& position, double mass = 1) {
    return hard("box", {PrimitiveShape::box, size, {1, 1, 1}}, position, mass);
  }

  /// Icosahedron truss with a round skin (or none).
  static Object jelly(double radius, const Vec3& position, double stiffness, double mass = 1, bool skin = true) {
    Object o = make_object(0, "jelly", {PrimitiveShape::sphere, Vec3::Constant(2 * radius), {24, 12, 1}}, position,
                           BodyKind::flexible);
    if (!skin) o.display.kind = DisplayKind::none;
    o.analysis.size = o.display.primitive.size;
    o.body.mass = mass;
    o.body.stiffness = stiffness;
    return o;
  }
};

}  // namespace hazumi::test
