#include "ui/panels/metaball_panel.h"
#include "ui/panels/panel.h"

namespace hazumi {

const PanelInfo& panel_metaballs() {
  static const PanelInfo info{
      "metaballs",
      "Metaballs",
      Qt::RightDockWidgetArea,
      1,
      4,
      "metaballs",
      [](UiContext& context, QWidget* parent) -> QWidget* { return new MetaballPanel(context, parent); }};
  return info;
}

}  // namespace hazumi
