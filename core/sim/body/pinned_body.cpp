#include "core/sim/body/pinned_body.h"

#include <cmath>

#include "core/math/eigen.h"
#include "core/math/rotation.h"

namespace hazumi {

namespace {

constexpr double kPinnedTurnPerPart = 0.1;  // rad
constexpr int kPinnedMostParts = 640;
constexpr int kMostIterations = 40;

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
  smallest = pins.kind == PinKind::line ? pins.axis.dot(inertia * pins.axis) : symmetric_eigenvalues(inertia)[0];
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

bool PinnedBody::step(const RigidInertia& body, double h, const Vec3& force, const Vec3& torque,
                      const Vec3& acceleration, std::span<double> state) const {
  if (directions.is_held()) return true;
  const Motion now(state);
  const Vec3 pull = force + body.mass * acceleration;
  const auto rate = [&](const Quat& q, const Vec3& L) {  // body frame
    return directions.solve(inertia, directions.allowed(q.conjugate() * L));
  };
  const auto kept = [&](const Quat& q, const Vec3& L) -> Vec3 {
    return directions.is_free() ? L : Vec3(q * directions.allowed(q.conjugate() * L));
  };
  Quat q = now.q;
  Vec3 L = kept(q, now.L + (q * arm).cross(now.P));
  const double most = (L.norm() + h * (torque.norm() + arm.norm() * pull.norm())) * h / smallest;
  if (!(most < kPinnedTurnPerPart * kPinnedMostParts)) return false;
  const int parts = std::max(1, static_cast<int>(std::ceil(most / kPinnedTurnPerPart)));
  const double part = h / parts;
  for (int k = 0; k < parts; ++k) {
    Vec3 w = rate(q, L), after = L;
    for (int pass = 0; pass < kMostIterations; ++pass) {
      const Quat half = q * exp_rotation(0.5 * part * w);
      after = kept(q, L + part * (torque + (half * arm).cross(pull)));
      const Vec3 next = rate(half, 0.5 * (L + after));
      const double change = (next - w).squaredNorm(), size = next.squaredNorm();
      w = next;
      if (!(change > 1e-31 * size)) break;
    }
    q = (q * exp_rotation(part * w)).normalized();
    L = after;
  }
  put(body, q, q * rate(q, L), state);
  for (const double x : state.first(kRigidStateSize))
    if (!std::isfinite(x)) return false;
  return true;
}

}  // namespace hazumi
