// Gusts of wind: seeded noise in space and time, a sum of N waves (Kraichnan 1970, "Diffusion by a random velocity field", equations 8–9, with
// a spectrum of discrete lines)
//
//   g(x, t) = Σ_n a_n p_n cos(k_n·x + ω_n t + φ_n)
//
//   n    0 … N−1, N = 24: three octaves and a half, λ_n = L 2^(−n/6.5)
//   k_n  2π/λ_n in a random direction, 1/m        ω_n   ± 2π/τ_n, τ_n = T (λ_n/L)^(2/3) as eddies turn over (Kolmogorov 1941), 1/s
//   p_n  unit, across k_n, so that the gusts neither spring up nor vanish in the air (∇·g = 0)
//   a_n  a_n² ∝ λ_n^(2/3): lines evenly spaced in log k with E(k) ∝ k^(−5/3), scaled so that ⟨|g|²⟩ = Σ a_n²/2 = 3 u²
//   L, T, u   size and period of the largest, m and s, and root mean square of a component, m/s
//
// No wave stands still in time, so the mean at any place is zero: over a time S its amount is below Σ a_n τ_n/(π S). Directions and phases
// are counter-based numbers of (seed, field, n): the gusts at (x, t) are the same whatever was asked before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/id.h"
#include "core/math/types.h"

namespace hazumi {

class Gusts {
 public:
  static constexpr int kWaves = 24;
  Gusts() = default;  ///< none
  /// u in m/s, L in m, T in s, both above 0.
  Gusts(std::uint64_t seed, Id field, double strength, double size, double period);
  bool any() const { return any_; }
  Vec3 at(const Vec3& place, double time) const;  ///< m/s
  /// The same at many places, of which x, y and z are lists, as of the gusts; sixteen side by side; the cosines to 1e-11.
  void at_many(const std::array<const double*, 3>& places, std::size_t count, double time,
               const std::array<double*, 3>& gusts) const;

  struct Wave {
    Vec3 k = Vec3::Zero(), push = Vec3::Zero();  ///< 1/m; a p, m/s
    double rate = 0, phase = 0;                  ///< 1/s, rad
  };
  const std::array<Wave, kWaves>& waves() const { return waves_; }

 private:
  bool any_ = false;
  std::array<Wave, kWaves> waves_;
};

}  // namespace hazumi
