// The tools of the truss mode: nodes by click, springs by dragging from node to node, cutting, and the brush.
#pragma once

#include "ui/modes/mode.h"

namespace hazumi {

std::unique_ptr<ModeToolRun> start_add_nodes(const ModeContext& context);
std::unique_ptr<ModeToolRun> start_string_springs(const ModeContext& context);
std::unique_ptr<ModeToolRun> start_cut_springs(const ModeContext& context);
std::unique_ptr<ModeToolRun> start_truss_brush(const ModeContext& context);

/// Where a tool means without a surface under the mouse: on the plane through `through` (object frame) that faces the eye.
/// None when that lies behind the eye.
std::optional<Vec3> place_in_view(const ModeContext& context, const ModePointer& pointer, const Vec3& through);

}  // namespace hazumi
