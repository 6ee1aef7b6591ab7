// Shape matching by overlapping regions: one region per node, itself and its ring, each of which keeps its shape.
//
// Source: Koyama, Takayama, Umetani and Igarashi 2012 (seeds/002), after Müller 2005 and Rivers 2007; spec 5.2. With x̂ = x⁻ + ½ h u⁻:
//
//   A_r = Σ m̃ p qᵀ,  R_r its rotation            p = x̂ − c_r,  q = x⁰ − c⁰_r, from the region's centres of mass
//   g_i = mean over the regions of i of  R_r (x⁰_i − c⁰_r) + c_r
//   u⁺ = u⁻ + α (g − x̂)/h + h f/m               x⁺ = x⁻ + ½ h (u⁻ + u⁺)
//
// That is the potential E = ½ κ̃ Σ_r Σ m̃ |p − R_r q|², κ̃ = α/h², kicked in the middle of a drift: as K ≤ κ̃ M, h ω ≤ √α ≤ 1 of every mode,
// whatever the body is made of. A body that vibrates linearly keeps
//
//   H = ½ m u² + E(x) − ⅛ h² vᵀ K v            v: u less the motion of the whole as a rigid body
//
// to round-off, and an impulse at a node changes it by λ·ū, as contacts count (contact.md, F2): H is what the solver tells as its energy, the
// last two terms as elastic. Where regions turn far, H grows or falls by the third order; at the very end of a step (calm) what it has
// grown by beyond the forces' work is taken out of the vibration.
//
// R of Σ m̃ p qᵀ, not of A (Σ m̃ q qᵀ)⁻¹ as in the paper: so Σ m̃ p × R q = 0, and no region turns itself. What the last bits leave is put
// right for the body. κ follows from the springs as of polyhedral.md; α = h²κ/(1 + h²κ), at most what the row says.
// Damping: γ (v − u⁻) is added to u⁺ as well, v the mean over the regions of a node of their rigid motions.
//
//   c, Q, y   frame; nodes about c, m (world axes)       u   velocities, m/s          m̃   m over the number of regions of a node, kg
//
// With examples (shape_matching_examples.h) q is T in all of that, and E has what holds the weights back; damping leaves the motion along examples that
// the body has alone, but for half of what would be critical on the way back.
//
// Answer to impulses: J/m at each node (A = M), exactly. Pinned nodes: u = 0, c is the first pin.
// State: c(3) Q(4) energy allowed(1) y(3n) u(3n) R(4 per region) v(of examples, by groups). Working range: any stiffness and shape; spins to
// about ½/h.
#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"
#include "core/sim/elastic/linear_system.h"
#include "core/sim/elastic/region_turns.h"
#include "core/sim/elastic/setup_check.h"
#include "core/sim/elastic/shape_matching_body.h"

