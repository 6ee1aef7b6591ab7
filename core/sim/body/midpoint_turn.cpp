#include "core/sim/body/midpoint_turn.h"

#include <cmath>

#include "core/math/rotation.h"
#include "core/sim/elastic/body_frame.h"

namespace hazumi {

namespace {

/// ½ (1 + cay(Θ)) = (1 − ½[Θ])⁻¹
Mat3 mean_turn(const Vec3& theta) {
  const Mat3 k = skew(theta);
  return Mat3::Identity() + (0.5 * k + 0.25 * k * k) / (1 + 0.25 * theta.squaredNorm());
}

}  // namespace

Vec3 MidpointTurn::torque(const Vec3& mean) const { return twist + (mean_turn(h * mean) * arm).cross(push); }

Vec3 MidpointTurn::residual(const Vec3& mean) const {
  const Vec3 half = 0.5 * torque(mean), spin = inertia * mean;
  return possible * (spin - inertia * before - half + 0.5 * h * mean.cross(spin + half));
}

// Where not all turns are possible, the others are given 1 on the diagonal and stay 0.
Mat3 MidpointTurn::derivative(const Vec3& mean) const {
  const Mat3 turn = mean_turn(h * mean);
  const Vec3 a = turn * arm, spin = inertia * mean + 0.5 * (twist + a.cross(push));
  const Mat3 of_torque = 0.5 * h * skew(push) * turn * skew(a);
  const Mat3 whole = inertia + 0.5 * h * (skew(mean) * inertia - skew(spin)) +
                     (0.25 * h * skew(mean) - 0.5 * Mat3::Identity()) * of_torque;
  return possible * whole * possible + inertia.trace() * (Mat3::Identity() - possible);
}

bool MidpointTurn::solve(Vec3& mean, int& passes) const {
  constexpr int kMostPasses = 20;
  constexpr double kSettled = 1e-13;  // of M: Newton's next step is its square
  constexpr double kRounding = 1e-15;
  const Vec3 kick = possible * (twist + arm.cross(push));
  const Mat3 inverse = inverse3(possible * inertia * possible + inertia.trace() * (Mat3::Identity() - possible));
  mean = before + 0.5 * (inverse * kick);
  // What the weight's moment leaves where pins take all of it, as of a wheel on an axle through its centre, is known to no better than its
  // rounding.
  const double known = kRounding * inverse.norm() * arm.norm() * push.norm();
  for (int pass = 0; pass < kMostPasses; ++pass) {
    ++passes;
    const Vec3 step = inverse3(derivative(mean)) * residual(mean);
    mean -= step;
    const double size = step.norm();
    if (!std::isfinite(size)) return false;
    if (size <= kSettled * mean.norm() + known) return true;
  }
  return false;
}

Quat cayley_turn(const Vec3& theta) { return Quat(1, 0.5 * theta.x(), 0.5 * theta.y(), 0.5 * theta.z()).normalized(); }

Quat half_turn(const Quat& q) { return Quat(1 + q.w(), q.x(), q.y(), q.z()).normalized(); }

}  // namespace hazumi
