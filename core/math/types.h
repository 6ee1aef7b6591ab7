// Vector and quaternion names used in the whole core.
// Conventions (docs/conventions.md): SI units, right-handed, y up, column vectors, quaternions w-x-y-z,
// radians inside and degrees on screen. Double precision for everything that is simulated; float for eyes.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace hazumi {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec3f = Eigen::Vector3f;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;

/// A rigid placement: x_world = position + rotation * x_body.
struct Pose {
  Vec3 position = Vec3::Zero();      ///< m
  Quat rotation = Quat::Identity();  ///< unit quaternion
  Vec3 operator*(const Vec3& p) const { return position + rotation * p; }
};

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double degrees(double radians) { return radians * 180.0 / kPi; }
inline constexpr double radians(double degrees) { return degrees * kPi / 180.0; }

}  // namespace hazumi
