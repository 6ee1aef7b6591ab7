// What all parts of the reference share: names of dense matrices, small linear algebra, random numbers.
//
// The reference (docs/numerics/contact-reference.md) is one sub-step of contact in the plainest form: every matrix dense,
// every inverse explicit, nothing saved between sub-steps but the state. It depends on Eigen and on nothing of core/sim, so
// that a fault of the production code cannot be in both. SI units, right-handed, y up, column vectors.
#pragma once

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ostream>

#include "core/base/random.h"
#include "core/math/eigen.h"
#include "core/math/rotation.h"
#include "core/math/types.h"

namespace hazumi::reference {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
/// One column per node, 3 × n.
using Nodes = Eigen::Matrix3Xd;

/// The columns of `nodes` below each other, 3n.
inline Vector stacked(const Nodes& nodes) { return Eigen::Map<const Vector>(nodes.data(), nodes.size()); }
inline Nodes unstacked(const Vector& v) { return Eigen::Map<const Nodes>(v.data(), 3, v.size() / 3); }

/// Of a unit mass at `arm`, m²: a sum of them with masses is an inertia.
inline Mat3 point_inertia(const Vec3& arm) { return arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose(); }

/// Moore–Penrose inverse: the inverse, unless the least singular value is below 1e-6 of the largest. Nodes on a line have such.
inline Mat3 pseudo_inverse(const Mat3& m) {
  const double size = m.norm();
  if (size == 0) return Mat3::Zero();
  if (std::abs(m.determinant()) > 1e-6 * size * size * size) return m.inverse();
  const EigenPairs3 squares = symmetric_eigen(m.transpose() * m);
  if (squares.values[0] > 1e-12 * squares.values[2]) return m.inverse();
  Vec3 inverse = Vec3::Zero();
  for (int i = 0; i < 3; ++i)
    if (squares.values[i] > 1e-12 * squares.values[2]) inverse[i] = 1 / squares.values[i];
  return squares.vectors * inverse.asDiagonal() * squares.vectors.transpose() * m.transpose();
}

inline Mat3 exp_matrix(const Vec3& turn) { return exp_rotation(turn).toRotationMatrix(); }

/// cay(θ) = (1 − ½[θ])⁻¹(1 + ½[θ]), a rotation by 2 atan(½|θ|) about θ.
inline Mat3 cayley(const Vec3& theta) {
  const Mat3 k = skew(theta);
  return Mat3::Identity() + (k + 0.5 * k * k) / (1 + 0.25 * theta.squaredNorm());
}
/// θ with cay(θ) = q.
inline Vec3 cayley_vector(const Mat3& q) {
  return 2 / (1 + q.trace()) * Vec3(q(2, 1) - q(1, 2), q(0, 2) - q(2, 0), q(1, 0) - q(0, 1));
}
/// The rotation half as far as q.
inline Mat3 half_of(const Mat3& q) { return exp_matrix(0.5 * log_rotation(Quat(q))); }

/// The rotation R of F = R S, nearest to F; where the points lie on a line (F of rank 1), the least turn away from `before`
/// that puts the line right.
inline Mat3 polar(const Mat3& f, const Mat3& before) { return polar_rotation(f, Quat(before)).toRotationMatrix(); }

/// The greatest of what many runs measured, and which of them it was: both are printed where a check fails.
struct Worst {
  double value = 0;
  std::uint64_t seed = 0;
  void take(double measured, std::uint64_t run) {
    if (measured <= value || std::isnan(value)) return;
    value = measured;
    seed = run;
  }
  bool operator<(double bound) const { return value < bound; }
  friend std::ostream& operator<<(std::ostream& out, const Worst& w) {
    char text[64];
    std::snprintf(text, sizeof text, "%.2e (seed %llu)", w.value, static_cast<unsigned long long>(w.seed));
    return out << text;
  }
};

/// Random numbers of one seed, in order.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  /// Uniform in [low, high).
  double uniform(double low = 0, double high = 1) { return low + (high - low) * random_unit(seed_, Id{}, index_++, 0); }
  /// Mean 0, deviation 1 (Box–Muller).
  double normal() {
    const double r = std::sqrt(-2 * std::log(1 - uniform())), angle = 2 * kPi * uniform();
    return r * std::cos(angle);
  }
  Vec3 vector() {
    const double x = normal(), y = normal(), z = normal();
    return {x, y, z};
  }
  Mat3 attitude() {
    const Vec3 v = vector();
    return Quat(normal(), v.x(), v.y(), v.z()).normalized().toRotationMatrix();
  }
  Nodes nodes(Eigen::Index count) {
    Nodes x(3, count);
    for (Eigen::Index i = 0; i < count; ++i) x.col(i) = vector();
    return x;
  }

 private:
  std::uint64_t seed_, index_ = 0;
};

}  // namespace hazumi::reference
