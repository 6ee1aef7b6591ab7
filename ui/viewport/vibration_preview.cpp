#include "ui/viewport/vibration_preview.h"

#include <algorithm>

#include "ui/modes/truss_look.h"

namespace hazumi {

VibrationPreview::VibrationPreview(Object object, Truss truss, std::vector<Vec3> shape,
                                   std::shared_ptr<const DisplayMesh> mesh, std::shared_ptr<const Mapping> mapping)
    : object_(std::move(object)),
      truss_(std::move(truss)),
      shape_(std::move(shape)),
      mesh_(std::move(mesh)),
      mapping_(std::move(mapping)) {
  Box3 box;
  for (const Vec3& node : truss_.nodes) box.add(node);
  if (box.valid()) size_ = std::max(0.5 * box.size().norm(), 1e-6);
}

void VibrationPreview::draw(double swing, RenderList& list) const {
  const Quat rotation = object_.transform.rotation.normalized();
  const Vec3& origin = object_.transform.position;
  std::vector<Vec3> nodes(truss_.nodes.size());
  std::vector<glm::vec3> places(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i] = origin + rotation * Vec3(truss_.nodes[i] + swing * shape_[i]);
    places[i] = to_float(nodes[i]);
  }
  const bool maps = mapping_ && mesh_ && mapping_->vertex_count() == mesh_->positions.size();
  if (maps) {
    // A frame of one object, so that the picture is drawn as in playing.
    auto frame = std::make_shared<Frame>();
    ObjectFrame& moved = frame->objects.emplace_back();
    moved.id = object_.id;
    moved.position = origin.cast<float>();
    moved.rotation = rotation.cast<float>();
    moved.deformed = true;
    moved.vertices.resize(mesh_->positions.size());
    moved.normals.resize(mesh_->positions.size());
    Executor executor;
    const Pose pose{origin + rotation * reference_origin(truss_), rotation};
    mapping_->map_vertices(nodes, pose, moved.vertices, moved.normals, executor);
    for (DrawMesh& mesh : list.meshes) {
      if (mesh.id != object_.id || !mesh.mesh || mesh.mesh->positions.size() != moved.vertices.size()) continue;
      mesh.frame = frame;
      mesh.deformed = &frame->objects.front();
      mesh.model = glm::mat4(1);
    }
  }
  draw_bare_truss(truss_, places, list);
}

}  // namespace hazumi
