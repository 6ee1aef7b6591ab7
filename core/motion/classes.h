// Procedures form classes (thesis 4.3, figure 4.16): a throw is a free fall with a velocity at its start, a bounce a collision of which one side
// does not deform. A child has the rows of its parent: they are written once, and what changes in the parent's table changes in the child. It
// may give a row another default or tooltip, and puts its own in front.
//
//   Gravity ← Free fall ← Throw, Throw at        Collide ← Bounce, Slide, Land        Slide ← Roll        Hold ← Follow a curve
//
// Each is processed dynamically, by forces and impulses that physics works out, or geometrically, by its path (figure 4.6); of some the
// person may choose (row "processing").
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "core/motion/kinds.h"

namespace hazumi {

/// Another default, or another sentence, for a row of the parent.
struct RowChange {
  std::string_view name;
  std::optional<double> fallback = {};
  std::string_view tooltip = {};
};
/// Own rows first, then those of the parent that are not among them, the switch of processing last.
std::vector<ParameterRow> inherited_rows(const ProcedureKind& parent, std::span<const ParameterRow> own,
                                         std::initializer_list<RowChange> changes = {});

inline constexpr std::string_view kProcessings[] = {"dynamically", "geometrically"};
constexpr ParameterRow processing_row(double fallback) {
  return {
      .name = "processing",
      .label = "Processed",
      .tooltip =
          "Dynamically: by physics, as all else. Geometrically: along its path, exactly, whatever fields of force do. "
          "Keys of it count as it starts.",
      .type = FieldType::choice,
      .choices = kProcessings,
      .fallback = fallback};
}

/// Number of the row "processing"; none: the number of rows.
std::size_t processing_of(std::span<const ParameterRow> rows);
/// Of values in the order of the kind's rows.
bool is_geometric(const ProcedureKind& kind, std::span<const double> values);
/// The class from whose table a row is; the kind's own, or one of its parents.
const ProcedureKind& owner_of(const ProcedureKind& kind, std::string_view row);

/// "a free fall, under gravity": its parents, nearest first; empty: it has none.
std::string class_text(const ProcedureKind& kind);
/// "dynamically", "geometrically", "dynamically or geometrically"; empty: it acts on nothing.
std::string processing_text(const ProcedureKind& kind);

// Of the classes that have children.
const ProcedureKind& procedure_collide();
const ProcedureKind& procedure_fall();
const ProcedureKind& procedure_gravity();
const ProcedureKind& procedure_hold();
const ProcedureKind& procedure_slide();

}  // namespace hazumi
