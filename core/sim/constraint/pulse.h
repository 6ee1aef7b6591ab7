// The thesis's sine pulse, for scenes that choose it: a collision takes the time that Hertz says, and the two squash into each other.
//
//   F(t) = F_max sin(πt/T),  0 ≤ t ≤ T,    ∫F dt = (1 + e) v₀/n₁       T, n₁, v₀ as the event says (events.h)
//
// One pulse per pair and way its contacts look, which all rows there share. In a sub-step they give together, analytically,
//   Λ = ∫F dt over the overlap of sub-step and pulse + what weight closes the gap with in that time + what was owed
// as velocities: all rows of the pulse have one target b, and b is found so that Σ λ·n = Λ (secants). So a flat face is not hit four times as
// hard as a corner, friction is that of λ, and the account bounds what the rows work like any other. No place leaves with more than e v₀,
// and none goes deeper than the pulse would let it: there it is held like any row.
// A pulse that would be over within a sub-step is none: the collision is at once then, bit by bit; so is one in whose time weight gives
// more than v₀ (what comes to rest would never do so, bounce by bounce). One that would squash the two deeper
// than ContactProxy::squash or 0.15 of the smaller one's reach is so much shorter. After it rows are ordinary ones; what it has left of the
// squash (e < 1) is taken out like any overlap, for which the account keeps what the pulse took until the two are out of each other.
#pragma once

#include <cstdint>

#include "core/sim/constraint/memory.h"

namespace hazumi {

/// A pulse in one sub-step.
struct RunningPulse {
  std::uint32_t pair = 0, number = 0;    ///< in Account::pairs and there in PairMemory::pulses
  double due = 0;                        ///< N s, Λ
  double target = 0;                     ///< m/s, b
  double slope = 0;                      ///< 1/kg, by how much b goes up for more λ
  double last_target = 0, last_sum = 0;  ///< of the secant before
  bool last = false;                     ///< the two part: all that is left is given
};

/// m, how deep a pulse of this length lets two come into each other that meet with `speed`.
double pulse_depth(double speed, double duration, double restitution);

}  // namespace hazumi
