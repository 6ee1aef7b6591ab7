// Where the surface cuts the edges of the parts of a cell.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/geometry/metaball/cell_parts.h"
#include "core/geometry/metaball/edge_search.h"

namespace hazumi::metaball {

void find_crossings(const PrimitiveList& list, double chord, Parts& parts, unsigned cut) {
  parts.edge.fill(-1);
  parts.twice.fill(false);
  parts.crossing_count = 0;
  if (cut == 0) return;
  struct Span {
    int low, axis;
  };
  std::array<Span, 54> spans;
  Lanes a[7], b[7], da[7], db[7], t[7], off[7];
  const double edge = 2 * parts.half;
  int count = 0;
  for (int c = 0; c < 8; ++c) {
    if (!(cut >> c & 1)) continue;
    for (unsigned left = kCutEdges[parts.inside[static_cast<std::size_t>(c)]]; left; left &= left - 1) {
      const CellEdge& e = kCellEdges[static_cast<std::size_t>(std::countr_zero(left))];
      std::int8_t& number = parts.edge[edge_of(c, e)];
      if (number >= 0) continue;
      const int low = lattice_of_corner(c, e.corner);
      const Sample &p = parts.points[static_cast<std::size_t>(low)],
                   &q = parts.points[static_cast<std::size_t>(low + kLatticeStep[e.axis])];
      const int block = count / kLanes, lane = count % kLanes;
      const bool turned = parts.turned & (1u << low | 1u << (low + kLatticeStep[e.axis]));
      a[block][lane] = turned ? -1 : p.f;
      b[block][lane] = turned ? 1 : q.f;
      da[block][lane] = p.gradient[e.axis] * edge;
      db[block][lane] = q.gradient[e.axis] * edge;
      spans[static_cast<std::size_t>(count)] = {low, e.axis};
      number = static_cast<std::int8_t>(count++);
    }
  }
  parts.crossing_count = count;
  const int blocks = (count + kLanes - 1) / kLanes;
  for (int i = count; i < blocks * kLanes; ++i) {
    a[i / kLanes][i % kLanes] = -1;
    b[i / kLanes][i % kLanes] = 1;
    da[i / kLanes][i % kLanes] = db[i / kLanes][i % kLanes] = 2;
  }
  kernels().hermite_root(blocks, a, b, da, db, t, off);
  std::array<EdgeSearch, 54> searches;
  int unsure = 0;
  for (int i = 0; i < count; ++i) {
    const Span& span = spans[static_cast<std::size_t>(i)];
    const Sample &p = parts.points[static_cast<std::size_t>(span.low)],
                 &q = parts.points[static_cast<std::size_t>(span.low + kLatticeStep[span.axis])];
    const unsigned ends = (parts.turned >> span.low & 1u) | (parts.turned >> (span.low + kLatticeStep[span.axis]) & 1u)
                                                                << 1;
    // What is thin lies beside the end that is turned.
    const double s = ends == 0 || ends == 3 ? t[i / kLanes][i % kLanes] : ends == 1 ? 0.25 : 0.75;
    const double left = off[i / kLanes][i % kLanes];
    Crossing& crossing = parts.crossings[static_cast<std::size_t>(i)];
    crossing.point = lattice_place(parts, span.low);
    const double start = crossing.point[span.axis];
    crossing.point[span.axis] = start + s * edge;
    crossing.normal = outward((1 - s) * p.gradient + s * q.gradient);
    const double dot = p.gradient.dot(q.gradient), pp = p.gradient.squaredNorm(), qq = q.gradient.squaredNorm();
    if (ends) continue;
    // The field bends: the cubic says little.
    if (dot <= 0 || dot * dot < 0.81 * pp * qq || std::abs(left) > 0.05 * std::abs(p.f - q.f))
      searches[static_cast<std::size_t>(unsure++)] = {&crossing, span.axis, start, edge, 0, 1, p.f, q.f, s};
  }
  if (unsure) search_edges(list, chord, {searches.data(), static_cast<std::size_t>(unsure)});
}

double beyond_ridge(const KernelPrimitive& primitive, int axis, const Vec3& place) {
  const auto& row = primitive.to_unit[axis];
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += row[k] * (place[k] - primitive.centre[k]);
  return sum;
}

namespace {

/// An edge between two lattice points with Σ ρ − 1 of one sign that crosses a ridge.
struct RidgeEdge {
  int low, axis;
  double at;  ///< a place on it, in edges: on the ridge, moved to where Σ ρ is farthest from the ends' side
  double f_low, f_high;  ///< Σ ρ − 1 at its ends
  double top = 0;        ///< and there
  bool crossed() const { return (top >= 0) != (f_low >= 0) && (top >= 0) != (f_high >= 0); }
};

/// Edges whose ends are on two sides of a ridge of a part that they belong to.
std::size_t edges_over_ridges(const MetaballField& field, Parts& parts, unsigned which,
                              std::array<RidgeEdge, 54>& open) {
  std::size_t count = 0;
  for (int c = 0; c < 8; ++c) {
    const Ridge& ridge = parts.ridge[static_cast<std::size_t>(c)];
    if (!(which >> c & 1) || ridge.primitive < 0) continue;
    const KernelPrimitive& f = field.packed()[static_cast<std::size_t>(ridge.primitive)];
    for (const CellEdge& e : kCellEdges) {
      const int low = lattice_of_corner(c, e.corner), high = low + kLatticeStep[e.axis];
      const std::size_t at = edge_of(c, e);
      if (parts.edge[at] >= 0 || parts.twice[at] || (parts.turned & (1u << low | 1u << high))) continue;
      const double a = beyond_ridge(f, ridge.axis, lattice_place(parts, low)),
                   b = beyond_ridge(f, ridge.axis, lattice_place(parts, high));
      if ((a < 0) == (b < 0)) continue;
      parts.twice[at] = true;  // looked at
      open[count++] = {low, e.axis, a / (a - b), parts.points[static_cast<std::size_t>(low)].f,
                       parts.points[static_cast<std::size_t>(high)].f};
    }
  }
  return count;
}

/// Looks along edges for a place of the other side, from the ridge on: other primitives move the top off it.
void find_tops(const PrimitiveList& list, const Parts& parts, std::span<RidgeEdge> edges) {
  constexpr int kRounds = 4;
  struct Bracket {
    std::size_t edge;
    double low, high, slope_low,
        slope_high;  // Σ ρ rises (falls, from inside) at its low end, and falls at the high one
  };
  const double edge = 2 * parts.half;
  std::array<Bracket, 54> left;
  std::size_t n = edges.size();
  for (std::size_t i = 0; i < n; ++i) {
    const RidgeEdge& e = edges[i];
    const double side = e.f_low < 0 ? 1 : -1;
    const auto slope = [&](int point) { return side * parts.points[static_cast<std::size_t>(point)].gradient[e.axis]; };
    left[i] = {i, 0, 1, slope(e.low), slope(e.low + kLatticeStep[e.axis])};
  }
  for (int round = 0; round < kRounds && n > 0; ++round) {
    Lanes x[3][7], f[7], g[3][7];
    const std::size_t blocks = (n + kLanes - 1) / kLanes;
    for (std::size_t i = 0; i < blocks * kLanes; ++i) {
      const RidgeEdge& e = edges[left[std::min(i, n - 1)].edge];
      Vec3 p = lattice_place(parts, e.low);
      p[e.axis] += e.at * edge;
      for (int k = 0; k < 3; ++k) x[k][i / kLanes][static_cast<int>(i % kLanes)] = p[k];
    }
    kernels().evaluate(list, static_cast<int>(blocks), x[0], x[1], x[2], f, g[0], g[1], g[2]);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < n; ++i) {
      Bracket b = left[i];
      RidgeEdge& e = edges[b.edge];
      const double side = e.f_low < 0 ? 1 : -1;
      const int lane = static_cast<int>(i % kLanes);
      e.top = f[i / kLanes][lane] - 1;
      const double slope = side * g[static_cast<std::size_t>(e.axis)][i / kLanes][lane], off = -side * e.top;
      // A hump lies below its tangents.
      if (off <= 0 || off > std::max(slope * (b.high - e.at), -slope * (e.at - b.low)) * edge) continue;
      (slope > 0 ? b.low : b.high) = e.at;
      (slope > 0 ? b.slope_low : b.slope_high) = slope;
      if (!(b.slope_low > 0 && b.slope_high < 0)) continue;
      const double part = b.slope_low / (b.slope_low - b.slope_high);
      e.at = b.low + (b.high - b.low) * std::clamp(part, 0.05, 0.95);
      left[kept++] = b;
    }
    n = kept;
  }
}

}  // namespace

