// Keying sets: fields that I keys together, of what is selected. Place and rotation, and all that has keys already, are always there;
// others are the scene's (core/scene/values/keying_set.h). Each change of one is an undo step.
#pragma once

#include <string>
#include <vector>

#include <QString>

#include "core/scene/values/keying_set.h"
#include "ui/model/context.h"
#include "ui/model/keying.h"

namespace hazumi {

const KeyingSet* find_keying_set(const UiContext& context, Id id);  ///< null: there is none
/// Paths, each once, in their order.
std::vector<std::string> fields_of(const KeyingSet& set);
/// "Position", "Gravity": as the first kind of thing that has it calls it; else its path.
QString field_label(const std::string& path);

QString name_of(const UiContext& context, const ActiveSet& set);
/// What the active set keys of the selection; nothing selected: of the scene's camera, of a scene's own fields, and of all that is
/// keyed.
std::vector<KeyPlace> places_of_active_set(const UiContext& context);
/// Why that is nothing; empty: it is something.
QString no_places(const UiContext& context);
/// Of whom its undo steps speak.
QString whose_keys(const UiContext& context);

/// Under a name that is free, and active then.
void add_keying_set(UiContext& context, const std::vector<std::string>& fields);
void add_set_of_tracks(UiContext& context);  ///< of the selected tracks
void add_to_keying_set(UiContext& context, Id id, const std::string& field);
void remove_from_keying_set(UiContext& context, Id id, const std::string& field);
void rename_keying_set(UiContext& context, Id id, const QString& name);  ///< an empty name changes nothing
void delete_keying_set(UiContext& context, Id id);

}  // namespace hazumi
