// Help.
#include "ui/model/context.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/tables.h"
#include "ui/window/main_window.h"

namespace hazumi {

const CommandTable& commands_help() {
  static const Command rows[] = {
      {"help.shortcuts", "&Keys and Commands", "keys", "F1", "Help", "All commands with their keys, searchable.",
       [](MainWindow& w) { w.show_shortcuts(); }},
      {"help.find", "&Find a Command…", "search", "F3", "Help",
       "Type words of a command, their first letters or a key; Enter runs it.", [](MainWindow& w) { w.show_finder(); }},
      {"help.gallery", "&Gallery of Scenes", "gallery", "", "Help", "Shipped scenes to open and take apart.",
       [](MainWindow& w) { w.show_start_page(); }},
      {"help.about", "&About Hazumi", "", "", "Help", "Version and what it is built on.",
       [](MainWindow& w) { w.show_about(); }, nullptr, nullptr, true},
  };
  static const CommandTable table{8, rows};
  return table;
}

}  // namespace hazumi
