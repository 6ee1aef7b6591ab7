// kernel.h for processors with AVX-512 (F, DQ, VL): compiled with those flags (CMakeLists.txt), empty on
// others.
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include "core/geometry/metaball/kernel_close.h"

namespace hazumi::metaball {
extern const Kernels kernels_avx512;
const Kernels kernels_avx512 = kSet;
}  // namespace hazumi::metaball
#endif
