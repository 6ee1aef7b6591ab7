#include "ui/widgets/vibration_plot.h"

#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "ui/widgets/expression.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

/// Largest of 1, 2, 5 × 10^n that gives at least `count` steps in `range`.
double tick_step(double range, int count) {
  const double rough = range / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (double m : {5.0, 2.0})
    if (m * power <= rough) return m * power;
  return power;
}

}  // namespace

QString time_text(double seconds) {
  if (!std::isfinite(seconds)) return VibrationPlot::tr("never");
  if (seconds < 1e-3) return VibrationPlot::tr("%1 µs").arg(number_text(seconds * 1e6, 2));
  if (seconds < 0.1) return VibrationPlot::tr("%1 ms").arg(number_text(seconds * 1e3, 2));
  if (seconds < 120) return VibrationPlot::tr("%1 s").arg(number_text(seconds, seconds < 10 ? 2 : 3));
  if (seconds < 7200) return VibrationPlot::tr("%1 min").arg(number_text(seconds / 60, 2));
  return VibrationPlot::tr("more than two hours");
}

QString vibration_text(const Vibration& v, double frame) {
  if (v.frequency <= 0)
    return VibrationPlot::tr("Does not swing: creeps back, half way in %1.").arg(time_text(v.half_time));
  QString text = VibrationPlot::tr("Period %1 (%2 Hz), ").arg(time_text(v.period), number_text(v.frequency, 3));
  text += std::isfinite(v.half_time) ? VibrationPlot::tr("halves in %1.").arg(time_text(v.half_time))
                                     : VibrationPlot::tr("never dies away.");
  if (v.period < 2 * frame) text += VibrationPlot::tr(" Too fast to be seen: looks rigid.");
  return text;
}

VibrationPlot::VibrationPlot(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setObjectName("vibration_plot");
}

void VibrationPlot::set_vibration(std::optional<Vibration> vibration) {
  vibration_ = std::move(vibration);
  setAccessibleDescription(vibration_ ? vibration_text(*vibration_, 0) : reason_);
  update();
}

void VibrationPlot::set_reason(const QString& sentence) {
  reason_ = sentence;
  update();
}

double VibrationPlot::time_range() const {
  if (!vibration_) return 1;
  // Until a twentieth is left (4.3 halvings), but no fewer than 2 and no more than 12 swings.
  const double rest = 4.3 * vibration_->half_time;
  if (vibration_->period <= 0) return rest;
  return std::clamp(rest, 2 * vibration_->period, 12 * vibration_->period);
}

void VibrationPlot::paintEvent(QPaintEvent*) {
  const ThemeColours& colours = theme_colours();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.base);
  painter.drawRoundedRect(rect(), 4, 4);
  if (!vibration_) {
    painter.setPen(colours.quiet_text);
    painter.drawText(rect().adjusted(12, 8, -12, -8), Qt::AlignCenter | Qt::TextWordWrap, reason_);
    return;
  }
  QFont small = font();
  small.setPointSizeF(std::max(7.5, small.pointSizeF() * 0.85));
  painter.setFont(small);
  const QFontMetrics metrics(small, this);
  const bool swings = vibration_->frequency > 0;
  const QRectF area =
      QRectF(rect()).adjusted(metrics.horizontalAdvance("−1") + 10, metrics.height() + 5, -10, -metrics.height() - 6);
  const double low = swings ? -1.1 : -0.1, high = 1.1, range = time_range();
  const auto x = [&](double t) { return area.left() + t / range * area.width(); };
  const auto y = [&](double v) { return area.bottom() - (v - low) / (high - low) * area.height(); };

  // Axes with numbers and units.
  const bool ms = range < 0.2;
  const double unit = ms ? 1e-3 : 1;
  const double step = tick_step(range / unit, std::clamp(static_cast<int>(area.width() / 60), 2, 6)) * unit;
  QColor grid = colours.text;
  grid.setAlpha(30);
  for (double t = 0; t <= range * 1.0001; t += step) {
    painter.setPen(grid);
    painter.drawLine(QPointF(x(t), area.top()), QPointF(x(t), area.bottom()));
    painter.setPen(colours.quiet_text);
    const QString text = number_text(t / unit, 4);
    const double width = metrics.horizontalAdvance(text);
    if (x(t) + width / 2 < this->width() - 2)
      painter.drawText(QPointF(x(t) - width / 2, area.bottom() + metrics.ascent() + 3), text);
  }
  for (double v : {-1.0, 0.0, 1.0}) {
    if (v < low) continue;
    QColor line = colours.text;
    line.setAlpha(v == 0 ? 90 : 30);
    painter.setPen(line);
    painter.drawLine(QPointF(area.left(), y(v)), QPointF(area.right(), y(v)));
    painter.setPen(colours.quiet_text);
    const QString text = v < 0 ? QStringLiteral("−1") : QString::number(v);
    painter.drawText(QPointF(area.left() - metrics.horizontalAdvance(text) - 5, y(v) + metrics.ascent() / 2.0 - 1),
                     text);
  }
  painter.drawText(QPointF(6, metrics.ascent() + 3), tr("displacement"));
  const QString time = ms ? tr("time in ms") : tr("time in s");
  painter.drawText(QPointF(width() - 8 - metrics.horizontalAdvance(time), metrics.ascent() + 3), time);

  const int count = std::max(200, static_cast<int>(area.width() * devicePixelRatioF()));
  if (swings && vibration_->gamma > 0) {
    QColor dim = colours.accent;
    dim.setAlpha(90);
    painter.setPen(QPen(dim, 1, Qt::DashLine));
    for (double sign : {1.0, -1.0}) {
      QPainterPath path;
      for (int i = 0; i <= count; ++i) {
        const double t = range * i / count;
        const QPointF p(x(t), y(sign * std::min(1.1, vibration_->envelope(t))));
        i == 0 ? path.moveTo(p) : path.lineTo(p);
      }
      painter.drawPath(path);
    }
  }
  QPainterPath curve;
  for (int i = 0; i <= count; ++i) {
    const double t = range * i / count;
    const QPointF p(x(t), y(vibration_->displacement(t)));
    i == 0 ? curve.moveTo(p) : curve.lineTo(p);
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(colours.accent, 1.6));
  painter.drawPath(curve);
}

}  // namespace hazumi
