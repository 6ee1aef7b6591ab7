// From an object and its analysis model to what a solver is made of.
#pragma once

#include <optional>
#include <string>

#include "core/sim/elastic/solver.h"

namespace hazumi {

/// Everything that a truss has; water-like substance, no parameters.
ElasticSetup setup_of_truss(const Truss& truss, double time_step);
/// `truss`: of the object with its scale, as object_truss() gives it. Fails for parameters that the solver's table does
/// not allow; warns of those that it does not have.
Result<ElasticSetup> setup_of_object(const ElasticSolverInfo& info, const Object& object, const Truss& truss,
                                     double time_step);

/// Why a body of that analysis model cannot bend by the solver, as far as that follows from what it is made of: one sentence. Nothing: it can.
/// What only the numbers say, as of a matrix that cannot be factored, is told when the solver is made; masses do not count.
std::optional<std::string> solver_problem(const ElasticSolverInfo& info, const Object& object, const Truss& truss);

}  // namespace hazumi
