// Shape matching by overlapping regions: one region per node, itself and its ring, each of which keeps its shape.
//
// Source: Koyama, Takayama, Umetani and Igarashi 2012 (seeds/002), after Müller 2005 and Rivers 2007; spec 5.2. With x̂ = x⁻ + ½ h u⁻:
//
//   A_r = Σ m̃ p qᵀ,  R_r its rotation            p = x̂ − c_r,  q = x⁰ − c⁰_r, from the region's centres of mass
//   g_i = mean over the regions of i of  R_r (x⁰_i − c⁰_r) + c_r
//   u⁺ = u⁻ + α (g − x̂)/h + h f/m               x⁺ = x⁻ + ½ h (u⁻ + u⁺)
//
// Beside the regions of nodes there may be clusters (shape_matching_clusters.h): wider regions, stiffer by ρ, which is as if m̃ were ρ times as much in them.
// In all of this the mean over the regions of a node is then that of rings and clusters, 1 : ρ, and α = h² κ̃ (1 + ρ).
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
#include <cstring>

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
constexpr double kTurned = 1e-15,
                 kNearlyTurned = 1e-6;  // rad², of the last of Newton's steps; what is left is of the order of that
constexpr double kRoundOff = 1e-13;
constexpr double kSpeedLimit = 1e6;  // m/s, of solver.h
// Regions or nodes that a thread takes at once, a multiple of eight: some 10 µs, and what is smaller is not divided.
constexpr std::size_t kTogether = 256;
constexpr std::size_t kBlocksTogether = 4;

}  // namespace

void Body::gather(const double* of_nodes, const Sums& sums, EightSums* regions) const {
  in_blocks(sums.executor, runs_.count(), kTogether, [&](std::size_t begin, std::size_t end) {
    sum_weighed(runs_.runs(), {begin, end}, weighed_.data(), of_nodes, sums.runs);
  });
  const std::size_t n = node_count();
  in_blocks(sums.executor, n, kTogether, [&](std::size_t begin, std::size_t end) {
    sum_twelves(runs_.lists(), {begin, end}, sums.runs, regions);
  });
  if (clusters_.count() == 0) return;
  in_blocks(sums.executor, clusters_.count(), kBlocksTogether, [&](std::size_t begin, std::size_t end) {
    sum_weighed({clusters_.block_start, clusters_.block_node}, {begin, end}, cluster_weighed_.data(), of_nodes,
                sums.blocks);
  });
  sum_twelves({clusters_.start, clusters_.touching}, {0, clusters_.count()}, sums.blocks, regions, n);
}

/// Turns of eight regions, from F. Where Newton's steps find none, by singular values.
void Body::turn_some(std::size_t eight, EightTurns& some, double* turns) const {
  turn_eight(some);
  for (std::size_t l = 0; l < std::min<std::size_t>(8, region_count() - 8 * eight); ++l) {
    double* const q = turns + 4 * (8 * eight + l);
    if (!(some.found[l] > 0)) {
      Mat3 fit;
      for (int k = 0; k < 9; ++k) fit.data()[k] = some.fit[k][l];
      const Quat turn = polar_rotation(fit, Quat(q[0], q[1], q[2], q[3]));
      const double now[4] = {turn.w(), turn.x(), turn.y(), turn.z()};
      for (std::size_t k = 0; k < 4; ++k) some.turn[k][l] = now[k];
    }
    for (std::size_t k = 0; k < 4; ++k) q[k] = some.turn[k][l];
  }
}

