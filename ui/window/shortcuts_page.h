// All commands with their keys (command_list.h), by menu and mode: a search field and a list. Double click or Enter runs one.
#pragma once

#include <functional>
#include <vector>

#include <QDialog>

#include "ui/window/command_list.h"

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace hazumi {

class ShortcutsPage : public QDialog {
  Q_OBJECT
 public:
  /// `commands`: asked again whenever the page comes to the front, for what can be done by then.
  ShortcutsPage(std::function<std::vector<ListedCommand>()> commands, QWidget* parent);
  QTreeWidget* list() { return list_; }

 protected:
  bool event(QEvent* event) override;

 private:
  void make_columns();
  void make_rows();
  void tell_what_can_be_done();
  void filter(const QString& text);
  void run_current();

  std::function<std::vector<ListedCommand>()> ask_;
  std::vector<ListedCommand> commands_;
  std::vector<QTreeWidgetItem*> items_;  ///< of the commands
  QLineEdit* search_;
  QTreeWidget* list_;
  QLabel* none_;
};

}  // namespace hazumi
