// A line of Properties: what the selected object goes with, or bends with as a skin, and a button that ends it; of what is carried
// through a run, that it touches nothing.
#pragma once

#include <QWidget>

#include "ui/model/context.h"

class QLabel;
class QPushButton;

namespace hazumi {

struct Object;

class FamilyLine : public QWidget {
  Q_OBJECT
 public:
  FamilyLine(UiContext& context, QWidget* parent);
  /// As of the other lines of Properties: the layout of docks does not depend on what is selected.
  QSize minimumSizeHint() const override { return {0, 0}; }

 private:
  void refresh();
  void show_skin(const Object& skin);

  UiContext context_;
  QLabel *text_, *note_;
  QPushButton* clear_;
  bool skin_ = false;  ///< the selected object is one
};

}  // namespace hazumi
