#include "core/sim/elastic/example_lanes.h"

#include "core/sim/elastic/region_lanes.h"

namespace hazumi::shape_matching {

using namespace lanes;

namespace {

/// out += Σ f_k D_k
HAZUMI_INTO_CLONES void add_stretches(const EightExamples& has, const double (*factors)[8], Eight* out) {
  for (std::size_t i = 0; i < has.used.size(); ++i) {
    Eight d[6], factor;
    load(has.stretches[has.used[i]].of, 6, d);
    load(factors + i, 1, &factor);
    for (int k = 0; k < 6; ++k) out[k] += factor * d[k];
  }
}

/// 1 + Σ w_k D_k
HAZUMI_INTO_CLONES void stretch(const EightExamples& has, Eight* out) {
  const Eight none = {};
  for (int k = 0; k < 6; ++k) out[k] = k < 3 ? none + 1 : none;
  add_stretches(has, has.weights, out);
}

}  // namespace

HAZUMI_WIDE_CLONES void fit_eight(const EightSums& sums, const EightRests& rests, const EightExamples& has,
                                  double (*fit)[8]) {
  Eight about[9], s[6], f[9];
  about_centre(sums.of, rests.centre, about);
  stretch(has, s);
  times_symmetric(about, s, f);
  store(f, 9, fit);
}

HAZUMI_WIDE_CLONES void push_eight(const EightSums& places, const EightRests& rests, const double (*turn)[8],
                                   const EightStretch* stretches, std::size_t count, double (*push)[8]) {
  Eight r[9], about[9], seen[9];
  turn_matrix(turn, r);
  about_centre(places.of, rests.centre, about);
  turned_back(r, about, seen);
  for (std::size_t k = 0; k < count; ++k) {
    Eight d[6], out;
    load(stretches[k].of, 6, d);
    product(seen, d, &out);
    store(&out, 1, push + k);
  }
}

HAZUMI_WIDE_CLONES void spin_eight(const EightSums& places, const EightSums& speeds, const EightRests& rests,
                                   const double (*turn)[8], const double (*fit)[8], const EightExamples& has,
                                   EightVectors& spin, double (*push)[8]) {
  Eight r[9], about[9], held[9], s[6], rate[9], work[9], lean[3], omega[3];
  turn_matrix(turn, r);
  load(fit, 9, about);
  turned_back(r, about, held);
  const TurnMoment m(held);
  about_centre(speeds.of, rests.centre, about);
  turned_back(r, about, rate);
  stretch(has, s);
  times_symmetric(rate, s, work);
  axial(work, lean);
  load(spin.of, 3, omega);
  const Eight x = omega[0] - lean[0], y = omega[1] - lean[1], z = omega[2] - lean[2], none = {};
  const Eight size = m.xx + m.yy + m.zz;
  const Eight inverse = m.determinant > 1e-9 * size * size * size ? 1 / m.determinant : none;
  omega[0] = inverse * (m.c00 * x + m.c01 * y + m.c02 * z);
  omega[1] = inverse * (m.c01 * x + m.c11 * y + m.c12 * z);
  omega[2] = inverse * (m.c02 * x + m.c12 * y + m.c22 * z);
  store(omega, 3, spin.of);
  about_centre(places.of, rests.centre, about);
  turned_back(r, about, held);
  for (std::size_t i = 0; i < has.used.size(); ++i) {
    Eight out;
    load(has.stretches[has.used[i]].of, 6, s);
    product(rate, s, &out);
    times_symmetric(held, s, work);
    axial(work, lean);
    out -= omega[0] * lean[0] + omega[1] * lean[1] + omega[2] * lean[2];
    store(&out, 1, push + i);
  }
}

HAZUMI_WIDE_CLONES void map_eight(const EightSums& places, const EightSums* speeds, const EightRests& rests,
                                  const double (*turn)[8], const EightExamples& has, const EightVectors* spin,
                                  double pull, double calm, double* maps) {
  Eight r[9], s[6], a[9], map[9], sum[3], place[3], light;
  turn_matrix(turn, r);
  sums_alone(places.of, sum);
  load(&rests.light, 1, &light);
  for (int i = 0; i < 3; ++i) place[i] = pull * (sum[i] * light);
  stretch(has, s);
  constexpr int kSix[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
  for (int k = 0; k < 9; ++k) a[k] = pull * s[kSix[k]];
  if (speeds) {
    Eight w[3], going[6] = {};
    load(spin->of, 3, w);
    for (int i = 0; i < 3; ++i) w[i] *= calm;
    add_stretches(has, has.rates, going);
    for (int j = 0; j < 3; ++j) {
      const Eight &x = s[kSix[3 * j]], &y = s[kSix[3 * j + 1]], &z = s[kSix[3 * j + 2]];
      a[3 * j] += w[1] * z - w[2] * y + calm * going[kSix[3 * j]];
      a[3 * j + 1] += w[2] * x - w[0] * z + calm * going[kSix[3 * j + 1]];
      a[3 * j + 2] += w[0] * y - w[1] * x + calm * going[kSix[3 * j + 2]];
    }
    sums_alone(speeds->of, sum);
    for (int i = 0; i < 3; ++i) place[i] += calm * (sum[i] * light);
  }
  turned(r, a, map);
  store_maps(map, place, rests.centre, maps);
}

}  // namespace hazumi::shape_matching
