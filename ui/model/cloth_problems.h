// Cloths of so many squares or nodes that a run takes long where they lie on something, as problems with remedies (docs/numerics/cloth.md, Limits).
#pragma once

#include <vector>

#include "ui/model/problem.h"

namespace hazumi {

std::vector<Problem> cloth_problems(const Scene& scene);

}  // namespace hazumi
