#include "ui/panels/dope_sheet.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "ui/model/document_controller.h"
#include "ui/model/key_words.h"
#include "ui/panels/key_frame.h"
#include "ui/panels/key_marks.h"
#include "ui/panels/panel.h"
#include "ui/panels/time_strip.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kKeyReach = 6;  // logical pixels: how near the mouse must be to take a key
constexpr double kKeyMark = KeyMarks::kSize;
constexpr double kApart = 3;  // logical pixels: marks that are closer are one to the eye

}  // namespace

DopeSheet::DopeSheet(UiContext& context, TrackView& view, QWidget* parent) : KeyCanvas(context, parent), view_(view) {
  setObjectName(QStringLiteral("dope_sheet_keys"));
  set_hint(
      tr("Click or box selects, Shift adds · drag or G moves, S scales about the play head · X deletes · right "
         "click: more · wheel zooms, middle button pans"));
  connect(&view_, &TrackView::changed, this, [this] {
    tell_shown();
    update();
  });
}

DopeSheet::~DopeSheet() = default;

QPointF DopeSheet::place_of_key(int row, double time) const {
  return {x_of(time), view_.y_of(row) + (TrackView::kRowHeight - 1) / 2.0};
}

std::optional<KeyCanvas::Hit> DopeSheet::key_at(QPointF place) {
  const int index = view_.row_at(place.y());
  if (index < 0) return std::nullopt;
  const TrackRow& row = view_.rows()[static_cast<std::size_t>(index)];
  const double rate = frame_rate(context_), wanted = scale().frame_at(place.x()) / rate;
  const auto after = std::lower_bound(row.times.begin(), row.times.end(), wanted);
  const double* best = after != row.times.end() ? &*after : nullptr;
  if (after != row.times.begin() && (!best || wanted - *std::prev(after) < *best - wanted)) best = &*std::prev(after);
  if (!best || std::abs(x_of(*best) - place.x()) > kKeyReach) return std::nullopt;
  Hit hit;
  for (const auto& track : context_.document.scene().tracks) {
    if (std::find(row.tracks.begin(), row.tracks.end(), track->id) == row.tracks.end()) continue;
    const Key* key = find_key(*track, *best);
    if (!key) continue;
    hit.keys[track->id] = {key->time};
    hit.which = {track->id, key->time};
  }
  return hit.keys.empty() ? std::nullopt : std::optional(hit);
}

KeyTimes DopeSheet::keys_in(const QRectF& box) {
  std::set<Id> tracks;
  for (int i = 0; i < static_cast<int>(view_.rows().size()); ++i) {
    const double middle = view_.y_of(i) + TrackView::kRowHeight / 2.0;
    const TrackRow& row = view_.rows()[static_cast<std::size_t>(i)];
    if (middle >= box.top() && middle <= box.bottom()) tracks.insert(row.tracks.begin(), row.tracks.end());
  }
  if (tracks.empty()) return {};
  KeyTimes inside;
  for (auto& [track, times] : all_keys(context_.document.scene(), tracks)) {
    std::vector<double> some;
    for (const double time : times)
      if (const double x = x_of(time); x >= box.left() && x <= box.right()) some.push_back(time);
    if (!some.empty()) inside.emplace(track, std::move(some));
  }
  return inside;
}

std::set<Id> DopeSheet::shown_tracks() {
  const auto& rows = view_.rows();
  return rows.empty() ? std::set<Id>{} : std::set<Id>(rows[0].tracks.begin(), rows[0].tracks.end());
}

void DopeSheet::pan_vertically(double pixels) { view_.scroll_by(-pixels, height()); }

std::vector<double> DopeSheet::selected_times(const TrackRow& row) const {
  const KeyTimes& keys = context_.keys.keys();
  std::vector<double> times;
  for (const Id id : row.tracks)
    if (const auto at = keys.find(id); at != keys.end())
      times.insert(times.end(), at->second.begin(), at->second.end());
  std::sort(times.begin(), times.end());
  return times;
}

void DopeSheet::paintEvent(QPaintEvent*) {
  if (!marks_ || marks_->ratio() != devicePixelRatioF()) marks_ = std::make_unique<KeyMarks>(devicePixelRatioF());
  QPainter painter(this);
  painter.fillRect(rect(), theme_colours().base);
  paint_time_lines(painter, context_, *this, 0);
  const int first = std::max(0, view_.row_at(0)), count = static_cast<int>(view_.rows().size());
  for (int i = first; i < count && view_.y_of(i) < height(); ++i) paint_row(painter, i);
  paint_head_line(painter, context_, *this);
  if (count == 0) {
    painter.setPen(theme_colours().quiet_text);
    painter.drawText(rect().adjusted(12, 0, -12, 0), Qt::AlignCenter | Qt::TextWordWrap,
                     view_.only_selected() && !context_.document.scene().tracks.empty()
                         ? tr("What is selected has no keys.")
                         : tr("No keys yet. Set one with the diamond beside a field, or with I over it."));
  }
  paint_box(painter);
}

