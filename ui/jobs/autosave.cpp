#include "ui/jobs/autosave.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <future>
#include <utility>

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QUuid>

#include "core/base/atomic_file.h"
#include "core/scene/file/recovery_folder.h"
#include "ui/model/document_controller.h"

namespace hazumi {

namespace {

/// ms. A drag is kept on its way too; every writing is followed by a rest as long as it took.
constexpr qint64 kPause = 20, kPicturePause = 4000;
constexpr int kRetry = 2000;        // ms after what could not be written
constexpr int kPictureWidth = 512;  // pixels: what the page of recovery shows, on fine screens too

QString scene_file(const QString& folder) { return folder + QStringLiteral("/scene.json"); }
QString origin_file(const QString& folder) { return folder + QStringLiteral("/origin.txt"); }
QString picture_file(const QString& folder) { return folder + QStringLiteral("/picture.png"); }
QString discarded_file(const QString& folder) { return folder + QStringLiteral("/discarded.txt"); }
QString lock_file(const QString& folder) { return folder + QStringLiteral("/lock"); }
QString trash_folder(const QString& root) { return root + QStringLiteral("/trash"); }

qint64 size_of(const QString& folder) {
  qint64 bytes = 0;
  QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
  while (files.hasNext()) {
    files.next();
    bytes += files.fileInfo().size();
  }
  return bytes;
}

void remove(const QString& folder) { QDir(folder).removeRecursively(); }

std::unique_ptr<QLockFile> locked(const QString& folder) {
  auto lock = std::make_unique<QLockFile>(lock_file(folder));
  lock->setStaleLockTime(0);  // a lock is stale when its process is gone, never by age
  if (!lock->tryLock(0)) lock.reset();
  return lock;
}

void newest_first(std::vector<Autosave::Remains>& found) {
  std::sort(found.begin(), found.end(),
            [](const Autosave::Remains& a, const Autosave::Remains& b) { return a.time > b.time; });
}

}  // namespace

Autosave::Autosave(DocumentController& document, const QString& root, QObject* parent)
    : QObject(parent), document_(document), worker_(std::make_unique<Worker>()) {
  folder_ = root + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces);
  QDir().mkpath(folder_);
  lock_ = locked(folder_);
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &Autosave::look);
  retry_.setSingleShot(true);
  connect(&retry_, &QTimer::timeout, this, &Autosave::look);
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, &Autosave::folder_changed);
  watch_folder();
  connect(&document, &DocumentController::changed, this, &Autosave::look_soon);
  connect(&document, &DocumentController::document_replaced, this, [this] {
    forget();
    worker_->post([folder = folder_] { remove(folder + QStringLiteral("/meshes")); });
  });
}

Autosave::~Autosave() {
  // An exception ends the program: that is no orderly end.
  const bool keep = std::uncaught_exceptions() > 0 && document_.modified();
  if (keep) {
    write_now();
    wait();
  }
  worker_.reset();
  lock_.reset();
  if (!keep) remove(folder_);
}

/// Not at once: an undo step is not on the stack yet while it tells of itself.
void Autosave::look_soon() {
  if (on_ && !timer_.isActive()) timer_.start(static_cast<int>(pause_));
}

void Autosave::set_on(bool on) {
  if (on == on_) return;
  on_ = on;
  on ? look_soon() : forget();
}

void Autosave::set_trash_limits(const TrashLimits& limits) {
  limits_ = limits;
  worker_->post([root = QFileInfo(folder_).path(), limits] { (void)trash(root, limits); });
}

void Autosave::look() {
  pause_ = 0;
  const Shared<Scene> now = document_.snapshot();
  if (have_last_ && !owed_ && last_.same_as(now)) return;
  if (!document_.modified()) {
    if (have_last_) forget();  // undone all the way to what is saved
    return;
  }
  if (writing_)
    again_ = true;
  else
    write_now();
}

