// Beside the choice of a *Material* box: the person's own materials, whose numbers it takes.
#pragma once

#include <functional>

#include <QToolButton>

#include "ui/model/own_materials.h"

namespace hazumi {

class OwnMaterialButton : public QToolButton {
  Q_OBJECT
 public:
  explicit OwnMaterialButton(QWidget* parent);

 Q_SIGNALS:
  void picked(const OwnMaterial& material);

 private:
  void fill();
};

}  // namespace hazumi
