#include "core/geometry/mesh/face_tree.h"

#include <algorithm>
#include <cmath>

namespace hazumi {

double hit_triangle(const MeshRay& ray, const Vec3& a, const Vec3& b, const Vec3& c) {
  constexpr double kMissed = std::numeric_limits<double>::infinity();
  const Vec3 e1 = b - a, e2 = c - a, p = ray.direction.cross(e2);
  const double det = e1.dot(p);
  if (det == 0) return kMissed;
  const Vec3 s = ray.origin - a;
  const double u = s.dot(p) / det;
  if (!(u >= 0 && u <= 1)) return kMissed;
  const Vec3 q = s.cross(e1);
  const double v = ray.direction.dot(q) / det;
  if (!(v >= 0 && u + v <= 1)) return kMissed;
  const double t = e2.dot(q) / det;
  return t > 0 ? t : kMissed;
}

bool hits_box(const MeshRay& ray, const Box3& box, double nearest) {
  double enter = 0, leave = nearest;
  for (int axis = 0; axis < 3; ++axis) {
    const double margin = 1e-6 * (1 + std::abs(box.high[axis]) + std::abs(box.low[axis]));
    const double low = box.low[axis] - margin, high = box.high[axis] + margin;
    if (std::abs(ray.direction[axis]) < 1e-300) {
      if (ray.origin[axis] < low || ray.origin[axis] > high) return false;
      continue;
    }
    double a = (low - ray.origin[axis]) / ray.direction[axis], b = (high - ray.origin[axis]) / ray.direction[axis];
    if (a > b) std::swap(a, b);
    enter = std::max(enter, a);
    leave = std::min(leave, b);
    if (enter > leave) return false;
  }
  return true;
}

FaceTree::FaceTree(const DisplayMesh& mesh) {
  std::vector<Box3> boxes(mesh.faces.size());
  for (std::size_t f = 0; f < boxes.size(); ++f)
    for (const std::uint32_t v : mesh.faces[f]) boxes[f].add(mesh.positions[v]);
  tree_ = BoxTree(boxes, 8);
}

FaceHit FaceTree::nearest(const DisplayMesh& mesh, const MeshRay& ray, FaceHit best) const {
  tree_.along(ray, best.at, [&](std::uint32_t f) {
    const auto& face = mesh.faces[f];
    const double at = hit_triangle(ray, mesh.positions[face[0]], mesh.positions[face[1]], mesh.positions[face[2]]);
    if (at < best.at || (at == best.at && std::isfinite(at) && f < best.face)) best = {at, f};
  });
  return best;
}

}  // namespace hazumi
