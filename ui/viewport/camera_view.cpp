#include "ui/viewport/camera_view.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <QPainter>

#include "core/base/atomic_file.h"
#include "core/scene/derived/collections.h"
#include "render/texture_image.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/document_controller.h"
#include "ui/model/keying.h"
#include "ui/model/selection.h"
#include "ui/modes/element_selection.h"
#include "ui/tools/transform_math.h"
#include "ui/viewport/navigation.h"
#include "ui/viewport/overlay.h"
#include "ui/viewport/picture.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kTargetReach = 8;                              // logical pixels
constexpr std::uintmax_t kLargestPicture = 256u * 1024 * 1024;  // bytes of a file

}  // namespace

CameraView::CameraView(UiContext& context, const ViewNavigation& navigation, const ViewPicture& picture,
                       QObject* parent)
    : QObject(parent), context_(context), navigation_(navigation), picture_(picture) {
  connect(&context_.document, &DocumentController::changed, this, &CameraView::look_for_pictures);
  connect(&context_.document, &DocumentController::document_replaced, this, [this] {
    references_.clear();
    look_for_pictures();
  });
  look_for_pictures();
}

/// All that cameras name, looked through or not: one that is missing is told of.
void CameraView::look_for_pictures() {
  std::set<std::string> named;
  for (const auto& camera : context_.document.scene().cameras)
    if (!camera->picture.file.empty()) named.insert(camera->picture.file);
  std::erase_if(references_,
                [&](const auto& entry) { return !entry.second.under_way && !named.contains(entry.first); });
  for (const std::string& file : named)
    if (!references_.contains(file)) read(file);
}

void CameraView::read(const std::string& file) {
  references_[file].under_way = true;
  ++under_way_;
  worker_.post([this, file] {
    Result<std::string> bytes = read_whole_file(file, kLargestPicture);
    std::shared_ptr<TextureFile> picture;
    std::string problem;
    if (bytes.ok()) {
      picture = std::make_shared<TextureFile>();
      picture->name = std::filesystem::path(file).filename().string();
      picture->bytes.assign(bytes->begin(), bytes->end());
      if (const auto image = decode_texture(*picture); image->width == 0) {
        problem = image->problem;
        picture.reset();
      }
    } else {
      problem = bytes.error().message;
    }
    Worker::deliver(this, [this, file, picture, problem] {
      --under_way_;
      const auto at = references_.find(file);
      if (at == references_.end()) return;
      at->second = {picture, false};
      const Scene& scene = context_.document.scene();
      for (std::size_t i = 0; !picture && i < scene.cameras.size(); ++i) {
        const Camera& camera = *scene.cameras[i];
        if (camera.picture.file != file) continue;
        context_.diagnostics.add_load_diagnostic(
            {Severity::warning, "cameras[" + std::to_string(i) + "] \"" + camera.name + "\" picture.file",
             tr("The reference picture \"%1\" is not shown: %2")
                 .arg(QString::fromStdString(file), QString::fromStdString(problem))
                 .toStdString(),
             tr("Put it there, or choose another one in Properties.").toStdString()},
            camera.id);
      }
      emit changed();
    });
  });
}

void CameraView::draw(RenderList& list) const {
  const Camera* through = navigation_.looked_through();
  if (!through || !through->picture.shown) return;
  const auto at = references_.find(through->picture.file);
  if (at == references_.end() || !at->second.picture) return;
  const QRectF frame = navigation_.passepartout();
  const glm::vec2 size = navigation_.size();
  const auto across = [&](double x) { return static_cast<float>(2 * x / size.x - 1); };
  const auto upwards = [&](double y) { return static_cast<float>(1 - 2 * y / size.y); };
  list.backdrop = {at->second.picture,
                   {across(frame.left()), upwards(frame.bottom()), across(frame.right()), upwards(frame.top())},
                   static_cast<float>(through->picture.opacity)};
}

std::vector<CameraView::Target> CameraView::targets() const {
  std::vector<Target> all;
  if (context_.elements.mode()) return all;
  const Scene& scene = context_.keying.shown();
  const Standing standing(scene);
  const Camera* through = navigation_.looked_through();
  for (const auto& camera : scene.cameras) {
    if (!context_.selection.contains(camera->id) || camera->looks_at != 0 || (through && through->id == camera->id) ||
        standing.locked(*camera) || !standing.visible(*camera))
      continue;
    const glm::vec3 at = navigation_.camera().project(to_float(camera->target), navigation_.size());
    const glm::vec3 eye = navigation_.camera().project(to_float(camera->position), navigation_.size());
    if (at.z > 0 && at.z < 1) all.push_back({camera->id, QPointF(at.x, at.y), QPointF(eye.x, eye.y)});
  }
  return all;
}

std::optional<Id> CameraView::target_at(QPointF mouse) const {
  for (const Target& target : targets())
    if (std::hypot(target.at.x() - mouse.x(), target.at.y() - mouse.y()) <= kTargetReach) return target.camera;
  return std::nullopt;
}

void CameraView::paint(QPainter& painter, const QRectF& area) const {
  if (const Camera* through = navigation_.looked_through()) {
    const QRectF frame = navigation_.passepartout();
    paint_passepartout(painter, area, frame);
    if (through->safe_areas) paint_safe_areas(painter, frame);
    painter.setRenderHint(QPainter::Antialiasing);
  }
  for (const Target& target : targets()) {
    painter.setPen(QPen(QColor(0, 0, 0, 170), 3.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(target.at, 5, 5);
    painter.setPen(QPen(theme_colours().accent, 1.6));
    painter.drawEllipse(target.at, 5, 5);
    painter.drawPoint(target.at);
  }
}

}  // namespace hazumi
