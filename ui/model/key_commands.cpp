#include "ui/model/key_commands.h"

#include <algorithm>
#include <cmath>

#include <QClipboard>
#include <QGuiApplication>

#include "core/scene/derived/box_keys.h"
#include "ui/model/document_controller.h"
#include "ui/model/key_clipboard.h"
#include "ui/model/keying.h"
#include "ui/model/motion_selection.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

QString tracks_text(std::size_t count) { return count == 1 ? tr("1 track") : tr("%L1 tracks").arg(count); }

void edit_tracks(UiContext& context, const QString& text, const std::set<Id>& tracks,
                 const std::function<void(Track&)>& change) {
  (void)context.document.edit(text.arg(tracks_text(tracks.size())),
                              with_tracks(context.document.scene(), tracks, change));
}

/// Of every key that is selected; of none it is true of none.
template <class Test>
bool all_selected(const UiContext& context, Test test) {
  const auto of_track = [&](const auto& selected) {
    const Track* track = find_track(context.document.scene(), selected.first);
    return track && std::all_of(selected.second.begin(), selected.second.end(), [&](double time) {
             const Key* key = find_key(*track, time);
             return key && test(*key);
           });
  };
  const KeyTimes& keys = context.keys.keys();
  return !keys.empty() && std::all_of(keys.begin(), keys.end(), of_track);
}

}  // namespace

double frame_rate(const UiContext& context) { return context.document.scene().settings.frame_rate; }
double head_time(const UiContext& context) { return context.playback.frame() / frame_rate(context); }

QString keys_text(std::size_t count) { return count == 1 ? tr("1 key") : tr("%L1 keys").arg(count); }

KeyTimes keys_at_frame(const UiContext& context, int frame) {
  const auto& tracks = context.document.scene().tracks;
  const auto selected = [&](const auto& track) {
    return context.selection.contains(Id{listed_with(context.document.scene(), *track)});
  };
  const bool own = std::any_of(tracks.begin(), tracks.end(), selected);
  KeyTimes keys;
  for (const auto& track : tracks)
    if (!own || selected(track))
      for (const Key& key : track->keys)
        if (std::lround(key.time * frame_rate(context)) == frame) keys[track->id].push_back(key.time);
  return keys;
}

QString no_keys(const UiContext& context) { return context.keys.empty() ? tr("Select a key first.") : QString(); }

std::set<Id> chosen_tracks(const UiContext& context) {
  std::set<Id> tracks;
  for (const auto& [track, times] : context.keys.keys()) tracks.insert(track);
  return tracks.empty() ? context.keys.tracks() : tracks;
}

QString no_tracks(const UiContext& context) {
  return chosen_tracks(context).empty() ? tr("Select a key or a track first.") : QString();
}

bool apply_keys(UiContext& context, const QString& text, KeyEdit edit, quint64 gesture, std::optional<KeyRef> active,
                const Scene* before) {
  std::size_t count = 0;
  for (const auto& [track, times] : edit.keys) count += times.size();
  if (count == 0) count = context.keys.count();  // they went
  const QString step = text.contains(QLatin1String("%1")) ? text.arg(keys_text(count)) : text;
  Scene next = with_starts(before ? *before : context.document.scene(), std::move(edit.scene));
  if (!context.document.edit(step, std::move(next), gesture).ok()) return false;
  context.keys.set(std::move(edit.keys), active);
  return true;
}

void mirror_keys(UiContext& context) {
  (void)apply_keys(context, tr("Mirror %1"),
                   retimed_keys(context.document.scene(), context.keys.keys(), {0, -1, head_time(context), 0}));
}

void snap_keys(UiContext& context) {
  (void)apply_keys(context, tr("Snap %1"),
                   retimed_keys(context.document.scene(), context.keys.keys(), {0, 1, 0, frame_rate(context)}));
}

void align_keys(UiContext& context) {
  const double head = head_time(context);
  KeyTimes nearest;
  for (const auto& [track, times] : context.keys.keys())
    nearest[track] = {*std::min_element(times.begin(), times.end(),
                                        [&](double a, double b) { return std::abs(a - head) < std::abs(b - head); })};
  (void)apply_keys(context, tr("Align %1"), retimed_keys(context.document.scene(), nearest, {0, 0, head, 0}));
}

void shape_keys(UiContext& context, KeyShape shape) {
  (void)apply_keys(context, tr("Shape of %1"), shaped_keys(context.document.scene(), context.keys.keys(), shape));
}

void set_tangents(UiContext& context, KeyTangent tangent) {
  (void)apply_keys(context, tr("Tangents of %1"),
                   with_tangents(context.document.scene(), context.keys.keys(), tangent));
}

bool keys_have(const UiContext& context, KeyShape shape) {
  return all_selected(context, [shape](const Key& key) { return key.shape == shape; });
}

bool keys_have(const UiContext& context, KeyTangent tangent) {
  return all_selected(context, [tangent](const Key& key) { return key.tangent == tangent; });
}

void ease_keys(UiContext& context, const Easing& easing, EaseEnd end) {
  (void)apply_keys(context, tr("Ease %1"), eased_keys(context.document.scene(), context.keys.keys(), easing, end));
}

