#include "render/extract_parts.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include "core/scene/derived/collections.h"
#include "core/scene/derived/following.h"
#include "render/convert.h"

namespace hazumi {

namespace {

// ObjectFrames lie in ascending id.
const ObjectFrame* find_moved(const Frame* frame, Id id) {
  if (!frame) return nullptr;
  const auto it = std::lower_bound(frame->objects.begin(), frame->objects.end(), id,
                                   [](const ObjectFrame& o, Id wanted) { return o.id < wanted; });
  return it != frame->objects.end() && it->id == id ? &*it : nullptr;
}

void add_line(std::vector<LineVertex>& lines, glm::vec3 a, glm::vec3 b, glm::vec4 colour) {
  lines.push_back({a, colour});
  lines.push_back({b, colour});
}

}  // namespace

std::vector<ShownObject> shown_objects(const Scene& scene, const Frame* frame, const std::set<Id>& aside) {
  std::vector<ShownObject> shown;
  shown.reserve(scene.objects.size());
  const Standing standing(scene, &aside);
  for (const Shared<Object>& entry : scene.objects) {
    const Object& object = *entry;
    if (!standing.visible(object)) continue;
    ShownObject s;
    s.object = &object;
    s.moved = find_moved(frame, object.id);
    if (s.moved && !s.moved->present) continue;
    s.model = s.moved ? placement(s.moved->position, s.moved->rotation)
                      : placement(object.transform.position.cast<float>(), object.transform.rotation.cast<float>());
    shown.push_back(s);
  }
  std::sort(shown.begin(), shown.end(),
            [](const ShownObject& a, const ShownObject& b) { return a.object->id < b.object->id; });
  return shown;
}

Box3 transformed(const Box3& box, const glm::mat4& model) {
  Box3 result;
  if (!box.valid()) return result;
  // Centre and half extents: |R| h is the half extent of the turned box (Arvo 1990).
  const glm::vec3 c = glm::vec3(model * glm::vec4(to_glm(box.centre()), 1.0f));
  const glm::vec3 h = 0.5f * to_glm(box.size());
  glm::vec3 half(0);
  for (int column = 0; column < 3; ++column) half += glm::abs(glm::vec3(model[column])) * h[column];
  result.add(to_eigen(c - half));
  result.add(to_eigen(c + half));
  return result;
}

namespace {

/// Of deformed vertices; not valid when the object does not bend.
Box3 bent_box(const ShownObject& shown, const DisplayMesh& mesh) {
  Box3 box;
  if (!shown.moved || !shown.moved->deformed || shown.moved->vertices.size() != mesh.positions.size()) return box;
  Vec3f low = Vec3f::Constant(3e38f), high = -low;
  for (const Vec3f& p : shown.moved->vertices) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  box.add(low.cast<double>());
  box.add(high.cast<double>());
  return box;
}

}  // namespace

Box3 world_mesh_box(const ShownObject& shown, const DisplayMesh& mesh) {
  Box3 box;
  if (mesh.empty()) return box;
  box = bent_box(shown, mesh);
  if (box.valid()) return box;
  for (const Vec3& p : mesh.positions) box.add(to_eigen(glm::vec3(shown.model * glm::vec4(to_glm(p), 1.0f))));
  return box;
}

Box3 world_mesh_box(const ShownObject& shown, const DisplayMesh& mesh, const Box3& local) {
  if (mesh.empty()) return {};
  const Box3 bent = bent_box(shown, mesh);
  return bent.valid() ? bent : transformed(local, shown.model);
}

Box3 missing_mesh_box(const Object& object) {
  // The size of the analysis model is the best guess at what the file held; a metre otherwise.
  const bool has_analysis = object.analysis.kind != AnalysisKind::none;
  const Vec3 half = 0.5 * (has_analysis ? object.analysis.size : Vec3::Ones()).cwiseProduct(object.transform.scale);
  const Vec3 centre =
      has_analysis ? object.analysis.offset.cwiseProduct(object.transform.scale).eval() : Vec3::Zero().eval();
  Box3 box;
  box.add(centre - half);
  box.add(centre + half);
  return box;
}

bool mesh_is_missing(const Object& object, const DisplayMesh& mesh) {
  return object.display.kind == DisplayKind::mesh && mesh.empty();
}

std::vector<glm::vec3> truss_nodes(const ShownObject& shown, const Truss& truss) {
  std::vector<glm::vec3> nodes;
  nodes.reserve(truss.nodes.size());
  if (shown.moved && shown.moved->nodes.size() == truss.nodes.size()) {
    for (const Vec3f& p : shown.moved->nodes) nodes.push_back(to_glm(p));
  } else {
    for (const Vec3& p : truss.nodes) nodes.push_back(glm::vec3(shown.model * glm::vec4(to_glm(p), 1.0f)));
  }
  return nodes;
}

TrussStyle truss_style(bool selected, bool active) {
  TrussStyle style;
  style.compressed = {0.33f, 0.62f, 0.96f, 1.0f};
  style.stretched = {0.97f, 0.52f, 0.30f, 1.0f};
  style.line = active     ? glm::vec4(0.93f, 0.90f, 0.82f, 1.0f)
               : selected ? glm::vec4(0.82f, 0.80f, 0.75f, 1.0f)
                          : glm::vec4(0.66f, 0.69f, 0.73f, 1.0f);
  style.node = active     ? glm::vec4(1.0f, 0.66f, 0.25f, 1.0f)
               : selected ? glm::vec4(0.90f, 0.60f, 0.26f, 1.0f)
                          : glm::vec4(0.85f, 0.88f, 0.92f, 1.0f);
  style.node_size = selected || active ? 7.0f : 5.5f;
  return style;
}

glm::vec4 strain_colour(float strain, const TrussStyle& style) {
  constexpr float kFullColour = 0.15f;  // strain at which the colour is saturated
  const float t = std::clamp(strain / kFullColour, -1.0f, 1.0f);
  return glm::mix(style.line, t < 0 ? style.compressed : style.stretched, std::abs(t));
}

void add_truss(const Truss& truss, const std::vector<glm::vec3>& nodes, bool strained, const TrussStyle& style,
               std::vector<LineVertex>& lines, std::vector<PointVertex>& points) {
  lines.reserve(lines.size() + 2 * truss.springs.size());
  for (const Spring& spring : truss.springs) {
    glm::vec4 colour = style.line;
    if (strained) {
      const float rest = static_cast<float>((truss.nodes[spring.b] - truss.nodes[spring.a]).norm());
      const float length = glm::length(nodes[spring.b] - nodes[spring.a]);
      colour = strain_colour(rest > 0 ? (length - rest) / rest : 0.0f, style);
    }
    add_line(lines, nodes[spring.a], nodes[spring.b], colour);
  }
  points.reserve(points.size() + nodes.size());
  for (const glm::vec3& node : nodes) points.push_back({node, style.node, style.node_size});
}

void add_box(const Box3& box, const glm::mat4& model, bool diagonals, glm::vec4 colour,
             std::vector<LineVertex>& lines) {
  glm::vec3 corner[8];
  for (int i = 0; i < 8; ++i) {
    const Vec3 p(i & 1 ? box.high.x() : box.low.x(), i & 2 ? box.high.y() : box.low.y(),
                 i & 4 ? box.high.z() : box.low.z());
    corner[i] = glm::vec3(model * glm::vec4(to_glm(p), 1.0f));
  }
  // Corners that differ in one bit share an edge, in two bits a face diagonal.
  for (int i = 0; i < 8; ++i)
    for (int j = i + 1; j < 8; ++j) {
      const int bits = (i ^ j) == 1 || (i ^ j) == 2 || (i ^ j) == 4 ? 1 : (i ^ j) == 7 ? 3 : 2;
      if (bits == 1 || (diagonals && bits == 2)) add_line(lines, corner[i], corner[j], colour);
    }
}

float symbol_radius(const ViewCamera& camera, glm::vec3 at) {
  constexpr float kShareOfHeight = 0.016f;
  return kShareOfHeight * camera.metres_per_pixel(at, {1, 1});
}

void add_light_symbol(const Light& light, const ViewCamera& camera, glm::vec4 colour, bool selected,
                      std::vector<LineVertex>& lines) {
  const glm::vec3 centre = to_glm(light.position), r = camera.right(), u = camera.up();
  const float radius = symbol_radius(camera, centre);
  constexpr int kSides = 24;
  const auto around = [&](float angle, float length) {
    return centre + length * (std::cos(angle) * r + std::sin(angle) * u);
  };
  for (int i = 0; i < kSides; ++i) {
    const float a = 6.2831853f * static_cast<float>(i) / kSides, b = 6.2831853f * static_cast<float>(i + 1) / kSides;
    add_line(lines, around(a, 0.5f * radius), around(b, 0.5f * radius), colour);
    if (light.kind == LightKind::point && i % 2 == 0)
      add_line(lines, around(a, 0.95f * radius), around(b, 0.95f * radius), colour);  // dashed ring
  }
  if (light.kind == LightKind::point) return;
  for (int i = 0; i < 8; ++i) {
    const float a = 6.2831853f * static_cast<float>(i) / 8;
    add_line(lines, around(a, 0.7f * radius), around(a, radius), colour);
  }
  const glm::vec3 to_target = to_glm(light.target) - centre;
  const float length = glm::length(to_target);
  if (!(length > radius)) return;
  glm::vec4 faint = colour;
  faint.a *= selected ? 0.35f : 0.0f;
  const float shown = selected ? length : std::min(6 * radius, length);
  lines.push_back({centre + radius / length * to_target, colour});
  lines.push_back({centre + shown / length * to_target, faint});
}

std::size_t add_camera_symbol(const Camera& scene_camera, const ViewCamera& camera, const CameraLook& look,
                              std::vector<LineVertex>& lines) {
  const std::size_t first = lines.size();
  const ViewCamera own = from_scene_camera(scene_camera);
  const glm::vec3 eye = own.position();
  constexpr float kAspect = 16.0f / 9.0f;
  // As wide on screen whatever the lens: a long one has a long frustum, up to a limit.
  const float size = 5 * symbol_radius(camera, eye), half = 0.36f * size;
  const float depth = std::min(half / std::tan(own.field_of_view / 2), 4 * size);
  const glm::vec3 centre = eye + depth * own.forward(), r = kAspect * half * own.right(), u = half * own.up();
  const glm::vec3 corner[4] = {centre - r - u, centre + r - u, centre + r + u, centre - r + u};
  for (int i = 0; i < 4; ++i) {
    add_line(lines, eye, corner[i], look.colour);
    add_line(lines, corner[i], corner[(i + 1) % 4], look.colour);
  }
  const auto triangle = [&](float share) {
    const glm::vec3 middle = centre + 1.38f * u;
    const glm::vec3 left = middle + share * (-0.35f * r - 0.2f * u), right = middle + share * (0.35f * r - 0.2f * u),
                    top = middle + share * 0.4f * u;
    add_line(lines, left, right, look.colour);
    add_line(lines, right, top, look.colour);
    add_line(lines, top, left, look.colour);
  };
  triangle(1);
  const std::size_t body = lines.size() - first;
  for (float share = 0.85f; look.taking && share > 0.05f; share -= 0.15f) triangle(share);
  if (!look.sight) return body;
  glm::vec4 faint = look.colour;
  faint.a *= 0.35f;
  lines.push_back({centre, look.colour});
  lines.push_back({own.target, faint});
  return body;
}

std::vector<Vec3> course_of(const Shared<Curve>& curve) {
  constexpr int kPieces = 32, kLeast = 4;
  constexpr std::size_t kMost = 8192;  // lines of a curve
  const std::shared_ptr<const CurveWay> way = way_of(curve);
  const std::vector<CurvePiece>& pieces = way->pieces();
  std::vector<Vec3> course = {way->place(0)};
  const int bent = std::clamp(static_cast<int>(kMost / std::max<std::size_t>(pieces.size(), 1)), kLeast, kPieces);
  for (const CurvePiece& piece : pieces) {
    const int steps = curve->kind == CurveKind::line ? 1 : piece.circle ? 2 * bent : bent;
    for (int i = 1; i <= steps; ++i) course.push_back(piece.place(static_cast<double>(i) / steps));
  }
  return course;
}

void add_velocity_arrow(glm::vec3 from, glm::vec3 velocity, const ViewCamera& camera, glm::vec4 colour,
                        std::vector<LineVertex>& lines) {
  // The way covered in a quarter of a second.
  constexpr float kSeconds = 0.25f;
  const glm::vec3 to = from + kSeconds * velocity;
  const float length = glm::length(to - from);
  if (!(length > 1e-6f)) return;
  const glm::vec3 along = (to - from) / length;
  glm::vec3 side = glm::cross(along, camera.position() - to);
  side = glm::length(side) > 1e-6f ? glm::normalize(side) : camera.right();
  const float head = std::min(0.3f * length, 0.8f * symbol_radius(camera, to));
  add_line(lines, from, to, colour);
  add_line(lines, to, to - head * along + 0.5f * head * side, colour);
  add_line(lines, to, to - head * along - 0.5f * head * side, colour);
}

}  // namespace hazumi
