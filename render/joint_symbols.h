// How joints are drawn: lines of a constant size on the screen, about the places where the joints are in a frame.
//
//   ball     a circle with a dot            hinge    its axis, and a ring about it; limits as an arc, a motor as an arrow
//   fixed    a square with a cross          slider   its rail with a carriage; limits as stops where they are, a motor as an arrow
//   spring   a coil between its places      rope     a line, which hangs where it is slack
//   gear     two toothed wheels about the axes of its hinges
//   lead     a line from the place that is led to its target, a ring with four ticks
//
// Where ten or more in a row stand close on the screen each is a dot (joint_rows.h), but for those that are selected or on what is.
//
// One that is broken in the frame has a crack across it, and another colour.
#pragma once

#include <optional>
#include <vector>

#include "core/playback/frame.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/mesh_store.h"
#include "render/extract.h"

namespace hazumi {

/// Where a joint is in a frame; null: as authored. On what bends it goes with the vertex that is nearest at the start. Nothing: an end names
/// what is not there.
std::optional<JointPlaces> shown_joint(const Scene& scene, const Joint& joint, const Frame* frame, MeshStore& meshes);

struct JointLook {
  glm::vec4 colour{1};
  glm::vec4 ends{1};  ///< of the thin lines to what is joined
  float pixel = 0;    ///< m, of a logical pixel at the joint
  bool broken = false;
  bool dot = false;  ///< one of a crowd (joint_rows.h): its place alone, and as little to take hold of
};

struct JointDrawing {
  std::vector<LineVertex> lines, thin;  ///< pairs
  std::vector<PointVertex> points;
  PickSymbol symbol;
};

/// `to_a`, `to_b`: the middles of what is joined; nothing: the world, or a gear.
JointDrawing draw_joint(const Scene& scene, const Joint& joint, const JointPlaces& places,
                        const std::optional<glm::vec3>& to_a, const std::optional<glm::vec3>& to_b,
                        const ViewCamera& camera, const JointLook& look);

/// All joints of a scene that are seen, with their symbols for the mouse, drawn over everything. A joint is hidden with what it holds.
void add_joints(RenderList& list, const Scene& scene, const Frame* frame, const ViewCamera& camera,
                const ViewOptions& options, const ViewSelection& selection, MeshStore& meshes);

}  // namespace hazumi
