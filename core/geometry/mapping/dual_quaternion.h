// Blends of rigid motions by dual quaternions (Kavan et al. 2008).
#pragma once

#include <cmath>
#include <vector>

#include "core/geometry/mapping/bones.h"
#include "core/math/rotation.h"

namespace hazumi {

/// Unit dual quaternion of x' = t + R x: real part R, dual part ½ t R.
template <class Number>
struct DualQuaternion {
  Eigen::Matrix<Number, 4, 1> real, dual;  // w, x, y, z
};

inline DualQuaternion<double> dual_quaternion(const Pose& motion) {
  const Quat& q = motion.rotation;
  const Vec3& t = motion.position;
  DualQuaternion<double> d;
  d.real << q.w(), q.x(), q.y(), q.z();
  const Vec3 v = q.vec();
  const Vec3 dual = 0.5 * (q.w() * t + t.cross(v));
  d.dual << -0.5 * t.dot(v), dual.x(), dual.y(), dual.z();
  return d;
}

/// The blend in the half of the quaternions that the heaviest bone is in, made unit.
template <class Number>
DualQuaternion<Number> blend(const std::vector<DualQuaternion<Number>>& bones, const VertexBones& w) {
  DualQuaternion<Number> sum = bones[w.bones[0]];
  const auto pivot = sum.real;
  sum.real *= static_cast<Number>(w.weights[0]);
  sum.dual *= static_cast<Number>(w.weights[0]);
  for (int k = 1; k < 4 && w.weights[k] > 0; ++k) {
    const DualQuaternion<Number>& b = bones[w.bones[k]];
    const Number weight = static_cast<Number>(pivot.dot(b.real) < 0 ? -w.weights[k] : w.weights[k]);
    sum.real += weight * b.real;
    sum.dual += weight * b.dual;
  }
  const Number scale = Number(1) / std::sqrt(sum.real.squaredNorm());
  sum.real *= scale;
  sum.dual *= scale;
  return sum;
}

template <class Number>
Eigen::Matrix<Number, 3, 1> turn(const DualQuaternion<Number>& d, const Eigen::Matrix<Number, 3, 1>& x) {
  using Vector = Eigen::Matrix<Number, 3, 1>;
  const Vector v = d.real.template tail<3>();
  const Vector u = Number(2) * v.cross(x);
  return x + d.real[0] * u + v.cross(u);
}

template <class Number>
Eigen::Matrix<Number, 3, 1> move(const DualQuaternion<Number>& d, const Eigen::Matrix<Number, 3, 1>& x) {
  using Vector = Eigen::Matrix<Number, 3, 1>;
  const Vector v = d.real.template tail<3>(), e = d.dual.template tail<3>();
  return turn(d, x) + Number(2) * (d.real[0] * e - d.dual[0] * v + v.cross(e));
}

}  // namespace hazumi
