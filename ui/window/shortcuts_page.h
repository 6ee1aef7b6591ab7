// All commands with their keys, made from the action table: a search field and a list. Double click or Enter runs one.
#pragma once

#include <QDialog>

class QLineEdit;
class QTreeWidget;

namespace hazumi {

class ActionSet;

class ShortcutsPage : public QDialog {
  Q_OBJECT
 public:
  ShortcutsPage(ActionSet& actions, QWidget* parent);
  QTreeWidget* list() { return list_; }

 private:
  void filter(const QString& text);
  void run_current();

  ActionSet& actions_;
  QLineEdit* search_;
  QTreeWidget* list_;
};

}  // namespace hazumi
