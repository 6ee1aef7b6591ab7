// Why a run stopped, with what may be done about it by a click; sources that gave nothing in it; and rules of the scene that mean nothing.
#pragma once

#include <vector>

#include "ui/model/problem.h"

namespace hazumi {

struct FillStatus;
struct RunLog;

/// `status` has a failure.
Problem run_problem(const Scene& scene, const FillStatus& status, const RunLog& log);

/// Sources of copies that gave none, because what they gave had no room, by a run that is over or has come past their time.
std::vector<Problem> room_problems(const Scene& scene, const FillStatus& status, const RunLog& log);
/// Whether one may be told of now: the log need not be asked for before.
bool may_lack_room(const Scene& scene, const FillStatus& status);

/// Groups that objects ignore and no object is in: one line for each name.
std::vector<Problem> group_problems(const Scene& scene);

}  // namespace hazumi
