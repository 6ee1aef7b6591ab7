#include "core/math/rotation.h"

#include <Eigen/SVD>
#include <cmath>

namespace hazumi {

Quat exp_rotation(const Vec3& v) {
  const double square = v.squaredNorm();
  double w, factor;  // factor = sin(½θ)/θ
  if (square < 1e-8) {
    // Series to θ⁴: the next term is below 1e-25.
    w = 1 - square * (1.0 / 8) + square * square * (1.0 / 384);
    factor = 0.5 - square * (1.0 / 48) + square * square * (1.0 / 3840);
  } else {
    const double angle = std::sqrt(square);
    w = std::cos(0.5 * angle);
    factor = std::sin(0.5 * angle) / angle;
  }
  return Quat(w, factor * v.x(), factor * v.y(), factor * v.z());
}

Vec3 log_rotation(const Quat& q) {
  const double sign = q.w() < 0 ? -1.0 : 1.0;
  const Vec3 v(sign * q.x(), sign * q.y(), sign * q.z());
  const double s = std::sqrt(v.x() * v.x() + v.y() * v.y() + v.z() * v.z());
  if (s < 1e-9) return 2.0 * v;  // atan2(s, w)/s = 1 to round-off
  return (2.0 * std::atan2(s, sign * q.w()) / s) * v;
}

Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

Quat polar_rotation(const Mat3& a, const Quat& start) {
  const Mat3 seen = start.toRotationMatrix().transpose() * a;
  const double size = seen.cwiseAbs().maxCoeff();
  if (!(size > 0)) return start;
  const Eigen::JacobiSVD<Mat3> svd(seen / size, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Mat3 u = svd.matrixU(), v = svd.matrixV();
  Quat turn;
  if (svd.singularValues()[1] < 1e-12 * svd.singularValues()[0]) {
    const Vec3 from = v.col(0), to = u.col(0);
    turn = Quat::FromTwoVectors(from, to);
  } else {
    Vec3 sign(1, 1, u.determinant() * v.determinant() < 0 ? -1.0 : 1.0);
    turn = Quat(Mat3(u * sign.asDiagonal() * v.transpose()));
  }
  return (start * turn).normalized();
}

}  // namespace hazumi
