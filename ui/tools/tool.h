// A tool of the viewport: one file per tool in this folder, found by a generated table (file NAME.cpp defines
// tool_NAME()). A tool says what its gizmo looks like on the screen and what each handle does; painting, hovering,
// picking and dragging are the same for all (gizmo.h, transform_gesture.h). Stateless.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ui/tools/gizmo.h"

namespace hazumi {

struct ToolInfo {
  std::string_view id;     ///< "move"
  std::string_view title;  ///< "Move"
  std::string_view icon;   ///< file in assets/icons without .svg
  std::string_view tip;    ///< one sentence: tooltip and hint line
  int order;               ///< in the tool bar
  bool transforms;         ///< false: selects only; `mode` is not used
  TransformMode mode;      ///< what dragging a handle, or an object, does
  /// Handles of the gizmo at a place of the view; null: this tool has none.
  std::vector<GizmoHandle> (*handles)(const GizmoView& view);
};

/// Ascending `order` is up to the reader; the table is sorted by file name.
std::span<const ToolInfo* const> tools();

}  // namespace hazumi
