#include "ui/panels/track_view.h"

#include <algorithm>
#include <cmath>

#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/widgets/theme.h"

namespace hazumi {

TrackView::TrackView(UiContext& context, QObject* parent) : QObject(parent), context_(context) {
  connect(&context_.document, &DocumentController::changed, this, [this](const ChangeSet&) { renew(); });
  connect(&context_.document, &DocumentController::document_replaced, this, [this] {
    choice_.folded.clear();
    hidden_.clear();
    scroll_ = 0;
    renew();
  });
  connect(&context_.selection, &Selection::changed, this, [this] {
    if (choice_.only) renew();
  });
}

void TrackView::renew() {
  stale_ = true;
  emit changed();
}

const std::vector<TrackRow>& TrackView::rows() {
  if (!std::exchange(stale_, false)) return rows_;
  choice_.selected = context_.selection.ids();
  rows_ = track_rows(context_.document.scene(), choice_);
  return rows_;
}

void TrackView::fold(std::uint64_t target, bool on) {
  if (on)
    choice_.folded.insert(target);
  else
    choice_.folded.erase(target);
  renew();
}

void TrackView::set_only_selected(bool on) {
  if (on == choice_.only) return;
  choice_.only = on;
  renew();
}

void TrackView::show(Id track, int component, bool on) {
  if (on)
    hidden_.erase({track, component});
  else
    hidden_.insert({track, component});
  emit changed();
}

int TrackView::row_at(double y) {
  const int row = static_cast<int>(std::floor((y + scroll_) / kRowHeight));
  return row >= 0 && row < static_cast<int>(rows().size()) ? row : -1;
}

void TrackView::scroll_by(double pixels, double height) {
  const double most = std::max(0.0, static_cast<double>(rows().size()) * kRowHeight - height);
  const double now = std::clamp(scroll_ + pixels, 0.0, most);
  if (now == scroll_) return;
  scroll_ = now;
  emit changed();
}

QColor track_colour(FieldType type) {
  switch (type) {
    case FieldType::vector:
      return {0x5b, 0x9b, 0xd5};
    case FieldType::rotation:
      return {0xa6, 0x7b, 0xd8};
    case FieldType::colour:
      return {0xd9, 0x7b, 0xa8};
    case FieldType::number:
      return {0x6f, 0xb5, 0x7a};
    case FieldType::text:
      return theme_colours().warning;
    default:
      return {0xc9, 0xb4, 0x58};
  }
}

QColor component_colour(FieldType type, TurnBy turn, int component) {
  static const QColor rgb[] = {{0xe8, 0x6a, 0x64}, {0x7a, 0xc4, 0x6c}, {0x6c, 0x9c, 0xee}};
  if (type == FieldType::colour) return rgb[component];
  if (track_components(type, turn) == 1) return track_colour(type);
  const bool quaternion = type == FieldType::rotation && turn == TurnBy::quaternion;
  if (quaternion && component == 0) return {0xd8, 0xd0, 0x9a};
  return axis_colour(quaternion ? component - 1 : component);
}

}  // namespace hazumi
