#include "ui/panels/timeline_ruler.h"
#include "core/scene/derived/copies.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QTabBar>
#include <QToolTip>

#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/key_commands.h"
#include "ui/model/keying.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/surface_changes.h"
#include "ui/model/time_window.h"
#include "ui/panels/collision_readout.h"
#include "ui/panels/sight.h"
#include "ui/panels/surface_marks.h"
#include "ui/panels/time_marks.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/key_button.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kStripHeight = 6;     // logical pixels: computed frames, at the bottom
constexpr double kHandleReach = 6;     // how near the mouse must be to take a handle
constexpr double kKeyGrip = 6;         // of a diamond
constexpr double kTickReach = 4;       // the same of a contact tick
constexpr int kTabsAbove = 12;         // how far from the panel tabs are its own
constexpr int kLongestRange = 100000;  // frames: what a handle can reach

}  // namespace

TimelineRuler::TimelineRuler(UiContext& context, QWidget* parent)
    : TimeStrip(context, parent), surfaces_(std::make_unique<SurfaceMarks>(context_, *this)) {
  setObjectName(QStringLiteral("timeline_ruler"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setStatusTip(
      tr("Drag to scrub; click a tick to read the collision, a pair of drops to see the surface change, a diamond to "
         "select its keys; drag the two handles to set "
         "the range, with Shift the part that is played; wheel zooms; right click: markers."));
  context_.actions.attend(*this, *this);
  connect(&context_.playback, &PlaybackController::fill_changed, this, &TimelineRuler::on_fill);
  connect(&context_.selection, &Selection::changed, this, qOverload<>(&QWidget::update));
  connect(&context_.keys, &KeySelection::changed, this, qOverload<>(&QWidget::update));
  connect(&context_.surfaces, &SurfaceChanges::changed, this, qOverload<>(&QWidget::update));
  connect(new Sight(*this), &Sight::changed, this, [this](bool seen) {
    // It has the keys of all tracks.
    seen ? context_.keys.set_shown(this, std::nullopt) : context_.keys.set_hidden(this);
  });
  connect(&context_.keying, &Keying::shown_changed, this, qOverload<>(&QWidget::update));
  connect(&context_.document, &DocumentController::document_replaced, this, [this] { computed_ = stale_until_ = 0; });
}

TimelineRuler::~TimelineRuler() = default;

void TimelineRuler::on_fill() {
  const int now = context_.playback.cache().size();
  // Frames that an edit made out of date stay visible as such until they are there again.
  if (now < computed_) stale_until_ = std::max(stale_until_, computed_);
  if (now >= stale_until_) stale_until_ = 0;
  computed_ = now;
  update();
}

TimelineRuler::Drag TimelineRuler::part_at(QPointF place) const {
  const SceneSettings& settings = context_.document.scene().settings;
  // A diamond at an end of the range comes before its handle, which is as high as the time line.
  if (place.y() > kRulerHeight * 0.55 && keys_at(place).empty()) {
    if (std::abs(place.x() - x_of(settings.last_frame)) <= kHandleReach) return Drag::last;
    if (std::abs(place.x() - x_of(settings.first_frame)) <= kHandleReach) return Drag::first;
  }
  return Drag::scrub;
}

void TimelineRuler::move_range(Drag part, int frame) {
  Scene scene = context_.document.scene();
  SceneSettings& settings = scene.settings;
  if (part == Drag::first)
    settings.first_frame = std::clamp(frame, 0, settings.last_frame - 1);
  else
    settings.last_frame = std::clamp(frame, settings.first_frame + 1, kLongestRange);
  (void)context_.document.edit(part == Drag::first ? tr("First frame") : tr("Last frame"), std::move(scene), gesture_);
}

std::optional<int> TimelineRuler::tick_at(QPointF place) const {
  if (place.y() <= kRulerHeight || place.y() >= height()) return std::nullopt;
  const auto log = context_.playback.log();
  const auto begins = [](const auto& entry, int wanted) { return entry.first < wanted; };
  const int from = frame_at(place.x() - kTickReach) - 1;
  std::optional<int> best;
  double least = kTickReach, strongest = 0;
  for (auto it = std::lower_bound(log->contacts.begin(), log->contacts.end(), from, begins); it != log->contacts.end();
       ++it) {
    const double away = std::abs(x_of(it->first) - place.x());
    if (away > least && x_of(it->first) > place.x()) break;
    // Ticks within half a pixel are one to the eye: the strongest is what is seen.
    const bool nearer = away < least - 0.5, as_near = away <= least;
    if (!nearer && !(as_near && it->second.impulse > strongest)) continue;
    best = it->first;
    strongest = it->second.impulse;
    least = std::min(least, away);
  }
  return best;
}

void TimelineRuler::open_readout(int frame) {
  if (!readout_) readout_ = new CollisionReadout(context_, window());
  // Above the whole panel and its tabs: what plays and stops, and what is beside it, stays in reach.
  const QPoint tick = mapTo(window(), QPoint(std::clamp(static_cast<int>(x_of(frame)), 0, width()), 0));
  const QPoint panel = parentWidget()->mapTo(window(), QPoint(0, 0));
  int top = panel.y();
  for (const QTabBar* bar : window()->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
    if (const QRect place = bar->geometry(); bar->isVisible() && place.bottom() < top + kTabsAbove &&
                                             place.bottom() > top - kTabsAbove && place.left() <= panel.x() &&
                                             place.right() > panel.x())
      top = place.top();
  readout_->open(frame, QPoint(tick.x(), top));
}

void TimelineRuler::show_last_collision() {
  const int now = context_.playback.frame();
  const auto frame = last_collision(*context_.playback.log(), context_.selection.ids(), now);
  if (!frame) {
    const QString who = selection_text(context_.document.scene(), context_.selection);
    return Bubble::show_at(this, tr("Up to frame %1 nothing has hit %2.").arg(now).arg(who));
  }
  context_.playback.play(false);
  context_.playback.set_frame(*frame);
  open_readout(*frame);
}

bool TimelineRuler::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const auto change = surfaces_->frame_at(help->pos())) {
    QToolTip::showText(help->globalPos(), surfaces_->text(*change), this);
    return true;
  }
  const auto tick = tick_at(help->pos());
  if (!tick) {
    QToolTip::hideText();
    return true;
  }
  const auto rows =
      collisions_of_frame(*context_.playback.log(), context_.document.scene(), context_.selection.ids(), *tick);
  QString text = tr("Frame %1").arg(*tick);
  constexpr std::size_t kMostNamed = 4;
  for (std::size_t k = 0; k < std::min(rows.size(), kMostNamed); ++k)
    text += QLatin1Char('\n') + rows[k].objects + QStringLiteral(", ") + rows[k].speed;
  if (rows.size() > kMostNamed) text += QLatin1Char('\n') + tr("and %1 more").arg(rows.size() - kMostNamed);
  QToolTip::showText(help->globalPos(), text + QLatin1Char('\n') + tr("Click for force, time and squash."), this);
  return true;
}

void TimelineRuler::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return TimeStrip::mousePressEvent(event);
  if (marks().press(event->position(), event->modifiers())) return;
  drag_ = part_at(event->position());
  if (drag_ == Drag::scrub) {
    const auto change = surfaces_->frame_at(event->position());
    const bool keys = !change && select_keys_at(event->position(), event->modifiers() & Qt::ShiftModifier);
    if (!keys && !change) pressed_tick_ = tick_at(event->position());
    press_x_ = event->position().x();
    if (readout_ && !pressed_tick_) readout_->hide();
    begin_scrub(change ? *change : pressed_tick_.value_or(frame_at(press_x_)));
  } else {
    gesture_ = context_.document.new_gesture();
    context_.time.hold(true);
  }
}

