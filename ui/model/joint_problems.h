// Joints that cannot hold what they say, as problems with remedies (core/scene/derived/joint_faults.h).
#pragma once

#include <vector>

#include "ui/model/problem.h"

namespace hazumi {

std::vector<Problem> joint_problems(const Scene& scene);

}  // namespace hazumi
