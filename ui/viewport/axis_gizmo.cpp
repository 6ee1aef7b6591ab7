#include "ui/viewport/axis_gizmo.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QPainter>

#include <glm/geometric.hpp>

#include "ui/tools/gizmo.h"

namespace hazumi {

namespace {

constexpr double kRadius = 34, kBall = 9, kDisc = 48, kBallMargin = 14;  // pixels

glm::vec3 direction(int ball) {
  glm::vec3 d(0);
  d[ball / 2] = ball % 2 ? -1.0f : 1.0f;
  return d;
}

/// Towards the eye: larger is nearer.
float depth(const ViewCamera& camera, int ball) { return -glm::dot(direction(ball), camera.forward()); }

std::array<int, 6> far_to_near(const ViewCamera& camera) {
  std::array<int, 6> order = {0, 1, 2, 3, 4, 5};
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return depth(camera, a) < depth(camera, b); });
  return order;
}

}  // namespace

QPointF axis_gizmo_centre(glm::vec2 size) { return {size.x - kDisc - kBallMargin, kDisc + kBallMargin}; }

QPointF axis_gizmo_ball(const ViewCamera& camera, glm::vec2 size, int ball) {
  const glm::vec3 d = direction(ball);
  return axis_gizmo_centre(size) + kRadius * QPointF(glm::dot(d, camera.right()), -glm::dot(d, camera.up()));
}

int axis_gizmo_at(const ViewCamera& camera, glm::vec2 size, QPointF mouse) {
  const std::array<int, 6> order = far_to_near(camera);
  for (auto ball = order.rbegin(); ball != order.rend(); ++ball) {
    const QPointF d = mouse - axis_gizmo_ball(camera, size, *ball);
    if (std::hypot(d.x(), d.y()) <= kBall + 2) return *ball;
  }
  const QPointF d = mouse - axis_gizmo_centre(size);
  return std::hypot(d.x(), d.y()) <= kDisc ? 6 : -1;
}

QString axis_gizmo_side(int ball) {
  static const char* const sides[] = {"right", "left", "top", "bottom", "front", "back"};
  return QLatin1String(sides[ball]);
}

void paint_axis_gizmo(QPainter& painter, const ViewCamera& camera, glm::vec2 size, int hovered) {
  painter.setRenderHint(QPainter::Antialiasing);
  const QPointF centre = axis_gizmo_centre(size);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(255, 255, 255, hovered >= 0 ? 26 : 10));
  painter.drawEllipse(centre, kDisc, kDisc);
  QFont font = painter.font();
  font.setPixelSize(11);
  font.setBold(true);
  painter.setFont(font);
  for (int ball : far_to_near(camera)) {
    const bool positive = ball % 2 == 0, hot = ball == hovered;
    QColor colour = axis_colour(ball / 2);
    // Behind the centre is darker, so that the three axes read as one solid thing.
    colour = colour.darker(100 + static_cast<int>(45 * std::max(0.0f, -depth(camera, ball))));
    const QPointF place = axis_gizmo_ball(camera, size, ball);
    if (positive) {
      painter.setPen(QPen(colour, 2.4, Qt::SolidLine, Qt::RoundCap));
      painter.drawLine(centre, place);
    }
    QColor fill = colour;
    if (!positive) fill = QColor(colour.red() / 3 + 20, colour.green() / 3 + 20, colour.blue() / 3 + 20);
    painter.setPen(QPen(hot ? QColor(Qt::white) : colour, hot ? 2.0 : 1.4));
    painter.setBrush(fill);
    painter.drawEllipse(place, kBall, kBall);
    if (positive || hot) {
      painter.setPen(positive ? QColor(0x14, 0x15, 0x18) : QColor(Qt::white));
      const QString letter = (positive ? QString() : QString(QChar(0x2212))) + QChar('X' + ball / 2);
      painter.drawText(QRectF(place.x() - 10, place.y() - 10, 20, 20), Qt::AlignCenter, letter);
    }
  }
}

}  // namespace hazumi
