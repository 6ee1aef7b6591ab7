#include "render/field_symbols.h"

#include <cmath>
#include <utility>

#include "core/scene/derived/collections.h"
#include "core/scene/derived/following.h"
#include "render/convert.h"
#include "render/extract_parts.h"

namespace hazumi {

namespace {

constexpr glm::vec4 kFieldColour{0.50f, 0.82f, 0.86f, 0.95f}, kIdleField{0.46f, 0.53f, 0.55f, 0.8f};
constexpr glm::vec4 kActiveField{1.0f, 0.66f, 0.25f, 1.0f}, kSelectedField{0.85f, 0.48f, 0.14f, 1.0f};
constexpr glm::vec4 kFieldShade{0.07f, 0.08f, 0.10f, 0.5f};
constexpr float kSymbolSize = 34;  // logical pixels, half of it
constexpr int kRound = 40;         // pieces of a circle
constexpr int kRings = 7;          // along a curve

using Line = std::pair<Vec3, Vec3>;

Mat3 axes_of(const ForceField& field) { return field.rotation.normalized().toRotationMatrix(); }

const Shared<Curve>* curve_of_field(const Scene& scene, const ForceField& field) {
  return field.shape == FieldShape::curve ? find_shared_curve(scene, field.curve) : nullptr;
}

/// Lines in the axes of a symbol, in parts of its size.
class Strokes {
 public:
  Strokes(std::vector<Line>& lines, const Vec3& place, const Mat3& axes, double size)
      : lines_(lines), place_(place), axes_(axes), size_(size) {}

  void line(const Vec3& a, const Vec3& b) { lines_.emplace_back(at(a), at(b)); }
  /// With a head of two strokes, in the plane of `side`.
  void arrow(const Vec3& from, const Vec3& to, const Vec3& side) {
    line(from, to);
    const Vec3 back = 0.22 * (from - to).normalized();
    for (const double sign : {0.11, -0.11}) line(to, to + back + sign * side);
  }
  /// About `axis` through `centre`; `turns` of it.
  void circle(const Vec3& centre, const Vec3& axis, double radius, double turns = 1, double grow = 0) {
    const Vec3 x = axis.unitOrthogonal(), y = axis.cross(x);
    const int pieces = static_cast<int>(kRound * turns);
    Vec3 before = Vec3::Zero();
    for (int i = 0; i <= pieces; ++i) {
      const double part = static_cast<double>(i) / pieces, angle = 2 * kPi * turns * part, r = radius + grow * part;
      const Vec3 now = centre + r * (std::cos(angle) * x + std::sin(angle) * y);
      if (i > 0) line(before, now);
      before = now;
    }
  }

