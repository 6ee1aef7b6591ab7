// Playing and frames.
#include <algorithm>

#include "ui/model/commands.h"
#include "ui/model/context.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/panels/timeline_ruler.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/refusals.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

namespace {

bool moves(const Object& object) { return body_kind(object.body.kind).moves; }

QString no_start_here(UiContext& c) {
  const Scene& scene = c.document.scene();
  if (std::none_of(scene.objects.begin(), scene.objects.end(), [](const auto& o) { return moves(*o); }))
    return tr("Nothing in the scene moves.");
  if (c.playback.frame() == 0) return tr("This is the start; go to a later frame.");
  return c.playback.frame() < c.playback.cache().size() ? QString() : tr("This frame has not been computed yet.");
}

std::set<Id> selected_that_move(UiContext& c) {
  std::set<Id> ids;
  for (const Object* object : selected_objects_of(c.document.scene(), c.selection))
    if (moves(*object)) ids.insert(object->id);
  return ids;
}

QString no_start_of_selected(UiContext& c) {
  if (c.selection.empty()) return tr(kSelectFirst);
  return selected_that_move(c).empty() ? tr("Nothing that is selected moves.") : no_start_here(c);
}

template <Ending ending>
bool ends(UiContext& c) {
  return c.playback.ending() == ending;
}

template <Ending ending>
void loop_or_once(UiContext& c) {
  c.playback.set_ending(ends<ending>(c) ? Ending::once : ending);
}

template <int percent>
void at_speed(UiContext& c) {
  c.playback.set_speed(percent / 100.0);
}

template <int percent>
bool plays_at(UiContext& c) {
  return c.playback.speed() == percent / 100.0;
}

}  // namespace

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
      {"play.once", "Play &Once", "", "", "Playback", "Stop at the end of the range.",
       [](UiContext& c) { c.playback.set_ending(Ending::once); }, nullptr, &ends<Ending::once>, true},
      {"play.loop", "&Loop", "loop", "L", "Playback", "Start again at the end of the range; once more: stop there.",
       &loop_or_once<Ending::loop>, nullptr, &ends<Ending::loop>},
      {"play.back_and_forth", "Back a&nd Forth", "back_and_forth", "Shift+L", "Playback",
       "Play backwards from the end of the range, and on from its start; once more: stop at the end.",
       &loop_or_once<Ending::back_and_forth>, nullptr, &ends<Ending::back_and_forth>},
      {"play.quarter", "&¼ ×", "", "", "Playback/Speed", "Four times as slow as it is.", &at_speed<25>, nullptr,
       &plays_at<25>},
      {"play.half", "&½ ×", "", "", "Playback/Speed", "Twice as slow as it is.", &at_speed<50>, nullptr, &plays_at<50>},
      {"play.real", "&1 ×", "", "", "Playback/Speed", "As fast as it is.", &at_speed<100>, nullptr, &plays_at<100>},
      {"play.double", "&2 ×", "", "", "Playback/Speed", "Twice as fast as it is.", &at_speed<200>, nullptr,
       &plays_at<200>},
      {"play.every_frame", "Every Fra&me", "", "", "Playback",
       "Show each frame, even where that is slower than it is; else what is slow leaves frames out and keeps to the "
       "clock.",
       [](UiContext& c) { c.playback.set_every_frame(!c.playback.every_frame()); }, nullptr,
       [](UiContext& c) { return c.playback.every_frame(); }},
      {"play.start_here", "Start from This F&rame", "start_here", "", "Playback",
       "All objects begin as they are now: place, turn, velocity, spin, and how they are bent. Procedures of the "
       "motion graph that run end, "
       "and its events begin anew.",
       [](UiContext& c) { c.playback.want_start({}); }, &no_start_here, nullptr, true},
      {"play.start_selected", "Start S&elected from This Frame", "start_here", "", "Playback",
       "The selected objects begin as they are now, the others as they did.",
       [](UiContext& c) { c.playback.want_start(selected_that_move(c)); }, &no_start_of_selected},
      {"play.last_collision", "Last &Collision", "contacts", "Alt+C", "Playback",
       "Go to what the selected object hit last, and read speed, force, time and squash.",
       [](TimelineRuler& r) { r.show_last_collision(); },
       [](UiContext& c) { return c.selection.empty() ? tr(kSelectFirst) : QString(); }, nullptr, true},
  };
  static const CommandTable table{7, rows};
  return table;
}

}  // namespace hazumi
