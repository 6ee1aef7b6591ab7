#include "core/sim/constraint/sleep.h"

#include <algorithm>
#include <numeric>

namespace hazumi {
namespace {

std::pair<std::uint32_t, std::uint32_t> bodies_of(const ContactKey& key) {
  return {static_cast<std::uint32_t>(key.bodies >> 32), static_cast<std::uint32_t>(key.bodies)};
}

bool left_alone(const BodyForces& f) {
  return !f.handed_over && !f.stirred && !f.held && !f.put && f.kick == Vec3::Zero() && f.kick_turn == Vec3::Zero() &&
         f.force == Vec3::Zero() && f.torque == Vec3::Zero() && f.acceleration == Vec3::Zero() &&
         std::all_of(f.nodes.begin(), f.nodes.end(), [](const Vec3& node) { return node == Vec3::Zero(); });
}

bool keeps_size(const Model& model, const State& start, std::span<const BodyForces> forces, std::uint32_t i) {
  return !forces[i].size || model.bodies[i].has_size(start.bodies[i].values, *forces[i].size);
}

}  // namespace

std::uint32_t Sleep::root(std::uint32_t i) {
  while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
  return i;
}

bool Sleep::holds(const RowMemory& row) const {
  const auto [a, b] = bodies_of(row.key);
  return any_ && (asleep_[a] != 0 || asleep_[b] != 0);
}

void Sleep::find_kinds(const Model& model, const State& start, std::span<const BodyForces> forces) {
  kind_.resize(model.bodies.size());
  for (std::uint32_t i = 0; i < kind_.size(); ++i) {
    kind_[i] = model.bodies[i].moves ? Kind::free : Kind::stands;
    if (!forces[i].led) continue;
    led_to_ = start.bodies[i].values;
    model.bodies[i].lead(*forces[i].led, led_to_);
    kind_[i] = led_to_ == start.bodies[i].values ? Kind::stands : Kind::led;
  }
}

void Sleep::find(const Model& model, const State& start, std::span<const BodyForces> forces) {
  const std::size_t n = model.bodies.size();
  const double time = model.clock.film(start.substep);
  find_kinds(model, start, forces);
  asleep_.assign(n, 0);
  parent_.resize(n);
  std::iota(parent_.begin(), parent_.end(), 0u);
  any_ = false;
  for (const RowMemory& row : start.rows) {
    if ((row.unloading & kAsleep) == 0) continue;
    const auto [a, b] = bodies_of(row.key);
    any_ = true;
    for (const std::uint32_t i : {a, b}) asleep_[i] = kind_[i] == Kind::free;
    if (kind_[a] != Kind::free || kind_[b] != Kind::free) continue;
    const std::uint32_t x = root(a), y = root(b);
    parent_[std::max(x, y)] = std::min(x, y);
  }
  awake_ = 0;
  if (any_) {
    std::vector<char> stirred(n, 0);  // of the island of each root
    for (std::uint32_t i = 0; i < n; ++i)
      if (asleep_[i] && !(model.bodies[i].present(time, start.bodies[i].values) && left_alone(forces[i]) &&
                          model.bodies[i].lies(start.bodies[i].values) && keeps_size(model, start, forces, i)))
        stirred[root(i)] = 1;
    for (const RowMemory& row : start.rows) {
      const auto [a, b] = bodies_of(row.key);
      bool good = (row.unloading & kAsleep) != 0;
      for (const std::uint32_t i : {a, b})
        good = good && model.bodies[i].present(time, start.bodies[i].values) && kind_[i] != Kind::led &&
               !forces[i].handed_over && !forces[i].stirred;
      for (const std::uint32_t i : {a, b})
        if (!good && asleep_[i]) stirred[root(i)] = 1;
    }
    any_ = false;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (asleep_[i] && stirred[root(i)]) asleep_[i] = 0;
      any_ = any_ || asleep_[i];
    }
  }
  for (std::uint32_t i = 0; i < n; ++i)
    if (moves(i) && !asleep_[i] && model.bodies[i].present(time, start.bodies[i].values)) ++awake_;
}

bool Sleep::wake(std::span<const std::pair<std::uint32_t, std::uint32_t>> near) {
  if (!any_) return false;
  std::vector<char> stirred;
  for (const auto& [a, b] : near) {
    if ((asleep_[a] != 0) == (asleep_[b] != 0)) continue;
    const std::uint32_t sleeper = asleep_[a] ? a : b, other = asleep_[a] ? b : a;
    if (!moves(other)) continue;
    stirred.resize(asleep_.size(), 0);
    stirred[root(sleeper)] = 1;
  }
  if (stirred.empty()) return false;
  any_ = false;
  for (std::uint32_t i = 0; i < asleep_.size(); ++i) {
    if (asleep_[i] && stirred[root(i)]) asleep_[i] = 0;
    any_ = any_ || asleep_[i];
  }
  return true;
}

void Sleep::keep(const State& start, std::vector<RowMemory>& rows, std::vector<PairMemory>& pairs) const {
  if (!any_) return;
  for (const RowMemory& row : start.rows)
    if (holds(row)) rows.push_back(row);
  const auto still = [&](std::uint32_t i) { return asleep_[i] != 0 || !moves(i); };
  for (const PairMemory& pair : start.pairs)
    if (still(pair.body_a) && still(pair.body_b)) pairs.push_back(pair);
}

void Sleep::touching(const Model& model, const State& start, std::vector<std::pair<Id, Id>>& out) const {
  for (const RowMemory& row : start.rows) {
    if (!holds(row) || row.impulse == Vec3::Zero()) continue;
    const auto [a, b] = bodies_of(row.key);
    if (a == b) continue;
    const std::pair<Id, Id> pair(model.bodies[a].id, model.bodies[b].id);
    if (out.empty() || out.back() != pair) out.push_back(pair);
  }
}

}  // namespace hazumi
