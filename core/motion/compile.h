// Scene → Model, with what its keys do in it: the one way from a scene to a run.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/sim/model.h"

namespace hazumi {

/// Fails as compile_bodies() does, and takes the same.
Result<std::shared_ptr<const Model>> compile(const Scene& scene, MeshStore& meshes, const Model* before = nullptr);

}  // namespace hazumi
