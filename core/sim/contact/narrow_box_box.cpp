// Box against box: separating axes (3 + 3 faces, 9 pairs of edges; Gottschalk, Lin, Manocha 1996), then the face of one
// clipped by the sides of the other (Sutherland–Hodgman) or the nearest points of two edges.
//
// Motion within the sub-step: when the boxes move towards each other by more than half of the thinner one, the pose is
// stepped through so finely that they cannot pass, and the axis of the first overlap is used.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/sim/contact/narrow.h"

namespace hazumi {
namespace {

struct Placed {
  Vec3 centre, half;
  Mat3 axes;  ///< columns, world
};

struct Axis {
  Vec3 n = Vec3::UnitY();  ///< from b to a
  double depth = 1e300;    ///< negative: apart
  int kind = 0;            ///< 0…2 face of a, 3…5 face of b, 6…14 edges
};

double spread(const Placed& box, const Vec3& n) { return (box.axes.transpose() * n).cwiseAbs().dot(box.half); }

/// Axis of least overlap; depth < 0 when an axis separates them. An edge pair must beat the faces clearly, and a face of b
/// a face of a: resting boxes keep their axis from step to step.
Axis least_overlap(const Placed& a, const Placed& b, double reach) {
  const Vec3 d = a.centre - b.centre;
  Axis best;
  const auto try_axis = [&](Vec3 n, int kind, double handicap) {
    double along = d.dot(n);
    if (along < 0) n = -n, along = -along;
    const double depth = spread(a, n) + spread(b, n) - along;
    if (depth + handicap < best.depth) best = {n, depth, kind};
    return depth >= 0;
  };
  bool overlap = true;
  for (int k = 0; k < 3; ++k) overlap = try_axis(a.axes.col(k), k, 0) && overlap;
  for (int k = 0; k < 3; ++k) overlap = try_axis(b.axes.col(k), 3 + k, 1e-4 * reach) && overlap;
  if (!overlap) return best;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Vec3 c = a.axes.col(i).cross(b.axes.col(j));
      if (c.norm() > 1e-3) try_axis(c.normalized(), 6 + 3 * i + j, 1e-2 * reach);
    }
  return best;
}

Placed placed(const BodyShape& s, double t) {
  const Pose pose{s.from.position + t * (s.to.position - s.from.position), s.from.rotation.slerp(t, s.to.rotation)};
  return {pose * s.proxy().centre, s.proxy().half_extents,
          (t == 1.0 ? s.to.rotation : pose.rotation).toRotationMatrix()};
}

/// Clips a polygon to the half space n·x ≤ level.
void clip(std::vector<Vec3>& polygon, std::vector<Vec3>& scratch, const Vec3& n, double level) {
  scratch.clear();
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vec3 &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
    const double dp = n.dot(p) - level, dq = n.dot(q) - level;
    if (dp <= 0) scratch.push_back(p);
    if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) scratch.push_back(p + dp / (dp - dq) * (q - p));
  }
  polygon.swap(scratch);
}

/// Contacts of the face of `other` that looks at the face (axis k, side) of `ref`. n points out of that face.
template <class Add>
void face_contacts(const Placed& ref, const Placed& other, int k, const Vec3& n, double margin, Add&& add) {
  const Vec3 facing = other.axes.transpose() * n;
  int axis = 0;
  facing.cwiseAbs().maxCoeff(&axis);
  const double side = facing[axis] > 0 ? -1.0 : 1.0;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::vector<Vec3> polygon, scratch;
  for (const auto& [su, sv] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}})
    polygon.push_back(other.centre + side * other.half[axis] * other.axes.col(axis) +
                      su * other.half[u] * other.axes.col(u) + sv * other.half[v] * other.axes.col(v));
  for (int side_axis : {(k + 1) % 3, (k + 2) % 3})
    for (double s : {-1.0, 1.0}) {
      const Vec3 m = s * ref.axes.col(side_axis);
      clip(polygon, scratch, m, m.dot(ref.centre) + ref.half[side_axis] + 0.5 * kSlop / kKeep * margin);
    }
  const double level = n.dot(ref.centre) + ref.half[k];
  for (std::size_t i = 0; i < polygon.size(); ++i)
    if (const double gap = n.dot(polygon[i]) - level; gap <= margin)
      add(static_cast<std::uint32_t>(i), polygon[i], gap);
}

}  // namespace

