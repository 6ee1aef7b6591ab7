// spring_kernel.h for processors with AVX2: compiled with -mavx2 (CMakeLists.txt), empty on others.
#if defined(__AVX2__)
#include "core/sim/elastic/front_kernel_body.h"

namespace hazumi::spring_kernel {
extern const Kernels kernels_avx2;
const Kernels kernels_avx2 = kSet;
}  // namespace hazumi::spring_kernel
#endif
