// Two segments that move straight within a sub-step: where they first come as near as a radius, or how near they are at its end. A
// segment of no length is a point.
//
// The distance of two segments changes by no more than their ends move against each other, so what is apart by d may move on until that
// has used up d − radius (conservative advancement: Mirtich 1996): the first touch is found, however fast they are.
#pragma once

#include <array>

#include "core/math/types.h"

namespace hazumi {

struct SegmentPath {
  std::array<Vec3, 2> from, to;  ///< both ends, at both ends of the sub-step, m
  Vec3 start(double s) const { return (1 - s) * from[0] + s * from[1]; }
  Vec3 end(double s) const { return (1 - s) * to[0] + s * to[1]; }
};

struct SegmentTouch {
  double s = 0, t = 0;         ///< places on both, 0…1
  Vec3 normal = Vec3::Zero();  ///< unit, from the second to the first
  double gap = 0;              ///< m, along the normal at the end of the sub-step, beyond the radius
  bool crossing = false;       ///< both places are between ends, and the directions differ
};

/// False where the gap is more than `margin`. What begins nearer than the radius is led out on the side on which it begins.
bool segments_touch(const SegmentPath& a, const SegmentPath& b, double radius, double margin, SegmentTouch& out);

}  // namespace hazumi
