// The free part of a sub-step: every body moves by itself under gravity and given forces. Bodies are independent, so
// they are shared out over the executor in blocks of fixed size; the result does not depend on the number of threads.
#pragma once

#include <vector>

#include "core/base/parallel.h"
#include "core/sim/model.h"
#include "core/sim/state.h"

namespace hazumi {

/// Forces on one body during a sub-step, world frame, constant over it.
struct BodyForces {
  bool any = false;
  Vec3 force = Vec3::Zero();   ///< N, at the centre of mass (rigid, point)
  Vec3 torque = Vec3::Zero();  ///< N m, about the centre of mass (rigid)
  std::vector<Vec3> nodes;     ///< N, one per node (flexible)
};

/// False in `good[i]` where body i left the finite numbers or a node got faster than 1e6 m/s.
void advance_bodies(const Model& model, State& state, const std::vector<BodyForces>& forces,
                    std::vector<ElasticWorkspace>& workspaces, Executor& executor, std::vector<char>& good);

bool alive(const Body& body, double time);  ///< a point between birth and death; every other body always

}  // namespace hazumi
