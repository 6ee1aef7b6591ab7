// Mass, centre, momenta and energy of motion of what is made of nodes.
#pragma once

#include "core/sim/elastic/solver.h"

namespace hazumi {

/// The rest of the observables is for its solver to fill in. `masses`: kg, of its nodes; `total`: their sum.
Observables momenta_of(const ElasticSolver& solver, std::span<const double> state, std::span<const double> masses,
                       double total);

}  // namespace hazumi