namespace hazumi {

namespace shape_matching {

namespace {

constexpr int kMostTurns = 8;  // between weights and turns in a step, where the weights go far
constexpr int kMostRelaxed = 16;
constexpr double kRoundOff = 1e-13;
constexpr double kSpeedLimit = 1e6;  // m/s, of solver.h

/// Σ m̃ a (x⁰ − c⁰)ᵀ
Mat3 about_centre(const Twelve& sums, const Vec3& centre) {
  return Eigen::Map<const Mat3>(sums.data()) - Vec3(sums[9], sums[10], sums[11]) * centre.transpose();
}

}  // namespace

void Body::gather(const double* of_nodes, Twelve* nodes, Twelve* regions) const {
  const std::size_t n = node_count();
  for (std::size_t i = 0; i < n; ++i) {
    const double *r = reference_.data() + 3 * i, *a = of_nodes + 3 * i, w = share_[i];
    const double x = w * a[0], y = w * a[1], z = w * a[2];
    nodes[i] << x * r[0], y * r[0], z * r[0], x * r[1], y * r[1], z * r[1], x * r[2], y * r[2], z * r[2], x, y, z;
  }
  sum_twelves({region_start_, region_node_}, nodes->data(), regions->data());
}

void Body::spread(const Twelve* regions, double* goals) const {
  apply_mean_map({node_start_, node_region_}, regions->data(), reference_.data(), goals);
}

/// `room`: of a body with examples, which has weights; else null.
void Body::turn_regions(const Twelve* fits, const double* weights, const Examples::Room* room, double* turns) const {
  EightTurns some;
  for (std::size_t first = 0; first < region_count(); first += 8) {
    const std::size_t last = std::min(first + 8, region_count()) - 1;
    for (std::size_t l = 0; l < 8; ++l) {
      const std::size_t r = std::min(first + l, last);
      const Mat3 fit = room ? examples_.fit(r, fits[r], weights, *room) : about_centre(fits[r], centre_of_[r]);
      if (room) room->fits[r] = fit;
      for (int k = 0; k < 9; ++k) some.fit[k][l] = fit.data()[k];
      for (std::size_t k = 0; k < 4; ++k) some.turn[k][l] = turns[4 * r + k];
    }
    turn_eight(some);
    for (std::size_t l = 0; first + l <= last; ++l) {
      double* const q = turns + 4 * (first + l);
      if (some.found[l] > 0) {
        for (std::size_t k = 0; k < 4; ++k) q[k] = some.turn[k][l];
        continue;
      }
      Mat3 fit;
      for (int k = 0; k < 9; ++k) fit.data()[k] = some.fit[k][l];
      const Quat turn = polar_rotation(fit, Quat(q[0], q[1], q[2], q[3]));
      q[0] = turn.w();
      q[1] = turn.x();
      q[2] = turn.y();
      q[3] = turn.z();
    }
  }
}

/// The same for a body with examples: by the weights that it had, weights from how its regions lie then, and turns by these.
/// False: it has none, and turns are as without examples. `may_begin`: it may turn to some that it has not.
bool Body::take_examples(const double* places, const Twelve* fits, double* turns, double* weights, bool may_begin,
                         Examples::Room& room) const {
  bool any = examples_.use(regions(), places, weights, room);
  turn_regions(fits, weights, any ? &room : nullptr, turns);
  if (!any && !may_begin) return false;
  for (int pass = 0; pass < kMostTurns; ++pass) {
    const bool far = examples_.find(regions(), places, fits, turns, weights, room);
    any = any || std::any_of(room.used.begin(), room.used.end(), [](bool used) { return used; });
    if (!any) return false;
    turn_regions(fits, weights, &room, turns);
    if (!far) break;
  }
  return true;
}

/// Of each region what it says of the places of its nodes, x⁰ → R x⁰ + t, from what gather() says of them.
void Body::place_regions(const double* turns, Twelve* regions) const {
  for (std::size_t r = 0; r < region_count(); ++r) {
    const double* const q = turns + 4 * r;
    const Mat3 m = Quat(q[0], q[1], q[2], q[3]).toRotationMatrix();
    const Vec3 place = Vec3(regions[r][9], regions[r][10], regions[r][11]) / mass_of_[r] - m * centre_of_[r];
    Eigen::Map<Mat3>(regions[r].data()) = m;
    regions[r].tail<3>() = place.array();
  }
}

/// Where regions say that nodes would be.
void Body::find_goals(const double* turns, const double* weights, Examples::Room* room, Twelve* regions,
                      double* goals) const {
  if (room)
    examples_.place(turns, weights, regions, *room);
  else
    place_regions(turns, regions);
  spread(regions, goals);
  if (room) examples_.spread(this->regions(), *room, goals);
}

/// Of each region its motion as a rigid body, x⁰ → Ω R x⁰ + t, from what gather() says of velocities.
void Body::rates_of_regions(const double* turns, Twelve* regions) const {
  for (std::size_t r = 0; r < region_count(); ++r) {
    const double* const q = turns + 4 * r;
    const Mat3 m = Quat(q[0], q[1], q[2], q[3]).toRotationMatrix();
    const Vec3 fast(regions[r][9], regions[r][10], regions[r][11]);
    const Mat3 seen = m.transpose() * (Eigen::Map<const Mat3>(regions[r].data()) - fast * centre_of_[r].transpose());
    const Mat3 turning = m * skew(turning_of_[r] * -axial(seen));
    Eigen::Map<Mat3>(regions[r].data()) = turning;
    regions[r].tail<3>() = (fast / mass_of_[r] - turning * centre_of_[r]).array();
  }
}

/// goals ← what regions add to the velocities, from the turns at `middle`; the mean of it, which is round-off.
Vec3 Body::inner_kicks(bool pushed, const double* middle, const double* u, const Vec3& drift, double* turns,
                       Twelve* of_nodes, double* goals, double* own, double* damped) const {
  const std::size_t n = node_count();
  Twelve* const of_regions = of_nodes + n;
  double* const weights = turns + 4 * region_count();
  Examples::Room memory = examples_.room(damped + 3 * n), *room = examples_.none() ? nullptr : &memory;
  gather(middle, of_nodes, of_regions);
  if (!room)
    turn_regions(of_regions, nullptr, nullptr, turns);
  else if (!take_examples(middle, of_regions, turns, weights, pushed, *room))
    room = nullptr;
  find_goals(turns, weights, room, of_regions, goals);
  if (calm_share_ > 0) {
    for (std::size_t i = 0; i < n; ++i) put(own, i, at(u, i) - drift);
    gather(own, of_nodes, of_regions);
    if (room) {
      examples_.gather(regions(), own, *room);
      examples_.rates(turns, weights, example_kept_, of_regions, *room);
    } else {
      rates_of_regions(turns, of_regions);
    }
    spread(of_regions, damped);
    if (room) examples_.spread(regions(), *room, damped);
  }
  const double pull = alpha_ / h_;
  Vec3 linear = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 inner = pull * (at(goals, i) - at(middle, i));
    if (calm_share_ > 0) inner += calm_share_ * (at(damped, i) - at(own, i));
    linear += mass_[i] / total_mass_ * inner;
    put(goals, i, inner);
  }
  return pinned() ? Vec3(Vec3::Zero()) : linear;
}

bool Body::step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
                ElasticWorkspace& workspace) const {
  const std::size_t n = node_count(), regions = region_count();
  double* free;
  Twelve* const of_nodes = room(workspace.numbers, 12 * n + examples_.numbers(), n + regions, &free);
  double *middle = free, *goals = middle + 3 * n, *kick = goals + 3 * n;
  double *y = state.data() + kFrame, *u = y + 3 * n, *turns = u + 3 * n;
  workspace.passes = 1;

  Vec3 drift = Vec3::Zero(), fall = Vec3::Zero();  // of the centre, which c takes
  if (!pinned()) {
    for (std::size_t i = 0; i < n; ++i) drift += mass_[i] / total_mass_ * at(u, i);
    fall = h_ * acceleration;
  }
  const bool pushed = state[kAllowed] == kUnknown;  // it may lie anywhere
  if (pushed) set_allowed(state);
  double allowed = state[kAllowed];
  for (std::size_t i = 0; i < n; ++i) put(middle, i, at(y, i) + 0.5 * h_ * (at(u, i) - drift));
  for (const std::uint32_t i : held_) put(middle, i, at(y, i));
  const Vec3 linear = inner_kicks(pushed, middle, u, drift, turns, of_nodes, goals, kick, kick + 3 * n);
  const Vec3 weight = pinned() ? Vec3(h_ * acceleration) : Vec3(Vec3::Zero());
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 k = at(goals, i) - linear + weight;
    if (!forces.empty()) k += h_ / mass_[i] * forces[i];
    put(kick, i, k);
  }
  clear_held(kick);
  SecondMoment moment;
  Vec3 shift = Vec3::Zero(), torque = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 before = at(u, i) - drift, w = at(kick, i), way = h_ * (before + 0.5 * w);
    put(y, i, at(y, i) + way);
    shift += mass_[i] / total_mass_ * at(y, i);
    const Vec3 all = way + h_ * (drift + 0.5 * fall);
    if (!forces.empty()) allowed += forces[i].dot(all);
    allowed += mass_[i] * acceleration.dot(all);
    torque += mass_[i] * (at(middle, i) + 0.25 * h_ * w).cross(at(goals, i) - linear);
  }
  // The goals have no torque about x̂; where forces have moved the middle away from it, the turn of the whole is put right.
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 arm = at(y, i) - (pinned() ? Vec3(Vec3::Zero()) : shift);
    moment.add(mass_[i], arm.x(), arm.y(), arm.z());
  }
  const Vec3 spin = rigid_rate(moment, torque);
  double fastest = 0, sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 arm = at(y, i) - (pinned() ? Vec3(Vec3::Zero()) : shift);
    const Vec3 velocity = at(u, i) + at(kick, i) + fall - spin.cross(arm);
    put(u, i, velocity);
    fastest = std::max(fastest, velocity.squaredNorm());
    sum += velocity.squaredNorm() + arm.squaredNorm();
  }
  clear_held(u);
  Vec3 c = at(state.data(), 0);
  if (!pinned()) {
    for (std::size_t i = 0; i < n; ++i) put(y, i, at(y, i) - shift);
    c += h_ * (drift + 0.5 * fall) + shift;
    put(state.data(), 0, c);
  }
  state[kAllowed] = allowed;
  if (!(std::isfinite(sum + c.squaredNorm() + allowed) && fastest < kSpeedLimit * kSpeedLimit)) return false;
  refit_frame(state);
  if (!workspace.found) calm(state, workspace);
  return true;
}

