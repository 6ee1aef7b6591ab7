// What an island's contacts do to positions once the work of a sub-step is booked: overlaps are taken out as far as the account
// pays for it, and angular momentum that moving bodies has changed is given back as one turn in common. What then rests falls asleep.
//
//   Δx = A⁻¹ Jᵀ μ,  μ ≥ 0 along the normals    momenta or velocities stay; what this costs in energy of position, springs and rotation
//   u += Ω × (x − C),  Ω = I⁻¹ ΔL              about the common centre C: no velocity at a contact changes
//
// An overlap that has come about in this sub-step is taken out whole: a body that is fast and thin walls do not wait. One that was
// there before goes by a tenth a sub-step, at 0.6 m/s at most.
#include <algorithm>
#include <cmath>

#include "core/sim/advance.h"
#include "core/sim/constraint/island.h"
#include "core/sim/constraint/linkages.h"
#include "core/sim/constraint/row_curve.h"
#include "core/sim/constraint/sleep.h"

namespace hazumi {
namespace {

constexpr int kPushPasses = 30, kPushProducts = 80;
constexpr double kLeastLift = 1e-2;   // of what it takes to lift the lightest body of the island
constexpr double kSoft = 0.25;        // of a row's own mobility
constexpr double kMostSpent = 0.999;  // of the account
// What enters a wall though no speed leads it there turns so far in a sub-step that none can follow it: it is held where it was until it is slow
// enough.
constexpr double kLessTurn = 0.5;

}  // namespace

/// The row that follows its surface, if it does and is above it, of a body that has no row nearer to its own.
void IslandSolver::find_low(const Substep& s) {
  lowers_.assign(count(), 0);
  bool any = false;
  for (std::size_t i = 0; i < count(); ++i) {
    lowers_[i] = rows_[i].follows() && rows_[i].end_gap > 0;
    any = any || lowers_[i];
  }
  if (!any) return;
  std::vector<double> least(bodies_.size(), 1e300);
  const auto each = [&](const Row& row, const auto& what) {
    for (const std::uint32_t i : {row.body_a, row.body_b})
      if (s.motions[i].moves) what(least[s.local[i]]);
  };
  for (const Row& row : rows_) each(row, [&](double& of) { of = std::min(of, row.end_gap); });
  for (std::size_t i = 0; i < count(); ++i)
    each(rows_[i], [&](double of) { lowers_[i] = lowers_[i] && !(of < rows_[i].end_gap); });
}

/// How far each row is to be opened, m; rows that are open may close by as much (negative). Empty: all is where it is to be.
std::vector<double> IslandSolver::overlaps(const Substep& s) {
  std::vector<double> wanted;
  bool any = false;
  const double purse = account.lifting();
  find_low(s);
  for (std::size_t i = 0; i < count(); ++i) {
    const Row& row = rows_[i];
    if (row.follows()) {
      const double over = -row.end_gap;
      wanted.push_back(over > 0 ? taken_out(over, std::clamp(-row.curve.lain, 0.0, over), s.model.step) : over);
      any = any || over > 0 || lowers_[i];
      continue;
    }
    const double gap = row.end_gap + row.squash, over = -gap - 0.5 * row.slop;
    // A pile that has used up its account cannot lift itself.
    const bool shallow = gap > -2 * row.slop && purse < kLeastLift * lightest_ * row.law.closing * over;
    if (gap >= -row.slop || shallow) {
      wanted.push_back(std::min(0.0, -gap));
      continue;
    }
    const double was = std::clamp(-(row.start_gap() + row.squash) - 0.5 * row.slop, 0.0, over);
    wanted.push_back(taken_out(over, was, s.model.step));
    any = true;
  }
  if (!any) wanted.clear();
  return wanted;
}

/// μ by projected Gauss–Seidel over the normals. Where that comes to no end beside something that is led, since what lies between has
/// nowhere to go: the way that all of them want about equally.
bool IslandSolver::push_apart(const Substep& s, std::span<const double> wanted) {
  std::vector<double> soft(count(), 0.0);
  bool any = false;
  if (pushed_apart(wanted, soft, any)) return any;
  if (!led_) return any;
  for (std::size_t i = 0; i < count(); ++i)
    if (s.motions[rows_[i].body_a].led || s.motions[rows_[i].body_b].led)
      soft[i] = kSoft * rows_[i].normal.dot(mobility_.own(i) * rows_[i].normal);
  pushed_apart(wanted, soft, any);
  return any;
}

/// The same where W is told by products: a cone problem without friction.
bool IslandSolver::pushed_apart_by_products(std::span<const double> wanted, std::span<const double> soft, bool& any) {
  cone_rows_.assign(count(), ConeRow());
  free_velocity_.assign(count(), Vec3::Zero());
  impulse_.assign(count(), Vec3::Zero());
  for (std::size_t i = 0; i < count(); ++i) {
    cone_rows_[i].normal = rows_[i].normal;
    cone_rows_[i].least = wanted[i];
  }
  if (std::any_of(soft.begin(), soft.end(), [](double x) { return x > 0; })) mobility_.yield(soft);
  ConeOptions options;
  options.most_passes = kPushProducts;
  options.least_mobility = 1e-9 / heaviest_;
  const ConeResult result =
      solve_cone({cone_rows_, mobility_.blocks(), free_velocity_, {}, mobility_.products()}, options, cone_, impulse_);
  push_.resize(count());
  for (std::size_t i = 0; i < count(); ++i) push_[i] = impulse_[i].dot(rows_[i].normal);
  any = std::any_of(push_.begin(), push_.end(), [](double x) { return x > 0; });
  return result.settled;
}

/// `soft`: m per kg m, by which rows may be let off. False: passes did not settle it.
bool IslandSolver::pushed_apart(std::span<const double> wanted, std::span<const double> soft, bool& any) {
  if (mobility_.products()) return pushed_apart_by_products(wanted, soft, any);
  const BlockRows w = mobility_.blocks();
  const ConeParts parts = mobility_.parts();
  const bool by_parts = !parts.hold.empty();
  push_.assign(count(), 0.0);
  const auto is_contact = [&](std::uint32_t column) { return column < count(); };  // not a turning row
  product_.assign(by_parts ? 2 * parts.part.size() : 0, Vec3::Zero());
  any = false;
  for (int pass = 0; pass < kPushPasses; ++pass) {
    double change = 0;
    for (std::size_t i = 0; i < count(); ++i) {
      const Vec3& n = rows_[i].normal;
      const double own = n.dot(mobility_.own(i) * n);
      if (!(own > 1e-9 / heaviest_)) continue;
      Vec3 moved = Vec3::Zero();
      if (by_parts) moved = parts.velocity(i, product_);
      for (std::size_t k = w.start[i]; !by_parts && k < w.start[i + 1]; ++k) {
        if (!is_contact(w.column[k])) break;
        moved += w.block[k] * (push_[w.column[k]] * rows_[w.column[k]].normal);
      }
      const double off = wanted[i] - n.dot(moved) - soft[i] * push_[i];
      const double least = lowers_[i] ? -1e300 : 0;
      const double next = std::max(least, push_[i] + off / (own + soft[i]));
      change = std::max(change, std::abs(next - push_[i]) * own);
      if (by_parts && next != push_[i]) parts.push(i, (next - push_[i]) * n, product_);
      push_[i] = next;
      any = any || next != 0;
    }
    if (change < 1e-9) return true;
  }
  return false;
}

void IslandSolver::move_out(const Substep& s, double share) {
  lifted_.resize(std::max(lifted_.size(), bodies_.size()));  // the forces of the step stay: it may be made again
  for (const std::uint32_t i : bodies_) {
    BodyForces& lifted = lifted_[s.local[i]];
    lifted.push.setZero();
    lifted.twist.setZero();
    lifted.nodes.assign(s.pushed[i].nodes.size(), Vec3::Zero());
  }
  for (std::size_t i = 0; i < count(); ++i) {
    const Row& row = rows_[i];
    const Vec3 push = share * push_[i] * row.normal;
    if (s.motions[row.body_a].moves)
      add_impulse(s.motions[row.body_a], row.a, row.point, push, lifted_[s.local[row.body_a]]);
    if (s.motions[row.body_b].moves)
      add_impulse(s.motions[row.body_b], row.b, row.point, -push, lifted_[s.local[row.body_b]]);
  }
  for (const std::uint32_t i : bodies_)
    if (s.motions[i].deforms) share_out(s.motions[i], lifted_[s.local[i]]);
  for (const std::uint32_t number : linkages_) (*s.linkages)[number].shift(s.model, lifted_, s.local, s.state);
  for (const std::uint32_t i : bodies_)
    if (s.linkage_of(i) < 0) s.model.bodies[i].shift(s.state.bodies[i].values, lifted_[s.local[i]], s.motions[i]);
}

double IslandSolver::energy(const Substep& s) const {
  double sum = 0;
  for (const std::uint32_t i : bodies_) sum += energy_of(s, i, s.state.bodies[i].values);
  for (const std::uint32_t number : linkages_) sum += (*s.linkages)[number].elastic(s.model, s.state);
  return sum;
}

Vec3 IslandSolver::angular_momentum(const Substep& s, const State& state) const {
  Vec3 sum = Vec3::Zero();
  for (const std::uint32_t i : bodies_) {
    const Observables o = s.model.bodies[i].account(state.bodies[i].values);
    sum += o.angular_momentum + o.centre.cross(o.momentum);
  }
  return sum;
}

bool IslandSolver::turn_together(const Substep& s, const Vec3& change) {
  Vec3 centre = Vec3::Zero();
  for (const std::uint32_t i : bodies_)
    centre += s.model.bodies[i].mass / mass_ * s.model.bodies[i].account(s.state.bodies[i].values).centre;
  // I from its columns: the angular momentum that a unit turn gives.
  Mat3 inertia;
  const Vec3 before = angular_momentum(s, s.state);
  std::vector<std::vector<double>> now;
  for (const std::uint32_t i : bodies_) now.push_back(s.state.bodies[i].values);
  const auto turn = [&](const Vec3& by) {
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      s.state.bodies[bodies_[k]].values = now[k];
      s.model.bodies[bodies_[k]].add_turn(s.state.bodies[bodies_[k]].values, centre, by);
    }
  };
  for (int k = 0; k < 3; ++k) {
    turn(Vec3::Unit(k));
    inertia.col(k) = angular_momentum(s, s.state) - before;
  }
  const Vec3 by = inertia.inverse() * change;
  const bool good = by.allFinite();
  turn(good ? by : Vec3(Vec3::Zero()));
  return good;
}

