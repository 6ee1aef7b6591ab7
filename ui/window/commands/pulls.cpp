// What is pulled by hand while it runs (ui/model/live_pull.h).
#include "ui/model/context.h"
#include "ui/model/live_pull.h"
#include "ui/model/text.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

const CommandTable& commands_pulls() {
  static const Command rows[] = {
      {"tool.pull", "&Pull", "pull", "Y", "Object/Tool",
       "Drag an object to pull it as with a hand while it runs; Ctrl+Shift+drag does so with any tool.",
       [](Viewport& v) { v.set_tool(QStringLiteral("pull")); }, nullptr,
       [](const Viewport& v) { return v.tool() == QLatin1String("pull"); }},
      {"play.keep_pull", "&Keep Pull", "pull", "K", "Playback",
       "What was pulled by hand in the run that is shown becomes part of the scene, with its keys.",
       [](UiContext& c) { c.pull.keep(); },
       [](UiContext& c) {
         return c.pull.lasts() ? QString() : tr("Nothing has been pulled; drag an object with the pull tool.");
       },
       nullptr, true},
      {"play.record_pulls", "Recor&d Pulls", "", "", "Playback",
       "What is pulled by hand is kept as soon as it is let go, each pull in one undo step.",
       [](UiContext& c) { c.pull.set_records(!c.pull.records()); }, nullptr,
       [](UiContext& c) { return c.pull.records(); }},
  };
  static const CommandTable table{7, rows};
  return table;
}

}  // namespace hazumi