void TimelineRuler::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (marks().held()) return TimeStrip::mouseMoveEvent(event);
  if (pressed_tick_ && std::abs(x - press_x_) > kTickReach) {
    pressed_tick_.reset();
    if (readout_) readout_->hide();
  }
  if (drag_ == Drag::first || drag_ == Drag::last) move_range(drag_, frame_at(x));
  if (pressed_tick_)
    hover_ = x;
  else
    TimeStrip::mouseMoveEvent(event);
  const Drag part = drag_ == Drag::none ? part_at(event->position()) : drag_;
  // What is on the ruler has a cursor of its own.
  if (drag_ == Drag::none && (marks().sideways_at(event->position()) || marks().marker_at(event->position()))) return;
  const bool tick = part == Drag::scrub &&
                    (pressed_tick_ ||
                     (drag_ == Drag::none && (surfaces_->frame_at(event->position()) || tick_at(event->position()))));
  setCursor(tick ? Qt::PointingHandCursor : part == Drag::scrub ? Qt::ArrowCursor : Qt::SizeHorCursor);
}

void TimelineRuler::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && !marks().held()) {
    if (pressed_tick_) end_scrub(false);
    if (pressed_tick_) open_readout(*pressed_tick_);
    pressed_tick_.reset();
    if (drag_ == Drag::first || drag_ == Drag::last) {
      context_.time.hold(false);
      context_.time.fit();
    }
    drag_ = Drag::none;
  }
  TimeStrip::mouseReleaseEvent(event);
}

void TimelineRuler::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_colours().base);
  paint_range(painter);
  paint_ticks(painter, kStripHeight);
  paint_contacts(painter);
  paint_keys(painter);
  surfaces_->paint(painter);
  paint_computed(painter);
  paint_handles(painter);
  paint_marks(painter);
  paint_head(painter);
}

