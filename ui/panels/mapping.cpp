#include "ui/panels/mapping_panel.h"
#include "ui/panels/panel.h"

namespace hazumi {

const PanelInfo& panel_mapping() {
  static const PanelInfo info{
      "mapping",
      "Mapping",
      Qt::RightDockWidgetArea,
      1,
      2,
      "drivers",
      [](UiContext& context, QWidget* parent) -> QWidget* { return new MappingPanel(context, parent); }};
  return info;
}

}  // namespace hazumi
