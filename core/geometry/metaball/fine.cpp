#include <algorithm>
#include <bit>
#include <cmath>

#include "core/geometry/metaball/cell_parts.h"
#include "core/geometry/metaball/edge_search.h"

namespace hazumi::metaball {

namespace {

/// Edge in chord errors of the cells in which a crease that no crossing shows does no harm.
constexpr double kSmall = 3;

}  // namespace

std::uint8_t inside_of(const Parts& parts, int part) {
  unsigned inside = 0;
  for (int c = 0; c < 8; ++c)
    if ((corner(parts, part, c).f >= 0) != (parts.turned >> lattice_of_corner(part, c) & 1u)) inside |= 1u << c;
  return static_cast<std::uint8_t>(inside);
}

Vec3 lattice_place(const Parts& parts, int point) {
  // The lattice's low corner is half an edge below the first part's middle.
  Vec3 p;
  for (int k = 0, step = 1; k < 3; ++k, step *= 3)
    p[k] = parts.middle[k][0] - parts.half + (point / step % 3) * 2 * parts.half;
  return p;
}

void sample_points(const PrimitiveList& list, const double at[3][3], std::uint32_t wanted, Parts& parts) {
  Lanes x[4], y[4], z[4], f[4], gx[4], gy[4], gz[4];
  std::array<std::uint8_t, kLatticePoints> order;
  int count = 0;
  for (; wanted; wanted &= wanted - 1) {
    const int p = std::countr_zero(wanted);
    order[static_cast<std::size_t>(count)] = static_cast<std::uint8_t>(p);
    x[count / kLanes][count % kLanes] = at[0][p % 3];
    y[count / kLanes][count % kLanes] = at[1][p / 3 % 3];
    z[count / kLanes][count % kLanes] = at[2][p / 9];
    ++count;
  }
  if (count == 0) return;
  const int blocks = (count + kLanes - 1) / kLanes, last = count - 1;
  for (int i = count; i < blocks * kLanes; ++i) {
    x[i / kLanes][i % kLanes] = x[last / kLanes][last % kLanes];
    y[i / kLanes][i % kLanes] = y[last / kLanes][last % kLanes];
    z[i / kLanes][i % kLanes] = z[last / kLanes][last % kLanes];
  }
  kernels().evaluate(list, blocks, x, y, z, f, gx, gy, gz);
  for (int i = 0; i < count; ++i) {
    const int b = i / kLanes, l = i % kLanes;
    parts.points[order[static_cast<std::size_t>(i)]] = {f[b][l] - 1, Vec3(gx[b][l], gy[b][l], gz[b][l])};
  }
}

bool touches(const KernelPrimitive& primitive, const double x[3], double half) {
  const double* c = primitive.centre;
  const double d[3] = {x[0] - c[0], x[1] - c[1], x[2] - c[2]};
  for (const auto& row : primitive.to_unit)
    if (std::abs(row[0] * d[0] + row[1] * d[1] + row[2] * d[2]) -
            half * (std::abs(row[0]) + std::abs(row[1]) + std::abs(row[2])) >
        1 + 1e-9)
      return false;
  return true;
}

unsigned empty_by_slopes(const Parts& parts, unsigned which) {
  const auto& slope = parts.slope;
  unsigned empty = 0;
  for (int part = 0; part < 8; ++part) {
    if (!(which >> part & 1)) continue;
    const double side = parts.inside[static_cast<std::size_t>(part)] ? -1 : 1;  // of −f: the largest is looked for
    double largest = -1e300;
    for (int c = 0; c < 8; ++c) {
      double value = side * parts.points[static_cast<std::size_t>(lattice_of_corner(part, c))].f;
      bool counts = true;
      for (int k = 0; k < 3; ++k) {
        const double low = side > 0 ? slope[k][0][part] : -slope[k][1][part],
                     high = side > 0 ? slope[k][1][part] : -slope[k][0][part];
        const bool at_high = c >> k & 1;
        if (low >= 0 || high <= 0)
          counts = counts && at_high == (low >= 0);
        else
          value += parts.half * (at_high ? -low : high);
      }
      if (counts) largest = std::max(largest, value);
    }
    if (largest < -parts.rounding) empty |= 1u << part;
  }
  return empty;
}

void hold(Parts& parts) {
  parts.active |= parts.held;
  for (std::size_t c = 0; c < 8; ++c)
    if (parts.held >> c & 1u) parts.proof[c] = Proof::none;
}

void mark_turned(const TurnedCorner& corner, const std::array<std::int32_t, 3>& low, Parts& parts) {
  int p = 0;
  bool here = true;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::int32_t from_low = corner.at[k] - low[k];
    here = here && from_low % parts.size == 0;
    p += from_low / parts.size * kLatticeStep[k];
  }
  if (here) parts.turned |= 1u << p;
  for (int c = 0; c < 8; ++c) {
    std::array<std::int32_t, 3> own = low;
    for (std::size_t k = 0; k < 3; ++k) own[k] += (c >> k & 1) * parts.size;
    if (touches(corner, own, parts.size)) parts.held |= 1u << c;
  }
}

