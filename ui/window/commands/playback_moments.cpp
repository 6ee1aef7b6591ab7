// Markers, and the part of the range that is played.
#include <algorithm>
#include <cmath>

#include "ui/model/context.h"
#include "ui/model/document_controller.h"
#include "ui/model/key_commands.h"
#include "ui/model/key_selection.h"
#include "ui/model/markers.h"
#include "ui/model/playback_controller.h"
#include "ui/model/text.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

namespace {

QString no_new_marker(UiContext& c) {
  const Marker* there = marker_at_frame(c, c.playback.frame());
  return there ? tr("%1 is at this frame already.").arg(QString::fromStdString(there->name)) : QString();
}

QString no_marker_here(UiContext& c) {
  return marker_at_frame(c, c.playback.frame()) ? QString() : tr("There is no marker at this frame.");
}

template <int direction>
void to_marker(UiContext& c) {
  if (const Marker* marker = next_marker(c, direction)) go_to_marker(c, *marker);
}

template <int direction>
QString no_marker(UiContext& c) {
  if (c.document.scene().markers.empty()) return tr("There are no markers yet.");
  if (next_marker(c, direction)) return {};
  return direction > 0 ? tr("There is no marker after this frame.") : tr("There is no marker before this frame.");
}

void begin_part(UiContext& c) {
  const SceneSettings& settings = c.document.scene().settings;
  const int frame = c.playback.frame(), last = c.playback.part() ? c.playback.part()->last : settings.last_frame;
  c.playback.set_part(PlayRange{frame, last < frame ? settings.last_frame : last});
}

void end_part(UiContext& c) {
  const SceneSettings& settings = c.document.scene().settings;
  const int frame = c.playback.frame(), first = c.playback.part() ? c.playback.part()->first : settings.first_frame;
  c.playback.set_part(PlayRange{first > frame ? settings.first_frame : first, frame});
}

/// From the first to the last of the selected keys.
PlayRange range_of_keys(UiContext& c) {
  double first = 1e9, last = -1e9;
  for (const auto& [track, times] : c.keys.keys())
    for (const double time : times) {
      first = std::min(first, time);
      last = std::max(last, time);
    }
  const double rate = frame_rate(c);
  const auto frame = [&](double time) { return static_cast<int>(std::lround(std::clamp(time * rate, 0.0, 1e9))); };
  return {frame(first), frame(last)};
}

QString no_range_of_keys(UiContext& c) {
  if (c.keys.empty()) return tr("Select two keys first.");
  const PlayRange range = range_of_keys(c);
  return range.first < range.last ? QString() : tr("Select a second key, at another frame.");
}

void play_keys(UiContext& c) {
  c.playback.set_part(range_of_keys(c));
  c.playback.to_start();
  c.playback.play(true);
}

QString no_part(UiContext& c) { return c.playback.part() ? QString() : tr("The whole range is played already."); }

}  // namespace

const CommandTable& commands_playback_moments() {
  static const Command rows[] = {
      {"part.first", "Part &Begins Here", "", "Alt+B", "Playback/Part of the Range",
       "Only from this frame on it is played; the range of the scene stays.", &begin_part},
      {"part.last", "Part &Ends Here", "", "Alt+N", "Playback/Part of the Range",
       "Only up to this frame it is played; the range of the scene stays.", &end_part},
      {"part.keys", "Play Selected &Keys", "", "", "Playback/Part of the Range",
       "Play from the first to the last of the selected keys.", &play_keys, &no_range_of_keys},
      {"part.clear", "Play the &Whole Range", "", "Alt+Shift+B", "Playback/Part of the Range",
       "Play the range of the scene again.", [](UiContext& c) { c.playback.set_part({}); }, &no_part},
      {"marker.add", "&Add Marker Here", "marker", "Ctrl+Shift+M", "Playback/Markers",
       "A flag with a name at this frame, on the rulers of the time line, the dope sheet and the curves.",
       [](UiContext& c) { add_marker(c, c.playback.frame()); }, &no_new_marker},
      {"marker.next", "&Next Marker", "", "Ctrl+Up", "Playback/Markers", "To the next marker.", &to_marker<1>,
       &no_marker<1>},
      {"marker.previous", "&Previous Marker", "", "Ctrl+Down", "Playback/Markers", "To the marker before.",
       &to_marker<-1>, &no_marker<-1>},
      {"marker.delete", "&Delete Marker Here", "", "", "Playback/Markers", "Delete the marker at this frame.",
       [](UiContext& c) { delete_marker(c, marker_at_frame(c, c.playback.frame())->id); }, &no_marker_here},
  };
  static const CommandTable table{7, rows};
  return table;
}

}  // namespace hazumi
