#include "core/sim/body/midpoint_turn.h"

#include <Eigen/LU>

#include "core/math/rotation.h"

namespace hazumi {

Vec3 midpoint_turn(const Mat3& inertia, double h, const Vec3& rate, const Vec3& b) {
  constexpr int kMost = 40;
  const Mat3 inverse = inertia.inverse();
  const Vec3 before = inertia * rate;
  Vec3 theta = 0.5 * h * (rate + inverse * b);
  const auto left = [&](const Vec3& t) {
    const Vec3 y = inertia * (2 / h * t) - before;
    return Vec3(y + 0.5 * t.cross(y) - b + 0.5 * t.cross(b));
  };
  Vec3 rest = left(theta);
  double last = 1e300;
  for (int k = 0; k < kMost; ++k) {
    const Vec3 y = inertia * (2 / h * theta) - before;
    const Mat3 slope = (2 / h) * inertia + 0.5 * ((2 / h) * skew(theta) * inertia - skew(y)) - 0.5 * skew(b);
    const Vec3 step = slope.partialPivLu().solve(rest);
    const double size = step.squaredNorm();
    if (!(size < 1e300)) break;
    // Where a full step leads away, shorter ones.
    double part = 1;
    Vec3 next = theta - step, after = left(next);
    for (; part > 1e-3 && !(after.squaredNorm() <= rest.squaredNorm()) && size > 1e-24 * theta.squaredNorm();
         part *= 0.5) {
      next = theta - 0.5 * part * step;
      after = left(next);
    }
    theta = next;
    rest = after;
    if (size <= 1e-32 * theta.squaredNorm() || size == 0 || (size < 1e-26 * theta.squaredNorm() && size >= last)) break;
    last = size;
  }
  return theta;
}

}  // namespace hazumi