void Autosave::write_now() {
  last_ = document_.snapshot();
  have_last_ = writing_ = true;
  owed_ = false;
  retry_.stop();
  worker_->post([this, scene = last_, folder = folder_, origin = document_.file().string()] {
    QElapsedTimer watch;
    watch.start();
    const bool gone = !QFileInfo::exists(lock_file(folder));
    if (gone) {  // somebody has tidied up
      QDir().mkpath(folder);
      lock_.reset();
      lock_ = locked(folder);
    }
    const QByteArray bytes = QByteArray::fromStdString(origin);
    QFile note(origin_file(folder));
    const bool noted = note.open(QIODevice::ReadOnly) && note.readAll() == bytes;
    if (!noted) (void)write_file_atomically(origin_file(folder).toStdString(), origin);  // the scene's problem is told
    const Status status = keep_for_recovery(*scene, std::filesystem::path(folder.toStdString()), &needed_);
    const QString problem =
        status.ok()
            ? QString()
            : tr("Unsaved work cannot be kept for a crash. %1").arg(QString::fromStdString(status.error().message));
    Worker::deliver(this, [this, problem, gone, took = watch.elapsed()] {
      ended(problem, took);
      if (!gone) return;
      watch_folder();
      folder_changed();  // it may have gone again before it was watched
    });
  });
}

void Autosave::ended(const QString& problem, qint64 took) {
  writing_ = false;
  pause_ = std::max(kPause, took);
  if (problem.isEmpty()) {
    if (std::exchange(told_, false)) emit kept_again(tr("Unsaved work is kept for a crash again."));
    emit written();
  } else {
    owed_ = true;
    retry_.start(kRetry);
    if (!std::exchange(told_, true)) emit failed(problem);  // once, not after every command
  }
  if (std::exchange(again_, false))
    look_soon();
  else if (!timer_.isActive())
    QTimer::singleShot(pause_, this, [this] {
      if (!writing_) pause_ = 0;  // the next command after a rest is kept at once
    });
}

void Autosave::watch_folder() {
  // One that is new has the name of the old, which the watcher may not have missed yet.
  if (const QStringList watched = watcher_.directories(); !watched.isEmpty()) watcher_.removePaths(watched);
  watcher_.addPath(folder_);
}

/// It changes with all that is written there; only what is missing matters.
void Autosave::folder_changed() {
  if (!have_last_) return;
  worker_->post([this, folder = folder_] {
    const auto there = [](const std::filesystem::path& file) {
      std::error_code error;
      return std::filesystem::exists(file, error);
    };
    if (QFileInfo::exists(lock_file(folder)) && std::all_of(needed_.begin(), needed_.end(), there)) return;
    Worker::deliver(this, [this, folder] {
      if (!have_last_ || folder != folder_) return;
      owed_ = true;
      look_soon();
    });
  });
}

bool Autosave::wants_picture() const { return !since_picture_.isValid() || since_picture_.elapsed() > kPicturePause; }

void Autosave::keep_picture(const QImage& picture) {
  if (picture.isNull()) return;
  since_picture_.start();
  worker_->post([picture, folder = folder_] {
    if (!QFileInfo::exists(scene_file(folder))) return;  // saved meanwhile
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!picture.scaledToWidth(kPictureWidth, Qt::SmoothTransformation).save(&buffer, "PNG")) return;
    // A scene without a picture is as good; what keeps it from being written is told of for the scene.
    (void)write_file_atomically(picture_file(folder).toStdString(),
                                {bytes.constData(), static_cast<std::size_t>(bytes.size())});
  });
}

void Autosave::keep_in_trash() {
  write_now();
  worker_->post([folder = folder_] {
    const QString place =
        trash_folder(QFileInfo(folder).path()) + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces);
    QDir().mkpath(place);
    const QString now = QDateTime::currentDateTime().toString(Qt::ISODate);
    (void)write_file_atomically(discarded_file(place).toStdString(), now.toStdString());
    const std::filesystem::path from(folder.toStdString()), to(place.toStdString());
    std::error_code error;
    for (const char* part : {"meshes", "origin.txt", "picture.png", "scene.json"})  // the scene last: then it is whole
      std::filesystem::copy(from / part, to / part, std::filesystem::copy_options::recursive, error);
  });
}

