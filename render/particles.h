// Particles of a frame as sprites, and the symbols of their sources.
#pragma once

#include "core/scene/values/scene.h"
#include "render/extract.h"

namespace hazumi {

/// What a source says of a particle at an age.
struct ParticleShade {
  glm::vec4 colour{1};
  float size = 0;  ///< m, across
};
/// `age` 0…1; `number` of the particle, `size` m at birth.
ParticleShade particle_shade(const ParticleSource& source, std::uint64_t number, float age, float size);
/// 0…1, a number of its own that no run reads.
float particle_look(Id source, std::uint64_t number, std::uint64_t purpose);

/// All looks but copies of meshes; sprites come back to front.
void add_particles(RenderList& list, const Scene& scene, const Frame& frame, const ViewCamera& camera,
                   const ViewOptions& options, const ViewSelection& selection);

/// Where a source is in the frame, with what carries it; null: as the scene says.
Pose shown_source(const Scene& scene, const ParticleSource& source, const Frame* frame);
void add_source_symbols(RenderList& list, const Scene& scene, const Frame* frame, const ViewCamera& camera,
                        const ViewOptions& options, const ViewSelection& selection);
/// Places of the world that its symbol is drawn round.
std::vector<Vec3> source_outline(const Scene& scene, const ParticleSource& source, const Frame* frame);

}  // namespace hazumi
