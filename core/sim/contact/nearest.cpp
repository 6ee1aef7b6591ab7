#include "core/sim/contact/nearest.h"

#include <cmath>

namespace hazumi {

TrianglePlace nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const auto corner = [&](int k) {
    TrianglePlace at{k == 0 ? a : k == 1 ? b : c, {0, 0, 0}, TrianglePlace::first_corner + k};
    at.weights[static_cast<std::size_t>(k)] = 1;
    return at;
  };
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return corner(0);
  const Vec3 bp = p - b;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return corner(1);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const double t = d1 / (d1 - d3);
    return {a + t * ab, {1 - t, t, 0}, TrianglePlace::first_edge};
  }
  const Vec3 cp = p - c;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return corner(2);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const double t = d2 / (d2 - d6);
    return {a + t * ac, {1 - t, 0, t}, TrianglePlace::first_edge + 2};
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {b + t * (c - b), {0, 1 - t, t}, TrianglePlace::first_edge + 1};
  }
  const double sum = va + vb + vc;
  if (!(sum > 0)) return corner(0);
  const double v = vb / sum, w = vc / sum;
  return {a + v * ab + w * ac, {1 - v - w, v, w}, TrianglePlace::inside};
}

std::array<double, 3> plane_weights(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 area = (b - a).cross(c - a);
  const double square = area.squaredNorm();
  if (!(square > 0)) return {0, 0, 0};
  const double v = (p - a).cross(c - a).dot(area) / square, w = (b - a).cross(p - a).dot(area) / square;
  return {1 - v - w, v, w};
}

LinePlaces nearest_on_lines(const Vec3& a, const Vec3& u, const Vec3& b, const Vec3& w, double least) {
  LinePlaces out;
  const Vec3 across = u.cross(w);
  const double square = across.squaredNorm();
  if (!(square > least * least * u.squaredNorm() * w.squaredNorm())) return out;
  const Vec3 d = b - a;
  out.crossing = true;
  out.s = d.cross(w).dot(across) / square;
  out.t = d.cross(u).dot(across) / square;
  out.normal = across / std::sqrt(square);
  return out;
}

}  // namespace hazumi
