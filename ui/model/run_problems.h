// Why a run stopped, with what may be done about it by a click; sources whose copies had no room in it; and rules of the scene that mean nothing.
#pragma once

#include <vector>

#include "ui/model/problem.h"

namespace hazumi {

struct FillStatus;
struct RunLog;

/// `status` has a failure.
Problem run_problem(const Scene& scene, const FillStatus& status, const RunLog& log);

struct RoomProblem {
  Problem line;
  int frame = 0;  ///< in which the copy had no room
};
/// Sources of which a copy still had no room when the next one was to be born, from then on; and those that gave none at all because of that, by a run
/// that is over or has come past their time; and those of which some still wait as the run ends. What is in the way is named, and selected with the source.
std::vector<RoomProblem> room_problems(const Scene& scene, const FillStatus& status, const RunLog& log);
/// Whether one may be told of: the log need not be asked for before.
bool may_lack_room(const Scene& scene, const FillStatus& status);

/// Groups that objects ignore and no object is in: one line for each name.
std::vector<Problem> group_problems(const Scene& scene);

}  // namespace hazumi
