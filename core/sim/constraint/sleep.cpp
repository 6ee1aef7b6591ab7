#include "core/sim/constraint/sleep.h"

#include <algorithm>
#include <numeric>

#include "core/scene/derived/joined.h"

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

/// What hangs on it never comes to rest by itself, or may be driven at any time.
bool keeps_awake(const Model& model, const ModelJoint& joint) {
  const auto wakes = [&](std::int32_t i) {
    return i >= 0 && (model.bodies[static_cast<std::size_t>(i)].deforms ||
                      model.bodies[static_cast<std::size_t>(i)].pins().has_value());
  };
  return joint.motor || has_target(joint.kind) || wakes(joint.a) || wakes(joint.b);
}

bool told_otherwise(const ModelJoint& joint, const JointDrive& before, const JointDrive& now) {
  if (!before.numbers && !now.numbers) return false;
  return goes(joint, before, now) ||
         !((before.numbers ? *before.numbers : joint.numbers) == (now.numbers ? *now.numbers : joint.numbers));
}

}  // namespace

void note_joints(const Model& model, const State& state, const JointDrives& told, std::span<BodyForces> forces,
                 std::vector<char>& holding) {
  const std::vector<JointDrive>& drives = told.now;
  holding.assign(model.joints.size(), 0);
  const double time = model.clock.film(state.substep);
  const auto there = [&](std::int32_t i) {
    const auto body = static_cast<std::size_t>(i);
    return i < 0 || model.bodies[body].present(time, state.bodies[body].values);
  };
  const auto wake = [&](const ModelJoint& joint) {
    for (const std::int32_t i : {joint.a, joint.b})
      if (i >= 0) forces[static_cast<std::size_t>(i)].held = true;
  };
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const ModelJoint& joint = model.joints[j];
    if (joint.kind == JointKind::gear || joint.pins) continue;
    bool on = drives[j].on && there(joint.a) && there(joint.b);
    if (joint.kind == JointKind::lead && drives[j].strictness <= 0) on = false;
    bool held = on;
    if (joint.remembers()) {
      on = on && !state.joints[j].broken;
      holding[j] = on;
      held = state.joints[j].grip != JointMemory::kLoose;
    }
    if (held != on || (on && (keeps_awake(model, joint) || told_otherwise(joint, told.before[j], told.now[j]))))
      wake(joint);
  }
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const ModelJoint& joint = model.joints[j];
    if (joint.kind != JointKind::gear) continue;
    const auto first = static_cast<std::size_t>(joint.first), second = static_cast<std::size_t>(joint.second);
    holding[j] = drives[j].on && !state.joints[j].broken && holding[first] && holding[second];
    const bool other = holding[j] != 0 && told_otherwise(joint, told.before[j], told.now[j]);
    if (other || (state.joints[j].grip != JointMemory::kLoose) != (holding[j] != 0)) wake(model.joints[first]);
  }
}

std::uint32_t Sleep::root(std::uint32_t i) {
  while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
  return i;
}

void Sleep::unite(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t x = root(a), y = root(b);
  parent_[std::max(x, y)] = std::min(x, y);
}

/// Bodies that joints hold together sleep together, also those of them that touch nothing.
void Sleep::join(const Model& model, std::span<const char> holding) {
  const auto free = [&](std::int32_t i) { return i >= 0 && kind_[static_cast<std::size_t>(i)] == Kind::free; };
  const auto mover = [&](std::int32_t joint) {
    const ModelJoint& of = model.joints[static_cast<std::size_t>(joint)];
    return free(of.a) ? of.a : of.b;
  };
  for (std::size_t j = 0; j < holding.size(); ++j) {
    const ModelJoint& joint = model.joints[j];
    const bool gear = joint.kind == JointKind::gear;
    const std::int32_t a = gear ? mover(joint.first) : joint.a, b = gear ? mover(joint.second) : joint.b;
    if (holding[j] && free(a) && free(b)) unite(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
  }
  std::vector<char> some(kind_.size(), 0);
  for (std::uint32_t i = 0; i < kind_.size(); ++i)
    if (asleep_[i]) some[root(i)] = 1;
  for (std::uint32_t i = 0; i < kind_.size(); ++i) asleep_[i] = kind_[i] == Kind::free && some[root(i)];
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

void Sleep::find(const Model& model, const State& start, std::span<const BodyForces> forces,
                 std::span<const char> holding) {
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
    if (kind_[a] == Kind::free && kind_[b] == Kind::free) unite(a, b);
  }
  if (any_ && !holding.empty()) join(model, holding);
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
    for (std::size_t j = 0; j < holding.size(); ++j)
      for (const auto& [i, other] :
           {std::pair(model.joints[j].a, model.joints[j].b), std::pair(model.joints[j].b, model.joints[j].a)})
        if (holding[j] && i >= 0 && other >= 0 && kind_[static_cast<std::size_t>(other)] == Kind::led)
          stirred[root(static_cast<std::uint32_t>(i))] = 1;
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
