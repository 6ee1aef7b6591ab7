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
// d_k = D_k q + W_k. What is linear in q costs no sums of its own: Σ m̃ p (D_k q)ᵀ = (Σ m̃ p qᵀ) D_k. W_k, what stretches leave, is turned with the
// region's lead (example_warps.h) and added up once for all regions that have one. So of a region
//   E = ½ κ̃ Σ m̃ |p − R (q + Σ w_k D_k q) − R_lead Σ w_k U_k W_k|²
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

#include "core/sim/elastic/example_lanes.h"
#include "core/sim/elastic/example_warps.h"
#include "core/sim/elastic/solver.h"

namespace hazumi::shape_matching {

using Twelve = Eigen::Array<double, 12, 1>;

/// min ½ vᵀG v − bᵀv over v ≥ 0, Σ v ≤ 1; G (n × n) positive definite. `v` holds a start in there, and the answer.
void nearest_in_simplex(const double* g, const double* b, std::size_t n, double* v);

class Examples {
 public:
  static constexpr std::size_t kMost = 64;

  /// What a step keeps, in memory of its workspace.
  struct Room {
    EightVectors* spins;                   ///< Ω
    double *of_places, *of_speeds, *maps;  ///< of leads, as ExampleWarps::sum() has them
    double* padded;
    double *push, *rate;
    double (*weights)[8], (*rates)[8];  ///< of the eight regions that are looked at, of `list`
    std::array<std::uint32_t, kMost> list;
    std::size_t count;  ///< of `list`: the examples in use, ascending
    std::span<const std::uint32_t> used() const { return {list.data(), count}; }
  };

  Examples() = default;
  /// `each`: every region is a group.
  Examples(const Regions& regions, const ElasticSetup& setup, bool each);

  bool none() const { return count_ == 0; }
  std::size_t state_size() const { return groups_ * count_; }  ///< v, group by group
  std::size_t numbers() const;                                 ///< doubles of a room
  Room room(double* numbers) const;                            ///< aligned to 64 bytes
  void set_return(double epsilon) { epsilon_ = epsilon; }

  /// Examples that v has are in use, and no others.
  void use(const double* v, Room& room) const;
  /// Σ m̃ a V_kᵀ of the examples in use.
  void gather(const double* a, Room& room, double* sums) const { warps_.gather(a, room.used(), room.padded, sums); }
  // What is done eight by eight regions begins with the first eight. `sums`, `places`, `speeds`: of eight regions; `turn`: R; `turns`: of all.

  /// Σ m̃ a Tᵀ, from sums of leads too.
  void fit(std::size_t eight, const EightSums& sums, const double* of_leads, const double* v, const Room& room,
           double (*fit)[8]) const;
  /// b of all examples, as far as stretches go.
  void begin_push(Room& room) const;
  void add_push(std::size_t eight, const EightSums& places, const double (*turn)[8], Room& room) const;
  /// Then: examples that regions lie towards are in use too; v from how they lie. `places`: 3 a node. True: the weights have gone far, and may go further
  /// with the turns that they make.
  bool find(const double* places, const double* turns, double* v, Room& room) const;
  /// Ω of the regions, from F.
  void begin_rates(Room& room) const;
  void add_rates(std::size_t eight, const EightSums& places, const EightSums& speeds, const EightTurns& fitted,
                 const double* turns, const double* v, Room& room) const;
  /// Then: ẇ of the groups. `kept`: share of the motion along examples that is in it.
  void end_rates(const double* turns, const double* v, double kept, Room& room) const;
  /// What map_eight() says of all regions, and of leads what spread() adds up. `speeds`: null, or those of which rates were asked.
  void maps(const EightSums* places, const EightSums* speeds, const double* turns, const double* v, double pull,
            double calm, Twelve* maps, Room& room) const;
  void spread(Room& room, double* goals) const { warps_.spread(room.maps, room.used(), room.padded, goals); }

  /// Σ Σ m̃ |T|² − |q|², and with ε wᵀG w, kg m².
  double spread_beyond(const double* v) const;
  double held_back(const double* v) const { return epsilon_ * squared(v, gram_); }
  void shares(const double* v, std::vector<ExampleShare>& out) const;

  /// One region after the other, to the last bits: q + Σ w_k D_k q of a region; what its lead, if it is one, adds to Σ m̃ a Tᵀ; Σ Σ m̃ |Σ w_k W_k|² of all.
  Vec3 target(std::size_t region, const Vec3& q, const double* v) const;
  const std::vector<std::uint32_t>& lead_of() const { return lead_of_; }
  Mat3 of_lead(std::size_t lead, const double* of_leads, const double* v, const Room& room) const;
  double warps_held(const double* v) const { return squared(v, warp_gram_); }
  static constexpr std::uint32_t kNoLead = 0xffffffffu;

 private:
  double beta() const { return 1 / (1 + epsilon_); }
  void add_example(const Regions& regions, const std::vector<Vec3>& nodes, std::size_t k, ExampleWarps::Posed& posed);
  void sum_up(const Regions& regions, const ExampleWarps::Posed& posed);
  bool solve(double* v, Room& room) const;
  void free_rates(const double* v, Room& room) const;
  /// Of eight regions `factor` × what their groups have of the examples in use.
  void lanes(std::size_t eight, const double* of_groups, double factor, const Room& room, double (*out)[8]) const;
  double squared(const double* v, const std::vector<double>& gram) const;  // wᵀ gram w
  void add_up(std::size_t eight, const double (*push)[8], std::span<const std::uint32_t> examples, double* out) const;

  std::size_t count_ = 0, groups_ = 0;
  std::vector<std::uint32_t> group_of_, painted_;  // of regions; as they are told
  std::vector<std::uint32_t> poses_, all_;         // 0, 1, … of the examples
  std::vector<EightRests> rests_;
  std::vector<EightStretch> stretches_;  // D_k of eight regions b: b count + k
  std::vector<std::uint8_t> alike_of_;   // of eight regions: they are of one group
  ExampleWarps warps_;
  std::vector<std::uint32_t> lead_of_,
      leads_before_;  // of a region that leads its number; how many lead before eight regions
  std::vector<double> mass_, alike_, gram_, warp_gram_;  // M_r; Σ m̃ q·D_k q, G and of W alone, of the groups
  double epsilon_ = 0;
};

}  // namespace hazumi::shape_matching
