#include "ui/model/time_window.h"

#include <algorithm>
#include <cmath>

#include "ui/model/document_controller.h"

namespace hazumi {

namespace {
constexpr double kShortest = 4;          // frames
constexpr double kFarthest = 2'000'000;  // frames: what can be looked at
}  // namespace

TimeWindow::TimeWindow(DocumentController& document, QObject* parent) : QObject(parent), document_(document) {
  connect(&document_, &DocumentController::changed, this, [this](const ChangeSet& change) {
    if (change.settings && !held_) follow();
  });
  connect(&document_, &DocumentController::document_replaced, this, &TimeWindow::fit);
  fit();
}

TimeScale TimeWindow::scale(double width) const { return {first_, last_, std::max(width, 2 * TimeScale::kMargin + 1)}; }

void TimeWindow::show(double first, double last) {
  if (!std::isfinite(first) || !std::isfinite(last)) return;
  const double length = std::clamp(last - first, kShortest, kFarthest), centre = (first + last) / 2;
  first = std::clamp(centre - length / 2, -kFarthest, kFarthest - length);
  if (first == first_ && first + length == last_) return;
  first_ = first;
  last_ = first + length;
  emit changed();
}

void TimeWindow::zoom(double factor, double centre) {
  const double length = (last_ - first_) * factor;
  if (length < kShortest || length > kFarthest) return;
  show(centre + (first_ - centre) * factor, centre + (last_ - centre) * factor);
}

void TimeWindow::pan(double frames) { show(first_ + frames, last_ + frames); }

void TimeWindow::fit() {
  const SceneSettings& settings = document_.scene().settings;
  range_first_ = settings.first_frame;
  range_last_ = settings.last_frame;
  const int first = std::min(0, settings.first_frame);
  show(first, settings.last_frame + std::max(1, (settings.last_frame - first) / 24));
}

/// Another range is shown whole; another gravity moves nothing.
void TimeWindow::follow() {
  const SceneSettings& settings = document_.scene().settings;
  if (settings.first_frame != range_first_ || settings.last_frame != range_last_) fit();
}

}  // namespace hazumi
