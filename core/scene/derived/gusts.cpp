#include "core/scene/derived/gusts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/random.h"
#include "core/math/clones.h"

namespace hazumi {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

enum Purpose : std::uint64_t { kHeight = 0x67757374, kRound, kAcross, kPhase, kSign };

/// x, y, z of four places: g of them, by the waves. cos 2πy = 1 − 2 sin² πy, y to the nearest whole number.
HAZUMI_CLONES void gusts_of_four(const Gusts::Wave* waves, int count, double time, const double* place, double* gust) {
  Four x, y, z, gx = {0, 0, 0, 0}, gy = gx, gz = gx;
  for (int i = 0; i < 4; ++i) {
    x[i] = place[i];
    y[i] = place[4 + i];
    z[i] = place[8 + i];
  }
  constexpr double kWhole = 0x1.8p52;  // added and taken away, it rounds to a whole number
  for (int n = 0; n < count; ++n) {
    const Gusts::Wave& wave = waves[n];
    const double own = (wave.rate * time + wave.phase) / kTurn;
    Four turns = (wave.k[0] / kTurn) * x + (wave.k[1] / kTurn) * y + (wave.k[2] / kTurn) * z + own;
    const Four whole = (turns + kWhole) - kWhole;
    const Four a = std::numbers::pi * (turns - whole), b = a * a;  // |a| ≤ π/2
    Four sine = 1.0 / 355687428096000 * b - 1.0 / 1307674368000;
    sine = sine * b + 1.0 / 6227020800;
    sine = sine * b - 1.0 / 39916800;
    sine = sine * b + 1.0 / 362880;
    sine = sine * b - 1.0 / 5040;
    sine = sine * b + 1.0 / 120;
    sine = sine * b - 1.0 / 6;
    sine = (sine * b + 1.0) * a;
    const Four cosine = 1.0 - 2.0 * sine * sine;
    gx += wave.push[0] * cosine;
    gy += wave.push[1] * cosine;
    gz += wave.push[2] * cosine;
  }
  for (int i = 0; i < 4; ++i) {
    gust[i] = gx[i];
    gust[4 + i] = gy[i];
    gust[8 + i] = gz[i];
  }
}

}  // namespace

Gusts::Gusts(std::uint64_t seed, Id field, double strength, double size, double period) : any_(strength > 0) {
  if (!any_) return;
  double sum = 0;
  for (std::uint64_t n = 0; n < kWaves; ++n) {
    const auto unit = [&](Purpose purpose) { return random_unit(seed, field, n, purpose); };
    const double part = std::exp2(-static_cast<double>(n) / 6.5);  // λ/L
    const double z = 2 * unit(kHeight) - 1, around = kTurn * unit(kRound), across = kTurn * unit(kAcross);
    const double flat = std::sqrt(std::max(0.0, 1 - z * z));
    const Vec3 way(flat * std::cos(around), flat * std::sin(around), z);
    const Vec3 side = way.unitOrthogonal();
    const double amount = std::cbrt(part);
    Wave& wave = waves_[n];
    wave.k = kTurn / (part * size) * way;
    wave.push = amount * (std::cos(across) * side + std::sin(across) * way.cross(side));
    wave.rate = (unit(kSign) < 0.5 ? -1 : 1) * kTurn / (period * amount * amount);
    wave.phase = kTurn * unit(kPhase);
    sum += 0.5 * amount * amount;
  }
  const double scale = strength * std::sqrt(3 / sum);
  for (Wave& wave : waves_) wave.push *= scale;
}

Vec3 Gusts::at(const Vec3& place, double time) const {
  Vec3 sum = Vec3::Zero();
  if (!any_) return sum;
  for (const Wave& wave : waves_) sum += std::cos(wave.k.dot(place) + wave.rate * time + wave.phase) * wave.push;
  return sum;
}

void Gusts::at_many(std::span<const Vec3> places, double time, std::span<Vec3> gusts) const {
  for (std::size_t first = 0; first < places.size(); first += 4) {
    const std::size_t count = std::min<std::size_t>(4, places.size() - first);
    double at[12] = {}, out[12] = {};
    for (std::size_t i = 0; i < count; ++i)
      for (int k = 0; k < 3; ++k) at[4 * k + static_cast<int>(i)] = places[first + i][k];
    gusts_of_four(waves_.data(), any_ ? kWaves : 0, time, at, out);
    for (std::size_t i = 0; i < count; ++i) gusts[first + i] = Vec3(out[i], out[4 + i], out[8 + i]);
  }
}

}  // namespace hazumi
