// Parameters that an elastic solver has of its own: one row each, in the solver's file. The rows drive the check before a
// run, the property panel, the command line and the table on the solver's page. The scene keeps the values by name
// (scene/values/solver_parameters.h) and, like the solver's own name, leaves it to this room to say what they mean.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/scene/values/fields.h"

namespace hazumi {

struct ElasticSetup;
struct ElasticSolverInfo;

struct ParameterRow {
  std::string_view name;               ///< in scene files: "beta"
  std::string_view label;              ///< on screen: "Newmark β"
  std::string_view unit = {};          ///< "" for none; "°": shown in degrees, kept in rad
  std::string_view tooltip = {};       ///< one sentence
  FieldType type = FieldType::number;  ///< number, integer, boolean or choice
  double low = 0, high = 0;            ///< allowed range of a number, low itself unless open
  bool low_open = false;
  double step = 0;  ///< of a drag by one pixel-ish; ≤ 0: proportional to the value
  std::span<const std::string_view> choices = {};
  double fallback = 0;  ///< default; of a choice the number of the entry, of a tick 0 or 1
};

/// The solver's values in the order of its rows, choices as numbers of their entries. A word or number that the row
/// does not allow is an error; a name that the solver does not have a warning.
Result<std::vector<double>> read_parameters(const ElasticSolverInfo& info, const SolverParameters& all);

/// The value of row `index`: what the set-up says, or the default where it says nothing.
double parameter(const ElasticSetup& setup, std::span<const ParameterRow> rows, std::size_t index);

/// The rows of all solvers as fields of an object: shown, checked and edited like those of the field table. Setting the
/// default removes the value from the scene. "body.parameters.lagrange.beta".
std::span<const Field<Object>> elastic_parameter_fields();

}  // namespace hazumi
