// What menus, keys and the rulers do with markers: each is one undo step with the marker's name. A marker is at the frame that is
// nearest to its time.
#pragma once

#include <vector>

#include <QString>

#include "core/scene/values/marker.h"
#include "ui/model/context.h"

namespace hazumi {

int frame_of(const UiContext& context, const Marker& marker);
const Marker* find_marker(const UiContext& context, Id id);          ///< null: there is none
const Marker* marker_at_frame(const UiContext& context, int frame);  ///< null: none is
/// In order of time.
std::vector<const Marker*> markers_in_time(const UiContext& context);
/// The nearest one after the play head (before it: −1); null: none.
const Marker* next_marker(const UiContext& context, int direction);

void add_marker(UiContext& context, int frame);
void go_to_marker(UiContext& context, const Marker& marker);
void move_marker(UiContext& context, Id id, int frame, quint64 gesture);
void rename_marker(UiContext& context, Id id, const QString& name);  ///< an empty name changes nothing
void colour_marker(UiContext& context, Id id, const Vec3& colour);
void delete_marker(UiContext& context, Id id);

}  // namespace hazumi