/// Between two keys that say the same: there it rests.
void DopeSheet::paint_holds(QPainter& painter, const Track& track, double middle) {
  const double left = scale().frame_at(0) / frame_rate(context_),
               right = scale().frame_at(width()) / frame_rate(context_);
  auto it = std::lower_bound(track.keys.begin(), track.keys.end(), left,
                             [](const Key& key, double time) { return key.time < time; });
  if (it != track.keys.begin()) --it;
  for (; it != track.keys.end() && std::next(it) != track.keys.end() && it->time < right; ++it)
    if (it->value == std::next(it)->value && key_word(context_.document.scene(), track, it->value[0]).isEmpty()) {
      const double from = x_of(it->time), to = x_of(std::next(it)->time);
      if (to - from > 3) painter.fillRect(QRectF(from, middle - 2, to - from, 4), QColor(0x55, 0x5b, 0x66));
    }
}

/// Behind each key, up to the next one: what it says where that is a word.
void DopeSheet::paint_words(QPainter& painter, const Track& track, double top) {
  constexpr double kBeside = 9, kLeast = 14;  // logical pixels: from the key, and how much room is worth a word
  QFont font = this->font();
  font.setPointSizeF(font.pointSizeF() * 0.85);
  painter.setFont(font);
  painter.setPen(theme_colours().text);
  const QFontMetricsF metrics(font);
  const Scene& scene = context_.document.scene();
  for (std::size_t i = 0; i < track.keys.size(); ++i) {
    const double left = x_of(track.keys[i].time) + kBeside;
    const double right = i + 1 < track.keys.size() ? x_of(track.keys[i + 1].time) - kBeside : width();
    if (right - left < kLeast || right < 0 || left > width()) continue;
    const QString word = key_word(scene, track, track.keys[i].value[0]);
    if (word.isEmpty()) return;
    painter.drawText(QRectF(left, top, right - left, TrackView::kRowHeight - 1), Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(word, Qt::ElideRight, right - left));
  }
}

void DopeSheet::paint_row(QPainter& painter, int index) {
  const ThemeColours& colours = theme_colours();
  const TrackRow& row = view_.rows()[static_cast<std::size_t>(index)];
  const double top = view_.y_of(index), middle = top + (TrackView::kRowHeight - 1) / 2.0;
  const bool track = row.kind == TrackRow::Kind::track;
  QColor behind = track ? track_colour(row.type) : QColor(Qt::white);
  behind.setAlpha(track ? (context_.keys.tracks().count(row.track) ? 44 : 14) : 16);
  painter.fillRect(QRectF(0, top, width(), TrackView::kRowHeight), behind);
  painter.fillRect(QRectF(0, top + TrackView::kRowHeight - 1, width(), 1), colours.border);
  const Track* keys = track ? find_track(context_.document.scene(), row.track) : nullptr;
  if (keys) paint_holds(painter, *keys, middle);
  const std::vector<double> selected = selected_times(row);
  const auto active = context_.keys.active();
  const double rate = frame_rate(context_), apart = kApart;
  const TimeScale window = scale();
  const double y = snap(middle - kKeyMark / 2);
  // Of keys that all but hide each other one is drawn, a selected one before the others.
  double last_x = -1e9;
  bool last_selected = false;
  for (auto it = std::lower_bound(row.times.begin(), row.times.end(), window.frame_at(-kKeyMark) / rate);
       it != row.times.end(); ++it) {
    const double x = snap(window.x_of(*it * rate));
    if (x > width() + kKeyMark) break;
    const auto near = std::lower_bound(selected.begin(), selected.end(), *it - kSameTime);
    const bool mine = near != selected.end() && *near - *it <= kSameTime;
    if (x - last_x < apart && (last_selected || !mine)) continue;
    last_x = x;
    last_selected = mine;
    const bool is_active =
        mine && active && std::abs(active->time - *it) <= kSameTime && track && active->track == row.track;
    const Key* key = keys ? &keys->keys[static_cast<std::size_t>(it - row.times.begin())] : nullptr;
    const bool square = keys && (key->shape == KeyShape::step || !is_continuous(row.type));
    const KeyMarks::Look look = is_active  ? KeyMarks::active
                                : mine     ? KeyMarks::selected
                                : row.used ? KeyMarks::plain
                                           : KeyMarks::quiet;
    painter.drawPixmap(QPointF(snap(x - kKeyMark / 2), y), marks_->of(square, look));
  }
  if (keys && !is_continuous(row.type)) paint_words(painter, *keys, top);
}

namespace {

class DopeSheetPanel : public KeyFrame {
 public:
  DopeSheetPanel(UiContext& context, QWidget* parent) : KeyFrame(context, false, parent) {
    set_canvas(new DopeSheet(context, view(), this));
  }
};

}  // namespace

const PanelInfo& panel_dope_sheet() {
  static const PanelInfo info{
      "dope_sheet", "Dope Sheet", Qt::BottomDockWidgetArea, 0, 1, "keys", make_panel<DopeSheetPanel>, 250};
  return info;
}

}  // namespace hazumi
