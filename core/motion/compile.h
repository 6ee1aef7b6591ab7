// Scene → Model, with what its keys do in it: the one way from a scene to a run.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/sim/model.h"

namespace hazumi {

/// Fails as compile_bodies() does, and takes the same.
Result<std::shared_ptr<const Model>> compile(const Scene& scene, MeshStore& meshes, const Model* before = nullptr);

/// The model of a scene that differs from the one that `model` is of by what keys tell its pulls alone (only_pulls_differ()): the same
/// bodies and joints, told otherwise. Costs nothing to speak of.
std::shared_ptr<const Model> retold(const Model& model, const Scene& scene);
/// Nothing but keys of pulls that are in both and pull in both is not the same.
bool only_pulls_differ(const Scene& before, const Scene& after);

}  // namespace hazumi
