#include "ui/tools/transform_math.h"

#include <algorithm>
#include <cmath>

namespace hazumi {

std::optional<double> nearest_on_axis(const Ray& ray, const Vec3& origin, const Vec3& axis) {
  const Vec3 d = to_double(ray.direction), w = to_double(ray.origin) - origin;
  const double b = axis.dot(d), denominator = 1 - b * b;
  if (denominator < 1e-4) return std::nullopt;
  const double aw = axis.dot(w), dw = d.dot(w);
  const double s = (b * aw - dw) / denominator, t = (aw - b * dw) / denominator;
  if (!(s > 0 || ray.parallel) || !std::isfinite(t)) return std::nullopt;
  return t;
}

std::optional<Vec3> on_plane(const Ray& ray, const Vec3& origin, const Vec3& normal) {
  const Vec3 d = to_double(ray.direction), r = to_double(ray.origin);
  const double slope = d.dot(normal);
  if (std::abs(slope) < 0.02) return std::nullopt;
  const double s = (origin - r).dot(normal) / slope;
  if (!(s > 0 || ray.parallel) || !std::isfinite(s)) return std::nullopt;
  return Vec3(r + s * d);
}

Transform rotated(Transform transform, const Vec3& pivot, const Vec3& axis, double angle) {
  const Quat turn(Eigen::AngleAxisd(angle, axis));
  const Vec3 arm = transform.position - pivot;
  // An object that turns about its own origin stays exactly where it is.
  if (!arm.isZero(0)) transform.position = pivot + turn * arm;
  transform.rotation = (turn * transform.rotation).normalized();
  return transform;
}

Transform scaled(Transform transform, const Vec3& pivot, const Mat3& frame, const Vec3& factors) {
  const Mat3 map = frame * factors.asDiagonal() * frame.transpose();
  const Vec3 arm = transform.position - pivot;
  if (!arm.isZero(0)) transform.position = pivot + map * arm;
  const Mat3 own = transform.rotation.toRotationMatrix();
  const bool uniform = factors.x() == factors.y() && factors.y() == factors.z();
  for (int i = 0; i < 3; ++i) {
    // Uniform, and along the object's own axes, the factors are taken as they are: typed numbers stay exact.
    const bool aligned = (own.col(i) - frame.col(i)).isZero(1e-12);
    const double factor = uniform || aligned ? factors[i] : (map * own.col(i)).norm();
    transform.scale[i] = std::max(transform.scale[i] * factor, kSmallestScale);
  }
  return transform;
}

double snapped(double value, double step) {
  const double count = std::round(value / step);
  const double inverse = std::round(1 / step);
  return step < 1 && std::abs(inverse * step - 1) < 1e-9 ? count / inverse : count * step;
}

double wrapped_angle(double angle) {
  angle = std::remainder(angle, 2 * kPi);
  return angle <= -kPi ? angle + 2 * kPi : angle;
}

}  // namespace hazumi
