#include "ui/modes/truss_options.h"

#include <QCoreApplication>

namespace hazumi {

TrussOptions::TrussOptions(ElementSelection& elements) {
  brush_.strength = 0.25;
  connect(this, &TrussOptions::changed, &elements, &ElementSelection::redraw);
}

void TrussOptions::set_colours(Colours colours) {
  if (colours == colours_) return;
  colours_ = colours;
  emit changed();
}

void TrussOptions::set_brush(const TrussBrush& brush) {
  brush_ = brush;
  emit changed();
}

void TrussOptions::set_painting(bool on) {
  if (on == painting_) return;
  painting_ = on;
  emit changed();
}

void TrussOptions::set_loose(std::shared_ptr<const StrungTruss> truss, NodeSelection loose) {
  checked_ = std::move(truss);
  loose_ = std::move(loose);
  emit changed();
}

const NodeSelection& TrussOptions::loose(const std::shared_ptr<const StrungTruss>& truss) const {
  static const NodeSelection none;
  return truss && truss == checked_ ? loose_ : none;
}

QString quantity_name(BrushQuantity quantity) {
  switch (quantity) {
    case BrushQuantity::mass:
      return QCoreApplication::translate("Modes", "Mass");
    case BrushQuantity::stiffness:
      return QCoreApplication::translate("Modes", "Stiffness");
    case BrushQuantity::damping:
      return QCoreApplication::translate("Modes", "Damping");
    case BrushQuantity::cross_section:
      break;
  }
  return QCoreApplication::translate("Modes", "Cross-section");
}

}  // namespace hazumi
