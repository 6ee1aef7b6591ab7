// Pairs of nodes of a strung truss that are near to each other, or to each other's mirror image, found over a
// grid of cells so that it costs about the number of nodes.
#pragma once

#include <functional>

#include "core/geometry/truss/edit.h"

namespace hazumi {

/// Symmetric partners of all nodes at once: the same as symmetric_partner() for each.
class SymmetricPairs {
 public:
  SymmetricPairs(const StrungTruss& truss, const TrussSymmetry& symmetry);
  /// The node itself in the plane; kNoNode when there is none.
  std::uint32_t partner(std::uint32_t node) const { return partner_[node]; }

 private:
  std::vector<std::uint32_t> partner_;
};

/// Calls with every pair a < b at most `distance` m apart, in ascending order of (a, b).
void for_near_pairs(const StrungTruss& truss, double distance,
                    const std::function<void(std::uint32_t, std::uint32_t)>& call);

}  // namespace hazumi
