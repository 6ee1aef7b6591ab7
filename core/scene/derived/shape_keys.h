// Keyed rest shapes (Kondo, Kanai and Anjyo 2004; spec 5.4): which pose of its analysis model a flexible body's rest shape is, and on its
// way from which to which, in every sub-step. Pure functions of the scene; from which frame on an edit changes a run follows from them
// (leading.h).
//
//   p, q   poses: ids, 0 the analysis model as it is        s   share of the way from p to q, eased
//   η      Σ c l² / Σ k l² of its springs, s: a body damped in proportion to its stiffness is late by that, so it is told η ahead
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/hash.h"
#include "core/scene/derived/run_clock.h"
#include "core/scene/derived/tracks.h"

namespace hazumi {

struct ShapeTracks {
  Id object;
  const Track *pose = nullptr, *following = nullptr;  ///< null: as the object itself says
  double late = 0;                                    ///< η; shape_lateness() where it is told
};
/// Flexible objects with poses that have keys of them, or are in one. Ascending by object; pointers are into the scene.
std::vector<ShapeTracks> shaped_objects(const Scene& scene);

/// η of an object's truss; 0 without stiffness.
double shape_lateness(const Truss& truss);

struct ShapeTold {
  int from = 0, to = 0;  ///< p, q
  double share = 0;      ///< s; 0 where both are the same
  double following = 0;
  friend bool operator==(const ShapeTold&, const ShapeTold&) = default;
};
/// At the end of a sub-step; of −1: at the start of the run. Poses that are not there any more count as 0.
ShapeTold told_shape(const Object& object, const ShapeTracks& tracks, std::int64_t substep, const RunClock& clock);
/// All (p, q) with p ≠ q that keys lead through, in order of time, each once.
std::vector<std::pair<int, int>> shape_ways(const Object& object, const ShapeTracks& tracks);

/// Adds what a run reads of keys.
void add_shapes(Hasher& hasher, const Scene& scene);

}  // namespace hazumi