/// Turns of the regions, warm-started, and after those of each eight what there is to do with them. `room`: of a body with examples, which has weights;
/// else null. `divided`: `after` writes what is of its eight regions alone.
template <class After>
void Body::each_turned(const Sums& sums, bool divided, const double* weights, const Examples::Room* room, double enough,
                       double* turns, const After& after) const {
  const auto turn = [&](std::size_t begin, std::size_t end) {
    EightTurns some;
    some.enough = enough;
    for (std::size_t b = begin; b < end; ++b) {
      lanes_of_turns(turns, region_count(), b, some.turn);
      if (room)
        examples_.fit(b, sums.places[b], room->of_places, weights, *room, some.fit);
      else
        fit_eight(sums.places[b], rests_[b], some.fit);
      turn_some(b, some, turns);
      after(b, some);
    }
  };
  in_blocks(divided ? sums.executor : nullptr, rests_.size(), kTogether / 8, turn);
}

void Body::turn_regions(const Sums& sums, const double* weights, const Examples::Room* room, double* turns) const {
  each_turned(sums, true, weights, room, kTurned, turns, [](std::size_t, const EightTurns&) {});
}

/// The same for a body that may have examples: by the weights that it had, weights from how its regions lie then, and turns by these. `before` is called
/// once its examples are known, `after` of each eight when they are turned, of what is theirs alone where it is in none; `room` ← null: it is in none,
/// and all is as without. `may_begin`: it may turn to some that it has not.
template <class Before, class After>
void Body::take_examples(const double* places, const Sums& sums, double* turns, double* weights, bool may_begin,
                         Examples::Room*& room, const Before& before, const After& after) const {
  Examples::Room* const all = room;
  room = nullptr;
  if (all) {
    examples_.use(weights, *all);
    examples_.gather(places, *all, all->of_places);
    if (all->count > 0) room = all;
  }
  const bool looks = all && (room || may_begin);
  if (!room) before();
  if (looks) examples_.begin_push(*all);
  each_turned(sums, !looks, weights, room, room ? kNearlyTurned : kTurned, turns,
              [&](std::size_t b, const EightTurns& some) {
                if (looks) examples_.add_push(b, sums.places[b], some.turn, *all);
                if (!room) after(b, some);
              });
  if (!looks) return;
  for (int pass = 1; examples_.find(places, turns, weights, *all) && pass < kMostTurns; ++pass) {
    examples_.begin_push(*all);
    each_turned(sums, false, weights, all, kNearlyTurned, turns,
                [&](std::size_t b, const EightTurns& some) { examples_.add_push(b, sums.places[b], some.turn, *all); });
  }
  if (all->count == 0) return;
  room = all;
  examples_.use(weights, *room);  // of what has been looked at only what has a weight goes on
  before();
  each_turned(sums, false, weights, room, kTurned, turns, after);
}

/// goals ← what regions add to the velocities, from the turns at `middle`; the mean of it, which is round-off.
Vec3 Body::inner_kicks(bool pushed, const double* middle, const double* u, const Vec3& drift, double* turns,
                       const Sums& sums, double* goals, double* own, double* more) const {
  const std::size_t n = node_count();
  double* const weights = turns + 4 * region_count();
  Examples::Room memory = examples_.room(more), *room = examples_.none() ? nullptr : &memory;
  const double pull = alpha_ / h_, calm = calm_share_ / whole_;
  const bool damped = calm_share_ > 0;
  EightSums* const speeds = damped ? sums.speeds : nullptr;
  gather(middle, sums, sums.places);
  if (damped) {
    for (std::size_t i = 0; i < n; ++i) put(own, i, at(u, i) - drift);
    gather(own, sums, speeds);
  }
  Twelve* const maps = sums.nodes;
  take_examples(
      middle, sums, turns, weights, pushed, room,
      [&] {
        if (!room || !damped) return;
        examples_.gather(own, *room, room->of_speeds);
        examples_.begin_rates(*room);
      },
      [&](std::size_t b, const EightTurns& some) {
        if (!room)
          map_eight(sums.places[b], damped ? speeds + b : nullptr, rests_[b], some.turn, pull / whole_, calm,
                    maps[8 * b].data());
        else if (damped)
          examples_.add_rates(b, sums.places[b], speeds[b], some, turns, weights, *room);
      });
  if (room) {
    if (damped) examples_.end_rates(turns, weights, example_kept_, *room);
    examples_.maps(sums.places, speeds, turns, weights, pull / whole_, calm, maps, *room);
  }
  put_goals(sums, goals);
  if (room) examples_.spread(*room, goals);
  Vec3 linear = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 inner = at(goals, i) - pull * at(middle, i);
    if (damped) inner -= calm_share_ * at(own, i);
    linear += mass_[i] / total_mass_ * inner;
    put(goals, i, inner);
  }
  return pinned() ? Vec3(Vec3::Zero()) : linear;
}

