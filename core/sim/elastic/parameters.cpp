#include "core/sim/elastic/parameters.h"

#include <cassert>
#include <deque>

#include "core/sim/elastic/row_fields.h"
#include "core/sim/elastic/solver.h"

namespace hazumi {

namespace {

struct OwnedRow {
  const ElasticSolverInfo* info;
  const ParameterRow* row;
};

/// Rows of all solvers, one after the other.
std::span<const OwnedRow> owned_rows() {
  static const std::vector<OwnedRow> all = [] {
    std::vector<OwnedRow> rows;
    for (const ElasticSolverInfo* info : elastic_solvers())
      for (const ParameterRow& row : info->parameters) rows.push_back({info, &row});
    return rows;
  }();
  return all;
}

FieldValue get_parameter(const OwnedRow& owned, const Object& object) {
  return row_value(*owned.row, find_parameter(object.body.parameters, owned.info->name, owned.row->name));
}

void put_parameter(const OwnedRow& owned, Object& object, const FieldValue& value) {
  const double number = number_of_row(value);
  if (number == owned.row->fallback) return remove_parameter(object.body.parameters, owned.info->name, owned.row->name);
  SolverParameter parameter{std::string(owned.info->name), std::string(owned.row->name)};
  if (owned.row->type == FieldType::choice)
    parameter.word = owned.row->choices[static_cast<std::size_t>(number)];
  else
    parameter.number = number;
  set_parameter(object.body.parameters, std::move(parameter));
}

struct Rows {
  static constexpr std::size_t kMost = 64;
  static constexpr Effect kEffect = Effect::motion;
  static std::span<const OwnedRow> all() { return owned_rows(); }
  static std::string_view path(const OwnedRow& owned) {
    static std::deque<std::string> paths;
    return paths.emplace_back("body.parameters." + std::string(owned.info->name) + "." + std::string(owned.row->name));
  }
  static std::string_view group(const OwnedRow& owned) { return owned.info->label; }
  static FieldValue get(const OwnedRow& owned, const Object& o) { return get_parameter(owned, o); }
  static void set(const OwnedRow& owned, Object& o, const FieldValue& value) { put_parameter(owned, o, value); }
  static bool shown(const OwnedRow& owned, const Object& o) {
    return body_kind(o.body.kind).deforms && o.body.solver == owned.info->name;
  }
};

}  // namespace

std::span<const Field<Object>> elastic_parameter_fields() {
  static const std::vector<Field<Object>> fields = fields_of_rows<Object, Rows>();
  return fields;
}

Result<std::vector<double>> read_parameters(const ElasticSolverInfo& info, const SolverParameters& all) {
  Diagnostics problems;
  std::vector<double> values;
  for (const ParameterRow& row : info.parameters) {
    const SolverParameter* set = find_parameter(all, info.name, row.name);
    const std::string path = "body.parameters." + std::string(info.name) + "." + std::string(row.name);
    const Field<Object>* field = find_field(elastic_parameter_fields(), path);
    const FieldValue value = row_value(row, set);
    std::string problem = field_problem(*field, value);
    if (problem.empty() && set != nullptr && row.type != FieldType::choice) {
      if (!set->word.empty())
        problem = std::string(row.label) + " must be a number.";
      else if (number_of_row(value) != set->number)
        problem =
            std::string(row.label) + (row.type == FieldType::boolean ? " must be 0 or 1." : " must be a whole number.");
    }
    if (!problem.empty())
      problems.push_back({Severity::error, path, std::move(problem), "Set it under " + std::string(info.label) + "."});
    values.push_back(number_of_row(value));
  }
  for (const SolverParameter& set : all) {
    if (set.solver != info.name) continue;
    bool known = false;
    for (const ParameterRow& row : info.parameters) known = known || row.name == set.name;
    if (!known)
      problems.push_back({Severity::warning, "body.parameters",
                          "The solver \"" + set.solver + "\" has no parameter \"" + set.name + "\"; it does nothing.",
                          "It is kept in the file; remove it there if it is a slip."});
  }
  if (has_error(problems)) return problems;
  return {std::move(values), std::move(problems)};
}

double parameter(const ElasticSetup& setup, std::span<const ParameterRow> rows, std::size_t index) {
  assert(index < rows.size());
  return index < setup.parameters.size() ? setup.parameters[index] : rows[index].fallback;
}

}  // namespace hazumi
