#include "core/sim/elastic/region_turns.h"

#include <cmath>
#include <cstring>

namespace hazumi::shape_matching {

namespace {

constexpr int kMostTurnPasses = 6;

// What is inlined into clones, each of which has instructions of its own for it.
#define HAZUMI_INTO_CLONES __attribute__((always_inline)) inline

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

/// By columns.
HAZUMI_INTO_CLONES void turn_matrix(const Eight& w, const Eight& x, const Eight& y, const Eight& z, Eight* r) {
  r[0] = 1 - 2 * (y * y + z * z);
  r[1] = 2 * (x * y + w * z);
  r[2] = 2 * (x * z - w * y);
  r[3] = 2 * (x * y - w * z);
  r[4] = 1 - 2 * (x * x + z * z);
  r[5] = 2 * (y * z + w * x);
  r[6] = 2 * (x * z + w * y);
  r[7] = 2 * (y * z - w * x);
  r[8] = 1 - 2 * (x * x + y * y);
}

/// rᵀ a
HAZUMI_INTO_CLONES void turned_back(const Eight* r, const Eight* a, Eight* out) {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      out[3 * j + i] = r[3 * i] * a[3 * j] + r[3 * i + 1] * a[3 * j + 1] + r[3 * i + 2] * a[3 * j + 2];
}

/// tr S − S of the symmetric part of S, and its cofactors: what holds a turn.
struct TurnMoment {
  Eight xx, yy, zz, xy, yz, zx;
  Eight c00, c01, c02, c11, c12, c22, determinant;

  HAZUMI_INTO_CLONES explicit TurnMoment(const Eight* s) {
    xx = s[4] + s[8], yy = s[8] + s[0], zz = s[0] + s[4];
    xy = -0.5 * (s[3] + s[1]), yz = -0.5 * (s[7] + s[5]), zx = -0.5 * (s[2] + s[6]);
    c00 = yy * zz - yz * yz, c01 = zx * yz - xy * zz, c02 = xy * yz - yy * zx;
    c11 = xx * zz - zx * zx, c12 = xy * zx - xx * yz, c22 = xx * yy - xy * xy;
    determinant = xx * c00 + xy * c01 + zx * c02;
  }
};

}  // namespace

HAZUMI_CLONES void sum_twelves(const RegionLists& lists, const double* of, double* out) {
  const std::uint32_t *const start = lists.start.data(), *const members = lists.members.data();
  for (std::size_t i = 0; i < lists.count(); ++i) {
    Four sum[3] = {};
    sum_list(members + start[i], members + start[i + 1], of, sum);
    std::memcpy(out + 12 * i, sum, sizeof sum);
  }
}

HAZUMI_CLONES void apply_mean_map(const RegionLists& lists, const double* maps, const double* x, double* to) {
  const std::uint32_t *const start = lists.start.data(), *const members = lists.members.data();
  for (std::size_t i = 0; i < lists.count(); ++i) {
    Four sum[3] = {};
    sum_list(members + start[i], members + start[i + 1], maps, sum);
    double map[12];
    std::memcpy(map, sum, sizeof map);
    const double share = 1.0 / static_cast<double>(start[i + 1] - start[i]);
    for (double& m : map) m *= share;
    const double* const at = x + 3 * i;
    for (int c = 0; c < 3; ++c) to[3 * i + c] = map[c] * at[0] + map[3 + c] * at[1] + map[6 + c] * at[2] + map[9 + c];
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
    turn_matrix(w, x, y, z, r);
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
    Eight root = 1 + square;
    for (int l = 0; l < 8; ++l) root[l] = std::sqrt(root[l]);
    const Eight length = 1 / root;
    const Eight w1 = length * (w - x * ax - y * ay - z * az), x1 = length * (w * ax + x + y * az - z * ay),
                y1 = length * (w * ay + y + z * ax - x * az), z1 = length * (w * az + z + x * ay - y * ax);
    w = right > 0 ? w1 : w;
    x = right > 0 ? x1 : x;
    y = right > 0 ? y1 : y;
    z = right > 0 ? z1 : z;
    const Eight there = square < 1e-15 ? right : none;
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

}  // namespace hazumi::shape_matching
