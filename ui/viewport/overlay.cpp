#include "ui/viewport/overlay.h"

#include <algorithm>
#include <utility>

#include <QPainter>
#include <QPainterPath>

#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kTextMargin = 12;  // pixels from the edge

/// Text on a dark see-through plate: readable on white things and on black ones. Returns the plate.
QRectF draw_plate(QPainter& painter, QPointF at, Qt::Alignment side, const QString& text, const QColor& colour) {
  const QFontMetricsF metrics(painter.font());
  const QSizeF size(metrics.horizontalAdvance(text) + 14, metrics.height() + 6);
  const QRectF plate(QPointF(side & Qt::AlignRight ? at.x() - size.width() : at.x(),
                             side & Qt::AlignBottom ? at.y() - size.height() : at.y()),
                     size);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0x17, 0x18, 0x1a, 190));
  painter.drawRoundedRect(plate, 5, 5);
  painter.setPen(colour);
  painter.drawText(plate, Qt::AlignCenter, text);
  return plate;
}

void draw_pill(QPainter& painter, QPointF top_middle, const QString& text, int pixel_size, const QColor& edge) {
  QFont font = painter.font();
  font.setPixelSize(pixel_size);
  font.setBold(false);
  painter.setFont(font);
  const QRectF words = painter.fontMetrics().boundingRect(text);
  const double width = words.width() + 28, height = pixel_size + 15;
  const QRectF box(top_middle.x() - width / 2, top_middle.y(), width, height);
  painter.setPen(QPen(edge, 1));
  painter.setBrush(QColor(0x17, 0x18, 0x1a, 225));
  painter.drawRoundedRect(box, height / 2, height / 2);
  painter.setPen(theme_colours().text);
  painter.drawText(box, Qt::AlignCenter, text);
}

}  // namespace

void paint_overlay_text(QPainter& painter, const OverlayText& text, const QRectF& area, double left_margin) {
  const ThemeColours& colours = theme_colours();
  painter.setRenderHint(QPainter::Antialiasing);
  const QFont plain = painter.font();
  QFont font = plain;
  font.setPixelSize(12);
  font.setBold(false);
  painter.setFont(font);
  const QPointF corner(area.left() + left_margin, area.top() + text.top + kTextMargin - 2);
  const QRectF view = draw_plate(painter, corner, Qt::AlignLeft | Qt::AlignTop, text.view, colours.quiet_text);
  if (!text.active.isEmpty()) {
    const double room = area.width() - left_margin - 150;
    draw_plate(painter, view.bottomLeft() + QPointF(0, 4), Qt::AlignLeft | Qt::AlignTop,
               painter.fontMetrics().elidedText(text.active, Qt::ElideRight, static_cast<int>(room)), colours.text);
  }
  const QRectF frame = draw_plate(painter, area.bottomRight() - QPointF(kTextMargin, kTextMargin - 2),
                                  Qt::AlignRight | Qt::AlignBottom, text.frame, colours.text);
  if (!text.note.isEmpty()) {
    const double room = frame.left() - area.left() - 3 * kTextMargin;
    const QString note = painter.fontMetrics().elidedText(text.note, Qt::ElideRight, static_cast<int>(room));
    draw_plate(painter, area.bottomLeft() + QPointF(kTextMargin, 2 - kTextMargin), Qt::AlignLeft | Qt::AlignBottom,
               note, colours.quiet_text);
  }

  if (!text.empty.isEmpty()) {
    font.setPixelSize(19);
    painter.setFont(font);
    painter.setPen(colours.text);
    const QRectF middle(area.left(), area.center().y() - 34, area.width(), 30);
    painter.drawText(middle, Qt::AlignCenter, text.empty);
    font.setPixelSize(13);
    painter.setFont(font);
    painter.setPen(colours.quiet_text);
    painter.drawText(middle.translated(0, 30), Qt::AlignCenter, text.empty_more);
  }
  const double middle_x = area.center().x();
  double y = area.top() + text.top + kTextMargin;
  if (!text.value.isEmpty()) {
    draw_pill(painter, {middle_x, y}, text.value, 14, colours.accent);
    y += 36;
  }
  if (!text.badge.isEmpty()) draw_pill(painter, {middle_x, y}, text.badge, 12, colours.computed);
  painter.setFont(plain);
}

void paint_box_select(QPainter& painter, const QRectF& box, bool removes) {
  const QColor edge = removes ? theme_colours().error : theme_colours().accent;
  QColor fill = edge;
  fill.setAlpha(30);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(QPen(edge, 1, Qt::DashLine));
  painter.setBrush(fill);
  painter.drawRect(box);
}

void paint_passepartout(QPainter& painter, const QRectF& area, const QRectF& picture) {
  QPainterPath outside;
  outside.addRect(area);
  outside.addRect(picture);  // odd-even: the picture is left open
  painter.fillPath(outside, QColor(0, 0, 0, 120));
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(QPen(QColor(255, 255, 255, 110), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(picture);
}

void paint_safe_areas(QPainter& painter, const QRectF& picture) {
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setBrush(Qt::NoBrush);
  const QPointF middle = picture.center();
  for (const auto& [share, style] : {std::pair(0.93, Qt::SolidLine), std::pair(0.90, Qt::DashLine)}) {
    const QRectF area(middle.x() - share * picture.width() / 2, middle.y() - share * picture.height() / 2,
                      share * picture.width(), share * picture.height());
    painter.setPen(QPen(QColor(0, 0, 0, 110), 3));
    painter.drawRect(area);
    painter.setPen(QPen(QColor(255, 255, 255, 190), 1, style));
    painter.drawRect(area);
  }
  // The middle.
  painter.setPen(QPen(QColor(255, 255, 255, 120), 1));
  painter.drawLine(middle - QPointF(8, 0), middle + QPointF(8, 0));
  painter.drawLine(middle - QPointF(0, 8), middle + QPointF(0, 8));
}

void paint_problem(QPainter& painter, const QRectF& area, const QString& sentence) {
  painter.fillRect(area, theme_colours().base);
  QFont font = painter.font();
  font.setPixelSize(14);
  painter.setFont(font);
  painter.setPen(theme_colours().text);
  painter.drawText(area.adjusted(30, 30, -30, -30), Qt::AlignCenter | Qt::TextWordWrap, sentence);
}

}  // namespace hazumi
