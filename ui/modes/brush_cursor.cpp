#include "ui/modes/brush_cursor.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QPainter>

#include "ui/model/document_controller.h"
#include "ui/model/text.h"
#include "ui/modes/truss_tools.h"

namespace hazumi {

void BrushCursor::at(QPointF pixel, std::optional<Vec3> place) {
  if (sizing_) return;
  pixel_ = pixel;
  place_ = place;
}

void BrushCursor::start_sizing(double radius) {
  sizing_ = true;
  sizing_from_ = pixel_;
  start_radius_ = radius;
}

double BrushCursor::metres_per_pixel(const ModeView& view) const {
  const glm::vec3 at = place_ ? view.space.at(*place_) : view.camera.target;
  return static_cast<double>(view.camera.metres_per_pixel(at, view.size));
}

double BrushCursor::sized(const ModeView& view, QPointF pixel) const {
  return std::clamp(start_radius_ + (pixel.x() - sizing_from_.x()) * metres_per_pixel(view), kLeast, kMost);
}

double BrushCursor::wheeled(double radius, double notches) {
  return std::clamp(radius * std::pow(1.12, notches), kLeast, kMost);
}

void BrushCursor::paint(const ModeView& view, QPainter& painter, double radius, const QColor& colour,
                        const QString& text) const {
  if (!place_ && !sizing_) return;
  const double pixels = radius / metres_per_pixel(view);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(QColor(0, 0, 0, 150), 3.5));
  painter.drawEllipse(pixel_, pixels, pixels);
  painter.setPen(QPen(colour, 1.6));
  painter.drawEllipse(pixel_, pixels, pixels);
  if (text.isEmpty()) return;
  QFont font = painter.font();
  font.setPixelSize(11);
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  const QRectF plate(pixel_.x() - metrics.horizontalAdvance(text) / 2 - 6, pixel_.y() + pixels + 5,
                     metrics.horizontalAdvance(text) + 12, metrics.height() + 4);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0x17, 0x18, 0x1a, 205));
  painter.drawRoundedRect(plate, 4, 4);
  painter.setPen(colour);
  painter.drawText(plate, Qt::AlignCenter, text);
}

double BrushCursor::local_radius(const ObjectSpace& space, double radius) {
  return radius / std::cbrt(space.transform.scale.prod());
}

bool BrushTool::press(const ModeContext& context, const ModePointer& pointer) {
  if (cursor_.sizing()) {
    cursor_.end_sizing();
    return true;
  }
  if (!begins(context, pointer)) return true;
  stroke_ = context.ui.document.new_gesture();
  last_.reset();
  move(context, pointer);
  return true;
}

void BrushTool::move(const ModeContext& context, const ModePointer& pointer) {
  if (cursor_.sizing()) {
    if (const auto view = context.stage.mode_view()) set_radius(cursor_.sized(*view, pointer.pixel));
    return;
  }
  cursor_.at(pointer.pixel, place(context, pointer));
  held_ = pointer.modifiers;
  if (stroke_ == 0 || !cursor_.place() || !context.object()) return;
  const double apart = 0.25 * BrushCursor::local_radius(ObjectSpace(*context.object()), radius());
  if (last_ && (*last_ - *cursor_.place()).norm() < apart) return;
  last_ = cursor_.place();
  dab(context, *last_, stroke_);
}

bool BrushTool::key(const ModeContext&, int key, Qt::KeyboardModifiers held) {
  if (key == Qt::Key_F && held == Qt::NoModifier) {
    if (!cursor_.sizing()) cursor_.start_sizing(radius());
    return true;
  }
  if (!cursor_.sizing()) return false;
  if (key == Qt::Key_Escape) set_radius(cursor_.start_radius());
  const bool ends = key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter;
  if (ends) cursor_.end_sizing();
  return ends;
}

bool BrushTool::wheel(const ModeContext&, double notches, Qt::KeyboardModifiers held) {
  if (held & Qt::ControlModifier) return false;
  set_radius(BrushCursor::wheeled(radius(), notches));
  return true;
}

void BrushTool::paint(const ModeView& view, QPainter& painter) const {
  const QString text = cursor_.sizing() ? tr("%1 m").arg(radius(), 0, 'g', 3) : QString();
  cursor_.paint(view, painter, radius(), colour(), text);
}

QString BrushTool::hint() const {
  return cursor_.sizing() ? tr("Move sets the radius · click takes it · Esc gives up") : about();
}

std::optional<Vec3> brush_place(const ModeContext& context, const ModePointer& pointer, std::span<const Vec3> places) {
  if (pointer.surface) return pointer.surface;
  const auto view = context.stage.mode_view();
  if (!view || places.empty()) return std::nullopt;
  const Vec3* nearest = nullptr;
  double least = 0;
  for (const Vec3& place : places) {
    const glm::vec3 p = view->camera.project(view->space.at(place), view->size);
    if (!(p.z > 0 && p.z < 1)) continue;
    const double distance =
        std::hypot(static_cast<double>(p.x) - pointer.pixel.x(), static_cast<double>(p.y) - pointer.pixel.y());
    if (nearest && distance >= least) continue;
    nearest = &place;
    least = distance;
  }
  if (!nearest) return std::nullopt;
  return place_in_view(context, pointer, *nearest);
}

}  // namespace hazumi
