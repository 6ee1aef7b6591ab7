// The analysis models of the active object as a row of buttons: a click switches. Under it the name of the one in use, and
// buttons to duplicate, compare and delete.
#pragma once

#include <vector>

#include <QWidget>

#include "ui/model/context.h"

class QGridLayout;
class QLineEdit;
class QToolButton;

namespace hazumi {

class VariantRow : public QWidget {
  Q_OBJECT
 public:
  VariantRow(UiContext& context, QWidget* parent);

  void refresh();
  const std::vector<QToolButton*>& buttons() const { return buttons_; }  ///< ascending by name
  QLineEdit* name() const { return name_; }
  QToolButton* duplicate() const { return duplicate_; }
  QToolButton* compare() const { return compare_; }
  QToolButton* remove() const { return remove_; }

 private:
  UiContext context_;
  QGridLayout* grid_;
  std::vector<QToolButton*> buttons_;
  QLineEdit* name_;
  QToolButton *duplicate_, *compare_, *remove_;
};

}  // namespace hazumi
