// What accelerates particles in a sub-step: gravity, fields of force (scene/derived/field_values.h) and drag, at the places half a step on.
//
//   b        gravity and pulls, m/s²                                                        h   rest of the sub-step, s
//   K        K₀ + K₁ |u − U| + ½ ρ c A |u − U|/m, 1/s: own and of the air, and of its push on a ball, A = π d²/4
//   u⁺       U + b/K + (u − U − b/K) e^(−Kh), K as it is half-way (exponential midpoint, as of bodies: sim/fields/stage.h)
//   x⁺       x + h (u + u⁺)/2: exact where nothing brakes
//   U, ρ, K₀, K₁   of the air, or of water by its weight there; water lifts no particle
//   d, m, c  size (m), mass (kg), ParticleSource::air
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/scene/derived/field_values.h"
#include "core/scene/values/particle_source.h"
#include "core/sim/particles/memory.h"

namespace hazumi {

inline constexpr std::size_t kParticlesAtOnce = 512;

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
double particle_draw(std::uint64_t seed, Id source, std::uint64_t number, ParticleDraw what);
/// Between value (1 − spread) and value (1 + spread).
double particle_value(double value, double spread, std::uint64_t seed, Id source, std::uint64_t number,
                      ParticleDraw what);

struct Flight {
  const ParticleSource* source = nullptr;
  std::span<const FieldNow* const> fields;  ///< that it feels
  Vec3 gravity = Vec3::Zero();              ///< m/s², with its own part
  double time = 0;                          ///< s, of the run, half-way
  double begin = 0, end = 0;                ///< s, of the sub-step
  std::uint64_t seed = 0;
};

/// Of up to kParticlesAtOnce particles from `first` on: velocities at the end of the sub-step, if nothing is in the way, and how much of it they have.
struct Flown {
  std::array<double, kParticlesAtOnce> step, u, v, w;
};
void fly(const Flight& flight, const ParticleMemory& particles, std::size_t first, std::size_t count, Flown& out);

}  // namespace hazumi
