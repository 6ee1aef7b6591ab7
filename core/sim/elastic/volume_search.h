// The thesis's optimisation of positions after a step: the nodes of a surface are moved until it encloses the wanted volume, as near as
// possible to where dynamics put them. Slow, and for comparison with the row of kept_volume.h.
//
// Source: thesis seeds/000, 3.2.2, equations 3.22 to 3.26. Powell's method of conjugate directions with Brent's search along lines, here
// Brent's PRAXIS (NLopt).
//
//   U(x) = c₁ |V(x)/V_w − 1| + c₂ Σ |x_i − r_i|/ℓ + c₃ Σ (1 − cos ∠(x_i − p_i, r_i − p_i))
//
//   p, r, x   nodes at the start of the step, as dynamics put them, as they are wanted, m
//   V_w       wanted volume, m³                ℓ = ∛V_w, m         c₁ ≫ c₂, c₃
//
// Departures: c₁ becomes ten times greater from round to round until V is within 1e-7 of V_w, since a search without derivatives ends
// beside the kink of |V − V_w|; U is counted in lengths of the body. Nodes within it, and pinned ones, do not move.
// The same bits on any thread: the search draws its numbers from a seed of its own.
#pragma once

#include <vector>

#include "core/geometry/truss/enclosed.h"

namespace hazumi {

struct VolumeSearch {
  std::span<const Vec3> before, moved;    ///< p, r, m
  std::span<const std::uint32_t> pinned;  ///< ascending
  double wanted = 0;                      ///< V_w, m³
};

struct SearchedVolume {
  std::vector<Vec3> shift;  ///< x − r, m, one per node
  double off = 0;           ///< |V/V_w − 1|
  int evaluations = 0;      ///< of U
};
SearchedVolume searched_volume(const EnclosedVolume& surface, const VolumeSearch& search);

/// The closed form of it: nodes are moved by λ g/m, g = ∂V/∂x, the least way in the norm of the masses to first order, by Newton's rule
/// on λ with g anew in each round, until the volume is right to 1e-12. How many rounds; below 0: it is not within 1e-6.
int move_to_volume(const EnclosedVolume& surface, std::span<const double> masses, std::span<const std::uint32_t> pinned,
                   double wanted, std::span<Vec3> nodes);

/// Of shifts of nodes at these places what moves and turns all of them, by momentum and angular momentum, is taken out.
void take_out_rigid(std::span<const Vec3> nodes, std::span<const double> masses, std::span<Vec3> shift);

}  // namespace hazumi
