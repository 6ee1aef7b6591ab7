// Every command of the program is a row in one table: id, text, icon, default keys, category, tip. Menus, tool bars, shortcut
// page and documentation come from it. The main window makes the QActions; whoever does the work connects:
//   main window   file.* edit.* add.* play.* help.* object.set_*
//   viewport      object.move object.rotate object.scale tool.* add.menu view.*
// Panels and context menus put these same QActions into their menus, or call ui/model/commands.h.
#pragma once

#include <span>
#include <string_view>

#include <QAction>
#include <QHash>
#include <QObject>

namespace hazumi {

struct ActionRow {
  std::string_view id;    ///< "edit.duplicate"
  std::string_view text;  ///< "&Duplicate"
  std::string_view icon;  ///< file in assets/icons without .svg; "" none
  std::string_view keys;  ///< "Ctrl+D;Shift+D" portable text, alternatives separated by ; (the first is shown in menus)
  std::string_view
      category;          ///< menu: "File", "Edit", "Add", "Object", "View", "Playback", "Help"; "Add/Light" = submenu
  std::string_view tip;  ///< one sentence for tooltip and status bar
  bool checkable = false;
  bool separated = false;  ///< a line before it in its menu
};

std::span<const ActionRow> action_rows();

/// The QActions of one main window, by id.
class ActionSet : public QObject {
  Q_OBJECT
 public:
  explicit ActionSet(QWidget* window);
  QAction* operator[](std::string_view id) const;  ///< asserts that the id exists
  const QHash<QString, QAction*>& all() const { return actions_; }
  /// Disabled actions say why in their tooltip and status tip: "Select an object first."
  void enable(std::string_view id, bool enabled, const QString& reason = {});

  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QHash<QString, QAction*> actions_;
};

/// Tooltip of an action: text, keys, tip, and the reason when it is disabled.
QString action_tooltip(const ActionRow& row, const QAction& action, const QString& reason);
/// The row's text without the mnemonic mark and dots.
QString plain_text(const ActionRow& row);

}  // namespace hazumi
