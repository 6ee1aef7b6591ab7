// Eight regions side by side: what the kernels of region_turns.cpp and example_lanes.cpp have in common. A matrix is nine numbers by columns, a
// symmetric one six: xx yy zz xy yz zx.
#pragma once

#include <cstddef>
#include <cstring>

#include "core/math/clones.h"

// What is inlined into clones, each of which has instructions of its own for it.
#define HAZUMI_INTO_CLONES __attribute__((always_inline)) inline

namespace hazumi::shape_matching::lanes {

HAZUMI_INTO_CLONES void load(const double (*from)[8], int count, Eight* to) {
  for (int k = 0; k < count; ++k) std::memcpy(&to[k], from[k], sizeof to[k]);
}
HAZUMI_INTO_CLONES void store(const Eight* from, int count, double (*to)[8]) {
  for (int k = 0; k < count; ++k) std::memcpy(to[k], &from[k], sizeof from[k]);
}

/// R of the unit quaternion w x y z.
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
/// R times the square of a quaternion of any length.
HAZUMI_INTO_CLONES void turn_matrix_scaled(const Eight& w, const Eight& x, const Eight& y, const Eight& z, Eight* r) {
  const Eight ww = w * w, xx = x * x, yy = y * y, zz = z * z;
  r[0] = (ww + xx) - (yy + zz);
  r[1] = 2 * (x * y + w * z);
  r[2] = 2 * (x * z - w * y);
  r[3] = 2 * (x * y - w * z);
  r[4] = (ww + yy) - (xx + zz);
  r[5] = 2 * (y * z + w * x);
  r[6] = 2 * (x * z + w * y);
  r[7] = 2 * (y * z - w * x);
  r[8] = (ww + zz) - (xx + yy);
}
HAZUMI_INTO_CLONES void turn_matrix(const double (*turn)[8], Eight* r) {
  Eight q[4];
  load(turn, 4, q);
  turn_matrix(q[0], q[1], q[2], q[3], r);
}

/// rᵀ a
HAZUMI_INTO_CLONES void turned_back(const Eight* r, const Eight* a, Eight* out) {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      out[3 * j + i] = r[3 * i] * a[3 * j] + r[3 * i + 1] * a[3 * j + 1] + r[3 * i + 2] * a[3 * j + 2];
}
/// r a
HAZUMI_INTO_CLONES void turned(const Eight* r, const Eight* a, Eight* out) {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) out[3 * j + i] = r[i] * a[3 * j] + r[3 + i] * a[3 * j + 1] + r[6 + i] * a[3 * j + 2];
}
/// a s of a symmetric s
HAZUMI_INTO_CLONES void times_symmetric(const Eight* a, const Eight* s, Eight* out) {
  for (int i = 0; i < 3; ++i) {
    out[i] = a[i] * s[0] + a[3 + i] * s[3] + a[6 + i] * s[5];
    out[3 + i] = a[i] * s[3] + a[3 + i] * s[1] + a[6 + i] * s[4];
    out[6 + i] = a[i] * s[5] + a[3 + i] * s[4] + a[6 + i] * s[2];
  }
}
/// tr(aᵀ s) of a symmetric s
HAZUMI_INTO_CLONES void product(const Eight* a, const Eight* s, Eight* out) {
  *out = a[0] * s[0] + a[4] * s[1] + a[8] * s[2] + (a[1] + a[3]) * s[3] + (a[5] + a[7]) * s[4] + (a[2] + a[6]) * s[5];
}
/// axial(a), of core/math/rotation.h
HAZUMI_INTO_CLONES void axial(const Eight* a, Eight* out) {
  out[0] = a[7] - a[5];
  out[1] = a[2] - a[6];
  out[2] = a[3] - a[1];
}

/// Σ m̃ a (x⁰ − c⁰)ᵀ from Σ m̃ a (x⁰, 1)ᵀ by rows.
HAZUMI_INTO_CLONES void about_centre(const double (*sums)[8], const double (*centre)[8], Eight* out) {
  Eight s[12], c[3];
  load(sums, 12, s);
  load(centre, 3, c);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) out[3 * j + i] = s[4 * i + j] - s[4 * i + 3] * c[j];
}
/// Σ m̃ a
HAZUMI_INTO_CLONES void sums_alone(const double (*sums)[8], Eight* out) {
  for (int i = 0; i < 3; ++i) load(sums + 4 * i + 3, 1, out + i);
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

/// Twelve numbers of each of eight regions, from lanes to one region after the other.
HAZUMI_INTO_CLONES void store_regions(const Eight* from, double* to) {
  alignas(64) double lanes[12][8];
  store(from, 12, lanes);
  for (int half = 0; half < 8; half += 4)
    for (int part = 0; part < 12; part += 4) {
      const double *const a = lanes[part] + half, *const b = lanes[part + 1] + half, *const c = lanes[part + 2] + half,
                          *const d = lanes[part + 3] + half;
      for (int l = 0; l < 4; ++l) {
        const Four one = {a[l], b[l], c[l], d[l]};
        std::memcpy(to + 12 * (half + l) + part, &one, sizeof one);
      }
    }
}

/// The map x⁰ → N x⁰ + t of eight regions that takes c⁰ to `place`, by rows of four.
HAZUMI_INTO_CLONES void store_maps(const Eight* n, const Eight* place, const double (*centre)[8], double* to) {
  Eight map[12], c[3];
  load(centre, 3, c);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) map[4 * i + j] = n[3 * j + i];
    map[4 * i + 3] = place[i] - (n[i] * c[0] + n[3 + i] * c[1] + n[6 + i] * c[2]);
  }
  store_regions(map, to);
}

}  // namespace hazumi::shape_matching::lanes
