#include "ui/panels/surface_marks.h"

#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/surface_changes.h"
#include "ui/model/text.h"
#include "ui/panels/time_strip.h"

namespace hazumi {

namespace {

// Logical pixels: below the numbers, above the diamonds of keys.
constexpr double kMarkMiddle = TimeStrip::kRulerHeight + 7, kMarkReach = 5, kDrop = 3.6;
const QColor kMerges(0xc9, 0x9a, 0xea), kNewMesh(0x9a, 0x8c, 0xa8);

}  // namespace

double SurfaceMarks::height() { return kMarkMiddle; }

/// The nearest one; where two lie over each other, one of topology.
std::optional<int> SurfaceMarks::frame_at(QPointF place) const {
  if (std::abs(place.y() - kMarkMiddle) > kMarkReach) return std::nullopt;
  std::optional<int> found;
  double least = kMarkReach;
  for (const bool topology : {true, false})
    for (const SurfaceChanges::Change& change : context_.surfaces.all()) {
      const double away = std::abs(strip_.x_of(change.frame) - place.x());
      if (change.topology != topology || away >= least) continue;
      found = change.frame;
      least = away;
    }
  return found;
}

QString SurfaceMarks::text(int frame) const {
  QString text = tr("Frame %1").arg(frame);
  bool topology = false;
  for (const SurfaceChanges::Change& change : context_.surfaces.all()) {
    if (change.frame != frame) continue;
    topology = topology || change.topology;
    const Object* object = find_object(context_.document.scene(), change.object);
    const QString name = object ? QString::fromStdString(object->name) : QString();
    text +=
        QLatin1Char('\n') +
        (change.topology ? tr("%1: %2.") : tr("%1: the export begins a new mesh, since %2.")).arg(name, change.what);
  }
  return text + QLatin1Char('\n') +
         (topology ? tr("Exports begin a new mesh here. Click goes there.") : tr("Click goes there."));
}

void SurfaceMarks::paint(QPainter& painter) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  // Those of topology over the others, those of what is selected over those.
  for (const int layer : {0, 1, 2}) {
    double last = -100;
    for (const SurfaceChanges::Change& change : context_.surfaces.all()) {
      const bool mine = context_.selection.contains(change.object);
      if ((change.topology ? (mine ? 2 : 1) : 0) != layer) continue;
      const double x = strip_.x_of(change.frame);
      if (x < -10 || x > strip_.width() + 10 || x - last < 1) continue;
      last = x;
      QColor colour = change.topology ? kMerges : kNewMesh;
      if (!mine && !context_.selection.empty()) colour.setAlpha(150);
      QColor line = colour;
      line.setAlpha(change.topology ? 80 : 45);
      painter.fillRect(QRectF(x - 0.5, kMarkMiddle, 1, strip_.height() - kMarkMiddle - 7), line);
      QPainterPath mark;
      mark.setFillRule(Qt::WindingFill);
      if (change.topology) {
        mark.addEllipse(QPointF(x - 0.8 * kDrop, kMarkMiddle), kDrop, kDrop);
        mark.addEllipse(QPointF(x + 0.8 * kDrop, kMarkMiddle), kDrop, kDrop);
      } else {
        mark.moveTo(x, kMarkMiddle - kDrop);
        mark.lineTo(x + kDrop, kMarkMiddle + 0.7 * kDrop);
        mark.lineTo(x - kDrop, kMarkMiddle + 0.7 * kDrop);
        mark.closeSubpath();
      }
      painter.fillPath(mark, colour);
    }
  }
  painter.restore();
}

}  // namespace hazumi
