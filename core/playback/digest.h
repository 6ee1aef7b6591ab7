// What a run shows, as one number: for golden runs (tests/golden/runs) and for comparing machines. Unlike hash(State) it
// does not change when only the layout of the state does.
#pragma once

#include <cstdint>

#include "core/playback/frame.h"
#include "core/sim/model.h"

namespace hazumi {

/// Every number of every object and block in a frame, without Frame::state_hash.
std::uint64_t digest(const Frame& frame);
/// Every observable of every body at this state, in order of the bodies.
std::uint64_t observables_digest(const Model& model, const State& state);

}  // namespace hazumi
