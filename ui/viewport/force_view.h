// Handles at the tips of the arrows of selected forces: a drag says how hard it pushes and where to (ui/tools/force_target.h).
#pragma once

#include <optional>
#include <vector>

#include <QPointF>

#include "render/force_arrows.h"
#include "ui/model/context.h"

class QPainter;

namespace hazumi {

class ViewNavigation;
class ViewPicture;

class ForceView {
 public:
  ForceView(UiContext& context, const ViewNavigation& navigation, const ViewPicture& picture);

  struct Tip {
    Id force;
    ForceArrow arrow;   ///< as it is shown
    double metres = 1;  ///< of a newton
    QPointF at;         ///< in the view
  };
  std::vector<Tip> tips() const;
  std::optional<Tip> tip_at(QPointF mouse) const;
  void paint(QPainter& painter) const;

 private:
  UiContext context_;
  const ViewNavigation& navigation_;
  const ViewPicture& picture_;
};

}  // namespace hazumi
