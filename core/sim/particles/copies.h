// Copies of an object as rigid bodies, which a source gives (values/particle_source.h, scene/derived/copies.h).
//
// A model has as many bodies behind those of objects as the source may have copies. Each is a rigid body of its own size, drawn of (seed, source, its
// number among them), that is not there until a birth takes it: nothing moves, meets, pushes, shows or counts it, and nothing is remembered of it.
// Birth     at its moment within the sub-step, of which it flies the rest under gravity and fields, as one sub-step of that length; from the next one
//           on it is a body like all others. It takes the first body that is not there.
// Room      a copy that would overlap something as the sub-step ends, or be inside it, waits, and looks again as each later one ends, where the source
//           is then (of an event: where that was). Nothing is pushed apart, so that a birth gives no energy but that of the copy.
// Beside    what an event gives where something was hit is put out along the normal until the copy is free of the plane there, then aside along the
//           plane, away from what hits, as far as it has to go to have room.
// End       a body is not there any more, and what contacts remember of it goes; what slept on it wakes. Another birth may take it from the
//           next sub-step on.
// State     of a body in BodyState::values behind those of a rigid one (CopyLife); of those that wait in ParticleMemory of the source.
// Energy    StepReport::born and gone.
#pragma once

#include <span>
#include <vector>

#include "core/scene/derived/contact_rules.h"
#include "core/scene/derived/told_numbers.h"
#include "core/sim/body/rigid.h"
#include "core/sim/particles/births.h"
#include "core/sim/particles/burst.h"
#include "core/sim/particles/source_copies.h"

namespace hazumi {

class MeshStore;
struct BodyPairValues;

struct CopyLife {
  bool there = false;
  double birth = 0, end = 0;  ///< s, of the run; end 0: it stays
  std::uint64_t number = 0;   ///< of the birth
  bool lasts() const { return end == 0; }
};
/// Of the state of a copy.
CopyLife read_copy(std::span<const double> values);

/// A rigid body that is there from birth to end.
struct CopyBody final : RigidBody {
  double across = 0;  ///< m, largest extent of what is seen of it

  explicit CopyBody(const BodySetup& setup);
  std::size_t state_size() const override;
  void initialise(std::span<double> values) const override;
  bool is_there(std::span<const double> values) const override;
  Observables observe(std::span<const double> values) const override;  ///< of what is not there: nothing
};

SourceCopies copies_of(const Model& model, Id source);

/// Adds the bodies of all sources that give copies, behind all others.
void add_copies(const Scene& scene, MeshStore& meshes, const std::vector<ObjectGroups>& groups, Model& model);
/// Model::pairs: what objects are to each other, their copies are too.
std::vector<BodyPairValues> pairs_of(const Scene& scene, const Model& model);

/// How many may be born of the source, besides those that wait.
std::size_t free_copies(const SourceCopies& copies, const State& state);

class CopyRoom;

/// What is to be born of one source.
struct CopyBirths {
  const ParticleSource& source;
  SourceCopies copies;
  ParticleDice dice;
  Quat axes = Quat::Identity();  ///< of the source as the sub-step ends
  Vec3 gravity = Vec3::Zero();   ///< m/s²
  double end = 0;                ///< s, of the run, of the sub-step
  std::int64_t substep = 0;
  std::span<const NumberTold> told = {};  ///< by motions, to fields
};
/// Puts particle `at`, which waits, beside the surface that the burst is about: on from the plane there until what is behind it lets go of it, since
/// what hits is found some way on; and aside of what hits.
void put_beside(const Model& model, const State& state, const CopyBirths& births, const ParticleBurst& burst,
                std::size_t at, ParticleMemory& waiting, CopyRoom& room);
/// Those that have room become bodies; the others stay in `waiting`.
void wake_copies(const Model& model, const CopyBirths& births, State& state, ParticleMemory& waiting, CopyRoom& room,
                 CopyTurn& turn);
/// Those whose time is over as a sub-step ends.
void end_copies(const Model& model, const SourceCopies& copies, double end, State& state, CopyTurn& turn);

}  // namespace hazumi
