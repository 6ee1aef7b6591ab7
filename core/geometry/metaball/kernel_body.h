// Implementation of kernel.h, included by the file of each instruction set into an anonymous namespace:
// nothing here may be shared between them, so no header with inline functions is used.
#pragma once

#include "core/geometry/metaball/kernel.h"
#include "core/geometry/metaball/lanes.h"

namespace hazumi::metaball {
namespace {

LANES_INLINE V density(V r, double w) {
  const V far = 1.0 - r;
  return pick(r < 1.0 / 3, w * (1.0 - 3.0 * r * r), pick(r < 1.0, (1.5 * w) * far * far, all(0.0)));
}
template <class L, class T>
LANES_INLINE L density_slope(L r, T w) {
  return pick(r < T(1.0 / 3), (T(-6) * w) * r, pick(r < T(1), (T(-3) * w) * (T(1) - r), all(T(0))));
}
/// −ρ'(r) / (w r): falls with r.
template <class L, class T>
LANES_INLINE L fall(L r, T one) {
  return pick(r < T(1.0 / 3), all(T(6)), pick(r < one, T(3) * (one - r) / pick(r > T(0), r, all(one)), all(T(0))));
}

template <class L>
struct Range2 {
  L low, high;
};
template <class L>
LANES_INLINE Range2<L> ordered(L a, L b) {
  return {least(a, b), most(a, b)};
}
template <class L>
LANES_INLINE Range2<L> times(const Range2<L>& a, const Range2<L>& b) {
  const L p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
  return {least(least(p, q), least(r, s)), most(most(p, q), most(r, s))};
}
template <class L>
LANES_INLINE Range2<L> times(L s, const Range2<L>& a) {
  return ordered(s * a.low, s * a.high);
}
template <class L>
LANES_INLINE L largest(const Range2<L>& a) {
  return most(size_of(a.low), size_of(a.high));
}

LANES_INLINE void to_unit(const KernelPrimitive& f, V x, V y, V z, V out[3]) {
  x = x - f.centre[0];
  y = y - f.centre[1];
  z = z - f.centre[2];
  for (int k = 0; k < 3; ++k) out[k] = f.to_unit[k][0] * x + f.to_unit[k][1] * y + f.to_unit[k][2] * z;
}

LANES_INLINE void add_gradient(const KernelPrimitive& f, const V slope[3], V g[3]) {
  for (int k = 0; k < 3; ++k)
    g[k] = g[k] + (f.to_unit[0][k] * slope[0] + f.to_unit[1][k] * slope[1] + f.to_unit[2][k] * slope[2]);
}

LANES_INLINE void add_primitive(const KernelPrimitive& f, V x, V y, V z, V& value, V g[3]) {
  V X[3];
  to_unit(f, x, y, z, X);
  V slope[3];
  if (f.round) {
    const V s = X[0] * X[0] + X[1] * X[1] + X[2] * X[2];
    const I alive = s < 1.0;
    if (bits(alive) == 0) return;
    const V r = root(s);
    value = value + pick(alive, density(r, f.weight), all(0.0));
    const V c = pick(alive, -f.weight * fall(r, 1.0), all(0.0));
    for (int k = 0; k < 3; ++k) slope[k] = c * X[k];
  } else {
    const V u = size_of(X[0]), v = size_of(X[1]), w = size_of(X[2]);
    I alive = (u < 1.0) & (v < 1.0) & (w < 1.0);
    if (bits(alive) == 0) return;
    if (f.even) {
      // r = (u^p + v^p + w^p)^(1/p), ∂r/∂u = (u/r)^(p−1).
      const V r = norm(u, v, w, f.p1, f.q1, f.n1);
      alive = alive & (r < 1.0);
      if (bits(alive) == 0) return;
      value = value + pick(alive, density(r, f.weight), all(0.0));
      const V steep = pick(alive & (r > 0.0), density_slope(r, f.weight), all(0.0)),
              over_r = 1.0 / pick(r > 0.0, r, all(1.0));
      const int k1 = f.n1 > 1 ? f.n1 - 1 : 0;
      const V side[3] = {u, v, w};
      for (int k = 0; k < 3; ++k) {
        const V a = steep * power(least(side[k] * over_r, all(1.0)), f.p1 - 1, k1);
        slope[k] = pick(side[k] > 0.0, with_sign_of(a, (V)((U)a ^ (U)X[k])), all(0.0));
      }
      add_gradient(f, slope, g);
      return;
    }
    const V m = norm(u, v, f.p2, f.q2, f.n2);
    V t = m;
    if (f.torus) t = size_of(m - f.ring) / f.tube;
    const V r = norm(t, w, f.p1, f.q1, f.n1);
    alive = alive & (t < 1.0) & (r < 1.0);
    if (bits(alive) == 0) return;
    value = value + pick(alive, density(r, f.weight), all(0.0));
    const V steep = pick(alive & (r > 0.0), density_slope(r, f.weight), all(0.0));
    const V over_r = 1.0 / pick(r > 0.0, r, all(1.0)), over_m = 1.0 / pick(m > 0.0, m, all(1.0));
    const int k1 = f.n1 > 1 ? f.n1 - 1 : 0, k2 = f.n2 > 1 ? f.n2 - 1 : 0;
    V along = steep * power(least(t * over_r, all(1.0)), f.p1 - 1, k1);
    if (f.torus) along = along * pick(m < f.ring, all(-1 / f.tube), all(1 / f.tube));
    // On a crease (u, v or w is 0 and the exponent at most 1) the slope across it is undefined: 0 by
    // symmetry.
    const V a = along * power(least(u * over_m, all(1.0)), f.p2 - 1, k2);
    const V b = along * power(least(v * over_m, all(1.0)), f.p2 - 1, k2);
    const V c = steep * power(least(w * over_r, all(1.0)), f.p1 - 1, k1);
    slope[0] = pick(u > 0.0, pick(X[0] < 0.0, -a, a), all(0.0));
    slope[1] = pick(v > 0.0, pick(X[1] < 0.0, -b, b), all(0.0));
    slope[2] = pick(w > 0.0, pick(X[2] < 0.0, -c, c), all(0.0));
  }
  add_gradient(f, slope, g);
}

void evaluate(const PrimitiveList& list, int blocks, const Lanes* x, const Lanes* y, const Lanes* z, Lanes* value,
              Lanes* gx, Lanes* gy, Lanes* gz) {
  for (int b = 0; b < blocks; ++b) {
    const V px = get(x[b]), py = get(y[b]), pz = get(z[b]);
    V sum = all(0.0), g[3] = {all(0.0), all(0.0), all(0.0)};
    for (int i = 0; i < list.count; ++i) add_primitive(list.all[list.index[i]], px, py, pz, sum, g);
    put(value[b], sum);
    put(gx[b], g[0]);
    put(gy[b], g[1]);
    put(gz[b], g[2]);
  }
}

/// A hair beyond 1: a corner of a neighbour must never see a primitive that this box dropped.
constexpr double kEdge = 1 + 1e-9;

/// |N − ring| / tube of the torus.
template <class L, class T>
LANES_INLINE Range2<L> around_ring(T ring, T over_tube, const Range2<L>& m, Range2<L>* sign) {
  const L low = (m.low - ring) * over_tube, high = (m.high - ring) * over_tube;
  if (sign) {
    sign->low = pick(low < T(0), all(-over_tube), all(over_tube));
    sign->high = pick(high > T(0), all(over_tube), all(-over_tube));
  }
  const L a = size_of(low), b = size_of(high);
  return {pick((low <= T(0)) & (high >= T(0)), all(T(0)), least(a, b)), most(a, b)};
}

/// To floats, outward by a few of their last digits.
LANES_INLINE void put_outward(FloatLanes out[2], V low, V high) {
  const F a = __builtin_convertvector(low, F), b = __builtin_convertvector(high, F);
  const F slack = 2e-7f * most(size_of(a), size_of(b)) + 1e-12f;
  put(out[0], a - slack);
  put(out[1], b + slack);
}

void bound(const PrimitiveList& list, const Lanes centre[3], const double half[3], Lanes range[2], std::uint8_t* reach,
           PrimitiveBounds* bounds) {
  const V x = get(centre[0]), y = get(centre[1]), z = get(centre[2]);
  V low = all(0.0), high = all(0.0);
  for (int i = 0; i < list.count; ++i) {
    const KernelPrimitive& f = list.all[list.index[i]];
    PrimitiveBounds& out = bounds[i];
    V X[3];
    to_unit(f, x, y, z, X);
    Range2<V> a[3];
    I alive = mask_of(0xff);
    for (int k = 0; k < 3; ++k) {
      double h = 0;
      for (int j = 0; j < 3; ++j) h += (f.to_unit[k][j] < 0 ? -f.to_unit[k][j] : f.to_unit[k][j]) * half[j];
      put_outward(out.place[k], X[k] - h, X[k] + h);
      const V s = size_of(X[k]);
      a[k] = {most(s - h, all(0.0)), s + h};
      alive = alive & (a[k].low < kEdge);
    }
    reach[i] = 0;
    if (bits(alive) == 0) continue;
    Range2<V> r;
    if (f.round) {
      r.low = root(a[0].low * a[0].low + a[1].low * a[1].low + a[2].low * a[2].low);
      r.high = root(a[0].high * a[0].high + a[1].high * a[1].high + a[2].high * a[2].high);
    } else if (f.even) {
      r = {norm(a[0].low, a[1].low, a[2].low, f.p1, f.q1, f.n1),
           norm(a[0].high, a[1].high, a[2].high, f.p1, f.q1, f.n1)};
    } else {
      Range2<V> m{norm(a[0].low, a[1].low, f.p2, f.q2, f.n2), norm(a[0].high, a[1].high, f.p2, f.q2, f.n2)};
      if (f.torus) m = around_ring<V>(f.ring, 1 / f.tube, m, nullptr);
      r = {norm(m.low, a[2].low, f.p1, f.q1, f.n1), norm(m.high, a[2].high, f.p1, f.q1, f.n1)};
    }
    alive = alive & (r.low < kEdge);
    reach[i] = static_cast<std::uint8_t>(bits(alive));
    put_outward(out.r, r.low, r.high);
    const Range2<V> rho = ordered(density(r.low, f.weight), density(r.high, f.weight));
    low = low + pick(alive, rho.low, all(0.0));
    high = high + pick(alive, rho.high, all(0.0));
  }
  put(range[0], low);
  put(range[1], high);
}

/// a is ≥ 0; the axis runs over `place`.
LANES_INLINE Range2<F> signed_axis(const Range2<F>& place, const Range2<F>& a) {
  const J above = place.low >= 0.0f, below = place.high <= 0.0f;
  return {pick(above, a.low, -a.high), pick(below, -a.low, a.high)};
}

/// ∂N/∂a = (a/N)^(p−1) from the least and the largest a/N.
LANES_INLINE Range2<F> norm_slope(F low, F high, float p, int n) {
  if (p == 1) return {all(1.0f), all(1.0f)};
  const int k = n > 1 ? n - 1 : 0;
  const Range2<F> r = ordered(power(least(low, all(1.0f)), p - 1, k), power(least(high, all(1.0f)), p - 1, k));
  return {r.low * (1 - 2e-5f), r.high * (1 + 2e-5f)};
}
/// s / N(s, t) where `whole` is N; where both may vanish the ratio takes every value from 0 to 1.
LANES_INLINE F ratio(F s, F whole) { return pick(whole > 0.0f, s / pick(whole > 0.0f, whole, all(1.0f)), all(0.0f)); }
LANES_INLINE Range2<F> absolute(const Range2<F>& a) {
  return {most(most(a.low, -a.high), all(0.0f)), most(size_of(a.low), size_of(a.high))};
}

/// s / r, of which bounds are known, when r is bounded closer than the box has it.
LANES_INLINE Range2<F> closer(const Range2<F>& known, const Range2<F>& s, const Range2<F>& r) {
  const F low = most(known.low, least(ratio(s.low, r.high), all(1.0f))),
          high = pick(r.low > 0.0f, least(known.high, ratio(s.high, r.low)), known.high);
  return {least(low, high), high};
}

/// kNarrowed: r is bounded closer than the box has it.
template <bool kNarrowed>
LANES_INLINE void bound_slopes_as(const PrimitiveList& list, const std::uint8_t* reach, PrimitiveBounds* bounds) {
  for (int i = 0; i < list.count; ++i) {
    if (reach[i] == 0) continue;
    const KernelPrimitive& f = list.all[list.index[i]];
    PrimitiveBounds& b = bounds[i];
    const auto w = static_cast<float>(f.weight), p1 = static_cast<float>(f.p1), p2 = static_cast<float>(f.p2),
               q1 = static_cast<float>(f.q1), q2 = static_cast<float>(f.q2), heavy = w < 0 ? -w : w;
    const Range2<F> r{get(b.r[0]), get(b.r[1])};
    Range2<F> place[3], slope[3];
    for (int k = 0; k < 3; ++k) place[k] = {get(b.place[k][0]), get(b.place[k][1])};
    if (f.round) {
      const Range2<F> c = ordered(-w * fall(most(r.low, all(0.0f)), 1.0f), -w * fall(r.high, 1.0f));
      for (int k = 0; k < 3; ++k) slope[k] = times(c, place[k]);
    } else {
      // |ρ'| rises to 2|w| at r = 1/3 and falls to 0 at 1.
      Range2<F> steep = ordered(size_of(density_slope(r.low, w)), size_of(density_slope(r.high, w)));
      steep.high = pick((r.low <= 1.0f / 3) & (r.high >= 1.0f / 3), all(2 * heavy), steep.high);
      const Range2<F> down = times(all(w > 0 ? -1.0f : 1.0f), steep);
      const Range2<F> a[3] = {absolute(place[0]), absolute(place[1]), absolute(place[2])};
      if (f.even) {
        for (int k = 0; k < 3; ++k) {
          const Range2<F>&s = a[k], &t = a[(k + 1) % 3], &u = a[(k + 2) % 3];
          const F far = norm(s.low, t.high, u.high, p1, q1, f.n1), near = norm(s.high, t.low, u.low, p1, q1, f.n1);
          Range2<F> of_s{pick(s.low > 0.0f, ratio(s.low, far), all(0.0f)),
                         pick((t.low > 0.0f) | (u.low > 0.0f), ratio(s.high, near), all(1.0f))};
          if (kNarrowed) of_s = closer(of_s, s, r);
          slope[k] = times(down, signed_axis(place[k], norm_slope(of_s.low, of_s.high, p1, f.n1)));
        }
      } else {
        Range2<F> m{norm(a[0].low, a[1].low, p2, q2, f.n2), norm(a[0].high, a[1].high, p2, q2, f.n2)};
        m = {m.low * (1 - 2e-5f), m.high * (1 + 2e-5f)};
        Range2<F> along = down;
        if (f.torus) {
          Range2<F> sign;
          m = around_ring<F>(static_cast<float>(f.ring), static_cast<float>(1 / f.tube), m, &sign);
          along = times(down, sign);
        }
        const F mz = norm(m.low, a[2].high, p1, q1, f.n1), zm = norm(m.high, a[2].low, p1, q1, f.n1);
        const F uv = norm(a[0].low, a[1].high, p2, q2, f.n2), vu = norm(a[0].high, a[1].low, p2, q2, f.n2);
        const auto range = [](const Range2<F>& s, const Range2<F>& t, F low, F high) {
          return Range2<F>{pick(s.low > 0.0f, ratio(s.low, low), all(0.0f)),
                           pick(t.low > 0.0f, ratio(s.high, high), all(1.0f))};
        };
        Range2<F> of_m = range(m, a[2], mz, zm), of_z = range(a[2], m, zm, mz);
        if (kNarrowed) {
          of_m = closer(of_m, m, r);
          of_z = closer(of_z, a[2], r);
        }
        const Range2<F> of_u = range(a[0], a[1], uv, vu), of_v = range(a[1], a[0], vu, uv);
        along = times(along, norm_slope(of_m.low, of_m.high, p1, f.n1));
        slope[0] = times(along, signed_axis(place[0], norm_slope(of_u.low, of_u.high, p2, f.n2)));
        slope[1] = times(along, signed_axis(place[1], norm_slope(of_v.low, of_v.high, p2, f.n2)));
        slope[2] = times(down, signed_axis(place[2], norm_slope(of_z.low, of_z.high, p1, f.n1)));
      }
    }
    for (int k = 0; k < 3; ++k) {
      const F slack = 2e-5f * largest(slope[k]) + 2e-6f * heavy;
      put(b.slope[k][0], slope[k].low - slack);
      put(b.slope[k][1], slope[k].high + slack);
    }
    // r |ρ'| / |w| = 6r² below 1/3, then 3 r (1 − r): rises up to r = 1/2.
    const auto along = [](F s) {
      return pick(s < 1.0f / 3, 6.0f * s * s, pick(s < 1.0f, 3.0f * s * (1.0f - s), all(0.0f)));
    };
    Range2<F> e = ordered(along(most(r.low, all(0.0f))), along(r.high));
    e.high = pick((r.low <= 0.5f) & (r.high >= 0.5f), all(0.75f), e.high);
    e = times(all(-w), e);
    const F slack = all(4e-6f * heavy);
    put(b.euler[0], e.low - slack);
    put(b.euler[1], e.high + slack);
  }
}

void bound_slopes(const PrimitiveList& list, const std::uint8_t* reach, PrimitiveBounds* bounds) {
  bound_slopes_as<false>(list, reach, bounds);
}
void narrowed_slopes(const PrimitiveList& list, const std::uint8_t* reach, PrimitiveBounds* bounds) {
  bound_slopes_as<true>(list, reach, bounds);
}

LANES_INLINE Range2<F> along_one(const KernelPrimitive& f, const PrimitiveBounds& b, const F d[3]) {
  F e[3];
  Range2<F> place[3], slope[3], plain{all(0.0f), all(0.0f)};
  F size = all(0.0f);
  for (int k = 0; k < 3; ++k) {
    e[k] = f.to_unit_f[k][0] * d[0] + f.to_unit_f[k][1] * d[1] + f.to_unit_f[k][2] * d[2];
    slope[k] = {get(b.slope[k][0]), get(b.slope[k][1])};
    place[k] = {get(b.place[k][0]), get(b.place[k][1])};
    const Range2<F> one = times(e[k], slope[k]);
    plain.low = plain.low + one.low;
    plain.high = plain.high + one.high;
    size = size + largest(one);
  }
  plain.low = plain.low - 2e-6f * size;
  plain.high = plain.high + 2e-6f * size;
  if (f.torus) return plain;
  // d = α X + rest, and X = x − δ with |δ| ≤ H: d·∇ρ = α x·∇ρ − α δ·∇ρ + rest·∇ρ.
  F X[3];
  for (int k = 0; k < 3; ++k) X[k] = 0.5f * (place[k].low + place[k].high);
  const F square = X[0] * X[0] + X[1] * X[1] + X[2] * X[2];
  const J away = square > 1e-12f;
  const F alpha = (e[0] * X[0] + e[1] * X[1] + e[2] * X[2]) / pick(away, square, all(1.0f));
  Range2<F> ray = times(alpha, Range2<F>{get(b.euler[0]), get(b.euler[1])});
  size = largest(ray);
  for (int k = 0; k < 3; ++k) {
    const F rest = e[k] - alpha * X[k],
            s = size_of(alpha) * (0.5f * (place[k].high - place[k].low)) * (1 + 1e-5f) + 1e-6f * size_of(e[k]);
    const Range2<F> one = times(Range2<F>{rest - s, rest + s}, slope[k]);
    ray.low = ray.low + one.low;
    ray.high = ray.high + one.high;
    size = size + largest(one);
  }
  ray.low = ray.low - 4e-6f * size;
  ray.high = ray.high + 4e-6f * size;
  return {pick(away, most(plain.low, ray.low), plain.low), pick(away, least(plain.high, ray.high), plain.high)};
}

LANES_INLINE Range2<F> along_all(const PrimitiveList& list, const std::uint8_t* reach, const PrimitiveBounds* bounds,
                                 const F d[3]) {
  Range2<F> sum{all(0.0f), all(0.0f)};
  F size = all(0.0f);
  for (int i = 0; i < list.count; ++i) {
    if (reach[i] == 0) continue;
    const Range2<F> one = along_one(list.all[list.index[i]], bounds[i], d);
    const J here = float_mask_of(reach[i]);
    sum.low = sum.low + pick(here, one.low, all(0.0f));
    sum.high = sum.high + pick(here, one.high, all(0.0f));
    size = size + pick(here, largest(one), all(0.0f));
  }
  return {sum.low - 4e-6f * size, sum.high + 4e-6f * size};
}

void bound_along(const PrimitiveList& list, const std::uint8_t* reach, const PrimitiveBounds* bounds, const Lanes d[3],
                 Lanes range[2]) {
  const F e[3] = {__builtin_convertvector(get(d[0]), F), __builtin_convertvector(get(d[1]), F),
                  __builtin_convertvector(get(d[2]), F)};
  const Range2<F> sum = along_all(list, reach, bounds, e);
  put(range[0], __builtin_convertvector(sum.low, V));
  put(range[1], __builtin_convertvector(sum.high, V));
}

/// Tangent and swing with one direction of length 1 per box.
LANES_INLINE void try_direction(const PrimitiveList& list, const std::uint8_t* reach, const PrimitiveBounds* bounds,
                                const float half[3], const F d[3], unsigned wanted, F& tangent, F& swing) {
  const Range2<F> rise = along_all(list, reach, bounds, d);
  const F least_rise = most(rise.low, -rise.high), most_rise = most(rise.high, -rise.low);
  const J proved = least_rise > 0.0f;
  tangent = swing = all(1e30f);
  if ((bits(proved) & wanted) == 0) return;
  // Two directions across (Duff et al. 2017).
  const F sign = with_sign_of(all(1.0f), d[2]), s = -1.0f / (sign + d[2]), t = d[0] * d[1] * s;
  const F e[3] = {1.0f + sign * d[0] * d[0] * s, sign * t, -sign * d[0]}, f[3] = {t, sign + d[1] * d[1] * s, -d[1]};
  const Range2<F> a = along_all(list, reach, bounds, e), b = along_all(list, reach, bounds, f);
  const F side_a = largest(a), side_b = largest(b);
  const auto extent = [&](const F v[3]) {
    return half[0] * size_of(v[0]) + half[1] * size_of(v[1]) + half[2] * size_of(v[2]);
  };
  tangent = pick(proved, root(side_a * side_a + side_b * side_b) / pick(proved, least_rise, all(1.0f)), all(1e30f));
  swing = (most_rise * extent(d) + side_a * extent(e) + side_b * extent(f)) * (1 + 1e-5f);
}

void cone(const PrimitiveList& list, const std::uint8_t* reach, const PrimitiveBounds* bounds, const Lanes centre[3],
          const double half[3], const Lanes gradient[3], unsigned wanted, double enough, Lanes& tangent, Lanes& swing) {
  const auto unit = [](V x, V y, V z, F out[3]) {
    const V length = root(x * x + y * y + z * z);
    const I some = length > 0.0;
    const V over = 1.0 / pick(some, length, all(1.0));
    out[0] = __builtin_convertvector(pick(some, x * over, all(0.0)), F);
    out[1] = __builtin_convertvector(pick(some, y * over, all(0.0)), F);
    out[2] = __builtin_convertvector(pick(some, z * over, all(1.0)), F);
  };
  const float h[3] = {static_cast<float>(half[0]), static_cast<float>(half[1]), static_cast<float>(half[2])};
  F d[3], best, narrow;
  unit(get(gradient[0]), get(gradient[1]), get(gradient[2]), d);
  try_direction(list, reach, bounds, h, d, wanted, best, narrow);
  const unsigned open = bits(best > static_cast<float>(enough)) & wanted;
  if (open) {
    F share = all(0.0f);
    V ray[3] = {all(0.0), all(0.0), all(0.0)};
    for (int i = 0; i < list.count; ++i) {
      if (reach[i] == 0) continue;
      const KernelPrimitive& f = list.all[list.index[i]];
      const F e = most(size_of(get(bounds[i].euler[0])), size_of(get(bounds[i].euler[1])));
      const J more = float_mask_of(reach[i]) & (e > share);
      share = pick(more, e, share);
      const I wide = mask_of(bits(more));
      for (int k = 0; k < 3; ++k) ray[k] = pick(wide, get(centre[k]) - f.centre[k], ray[k]);
    }
    unit(ray[0], ray[1], ray[2], d);
    F second, other;
    try_direction(list, reach, bounds, h, d, open, second, other);
    best = least(best, second);
    narrow = least(narrow, other);
  }
  put(tangent, __builtin_convertvector(best, V));
  put(swing, __builtin_convertvector(narrow, V));
}

void hermite_root(int blocks, const Lanes* a, const Lanes* b, const Lanes* da, const Lanes* db, Lanes* t, Lanes* off) {
  for (int i = 0; i < blocks; ++i) {
    const V fa = get(a[i]), fb = get(b[i]), ga = get(da[i]), gb = get(db[i]);
    // f = fa + ga t + c t² + e t³
    const V c = 3.0 * (fb - fa) - 2.0 * ga - gb, e = ga + gb - 2.0 * (fb - fa);
    V s = fa / (fa - fb);
    for (int round = 0; round < 3; ++round) {
      const V value = fa + s * (ga + s * (c + s * e)), slope = ga + s * (2.0 * c + 3.0 * s * e);
      // Towards b the cubic falls or rises as a whole: a slope of the other sign says nothing.
      const I good = slope * (fb - fa) > 0.0;
      const V step = pick(good, value / pick(good, slope, all(1.0)), all(0.0));
      s = least(most(s - step, all(1e-3)), all(1 - 1e-3));
    }
    put(t[i], s);
    put(off[i], fa + s * (ga + s * (c + s * e)));
  }
}

}  // namespace
}  // namespace hazumi::metaball
