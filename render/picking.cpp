// Picking on the processor: the ray is taken into the object frame of each mesh, tested with its box (slab test), then
// with its triangles (Möller and Trumbore 1997, both sides). Double precision throughout.
#include "render/picking.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "core/scene/derived/collections.h"
#include "render/convert.h"

namespace hazumi {

namespace {

constexpr float kReach = 8;  // logical pixels around a symbol that still take hold of it
constexpr double kFar = std::numeric_limits<double>::infinity();

std::set<Id> not_pickable(const Scene& scene) {
  std::set<Id> ids;
  const Standing standing(scene);
  for (const Shared<Object>& object : scene.objects)
    if (standing.locked(*object) || !standing.visible(*object)) ids.insert(object->id);
  for (const Shared<Light>& light : scene.lights)
    if (standing.locked(*light)) ids.insert(light->id);
  for (const Shared<Camera>& camera : scene.cameras)
    if (standing.locked(*camera)) ids.insert(camera->id);
  for (const Shared<Curve>& curve : scene.curves)
    if (standing.locked(*curve)) ids.insert(curve->id);
  for (const Shared<Joint>& joint : scene.joints)
    if (standing.locked(*joint)) ids.insert(joint->id);
  for (const Shared<Force>& force : scene.forces)
    if (standing.locked(*force)) ids.insert(force->id);
  for (const Shared<ForceField>& field : scene.fields)
    if (standing.locked(*field)) ids.insert(field->id);
  for (const Shared<ParticleSource>& source : scene.particles)
    if (standing.locked(*source)) ids.insert(source->id);
  return ids;
}

template <class Position>
FaceHit hit_faces(const MeshRay& ray, const DisplayMesh& mesh, const Position& position, FaceHit best) {
  for (std::uint32_t f = 0; f < mesh.faces.size(); ++f) {
    const auto& face = mesh.faces[f];
    const double at = hit_triangle(ray, position(face[0]), position(face[1]), position(face[2]));
    if (at < best.at) best = {at, f};
  }
  return best;
}

// Where the world ray meets the mesh when nearer than `best`, else `best`. Rest meshes of many faces by their tree, once a
// worker has built it.
FaceHit hit_mesh(const MeshRay& world, const DrawMesh& draw, FaceHit best) {
  if (draw.bounds.valid() && !hits_box(world, draw.bounds, best.at)) return best;
  if (draw.deformed) {
    const std::vector<Vec3f>& at = draw.deformed->vertices;
    return hit_faces(
        world, *draw.mesh, [&](std::uint32_t v) { return at[v].cast<double>().eval(); }, best);
  }
  const glm::mat4 inverse = glm::inverse(draw.model);
  MeshRay local;  // its direction is not unit in the frame of a scaled model: parameters stay comparable
  local.origin = Vec3::Zero();
  local.direction = Vec3::Zero();
  for (int row = 0; row < 3; ++row) {
    local.origin[row] = inverse[3][row];
    for (int column = 0; column < 3; ++column) {
      local.origin[row] += static_cast<double>(inverse[column][row]) * world.origin[column];
      local.direction[row] += static_cast<double>(inverse[column][row]) * world.direction[column];
    }
  }
  if (draw.facts && draw.facts->tree()) return draw.facts->tree()->nearest(*draw.mesh, local, best);
  if (!draw.bounds.valid()) {
    const Box3 box = bounds(*draw.mesh);
    if (!box.valid() || !hits_box(local, box, best.at)) return best;
  }
  return hit_faces(
      local, *draw.mesh, [&](std::uint32_t v) -> const Vec3& { return draw.mesh->positions[v]; }, best);
}

int part_of(const DisplayMesh& mesh, std::uint32_t face) {
  for (std::size_t i = 0; i < mesh.parts.size(); ++i)
    if (face >= mesh.parts[i].first_face && face - mesh.parts[i].first_face < mesh.parts[i].face_count)
      return static_cast<int>(i);
  return -1;
}

/// Where on the ray meshes are drawn: between the planes of the view, in front of which there is nothing to be hit.
std::pair<double, double> drawn_along(const MeshRay& ray, const RenderList& list, const ViewCamera& camera) {
  const DepthRange& planes = list.depths;
  if (planes.near_plane == planes.far_plane) return {0, kFar};
  const Vec3 forward = to_eigen(camera.forward());
  const double start = (ray.origin - to_eigen(camera.position())).dot(forward), slope = ray.direction.dot(forward);
  return {(planes.near_plane - start) / slope, (planes.far_plane - start) / slope};
}

bool in_view(glm::vec3 projected) { return projected.z > 0 && projected.z < 1; }

// Where on the segment (0…1) the pixel distance to `pixel` is smallest, and that distance.
std::pair<float, float> nearest_on_segment(glm::vec2 pixel, glm::vec2 a, glm::vec2 b) {
  const glm::vec2 d = b - a;
  const float length2 = glm::dot(d, d);
  const float t = length2 > 0 ? std::clamp(glm::dot(pixel - a, d) / length2, 0.0f, 1.0f) : 0.0f;
  return {t, glm::length(pixel - (a + t * d))};
}

}  // namespace

std::optional<PickHit> pick(const RenderList& list, const Scene& scene, const ViewCamera& camera, glm::vec2 pixel,
                            glm::vec2 size) {
  const std::set<Id> excluded = not_pickable(scene);
  const Ray ray = camera.ray(pixel, size);
  MeshRay world{to_eigen(ray.origin), to_eigen(ray.direction).normalized()};
  const auto [first, last] = drawn_along(world, list, camera);
  world.origin += first * world.direction;
  PickHit hit;
  double nearest = last - first;
  for (const DrawMesh& draw : list.meshes) {
    if (!draw.id || excluded.count(draw.id)) continue;  // a ghost is not there
    const FaceHit found = hit_mesh(world, draw, {nearest, 0});
    if (!(found.at < nearest)) continue;
    nearest = found.at;
    hit.id = draw.id;
    hit.point = to_glm(Vec3(world.origin + nearest * world.direction));
    hit.part = part_of(*draw.mesh, found.face);
  }
  nearest = hit.id ? nearest + first : kFar;
  float nearest_on_top = std::numeric_limits<float>::infinity();  // logical pixels
  for (const PickSymbol& symbol : list.symbols) {
    if (excluded.count(symbol.id)) continue;
    const auto take = [&](glm::vec3 at, float pixels) {
      const double distance = glm::dot(at - ray.origin, ray.direction);
      if (symbol.on_top) {
        if (!(distance > 0 || ray.parallel) || !(pixels < nearest_on_top)) return;
        nearest_on_top = pixels;
        hit = {symbol.id, static_cast<float>(distance), at, -1};
        nearest = distance;
        return;
      }
      if (nearest_on_top < std::numeric_limits<float>::infinity()) return;
      if (!((distance > 0 || ray.parallel) && distance < nearest)) return;
      nearest = distance;
      hit.id = symbol.id;
      hit.part = -1;
      hit.point = at;
    };
    for (const glm::vec3& at : symbol.points) {
      const glm::vec3 p = camera.project(at, size);
      const float drawn = symbol.radius / camera.metres_per_pixel(at, size);
      const float pixels = glm::length(glm::vec2(p) - pixel);
      if (in_view(p) && pixels <= std::max(kReach, drawn)) take(at, pixels);
    }
    for (std::size_t i = 0; i + 1 < symbol.segments.size(); i += 2) {
      const glm::vec3 a = camera.project(symbol.segments[i], size), b = camera.project(symbol.segments[i + 1], size);
      if (!in_view(a) || !in_view(b)) continue;
      const auto [t, distance] = nearest_on_segment(pixel, glm::vec2(a), glm::vec2(b));
      if (distance <= kReach) take(glm::mix(symbol.segments[i], symbol.segments[i + 1], t), distance);
    }
  }
  if (nearest == kFar) return std::nullopt;
  hit.distance = static_cast<float>(nearest);
  return hit;
}

std::vector<Id> pick_box(const RenderList& list, const Scene& scene, const ViewCamera& camera, glm::vec2 low,
                         glm::vec2 high, glm::vec2 size) {
  const glm::vec2 from = glm::min(low, high), to = glm::max(low, high);
  size = glm::max(size, glm::vec2(1));
  const glm::mat4 to_clip = camera.projection(size.x / size.y, list.depths) * camera.view();
  const auto inside = [&](const glm::vec4& clip) {
    if (clip.w <= 0) return false;
    const glm::vec3 ndc = glm::vec3(clip) / clip.w;
    const glm::vec2 p((ndc.x + 1) / 2 * size.x, (1 - ndc.y) / 2 * size.y);
    return std::abs(ndc.z) < 1 && p.x >= from.x && p.x <= to.x && p.y >= from.y && p.y <= to.y;
  };
  const std::set<Id> excluded = not_pickable(scene);
  std::set<Id> found;
  for (const DrawMesh& draw : list.meshes) {
    if (!draw.id || excluded.count(draw.id) || found.count(draw.id)) continue;
    const glm::mat4 matrix = draw.deformed ? to_clip : to_clip * draw.model;
    const bool any = draw.deformed
                         ? std::any_of(draw.deformed->vertices.begin(), draw.deformed->vertices.end(),
                                       [&](const Vec3f& p) { return inside(matrix * glm::vec4(to_glm(p), 1.0f)); })
                         : std::any_of(draw.mesh->positions.begin(), draw.mesh->positions.end(),
                                       [&](const Vec3& p) { return inside(matrix * glm::vec4(to_glm(p), 1.0f)); });
    if (any) found.insert(draw.id);
  }
  const auto in_box = [&](const glm::vec3& at) {
    const glm::vec3 p = camera.project(at, size);
    return in_view(p) && p.x >= from.x && p.x <= to.x && p.y >= from.y && p.y <= to.y;
  };
  for (const PickSymbol& symbol : list.symbols)
    if (!excluded.count(symbol.id) && std::any_of(symbol.points.begin(), symbol.points.end(), in_box))
      found.insert(symbol.id);
  return {found.begin(), found.end()};
}

}  // namespace hazumi
