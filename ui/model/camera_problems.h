// What is wrong with cameras, as problems: what the planes of the scene's camera leave out of every picture, and cuts
// and looks at what is gone. And the planes that leave out nothing.
#pragma once

#include <vector>

#include "core/scene/derived/mesh_store.h"
#include "render/camera.h"
#include "ui/model/problem.h"

namespace hazumi {

/// Of planes that are put by hand: one line for what lies beyond the far one at the start, one for what lies before the
/// near one.
std::vector<Problem> camera_problems(const Scene& scene, MeshStore& meshes);

/// The camera with its planes moved as far apart as `seen` asks for, to round numbers; those that suffice stay.
Camera with_planes(Camera camera, DepthRange seen);

}  // namespace hazumi
