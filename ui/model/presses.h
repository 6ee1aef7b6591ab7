// Keys and mouse buttons that are pressed while it plays: each sets a marker at the frame that is shown, of the name that events of motion graphs wait for
// (core/motion/events/marker.cpp), so that what was done live is in the scene.
#pragma once

#include <string>

#include "ui/model/context.h"

namespace hazumi {

/// A key or a button as events name it, and the object that is under the mouse.
struct LivePress {
  std::string key;  ///< "1" to "9", "left button", "middle button", "right button"
  Id under = {};
};
/// It plays, and an event of a used box has that key; of a button that counts over its objects alone, one of these is under it.
bool has_press_while_playing(const UiContext& context, const LivePress& press);
/// It plays, and some event has a mouse button.
bool has_buttons_while_playing(const UiContext& context);
/// One undo step for all events that have it. An event without a marker gets one, called as it is.
void press_while_playing(UiContext& context, const LivePress& press);

}  // namespace hazumi
