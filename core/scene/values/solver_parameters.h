// What a person set of an elastic solver's own parameters. The scene keeps names and values only: which parameters a
// solver has, their ranges and defaults are in its table (sim/elastic/parameters.h), which a scene cannot see. So
// parameters that nobody knows are kept and written back, and so are those of a solver that was switched away from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/kept.h"

namespace hazumi {

/// A parameter that is not as by default.
struct SolverParameter {
  std::string solver, name;  ///< "lagrange", "beta"
  std::string word = {};     ///< of a choice; empty: `number` counts
  double number = 0;         ///< in the parameter's unit; ticks: 0, 1
  Kept kept = {};
  friend bool operator==(const SolverParameter&, const SolverParameter&) = default;
};

/// Ascending in solver, then name; no two are the same parameter.
using SolverParameters = std::vector<SolverParameter>;

/// Null: as by default.
const SolverParameter* find_parameter(const SolverParameters& all, std::string_view solver, std::string_view name);
void set_parameter(SolverParameters& all, SolverParameter parameter);
void remove_parameter(SolverParameters& all, std::string_view solver, std::string_view name);
void sort_parameters(SolverParameters& all);
/// Of what that solver reads.
std::uint64_t parameters_hash(const SolverParameters& all, std::string_view solver);

}  // namespace hazumi