double Body::energy(const double* y, const double* u, const double* v, const Twelve* fits, const double* turns,
                    const Twelve* speeds, const double* weights, const Examples::Room* places,
                    const Examples::Room* rates) const {
  double kinetic = 0, held = 0, swing = 0;
  for (std::size_t i = 0; i < node_count(); ++i) {
    kinetic += 0.5 * mass_[i] * at(u, i).squaredNorm();
    held += mass_[i] * at(y, i).squaredNorm();
    swing += mass_[i] * at(v, i).squaredNorm();
  }
  EightHeld some;
  for (std::size_t first = 0; first < region_count(); first += 8) {
    const std::size_t last = std::min(first + 8, region_count()) - 1;
    for (std::size_t l = 0; l < 8; ++l) {
      const std::size_t r = std::min(first + l, last);
      const Mat3 s = places ? places->fits[r] : about_centre(fits[r], centre_of_[r]);
      const Mat3 seen = places ? examples_.fit(r, speeds[r], weights, *rates) : about_centre(speeds[r], centre_of_[r]);
      for (int k = 0; k < 9; ++k) {
        some.fit[k][l] = s.data()[k];
        some.speed[k][l] = seen.data()[k];
      }
      for (std::size_t k = 0; k < 4; ++k) some.turn[k][l] = turns[4 * r + k];
      some.least[l] = least_held_[r];
    }
    hold_eight(some);
    for (std::size_t r = first; r <= last; ++r) {
      const Vec3 sum(fits[r][9], fits[r][10], fits[r][11]), fast(speeds[r][9], speeds[r][10], speeds[r][11]);
      held += spread_of_[r] - sum.squaredNorm() / mass_of_[r] - 2 * some.held[r - first];
      swing -= fast.squaredNorm() / mass_of_[r] + some.turning[r - first];
    }
  }
  if (places) held += examples_.spread_beyond(weights) + examples_.held_back(weights);
  return kinetic + 0.5 * rate_ * held - 0.125 * alpha_ * swing;
}

