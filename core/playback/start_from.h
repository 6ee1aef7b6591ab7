// A state of a run as the start of another one.
#pragma once

#include <set>

#include "core/scene/values/scene.h"
#include "core/sim/model.h"

namespace hazumi {

/// The scene whose objects of these ids (none named: all) begin as they are in `state`, a state of a run of it: place, attitude,
/// velocity, spin, and how they are bent; what they carry is where it is then. Points live from then on for as long as they would have. What is remembered of contacts
/// is left behind: they begin anew.
Scene started_from(Scene scene, const Model& model, const State& state, const std::set<Id>& ids = {});

}  // namespace hazumi
