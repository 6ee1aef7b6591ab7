#include "core/motion/kinds.h"

#include <algorithm>
#include <deque>

#include "core/sim/elastic/row_fields.h"

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

struct Rows {
  static constexpr std::size_t kMost = 256;
  static constexpr Effect kEffect = Effect::look;
  static std::span<const OwnedRow> all() { return owned_rows(); }
  static std::string_view path(const OwnedRow& owned) {
    static std::deque<std::string> paths;
    const char* role = owned.role == MotionRole::event ? "event." : "procedure.";
    return paths.emplace_back(role + std::string(owned.kind->name) + "." + std::string(owned.row->name));
  }
  static std::string_view group(const OwnedRow& owned) { return owned.kind->label; }
  static FieldValue get(const OwnedRow& owned, const MotionNode& node) {
    return row_value(*owned.row, find_parameter(node, owned.row->name));
  }
  static void set(const OwnedRow& owned, MotionNode& node, const FieldValue& value) {
    const ParameterRow& row = *owned.row;
    const double number = number_of_row(value);
    if (number == row.fallback) return remove_parameter(node, row.name);
    MotionParameter parameter{std::string(row.name)};
    if (row.type == FieldType::choice)
      parameter.word = row.choices[static_cast<std::size_t>(number)];
    else
      parameter.number = number;
    set_parameter(node, std::move(parameter));
  }
  static bool shown(const OwnedRow& owned, const MotionNode& node) {
    return node.role == owned.role && node.kind == owned.kind->name;
  }
};

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
  static const std::vector<Field<MotionNode>> fields = [] {
    std::vector<Field<MotionNode>> all = fields_of_rows<MotionNode, Rows>();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const OwnedRow& owned = owned_rows()[i];
      // Which number a box tells says what it is about.
      all[i].keyable = !owned.kind->live && !(owned.kind->other == OtherUse::number && owned.row->name == "number");
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
