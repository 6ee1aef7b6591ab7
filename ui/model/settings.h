// What the program remembers between runs (recent files, window place, preferences) and where its own files lie: everything is in
// one file, settings_file(), of one folder. Nothing here is part of a scene. In Qt's test mode every path is a test path, so tests never touch what a person has.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "core/playback/frame_store.h"
#include "ui/model/key_map.h"
#include "ui/model/preferences.h"

namespace hazumi {

class Settings {
 public:
  Settings();
  QStringList recent_files() const;  ///< newest first; files that are gone are left out
  void add_recent_file(const QString& file);
  void remove_recent_file(const QString& file);
  void clear_recent_files();

  QByteArray window_geometry() const;
  void set_window_geometry(const QByteArray& geometry);
  QByteArray window_state() const;  ///< dock layout for scenes that have none
  void set_window_state(const QByteArray& state);
  /// Where the last file dialog for this kind ("scene", "mesh") was; where there was none, where the last one was, else home.
  QString last_folder(const QString& kind = {}) const;
  void set_last_folder(const QString& folder, const QString& kind = {});
  /// How a scene's file was looked at when it was left (ui/viewport/viewpoint.h), of the last hundred files; empty: unknown.
  QString viewpoint(const QString& file) const;
  void set_viewpoint(const QString& file, const QString& viewpoint);
  /// The same of the part of its range that is played: "12 48"; empty: the whole.
  QString played_part(const QString& file) const;
  void set_played_part(const QString& file, const QString& part);
  /// `problem`: what of the file made no sense, a sentence.
  Preferences preferences(QString* problem = nullptr) const;
  void set_preferences(const Preferences& preferences);
  KeyMap key_map() const;  ///< as it is written there: whoever takes it has to check it (ui/window/key_rows.h)
  void set_key_map(const KeyMap& map);
  /// Of computed frames; what is not said there, or makes no sense, is the usual.
  FrameLimits frame_limits() const;
  void set_frame_limits(const FrameLimits& limits);

 private:
  QString of_file(const QString& group, const QString& file) const;
  void set_of_file(const QString& group, const QString& file, const QString& text);

  QString file_;
};

/// Of all that is remembered; whoever remembers something opens it as QSettings::IniFormat.
QString settings_file();

/// Folder of shipped scenes: HAZUMI_SCENES, else ../share/hazumi/scenes beside the program, else the source tree.
/// Empty when none of them exists.
QString scenes_folder();
/// Folder of shipped motions, beside that of scenes: ../motions of an installed program, else of the source tree.
QString motions_folder();
QString own_motions_folder();  ///< the person's own; made where it is not there
/// Whether a file is among them, links followed: such a file is never written to.
bool is_shipped_scene(const QString& file);
/// Where a person's own files go when the folder at hand is this: not among the shipped scenes, there it is Documents,
/// or home where there is no such folder.
QString own_folder(const QString& folder);
/// What computed frames may take where nobody said otherwise: of memory a quarter of what the machine has, at least 512 MB.
FrameLimits usual_frame_limits();
/// What a person may choose: of memory up to all that the machine has, of the disk up to a thousand gigabytes, or nothing.
std::size_t least_frame_memory();
std::size_t most_frame_memory();
inline constexpr std::size_t kMegabyte = 1'000'000, kGigabyte = 1'000'000'000, kMostFrameDisk = 1000 * kGigabyte;
/// "312 MB", "1.4 GB".
QString memory_text(std::size_t bytes);
QString autosave_folder();   ///< created when missing
QString thumbnail_folder();  ///< created when missing
QString program_version();

}  // namespace hazumi
