// The method `momentum` of cone.h, for large islands of rigid bodies: sweeps to and fro through the bodies' velocities.
//
// y_k is where pass k begins, λ_k what its sweeps make of it:
//
//   y_{k+1} = λ_k + (t_k − 1)/t_{k+1} (λ_k − λ_{k−1}),   t_{k+1} = ½ (1 + √(1 + 4 t_k²))       t = 1 where (y_k − λ_k)·(λ_k − λ_{k−1}) > 0
//
// with the weight tr W_ii. x is linear in λ and goes the same way. One way alone (each pass like the one before) diverges with this: its map is
// not symmetric. Of a heap of 440 boxes that land, 1,919 rows, from λ = 0, what the next sweep would change (rms, m/s):
//
//   sweeps                     40        80        160       320 or 400
//   one way                    2.0e-2    1.1e-2    5.3e-3    1.6e-3
//   gradients                  1.5e-2    7.8e-3    3.2e-3    1.0e-3       every other pass β > 1
//   gradients, to and fro      2.0e-2    1.3e-2    6.8e-3    3.2e-3
//   Anderson, 5 passes, t&f    2.7e-2    1.4e-2              2.7e-3       at half as much again a row
//   momentum                   1.6e-2    7.7e-3    4.7e-3    2.1e-4
// Sources: Nesterov 1983; begun anew: O'Donoghue and Candès, 2015.
#include <algorithm>
#include <cmath>

#include "core/sim/constraint/cone_solve.h"

namespace hazumi {
namespace {

constexpr double kGrown = 4;       // of the least change since the sequence began: friction can make it grow
constexpr int kRefreshParts = 50;  // passes after which x is made anew from λ

}  // namespace

/// One row by itself; its change, m/s.
double ConeSolve::sweep_part(std::size_t i) {
  const ConeWorkspace::Swept& s = ws_.swept[i];
  if (s.spread == 0) return 0;
  Vec3 u = s.free;
  Vec3* const x = ws_.x.data();
  if (s.a >= 0) u += x[2 * s.a] + x[2 * s.a + 1].cross(s.arm_a);
  if (s.b >= 0) u -= x[2 * s.b] + x[2 * s.b + 1].cross(s.arm_b);
  const Vec3 next = contact_next(i, u), step = next - impulse_[i];
  if (step.x() == 0 && step.y() == 0 && step.z() == 0) return 0;
  impulse_[i] = next;
  if (s.a >= 0) {
    const ConeParts::Part& part = parts_.part[s.a];
    x[2 * s.a] += part.inverse_mass * step;
    x[2 * s.a + 1] += part.inverse_inertia * s.arm_a.cross(step);
  }
  if (s.b >= 0) {
    const ConeParts::Part& part = parts_.part[s.b];
    x[2 * s.b] -= part.inverse_mass * step;
    x[2 * s.b + 1] -= part.inverse_inertia * s.arm_b.cross(step);
  }
  return ws_.w[i] * step.cwiseAbs().maxCoeff();
}

double ConeSolve::sweep_parts(bool back) {
  double change = 0;
  for (std::size_t k = 0; k < count(); ++k) {
    const std::size_t i = back ? count() - 1 - k : k;
    if (is_contact(i)) {
      change = std::max(change, sweep_part(i));
      continue;
    }
    if (ws_.w[i] == 0) continue;
    const Vec3 step = equality_step(i, velocity(i));
    impulse_[i] += step;
    push(i, step);
    change = std::max(change, change_of(i, step));
  }
  ++result_.passes;
  return change;
}

void ConeSolve::by_momentum() {
  result_.used = ConeMethod::momentum;
  std::vector<Vec3>&last = ws_.direction, &x_last = ws_.x_last;
  std::copy(impulse_.begin(), impulse_.end(), last.begin());
  std::copy(ws_.x.begin(), ws_.x.end(), x_last.begin());
  double t = 1, least = 1e300;
  for (int k = 0;; ++k) {
    if (k % kRefreshParts == kRefreshParts - 1) find_velocities();
    std::copy(impulse_.begin(), impulse_.end(), ws_.before.begin());
    result_.change = sweep_parts(false);
    result_.change = std::max(result_.change, sweep_parts(true));
    result_.settled = result_.change < options_.tolerance;
    if (result_.settled || result_.passes + 2 > options_.most_passes) return;
    double along = 0;
    for (std::size_t i = 0; i < count(); ++i)
      along += own(i).trace() * (ws_.before[i] - impulse_[i]).dot(impulse_[i] - last[i]);
    if (along > 0 || result_.change > kGrown * least) {
      t = 1;
      least = 1e300;
    }
    least = std::min(least, result_.change);
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * t * t)), share = (t - 1) / next;
    t = next;
    for (std::size_t i = 0; i < count(); ++i) {
      const Vec3 now = impulse_[i];
      impulse_[i] += share * (now - last[i]);
      last[i] = now;
    }
    for (std::size_t i = 0; i < ws_.x.size(); ++i) {
      const Vec3 now = ws_.x[i];
      ws_.x[i] += share * (now - x_last[i]);
      x_last[i] = now;
    }
  }
}

}  // namespace hazumi
