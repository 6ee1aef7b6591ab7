// Examples of a body of shape matching (docs/numerics/shape-matching.md, "Examples"): of every region the shape that it has in each example, and how far
// the body has gone into each.
//
// Source: Koyama, Takayama, Umetani and Igarashi 2012 (seeds/002), sections 4.2 to 4.4; spec 5.2.
//
//   A = Σ m̃ (x^k − c^k) qᵀ (Σ m̃ q qᵀ)⁻¹ = R_k S of an example k;  D_k = S − 1          M = Σ m̃ q qᵀ, kg m²
//   q_k = R_kᵀ (x^k − c^k),  d_k = q_k − q                                   the region's shape in the example, in its own axes
//   T = q + Σ w_k d_k,  F = Σ m̃ p Tᵀ,  R its rotation                        what its goals are: g = R T + c
//   G_kl = Σ m̃ d_k·d_l,  b_k = Σ m̃ (Rᵀ p − q)·d_k                           sums over the regions of a group
//   v = least ½ vᵀG v − bᵀv of v ≥ 0, Σ v ≤ 1;  w = β v,  β = 1/(1 + ε)
//
// Departures from the paper. Its goals are R S′ q, what stretches say: of a bar that is twisted the region about the axis is not stretched at all,
// and nothing but its ends would twist. d_k has the whole shape; D_k says only which examples a body turns to that has not gone into them: those
// with Σ ⟨Rᵀ Σ m̃ p qᵀ − M, D_k⟩ > 0. The rest makes the whole a potential,
//   E = ½ κ̃ Σ_r Σ m̃ |p − R T|² + ½ κ̃ ε wᵀG w, least over R and w,
// so that nothing has to be given: places weigh with m̃ and not strains alike; the weights are the least over the simplex, where the paper moves those
// below 0 by equal parts; β comes from the time ¼ · 2π/ω that the way back takes, ε κ̃ = ω², and is not 0.995 a step whatever the step is.
#pragma once

#include <array>
#include <vector>

#include "core/sim/elastic/solver.h"

namespace hazumi::shape_matching {

using Twelve = Eigen::Array<double, 12, 1>;
using Nine = Eigen::Array<double, 9, 1>;

/// What a body of regions is, as far as examples need it. Region r is that of node r.
struct Regions {
  std::span<const std::uint32_t> start, nodes;  ///< of region r: nodes[start[r] … start[r + 1])
  std::span<const std::uint32_t> of_start,
      of_nodes;                       ///< of node i the regions: of_nodes[of_start[i] … of_start[i + 1])
  std::span<const double> shares;     ///< m̃
  std::span<const double> reference;  ///< x⁰, 3 a node
  std::span<const double> masses;     ///< M_r
  std::span<const Vec3> centres;      ///< c⁰
};

/// min ½ vᵀG v − bᵀv over v ≥ 0, Σ v ≤ 1; G (n × n) positive definite. `v` holds a start in there, and the answer.
void nearest_in_simplex(const double* g, const double* b, std::size_t n, double* v);

class Examples {
 public:
  static constexpr std::size_t kMost = 64;

  /// What a step keeps, in memory of its workspace: of places, then of velocities.
  struct Room {
    Nine *nodes, *regions;  ///< Σ m̃ a (x^k)ᵀ of the regions, example by example, of those that are in use
    Mat3* fits;             ///< F
    double *push, *rate;
    Vec3 *spins, *leans;  ///< Ω; Σ m̃ Rᵀp × d_k
    std::array<bool, kMost> used;
  };

  Examples() = default;
  /// `each`: every region is a group.
  Examples(const Regions& regions, const ElasticSetup& setup, bool each);

  bool none() const { return count_ == 0; }
  std::size_t state_size() const { return groups_ * count_; }  ///< v, group by group
  std::size_t numbers() const;                                 ///< doubles of a room
  Room room(double* numbers) const;
  void set_return(double epsilon) { epsilon_ = epsilon; }

  /// Examples that v has are in use, and no others. False: none.
  bool use(const Regions& regions, const double* of_nodes, const double* v, Room& room) const;
  /// Those that regions lie towards are too; v from how they lie. `fits`: Σ m̃ a x⁰ᵀ, Σ m̃ a; `turns`: R. True: the
  /// weights have gone far, and may go further with the turns that they make.
  bool find(const Regions& regions, const double* of_nodes, const Twelve* fits, const double* turns, double* v,
            Room& room) const;
  /// Sums of other things at nodes, of the examples in use.
  void gather(const Regions& regions, const double* of_nodes, Room& room) const;
  /// F of a region, of places or velocities.
  Mat3 fit(std::size_t region, const Twelve& plain, const double* v, const Room& room) const;
  /// From F in the room, of places: R T of x^k in Nine, of x⁰ and 1 in Twelve; added up at nodes by spread().
  void place(const double* turns, const double* v, Twelve* regions, Room& room) const;
  /// Motion of each region as a rigid body that goes along with the examples which it has, from sums of velocities; F in the room is of places. `kept`:
  /// share of the motion along examples that is in it.
  void rates(const double* turns, const double* v, double kept, Twelve* regions, Room& room) const;
  /// Adds the mean over the regions of a node of what the examples in use say.
  void spread(const Regions& regions, Room& room, double* goals) const;
  /// T of a region's node.
  Vec3 target(const Regions& regions, std::size_t region, std::size_t node, const double* v) const;
  /// Σ Σ m̃ |T|² − |q|², and with ε wᵀG w, kg m².
  double spread_beyond(const double* v) const;
  double held_back(const double* v) const;
  void shares(const double* v, std::vector<ExampleShare>& out) const;

 private:
  using Stretch = std::array<double, 6>;  // xx yy zz xy yz zx

  static double dot(const Stretch& d, const Mat3& m) {
    return d[0] * m(0, 0) + d[1] * m(1, 1) + d[2] * m(2, 2) + d[3] * (m(0, 1) + m(1, 0)) + d[4] * (m(1, 2) + m(2, 1)) +
           d[5] * (m(2, 0) + m(0, 2));
  }
  double beta() const { return 1 / (1 + epsilon_); }
  Mat3 shape_fit(std::size_t k, std::size_t region, const Twelve& plain, const Room& room) const;  // Σ m̃ a q_kᵀ
  void gather_one(const Regions& regions, const double* of_nodes, std::size_t k, Room& room) const;
  void add_example(const Regions& regions, const std::vector<Vec3>& nodes, std::size_t k);
  void sum_up(const Regions& regions);
  bool solve(double* v, Room& room) const;
  void free_rates(const double* v, Room& room) const;

  std::size_t count_ = 0, groups_ = 0;
  std::vector<std::uint32_t> group_of_, painted_;  // of regions; as they are told
  std::vector<std::uint32_t> poses_;
  std::vector<double> places_;    // x^k, example by example, 3 a node
  std::vector<Mat3> back_;        // R_kᵀ, example by example
  std::vector<Vec3> middle_;      // c^k, the same
  std::vector<Stretch> stretch_;  // D_k of region r: r count + k
  std::vector<Vec3> centre_;
  std::vector<double> mass_, strains_, alike_, gram_;  // M_r; Σ ⟨M, D_k⟩, Σ m̃ q·d_k and G of the groups
  double epsilon_ = 0;
};

}  // namespace hazumi::shape_matching
