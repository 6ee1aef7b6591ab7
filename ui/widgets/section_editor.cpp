#include "ui/widgets/section_editor.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include "core/geometry/metaball/catalogue.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kLeastRound = 0.1, kMostRound = 3;  // of the field table
constexpr double kLeastRadius = 1e-3;                // m
constexpr double kGrab = 9;                          // pixels
constexpr double kCaption = 20;                      // pixels below the view
constexpr QColor kCarvesColour(0xf4, 0x62, 0x9e);

/// What is drawn and dragged: where it would be seen alone; a weight too weak to be seen is drawn as far as it reaches.
double drawn_fraction(const MetaballPrimitive& p) {
  const double fraction = seen_fraction(p.weight);
  return fraction > 0.05 ? fraction : 1.0;
}

/// ε of the curve |x/a|^(2/ε) + |y/b|^(2/ε) = 1 through (x, y) inside the rectangle; clamped.
double exponent_through(double x, double y) {
  x = std::clamp(std::abs(x), 1e-4, 1 - 1e-4);
  y = std::clamp(std::abs(y), 1e-4, 1 - 1e-4);
  double low = kLeastRound, high = kMostRound;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    // The sum grows with ε: a smaller power of numbers below one is larger.
    (std::pow(x, 2 / middle) + std::pow(y, 2 / middle) > 1 ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

double rounded(double value, double step) { return std::round(value / step) * step; }

QString number(double value, int decimals) { return QString::number(value, 'f', decimals); }

}  // namespace

SectionEditor::SectionEditor(Plane plane, QWidget* parent) : QWidget(parent), plane_(plane) {
  setMouseTracking(true);
  setFocusPolicy(Qt::ClickFocus);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setObjectName(plane == Plane::xy ? QStringLiteral("section_xy") : QStringLiteral("section_xz"));
  setAccessibleName(plane == Plane::xy ? tr("Section across the z axis") : tr("Section along the z axis"));
  setToolTip(
      tr("Drag the curve: at an axis its radius, between the axes its roundness. Shift drags both radii, Ctrl snaps, "
         "a double click makes it round."));
}

void SectionEditor::set_primitive(const std::optional<MetaballPrimitive>& primitive) {
  primitive_ = primitive;
  if (!primitive_) held_ = Handle::none;
  update();
}

void SectionEditor::set_size_in_view(double half) {
  if (held_ != Handle::none) return;  // the ground does not move under a drag
  half_ = std::max(half, 1e-4);
  update();
}

double SectionEditor::fitting_size(const MetaballPrimitive& p) {
  const double fraction = drawn_fraction(p);
  // Room to pull outwards, and the reach as far as it does not make the curve small.
  return std::min(1.08 * p.radii.maxCoeff(), 1.75 * fraction * p.radii.maxCoeff() + 0.02 * p.radii.maxCoeff());
}

QRectF SectionEditor::area() const {
  const double side = std::min<double>(width(), height() - kCaption);
  return {0.5 * (width() - side), 0, side, side};
}

QPointF SectionEditor::pixel(double x, double y) const {
  const QRectF r = area();
  const double scale = 0.5 * r.width() / half_;
  return {r.center().x() + scale * x, r.center().y() - scale * y};
}

QPointF SectionEditor::place(QPointF pixel) const {
  const QRectF r = area();
  const double scale = 0.5 * r.width() / half_;
  return {(pixel.x() - r.center().x()) / scale, (r.center().y() - pixel.y()) / scale};
}

SectionEditor::Curve SectionEditor::curve(const MetaballPrimitive& p) const {
  const double f = drawn_fraction(p);
  if (p.shape != MetaballShape::torus) return {0, f * p.radii[u()], f * p.radii[v()]};
  if (plane_ == Plane::xz) return {(1 - p.tube) * p.radii.x(), p.tube * f * p.radii.x(), f * p.radii.z()};
  const double outer = 1 - p.tube + p.tube * f;
  return {0, outer * p.radii.x(), outer * p.radii.y()};
}

QPointF SectionEditor::handle_at(Handle handle) const {
  if (!primitive_) return {};
  const MetaballPrimitive& p = *primitive_;
  const Curve c = curve(p);
  const double corner = std::pow(std::sqrt(0.5), exponent(p));  // at the angle of 45°: cos^ε
  switch (handle) {
    case Handle::right:
      return pixel(c.centre + c.a, 0);
    case Handle::left:
      return pixel(-c.centre - c.a, 0);
    case Handle::top:
      return pixel(c.centre, c.b);
    case Handle::bottom:
      return pixel(c.centre, -c.b);
    case Handle::corner:
      return pixel(c.centre + corner * c.a, corner * c.b);
    case Handle::inner: {
      const double f = drawn_fraction(p);
      return pixel(std::max(0.0, 1 - p.tube - p.tube * f) * p.radii.x(), 0);
    }
    case Handle::none:
      break;
  }
  return {};
}

SectionEditor::Handle SectionEditor::handle_under(QPointF mouse) const {
  if (!primitive_) return Handle::none;
  const bool torus = primitive_->shape == MetaballShape::torus;
  Handle best = Handle::none;
  double nearest = kGrab + 2;
  for (Handle handle : {Handle::right, Handle::left, Handle::top, Handle::bottom, Handle::corner, Handle::inner}) {
    if (handle == Handle::inner && !torus) continue;
    const double distance = QLineF(mouse, handle_at(handle)).length();
    if (distance >= nearest) continue;
    nearest = distance;
    best = handle;
  }
  if (best != Handle::none) return best;
  // The curve itself: what is nearest to the axis is its radius, the rest its roundness.
  for (const auto& line : section_lines(*primitive_, plane_ == Plane::xy ? 2 : 1, drawn_fraction(*primitive_), 96))
    for (std::size_t i = 0; i < line.size(); ++i) {
      const QPointF a = pixel(line[i][u()], line[i][v()]);
      const double distance = QLineF(mouse, a).length();
      if (distance >= nearest) continue;
      nearest = distance;
      best = Handle::corner;
    }
  if (best == Handle::none) return best;
  const Curve c = curve(*primitive_);
  const QPointF p = place(mouse);
  const double x = (std::abs(p.x()) - c.centre) / std::max(c.a, 1e-9), y = p.y() / std::max(c.b, 1e-9);
  const double angle = std::atan2(std::abs(y), std::abs(x));
  constexpr double kNear = 0.3;  // rad
  if (torus && plane_ == Plane::xy && std::hypot(x, y) < 0.9) return Handle::inner;
  if (angle < kNear) return torus && x < 0 ? Handle::inner : p.x() < 0 ? Handle::left : Handle::right;
  if (angle > kPi / 2 - kNear) return y < 0 ? Handle::bottom : Handle::top;
  return Handle::corner;
}

MetaballPrimitive SectionEditor::dragged(const MetaballPrimitive& from, Handle handle, QPointF mouse,
                                         Qt::KeyboardModifiers held) const {
  MetaballPrimitive p = from;
  const double f = drawn_fraction(from);
  const bool torus = from.shape == MetaballShape::torus, snap = held & Qt::ControlModifier;
  const bool both = (held & Qt::ShiftModifier) && handle != Handle::inner;
  const QPointF at = place(mouse);
  const Curve c = curve(from);
  const auto radius = [&](double seen, double per_radius) {
    if (snap) seen = std::max(rounded(seen, 0.05), 0.05);
    return std::max(seen / per_radius, kLeastRadius);
  };
  const double across = torus ? 1 - from.tube + from.tube * f : f;  // of the radius along x, and of a torus's along y
  const double up = torus && plane_ == Plane::xz ? f : across;
  const auto stretch = [&](int along, int other, double to) {
    const double factor = to / from.radii[along];
    p.radii[along] = factor * from.radii[along];
    if (both) p.radii[other] = std::max(factor * from.radii[other], kLeastRadius);
  };
  switch (handle) {
    case Handle::right:
    case Handle::left:
      stretch(u(), v(), radius(handle == Handle::right ? at.x() : -at.x(), across));
      break;
    case Handle::top:
    case Handle::bottom:
      stretch(v(), u(), radius(handle == Handle::top ? at.y() : -at.y(), up));
      break;
    case Handle::corner: {
      double e = exponent_through((std::abs(at.x()) - c.centre) / c.a, at.y() / c.b);
      if (snap) e = std::clamp(rounded(e, 0.1), kLeastRound, kMostRound);
      (plane_ == Plane::xy ? p.round_xy : p.round_xz) = e;
      break;
    }
    case Handle::inner: {
      double tube = (1 - std::max(at.x(), 0.0) / from.radii.x()) / (1 + f);
      if (snap) tube = rounded(tube, 0.05);
      p.tube = std::clamp(tube, 0.01, 0.99);
      break;
    }
    case Handle::none:
      break;
  }
  return p;
}

void SectionEditor::show_cursor(Handle handle) {
  switch (handle) {
    case Handle::right:
    case Handle::left:
    case Handle::inner:
      setCursor(Qt::SizeHorCursor);
      break;
    case Handle::top:
    case Handle::bottom:
      setCursor(Qt::SizeVerCursor);
      break;
    case Handle::corner:
      setCursor(Qt::SizeBDiagCursor);
      break;
    case Handle::none:
      unsetCursor();
      break;
  }
}

void SectionEditor::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !primitive_) return;
  held_ = handle_under(event->position());
  if (held_ == Handle::none) return;
  before_ = primitive_;
  changed_ = false;
  // Grabbed at its handle it stays under the mouse; anywhere else on the curve it follows from there.
  grip_ = handle_at(held_) - event->position();
  if (held_ == Handle::corner) grip_ = {};
  update();
}

