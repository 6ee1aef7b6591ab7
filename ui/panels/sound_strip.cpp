#include "ui/panels/sound_strip.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWidgetAction>

#include "ui/jobs/sound_job.h"
#include "ui/model/document_controller.h"
#include "ui/model/key_commands.h"
#include "ui/model/playback_controller.h"
#include "ui/model/sounds.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/name_edit.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kOneLane = 38, kLanes = 25, kMostHigh = 104;  // logical pixels: alone, beside others, all together
constexpr double kSoundStill = 3;                           // what a hand moves in a click
constexpr double kUnknownLength = 1;                        // s, of what is not decoded yet, or not to be had
constexpr double kSoundNameRoom = 6;
constexpr int kSoundNameWidth = 150;
const QColor kSoundColour(0x3f, 0x9a, 0x86), kSilentColour(0x70, 0x76, 0x7e);

double factor_of_peak(std::int16_t value, double gain) { return std::clamp(value / 32767.0 * gain, -1.0, 1.0); }

}  // namespace

SoundStrip::SoundStrip(UiContext& context, QWidget* parent) : TimeStrip(context, parent) {
  setObjectName(QStringLiteral("sound_strip"));
  setAccessibleName(tr("Sounds"));
  setFocusPolicy(Qt::ClickFocus);
  setStatusTip(
      tr("Sounds: drag one to another frame, with Ctrl anywhere; Delete removes it; right click: gain, mute, name."));
  connect(&context_.document, &DocumentController::changed, this, &SoundStrip::refresh);
  connect(&context_.document, &DocumentController::document_replaced, this, &SoundStrip::refresh);
  connect(&context_.sounds, &SoundJob::done, this, &SoundStrip::refresh);
  connect(&context_.playback, &PlaybackController::fill_changed, this, [this] {
    auto now = context_.playback.cache().cues();
    if (std::exchange(cues_, now) != now) update();
  });
  refresh();
}

/// In order of time each takes the first lane that is free.
void SoundStrip::refresh() {
  const Scene& scene = context_.document.scene();
  std::vector<const Sound*> sounds;
  for (const auto& sound : scene.sounds) sounds.push_back(sound.get());
  // While one is dragged the others keep their lanes, and it its own place in the order.
  std::stable_sort(sounds.begin(), sounds.end(), [this](const Sound* a, const Sound* b) {
    const auto start = [this](const Sound* s) { return s->id == dragged_ ? start_before_ : s->start; };
    return start(a) < start(b);
  });
  std::vector<double> ends;
  lanes_.clear();
  for (const Sound* sound : sounds) {
    const auto decoded = context_.sounds.find(sound->file);
    const double seconds = decoded ? decoded->clip.seconds() : kUnknownLength;
    const auto free = std::find_if(ends.begin(), ends.end(), [&](double end) { return end <= sound->start + 1e-9; });
    lanes_.push_back({sound->id, static_cast<int>(free - ends.begin()), seconds});
    if (free == ends.end()) ends.push_back(0);
    ends[static_cast<std::size_t>(lanes_.back().number)] = sound->start + seconds;
  }
  const int count = static_cast<int>(ends.size());
  if (!find_sound(context_, selected_)) selected_ = {};
  if (!find_sound(context_, dragged_)) dragged_ = {};
  if (count != lane_count_) {
    lane_count_ = count;
    updateGeometry();
  }
  if (isHidden() == (count > 0)) setVisible(count > 0);
  update();
}

int SoundStrip::strip_height() const {
  return lane_count_ <= 1 ? kOneLane : std::min(kLanes * lane_count_, std::max(kMostHigh, 6 * lane_count_));
}

int SoundStrip::lane_height() const { return strip_height() / std::max(1, lane_count_); }

QRectF SoundStrip::place_of(Id id) const {
  const Sound* sound = find_sound(context_, id);
  const auto lane = std::find_if(lanes_.begin(), lanes_.end(), [&](const Lane& each) { return each.sound == id; });
  if (!sound || lane == lanes_.end()) return {};
  const double rate = frame_rate(context_);
  const double left = snap(x_of(sound->start * rate)), right = snap(x_of((sound->start + lane->seconds) * rate));
  return {left, lane->number * lane_height() + 1.0, std::max(right - left, 3.0), lane_height() - 2.0};
}

