#include "core/scene/derived/gusts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/base/random.h"
#include "core/math/clones.h"

namespace hazumi {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

enum Purpose : std::uint64_t { kHeight = 0x67757374, kRound, kAcross, kPhase, kSign };

constexpr std::size_t kAtOnce = 16;

/// A wave at a moment: its push times cos 2π(k·x + phase).
struct TimedWave {
  double k[3], phase;  // 1/m, 1: whole turns
  double push[3];      // m/s
};

/// Places in sixteens: their gusts, by the waves. cos 2πy = sin 2π(¼ − |y|), y to the nearest whole number, and the sine
/// by the odd polynomial whose largest error there is least, 1.4e-11.
HAZUMI_WIDE_CLONES void gusts_of_sixteens(const TimedWave* waves, int waves_count, const double* const* place,
                                          std::size_t count, double* const* gust) {
  constexpr double kWhole = 0x1.8p52;  // added and taken away, it rounds to a whole number
  for (std::size_t first = 0; first < count; first += kAtOnce) {
    Eight at[2][3], sum[2][3] = {};
    for (int half = 0; half < 2; ++half)
      for (int k = 0; k < 3; ++k) __builtin_memcpy(&at[half][k], place[k] + first + 8 * half, sizeof at[half][k]);
    for (int n = 0; n < waves_count; ++n) {
      const TimedWave& wave = waves[n];
      for (int half = 0; half < 2; ++half) {
        Eight y = wave.k[0] * at[half][0] + wave.k[1] * at[half][1] + wave.k[2] * at[half][2] + wave.phase;
        y -= (y + kWhole) - kWhole;
        const Eight t = 0.25 - (y < 0 ? -y : y), b = t * t;
        Eight sine = -0x1.cac8e8867a404p+3 * b + 0x1.4ffffab005376p+5;
        sine = sine * b - 0x1.32d08e4cb39cap+6;
        sine = sine * b + 0x1.466bbc0567d84p+6;
        sine = sine * b - 0x1.4abbce38aad9ap+5;
        sine = (sine * b + 0x1.921fb5438494cp+2) * t;
        for (int k = 0; k < 3; ++k) sum[half][k] += wave.push[k] * sine;
      }
    }
    for (int half = 0; half < 2; ++half)
      for (int k = 0; k < 3; ++k) __builtin_memcpy(gust[k] + first + 8 * half, &sum[half][k], sizeof sum[half][k]);
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

void Gusts::at_many(const std::array<const double*, 3>& places, std::size_t count, double time,
                    const std::array<double*, 3>& gusts) const {
  std::array<TimedWave, kWaves> waves;
  for (std::size_t n = 0; any_ && n < kWaves; ++n) {
    const Wave& wave = waves_[n];
    const double turns = (wave.rate * time + wave.phase) / kTurn;
    for (int k = 0; k < 3; ++k) {
      waves[n].k[k] = wave.k[k] / kTurn;
      waves[n].push[k] = wave.push[k];
    }
    waves[n].phase = turns - std::floor(turns);
  }
  const int many = any_ ? kWaves : 0;
  const std::size_t whole = count / kAtOnce * kAtOnce, rest = count - whole;
  gusts_of_sixteens(waves.data(), many, places.data(), whole, gusts.data());
  if (rest == 0) return;
  double at[3][kAtOnce] = {}, out[3][kAtOnce];
  for (std::size_t k = 0; k < 3; ++k) std::copy_n(places[k] + whole, rest, at[k]);
  const double* const from[3] = {at[0], at[1], at[2]};
  double* const to[3] = {out[0], out[1], out[2]};
  gusts_of_sixteens(waves.data(), many, from, kAtOnce, to);
  for (std::size_t k = 0; k < 3; ++k) std::copy_n(out[k], rest, gusts[k] + whole);
}

}  // namespace hazumi
