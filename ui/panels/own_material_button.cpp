#include "ui/panels/own_material_button.h"

#include <QMenu>

namespace hazumi {

OwnMaterialButton::OwnMaterialButton(QWidget* parent) : QToolButton(parent) {
  setObjectName(QStringLiteral("own_materials"));
  setText(tr("Own"));
  setAutoRaise(true);
  setPopupMode(QToolButton::InstantPopup);
  setFocusPolicy(Qt::NoFocus);
  setToolTip(tr("One of your own materials: the box takes its numbers, and may change them."));
  setMenu(new QMenu(this));
  connect(menu(), &QMenu::aboutToShow, this, &OwnMaterialButton::fill);
}

/// As they are now: the material panel saves others meanwhile.
void OwnMaterialButton::fill() {
  menu()->clear();
  const OwnMaterials own;
  for (const OwnMaterial& one : own.all())
    connect(menu()->addAction(one.name), &QAction::triggered, this, [this, one] { emit picked(one); });
  if (own.all().empty()) menu()->addAction(tr("None yet: the panel Material saves them"))->setEnabled(false);
}

}  // namespace hazumi