const Sound* SoundStrip::sound_at(QPointF place) const {
  for (auto lane = lanes_.rbegin(); lane != lanes_.rend(); ++lane)
    if (place_of(lane->sound).contains(place)) return find_sound(context_, lane->sound);
  return nullptr;
}

// Mouse and keys ------------------------------------------------------------------------------------------------------

void SoundStrip::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return TimeStrip::mousePressEvent(event);
  const Sound* sound = sound_at(event->position());
  selected_ = sound ? sound->id : Id{};
  update();
  if (!sound) return begin_scrub(std::max(0, frame_at(event->position().x())));
  dragged_ = sound->id;
  press_x_ = event->position().x();
  start_before_ = sound->start;
  moved_ = false;
  gesture_ = context_.document.new_gesture();
}

void SoundStrip::mouseMoveEvent(QMouseEvent* event) {
  if (!dragged_) {
    TimeStrip::mouseMoveEvent(event);
    return setCursor(sound_at(event->position()) ? Qt::OpenHandCursor : Qt::ArrowCursor);
  }
  moved_ = moved_ || std::abs(event->position().x() - press_x_) > kSoundStill;
  setCursor(Qt::ClosedHandCursor);
  if (moved_) drag_to(event->position().x(), event->modifiers() & Qt::ControlModifier);
}

void SoundStrip::drag_to(double x, bool free) {
  const double rate = frame_rate(context_);
  const double frames = start_before_ * rate + (x - press_x_) / scale().pixels();
  move_sound(context_, dragged_, (free ? frames : std::round(frames)) / rate, gesture_);
}

void SoundStrip::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !dragged_) return TimeStrip::mouseReleaseEvent(event);
  dragged_ = {};
  setCursor(Qt::OpenHandCursor);
  refresh();  // lanes by where it is now
}

void SoundStrip::mouseDoubleClickEvent(QMouseEvent* event) {
  const Sound* sound = sound_at(event->position());
  if (event->button() != Qt::LeftButton || !sound) return mousePressEvent(event);
  type_name(sound->id);
}

bool SoundStrip::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Delete || key == Qt::Key_Backspace) event->accept();  // not the selected objects
  }
  if (event->type() != QEvent::ToolTip) return TimeStrip::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const Sound* sound = sound_at(help->pos());
  if (!sound) {
    QToolTip::hideText();
    return true;
  }
  const QString problem = context_.sounds.problem(sound->file);
  const auto decoded = context_.sounds.find(sound->file);
  QString text = tr("%1, from frame %2")
                     .arg(QString::fromStdString(sound->name))
                     .arg(sound->start * frame_rate(context_), 0, 'g', 6);
  if (decoded) text += tr(", %1 s").arg(decoded->clip.seconds(), 0, 'f', 2);
  if (!sound->visible) text += tr(", muted");
  if (sound->waits) text += tr(", heard only when a motion plays it");
  text += QLatin1Char('\n') + QFileInfo(QString::fromStdString(sound->file)).fileName();
  if (!problem.isEmpty()) text += QLatin1Char('\n') + problem;
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

void SoundStrip::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Delete && event->key() != Qt::Key_Backspace) return TimeStrip::keyPressEvent(event);
  delete_sound(context_, selected_);
}

void SoundStrip::type_name(Id id) {
  const Sound* sound = find_sound(context_, id);
  if (!sound) return;
  delete name_.data();
  name_ = new NameEdit(QString::fromStdString(sound->name), "sound_name", 60, this);
  const QRectF place = place_of(id);
  const int left = std::clamp(static_cast<int>(place.left()), 0, std::max(0, width() - kSoundNameWidth));
  name_->begin({left, static_cast<int>(place.top()), kSoundNameWidth, std::min(24, lane_height())}, this,
               [this, id](const QString& text) { rename_sound(context_, id, text); });
}

