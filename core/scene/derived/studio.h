// What a scene is lit with: its own lights and ambient light, or one of the ready sets in their place. A set is directional lights,
// so that it lights a scene of any size, with sky and ground (hemisphere, Greger et al. 1998). Amounts are linear.
#pragma once

#include <vector>

#include "core/scene/values/scene.h"

namespace hazumi {

struct StudioLamp {
  Vec3 towards;  ///< direction from the scene to the lamp, of any length
  Vec3 light;    ///< colour × intensity
};

struct StudioSet {
  std::vector<StudioLamp> lamps;  ///< the first one casts the shadow
  Vec3 sky, ground;               ///< light on what faces up, and down
};

/// Of a set that is not the scene's own lights.
const StudioSet& studio_set(StudioLight light);

}  // namespace hazumi
