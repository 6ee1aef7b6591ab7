// What regions with examples (shape_matching_examples.h has the symbols) have done to them, eight at a time. Lanes beyond the last region have D = 0.
#pragma once

#include "core/sim/elastic/region_turns.h"

namespace hazumi::shape_matching {

/// D of eight regions in one example: xx yy zz xy yz zx.
struct alignas(64) EightStretch {
  double of[6][8];
};
struct alignas(64) EightVectors {
  double of[3][8];
};

/// What eight regions have of the examples in use.
struct EightExamples {
  const EightStretch* stretches;  ///< of all examples
  std::span<const std::uint32_t> used;
  const double (*weights)[8];          ///< w, one after the other as in `used`
  const double (*rates)[8] = nullptr;  ///< ẇ
};

/// Σ m̃ a qᵀ (1 + Σ w_k D_k)
void fit_eight(const EightSums& sums, const EightRests& rests, const EightExamples& has, double (*fit)[8]);

/// push[k] ← ⟨Rᵀ Σ m̃ p qᵀ, D_k⟩ of `count` examples.
void push_eight(const EightSums& places, const EightRests& rests, const double (*turn)[8],
                const EightStretch* stretches, std::size_t count, double (*push)[8]);

/// spin ← Ω from what is in it of the moment Rᵀ Σ m̃ R T × ṗ, and what stretches add; push[k] ← ⟨Rᵀ Σ m̃ ṗ qᵀ, D_k⟩ − Ω·(Σ m̃ Rᵀp × D_k q) of
/// those in use, as they follow each other. `fit`: F.
void spin_eight(const EightSums& places, const EightSums& speeds, const EightRests& rests, const double (*turn)[8],
                const double (*fit)[8], const EightExamples& has, EightVectors& spin, double (*push)[8]);

/// As map_eight() of region_turns.h, of q + Σ w_k D_k q in place of q, and Σ ẇ_k R D_k q in the motion. `spin`: null, or of `speeds`.
void map_eight(const EightSums& places, const EightSums* speeds, const EightRests& rests, const double (*turn)[8],
               const EightExamples& has, const EightVectors* spin, double pull, double calm, double* maps);

}  // namespace hazumi::shape_matching
