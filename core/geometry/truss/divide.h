// A spring strung finer: n equal springs with new nodes between them in place of one.
#pragma once

#include "core/geometry/truss/edit.h"

namespace hazumi {

inline constexpr int kMostParts = 64;

/// What gives a spring its stiffness (BodySettings::stiffness_source).
enum class StiffnessRule {
  given,   ///< factor × the body's stiffness
  length,  ///< factor × E A / l: a shorter one is stiffer by itself
};

/// Each of the springs becomes `parts` (2 … kMostParts, else nothing is changed) of equal length. Together
/// they are as stiff and as damped as the one was: n springs of n k (n c) in a row have k (c). The body keeps
/// its mass and, for each spring, its centre: a node's mass belongs in equal shares to the springs that meet
/// there; of the smaller of its two ends' shares, s, a uniform rod of 2 s is made: 2 s / n for each new node,
/// s / n stays at either end. New nodes are not pinned. The hull and tetrahedra stay as they are. `selected`:
/// the new nodes.
TrussEdit divide_springs(const StrungTruss& truss, const SpringSelection& springs, int parts, StiffnessRule rule,
                         const OptionalSymmetry& symmetry = {});

}  // namespace hazumi
