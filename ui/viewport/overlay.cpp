#include "ui/viewport/overlay.h"

#include <algorithm>

#include <QPainter>
#include <QPainterPath>

#include "ui/theme.h"

namespace hazumi {

namespace {

constexpr double kMargin = 12;   // pixels from the edge

/// Light text with a dark seam: readable on white things and on black ones.
void draw_text(QPainter& painter, const QRectF& box, int flags, const QString& text, const QColor& colour) {
  QColor seam(0, 0, 0, 150);
  painter.setPen(seam);
  for (const QPointF& shift : {QPointF(1, 1), QPointF(0, 1), QPointF(1, 0), QPointF(-1, 0), QPointF(0, -1)})
    painter.drawText(box.translated(shift), flags, text);
  painter.setPen(colour);
  painter.drawText(box, flags, text);
}

void draw_pill(QPainter& painter, QPointF top_middle, const QString& text, int pixel_size, const QColor& edge) {
  QFont font = painter.font();
  font.setPixelSize(pixel_size);
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
  painter.setFont(font);
  const double line = painter.fontMetrics().height() + 3.0;
  const double left = area.left() + left_margin;
  const QRectF top(left, area.top() + kMargin, area.width() - left - 130, line);
  draw_text(painter, top, Qt::AlignLeft | Qt::AlignVCenter, text.view, colours.quiet_text);
  if (!text.active.isEmpty()) {
    font.setBold(true);
    painter.setFont(font);
    const QString name = painter.fontMetrics().elidedText(text.active, Qt::ElideRight, static_cast<int>(top.width()));
    draw_text(painter, top.translated(0, line), Qt::AlignLeft | Qt::AlignVCenter, name, colours.text);
    font.setBold(false);
    painter.setFont(font);
  }
  const double bottom = area.bottom() - kMargin - line;
  const double frame_width = painter.fontMetrics().horizontalAdvance(text.frame) + 4.0;
  const QRectF frame(area.right() - kMargin - frame_width, bottom, frame_width, line);
  draw_text(painter, frame, Qt::AlignRight | Qt::AlignVCenter, text.frame, colours.text);
  const QRectF hint(area.left() + kMargin, bottom, frame.left() - area.left() - 2 * kMargin, line);
  draw_text(painter, hint, Qt::AlignLeft | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(text.hint, Qt::ElideRight, static_cast<int>(hint.width())), colours.quiet_text);

  if (!text.empty.isEmpty()) {
    font.setPixelSize(19);
    painter.setFont(font);
    const QRectF middle(area.left(), area.center().y() - 34, area.width(), 30);
    draw_text(painter, middle, Qt::AlignCenter, text.empty, colours.text);
    font.setPixelSize(13);
    painter.setFont(font);
    draw_text(painter, middle.translated(0, 30), Qt::AlignCenter, text.empty_more, colours.quiet_text);
  }
  const double middle_x = area.center().x();
  double y = area.top() + kMargin;
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
  outside.addRect(picture);   // odd-even: the picture is left open
  painter.fillPath(outside, QColor(0, 0, 0, 120));
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(QPen(QColor(255, 255, 255, 110), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(picture);
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
