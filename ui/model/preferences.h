// What a person prefers, beside keys: one table of rows, as the scene's values have (core/scene/values/fields.h). The pages of the
// dialog, the settings file and the checks of what is read from it come from the rows.
#pragma once

#include <span>
#include <vector>

#include <QObject>
#include <QString>

#include "core/scene/values/fields.h"

class QSettings;

namespace hazumi {

struct Preferences {
  bool autosave = true;
  int trash_days = 30;
  int trash_size = 2000;  ///< MB
  bool play_own = false;
  int recent_files = 12;
  int scale = 100;  ///< %, of the interface; read before there is a window
  bool zoom_to_mouse = true;
  int turning = 100;                  ///< %
  int view_time = 160;                ///< ms
  int undo_steps = 1000;              ///< 0: all
  double snap_move = 0.1;             ///< m
  double snap_angle = 5 * kPi / 180;  ///< rad
  double snap_factor = 0.1;
};

std::span<const Field<Preferences>> preference_fields();
bool same_preferences(const Preferences& a, const Preferences& b);

/// As they are stored; what makes no sense there is as it is at first, and `problem` says so in a sentence.
Preferences read_preferences(QSettings& saved, QString* problem = nullptr);
/// Only what differs from the first is written.
void write_preferences(QSettings& saved, const Preferences& preferences);
/// Before the application is made: its whole interface is laid out and drawn larger or smaller. What the desktop or the person
/// says in QT_SCALE_FACTOR goes first.
void scale_interface(const Preferences& preferences);

/// Those that hold now.
class PresentPreferences : public QObject {
  Q_OBJECT
 public:
  explicit PresentPreferences(const Preferences& preferences) : now_(preferences), at_start_(preferences) {}
  const Preferences& now() const { return now_; }
  /// Of what is only read at the start.
  const Preferences& at_start() const { return at_start_; }
  /// While the dialog is open: at once, but for what cannot be put back.
  void set(const Preferences& preferences);
  /// The person means it.
  void confirm() { emit confirmed(); }

 signals:
  void changed();
  void confirmed();

 private:
  Preferences now_, at_start_;
};

}  // namespace hazumi
