#include "ui/panels/curve_view.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "ui/model/document_controller.h"
#include "ui/model/text.h"
#include "ui/panels/key_marks.h"
#include "ui/panels/time_strip.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kPointReach = 7, kHandleGrip = 7;         // logical pixels: how near the mouse must be
constexpr double kPullSlop = 3;                            // pixels the mouse may move in a click on a handle
constexpr double kAxisWidth = 46, kValueRoom = 26;         // of the numbers at the left; least distance of two of them
constexpr double kValueMargin = 0.12;                      // of the height, when everything is framed
constexpr double kPoint = KeyMarks::kSize, kHandle = 3.5;  // the latter: half of a handle's end
constexpr std::size_t kManyLines = 40, kMostHandles = 300;
constexpr int kDot = 4;               // pixels: of a key among many
constexpr double kTooDense = 2;       // pixels from key to key
constexpr int kDense = 400;           // points of a line: smoothing many that lie on each other takes seconds
constexpr double kLeastReach = 0.02;  // of a handle that is pulled
constexpr double kLeastRange = 1e-9, kMostRange = 1e15;

double value_step(double per_pixel) {
  const double least = per_pixel * kValueRoom, power = std::pow(10, std::floor(std::log10(least)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= least) return digit * power;
  return 10 * power;
}

}  // namespace

CurveView::CurveView(UiContext& context, TrackView& view, QWidget* parent) : KeyCanvas(context, parent), view_(view) {
  setObjectName(QStringLiteral("curve_view"));
  set_hint(
      tr("Click or box selects, Shift adds · drag keys and handles · G moves, S scales in time · wheel zooms, "
         "Ctrl+wheel the values · middle button pans · Home shows all"));
  const auto renewed = [this] { renew(); };
  connect(&view_, &TrackView::changed, this, renewed);
  connect(&context_.document, &DocumentController::changed, this, renewed);
  connect(&context_.document, &DocumentController::document_replaced, this, [this] {
    follows_ = true;
    component_ = -1;
    handle_.reset();
    hot_.reset();
    stack_.clear();
    renew();
  });
  connect(&context_.keys, &KeySelection::tracks_changed, this, [this] {
    follows_ = true;
    renew();
  });
}

CurveView::~CurveView() = default;

void CurveView::renew() {
  stale_ = true;
  tell_shown();
  update();
}

// What is shown -------------------------------------------------------------------------------------------------------

std::set<Id> CurveView::shown_tracks() {
  const auto& rows = view_.rows();
  if (rows.empty()) return {};
  const std::set<Id> all(rows[0].tracks.begin(), rows[0].tracks.end());
  std::set<Id> chosen;
  for (const Id id : context_.keys.tracks())
    if (all.count(id) != 0) chosen.insert(id);
  return chosen.empty() ? all : chosen;
}

const std::vector<CurveView::Line>& CurveView::lines() {
  if (!std::exchange(stale_, false)) return lines_;
  lines_.clear();
  const std::set<Id> shown = shown_tracks();
  const Scene& scene = context_.document.scene();
  for (const auto& track : scene.tracks) {
    if (shown.count(track->id) == 0 || track->keys.empty()) continue;
    const FieldType type = type_of(scene, *track);
    if (type == FieldType::text) continue;
    const double factor = shown_factor(scene, *track);
    for (int k = 0; k < track_components(type, track->turn); ++k) {
      if (!view_.shows(track->id, k)) continue;
      Line line{track.get(), type, k, component_colour(type, track->turn, k), factor, 0};
      if (!track->visible) line.colour = line.colour.darker(180);
      if (normalised_) {
        const auto [low, high] = curve_bounds(*track, type, static_cast<std::size_t>(k), -1e300, 1e300);
        line.factor = high > low ? 2 / (high - low) : 1;
        line.offset = high > low ? -(high + low) / (high - low) : -low;
      }
      lines_.push_back(line);
    }
  }
  if (follows_ && !moving() && !handle_) fit_values(-1e300, 1e300);
  return lines_;
}

CurvePlace CurveView::place_of(const Line& line) const {
  return {scale(), frame_rate(context_), line.factor, line.offset, low_, high_, std::max(1.0, height() * 1.0)};
}

