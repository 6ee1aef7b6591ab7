// "Find a Command": a field at the top of the window. Words, first letters or a key narrow the list below it; Enter runs what
// is marked, and says why when that cannot be done now. Goes away with Esc or a click elsewhere.
#pragma once

#include <vector>

#include <QFrame>
#include <QPointer>

#include "ui/window/command_list.h"

class QLabel;
class QLineEdit;
class QListWidget;

namespace hazumi {

class CommandFinder : public QFrame {
  Q_OBJECT
 public:
  CommandFinder(std::vector<ListedCommand> commands, QWidget* window);
  ~CommandFinder() override;
  QListWidget* list() { return list_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& text);
  void place();
  bool key(int key);
  void step(int rows);
  void run_current();
  void leave();

  std::vector<ListedCommand> commands_;
  QPointer<QWidget> focus_before_;
  QLineEdit* search_;
  QListWidget* list_;
  QLabel* none_;
};

}  // namespace hazumi
