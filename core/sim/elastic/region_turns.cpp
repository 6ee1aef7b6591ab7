#include "core/sim/elastic/region_turns.h"

#include <cmath>
#include <cstring>

#include "core/sim/elastic/region_lanes.h"

namespace hazumi::shape_matching {

using namespace lanes;

namespace {

constexpr int kMostTurnPasses = 6;

HAZUMI_INTO_CLONES void sum_list(const std::uint32_t* from, const std::uint32_t* end, const double* of, Four* sum) {
  for (; from != end; ++from) {
    const double* const one = of + 12 * static_cast<std::size_t>(*from);
    for (int part = 0; part < 3; ++part) {
      Four more;
      std::memcpy(&more, one + 4 * part, sizeof more);
      sum[part] += more;
    }
  }
}

}  // namespace

HAZUMI_CLONES void sum_twelves(const RegionLists& lists, Some regions, const double* of, EightSums* out,
                               std::size_t first) {
  const std::uint32_t *const start = lists.start.data(), *const members = lists.members.data();
  if (regions.end == lists.count())
    for (std::size_t lane = first + lists.count(); lane % 8 != 0; ++lane)
      for (auto& number : out[lane / 8].of) number[lane % 8] = 0;
  for (std::size_t i = regions.begin; i < regions.end; ++i) {
    Four sum[3] = {};
    sum_list(members + start[i], members + start[i + 1], of, sum);
    double* const lane = &out[(first + i) / 8].of[0][(first + i) % 8];
    for (int part = 0; part < 3; ++part)
      for (int k = 0; k < 4; ++k) lane[8 * (4 * part + k)] = sum[part][k];
  }
}

HAZUMI_CLONES void sum_weighed(const RegionLists& lists, Some some, const double* weighed, const double* a,
                               double* out) {
  const std::uint32_t *const start = lists.start.data(), *const members = lists.members.data();
  for (std::size_t b = some.begin; b < some.end; ++b) {
    Four sum[3] = {};
    for (const std::uint32_t *i = members + start[b], *end = members + start[b + 1]; i != end; ++i) {
      const std::size_t node = *i;
      Four w;
      std::memcpy(&w, weighed + 4 * node, sizeof w);
      for (std::size_t c = 0; c < 3; ++c) sum[c] += a[3 * node + c] * w;
    }
    std::memcpy(out + 12 * b, sum, sizeof sum);
  }
}

HAZUMI_CLONES void sum_alike(const RegionLists& lists, Some some, const double* of, double* out) {
  const std::uint32_t *const start = lists.start.data(), *const members = lists.members.data();
  for (std::size_t b = some.begin; b < some.end; ++b) {
    Four sum[3] = {};
    sum_list(members + start[b], members + start[b + 1], of, sum);
    std::memcpy(out + 12 * b, sum, sizeof sum);
  }
}

HAZUMI_CLONES void sum_shared(const RegionLists& lists, const double* shares, const double* of, double* out) {
  for (std::size_t b = 0; b < lists.count(); ++b) {
    Four sum[3] = {};
    sum_list(lists.members.data() + lists.start[b], lists.members.data() + lists.start[b + 1], of, sum);
    for (Four& part : sum) part *= shares[b];
    std::memcpy(out + 12 * b, sum, sizeof sum);
  }
}

HAZUMI_CLONES void apply_mean_map(const RegionLists& lists, Some nodes, const double* shares, const double* maps,
                                  const BlockMaps& blocks, const double* x, double* to) {
  const std::uint32_t *const start = lists.start.data(), *const members = lists.members.data();
  for (std::size_t i = nodes.begin; i < nodes.end; ++i) {
    Four sum[3] = {};
    sum_list(members + start[i], members + start[i + 1], maps, sum);
    const double share = shares[i];
    if (blocks.maps) {
      const double* const map = blocks.maps + 12 * static_cast<std::size_t>(blocks.block_of[i]);
      for (int c = 0; c < 3; ++c) {
        Four more;
        std::memcpy(&more, map + 4 * c, sizeof more);
        sum[c] = share * sum[c] + more;
      }
    }
    const double rest = blocks.maps ? 1 : share;
    const Four at = {rest * x[3 * i], rest * x[3 * i + 1], rest * x[3 * i + 2], rest};
    for (std::size_t c = 0; c < 3; ++c) {
      const Four part = sum[c] * at;
      to[3 * i + c] = (part[0] + part[1]) + (part[2] + part[3]);
    }
  }
}

void lanes_of_turns(const double* turns, std::size_t regions, std::size_t eight, double (*turn)[8]) {
  for (std::size_t l = 0; l < 8; ++l) {
    const std::size_t r = 8 * eight + l;
    for (std::size_t k = 0; k < 4; ++k) turn[k][l] = r < regions ? turns[4 * r + k] : (k == 0 ? 1.0 : 0.0);
  }
}

HAZUMI_WIDE_CLONES void turn_eight(EightTurns& all) {
  Eight f[9], w, x, y, z;
  for (int k = 0; k < 9; ++k) std::memcpy(&f[k], all.fit[k], sizeof f[k]);
  std::memcpy(&w, all.turn[0], sizeof w);
  std::memcpy(&x, all.turn[1], sizeof x);
  std::memcpy(&y, all.turn[2], sizeof y);
  std::memcpy(&z, all.turn[3], sizeof z);
  Eight going = Eight{} + 1, found = {};  // 1 where it is so
  for (int pass = 0; pass < kMostTurnPasses; ++pass) {
    Eight r[9], b[9];
    turn_matrix_scaled(w, x, y, z, r);  // by the square of the quaternion, which the step does not see
    turned_back(r, f, b);
    const TurnMoment m(b);
    const Eight scale = -0.5 / m.determinant, tx = b[7] - b[5], ty = b[2] - b[6], tz = b[3] - b[1];
    const Eight ax = scale * (m.c00 * tx + m.c01 * ty + m.c02 * tz),
                ay = scale * (m.c01 * tx + m.c11 * ty + m.c12 * tz),
                az = scale * (m.c02 * tx + m.c12 * ty + m.c22 * tz);
    const Eight square = ax * ax + ay * ay + az * az;
    // A maximum is near, not a saddle, and the step is one of Newton's.
    const Eight none = {};
    Eight right = m.xx > 0 ? going : none;
    right = m.yy > 0 ? right : none;
    right = m.zz > 0 ? right : none;
    right = m.c00 > 0 ? right : none;
    right = m.determinant > 1e-9 * m.xx * m.yy * m.zz ? right : none;
    right = square < 0.25 ? right : none;
    const Eight w1 = w - x * ax - y * ay - z * az, x1 = w * ax + x + y * az - z * ay, y1 = w * ay + y + z * ax - x * az,
                z1 = w * az + z + x * ay - y * ax;
    w = right > 0 ? w1 : w;
    x = right > 0 ? x1 : x;
    y = right > 0 ? y1 : y;
    z = right > 0 ? z1 : z;
    const Eight there = square < all.enough ? right : none;
    found = there > 0 ? there : found;
    going = there > 0 ? none : right;
    double left[8];
    std::memcpy(left, &going, sizeof left);
    double any = 0;
    for (const double one : left) any += one;
    if (!(any > 0)) break;
  }
  Eight norm = w * w + x * x + y * y + z * z;
  for (int l = 0; l < 8; ++l) norm[l] = 1 / std::sqrt(norm[l]);
  w *= norm;
  x *= norm;
  y *= norm;
  z *= norm;
  std::memcpy(all.turn[0], &w, sizeof w);
  std::memcpy(all.turn[1], &x, sizeof x);
  std::memcpy(all.turn[2], &y, sizeof y);
  std::memcpy(all.turn[3], &z, sizeof z);
  std::memcpy(all.found, &found, sizeof found);
}

HAZUMI_WIDE_CLONES void fit_eight(const EightSums& sums, const EightRests& rests, double (*fit)[8]) {
  Eight about[9];
  about_centre(sums.of, rests.centre, about);
  store(about, 9, fit);
}

HAZUMI_WIDE_CLONES void map_eight(const EightSums& places, const EightSums* speeds, const EightRests& rests,
                                  const double (*turn)[8], double pull, double calm, double* maps) {
  Eight r[9], map[9], sum[3], place[3], light;
  turn_matrix(turn, r);
  sums_alone(places.of, sum);
  load(&rests.light, 1, &light);
  for (int i = 0; i < 3; ++i) place[i] = pull * (sum[i] * light);
  for (int k = 0; k < 9; ++k) map[k] = pull * r[k];
  if (speeds) {
    Eight about[9], seen[9], angular[3], t[6];
    about_centre(speeds->of, rests.centre, about);
    turned_back(r, about, seen);
    axial(seen, angular);
    load(rests.turning, 6, t);
    const Eight x = -calm * (t[0] * angular[0] + t[3] * angular[1] + t[5] * angular[2]),
                y = -calm * (t[3] * angular[0] + t[1] * angular[1] + t[4] * angular[2]),
                z = -calm * (t[5] * angular[0] + t[4] * angular[1] + t[2] * angular[2]);
    for (int i = 0; i < 3; ++i) {
      map[i] += r[3 + i] * z - r[6 + i] * y;
      map[3 + i] += r[6 + i] * x - r[i] * z;
      map[6 + i] += r[i] * y - r[3 + i] * x;
    }
    sums_alone(speeds->of, sum);
    for (int i = 0; i < 3; ++i) place[i] += calm * (sum[i] * light);
  }
  store_maps(map, place, rests.centre, maps);
}

HAZUMI_WIDE_CLONES void hold_eight(EightHeld& all) {
  Eight q[4], f[9], v[9], r[9], s[9], u[9], least;
  for (int k = 0; k < 4; ++k) std::memcpy(&q[k], all.turn[k], sizeof q[k]);
  for (int k = 0; k < 9; ++k) {
    std::memcpy(&f[k], all.fit[k], sizeof f[k]);
    std::memcpy(&v[k], all.speed[k], sizeof v[k]);
  }
  std::memcpy(&least, all.least, sizeof least);
  turn_matrix(q[0], q[1], q[2], q[3], r);
  turned_back(r, f, s);
  turned_back(r, v, u);
  const Eight held = s[0] + s[4] + s[8];
  const TurnMoment m(s);
  const Eight lx = u[5] - u[7], ly = u[6] - u[2], lz = u[1] - u[3];
  const Eight sum =
      m.c00 * lx * lx + m.c11 * ly * ly + m.c22 * lz * lz + 2 * (m.c01 * lx * ly + m.c02 * lx * lz + m.c12 * ly * lz);
  const Eight none = {}, turning = m.determinant > least ? sum / m.determinant : none;
  std::memcpy(all.held, &held, sizeof held);
  std::memcpy(all.turning, &turning, sizeof turning);
}

HAZUMI_CLONES void hold_regions(const RegionLists& lists, Some regions, const double* rests, const double* places,
                                const double* maps, double* held) {
  const std::uint32_t *const start = lists.start.data(), *const members = lists.members.data();
  for (std::size_t r = regions.begin; r < regions.end; ++r) {
    const double* const map = maps + 12 * r;
    Four column[4], sum = {};
    for (std::size_t k = 0; k < 4; ++k) column[k] = Four{map[k], map[4 + k], map[8 + k], 0};
    for (const std::uint32_t *i = members + start[r], *end = members + start[r + 1]; i != end; ++i) {
      const double* const rest = rests + 4 * static_cast<std::size_t>(*i);
      Four off;
      std::memcpy(&off, places + 4 * static_cast<std::size_t>(*i), sizeof off);
      off -= column[0] * rest[0] + column[1] * rest[1] + column[2] * rest[2] + column[3];
      sum += off * off * rest[3];
    }
    held[r] = sum[0] + sum[1] + sum[2];
  }
}

}  // namespace hazumi::shape_matching
