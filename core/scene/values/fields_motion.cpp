// The field tables of boxes of motion graphs and of their parameters, which a run reads by derived/motion_rules.h, and of takes.
#include <algorithm>

#include "core/scene/values/field_rows.h"

namespace hazumi {

using namespace rows;

namespace {

bool is_event(const MotionNode& n) { return n.role == MotionRole::event; }
constexpr Range kWords{0, 4000};
constexpr Range kOwnName{0, 200};

}  // namespace

// clang-format off

std::span<const Field<MotionNode>> motion_fields() {
  using Owner = MotionNode;
  static const std::vector<Field<MotionNode>> table = {
      rows::sparse(ROW(name, "Name", "Motion", "", kOwnName, look, always,
          "What the box is called; empty: as its kind is.")),
      rows::sparse(ROW(visible, "Used", "Motion", "", kNone, look, always,
          "Off, the box does nothing, and neither does what only it leads to.")),
      ROW(role, "Role", "Motion", "", kNone, look, never,
          "Event: when something is to happen. Procedure: what is to happen."),
      ROW(kind, "Kind", "Motion", "", kName, look, never,
          "Which event or procedure it is; kinds that the program does not know are kept and do nothing."),
      ROW(object, "Of", "Motion", "", kThing, look, always,
          "Whose motion it is: an object, or a collection, each object of which has it by itself."),
      rows::sparse(ROW(other, "With", "Motion", "", kThing, look, always,
          "What else it is about: an object, a collection or a curve; none: anything.")),
      rows::sparse(ROW(condition, "Only if", "Motion", "", kWords, look, is_event,
          "An expression that must hold too, such as speed > 2 and n < 3; empty: nothing more is asked.")),
      rows::sparse(ROW(loop, "Loop", "Motion", "", kNone, look, is_event,
          "It happens each time; off, it happens once and then waits until something arms it again.")),
      rows::sparse(ROW(x, "X", "Motion", "", kAny, look, never, "Place of the box in the editor, to the right.")),
      rows::sparse(ROW(y, "Y", "Motion", "", kAny, look, never, "Place of the box in the editor, downwards.")),
      rows::sparse(ROW(group, "Group", "Motion", "", kOwnName, look, never,
          "Boxes of one group have a frame with its name round them in the editor, and are moved by it.")),
  };
  return table;
}

std::span<const Field<MotionParameter>> motion_parameter_fields() {
  using Owner = MotionParameter;
  static const std::vector<Field<MotionParameter>> table = rows::all_sparse<MotionParameter>({
      ROW(name, "Name", "Parameter", "", kName, look, always,
          "The parameter's name in the table of its kind; names that the program does not know are kept."),
      ROW(word, "Word", "Parameter", "", kWords, look, always,
          "Of a choice: what is chosen. Of a number: an expression; empty: the number counts."),
      ROW(number, "Number", "Parameter", "", (Range{-1e300, 1e300}), look, always,
          "Of a parameter that is a number: its value in the parameter's unit; 0 and 1 for no and yes."),
  });
  return table;
}

std::span<const Field<Take>> take_fields() {
  using Owner = Take;
  static const std::vector<Field<Take>> table = {
      ROW(name, "Name", "Take", "", kName, look, always,
          "What the take is called."),
      rows::sparse(ROW(visible, "On the wall", "Take", "", kNone, look, always,
          "Whether the take plays on the wall of takes.")),
      rows::sparse(ROW(current, "Current", "Take", "", kNone, look, never,
          "The scene's own keys, motion graph and numbers are this take's; of the others the file says what is not as there.")),
  };
  return table;
}

// clang-format on

const MotionParameter* find_parameter(const MotionNode& node, std::string_view name) {
  const auto at = std::find_if(node.parameters.begin(), node.parameters.end(),
                               [&](const MotionParameter& p) { return p.name == name; });
  return at == node.parameters.end() ? nullptr : &*at;
}

void set_parameter(MotionNode& node, MotionParameter parameter) {
  for (MotionParameter& own : node.parameters)
    if (own.name == parameter.name) {
      own = std::move(parameter);
      return;
    }
  node.parameters.push_back(std::move(parameter));
}

void remove_parameter(MotionNode& node, std::string_view name) {
  std::erase_if(node.parameters, [&](const MotionParameter& p) { return p.name == name; });
}

}  // namespace hazumi
