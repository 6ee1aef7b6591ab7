// The tools of the bones mode: bones drawn by dragging, and weights painted over the model.
#pragma once

#include "ui/modes/mode.h"

namespace hazumi {

std::unique_ptr<ModeToolRun> start_draw_bones(const ModeContext& context);
std::unique_ptr<ModeToolRun> start_weight_brush(const ModeContext& context);

}  // namespace hazumi
