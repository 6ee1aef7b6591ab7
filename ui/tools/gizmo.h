// A gizmo as it lies on the screen: handles made of lines and areas in logical pixels, always over the scene and of the
// same size. Pure functions of the view, so that painting, picking and tests agree on where a handle is.
#pragma once

#include <vector>

#include <QColor>
#include <QPolygonF>

#include "ui/tools/transform_math.h"
#include "ui/widgets/theme.h"

class QPainter;

namespace hazumi {

inline constexpr float kGizmoLength = 88;   ///< pixels from the centre to the tip of an arrow
inline constexpr double kPickDistance = 7;  ///< pixels

struct GizmoView {
  ViewCamera camera;
  glm::vec2 size{1};              ///< logical pixels of the viewport
  glm::vec3 pivot{0};             ///< m
  Mat3 local = Mat3::Identity();  ///< columns: axes of the active object (scaling is along these)
};

struct GizmoHandle {
  TransformConstraint constraint;
  QColor colour;
  std::vector<QPolygonF> lines;  ///< open; stroked and picked
  std::vector<QPolygonF> faint;  ///< stroked thinly, not picked (the far half of a ring)
  std::vector<QPolygonF> areas;  ///< filled and picked
  double strength = 1;           ///< 0…1, fades when seen edge-on; not picked below ¼
  double depth = 0;              ///< of what the handle points at: nearer ones are painted later, picked first
};

/// Pixel of pivot + x; x in pixels of the gizmo's size along world axes.
QPointF gizmo_point(const GizmoView& view, const Vec3& pixels);
/// Unit vector from the pivot to the eye.
Vec3 towards_eye(const GizmoView& view);
/// A line from the centre outwards, from `begin` to `end` pixels along `direction`.
QPolygonF gizmo_segment(const GizmoView& view, const Vec3& direction, double begin, double end);
QPolygonF gizmo_circle(const GizmoView& view, const Vec3& centre, const Vec3& u, const Vec3& v, double radius,
                       double from = 0, double to = 2 * kPi, int pieces = 48);

/// Sorted far to near.
void sort_handles(std::vector<GizmoHandle>& handles);
void paint_handles(QPainter& painter, const std::vector<GizmoHandle>& handles, int hovered);
/// Index of the handle under the mouse, −1 none. Lines win over areas they cross when nearer than the pick distance.
int handle_at(const std::vector<GizmoHandle>& handles, QPointF mouse);
/// A place to grab the handle at (tests).
QPointF grab_point(const GizmoHandle& handle);

}  // namespace hazumi
