// What menus and keys do to the selected keys. Each is one undo step; drags join by their gesture.
#pragma once

#include <optional>

#include <QString>

#include "ui/model/context.h"
#include "ui/model/key_easings.h"
#include "ui/model/key_edits.h"
#include "ui/model/key_selection.h"

namespace hazumi {

double head_time(const UiContext& context);  ///< s, of the frame that is shown
double frame_rate(const UiContext& context);
/// "1 key", "12 keys".
QString keys_text(std::size_t count);
/// Keys at a frame (or nearest to it) of what is selected, where that has any; else of all: those that the time line shows.
KeyTimes keys_at_frame(const UiContext& context, int frame);
/// "Select a key first."; "" when one is.
QString no_keys(const UiContext& context);
/// Tracks of which a key is selected; else those whose rows are.
std::set<Id> chosen_tracks(const UiContext& context);
QString no_tracks(const UiContext& context);

/// The edit as an undo step, and its keys selected. `text`: "Move %1", of how many keys; or all of it. False: refused.
/// `before`: the scene that the edit was made from; null: the open one.
bool apply_keys(UiContext& context, const QString& text, KeyEdit edit, quint64 gesture = 0,
                std::optional<KeyRef> active = {}, const Scene* before = nullptr);

void mirror_keys(UiContext& context);  ///< about the play head
void snap_keys(UiContext& context);    ///< to whole frames
void align_keys(UiContext& context);   ///< to the play head: in each track the selected key that is nearest
void shape_keys(UiContext& context, KeyShape shape);
void set_tangents(UiContext& context, KeyTangent tangent);
/// All that are selected have it.
bool keys_have(const UiContext& context, KeyShape shape);
bool keys_have(const UiContext& context, KeyTangent tangent);
void ease_keys(UiContext& context, const Easing& easing, EaseEnd end);
/// Why no way between keys can be eased; "" when one can.
QString no_ways(const UiContext& context);
void set_beyond(UiContext& context, bool after, Beyond beyond);
/// All of them have it so.
bool goes_beyond(const UiContext& context, bool after, Beyond beyond);
/// Tracks that are not used leave their field its own value.
void mute_tracks(UiContext& context, const std::set<Id>& tracks, bool mute);
void turn_tracks(UiContext& context, TurnBy turn);
/// All rotations among them do.
bool tracks_turn(const UiContext& context, TurnBy turn);
QString no_rotations(const UiContext& context);
void delete_keys(UiContext& context);
void copy_keys(UiContext& context);
/// Why nothing was pasted, or what found no place; empty: all is there.
QString paste_keys(UiContext& context);
void select_all_keys(UiContext& context, const std::set<Id>& tracks = {});
void invert_keys(UiContext& context, const std::set<Id>& tracks = {});
/// A number of the active key as it is shown goes to all that are selected, in tracks that have it.
void type_time(UiContext& context, double frame, quint64 gesture);
void type_value(UiContext& context, std::size_t component, double value, quint64 gesture);

/// What a track's numbers are shown times: degrees of radians.
double shown_factor(const Scene& scene, const Track& track);

}  // namespace hazumi
