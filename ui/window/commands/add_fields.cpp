// New fields of force.
#include "ui/model/context.h"
#include "ui/model/field_commands.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

namespace {

template <FieldKind kind>
void add_field_of(UiContext& c) {
  add_field(c.document, c.selection, kind);
}

}  // namespace

const CommandTable& commands_add_fields() {
  static const Command rows[] = {
      {"add.field_wind", "&Wind", "field_wind", "", "Add/Field", "Add air that blows, with gusts when they are set.",
       &add_field_of<FieldKind::wind>},
      {"add.field_drag", "&Drag", "field_drag", "", "Add/Field", "Add a field that slows what moves in it.",
       &add_field_of<FieldKind::drag>},
      {"add.field_vortex", "&Vortex", "field_vortex", "", "Add/Field", "Add air that goes round an axis.",
       &add_field_of<FieldKind::vortex>},
      {"add.field_attractor", "&Attractor", "field_attractor", "", "Add/Field",
       "Add a place that pulls everything to it, as hard from anywhere.", &add_field_of<FieldKind::attractor>},
      {"add.field_water", "Wa&ter", "field_water", "", "Add/Field",
       "Add water: what is below its surface is lifted and slowed.", &add_field_of<FieldKind::water>},
      {"add.field_gravity", "&Gravity", "field_gravity", "", "Add/Field",
       "Add a pull in one direction, besides the scene's gravity.", &add_field_of<FieldKind::gravity>},
      {"add.field_point_gravity", "&Point Gravity", "field_point_gravity", "", "Add/Field",
       "Add a place that pulls as a planet does, harder from near.", &add_field_of<FieldKind::point_gravity>},
  };
  static const CommandTable table{3, rows};
  return table;
}

}  // namespace hazumi
