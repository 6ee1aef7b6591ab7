// What accelerates particles in a sub-step: gravity, fields of force (scene/derived/field_values.h) and drag, at the places half a step on.
//
//   b        gravity and pulls, m/s²                                                        h   rest of the sub-step, s
//   K        K₀ + K₁ |u − U| + ½ ρ c A |u − U|/m, 1/s: own and of the air, and of its push on a ball, A = π d²/4
//   u⁺       U + b/K + (u − U − b/K) e^(−Kh), K as it is half-way (exponential midpoint, as of bodies: sim/fields/stage.h)
//   x⁺       x + h (u + u⁺)/2: exact where nothing brakes
//   U, ρ, K₀, K₁   of the air, and of water by the part of the ball that is in it; what water does to b and m: immersion.h
//   d, m, c  size (m), mass (kg), ParticleSource::air
// Over the life (scene/derived/life_curve.h), of sources that have keys of these:
//   drag     K is so many times as much: its mean over the sub-step
//   speed    x' = c u: it goes c times as fast as it would. x⁺ = x + h (c₀ u + c₁ (u⁺ − u)), with the means `whole` and `late` of c over the
//            sub-step for c₀ and c₁; else 1 and ½. What pulls, blows and is bounced off changes u: where c is 0 a particle stands, and goes on
//            from there with all it has been given. Water has the mean over the way that it goes.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/base/hash.h"
#include "core/base/id.h"
#include "core/scene/derived/field_values.h"
#include "core/scene/derived/life_curve.h"
#include "core/scene/values/particle_source.h"
#include "core/sim/particles/memory.h"

namespace hazumi {

inline constexpr std::size_t kParticlesAtOnce = 128;
/// Lists of so many: with 1024 bytes each, entries of the same number would push each other out of the processor's first cache.
inline constexpr std::size_t kParticleList = kParticlesAtOnce + 8;

/// What a source's own number says of one particle: the same whatever came before.
enum class ParticleDraw : std::uint64_t {
  place_a = 0x70617274,
  place_b,
  place_c,
  way_a,
  way_b,
  speed,
  life,
  mass,
  size,
  look
};
/// Draws of one source's particles.
class ParticleDice {
 public:
  ParticleDice() = default;
  ParticleDice(std::uint64_t seed, Id source);
  double draw(std::uint64_t number, ParticleDraw what) const;
  /// Between value (1 − spread) and value (1 + spread).
  double value(double value, double spread, std::uint64_t number, ParticleDraw what) const {
    return spread > 0 ? value * (1 + spread * (2 * draw(number, what) - 1)) : value;
  }

 private:
  Hasher begun_;
};

struct Flight {
  const ParticleSource* source = nullptr;
  std::span<const FieldNow* const> fields;  ///< that it feels
  Vec3 gravity = Vec3::Zero();              ///< m/s², with its own part
  Vec3 weight = Vec3::Zero();               ///< m/s², of the scene: water has it
  double time = 0;                          ///< s, of the run, half-way
  double begin = 0, end = 0;                ///< s, of the sub-step
  ParticleDice dice;
  const LifeCurve *speed = nullptr, *drag = nullptr;  ///< null: 1 throughout
};

/// Of up to kParticlesAtOnce particles from `first` on: velocities at the end of the sub-step, if nothing is in the way, and how much of it they
/// have. Behind the last up to seven are made up, at rest.
struct alignas(64) Flown {
  std::array<double, kParticleList> step, u, v, w;
  std::array<double, kParticleList> size;         ///< m, across
  std::array<double, kParticleList> whole, late;  ///< c₀, c₁
};
/// c₀ and c₁ over the rest of the sub-step of a particle, of which so many seconds are left.
LifeCurve::Means pace_of(const Flight& flight, const ParticleMemory& particles, std::size_t at, double left);
void fly(const Flight& flight, const ParticleMemory& particles, std::size_t first, std::size_t count, Flown& out);

}  // namespace hazumi
