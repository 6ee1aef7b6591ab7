// Checks a whole scene, or what an edit changed. Only scenes without errors are compiled, saved or set.
#pragma once

#include "core/base/diagnostic.h"
#include "core/scene/values/scene.h"

namespace hazumi {

Diagnostics validate(const Scene& scene);
/// Same verdict as validate(after) when `before` was valid, but looks only at what is not shared between the
/// two.
Diagnostics validate_change(const Scene& before, const Scene& after);

}  // namespace hazumi
