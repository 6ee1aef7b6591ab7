#include "core/motion/document.h"

#include <cmath>
#include <cstdio>

#include "core/motion/classes.h"
#include "core/motion/kinds.h"

namespace hazumi {
namespace {

std::string number_text(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

constexpr std::size_t kMostChoices = 30;  // in a row of a table

/// "off, on"; "0 to 1,000 m/s".
std::string number_range_text(const SettableNumber& number) {
  if (number.is_switch()) return "off, on";
  const std::string unit = number.range.unit.empty() ? "" : " " + std::string(number.range.unit);
  return number_text(number.shown(number.range.low)) + " to " + number_text(number.shown(number.range.high)) + unit;
}

/// As it is shown: angles in degrees.
std::string value_text(const ParameterRow& row, double value) {
  if (row.type == FieldType::boolean) return value != 0 ? "on" : "off";
  if (row.type == FieldType::choice) return std::string(row.choices[static_cast<std::size_t>(value)]);
  const bool turns = row.unit.starts_with("°");
  const std::string unit = row.unit.empty() ? "" : " " + std::string(row.unit);
  return number_text(turns ? std::round(100 * degrees(value)) / 100 : value) + unit;
}

std::string range_text(const ParameterRow& row) {
  if (row.type == FieldType::boolean) return "off, on";
  if (row.type == FieldType::choice && row.choices.size() > kMostChoices) return "see [Numbers](#numbers)";
  if (row.type == FieldType::choice) {
    std::string all;
    for (const std::string_view choice : row.choices) all += (all.empty() ? "" : ", ") + std::string(choice);
    return all;
  }
  return value_text(row, row.low) + " to " + value_text(row, row.high);
}

std::string_view other_text(OtherUse use) {
  switch (use) {
    case OtherUse::none:
      return "";
    case OtherUse::anything:
      return " *With*: an object, a collection, or anything.";
    case OtherUse::thing:
      return " *With*: an object or a collection.";
    case OtherUse::curve:
      return " *With*: a curve.";
    case OtherUse::source:
      return " *With*: a source of particles.";
    case OtherUse::camera:
      return " *With*: a camera.";
    case OtherUse::sound:
      return " *With*: a sound.";
    case OtherUse::marker:
      return " *With*: a marker.";
    case OtherUse::number:
      return " *Of*: what has the number, if not its object or the scene. [Numbers](#numbers) lists them.";
  }
  return "";
}

/// Of which parent it has a row.
std::string from_text(const ProcedureKind* kind, const ParameterRow& row) {
  if (!kind) return "";
  const ProcedureKind& owner = owner_of(*kind, row.name);
  return &owner == kind ? "" : " From *" + std::string(owner.label) + "*.";
}

/// What it is made of, and how it is processed.
std::string class_line(const ProcedureKind& kind) {
  const std::string parents = class_text(kind), processed = processing_text(kind);
  if (processed.empty()) return "";
  return (parents.empty() ? "" : "*Class*: " + parents + ". ") + "*Processed* " + processed + ".\n\n";
}

void add_kind(const MotionKind& kind, std::string& text, const ProcedureKind* procedure = nullptr) {
  text += "### " + std::string(kind.label) + "\n\n`" + std::string(kind.name) + "`, " + std::string(kind.group) + ". " +
          std::string(kind.tooltip) + std::string(other_text(kind.other)) + "\n\n> " + std::string(kind.sentence) +
          "\n\n";
  if (procedure) text += class_line(*procedure);
  if (procedure && procedure->at_once && (!kind.parameters.empty() || kind.other != OtherUse::none))
    text += "Keys count as it starts.\n\n";
  if (kind.parameters.empty()) return;
  text += "| parameter | | default | range | |\n|---|---|---|---|---|\n";
  for (const ParameterRow& row : kind.parameters)
    text += "| `" + std::string(row.name) + "` | " + std::string(row.label) + " | " + value_text(row, row.fallback) +
            " | " + range_text(row) + " | " + std::string(row.tooltip) + from_text(procedure, row) + " |\n";
  text += "\n";
}

}  // namespace

std::string motion_document() {
  std::string text =
      "# Boxes of motion graphs\n\nMade from the tables of core/motion; a test holds it up to date. What graphs mean "
      "is in [Motion "
      "graphs](numerics/motion.md), how they are drawn in the [user guide](user-guide.md#motion-graphs).\n\nIn place "
      "of a "
      "number there may be an expression. All of these may have keys, as tracks whose field is "
      "`event.KIND.PARAMETER` "
      "or `procedure.KIND.PARAMETER`. Keys of ticks and choices step; the value of a choice is its number, the first "
      "being "
      "0. "
      "What a box is about has keys as `event.KIND.with` and `procedure.KIND.with`, whose values are ids, and whether "
      "an "
      "event loops as "
      "`event.KIND.loop`. Only the *Key* of *Marker* and *Over it* have none, as no run reads them.\n\n## Events: "
      "when\n\n";
  for (const EventKind* kind : event_kinds()) add_kind(*kind, text);
  text += "## Procedures: do\n\n";
  for (const ProcedureKind* kind : procedure_kinds()) add_kind(*kind, text, kind);
  text +=
      "## Numbers\n\nWhat *Set* may tell a run: of the [fields](fields.md) that a run reads and keys may change those "
      "that are "
      "numbers, axes of vectors, or switches. Places along which things are led, turns, shapes and the time scale have "
      "procedures or "
      "keys of their own.\n\n| number | | range |\n|---|---|---|\n";
  for (const SettableNumber& number : settable_numbers())
    text += "| `" + std::string(number.word) + "` | " + std::string(number.label) + " | " + number_range_text(number) +
            " |\n";
  text += "\n## Names in expressions\n\n| name | |\n|---|---|\n";
  for (std::size_t i = 0; i < expression_names().size(); ++i)
    text += "| `" + std::string(expression_names()[i]) + "` | " + std::string(expression_help(i)) + " |\n";
  return text;
}

}  // namespace hazumi
