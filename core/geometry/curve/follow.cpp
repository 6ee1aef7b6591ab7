#include "core/geometry/curve/follow.h"

#include <cmath>

namespace hazumi {
namespace {

Quat looking(const Vec3& z) {
  const Vec3 up = std::hypot(z.x(), z.z()) > 1e-9 ? Vec3::UnitY() : Vec3::UnitZ();
  const Vec3 x = up.cross(z).normalized();
  Mat3 axes;
  axes << x, z.cross(x), z;
  return Quat(axes).normalized();
}

}  // namespace

std::optional<Quat> looking_at(const Vec3& place, const Vec3& target, double roll) {
  const Vec3 there = target - place;
  if (!(there.norm() > 1e-9)) return std::nullopt;
  return (looking(there.normalized()) * Quat(Eigen::AngleAxisd(roll, Vec3::UnitZ()))).normalized();
}

Pose pose_on(const CurveWay& way, double along, const Quat& rest, const FollowTurn& turn) {
  const CurveFrame frame = way.frame(along);
  const Quat roll(Eigen::AngleAxisd(turn.roll, Vec3::UnitZ()));
  if (turn.target)
    if (const auto looks = looking_at(frame.place, *turn.target, turn.roll)) return {frame.place, *looks};
  if (turn.turned) return {frame.place, (frame.rotation * roll * rest).normalized()};
  return {frame.place, rest};
}

}  // namespace hazumi
