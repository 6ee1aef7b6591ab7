// Why a run stopped, with what may be done about it by a click; and rules of the scene that mean nothing.
#pragma once

#include <vector>

#include "ui/model/problem.h"

namespace hazumi {

struct FillStatus;
struct RunLog;

/// `status` has a failure.
Problem run_problem(const Scene& scene, const FillStatus& status, const RunLog& log);

/// Groups that objects ignore and no object is in: one line for each name.
std::vector<Problem> group_problems(const Scene& scene);

}  // namespace hazumi
