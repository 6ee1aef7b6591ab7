// The director that a scene's keys make: bodies that they lead (scene/derived/leading.h), joints (scene/derived/joint_tracks.h), forces (scene/derived/pushes.h), and gravity.
#pragma once

#include <memory>

#include "core/sim/director.h"
#include "core/sim/model.h"

namespace hazumi {

/// Null: no key does anything in a run. The model is that of the scene.
std::shared_ptr<const Director> make_track_director(const Scene& scene, const Model& model);

}  // namespace hazumi
