#include "ui/model/settings.h"

#include <algorithm>

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include "core/base/memory.h"

namespace hazumi {

namespace {

constexpr int kFilesRemembered = 100;

QString key_of_file(const QString& file) {
  const QByteArray path = QFileInfo(file).absoluteFilePath().toUtf8();
  return QString::fromLatin1(QCryptographicHash::hash(path, QCryptographicHash::Sha1).toHex());
}

/// Versions before kept some of it in a second file, in a folder that Qt names where a program has no organization.
void take_over_older(const QString& file) {
  const QString folder =
      QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + QStringLiteral("/Unknown Organization");
  const QString older = folder + QLatin1Char('/') + QCoreApplication::applicationName() + QStringLiteral(".conf");
  if (!QFileInfo::exists(older)) return;
  {
    const QSettings before(older, QSettings::IniFormat);
    QSettings now(file, QSettings::IniFormat);
    for (const QString& key : before.allKeys())
      if (!now.contains(key)) now.setValue(key, before.value(key));
    now.sync();
    if (now.status() != QSettings::NoError) return;  // it is tried again at the next start
  }
  QFile::remove(older);
  QDir().rmdir(folder);  // unless another program has something there
}

QString made_folder(QStandardPaths::StandardLocation place, const QString& name) {
  const QString folder = QStandardPaths::writableLocation(place) + QLatin1Char('/') + name;
  QDir().mkpath(folder);
  return folder;
}

}  // namespace

QString settings_file() {
  return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + QStringLiteral("/hazumi.ini");
}

Settings::Settings() : file_(settings_file()) { take_over_older(file_); }

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
  while (files.size() > preferences().recent_files) files.removeLast();
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
QString Settings::last_folder(const QString& kind) const {
  const QSettings saved(file_, QSettings::IniFormat);
  for (const QString& key : {QStringLiteral("folders/") + kind, QStringLiteral("window/folder")})
    if (const QString folder = saved.value(key).toString(); !folder.isEmpty() && QFileInfo(folder).isDir())
      return folder;
  return QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
}
void Settings::set_last_folder(const QString& folder, const QString& kind) {
  QSettings saved(file_, QSettings::IniFormat);
  saved.setValue(QStringLiteral("window/folder"), folder);
  if (!kind.isEmpty()) saved.setValue(QStringLiteral("folders/") + kind, folder);
}

QString Settings::of_file(const QString& group, const QString& file) const {
  const QSettings saved(file_, QSettings::IniFormat);
  return saved.value(group + QLatin1Char('/') + key_of_file(file)).toStringList().value(1);
}
/// With the time, so that the oldest can go.
void Settings::set_of_file(const QString& group, const QString& file, const QString& text) {
  QSettings saved(file_, QSettings::IniFormat);
  saved.beginGroup(group);
  saved.setValue(key_of_file(file), QStringList{QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs), text});
  QStringList keys = saved.allKeys();
  if (keys.size() <= kFilesRemembered) return;
  std::sort(keys.begin(), keys.end(), [&](const QString& a, const QString& b) {
    return saved.value(a).toStringList().value(0) < saved.value(b).toStringList().value(0);
  });
  for (qsizetype i = 0; i + kFilesRemembered < keys.size(); ++i) saved.remove(keys[i]);
}

QString Settings::viewpoint(const QString& file) const { return of_file(QStringLiteral("viewpoints"), file); }
void Settings::set_viewpoint(const QString& file, const QString& viewpoint) {
  set_of_file(QStringLiteral("viewpoints"), file, viewpoint);
}
QString Settings::played_part(const QString& file) const { return of_file(QStringLiteral("parts"), file); }
void Settings::set_played_part(const QString& file, const QString& part) {
  set_of_file(QStringLiteral("parts"), file, part);
}

Preferences Settings::preferences(QString* problem) const {
  QSettings saved(file_, QSettings::IniFormat);
  return read_preferences(saved, problem);
}
void Settings::set_preferences(const Preferences& preferences) {
  QSettings saved(file_, QSettings::IniFormat);
  write_preferences(saved, preferences);
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

FrameLimits Settings::frame_limits() const {
  const QSettings saved(file_, QSettings::IniFormat);
  FrameLimits limits = usual_frame_limits();
  const auto take = [&](const char* key, std::size_t unit, std::size_t least, std::size_t most, std::size_t& value) {
    bool number = false;
    const double there = saved.value(QLatin1String(key)).toDouble(&number) * static_cast<double>(unit);
    if (number && there >= static_cast<double>(least) && there <= static_cast<double>(most))
      value = static_cast<std::size_t>(there + 0.5);
  };
  take("frames/memory_mb", kMegabyte, least_frame_memory(), most_frame_memory(), limits.memory);
  take("frames/disk_gb", kGigabyte, 0, kMostFrameDisk, limits.disk);
  return limits;
}
void Settings::set_frame_limits(const FrameLimits& limits) {
  QSettings saved(file_, QSettings::IniFormat);
  const FrameLimits usual = usual_frame_limits();
  // What is usual is not written: another machine, another memory.
  const auto put = [&](const char* key, std::size_t unit, std::size_t value, std::size_t usually) {
    if (value == usually)
      saved.remove(QLatin1String(key));
    else
      saved.setValue(QLatin1String(key), static_cast<double>(value) / static_cast<double>(unit));
  };
  put("frames/memory_mb", kMegabyte, limits.memory, usual.memory);
  put("frames/disk_gb", kGigabyte, limits.disk, usual.disk);
}

std::size_t least_frame_memory() { return 128 * kMegabyte; }
std::size_t most_frame_memory() {
  const std::size_t there = installed_memory() / kMegabyte * kMegabyte;
  return there > 0 ? std::max(there, 512 * kMegabyte) : 64 * kGigabyte;
}

FrameLimits usual_frame_limits() {
  FrameLimits limits;
  limits.memory = std::max(most_frame_memory() / 4 / kMegabyte, std::size_t{512}) * kMegabyte;
  limits.disk = 16 * kGigabyte;
  limits.folder =
      (QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/frames")).toStdString();
  return limits;
}

QString memory_text(std::size_t bytes) {
  const double megabytes = static_cast<double>(bytes) / kMegabyte;
  if (megabytes < 9999.5) return QCoreApplication::translate("Hazumi", "%L1 MB").arg(megabytes, 0, 'f', 0);
  return QCoreApplication::translate("Hazumi", "%L1 GB").arg(megabytes / 1000, 0, 'f', 1);
}

QString scenes_folder() {
  const QString installed = QCoreApplication::applicationDirPath() + QStringLiteral("/../share/hazumi/scenes");
  for (const QString& folder : {qEnvironmentVariable("HAZUMI_SCENES"), installed, QStringLiteral(HAZUMI_SOURCE_SCENES)})
    if (!folder.isEmpty() && QFileInfo(folder).isDir()) return QDir(folder).canonicalPath();
  return {};
}

QString motions_folder() {
  const QString scenes = scenes_folder();
  if (scenes.isEmpty()) return {};
  for (const char* folder : {"/../motions", "/../assets/motions"})
    if (QFileInfo(scenes + QLatin1String(folder)).isDir()) return QDir(scenes + QLatin1String(folder)).canonicalPath();
  return {};
}

QString own_motions_folder() { return made_folder(QStandardPaths::AppDataLocation, QStringLiteral("motions")); }

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
