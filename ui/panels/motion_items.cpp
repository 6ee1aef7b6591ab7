#include "ui/panels/motion_items.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>

#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

// Logical pixels.
constexpr double kBoxPad = 9, kTagHeight = 15, kTitleHeight = 16, kLineHeight = 13, kBoxBottom = 6;
constexpr double kEventRound = 3, kProcedureRound = 13, kGlow = 5, kArrow = 7, kPort = 4;
constexpr int kSentenceLines = 2;
constexpr double kFarZoom = 0.62, kFarTitle = 24;

const QColor kEventFill{0x2f, 0x3a, 0x48}, kEventEdge{0x6c, 0x87, 0xa8};
const QColor kProcedureFill{0x2c, 0x3d, 0x36}, kProcedureEdge{0x63, 0x96, 0x7d};
const QColor kArmed{0x7d, 0xc4, 0xff}, kFlash{0xff, 0xd8, 0x6b}, kFlashFill{0x7d, 0x62, 0x22},
    kRunning{0x2f, 0x70, 0x5c};
const QColor kWire{0x8b, 0x92, 0x9c}, kRelated{0xb7, 0x8f, 0xd6};

QFont box_font(int pixels, bool bold = false) {
  QFont font = QApplication::font();
  font.setPixelSize(pixels);
  font.setBold(bold);
  return font;
}

QColor mixed(const QColor& a, const QColor& b, double part) {
  const auto mix = [part](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * part)); };
  return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

void paint_head(QPainter& painter, QPointF tip, QPointF along, const QColor& colour) {
  const double length = std::max(1e-6, std::hypot(along.x(), along.y()));
  const QPointF u = along / length, n(-u.y(), u.x());
  QPolygonF head;
  head << tip << tip - u * kArrow + n * kArrow * 0.5 << tip - u * kArrow * 0.72 << tip - u * kArrow - n * kArrow * 0.5;
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawPolygon(head);
}

/// Where the way from the middle of a box towards a place leaves it.
QPointF edge_towards(const QRectF& box, QPointF place) {
  const QPointF middle = box.center(), way = place - middle;
  if (way.isNull()) return middle;
  const double across = std::abs(way.x()) > 1e-9 ? box.width() / 2 / std::abs(way.x()) : 1e9;
  const double down = std::abs(way.y()) > 1e-9 ? box.height() / 2 / std::abs(way.y()) : 1e9;
  return middle + way * std::min(across, down);
}

}  // namespace

// Boxes ---------------------------------------------------------------------------------------------------------------

QStringList MotionBox::sentence_lines() const {
  QString text = look_.sentence;
  if (!look_.condition.isEmpty())
    text += (text.isEmpty() ? QString() : QStringLiteral(", ")) + QStringLiteral("if ") + look_.condition;
  QStringList lines;
  QTextLayout layout(text, box_font(10));
  layout.beginLayout();
  const QFontMetricsF metrics(box_font(10));
  while (lines.size() < kSentenceLines) {
    QTextLine line = layout.createLine();
    if (!line.isValid()) break;
    line.setLineWidth(kWidth - 2 * kBoxPad);
    const int from = line.textStart();
    const bool last = lines.size() == kSentenceLines - 1 && from + line.textLength() < text.size();
    lines << (last ? metrics.elidedText(text.mid(from), Qt::ElideRight, kWidth - 2 * kBoxPad)
                   : text.mid(from, line.textLength()).trimmed());
  }
  layout.endLayout();
  return lines;
}

void MotionBox::show(BoxLook look) {
  if (look == look_) return;
  prepareGeometryChange();
  look_ = std::move(look);
  height_ = kTagHeight + kTitleHeight + kLineHeight * static_cast<double>(sentence_lines().size()) + kBoxBottom;
  update();
}

QRectF MotionBox::boundingRect() const { return body().adjusted(-9, -9, 9, 9); }

QRectF MotionBox::loop_mark() const { return QRectF(pos() + QPointF(kWidth - 23, kTagHeight - 1), QSizeF(16, 16)); }

void MotionBox::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setOpacity(look_.muted ? 0.45 : 1);
  paint_body(*painter);
  paint_words(*painter);
  paint_marks(*painter);
}

