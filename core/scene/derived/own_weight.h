// How far something soft sinks in under its own weight, before any of it is computed: what is told beside the slider of its softness.
//
//   σ(y) = ρ g (H − y)   E = Σ k l² / 6 V   sunk = ∫ σ / E dy / H = 3 m g H / Σ k l²
//
// E is Young's modulus of springs in all directions (Poisson's ratio 1/4: five sixths of what holds against even strain in one direction, Σ k l² / 5
// V, as core/sim/elastic/cells.h has it); H its height as it lies at the start. Cells and finite elements sink as far within a tenth, springs in a
// body frame up to twice as far. Past a quarter it is a guess: springs then fold.
#pragma once

#include "core/scene/values/scene.h"

namespace hazumi {

/// Of its height, standing on a floor; `mass` in kg, `gravity` in m/s². 0: no solid that bends, one that is pinned or that keeps its volume, or
/// whose elastic model takes another stiffness than that of its springs (parameters of its own).
double sunk_by_own_weight(const Object& object, double mass, double gravity);

}  // namespace hazumi
