// Select: click, Shift+click, box. No gizmo, so nothing is in the way.
#include "ui/tools/tool.h"

namespace hazumi {

const ToolInfo& tool_select() {
  static const ToolInfo info{"select",
                             "Select",
                             "select",
                             "Click selects, Shift+click adds, drag draws a box (Ctrl takes away).",
                             0,
                             false,
                             TransformMode::move,
                             nullptr};
  return info;
}

}  // namespace hazumi
