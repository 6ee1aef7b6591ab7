#include "core/geometry/mapping/triangle.h"

#include <algorithm>

namespace hazumi {

Vec3 triangle_normal(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a);
  const double length = n.norm();
  return length > 0 ? Vec3(n / length) : Vec3(0, 1, 0);
}

double triangle_distance_squared(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto segment = [&p](const Vec3& u, const Vec3& v) {
    const Vec3 e = v - u;
    const double length = e.squaredNorm();
    const double t = length > 0 ? std::clamp((p - u).dot(e) / length, 0.0, 1.0) : 0.0;
    return (p - u - t * e).squaredNorm();
  };
  const Vec3 n = (b - a).cross(c - a);
  const double area = n.squaredNorm();
  if (area > 0) {
    const double u = (b - p).cross(c - p).dot(n) / area, v = (c - p).cross(a - p).dot(n) / area;
    if (u >= 0 && v >= 0 && u + v <= 1) {
      const double h = (p - a).dot(n);
      return h * h / area;
    }
  }
  return std::min({segment(a, b), segment(b, c), segment(c, a)});
}

Vec3 nearest_in_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a);
  const double area = n.squaredNorm();
  if (area > 0) {
    const double u = (b - p).cross(c - p).dot(n) / area, v = (c - p).cross(a - p).dot(n) / area;
    if (u >= 0 && v >= 0 && u + v <= 1) return {u, v, 1 - u - v};
  }
  const Vec3* corner[3] = {&a, &b, &c};
  Vec3 best = Vec3::UnitX();
  double least = -1;
  for (int k = 0; k < 3; ++k) {
    const int l = (k + 1) % 3;
    const Vec3 e = *corner[l] - *corner[k];
    const double length = e.squaredNorm();
    const double t = length > 0 ? std::clamp((p - *corner[k]).dot(e) / length, 0.0, 1.0) : 0.0;
    const double d = (p - *corner[k] - t * e).squaredNorm();
    if (least >= 0 && d >= least) continue;
    least = d;
    best.setZero();
    best[k] = 1 - t;
    best[l] = t;
  }
  return best;
}

Mat3 normal_matrix(const Mat3& f) {
  Mat3 cofactor;
  cofactor << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
  return f.determinant() < 0 ? Mat3(-cofactor) : cofactor;
}

}  // namespace hazumi
