// Reading and writing the numbers of a rigid body (layout in body/rigid_body.h) as what they mean.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>

#include "core/math/types.h"

namespace hazumi {

struct RigidValues {
  Pose pose;                             ///< centre of mass, attitude of the body frame
  Vec3 momentum = Vec3::Zero();          ///< P, kg m/s
  Vec3 angular_momentum = Vec3::Zero();  ///< L about the centre of mass, world axes, kg m²/s
};

inline RigidValues read_rigid(std::span<const double> v) {
  assert(v.size() >= 13);  // copies of objects have more (particles/copies.h)
  RigidValues r;
  r.pose.position = Vec3(v[0], v[1], v[2]);
  r.pose.rotation = Quat(v[3], v[4], v[5], v[6]);
  r.momentum = Vec3(v[7], v[8], v[9]);
  r.angular_momentum = Vec3(v[10], v[11], v[12]);
  return r;
}

inline void write_rigid(const RigidValues& r, std::span<double> v) {
  const Vec3 &c = r.pose.position, &p = r.momentum, &l = r.angular_momentum;
  const Quat& q = r.pose.rotation;
  const double values[13] = {c.x(), c.y(), c.z(), q.w(), q.x(), q.y(), q.z(), p.x(), p.y(), p.z(), l.x(), l.y(), l.z()};
  std::copy(values, values + 13, v.begin());
}

/// R I Rᵀ
inline Mat3 world_inertia(const Mat3& body_inertia, const Quat& rotation) {
  const Mat3 r = rotation.toRotationMatrix();
  return r * body_inertia * r.transpose();
}

/// exp(angle) q for a rotation vector in world axes.
inline Quat rotated(const Quat& q, const Vec3& angle) {
  const double a = angle.norm();
  if (a < 1e-300) return q;
  return (Quat(Eigen::AngleAxisd(a, angle / a)) * q).normalized();
}

/// The attitude between two.
inline Quat half_way(const Quat& from, const Quat& to) {
  return Quat(from.coeffs() + (from.dot(to) < 0 ? -1.0 : 1.0) * to.coeffs()).normalized();
}

/// ω̄, rad/s, world: hω̄ × ½ (R⁻ + R⁺) s = (R⁺ − R⁻) s for every s.
inline Vec3 mean_rate(const Quat& from, const Quat& to, double h) {
  const Quat turn = from.conjugate() * to;
  const double w = std::max(1e-3, std::abs(turn.w()));  // half a turn has none
  return from * Vec3((turn.w() < 0 ? -2 : 2) / w * turn.vec()) / h;
}

}  // namespace hazumi
