// spring_kernel.h as it is compiled for each instruction set. No templates of others: what is compiled here must not be taken elsewhere.
#pragma once

#include <cmath>

#include "core/math/clones.h"
#include "core/sim/elastic/spring_kernel.h"

namespace hazumi::spring_kernel {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;

struct Block {
  Four c0, c1, c2;
};

[[gnu::always_inline]] inline Four load(const double* p) {
  Four v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}

[[gnu::always_inline]] inline Block block(const double* p) { return {load(p), load(p + 4), load(p + 8)}; }

[[gnu::always_inline]] inline void put(double* p, const Four& v) { __builtin_memcpy(p, &v, sizeof v); }

[[gnu::always_inline]] inline Four all(double x) { return Four{x, x, x, x}; }

/// K (x, y, z)
[[gnu::always_inline]] inline Four times(const Block& k, double x, double y, double z) {
  return k.c0 * all(x) + (k.c1 * all(y) + k.c2 * all(z));
}

/// Kᵀ x
[[gnu::always_inline]] inline Four turned_times(const Block& k, const Four& x) {
  const Four p = k.c0 * x, q = k.c1 * x, r = k.c2 * x;
  const Four first = {p[0], q[0], r[0], 0}, second = {p[1], q[1], r[1], 0}, third = {p[2], q[2], r[2], 0};
  return first + (second + third);
}

/// Lower R⁻¹ of a = R Rᵀ; false: a is not positive.
inline bool invert_root(const double* a, double* out) {
  const double l00 = std::sqrt(a[0]);
  const double l10 = a[1] / l00, l20 = a[2] / l00;
  const double d1 = a[5] - l10 * l10;
  const double l11 = std::sqrt(d1), l21 = (a[6] - l20 * l10) / l11;
  const double d2 = a[10] - l20 * l20 - l21 * l21;
  const double least = 1e-14 * (a[0] + a[5] + a[10]);
  if (!(a[0] > least && d1 > least && d2 > least)) return false;
  const double l22 = std::sqrt(d2);
  for (std::size_t k = 0; k < kBlock; ++k) out[k] = 0;
  out[0] = 1 / l00;
  out[1] = -l10 / (l00 * l11);
  out[2] = (l10 * l21 - l20 * l11) / (l00 * l11 * l22);
  out[5] = 1 / l11;
  out[6] = -l21 / (l11 * l22);
  out[10] = 1 / l22;
  return true;
}

/// By columns, each less those before it that have its row.
void eliminate(const Factor& l, const double* masses) {
  const std::uint32_t* target = l.target;
  for (std::size_t j = 0; j < l.nodes; ++j) {
    double* const diagonal = l.diagonal + kBlock * j;
    Block own = block(diagonal);
    for (std::uint32_t b = l.before[j]; b < l.before[j + 1]; ++b) {
      const double* const m = l.below + kBlock * l.at[b];
      const Block mine = block(m);
      own.c0 -= times(mine, m[0], m[4], m[8]);
      own.c1 -= times(mine, m[1], m[5], m[9]);
      own.c2 -= times(mine, m[2], m[6], m[10]);
      for (std::uint32_t k = l.at[b] + 1; k < l.end[b]; ++k, ++target) {
        if (*target == kNone) continue;
        double* const to = l.below + kBlock * std::size_t{*target};
        const Block from = block(l.below + kBlock * std::size_t{k});
        put(to, load(to) - times(from, m[0], m[4], m[8]));
        put(to + 4, load(to + 4) - times(from, m[1], m[5], m[9]));
        put(to + 8, load(to + 8) - times(from, m[2], m[6], m[10]));
      }
    }
    double pivot[kBlock], root[kBlock] = {};
    put(pivot, own.c0);
    put(pivot + 4, own.c1);
    put(pivot + 8, own.c2);
    if (!invert_root(pivot, root) && !invert_root(diagonal, root))
      root[0] = root[5] = root[10] = 1 / std::sqrt(masses[j]);
    for (std::size_t k = 0; k < kBlock; ++k) diagonal[k] = root[k];
    for (std::uint32_t k = l.start[j]; k < l.start[j + 1]; ++k) {
      double* const to = l.below + kBlock * std::size_t{k};
      const Block from = block(to);
      put(to, times(from, root[0], root[4], root[8]));
      put(to + 4, times(from, root[1], root[5], root[9]));
      put(to + 8, times(from, root[2], root[6], root[10]));
    }
  }
}

void solve(const Factor& l, double* x) {
  for (std::size_t j = 0; j < l.nodes; ++j) {
    double* const own = x + 4 * j;
    put(own, times(block(l.diagonal + kBlock * j), own[0], own[1], own[2]));
    for (std::uint32_t k = l.start[j]; k < l.start[j + 1]; ++k) {
      double* const to = x + 4 * std::size_t{l.row[k]};
      put(to, load(to) - times(block(l.below + kBlock * std::size_t{k}), own[0], own[1], own[2]));
    }
  }
  for (std::size_t j = l.nodes; j-- > 0;) {
    Four y = load(x + 4 * j);
    for (std::uint32_t k = l.start[j]; k < l.start[j + 1]; ++k)
      y -= turned_times(block(l.below + kBlock * std::size_t{k}), load(x + 4 * std::size_t{l.row[k]}));
    put(x + 4 * j, turned_times(block(l.diagonal + kBlock * j), y));
  }
}

// Of kLanes vectors -------------------------------------------------------------------------------------------

[[gnu::always_inline]] inline Eight wide(const double* p) {
  Eight v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}

[[gnu::always_inline]] inline Eight wide(double x) { return Eight{x, x, x, x, x, x, x, x}; }

[[gnu::always_inline]] inline void put(double* p, const Eight& v) { __builtin_memcpy(p, &v, sizeof v); }

[[gnu::always_inline]] inline Eight dot(double a, double b, double c, const Eight& x, const Eight& y, const Eight& z) {
  return wide(a) * x + (wide(b) * y + wide(c) * z);
}

inline bool is_nought(const double* x) {
  double sum = 0;
  for (std::size_t k = 0; k < 3 * kLanes; ++k) sum += x[k] * x[k];
  return sum == 0;
}

void columns(const Factor& l, std::size_t first, double* x) {
  constexpr std::size_t n = kLanes;
  for (std::size_t j = first; j < l.nodes; ++j) {
    double* const own = x + 3 * n * j;
    if (is_nought(own)) continue;
    const double* const d = l.diagonal + kBlock * j;
    const Eight a = wide(own), b = wide(own + n), c = wide(own + 2 * n);
    const Eight y0 = dot(d[0], d[4], d[8], a, b, c), y1 = dot(d[1], d[5], d[9], a, b, c),
                y2 = dot(d[2], d[6], d[10], a, b, c);
    put(own, y0);
    put(own + n, y1);
    put(own + 2 * n, y2);
    for (std::uint32_t k = l.start[j]; k < l.start[j + 1]; ++k) {
      const double* const m = l.below + kBlock * std::size_t{k};
      double* const to = x + 3 * n * std::size_t{l.row[k]};
      put(to, wide(to) - dot(m[0], m[4], m[8], y0, y1, y2));
      put(to + n, wide(to + n) - dot(m[1], m[5], m[9], y0, y1, y2));
      put(to + 2 * n, wide(to + 2 * n) - dot(m[2], m[6], m[10], y0, y1, y2));
    }
  }
  for (std::size_t j = l.nodes; j-- > first;) {
    double* const own = x + 3 * n * j;
    Eight a = wide(own), b = wide(own + n), c = wide(own + 2 * n);
    for (std::uint32_t k = l.start[j]; k < l.start[j + 1]; ++k) {
      const double* const m = l.below + kBlock * std::size_t{k};
      const double* const from = x + 3 * n * std::size_t{l.row[k]};
      const Eight x0 = wide(from), x1 = wide(from + n), x2 = wide(from + 2 * n);
      a -= dot(m[0], m[1], m[2], x0, x1, x2);
      b -= dot(m[4], m[5], m[6], x0, x1, x2);
      c -= dot(m[8], m[9], m[10], x0, x1, x2);
    }
    const double* const d = l.diagonal + kBlock * j;
    put(own, dot(d[0], d[1], d[2], a, b, c));
    put(own + n, dot(d[4], d[5], d[6], a, b, c));
    put(own + 2 * n, dot(d[8], d[9], d[10], a, b, c));
  }
}

// Near blocks of the inverse -----------------------------------------------------------------------------------

[[gnu::always_inline]] inline void put(double* p, const Block& b) {
  put(p, b.c0);
  put(p + 4, b.c1);
  put(p + 8, b.c2);
}

/// to −= a b
[[gnu::always_inline]] inline void subtract_product(double* to, const Block& a, const double* b) {
  put(to, load(to) - times(a, b[0], b[1], b[2]));
  put(to + 4, load(to + 4) - times(a, b[4], b[5], b[6]));
  put(to + 8, load(to + 8) - times(a, b[8], b[9], b[10]));
}

inline void turn_over(const double* from, double* to) {
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) to[4 * r + c] = from[4 * c + r];
    to[4 * r + 3] = 0;
  }
}

