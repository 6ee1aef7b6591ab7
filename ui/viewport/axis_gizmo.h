// The axes in the corner: where x, y and z point; a click on a ball looks along that axis, a drag orbits.
#pragma once

#include <QPointF>
#include <QString>

#include "render/camera.h"

class QPainter;

namespace hazumi {

/// Centre in logical pixels of a viewport of this size.
QPointF axis_gizmo_centre(glm::vec2 size);
/// 0…5: +x −x +y −y +z −z; 6: on the disc but on no ball; −1: elsewhere.
int axis_gizmo_at(const ViewCamera& camera, glm::vec2 size, QPointF mouse);
/// The viewpoint behind a ball: "right" for +x, "left" for −x, "top", "bottom", "front" (+z), "back".
QString axis_gizmo_side(int ball);
/// Centre of a ball.
QPointF axis_gizmo_ball(const ViewCamera& camera, glm::vec2 size, int ball);
void paint_axis_gizmo(QPainter& painter, const ViewCamera& camera, glm::vec2 size, int hovered);

}  // namespace hazumi
