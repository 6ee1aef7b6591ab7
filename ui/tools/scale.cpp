// Scale: a box per axis of the object, a box at the centre for all three at once.
#include <cmath>

#include "ui/tools/tool.h"

namespace hazumi {

namespace {

constexpr double kBox = 6;  // pixels, half the edge

QPolygonF square_at(QPointF middle, double half) {
  return QPolygonF({middle + QPointF(-half, -half), middle + QPointF(half, -half), middle + QPointF(half, half),
                    middle + QPointF(-half, half)});
}

std::vector<GizmoHandle> scale_handles(const GizmoView& view) {
  std::vector<GizmoHandle> result;
  const Vec3 eye = towards_eye(view);
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = view.local.col(i);
    const double seen = std::sqrt(std::max(0.0, 1 - axis.dot(eye) * axis.dot(eye)));
    GizmoHandle handle;
    handle.constraint = {TransformConstraint::Kind::axis, i, true};
    handle.colour = axis_colour(i);
    handle.strength = std::clamp((seen - 0.08) / 0.2, 0.0, 1.0);
    handle.depth = axis.dot(eye);
    handle.lines.push_back(gizmo_segment(view, axis, 14, kGizmoLength - kBox));
    handle.areas.push_back(square_at(gizmo_point(view, axis * kGizmoLength), kBox));
    if (handle.strength > 0) result.push_back(std::move(handle));
  }
  GizmoHandle centre;
  centre.colour = QColor(0xf4, 0xf5, 0xf7);
  centre.depth = 2;
  centre.areas.push_back(square_at(gizmo_point(view, Vec3::Zero()), 8));
  result.push_back(std::move(centre));
  sort_handles(result);
  return result;
}

}  // namespace

const ToolInfo& tool_scale() {
  static const ToolInfo info{"scale",
                             "Scale",
                             "scale",
                             "Drag a box to scale along its axis, the middle one to scale everything.",
                             3,
                             true,
                             TransformMode::scale,
                             &scale_handles};
  return info;
}

}  // namespace hazumi
