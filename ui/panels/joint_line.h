// A line of Properties: what the one selected joint holds with in the frame that is shown, whether it is off, broken, or not computed yet.
#pragma once

#include <QLabel>

#include "ui/model/context.h"

namespace hazumi {

class JointLine : public QLabel {
  Q_OBJECT
 public:
  JointLine(UiContext& context, QWidget* parent);
  /// As of the other lines of Properties: the layout of docks does not depend on what is selected.
  QSize minimumSizeHint() const override { return {0, 0}; }

 private:
  void refresh();

  UiContext context_;
};

}  // namespace hazumi
