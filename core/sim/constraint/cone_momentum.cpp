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

/// Contacts go in lanes, joints before them, one after the other; on the way back after them.
double ConeSolve::sweep_parts(bool back) {
  double change = back ? ws_.lanes.sweep(true, ws_.x) : 0;
  const auto joint = [&](std::size_t i) {
    const Vec3 step = equality_step(i, velocity(i));
    impulse_[i] += step;
    push(i, step);
    change = std::max(change, change_of(i, step));
  };
  if (back)
    std::for_each(ws_.joints.rbegin(), ws_.joints.rend(), joint);
  else
    std::for_each(ws_.joints.begin(), ws_.joints.end(), joint);
  if (!back) change = std::max(change, ws_.lanes.sweep(false, ws_.x));
  ++result_.passes;
  return change;
}

void ConeSolve::lay_lanes() {
  ws_.contacts.clear();
  ws_.joints.clear();
  for (std::size_t i = 0; i < count(); ++i) {
    if (ws_.w[i] == 0) continue;
    if (!is_contact(i)) {
      ws_.joints.push_back(static_cast<std::uint32_t>(i));
      continue;
    }
    ws_.contacts.push_back({.row = static_cast<std::uint32_t>(i),
                            .normal = rows_[i].normal,
                            .w_n = ws_.w_n[i],
                            .free = free_[i],
                            .least = rows_[i].least,
                            .friction = friction(i),
                            .spread = 1 / ws_.w[i],
                            .spread_t = ws_.w_t[i] > 0 ? 1 / ws_.w_t[i] : 0.0,
                            .weight = own(i).trace(),
                            .mobility = ws_.w[i]});
  }
  ws_.lanes.lay(ws_.contacts, parts_);
  ws_.lanes.take(impulse_);
  ws_.lanes.start();
}

/// x anew from λ.
void ConeSolve::refresh_parts() {
  ws_.lanes.give(impulse_);
  find_velocities();
}

void ConeSolve::by_momentum() {
  result_.used = ConeMethod::momentum;
  lay_lanes();
  std::vector<Vec3>&last = ws_.direction, &x_last = ws_.x_last;
  std::copy(impulse_.begin(), impulse_.end(), last.begin());
  std::copy(ws_.x.begin(), ws_.x.end(), x_last.begin());
  double t = 1, least = 1e300;
  for (int k = 0;; ++k) {
    if (k % kRefreshParts == kRefreshParts - 1) refresh_parts();
    ws_.lanes.keep();
    for (const std::uint32_t i : ws_.joints) ws_.before[i] = impulse_[i];
    result_.change = sweep_parts(false);
    result_.change = std::max(result_.change, sweep_parts(true));
    result_.settled = result_.change < options_.tolerance;
    if (result_.settled || result_.passes + 2 > options_.most_passes) break;
    double along = ws_.lanes.along();
    for (const std::uint32_t i : ws_.joints)
      along += own(i).trace() * (ws_.before[i] - impulse_[i]).dot(impulse_[i] - last[i]);
    if (along > 0 || result_.change > kGrown * least) {
      t = 1;
      least = 1e300;
    }
    least = std::min(least, result_.change);
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * t * t)), share = (t - 1) / next;
    t = next;
    ws_.lanes.lead(share);
    for (const std::uint32_t i : ws_.joints) {
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
  ws_.lanes.give(impulse_);
}

}  // namespace hazumi
