#include "ui/jobs/thumbnail_job.h"

#include <algorithm>
#include <cmath>

#include <QCryptographicHash>
#include <QFile>
#include <QPainter>
#include <QSaveFile>

#include "core/playback/simulator.h"
#include "core/scene/file/scene_io.h"
#include "render/offscreen.h"

namespace hazumi {

namespace {

const QByteArray kRecipe = "thumbnail 1";  // part of the key: changed when pictures are made differently

QString cache_file(const QString& folder, const QString& scene_file) {
  QFile file(scene_file);
  QCryptographicHash hash(QCryptographicHash::Sha1);
  hash.addData(kRecipe);
  if (file.open(QIODevice::ReadOnly)) hash.addData(file.readAll());
  return folder + QLatin1Char('/') + QString::fromLatin1(hash.result().toHex()) + QStringLiteral(".png");
}

/// One row of pictures in one file.
QVector<QImage> read_strip(const QString& file) {
  QVector<QImage> pictures;
  const QImage strip(file);
  if (strip.isNull() || strip.height() != kThumbnailHeight) return pictures;
  for (int x = 0; x + kThumbnailWidth <= strip.width(); x += kThumbnailWidth)
    pictures << strip.copy(x, 0, kThumbnailWidth, kThumbnailHeight);
  return pictures;
}

void write_strip(const QString& file, const QVector<QImage>& pictures) {
  QImage strip(kThumbnailWidth * static_cast<int>(pictures.size()), kThumbnailHeight, QImage::Format_RGB32);
  QPainter painter(&strip);
  for (int i = 0; i < pictures.size(); ++i) painter.drawImage(i * kThumbnailWidth, 0, pictures[i]);
  painter.end();
  QSaveFile out(file);  // whole or not at all: a half-written cache file would be shown for ever
  if (out.open(QIODevice::WriteOnly) && strip.save(&out, "PNG")) out.commit();
}

struct Job {
  QString file, cache;
  Scene scene;
};

}  // namespace

ThumbnailJob::ThumbnailJob(QString cache_folder, QObject* parent) : QObject(parent), folder_(std::move(cache_folder)) {}

void ThumbnailJob::request(const QStringList& files) {
  worker_.clear();
  worker_.post([this, files] { work(files); });
}

void ThumbnailJob::work(const QStringList& files) {
  std::vector<Job> jobs;
  for (const QString& file : files) {
    if (worker_.cancelled()) return;
    Result<Scene> scene = load_scene(std::filesystem::path(file.toStdString()));
    if (!scene.ok()) {
      const QString sentence = QString::fromStdString(scene.error().message);
      Worker::deliver(this, [this, file, sentence] { emit unreadable(file, sentence); });
      continue;
    }
    const QString name = QString::fromStdString(scene->name), text = QString::fromStdString(scene->description);
    Worker::deliver(this, [this, file, name, text] { emit described(file, name, text); });
    const QString cache = cache_file(folder_, file);
    const QVector<QImage> pictures = read_strip(cache);
    if (!pictures.isEmpty())
      Worker::deliver(this, [this, file, pictures] { emit ready(file, pictures); });
    else
      jobs.push_back({file, cache, std::move(scene.value())});
  }
  if (jobs.empty()) return;

  auto renderer = OffscreenRenderer::create();
  if (!renderer.ok()) return;  // names and descriptions are there; pictures need OpenGL
  MeshCache meshes;
  PictureOptions options;
  options.width = kThumbnailWidth;
  options.height = kThumbnailHeight;
  const auto picture = [&](const Scene& scene, const FramePtr& frame) {
    auto image = renderer.value()->picture(scene, frame, meshes, options);
    return image.ok() ? image.value() : QImage();
  };
  for (const Job& job : jobs) {
    if (worker_.cancelled()) return;
    const QImage still = picture(job.scene, nullptr);
    if (!still.isNull()) Worker::deliver(this, [this, file = job.file, still] { emit ready(file, {still}); });
  }
  for (const Job& job : jobs) {
    auto model = compile(job.scene, meshes);
    if (!model.ok()) continue;
    Simulator simulator(model.value(), 1);
    const int stride = std::max(1, static_cast<int>(std::lround(job.scene.settings.frame_rate / kThumbnailRate)));
    QVector<QImage> pictures;
    for (int i = 0; i < kThumbnailCount; ++i) {
      const int frame = i * stride;
      if (frame > job.scene.settings.last_frame) break;
      if (!simulator.state_at(frame, [this] { return worker_.cancelled(); })) break;
      const QImage image = picture(job.scene, std::make_shared<const Frame>(simulator.frame_at(frame)));
      if (image.isNull()) break;
      pictures << image;
    }
    if (worker_.cancelled()) return;
    if (pictures.isEmpty()) continue;
    write_strip(job.cache, pictures);
    Worker::deliver(this, [this, file = job.file, pictures] { emit ready(file, pictures); });
  }
}

}  // namespace hazumi