void box_box(BodyShape& a, BodyShape& b, ContactSink& sink) {
  const Placed a1 = placed(a, 1), b1 = placed(b, 1);
  const double reach = std::min(a1.half.minCoeff(), b1.half.minCoeff());
  const Vec3 move = (a.to.position - a.from.position) - (b.to.position - b.from.position);
  const double turn =
      a.size * a.from.rotation.angularDistance(a.to.rotation) + b.size * b.from.rotation.angularDistance(b.to.rotation);
  const int looks = std::clamp(static_cast<int>(std::ceil((move.norm() + turn) / reach)), 1, 64);
  double met = 1;
  Axis axis;
  for (int k = 1; k <= looks; ++k) {
    met = static_cast<double>(k) / looks;
    axis = k == looks ? least_overlap(a1, b1, reach) : least_overlap(placed(a, met), placed(b, met), reach);
    if (axis.depth > -sink.margin()) break;
  }
  if (axis.depth <= -sink.margin()) return;
  const Vec3 n = axis.n;  // from b to a

  const Placed am = placed(a, met), bm = placed(b, met);
  // Overlap grows from the meeting pose to the end by the way of the centres along n.
  const double further = n.dot((a1.centre - b1.centre) - (am.centre - bm.centre));
  const Vec3 to_end = 0.5 * ((a1.centre - am.centre) + (b1.centre - bm.centre));
  const auto add = [&](std::uint32_t feature, const Vec3& p, double gap) {
    const Vec3 place = p + to_end;
    sink.add(feature, place, n, gap + further, body_anchor(a, place), body_anchor(b, place));
  };

  if (axis.kind < 3) {
    const std::uint32_t base = 16u + 8u * static_cast<std::uint32_t>(axis.kind);
    face_contacts(am, bm, axis.kind, -n, sink.margin(),
                  [&](std::uint32_t i, const Vec3& p, double gap) { add(base + i, p, gap); });
  } else if (axis.kind < 6) {
    const std::uint32_t base = 16u + 8u * static_cast<std::uint32_t>(axis.kind);
    face_contacts(bm, am, axis.kind - 3, n, sink.margin(),
                  [&](std::uint32_t i, const Vec3& p, double gap) { add(base + i, p, gap); });
  } else {
    const int i = (axis.kind - 6) / 3, j = (axis.kind - 6) % 3;
    Vec3 pa = am.centre, pb = bm.centre;
    for (int k = 0; k < 3; ++k) {
      if (k != i) pa -= (n.dot(am.axes.col(k)) > 0 ? 1.0 : -1.0) * am.half[k] * am.axes.col(k);
      if (k != j) pb += (n.dot(bm.axes.col(k)) > 0 ? 1.0 : -1.0) * bm.half[k] * bm.axes.col(k);
    }
    // Nearest points of the two lines pa + s u, pb + t v.
    const Vec3 u = am.axes.col(i), v = bm.axes.col(j), d = pb - pa;
    const double uv = u.dot(v), det = 1 - uv * uv;
    const double s = (d.dot(u) - uv * d.dot(v)) / det, t = (uv * d.dot(u) - d.dot(v)) / det;
    const Vec3 qa = pa + s * u, qb = pb + t * v;
    add(static_cast<std::uint32_t>(axis.kind), 0.5 * (qa + qb), n.dot(qa - qb));
  }
}

}  // namespace hazumi