void SectionEditor::mouseMoveEvent(QMouseEvent* event) {
  if (held_ == Handle::none || !before_) {
    const Handle now = handle_under(event->position());
    if (now != hovered_) {
      hovered_ = now;
      show_cursor(now);
      update();
    }
    return;
  }
  QPointF mouse = event->position();
  // A torus is bent at the corner of its right tube wherever the curve is held.
  mouse += grip_;
  const MetaballPrimitive next = dragged(*before_, held_, mouse, event->modifiers());
  if (next == *primitive_) return;
  primitive_ = next;
  const bool continues = changed_;
  changed_ = true;
  update();
  emit edited(next,
              held_ == Handle::corner  ? tr("Shape")
              : held_ == Handle::inner ? tr("Tube")
                                       : tr("Size"),
              continues);
}

void SectionEditor::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || held_ == Handle::none) return;
  held_ = Handle::none;
  before_.reset();
  hovered_ = handle_under(event->position());
  show_cursor(hovered_);
  update();
  emit finished();
}

void SectionEditor::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !primitive_ || exponent(*primitive_) == 1) return;
  held_ = Handle::none;
  MetaballPrimitive next = *primitive_;
  (plane_ == Plane::xy ? next.round_xy : next.round_xz) = 1;
  primitive_ = next;
  update();
  emit edited(next, tr("Shape"), false);
  emit finished();
}

