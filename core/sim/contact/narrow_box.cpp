// Points and spheres against boxes, seen from the box: the motion over the sub-step is a segment in its frame.
#include <algorithm>
#include <cmath>

#include "core/sim/contact/narrow.h"

namespace hazumi {
namespace {

struct Entry {
  bool hit = false;
  int axis = 0;
  double sign = 1;  // outward direction of the face
};

/// Face through which the segment p0→p1 enters the box |x| ≤ half (slab method); no hit when p0 is inside.
Entry entry_face(const Vec3& p0, const Vec3& p1, const Vec3& half) {
  Entry entry;
  double enter = -1, leave = 1;
  for (int k = 0; k < 3; ++k) {
    const double d = p1[k] - p0[k];
    if (std::abs(d) < 1e-300) {
      if (std::abs(p0[k]) > half[k]) return {};
      continue;
    }
    const double side = d > 0 ? -1.0 : 1.0;  // the face met first
    const double t0 = (side * half[k] - p0[k]) / d, t1 = (-side * half[k] - p0[k]) / d;
    if (t0 > enter) enter = t0, entry.axis = k, entry.sign = side;
    leave = std::min(leave, t1);
  }
  entry.hit = enter >= 0 && enter <= leave;
  return entry;
}

/// Face nearest to a point inside.
Entry nearest_face(const Vec3& p, const Vec3& half) {
  Entry entry;
  double least = 1e300;
  for (int k = 0; k < 3; ++k)
    if (const double depth = half[k] - std::abs(p[k]); depth < least)
      least = depth, entry = {true, k, p[k] < 0 ? -1.0 : 1.0};
  return entry;
}

/// Within the outline of the box as seen along the axis.
bool through(const Vec3& p, const Vec3& half, int axis) {
  return (std::abs(p[(axis + 1) % 3]) <= half[(axis + 1) % 3]) && (std::abs(p[(axis + 2) % 3]) <= half[(axis + 2) % 3]);
}

bool inside(const Vec3& p, const Vec3& half) { return (p.cwiseAbs().array() <= half.array()).all(); }

}  // namespace

void points_box(BodyShape& points, const BodyShape& box, ContactSink& sink) {
  fill_points(points);
  const Vec3 half = box.proxy().half_extents;
  const Quat to_box = box.to.rotation.conjugate(), from_box = box.from.rotation.conjugate();
  const Vec3 c0 = box.centre_from(), c1 = box.centre_to();
  for (std::size_t k = 0; k < points.points_to.size(); ++k) {
    const Vec3 p0 = from_box * (points.points_from[k] - c0), p1 = to_box * (points.points_to[k] - c1);
    Entry face = entry_face(p0, p1, half);
    if (!face.hit) {
      const Vec3 grown = half + Vec3::Constant(sink.margin());
      const bool was_inside = inside(p0, grown);
      if (!inside(p1, grown) && !was_inside) continue;
      face = nearest_face(was_inside ? p0 : p1, half);
      // Out again, and not through the box but past its edge.
      if (!inside(p1, grown) && !through(p1, half, face.axis)) continue;
    }
    Vec3 n = Vec3::Zero();
    n[face.axis] = face.sign;
    const double gap = n.dot(p1) - half[face.axis];
    if (gap > sink.margin()) continue;
    const Vec3 p = points.points_to[k], normal = box.to.rotation * n;
    sink.add(static_cast<std::uint32_t>(k), p, normal, gap, point_anchor(points, k),
             body_anchor(box, p - gap * normal));
  }
}

void sphere_box(const BodyShape& sphere, const BodyShape& box, ContactSink& sink) {
  const Vec3 half = box.proxy().half_extents;
  const double radius = sphere.proxy().radius;
  const Vec3 p0 = box.from.rotation.conjugate() * (sphere.centre_from() - box.centre_from());
  const Vec3 p1 = box.to.rotation.conjugate() * (sphere.centre_to() - box.centre_to());
  const Vec3 near0 = p0.cwiseMax(-half).cwiseMin(half), near1 = p1.cwiseMax(-half).cwiseMin(half);
  const double start = (p0 - near0).norm() - radius;
  Vec3 n;
  double gap;
  const bool outside = (p1 - near1).squaredNorm() > 1e-24;
  // Far within one step: where did the centre come in? (Faces of the box grown by the radius; its edges are taken
  // for sharp, which only matters to a ball that crosses a corner faster than its radius per sub-step.)
  Entry face;
  if (start > 0 && (!outside || (p1 - p0).norm() > 0.5 * radius))
    face = entry_face(p0, p1, half + Vec3::Constant(radius));
  // Touching at the start, on the other side at the end: it has gone through, the side it came from counts.
  if (start <= 0 && outside && (p0 - near0).squaredNorm() > 1e-24 && (p0 - near0).dot(p1 - near1) < 0) {
    face.hit = true;
    (p0 - near0).cwiseAbs().maxCoeff(&face.axis);
    face.sign = p0[face.axis] < 0 ? -1.0 : 1.0;
  }
  if (outside && (!face.hit || (p1 - near1).norm() < radius + sink.margin())) {
    n = (p1 - near1).normalized();
    gap = (p1 - near1).norm() - radius;
    // A ball that came from the other side must not be taken to have come from here.
    if (face.hit && n[face.axis] * face.sign < 0) {
      n = Vec3::Zero();
      n[face.axis] = face.sign;
      gap = n.dot(p1) - half[face.axis] - radius;
    }
  } else {
    if (!face.hit) {
      if (outside) return;
      face = nearest_face(inside(p0, half) ? p0 : p1, half);
    }
    n = Vec3::Zero();
    n[face.axis] = face.sign;
    gap = n.dot(p1) - half[face.axis] - radius;
  }
  if (gap > sink.margin()) return;
  const Vec3 normal = box.to.rotation * n;
  const Vec3 on_sphere = sphere.centre_to() - radius * normal;
  // Points of the same body on the same box have numbers below.
  sink.add(0xfffff, on_sphere, normal, gap, sphere_anchor(sphere, on_sphere),
           body_anchor(box, on_sphere - gap * normal));
}

}  // namespace hazumi
