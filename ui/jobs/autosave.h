// Unsaved work survives a crash. Every program that runs has a folder of its own in the user's data directory with a lock
// that names its process; while the document is modified the scene is written there once a minute, by a worker from a
// snapshot. A folder whose process is gone is what a crash left behind.
#pragma once

#include <memory>
#include <vector>

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QTimer>

#include "core/scene/values/scene.h"
#include "ui/jobs/worker.h"

namespace hazumi {

class DocumentController;

class Autosave : public QObject {
  Q_OBJECT
 public:
  Autosave(DocumentController& document, const QString& root, QObject* parent = nullptr);
  ~Autosave() override;

  struct Remains {
    QString folder, scene;  ///< scene: file to load
    QString origin;         ///< file that was open; empty: never saved
    QDateTime time;
  };
  /// Folders below `root` that hold a scene and belong to no running program; newest first.
  static std::vector<Remains> left_behind(const QString& root);
  static Remains read(const QString& folder);
  static void remove(const QString& folder);

  void set_interval(int milliseconds) { timer_.setInterval(milliseconds); }
  void write_now();
  void wait();    ///< until nothing is being written (tests)
  void forget();  ///< saved or closed: nothing to recover
  QString folder() const { return folder_; }

 signals:
  void failed(const QString& sentence);
  void written();

 private:
  void on_time();

  DocumentController& document_;
  QString folder_;
  std::unique_ptr<QLockFile> lock_;
  QTimer timer_;
  Shared<Scene> last_;
  bool have_last_ = false, told_ = false;
  std::unique_ptr<Worker> worker_;
};

}  // namespace hazumi
