// Mouse tools of the curve mode.
#pragma once

#include <memory>
#include <vector>

#include "core/geometry/curve/curve.h"
#include "ui/modes/mode.h"

namespace hazumi {

namespace curve_element {
inline constexpr std::uint8_t point = 0, in = 1, out = 2;  ///< numbers: place in CurveShape::points
}

/// To be drawn over everything.
DrawLines course_lines(const ModeView& view, const std::vector<CurvePiece>& pieces, const glm::vec4& colour);

/// Clicks add points at the end of the curve. Of a curve that has one point only the first click says where that lies.
std::unique_ptr<ModeToolRun> start_draw_curve(const ModeContext& context);

/// A new curve of one point, selected, its mode on; what is drawn next is its course. None when the scene cannot take it.
Id begin_curve(UiContext& context, CurveKind kind);

}  // namespace hazumi
