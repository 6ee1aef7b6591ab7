// Move: an arrow per axis, a square per plane, a disc at the centre for the plane of the screen.
#include <array>
#include <cmath>

#include "ui/tools/tool.h"

namespace hazumi {

namespace {

constexpr double kHead = 17, kHeadRadius = 6;        // pixels
constexpr double kSquareLow = 24, kSquareHigh = 42;  // pixels

QPolygonF arrow_head(const GizmoView& view, const Vec3& direction) {
  // The outline of a cone on the screen: its tip and the circle of its base, as one convex polygon.
  const QPointF base = gizmo_point(view, direction * (kGizmoLength - kHead));
  const QPointF tip = gizmo_point(view, direction * kGizmoLength);
  const QPointF along = tip - base;
  const double length = std::hypot(along.x(), along.y());
  QPolygonF outline;
  if (length < 3) {  // seen from the front: a disc
    for (int i = 0; i < 24; ++i) {
      const double a = 2 * kPi * i / 24;
      outline.append(tip + kHeadRadius * QPointF(std::cos(a), std::sin(a)));
    }
    return outline;
  }
  const QPointF across = QPointF(-along.y(), along.x()) / length * kHeadRadius;
  const QPointF back = along / length * (kHeadRadius * std::sqrt(std::max(0.0, 1 - length * length / (kHead * kHead))));
  outline.append(tip);
  for (int i = 0; i <= 12; ++i) {
    const double a = kPi * i / 12;
    outline.append(base + std::cos(a) * across - std::sin(a) * back);
  }
  return outline;
}

std::vector<GizmoHandle> move_handles(const GizmoView& view) {
  std::vector<GizmoHandle> result;
  const Vec3 eye = towards_eye(view);
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = Vec3::Unit(i);
    const double seen = std::sqrt(std::max(0.0, 1 - axis.dot(eye) * axis.dot(eye)));  // sine to the line of sight
    GizmoHandle arrow;
    arrow.constraint = {TransformConstraint::Kind::axis, i, false};
    arrow.colour = axis_colour(i);
    arrow.strength = std::clamp((seen - 0.08) / 0.2, 0.0, 1.0);
    arrow.depth = axis.dot(eye);
    arrow.lines.push_back(gizmo_segment(view, axis, 14, kGizmoLength - kHead));
    arrow.areas.push_back(arrow_head(view, axis));
    if (arrow.strength > 0) result.push_back(std::move(arrow));

    const Vec3 u = Vec3::Unit((i + 1) % 3), v = Vec3::Unit((i + 2) % 3);
    GizmoHandle square;
    square.constraint = {TransformConstraint::Kind::plane, i, false};
    square.colour = axis_colour(i);
    square.strength = std::clamp((std::abs(axis.dot(eye)) - 0.12) / 0.25, 0.0, 1.0);
    square.depth = (u + v).dot(eye) * 0.4;
    QPolygonF corners;
    for (const auto& [a, b] : {std::array{kSquareLow, kSquareLow}, std::array{kSquareHigh, kSquareLow},
                               std::array{kSquareHigh, kSquareHigh}, std::array{kSquareLow, kSquareHigh}})
      corners.append(gizmo_point(view, u * a + v * b));
    square.areas.push_back(corners);
    if (square.strength > 0) result.push_back(std::move(square));
  }
  GizmoHandle centre;
  centre.colour = QColor(0xf4, 0xf5, 0xf7);
  centre.depth = 2;
  QPolygonF disc;
  const QPointF middle = gizmo_point(view, Vec3::Zero());
  for (int i = 0; i < 24; ++i)
    disc.append(middle + 7.0 * QPointF(std::cos(2 * kPi * i / 24), std::sin(2 * kPi * i / 24)));
  centre.areas.push_back(disc);
  result.push_back(std::move(centre));
  sort_handles(result);
  return result;
}

}  // namespace

const ToolInfo& tool_move() {
  static const ToolInfo info{"move",
                             "Move",
                             "move",
                             "Drag an arrow, a square or the object itself; G moves without handles.",
                             1,
                             true,
                             TransformMode::move,
                             &move_handles};
  return info;
}

}  // namespace hazumi
