// The field table of forces.
#include "core/scene/values/field_rows.h"

namespace hazumi {

using namespace rows;

namespace {

bool by_place(const Force& f) { return f.nodes.empty(); }

}  // namespace

// clang-format off

std::span<const Field<Force>> force_fields() {
  using Owner = Force;
  static const std::vector<Field<Force>> table = {
      ROW(name, "Name", "Force", "", kName, look, always,
          "What the force is called in lists and messages."),
      rows::sparse(ROW(visible, "Visible", "Force", "", kNone, look, always,
          "Whether the force's arrow is drawn in the view; one that is hidden pushes all the same.")),
      rows::sparse(ROW(locked, "Locked", "Force", "", kNone, look, always,
          "A locked force cannot be selected by clicking in the viewport.")),
      rows::sparse(ROW(collection, "Collection", "Force", "", kThing, look, never,
          "Id of the collection that the force is in.")),
      rows::keyed(rows::sparse(ROW(on, "On", "Force", "", kNone, motion, always,
          "Off, it pushes nothing."))),
      rows::names_a(Refers::object, ROW(object, "Pushes", "Force", "", kThing, motion, always,
          "The object that it pushes.")),
      ROW(place, "Place", "Force", "m", kAny, motion, by_place,
          "Where it pushes, in the axes of the object before its scale; of what bends it pushes the node that is nearest at the start."),
      rows::keyed(ROW(push, "Force", "Force", "N", kAny, motion, always,
          "How hard it pushes and where to. In the view its arrow is 1 m long where it is the object's weight; drag its tip.")),
      rows::sparse(ROW(own_axes, "Turns with it", "Force", "", kNone, motion, always,
          "The force is in the axes of the object, as it turns, like a jet on it; off, in those of the world, like wind.")),
  };
  return table;
}

// clang-format on

}  // namespace hazumi
