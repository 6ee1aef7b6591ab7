// What stretches leave of the examples of a shape-matching body: regions next to each other that hardly turn against each other in any example have
// theirs turned with one of them, their lead, and added up once for all.
//
//   W_k = d_k − D_k q of a region in example k            Σ m̃ W_k = 0,  Σ m̃ W_k qᵀ = 0
//   U_k = R_k,leadᵀ R_k                                   how the region is turned against its lead in the example
//   V_k = Σ U_k W_k  of a node, over the regions that one lead has and that hold the node
//
// The region's shape is, in the world,  R (q + Σ w_k D_k q) + R_lead Σ w_k U_k W_k : of a body in an example just what it is there. Between rest and
// example U is off by 1 − w of its angle φ, which costs ½ κ̃ w² (1 − w)² φ² Σ m̃ |W|² at most: Σ m̃ |W|² φ² is below 5e-4 of what a region has of G in
// the mean, a fortieth of what holds the weights back half-way (ε ≥ 0.005). W of which Σ m̃ |W|² is below 1e-5 of that is left out.
// Σ w_k U_k W_k has no part that is linear in q, so that the sum of the one times the other is 0.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/math/types.h"
#include "core/sim/elastic/region_turns.h"

namespace hazumi::shape_matching {

/// A region in an example: R_kᵀ, c^k and D_k.
struct RegionPose {
  Mat3 back, stretch;
  Vec3 middle;
};

/// Which regions hold which nodes, and what a region is: one of each node, then clusters.
struct Regions {
  std::span<const std::uint32_t> start, nodes;  ///< of region r, that of node r: nodes[start[r] … start[r + 1])
  std::span<const double> shares;               ///< m̃
  std::span<const double> of_nodes;             ///< m
  std::span<const double> masses;               ///< M_r
  std::span<const double> reference;            ///< x⁰, 3 a node
  std::span<const Vec3> centres;                ///< c⁰
  std::span<const EightRests> rests;            ///< the same, eight by eight
  std::span<const double> cluster_shares = {};  ///< m̃ in the regions behind those of nodes, which are clusters

  std::size_t rings() const { return of_nodes.size(); }
  double share(std::size_t region, std::size_t node) const {
    return region < rings() ? shares[node] : cluster_shares[node];
  }
};

class ExampleWarps {
 public:
  static constexpr std::size_t kSums = 12;  ///< doubles of a matrix by columns of four, the fourth without meaning

  struct Posed {
    std::vector<std::vector<Vec3>> nodes;          ///< x^k, by example
    std::vector<std::vector<RegionPose>> regions;  ///< by example
  };

  /// `group_of` regions: those that a lead has are of its own group. `stretched`: Σ m̃ |D_k q|² of the groups, clusters left out, example by
  /// example.
  /// Σ m̃ (U_k W_k)·(U_l W_l), l ≤ k, of each region, count² a region, kg m².
  std::vector<double> build(const Regions& regions, const Posed& posed, std::span<const std::uint32_t> group_of,
                            std::span<const double> stretched);

  bool none() const { return leads_.empty(); }
  std::size_t count() const { return leads_.size(); }              ///< of leads
  std::span<const std::uint32_t> leads() const { return leads_; }  ///< their regions, ascending
  std::size_t sum_count() const { return kSums * examples_ * leads_.size(); }
  double* sum(double* sums, std::size_t k, std::size_t lead) const { return sums + kSums * (k * leads_.size() + lead); }
  const double* sum(const double* sums, std::size_t k, std::size_t lead) const {
    return sums + kSums * (k * leads_.size() + lead);
  }
  /// Σ m̃ a V_kᵀ of the leads, of the examples in `used`; a: 3 numbers a node. `padded`: room for 4 a node.
  void gather(const double* a, std::span<const std::uint32_t> used, double* padded, double* sums) const;
  /// Adds to 3 numbers of each node the mean over its regions of Σ N_k V_k, with N_k by columns in `maps` as gather() has sums.
  void spread(const double* maps, std::span<const std::uint32_t> used, double* padded, double* to) const;

 private:
  struct Draft;

  std::size_t examples_ = 0;
  std::vector<std::uint32_t> leads_;         // regions
  std::vector<std::uint32_t> start_, node_;  // of a lead
  std::vector<double> warps_;                // V_k over how many regions have the node, m: by example, then as node_
  std::vector<double> masses_;               // m
};

}  // namespace hazumi::shape_matching