void MotionBox::paint_body(QPainter& painter) {
  const double round = look_.event ? kEventRound : kProcedureRound;
  const QRectF box = body();
  if (look_.lit || look_.flash > 0) {  // a soft light around it
    QColor light = look_.flash > 0 ? kFlash : kArmed;
    for (int ring = 3; ring > 0; --ring) {
      light.setAlphaF(static_cast<float>(look_.flash > 0 ? 0.10 + 0.22 * look_.flash : 0.13));
      painter.setPen(Qt::NoPen);
      painter.setBrush(light);
      const double d = kGlow * ring / 3;
      painter.drawRoundedRect(box.adjusted(-d, -d, d, d), round + d, round + d);
    }
  }
  if (look_.selected) {
    painter.setPen(QPen(look_.active ? theme_colours().accent : theme_colours().accent_dim, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box.adjusted(-3.5, -3.5, 3.5, 3.5), round + 3, round + 3);
  }
  QColor fill = look_.event ? kEventFill : kProcedureFill, edge = look_.event ? kEventEdge : kProcedureEdge;
  if (look_.unknown) fill = QColor(0x3a, 0x33, 0x33), edge = theme_colours().error;
  if (look_.running) fill = kRunning, edge = QColor(0x8f, 0xd8, 0xb8);
  if (look_.lit) edge = kArmed;
  if (look_.flash > 0) {
    fill = mixed(fill, kFlashFill, 0.75 * look_.flash);
    edge = mixed(edge, kFlash, look_.flash);
  }
  if (look_.hovered) fill = fill.lighter(112);
  painter.setPen(QPen(edge, look_.lit || look_.flash > 0 ? 1.8 : 1.2, look_.muted ? Qt::DashLine : Qt::SolidLine));
  painter.setBrush(fill);
  painter.drawRoundedRect(box, round, round);
  if (!look_.doubled) return;
  painter.setPen(QPen(edge, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(box.adjusted(3, 3, -3, -3), std::max(1.0, round - 3), std::max(1.0, round - 3));
}

void MotionBox::paint_words(QPainter& painter) {
  const ThemeColours& colours = theme_colours();
  const double inner = kWidth - 2 * kBoxPad;
  // Whose motion it is: a spot of the object's colour and its name.
  painter.setPen(Qt::NoPen);
  painter.setBrush(look_.colour);
  painter.drawRoundedRect(QRectF(kBoxPad, 6, 7, 7), 2, 2);
  const QFont tag = box_font(10, look_.own);
  painter.setFont(tag);
  painter.setPen(look_.own ? look_.colour : colours.quiet_text);
  const double tag_width = inner - 12 - (look_.count > 0 ? 34 : 0) - (look_.fault.isEmpty() ? 0 : 16);
  painter.drawText(QRectF(kBoxPad + 12, 2, tag_width, kTagHeight), Qt::AlignVCenter | Qt::AlignLeft,
                   QFontMetricsF(tag).elidedText(look_.owner, Qt::ElideRight, tag_width));
  // Seen from afar it is its title.
  const double zoom = painter.worldTransform().m11();
  if (zoom < kFarZoom) {
    const QFont large = box_font(static_cast<int>(std::min(kFarTitle, 10 / zoom)), true);
    painter.setFont(large);
    painter.setPen(QColor(0xee, 0xf0, 0xf3));
    const QRectF room(kBoxPad, kTagHeight, inner - (look_.event ? 18 : 0), height_ - kTagHeight - 3);
    return painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                            QFontMetricsF(large).elidedText(look_.title, Qt::ElideRight, room.width()));
  }
  const QFont title = box_font(12, true);
  painter.setFont(title);
  painter.setPen(QColor(0xee, 0xf0, 0xf3));
  const double title_width = inner - (look_.event ? 18 : 0);
  painter.drawText(QRectF(kBoxPad, kTagHeight, title_width, kTitleHeight), Qt::AlignVCenter | Qt::AlignLeft,
                   QFontMetricsF(title).elidedText(look_.title, Qt::ElideRight, title_width));
  painter.setFont(box_font(10));
  painter.setPen(QColor(0xb9, 0xc0, 0xc9));
  double y = kTagHeight + kTitleHeight;
  for (const QString& line : sentence_lines()) {
    painter.drawText(QRectF(kBoxPad, y, inner, kLineHeight), Qt::AlignVCenter | Qt::AlignLeft, line);
    y += kLineHeight;
  }
}

void MotionBox::paint_marks(QPainter& painter) {
  const ThemeColours& colours = theme_colours();
  double right = kWidth - kBoxPad;
  if (!look_.fault.isEmpty()) {
    theme_icon(QStringLiteral("warning"), colours.warning)
        .paint(&painter, QRect(static_cast<int>(right) - 12, 2, 13, 13));
    right -= 16;
  }
  if (look_.count > 0) {
    painter.setFont(box_font(10));
    painter.setPen(look_.flash > 0 ? kFlash : colours.quiet_text);
    painter.drawText(QRectF(right - 34, 2, 34, kTagHeight), Qt::AlignVCenter | Qt::AlignRight,
                     QStringLiteral("×%1").arg(look_.count));
  }
  if (look_.event && (look_.loop || look_.hovered || look_.selected)) {
    QColor ring = look_.loop ? colours.accent : QColor(0x6b, 0x72, 0x7b);
    theme_icon(QStringLiteral("loop"), ring).paint(&painter, loop_mark().translated(-pos()).toRect());
  }
  if (look_.stop) {  // playing stops here
    painter.setPen(QPen(QColor(0x1a, 0x1b, 0x1e), 1));
    painter.setBrush(colours.error);
    painter.drawEllipse(QPointF(0, 0), 5, 5);
  }
  // What wires are drawn from.
  const bool open = look_.hovered || look_.selected;
  painter.setPen(QPen(QColor(0x1a, 0x1b, 0x1e), 1));
  painter.setBrush(open ? QColor(0xe4, 0xe7, 0xeb) : kWire);
  painter.drawEllipse(QPointF(kWidth, height_ / 2), open ? kPort + 1 : kPort - 1, open ? kPort + 1 : kPort - 1);
  if (look_.event && open) {
    painter.setBrush(kRelated);
    painter.drawEllipse(QPointF(kWidth / 2, height_), kPort, kPort);
  }
}

// Wires ---------------------------------------------------------------------------------------------------------------

QPainterPath wire_path(QPointF from, QPointF to) {
  QPainterPath path(from);
  const double dx = to.x() - from.x(), dy = to.y() - from.y();
  if (dx >= 24) {
    const double bend = std::clamp(dx / 2, 18.0, 120.0);
    path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
    return path;
  }
  // Back to the left: out, around below or above, and in again.
  const double out = 34, around = std::abs(dy) < 80 ? (dy >= 0 ? 62 : -62) : dy / 2;
  const QPointF right = from + QPointF(out, around * 0.75), left = to + QPointF(-out, (around - dy) * 0.75);
  path.cubicTo(from + QPointF(out, 0), right + QPointF(0, -around * 0.3), right);
  path.cubicTo(right + QPointF(0, around * 0.4), left + QPointF(0, (around - dy) * 0.4), left);
  path.cubicTo(left + QPointF(0, -(around - dy) * 0.3), to - QPointF(out, 0), to);
  return path;
}

QPainterPath relation_path(const QRectF& from, const QRectF& to) {
  const QPointF a = edge_towards(from.adjusted(-2, -2, 2, 2), to.center());
  const QPointF b = edge_towards(to.adjusted(-2, -2, 2, 2), from.center());
  QPainterPath path(a);
  path.lineTo(b);
  return path;
}

void paint_wire(QPainter& painter, const QPainterPath& path, const QColor& colour, double width, bool related) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(colour, width, related ? Qt::DashLine : Qt::SolidLine, Qt::RoundCap));
  painter.drawPath(path);
  const double length = std::max(1.0, path.length());
  const QPointF end = path.pointAtPercent(1);
  paint_head(painter, end, end - path.pointAtPercent(path.percentAtLength(std::max(0.0, length - kArrow))), colour);
  if (!related) return;
  const QPointF begin = path.pointAtPercent(0);
  paint_head(painter, begin, begin - path.pointAtPercent(path.percentAtLength(std::min(length, kArrow))), colour);
}

