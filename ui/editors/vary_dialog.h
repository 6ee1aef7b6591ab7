// "Vary a Parameter": takes of one number over a range, each named by its value; one undo step.
#pragma once

#include <vector>

#include <QDialog>

#include "ui/model/context.h"
#include "ui/model/vary.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;

namespace hazumi {

class NumberField;

class VaryDialog : public QDialog {
  Q_OBJECT
 public:
  VaryDialog(UiContext& context, QWidget* parent);
  bool shows_wall() const;  ///< the takes shall be seen beside each other
  void accept() override;

 private:
  void show_variables();
  void show_range();
  void tell();
  const Variable* variable() const;

  UiContext context_;
  std::vector<std::pair<Id, QString>> things_;
  std::vector<Variable> variables_;
  QComboBox *thing_, *number_;
  NumberField *from_, *to_, *count_;
  QCheckBox* wall_;
  QLabel* said_;
  QPushButton* make_;
};

}  // namespace hazumi
