#include "core/math/rotation.h"

#include <Eigen/SVD>
#include <cmath>

#include "core/math/eigen.h"

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

Vec3 euler_angles(const Quat& rotation) {
  const Mat3 r = rotation.normalized().toRotationMatrix();
  const double sy = std::clamp(-r(2, 0), -1.0, 1.0);
  const double y = std::asin(sy);
  // Looking straight along ±y x and z turn about the same axis: z is then 0.
  if (std::abs(sy) > 1 - 1e-12) return {std::atan2(-r(1, 2), r(1, 1)), y, 0};
  return {std::atan2(r(2, 1), r(2, 2)), y, std::atan2(r(1, 0), r(0, 0))};
}

Quat from_euler_angles(const Vec3& angles) {
  using Eigen::AngleAxisd;
  return (AngleAxisd(angles.z(), Vec3::UnitZ()) * AngleAxisd(angles.y(), Vec3::UnitY()) *
          AngleAxisd(angles.x(), Vec3::UnitX()))
      .normalized();
}

Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

// Here alone: Eigen makes a singular value decomposition of it, seconds of each file that calls it.
Quat turn_onto(const Vec3& from, const Vec3& to) { return Quat::FromTwoVectors(from, to); }

Quat polar_rotation(const Mat3& a, const Quat& start) {
  const Mat3 seen = start.toRotationMatrix().transpose() * a;
  const double size = seen.cwiseAbs().maxCoeff();
  if (!(size > 0)) return start;
  const Eigen::JacobiSVD<Mat3> svd(seen / size, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Mat3 u = svd.matrixU(), v = svd.matrixV();
  Quat turn;
  if (svd.singularValues()[1] < 1e-12 * svd.singularValues()[0]) {
    const Vec3 from = v.col(0), to = u.col(0);
    turn = turn_onto(from, to);
  } else {
    Vec3 sign(1, 1, u.determinant() * v.determinant() < 0 ? -1.0 : 1.0);
    turn = Quat(Mat3(u * sign.asDiagonal() * v.transpose()));
  }
  return (start * turn).normalized();
}

Quat polar_rotation_near(const Mat3& a, const Quat& start) {
  Quat r = start;
  for (int pass = 0; pass < 8; ++pass) {
    // B = RᵀA = S + W. The turn δ that is missing solves (tr(S) I − S) δ = −axial(B); at the maximum that matrix is positive
    // definite.
    const Mat3 b = r.toRotationMatrix().transpose() * a;
    const double xx = b(1, 1) + b(2, 2), yy = b(2, 2) + b(0, 0), zz = b(0, 0) + b(1, 1);
    const double xy = -0.5 * (b(0, 1) + b(1, 0)), yz = -0.5 * (b(1, 2) + b(2, 1)), zx = -0.5 * (b(2, 0) + b(0, 2));
    const double c00 = yy * zz - yz * yz, c01 = zx * yz - xy * zz, c02 = xy * yz - yy * zx;
    const double determinant = xx * c00 + xy * c01 + zx * c02;
    if (!(xx > 0 && yy > 0 && zz > 0 && c00 > 0 && determinant > 1e-9 * xx * yy * zz)) break;
    const double c11 = xx * zz - zx * zx, c12 = xy * zx - xx * yz, c22 = xx * yy - xy * xy;
    const Vec3 t = axial(b) / -determinant;
    const Vec3 turn((c00 * t.x() + c01 * t.y()) + c02 * t.z(), (c01 * t.x() + c11 * t.y()) + c12 * t.z(),
                    (c02 * t.x() + c12 * t.y()) + c22 * t.z());
    const double square = turn.squaredNorm();
    if (!(square < 1)) break;
    r = (r * exp_rotation(turn)).normalized();
    if (square < 1e-18) return r;  // what is left is of the order of the square
  }
  return polar_rotation(a, start);
}

// RᵀA stays symmetric: Σ (R b) × (δa − δθ × a) = 0, and Σ b × (ω × Rᵀa) = (tr N − N) ω with N = RᵀA.
Mat3 polar_rate(const Mat3& a, const Mat3& r, double least) {
  const Mat3 n = r.transpose() * a;
  const EigenPairs3 pairs = symmetric_eigen(n.trace() * Mat3::Identity() - 0.5 * (n + n.transpose()));
  const double largest = pairs.values.cwiseAbs().maxCoeff();
  Mat3 inverse = Mat3::Zero();
  for (int k = 0; k < 3; ++k)
    if (std::abs(pairs.values[k]) > least * largest)
      inverse += pairs.vectors.col(k) * pairs.vectors.col(k).transpose() / pairs.values[k];
  return r * inverse * r.transpose();
}

}  // namespace hazumi
