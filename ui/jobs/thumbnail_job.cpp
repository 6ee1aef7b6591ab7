#include "ui/jobs/thumbnail_job.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

#include <QBuffer>
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QPainter>

#include "core/base/atomic_file.h"
#include "core/motion/compile.h"
#include "core/playback/simulator.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/file/scene_title.h"
#include "render/camera.h"
#include "render/offscreen.h"

namespace hazumi {

namespace {

const QByteArray kRecipe = "thumbnail 1";  // part of the key: changed when pictures are made differently

constexpr float kStagePitch = 0.2F, kStageYaw = 0.25F;  // rad
constexpr double kStageWidth = 6;                       // times as wide as what moves
constexpr std::size_t kFewestStaged = 8;                // pictures, however far it goes

QString cache_file(const QString& folder, const QString& scene_file, bool staged) {
  QFile file(scene_file);
  QCryptographicHash hash(QCryptographicHash::Sha1);
  hash.addData(kRecipe);
  if (staged) hash.addData("on a stage 1");
  if (file.open(QIODevice::ReadOnly)) hash.addData(file.readAll());
  return folder + QLatin1Char('/') + QString::fromLatin1(hash.result().toHex()) + QStringLiteral(".png");
}

/// One row of pictures in one file.
QVector<QImage> read_strip(const QString& file, QSize size) {
  QVector<QImage> pictures;
  const QImage strip(file);
  if (strip.isNull() || strip.height() != size.height()) return pictures;
  for (int x = 0; x + size.width() <= strip.width(); x += size.width())
    pictures << strip.copy(QRect(QPoint(x, 0), size));
  return pictures;
}

void write_strip(const QString& file, const QVector<QImage>& pictures) {
  const QSize size = pictures.front().size();
  QImage strip(size.width() * static_cast<int>(pictures.size()), size.height(), QImage::Format_RGB32);
  QPainter painter(&strip);
  for (int i = 0; i < pictures.size(); ++i) painter.drawImage(i * size.width(), 0, pictures[i]);
  painter.end();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (!strip.save(&buffer, "PNG")) return;
  // Whole or not at all: a half-written cache file would be shown for ever. When it cannot be written it is made again.
  (void)write_file_atomically(file.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

/// What is shipped beside a scene (scenes/make_pictures.sh).
QImage shipped_still(const QString& scene_file) {
  const QFileInfo scene(scene_file);
  const QImage still(scene.path() + QStringLiteral("/pictures/") + scene.completeBaseName() + QStringLiteral(".jpg"));
  return still.size() == QSize(kThumbnailWidth, kThumbnailHeight) ? still : QImage();
}

/// Looked at from the same side, from so far that what moves stays in the picture. What has gone so far that it would be a dot is left out of
/// the pictures.
Scene looked_at(Scene scene, std::vector<FramePtr>& frames) {
  Box3 box;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    Box3 wider = box;
    double size = 0;
    for (const ObjectFrame& one : frames[i]->objects) {
      const Object* object = find_object(scene, one.id);
      if (!object || !body_kind(object->body.kind).moves) continue;
      size = std::max(size, object->display.primitive.size.maxCoeff());
      const Vec3 half = 0.55 * object->display.primitive.size;
      wider.add(one.position.cast<double>() - half);
      wider.add(one.position.cast<double>() + half);
    }
    if (i >= kFewestStaged && wider.size().maxCoeff() > kStageWidth * size) {
      frames.resize(i);
      break;
    }
    box = wider;
  }
  if (scene.cameras.empty() || !box.valid()) return scene;
  ViewCamera view = from_scene_camera(*scene.cameras.front());
  view.pitch = kStagePitch;
  view.yaw = kStageYaw;
  view.frame(box, static_cast<float>(kThumbnailWidth) / kThumbnailHeight);
  scene.cameras.front() = Shared<Camera>(to_scene_camera(view, *scene.cameras.front()));
  return scene;
}

/// The motion as pictures, as far as it can be computed.
QVector<QImage> moving(const Scene& scene, const std::shared_ptr<const Model>& model, bool staged,
                       const std::function<bool()>& cancelled,
                       const std::function<QImage(const Scene&, const FramePtr&)>& picture) {
  Simulator simulator(model, 1);
  const int stride = std::max(1, static_cast<int>(std::lround(scene.settings.frame_rate / kThumbnailRate)));
  const auto frame_at = [&](std::size_t i) -> FramePtr {
    const int frame = static_cast<int>(i) * stride;
    if (frame > scene.settings.last_frame || !simulator.state_at(frame, cancelled)) return nullptr;
    return std::make_shared<const Frame>(simulator.frame_at(frame));
  };
  Scene seen = scene;
  std::vector<FramePtr> frames;  // on a stage: all of them are needed before the first is drawn
  while (staged && frames.size() < kThumbnailCount) {
    FramePtr frame = frame_at(frames.size());
    if (!frame) break;
    frames.push_back(std::move(frame));
  }
  if (staged) seen = looked_at(std::move(seen), frames);
  QVector<QImage> pictures;
  for (std::size_t i = 0; i < kThumbnailCount; ++i) {
    const FramePtr frame = !staged ? frame_at(i) : i < frames.size() ? frames[i] : nullptr;
    const QImage image = frame ? picture(seen, frame) : QImage();
    if (image.isNull() || cancelled()) break;
    pictures << image;
  }
  return pictures;
}

struct Job {
  QString file, cache;
  Scene scene;
  bool has_still;
};

/// Rests between two pieces of work, so that the program takes a share of one processor on the average. The whole program is
/// measured: a software rasterizer draws in threads of its own, and when others are at work this waits for longer, though not for
/// ever.
class Pace {
 public:
  explicit Pace(const Worker& worker) : worker_(worker) {}
  void rest() {
    const double longest = kLongestRest * seconds_since(ended_);
    const Clock::time_point began = Clock::now();
    double owed = seconds_owed();
    while (owed > kShortest && !worker_.cancelled() && seconds_since(began) < longest) {
      std::this_thread::sleep_for(std::chrono::duration<double>(std::min(owed, 0.02)));
      owed = seconds_owed();
    }
    ended_ = Clock::now();
    if (owed > 0 && owed < kMostOwed) return;
    since_ = ended_;  // what was not used is not saved up
    processor_ = processor();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kShare = 0.2;
  static constexpr double kLongestRest = 20;   ///< times the work before
  static constexpr double kShortest = 0.0005;  ///< s
  static constexpr double kMostOwed = 20;      ///< s: others work without end
  static double processor() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
  static double seconds_since(Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
  }
  double seconds_owed() const { return (processor() - processor_) / kShare - seconds_since(since_); }

  const Worker& worker_;
  Clock::time_point since_ = Clock::now(), ended_ = since_;
  double processor_ = processor();
};

}  // namespace

ThumbnailJob::ThumbnailJob(QString cache_folder, std::shared_ptr<MeshStore> meshes, QObject* parent,
                           ThumbnailStage stage)
    : QObject(parent), folder_(std::move(cache_folder)), meshes_(std::move(meshes)), stage_(std::move(stage)) {}

void ThumbnailJob::request(const QStringList& files) {
  worker_.clear();
  worker_.post([this, files] { work(files); });
}

/// What is to be had without reading scenes: at once, for all. Which files have a picture beside them.
QSet<QString> ThumbnailJob::describe(const QStringList& files) {
  QSet<QString> stills;
  for (const QString& file : files) {
    if (worker_.cancelled()) break;
    const SceneTitle title = scene_title(std::filesystem::path(file.toStdString()));
    const QString name = QString::fromStdString(title.name), text = QString::fromStdString(title.description);
    if (!name.isEmpty()) Worker::deliver(this, [this, file, name, text] { emit described(file, name, text); });
    const QImage still = stage_ ? QImage() : shipped_still(file);
    if (still.isNull()) continue;
    stills << file;
    Worker::deliver(this, [this, file, still] { emit ready(file, {still}); });
  }
  return stills;
}

void ThumbnailJob::work(const QStringList& files) {
  const QSet<QString> stills = describe(files);
  std::vector<Job> jobs;
  Pace pace(worker_);
  const QSize size = QSize(kThumbnailWidth, kThumbnailHeight) / (stage_ ? 2 : 1);
  for (const QString& file : files) {
    pace.rest();
    if (worker_.cancelled()) return;
    Result<Scene> scene = load_scene(std::filesystem::path(file.toStdString()));
    if (!scene.ok()) {
      const QString sentence = QString::fromStdString(scene.error().message);
      Worker::deliver(this, [this, file, sentence] { emit unreadable(file, sentence); });
      continue;
    }
    const QString name = QString::fromStdString(scene->name), text = QString::fromStdString(scene->description);
    Worker::deliver(this, [this, file, name, text] { emit described(file, name, text); });
    const QString cache = cache_file(folder_, file, stage_ != nullptr);
    const QVector<QImage> pictures = read_strip(cache, size);
    if (!pictures.isEmpty()) {
      Worker::deliver(this, [this, file, pictures] { emit ready(file, pictures); });
      continue;
    }
    if (stage_) {
      jobs.push_back({file, cache, stage_(*scene, *meshes_), true});
      continue;
    }
    jobs.push_back({file, cache, std::move(scene.value()), stills.contains(file)});
  }
  if (jobs.empty()) return;

  auto renderer = OffscreenRenderer::create();
  if (!renderer.ok()) return;  // names and descriptions are there; pictures need OpenGL
  // Asked for in every step, it is where the work rests.
  const auto cancelled = [&] {
    pace.rest();
    return worker_.cancelled();
  };
  PictureOptions options;
  options.width = size.width();
  options.height = size.height();
  const auto picture = [&](const Scene& scene, const FramePtr& frame) {
    auto image = renderer.value()->picture(scene, frame, *meshes_, options);
    return image.ok() ? image.value() : QImage();
  };
  for (const Job& job : jobs) {
    if (job.has_still) continue;
    if (!meshes_->prepare(job.scene, 1, cancelled)) return;
    const QImage still = picture(job.scene, nullptr);
    if (!still.isNull()) Worker::deliver(this, [this, file = job.file, still] { emit ready(file, {still}); });
  }
  for (const Job& job : jobs) {
    const auto surfaces = meshes_->prepare(job.scene, 1, cancelled);
    if (!surfaces) return;
    auto model = compile(job.scene, *meshes_);
    if (!model.ok()) continue;
    const QVector<QImage> pictures = moving(job.scene, *model, stage_ != nullptr, cancelled, picture);
    if (worker_.cancelled()) return;
    if (pictures.isEmpty()) continue;
    write_strip(job.cache, pictures);
    Worker::deliver(this, [this, file = job.file, pictures] { emit ready(file, pictures); });
  }
}

}  // namespace hazumi