// The vibration without what the step has gained; P and L stay.
void Body::calm(std::span<double> state, ElasticWorkspace& workspace) const {
  const std::size_t n = node_count(), regions = region_count();
  double* free;
  Twelve* const of_nodes =
      room(workspace.numbers, 6 * n + 4 * regions + 2 * examples_.numbers(), n + 2 * regions, &free);
  Twelve *const fits = of_nodes + n, *const speeds = fits + regions;
  double *v = free, *goals = v + 3 * n, *now = goals + 3 * n, *more = now + 4 * regions;
  double *y = state.data() + kFrame, *u = y + 3 * n, *turns = u + 3 * n, *weights = turns + 4 * regions;
  Examples::Room of_places = examples_.room(more), of_speeds = examples_.room(more + examples_.numbers());
  std::copy(turns, turns + 4 * regions, now);
  gather(y, of_nodes, fits);
  bool taken = false;
  if (examples_.none())
    turn_regions(fits, nullptr, nullptr, now);
  else
    taken = take_examples(y, fits, now, weights, true, of_places);
  Examples::Room *const places = taken ? &of_places : nullptr, *const rates = taken ? &of_speeds : nullptr;
  of_speeds.used = of_places.used;

  SecondMoment moment;
  Vec3 drift = Vec3::Zero(), angular = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    drift += mass_[i] / total_mass_ * at(u, i);
    angular += mass_[i] * at(y, i).cross(at(u, i));
    moment.add(mass_[i], y[3 * i], y[3 * i + 1], y[3 * i + 2]);
  }
  if (pinned()) drift.setZero();
  const Vec3 spin = rigid_rate(moment, angular);
  double vibration = 0;
  for (std::size_t i = 0; i < n; ++i) put(v, i, at(u, i) - drift - spin.cross(at(y, i)));
  clear_held(v);
  for (std::size_t i = 0; i < n; ++i) vibration += 0.5 * mass_[i] * at(v, i).squaredNorm();
  double left = 0;
  for (int k = 0; k < 8; ++k) {
    gather(v, of_nodes, speeds);
    if (rates) examples_.gather(this->regions(), v, *rates);
    left = energy(y, u, v, fits, now, speeds, weights, places, rates);
    const double gain = left - state[kAllowed];
    if (!(gain > 0) || !(vibration > 0)) break;
    const double kept = k == 7 ? 0 : std::sqrt(std::max(0.0, 1 - (1.0 + 0.1 * k) * gain / vibration));
    for (std::size_t j = 0; j < 3 * n; ++j) {
      u[j] -= (1 - kept) * v[j];
      v[j] *= kept;
    }
    vibration *= kept * kept;
  }
  // Round-off is left to itself: bodies that lie still are not moved.
  const double slack = kRoundOff * (std::abs(state[kAllowed]) + 0.5 * rate_ * total_mass_ * extent_ * extent_);
  double share = 1.0 / 256;
  for (int k = 0; k < kMostRelaxed && left > state[kAllowed] + slack && !pinned();
       ++k, share = std::min(1.0, 2 * share)) {
    relax(share, y, u, drift, now, weights, places, fits, goals);
    std::fill(v, v + 3 * n, 0.0);
    gather(y, of_nodes, fits);
    if (places) examples_.gather(this->regions(), y, *places);
    turn_regions(fits, weights, places, now);
    std::fill(speeds, speeds + regions, Twelve::Zero());
    if (rates) examples_.gather(this->regions(), v, *rates);
    left = energy(y, u, v, fits, now, speeds, weights, places, rates);
  }
  state[kAllowed] = left;
}