void SectionEditor::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape || held_ == Handle::none || !before_) return QWidget::keyPressEvent(event);
  const MetaballPrimitive back = *before_;
  held_ = Handle::none;
  before_.reset();
  primitive_ = back;
  update();
  if (changed_) emit edited(back, tr("Shape"), true);
  emit finished();
}

void SectionEditor::leaveEvent(QEvent*) {
  if (hovered_ == Handle::none || held_ != Handle::none) return;
  hovered_ = Handle::none;
  update();
}

void SectionEditor::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const ThemeColours& colours = theme_colours();
  const QRectF r = area();
  QPainterPath frame;
  frame.addRoundedRect(r.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
  painter.fillPath(frame, colours.base);
  painter.save();
  painter.setClipPath(frame);
  // A line every tenth of a metre, or every metre for large ones; the axes in their colours.
  const double cell = std::pow(10, std::floor(std::log10(half_)));
  painter.setPen(QPen(QColor(255, 255, 255, 14), 1));
  for (double t = cell; t < half_; t += cell)
    for (double side : {-t, t}) {
      painter.drawLine(pixel(side, -half_), pixel(side, half_));
      painter.drawLine(pixel(-half_, side), pixel(half_, side));
    }
  const auto axis = [&](int i, QPointF a, QPointF b) {
    QColor colour = axis_colour(i);
    colour.setAlpha(120);
    painter.setPen(QPen(colour, 1));
    painter.drawLine(a, b);
  };
  axis(u(), pixel(-half_, 0), pixel(half_, 0));
  axis(v(), pixel(0, -half_), pixel(0, half_));
  if (primitive_) {
    const MetaballPrimitive& p = *primitive_;
    const bool carves = p.weight < 0;
    const QColor line = carves ? kCarvesColour : colours.accent;
    const auto path_at = [&](double fraction) {
      QPainterPath path;
      path.setFillRule(Qt::OddEvenFill);
      for (const auto& points : section_lines(p, plane_ == Plane::xy ? 2 : 1, fraction, 144)) {
        QPolygonF polygon;
        for (const Vec3& q : points) polygon.append(pixel(q[u()], q[v()]));
        path.addPolygon(polygon);
        path.closeSubpath();
      }
      return path;
    };
    const double fraction = drawn_fraction(p);
    painter.setBrush(Qt::NoBrush);
    if (fraction < 1) {
      QColor faint = line;
      faint.setAlpha(90);
      painter.setPen(QPen(faint, 1, Qt::DashLine));
      painter.drawPath(path_at(1));
    }
    QColor fill = line;
    fill.setAlpha(carves ? 36 : 46);
    painter.setBrush(fill);
    painter.setPen(QPen(line, seen_fraction(p.weight) > 0.05 ? 2.0 : 1.0,
                        seen_fraction(p.weight) > 0.05 ? Qt::SolidLine : Qt::DashLine));
    painter.drawPath(path_at(fraction));
    const Handle hot = held_ != Handle::none ? held_ : hovered_;
    for (Handle handle : {Handle::right, Handle::left, Handle::top, Handle::bottom, Handle::inner, Handle::corner}) {
      if (handle == Handle::inner && p.shape != MetaballShape::torus) continue;
      const QPointF at = handle_at(handle);
      const double size = handle == hot ? 5.0 : 3.6;
      painter.setPen(QPen(QColor(0, 0, 0, 190), 1.2));
      painter.setBrush(handle == hot              ? QColor(0xff, 0xe0, 0x66)
                       : handle == Handle::corner ? QColor(0xff, 0xff, 0xff)
                                                  : line);
      if (handle == Handle::corner)
        painter.drawEllipse(at, size + 0.6, size + 0.6);
      else
        painter.drawRect(QRectF(at - QPointF(size, size), QSizeF(2 * size, 2 * size)));
    }
  }
  painter.restore();
  painter.setPen(QPen(colours.border, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(frame);

  QFont font = painter.font();
  font.setPixelSize(11);
  painter.setFont(font);
  const char* const names[] = {"x", "y", "z"};
  painter.setPen(axis_colour(u()));
  painter.drawText(QRectF(r.right() - 16, r.center().y() + 1, 12, 14), Qt::AlignRight, QLatin1String(names[u()]));
  painter.setPen(axis_colour(v()));
  painter.drawText(QRectF(r.center().x() + 4, r.top() + 2, 12, 14), Qt::AlignLeft, QLatin1String(names[v()]));
  const QRectF caption(r.left(), r.bottom() + 2, r.width(), kCaption - 2);
  if (!primitive_) {
    painter.setPen(colours.quiet_text);
    painter.drawText(r.adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, tr("Select a metaball"));
    return;
  }
  const MetaballPrimitive& p = *primitive_;
  const Curve c = curve(p);
  const Handle hot = held_ != Handle::none ? held_ : hovered_;
  const auto part = [&](const QString& text, bool lit, double& x) {
    painter.setPen(lit ? QColor(0xff, 0xe0, 0x66) : colours.text);
    const double wide = painter.fontMetrics().horizontalAdvance(text);
    painter.drawText(QRectF(x, caption.top(), wide + 2, caption.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
    x += wide + 8;
  };
  double x = caption.left() + 2;
  const bool wide = caption.width() > 126;
  part((plane_ == Plane::xy ? QStringLiteral("ε₂ ") : QStringLiteral("ε₁ ")) + number(exponent(p), 2),
       hot == Handle::corner, x);
  part(QLatin1String(names[u()]) + QLatin1Char(' ') + number(c.centre + c.a, wide ? 3 : 2),
       hot == Handle::right || hot == Handle::left, x);
  part(QLatin1String(names[v()]) + QLatin1Char(' ') + number(c.b, wide ? 3 : 2),
       hot == Handle::top || hot == Handle::bottom, x);
}

}  // namespace hazumi
