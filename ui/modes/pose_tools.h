// The hands of the poses mode: grab, smooth, twist, bend, and the brush of groups.
#pragma once

#include "ui/modes/mode.h"

namespace hazumi {

std::unique_ptr<ModeToolRun> start_grab_pose(const ModeContext& context);
std::unique_ptr<ModeToolRun> start_smooth_pose(const ModeContext& context);
std::unique_ptr<ModeToolRun> start_twist_pose(const ModeContext& context);
std::unique_ptr<ModeToolRun> start_curve_pose(const ModeContext& context);
std::unique_ptr<ModeToolRun> start_bend_pose(const ModeContext& context);
std::unique_ptr<ModeToolRun> start_paint_groups(const ModeContext& context);

}  // namespace hazumi
