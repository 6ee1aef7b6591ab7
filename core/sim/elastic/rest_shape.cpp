#include "core/sim/elastic/rest_shape.h"

#include <algorithm>
#include <cmath>

namespace hazumi {

void RestShape::store(double* to) const {
  std::copy(linear.data(), linear.data() + 9, to);
  for (std::size_t c = 0; c < 3; ++c) std::copy(square[c].data(), square[c].data() + 9, to + 9 + 9 * c);
}

RestShape RestShape::of(const double* from) {
  RestShape out;
  std::copy(from, from + 9, out.linear.data());
  for (std::size_t c = 0; c < 3; ++c) std::copy(from + 9 + 9 * c, from + 18 + 9 * c, out.square[c].data());
  return out;
}

Vec3 RestShape::offset(const Vec3& r) const {
  return linear * r + Vec3(r.dot(square[0] * r), r.dot(square[1] * r), r.dot(square[2] * r));
}

bool RestShape::none() const { return *this == RestShape(); }

RestShape& RestShape::operator+=(const RestShape& other) {
  linear += other.linear;
  for (std::size_t c = 0; c < 3; ++c) square[c] += other.square[c];
  if (nodes.empty()) nodes = other.nodes;
  return *this;
}

RestShape RestShape::stretched(const Vec3& axis, double length, double across) {
  RestShape out;
  out.linear = (across - 1) * Mat3::Identity() + (length - across) * axis * axis.transpose();
  return out;
}

RestShape RestShape::leaning(const Vec3& axis, const Vec3& to, double angle) {
  RestShape out;
  out.linear = std::tan(angle) * to * axis.transpose();
  return out;
}

namespace {

/// Adds v · (a·r)(b·r) to o.
void add_product(RestShape& shape, const Vec3& v, const Vec3& a, const Vec3& b) {
  const Mat3 both = 0.5 * (a * b.transpose() + b * a.transpose());
  for (int c = 0; c < 3; ++c) shape.square[static_cast<std::size_t>(c)] += v[c] * both;
}

}  // namespace

RestShape RestShape::twisted(const Vec3& axis, double angle) {
  RestShape out;  // o = κ z a × r
  for (int k = 0; k < 3; ++k) add_product(out, angle * axis.cross(Vec3::Unit(k)), axis, Vec3::Unit(k));
  return out;
}

RestShape RestShape::bent(const Vec3& axis, const Vec3& to, double angle) {
  RestShape out;  // the line of places 0 across goes along a circle of radius 1/κ: o = κ (½ z² n − z (n·r) a)
  add_product(out, 0.5 * angle * to, axis, axis);
  add_product(out, -angle * axis, axis, to);
  return out;
}

}  // namespace hazumi
