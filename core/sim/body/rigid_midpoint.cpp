#include "core/sim/body/rigid_midpoint.h"

#include <cmath>

#include "core/sim/body/midpoint_turn.h"

namespace hazumi {

namespace {

constexpr double kMostTurn = 64;      // rad in a step
constexpr int kMostMidpoints = 4096;  // parts
constexpr double kFastest = 1e6;      // m/s

/// What turns, and about what: attitude and angular momentum go through the parts of a step.
struct Turning {
  const Mat3& inertia;
  Mat3 inverse, possible = Mat3::Identity();
  Vec3 arm = Vec3::Zero();
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();

  Vec3 rate(const Quat& q, const Vec3& spin) const { return inverse * (q.conjugate() * spin); }
  /// rad in h, from the rates at both ends.
  double angle(const Quat& q, const Vec3& spin, double h) const {
    const Vec3 end = spin + h * (torque + (q * arm).cross(force));
    return h * std::sqrt(std::max(rate(q, spin).squaredNorm(), rate(q, end).squaredNorm()));
  }
  bool advance(double h, int parts, Quat& q, Vec3& spin, RigidMidpoint& out) const;
};

/// One try in so many parts: `q` and `spin` (L) of the end, the mean rate and the attitude half-way.
bool Turning::advance(double h, int parts, Quat& q, Vec3& spin, RigidMidpoint& out) const {
  MidpointTurn part;
  part.inertia = inertia;
  part.possible = possible;
  part.arm = arm;
  part.h = h / parts;
  out.parts = parts;
  out.mean_spin.setZero();
  for (int k = 0; k < parts; ++k) {
    const Quat back = q.conjugate();
    part.before = rate(q, spin);
    part.twist = part.h * (back * torque);
    part.push = part.h * (back * force);
    Vec3 mean;
    if (!part.solve(mean, out.passes)) return false;
    out.mean_spin += q * mean / parts;
    spin += q * part.torque(mean);
    const Quat turn = cayley_turn(part.h * mean);
    if (2 * k + 1 == parts) out.half = (q * half_turn(turn)).normalized();
    q = (q * turn).normalized();
    if (2 * (k + 1) == parts) out.half = q;
  }
  return true;
}

/// Parts as `turn_per_part` says, and more where they do not settle.
bool turn_by_parts(const Turning& body, double h, double turn_per_part, Quat& q, Vec3& spin, RigidMidpoint& out) {
  const Quat from = q;
  const Vec3 begun = spin;
  const double angle = body.angle(q, spin, h);
  out.passes = 0;
  if (!(angle < kMostTurn)) return false;
  for (int parts = std::max(1, static_cast<int>(std::ceil(angle / turn_per_part))); parts <= kMostMidpoints;
       parts *= 2) {
    q = from;
    spin = begun;
    if (body.advance(h, parts, q, spin, out)) return true;
  }
  return false;
}

bool sound(const RigidValues& r, double mass) {
  return r.pose.position.allFinite() && r.pose.rotation.coeffs().allFinite() && r.angular_momentum.allFinite() &&
         r.momentum.squaredNorm() < kFastest * kFastest * mass * mass;
}

}  // namespace

bool rigid_midpoint(const RigidInertia& body, const RigidValues& before, double h, const Vec3& force,
                    const Vec3& torque, const Vec3& acceleration, RigidMidpoint& out, double turn_per_part) {
  out.after = before;
  out.after.momentum += h * (force + body.mass * acceleration);
  out.mean_velocity = (0.5 / body.mass) * (before.momentum + out.after.momentum);
  out.after.pose.position += h * out.mean_velocity;
  out.mean_centre = 0.5 * (before.pose.position + out.after.pose.position);
  Turning turning{body.inertia, body.inverse};
  turning.torque = torque;
  if (!turn_by_parts(turning, h, turn_per_part, out.after.pose.rotation, out.after.angular_momentum, out)) return false;
  out.after.angular_momentum = before.angular_momentum + h * torque;
  return sound(out.after, body.mass);
}

bool pinned_midpoint(const RigidInertia& body, const PinnedBody& pinned, const RigidValues& before, double h,
                     const Vec3& force, const Vec3& torque, const Vec3& acceleration, RigidMidpoint& out,
                     double turn_per_part) {
  out = RigidMidpoint{};
  out.after = before;
  out.half = before.pose.rotation;
  out.mean_centre = before.pose.position;
  if (pinned.directions.is_held()) return true;
  Turning turning{pinned.inertia, Mat3::Zero()};
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = pinned.directions.allowed(Vec3::Unit(k));
    turning.possible.col(k) = axis;
    turning.inverse.col(k) = pinned.directions.solve(pinned.inertia, axis);
  }
  turning.arm = pinned.arm;
  turning.force = force + body.mass * acceleration;
  turning.torque = torque;
  Quat q = before.pose.rotation;
  Vec3 spin = before.angular_momentum + (q * pinned.arm).cross(before.momentum);
  if (!turn_by_parts(turning, h, turn_per_part, q, spin, out)) return false;
  double values[kRigidStateSize];
  pinned.put(body, q, q * turning.rate(q, spin), values);
  out.after = read_rigid(values);
  out.mean_velocity = (out.after.pose.position - before.pose.position) / h;
  out.mean_centre = 0.5 * (before.pose.position + out.after.pose.position);
  return sound(out.after, body.mass);
}

}  // namespace hazumi