/// After a sub-step whose geometry has not settled.
void IslandSolver::give_back(const Substep& s) {
  Vec3 wanted = angular_momentum(s, s.start);
  const double h = s.model.step;
  for (const std::uint32_t i : bodies_) {
    const Body& body = s.model.bodies[i];
    const Vec3 weight = body.mass * acceleration_of(s.model, s.forces[i], body);
    const BodyMotion& m = s.motions[i];
    wanted += h * (m.centre.cross(weight + s.forces[i].force) + s.forces[i].torque);
    for (std::uint32_t k = 0; k < s.forces[i].nodes.size(); ++k) wanted += h * m.middle(k).cross(s.forces[i].nodes[k]);
  }
  keep(s);
  const double before = energy(s);
  turn_together(s, wanted - angular_momentum(s, s.state));
  const double cost = energy(s) - before;
  if (cost > account.sum()) {
    put_back(s);
    ++figures.turns_refused;
    return;
  }
  account.draw(cost);
  ++figures.turns;
}

void IslandSolver::keep(const Substep& s) {
  kept_.resize(bodies_.size());
  for (std::size_t k = 0; k < bodies_.size(); ++k) kept_[k] = s.state.bodies[bodies_[k]].values;
}

void IslandSolver::put_back(const Substep& s) {
  for (std::size_t k = 0; k < bodies_.size(); ++k) s.state.bodies[bodies_[k]].values = kept_[k];
}

