#include "ui/panels/outliner_panel.h"
#include "ui/panels/panel.h"

namespace hazumi {

const PanelInfo& panel_outliner() {
  static const PanelInfo info{
      "outliner",
      "Outliner",
      Qt::RightDockWidgetArea,
      0,
      0,
      "search",
      [](UiContext& context, QWidget* parent) -> QWidget* { return new OutlinerPanel(context, parent); }};
  return info;
}

}  // namespace hazumi
