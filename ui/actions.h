// Every command of the program is a row in one table: id, text, icon, default keys, category, tip. Menus, tool bars, shortcut
// page and documentation come from it. The main window makes the QActions and connects handlers by id.
#pragma once

#include <span>
#include <string_view>

#include <QAction>
#include <QHash>
#include <QObject>

namespace hazumi {

struct ActionRow {
  std::string_view id;        ///< "edit.duplicate"
  std::string_view text;      ///< "&Duplicate"
  std::string_view icon;      ///< file in assets/icons without .svg; "" none
  std::string_view keys;      ///< "Ctrl+D;Shift+D" portable text, alternatives separated by ;
  std::string_view category;  ///< menu: "File", "Edit", "Add", "Object", "View", "Playback", "Help"; "Add/Light" = submenu
  std::string_view tip;       ///< one sentence for tooltip and status bar
  bool checkable = false;
};

std::span<const ActionRow> action_rows();

/// The QActions of one main window, by id.
class ActionSet : public QObject {
  Q_OBJECT
 public:
  explicit ActionSet(QWidget* window);
  QAction* operator[](std::string_view id) const;   ///< asserts that the id exists
  const QHash<QString, QAction*>& all() const { return actions_; }

 private:
  QHash<QString, QAction*> actions_;
};

}  // namespace hazumi
