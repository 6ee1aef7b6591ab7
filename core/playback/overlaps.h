// Bodies that overlap where a run begins: which, how deep, what the run gives them to come apart, and where they would have to stand
// so that none does. Shapes are looked at as they stand at time 0, by the narrow phase of a run (contact/narrow.h); what comes
// into being later is not looked at.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "core/sim/model.h"

namespace hazumi {

struct Overlap {
  Id a, b;            ///< ascending
  double depth = 0;   ///< m, of the deepest place
  double energy = 0;  ///< J, what they are given to come apart (constraint/account.h)
  friend bool operator==(const Overlap&, const Overlap&) = default;
};

/// In order of (a, b); pairs that ignore each other or of which none moves are not listed. The same on any number of threads.
std::vector<Overlap> start_overlaps(const Model& model);

struct MovedApart {
  std::vector<std::pair<Id, Vec3>> moves;  ///< m, from where the body is at the start; ascending
  std::vector<Overlap> left;               ///< could not be taken apart; then `moves` is of no use
};

/// The least moves found that take these pairs apart (none named: all), and whatever the moved bodies are pushed into. Both go half
/// of the way where both move; what does not move stays. Bodies are moved, never turned.
MovedApart move_apart(const Model& model, std::span<const std::pair<Id, Id>> pairs = {});

}  // namespace hazumi
