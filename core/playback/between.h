// Frames of a film that does not fall on the sub-steps of its run (scene/derived/run_clock.h).
#pragma once

#include <cstddef>

#include "core/playback/frame.h"
#include "core/sim/model.h"

namespace hazumi {

/// Between two frames that are a sub-step apart, 0: the first, 1: the second. What is there, and what is not, is as in the first.
Frame between(Frame first, const Frame& second, double part);

/// Puts it there as it is bent: what of it is in world space goes along rigidly.
void put_rigidly(ObjectFrame& object, const Vec3f& position, const Eigen::Quaternionf& rotation);

/// What is led is seen in the frame of that number where it is led to then.
void put_led(const Model& model, int number, Frame& frame);

}  // namespace hazumi
