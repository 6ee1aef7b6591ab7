#include "ui/panels/analysis_panel.h"
#include "ui/panels/panel.h"

namespace hazumi {

const PanelInfo& panel_analysis() {
  static const PanelInfo info{
      "analysis",
      "Analysis",
      Qt::RightDockWidgetArea,
      1,
      1,
      "truss",
      [](UiContext& context, QWidget* parent) -> QWidget* { return new AnalysisPanel(context, parent); }};
  return info;
}

}  // namespace hazumi
