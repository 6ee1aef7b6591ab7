// kernel.h for any processor, and the choice among the sets.
#include "core/geometry/metaball/kernel_close.h"

namespace hazumi::metaball {

#if defined(HAZUMI_KERNEL_SETS)
extern const Kernels kernels_avx2, kernels_avx512;
#endif

int kernel_sets(const Kernels* sets[3]) {
  int count = 0;
  sets[count++] = &kSet;
#if defined(HAZUMI_KERNEL_SETS)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) sets[count++] = &kernels_avx2;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    sets[count++] = &kernels_avx512;
#endif
  return count;
}

const Kernels& kernels() {
  static const Kernels* const best = [] {
    const Kernels* sets[3];
    return sets[kernel_sets(sets) - 1];
  }();
  return *best;
}

}  // namespace hazumi::metaball