void TimelineRuler::paint_contacts(QPainter& painter) {
  const auto log = context_.playback.log();
  const ThemeColours& colours = theme_colours();
  const double bottom = height() - kStripHeight - 3, room = std::max(6.0, bottom - kRulerHeight - 4);
  double strongest = 0;
  for (const auto& [frame, contact] : log->contacts) strongest = std::max(strongest, contact.impulse);
  // Several contacts may share a column: the strongest of them is drawn, selected ones over the others.
  for (const bool selected : {false, true})
    for (const auto& [frame, contact] : log->contacts) {
      const bool mine =
          context_.selection.contains(thing_of(contact.a)) || context_.selection.contains(thing_of(contact.b));
      if (mine != selected) continue;
      const double share = strongest > 0 ? std::sqrt(contact.impulse / strongest) : 0;
      const double tall = 3 + share * (room - 3);
      QColor colour = mine ? colours.accent : QColor(0x8d, 0x96, 0xa3);
      colour.setAlpha(mine ? 230 : 150);
      painter.fillRect(QRectF(snap(x_of(frame)), bottom - tall, 1.5, tall), colour);
    }
}

/// Of what is selected; nothing selected, or without keys: of everything, fainter.
double TimelineRuler::key_height() const { return 0.5 * (kRulerHeight + height() - kStripHeight); }

/// The diamond of a frame means all its keys that are shown here.
KeyTimes TimelineRuler::keys_at(QPointF place) const {
  const int frame = frame_at(place.x());
  if (std::abs(place.y() - key_height()) > kKeyGrip || std::abs(x_of(frame) - place.x()) > kKeyGrip) return {};
  return keys_at_frame(context_, frame);
}

bool TimelineRuler::select_keys_at(QPointF place, bool adds) {
  const KeyTimes keys = keys_at(place);
  if (keys.empty()) return false;
  adds ? context_.keys.add(keys) : context_.keys.set(keys);
  return true;
}

void TimelineRuler::paint_keys(QPainter& painter) {
  if (context_.document.scene().tracks.empty()) return;
  std::vector<int> frames = context_.keying.key_frames(context_.selection.ids());
  const bool own = !context_.selection.empty() && !frames.empty();
  if (frames.empty()) frames = context_.keying.key_frames({});
  std::set<int> selected;
  for (const auto& [track, times] : context_.keys.keys())
    for (const double time : times) selected.insert(static_cast<int>(std::lround(time * frame_rate(context_))));
  painter.setRenderHint(QPainter::Antialiasing);
  QColor fill = theme_colours().accent;
  if (!own) fill.setAlpha(110);
  double last = -100;
  for (int frame : frames) {
    const double x = x_of(frame);
    const bool chosen = selected.count(frame) != 0;
    if (x < -6 || x > width() + 6 || (x - last < 1 && !chosen)) continue;
    paint_key(painter, QPointF(x, key_height()), chosen ? 5.5 : 4.5, QColor(0, 0, 0, own || chosen ? 200 : 110),
              chosen ? theme_colours().accent.lighter(145) : fill);
    last = x;
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void TimelineRuler::paint_computed(QPainter& painter) {
  const ThemeColours& colours = theme_colours();
  const double top = height() - kStripHeight;
  const auto bar = [&](double from, double to, const QBrush& brush) {
    const double left = snap(x_of(from)), right = snap(x_of(to));
    if (right > left) painter.fillRect(QRectF(left, top, right - left, kStripHeight), brush);
  };
  painter.fillRect(QRectF(0, top, width(), kStripHeight), QColor(0x16, 0x17, 0x19));
  if (stale_until_ > computed_) {
    bar(std::max(0, computed_ - 1), stale_until_ - 1, QColor(0x4d, 0x46, 0x33));
    bar(std::max(0, computed_ - 1), stale_until_ - 1, QBrush(QColor(0x7d, 0x6c, 0x40), Qt::BDiagPattern));
  }
  if (computed_ > 0) bar(0, std::max(0.3, computed_ - 1.0), colours.computed);
  const FillStatus status = context_.playback.status();
  if (status.phase == FillStatus::Phase::stopped && computed_ > 0) {
    const double x = snap(x_of(computed_ - 1));
    painter.fillRect(QRectF(x, kRulerHeight + 1, 2, height() - kRulerHeight - 1), colours.error);
  }
}

void TimelineRuler::paint_handles(QPainter& painter) {
  const SceneSettings& settings = context_.document.scene().settings;
  const ThemeColours& colours = theme_colours();
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Drag part : {Drag::first, Drag::last}) {
    const double x = snap(x_of(part == Drag::first ? settings.first_frame : settings.last_frame));
    const double direction = part == Drag::first ? 1 : -1;
    const bool hot = drag_ == part || (drag_ == Drag::none && hover_ >= 0 && std::abs(hover_ - x) <= kHandleReach);
    const QColor colour = hot ? colours.text : QColor(0x8a, 0x90, 0x99);
    painter.fillRect(QRectF(x - (direction < 0 ? 1.5 : 0), kRulerHeight, 1.5, height() - kRulerHeight), colour);
    QPainterPath flag;
    flag.moveTo(x, kRulerHeight);
    flag.lineTo(x + 8 * direction, kRulerHeight);
    flag.lineTo(x, kRulerHeight + 10);
    flag.closeSubpath();
    painter.fillPath(flag, colour);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace hazumi
