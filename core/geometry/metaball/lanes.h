// Eight doubles or floats at once and the elementary functions the kernels need, for the instruction set this
// is compiled for. Like kernel_body.h it is included into an anonymous namespace and uses no header with
// inline functions.
#pragma once

#include "core/geometry/metaball/kernel.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace hazumi::metaball {
namespace {

#define LANES_INLINE static inline __attribute__((always_inline))

typedef double V __attribute__((vector_size(64), may_alias));
typedef long long I __attribute__((vector_size(64), may_alias));
typedef unsigned long long U __attribute__((vector_size(64), may_alias));
// Bounds of slopes only decide what is proved: eight floats, rounded outward, are enough.
typedef float F __attribute__((vector_size(32), may_alias));
typedef int J __attribute__((vector_size(32), may_alias));
typedef unsigned int W __attribute__((vector_size(32), may_alias));

LANES_INLINE V get(const Lanes& a) { return *reinterpret_cast<const V*>(a.v); }
LANES_INLINE void put(Lanes& a, V v) { *reinterpret_cast<V*>(a.v) = v; }
LANES_INLINE F get(const FloatLanes& a) { return *reinterpret_cast<const F*>(a.v); }
LANES_INLINE void put(FloatLanes& a, F v) { *reinterpret_cast<F*>(a.v) = v; }
LANES_INLINE V all(double x) { return V{x, x, x, x, x, x, x, x}; }
LANES_INLINE F all(float x) { return F{x, x, x, x, x, x, x, x}; }
LANES_INLINE V pick(I m, V a, V b) { return m ? a : b; }
LANES_INLINE F pick(J m, F a, F b) { return m ? a : b; }
LANES_INLINE V least(V a, V b) { return a < b ? a : b; }
LANES_INLINE V most(V a, V b) { return a > b ? a : b; }
LANES_INLINE F least(F a, F b) { return a < b ? a : b; }
LANES_INLINE F most(F a, F b) { return a > b ? a : b; }
/// Against 1.
LANES_INLINE I negligible(V a) { return a < 1e-17; }
LANES_INLINE J negligible(F a) { return a < 1e-9f; }
LANES_INLINE V size_of(V a) { return (V)((I)a & 0x7fffffffffffffffLL); }
LANES_INLINE F size_of(F a) { return (F)((J)a & 0x7fffffff); }
LANES_INLINE V with_sign_of(V a, V s) { return (V)(((I)a & 0x7fffffffffffffffLL) | ((U)s & 0x8000000000000000ULL)); }
LANES_INLINE F with_sign_of(F a, F s) { return (F)(((J)a & 0x7fffffff) | ((W)s & 0x80000000U)); }

/// Bit i: lane i of the mask is set.
LANES_INLINE unsigned bits(I m) {
#if defined(__AVX512DQ__)
  return _mm512_movepi64_mask((__m512i)m);
#elif defined(__AVX__)
  union {
    I whole;
    __m256d half[2];
  } u;
  u.whole = m;
  return static_cast<unsigned>(_mm256_movemask_pd(u.half[0])) | static_cast<unsigned>(_mm256_movemask_pd(u.half[1]))
                                                                    << 4;
#elif defined(__SSE2__)
  union {
    I whole;
    __m128d quarter[4];
  } u;
  u.whole = m;
  unsigned r = 0;
  for (int k = 0; k < 4; ++k) r |= static_cast<unsigned>(_mm_movemask_pd(u.quarter[k])) << (2 * k);
  return r;
#else
  unsigned r = 0;
  for (int k = 0; k < 8; ++k) r |= m[k] ? 1u << k : 0u;
  return r;
#endif
}
LANES_INLINE unsigned bits(J m) {
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return _mm256_movepi32_mask((__m256i)m);
#elif defined(__AVX__)
  union {
    J whole;
    __m256 f;
  } u;
  u.whole = m;
  return static_cast<unsigned>(_mm256_movemask_ps(u.f));
#elif defined(__SSE2__)
  union {
    J whole;
    __m128 half[2];
  } u;
  u.whole = m;
  return static_cast<unsigned>(_mm_movemask_ps(u.half[0])) | static_cast<unsigned>(_mm_movemask_ps(u.half[1])) << 4;
#else
  unsigned r = 0;
  for (int k = 0; k < 8; ++k) r |= m[k] ? 1u << k : 0u;
  return r;
#endif
}
LANES_INLINE I mask_of(unsigned b) {
  const I bit = {1, 2, 4, 8, 16, 32, 64, 128};
  const long long s = b;
  return (I{s, s, s, s, s, s, s, s} & bit) != 0;
}
LANES_INLINE J float_mask_of(unsigned b) {
  const J bit = {1, 2, 4, 8, 16, 32, 64, 128};
  const int s = static_cast<int>(b);
  return (J{s, s, s, s, s, s, s, s} & bit) != 0;
}

LANES_INLINE F root(F a) {
#if defined(__AVX__)
  return (F)_mm256_sqrt_ps((__m256)a);
#elif defined(__SSE2__)
  union {
    F whole;
    __m128 half[2];
  } u;
  u.whole = a;
  u.half[0] = _mm_sqrt_ps(u.half[0]);
  u.half[1] = _mm_sqrt_ps(u.half[1]);
  return u.whole;
#else
  F r;
  for (int k = 0; k < 8; ++k) r[k] = __builtin_sqrtf(a[k]);
  return r;
#endif
}
LANES_INLINE V root(V a) {
#if defined(__AVX512F__)
  return (V)_mm512_maskz_sqrt_pd(0xff, (__m512d)a);  // the plain one is "uninitialised" to g++ 12
#elif defined(__AVX__)
  union {
    V whole;
    __m256d half[2];
  } u;
  u.whole = a;
  u.half[0] = _mm256_sqrt_pd(u.half[0]);
  u.half[1] = _mm256_sqrt_pd(u.half[1]);
  return u.whole;
#elif defined(__SSE2__)
  union {
    V whole;
    __m128d quarter[4];
  } u;
  u.whole = a;
  for (int k = 0; k < 4; ++k) u.quarter[k] = _mm_sqrt_pd(u.quarter[k]);
  return u.whole;
#else
  V r;
  for (int k = 0; k < 8; ++k) r[k] = __builtin_sqrt(a[k]);
  return r;
#endif
}

/// log2 x for x > 0: x = 2^k m with m in [√½, √2), log2 m by the series of artanh((m − 1)/(m + 1)). −1022 or
/// so for 0.
LANES_INLINE V log_2(V x) {
  const unsigned long long middle = 0x3fe6a09e667f3bcdULL;      // √½
  const U shifted = ((U)x + ((1024ULL << 52) - middle)) >> 52;  // k + 1024
  const V m = (V)((U)x - ((shifted - 1024ULL) << 52));
  const V k = (V)(shifted + 0x4338000000000000ULL) - (6755399441055744.0 + 1024.0);
  const V s = (m - 1.0) / (m + 1.0), q = s * s;
  V sum = all(2.0 / 19);
  sum = sum * q + 2.0 / 17;
  sum = sum * q + 2.0 / 15;
  sum = sum * q + 2.0 / 13;
  sum = sum * q + 2.0 / 11;
  sum = sum * q + 2.0 / 9;
  sum = sum * q + 2.0 / 7;
  sum = sum * q + 2.0 / 5;
  sum = sum * q + 2.0 / 3;
  sum = sum * q + 2.0;
  return k + s * sum * 1.4426950408889634074;
}

/// 2^y, y held between ±1000.
LANES_INLINE V exp_2(V y) {
  y = least(most(y, all(-1000.0)), all(1000.0));
  const V shifted = y + 6755399441055744.0;
  const V f = (y - (shifted - 6755399441055744.0)) * 0.69314718055994530942;
  V sum = all(1.0 / 479001600);
  sum = sum * f + 1.0 / 39916800;
  sum = sum * f + 1.0 / 3628800;
  sum = sum * f + 1.0 / 362880;
  sum = sum * f + 1.0 / 40320;
  sum = sum * f + 1.0 / 5040;
  sum = sum * f + 1.0 / 720;
  sum = sum * f + 1.0 / 120;
  sum = sum * f + 1.0 / 24;
  sum = sum * f + 1.0 / 6;
  sum = sum * f + 0.5;
  sum = sum * f + 1.0;
  sum = sum * f + 1.0;
  return (V)((U)sum + ((U)shifted << 52));
}

/// The same for floats, relative error of a power under 1e-5 for exponents up to 100.
LANES_INLINE F log_2(F x) {
  const W shifted = ((W)x + ((128U << 23) - 0x3f3504f3U)) >> 23;  // k + 128
  const F m = (F)((W)x - ((shifted - 128U) << 23));
  const F k = (F)(shifted + 0x4b400000U) - (12582912.0f + 128.0f);
  const F s = (m - 1.0f) / (m + 1.0f), q = s * s;
  F sum = all(2.0f / 9);
  sum = sum * q + 2.0f / 7;
  sum = sum * q + 2.0f / 5;
  sum = sum * q + 2.0f / 3;
  sum = sum * q + 2.0f;
  return k + s * sum * 1.44269504f;
}
LANES_INLINE F exp_2(F y) {
  y = least(most(y, all(-100.0f)), all(100.0f));
  const F shifted = y + 12582912.0f;
  const F f = (y - (shifted - 12582912.0f)) * 0.693147181f;
  F sum = all(1.0f / 720);
  sum = sum * f + 1.0f / 120;
  sum = sum * f + 1.0f / 24;
  sum = sum * f + 1.0f / 6;
  sum = sum * f + 0.5f;
  sum = sum * f + 1.0f;
  sum = sum * f + 1.0f;
  return (F)((W)sum + ((W)shifted << 23));
}

/// x^p for x ≥ 0. Below 1e-9 a negative power is held: the slope of a pinched shape (ε > 2) is infinite on
/// its creases.
template <class L, class T>
LANES_INLINE L power(L x, T p, int n) {
  if (n > 0) {
    L result = (n & 1) ? x : all(T(1)), square = x;
    for (int k = n >> 1; k > 0; k >>= 1) {
      square = square * square;
      if (k & 1) result = result * square;
    }
    return result;
  }
  if (p == 0) return all(T(1));
  if (p < 0) x = most(x, all(T(1e-9)));
  const L result = exp_2(p * log_2(x));
  return p > 0 ? pick(x > T(0), result, all(T(0))) : result;
}

/// N_p(a, b) for a, b ≥ 0, without overflow.
template <class L, class T>
LANES_INLINE L norm(L a, L b, T p, T q, int n) {
  if (n == 2) return root(a * a + b * b);
  if (n == 1) return a + b;
  const L high = most(a, b), low = least(a, b);
  const L t = power(low / pick(high > T(0), high, all(T(1))), p, n);
  const auto tiny = negligible(t);
  if (bits(tiny) == 0xff) return high;
  return pick(tiny, high, high * exp_2(q * log_2(T(1) + t)));
}
/// N of three: (a^p + b^p + c^p)^(1/p).
template <class L, class T>
LANES_INLINE L norm(L a, L b, L c, T p, T q, int n) {
  if (n == 2) return root(a * a + b * b + c * c);
  if (n == 1) return a + b + c;
  const L ab = most(a, b), small = least(a, b), high = most(ab, c), middle = least(ab, c);
  const L over = T(1) / pick(high > T(0), high, all(T(1)));
  const L t = power(least(small * over, all(T(1))), p, n) + power(least(middle * over, all(T(1))), p, n);
  const auto tiny = negligible(t);
  if (bits(tiny) == 0xff) return high;
  return pick(tiny, high, high * exp_2(q * log_2(T(1) + t)));
}

}  // namespace
}  // namespace hazumi::metaball