/// The same, turns, weights and the energy that is allowed: of a step that is made again as they were found then, since no force is in them.
Vec3 Body::kicks_within(std::span<double> state, const double* middle, const Vec3& drift, ElasticWorkspace& workspace,
                        const Sums& sums, double* goals, double* own, double* more) const {
  const auto turned = state.subspan(kFrame + 6 * node_count());
  const std::span<double> kicks(goals, 3 * node_count());
  std::vector<double>* const found = workspace.found;
  if (found && found->size() == turned.size() + kicks.size() + 4) {
    const auto first = found->begin(), goes_on = first + static_cast<std::ptrdiff_t>(turned.size());
    std::copy(first, goes_on, turned.begin());
    std::copy(goes_on, found->end() - 4, kicks.begin());
    state[kAllowed] = found->back();
    return at(&found->back() - 3, 0);
  }
  const bool pushed = state[kAllowed] == kUnknown;  // it may lie anywhere
  if (pushed) set_allowed(state);
  const double* const u = state.data() + kFrame + 3 * node_count();
  const Vec3 linear = inner_kicks(pushed, middle, u, drift, turned.data(), sums, goals, own, more);
  if (found) {
    found->assign(turned.begin(), turned.end());
    found->insert(found->end(), kicks.begin(), kicks.end());
    for (int c = 0; c < 3; ++c) found->push_back(linear[c]);
    found->push_back(state[kAllowed]);
  }
  return linear;
}

