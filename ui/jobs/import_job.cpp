#include "ui/jobs/import_job.h"

#include "core/import/mesh_file.h"
#include "core/scene/values/scene.h"
#include "ui/jobs/mesh_picture.h"

namespace hazumi {

ImportJob::ImportJob(QObject* parent) : QObject(parent) {}

ImportJob::~ImportJob() { cancel(); }

std::shared_ptr<std::atomic<bool>> ImportJob::fresh_task() {
  cancel();
  cancelled_ = std::make_shared<std::atomic<bool>>(false);
  busy_ = true;
  return cancelled_;
}

void ImportJob::cancel() {
  if (cancelled_) *cancelled_ = true;
  worker_.clear();
  busy_ = false;
}

void ImportJob::read(const QString& file) {
  worker_.post([this, path = std::filesystem::path(file.toStdString()), cancelled = fresh_task()] {
    auto result = std::make_shared<Result<ImportedMesh>>(read_mesh_file(path, cancelled.get()));
    Worker::deliver(this, [this, result, cancelled] {
      if (*cancelled) return;
      busy_ = false;
      if (!result->ok()) {
        emit failed(result->error());
        return;
      }
      file_ = std::make_shared<const ImportedMesh>(std::move(*result).value());
      emit file_read(file_->report);
    });
  });
}

/// In the worker. The dialog says all there is to say in numbers too: without OpenGL it does without the picture.
QImage ImportJob::draw(const DisplayMesh& mesh, QSize size, bool textures) {
  if (!renderer_) {
    auto made = OffscreenRenderer::create();
    if (!made.ok()) return {};
    renderer_ = std::move(made).value();
  }
  const Result<QImage> picture = mesh_picture(*renderer_, mesh, size, textures);
  return picture.ok() ? picture.value() : QImage();
}

void ImportJob::prepare(const MeshSettings& settings, double offered_merge, QSize picture) {
  if (!file_) return;
  worker_.post([this, file = file_, settings, offered_merge, picture, cancelled = fresh_task()] {
    std::optional<PreparedMesh> prepared = prepare_mesh(*file, settings, cancelled.get());
    if (!prepared) return;
    auto preview = std::make_shared<ImportPreview>();
    preview->settings = settings;
    preview->before = file->report;
    preview->report = std::move(prepared->report);
    preview->merged = prepared->merged;
    preview->turned = prepared->turned;
    preview->filled = prepared->filled;
    preview->unsimplified = prepared->mesh.faces.size() + prepared->simplified;
    if (settings.merge_distance == 0) {
      DisplayMesh copy = file->mesh;
      preview->mergeable = merge_vertices(copy, offered_merge * bounds(copy).size().norm());
    }
    preview->picture = draw(prepared->mesh, picture, settings.textures);
    preview->content = mesh_hash(prepared->mesh);
    preview->mesh = std::make_shared<const DisplayMesh>(std::move(prepared->mesh));
    Worker::deliver(this, [this, cancelled, preview = std::shared_ptr<const ImportPreview>(std::move(preview))] {
      if (*cancelled) return;
      busy_ = false;
      emit this->prepared(preview);
    });
  });
}

}  // namespace hazumi
