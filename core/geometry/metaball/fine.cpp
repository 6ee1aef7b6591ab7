#include <algorithm>
#include <cmath>

#include "core/geometry/metaball/cell_parts.h"
#include "core/geometry/metaball/edge_search.h"

namespace hazumi::metaball {

bool is_fine(const PrimitiveList& list, const GridSpec& grid, const Parts& parts, int part,
             std::span<const Crossing* const> crossings) {
  const double edge = 2 * parts.half;
  Vec3 middle = Vec3::Zero(), mean = Vec3::Zero();
  for (const Crossing* c : crossings) {
    middle += c->point;
    mean += c->normal;
  }
  middle /= static_cast<double>(crossings.size());
  mean.normalize();
  double smooth = 0, spread = 1;
  for (const Crossing* c : crossings) {
    smooth = std::max(smooth, std::abs(c->normal.dot(middle - c->point)));
    spread = std::min(spread, c->normal.dot(mean));
  }
  // Whether every corner's normal is like that of some crossing: a crease or a tip that passes between the
  // crossings shows at the corners.
  const auto sees_all = [&] {
    for (int c = 0; c < 8; ++c) {
      const Vec3 normal = outward(parts.points[static_cast<std::size_t>(lattice_of_corner(part, c))].gradient);
      if (std::none_of(crossings.begin(), crossings.end(),
                       [&](const Crossing* x) { return x->normal.dot(normal) > 0.75; }))
        return false;
    }
    return true;
  };
  // On a sphere the mean lies below the tangent planes by twice the height of the cap.
  if (0.5 * smooth <= 0.7 * grid.chord && spread > 0.5) return spread < 0.9 || edge <= 3 * grid.chord || sees_all();
  if (spread > 0.95) return false;
  const Vec3 q = sharp_point(crossings, middle);
  double residual = 0;
  for (const Crossing* c : crossings) residual = std::max(residual, std::abs(c->normal.dot(q - c->point)));
  if (residual > 0.5 * grid.chord) return false;
  Lanes x[3], value, g[3];
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < kLanes; ++l) x[k][l] = q[k];
  kernels().evaluate(list, 1, &x[0], &x[1], &x[2], &value, &g[0], &g[1], &g[2]);
  const double slope = Vec3(g[0][0], g[1][0], g[2][0]).norm();
  return slope > 0 && std::abs(value[0] - 1) <= 0.7 * grid.chord * slope && (edge <= 3 * grid.chord || sees_all());
}

}  // namespace hazumi::metaball
