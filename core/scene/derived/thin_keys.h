// The same curve by few keys: of keys that stand densely, as a recording leaves them, those that the curve needs.
//
// Where chosen keys stand in a row, a way may lead from one to a later one: a cubic with the slopes that the track has at both, so that
// what was smooth stays so; straight or stepping where all between are. It is taken when it misses the track by no more than a
// tolerance at every key that it leaves out, in the middle between them, and in each step of time. Of those that may be taken the
// longest is looked for by doubling and halving, from the first key on. Keys that are not chosen stay, with the slopes that they had,
// so that nothing changes outside.
#pragma once

#include <span>
#include <vector>

#include "core/scene/values/fields.h"

namespace hazumi {

struct ThinKeys {
  double part =
      0.01;  ///< tolerance, of how far the values of the row of keys go: the diagonal of their box; of rotations the widest turn
  double step = 1.0 / 24;  ///< s, in which it is looked at between keys
};

struct ThinnedTrack {
  Track track;
  std::size_t gone = 0;
  double off = 0;  ///< the most by which it misses at those places, unit of the value; rotations: rad
};

/// `times`: of the chosen keys, s, ascending. Fewer than three in a row: as it was.
ThinnedTrack thinned(const Track& track, FieldType type, std::span<const double> times, const ThinKeys& how);

}  // namespace hazumi
