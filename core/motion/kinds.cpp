#include "core/motion/kinds.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <deque>

namespace hazumi {
namespace {

struct OwnedRow {
  const MotionKind* kind;
  MotionRole role;
  const ParameterRow* row;
};

std::span<const OwnedRow> owned_rows() {
  static const std::vector<OwnedRow> all = [] {
    std::vector<OwnedRow> rows;
    for (const EventKind* kind : event_kinds())
      for (const ParameterRow& row : kind->parameters) rows.push_back({kind, MotionRole::event, &row});
    for (const ProcedureKind* kind : procedure_kinds())
      for (const ParameterRow& row : kind->parameters) rows.push_back({kind, MotionRole::procedure, &row});
    return rows;
  }();
  return all;
}

FieldValue get_row(const OwnedRow& owned, const MotionNode& node) {
  const ParameterRow& row = *owned.row;
  const MotionParameter* set = find_parameter(node, row.name);
  double number = set ? set->number : row.fallback;
  if (row.type == FieldType::choice && set) {
    number = -1;
    for (std::size_t i = 0; i < row.choices.size(); ++i)
      if (row.choices[i] == set->word) number = static_cast<double>(i);
  }
  if (row.type == FieldType::boolean) return number != 0;
  if (row.type == FieldType::number) return number;
  return static_cast<std::int64_t>(std::abs(number) < 0x1p53 ? number : -1);
}

void put_row(const OwnedRow& owned, MotionNode& node, const FieldValue& value) {
  const double number = std::holds_alternative<bool>(value) ? (std::get<bool>(value) ? 1 : 0)
                        : std::holds_alternative<std::int64_t>(value)
                            ? static_cast<double>(std::get<std::int64_t>(value))
                            : std::get<double>(value);
  const ParameterRow& row = *owned.row;
  if (number == row.fallback) return remove_parameter(node, row.name);
  MotionParameter parameter{std::string(row.name)};
  if (row.type == FieldType::choice)
    parameter.word = row.choices[static_cast<std::size_t>(number)];
  else
    parameter.number = number;
  set_parameter(node, std::move(parameter));
}

constexpr std::size_t kMostRows = 224;

// A row's functions have no place for what they belong to: one of each for each number of a row. All else is written in a loop:
// as one function of all rows it took a compiler half a minute.
struct RowFunctions {
  decltype(Field<MotionNode>::get) get;
  decltype(Field<MotionNode>::set) set;
  decltype(Field<MotionNode>::shown) shown;
};

template <std::size_t i>
constexpr RowFunctions kFunctionsOf = {
    [](const MotionNode& n) { return get_row(owned_rows()[i], n); },
    [](MotionNode& n, const FieldValue& value) { put_row(owned_rows()[i], n, value); },
    [](const MotionNode& n) { return n.role == owned_rows()[i].role && n.kind == owned_rows()[i].kind->name; }};

template <std::size_t... i>
constexpr std::array<RowFunctions, kMostRows> functions_of_rows(std::index_sequence<i...>) {
  return {kFunctionsOf<i>...};
}
constexpr std::array<RowFunctions, kMostRows> kFunctions = functions_of_rows(std::make_index_sequence<kMostRows>{});

Field<MotionNode> field_of(const OwnedRow& owned, const RowFunctions& functions, std::string_view path) {
  const ParameterRow& row = *owned.row;
  const bool ranged = row.type == FieldType::number || row.type == FieldType::integer;
  return {path,
          row.label,
          owned.kind->label,
          row.unit,
          row.tooltip,
          row.type,
          Effect::look,
          ranged ? row.low : 0,
          ranged                           ? row.high
          : row.type == FieldType::boolean ? 1
                                           : static_cast<double>(row.choices.size()) - 1,
          row.low_open,
          row.step,
          row.choices,
          functions.get,
          functions.set,
          functions.shown};
}

struct NamedValue {
  std::string_view name, unit, help;
};
constexpr NamedValue kNames[] = {
    {"t", "s", "Time of the film, s."},
    {"frame", "frames", "Number of the frame."},
    {"n", "", "How often the event has happened so far."},
    {"since", "s", "Time since the event was armed, s."},
    {"x", "m", "Place of its centre of mass, m."},
    {"y", "m", "Place of its centre of mass, upwards, m."},
    {"z", "m", "Place of its centre of mass, m."},
    {"vx", "m/s", "Velocity of its centre of mass, m/s."},
    {"vy", "m/s", "Velocity of its centre of mass, upwards, m/s."},
    {"vz", "m/s", "Velocity of its centre of mass, m/s."},
    {"speed", "m/s", "Speed of its centre of mass, m/s."},
    {"turning", "rad/s", "How fast it turns, rad/s."},
    {"strain", "", "Largest strain of its springs."},
    {"volume", "m³", "Its volume, m³."},
    {"energy", "J", "Its energy of motion, J."},
    {"distance", "m", "To what it is about, from centre to centre, m."},
    {"impulse", "N s", "Of the collision with which it happened, N s."},
    {"approach", "m/s", "How fast the two met in it, m/s."},
};

}  // namespace

const EventKind* find_event_kind(std::string_view name) {
  for (const EventKind* kind : event_kinds())
    if (kind->name == name) return kind;
  return nullptr;
}

const ProcedureKind* find_procedure_kind(std::string_view name) {
  for (const ProcedureKind* kind : procedure_kinds())
    if (kind->name == name) return kind;
  return nullptr;
}

const MotionKind* kind_of(const MotionNode& node) {
  if (node.role == MotionRole::event) return find_event_kind(node.kind);
  return find_procedure_kind(node.kind);
}

std::span<const Field<MotionNode>> motion_parameter_rows() {
  static std::deque<std::string> paths;  // rows refer to them for good
  static const std::vector<Field<MotionNode>> fields = [] {
    const auto& rows = owned_rows();
    assert(rows.size() <= kMostRows);
    std::vector<Field<MotionNode>> all;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const char* role = rows[i].role == MotionRole::event ? "event" : "procedure";
      paths.push_back(std::string(role) + "." + std::string(rows[i].kind->name) + "." + std::string(rows[i].row->name));
      all.push_back(field_of(rows[i], kFunctions[i], paths.back()));
    }
    return all;
  }();
  return fields;
}

std::span<const std::string_view> expression_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const NamedValue& value : kNames) all.push_back(value.name);
    return all;
  }();
  return names;
}

std::string_view expression_help(std::size_t name) { return kNames[name].help; }

std::string_view expression_unit(std::size_t name) { return kNames[name].unit; }

}  // namespace hazumi
