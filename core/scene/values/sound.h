// A sound file that is heard while the motion plays. Its time is in seconds, as those of markers: another frame rate does not move
// it. What is heard of a scene says core/sound/mix.h.
#pragma once

#include <string>

#include "core/base/id.h"
#include "core/base/kept.h"

namespace hazumi {

struct Sound {
  Id id;
  std::string name;
  bool visible = true;  ///< it is heard; off: muted
  /// Absolute in the program. In files relative, of what lies beside the scene, where saving copies it (file/scene_sounds.h).
  std::string file;
  double start = 0;    ///< s, of the scene, where its beginning is
  double gain = 1;     ///< factor on the pressure
  bool waits = false;  ///< not heard at its start, only when a motion plays it
  Kept kept;
};

}  // namespace hazumi
