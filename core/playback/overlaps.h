// Bodies that overlap where a run begins: which, how deep, what the run gives them to come apart, and where they would have to stand
// so that none does. Shapes are looked at as they stand at time 0, by the narrow phase of a run (contact/narrow.h); what comes
// into being later is not looked at.
#pragma once

#include <functional>
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

/// Of the slop: an overlap that is worth telling, 5e-3 of the reach of the smaller body, 1/400 of its width. Less is not seen (a
/// pixel of a body that is drawn 400 pixels wide), and the energy that it gives, weight × depth, is not felt: 1/400 of what lifts
/// the two by that width. So things that were set down by hand, or lie on a surface of flat pieces, are not complained of (the ball
/// of loop.json is 0.39 mm, 52 slops, in its lane); the run separates and books them all the same.
inline constexpr double kToldOverlap = 100;

/// Deeper than `slops`, in order of (a, b); pairs that ignore each other or of which none moves are not listed. What keys or a curve lead
/// at the start does not move, and weighs nothing in the energy. The same on any number of threads.
std::vector<Overlap> start_overlaps(const Model& model, double slops = kToldOverlap);

struct MovedApart {
  std::vector<std::pair<Id, Vec3>> moves;  ///< m, from where the body is at the start; ascending
  std::vector<Overlap> left;               ///< could not be taken apart; then `moves` is of no use
  bool cancelled = false;                  ///< then both are of no use
};

/// The least moves found that take these pairs apart (none named: all, also those that are too shallow to be told of), and whatever
/// the moved bodies are pushed into. Both go half of the way where both move; what does not move stays. Bodies are moved, never
/// turned.
/// `go_on` is asked often, with how many pairs the last sweep found; where it says no, that is the end.
MovedApart move_apart(const Model& model, std::span<const std::pair<Id, Id>> pairs = {},
                      const std::function<bool(std::size_t left)>& go_on = {});

}  // namespace hazumi
