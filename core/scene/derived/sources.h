// Sources of particles (values/particle_source.h) as a run reads them: their values by keys, and what they need of the rest of the scene. In
// sub-step k a source is as its keys say in the middle of it, and where they say at its two ends. Pure functions of the scene; from which frame on
// an edit changes a run follows from them (leading.h).
#pragma once

#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/scene/values/scene.h"

namespace hazumi {

/// The sources of a scene in ascending id, and their keys.
class KeyedSources {
 public:
  explicit KeyedSources(const Scene& scene);
  bool empty() const { return own_.particles.empty(); }
  bool any_keys() const { return !own_.tracks.empty(); }
  /// At a time of the film, in s.
  std::vector<Shared<ParticleSource>> at(double time) const;

 private:
  Scene own_;  ///< the sources and those of their tracks that a run reads
};

/// Whether a run reads something else of one, by keys. Both ascending.
bool sources_differ(const std::vector<Shared<ParticleSource>>& a, const std::vector<Shared<ParticleSource>>& b);

/// Ids of the objects that its particles meet, ascending.
std::vector<Id> who_is_met(const Scene& scene, const ParticleSource& source);

/// Hash of what a run reads of curve, carrier and objects that are met, beyond what makes those move.
std::uint64_t source_surroundings(const Scene& scene, const ParticleSource& source);

/// A source that does nothing, or not what it says, and why.
struct IdleSource {
  Id source;
  std::string path, message, hint;  ///< "particles[2] \"Smoke\" carrier"
};
std::vector<IdleSource> idle_sources(const Scene& scene);

/// The scene's sources with the values that their keys say at a time.
Scene sources_at(Scene scene, double time);

/// Adds what a run reads of their keys and surroundings.
void add_sources(Hasher& hasher, const Scene& scene);

}  // namespace hazumi