/// A number in the menu: dragged or typed, one undo step for a drag.
void SoundStrip::add_gain(QMenu& menu, const Sound& sound) {
  auto* row = new QWidget(&menu);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(28, 3, 8, 3);
  layout->addWidget(new QLabel(tr("Gain"), row));
  auto* field = new NumberField(row);
  field->setObjectName(QStringLiteral("sound_gain"));
  field->set_name(tr("Gain"));
  field->set_unit(QStringLiteral("%"));
  field->set_range(0, 10'000);
  field->set_step(1);
  field->set_default(100);
  field->set_value(100 * sound.gain);
  field->setFixedWidth(90);
  layout->addWidget(field);
  const auto gesture = std::make_shared<quint64>(0);
  connect(field, &NumberField::edited, this, [this, gesture, id = sound.id](double percent, bool continues) {
    if (!continues || *gesture == 0) *gesture = context_.document.new_gesture();
    set_gain(context_, id, percent / 100, *gesture);
  });
  auto* action = new QWidgetAction(&menu);
  action->setDefaultWidget(row);
  menu.addAction(action);
}

void SoundStrip::choose_file(Id id) {
  FileDialog dialog(FileDialog::For::open, tr("Sound File"), QStringLiteral("sound"), sound_filter(), this);
  if (const QString chosen = dialog.ask(); !chosen.isEmpty()) change_sound_file(context_, id, chosen);
}

QMenu* SoundStrip::make_menu(QPointF place) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  if (const Sound* sound = sound_at(place)) {
    const Id id = sound->id;
    selected_ = id;
    update();
    add_gain(*menu, *sound);
    QAction* mute = menu->addAction(tr("Mute"));
    mute->setCheckable(true);
    mute->setChecked(!sound->visible);
    connect(mute, &QAction::triggered, this, [this, id](bool on) { mute_sound(context_, id, on); });
    QAction* waits = menu->addAction(tr("Only in Motions"));
    waits->setToolTip(tr("Not heard where it stands here, only when a Play Sound of a motion graph plays it."));
    waits->setCheckable(true);
    waits->setChecked(sound->waits);
    connect(waits, &QAction::triggered, this, [this, id](bool on) { let_sound_wait(context_, id, on); });
    menu->addSeparator();
    menu->addAction(tr("Begin at Play Head"), this,
                    [this, id] { move_sound(context_, id, context_.playback.frame() / frame_rate(context_)); });
    menu->addAction(tr("Rename…"), this, [this, id] { type_name(id); });
    menu->addAction(tr("Other File…"), this, [this, id] { choose_file(id); });
    menu->addAction(theme_icon(QStringLiteral("delete")), tr("Delete"), this,
                    [this, id] { delete_sound(context_, id); });
    menu->addSeparator();
  }
  menu->addAction(context_.actions["file.import_sound"]);
  return menu;
}

void SoundStrip::contextMenuEvent(QContextMenuEvent* event) { make_menu(event->pos())->popup(event->globalPos()); }

// Drawing -------------------------------------------------------------------------------------------------------------

void SoundStrip::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_colours().base);
  QFont font = this->font();
  font.setPointSizeF(font.pointSizeF() * 0.85);
  painter.setFont(font);
  for (const Lane& lane : lanes_) {
    const Sound* sound = find_sound(context_, lane.sound);
    const QRectF place = place_of(lane.sound);
    if (sound && place.intersects(QRectF(event->rect()))) paint_sound(painter, *sound, place, event->rect());
  }
  paint_cues(painter);
  const double x = snap(x_of(context_.playback.frame()));
  painter.fillRect(QRectF(x - 0.5, 0, 1.5, height()), theme_colours().accent);
}

/// Where motions play sounds, as far as it is computed: in the lane of each, from its beginning to its end.
void SoundStrip::paint_cues(QPainter& painter) {
  if (!cues_) return;
  const double rate = frame_rate(context_);
  QColor fill = kSoundColour;
  fill.setAlpha(60);
  for (const Lane& lane : lanes_) {
    const Sound* sound = find_sound(context_, lane.sound);
    if (!sound || !sound->visible) continue;
    const double top = lane.number * lane_height() + 1.0, high = lane_height() - 2.0;
    for (const FrameCue& cue : *cues_) {
      if (cue.thing != lane.sound) continue;
      const double left = snap(x_of(cue.time * rate)), right = snap(x_of((cue.time + lane.seconds) * rate));
      if (right < 0 || left > width()) continue;
      painter.fillRect(QRectF(left, top, std::max(right - left, 3.0), high), fill);
      painter.fillRect(QRectF(left, top, 2, high), kSoundColour.lighter(140));
    }
  }
}

