#include "ui/model/camera_problems.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/scene/derived/cameras.h"
#include "render/depth.h"
#include "render/extract_parts.h"
#include "ui/model/document_controller.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr float kPictureAspect = 16.0f / 9.0f;  // of pictures as they are proposed
constexpr double kNearest = 1e-5,
                 kNearShare = 1e-4;  // m, as the field has it; of the far plane: nearer no depth is told apart

/// To two digits, upwards or downwards.
double rounded(double value, bool up) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1), count = value / unit;
  return QString::number(unit * (up ? std::ceil(count - 1e-9) : std::floor(count + 1e-9)), 'g', 3).toDouble();
}

QString metres(double value) { return QString::number(value, 'g', 4) + QStringLiteral(" m"); }

/// "cameras[2] \"Close\" depth.far_plane".
std::string place_of(const Scene& scene, const Camera& camera, const char* field) {
  std::size_t number = 0;
  while (number < scene.cameras.size() && scene.cameras[number]->id != camera.id) ++number;
  return "cameras[" + std::to_string(number) + "] \"" + camera.name + "\" " + field;
}

Problem problem_of(const Scene& scene, const std::vector<Id>& ids, bool far, DepthRange seen) {
  Problem problem{{}, ids.front(), Problem::Source::camera, {ids.begin() + 1, ids.end()}};
  const QString who = QString::fromStdString(find_object(scene, ids.front())->name);
  const Camera& camera = active_camera(scene);
  const QString plane = metres(far ? camera.depth.far_plane : camera.depth.near_plane);
  problem.diagnostic.severity = Severity::warning;
  problem.diagnostic.path = place_of(scene, camera, far ? "depth.far_plane" : "depth.near_plane");
  QString message;
  if (ids.size() == 1)
    message = far ? tr("%1 lies beyond the camera's far plane (%2): no picture shows it.").arg(who, plane)
                  : tr("%1 lies before the camera's near plane (%2): no picture shows it.").arg(who, plane);
  else
    message =
        far ? tr("%1 objects lie beyond the camera's far plane (%2): no picture shows them.").arg(ids.size()).arg(plane)
            : tr("%1 objects lie before the camera's near plane (%2): no picture shows them.")
                  .arg(ids.size())
                  .arg(plane);
  problem.diagnostic.message = message.toStdString();
  problem.diagnostic.hint =
      tr("Move the plane, or the camera, or let its depth follow what is seen (Depth, Automatic).").toStdString();
  const Camera wanted = with_planes(camera, seen);
  const QString to = metres(far ? wanted.depth.far_plane : wanted.depth.near_plane);
  problem.remedies.push_back({far ? tr("Far plane at %1").arg(to) : tr("Near plane at %1").arg(to),
                              tr("The camera's planes leave out nothing that is in its picture now."),
                              [seen, id = camera.id](DocumentController& document, PlaybackController&) {
                                (void)document.edit(tr("Planes of the camera"),
                                                    with_camera(document.scene(), id, [&](Camera& c) {
                                                      c = with_planes(std::move(c), seen);
                                                    }));
                              }});
  return problem;
}

std::vector<Problem> planes_problems(const Scene& scene, MeshStore& meshes) {
  if (active_camera(scene).depth.automatic) return {};
  const ViewCamera camera = from_scene_camera(active_camera(scene));
  std::vector<std::pair<Id, Box3>> boxes;
  bool any = false;  // after every edit: what lies between the planes is seen to be there without looking closer
  for (const ShownObject& shown : shown_objects(scene, nullptr, {})) {
    const std::shared_ptr<const DisplayMesh> mesh = meshes.mesh(*shown.object);
    if (mesh->empty()) continue;
    boxes.emplace_back(shown.object->id, world_mesh_box(shown, *mesh, meshes.facts(mesh)->box()));
    const DepthRange reach = reach_of(boxes.back().second, camera);
    any = any || reach.near_plane > camera.far_plane || (reach.far_plane > 0 && reach.far_plane < camera.near_plane);
  }
  if (!any) return {};
  DepthRange seen{std::numeric_limits<float>::infinity(), 0};
  std::vector<Id> beyond, before;
  for (const auto& [id, box] : boxes) {
    const DepthRange one = depths_of(box, camera, kPictureAspect);
    if (!std::isfinite(one.near_plane)) continue;
    seen = {std::min(seen.near_plane, one.near_plane), std::max(seen.far_plane, one.far_plane)};
    if (one.near_plane > camera.far_plane) beyond.push_back(id);
    if (one.far_plane < camera.near_plane) before.push_back(id);
  }
  std::vector<Problem> problems;
  if (!beyond.empty()) problems.push_back(problem_of(scene, beyond, true, seen));
  if (!before.empty()) problems.push_back(problem_of(scene, before, false, seen));
  return problems;
}

}  // namespace

std::vector<Problem> camera_problems(const Scene& scene, MeshStore& meshes) {
  std::vector<Problem> problems = planes_problems(scene, meshes);
  for (const LostReference& lost : lost_references(scene)) {
    Problem problem{{}, lost.who, Problem::Source::camera};
    problem.diagnostic = {Severity::warning, lost.path, lost.message,
                          tr("Choose another one, or delete the key.").toStdString()};
    problems.push_back(std::move(problem));
  }
  return problems;
}

Camera with_planes(Camera camera, DepthRange seen) {
  if (!(seen.far_plane > 0) || !std::isfinite(seen.near_plane)) return camera;
  const double far = seen.far_plane, near = seen.near_plane;
  CameraDepth& depth = camera.depth;
  if (far > depth.far_plane) depth.far_plane = rounded(1.1 * far, true);
  if (near < depth.near_plane)
    depth.near_plane =
        std::min(depth.near_plane,
                 rounded(std::max({0.5 * near, kNearShare * std::min(far, depth.far_plane), kNearest}), false));
  return camera;
}

}  // namespace hazumi
