#include "core/geometry/metaball/close_proof.h"

#include <algorithm>

namespace hazumi::metaball {

namespace {

/// Square of the largest edge in effective radii × chord errors that is fine on a ball, doubled for what is flatter.
constexpr double kRoundFine = 4;

}  // namespace

bool CloseProof::promising(const MetaballField& field, const PrimitiveList& list, double half, double chord) {
  double radius = 0;
  for (int i = 0; i < list.count; ++i) {
    const FieldPrimitive& f = field.primitives()[list.index[i]];
    if (!f.round) return true;
    radius = std::max(radius, f.reach.maxCoeff());
  }
  return 4 * half * half < kRoundFine * radius * chord;
}

void CloseProof::prove(const PrimitiveList& list, const std::uint8_t* reach, const std::vector<PrimitiveBounds>& bounds,
                       const Lanes range[2], unsigned open, Parts& parts) {
  bounds_.assign(bounds.begin(), bounds.begin() + list.count);
  // What reaches into no part that is open is left out.
  reach_.resize(static_cast<std::size_t>(list.count));
  const auto keep_open = [&] {
    for (int i = 0; i < list.count; ++i)
      reach_[static_cast<std::size_t>(i)] = reach[i] & static_cast<std::uint8_t>(open);
  };
  keep_open();
  const unsigned empty = kernels().narrow(list, reach_.data(), range, bounds_.data()) & open;
  parts.active &= ~empty;
  open &= ~empty;
  // Other directions are for what has edges.
  const bool round =
      std::all_of(list.index, list.index + list.count, [&](std::uint16_t i) { return list.all[i].round; });
  const double limits[2] = {kGraph, kOneSided};
  for (int way = 0; way < (round ? 1 : 3) && open; ++way) {
    Lanes d[3];
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < 8; ++c) d[k][c] = way == 0 ? parts.gradient[k][c] : 0.0;
    keep_open();
    if (way > 0) directions(list, reach_.data(), open, way == 2, d);
    Lanes tangent;
    kernels().within(list, reach_.data(), bounds_.data(), d, open, limits, 2, tangent);
    for (int c = 0; c < 8; ++c) {
      if (!(open >> c & 1) || tangent[c] > kGraph) continue;
      parts.proof[static_cast<std::size_t>(c)] = tangent[c] <= kOneSided ? Proof::one_sided : Proof::graph;
      open &= ~(1u << c);
    }
  }
  for (int i = 0; i < list.count && open; ++i) {
    if (!(reach[i] & open)) continue;
    for (int axis = 0; axis < 3; ++axis) open &= ~find_sheets(list, reach_.data(), i, axis, open, parts);
  }
}

/// Parts of `open` with a sheet of surface on each side of a primitive's ridge.
unsigned CloseProof::find_sheets(const PrimitiveList& list, const std::uint8_t* reach, int i, int axis, unsigned open,
                                 Parts& parts) {
  PrimitiveBounds& b = bounds_[static_cast<std::size_t>(i)];
  const KernelPrimitive& f = list.all[list.index[i]];
  unsigned found = open & reach[i];
  for (int c = 0; found >> c; ++c)
    if (found >> c & 1 && !(b.gap[axis].v[c] > 1e-4f && b.place[axis][0].v[c] < 0 && b.place[axis][1].v[c] > 0))
      found &= ~(1u << c);
  if (!found) return 0;
  Lanes d[3];
  for (int k = 0; k < 3; ++k)
    for (int c = 0; c < 8; ++c) d[k][c] = f.to_unit[axis][k];
  const PrimitiveBounds whole = b;
  for (int side = 0; side < 2 && found; ++side) {
    b = whole;
    for (int c = 0; c < 8; ++c)
      if (found >> c & 1) b.place[axis][side].v[c] = side == 0 ? b.gap[axis].v[c] : -b.gap[axis].v[c];
    kernels().narrowed_slopes({list.all, list.index + i, 1}, reach + i, &b);
    found = plain(list, reach, d, found);
  }
  b = whole;
  for (std::size_t c = 0; c < 8; ++c) {
    if (!(found >> c & 1u)) continue;
    parts.proof[c] = Proof::sheets;
    parts.ridge[c] = {static_cast<std::int16_t>(list.index[i]), static_cast<std::int8_t>(axis)};
  }
  parts.plain |= found;
  return found;
}

/// Middle of the slopes of all primitives; or of the unit vectors along the axes of the steepest one.
void CloseProof::directions(const PrimitiveList& list, const std::uint8_t* reach, unsigned open, bool axes,
                            Lanes d[3]) const {
  for (int c = 0; c < 8; ++c) {
    if (!(open >> c & 1)) continue;
    double steepest = 0;
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < list.count; ++i) {
      if (!(reach[i] >> c & 1)) continue;
      const KernelPrimitive& f = list.all[list.index[i]];
      const PrimitiveBounds& b = bounds_[static_cast<std::size_t>(i)];
      Vec3 own = Vec3::Zero();
      double most = 0, size[3], low[3], high[3];
      Vec3 row[3];
      for (int k = 0; k < 3; ++k) {
        row[k] = Vec3(f.to_unit[k][0], f.to_unit[k][1], f.to_unit[k][2]);
        low[k] = b.slope[k][0].v[c];
        high[k] = b.slope[k][1].v[c];
        size[k] = std::max(-low[k], high[k]);
        most = std::max(most, size[k]);
      }
      for (int k = 0; k < 3; ++k) {
        if (!axes) own += 0.5 * (low[k] + high[k]) * row[k];
        if (axes && size[k] > 0.1 * most && std::min(-low[k], high[k]) < 0.3 * size[k])
          own += (high[k] > -low[k] ? 1 : -1) * row[k].normalized();
      }
      if (!axes) sum += own;
      if (axes && most > steepest) {
        steepest = most;
        sum = own;
      }
    }
    for (int k = 0; k < 3; ++k) d[k][c] = sum[k];
  }
}

unsigned CloseProof::without_crease(const PrimitiveList& list, Parts& parts, unsigned which) {
  bounds_.resize(static_cast<std::size_t>(list.count));
  reach_.resize(static_cast<std::size_t>(list.count));
  const double half[3] = {parts.half, parts.half, parts.half};
  Lanes range[2], d[3];
  kernels().bound(list, parts.middle, half, range, reach_.data(), bounds_.data());
  kernels().narrow(list, reach_.data(), range, bounds_.data());
  for (int c = 0; c < 8; ++c) {
    Vec3 sum = Vec3::Zero();
    for (const CellEdge& e : kCellEdges) {
      const std::size_t at = edge_of(c, e);
      if ((which >> c & 1) && parts.edge[at] >= 0 && !parts.twice[at])
        sum += parts.crossings[static_cast<std::size_t>(parts.edge[at])].normal;
    }
    for (int k = 0; k < 3; ++k) d[k][c] = sum[k];
  }
  const unsigned found = plain(list, reach_.data(), d, which);
  parts.plain |= found;
  return found;
}

/// Of boxes with narrowed bounds those in which normals are within kPlain of d.
unsigned CloseProof::plain(const PrimitiveList& list, const std::uint8_t* reach, const Lanes d[3],
                           unsigned which) const {
  Lanes tangent;
  kernels().within(list, reach, bounds_.data(), d, which, &kPlain, 1, tangent);
  for (int c = 0; c < 8; ++c)
    if (tangent[c] > kPlain) which &= ~(1u << c);
  return which;
}

}  // namespace hazumi::metaball
