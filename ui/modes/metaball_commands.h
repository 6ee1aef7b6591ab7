// What menus, keys and the metaball panel do to the selected metaballs. Each is one undo step.
#pragma once

#include "core/geometry/metaball/catalogue.h"
#include "ui/modes/mode.h"

namespace hazumi {

enum class MetaballStart { primitive, figure, animal };

/// In metaball mode: one more primitive of the group, beside the active one and selected. Else: a new object, its mode on.
Id add_metaballs(UiContext& context, MetaballStart start, MetaballKind kind = MetaballKind::ball);
/// Copies on the other side of a plane of the object's frame become the selection. What lies in the plane is not copied.
void mirror_metaballs(UiContext& context, int axis);
void snap_metaballs(UiContext& context);
/// Sign of the weights.
void carve_metaballs(UiContext& context, bool carve);
/// Of the active object, whether the mode is on or not.
void use_own_colours(UiContext& context, bool on);

}  // namespace hazumi
