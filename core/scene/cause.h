// What makes a run read values that it does not read from its start. A run logs when each cause was there first
// (playback/cause_log.h); an edit of what is read only for that cause leaves the frames before standing (scene/diff.h).
#pragma once

#include <compare>

#include "core/base/id.h"

namespace hazumi {

enum class Reading {
  contact,  ///< the object touched something: its substance, and whether it takes part in contacts
  armed,    ///< a box of a motion graph was armed, or ran
};

struct Cause {
  Id thing;  ///< of one of the scene's lists
  Reading reading = Reading::contact;
  friend auto operator<=>(const Cause&, const Cause&) = default;
};

}  // namespace hazumi
