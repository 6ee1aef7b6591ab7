#include "ui/panels/key_gesture.h"

#include <cmath>

#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/text.h"
#include "ui/model/time_window.h"

namespace hazumi {

namespace {
constexpr double kNearHead = 0.5;  // frames: taken hold of at the play head, the mouse's way says how much
}

KeyGesture::KeyGesture(UiContext& context, const Start& start, Values values)
    : context_(context),
      start_(start),
      values_(std::move(values)),
      scene_(context.document.snapshot()),
      keys_(context.keys.keys()),
      active_(context.keys.active()),
      head_(head_time(context)),
      rate_(frame_rate(context)),
      gesture_(context.document.new_gesture()),
      mouse_(start.mouse) {
  apply();  // copies are there at once; where nothing moved yet no step comes of it
}

void KeyGesture::mouse_moved(const Place& mouse, Qt::KeyboardModifiers held) {
  mouse_ = mouse;
  fine_ = held & Qt::ShiftModifier;
  apply();
}

double KeyGesture::scale() const {
  if (entry_.value()) return *entry_.value();
  const double head = head_ * rate_, from = start_.mouse.frame - head;
  if (std::abs(from) > kNearHead) return (mouse_.frame - head) / from;
  return 1 + 4 * (mouse_.frame - start_.mouse.frame) / (context_.time.last() - context_.time.first());
}

Retime KeyGesture::retime() const {
  if (start_.kind == Kind::scale) return {0, scale(), head_, fine_ || entry_.value() ? 0 : rate_};
  if (axis_ == Axis::value) return {};
  if (entry_.value()) return {*entry_.value() / rate_, 1, 0, 0};
  const double way = mouse_.frame - start_.mouse.frame;
  if (fine_ || !active_) return {way / rate_, 1, 0, 0};
  // The active key comes to whole frames, the others keep their distance from it. At rest it stays where it is.
  const double at = active_->time * rate_;
  return {std::abs(way) < 0.5 ? 0 : (std::round(at + way) - at) / rate_, 1, 0, 0};
}

double KeyGesture::way_in_value() const {
  if (start_.kind == Kind::scale || axis_ == Axis::time) return 0;
  if (entry_.value()) return axis_ == Axis::value ? *entry_.value() : 0;
  return mouse_.height - start_.mouse.height;
}

void KeyGesture::apply() {
  const Retime to = retime();
  KeyEdit edit = start_.copies ? copied_keys(*scene_, keys_, to) : retimed_keys(*scene_, keys_, to);
  if (const double way = way_in_value(); values_ && way != 0) edit = values_(edit, way);
  std::optional<KeyRef> active;
  if (active_) active = KeyRef{active_->track, retimed(active_->time, to)};
  const QString text = start_.copies ? tr("Duplicate %1") : start_.kind == Kind::scale ? tr("Scale %1") : tr("Move %1");
  std::size_t count = 0;  // that it began with: some may lie on each other now
  for (const auto& [track, times] : keys_) count += times.size();
  (void)apply_keys(context_, text.arg(keys_text(count)), std::move(edit), gesture_, active, scene_.get());
}

KeyGesture::Answer KeyGesture::key(const QKeyEvent& event) {
  const int key = event.key();
  if (key == Qt::Key_Escape) return Answer::give_up;
  if (key == Qt::Key_Return || key == Qt::Key_Enter) return Answer::take;
  const bool axis = values_ && start_.kind == Kind::move;
  if (axis && (key == Qt::Key_X || key == Qt::Key_Y)) {
    const Axis wanted = key == Qt::Key_X ? Axis::time : Axis::value;
    axis_ = axis_ == wanted ? Axis::both : wanted;
  } else if (!entry_.key(key)) {
    return Answer::goes_on;
  }
  apply();
  return Answer::goes_on;
}

void KeyGesture::give_up() {
  (void)context_.document.edit(tr("Move %1").arg(keys_text(1)), *scene_, gesture_);
  context_.keys.set(keys_, active_);
}

QString KeyGesture::hint() const {
  const auto number = [](double value) { return QString::number(value, 'g', 6); };
  const QString typed = entry_.empty() ? QString() : tr(" [%1]").arg(entry_.text());
  QString what;
  if (start_.kind == Kind::scale) {
    what = tr("Scale about the play head: %1%2").arg(number(scale()), typed);
  } else {
    what = start_.copies ? tr("Duplicate: ") : tr("Move: ");
    if (axis_ != Axis::value) what += tr("%1 frames").arg(number(retime().by * rate_));
    if (values_ && axis_ != Axis::time)
      what += (axis_ == Axis::value ? QString() : QStringLiteral(", ")) +
              tr("value %1 %2").arg(number(way_in_value()), start_.value_unit).trimmed();
    what += typed;
  }
  const QString axes = values_ && start_.kind == Kind::move ? tr(" · X time only · Y value only") : QString();
  return what + axes + tr(" · type a number · Shift between frames · click or Enter takes it · Esc leaves it");
}

}  // namespace hazumi
