// A line of Properties: of the selected objects some begin bent, as a frame of the run left them, and a button that straightens them.
#pragma once

#include <QWidget>

#include "ui/model/context.h"

class QLabel;

namespace hazumi {

class BentLine : public QWidget {
  Q_OBJECT
 public:
  BentLine(UiContext& context, QWidget* parent);
  /// As of the other lines of Properties: the layout of docks does not depend on what is selected.
  QSize minimumSizeHint() const override { return {0, 0}; }

 private:
  void refresh();

  UiContext context_;
  QLabel* text_;
};

}  // namespace hazumi
