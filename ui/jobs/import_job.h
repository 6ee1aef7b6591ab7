// Reads a mesh file that is to be imported and prepares it as often as its settings change, off the interface thread: only
// the newest settings are worked on. Cancelling ends a reading that is under way within a moment.
#pragma once

#include <memory>
#include <optional>

#include <QImage>
#include <QObject>
#include <QSize>
#include <QString>

#include "core/base/diagnostic.h"
#include "core/import/clip.h"
#include "core/import/prepare.h"
#include "render/offscreen.h"
#include "ui/jobs/worker.h"
#include "ui/model/clip_commands.h"

namespace hazumi {

/// What an import would give with some settings.
struct ImportPreview {
  MeshSettings settings;
  std::shared_ptr<const DisplayMesh> mesh;
  std::uint64_t content = 0;                                         ///< mesh_hash() of the mesh
  MeshReport before, report;                                         ///< of the file as it is, and of `mesh`
  std::size_t merged = 0, turned = 0, filled = 0, unsimplified = 0;  ///< unsimplified: faces before the simplification
  std::size_t mergeable = 0;               ///< places that merging would join, when it is not asked for
  QImage picture;                          ///< null: no picture could be drawn
  std::shared_ptr<const ClipImport> clip;  ///< of the clip that was asked for
  QString problem;                         ///< why there is none, as a sentence
};

/// Which clip of the file, and how its keys are made.
struct ClipAsked {
  std::size_t clip = 0;
  ClipWay way;
};

class ImportJob : public QObject {
  Q_OBJECT
 public:
  explicit ImportJob(QObject* parent = nullptr);
  ~ImportJob() override;

  /// file_read() or failed() follows. `piece`: only this one of the file (MeshSettings::piece).
  void read(const QString& file, const std::string& piece = {});
  /// What moves in the file that was read; null: nothing.
  std::shared_ptr<const ClipFile> clips() const { return clips_; }
  /// Only after file_read(). `offered_merge`: the distance that mergeable is counted with. prepared() follows unless other
  /// settings come first.
  void prepare(const MeshSettings& settings, double offered_merge, QSize picture,
               const std::optional<ClipAsked>& clip = {});
  void cancel();
  bool busy() const { return busy_; }

 signals:
  void file_read(const hazumi::MeshReport& report);
  void failed(const hazumi::Diagnostic& problem);
  void progress(double part);  ///< of the keys of a clip, 0…1
  void prepared(const std::shared_ptr<const hazumi::ImportPreview>& preview);

 private:
  std::shared_ptr<std::atomic<bool>> fresh_task();

  std::shared_ptr<const ClipImport> make_clip(const MeshSettings& settings, const ClipAsked& asked,
                                              const std::shared_ptr<const ClipFile>& clips,
                                              const std::shared_ptr<std::atomic<bool>>& cancelled, QString& problem);
  QImage draw(const DisplayMesh& mesh, QSize size, bool textures);

  std::shared_ptr<const ImportedMesh> file_;
  std::shared_ptr<const ClipFile> clips_;
  std::string source_;
  std::shared_ptr<std::atomic<bool>> cancelled_;  ///< of the newest task
  bool busy_ = false;
  std::unique_ptr<OffscreenRenderer> renderer_;  ///< made by the worker for the first picture
  Worker worker_;                                ///< last: it ends before what its results are delivered to
};

}  // namespace hazumi
