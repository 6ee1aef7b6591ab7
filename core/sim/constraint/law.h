// The law of one contact row: when it bounces, with which speed it leaves, what it may give back.
//
//   u⁻, ū, u⁺ = 2ū − u⁻   velocity of the row along its normal at the start, in the mean and at the end of a sub-step, m/s, > 0 parts
//   g       how fast weight closes the gap, m/s²          x⁻     gap at the start, m, < 0 overlap
//   Q       exit speed at the surface, m/s                R      energy that the row may still return, J
//   λ       N s        W = λ·ū  J: work on the bodies     e      restitution
//
// Touch: the row meets the surface with v = √(u⁻² + 2 g x⁻) (u⁻ where it is in it already); faster than the speed of rest,
// Q = e v. While it comes in, Q stays the greatest of these; it begins anew where the row comes in after it had begun to leave.
// Target of u⁺:
//   Q > 0, touch in the second half of the sub-step:  −2 x⁻/h − u⁻, which lands on the surface; the bounce begins there
//   Q > 0:                   the u⁺ that has the energy of leaving the surface with Q: ½u⁺² + g x⁺ = ½Q², x⁺ = x⁻ + ½h(u⁻ + u⁺);
//                            Q itself where x⁺ < 0, since overlaps of a bounce are taken out in the same sub-step (project.h)
//   Q = 0:                   0, on the way in −2 x⁻/h − u⁻ at most; slow and within reach of the surface: −x⁻/h, which closes the gap
// Where the surface has turned from n⁻ to n⁺ under what rolls or slides over it, the row's normal is n between them, and of −u⁻ a part
// τ⁻ = V·(n⁻ − n) is no coming in: what goes straight along n⁻ comes into a hollow and leaves a hump. Touch and target are found with
// u⁻ + τ⁻, and τ⁺ is added to the target: the velocity ends along n⁺. In a hollow, with n half-way, the mean velocity is then along the
// surface and the row does no work, so that a ball in a bowl keeps its height at any sub-step; more in row_curve.h.
// A constant force is kept exactly by the midpoint rule, so that a bounce has the height that e says at any sub-step.
// Afterwards (contact.md, §3): u⁻ < 0 < u⁺: R += ½λ(e²u⁻² − u⁺²)/(u⁺ − u⁻); else W < 0: R += e²(−W); else R −= W. Where R is spent and
// u⁺ ≥ 0, Q = 0: an exit speed without it would be a motor against the springs of the body.
#pragma once

#include "core/sim/constraint/memory.h"

namespace hazumi {

struct RowLaw {
  double h = 0;            ///< s
  double rest_speed = 0;   ///< m/s
  double restitution = 0;  ///< e
  double closing = 0;      ///< g
  double reach = 0;        ///< m: gap up to which a slow row is kept and closed
};

/// v, m/s: with which it meets the surface; 0: it does not come in.
double touch_speed(const RowLaw& law, double gap, double before);
/// Q and phase at the start of a sub-step. `known`: the row was there in the sub-step before.
void begin_row(const RowLaw& law, bool known, double gap, double before, RowMemory& memory);
double row_target(const RowLaw& law, double gap, double before, const RowMemory& memory);
/// The same over a surface that curves on; `comes` τ⁻ and `leaves` τ⁺. `follows`: what comes with no more than the speed of rest is no
/// impact, and where it ends beside the surface it is moved there (row_curve.h).
double curved_target(const RowLaw& law, double gap, double before, double comes, double leaves, bool follows,
                     const RowMemory& memory);
/// m, of `over` an overlap at the end of a sub-step, `was` of it there at the start: what is taken out.
double taken_out(double over, double was, double h);
/// After the sub-step; `before` u⁻, `mean` ū, `normal` λ, all along the normal.
void end_row(const RowLaw& law, double before, double mean, double normal, RowMemory& memory);

}  // namespace hazumi
