// Puts the shipped scenes together: objects, light, floor and bodies in few words.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "core/geometry/mesh/mesh.h"
#include "core/geometry/metaball/catalogue.h"
#include "core/scene/derived/cameras.h"
#include "core/scene/values/materials.h"
#include "core/scene/values/scene.h"

namespace hazumi {

/// m². The floor meets a truss as a ball of E = l k / A: of a soft one that would sink in by centimetres
/// until it turns back. With so small a cross-section the skin is hard and the springs alone are soft.
inline constexpr double kHardSkin = 2e-5;

struct Builder {
  Scene scene;
  std::uint64_t next = 1;

  Builder(const char* name, const char* description, int last_frame) {
    scene.name = name;
    scene.description = description;
    scene.settings.last_frame = last_frame;
    Light key;
    key.id = {next++};
    key.name = "Key light";
    key.position = Vec3(4, 8, 5);
    key.colour = Vec3(1, 0.97, 0.92);
    key.intensity = 0.85;
    key.shadow = true;
    scene.lights.push_back(key);
    Light fill;
    fill.id = {next++};
    fill.name = "Fill light";
    fill.position = Vec3(-6, 4, 3);
    fill.colour = Vec3(0.75, 0.85, 1);
    fill.intensity = 0.3;
    scene.lights.push_back(fill);
  }

  void camera(const Vec3& position, const Vec3& target) {
    Camera shot;
    shot.name = scene.cameras.empty() ? "Camera" : "Camera " + std::to_string(scene.cameras.size() + 1);
    shot.position = position;
    shot.target = target;
    shot.focal_length = lens_of_angle(0.69);
    shot.depth.automatic = false;
    scene.cameras.push_back(shot);
  }
  /// Cameras get their ids last: bodies keep theirs, which their random numbers come from.
  Scene done() {
    for (auto& shot : scene.cameras)
      if (!shot->id) shot = shot.edited([&](Camera& c) { c.id = next_id(scene); });
    return scene;
  }

  Object object(const std::string& name, const char* material, PrimitiveShape shape, const Vec3& size,
                const Vec3& position) {
    Object o;
    o.id = {next++};
    o.name = name;
    o.display.primitive.shape = shape;
    o.display.primitive.size = size;
    o.display.primitive.divisions = shape == PrimitiveShape::sphere ? std::array<int, 3>{48, 24, 1}
                                    : shape == PrimitiveShape::box  ? std::array<int, 3>{12, 12, 12}
                                                                    : std::array<int, 3>{40, 8, 4};
    o.transform.position = position;
    o.material = apply_preset(o.material, *find_material(material));
    return o;
  }

  /// Floor in y = 0; its Young's modulus decides the Hertz times together with the bodies'.
  void floor(double young, double restitution = 0.7, double size = 14) {
    Object o = object("Floor", "white rubber", PrimitiveShape::plane, Vec3(size, 1, size), Vec3::Zero());
    o.display.primitive.divisions = {1, 1, 1};
    o.body.kind = BodyKind::fixed;
    o.material.surface.diffuse = Vec3(0.42, 0.43, 0.45);
    o.material.surface.ambient = Vec3(0.35, 0.36, 0.38);
    o.material.surface.specular = Vec3(0.05, 0.05, 0.05);
    physics(o, young, restitution);
    add(o);
  }

  /// The floor again, in colours of its own, and what is seen behind it.
  void stage(double young, double restitution, const Vec3& ground, const Vec3& background) {
    floor(young, restitution, 60);
    scene.settings.background = background;
    Object o = *scene.objects.back();
    paint(o, ground, 0.03);
    scene.objects.back() = o;
  }

  /// Darkened corners, shadows that soften away from what throws them, and a floor without an edge.
  void soften() {
    scene.settings.look.occlusion = 0.7;
    scene.settings.look.softness = radians(4);
    scene.settings.look.floor_fades = true;
  }

  static void paint(Object& o, const Vec3& colour, double shine = 0.12) {
    o.material.surface.diffuse = colour;
    o.material.surface.ambient = 0.9 * colour;
    o.material.surface.specular = Vec3::Constant(shine);
    o.material.surface.shininess = 20;
  }

  /// Fixed block, rounded where it is seen, a box where it is touched.
  Object block(const std::string& name, const Vec3& size, const Vec3& position, const Vec3& colour) {
    Object o = object(name, "white plastic", PrimitiveShape::rounded_box, size, position);
    o.display.primitive.divisions = {1, 1, 1};
    o.display.primitive.ratio = 0.12;
    o.contact.shape = ContactShape::box;
    o.body.kind = BodyKind::fixed;
    paint(o, colour, 0.08);
    return o;
  }