void CurveView::fit_values(double from, double to) {
  double low = 1e300, high = -1e300;
  for (const Line& line : lines_) {
    const auto [least, greatest] =
        curve_bounds(*line.track, line.type, static_cast<std::size_t>(line.component), from, to);
    if (!(least <= greatest)) continue;
    low = std::min(low, least * line.factor + line.offset);
    high = std::max(high, greatest * line.factor + line.offset);
  }
  if (!(low <= high)) return show_values(-1, 1);
  const double room = high - low > kLeastRange ? (high - low) * kValueMargin : std::max(0.5, std::abs(high) * 0.1);
  show_values(low - room, high + room);
}

void CurveView::show_values(double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high) || high - low < kLeastRange || high - low > kMostRange) return;
  low_ = low;
  high_ = high;
}

void CurveView::set_normalised(bool on) {
  normalised_ = on;
  follows_ = true;
  renew();
}

void CurveView::frame_all() {
  KeyCanvas::frame_all();
  follows_ = true;
  renew();
}

void CurveView::frame_selected() {
  if (context_.keys.empty()) return;
  KeyCanvas::frame_selected();
  follows_ = false;
  (void)lines();
  fit_values(context_.time.first() / frame_rate(context_), context_.time.last() / frame_rate(context_));
  update();
}

double CurveView::height_at(double y) { return low_ + (height() - y) / std::max(1, height()) * (high_ - low_); }

QString CurveView::value_unit() {
  const auto active = context_.keys.active();
  const Track* track = active && !normalised_ ? find_track(context_.document.scene(), active->track) : nullptr;
  const auto field = track ? track_field(context_.document.scene(), track->target, track->field) : std::nullopt;
  if (!field) return {};
  return field->range.type == FieldType::rotation ? (track->turn == TurnBy::angles ? QStringLiteral("°") : QString())
                                                  : text_of(field->range.unit);
}

void CurveView::pan_vertically(double pixels) {
  if (pixels == 0) return;
  const double way = pixels / std::max(1, height()) * (high_ - low_);
  follows_ = false;
  show_values(low_ + way, high_ + way);
  update();
}

void CurveView::zoom_vertically(double factor, double y) {
  const double centre = height_at(y);
  follows_ = false;
  show_values(centre + (low_ - centre) * factor, centre + (high_ - centre) * factor);
  update();
}

// Under the mouse -----------------------------------------------------------------------------------------------------

std::optional<KeyCanvas::Hit> CurveView::key_at(QPointF place) {
  std::optional<Hit> hit;
  double least = kPointReach;
  for (const Line& line : lines()) {
    const CurvePlace at = place_of(line);
    const double from = at.seconds(place.x() - kPointReach);
    const auto& keys = line.track->keys;
    for (auto it = std::lower_bound(keys.begin(), keys.end(), from,
                                    [](const Key&key, double time) { return key.time < time; });
         it != keys.end(); ++it) {
      const double across = at.x(it->time) - place.x();
      if (across > kPointReach) break;
      const double away = std::hypot(across, at.y(it->value[static_cast<std::size_t>(line.component)]) - place.y());
      if (away > least) continue;
      least = away;
      const KeyRef which{line.track->id, it->time};
      hit = Hit{{{which.track, {which.time}}}, which, line.component};
    }
  }
  return hit;
}

KeyTimes CurveView::keys_in(const QRectF& box) {
  KeyTimes inside;
  for (const Line& line : lines()) {
    const CurvePlace at = place_of(line);
    std::vector<double> times;
    for (const Key& key : line.track->keys)
      if (box.contains(at.x(key.time), at.y(key.value[static_cast<std::size_t>(line.component)])))
        times.push_back(key.time);
    if (!times.empty()) inside = joined_keys(inside, {{line.track->id, std::move(times)}});
  }
  return inside;
}

