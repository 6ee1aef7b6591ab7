// The tool in the hand (ui/tools/tool.h) and the handles that it has for the selection.
#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "ui/model/context.h"
#include "ui/tools/tool.h"

namespace hazumi {

class ViewNavigation;
class ViewPicture;

class ToolGizmo {
 public:
  ToolGizmo(UiContext& context, const ViewNavigation& navigation, const ViewPicture& picture);

  const ToolInfo& tool() const { return *tool_; }
  /// False: there is no such tool.
  bool take(const QString& id);
  /// Where the selection's handles stand: mean of the shown origins. None: nothing that can be moved is selected.
  std::optional<glm::vec3> pivot() const;
  /// As they are on the screen now.
  std::vector<GizmoHandle> handles() const;

 private:
  UiContext context_;
  const ViewNavigation& navigation_;
  const ViewPicture& picture_;
  const ToolInfo* tool_ = nullptr;
};

}  // namespace hazumi
