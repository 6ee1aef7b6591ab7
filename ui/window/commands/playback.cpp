// Playing and frames.
#include "ui/model/context.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/panels/timeline_ruler.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/refusals.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

const CommandTable& commands_playback() {
  static const Command rows[] = {
      {"play.toggle", "&Play", "play", "Space", "Playback", "Play the motion, or stop it.",
       [](UiContext& c) { c.playback.toggle(); }, nullptr, [](UiContext& c) { return c.playback.playing(); }, false,
       [](UiContext& c) { return c.playback.playing() ? tr("&Pause") : tr("&Play"); },
       [](UiContext& c) { return c.playback.playing() ? QStringLiteral("pause") : QStringLiteral("play"); }},
      {"play.back", "Step &Back", "step_back", "Left", "Playback", "One frame back.",
       [](UiContext& c) { c.playback.step(-1); }, nullptr, nullptr, true},
      {"play.forward", "Step &Forward", "step_forward", "Right", "Playback", "One frame on.",
       [](UiContext& c) { c.playback.step(1); }},
      {"play.start", "To &Start", "to_start", "Shift+Left;Ctrl+Home", "Playback", "To the first frame of the range.",
       [](UiContext& c) { c.playback.to_start(); }},
      {"play.end", "To &End", "to_end", "Shift+Right;Ctrl+End", "Playback", "To the last frame of the range.",
       [](UiContext& c) { c.playback.to_end(); }},
      {"play.loop", "&Loop", "loop", "L", "Playback", "Start again at the end of the range.",
       [](UiContext& c) { c.playback.set_looping(!c.playback.looping()); }, nullptr,
       [](UiContext& c) { return c.playback.looping(); }, true},
      {"play.last_collision", "Last &Collision", "contacts", "Alt+C", "Playback",
       "Go to what the selected object hit last, and read speed, force, time and squash.",
       [](TimelineRuler& r) { r.show_last_collision(); },
       [](UiContext& c) { return c.selection.empty() ? tr(kSelectFirst) : QString(); }, nullptr, true},
  };
  static const CommandTable table{6, rows};
  return table;
}

}  // namespace hazumi