/// The number that was taken hold of moves; after a box all that are shown do.
KeyGesture::Values CurveView::values_of_drag() {
  struct Share {
    int component;
    double factor;
  };
  std::map<Id, std::vector<Share>> shares;
  for (const Line& line : lines())
    if (component_ < 0 || line.component == component_ || track_components(line.type, line.track->turn) <= component_)
      shares[line.track->id].push_back({line.component, line.factor});
  return [scene = context_.document.snapshot(), shares = std::move(shares)](const KeyEdit& edit, double way) {
    return with_values(edit.scene, edit.keys, [&](const Track& track, Key& key) {
      const auto at = shares.find(track.id);
      if (at == shares.end()) return;
      for (const auto& [component, factor] : at->second) {
        const std::size_t k = static_cast<std::size_t>(component);
        set_component(*scene, track, key, k, key.value[k] + way / factor);
      }
    });
  };
}

// Handles -------------------------------------------------------------------------------------------------------------

std::optional<QPointF> CurveView::handle_place(const Line& line, std::size_t key, bool out) const {
  const auto& keys = line.track->keys;
  if (!has_handles(*line.track, line.type)) return std::nullopt;
  if (out ? key + 1 >= keys.size() || keys[key].shape != KeyShape::spline
          : key == 0 || keys[key - 1].shape != KeyShape::spline)
    return std::nullopt;
  const std::size_t k = static_cast<std::size_t>(line.component);
  const KeySlopes slopes = curve_slopes(*line.track, line.type, key);
  const double way = out ? keys[key].reach_out * (keys[key + 1].time - keys[key].time)
                         : -keys[key].reach_in * (keys[key].time - keys[key - 1].time);
  const CurvePlace at = place_of(line);
  return QPointF(at.x(keys[key].time + way), at.y(keys[key].value[k] + way * (out ? slopes.out[k] : slopes.in[k])));
}

/// visit(line, key, out, place) of the selected keys.
template <class Visit>
void CurveView::visit_handles(Visit&& visit) {
  if (context_.keys.count() > kMostHandles) return;
  for (const Line& line : lines()) {
    const auto at = context_.keys.keys().find(line.track->id);
    if (at == context_.keys.keys().end()) continue;
    for (const double time : at->second) {
      const Key* key = find_key(*line.track, time);
      if (!key) continue;
      const auto place = static_cast<std::size_t>(key - line.track->keys.data());
      for (const bool out : {false, true})
        if (const auto end = handle_place(line, place, out)) visit(line, *key, out, *end);
    }
  }
}

std::optional<QPointF> CurveView::place_of_key(const KeyRef& key, int component) {
  for (const Line& line : lines())
    if (line.track->id == key.track && line.component == component)
      if (const Key* found = find_key(*line.track, key.time)) {
        const CurvePlace at = place_of(line);
        return QPointF(at.x(found->time), at.y(found->value[static_cast<std::size_t>(component)]));
      }
  return std::nullopt;
}

std::optional<QPointF> CurveView::place_of_handle(const KeyRef& key, int component, bool out) {
  std::optional<QPointF> found;
  visit_handles([&](const Line& line, const Key& its, bool side, QPointF place) {
    if (line.track->id == key.track && std::abs(its.time - key.time) <= kSameTime && line.component == component &&
        side == out)
      found = place;
  });
  return found;
}

/// Within reach, the nearest first; not those whose key is nearer: it is the one that is meant.
std::vector<CurveView::Handle> CurveView::handles_at(QPointF place) {
  std::vector<std::pair<double, Handle>> near;
  visit_handles([&](const Line& line, const Key& key, bool out, QPointF end) {
    const double away = std::hypot(end.x() - place.x(), end.y() - place.y());
    if (away > kHandleGrip) return;
    const CurvePlace at = place_of(line);
    const double to_key =
        std::hypot(at.x(key.time) - place.x(), at.y(key.value[static_cast<std::size_t>(line.component)]) - place.y());
    if (to_key >= away) near.push_back({away, {{line.track->id, key.time}, line.component, out}});
  });
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Handle> handles;
  for (const auto& [away, handle] : near) handles.push_back(handle);
  return handles;
}

/// Of those that lie on each other the next one after each click.
std::optional<CurveView::Handle> CurveView::handle_at(QPointF place) {
  if (!stack_.empty() && std::hypot(place.x() - pressed_at_.x(), place.y() - pressed_at_.y()) > kPullSlop) {
    stack_.clear();
    turn_ = 0;
  }
  if (stack_.empty()) {
    const std::vector<Handle> handles = handles_at(place);
    return handles.empty() ? std::nullopt : std::optional(handles.front());
  }
  return stack_[turn_ % stack_.size()];
}

