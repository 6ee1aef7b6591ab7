// What makes a run read values that it does not read from its start. A run logs when each cause was there first
// (playback/cause_log.h); an edit of what is read only for that cause leaves the frames before standing (scene/diff.h). Of births nothing is read:
// they are logged to be told of.
#pragma once

#include <compare>

#include "core/base/id.h"

namespace hazumi {

enum class Reading {
  contact,  ///< the object touched something: its substance, and whether it takes part in contacts
  armed,    ///< a box of a motion graph was armed, or ran
  born,     ///< a source of copies gave one
  no_room,  ///< a copy of a source had no room and waited
  met,      ///< a limit of a joint held, or it was looked at whether it would; of a rope, its length
  broke,    ///< a joint broke
};

struct Cause {
  Id thing;  ///< of one of the scene's lists
  Reading reading = Reading::contact;
  friend auto operator<=>(const Cause&, const Cause&) = default;
};

}  // namespace hazumi
