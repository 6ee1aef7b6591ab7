// What the planes of the scene's camera leave out of every picture, as problems, and the planes that leave out nothing.
#pragma once

#include <vector>

#include "core/scene/derived/mesh_store.h"
#include "render/camera.h"
#include "ui/model/problem.h"

namespace hazumi {

/// One line for what lies beyond the far plane at the start, one for what lies before the near plane.
std::vector<Problem> camera_problems(const Scene& scene, MeshStore& meshes);

/// The camera with its planes moved as far apart as `seen` asks for, to round numbers; those that suffice stay.
Camera with_planes(Camera camera, DepthRange seen);

}  // namespace hazumi