QString no_ways(const UiContext& context) {
  if (context.keys.empty()) return no_keys(context);
  bool continuous = false;
  for (const auto& [id, times] : context.keys.keys()) {
    const Track* track = find_track(context.document.scene(), id);
    if (!track || !is_continuous(context.document.scene(), *track)) continue;
    continuous = true;
    if (times.front() < track->keys.back().time) return {};
  }
  return continuous ? tr("Select a key that has another one behind it.")
                    : tr("These keys step: there is nothing between their values.");
}

void set_beyond(UiContext& context, bool after, Beyond beyond) {
  edit_tracks(context, after ? tr("After the last key of %1") : tr("Before the first key of %1"),
              chosen_tracks(context), [&](Track& track) { (after ? track.after : track.before) = beyond; });
}

bool goes_beyond(const UiContext& context, bool after, Beyond beyond) {
  const std::set<Id> tracks = chosen_tracks(context);
  return !tracks.empty() && std::all_of(tracks.begin(), tracks.end(), [&](Id id) {
    const Track* track = find_track(context.document.scene(), id);
    return track && (after ? track->after : track->before) == beyond;
  });
}

void mute_tracks(UiContext& context, const std::set<Id>& tracks, bool mute) {
  edit_tracks(context, mute ? tr("Mute %1") : tr("Use %1"), tracks, [&](Track& track) { track.visible = !mute; });
}

void turn_tracks(UiContext& context, TurnBy turn) {
  const std::set<Id> tracks = chosen_tracks(context);
  (void)context.document.edit(tr("Turning of %1").arg(tracks_text(tracks.size())),
                              turning_by(context.document.scene(), tracks, turn));
}

bool tracks_turn(const UiContext& context, TurnBy turn) {
  bool some = false;
  for (const Id id : chosen_tracks(context)) {
    const Track* track = find_track(context.document.scene(), id);
    if (!track || type_of(context.document.scene(), *track) != FieldType::rotation) continue;
    if (track->turn != turn) return false;
    some = true;
  }
  return some;
}

QString no_rotations(const UiContext& context) {
  for (const Id id : chosen_tracks(context))
    if (const Track* track = find_track(context.document.scene(), id);
        track && type_of(context.document.scene(), *track) == FieldType::rotation)
      return {};
  return tr("Select keys of a rotation first.");
}

void delete_keys(UiContext& context) {
  if (!context.keys.empty())
    (void)apply_keys(context, tr("Delete %1"),
                     without_keys(context.document.scene(), context.keys.keys(), context.keying.time()));
}

void copy_keys(UiContext& context) {
  if (!context.keys.empty())
    QGuiApplication::clipboard()->setText(copied_keys_text(context.document.scene(), context.keys.keys()));
}

QString paste_keys(UiContext& context) {
  PastedKeys pasted = pasted_keys(context.document.scene(), context.selection.ids(),
                                  QGuiApplication::clipboard()->text(), head_time(context), context.boxes.ids());
  if (!pasted.why_not.isEmpty()) return pasted.why_not;
  (void)apply_keys(context, tr("Paste %1"), std::move(pasted.edit));
  return pasted.left;
}

void select_all_keys(UiContext& context, const std::set<Id>& tracks) {
  context.keys.set(all_keys(context.document.scene(), tracks));
}

void invert_keys(UiContext& context, const std::set<Id>& tracks) {
  KeyTimes others;
  for (const auto& [track, times] : all_keys(context.document.scene(), tracks))
    for (const double time : times)
      if (!context.keys.contains({track, time})) others[track].push_back(time);
  context.keys.set(std::move(others));
}

void type_time(UiContext& context, double frame, quint64 gesture) {
  const auto active = context.keys.active();
  if (!active) return;
  // All that are selected go as far: they keep their distances.
  const Retime to{frame / frame_rate(context) - active->time, 1, 0, 0};
  (void)apply_keys(context, tr("Move %1"), retimed_keys(context.document.scene(), context.keys.keys(), to), gesture,
                   KeyRef{active->track, retimed(active->time, to)});
}

void type_value(UiContext& context, std::size_t component, double value, quint64 gesture) {
  const Scene& scene = context.document.scene();
  const Track* shown = context.keys.active() ? find_track(scene, context.keys.active()->track) : nullptr;
  if (!shown) return;
  const FieldType type = type_of(scene, *shown);
  const auto set = [&](const Track& track, Key& key) {
    const FieldType its = type_of(scene, track);
    if (its == type && track.turn == shown->turn)
      set_component(scene, track, key, component, value / shown_factor(scene, track));
  };
  (void)apply_keys(context, tr("Value of %1"), with_values(scene, context.keys.keys(), set), gesture);
}

double shown_factor(const Scene& scene, const Track& track) {
  const auto field = track_field(scene, track.target, track.field);
  if (!field) return 1;
  const bool angles = field->range.type == FieldType::rotation && track.turn == TurnBy::angles;
  const bool rotation = field->range.type == FieldType::rotation;
  return angles || (!rotation && field->range.unit.starts_with("°")) ? 180 / kPi : 1;
}

}  // namespace hazumi
