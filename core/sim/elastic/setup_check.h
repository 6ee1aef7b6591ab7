// What every solver asks of its set-up before it builds anything.
#pragma once

#include <optional>

#include "core/base/diagnostic.h"
#include "core/sim/elastic/solver.h"

namespace hazumi {

/// Nothing when the body can be simulated: at least two nodes; what `needs` names is there; positive finite masses;
/// finite positions within 1e9 m; springs between two different nodes at different places, with stiffness and damping
/// not negative and finite; tetrahedra of positive volume; cells, surface and pins of existing nodes; a finite offset
/// of the rest shape for every node or for none.
std::optional<Diagnostic> check_shape(const ElasticSetup& setup, const ElasticNeeds& needs);
/// … and a positive finite time step.
std::optional<Diagnostic> check_setup(const ElasticSetup& setup, const ElasticNeeds& needs);
/// The same for solvers that hold a shape: a rope has none.
std::optional<Diagnostic> check_shaped(const ElasticSetup& setup, const ElasticNeeds& needs);

/// … one that does not fold (ElasticNeeds::unfolded).
std::optional<Diagnostic> check_unfolded(const ElasticSetup& setup);

}  // namespace hazumi