unsigned find_both_sides(const MetaballField& field, const PrimitiveList& list, double chord, Parts& parts,
                         unsigned which) {
  std::array<RidgeEdge, 54> open;
  const std::size_t count = edges_over_ridges(field, parts, which, open);
  const double edge = 2 * parts.half;
  if (count == 0) return 0;
  find_tops(list, parts, {open.data(), count});
  std::array<EdgeSearch, 108> searches;
  std::size_t found_edges = 0;
  unsigned found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const RidgeEdge& r = open[i];
    const std::size_t at = static_cast<std::size_t>(3 * r.low + r.axis);
    parts.twice[at] = r.crossed();
    if (!parts.twice[at]) continue;
    parts.edge[at] = static_cast<std::int8_t>(parts.crossing_count);
    for (int side = 0; side < 2; ++side) {
      Crossing& crossing = parts.crossings[static_cast<std::size_t>(parts.crossing_count++)];
      crossing.point = lattice_place(parts, r.low);
      const double start = crossing.point[r.axis], end = side == 0 ? r.f_low : r.f_high,
                   t = r.at + (side - r.at) * r.top / (r.top - end);
      searches[found_edges++] = side == 0 ? EdgeSearch{&crossing, r.axis, start, edge, 0, r.at, r.f_low, r.top, t}
                                          : EdgeSearch{&crossing, r.axis, start, edge, r.at, 1, r.top, r.f_high, t};
    }
  }
  for (std::size_t first = 0; first < found_edges; first += 54)
    search_edges(list, chord, {searches.data() + first, std::min<std::size_t>(54, found_edges - first)});
  for (int c = 0; c < 8; ++c) {
    if (!(which >> c & 1) || parts.ridge[static_cast<std::size_t>(c)].primitive < 0) continue;
    for (const CellEdge& e : kCellEdges)
      if (parts.edge[edge_of(c, e)] >= 0 && parts.twice[edge_of(c, e)]) found |= 1u << c;
  }
  return found;
}

Ridge plate_in(const MetaballField& field, const PrimitiveList& list, const Parts& parts, int part) {
  Ridge found;
  double nearest = 1e300;
  const Vec3 middle(parts.middle[0][part], parts.middle[1][part], parts.middle[2][part]);
  for (int i = 0; i < list.count; ++i) {
    const FieldPrimitive& f = field.primitives()[list.index[i]];
    if (std::min(f.p1, f.p2) < kCreased) return {};
    if (f.flat < 0) continue;
    const double z = std::abs(f.to_unit.row(f.flat).dot(middle - f.centre));
    // Beside its ridge too where it is alone: nothing else there is thin.
    const double margin = list.count == 1 ? 1 : 0;
    if (z > parts.half * f.to_unit.row(f.flat).cwiseAbs().sum() + margin || z >= nearest) continue;
    nearest = z;
    found = {static_cast<std::int16_t>(list.index[i]), static_cast<std::int8_t>(f.flat)};
  }
  return found;
}

}  // namespace hazumi::metaball
