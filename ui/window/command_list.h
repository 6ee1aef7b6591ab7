// Everything a person can tell the program to do, in one list: the commands of the menus, the edit modes, and what each mode
// has of its own, each with its keys and why it cannot be done now. The finder and the keys page show it.
#pragma once

#include <functional>
#include <vector>

#include <QIcon>
#include <QString>

namespace hazumi {

class ActionSet;
class Viewport;

struct ListedCommand {
  QString id;     ///< "edit.duplicate"
  QString group;  ///< "Edit", "Mode Metaballs": the heading it stands under
  QString place;  ///< "Add › Light"
  QString name, keys, tip;
  QString why;  ///< not now; empty: it can be done
  QIcon icon;
  std::function<void()> run;
  /// What was typed may also be found in here.
  QString beside() const { return keys + QLatin1Char(' ') + place + QLatin1Char(' ') + tip; }
};

/// In the order of the menus, then of the mode bar. Always as many, in the same order.
std::vector<ListedCommand> listed_commands(ActionSet& actions, Viewport& view);

}  // namespace hazumi