QString CurveView::text_of_handle(const Handle& handle) const {
  const Scene& scene = context_.document.scene();
  const Track* track = find_track(scene, handle.key.track);
  if (!track) return {};
  const auto names = component_names(type_of(scene, *track), track->turn);
  const auto component = static_cast<std::size_t>(handle.component);
  const QString name = component < names.size() ? tr("%1 of %2").arg(names[component], track_label(scene, *track))
                                                : track_label(scene, *track);
  return (handle.out ? tr("Handle of %1 after the key at frame %2") : tr("Handle of %1 before the key at frame %2"))
      .arg(name, QString::number(handle.key.time * frame_rate(context_), 'g', 6));
}

QString CurveView::hover(std::optional<QPointF> place) {
  const std::optional<Handle> now = place ? handle_at(*place) : std::nullopt;
  if (now != std::exchange(hot_, now)) update();
  if (!now) return {};
  const std::size_t count = stack_.empty() ? handles_at(*place).size() : stack_.size();
  const QString others = count > 1 ? tr(" · %1 lie here: a click takes the next").arg(count) : QString();
  return text_of_handle(*now) + tr(" · drag it, with Alt this side alone") + others;
}

bool CurveView::press_other(QPointF place, Qt::KeyboardModifiers) {
  handle_ = handle_at(place);
  if (!handle_) return false;
  if (stack_.empty()) {
    stack_ = handles_at(place);
    pressed_at_ = place;
  }
  pulls_ = false;
  start_ = context_.document.snapshot();
  gesture_ = context_.document.new_gesture();
  update();
  return true;
}

bool CurveView::drag_other(QPointF place, Qt::KeyboardModifiers held) {
  if (!handle_) return false;
  pulls_ = pulls_ || std::hypot(place.x() - pressed_at_.x(), place.y() - pressed_at_.y()) > kPullSlop;
  if (pulls_) pull(place, held);
  return true;
}

void CurveView::pull(QPointF place, Qt::KeyboardModifiers held) {
  const auto shown = std::find_if(lines().begin(), lines().end(), [&](const Line& line) {
    return line.track->id == handle_->key.track && line.component == handle_->component;
  });
  if (shown == lines().end()) return;
  const CurvePlace at = place_of(*shown);
  const std::size_t k = static_cast<std::size_t>(handle_->component);
  const bool out = handle_->out;
  const auto pulled = [&](Track& track) {
    for (std::size_t i = 0; i < track.keys.size(); ++i) {
      Key& key = track.keys[i];
      if (key.time != handle_->key.time) continue;
      const double whole = out ? track.keys[i + 1].time - key.time : key.time - track.keys[i - 1].time;
      const double seconds = (out ? 1 : -1) * (at.seconds(place.x()) - key.time);
      const double reach = std::clamp(seconds / whole, kLeastReach, 1.0);
      const double slope = (at.value(place.y()) - key.value[k]) / (reach * whole) * (out ? 1 : -1);
      (out ? key.reach_out : key.reach_in) = reach;
      (out ? key.out : key.in)[k] = slope;
      if (key.tangent == KeyTangent::aligned) key.in[k] = key.out[k] = slope;
    }
  };
  // What followed by itself is pulled from now on: aligned, with Alt each side for itself. Free ones stay free.
  const Track* before = find_track(*start_, handle_->key.track);
  const Key* key = before ? find_key(*before, handle_->key.time) : nullptr;
  if (!key) return;
  const bool free = key->tangent == KeyTangent::free || held & Qt::AltModifier;
  const KeyTimes one{{handle_->key.track, {handle_->key.time}}};
  KeyEdit edit = with_tangents(*start_, one, free ? KeyTangent::free : KeyTangent::aligned);
  edit.scene = with_tracks(std::move(edit.scene), {handle_->key.track}, pulled);
  (void)context_.document.edit(tr("Tangent of %1").arg(keys_text(1)), std::move(edit.scene), gesture_);
}

