// The matrix of an implicit step of springs that pull along where they are (solver "springs"), and how it is solved.
//
//   A = M + Σ Gᵀ S G      of every spring S = α (1 − n nᵀ) + β n nᵀ, G x = x_b − x_a
//
//   M       node masses, kg                    n   direction of a spring
//   α, β    across and along it, kg, ≥ 0       L   A ≈ L Lᵀ
//
// Solved by conjugate gradients. What goes before them is the factor of A where that costs little (then they have next to nothing to do),
// and of a larger body the one without fill, in which a pivot that is not positive takes that of A. 3×3 blocks (spring_kernel.h), one
// order of sums: the same bits for every run and thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/math/types.h"
#include "core/sim/elastic/front_plan.h"
#include "core/sim/elastic/spring_kernel.h"

namespace hazumi {

/// Which nodes springs join: constant.
class SpringPattern {
 public:
  using Ends = std::pair<std::uint32_t, std::uint32_t>;
  /// Products of blocks up to which the factor of A itself is made.
  static constexpr double kMostProducts = 2e7;

  SpringPattern() = default;
  /// `n` nodes in a fill-reducing order; `held`: nodes that do not move.
  SpringPattern(std::size_t n, std::vector<Ends> springs, std::vector<char> held, double most_products = kMostProducts);

  /// Large ones, in dense fronts: of A less what `shares` leave out of each spring (none where they are 1). `places`: at rest.
  /// `rough`: in numbers of seven digits.
  SpringPattern(std::span<const Vec3> places, std::vector<Ends> springs, std::vector<char> held,
                std::vector<double> shares, bool rough);

  std::size_t nodes() const { return n_; }
  std::size_t springs() const { return ends_.size(); }
  bool in_fronts() const { return !plan_.fronts.empty(); }
  double products() const { return in_fronts() ? plan_.products : products_; }  ///< of blocks, of a factor
  bool whole() const { return whole_; }                    ///< L Lᵀ = A, in fronts but for what `shares` leave out
  std::size_t memory() const;                              ///< doubles that a SpringMatrix wants
  std::size_t blocks() const { return n_ + row_.size(); }  ///< of L: the diagonal, then what is below
  /// Number of the block of two nodes among these, the diagonal's first; of two that L has no block of: blocks().
  std::size_t block_of(std::uint32_t i, std::uint32_t j) const;

 private:
  friend class SpringMatrix;
  void fill(double most_products);
  void plan();
  std::size_t n_ = 0;
  bool whole_ = true;
  double products_ = 0;
  std::vector<Ends> ends_;
  std::vector<char> held_;
  std::vector<std::uint32_t> start_, row_;  // below the diagonal of L, by columns
  std::vector<std::uint32_t> slot_;         // of a spring in row_
  // What factor() does, in its order: of each column the blocks of its row, where their columns end, and which blocks they change.
  std::vector<std::uint32_t> before_, at_, end_, target_;
  FrontPlan plan_;  // in its place, of large ones
  std::vector<double> shares_;
  bool rough_ = false;
  std::size_t longest_ = 0;                                                                  // rows of a front
  std::size_t numbers(std::size_t count) const { return rough_ ? (count + 1) / 2 : count; }  // in doubles
};

class SpringMatrix {
 public:
  /// `memory`: pattern.memory() doubles, kept as long as this lives; contents without meaning before the first set().
  SpringMatrix(const SpringPattern& pattern, std::span<const double> masses, double* memory);

  void set(std::size_t spring, const Vec3& direction, double across, double along) {
    double* const s = springs_ + 5 * spring;
    s[0] = across;
    s[1] = along - across;
    s[2] = direction.x();
    s[3] = direction.y();
    s[4] = direction.z();
  }
  void factor();
  /// The memory of another one, with what was set and factored.
  void copy_to(double* memory) const { std::copy(springs_, springs_ + pattern_.memory(), memory); }
  /// out ← A x; x is 0 at nodes that are held, and so is out.
  void multiply(const double* x, double* out) const;
  /// x ← A⁻¹ x until what is left has come down to `share` of it, in the norm of (L Lᵀ)⁻¹; 0 at nodes that are held.
  /// How many sweeps that took; more than `most`: it did not come there in so many.
  int solve(double* x, double share, int most = 1000);
  /// Right after factor(), where the pattern is whole: blocks B_ij of A⁻¹ of these nodes, blocks[a m + b] of nodes a and b, m of them, none
  /// twice. B_ji = B_ijᵀ to the last bit, whatever else is asked for; 0 at nodes that are held.
  void inverse_blocks(std::span<const std::uint32_t> nodes, std::span<Mat3> blocks) const;
  /// Right after factor(): blocks of A⁻¹ where L has blocks (SpringPattern::block_of), those below the diagonal of a row's node and a
  /// column's. From L alone (Takahashi, Fagan and Chin, 1973), about as much as the factor. Where the pattern is not whole: about.
  void near_inverse(std::span<Mat3> out) const;
  /// Right after factor(): x ← (L Lᵀ)⁻¹ x, 0 at nodes that are held; where the pattern is whole that is A⁻¹ x.
  void solve_by_factor(double* x) const;

 private:
  spring_kernel::Factor view() const;
  template <class T>
  spring_kernel::Fronts<T> fronts() const;
  template <class T>
  void precondition_in_fronts(const spring_kernel::FrontKernels<T>& kernels, double* x) const;
  void factor_fronts();
  void precondition(double* x) const;
  void clear_held(double* x) const;
  const SpringPattern& pattern_;
  std::span<const double> masses_;
  double *springs_, *diagonal_, *below_, *left_, *way_, *seen_, *answer_, *found_;
  double* padded_;  // four numbers a node, in fronts three
  double *rests_ = nullptr, *work_ = nullptr;
};

}  // namespace hazumi
