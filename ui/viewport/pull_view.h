// The mouse that pulls (ui/model/live_pull.h): what it takes hold of, where it is in the plane of the view through that place, and the line
// from the body to it with the force.
#pragma once

#include <QPointF>
#include <QString>

#include "core/math/types.h"
#include "ui/model/context.h"

class QPainter;

namespace hazumi {

class ViewNavigation;
class ViewPicture;

class PullView {
 public:
  PullView(UiContext& context, const ViewNavigation& navigation, ViewPicture& picture);

  /// True: it has hold of what is under the mouse. False: nothing is there, or it cannot be pulled, as the status bar says then.
  bool press(QPointF mouse);
  void move(QPointF mouse);
  void release();
  QString hint() const;
  void paint(QPainter& painter) const;

 private:
  UiContext context_;
  const ViewNavigation& navigation_;
  ViewPicture& picture_;
  Vec3 taken_ = Vec3::Zero();  ///< m, world: the plane goes through it
};

}  // namespace hazumi
