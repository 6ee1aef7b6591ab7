#include "core/sim/elastic/spring_kernel.h"

#include "core/sim/elastic/front_kernel_body.h"

namespace hazumi::spring_kernel {

#if defined(HAZUMI_KERNEL_SETS)
extern const Kernels kernels_avx2;
#endif

int kernel_sets(const Kernels* sets[2]) {
  int count = 0;
  sets[count++] = &kSet;
#if defined(HAZUMI_KERNEL_SETS)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) sets[count++] = &kernels_avx2;
#endif
  return count;
}

const Kernels& kernels() {
  static const Kernels* const best = [] {
    const Kernels* sets[2];
    return sets[kernel_sets(sets) - 1];
  }();
  return *best;
}

}  // namespace hazumi::spring_kernel
