// Pieces of extract(): where an object is in a frame, its analysis model as lines and points, symbols of helpers.
#pragma once

#include <set>
#include <vector>

#include "core/scene/values/scene.h"
#include "render/camera.h"
#include "render/render_list.h"

namespace hazumi {

/// Where an object is: authored, or as the frame says.
struct ShownObject {
  const Object* object = nullptr;
  const ObjectFrame* moved = nullptr;  ///< null: as authored
  glm::mat4 model{1};                  ///< of the object frame
};

/// Objects that are visible and alive in the frame, ascending id. An object that the frame does not know (added after
/// it was computed) is shown as authored. `aside`: are not shown, whatever the scene says.
std::vector<ShownObject> shown_objects(const Scene& scene, const Frame* frame, const std::set<Id>& aside);

Box3 transformed(const Box3& box, const glm::mat4& model);
/// World box of the vertices that are shown.
Box3 world_mesh_box(const ShownObject& shown, const DisplayMesh& mesh);
/// The same without touching vertices that do not bend, from the mesh's box in the object frame: may be larger when
/// turned.
Box3 world_mesh_box(const ShownObject& shown, const DisplayMesh& mesh, const Box3& local);

/// Box that stands for a mesh whose file is missing, in the object frame.
Box3 missing_mesh_box(const Object& object);
bool mesh_is_missing(const Object& object, const DisplayMesh& mesh);

/// Nodes of the analysis model in world space, the frame's where it has them.
std::vector<glm::vec3> truss_nodes(const ShownObject& shown, const Truss& truss);

struct TrussStyle {
  glm::vec4 line, compressed, stretched, node;
  float node_size = 5;
};
/// Springs coloured by strain (l − l0)/l0 when the frame has nodes, and round node points.
void add_truss(const Truss& truss, const std::vector<glm::vec3>& nodes, bool strained, const TrussStyle& style,
               std::vector<LineVertex>& lines, std::vector<PointVertex>& points);
/// Colour of a spring: quiet blue when compressed, the neutral line colour at rest, warm when stretched.
glm::vec4 strain_colour(float strain, const TrussStyle& style);
TrussStyle truss_style(bool selected, bool active);

void add_box(const Box3& box, const glm::mat4& model, bool diagonals, glm::vec4 colour, std::vector<LineVertex>& lines);

/// World radius of the symbol of a light: the same size on screen at every distance.
float symbol_radius(const ViewCamera& camera, glm::vec3 at);
/// `selected`: with the whole line to the target, else a short piece of it.
void add_light_symbol(const Light& light, const ViewCamera& camera, glm::vec4 colour, bool selected,
                      std::vector<LineVertex>& lines);
struct CameraLook {
  glm::vec4 colour{1};
  bool taking = false;  ///< it takes the pictures now: its triangle is filled
  bool sight = false;   ///< with a line to the target
};
/// A frustum with the frame of the picture and a triangle that tells where up is. Returns how many vertices it can be
/// taken by, the first ones that were added.
std::size_t add_camera_symbol(const Camera& scene_camera, const ViewCamera& camera, const CameraLook& look,
                              std::vector<LineVertex>& lines);
/// The course of a curve in the world, as a line from point to point.
std::vector<Vec3> course_of(const Shared<Curve>& curve);
void add_velocity_arrow(glm::vec3 from, glm::vec3 velocity, const ViewCamera& camera, glm::vec4 colour,
                        std::vector<LineVertex>& lines);

}  // namespace hazumi
