// Mouse tools of the curve mode.
#pragma once

#include <memory>

#include "ui/modes/mode.h"

namespace hazumi {

namespace curve_element {
inline constexpr std::uint8_t point = 0, in = 1, out = 2;  ///< numbers: place in CurveShape::points
}

/// Clicks add points at the end of the curve.
std::unique_ptr<ModeToolRun> start_draw_curve(const ModeContext& context);

}  // namespace hazumi
