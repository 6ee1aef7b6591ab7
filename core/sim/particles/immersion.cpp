#include "core/sim/particles/immersion.h"

#include <algorithm>
#include <cmath>

#include "core/sim/fields/immersed.h"

namespace hazumi {

namespace {

constexpr int kRounds = 60;
constexpr double kNear = 1e-13;  // of the lengths at hand: as near to the root as makes no difference

/// The upward part of what accelerates a ball of which a part is below.
struct Rise {
  double mass, up, lift, taken, radius;  // m; b·n; −ρ V g·n; ρ V/2
  double of_part(double part) const { return (mass * up + lift * part) / (mass + taken * part); }
};

struct Mean {
  double rise = 0, part = 0;
};

/// Over the depths from `from` to `to`: outside of ±radius it is constant, between them by Gauss's rule of eight places.
Mean mean_over(const Rise& rise, double from, double to) {
  constexpr double kPlace[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  constexpr double kWeight[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  const double low = std::min(from, to), high = std::max(from, to), r = rise.radius;
  const auto at = [&](double depth) {
    const double part = immersed_part_of_ball(r, depth);
    return Mean{rise.of_part(part), part};
  };
  if (!(high > low)) return at(low);
  const double over = std::max(0.0, std::min(high, -r) - low), under = std::max(0.0, high - std::max(low, r));
  const double begin = std::clamp(low, -r, r), half = 0.5 * (std::clamp(high, -r, r) - begin);
  Mean sum{over * rise.of_part(0) + under * rise.of_part(1), under};
  if (half > 0)
    for (int k = 0; k < 4; ++k)
      for (const double place : {-kPlace[k], kPlace[k]}) {
        const Mean one = at(begin + half * (1 + place));
        sum.rise += half * kWeight[k] * one.rise;
        sum.part += half * kWeight[k] * one.part;
      }
  return {sum.rise / (high - low), sum.part / (high - low)};
}

}  // namespace

namespace {

/// Mean over the way to where the ball is at the end of it, z⁺ + h²/2 ā(z, z⁺) = `free`: by false position (Illinois), whose ends hold the root.
Mean mean_to_end(const Rise& rise, double start, double free, double way) {
  const double none = rise.of_part(0), all = rise.of_part(1);
  double low = free - way * std::max(none, all), high = free - way * std::min(none, all);
  if (std::max(start, high) <= -rise.radius) return {none, 0};
  if (std::min(start, low) >= rise.radius) return {all, 1};
  const double near = kNear * (rise.radius + std::abs(free) + std::abs(start));
  Mean mean = mean_over(rise, start, low);
  double under = low + way * mean.rise - free, over = high + way * mean_over(rise, start, high).rise - free;
  int side = 0;
  for (int k = 0; k < kRounds && high - low > near && under < 0 && over > 0; ++k) {
    const double z = std::clamp(low + under / (under - over) * (high - low), low, high);
    mean = mean_over(rise, start, z);
    const double off = z + way * mean.rise - free;
    if (std::abs(off) <= near) break;
    if (off < 0) {
      low = z;
      under = off;
      if (side < 0) over *= 0.5;
      side = -1;
    } else {
      high = z;
      over = off;
      if (side > 0) under *= 0.5;
      side = 1;
    }
  }
  return mean;
}

}  // namespace

double immerse(const Floating& ball, const Water& water, const Vec3& gravity, Vec3& pull, double& added) {
  const double volume = 4.0 / 3 * kPi * ball.radius * ball.radius * ball.radius;
  const double in = water.weight * water.density * volume;  // kg of water in place of the whole of it
  const double mass = ball.mass + added, h = ball.h, rising = ball.velocity.dot(water.up);
  const Rise rise{mass, pull.dot(water.up), -in * gravity.dot(water.up), 0.5 * in, ball.radius};
  const double start = water.depth(ball.middle) + 0.5 * h * rising, free = start - h * rising, way = 0.5 * h * h;
  const Mean mean = mean_to_end(rise, start, free, way);
  if (!(mean.part > 0)) return 0;
  pull = (mass * pull - in * mean.part * gravity) / (mass + 0.5 * in * mean.part);
  pull += (mean.rise - pull.dot(water.up)) * water.up;
  added += 0.5 * in * mean.part;
  return water.weight * mean.part;
}

}  // namespace hazumi
