// Every command of the program is one row: id, text, icon, default keys, menu, tip; what it does, why it cannot be done now,
// whether it is on. Menus, tool bar, shortcut page, keys and enabling come from the row; the rows lie in ui/window/commands,
// a file for each menu. Panels and context menus put these same QActions into their menus.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <typeindex>
#include <vector>

#include <QAction>
#include <QHash>
#include <QObject>

#include "ui/model/key_map.h"

class QKeyEvent;

namespace hazumi {

/// A plain function of whom a command speaks to: UiContext, the viewport, the window, a panel. Who that is the ActionSet is
/// told by attend(); a question to somebody who is not there has no answer.
template <class Result>
class Ask {
 public:
  Ask() = default;
  Ask(std::nullptr_t) {}
  /// A function, or a lambda that captures nothing, of one reference.
  template <class Function>
  Ask(Function function) : Ask(+function, 0) {}

  bool empty() const { return !answer_; }
  std::type_index target() const { return target_; }
  Result operator()(void* target) const { return answer_(function_, target); }

 private:
  using Any = void (*)();
  template <class Target>
  Ask(Result (*function)(Target&), int)
      : target_(typeid(Target)),
        function_(reinterpret_cast<Any>(function)),
        answer_([](Any any, void* target) -> Result {
          return reinterpret_cast<Result (*)(Target&)>(any)(*static_cast<Target*>(target));
        }) {}

  std::type_index target_ = typeid(void);
  Any function_ = nullptr;
  Result (*answer_)(Any, void*) = nullptr;
};

struct Command {
  std::string_view id;    ///< "edit.duplicate"
  std::string_view text;  ///< "&Duplicate"
  std::string_view icon;  ///< file in assets/icons without .svg; "" none
  std::string_view keys;  ///< "Ctrl+D;Shift+D" portable text, alternatives separated by ; (the first is shown in menus)
  std::string_view
      category;  ///< menu: "File", "Edit", "Add", "Object", "View", "Keys", "Playback", "Help"; "Add/Light" = submenu
  std::string_view tip;  ///< one sentence for tooltip and status bar
  Ask<void> run;
  Ask<QString> refusal = {};   ///< why it cannot be done now: "Select an object first."; "" when it can. None: always
  Ask<bool> checked = {};      ///< for commands that are on or off
  bool separated = false;      ///< a line before it in its menu
  Ask<QString> text_now = {};  ///< where the text varies: "&Undo Move Ball"
  Ask<QString> icon_now = {};
};

/// The rows of one menu.
struct CommandTable {
  int order;  ///< of the menu in the menu bar
  std::span<const Command> rows;
};

/// The QActions of all commands, by id. They do and say what their rows say.
class ActionSet : public QObject {
  Q_OBJECT
 public:
  explicit ActionSet(std::span<const CommandTable* const> tables, QObject* parent = nullptr);
  QAction* operator[](std::string_view id) const;  ///< asserts that the id exists
  const QHash<QString, QAction*>& all() const { return actions_; }
  /// In the order of the menus.
  const std::vector<const Command*>& rows() const { return rows_; }
  const Command& row(std::string_view id) const;  ///< asserts that the id exists
  /// Somebody is there whom it speaks to.
  template <class Result>
  bool attended(const Ask<Result>& ask) const {
    return !ask.empty() && targets_.count(ask.target()) != 0;
  }
  /// Which keys they have, and those of the edit modes: at once, in menus and tooltips too.
  void set_key_map(KeyMap map);
  const KeyMap& key_map() const { return key_map_; }
  /// Their keys work in this window.
  void add_to(QWidget& window);

  /// Commands that speak to a Target speak to this one from now on, until `life` ends. `busy`: they do nothing now.
  template <class Target>
  void attend(Target& target, QObject& life, std::function<bool()> busy = {}) {
    attend(typeid(Target), &target, life, std::move(busy));
  }
  /// Of a command with these keys that can be done now; of one that cannot, why not. Empty: of none.
  bool has_command(const QKeyEvent& keys) const;
  QString refusal_of(const QKeyEvent& keys) const;
  /// Asks every row whether it can be done and is on. Disabled actions say why in their tooltip and status tip.
  void refresh();

  bool eventFilter(QObject* watched, QEvent* event) override;

 signals:
  void keys_changed();

 private:
  struct Target {
    void* address = nullptr;
    std::function<bool()> busy;
  };
  struct Entry {
    const Command* row;
    QAction* action;
    QString refusal, icon;
  };
  void attend(std::type_index type, void* target, QObject& life, std::function<bool()> busy);
  void run(const Command& row);
  void give_keys(const Entry& entry);
  /// Null: nobody of that kind is there, or there is no such question.
  template <class Result>
  const Target* whom(const Ask<Result>& ask) const;

  KeyMap key_map_;
  QHash<QString, QAction*> actions_;
  std::vector<const Command*> rows_;
  std::vector<Entry> entries_;
  std::map<std::type_index, Target> targets_;
};

/// Tooltip of an action: text, keys, tip, and the reason when it is disabled.
QString action_tooltip(const Command& row, const QAction& action, const QString& reason);
/// The row's text without the mnemonic mark and dots.
QString plain_text(const Command& row);

}  // namespace hazumi
