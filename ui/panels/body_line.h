// A line of Properties: how the one selected object moves in the frame that is shown, and of what deforms how well its solver holds it.
#pragma once

#include <QLabel>

#include "ui/model/context.h"

namespace hazumi {

class BodyLine : public QLabel {
  Q_OBJECT
 public:
  BodyLine(UiContext& context, QWidget* parent);
  /// As of the other lines of Properties: the layout of docks does not depend on what is selected.
  QSize minimumSizeHint() const override { return {0, 0}; }

 private:
  void refresh();

  UiContext context_;
};

}  // namespace hazumi
