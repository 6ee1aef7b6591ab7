// Reading and writing the numbers of a BodyState (layout in state.h) as what they mean.
#pragma once

#include <cassert>
#include <vector>

#include "core/math/types.h"

namespace hazumi {

struct RigidValues {
  Pose pose;                             ///< centre of mass, attitude of the body frame
  Vec3 momentum = Vec3::Zero();          ///< P, kg m/s
  Vec3 angular_momentum = Vec3::Zero();  ///< L about the centre of mass, world axes, kg m²/s
};

inline RigidValues read_rigid(const std::vector<double>& v) {
  assert(v.size() == 13);
  RigidValues r;
  r.pose.position = Vec3(v[0], v[1], v[2]);
  r.pose.rotation = Quat(v[3], v[4], v[5], v[6]);
  r.momentum = Vec3(v[7], v[8], v[9]);
  r.angular_momentum = Vec3(v[10], v[11], v[12]);
  return r;
}

inline void write_rigid(const RigidValues& r, std::vector<double>& v) {
  const Vec3& c = r.pose.position;
  const Quat& q = r.pose.rotation;
  v.assign({c.x(), c.y(), c.z(), q.w(), q.x(), q.y(), q.z(), r.momentum.x(), r.momentum.y(), r.momentum.z(),
            r.angular_momentum.x(), r.angular_momentum.y(), r.angular_momentum.z()});
}

struct PointValues {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
};

inline PointValues read_point(const std::vector<double>& v) {
  assert(v.size() == 6);
  return {Vec3(v[0], v[1], v[2]), Vec3(v[3], v[4], v[5])};
}

inline void write_point(const PointValues& p, std::vector<double>& v) {
  v.assign({p.position.x(), p.position.y(), p.position.z(), p.velocity.x(), p.velocity.y(), p.velocity.z()});
}

/// R I Rᵀ
inline Mat3 world_inertia(const Mat3& body_inertia, const Quat& rotation) {
  const Mat3 r = rotation.toRotationMatrix();
  return r * body_inertia * r.transpose();
}

/// ω = R I⁻¹ Rᵀ L, world axes
inline Vec3 rigid_spin(const Mat3& body_inertia, const RigidValues& r) {
  return r.pose.rotation * (body_inertia.inverse() * (r.pose.rotation.conjugate() * r.angular_momentum));
}

/// exp(angle) q for a rotation vector in world axes.
inline Quat rotated(const Quat& q, const Vec3& angle) {
  const double a = angle.norm();
  if (a < 1e-300) return q;
  return (Quat(Eigen::AngleAxisd(a, angle / a)) * q).normalized();
}

}  // namespace hazumi
