// Which objects can break: their meshes are cut beforehand (geometry/mesh/shards.h). That the solver has such a parameter is its own matter
// (sim/elastic); only here its name is known to the scene.
#pragma once

#include "core/scene/values/scene.h"

namespace hazumi {

inline bool can_break(const Object& object) {
  if (!body_kind(object.body.kind).deforms || object.body.solver != "lagrange") return false;
  const SolverParameter* breaks = find_parameter(object.body.parameters, "lagrange", "breaks");
  return breaks && breaks->number > 0;
}

}  // namespace hazumi
