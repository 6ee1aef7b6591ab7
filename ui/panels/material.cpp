#include "ui/panels/material_panel.h"
#include "ui/panels/panel.h"

namespace hazumi {

const PanelInfo& panel_material() {
  static const PanelInfo info{
      "material",
      "Material",
      Qt::RightDockWidgetArea,
      1,
      3,
      "material",
      [](UiContext& context, QWidget* parent) -> QWidget* { return new MaterialPanel(context, parent); }};
  return info;
}

}  // namespace hazumi
