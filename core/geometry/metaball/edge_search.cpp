#include "core/geometry/metaball/edge_search.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hazumi::metaball {

void search_edges(const PrimitiveList& list, double chord, std::span<EdgeSearch> open) {
  constexpr int kRounds = 14;
  std::array<int, 54> left;
  auto n = static_cast<int>(open.size());
  for (int i = 0; i < n; ++i) left[static_cast<std::size_t>(i)] = i;
  Lanes x[7], y[7], z[7], f[7], gx[7], gy[7], gz[7];
  for (int round = 0; round < kRounds && n > 0; ++round) {
    const int blocks = (n + kLanes - 1) / kLanes;
    for (int i = 0; i < blocks * kLanes; ++i) {
      const EdgeSearch& s = open[static_cast<std::size_t>(left[static_cast<std::size_t>(std::min(i, n - 1))])];
      s.crossing->point[s.axis] = s.start + s.t * s.edge;
      x[i / kLanes][i % kLanes] = s.crossing->point.x();
      y[i / kLanes][i % kLanes] = s.crossing->point.y();
      z[i / kLanes][i % kLanes] = s.crossing->point.z();
    }
    kernels().evaluate(list, blocks, x, y, z, f, gx, gy, gz);
    int kept = 0;
    for (int i = 0; i < n; ++i) {
      const int which = left[static_cast<std::size_t>(i)], b = i / kLanes, l = i % kLanes;
      EdgeSearch& s = open[static_cast<std::size_t>(which)];
      const double value = f[b][l] - 1;
      const Vec3 gradient(gx[b][l], gy[b][l], gz[b][l]);
      s.crossing->normal = outward(gradient);
      // Close to an end that lies near the other side of something thin the slope is of the wrong sign.
      const bool through = gradient[s.axis] * (s.fb - s.fa) > 0;
      if ((through || round > 9) && std::abs(value) <= 0.02 * chord * gradient.norm()) continue;
      ((value >= 0) == (s.fa >= 0) ? s.ta : s.tb) = s.t;
      ((value >= 0) == (s.fa >= 0) ? s.fa : s.fb) = value;
      const double newton = s.t - value / (gradient[s.axis] * s.edge),
                   secant = s.ta - s.fa * (s.tb - s.ta) / (s.fb - s.fa);
      // Newton's guess beside a kink may be far off: every other round goes by the chord, every third by
      // halves.
      s.t = round % 2 == 0 && newton > s.ta && newton < s.tb ? newton : round % 3 == 2 ? 0.5 * (s.ta + s.tb) : secant;
      if (!through || !(s.t > s.ta && s.t < s.tb)) s.t = 0.5 * (s.ta + s.tb);
      left[static_cast<std::size_t>(kept++)] = which;
    }
    n = kept;
  }
}

}  // namespace hazumi::metaball