 private:
  Vec3 at(const Vec3& own) const { return place_ + size_ * (axes_ * own); }
  std::vector<Line>& lines_;
  Vec3 place_;
  Mat3 axes_;
  double size_;
};

void draw_kind(FieldKind kind, Strokes& to) {
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  switch (kind) {
    case FieldKind::wind:
      for (const double across : {-0.45, 0.0, 0.45}) to.arrow(Vec3(across, -0.8, 0), Vec3(across, 1, 0), x);
      to.circle(Vec3(0, -0.8, 0), y, 0.7);
      break;
    case FieldKind::drag:
      to.circle(Vec3::Zero(), y, 0.8);
      to.circle(Vec3::Zero(), x, 0.8);
      for (const double across : {-0.3, 0.0, 0.3}) to.line(Vec3(across, -0.4, 0), Vec3(across, 0.4, 0));
      break;
    case FieldKind::vortex:
      to.circle(Vec3::Zero(), y, 0.15, 2.5, 0.85);
      to.arrow(Vec3(0, -0.7, 0), Vec3(0, 0.9, 0), x);
      break;
    case FieldKind::attractor:
    case FieldKind::point_gravity:
      for (const Vec3& way : {x, Vec3(-x), y, Vec3(-y), z, Vec3(-z)}) to.arrow(way, 0.35 * way, way.unitOrthogonal());
      if (kind == FieldKind::point_gravity)
        for (const Vec3& axis : {x, y, z}) to.circle(Vec3::Zero(), axis, 0.3);
      break;
    case FieldKind::water:
      for (const double across : {-0.7, 0.0, 0.7})
        for (int i = 0; i < 24; ++i) {
          const auto wave = [&](int k) { return Vec3(k / 12.0 - 1, 0.12 * std::sin(k * kPi / 6), across); };
          to.line(wave(i), wave(i + 1));
        }
      to.arrow(Vec3::Zero(), Vec3(0, 0.9, 0), x);
      break;
    case FieldKind::gravity:
      for (const double across : {-0.45, 0.0, 0.45}) to.arrow(Vec3(across, 0.9, 0), Vec3(across, -0.9, 0), x);
      break;
  }
}

/// The edges of the shape.
std::vector<Line> edges_of(const Scene& scene, const ForceField& field) {
  std::vector<Line> lines;
  Strokes strokes(lines, field.position, axes_of(field), 1);
  if (field.shape == FieldShape::box) {
    const Vec3 half = 0.5 * field.size;
    const auto corner = [&](int i) {
      return Vec3((i & 1 ? 1 : -1) * half.x(), (i & 2 ? 1 : -1) * half.y(), (i & 4 ? 1 : -1) * half.z());
    };
    for (int i = 0; i < 8; ++i)
      for (const int bit : {1, 2, 4})
        if ((i & bit) == 0) strokes.line(corner(i), corner(i | bit));
  }
  if (field.shape == FieldShape::ball)
    for (const Vec3& axis : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())})
      strokes.circle(Vec3::Zero(), axis, field.radius);
  if (const Shared<Curve>* curve = curve_of_field(scene, field)) {
    const auto way = way_of(*curve);
    for (int i = 0; i < kRings; ++i) {
      const double along = static_cast<double>(i) / (kRings - 1);
      Strokes ring(lines, way->place(along), Mat3::Identity(), 1);
      ring.circle(Vec3::Zero(), way->tangent(along), field.radius);
    }
  }
  return lines;
}

}  // namespace

std::vector<Vec3> field_outline(const Scene& scene, const ForceField& field) {
  std::vector<Vec3> places = {field.position};
  for (const auto& [a, b] : edges_of(scene, field)) places.push_back(a);
  return places;
}

void add_field_symbols(RenderList& list, const Scene& scene, const ViewCamera& camera, const ViewOptions& options,
                       const ViewSelection& selection) {
  if (scene.fields.empty()) return;
  const Standing standing(scene, &options.aside);
  DrawLines shades, lines;
  shades.on_top = lines.on_top = true;
  shades.width = 3.6f;
  lines.width = 1.7f;
  for (const Shared<ForceField>& field : scene.fields) {
    if (!standing.visible(*field)) continue;
    const bool selected = selection.selected.count(field->id) != 0;
    const bool idle = !field->on || (field->shape == FieldShape::curve && !curve_of_field(scene, *field));
    const glm::vec4 colour = selected ? (selection.active == field->id ? kActiveField : kSelectedField)
                             : idle   ? kIdleField
                                      : kFieldColour;
    const glm::vec3 place = to_glm(field->position);
    const float pixel = camera.metres_per_pixel(place, {1, options.height > 0 ? options.height : 800});
    std::vector<Line> drawn = edges_of(scene, *field);
    Strokes symbol(drawn, field->position, axes_of(*field), static_cast<double>(kSymbolSize * pixel));
    draw_kind(field->kind, symbol);
    PickSymbol pick;
    pick.id = field->id;
    pick.on_top = true;
    pick.points.push_back(place);
    for (const auto& [a, b] : drawn) {
      const glm::vec3 p = to_glm(a), q = to_glm(b);
      shades.vertices.insert(shades.vertices.end(), {{p, kFieldShade}, {q, kFieldShade}});
      lines.vertices.insert(lines.vertices.end(), {{p, colour}, {q, colour}});
      pick.segments.insert(pick.segments.end(), {p, q});
    }
    list.symbols.push_back(std::move(pick));
  }
  for (DrawLines* drawn : {&shades, &lines})
    if (!drawn->vertices.empty()) list.lines.push_back(std::move(*drawn));
}

}  // namespace hazumi
