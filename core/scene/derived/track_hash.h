// Hashes of keys and curves as a run reads them: for signatures, and to see whether two scenes say the same.
#pragma once

#include "core/base/hash.h"
#include "core/scene/values/curve.h"
#include "core/scene/values/track.h"

namespace hazumi {

/// Null: there is none, which is said too.
void add_track(Hasher& hasher, const Track* track);
/// Where it lies in the world.
void add_curve(Hasher& hasher, const Curve* curve);

bool same_keys(const Track* a, const Track* b);
bool same_way(const Curve* a, const Curve* b);

}  // namespace hazumi
