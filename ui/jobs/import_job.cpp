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

void ImportJob::read(const QString& file, const std::string& piece) {
  source_ = file.toStdString();
  worker_.post([this, path = std::filesystem::path(source_), piece, cancelled = fresh_task()] {
    auto result = std::make_shared<Result<ImportedMesh>>(piece.empty() ? read_mesh_file(path, cancelled.get())
                                                                       : read_piece(path, piece, cancelled.get()));
    if (result->ok() && !piece.empty()) count_mesh((*result)->mesh, result->value().report);
    std::shared_ptr<const ClipFile> clips;
    if (result->ok() && piece.empty() && (*result)->report.moves) {
      Result<ClipFile> read = read_clip_file(path, cancelled.get());
      // A mesh whose keys are damaged is a mesh.
      if (!read.ok())
        result->value().report.warnings.push_back("What moves in the file was not read: " + read.error().message);
      else if (!read->clips.empty() && !read->pieces.empty())
        clips = std::make_shared<const ClipFile>(std::move(read).value());
    }
    Worker::deliver(this, [this, result, clips, cancelled] {
      if (*cancelled) return;
      busy_ = false;
      if (!result->ok()) {
        emit failed(result->error());
        return;
      }
      file_ = std::make_shared<const ImportedMesh>(std::move(*result).value());
      clips_ = clips;
      emit file_read(file_->report);
    });
  });
}

/// In the worker. Null: cancelled, or `problem`.
std::shared_ptr<const ClipImport> ImportJob::make_clip(const MeshSettings& settings, const ClipAsked& asked,
                                                       const std::shared_ptr<const ClipFile>& clips,
                                                       const std::shared_ptr<std::atomic<bool>>& cancelled,
                                                       QString& problem) {
  const Clip& clip = clips->clips[std::min(asked.clip, clips->clips.size() - 1)];
  auto made = std::make_shared<ClipImport>();
  made->clip = clip.name;
  int told = -1;
  Result<std::vector<PieceMotion>> motion =
      clip_motion(*clips, clip, settings, asked.way, cancelled.get(), [&](double part) {
        const int percent = static_cast<int>(100 * part);
        if (percent == told) return;
        told = percent;
        Worker::deliver(this, [this, part, cancelled] {
          if (!*cancelled) emit progress(part);
        });
      });
  if (!motion.ok()) {
    problem = QString::fromStdString(motion.error().message);
    return {};
  }
  made->motion = std::move(motion).value();
  for (const ClipPiece& piece : clips->pieces) {
    MeshReference mesh;
    mesh.file = mesh.source = source_;
    mesh.settings = settings;
    mesh.settings.piece = piece.name;
    mesh.companions = clips->imported.report.companions;
    std::optional<PreparedMesh> prepared =
        prepare_mesh({piece_mesh(*clips, piece), {}}, mesh.settings, cancelled.get());
    if (!prepared) return {};
    mesh.content = mesh_hash(prepared->mesh);
    mesh.mesh = std::make_shared<const DisplayMesh>(std::move(prepared->mesh));
    made->meshes.push_back(std::move(mesh));
    made->bones.push_back(piece.bone);
  }
  return made;
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

void ImportJob::prepare(const MeshSettings& settings, double offered_merge, QSize picture,
                        const std::optional<ClipAsked>& clip) {
  if (!file_) return;
  worker_.post([this, file = file_, clips = clips_, settings, offered_merge, picture, clip, cancelled = fresh_task()] {
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
    if (clip && clips) preview->clip = make_clip(settings, *clip, clips, cancelled, preview->problem);
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
