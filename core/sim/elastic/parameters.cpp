#include "core/sim/elastic/parameters.h"

#include <array>
#include <cassert>
#include <cmath>
#include <deque>

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

double high_of(const ParameterRow& row) {
  return row.type == FieldType::choice    ? static_cast<double>(row.choices.size()) - 1
         : row.type == FieldType::boolean ? 1
                                          : row.high;
}

/// As the field table holds it; a word that is no choice: −1.
FieldValue field_value(const ParameterRow& row, const SolverParameter* set) {
  double number = set == nullptr ? row.fallback : set->number;
  if (row.type == FieldType::choice && set != nullptr) {
    number = -1;
    for (std::size_t i = 0; i < row.choices.size(); ++i)
      if (row.choices[i] == set->word) number = static_cast<double>(i);
  }
  if (row.type == FieldType::boolean) return number != 0;
  if (row.type == FieldType::number) return number;
  return static_cast<std::int64_t>(std::abs(number) < 0x1p53 ? number : -1);
}

double number_of(const FieldValue& value) {
  if (const auto* tick = std::get_if<bool>(&value)) return *tick;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

FieldValue get_parameter(const OwnedRow& owned, const Object& object) {
  return field_value(*owned.row, find_parameter(object.body.parameters, owned.info->name, owned.row->name));
}

void put_parameter(const OwnedRow& owned, Object& object, const FieldValue& value) {
  const double number = number_of(value);
  if (number == owned.row->fallback) return remove_parameter(object.body.parameters, owned.info->name, owned.row->name);
  SolverParameter parameter{std::string(owned.info->name), std::string(owned.row->name)};
  if (owned.row->type == FieldType::choice)
    parameter.word = owned.row->choices[static_cast<std::size_t>(number)];
  else
    parameter.number = number;
  set_parameter(object.body.parameters, std::move(parameter));
}

/// A row's functions have no place for what they belong to: one of each for each number of a row. All else is written in a loop:
/// as one function of all rows it took compilers seconds.
constexpr std::size_t kMostRows = 64;

struct RowFunctions {
  decltype(Field<Object>::get) get;
  decltype(Field<Object>::set) set;
  decltype(Field<Object>::shown) shown;
};

template <std::size_t i>
constexpr RowFunctions kFunctionsOf = {
    [](const Object& o) { return get_parameter(owned_rows()[i], o); },
    [](Object& o, const FieldValue& value) { put_parameter(owned_rows()[i], o, value); },
    [](const Object& o) { return body_kind(o.body.kind).deforms && o.body.solver == owned_rows()[i].info->name; }};

template <std::size_t... i>
constexpr std::array<RowFunctions, kMostRows> functions_of_rows(std::index_sequence<i...>) {
  return {kFunctionsOf<i>...};
}
constexpr std::array<RowFunctions, kMostRows> kFunctions = functions_of_rows(std::make_index_sequence<kMostRows>{});

Field<Object> field_of(const OwnedRow& owned, const RowFunctions& functions, std::string_view path) {
  const ParameterRow& row = *owned.row;
  return {path,
          row.label,
          owned.info->label,
          row.unit,
          row.tooltip,
          row.type,
          Effect::motion,
          row.type == FieldType::number || row.type == FieldType::integer ? row.low : 0,
          high_of(row),
          row.low_open,
          row.step,
          row.choices,
          functions.get,
          functions.set,
          functions.shown};
}

}  // namespace

std::span<const Field<Object>> elastic_parameter_fields() {
  static std::deque<std::string> paths;  // rows refer to them for good
  static const std::vector<Field<Object>> fields = [] {
    const auto& rows = owned_rows();
    assert(rows.size() <= kMostRows);
    std::vector<Field<Object>> all;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      paths.push_back("body.parameters." + std::string(rows[i].info->name) + "." + std::string(rows[i].row->name));
      all.push_back(field_of(rows[i], kFunctions[i], paths.back()));
    }
    return all;
  }();
  return fields;
}

Result<std::vector<double>> read_parameters(const ElasticSolverInfo& info, const SolverParameters& all) {
  Diagnostics problems;
  std::vector<double> values;
  for (const ParameterRow& row : info.parameters) {
    const SolverParameter* set = find_parameter(all, info.name, row.name);
    const std::string path = "body.parameters." + std::string(info.name) + "." + std::string(row.name);
    const Field<Object>* field = find_field(elastic_parameter_fields(), path);
    const FieldValue value = field_value(row, set);
    std::string problem = field_problem(*field, value);
    if (problem.empty() && set != nullptr && row.type != FieldType::choice) {
      if (!set->word.empty())
        problem = std::string(row.label) + " must be a number.";
      else if (number_of(value) != set->number)
        problem =
            std::string(row.label) + (row.type == FieldType::boolean ? " must be 0 or 1." : " must be a whole number.");
    }
    if (!problem.empty())
      problems.push_back({Severity::error, path, std::move(problem), "Set it under " + std::string(info.label) + "."});
    values.push_back(number_of(value));
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
