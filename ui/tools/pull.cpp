// Pull: the mouse takes hold of a body while it runs (ui/viewport/pull_view.h).
#include "ui/tools/tool.h"

namespace hazumi {

const ToolInfo& tool_pull() {
  static const ToolInfo info{"pull",
                             "Pull",
                             "pull",
                             "Drag an object to pull it as with a hand while it runs; it flies on when it is let go.",
                             4,
                             false,
                             TransformMode::move,
                             nullptr};
  return info;
}

}  // namespace hazumi
