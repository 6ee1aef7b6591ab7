#include "ui/tools/gizmo.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

namespace hazumi {

namespace {

double distance_to(const QPolygonF& line, QPointF p) {
  double best = 1e9;
  for (int i = 0; i + 1 < line.size(); ++i) {
    const QPointF a = line[i], d = line[i + 1] - a;
    const double along = std::max(QPointF::dotProduct(d, d), 1e-12);
    const double t = std::clamp(QPointF::dotProduct(p - a, d) / along, 0.0, 1.0);
    best = std::min(best, std::hypot(p.x() - a.x() - t * d.x(), p.y() - a.y() - t * d.y()));
  }
  return best;
}

double distance_to(const GizmoHandle& handle, QPointF p) {
  double best = 1e9;
  for (const QPolygonF& area : handle.areas) {
    if (area.containsPoint(p, Qt::OddEvenFill)) return 0;
    QPolygonF outline = area;
    if (!outline.isEmpty()) outline.append(outline.first());
    // An area is grabbed inside; a little outside helps with small ones.
    best = std::min(best, distance_to(outline, p) + 3);
  }
  for (const QPolygonF& line : handle.lines) best = std::min(best, distance_to(line, p));
  return best;
}

}  // namespace

QPointF gizmo_point(const GizmoView& view, const Vec3& pixels) {
  const double scale = view.camera.metres_per_pixel(view.pivot, view.size);
  const glm::vec3 p = view.camera.project(view.pivot + to_float(Vec3(scale * pixels)), view.size);
  return {p.x, p.y};
}

Vec3 towards_eye(const GizmoView& view) {
  if (view.camera.orthographic) return -to_double(view.camera.forward());
  const Vec3 way = to_double(view.camera.position() - view.pivot);
  return way.norm() > 1e-9 ? Vec3(way.normalized()) : Vec3(-to_double(view.camera.forward()));
}

QPolygonF gizmo_segment(const GizmoView& view, const Vec3& direction, double begin, double end) {
  return QPolygonF({gizmo_point(view, direction * begin), gizmo_point(view, direction * end)});
}

QPolygonF gizmo_circle(const GizmoView& view, const Vec3& centre, const Vec3& u, const Vec3& v, double radius,
                       double from, double to, int pieces) {
  QPolygonF line;
  for (int i = 0; i <= pieces; ++i) {
    const double angle = from + (to - from) * i / pieces;
    line.append(gizmo_point(view, centre + radius * (std::cos(angle) * u + std::sin(angle) * v)));
  }
  return line;
}

void sort_handles(std::vector<GizmoHandle>& handles) {
  std::stable_sort(handles.begin(), handles.end(),
                   [](const GizmoHandle& a, const GizmoHandle& b) { return a.depth < b.depth; });
}

void paint_handles(QPainter& painter, const std::vector<GizmoHandle>& handles, int hovered) {
  painter.setRenderHint(QPainter::Antialiasing);
  for (int i = 0; i < static_cast<int>(handles.size()); ++i) {
    const GizmoHandle& handle = handles[static_cast<std::size_t>(i)];
    const bool hot = i == hovered;
    QColor colour = hot ? QColor(0xff, 0xe0, 0x66) : handle.colour;
    colour.setAlphaF(static_cast<float>(handle.strength));
    QColor shade(0, 0, 0);
    shade.setAlphaF(static_cast<float>(0.45 * handle.strength));
    QColor weak = colour;
    weak.setAlphaF(static_cast<float>(0.28 * handle.strength));
    painter.setBrush(Qt::NoBrush);
    for (const QPolygonF& line : handle.faint) {
      painter.setPen(QPen(weak, 1.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
      painter.drawPolyline(line);
    }
    for (const QPolygonF& line : handle.lines) {
      // A dark seam keeps the line readable on bright things.
      painter.setPen(QPen(shade, hot ? 5.5 : 4.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
      painter.drawPolyline(line);
      painter.setPen(QPen(colour, hot ? 3.4 : 2.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
      painter.drawPolyline(line);
    }
    for (const QPolygonF& area : handle.areas) {
      // Areas without lines are the flat ones (planes, the centre): see-through until the mouse is over them.
      QColor fill = colour;
      if (handle.lines.empty()) fill.setAlphaF(static_cast<float>((hot ? 0.75 : 0.4) * handle.strength));
      painter.setBrush(fill);
      painter.setPen(QPen(handle.lines.empty() ? colour : shade, handle.lines.empty() ? 1.4 : 1.0));
      painter.drawPolygon(area);
    }
  }
}

int handle_at(const std::vector<GizmoHandle>& handles, QPointF mouse) {
  int best = -1;
  double nearest = kPickDistance;
  for (int i = static_cast<int>(handles.size()) - 1; i >= 0; --i) {  // painted last is on top
    const GizmoHandle& handle = handles[static_cast<std::size_t>(i)];
    if (handle.strength < 0.25) continue;
    const double distance = distance_to(handle, mouse);
    if (distance < nearest) {
      nearest = distance;
      best = i;
    }
  }
  return best;
}

QPointF grab_point(const GizmoHandle& handle) {
  if (!handle.areas.empty()) {
    QPointF sum;
    for (const QPointF& p : handle.areas.front()) sum += p;
    return sum / static_cast<double>(handle.areas.front().size());
  }
  if (handle.lines.empty() || handle.lines.front().isEmpty()) return {};
  const QPolygonF& line = handle.lines.front();
  return line[line.size() / 2];
}

}  // namespace hazumi
