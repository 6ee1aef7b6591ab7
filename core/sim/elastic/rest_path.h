// Physics-directed way of a rest shape from one pose to another (Kondo, Kanai and Anjyo 2004, section 4; spec 5.4): the body lies in p,
// its rest shape is q, and it relaxes, velocities cleared in every step, no outer force. What it goes through is recorded and laid out
// evenly in the distance that it travels.
//
// It relaxes by ẋ ∝ −K⁻¹ ∂E/∂x, on which every mode comes nearer by the same share in the same time. (By M ẍ = −∂E/∂x with velocities
// cleared, as in the paper, stiff modes are there long before soft ones have begun, and a long bar takes thousands of steps.) By finite
// elements where the model has some, else by polyhedral ones, whatever solver the object has.
#pragma once

#include <span>
#include <vector>

#include "core/sim/elastic/solver.h"

namespace hazumi {

/// `count` + 1 ≥ 2 shapes from p to q, object frame, m, without the motion of the whole: each is turned and moved to fit the nodes of the
/// set-up. Where nothing relaxes from p to q (poses that no element can have), or where `directed` is false: along straight lines.
std::vector<std::vector<Vec3>> rest_path(const ElasticSetup& setup, std::span<const Vec3> p, std::span<const Vec3> q,
                                         int count, bool directed);

}  // namespace hazumi
