// What every solver that stands on a truss asks of it before it builds anything.
#pragma once

#include <optional>

#include "core/base/diagnostic.h"
#include "core/sim/elastic/solver.h"

namespace hazumi {

/// Nothing when the set-up can be simulated: at least two nodes and one spring, positive finite masses,
/// finite positions within 1e9 m, springs between two different nodes at different places with stiffness and
/// damping not negative and finite, hull triangles of existing nodes, a positive finite time step.
std::optional<Diagnostic> check_truss(const ElasticSetup& setup);

}  // namespace hazumi