  /// A line beside a way along x, by which one sees how fast things go.
  void dashes(int count, const Vec3& first) {
    for (int k = 0; k < count; ++k) {
      Object dash = object("Dash " + std::to_string(k + 1), "white plastic", PrimitiveShape::box, Vec3(0.8, 0.01, 0.1),
                           first + Vec3(1.7 * k, 0, 0));
      dash.display.primitive.divisions = {1, 1, 1};
      only_seen(dash);
      dash.locked = true;
      paint(dash, Vec3(0.85, 0.85, 0.82), 0.03);
      add(dash);
    }
  }

  /// Stands there and touches nothing.
  static void only_seen(Object& o) {
    o.body.kind = BodyKind::fixed;
    o.contact.enabled = false;
  }

  /// An upright rod of silver that something seems to hang on.
  Object rod(const std::string& name, double thickness, double length, const Vec3& middle, int sides) {
    Object o = object(name, "silver", PrimitiveShape::capsule, Vec3(thickness, length, thickness), middle);
    o.display.primitive.divisions = {sides, 8, 1};
    only_seen(o);
    return o;
  }

  /// Flexible body of metaballs with their own colours, in a truss strung by hand.
  Object character(const std::string& name, const MetaballGroup& group, const StrungTruss& truss,
                   const Vec3& position) {
    Object o = object(name, "white plastic", PrimitiveShape::box, Vec3(1, 1, 1), position);
    o.display.kind = DisplayKind::metaballs;
    o.display.metaballs = group;
    o.analysis.kind = AnalysisKind::strung;
    o.analysis.strung = std::make_shared<const StrungTruss>(truss);
    o.body.kind = BodyKind::flexible;
    o.body.cross_section = kHardSkin;
    return o;
  }

  static void physics(Object& o, double young, double restitution, double friction = 0.5) {
    o.material.substance_follows = false;
    o.material.substance.young = young;
    o.material.substance.restitution = restitution;
    o.material.substance.friction = friction;
  }

  /// Spring constant in N/m and damping in N s/m of every spring.
  static void springs(Object& o, double mass, double stiffness, double damping) {
    o.body.mass = mass;
    o.body.stiffness = stiffness;
    o.body.damping = damping;
  }

  static void flexible(Object& o, AnalysisKind kind, std::array<int, 3> divisions, double mass, double stiffness,
                       double damping, double cross_section) {
    o.analysis.kind = kind;
    o.analysis.divisions = divisions;
    o.analysis.size = o.display.primitive.size;
    o.body.kind = BodyKind::flexible;
    springs(o, mass, stiffness, damping);
    o.body.cross_section = cross_section;
  }

  /// Turns an icosahedron truss so that it lands on a face, not on a node: its bottom face becomes
  /// horizontal. The face next to the pole leans by 37.377° in the direction 36° from +z towards +x.
  static void land_on_face(Object& o) {
    o.transform.rotation =
        Quat(Eigen::AngleAxisd(radians(37.377), Vec3(-std::cos(radians(36)), 0, std::sin(radians(36)))));
  }

  void add(const Object& o) { scene.objects.push_back(o); }

  Id id_of(const std::string& name) const {
    for (const auto& object : scene.objects)
      if (object->name == name) return object->id;
    return {};
  }

  // Boxes of motion graphs. They come last: their ids go on from those of all that is there. Place: column and row in the editor.
  Id box(MotionRole role, const char* kind, Id object, Id other, double column, double row,
         std::vector<MotionParameter> parameters = {}) {
    MotionNode node;
    node.id = next_id(scene);
    node.role = role;
    node.kind = kind;
    node.object = object.value;
    node.other = other.value;
    node.x = 220 * column;
    node.y = 90 * row;
    node.parameters = std::move(parameters);
    scene.motion.push_back(Shared<MotionNode>(std::move(node)));
    return scene.motion.back()->id;
  }
  Id when(const char* kind, Id object, Id other, double column, double row,
          std::vector<MotionParameter> parameters = {}, bool loop = false) {
    const Id id = box(MotionRole::event, kind, object, other, column, row, std::move(parameters));
    change(id, [&](MotionNode& node) { node.loop = loop; });
    return id;
  }
  Id does(const char* kind, Id object, Id other, double column, double row,
          std::vector<MotionParameter> parameters = {}) {
    return box(MotionRole::procedure, kind, object, other, column, row, std::move(parameters));
  }
  /// Each leads to the next.
  void chain(const std::vector<Id>& boxes) {
    for (std::size_t i = 1; i < boxes.size(); ++i)
      change(boxes[i - 1], [&](MotionNode& node) { node.wires.push_back({boxes[i].value, false}); });
  }
  template <class Change>
  void change(Id id, const Change& how) {
    for (auto& node : scene.motion)
      if (node->id == id) node = node.edited(how);
  }
};

}  // namespace hazumi
