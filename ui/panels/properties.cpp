#include "ui/panels/panel.h"
#include "ui/panels/properties_panel.h"

namespace hazumi {

const PanelInfo& panel_properties() {
  static const PanelInfo info{
      "properties",
      "Properties",
      Qt::RightDockWidgetArea,
      1,
      0,
      "properties",
      [](UiContext& context, QWidget* parent) -> QWidget* { return new PropertiesPanel(context, parent); }};
  return info;
}

}  // namespace hazumi
