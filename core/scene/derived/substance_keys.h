// Keys of how an object meets others, and whether gravity has it (its material's friction and restitution, Object::body.gravity): what a
// run is told in every sub-step. Pure functions of the scene; from which frame on an edit changes a run follows from them (leading.h).
// A contact has the values of the sub-step in which it is, those at its start; what gives pairs of their own goes before.
#pragma once

#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/scene/derived/run_clock.h"
#include "core/scene/derived/tracks.h"

namespace hazumi {

inline constexpr std::string_view kFrictionField = "material.substance.friction",
                                  kRestitutionField = "material.substance.restitution", kGravityField = "body.gravity";

struct SubstanceTracks {
  Id object;
  const Track *friction = nullptr, *restitution = nullptr, *gravity = nullptr;  ///< null: as the object itself says
};
/// Ascending by object; pointers are into the scene.
std::vector<SubstanceTracks> substance_keys(const Scene& scene);

struct SubstanceTold {
  double friction = 0, restitution = 0;
  bool gravity = true;
  friend bool operator==(const SubstanceTold&, const SubstanceTold&) = default;
};
SubstanceTold told_substance(const Object& object, const SubstanceTracks& tracks, std::int64_t substep,
                             const RunClock& clock);
/// Of what a person is shown at a time (s).
SubstanceTold substance_at(const Object& object, const SubstanceTracks& tracks, double time);

/// Adds what a run reads of keys.
void add_substance_keys(Hasher& hasher, const Scene& scene);

}  // namespace hazumi