void SoundStrip::paint_sound(QPainter& painter, const Sound& sound, const QRectF& place, const QRect& dirty) {
  const ThemeColours& colours = theme_colours();
  const QString problem = context_.sounds.problem(sound.file);
  const bool there = context_.sounds.find(sound.file) != nullptr, chosen = sound.id == selected_;
  const bool heard = sound.visible && !sound.waits;
  QColor fill = !there && !problem.isEmpty() ? colours.error : heard ? kSoundColour : kSilentColour;
  fill.setAlpha(chosen ? 95 : 55);
  painter.fillRect(place, fill);
  if (there) paint_wave(painter, sound, place, dirty);
  const bool lost = !there && !problem.isEmpty();
  const QColor edge = chosen ? colours.text : lost ? colours.error : heard ? kSoundColour.lighter(125) : kSilentColour;
  painter.setPen(QPen(edge, 1));
  painter.setBrush(Qt::NoBrush);
  if (chosen) painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5));
  painter.fillRect(QRectF(place.left(), place.top(), 2, place.height()), edge);

  QString text = QString::fromStdString(sound.name);
  if (!sound.visible) text += tr(" (muted)");
  if (sound.visible && sound.waits) text += tr(" (only in motions)");
  if (!there) text += QStringLiteral(": ") + (problem.isEmpty() ? tr("reading…") : problem);
  // A name stands at the end: at the beginning is what is put on a frame. What cannot be heard says why beyond its end too: how long
  // it is nobody knows.
  const double left = std::max(place.left(), 0.0) + kSoundNameRoom, edge_right = static_cast<double>(width());
  const double right = there ? std::min(place.right(), edge_right) - kSoundNameRoom : edge_right;
  if (right - left < 14) return;
  const QFontMetricsF metrics(painter.font());
  const QString fits = metrics.elidedText(text, Qt::ElideRight, right - left);
  const double wide = metrics.horizontalAdvance(fits);
  const QRectF line(there ? right - wide : left, place.top(), wide + 1, std::min(place.height(), metrics.height() + 2));
  // On a shade of its own: the waveform behind is as light as letters.
  painter.fillRect(QRectF(line.left() - 2, line.top() + 1, wide + 4, line.height() - 1), QColor(0x16, 0x17, 0x19, 170));
  painter.setPen(there || problem.isEmpty() ? (heard ? colours.text : colours.quiet_text) : colours.error);
  painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, fits);
}

/// A line for each pixel of the screen, from the lowest to the highest of what falls into it.
void SoundStrip::paint_wave(QPainter& painter, const Sound& sound, const QRectF& place, const QRect& dirty) {
  const auto decoded = context_.sounds.find(sound.file);
  const SoundClip& clip = decoded->clip;
  const double pixel = 1 / devicePixelRatioF(), rate = frame_rate(context_);
  const double from = std::max({place.left(), 0.0, static_cast<double>(dirty.left()) - 1});
  const double to = std::min({place.right(), static_cast<double>(width()), static_cast<double>(dirty.right()) + 2});
  const double middle = place.center().y(), half = place.height() / 2 - 1;
  const auto sample_at = [&](double x) {
    const double seconds = scale().frame_at(x) / rate - sound.start;
    return std::clamp(seconds * clip.rate, 0.0, static_cast<double>(clip.samples.size()));
  };
  const QColor colour = sound.visible && !sound.waits ? kSoundColour.lighter(125) : kSilentColour;
  for (double x = snap(from); x < to; x += pixel) {
    const auto begin = static_cast<std::size_t>(sample_at(x));
    const auto end = std::max(begin + 1, static_cast<std::size_t>(sample_at(x + pixel)));
    const Peak peak = decoded->peaks.over(clip, begin, end);
    const double top = middle - half * factor_of_peak(peak.high, sound.gain),
                 bottom = middle - half * factor_of_peak(peak.low, sound.gain);
    painter.fillRect(QRectF(x, top - pixel / 2, pixel, std::max(bottom - top, 0.0) + pixel), colour);
  }
}

}  // namespace hazumi
