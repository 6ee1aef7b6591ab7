// Unsaved work survives a crash. Every program that runs has a folder of its own in the user's data directory with a lock
// that names its process; while the document is modified the scene is kept there with its meshes
// (core/scene/file/recovery_folder.h) after every command, by a worker from a snapshot: what is lost is at most the last
// gesture. What cannot be written, on a full disk, is told of once and tried again until it can; a folder that somebody deleted is
// made again with all that was in it. A folder whose process is gone is what a crash left behind. What is brought back stays in its
// folder, which the program takes over, until it has been saved.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <QDateTime>
#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QImage>
#include <QLockFile>
#include <QObject>
#include <QTimer>

#include "core/scene/values/scene.h"
#include "ui/jobs/worker.h"

namespace hazumi {

class DocumentController;

/// What was discarded can be put back for so long; of more than so much the oldest goes first.
struct TrashLimits {
  int days = 30;
  qint64 bytes = 2'000'000'000;
};

class Autosave : public QObject {
  Q_OBJECT
 public:
  Autosave(DocumentController& document, const QString& root, QObject* parent = nullptr);
  ~Autosave() override;

  struct Remains {
    QString folder, scene, picture;  ///< scene and picture: files
    QString origin;                  ///< file that was open; empty: never saved
    QDateTime time;                  ///< of the last edit that is kept
    QDateTime discarded;             ///< valid: it is in the trash since then
  };
  /// Folders below `root` that hold a scene and belong to no running program; newest first.
  static std::vector<Remains> left_behind(const QString& root);
  /// What was discarded and can be put back, latest first; what is beyond the limits is deleted.
  static std::vector<Remains> trash(const QString& root, const TrashLimits& limits = {});
  static Remains read(const QString& folder);
  /// Into the trash beside it, and out of it. False: it is not there any more, or cannot be moved.
  static bool discard(const QString& folder);
  static bool put_back(const QString& folder);

  /// Goes on in a folder that a crash left, whose scene is the document now. False: another program has it.
  bool adopt(const QString& folder);
  /// What the person saw, for the next start; kept at most every few seconds.
  bool wants_picture() const;
  void keep_picture(const QImage& picture);

  /// Off: nothing is kept, and what was is removed.
  void set_on(bool on);
  /// Tidies up too, in the worker.
  void set_trash_limits(const TrashLimits& limits);
  const TrashLimits& trash_limits() const { return limits_; }

  /// The document as it is, also into the trash: what a person lets go of for the version of another program.
  void keep_in_trash();
  void write_now();
  void wait();    ///< until nothing is being written (tests)
  void forget();  ///< saved or closed: nothing to recover. Meshes stay until the program ends, undo may want them
  QString folder() const { return folder_; }

 signals:
  void failed(const QString& sentence);
  void written();
  void kept_again(const QString& sentence);  ///< after failed()

 private:
  void look_soon();
  void look();
  void ended(const QString& problem, qint64 took);
  void watch_folder();
  void folder_changed();

  DocumentController& document_;
  QString folder_;
  std::unique_ptr<QLockFile> lock_;
  QTimer timer_, retry_;
  QFileSystemWatcher watcher_;
  QElapsedTimer since_picture_;
  Shared<Scene> last_;
  std::vector<std::filesystem::path> needed_;  ///< files of what is kept; the worker's
  qint64 pause_ = 0;                           ///< ms until the next writing
  bool have_last_ = false, told_ = false, writing_ = false, again_ = false;
  TrashLimits limits_;
  bool on_ = true;
  bool owed_ = false;  ///< last_ is not in the folder, or not any more
  std::unique_ptr<Worker> worker_;
};

}  // namespace hazumi