/// Of a body that has no vibration left: its nodes a share of the way along the forces that they feel as it spins, to where energy is least for its
/// momenta, which stay.
void Body::relax(double share, double* y, double* u, const Vec3& drift, const double* turns, const double* weights,
                 Examples::Room* room, Twelve* regions, double* goals) const {
  const std::size_t n = node_count();
  find_goals(turns, weights, room, regions, goals);
  SecondMoment moment;
  Vec3 angular = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    angular += mass_[i] * at(y, i).cross(at(u, i) - drift);
    moment.add(mass_[i], y[3 * i], y[3 * i + 1], y[3 * i + 2]);
  }
  const Vec3 spin = rigid_rate(moment, angular);
  Vec3 shift = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 x = at(y, i), to = x + share * (at(goals, i) - x - spin.cross(spin.cross(x)) / rate_);
    put(y, i, to);
    shift += mass_[i] / total_mass_ * to;
  }
  moment = SecondMoment();
  for (std::size_t i = 0; i < n; ++i) {
    put(y, i, at(y, i) - shift);
    moment.add(mass_[i], y[3 * i], y[3 * i + 1], y[3 * i + 2]);
  }
  const Vec3 turned = rigid_rate(moment, angular);
  for (std::size_t i = 0; i < n; ++i) put(u, i, drift + turned.cross(at(y, i)));
}

}  // namespace shape_matching

const ElasticSolverInfo& elastic_shape_matching() {
  static const ElasticSolverInfo info = {
      "shape_matching",
      "Shape matching",
      "Every node and its neighbours keep their shape: fast and stable whatever the stiffness, softer than its "
      "material at few sub-steps.",
      "Koyama et al. 2012",
      "shape-matching.md",
      true,
      {.shape = true},
      shape_matching::parameter_rows(),
      [](const ElasticSetup& setup) -> Result<std::unique_ptr<ElasticSolver>> {
        auto made = shape_matching::Body::make(setup);
        if (!made.ok()) return made.diagnostics();
        return std::unique_ptr<ElasticSolver>(std::move(made).value());
      },
      &shape_matching::linear_system,
      &contact_modulus_of_springs,
      false,
      true,
  };
  return info;
}

}  // namespace hazumi
