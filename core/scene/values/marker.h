// A named moment of a scene, for those who work on it: a flag on the rulers. Its time is in seconds, as those of keys: another frame
// rate moves neither.
#pragma once

#include <string>

#include "core/base/id.h"
#include "core/base/kept.h"
#include "core/math/types.h"

namespace hazumi {

struct Marker {
  Id id;
  std::string name;
  bool visible = true;
  double time = 0;                       ///< s
  Vec3 colour = Vec3(0.40, 0.72, 0.95);  ///< of the flag
  Kept kept;
};

}  // namespace hazumi
