// What the panel, menus and keys do with takes (core/scene/derived/takes.h): each is one undo step with the take's name.
#pragma once

#include <string>

#include <QString>

#include "core/scene/values/take.h"
#include "ui/model/context.h"

namespace hazumi {

/// A copy of the current one, which is current then.
void add_take(UiContext& context);
/// A copy beside it that waits. No id: of the current one.
void duplicate_take(UiContext& context, Id take);
void rename_take(UiContext& context, Id take, const QString& name);  ///< an empty name changes nothing
void delete_take(UiContext& context, Id take);
/// Its motion becomes the scene's.
void use_take(UiContext& context, Id take);
/// The next one in the list, after the last the first (before it: −1).
void step_take(UiContext& context, int direction);
void put_on_wall(UiContext& context, Id take, bool on);

QString no_deleting_take(const UiContext& context);  ///< why not; empty: the current one can be
QString no_other_take(const UiContext& context);     ///< the same of going to another one

}  // namespace hazumi
