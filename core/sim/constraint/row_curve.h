// Rows of a surface that curves on under a ball that rolls or slides.
//
//   n⁻, n⁺  normal of what it lay on at the start, and of what it touches     V   velocity of its centre against the surface, m/s
//   τ⁻, τ⁺  what of −u⁻ and of u⁺ the turning makes, m/s (law.h)             φ   angle between n⁻ and n⁺, rad
//   g       how fast weight closes the gap, m/s²                              x⁺  gap at the end, m, over the face of n⁺
//
// A sub-step goes along one line where the surface has an edge. With the normal half-way the velocity ends along n⁺, as long as before;
// but what crosses the edge after a part s of the sub-step ends x⁺ = h v φ (s − ½) beside the surface: within it where the edge came
// early, above it where it came late. It is moved there, in or out (island_project.cpp), and weight does g x⁺ less or more on it than it
// would have on the way round the edge. Since it lies on the one face for s and on the other for 1 − s, what carries the weight has its
// normal at n⁻ s + n⁺ (1 − s), and not half-way: a tilt of the row's normal to n⁺ by ψ takes the work m v ψ (τ⁻ + τ⁺ + g h) out of its
// speed, and to n⁻ gives it. So
//
//   x⁺ < 0: the row takes beforehand what moving it out costs (PairMemory::turning)
//   x⁺ > 0: what weight gives as it is moved in is kept (turning too), and goes back into its speed at the next edge
//
// and a ball goes on over edges as high as before, at any sub-step, while nothing is worked that was not taken. All that the row takes
// along its normal is kept so, not only what was planned, and the next edge has it. What does not come to the edge lies on what it lay
// on: its normal is n⁻. What is above one face alone, as an edge has left it there, is moved in as it is behind an edge.
#pragma once

#include "core/sim/constraint/row.h"

namespace hazumi {

/// 1/kg, of those of the two that move: how what is between them answers along the way of their centres.
inline double inverse_mass_between(const BodyMotion& a, const BodyMotion& b) {
  return (a.moves ? a.inverse_mass : 0) + (b.moves ? b.inverse_mass : 0);
}

/// All of a row that its normal decides.
void lay_row(const RowSetting& on, const Contact& contact, const Vec3& normal, Row& row);

/// Of a ball with contact.starts, which lies with the normal of the end; `credit`: PairMemory::turning, J. What goes at less than
/// a tenth of what weight adds in a sub-step rests and stays so.
void follow_surface(const RowSetting& on, const Contact& contact, double credit, Row& row);

/// x⁺ of a row that curves, m, as its bodies move now: along n⁺, and not along the row's normal.
double curved_end_gap(const Row& row, const BodyMotion& a, const BodyMotion& b);

}  // namespace hazumi
