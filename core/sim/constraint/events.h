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

#include <optional>
#include <span>
#include <vector>

#include "core/sim/constraint/island.h"
#include "core/sim/contact/hertz.h"
#include "core/sim/step.h"

namespace hazumi {

/// What touches in one region of a pair faster than the speed of rest, before the sub-step.
struct Impact {
  Vec3 normal = Vec3::Zero(), place = Vec3::Zero();  ///< world, from b to a; m
  double speed = 0;                                  ///< m/s, v₀ at the touch
  double before = 0;                                 ///< m/s, at the start of the sub-step, < 0 comes in
  double gap = 0;                                    ///< m, at the start
  double closing = 0;                                ///< m/s², how fast weight closes it
  double mobility = 0;                               ///< 1/kg, n₁
  HertzPulse hertz;
};

/// Of rows of one pair, by what they push.
std::vector<Impact> find_impacts(const Substep& substep, std::span<const Row> rows);
/// The event of an impact, if it is no part of a collision that `pair` knows already.
std::optional<ContactEvent> note_impact(const Substep& substep, const Impact& impact, bool measured, PairMemory& pair);

/// After solve() and before finish(): events of the island, and what is remembered of them in its account; touches of pairs of
/// which one deforms.
void read_events(const Substep& substep, IslandSolver& island, std::vector<ContactEvent>& events,
                 std::vector<ContactTouch>& touches);

}  // namespace hazumi
