#include "core/sim/constraint/pulse.h"

#include <algorithm>
#include <cmath>

#include "core/math/types.h"
#include "core/sim/constraint/events.h"
#include "core/sim/constraint/island.h"

namespace hazumi {
namespace {

constexpr double kSameWayAsPulse = 0.7;  // cosine, as in events.cpp
constexpr double kOfSize = 0.15;         // m a metre of the smaller body's size: no squash is deeper
constexpr double kDeepest = 1.25;        // of the squash: there it is held
constexpr int kSecants = 10;
constexpr double kGiven = 1e-10;             // of the impulse: it is what it should be; the rest is owed
constexpr double kJustBelowAll = 1 - 1e-12;  // so that the round-off of e = 1 does not overdraw the account

bool same_way(const PulseMemory& pulse, const Vec3& normal) { return pulse.normal.dot(normal) > kSameWayAsPulse; }

}  // namespace

double pulse_depth(double speed, double duration, double restitution) {
  const double slow = 0.5 * (1 - restitution), fast = 0.5 * (1 + restitution);
  const double angle = std::acos(std::clamp(-slow / fast, -1.0, 1.0));  // at which they come no nearer
  return speed * duration / kPi * (slow * angle + fast * std::sin(angle));
}

/// Pulses that go on, and the rows that are under them.
void IslandSolver::join_pulses() {
  pulses_.clear();
  for (Row& row : rows_) {
    row.pulse = -1;
    row.squash = 0;
  }
  for (std::uint32_t p = 0; p < account.pairs.size(); ++p)
    for (std::uint32_t k = 0; k < account.pairs[p].pulses.size(); ++k) {
      const PulseMemory& pulse = account.pairs[p].pulses[k];
      if (!pulse.runs()) continue;
      const auto number = static_cast<std::int32_t>(pulses_.size());
      bool any = false;
      for (std::size_t i = 0; i < count(); ++i) {
        Row& row = rows_[i];
        if (account.pair_of[i] != p || row.pulse >= 0 || !same_way(pulse, row.normal)) continue;
        row.pulse = number;
        row.squash = kDeepest * pulse.depth;
        any = true;
      }
      if (any) pulses_.push_back({p, k});
    }
}

/// Collisions of the solution at once that take longer than a sub-step become pulses; true: there are some, and it is to be solved anew.
bool IslandSolver::begin_pulses(const Substep& s) {
  bool any = false;
  for (std::size_t begin = 0, end = 0; begin < count(); begin = end) {
    const std::uint32_t p = account.pair_of[begin];
    double size = 1e300;
    for (; end < count() && account.pair_of[end] == p; ++end) size = std::min(size, rows_[end].slop / kSlop);
    PairMemory& pair = account.pairs[p];
    const double most =
        std::min({s.model.bodies[pair.body_a].proxy.squash, s.model.bodies[pair.body_b].proxy.squash, kOfSize * size});
    if (pair.body_a == pair.body_b || !(most > 0)) continue;
    const double e = pair_restitution(s.model, s.forces, pair.body_a, pair.body_b);
    for (const Impact& impact : find_impacts(s, rows_.subspan(begin, end - begin))) {
      const double longest = most / pulse_depth(impact.speed, 1, e);
      const double duration = std::min(impact.hertz.duration, longest);
      const auto known = [&](const PulseMemory& pulse) { return pulse.runs() && same_way(pulse, impact.normal); };
      if (!(duration > s.model.step) || std::any_of(pair.pulses.begin(), pair.pulses.end(), known)) continue;
      if (impact.closing * duration > impact.speed) continue;
      PulseMemory pulse;
      pulse.normal = impact.normal;
      pulse.elapsed = impact.gap > 0 ? -2 * impact.gap / (impact.speed - impact.before) : 0;
      pulse.duration = duration;
      pulse.impulse = kJustBelowAll * impact.hertz.impulse;
      pulse.mobility = impact.mobility;
      pulse.exit = e * impact.speed;
      pulse.depth = pulse_depth(impact.speed, duration, e);
      pair.pulses.push_back(pulse);
      if (const auto event = note_impact(s, impact, true, pair)) begun.push_back(*event);
      any = true;
    }
  }
  if (any) join_pulses();
  return any;
}

/// Λ of each, and the b that a body by itself would have then.
void IslandSolver::aim_pulses(const Substep& s) {
  const double h = s.model.step;
  for (std::size_t k = 0; k < pulses_.size(); ++k) {
    RunningPulse& running = pulses_[k];
    const PulseMemory& pulse = account.pairs[running.pair].pulses[running.number];
    double closing = 0, before = 1e300;
    int rows = 0;
    for (const Row& row : rows_) {
      if (row.pulse != static_cast<std::int32_t>(k)) continue;
      closing += row.law.closing;
      before = std::min(before, row.before);
      ++rows;
    }
    closing /= rows;
    const double from = pulse.elapsed, to = from + h;
    const double time = std::clamp(to, 0.0, pulse.duration) - std::clamp(from, 0.0, pulse.duration);
    running.due = pulse.owed + pulse_impulse(pulse.impulse, pulse.duration, from, to) + closing * time / pulse.mobility;
    running.slope = pulse.mobility;
    running.target = before - closing * h + pulse.mobility * std::max(0.0, running.due);
  }
}

/// Its pulse's b, no faster than e v₀ at the surface, no deeper than the pulse lets it.
double IslandSolver::pulse_target(const Row& row) const {
  const RunningPulse& running = pulses_[static_cast<std::size_t>(row.pulse)];
  RowMemory leaves;
  leaves.exit = account.pairs[running.pair].pulses[running.number].exit;
  RowLaw bounces = row.law;
  bounces.reach = 1e300;  // in whichever half of the sub-step it touches
  const double exit = leaves.exit > 0 ? row_target(bounces, row.gap, row.before, leaves) : 0;
  const double h = row.law.h, landing = -row.before - 2 * row.gap / h, stop = landing - 2 * row.squash / h;
  const double target = std::max(std::min(running.target, exit), std::min(0.0, stop));
  const double free = row.gap + h * (row.before - 0.5 * h * row.law.closing);
  return std::min(row.gap, free) > 0 ? std::min(target, landing) : target;  // the latter where it is not in touch yet
}

/// As settle(), with the targets for which the rows of pulses give what those say.
void IslandSolver::settle_pulses(const Substep& s) {
  if (pulses_.empty()) return settle(s);
  aim_pulses(s);
  for (int pass = 0; pass < kSecants; ++pass) {
    for (Row& row : rows_)
      if (row.pulse >= 0) row.target = pulse_target(row);
    settle(s);
    if (failed_) return;
    bool good = true;
    for (std::size_t k = 0; k < pulses_.size(); ++k) {
      RunningPulse& running = pulses_[k];
      const PulseMemory& pulse = account.pairs[running.pair].pulses[running.number];
      double sum = 0;
      for (const Row& row : rows_)
        if (row.pulse == static_cast<std::int32_t>(k)) sum += row.impulse.dot(row.normal);
      const double off = std::max(0.0, running.due) - sum;
      if (std::abs(off) <= kGiven * pulse.impulse || (off > 0 && running.target >= pulse.exit)) continue;
      if (pass > 0) {
        const double change = sum - running.last_sum, slope = (running.target - running.last_target) / change;
        // Rows that are held at their deepest give what they must.
        if (off < 0 && std::abs(change) <= kGiven * pulse.impulse) continue;
        running.slope = slope > 0 && std::isfinite(slope) ? slope : 2 * running.slope;
      }
      running.last_target = running.target;
      running.last_sum = sum;
      running.target = std::min(running.target + running.slope * off, pulse.exit);
      good = false;
    }
    if (good && !part_with_pulses(s)) return;
  }
}

/// Pulses whose two would be out of each other by themselves in the next sub-step, where they would have no rows: what is left of them is
/// given now. With e = 1 that is when T is over, as far as sub-steps resolve it. True: there is such a one.
bool IslandSolver::part_with_pulses(const Substep& s) {
  bool any = false;
  for (std::size_t k = 0; k < pulses_.size(); ++k) {
    RunningPulse& running = pulses_[k];
    const PulseMemory& pulse = account.pairs[running.pair].pulses[running.number];
    const double to = pulse.elapsed + s.model.step;
    if (running.last || to < 0.5 * pulse.duration || to >= pulse.duration) continue;
    bool parts = true;
    for (const Row& row : rows_) {
      if (row.pulse != static_cast<std::int32_t>(k)) continue;
      const double way = s.model.step * row.normal.dot(mean(s, row));
      const double next = 2 * way - s.model.step * row.normal.dot(start(s, row));
      parts = parts && row.gap + way + next > 0;
    }
    if (!parts) continue;
    const double rest = pulse_impulse(pulse.impulse, pulse.duration, to, pulse.duration);
    running.last = true;
    running.due += rest;
    running.target += running.slope * rest;
    any = true;
  }
  return any;
}

/// What they gave, and which of them are over.
void IslandSolver::remember_pulses(const Substep& s) {
  for (std::size_t k = 0; k < pulses_.size(); ++k) {
    const RunningPulse& running = pulses_[k];
    PulseMemory& pulse = account.pairs[running.pair].pulses[running.number];
    double sum = 0;
    Vec3 normal = Vec3::Zero();
    bool open = true;
    for (Row& row : rows_) {
      if (row.pulse != static_cast<std::int32_t>(k)) continue;
      sum += row.impulse.dot(row.normal);
      normal += row.normal;
      open = open && row.end_gap > row.slop;
      row.memory.exit = row.memory.recoverable = 0;
    }
    pulse.owed = running.due - sum;
    pulse.elapsed += s.model.step;
    pulse.normal = normal.normalized();
    if (open || running.last) pulse.elapsed = std::max(pulse.elapsed, pulse.duration);
  }
  for (std::uint32_t p = 0; p < account.pairs.size(); ++p) {
    PairMemory& pair = account.pairs[p];
    if (pair.pulses.empty()) continue;
    std::erase_if(pair.pulses, [&](const PulseMemory& pulse) {
      if (pulse.runs()) return false;
      for (std::size_t i = 0; i < count(); ++i)
        if (account.pair_of[i] == p && rows_[i].end_gap < -2 * rows_[i].slop && same_way(pulse, rows_[i].normal))
          return false;
      return true;
    });
    if (!pair.pulses.empty()) continue;
    pair.spent += pair.elastic;
    pair.elastic = 0;
  }
}

}  // namespace hazumi
