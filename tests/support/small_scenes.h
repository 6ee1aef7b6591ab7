// Small scenes that move within a few frames, built in code, and bit-for-bit comparison of frames.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/playback/simulator.h"
#include "core/scene/values/scene.h"

namespace hazumi::test {

inline Object floor_object(std::uint64_t id) {
  Object o;
  o.id = Id{id};
  o.name = "Floor";
  o.display.primitive.shape = PrimitiveShape::plane;
  o.display.primitive.size = Vec3(10, 1, 10);
  o.display.primitive.divisions = {1, 1, 1};
  o.body.kind = BodyKind::fixed;
  return o;
}

inline Object ball(std::uint64_t id, const std::string& name, BodyKind kind, const Vec3& position) {
  Object o;
  o.id = Id{id};
  o.name = name;
  o.transform.position = position;
  o.display.primitive.shape = PrimitiveShape::sphere;
  o.display.primitive.divisions = {6, 4, 1};
  o.body.kind = kind;
  if (kind == BodyKind::flexible) {
    o.analysis.kind = AnalysisKind::icosahedron;
    o.analysis.divisions = {1, 1, 1};
  }
  return o;
}

inline Object box(std::uint64_t id, const std::string& name, const Vec3& position) {
  Object o;
  o.id = Id{id};
  o.name = name;
  o.transform.position = position;
  o.display.primitive.divisions = {2, 2, 2};
  o.body.kind = BodyKind::rigid;
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
  for (Object& o : std::vector<Object>{floor_object(1), rigid, soft, tumbling, point})
    scene.objects.push_back(Shared<Object>(std::move(o)));
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
  for (Object& o : std::vector<Object>{floor_object(1), lost}) scene.objects.push_back(Shared<Object>(std::move(o)));
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

inline bool same_bits(const Frame& a, const Frame& b) {
  if (a.index != b.index || a.state_hash != b.state_hash || a.objects.size() != b.objects.size()) return false;
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
