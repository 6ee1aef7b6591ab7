#include "ui/model/settings.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

namespace hazumi {

namespace {

constexpr int kRecentFiles = 12;

QString made_folder(QStandardPaths::StandardLocation place, const QString& name) {
  const QString folder = QStandardPaths::writableLocation(place) + QLatin1Char('/') + name;
  QDir().mkpath(folder);
  return folder;
}

}  // namespace

Settings::Settings() {
  file_ = QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + QStringLiteral("/hazumi.ini");
}

QStringList Settings::recent_files() const {
  QStringList there;
  for (const QString& file : QSettings(file_, QSettings::IniFormat).value(QStringLiteral("recent")).toStringList())
    if (QFileInfo::exists(file)) there << file;
  return there;
}

void Settings::add_recent_file(const QString& file) {
  const QString path = QFileInfo(file).absoluteFilePath();
  QStringList files = recent_files();
  files.removeAll(path);
  files.prepend(path);
  while (files.size() > kRecentFiles) files.removeLast();
  QSettings(file_, QSettings::IniFormat).setValue(QStringLiteral("recent"), files);
}

void Settings::remove_recent_file(const QString& file) {
  QStringList files = recent_files();
  files.removeAll(QFileInfo(file).absoluteFilePath());
  QSettings(file_, QSettings::IniFormat).setValue(QStringLiteral("recent"), files);
}

void Settings::clear_recent_files() { QSettings(file_, QSettings::IniFormat).remove(QStringLiteral("recent")); }

QByteArray Settings::window_geometry() const {
  return QSettings(file_, QSettings::IniFormat).value(QStringLiteral("window/geometry")).toByteArray();
}
void Settings::set_window_geometry(const QByteArray& geometry) {
  QSettings(file_, QSettings::IniFormat).setValue(QStringLiteral("window/geometry"), geometry);
}
QByteArray Settings::window_state() const {
  return QSettings(file_, QSettings::IniFormat).value(QStringLiteral("window/state")).toByteArray();
}
void Settings::set_window_state(const QByteArray& state) {
  QSettings(file_, QSettings::IniFormat).setValue(QStringLiteral("window/state"), state);
}
QString Settings::last_folder() const {
  const QString home = QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
  const QString folder = QSettings(file_, QSettings::IniFormat).value(QStringLiteral("window/folder"), home).toString();
  return QFileInfo(folder).isDir() ? folder : home;
}
void Settings::set_last_folder(const QString& folder) {
  QSettings(file_, QSettings::IniFormat).setValue(QStringLiteral("window/folder"), folder);
}

KeyMap Settings::key_map() const {
  QSettings saved(file_, QSettings::IniFormat);
  KeyMap map;
  if (const QString set = saved.value(QStringLiteral("key_set")).toString(); !set.isEmpty()) map.set = set;
  saved.beginGroup(QStringLiteral("keys"));
  for (const QString& id : saved.allKeys()) map.own[id] = saved.value(id).toString();
  return map;
}
void Settings::set_key_map(const KeyMap& map) {
  QSettings saved(file_, QSettings::IniFormat);
  saved.setValue(QStringLiteral("key_set"), map.set);
  saved.remove(QStringLiteral("keys"));
  saved.beginGroup(QStringLiteral("keys"));
  for (const auto& [id, keys] : map.own) saved.setValue(id, keys);
}

QString scenes_folder() {
  const QString installed = QCoreApplication::applicationDirPath() + QStringLiteral("/../share/hazumi/scenes");
  for (const QString& folder : {qEnvironmentVariable("HAZUMI_SCENES"), installed, QStringLiteral(HAZUMI_SOURCE_SCENES)})
    if (!folder.isEmpty() && QFileInfo(folder).isDir()) return QDir(folder).canonicalPath();
  return {};
}

bool is_shipped_scene(const QString& file) {
  const QString shipped = scenes_folder(), place = QFileInfo(file).canonicalFilePath();  // empty: there is no such file
  return !shipped.isEmpty() && place.startsWith(shipped + QLatin1Char('/'));
}

QString own_folder(const QString& folder) {
  const QString shipped = scenes_folder();
  const bool in_gallery = !shipped.isEmpty() && QFileInfo(folder).canonicalFilePath() == shipped;
  if (!in_gallery) return folder;
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return QFileInfo(documents).isDir() ? documents : QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
}

QString autosave_folder() { return made_folder(QStandardPaths::AppDataLocation, QStringLiteral("autosave")); }
QString thumbnail_folder() { return made_folder(QStandardPaths::CacheLocation, QStringLiteral("thumbnails")); }
QString program_version() { return QStringLiteral(HAZUMI_VERSION); }

}  // namespace hazumi