void MotionWireItem::show(const WireLook& look, const QPainterPath& path) {
  if (look == look_ && path == path_) return;
  prepareGeometryChange();
  look_ = look;
  path_ = path;
  update();
}

double MotionWireItem::distance(QPointF place) const {
  double nearest = 1e300;
  for (int i = 0; i <= 48; ++i) {
    const QPointF way = path_.pointAtPercent(i / 48.0) - place;
    nearest = std::min(nearest, std::hypot(way.x(), way.y()));
  }
  return nearest;
}

QRectF MotionWireItem::boundingRect() const { return path_.boundingRect().adjusted(-10, -10, 10, 10); }

void MotionWireItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  painter->setOpacity(look_.muted ? 0.45 : 1);
  QColor colour = look_.related ? kRelated : kWire;
  if (look_.lit) colour = kFlash;
  if (look_.hovered) colour = colour.lighter(135);
  if (look_.selected) colour = theme_colours().accent;
  paint_wire(*painter, path_, colour, look_.selected ? 2.4 : 1.6, look_.related);
  if (look_.place == 0) return;
  const QPointF middle = path_.pointAtPercent(0.5);
  painter->setPen(QPen(colour, 1));
  painter->setBrush(theme_colours().base);
  painter->drawEllipse(middle, 8, 8);
  painter->setFont(box_font(10, true));
  painter->setPen(theme_colours().text);
  painter->drawText(QRectF(middle - QPointF(8, 8), QSizeF(16, 16)), Qt::AlignCenter, QString::number(look_.place));
}

}  // namespace hazumi
