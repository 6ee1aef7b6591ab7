#include "ui/jobs/looks_job.h"

#include <QPointer>

namespace hazumi {

LooksJob::LooksJob(QObject* parent) : QObject(parent) {}

void LooksJob::look(const RenderList& list) {
  std::erase_if(started_, [](const std::weak_ptr<const DisplayMesh>& mesh) { return mesh.expired(); });
  for (const DrawMesh& draw : list.meshes) {
    if (!draw.facts || !draw.facts->pending() || !started_.insert(draw.mesh).second) continue;
    ++under_way_;
    worker_.post([this, mesh = draw.mesh, facts = draw.facts] {
      facts->prepare(*mesh);
      Worker::deliver(this, [this] {
        --under_way_;
        emit done();
      });
    });
  }
}

TextureSource LooksJob::texture_source() {
  return [job = QPointer<LooksJob>(this)](const std::shared_ptr<const TextureFile>& file) {
    return job ? job->fetch(file) : nullptr;
  };
}

std::shared_ptr<const TextureImage> LooksJob::fetch(const std::shared_ptr<const TextureFile>& file) {
  Picture& picture = pictures_[file.get()];
  if (picture.file.lock() != file) {
    std::erase_if(pictures_,
                  [&](const auto& entry) { return entry.first != file.get() && entry.second.file.expired(); });
    picture = {file, nullptr, false, false};
  }
  if (picture.under_way) return nullptr;
  // The graphics card has it from here on; should it be dropped there, it is decoded again.
  if (picture.image) return std::move(picture.image);
  picture.under_way = true;
  ++under_way_;
  worker_.post([this, file] {
    const auto image = decode_texture(*file);
    Worker::deliver(this, [this, file, image] {
      --under_way_;
      Picture& waiting = pictures_[file.get()];
      waiting.file = file;
      waiting.image = image;
      waiting.under_way = false;
      const bool tell = image->width == 0 && !waiting.told;
      waiting.told = waiting.told || tell;
      if (tell) emit failed(texture_problem({}, *file, *image), file);
      emit done();
    });
  });
  return nullptr;
}

}  // namespace hazumi
