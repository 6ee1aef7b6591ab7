// Anderson mixing: makes a fixed-point iteration x ← x + f(x) converge in fewer passes.
//
//   x ← x + f − Σ γ_j (Δx_j + Δf_j),   γ the least |f − Σ γ_j Δf_j| in the norm of M
//
//   Δx_j, Δf_j   differences of x and f between passes, the last three
//   M            masses, one for every three numbers
//
// Source: Walker and Ni, Anderson acceleration for fixed-point iterations, 2011, 2.1. Departures: normal equations of
// columns of length 1 (three columns: what they lose is made up for by the next pass), a column that adds nothing new is
// left out, and where Σ γ² passes 100 a plain step is made.
#pragma once

#include <cstddef>
#include <span>

namespace hazumi {

class AndersonMixing {
 public:
  static constexpr std::size_t kDepth = 3;
  static constexpr std::size_t memory_size(std::size_t size) { return (2 + 2 * kDepth) * size; }

  /// `memory`: memory_size(3 × masses.size()) numbers, contents without meaning; kept as long as this lives.
  AndersonMixing(std::span<const double> masses, double* memory) : masses_(masses), memory_(memory) {}

  /// x ← the next x. `f` is the step that the plain iteration would make from x.
  void advance(double* x, const double* f);

 private:
  double* array(std::size_t k) const { return memory_ + k * 3 * masses_.size(); }

  std::span<const double> masses_;
  double* memory_;
  std::size_t passes_ = 0;
  double gram_[kDepth][kDepth] = {};  // of the Δf_j
};

}  // namespace hazumi
