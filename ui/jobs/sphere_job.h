// Little spheres of a material: rendered off the interface thread by the same renderer as the viewport; where there is no
// OpenGL, painted with the same lights and formula on the processor, so that the panel works everywhere.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include <QImage>
#include <QObject>

#include "core/scene/values/scene.h"
#include "render/offscreen.h"
#include "ui/jobs/worker.h"

namespace hazumi {

/// Blinn-Phong with the classic OpenGL material, transparent around the sphere.
QImage painted_sphere(const Surface& surface, int size);

class SphereJob : public QObject {
  Q_OBJECT
 public:
  explicit SphereJob(QObject* parent = nullptr);
  ~SphereJob() override;
  /// done(key, picture) follows; a newer request of the same key replaces one that has not begun. size in pixels.
  void request(const QString& key, const Surface& surface, int size);

 signals:
  void done(const QString& key, const QImage& picture);

 private:
  struct Request {
    Surface surface;
    int size;
  };
  void work();
  QImage draw(const Request& request);

  std::mutex mutex_;
  std::map<QString, Request> waiting_;
  std::unique_ptr<OffscreenRenderer> renderer_;  ///< made, used and destroyed in the worker
  std::shared_ptr<const DisplayMesh> mesh_;
  bool tried_ = false;
  Worker worker_;
};

}  // namespace hazumi
