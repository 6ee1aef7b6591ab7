#include "core/scene/derived/gusts.h"

#include <cmath>
#include <numbers>

#include "core/base/random.h"

namespace hazumi {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

enum Purpose : std::uint64_t { kHeight = 0x67757374, kRound, kAcross, kPhase, kSign };

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

}  // namespace hazumi