// Of column j with the rows S below it: Y = L_Sj L_jj⁻¹, Z_Sj = −Z_SS Y, Z_jj = L_jj⁻ᵀ L_jj⁻¹ − Yᵀ Z_Sj; what Z_SS wants has come before.
void near_inverse(const Factor& l, const std::uint32_t* changes, double* diagonal, double* below, double* work) {
  for (std::size_t j = l.nodes; j-- > 0;) {
    const std::uint32_t first = l.start[j], count = l.start[j + 1] - first;
    double *const y = work, *const turned = y + kBlock * count, *const sum = turned + kBlock * count,
                  *const across = sum + kBlock * count;  // Y, Yᵀ, Z_Sj and what comes to it transposed
    for (std::size_t k = 0; k < 2 * kBlock * count; ++k) sum[k] = 0;
    const double* const root = l.diagonal + kBlock * j;
    for (std::size_t k = 0; k < count; ++k) {
      const Block from = block(l.below + kBlock * (first + k));
      put(y + kBlock * k, Block{times(from, root[0], root[1], root[2]), times(from, root[4], root[5], root[6]),
                                times(from, root[8], root[9], root[10])});
      turn_over(y + kBlock * k, turned + kBlock * k);
    }
    for (std::size_t k = 0; k < count; ++k) {
      const double* const mine = y + kBlock * k;
      subtract_product(sum + kBlock * k, block(diagonal + kBlock * std::size_t{l.row[first + k]}), mine);
      const std::uint32_t* const target = l.target + changes[first + k];
      for (std::size_t i = k + 1; i < count; ++i) {
        if (target[i - k - 1] == kNone) continue;
        const double* const z = below + kBlock * std::size_t{target[i - k - 1]};
        subtract_product(sum + kBlock * i, block(z), mine);
        subtract_product(across + kBlock * k, block(turned + kBlock * i), z);
      }
    }
    double own[kBlock] = {}, of_root[kBlock];
    turn_over(root, of_root);
    const Block back = block(of_root);
    put(own, Block{times(back, root[0], root[1], root[2]), times(back, root[4], root[5], root[6]),
                   times(back, root[8], root[9], root[10])});
    for (std::size_t k = 0; k < count; ++k) {
      double* const to = below + kBlock * (first + k);
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t r = 0; r < 3; ++r)
          to[4 * c + r] = sum[kBlock * k + 4 * c + r] + across[kBlock * k + 4 * r + c];
      subtract_product(own, block(turned + kBlock * k), to);
    }
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t r = 0; r < 3; ++r) diagonal[kBlock * j + 4 * c + r] = 0.5 * (own[4 * c + r] + own[4 * r + c]);
  }
}

}  // namespace
}  // namespace hazumi::spring_kernel
