// How forces of the scene are drawn: an arrow from where it pushes, in metres on the thing, 1 m where it is as much as the object weighs; of
// several nodes a thin one at each, and the arrow of all in their middle.
#pragma once

#include <optional>
#include <vector>

#include "core/playback/frame.h"
#include "core/scene/derived/mesh_store.h"
#include "render/extract.h"

namespace hazumi {

struct ForceArrow {
  Vec3 from = Vec3::Zero(), tip = Vec3::Zero();  ///< m, world
  Quat axes = Quat::Identity();                  ///< in which the force is said
  std::vector<Vec3> nodes;                       ///< m, world, where more than one is pushed
};

/// How long the arrow of a newton is; of a scene without gravity as on Earth.
double metres_per_newton(const Scene& scene, const Object& object, MeshStore& meshes);

/// Where a force is in a frame; null: as authored. Nothing: it has no object, or that is not there.
std::optional<ForceArrow> force_arrow(const Scene& scene, const Force& force, const Frame* frame, MeshStore& meshes);

/// All that are seen, with their symbols for the mouse, drawn over everything.
void add_forces(RenderList& list, const Scene& scene, const Frame* frame, const ViewCamera& camera,
                const ViewOptions& options, const ViewSelection& selection, MeshStore& meshes);

}  // namespace hazumi
