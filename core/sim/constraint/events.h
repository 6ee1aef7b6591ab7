// Collisions of a sub-step, read off its rows: contacts of a pair that look the same way and push are one region, and what touches
// there faster than the speed of rest is one event with the closed form of Hertz (contact/hertz.h) beside it. Further touches of the
// region within the time that the closed form says, at least the next sub-step, belong to the same collision.
//
// The closed form knows two bodies as wholes: n₁ = nᵀ W n of their motions as rigid bodies at the region's place. What hangs on
// pins and deforms answers at first with the nodes that are hit.
//
// What is measured here of a collision is its force, Σ λ·n / h of the region. Rigid bodies bounce within a sub-step: theirs would
// say how long that is.
#pragma once

#include "core/sim/constraint/island.h"
#include "core/sim/step.h"

namespace hazumi {

/// After solve() and before finish(): events of the island, and what is remembered of them in its account; touches of pairs of
/// which one deforms.
void read_events(const Substep& substep, IslandSolver& island, StepReport& report);

}  // namespace hazumi
