// Resting contact at velocity level (spec 3.4, 6.1). Rows w = n·(u_a − u_b), one per contact:
//
//   w ≥ 0,  λ ≥ 0,  w λ = 0,      |λ_t| ≤ μ λ   against the sliding
//
// Where a gap has opened under something that rested (a vibrating soft body lifts off by less than kKeep), the row stays
// and lets it close: w ≥ −gap/h.
//
//   u   m/s   velocity of the touching place (body_motion.h)      λ   N s   impulse over the sub-step
//
// Solved by projected Gauss–Seidel over all bodies together, in order of (a, b, feature), friction as a disc.
//
// Warm start. The impulses of the sub-step before act as forces λ/h *during* the next one (supporting_forces), the rows
// then correct what is left. A body at rest so is carried while it moves, not dropped and caught: it does not creep, a
// soft body keeps the sag in which springs and weight are in balance, and the correction is zero. What no longer touches
// is given back.
//
// Overlap is taken out apart from that, in position only, so that it adds no velocity: all of it where bodies were
// apart at the start of the sub-step (a fast thing must not stay behind a wall), gently where they already overlapped.
#pragma once

#include <vector>

#include "core/sim/advance.h"
#include "core/sim/contact/body_motion.h"
#include "core/sim/contact/contact.h"

namespace hazumi {

/// Adds the forces of the resting contacts of the step before; `motions` of their bodies are loaded at the start of the
/// sub-step.
void supporting_forces(const Model& model, const std::vector<RestingImpulse>& resting,
                       const std::vector<BodyMotion>& motions, std::vector<BodyForces>& forces);

/// Solves the rows and replaces `resting`. Bodies of all contacts and of `resting` are loaded.
void solve_resting(const Model& model, const std::vector<Contact>& contacts, std::vector<BodyMotion>& motions,
                   std::vector<RestingImpulse>& resting);

/// Last resort for what is faster than the narrow phase can follow (a spinning box at 300 m/s meets a wall corner by corner
/// several times within a sub-step): a centre of mass that would end behind a fixed box or plane is put back in front, and
/// its speed into it is taken away. `centre_from`: centres at the start of the sub-step.
void hold_back(const Model& model, const std::vector<Vec3>& centre_from, std::vector<BodyMotion>& motions);

/// Moves overlapping bodies apart.
void separate(const Model& model, const std::vector<Contact>& contacts, std::vector<BodyMotion>& motions);

}  // namespace hazumi
