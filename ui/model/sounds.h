// What menus, keys, drops and the strip do with sounds: each is one undo step with the sound's name.
#pragma once

#include <QString>

#include "core/scene/values/sound.h"
#include "ui/model/context.h"

namespace hazumi {

const Sound* find_sound(const UiContext& context, Id id);  ///< null: there is none
/// By its name: WAV, FLAC, OGG, MP3 and relatives.
bool is_sound_file_name(const QString& file);
QString sound_filter();  ///< of file dialogs

/// `start` in s. Its name is that of the file.
Id add_sound(UiContext& context, const QString& file, double start);
void move_sound(UiContext& context, Id id, double start, quint64 gesture = 0);
void set_gain(UiContext& context, Id id, double gain, quint64 gesture = 0);
void mute_sound(UiContext& context, Id id, bool mute);
void let_sound_wait(UiContext& context, Id id, bool wait);          ///< for a motion that plays it
void rename_sound(UiContext& context, Id id, const QString& name);  ///< an empty name changes nothing
void change_sound_file(UiContext& context, Id id, const QString& file);
void delete_sound(UiContext& context, Id id);

}  // namespace hazumi
