// Frames of a film that does not fall on the sub-steps of its run (scene/derived/run_clock.h).
#pragma once

#include <cstddef>

#include "core/playback/frame.h"
#include "core/sim/model.h"

namespace hazumi {

/// Between two frames that are a sub-step apart, 0: the first, 1: the second. What is there, and what is not, is as in the first.
Frame between(Frame first, const Frame& second, double part);

/// A body that does not deform is seen there, and what it carries with it.
void put_at(const Model& model, std::size_t body, const Pose& pose, Frame& frame);

}  // namespace hazumi
