#include "render/force_arrows.h"

#include <algorithm>
#include <limits>

#include <glm/geometric.hpp>

#include "core/scene/derived/collections.h"
#include "core/scene/derived/joined.h"
#include "render/convert.h"
#include "render/extract_parts.h"

namespace hazumi {

namespace {

constexpr glm::vec4 kForceColour{0.95f, 0.55f, 0.45f, 1.0f}, kIdleColour{0.60f, 0.50f, 0.48f, 0.8f};
constexpr glm::vec4 kActiveForce{1.0f, 0.66f, 0.25f, 1.0f}, kSelectedForce{0.85f, 0.48f, 0.14f, 1.0f};
constexpr glm::vec4 kForceShade{0.07f, 0.08f, 0.10f, 0.5f};
constexpr float kHeadLength = 11, kHeadWidth = 4.5f, kDot = 6;  // logical pixels
constexpr float kPart = 0.5f;                                   // opacity of the arrows at nodes
constexpr double kEarth = 9.80665, kWeightless = 1e-6;          // m/s²

/// The nodes that it pushes, as they are shown, world; of what does not bend none.
std::vector<Vec3> pushed_nodes(const Force& force, const Object& object, const Frame* frame, MeshStore& meshes) {
  if (!bends(object.body) || object.analysis.kind == AnalysisKind::none) return {};
  const Truss truss = object_truss(object, *meshes.mesh(object));
  const ObjectFrame* moved = frame ? frame->find(object.id) : nullptr;
  const auto place = [&](std::size_t node) -> Vec3 {
    if (moved && node < moved->nodes.size()) return moved->nodes[node].cast<double>();
    return object.transform.position + object.transform.rotation * truss.nodes[node];
  };
  std::vector<Vec3> places;
  for (const auto& node : force.nodes)
    if (node[0] < truss.nodes.size()) places.push_back(place(node[0]));
  if (!force.nodes.empty() || truss.nodes.empty()) return places;
  const Vec3 own = object.transform.scale.cwiseProduct(force.place);
  const auto nearest = std::min_element(truss.nodes.begin(), truss.nodes.end(), [&](const Vec3& a, const Vec3& b) {
    return (a - own).squaredNorm() < (b - own).squaredNorm();
  });
  return {place(static_cast<std::size_t>(nearest - truss.nodes.begin()))};
}

}  // namespace

double metres_per_newton(const Scene& scene, const Object& object, MeshStore& meshes) {
  const double gravity = scene.settings.gravity.norm();
  return 1 / (object_mass(object, *meshes.mesh(object)) * (gravity > kWeightless ? gravity : kEarth));
}

std::optional<ForceArrow> force_arrow(const Scene& scene, const Force& force, const Frame* frame, MeshStore& meshes) {
  const Object* object = find_object(scene, Id{force.object});
  if (!object) return std::nullopt;
  Transform transform = object->transform;
  if (const ObjectFrame* moved = frame ? frame->find(object->id) : nullptr) {
    if (!moved->present) return std::nullopt;
    transform.position = moved->position.cast<double>();
    transform.rotation = moved->rotation.cast<double>().normalized();
  }
  ForceArrow arrow;
  arrow.from = transform * force.place;
  const std::vector<Vec3> nodes = pushed_nodes(force, *object, frame, meshes);
  if (!nodes.empty()) {
    arrow.from.setZero();
    for (const Vec3& node : nodes) arrow.from += node / static_cast<double>(nodes.size());
    if (nodes.size() > 1) arrow.nodes = nodes;
  }
  if (force.own_axes) arrow.axes = transform.rotation.normalized();
  arrow.tip = arrow.from + metres_per_newton(scene, *object, meshes) * (arrow.axes * force.push);
  return arrow;
}

namespace {

/// A line with a head of two strokes, seen from the side.
void add_arrow(std::vector<LineVertex>& lines, const Vec3& from, const Vec3& tip, const ViewCamera& camera, float pixel,
               const glm::vec4& colour) {
  const glm::vec3 a = to_glm(from), b = to_glm(tip), way = b - a;
  const auto line = [&](const glm::vec3& p, const glm::vec3& q) {
    lines.push_back({p, colour});
    lines.push_back({q, colour});
  };
  const float length = glm::length(way);
  if (!(length > 0)) return;
  line(a, b);
  const glm::vec3 along = way / length, side = glm::cross(along, camera.forward());
  const glm::vec3 across = glm::length(side) > 1e-4f ? glm::normalize(side) : camera.right();
  const float head = std::min(kHeadLength * pixel, 0.5f * length);
  for (const float sign : {1.0f, -1.0f}) line(b, b - head * along + sign * (kHeadWidth / kHeadLength) * head * across);
}

}  // namespace

void add_forces(RenderList& list, const Scene& scene, const Frame* frame, const ViewCamera& camera,
                const ViewOptions& options, const ViewSelection& selection, MeshStore& meshes) {
  if (scene.forces.empty()) return;
  const Standing standing(scene, &options.aside);
  DrawLines shades, lines;
  shades.on_top = lines.on_top = true;
  shades.width = 4.5f;
  lines.width = 2.2f;
  for (const Shared<Force>& force : scene.forces) {
    const Object* object = find_object(scene, Id{force->object});
    if (!object || !standing.visible(*force) || !standing.visible(*object)) continue;
    const std::optional<ForceArrow> arrow = force_arrow(scene, *force, frame, meshes);
    if (!arrow) continue;
    const bool selected = selection.selected.count(force->id) != 0;
    const glm::vec4 colour = selected ? (selection.active == force->id ? kActiveForce : kSelectedForce)
                             : force->on && force->push != Vec3::Zero() ? kForceColour
                                                                        : kIdleColour;
    const float pixel = camera.metres_per_pixel(to_glm(arrow->from), {1, options.height > 0 ? options.height : 800});
    const std::size_t first = lines.vertices.size();
    add_arrow(lines.vertices, arrow->from, arrow->tip, camera, pixel, colour);
    for (const Vec3& node : arrow->nodes)
      add_arrow(lines.vertices, node, node + (arrow->tip - arrow->from) / static_cast<double>(arrow->nodes.size()),
                camera, pixel, {colour.r, colour.g, colour.b, kPart});
    for (std::size_t i = first; i < lines.vertices.size(); ++i)
      shades.vertices.push_back({lines.vertices[i].position, kForceShade});
    list.points_on_top.push_back({to_glm(arrow->from), colour, kDot});
    PickSymbol symbol;
    symbol.id = force->id;
    symbol.on_top = true;
    symbol.points.push_back(to_glm(arrow->from));
    symbol.radius = kDot * pixel;
    if (arrow->from != arrow->tip) symbol.segments = {to_glm(arrow->from), to_glm(arrow->tip)};
    list.symbols.push_back(std::move(symbol));
  }
  for (DrawLines* drawn : {&shades, &lines})
    if (!drawn->vertices.empty()) list.lines.push_back(std::move(*drawn));
}

}  // namespace hazumi
