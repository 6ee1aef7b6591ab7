#include "ui/viewport/box_view.h"

#include <cmath>

#include <QPainter>

#include "render/convert.h"
#include "ui/model/document_controller.h"
#include "ui/model/keying.h"
#include "ui/model/motion_selection.h"
#include "ui/modes/element_selection.h"
#include "ui/tools/box_target.h"
#include "ui/viewport/navigation.h"
#include "ui/viewport/picture.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kBoxReach = 8, kBoxHandle = 5, kBoxHead = 9;  // logical pixels
constexpr double kShortestBoxArrow = 34;  // a short one would lie in the middle of the other handles
constexpr double kTickApart = 5;          // ticks nearer than that are left out
const QColor kBoxColour(0xf2, 0xb1, 0x5c);

double length_of(QPointF way) { return std::hypot(way.x(), way.y()); }

void paint_head(QPainter& painter, QPointF from, QPointF to) {
  const QPointF way = to - from;
  const double length = length_of(way);
  if (length < 2) return;
  const QPointF along = way / length, across(-along.y(), along.x());
  painter.drawLine(to, to - kBoxHead * along + 0.45 * kBoxHead * across);
  painter.drawLine(to, to - kBoxHead * along - 0.45 * kBoxHead * across);
}

}  // namespace

BoxView::BoxView(UiContext& context, const ViewNavigation& navigation, const ViewPicture& picture, QObject* parent)
    : QObject(parent), context_(context), navigation_(navigation), picture_(picture) {
  connect(&context_.boxes, &MotionSelection::changed, this, &BoxView::changed);
}

std::vector<BoxView::Drawn> BoxView::drawn() const {
  std::vector<Drawn> all;
  if (context_.elements.mode()) return all;
  for (const auto& node : context_.keying.shown().motion) {
    if (!context_.boxes.contains(node->id)) continue;
    for (BoxPlace& place : box_places(context_, *node, picture_.frame())) {
      auto sketch = sketch_of(*node, place.values);
      if (sketch) all.push_back({std::move(place), std::move(*sketch)});
    }
  }
  return all;
}

std::optional<QPointF> BoxView::project(const Vec3& place) const {
  const glm::vec3 at = navigation_.camera().project(to_float(place), navigation_.size());
  if (!(at.z > 0 && at.z < 1)) return std::nullopt;
  return QPointF(at.x, at.y);
}

std::vector<BoxView::Handle> BoxView::handles_of(const Drawn& drawn) const {
  std::vector<Handle> all;
  for (std::size_t i = 0; i < drawn.sketch.handles.size(); ++i) {
    const SketchHandle& shown = drawn.sketch.handles[i];
    const auto at = project(shown.at), root = project(shown.root);
    if (!at || !root) continue;
    Handle handle{drawn.place, i, shown, *root, *at};
    const QPointF way = *at - *root;
    if (shown.arrow) {
      const double length = length_of(way);
      if (length < kShortestBoxArrow)
        handle.at = *root + (length > 1 ? way * (kShortestBoxArrow / length) : QPointF(24, -24));
    }
    all.push_back(std::move(handle));
  }
  return all;
}

std::vector<BoxView::Handle> BoxView::handles() const {
  std::vector<Handle> all;
  for (const Drawn& one : drawn())
    for (Handle& handle : handles_of(one)) all.push_back(std::move(handle));
  return all;
}

std::optional<BoxView::Handle> BoxView::handle_at(QPointF mouse) const {
  for (Handle& handle : handles())
    if (length_of(handle.at - mouse) <= kBoxReach) return std::move(handle);
  return std::nullopt;
}

std::shared_ptr<const TransformTarget> BoxView::target(const Handle& handle) const {
  const Keying& keying = context_.keying;
  return std::make_shared<BoxTarget>(
      context_.document.snapshot(), KeyedAt{keying.snapshot(), keying.time(), keying.automatic(), keying.moved(), {}},
      handle.place.box, handle.number, handle.shown, handle.place.values, handle.place.way, handle.place.other_nodes);
}

void BoxView::paint_line(QPainter& painter, const SketchLine& line) const {
  std::optional<QPointF> before;
  for (std::size_t i = 0; i < line.points.size(); ++i) {
    const auto at = project(line.points[i]);
    if (at && before) {
      painter.drawLine(*before, *at);
      if (line.arrow && i + 1 == line.points.size()) paint_head(painter, *before, *at);
    }
    before = at;
  }
}

void BoxView::paint(QPainter& painter, bool dragged) const {
  for (const Drawn& one : drawn()) {
    for (const auto& [width, shade] : {std::pair(3.4, QColor(0, 0, 0, 130)), std::pair(1.7, kBoxColour)})
      for (const SketchLine& line : one.sketch.lines) {
        QColor colour = shade;
        if (line.faint) colour.setAlphaF(0.45F * colour.alphaF());
        painter.setPen(QPen(colour, width, line.faint ? Qt::DashLine : Qt::SolidLine, Qt::RoundCap));
        painter.setBrush(Qt::NoBrush);
        paint_line(painter, line);
      }
    painter.setPen(Qt::NoPen);
    painter.setBrush(kBoxColour);
    std::optional<QPointF> last;
    for (const Vec3& tick : one.sketch.ticks) {
      const auto at = project(tick);
      if (!at || (last && length_of(*at - *last) < kTickApart)) continue;
      painter.drawEllipse(*at, 2.2, 2.2);
      last = at;
    }
    for (const Handle& handle : handles_of(one)) {
      for (const auto& [width, colour] : {std::pair(4.0, QColor(0, 0, 0, 150)), std::pair(2.0, kBoxColour)}) {
        painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::RoundCap));
        painter.setBrush(dragged ? QBrush(kBoxColour) : QBrush(Qt::NoBrush));
        const auto tip = project(handle.shown.at);
        if (tip && length_of(*tip - handle.at) > 1) painter.drawLine(handle.root, handle.at);
        painter.drawEllipse(handle.at, kBoxHandle, kBoxHandle);
      }
    }
    for (const SketchNote& note : one.sketch.notes) {
      const auto at = project(note.at);
      if (!at) continue;
      const QString text = QString::fromStdString(note.text);
      const QRectF box = painter.fontMetrics().boundingRect(text).adjusted(-5, -2, 5, 2);
      const QRectF label = box.translated(*at + QPointF(12, -10) - QPointF(box.left(), 0));
      painter.setPen(Qt::NoPen);
      painter.setBrush(QColor(0, 0, 0, 150));
      painter.drawRoundedRect(label, 4, 4);
      painter.setPen(QColor(0xf4, 0xf5, 0xf7));
      painter.drawText(label, Qt::AlignCenter, text);
    }
  }
}

}  // namespace hazumi