void Autosave::wait() {
  std::promise<void> done;
  worker_->post([&done] { done.set_value(); });
  done.get_future().wait();
}

void Autosave::forget() {
  have_last_ = again_ = owed_ = false;
  timer_.stop();
  retry_.stop();
  since_picture_.invalidate();
  worker_->post([folder = folder_] {
    // The scene first: without it the rest is nothing that was left behind.
    for (const QString& file : {scene_file(folder), picture_file(folder), origin_file(folder)}) QFile::remove(file);
  });
}

bool Autosave::adopt(const QString& folder) {
  auto lock = locked(folder);
  if (!lock || !QFileInfo::exists(scene_file(folder))) return false;
  wait();
  lock_.reset();
  remove(folder_);
  lock_ = std::move(lock);
  folder_ = folder;
  have_last_ = again_ = owed_ = false;
  timer_.stop();
  retry_.stop();
  watch_folder();
  return true;
}

Autosave::Remains Autosave::read(const QString& folder) {
  Remains remains{folder, scene_file(folder), picture_file(folder), {}, QFileInfo(scene_file(folder)).lastModified(),
                  {}};
  QFile note(origin_file(folder));
  if (note.open(QIODevice::ReadOnly)) remains.origin = QString::fromUtf8(note.readAll());
  QFile discarded(discarded_file(folder));
  if (discarded.open(QIODevice::ReadOnly))
    remains.discarded = QDateTime::fromString(QString::fromUtf8(discarded.readAll()), Qt::ISODate);
  return remains;
}

std::vector<Autosave::Remains> Autosave::left_behind(const QString& root) {
  std::vector<Remains> found;
  for (const QString& name : QDir(root).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    const QString folder = root + QLatin1Char('/') + name;
    if (folder == trash_folder(root) || !locked(folder)) continue;  // its program runs
    if (QFileInfo::exists(scene_file(folder)))
      found.push_back(read(folder));
    else
      remove(folder);
  }
  newest_first(found);
  return found;
}

std::vector<Autosave::Remains> Autosave::trash(const QString& root, const TrashLimits& limits) {
  std::vector<Remains> found;
  for (const QString& name : QDir(trash_folder(root)).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    const Remains remains = read(trash_folder(root) + QLatin1Char('/') + name);
    if (!QFileInfo::exists(remains.scene)) continue;  // on its way
    if (remains.discarded.isValid() && remains.discarded.daysTo(QDateTime::currentDateTime()) >= limits.days)
      remove(remains.folder);
    else
      found.push_back(remains);
  }
  std::sort(found.begin(), found.end(), [](const Remains& a, const Remains& b) { return a.discarded > b.discarded; });
  qint64 used = 0;
  std::erase_if(found, [&](const Remains& remains) {
    used += size_of(remains.folder);
    if (used <= limits.bytes) return false;
    remove(remains.folder);
    return true;
  });
  newest_first(found);
  return found;
}

bool Autosave::discard(const QString& folder) {
  const QFileInfo info(folder);
  if (!locked(folder)) return false;
  const QString now = QDateTime::currentDateTime().toString(Qt::ISODate);
  if (!write_file_atomically(discarded_file(folder).toStdString(), now.toStdString()).ok()) return false;
  QDir().mkpath(trash_folder(info.path()));
  return QDir().rename(folder, trash_folder(info.path()) + QLatin1Char('/') + info.fileName());
}

bool Autosave::put_back(const QString& folder) {
  const QFileInfo info(folder);
  const QString root = QFileInfo(info.path()).path();
  if (!QDir().rename(folder, root + QLatin1Char('/') + info.fileName())) return false;
  QFile::remove(discarded_file(root + QLatin1Char('/') + info.fileName()));
  return true;
}

}  // namespace hazumi
