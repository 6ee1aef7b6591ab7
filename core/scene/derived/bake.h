// A stretch of motion as keys: the fewest splines that stay within a tolerance of where something was at every frame.
//
// A way from frame i to frame j is Hermite's cubic with the slopes that three frames on its own side give, so that a free flight is
// one way, and a bounce is a key whose two sides differ. Whether it may be taken is asked at every frame between; of all chains of
// such ways one with the fewest is taken (breadth first). Rotations: the same on the sphere (tracks.h).
//
// Numbers of keys are rounded to a ten-thousandth of the tolerance before they are asked for: what is finer is rounding of the run,
// whose frames are floats, and would only be read as noise.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "core/math/types.h"
#include "core/scene/values/track.h"

namespace hazumi {

struct MotionSample {
  double time = 0;  ///< s, ascending by equal steps
  Pose pose;        ///< of the object frame
};

struct BakeTolerance {
  double place = 1e-3;               ///< m
  double angle = 0.5 * kPi / 180.0;  ///< rad
  int longest = 240;                 ///< frames of one way
};

struct BakedMotion {
  std::vector<Key> place, rotation;
  double off = 0, turned = 0;  ///< m, rad: the furthest that a sample is from what the keys say
};

/// Nothing when `cancel` was set meanwhile.
BakedMotion baked(std::span<const MotionSample> samples, const BakeTolerance& tolerance,
                  const std::atomic<bool>* cancel = nullptr);

}  // namespace hazumi