double IslandSolver::energy_of(const Substep& s, std::uint32_t i, std::span<const double> values) const {
  const Body& body = s.model.bodies[i];
  const Observables o = body.account(values);
  return o.kinetic_energy + o.elastic_energy - body.mass * acceleration_of(s.model, s.forces[i], body).dot(o.centre);
}

/// What staying costs, as it has not fallen, its speed pays for, and the account for the rest.
bool IslandSolver::stays(const Substep& s, std::uint32_t i, const Vec3& place, const Vec3& out) {
  const Body& body = s.model.bodies[i];
  std::vector<double>& values = s.state.bodies[i].values;
  std::vector<double> held = values;
  const double before = energy_of(s, i, values);
  std::vector<double> free = values;
  body.stay(s.start.bodies[i].values, held, place, out);
  body.stay(s.start.bodies[i].values, free, place, Vec3::Zero());
  if (held == free) body.slow(held, kLessTurn);
  double gain = energy_of(s, i, held) - before;
  if (const double kinetic = body.account(held).kinetic_energy; gain > 0 && kinetic > 0) {
    body.slow(held, std::sqrt(std::max(0.0, 1 - (1 + 1e-9) * gain / kinetic)));
    gain = energy_of(s, i, held) - before;
  }
  if (gain > account.sum()) return false;
  if (gain > 0) account.draw(gain);
  figures.projected += std::max(gain, 0.0);
  values = std::move(held);
  return true;
}

