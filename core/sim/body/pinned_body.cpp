#include "core/sim/body/pinned_body.h"

#include "core/math/rotation.h"

namespace hazumi {

namespace {

struct Motion {
  Vec3 c, P, L;
  Quat q;
  explicit Motion(std::span<const double> s)
      : c(s[0], s[1], s[2]), P(s[7], s[8], s[9]), L(s[10], s[11], s[12]), q(s[3], s[4], s[5], s[6]) {}
};

}  // namespace

PinnedBody::PinnedBody(const RigidInertia& body, const PinFrame& pins, const Pose& start)
    : place(start * pins.origin), arm(-pins.origin) {
  inertia = body.inertia + body.mass * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  directions = RigidDirections(inertia, pins);
}

Mat3 PinnedBody::inverse_inertia(const Quat& attitude) const {
  Mat3 inverse;
  for (int k = 0; k < 3; ++k) inverse.col(k) = directions.solve(inertia, directions.allowed(Vec3::Unit(k)));
  const Mat3 r = attitude.toRotationMatrix();
  return r * inverse * r.transpose();
}

void PinnedBody::put(const RigidInertia& body, const Quat& attitude, const Vec3& spin, std::span<double> state) const {
  const Vec3 w = attitude * directions.allowed(attitude.conjugate() * spin);
  const Vec3 s = attitude * arm, P = body.mass * w.cross(s);
  const Vec3 L = attitude * Vec3(body.inertia * (attitude.conjugate() * w));
  const Vec3 c = place + s;
  const double values[13] = {c.x(), c.y(), c.z(), attitude.w(), attitude.x(), attitude.y(), attitude.z(),
                             P.x(), P.y(), P.z(), L.x(),        L.y(),        L.z()};
  std::copy(values, values + 13, state.begin());
}

void PinnedBody::initialise(const RigidInertia& body, const Quat& attitude, const Vec3& velocity, const Vec3& spin,
                            std::span<double> state) const {
  const Vec3 about_pin =
      (attitude * arm).cross(body.mass * velocity) + attitude * Vec3(body.inertia * (attitude.conjugate() * spin));
  put(body, attitude, inverse_inertia(attitude) * about_pin, state);
}

Vec3 PinnedBody::spin(std::span<const double> state) const {
  const Motion now(state);
  return inverse_inertia(now.q) * (now.L + (now.q * arm).cross(now.P));
}

}  // namespace hazumi
