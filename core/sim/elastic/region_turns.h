// What all regions of a shape-matching body (shape_matching.cpp) have done to them one like the other, several at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/math/clones.h"

namespace hazumi::shape_matching {

/// RegionLists of numbers of regions or nodes: of the i-th what is from start[i] to start[i + 1].
struct RegionLists {
  std::span<const std::uint32_t> start, members;
  std::size_t count() const { return start.size() - 1; }
};

/// out[i] ← Σ of[j] over the list of i; twelve numbers each, aligned to 32 bytes.
void sum_twelves(const RegionLists& lists, const double* of, double* out);
/// to[i] ← where the mean over the list of i of maps (a matrix by columns, then a vector) puts x[i]; three numbers each.
void apply_mean_map(const RegionLists& lists, const double* maps, const double* x, double* to);

/// Eight regions: number k of region l is list[k][l].
struct alignas(64) EightTurns {
  double fit[9][8];   ///< Σ m̃ p qᵀ by columns, kg m²
  double turn[4][8];  ///< w x y z, unit: where to begin; then R, where it is found
  double found[8];    ///< out, 1: R is where the sum Σ m̃ p × R q is zero and its energy least
};
/// Newton's steps on Σ m̃ p × R q = 0, without sines.
void turn_eight(EightTurns& all);

/// Eight regions whose turns are known, of places and of velocities.
struct alignas(64) EightHeld {
  double turn[4][8];              ///< R: w x y z
  double fit[9][8], speed[9][8];  ///< Σ m̃ p qᵀ, kg m²; Σ m̃ ṗ qᵀ, kg m²/s
  double least[8];                ///< determinant of what holds a turn, (kg m²)³: with less the region turns freely
  double held[8];                 ///< out: tr(RᵀF), kg m²
  double turning[8];              ///< out: ω·L of its turning as a whole, kg m²/s²
};
void hold_eight(EightHeld& all);

}  // namespace hazumi::shape_matching
