// What a SpringMatrix computes block by block, for the processor that it runs on.
//
//   L Lᵀ = A of n nodes, by columns; of the diagonal the inverse of its (lower) root
//   block    3 × 3 by columns of four numbers, the last without meaning: 12 doubles
//
// One order of sums whatever the lanes: the same bits on every processor.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/sim/elastic/front_plan.h"

namespace hazumi::spring_kernel {

inline constexpr std::size_t kBlock = 12;  ///< doubles of a block
inline constexpr std::size_t kLanes = 8;   ///< columns of A⁻¹ that are found at once

struct Factor {
  std::size_t nodes = 0;
  const std::uint32_t *start = nullptr, *row = nullptr;                                     ///< below the diagonal
  const std::uint32_t *before = nullptr, *at = nullptr, *end = nullptr, *target = nullptr;  ///< SpringPattern::plan()
  double *diagonal = nullptr, *below = nullptr;                                             ///< blocks
};

/// L Lᵀ = A in dense fronts, by FrontPlan, of numbers T.
template <class T>
struct Fronts {
  const Front* fronts = nullptr;
  std::size_t count = 0;
  const std::uint32_t* row = nullptr;
  const FrontEdge* edge = nullptr;
  const FrontRun* run = nullptr;
  const std::uint32_t* child = nullptr;
  T *panels = nullptr, *rests = nullptr;
};

template <class T>
struct FrontKernels {
  /// L of A = `diagonal` (six numbers for each place: xx, xy, xz, yy, yz, zz) less s₀ 1 + s₁ n nᵀ of each edge (`springs`: s₀, s₁, n), of which
  /// `shares` are taken. A pivot that is not positive is `least`.
  void (*eliminate)(const Fronts<T>& l, const double* diagonal, const double* springs, const double* shares,
                    double least);
  /// x ← (L Lᵀ)⁻¹ x, three numbers for each place; `work`: 3 rows + 8 numbers of the front with most rows.
  void (*solve)(const Fronts<T>& l, T* x, T* work);
};

struct Kernels {
  /// L of the blocks of A that are in its place. A pivot that is not positive takes that of A, or of its mass, kg.
  void (*eliminate)(const Factor& l, const double* masses);
  /// x ← (L Lᵀ)⁻¹ x, four numbers a node.
  void (*solve)(const Factor& l, double* x);
  /// The same of kLanes vectors side by side, three rows of kLanes numbers a node, which are 0 before node `first`; of what comes
  /// before it nothing is found.
  void (*columns)(const Factor& l, std::size_t first, double* x);
  /// Blocks of (L Lᵀ)⁻¹ where L has some (SpringMatrix::near_inverse): of the diagonal and below. `changes`: of each block below, where in
  /// `target` what it changes begins. `work`: 4 blocks for each block of the longest column.
  void (*near_inverse)(const Factor& l, const std::uint32_t* changes, double* diagonal, double* below, double* work);
  FrontKernels<double> in_fronts;
  FrontKernels<float> in_rough_fronts;
};

const Kernels& kernels();
/// All that this processor can run, the plainest first; how many.
int kernel_sets(const Kernels* sets[2]);

}  // namespace hazumi::spring_kernel
