// kernel.h for processors with AVX2: compiled with -mavx2 (CMakeLists.txt), empty on others.
#if defined(__AVX2__)
#include "core/geometry/metaball/kernel_close.h"

namespace hazumi::metaball {
extern const Kernels kernels_avx2;
const Kernels kernels_avx2 = kSet;
}  // namespace hazumi::metaball
#endif
