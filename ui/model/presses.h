// Keys that are pressed while it plays: each sets a marker at the frame that is shown, of the name that events of motion graphs wait for
// (core/motion/events/marker.cpp), so that what was done live is in the scene.
#pragma once

#include "ui/model/context.h"

namespace hazumi {

/// It plays, and an event of a used box has that key, 1 to 9.
bool has_key_while_playing(const UiContext& context, int digit);
/// One undo step for all events that have it. An event without a marker gets one, called as it is.
void press_while_playing(UiContext& context, int digit);

}  // namespace hazumi
