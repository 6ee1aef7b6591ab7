// How things move, over the picture.
#include "ui/viewport/motion_view.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

const CommandTable& commands_view_motion() {
  static const Command rows[] = {
      {"view.motion_path", "Motion &Path", "motion_path", "Shift+T", "View",
       "Draw the way of what is selected, a tick for each frame; keys on it can be dragged.",
       [](Viewport& v) { v.motion().set_paths(!v.motion().paths()); }, nullptr,
       [](Viewport& v) { return v.motion().paths(); }, true},
      {"view.ghosts", "G&hosts", "ghosts", "Alt+T", "View",
       "Draw what is selected as it is some frames before (blue) and after (orange).",
       [](Viewport& v) { v.motion().set_ghosts(!v.motion().ghosts()); }, nullptr,
       [](Viewport& v) { return v.motion().ghosts(); }},
      {"view.flight", "Show Physics &Flight", "", "", "View",
       "Draw, with ghosts of its own, what a body that keys lead would do if physics had it from the play head on.",
       [](Viewport& v) { v.motion().set_flies(!v.motion().flies()); }, nullptr,
       [](Viewport& v) { return v.motion().flies(); }},
      {"view.velocities", "Velocit&ies", "", "", "View",
       "Draw the velocity of what is selected: the way that it goes in a tenth of a second.",
       [](Viewport& v) { v.motion().set_velocities(!v.motion().velocities()); }, nullptr,
       [](Viewport& v) { return v.motion().velocities(); }},
  };
  static const CommandTable table{5, rows};
  return table;
}

}  // namespace hazumi