/// The same of all that is joined with it.
bool IslandSolver::stay_together(const Substep& s, Linkage& linkage, std::uint32_t entered, const Vec3& place,
                                 const Vec3& out) {
  std::vector<std::vector<double>> values;
  for (const std::uint32_t i : linkage.all) values.push_back(s.state.bodies[i].values);
  const auto energy_now = [&] {
    double sum = linkage.elastic(s.model, s.state);
    for (const std::uint32_t i : linkage.all) sum += energy_of(s, i, s.state.bodies[i].values);
    return sum;
  };
  const double before = energy_now();
  if (!linkage.stop(s.model, entered, place, out, s.state))
    for (const std::uint32_t i : linkage.all) s.model.bodies[i].slow(s.state.bodies[i].values, kLessTurn);
  double gain = energy_now() - before, kinetic = 0;
  for (const std::uint32_t i : linkage.all)
    kinetic += s.model.bodies[i].account(s.state.bodies[i].values).kinetic_energy;
  if (gain > 0 && kinetic > 0) {
    const double share = std::sqrt(std::max(0.0, 1 - (1 + 1e-9) * gain / kinetic));
    for (const std::uint32_t i : linkage.all) s.model.bodies[i].slow(s.state.bodies[i].values, share);
    gain = energy_now() - before;
  }
  if (gain > account.sum()) {
    for (std::size_t k = 0; k < values.size(); ++k) s.state.bodies[linkage.all[k]].values = std::move(values[k]);
    return false;
  }
  if (gain > 0) account.draw(gain);
  figures.projected += std::max(gain, 0.0);
  return true;
}

void IslandSolver::hold(const Substep& s, std::uint32_t entered, const Vec3& place, const Vec3& out) {
  ++figures.held;
  const std::int32_t number = s.linkage_of(entered);
  const bool joined = number >= 0;  // then what it hangs on stays with it
  if (stopped_ && joined) return;
  if (joined ? stay_together(s, (*s.linkages)[static_cast<std::size_t>(number)], entered, place, out)
             : stays(s, entered, place, out))
    return;
  if (!stopped_) {
    for (const std::uint32_t i : bodies_) s.state.bodies[i].values = s.start.bodies[i].values;
    for (const std::uint32_t of : linkages_) (*s.linkages)[of].undo(s.model);
    for (Row& row : rows_) {
      row.memory = RowMemory();
      row.memory.key = row.key;
    }
    for (std::size_t k = 0; k < opened_.size(); ++k) {
      opened_[k].regions = account.pairs[k].regions;
      opened_[k].pulses.clear();
      account.pairs[k] = opened_[k];
    }
    figures.work = figures.led = figures.projected = 0;
  }
  stopped_ = true;
  if (joined) return;
  s.model.bodies[entered].stay(s.start.bodies[entered].values, s.state.bodies[entered].values, place, out);
}

