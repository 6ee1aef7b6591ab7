// Objects that go straight down until they lie on what is under them.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/scene/derived/mesh_store.h"
#include "core/scene/values/scene.h"

namespace hazumi {

struct Dropped {
  std::vector<std::pair<Id, double>>
      falls;                          ///< m along −y, negative: raised out of what it was in; lowest object first
  std::vector<Id> over_nothing;       ///< nothing is under them: they stay
  std::vector<Id> touching_nothing;   ///< they collide with nothing, or are a plane without end: they stay
  std::optional<Diagnostic> failure;  ///< the scene cannot be run
  bool cancelled = false;
};

/// Where the objects of these ids touch what is under them, as they collide in a run, without overlap: the lowest goes first, and
/// others come to lie on it. What is in something under it at the start is raised out of it. Nothing is turned.
Dropped drop(
    const Scene& scene, const std::set<Id>& ids, MeshStore& meshes,
    const std::function<bool()>& cancelled = [] { return false; });

}  // namespace hazumi
