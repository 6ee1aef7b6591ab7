// The free part of a sub-step: every body moves by itself under gravity and given forces. Bodies are independent, so
// they are shared out over the executor in blocks of fixed size; the result does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/parallel.h"
#include "core/sim/model.h"
#include "core/sim/state.h"

namespace hazumi {

/// From `start` to `state`, which stays as it is where `asleep`, and where `joined` (the number of its linkage) is not below 0. False in `good[i]` where body i left the finite numbers or a node got faster than 1e6 m/s. `passes` (may be empty) as in StepReport.
void advance_bodies(const Model& model, const State& start, State& state, const std::vector<BodyForces>& forces,
                    std::vector<ElasticWorkspace>& workspaces, Executor& executor, std::vector<char>& good,
                    std::span<const char> asleep = {}, std::span<const std::int32_t> joined = {},
                    std::span<int> passes = {});

/// Of body i, gravity and what the director adds, m/s².
inline Vec3 acceleration_of(const Model& model, const BodyForces& forces, const Body& body) {
  Vec3 acceleration = body.gravity ? model.gravity : Vec3::Zero();
  if (model.director) acceleration += forces.acceleration;
  return acceleration;
}

/// Gives it the velocities that it is told at once. `centre`: of its mass, m.
inline void kick(const Body& body, const BodyForces& forces, const Vec3& centre, std::span<double> values) {
  if (forces.kick != Vec3::Zero()) body.add_velocity(values, forces.kick);
  if (forces.kick_turn != Vec3::Zero()) body.add_turn(values, centre, forces.kick_turn);
}

/// What contact rows remember of a body is of no use any more.
void forget_rows(State& state, std::uint32_t body);

}  // namespace hazumi
