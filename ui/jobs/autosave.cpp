#include "ui/jobs/autosave.h"

#include <algorithm>
#include <future>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>

#include "core/base/atomic_file.h"
#include "core/scene/file/scene_io.h"
#include "ui/model/document_controller.h"

namespace hazumi {

namespace {

constexpr int kInterval = 60'000;  // ms

QString scene_file(const QString& folder) { return folder + QStringLiteral("/scene.json"); }
QString origin_file(const QString& folder) { return folder + QStringLiteral("/origin.txt"); }
QString lock_file(const QString& folder) { return folder + QStringLiteral("/lock"); }

}  // namespace

Autosave::Autosave(DocumentController& document, const QString& root, QObject* parent)
    : QObject(parent), document_(document), worker_(std::make_unique<Worker>()) {
  folder_ = root + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces);
  QDir().mkpath(folder_);
  lock_ = std::make_unique<QLockFile>(lock_file(folder_));
  lock_->setStaleLockTime(0);  // a lock is stale when its process is gone, never by age
  lock_->tryLock(0);
  timer_.setInterval(kInterval);
  connect(&timer_, &QTimer::timeout, this, &Autosave::on_time);
  timer_.start();
}

Autosave::~Autosave() {
  worker_.reset();
  lock_->unlock();
  remove(folder_);
}

void Autosave::on_time() {
  if (!document_.modified()) return;
  const Shared<Scene> now = document_.snapshot();
  if (have_last_ && last_.same_as(now)) return;
  write_now();
}

void Autosave::write_now() {
  last_ = document_.snapshot();
  have_last_ = true;
  worker_->post([this, scene = last_, folder = folder_, origin = document_.file().string()] {
    const Status status = save_scene(*scene, std::filesystem::path(scene_file(folder).toStdString()));
    (void)write_file_atomically(origin_file(folder).toStdString(), origin);  // the scene's problem is told
    const QString problem =
        status.ok()
            ? QString()
            : tr("Unsaved work cannot be kept for a crash. %1").arg(QString::fromStdString(status.error().message));
    Worker::deliver(this, [this, problem] {
      if (problem.isEmpty()) {
        told_ = false;
        emit written();
      } else if (!told_) {
        told_ = true;  // once, not every minute
        emit failed(problem);
      }
    });
  });
}

void Autosave::wait() {
  std::promise<void> done;
  worker_->post([&done] { done.set_value(); });
  done.get_future().wait();
}

void Autosave::forget() {
  have_last_ = false;
  worker_->post([folder = folder_] {
    for (const QString& entry : QDir(folder).entryList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot)) {
      const QString path = folder + QLatin1Char('/') + entry;
      if (path == lock_file(folder)) continue;
      if (QFileInfo(path).isDir())
        QDir(path).removeRecursively();
      else
        QFile::remove(path);
    }
  });
}

Autosave::Remains Autosave::read(const QString& folder) {
  Remains remains{folder, scene_file(folder), {}, QFileInfo(scene_file(folder)).lastModified()};
  QFile note(origin_file(folder));
  if (note.open(QIODevice::ReadOnly)) remains.origin = QString::fromUtf8(note.readAll());
  return remains;
}

std::vector<Autosave::Remains> Autosave::left_behind(const QString& root) {
  std::vector<Remains> found;
  for (const QString& name : QDir(root).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    const QString folder = root + QLatin1Char('/') + name;
    QLockFile lock(lock_file(folder));
    lock.setStaleLockTime(0);
    if (!lock.tryLock(0)) continue;  // its program runs
    lock.unlock();
    if (QFileInfo::exists(scene_file(folder)))
      found.push_back(read(folder));
    else
      remove(folder);
  }
  std::sort(found.begin(), found.end(), [](const Remains& a, const Remains& b) { return a.time > b.time; });
  return found;
}

void Autosave::remove(const QString& folder) { QDir(folder).removeRecursively(); }

}  // namespace hazumi
