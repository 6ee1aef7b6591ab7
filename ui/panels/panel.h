// A dock panel: one file per panel in this folder, found by a generated table (file NAME.cpp defines panel_NAME()).
#pragma once

#include <span>
#include <string_view>

#include <Qt>

#include "ui/model/context.h"

class QWidget;

namespace hazumi {

struct PanelInfo {
  std::string_view id;     ///< "outliner": object name of the dock, key in saved layouts
  std::string_view title;  ///< "Outliner"
  Qt::DockWidgetArea area;
  int order;              ///< top to bottom, or left to right, in its area; equal: tabbed
  int tab;                ///< place among the tabs
  std::string_view icon;  ///< file in assets/icons without .svg, for its tab
  QWidget* (*make)(UiContext& context, QWidget* parent);
  int least_height = 0;  ///< logical pixels: lower, it is made this high when it comes to the front
  int least_width = 0;   ///< narrower, it is made this wide when the window grows
};

/// PanelInfo::make for a widget that is made from these two.
template <class Panel>
QWidget* make_panel(UiContext& context, QWidget* parent) {
  return new Panel(context, parent);
}

std::span<const PanelInfo* const> panels();

}  // namespace hazumi
