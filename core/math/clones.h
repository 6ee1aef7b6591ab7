// HAZUMI_CLONES before a function: it is compiled for AVX2, too, and the better one is taken when the program is loaded;
// HAZUMI_WIDE_CLONES: for AVX-512 as well. Written with lanes (vector_size) and without fused operations all give the same bits. Not with a
// sanitizer, whose run-time parts are not there yet when such a choice is made.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAZUMI_NO_CLONES
#endif
#endif
#if defined(__GNUC__) && defined(__x86_64__) && defined(__linux__) && !defined(HAZUMI_NO_CLONES) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HAZUMI_CLONES __attribute__((target_clones("avx2", "default")))
#define HAZUMI_WIDE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define HAZUMI_CLONES
#define HAZUMI_WIDE_CLONES
#endif

namespace hazumi {

/// Four doubles side by side (SSE2 and NEON take them in two halves). Not to be given to functions by value. A struct that has one in memory
/// that a clone reads needs alignas(32): without AVX the compiler aligns to 16, and the clone relies on 32.
typedef double Four __attribute__((vector_size(32)));
typedef double Eight __attribute__((vector_size(64)));  // alignas(64)

}  // namespace hazumi
