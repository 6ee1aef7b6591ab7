#include "ui/model/preferences.h"

#include <cmath>
#include <optional>

#include <QSettings>
#include <QStringList>

#include "core/scene/values/field_rows.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

const QString kGroup = QStringLiteral("preferences");

/// Of the row's type; none: it cannot be read as one.
std::optional<FieldValue> value_from(const QString& text, FieldType type) {
  bool good = false;
  if (type == FieldType::boolean) {
    if (text != QLatin1String("true") && text != QLatin1String("false")) return std::nullopt;
    return text == QLatin1String("true");
  }
  if (type == FieldType::integer) {
    const qlonglong number = text.toLongLong(&good);
    return good ? std::optional<FieldValue>(std::int64_t{number}) : std::nullopt;
  }
  const double number = text.toDouble(&good);
  return good && std::isfinite(number) ? std::optional<FieldValue>(number) : std::nullopt;
}

QString text_from(const FieldValue& value) {
  if (const auto* on = std::get_if<bool>(&value)) return *on ? QStringLiteral("true") : QStringLiteral("false");
  if (const auto* number = std::get_if<std::int64_t>(&value)) return QString::number(*number);
  return QString::number(std::get<double>(value), 'g', 17);
}

}  // namespace

std::span<const Field<Preferences>> preference_fields() {
  using Owner = Preferences;
  using namespace rows;
  // clang-format off
  static const std::vector<Field<Preferences>> table = {
      ROW(autosave, "Keep unsaved", "Unsaved work", "", kNone, look, always,
          "After every command the scene is kept, so that a crash loses at most the last gesture."),
      ROW(trash_days, "Keep discarded", "Unsaved work", "days", within(1, 3650, 0.2), look, always,
          "How long what was discarded can be brought back by File > Unsaved Work; then it is deleted."),
      ROW(trash_size, "At most on disk", "Unsaved work", "MB", within(10, 1e6, 10), look, always,
          "How much of the disk discarded work may take; beyond that the oldest is deleted first."),
      ROW(play_own, "Play own scenes", "Opening", "", kNone, look, always,
          "A scene of your own starts playing when it is opened, as those of the gallery do."),
      ROW(recent_files, "Recent files", "Opening", "", within(1, 50, 0.2), look, always,
          "How many files the gallery and File > Open Recent remember."),
      ROW(scale, "Scale", "Interface", "%", within(75, 200, 1), look, always,
          "Size of everything in the window, sharp at every size. It holds from the next start on."),
      ROW(zoom_to_mouse, "Zoom to mouse", "View", "", kNone, look, always,
          "The wheel keeps what is under the mouse where it is; off, the middle of the view."),
      ROW(turning, "Turning speed", "View", "%", within(10, 400, 1), look, always,
          "How far a drag turns the view."),
      ROW(view_time, "Way to a view", "View", "ms", within(0, 2000, 10), look, always,
          "How long the view takes to get to Front, Frame All and the like; 0 is at once."),
      ROW(undo_steps, "Undo steps", "Undo", "", within(0, 100000, 1), look, always,
          "How many commands can be taken back; 0: all, as long as there is memory for them."),
      ROW(snap_move, "Move", "Snapping with Ctrl", "m", within(1e-6, 1e6, 0), look, always,
          "The step of a move while Ctrl is held."),
      ROW(snap_angle, "Rotate", "Snapping with Ctrl", "°", (Range{kPi / 1800, kPi, false, 0}), look, always,
          "The step of a turn while Ctrl is held."),
      ROW(snap_factor, "Scale", "Snapping with Ctrl", "", within(0.001, 10, 0.005), look, always,
          "The step of a factor while Ctrl is held."),
  };
  // clang-format on
  return table;
}

bool same_preferences(const Preferences& a, const Preferences& b) {
  for (const auto& row : preference_fields())
    if (!operator_equal(row.get(a), row.get(b))) return false;
  return true;
}

Preferences read_preferences(QSettings& saved, QString* problem) {
  Preferences read;
  QStringList bad;
  for (const auto& row : preference_fields()) {
    const QString key = kGroup + QLatin1Char('/') + text_of(row.path);
    if (!saved.contains(key)) continue;
    const auto value = value_from(saved.value(key).toString(), row.type);
    if (value && field_problem(row, *value).empty())
      row.set(read, *value);
    else
      bad << text_of(row.label);
  }
  if (problem && !bad.isEmpty())
    *problem = tr("The settings file says what makes no sense of %1: that is as it was at first. Edit > Preferences "
                  "sets it.")
                   .arg(bad.join(QStringLiteral(", ")));
  return read;
}

void write_preferences(QSettings& saved, const Preferences& preferences) {
  for (const auto& row : preference_fields()) {
    const QString key = kGroup + QLatin1Char('/') + text_of(row.path);
    const FieldValue value = row.get(preferences);
    if (operator_equal(value, row.get(Preferences{})))
      saved.remove(key);
    else
      saved.setValue(key, text_from(value));
  }
}

void scale_interface(const Preferences& preferences) {
  if (preferences.scale == 100 || qEnvironmentVariableIsSet("QT_SCALE_FACTOR")) return;
  qputenv("QT_SCALE_FACTOR", QByteArray::number(preferences.scale / 100.0));
}

void PresentPreferences::set(const Preferences& preferences) {
  if (same_preferences(preferences, now_)) return;
  now_ = preferences;
  emit changed();
}

}  // namespace hazumi
