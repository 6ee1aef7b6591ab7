#include "ui/jobs/wall_job.h"

#include "core/scene/derived/keyed.h"
#include "render/offscreen.h"

namespace hazumi {

WallJob::WallJob(std::shared_ptr<MeshStore> meshes, QObject* parent) : QObject(parent), meshes_(std::move(meshes)) {}

WallJob::~WallJob() { worker_.clear(); }

void WallJob::want(WallWish wish) {
  busy_ = true;
  worker_.post([this, wish = std::move(wish)] { work(wish); });
}

void WallJob::work(const WallWish& wish) {
  if (!renderer_) {
    auto made = OffscreenRenderer::create();
    if (!made.ok()) {
      const QString why = QString::fromStdString(made.error().message);
      Worker::deliver(this, [this, why] {
        busy_ = false;
        emit failed(why);
      });
      return;
    }
    renderer_ = std::move(made).value();
  }
  PictureOptions options;
  options.width = wish.width;
  options.height = wish.height;
  options.samples = 1;
  options.quick = true;
  ViewOptions view;
  view.helpers = view.joints = false;
  view.grid = wish.grid;
  view.height = static_cast<float>(wish.height);
  const float aspect = static_cast<float>(wish.width) / static_cast<float>(wish.height);
  std::vector<QImage> pictures;
  for (const WallTile& tile : wish.tiles) {
    if (worker_.cancelled()) return;
    const FramePtr frame = tile.frames ? tile.frames->fetch(tile.frame) : nullptr;
    const double time = (frame ? frame->index : 0) / tile.scene->settings.frame_rate;
    const Scene shown = shown_at(*tile.scene, time, {});
    auto image = renderer_->draw(extract(shown, frame, wish.camera, aspect, view, {}, *meshes_), options);
    pictures.push_back(image.ok() ? std::move(image).value() : QImage());
  }
  Worker::deliver(this, [this, pictures = std::move(pictures)] {
    busy_ = false;
    emit drawn(pictures);
  });
}

}  // namespace hazumi
