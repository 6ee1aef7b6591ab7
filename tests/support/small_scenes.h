// Small scenes that move within a few frames, built in code, and bit-for-bit comparison of frames.
#pragma once

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/geometry/truss/strung.h"
#include "core/motion/compile.h"
#include "core/playback/simulator.h"
#include "tests/support/world.h"

namespace hazumi::test {

/// A prism that stands on three of its six nodes.
inline std::shared_ptr<const StrungTruss> pinned_prism() {
  StrungTruss truss;
  for (int k = 0; k < 6; ++k) {
    StrungNode node;
    const double angle = 2 * kPi * (k % 3) / 3;
    node.position = Vec3(0.1 * std::cos(angle), k < 3 ? 0 : 0.4, 0.1 * std::sin(angle));
    node.pinned = k < 3;
    truss.nodes.push_back(node);
  }
  for (std::uint32_t i = 0; i < 6; ++i)
    for (std::uint32_t j = i + 1; j < 6; ++j)
      if (j != i + 3 || i < 3) truss.springs.push_back({i, j, 1, 1, 1});
  return std::make_shared<const StrungTruss>(truss);
}

inline Object floor_object(std::uint64_t id) {
  return make_object(id, "Floor", {PrimitiveShape::plane, Vec3(10, 1, 10), {1, 1, 1}}, Vec3::Zero(), BodyKind::fixed);
}

inline Object ball(std::uint64_t id, const std::string& name, BodyKind kind, const Vec3& position) {
  return make_object(id, name, {PrimitiveShape::sphere, Vec3::Ones(), {6, 4, 1}}, position, kind);
}

inline Object box(std::uint64_t id, const std::string& name, const Vec3& position) {
  Object o = make_object(id, name, {PrimitiveShape::box, Vec3::Ones(), {2, 2, 2}}, position);
  o.body.spin = Vec3(0.5, 1, 0.2);
  return o;
}

/// A floor, a rigid and a flexible ball about to land, a tumbling box, a thrown point; hits the floor within 24 frames.
inline Scene busy_scene() {
  Scene scene;
  scene.name = "Busy";
  scene.settings.frame_rate = 60;
  scene.settings.substeps = 3;
  scene.settings.last_frame = 24;
  Object rigid = ball(2, "Rigid ball", BodyKind::rigid, Vec3(-1.5, 0.7, 0));
  rigid.body.velocity = Vec3(0.5, -2, 0);
  Object soft = ball(3, "Soft ball", BodyKind::flexible, Vec3(0, 0.8, 0));
  soft.body.velocity = Vec3(0, -3, 0);
  Object point = ball(5, "Point", BodyKind::point, Vec3(0, 3, 2));
  point.display.kind = DisplayKind::none;
  point.body.velocity = Vec3(1, 2, 0);
  Object tumbling = box(4, "Box", Vec3(2, 1.2, 0.3));
  tumbling.body.velocity = Vec3(-1, -2, 0);
  scene.objects = {floor_object(1), rigid, soft, tumbling, point};
  return scene;
}

/// A cube strung by hand whose nodes carry a skeleton with painted weights; it can be switched to another truss.
inline Object strung_cube(std::uint64_t id, const Vec3& position) {
  Object o = ball(id, "Strung cube", BodyKind::flexible, position);
  o.display.primitive.shape = PrimitiveShape::box;
  o.display.primitive.divisions = {2, 2, 2};
  TrussRecipe recipe;
  recipe.shape = TrussShape::box_grid;
  o.analysis.name = "Strung";
  o.analysis.kind = AnalysisKind::strung;
  o.analysis.strung = std::make_shared<const StrungTruss>(to_strung(make_truss(recipe)));
  AnalysisModel other;
  other.name = "Ball";
  other.kind = AnalysisKind::icosahedron;
  o.other_analyses = {other};
  Bone lower, upper;
  lower.id = 1;
  lower.head = Vec3(0, -0.5, 0), lower.tail = Vec3(0, 0, 0);
  upper.id = 4;
  upper.parent = 1;
  upper.head = Vec3(0, 0, 0), upper.tail = Vec3(0, 0.5, 0);
  o.mapping.kind = MappingKind::skeleton;
  o.mapping.bones = {lower, upper};
  o.mapping.painted = {{1, 3, 0.75f}, {4, 3, 0.25f}, {4, 7, 0.5f}};
  o.part_materials = {{"side", o.material}};
  return o;
}

/// Two metaballs and a ring that blend, coarsely polygonised.
inline Object metaball_body(std::uint64_t id, const Vec3& position) {
  Object o = ball(id, "Metaballs", BodyKind::rigid, position);
  o.display.kind = DisplayKind::metaballs;
  o.display.metaballs.final_tolerance = 0.08;
  for (std::uint32_t i = 1; i <= 3; ++i) {
    MetaballPrimitive one;
    one.id = 2 * i;
    one.centre = Vec3(0.3 * i - 0.6, 0, 0);
    if (i == 3) one.shape = MetaballShape::torus;
    o.display.metaballs.primitives.push_back(one);
  }
  return o;
}

/// The busy scene with objects that have lists.
inline Scene listed_scene() {
  Scene scene = busy_scene();
  Object cube = strung_cube(8, Vec3(3, 0.9, -1)), blob = metaball_body(9, Vec3(-3, 0.8, 1));
  cube.body.velocity = blob.body.velocity = Vec3(0, -3, 0);
  scene.objects.insert(scene.objects.end(), {cube, blob});
  return scene;
}

/// Something falls upwards until it is faster than a simulation goes (1e6 m/s), after 90 frames.
inline Scene diverging_scene() {
  Scene scene;
  scene.name = "Diverging";
  scene.settings.frame_rate = 1;
  scene.settings.substeps = 3;
  scene.settings.gravity = Vec3(0, 1e4, 0);
  Object lost = box(9, "Lost", Vec3(0, 50, 0));
  lost.body.velocity = Vec3(0, 1e5, 0);
  scene.objects = {floor_object(1), lost};
  return scene;
}

inline std::shared_ptr<const Model> compiled(const Scene& scene) {
  MeshStore meshes;
  const auto surfaces = meshes.prepare(scene, 1);
  auto model = compile(scene, meshes);
  if (!model) throw std::runtime_error(to_string(model.error()));
  return model.value();
}

inline bool same_bits(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3f)) == 0);
}

