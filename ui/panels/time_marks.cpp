#include "ui/panels/time_marks.h"

#include <algorithm>
#include <cmath>

#include <QMenu>
#include <QPainter>
#include <QPainterPath>

#include "ui/model/document_controller.h"
#include "ui/model/markers.h"
#include "ui/model/playback_controller.h"
#include "ui/model/text.h"
#include "ui/panels/time_strip.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/colour_editor.h"
#include "ui/widgets/name_edit.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

// Logical pixels, in the ruler's height of 24: the bar of the part, numbers, flags over the ticks.
constexpr double kPartHeight = 4, kPartGrip = 9, kReach = 5;
constexpr double kFlagTop = 13, kFlagHeight = 11, kFlagPadding = 4, kWidestFlag = 110;
constexpr double kStill = 3;  // what a hand moves in a click
constexpr int kNameWidth = 150;

struct Colour {
  const char* word;
  double r, g, b;
};
constexpr Colour kColours[] = {{"Blue", 0.40, 0.72, 0.95}, {"Green", 0.48, 0.78, 0.46},  {"Yellow", 0.93, 0.80, 0.38},
                               {"Red", 0.92, 0.48, 0.45},  {"Violet", 0.72, 0.58, 0.92}, {"Grey", 0.66, 0.69, 0.73}};

QFont flag_font(const QWidget& at) {
  QFont font = at.font();
  font.setPointSizeF(font.pointSizeF() * 0.78);
  return font;
}

}  // namespace

// Where things are ----------------------------------------------------------------------------------------------------

QRectF TimeMarks::flag_of(const Marker& marker) const {
  const QFontMetricsF metrics(flag_font(strip_));
  const double room = std::min(kWidestFlag, metrics.horizontalAdvance(QString::fromStdString(marker.name)));
  return {strip_.x_of(frame_of(context_, marker)), kFlagTop, room + 2 * kFlagPadding + aside(marker), kFlagHeight};
}

/// At the play head the name begins beside its number.
double TimeMarks::aside(const Marker& marker) const {
  return frame_of(context_, marker) == context_.playback.frame() ? strip_.head_width() / 2 : 0;
}

/// Where two lie over each other the later one, which is drawn over the other.
std::optional<Id> TimeMarks::marker_at(QPointF place) const {
  std::optional<Id> found;
  for (const Marker* marker : markers_in_time(context_))
    if (marker->visible && flag_of(*marker).adjusted(-2, 0, 0, 1).contains(place)) found = marker->id;
  return found;
}

TimeMarks::Drag TimeMarks::end_at(QPointF place) const {
  const auto part = context_.playback.part();
  if (!part || place.y() > kPartGrip) return Drag::none;
  // The grips lie inside the bar; of a bar of one frame the last one can be taken.
  if (std::abs(place.x() - strip_.x_of(part->last)) <= kReach) return Drag::last;
  if (std::abs(place.x() - strip_.x_of(part->first)) <= kReach) return Drag::first;
  return Drag::none;
}

// Mouse ---------------------------------------------------------------------------------------------------------------

bool TimeMarks::press(QPointF place, Qt::KeyboardModifiers keys) {
  press_x_ = place.x();
  moved_ = false;
  if (place.y() > TimeStrip::kRulerHeight) return false;
  if (keys & Qt::ShiftModifier) {
    drag_ = Drag::part;
    anchor_ = std::max(0, strip_.frame_at(place.x()));
    return true;
  }
  if ((drag_ = end_at(place)) != Drag::none) return true;
  const auto marker = marker_at(place);
  if (!marker) return false;
  drag_ = Drag::marker;
  marker_ = *marker;
  grip_ = place.x() - flag_of(*find_marker(context_, marker_)).left();
  gesture_ = context_.document.new_gesture();
  return true;
}

bool TimeMarks::move(QPointF place) {
  if (drag_ == Drag::none) return false;
  moved_ = moved_ || std::abs(place.x() - press_x_) > kStill;
  if (!moved_) return true;
  const int frame = std::max(0, strip_.frame_at(place.x()));
  if (drag_ == Drag::marker) {
    move_marker(context_, marker_, std::max(0, strip_.frame_at(place.x() - grip_)), gesture_);
    return true;
  }
  PlayRange part = context_.playback.part().value_or(PlayRange{frame, frame});
  if (drag_ == Drag::part) part = {std::min(anchor_, frame), std::max(anchor_, frame)};
  if (drag_ == Drag::first) part.first = std::min(frame, part.last);
  if (drag_ == Drag::last) part.last = std::max(frame, part.first);
  context_.playback.set_part(part);
  return true;
}

