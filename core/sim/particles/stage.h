// Particles in a sub-step, after bodies have moved: births (births.h), flight (flight.h), and what they meet (obstacles.h). They take no momentum
// from bodies, and do not meet each other.
//
// Where a particle meets a body on its way, at part s of it, with u as it is there, V = u − u_body, n the normal, a what accelerates it
//   bounce    V·n → −e V·n, e the source's bounce; slower than max(rest speed, 2 |a·n| h): 0
//   friction  V's part along the surface is less by at most μ (1 + e) |V·n|, of what lies on it by at most μ (|V·n| + |a·n| times the rest):
//             Coulomb's, and what lies on a slope below atan μ stays
// and goes on from there for the rest of the sub-step, up to kMeetings times. What sticks goes with the body from then on; what splits
// dies, and its pieces are born of another source at the end of the sub-step, their axis the normal.
//
// Sources that give copies (copies.h) have here what is to be born and waits; nothing of it flies.
//
// State: ParticleMemory of each source. Numbers of particles count on whatever the source may have at most. Blocks of kParticlesAtOnce are
// independent, so any number of threads gives the same bits.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/parallel.h"
#include "core/scene/derived/told_numbers.h"
#include "core/sim/particles/burst.h"
#include "core/sim/particles/source_copies.h"
#include "core/sim/state.h"

namespace hazumi {

struct Model;
struct Obstacle;
struct Scene;

/// Memory that a run keeps between sub-steps; no step reads what is in it.
class ParticleWorkspace {
 public:
  ParticleWorkspace();
  ~ParticleWorkspace();
  struct Data;
  Data& data() { return *data_; }

 private:
  std::unique_ptr<Data> data_;
};

class ParticleStage {
 public:
  virtual ~ParticleStage() = default;
  /// Ids of the sources, in the order of State::particles (ascending).
  virtual std::span<const Id> sources() const = 0;
  /// `before`: the bodies as the sub-step began; `after`: as it ends, with the particles as it began, which go on to its end. State::substep of
  /// both is the sub-step.
  /// `asked`: what is born besides, as the sub-step ends. `told`: to sources, fields and the scene, by motions.
  virtual CopyTurn advance(const Model& model, const State& before, State& after, std::span<const ParticleBurst> asked,
                           const NumbersTold& told, ParticleWorkspace& workspace, Executor& executor) const = 0;
  /// m and kg, of a particle by its number.
  virtual double size(std::size_t source, std::uint64_t number) const = 0;
  virtual double mass(std::size_t source, std::uint64_t number) const = 0;
  /// How many times as fast as its velocity says a particle of that age goes, 0…1 of its life.
  virtual double pace(std::size_t source, double age) const = 0;
  /// Of a source that gives particles none.
  virtual SourceCopies copies(std::size_t source) const = 0;
  /// What its particles meet.
  virtual std::span<const Obstacle> obstacles() const = 0;
};

/// Null: the scene has no source. `problems` gets a warning for each source that begins inside something which its particles meet.
/// `before`: of an earlier version of the scene; what was made of surfaces that are the same is shared. May be null.
std::shared_ptr<const ParticleStage> make_particle_stage(const Scene& scene, const Model& model,
                                                         const ParticleStage* before, Diagnostics& problems);

}  // namespace hazumi
