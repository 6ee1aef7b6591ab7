// The dearer half of kernel.h, for boxes of which the bounds of the first look prove nothing, and the set of kernels. As
// kernel_body.h: included by the file of each instruction set.
//
// Where Σ ρ = 1, ρ of each primitive is 1 less what all others add up to, which is bounded; so its r is, from both sides; so are
// the places in its frame, |X| ≤ r and, where the other two coordinates are small, |X| ≥ gap. The bounds of slopes over what is
// left of the box hold at the surface alone. That is enough: if d·∇Σρ has one sign wherever Σ ρ = 1, a line along d meets the
// surface once at most.
#pragma once

#include "core/geometry/metaball/kernel_body.h"

namespace hazumi::metaball {
namespace {

/// r at which the density of weight 1 is s, 0 < s ≤ 1.
LANES_INLINE V radius_of(V s) {
  return pick(s >= 2.0 / 3, root(most(1.0 - s, all(0.0)) * (1.0 / 3)), 1.0 - root(most(s, all(0.0)) * (2.0 / 3)));
}
/// The least a with N_p(a, side) = whole, or a little less.
LANES_INLINE F other_side(F whole, F side, float p, float q, int n) {
  const J some = (whole > 0.0f) & (side < whole);
  const F t = power(pick(some, side / pick(some, whole, all(1.0f)), all(0.0f)), p, n);
  const F rest = 1.0f - t * (1 + 1e-3f);
  const J left = some & (rest > 0.0f);
  if (bits(left) == 0) return all(0.0f);
  const F part = n == 2 ? root(pick(left, rest, all(1.0f))) : exp_2(q * log_2(pick(left, rest, all(1.0f))));
  return pick(left, whole * part * (1 - 1e-4f), all(0.0f));
}

unsigned narrow(const PrimitiveList& list, const std::uint8_t* reach, const Lanes range[2], PrimitiveBounds* bounds) {
  const V low = get(range[0]), high = get(range[1]);
  unsigned empty = 0;
  for (int i = 0; i < list.count; ++i) {
    if (reach[i] == 0) continue;
    const KernelPrimitive& f = list.all[list.index[i]];
    PrimitiveBounds& b = bounds[i];
    const double w = f.weight, slack = 1e-5 * (w < 0 ? -w : w) + 1e-7;
    Range2<F> r{get(b.r[0]), get(b.r[1])};
    const Range2<V> own =
        ordered(density(__builtin_convertvector(r.low, V), w), density(__builtin_convertvector(r.high, V), w));
    // Part of the weight that ρ is where all add up to 1.
    const Range2<V> part = ordered((1.0 - (high - own.high + slack)) / w, (1.0 - (low - own.low - slack)) / w);
    const V near = pick(part.high >= 1.0, all(0.0), pick(part.high <= 0.0, all(1.0), radius_of(part.high)));
    const V far = pick(part.low <= 0.0, all(2.0), radius_of(least(part.low, all(1.0))));
    const unsigned here = reach[i];
    empty |= bits(part.low > 1.0) & here;
    const F nearest = __builtin_convertvector(near * (1 - 1e-6) - 1e-6, F),
            farthest = __builtin_convertvector(far * (1 + 1e-6) + 1e-6, F);
    r.low = most(r.low, nearest);
    r.high = pick(farthest < 1.5f, least(r.high, farthest), r.high);
    empty |= bits(r.low > r.high) & here;
    r.high = most(r.low, r.high);
    put(b.r[0], r.low);
    put(b.r[1], r.high);
    const auto p1 = static_cast<float>(f.p1), p2 = static_cast<float>(f.p2), q1 = static_cast<float>(f.q1),
               q2 = static_cast<float>(f.q2);
    Range2<F> place[3];
    F size[3], gap[3] = {all(0.0f), all(0.0f), all(0.0f)};
    const F cap = r.high * (1 + 2e-5f);
    for (int k = 0; k < 3; ++k) {
      place[k] = {get(b.place[k][0]), get(b.place[k][1])};
      if (!f.torus || k == 2) place[k] = {most(place[k].low, -cap), least(place[k].high, cap)};
      empty |= bits(place[k].low > place[k].high) & here;
      place[k].high = most(place[k].low, place[k].high);
      size[k] = largest(place[k]) * (1 + 1e-6f);
    }
    const F least_r = r.low * (1 - 1e-6f);
    // A norm is at least the larger of the two: where that reaches least_r already no powers are asked for.
    const auto beyond = [&](int k) { return bits(least_r > most(size[(k + 1) % 3], size[(k + 2) % 3])) & here; };
    if (f.even) {
      for (int k = 0; k < 3; ++k)
        if (beyond(k))
          gap[k] =
              other_side(least_r, norm(size[(k + 1) % 3], size[(k + 2) % 3], p1, q1, f.n1) * (1 + 2e-5f), p1, q1, f.n1);
    } else if (!f.torus) {
      if (beyond(2)) gap[2] = other_side(least_r, norm(size[0], size[1], p2, q2, f.n2) * (1 + 2e-5f), p1, q1, f.n1);
      const F m = other_side(least_r, size[2], p1, q1, f.n1);
      gap[0] = other_side(m, size[1], p2, q2, f.n2);
      gap[1] = other_side(m, size[0], p2, q2, f.n2);
    }
    for (int k = 0; k < 3; ++k) {
      const J above = place[k].low > -gap[k], below = place[k].high < gap[k];
      place[k].low = pick(above, most(place[k].low, gap[k]), place[k].low);
      place[k].high = pick(below, least(place[k].high, -gap[k]), place[k].high);
      empty |= bits(place[k].low > place[k].high) & here;
      place[k].high = most(place[k].low, place[k].high);
      put(b.place[k][0], place[k].low);
      put(b.place[k][1], place[k].high);
      put(b.gap[k], gap[k]);
    }
  }
  bound_slopes_as<true>(list, reach, bounds);
  return empty;
}

/// As along_one, for v of any length; the part along X is chosen in several ways, each of which holds.
LANES_INLINE Range2<F> along_closely(const KernelPrimitive& f, const PrimitiveBounds& b, const F d[3]) {
  F e[3], X[3], half[3];
  Range2<F> slope[3], sum{all(0.0f), all(0.0f)};
  F size = all(0.0f);
  for (int k = 0; k < 3; ++k) {
    e[k] = f.to_unit_f[k][0] * d[0] + f.to_unit_f[k][1] * d[1] + f.to_unit_f[k][2] * d[2];
    slope[k] = {get(b.slope[k][0]), get(b.slope[k][1])};
    const F low = get(b.place[k][0]), high = get(b.place[k][1]);
    X[k] = 0.5f * (low + high);
    half[k] = 0.5f * (high - low) * (1 + 1e-5f);
    const Range2<F> one = times(e[k], slope[k]);
    sum.low = sum.low + one.low;
    sum.high = sum.high + one.high;
    size = size + largest(one);
  }
  sum.low = sum.low - 2e-6f * size;
  sum.high = sum.high + 2e-6f * size;
  if (f.torus) return sum;
  const Range2<F> euler{get(b.euler[0]), get(b.euler[1])};
  const F square = X[0] * X[0] + X[1] * X[1] + X[2] * X[2];
  for (int way = f.round ? 3 : 0; way < 4; ++way) {
    const F over = way == 3 ? square : X[way];
    const J away = size_of(over) > (way == 3 ? 1e-12f : 1e-6f);
    if (bits(away) == 0) continue;
    const F alpha = (way == 3 ? e[0] * X[0] + e[1] * X[1] + e[2] * X[2] : e[way]) / pick(away, over, all(1.0f));
    Range2<F> ray = times(alpha, euler);
    F terms = largest(ray);
    for (int k = 0; k < 3; ++k) {
      const F rest = e[k] - alpha * X[k],
              s = size_of(alpha) * half[k] + 1e-6f * (size_of(e[k]) + size_of(alpha * X[k]));
      const Range2<F> one = times(Range2<F>{rest - s, rest + s}, slope[k]);
      ray.low = ray.low + one.low;
      ray.high = ray.high + one.high;
      terms = terms + largest(one);
    }
    sum.low = pick(away, most(sum.low, ray.low - 4e-6f * terms), sum.low);
    sum.high = pick(away, least(sum.high, ray.high + 4e-6f * terms), sum.high);
  }
  return sum;
}

/// Of the boxes `wanted` alone.
LANES_INLINE Range2<F> along_all_closely(const PrimitiveList& list, const std::uint8_t* reach,
                                         const PrimitiveBounds* bounds, unsigned wanted, const F d[3]) {
  Range2<F> sum{all(0.0f), all(0.0f)};
  F size = all(0.0f);
  for (int i = 0; i < list.count; ++i) {
    if ((reach[i] & wanted) == 0) continue;
    const Range2<F> one = along_closely(list.all[list.index[i]], bounds[i], d);
    const J here = float_mask_of(reach[i]);
    sum.low = sum.low + pick(here, one.low, all(0.0f));
    sum.high = sum.high + pick(here, one.high, all(0.0f));
    size = size + pick(here, largest(one), all(0.0f));
  }
  return {sum.low - 4e-6f * size, sum.high + 4e-6f * size};
}

void within(const PrimitiveList& list, const std::uint8_t* reach, const PrimitiveBounds* bounds, const Lanes d[3],
            unsigned wanted, const double* limits, int count, Lanes& tangent) {
  V v[3] = {get(d[0]), get(d[1]), get(d[2])};
  const V length = root(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const I some = length > 0.0;
  F axis[3], best = all(1e30f);
  for (int k = 0; k < 3; ++k) axis[k] = __builtin_convertvector(v[k] / pick(some, length, all(1.0)), F);
  put(tangent, all(1e30));
  wanted &= bits(some);
  const Range2<F> rise = along_all_closely(list, reach, bounds, wanted, axis);
  const J up = rise.low > 0.0f, down = rise.high < 0.0f;
  wanted &= bits(up | down);
  if (wanted == 0) return;
  for (int k = 0; k < 3; ++k) axis[k] = pick(up, axis[k], -axis[k]);
  const F sign = with_sign_of(all(1.0f), axis[2]), s = -1.0f / (sign + axis[2]), t = axis[0] * axis[1] * s;
  const F across[2][3] = {{1.0f + sign * axis[0] * axis[0] * s, sign * t, -sign * axis[0]},
                          {t, sign + axis[1] * axis[1] * s, -axis[1]}};
  const F a = largest(along_all_closely(list, reach, bounds, wanted, across[0])),
          b = largest(along_all_closely(list, reach, bounds, wanted, across[1])),
          least_rise = pick(up | down, most(rise.low, -rise.high), all(1.0f));
  // One by one; then the gradient along the sides of a pyramid on a square whose corners lie on the cone.
  const F apart = root(a * a + b * b) / least_rise * (1 + 1e-5f);
  for (int limit = 0; limit < count && wanted; ++limit) {
    unsigned found = wanted & bits(apart <= static_cast<float>(limits[limit])), open = wanted & ~found;
    const auto steep = static_cast<float>(limits[limit] * 0.70710678 * (1 - 1e-5));
    for (int side = 0; side < 4 && open; ++side) {
      F along[3];
      const float turn = side & 1 ? -1 : 1;
      for (int k = 0; k < 3; ++k) along[k] = steep * axis[k] + turn * across[side >> 1][k];
      open &= bits(along_all_closely(list, reach, bounds, open, along).low > 0.0f);
    }
    wanted = found | open;
    best = pick(float_mask_of(wanted), all(static_cast<float>(limits[limit])), best);
  }
  put(tangent, __builtin_convertvector(best, V));
}

constexpr Kernels kSet{evaluate, bound, bound_slopes, bound_along, cone, narrow, narrowed_slopes, within, hermite_root};

}  // namespace
}  // namespace hazumi::metaball
