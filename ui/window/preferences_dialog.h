// Preferences: the keys of every command (key_rows.h). What is changed holds at once, in menus, tooltips and lists too; OK
// keeps it in the settings, Cancel puts everything back.
#pragma once

#include <optional>
#include <vector>

#include <QDialog>

#include "ui/window/key_rows.h"

class QComboBox;
class QKeyEvent;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;
class QVBoxLayout;

namespace hazumi {

class ActionSet;
class MemoryPage;
class Settings;
struct UiContext;

class PreferencesDialog : public QDialog {
  Q_OBJECT
 public:
  PreferencesDialog(UiContext& context, Settings& settings, QWidget* parent);
  QTreeWidget* list() { return list_; }

  void accept() override;
  void reject() override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  enum class Listening { no, instead, besides };
  struct Wish {
    const KeyRow *row, *holder;
    QKeySequence key;
    bool besides;
  };
  void make_top();
  void make_list();
  void make_buttons();
  void filter(const QString& text);
  const KeyRow* current() const;
  void listen(Listening how);
  void hear(const QKeyEvent& event);
  void take_over();
  void assign(const Wish& wish);
  void reset_current();
  void remove_current();
  void choose_set();
  void apply(KeyMap map);
  void show_keys();
  void update_buttons();
  void say(const QString& sentence, bool warns = false);

  ActionSet& actions_;
  Settings& settings_;
  const KeyMap before_;
  const std::vector<KeyRow> rows_;
  std::vector<QTreeWidgetItem*> items_;  ///< of the rows
  Listening listening_ = Listening::no;
  std::optional<Wish> wish_;  ///< for a key that another command has
  QVBoxLayout* keys_;         ///< the page of the keys
  MemoryPage* memory_;
  QLineEdit* search_;
  QComboBox* set_;
  QTreeWidget* list_;
  QLabel *none_, *said_;
  QPushButton *take_over_, *instead_, *besides_, *remove_, *reset_, *reset_all_;
};

}  // namespace hazumi
