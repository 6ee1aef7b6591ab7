// How thick a rope is.
#pragma once

#include "core/scene/values/scene.h"

namespace hazumi {

/// m: half the mean of its shorter sides, as it is scaled. 0 where the analysis model is no rope.
double rope_radius(const Object& object);

}  // namespace hazumi
