// The boxes of motion graphs (spec 7.3): events ("when") and procedures ("do") of an object or of each object of a collection, and the
// wires between them. What kinds there are, and what their parameters mean, says core/motion/kinds.h, which a scene cannot see: boxes of
// kinds that nobody knows are kept, and so are their parameters.
//
//   event → procedure, case, event   when it happens, procedures start and events are armed; of its cases the first that holds does the same
//   procedure → event                that event is armed when the procedure starts
//   event ↔ event                    related: when one happens, the other is disarmed; drawn once, meant both ways
// An event that no wire leads to is armed from the start.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/id.h"
#include "core/base/kept.h"

namespace hazumi {

enum class MotionRole { event, procedure };

/// A parameter that is not as by default.
struct MotionParameter {
  std::string name;  ///< "above"
  std::string word =
      {};  ///< of a choice its word; of a number an expression (core/math/expression.h); empty: `number` counts
  double number = 0;  ///< in the parameter's unit; ticks: 0, 1
  Kept kept = {};
  friend bool operator==(const MotionParameter&, const MotionParameter&) = default;
};

struct MotionWire {
  std::uint64_t to = 0;  ///< id of a box
  bool related = false;
  friend bool operator==(const MotionWire&, const MotionWire&) = default;
};

struct MotionNode {
  Id id;
  std::string name;     ///< a person's own; empty: as its kind is called
  bool visible = true;  ///< it is used
  MotionRole role = MotionRole::event;
  std::string kind = "time";  ///< EventKind::name or ProcedureKind::name
  std::uint64_t object = 0;   ///< id of whose motion it is: an object, or a collection: each of its objects by itself
  std::uint64_t other = 0;    ///< id of what else it is about: an object, a collection, a curve; 0: anything
  std::string condition;      ///< an expression that must hold too; empty: it does
  bool loop = false;          ///< events: stays armed when it happens
  double x = 0, y = 0;        ///< place in the editor
  std::string group;          ///< those of one name have a frame round them in the editor; empty: it is in none
  std::vector<MotionParameter> parameters;  ///< no two of a name
  std::vector<MotionWire> wires;            ///< in the order in which cases are tried
  Kept kept;
};

/// Null: as by default.
const MotionParameter* find_parameter(const MotionNode& node, std::string_view name);
/// Puts it in the place of one of that name.
void set_parameter(MotionNode& node, MotionParameter parameter);
void remove_parameter(MotionNode& node, std::string_view name);

}  // namespace hazumi