/// Step 9, as far as the account reaches; the greatest way, m.
double IslandSolver::project(const Substep& s) {
  const std::vector<double> wanted = overlaps(s);
  if (wanted.empty() || !push_apart(s, wanted)) return 0;
  keep(s);
  const double before = energy(s), purse = account.lifting();
  const double slack = 1e-15 * (std::abs(before) + mass_), limit = kMostSpent * purse + slack;
  const Vec3 spin = free_ ? angular_momentum(s, s.state) : Vec3(Vec3::Zero());
  const auto cost_of = [&](double share) {
    put_back(s);
    move_out(s, share);
    if (free_) turn_together(s, spin - angular_momentum(s, s.state));
    return energy(s) - before;
  };
  const double all = cost_of(1);
  double share = 1, cost = all;
  if (all > limit) {
    // c₁ θ + c₂ θ² = limit, as the whole of it and half of it say.
    const double half = cost_of(0.5), c2 = 2 * (all - 2 * half), c1 = all - c2, root = c1 * c1 + 4 * c2 * limit;
    const double least = c1 + std::sqrt(std::max(root, 0.0));
    share = least > 0 ? std::min(2 * limit / least, 1.0) * (1 - 1e-9) : 0.0;
    for (const double part : {1.0, 0.5, 0.1}) {
      cost = share > 0 ? cost_of(part * share) : 1e300;
      if (cost <= limit) {
        share *= part;
        break;
      }
    }
  }
  if (!(cost <= limit)) {
    put_back(s);
    return 0;
  }
  account.draw_lifting(cost);
  if (cost < 0) have_back(s, wanted, -cost);
  figures.projected += std::max(cost, 0.0);
  return share * *std::max_element(wanted.begin(), wanted.end());
}

/// What weight gave as rows that follow their surface were moved there: it goes back into speed as they turn again.
void IslandSolver::have_back(const Substep& s, std::span<const double> wanted, double gained) {
  std::vector<double> by_weight(count(), 0.0);
  double all = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    const Row& row = rows_[i];
    if (!row.follows() || (wanted[i] < 0 && !lowers_[i]) || !(wanted[i] * row.law.closing < 0)) continue;
    const double inverse = inverse_mass_between(s.motions[row.body_a], s.motions[row.body_b]);
    if (!(inverse > 0)) continue;
    by_weight[i] = -wanted[i] * row.law.closing / inverse;
    all += by_weight[i];
  }
  if (!(all > 0)) return;
  for (std::size_t i = 0; i < count(); ++i)
    account.take_turning(account.pair_of[i], std::min(1.0, gained / all) * by_weight[i]);
}

/// Where nothing in it moves any more (sleep.h).
void IslandSolver::fall_asleep(const Substep& s) {
  const double least = mobility_.parts().hold.empty() && !mobility_.products() ? kStill : kStillInLarge;
  for (const std::uint32_t number : linkages_)
    if (!(*s.linkages)[number].lies_still(s.model, s.motions, least)) return;
  for (const std::uint32_t i : bodies_) {
    const BodyMotion& m = s.motions[i];
    if (!m.deforms) continue;
    for (std::uint32_t k = 0; k < m.velocities.size(); ++k) {
      const Vec3 after = 2 / s.model.step * (m.nodes_to[k] - m.nodes_from[k]) - m.velocities[k];
      if (!(m.velocities[k].norm() < least && after.norm() < least)) return;
    }
  }
  for (const Row& row : rows_)
    for (const std::uint32_t i : {row.body_a, row.body_b}) {
      const BodyMotion& m = s.motions[i];
      if (m.deforms) continue;
      const double reach = (row.point - m.centre).norm();
      const Vec3 after = 2 * m.linear_mean - m.linear_start, turn = 2 * m.angular_mean - m.angular_start;
      if (m.moves != m.turns_freely) return;
      if (!(m.linear_start.norm() + reach * m.angular_start.norm() < least)) return;
      if (!(after.norm() + reach * turn.norm() < least)) return;
    }
  for (const std::uint32_t i : bodies_) {
    kept_.resize(1);
    kept_[0] = s.state.bodies[i].values;
    if (!s.model.bodies[i].lay_down(kept_[0])) return;
  }
  for (const std::uint32_t i : bodies_) s.model.bodies[i].lay_down(s.state.bodies[i].values);
  for (Row& row : rows_) row.memory.unloading |= kAsleep;
}

}  // namespace hazumi
