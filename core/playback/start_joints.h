// What joints begin with where a state of a run becomes the start of another one (start_from.h).
#pragma once

#include <set>

#include "core/scene/values/scene.h"
#include "core/sim/model.h"

namespace hazumi {

/// `scene`: its objects of these ids (none named: all) begin as they are in `state` already. Joints between such objects, or between one of
/// them and what does not move, go on as they were: one that is broken is off, limits count from where hinge and slider are now, springs and
/// ropes keep their lengths, and what holds something bent holds it where its nodes are.
Scene joints_started_from(Scene scene, const Model& model, const State& state, const std::set<Id>& ids);

}  // namespace hazumi
