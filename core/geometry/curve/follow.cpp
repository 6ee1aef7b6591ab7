#include "core/geometry/curve/follow.h"

#include <algorithm>
#include <cmath>

namespace hazumi {
namespace {

constexpr double kStep = 1e-6;  // of the length, between which a rate is taken
constexpr int kRounds = 8;

Vec3 up_at(const CurveWay& way, double along) { return way.frame(along).rotation * Vec3::UnitY(); }

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

Vec3 place_over(const CurveWay& way, double along, double height) {
  return height == 0 ? way.place(along) : Vec3(way.place(along) + height * up_at(way, along));
}

Vec3 velocity_over(const CurveWay& way, double along, double height, double rate) {
  const Vec3 velocity = rate * way.length() * way.tangent(along);
  if (height == 0) return velocity;
  const double before = std::max(along - kStep, 0.0), after = std::min(along + kStep, 1.0);
  return velocity + rate * height / (after - before) * (up_at(way, after) - up_at(way, before));
}

double nearest_over(const CurveWay& way, const Vec3& point, double height, double near) {
  if (height == 0) return way.nearest(point);
  // What is above it there, brought down; up hardly turns on the way that is left.
  double along = near;
  for (int k = 0; k < kRounds; ++k) along = way.nearest(point - height * up_at(way, along));
  return along;
}

Pose pose_on(const CurveWay& way, double along, const Quat& rest, const FollowTurn& turn) {
  CurveFrame frame = way.frame(along);
  if (turn.height != 0) frame.place = place_over(way, along, turn.height);
  const Quat roll(Eigen::AngleAxisd(turn.roll, Vec3::UnitZ()));
  if (turn.target)
    if (const auto looks = looking_at(frame.place, *turn.target, turn.roll)) return {frame.place, *looks};
  if (turn.turned) return {frame.place, (frame.rotation * roll * rest).normalized()};
  return {frame.place, rest};
}

}  // namespace hazumi
