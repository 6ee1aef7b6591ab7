// Moving thumbnails of scene files: two seconds of each scene, simulated and rendered in a worker, kept on disk under a
// hash of the file so that it is done once. Names, descriptions and stills come first, for all scenes, from pictures/NAME.jpg beside
// the scene where there is one, then the motion. That takes a fifth of a processor: whoever looks at the gallery has something else in mind.
#pragma once

#include <functional>

#include <QImage>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <QVector>

#include "core/scene/derived/mesh_store.h"
#include "ui/jobs/worker.h"

namespace hazumi {

inline constexpr int kThumbnailWidth = 256, kThumbnailHeight = 160;  ///< pixels
inline constexpr int kThumbnailRate = 12;                            ///< pictures a second
inline constexpr int kThumbnailCount = 24;                           ///< pictures

/// What is shown of a file, where it is not the scene in it: that is looked at from where all of its motion is in the picture.
using ThumbnailStage = std::function<Scene(const Scene& read, MeshStore& meshes)>;

class ThumbnailJob : public QObject {
  Q_OBJECT
 public:
  ThumbnailJob(QString cache_folder, std::shared_ptr<MeshStore> meshes, QObject* parent = nullptr,
               ThumbnailStage stage = {});

  /// Starts on these files; what was under way for others is dropped.
  void request(const QStringList& files);
  void stop() { worker_.clear(); }

 signals:
  void described(const QString& file, const QString& name, const QString& description);
  void unreadable(const QString& file, const QString& sentence);
  void ready(const QString& file, const QVector<QImage>& pictures);  ///< one still, or the motion

 private:
  QSet<QString> describe(const QStringList& files);
  void work(const QStringList& files);

  QString folder_;
  std::shared_ptr<MeshStore> meshes_;
  ThumbnailStage stage_;
  Worker worker_;
};

}  // namespace hazumi