bool Body::step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
                ElasticWorkspace& workspace) const {
  const std::size_t n = node_count();
  double* free;
  const Sums sums = make_room(workspace, 9 * n + examples_.numbers(), &free);
  double *middle = free + examples_.numbers(), *goals = middle + 3 * n, *kick = goals + 3 * n;
  double *y = state.data() + kFrame, *u = y + 3 * n;
  workspace.passes = 1;

  Vec3 drift = Vec3::Zero(), fall = Vec3::Zero();  // of the centre, which c takes
  if (!pinned()) {
    for (std::size_t i = 0; i < n; ++i) drift += mass_[i] / total_mass_ * at(u, i);
    fall = h_ * acceleration;
  }
  for (std::size_t i = 0; i < n; ++i) put(middle, i, at(y, i) + 0.5 * h_ * (at(u, i) - drift));
  for (const std::uint32_t i : held_) put(middle, i, at(y, i));
  const Vec3 linear = kicks_within(state, middle, drift, workspace, sums, goals, kick, free);
  double allowed = state[kAllowed];
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

/// What each of eight regions adds, from F and their turns, to E and to ⅛ h² vᵀKv: where nodes had theirs, which are summed up.
void Body::note_energy(std::size_t eight, const Sums& sums, const EightTurns& fitted, const double* weights,
                       const Examples::Room* room) const {
  EightHeld some;
  std::memcpy(some.fit, fitted.fit, sizeof some.fit);
  std::memcpy(some.turn, fitted.turn, sizeof some.turn);
  if (room)
    examples_.fit(eight, sums.speeds[eight], room->of_speeds, weights, *room, some.speed);
  else
    fit_eight(sums.speeds[eight], rests_[eight], some.speed);
  for (std::size_t l = 0; l < 8; ++l) some.least[l] = least_held_[std::min(8 * eight + l, region_count() - 1)];
  hold_eight(some);
  const auto &sum = sums.places[eight].of, &fast = sums.speeds[eight].of;
  for (std::size_t l = 0; l < std::min<std::size_t>(8, region_count() - 8 * eight); ++l) {
    const std::size_t r = 8 * eight + l;
    const Vec3 s(sum[3][l], sum[7][l], sum[11][l]), f(fast[3][l], fast[7][l], fast[11][l]);
    sums.nodes->data()[2 * r] = spread_of_[r] - s.squaredNorm() / mass_of_[r] - 2 * some.held[l];
    sums.nodes->data()[2 * r + 1] = f.squaredNorm() / mass_of_[r] + some.turning[l];
  }
}

/// One region after the other, however they were divided, and what nodes and weights do; J.
Body::Energy Body::sum_energy(const double* y, const double* v, const Sums& sums, const double* weights,
                              const Examples::Room* room) const {
  Energy all;
  for (std::size_t r = 0; r < region_count(); ++r) {
    all.held += sums.nodes->data()[2 * r];
    all.swing -= sums.nodes->data()[2 * r + 1];
  }
  for (std::size_t i = 0; i < node_count(); ++i) {
    all.held += whole_ * mass_[i] * at(y, i).squaredNorm();
    all.swing += whole_ * mass_[i] * at(v, i).squaredNorm();
  }
  if (room) all.held += examples_.spread_beyond(weights) + examples_.held_back(weights);
  all.held *= 0.5 * rate_;
  all.swing *= 0.125 * alpha_ / whole_;
  return all;
}

Body::Energy Body::turned_energy(const double* y, const double* v, const Sums& sums, const double* weights,
                                 const Examples::Room* room, double* turns) const {
  each_turned(sums, true, weights, room, kTurned, turns,
              [&](std::size_t b, const EightTurns& fitted) { note_energy(b, sums, fitted, weights, room); });
  return sum_energy(y, v, sums, weights, room);
}

double Body::kinetic_energy(const double* u) const {
  double sum = 0;
  for (std::size_t i = 0; i < node_count(); ++i) sum += 0.5 * mass_[i] * at(u, i).squaredNorm();
  return sum;
}

// The vibration without what the step has gained; P and L stay.
void Body::calm(std::span<double> state, ElasticWorkspace& workspace) const {
  const std::size_t n = node_count(), regions = region_count();
  double* free;
  const Sums sums = make_room(workspace, 6 * n + 4 * regions + examples_.numbers(), &free);
  double *v = free + examples_.numbers(), *goals = v + 3 * n, *now = goals + 3 * n;
  double *y = state.data() + kFrame, *u = y + 3 * n, *turns = u + 3 * n, *weights = turns + 4 * regions;
  Examples::Room memory = examples_.room(free), *room = examples_.none() ? nullptr : &memory;
  std::copy(turns, turns + 4 * regions, now);

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
  gather(y, sums, sums.places);
  gather(v, sums, sums.speeds);
  take_examples(
      y, sums, now, weights, true, room,
      [&] {
        if (room) examples_.gather(v, *room, room->of_speeds);
      },
      [&](std::size_t b, const EightTurns& fitted) { note_energy(b, sums, fitted, weights, room); });
  Energy elastic = sum_energy(y, v, sums, weights, room);
  double left = kinetic_energy(u) + elastic.held - elastic.swing;
  for (int k = 0; k < 8; ++k) {
    const double gain = left - state[kAllowed];
    if (!(gain > 0) || !(vibration > 0)) break;
    const double kept = k == 7 ? 0 : std::sqrt(std::max(0.0, 1 - (1.0 + 0.1 * k) * gain / vibration));
    for (std::size_t j = 0; j < 3 * n; ++j) {
      u[j] -= (1 - kept) * v[j];
      v[j] *= kept;
    }
    vibration *= kept * kept;
    elastic.swing *= kept * kept;
    left = kinetic_energy(u) + elastic.held - elastic.swing;
  }
  // Round-off is left to itself: bodies that lie still are not moved.
  const double slack = kRoundOff * (std::abs(state[kAllowed]) + 0.5 * rate_ * whole_ * total_mass_ * extent_ * extent_);
  double more = 1;
  for (int k = 0; k < kMostRelaxed && left > state[kAllowed] + slack && !pinned(); ++k, more *= 2) {
    find_goals(sums, now, weights, room, goals);
    relax(more * (left - state[kAllowed]), y, u, drift, goals);
    std::fill(v, v + 3 * n, 0.0);
    gather(y, sums, sums.places);
    std::fill_n(sums.speeds, rests_.size(), EightSums{});
    if (room) {
      examples_.gather(y, *room, room->of_places);
      examples_.gather(v, *room, room->of_speeds);
    }
    left = kinetic_energy(u) + turned_energy(y, v, sums, weights, room, now).held;
  }
  state[kAllowed] = left;
}

/// From the maps that are where nodes had theirs.
void Body::put_goals(const Sums& sums, double* goals) const {
  BlockMaps blocks;
  if (clusters_.count() > 0) {
    sum_shared({clusters_.start, clusters_.touching}, block_share_.data(), sums.nodes[node_count()].data(),
               sums.blocks);
    blocks = {clusters_.block_of.data(), sums.blocks};
  }
  // A node is in the regions of the nodes in its own: the same lists.
  const double* const maps = runs_.alone ? sums.nodes->data() : sums.runs;
  if (!runs_.alone)
    in_blocks(sums.executor, runs_.count(), kTogether, [&](std::size_t begin, std::size_t end) {
      sum_alike(runs_.runs(), {begin, end}, sums.nodes->data(), sums.runs);
    });
  in_blocks(sums.executor, node_count(), kTogether, [&](std::size_t begin, std::size_t end) {
    apply_mean_map(runs_.lists(), {begin, end}, mean_.data(), maps, blocks, reference_.data(), goals);
  });
}

/// sums.nodes ← the maps of all regions that have these turns, times `pull`.
void Body::map_regions(const Sums& sums, const double* turns, double pull) const {
  in_blocks(sums.executor, rests_.size(), kTogether / 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      alignas(64) double turn[4][8];
      lanes_of_turns(turns, region_count(), b, turn);
      map_eight(sums.places[b], nullptr, rests_[b], turn, pull, 0, sums.nodes[8 * b].data());
    }
  });
}