bool TimeMarks::release() {
  if (drag_ == Drag::none) return false;
  const Marker* marker = drag_ == Drag::marker && !moved_ ? find_marker(context_, marker_) : nullptr;
  drag_ = Drag::none;
  if (marker) go_to_marker(context_, *marker);
  return true;
}

bool TimeMarks::double_click(QPointF place) {
  const auto marker = marker_at(place);
  if (marker) type_name(*marker);
  return marker.has_value();
}

void TimeMarks::type_name(Id id) {
  const Marker* marker = find_marker(context_, id);
  if (!marker) return;
  delete name_.data();
  name_ = new NameEdit(QString::fromStdString(marker->name), "marker_name", 200, &strip_);
  const int left = std::clamp(static_cast<int>(flag_of(*marker).left()), 0, std::max(0, strip_.width() - kNameWidth));
  name_->begin({left, 0, kNameWidth, static_cast<int>(TimeStrip::kRulerHeight)}, &strip_,
               [this, id](const QString& text) { rename_marker(context_, id, text); });
}

// Menu ----------------------------------------------------------------------------------------------------------------

void TimeMarks::add_marker_entries(QMenu& menu, Id id) {
  menu.addAction(tr("Rename…"), &strip_, [this, id] { type_name(id); });
  QMenu* colours = menu.addMenu(tr("Colour"));
  for (const Colour& colour : kColours) {
    const Vec3 rgb(colour.r, colour.g, colour.b);
    const auto dot = [](QPainter& painter) { painter.drawEllipse(QRectF(3, 3, 10, 10)); };
    colours->addAction(QIcon(colour_pixmap(16, rgb, QPen(Qt::NoPen), dot)), tr(colour.word), &strip_,
                       [this, id, rgb] { colour_marker(context_, id, rgb); });
  }
  menu.addAction(theme_icon(QStringLiteral("delete")), tr("Delete"), &strip_,
                 [this, id] { delete_marker(context_, id); });
  menu.addSeparator();
}

QMenu* TimeMarks::make_menu(QPointF place) {
  auto* menu = new QMenu(&strip_);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  if (const auto id = marker_at(place)) add_marker_entries(*menu, *id);
  for (const char* id : {"marker.add", "marker.previous", "marker.next"}) menu->addAction(context_.actions[id]);
  const auto markers = markers_in_time(context_);
  QMenu* list = menu->addMenu(tr("Go to Marker"));
  list->setEnabled(!markers.empty());
  for (const Marker* marker : markers)
    list->addAction(tr("%1, frame %2")
                        .arg(QString::fromStdString(marker->name).replace('&', QLatin1String("&&")))
                        .arg(frame_of(context_, *marker)),
                    &strip_, [this, id = marker->id] {
                      if (const Marker* there = find_marker(context_, id)) go_to_marker(context_, *there);
                    });
  menu->addSeparator();
  for (const char* id : {"part.first", "part.last", "part.keys", "part.clear"}) menu->addAction(context_.actions[id]);
  return menu;
}

// Drawing -------------------------------------------------------------------------------------------------------------

void TimeMarks::paint_part(QPainter& painter) const {
  const auto part = context_.playback.part();
  if (!part) return;
  const double left = strip_.x_of(part->first), right = strip_.x_of(part->last);
  const QColor colour = theme_colours().warning;
  painter.fillRect(QRectF(left, 0, std::max(1.0, right - left), kPartHeight), colour);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const bool first : {true, false}) {
    const double x = first ? left : right, inwards = first ? 6 : -6;
    QPainterPath grip;
    grip.moveTo(x, 0);
    grip.lineTo(x, kPartGrip);
    grip.lineTo(x + inwards, kPartHeight);
    grip.lineTo(x + inwards, 0);
    grip.closeSubpath();
    painter.fillPath(grip, colour);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void TimeMarks::paint_markers(QPainter& painter) const {
  const auto markers = markers_in_time(context_);
  if (markers.empty()) return;
  const QFont font = flag_font(strip_);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  for (const Marker* marker : markers) {
    const QRectF flag = flag_of(*marker);
    if (!marker->visible || flag.right() < 0 || flag.left() > strip_.width()) continue;
    const QColor colour = to_qcolor(marker->colour);
    QColor pole = colour;
    pole.setAlpha(150);
    painter.fillRect(QRectF(flag.left() - 0.5, flag.top(), 1, strip_.height() - flag.top()), pole);
    painter.fillRect(QRectF(flag.left() - 0.5, flag.top(), flag.width() + 0.5, flag.height()), colour);
    painter.setPen(qGray(colour.rgb()) > 110 ? QColor(0x1b, 0x1c, 0x1f) : QColor(Qt::white));
    painter.drawText(flag.adjusted(kFlagPadding - 1 + aside(*marker), -1, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(QString::fromStdString(marker->name), Qt::ElideRight, kWidestFlag));
  }
}

}  // namespace hazumi
