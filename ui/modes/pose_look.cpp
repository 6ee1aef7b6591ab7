#include "ui/modes/pose_look.h"

#include <array>

#include "core/geometry/mapping/mapping.h"
#include "core/playback/frame.h"
#include "core/scene/derived/poses.h"
#include "ui/modes/mode_look.h"
#include "ui/modes/pose_commands.h"
#include "ui/modes/truss_look.h"

namespace hazumi {

namespace {

using namespace mode_look;

constexpr glm::vec4 kPoseSpring{0.66f, 0.74f, 0.84f, 0.55f};

}  // namespace

glm::vec4 group_colour(std::uint32_t group) {
  static constexpr std::array<glm::vec4, 8> kColours = {{{0.86f, 0.87f, 0.88f, 1},
                                                         {0.30f, 0.69f, 1.00f, 1},
                                                         {0.98f, 0.45f, 0.62f, 1},
                                                         {0.45f, 0.82f, 0.45f, 1},
                                                         {0.98f, 0.80f, 0.30f, 1},
                                                         {0.72f, 0.56f, 0.98f, 1},
                                                         {0.35f, 0.85f, 0.80f, 1},
                                                         {0.90f, 0.58f, 0.36f, 1}}};
  return group == 0 ? kColours[0] : kColours[1 + (group - 1) % 7];
}

void bend_display(const Object& object, const Transform& place, const Truss& truss, const Mapping* mapping,
                  const std::shared_ptr<const DisplayMesh>& mesh, std::span<const Vec3> nodes, RenderList& list) {
  if (!mapping || !mesh || mapping->vertex_count() != mesh->positions.size()) return;
  const ObjectSpace space(place);
  std::vector<Vec3> places;
  for (const Vec3& node : nodes) places.push_back(space.world(node));
  Truss scaled;
  scaled.masses = truss.masses;
  for (const Vec3& node : truss.nodes) scaled.nodes.push_back(place.scale.cwiseProduct(node));
  const Quat rotation = place.rotation.normalized();
  // A frame of one object, so that the picture is drawn as in playing.
  auto frame = std::make_shared<Frame>();
  ObjectFrame& moved = frame->objects.emplace_back();
  moved.id = object.id;
  moved.position = place.position.cast<float>();
  moved.rotation = rotation.cast<float>();
  moved.deformed = true;
  moved.vertices.resize(mesh->positions.size());
  moved.normals.resize(mesh->positions.size());
  Executor executor;
  const Pose pose{place.position + rotation * reference_origin(scaled), rotation};
  mapping->map_vertices(places, pose, moved.vertices, moved.normals, executor);
  for (DrawMesh& drawn : list.meshes) {
    if (drawn.id != object.id || !drawn.mesh || drawn.mesh->positions.size() != moved.vertices.size()) continue;
    drawn.frame = frame;
    drawn.deformed = &frame->objects.front();
    drawn.model = glm::mat4(1);
    drawn.bounds = Box3();
  }
}

void draw_bare_pose(const Object& object, const Truss& truss, std::span<const Vec3> nodes, RenderList& list) {
  const ObjectSpace space(object);
  std::vector<glm::vec3> places;
  for (const Vec3& node : nodes) places.push_back(space.at(node));
  draw_bare_truss(truss, places, list);
}

void draw_pose(const ModeView& view, RenderList& list) {
  const EditedPose edited = edited_pose(view.owner, view.object);
  if (!edited) return;
  const auto mesh = view.meshes.mesh(view.object);
  PoseOptions& options = PoseOptions::of(view.owner);
  bend_display(view.object, view.space.transform, *edited.truss, options.mapping(view.object, mesh).get(), mesh,
               edited.nodes, list);
  std::vector<glm::vec3> at;
  for (const Vec3& node : edited.nodes) at.push_back(view.space.at(node));
  DrawLines springs;
  springs.width = 1.3f;
  for (const Spring& spring : edited.truss->springs) {
    springs.vertices.push_back({at[spring.a], kPoseSpring});
    springs.vertices.push_back({at[spring.b], kPoseSpring});
  }
  add_on_top(list, {&springs});
  const auto groups = pose_groups_of(view.object.analysis, at.size());
  const auto type = static_cast<std::uint8_t>(edited.index);
  const float size = at.size() > 1500 ? 4.0f : at.size() > 300 ? 6.0f : 8.0f;
  for (std::uint32_t i = 0; i < at.size(); ++i) {
    const Element element{type, i};
    const bool marked = view.selected.count(element) != 0 || view.hovered == element;
    if (marked) add_dot(list, at[i], colour_of(view, element, kActive), size + 5, 2);
    add_dot(list, at[i], group_colour(groups[i]), size, 2);
  }
}

}  // namespace hazumi