inline bool same_bits(const ObjectFrame& a, const ObjectFrame& b) {
  return a.id == b.id && a.present == b.present && a.deformed == b.deformed &&
         std::memcmp(a.position.data(), b.position.data(), sizeof(Vec3f)) == 0 &&
         std::memcmp(a.rotation.coeffs().data(), b.rotation.coeffs().data(), 4 * sizeof(float)) == 0 &&
         same_bits(a.vertices, b.vertices) && same_bits(a.normals, b.normals) && same_bits(a.nodes, b.nodes);
}

inline bool same_bits(const FrameContact& a, const FrameContact& b) {
  return a.a == b.a && a.b == b.b &&
         same_bits(std::vector<Vec3f>{a.point, a.normal, a.force}, std::vector<Vec3f>{b.point, b.normal, b.force});
}

inline bool same_bits(const FrameJoint& a, const FrameJoint& b) {
  return a.joint == b.joint && a.holds == b.holds && a.broken == b.broken &&
         same_bits(std::vector<Vec3f>{a.pull, {a.force, a.torque, a.way}},
                   std::vector<Vec3f>{b.pull, {b.force, b.torque, b.way}});
}

inline bool same_bits(const FrameBody& a, const FrameBody& b) {
  return a.object == b.object && a.passes == b.passes && a.inverted == b.inverted && a.deforms == b.deforms &&
         same_bits(std::vector<Vec3f>{a.centre, a.velocity, {a.kinetic, a.elastic, a.strain}, {a.volume, 0, 0}},
                   std::vector<Vec3f>{b.centre, b.velocity, {b.kinetic, b.elastic, b.strain}, {b.volume, 0, 0}});
}

inline bool same_bits(const Frame& a, const Frame& b) {
  if (a.index != b.index || a.state_hash != b.state_hash || a.objects.size() != b.objects.size()) return false;
  if (!std::equal(a.contacts.begin(), a.contacts.end(), b.contacts.begin(), b.contacts.end(),
                  [](const FrameContact& x, const FrameContact& y) { return same_bits(x, y); }))
    return false;
  if (!a.joints != !b.joints ||
      (a.joints && !std::equal(a.joints->begin(), a.joints->end(), b.joints->begin(), b.joints->end(),
                               [](const FrameJoint& x, const FrameJoint& y) { return same_bits(x, y); })))
    return false;
  if (!a.bodies != !b.bodies ||
      (a.bodies && !std::equal(a.bodies->begin(), a.bodies->end(), b.bodies->begin(), b.bodies->end(),
                               [](const FrameBody& x, const FrameBody& y) { return same_bits(x, y); })))
    return false;
  for (std::size_t i = 0; i < a.objects.size(); ++i)
    if (!same_bits(a.objects[i], b.objects[i])) return false;
  return true;
}

/// Frames 0 … last of a run from the start; fewer when it stops before.
inline std::vector<Frame> fresh_run(const Scene& scene, int last, int threads = 1) {
  std::vector<Frame> frames;
  Simulator simulator(compiled(scene), threads);
  for (int f = 0; f <= last && simulator.state_at(f); ++f) frames.push_back(simulator.frame_at(f));
  return frames;
}

}  // namespace hazumi::test
