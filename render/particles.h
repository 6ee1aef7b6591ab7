// Particles of a frame as sprites, and the symbols of their sources.
#pragma once

#include "core/scene/derived/particle_shade.h"
#include "core/scene/values/scene.h"
#include "render/extract.h"

namespace hazumi {

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
