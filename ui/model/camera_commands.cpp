#include "ui/model/camera_commands.h"

#include <algorithm>
#include <array>

#include "core/scene/derived/cameras.h"
#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/model/operations.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

Id add_camera(DocumentController& document, Selection& selection, Camera camera) {
  const Scene& scene = document.scene();
  // Each has a colour of its own on the time line.
  constexpr std::array<std::array<double, 3>, 6> kColours = {{{0.42, 0.62, 0.9},
                                                              {0.9, 0.62, 0.36},
                                                              {0.5, 0.76, 0.48},
                                                              {0.82, 0.5, 0.74},
                                                              {0.86, 0.78, 0.42},
                                                              {0.45, 0.76, 0.78}}};
  const auto& colour = kColours[scene.cameras.size() % kColours.size()];
  camera.id = next_id(scene);
  camera.name = unique_name(scene, tr("Camera").toStdString());
  camera.colour = Vec3(colour[0], colour[1], colour[2]);
  camera.collection = 0;
  camera.visible = true;
  camera.locked = false;
  camera.kept = {};
  const Id id = camera.id;
  const QString text = tr("Add %1").arg(QString::fromStdString(camera.name));
  auto operation = added_operation(rows_of(camera_fields(), {"position", "target", "roll", "focal_length"}),
                                   std::move(camera), &Scene::cameras, [&selection, id] { selection.select_only(id); });
  return document.last_operation().begin(text, std::move(operation)).ok() ? id : Id{};
}

const Camera* last_camera(const Scene& scene, const Selection& selection, const std::set<Id>& spared) {
  const auto goes = [&](const auto& camera) { return selection.contains(camera->id) && !spared.contains(camera->id); };
  if (scene.cameras.empty() || !std::all_of(scene.cameras.begin(), scene.cameras.end(), goes)) return nullptr;
  return &active_camera(scene);
}

}  // namespace hazumi