bool near_by_corners(const Parts& parts, int part, double edge) {
  for (int c = 0; c < 8; ++c) {
    const Sample& s = corner(parts, part, c);
    if (s.f * s.f < (0.8 * edge) * (0.8 * edge) * s.gradient.squaredNorm()) return true;
  }
  return false;
}

bool touches(const TurnedCorner& corner, const std::array<std::int32_t, 3>& low, std::int32_t size) {
  for (std::size_t k = 0; k < 3; ++k)
    if (corner.at[k] < low[k] || corner.at[k] > low[k] + size) return false;
  return true;
}

std::vector<std::uint32_t> turned_around(const Leaf& leaf, const TurnedCorners& turned) {
  std::vector<std::uint32_t> list;
  auto at = std::lower_bound(turned.begin(), turned.end(), TurnedCorner{{leaf.low[0], 0, 0}, 0});
  for (; at != turned.end() && at->at[0] <= leaf.low[0] + leaf.size; ++at)
    if (touches(*at, leaf.low, leaf.size)) list.push_back(static_cast<std::uint32_t>(at - turned.begin()));
  return list;
}

Fine is_fine(const PrimitiveList& list, const GridSpec& grid, const Parts& parts, int part,
             std::span<const Crossing* const> crossings, bool plain) {
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
    if (plain) return Fine::yes;
    for (int c = 0; c < 8; ++c) {
      const Vec3 normal = outward(parts.points[static_cast<std::size_t>(lattice_of_corner(part, c))].gradient);
      if (std::none_of(crossings.begin(), crossings.end(),
                       [&](const Crossing* x) { return x->normal.dot(normal) > 0.75; }))
        return Fine::unless_creased;
    }
    return Fine::yes;
  };
  // On a sphere the mean lies below the tangent planes by twice the height of the cap.
  if (0.5 * smooth <= 0.7 * grid.chord && spread > 0.5)
    return spread < 0.9 || edge <= kSmall * grid.chord ? Fine::yes : sees_all();
  if (spread > 0.95) return Fine::no;
  const Vec3 low = lattice_place(parts, lattice_of_corner(part, 0)),
             q = sharp_point(crossings, middle, low, low + Vec3::Constant(edge));
  double residual = 0;
  for (const Crossing* c : crossings) residual = std::max(residual, std::abs(c->normal.dot(q - c->point)));
  if (residual > 0.5 * grid.chord) return Fine::no;
  Lanes x[3], value, g[3];
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < kLanes; ++l) x[k][l] = q[k];
  kernels().evaluate(list, 1, &x[0], &x[1], &x[2], &value, &g[0], &g[1], &g[2]);
  const double slope = Vec3(g[0][0], g[1][0], g[2][0]).norm();
  if (!(slope > 0 && std::abs(value[0] - 1) <= 0.7 * grid.chord * slope)) return Fine::no;
  return edge <= kSmall * grid.chord ? Fine::yes : sees_all();
}

}  // namespace hazumi::metaball
