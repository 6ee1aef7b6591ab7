// How a particle looks at an age, by what its source says: for pictures and exporters. No run reads it.
#pragma once

#include <cstdint>

#include "core/scene/values/particle_source.h"

namespace hazumi {

struct ParticleShade {
  Vec3f colour = Vec3f::Ones();
  float opacity = 1;
  float size = 0;  ///< m, across
};

/// `age` 0…1, part of the life; `size` at birth, m.
ParticleShade particle_shade(const ParticleSource& source, std::uint64_t number, float age, float size);

// Over the life, of all particles of a source alike; `age` 0…1.
double size_over_life(const ParticleSource& source, double age);  ///< times as large as at birth
Vec3 colour_over_life(const ParticleSource& source, double age);
double opacity_over_life(const ParticleSource& source, double age);  ///< part of ParticleSource::opacity, without fades
// As a run has them (sim/particles/flight.h), to be drawn.
double speed_over_life(const ParticleSource& source, double age);
double drag_over_life(const ParticleSource& source, double age);

/// How a copy of an object is turned so many seconds after the particle's birth.
Eigen::AngleAxisf copy_turn(const ParticleSource& source, std::uint64_t number, float seconds);

/// 0…1: a number of the particle's own, for looks alone.
float particle_look(Id source, std::uint64_t number, std::uint64_t purpose);

}  // namespace hazumi
