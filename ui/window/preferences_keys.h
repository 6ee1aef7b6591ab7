// Preferences, page Keys: those of every command (key_rows.h). What is changed holds at once, in menus, tooltips and lists too;
// accept() keeps it in the settings, reject() puts everything back.
#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "ui/window/key_rows.h"

class QComboBox;
class QKeyEvent;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace hazumi {

class ActionSet;
class Settings;

class PreferencesKeys : public QWidget {
  Q_OBJECT
 public:
  PreferencesKeys(ActionSet& actions, Settings& settings, QWidget* parent);
  QTreeWidget* list() { return list_; }

  void accept();
  void reject();

 protected:
  void showEvent(QShowEvent* event) override;
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
  QLineEdit* search_;
  QComboBox* set_;
  QTreeWidget* list_;
  QLabel *none_, *said_;
  QPushButton *take_over_, *instead_, *besides_, *remove_, *reset_, *reset_all_;
};

}  // namespace hazumi
