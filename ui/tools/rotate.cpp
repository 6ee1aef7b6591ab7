// Rotate: a ring per axis (the half that faces the eye is grabbed) and an outer ring for the line of sight.
#include <cmath>

#include "ui/tools/tool.h"

namespace hazumi {

namespace {

constexpr double kRing = 76, kOuterRing = 96;  // pixels

std::vector<GizmoHandle> rotate_handles(const GizmoView& view) {
  std::vector<GizmoHandle> result;
  const Vec3 eye = towards_eye(view);
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = Vec3::Unit(i);
    GizmoHandle ring;
    ring.constraint = {TransformConstraint::Kind::axis, i, false};
    ring.colour = axis_colour(i);
    Vec3 front = eye - axis * axis.dot(eye);
    if (front.norm() < 0.05) {
      // Seen from the front: the whole circle.
      const Vec3 u = axis.unitOrthogonal();
      ring.lines.push_back(gizmo_circle(view, Vec3::Zero(), u, axis.cross(u), kRing));
    } else {
      front.normalize();
      const Vec3 side = axis.cross(front);
      ring.lines.push_back(gizmo_circle(view, Vec3::Zero(), front, side, kRing, -kPi / 2, kPi / 2));
      ring.faint.push_back(gizmo_circle(view, Vec3::Zero(), front, side, kRing, kPi / 2, 3 * kPi / 2));
    }
    ring.depth = std::abs(axis.dot(eye));
    result.push_back(std::move(ring));
  }
  GizmoHandle outer;
  outer.colour = QColor(0xe6, 0xe8, 0xec, 0xd0);
  const QPointF middle = gizmo_point(view, Vec3::Zero());
  QPolygonF circle;
  for (int i = 0; i <= 64; ++i)
    circle.append(middle + kOuterRing * QPointF(std::cos(2 * kPi * i / 64), std::sin(2 * kPi * i / 64)));
  outer.lines.push_back(circle);
  outer.depth = -1;
  result.push_back(std::move(outer));
  sort_handles(result);
  return result;
}

}  // namespace

const ToolInfo& tool_rotate() {
  static const ToolInfo info{"rotate",
                             "Rotate",
                             "rotate",
                             "Drag a ring: a coloured one turns about its axis, the outer one about the line of sight.",
                             2,
                             true,
                             TransformMode::rotate,
                             &rotate_handles};
  return info;
}

}  // namespace hazumi
