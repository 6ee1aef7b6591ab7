#include "core/motion/kinds.h"

#include <algorithm>
#include <deque>

#include "core/sim/elastic/row_fields.h"

namespace hazumi {
namespace {

/// Of the kind's own parameters, or of what every box has.
enum class RowOf { parameter, with, loop };

struct OwnedRow {
  const MotionKind* kind;
  MotionRole role;
  const ParameterRow* row;
  RowOf of = RowOf::parameter;
};

constexpr ParameterRow with_row(std::string_view label, std::string_view tooltip) {
  return {.name = kWithRow,
          .label = label,
          .tooltip = tooltip,
          .type = FieldType::integer,
          .low = 0,
          .high = 9007199254740992.0};
}

/// What `other` is called.
const ParameterRow& row_of_other(OtherUse use) {
  static constexpr ParameterRow with =
      with_row("With", "What else it is about: an object or a collection; none: anything.");
  static constexpr ParameterRow curve = with_row("Curve", "Along which curve."),
                                source = with_row("Source", "Which source of particles."),
                                camera = with_row("Camera", "Which camera."), sound = with_row("Sound", "Which sound."),
                                marker = with_row("Marker", "Which marker, with all of its name."),
                                number = with_row("Number of", "What has the number; none: its object, or the scene.");
  switch (use) {
    case OtherUse::curve:
      return curve;
    case OtherUse::source:
      return source;
    case OtherUse::camera:
      return camera;
    case OtherUse::sound:
      return sound;
    case OtherUse::marker:
      return marker;
    case OtherUse::number:
      return number;
    default:
      return with;
  }
}

constexpr ParameterRow kLoopRow = {.name = "loop",
                                   .label = "Loop",
                                   .tooltip =
                                       "It happens each time; off, it happens once and then waits until "
                                       "something arms it again.",
                                   .type = FieldType::boolean};

std::span<const OwnedRow> owned_rows() {
  static const std::vector<OwnedRow> all = [] {
    std::vector<OwnedRow> rows;
    const auto add = [&](const MotionKind& kind, MotionRole role) {
      if (kind.other != OtherUse::none) rows.push_back({&kind, role, &row_of_other(kind.other), RowOf::with});
      for (const ParameterRow& row : kind.parameters) rows.push_back({&kind, role, &row});
    };
    for (const EventKind* kind : event_kinds()) {
      add(*kind, MotionRole::event);
      if (!kind->is_case) rows.push_back({kind, MotionRole::event, &kLoopRow, RowOf::loop});
    }
    for (const ProcedureKind* kind : procedure_kinds()) add(*kind, MotionRole::procedure);
    return rows;
  }();
  return all;
}

struct Rows {
  static constexpr std::size_t kMost = 384;
  static constexpr Effect kEffect = Effect::look;
  static std::span<const OwnedRow> all() { return owned_rows(); }
  static std::string_view path(const OwnedRow& owned) {
    static std::deque<std::string> paths;
    const char* role = owned.role == MotionRole::event ? "event." : "procedure.";
    return paths.emplace_back(role + std::string(owned.kind->name) + "." + std::string(owned.row->name));
  }
  static std::string_view group(const OwnedRow& owned) { return owned.kind->label; }
  static FieldValue get(const OwnedRow& owned, const MotionNode& node) {
    if (owned.of == RowOf::loop) return node.loop;
    if (owned.of == RowOf::with) return static_cast<std::int64_t>(std::min(node.other, std::uint64_t{1} << 53));
    return row_value(*owned.row, find_parameter(node, owned.row->name));
  }
  static void set(const OwnedRow& owned, MotionNode& node, const FieldValue& value) {
    const ParameterRow& row = *owned.row;
    if (owned.of == RowOf::loop) return void(node.loop = std::get<bool>(value));
    if (owned.of == RowOf::with) return void(node.other = static_cast<std::uint64_t>(std::get<std::int64_t>(value)));
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
      all[i].keyable = !owned.kind->live || owned.of != RowOf::parameter;
      if (owned.of == RowOf::with) all[i].refers = Refers::thing;
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
