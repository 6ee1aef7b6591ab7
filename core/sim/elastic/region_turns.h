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
/// Those from `begin` to `end`, which are all that a call is to write: several can be made at once.
struct Some {
  std::size_t begin = 0, end = 0;
};

/// Of eight regions Σ m̃ a (x⁰, 1)ᵀ by rows of four. Lanes beyond the last region: 0.
struct alignas(64) EightSums {
  double of[12][8];
};
/// What is constant of eight regions. Lanes beyond the last region: 0.
struct alignas(64) EightRests {
  double centre[3][8];   ///< c⁰, m
  double light[8];       ///< 1/M_r, 1/kg
  double turning[6][8];  ///< (Σ m̃ (|q|² − q qᵀ))⁻¹, 1/(kg m²): xx yy zz xy yz zx
};

/// out ← Σ of[j] over the list of each; twelve numbers each, aligned to 32 bytes. `first`: of the first list the number among all
/// regions. What is beyond the last list in the last eight is set to 0.
void sum_twelves(const RegionLists& lists, Some regions, const double* of, EightSums* out, std::size_t first = 0);
/// out ← Σ a (m̃ x⁰, m̃)ᵀ of the nodes in the list of each, by rows of four; `weighed`: m̃ x⁰ and m̃ of each node, a: three numbers each.
void sum_weighed(const RegionLists& lists, Some some, const double* weighed, const double* a, double* out);
/// out ← Σ of[j] over the list of each.
void sum_alike(const RegionLists& lists, Some some, const double* of, double* out);
/// out ← share × Σ of[j] over the list of each.
void sum_shared(const RegionLists& lists, const double* shares, const double* of, double* out);
/// What is beside the mean over its list: one map of the block of each node. Null: nothing.
struct BlockMaps {
  const std::uint32_t* block_of = nullptr;
  const double* maps = nullptr;
};
/// to[i] ← where share × the sum over the list of i of maps (by rows of four: a matrix, beside it a vector), and the map of its block, put x[i]; three
/// numbers each.
void apply_mean_map(const RegionLists& lists, Some nodes, const double* shares, const double* maps,
                    const BlockMaps& blocks, const double* x, double* to);

/// Eight regions: number k of region l is list[k][l].
struct alignas(64) EightTurns {
  double fit[9][8];       ///< Σ m̃ p qᵀ by columns, kg m²
  double turn[4][8];      ///< w x y z, unit: where to begin; then R, where it is found
  double found[8];        ///< out, 1: R is where the sum Σ m̃ p × R q is zero and its energy least
  double enough = 1e-15;  ///< square of the last step, rad²: the next would be of the order of that
};
/// Those of the regions from 8 `eight` on, as a state has them, into lanes; beyond the last region: no turn.
void lanes_of_turns(const double* turns, std::size_t regions, std::size_t eight, double (*turn)[8]);
/// Newton's steps on Σ m̃ p × R q = 0, without sines.
void turn_eight(EightTurns& all);

/// Σ m̃ a qᵀ by columns.
void fit_eight(const EightSums& sums, const EightRests& rests, double (*fit)[8]);

/// What a step adds up of what regions say of the places of their nodes and, where `speeds` are given, of their velocities as rigid bodies:
/// the map  pull (R q + c) + calm (Ω R q + ċ)  of x⁰, twelve numbers of each of eight regions. `turn`: R, w x y z.
void map_eight(const EightSums& places, const EightSums* speeds, const EightRests& rests, const double (*turn)[8],
               double pull, double calm, double* maps);

/// Eight regions whose turns are known, of places and of velocities.
struct alignas(64) EightHeld {
  double turn[4][8];              ///< R: w x y z
  double fit[9][8], speed[9][8];  ///< Σ m̃ p qᵀ, kg m²; Σ m̃ ṗ qᵀ, kg m²/s
  double least[8];                ///< determinant of what holds a turn, (kg m²)³: with less the region turns freely
  double held[8];                 ///< out: tr(RᵀF), kg m²
  double turning[8];              ///< out: ω·L of its turning as a whole, kg m²/s²
};
void hold_eight(EightHeld& all);

/// held[r] ← Σ m̃ |y − map of x⁰|² over the list of r. `rests`: x⁰ and m̃, `places`: y and 0, four numbers of each node.
void hold_regions(const RegionLists& lists, Some regions, const double* rests, const double* places, const double* maps,
                  double* held);

}  // namespace hazumi::shape_matching
