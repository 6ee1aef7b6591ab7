// Pictures of several runs at once, small, drawn in a worker by the offscreen renderer: the newest wish replaces the one before.
#pragma once

#include <memory>
#include <vector>

#include <QImage>
#include <QObject>

#include "core/base/shared.h"
#include "core/playback/frame_cache.h"
#include "core/scene/derived/mesh_store.h"
#include "render/extract.h"
#include "ui/jobs/worker.h"

namespace hazumi {

class OffscreenRenderer;

struct WallTile {
  Shared<Scene> scene;
  std::shared_ptr<const FrameCache> frames;  ///< null: as it begins
  int frame = 0;                             ///< of `frames`
};

struct WallWish {
  std::vector<WallTile> tiles;
  ViewCamera camera;
  int width = 160, height = 100;  ///< physical pixels of a tile
  bool grid = true;
};

class WallJob : public QObject {
  Q_OBJECT
 public:
  explicit WallJob(std::shared_ptr<MeshStore> meshes, QObject* parent = nullptr);
  ~WallJob() override;

  bool busy() const { return busy_; }
  void want(WallWish wish);

 signals:
  void drawn(const std::vector<QImage>& pictures);  ///< in the order of the tiles
  void failed(const QString& sentence);             ///< nothing can be drawn

 private:
  void work(const WallWish& wish);

  std::shared_ptr<MeshStore> meshes_;
  std::unique_ptr<OffscreenRenderer> renderer_;  ///< of the worker
  bool busy_ = false;
  Worker worker_;  ///< last: it ends before what its results are delivered to
};

}  // namespace hazumi