bool CurveView::release_other(bool take) {
  if (!handle_) return false;
  if (!take && pulls_) (void)context_.document.edit(tr("Tangent of %1").arg(keys_text(1)), *start_, gesture_);
  if (pulls_)
    stack_.clear();
  else if (take)
    ++turn_;
  if (stack_.empty()) turn_ = 0;
  handle_.reset();
  start_ = Shared<Scene>();
  renew();
  return true;
}

// Drawing -------------------------------------------------------------------------------------------------------------

void CurveView::paintEvent(QPaintEvent*) {
  if (!marks_ || marks_->ratio() != devicePixelRatioF()) marks_ = std::make_unique<KeyMarks>(devicePixelRatioF());
  QPainter painter(this);
  painter.fillRect(rect(), theme_colours().base);
  paint_time_lines(painter, context_, *this, 0);
  const bool none = lines().empty();
  if (!none) paint_axis(painter);
  paint_lines(painter);
  if (!none) paint_values(painter);
  paint_head_line(painter, context_, *this);
  paint_handles(painter);
  paint_keys(painter);
  if (none) {
    painter.setPen(theme_colours().quiet_text);
    painter.drawText(rect().adjusted(12, 0, -12, 0), Qt::AlignCenter | Qt::TextWordWrap,
                     view_.only_selected() && !context_.document.scene().tracks.empty()
                         ? tr("What is selected has no keys.")
                         : tr("No keys yet. Set one with the diamond beside a field, or with I over it."));
  }
  paint_box(painter);
}

void CurveView::paint_axis(QPainter& painter) {
  const double step = value_step((high_ - low_) / std::max(1, height()));
  for (double value = std::ceil(low_ / step) * step; value <= high_; value += step) {
    const double y = snap(height() - (value - low_) / (high_ - low_) * height());
    painter.fillRect(QRectF(0, y, width(), 1), QColor(255, 255, 255, std::abs(value) < step / 2 ? 34 : 11));
  }
}

/// The numbers of the axis, over the curves: with an edge of the ground's colour they are read on any of them.
void CurveView::paint_values(QPainter& painter) {
  const ThemeColours& colours = theme_colours();
  const double step = value_step((high_ - low_) / std::max(1, height()));
  QFont font = this->font();
  font.setPointSizeF(font.pointSizeF() * 0.85);
  painter.setFont(font);
  for (double value = std::ceil(low_ / step) * step; value <= high_; value += step) {
    const double y = snap(height() - (value - low_) / (high_ - low_) * height());
    const QString text = QString::number(std::abs(value) < step / 2 ? 0 : value, 'g', 5);
    const QRectF place(4, y - 14, kAxisWidth - 4, 14);
    painter.setPen(colours.base);
    for (const QPointF aside : {QPointF(-1, 0), QPointF(1, 0), QPointF(0, -1), QPointF(0, 1)})
      painter.drawText(place.translated(aside), Qt::AlignLeft | Qt::AlignBottom, text);
    painter.setPen(colours.quiet_text);
    painter.drawText(place, Qt::AlignLeft | Qt::AlignBottom, text);
  }
}

