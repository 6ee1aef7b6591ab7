// The free part of a sub-step: every body moves by itself under gravity and given forces. Bodies are independent, so
// they are shared out over the executor in blocks of fixed size; the result does not depend on the number of threads.
#pragma once

#include <vector>

#include "core/base/parallel.h"
#include "core/sim/model.h"
#include "core/sim/state.h"

namespace hazumi {

/// False in `good[i]` where body i left the finite numbers or a node got faster than 1e6 m/s.
void advance_bodies(const Model& model, State& state, const std::vector<BodyForces>& forces,
                    std::vector<ElasticWorkspace>& workspaces, Executor& executor, std::vector<char>& good);

}  // namespace hazumi
