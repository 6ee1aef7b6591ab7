// Joints that cannot hold what they say, and forces that push nothing, as problems with remedies (core/scene/derived/joint_faults.h,
// pushes.h).
#pragma once

#include <vector>

#include "ui/model/problem.h"

namespace hazumi {

std::vector<Problem> joint_problems(const Scene& scene);

}  // namespace hazumi