void CurveView::paint_lines(QPainter& painter) {
  const bool many = lines().size() > kManyLines;
  painter.setBrush(Qt::NoBrush);
  for (const Line& line : lines()) {
    const CurveLine drawn =
        curve_line(*line.track, line.type, static_cast<std::size_t>(line.component), place_of(line), width(), many);
    QColor faint = line.colour;
    faint.setAlpha(95);
    for (const bool keyed : {false, true}) {
      const QPainterPath& path = keyed ? drawn.keyed : drawn.beyond;
      if (path.isEmpty()) continue;
      const bool plain = many || path.elementCount() > kDense;
      painter.setRenderHint(QPainter::Antialiasing, !plain);
      painter.setPen(QPen(keyed ? line.colour : faint,
                          plain   ? 0
                          : keyed ? 1.6
                                  : 1.2,
                          keyed || plain ? Qt::SolidLine : Qt::DashLine));
      painter.drawPath(path);
    }
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void CurveView::paint_handles(QPainter& painter) {
  painter.setRenderHint(QPainter::Antialiasing);
  struct Lit {
    QPointF from, end;
    QColor colour;
  };
  std::optional<Lit> lit;  // over the others
  visit_handles([&](const Line& line, const Key& key, bool out, QPointF end) {
    const CurvePlace at = place_of(line);
    const QPointF from(at.x(key.time), at.y(key.value[static_cast<std::size_t>(line.component)]));
    if (hot_handle() == Handle{{line.track->id, key.time}, line.component, out}) {
      lit = {from, end, line.colour};
      return;
    }
    const bool given = key.tangent == KeyTangent::free || key.tangent == KeyTangent::aligned;
    QColor colour = given ? theme_colours().accent : theme_colours().quiet_text;
    colour.setAlpha(200);
    painter.setPen(QPen(colour, 1));
    painter.drawLine(from, end);
    painter.setBrush(given ? theme_colours().accent : theme_colours().base);
    painter.setPen(QPen(given ? QColor(0x14, 0x15, 0x17) : theme_colours().quiet_text, 1));
    painter.drawEllipse(end, kHandle, kHandle);
  });
  if (lit) {
    painter.setPen(QPen(lit->colour.lighter(125), 2));
    painter.drawLine(lit->from, lit->end);
    painter.setBrush(lit->colour.lighter(125));
    painter.setPen(QPen(Qt::white, 1.5));
    painter.drawEllipse(lit->end, kHandle + 1.5, kHandle + 1.5);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void CurveView::paint_keys(QPainter& painter) {
  const bool many = lines().size() > kManyLines;
  for (const bool selected : {false, true}) {
    if (selected && context_.keys.empty()) return;
    for (const Line& line : lines()) {
      const auto& keys = line.track->keys;
      const CurvePlace at = place_of(line);
      const auto before = [](const Key& key, double time) { return key.time < time; };
      const auto first = std::lower_bound(keys.begin(), keys.end(), at.seconds(-kPoint), before);
      const auto last = std::lower_bound(first, keys.end(), at.seconds(width() + kPoint), before);
      const double apart = width() / std::max<double>(1, static_cast<double>(last - first));
      if (!selected && apart < kTooDense) continue;  // the line says it all
      if (many || apart < kPoint / 2)
        paint_dots(painter, line, first, last, selected);
      else
        paint_marks(painter, line, first, last, selected);
    }
  }
}

bool CurveView::is_selected(const Line& line, const Key& key) const {
  const auto mine = context_.keys.keys().find(line.track->id);
  return mine != context_.keys.keys().end() && std::binary_search(mine->second.begin(), mine->second.end(), key.time);
}

void CurveView::paint_dots(QPainter& painter, const Line& line, KeyIterator first, KeyIterator last, bool selected) {
  const CurvePlace at = place_of(line);
  QVector<QRect> dots;
  QPoint before(-1000, 0);
  const bool dense = static_cast<double>(last - first) * kTooDense > width();
  for (auto it = first; it != last; ++it) {
    const QPoint place = QPointF(at.x(it->time), at.y(it->value[static_cast<std::size_t>(line.component)])).toPoint();
    if (place.y() < 0 || place.y() > height() || (place - before).manhattanLength() < kDot) continue;
    if (dense && place.x() - before.x() < kDot / 2) continue;
    if (is_selected(line, *it) != selected) continue;
    before = place;
    dots << QRect(place - QPoint(kDot / 2, kDot / 2), QSize(kDot, kDot));
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(selected ? theme_colours().accent : line.colour.lighter(130));
  painter.drawRects(dots);
}

void CurveView::paint_marks(QPainter& painter, const Line& line, KeyIterator first, KeyIterator last, bool selected) {
  const CurvePlace at = place_of(line);
  const auto active = context_.keys.active();
  for (auto it = first; it != last; ++it) {
    const QPointF place(at.x(it->time), at.y(it->value[static_cast<std::size_t>(line.component)]));
    if (place.y() < -kPoint || place.y() > height() + kPoint || is_selected(line, *it) != selected) continue;
    const bool is_active = selected && active && *active == KeyRef{line.track->id, it->time};
    const bool square = it->shape == KeyShape::step || !is_continuous(line.type);
    painter.drawPixmap(QPointF(snap(place.x() - kPoint / 2), snap(place.y() - kPoint / 2)),
                       marks_->of(square, is_active  ? KeyMarks::active
                                          : selected ? KeyMarks::selected
                                                     : KeyMarks::plain));
  }
}

}  // namespace hazumi
