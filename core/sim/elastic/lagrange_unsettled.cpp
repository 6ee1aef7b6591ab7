// What becomes of a step whose equations no iteration settles, not even in sixteen parts: bodies torn to several times their
// size, rods folded in the middle, what spins by many turns a step. P stays exact, and nothing is gained; L stays exact but where
// that would need energy that nobody gave.
#include <cmath>

#include "core/sim/elastic/lagrange_step.h"

namespace hazumi::lagrange {

bool Body::Step::hold_energy() {
  SecondMoment moment;
  double gain = 0;
  Vec3 mean = Vec3::Zero(), angular = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const double m = body.mass_[i];
    const Vec3 y = point(i, 1), ui = at(u, i), wi = at(w, i);
    gain += m * (wi.dot(ui + 0.5 * wi) - at(push, i).dot(at(moved, i) + shift) / h);
    moment.add(m, y.x(), y.y(), y.z());
    mean += m * (ui + wi);
    angular += m * y.cross(ui + wi);
  }
  for (std::size_t j = 0; j < 3 * n; ++j) rate[j] = d[j] + change[j];
  gain += body.elastic_energy(rate, d) - body.elastic_energy(d, d);
  mean /= body.total_mass_;
  if (body.pinned()) mean.setZero();
  const Vec3 spin = body.rigid_rate(moment, angular);
  double vibration = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 v = at(u, i) + at(w, i) - mean - spin.cross(point(i, 1));
    put(rate, i, v);
    vibration += 0.5 * body.mass_[i] * v.squaredNorm();
  }
  if (!(gain > 0)) return gain <= 0;
  const double kept = std::sqrt(std::max(0.0, 1 - gain / vibration));
  for (std::size_t j = 0; j < 3 * n; ++j) w[j] -= (1 - kept) * rate[j];
  body.clear_held(w);
  return gain <= vibration;
}

namespace {

/// The largest θ in [0, 1] with a θ² + b θ ≤ c; a, c ≥ 0.
double share_within(double a, double b, double c) {
  if (a + b <= c) return 1;
  const double root = std::sqrt(b * b + 4 * a * c);
  return b > 0 ? 2 * c / (b + root) : (root - b) / (2 * a);
}

}  // namespace

// The shape turns as a rigid body, and the vibration with it; or not at all, where it spins too fast for that. What does not turn
// is not worked on by torques: they then change L only as far as the energy of the vibration goes.
bool Body::Step::freeze(bool turning) {
  SecondMoment moment;
  Vec3 linear = Vec3::Zero(), now = Vec3::Zero(), pushed = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const double m = body.mass_[i];
    const Vec3 x = at(p, i);
    moment.add(m, x.x(), x.y(), x.z());
    linear += m / body.total_mass_ * at(push, i);
    now += m * x.cross(at(u, i));
    pushed += m * x.cross(at(push, i));
  }
  if (body.pinned()) linear.setZero();
  const Vec3 spin = body.rigid_rate(moment, now);
  const double part = turning ? h : 0;
  const Mat3 whole = exp_rotation(part * body.rigid_rate(moment, now + 0.5 * pushed)).toRotationMatrix();
  Vec3 angular = now;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 x = at(p, i);
    angular += 0.5 * body.mass_[i] * (x + whole * x).cross(at(push, i));
  }
  if (!turning) {
    double vibration = 0;
    for (std::size_t i = 0; i < n; ++i)
      vibration += 0.5 * body.mass_[i] * (at(u, i) - spin.cross(at(p, i))).squaredNorm();
    const Vec3 gained = angular - now;
    angular =
        now + share_within(0.5 * gained.dot(body.rigid_rate(moment, gained)), gained.dot(spin), vibration) * gained;
  }
  const Vec3 spin_after = whole * body.rigid_rate(moment, whole.transpose() * angular);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 x = at(p, i), y = whole * x;
    const Vec3 wi = linear + spin_after.cross(y) + 0.5 * (whole * (at(u, i) - spin.cross(x))) - at(u, i);
    put(w, i, wi);
    put(coast, i, y - x + 0.5 * h * linear - 2 * body.beta_ * h * wi);  // so that way() is y − x and the centre's
  }
  body.clear_held(w);
  turn = Quat::Identity();
  return place();
}

}  // namespace hazumi::lagrange
