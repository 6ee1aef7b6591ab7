// With what velocity something has to leave for its centre to come to a target: by itself under gravity, and through fields of force and drag.
//
//   p        target, m;   d = p − x(0), the way to it
//   x(T; v)  where it is T s after it left at v; under a constant acceleration a alone x(0) + v T + a T²/2, so v = d/T − a T/2
//   else     r(v) = x(T; v) − p = 0 by Broyden's method from there, its first matrix T·1; a step that leads away is halved
//   gentlest T of the least |v|: under a alone T² = 2 |d|/|a|; else by golden section of log T over four times less and more of that
//
// Limits: what it meets on its way is not looked at, nor forces, joints and other boxes that change how it flies; numbers that boxes set,
// and gravity, stay as they are when it is thrown.
#pragma once

#include <functional>
#include <optional>

#include "core/motion/kinds.h"

namespace hazumi {

struct Shot {
  double time = 0;  ///< s
  Vec3 velocity = Vec3::Zero();
};

/// Under a constant acceleration, m/s². `duration` 0: as gently as it can; it takes `least` at least.
Shot shot_over(const Vec3& way, const Vec3& acceleration, double duration, double least);

/// x(T; v), where fields and drag do that share of what they do; nothing: it leaves all bounds.
using EndOfFlight = std::function<std::optional<Vec3>(const Vec3& velocity, double time, double share)>;
/// With what it comes as near to the target after `guess.time` as is found. `at_once`: of air that leads away from it no more is tried, as who
/// drags something waits.
Vec3 velocity_to(const EndOfFlight& end, const Vec3& target, const Shot& guess, bool at_once = false);
/// The gentlest, where under gravity alone it were `guess`.
Shot gentlest_to(const EndOfFlight& end, const Vec3& target, const Shot& guess, double least);

/// Of a body in a run, at the start of a sub-step. `acceleration`: of its whole flight, gravity and all, m/s².
Shot shot_of(const MotionContext& context, const Vec3& acceleration, const Vec3& target, double duration);

}  // namespace hazumi