/// Where regions say that nodes would be.
void Body::find_goals(const Sums& sums, const double* turns, const double* weights, Examples::Room* room,
                      double* goals) const {
  Twelve* const maps = sums.nodes;
  if (room) {
    examples_.maps(sums.places, nullptr, turns, weights, 1 / whole_, 0, maps, *room);
  } else {
    map_regions(sums, turns, 1 / whole_);
  }
  put_goals(sums, goals);
  if (room) examples_.spread(*room, goals);
}

/// Of a body that has no vibration left: its nodes along the forces that they feel as it spins, to where energy is less by about twice `gain`, J; momenta
/// stay. `goals`: where they would be, then the forces over κ̃ m.
void Body::relax(double gain, double* y, double* u, const Vec3& drift, double* goals) const {
  const std::size_t n = node_count();
  SecondMoment moment;
  Vec3 angular = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    angular += mass_[i] * at(y, i).cross(at(u, i) - drift);
    moment.add(mass_[i], y[3 * i], y[3 * i + 1], y[3 * i + 2]);
  }
  const Vec3 spin = rigid_rate(moment, angular);
  double slope = 0;  // of the energy, J
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 x = at(y, i), way = at(goals, i) - x - spin.cross(spin.cross(x)) / (rate_ * whole_);
    put(goals, i, way);
    slope += rate_ * whole_ * mass_[i] * way.squaredNorm();
  }
  const double share = 2 * gain < slope ? 2 * gain / slope : 1;
  Vec3 shift = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 to = at(y, i) + share * at(goals, i);
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
