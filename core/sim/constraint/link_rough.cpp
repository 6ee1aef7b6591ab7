// A sub-step of a linkage for which Newton's method comes to no end.
//
//   ( M   −Gᵀ ) ( u⁺ )   ( M u⁻ + h f + push )          G, M at the start; one-sided rows let go while they pull the wrong way
//   ( G    D  ) ( λ  ) = ( c )
//   more than the kinetic energy that bodies would have by themselves, and what led ends, motors and springs can add, is no solution:
//   then all of it stays where it was, as it was
//   positions by ū = ½ (u⁻ + u⁺), then closed; velocities slowed until the energy is what was there, and what forces and impulses
//   of contacts did
//
// Momentum and angular momentum are kept, but for what closing turns; motion is of first order.
#include <algorithm>
#include <cmath>

#include "core/math/eigen.h"
#include "core/sim/body/midpoint_turn.h"
#include "core/sim/body/motion.h"
#include "core/sim/body/rigid_values.h"
#include "core/sim/constraint/linkage.h"

namespace hazumi {
namespace {

constexpr int kLettingGo = 4;
constexpr double kTorn = 1e-6;       // m or rad
constexpr double kImmovable = 1e-9;  // of how a body answers by itself: its joints hold this place

}  // namespace

/// Of a part in which Newton's method failed: what bodies may have in the end, without springs, J.
double Linkage::allowed_energy(double h) const {
  double sum = 0;
  for (std::size_t n = 0; n < member_.size(); ++n) {
    const Member& m = member_[n];
    sum += 0.5 * m.start.momentum.squaredNorm() / m.mass;
    if (m.turns)
      sum += 0.5 * m.start.angular_momentum.dot(world_inertia(m.inertia, m.start.pose.rotation).inverse() *
                                                m.start.angular_momentum);
    sum += m.force.dot(m.now.pose.position - m.start.pose.position) + h * m.torque.dot(m.end_rate);
    sum += m.push.dot(m.end_velocity) + (m.twist + (m.about - m.mean_centre).cross(m.push)).dot(m.end_rate);
  }
  return sum;
}

/// All of it stays, as it was.
void Linkage::stay(const Model& model) {
  memory_ = memory_at_start_;
  figures.motors = figures.springs = figures.leads = 0;
  pull_work_.assign(joints.size(), 0.0);
  figures.rough = figures.stayed = 1;
  for (LinkSoft& s : soft) s.stay(body_of(model, s), model.step, motions_.empty() ? nullptr : &motions_[s.body]);
  for (std::size_t j = 0; j < joints.size(); ++j) sum_[j] = LinkValues{};
  for (Member& m : member_) {
    m.now = m.start;
    m.mean_centre = m.start.pose.position;
    m.end_velocity.setZero();
    m.end_rate.setZero();
  }
  if (any_goes_) figures.motors = stored_by_staying(model);
}

void Linkage::undo(const Model& model) {
  const JointFigures was = figures;
  stay(model);
  figures.rough = was.rough;
  figures.stayed = was.stayed;
  figures.met = figures.pulls = 0;
}

/// Rates of rows that hold, of bodies as they are in the end, are taken away.
void Linkage::stop_rows(const Model& model) {
  stand(model, At::end);
  rates_of_rows(rates_);
  rhs_rows_.assign(joints.size(), LinkValues{});
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i)
      if (blocks_[j].ball || holds(model, j, i)) rhs_rows_[j][i] = -rates_[j][i];
  push_rows(model, At::end, false);
}

/// An impulse at the place of a body that does not deform, with what joints answer to it. False: nothing leads it there.
bool Linkage::stop_place(const Model& model, std::uint32_t body, const Vec3& place, const Vec3& out) {
  stand(model, At::end);
  make_symmetric(model);
  if (!factor_again(model, true)) return true;
  const std::size_t node = node_of(body);
  Vec6 push;
  push << out, (place - seen_[node].to).cross(out);
  const auto along = [&](const Vec3& velocity, const Vec3& rate) {
    return push.head<3>().dot(velocity) + (member_[node].turns ? push.tail<3>().dot(rate) : 0.0);
  };
  const double into = along(seen_[node].velocity, seen_[node].rate);
  if (!(into < 0)) return false;
  rhs_.assign(member_.size(), Vec6::Zero());
  rhs_rows_.assign(joints.size(), LinkValues{});
  rhs_[node] = push;
  tree_.solve(rhs_, rhs_rows_);
  const double answer = along(rhs_[node].head<3>(), rhs_[node].tail<3>());
  if (!(answer > kImmovable / member_[node].mass)) return true;
  const double size = -into / answer;
  for (std::size_t n = 0; n < member_.size(); ++n) {
    const Vec6 impulse = size * (own_[n] * rhs_[n]);
    member_[n].end.momentum += impulse.head<3>();
    if (member_[n].turns) member_[n].end.angular_momentum += impulse.tail<3>();
  }
  for (LinkSoft& s : soft) {
    std::vector<Vec3> impulses = impulses_on(s, rhs_rows_);
    for (Vec3& impulse : impulses) impulse *= size;
    s.push(body_of(model, s), LinkSoft::At::end, impulses);
  }
  return true;
}

bool Linkage::stop(const Model& model, std::uint32_t body, const Vec3& place, const Vec3& out, State& state) {
  read_end(model, state);
  for (Member& m : member_) m.end.pose = m.start.pose;
  bool deforms = false;
  for (LinkSoft& s : soft) {
    s.stop(body_of(model, s), s.body == body ? out : Vec3(Vec3::Zero()));
    deforms = deforms || s.body == body;
  }
  own_.resize(member_.size());
  stop_rows(model);
  const bool taken = deforms || stop_place(model, body, place, out);
  figures.springs = 0;
  for (std::size_t n = 0; n < member_.size(); ++n)
    model.bodies[node_body_[n]].write_joined(member_[n].end, state.bodies[node_body_[n]].values);
  for (const LinkSoft& s : soft) state.bodies[s.body].values = s.end;
  return taken;
}

/// J, of springs as rows stand.
double Linkage::stored(const Model& model) const {
  double sum = 0;
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i)
      if (const LinkRow& row = rows_[j].row[i]; row.role == LinkRowRole::spring)
        sum += 0.5 * joint_at(model, j).stiffness * (row.now - row.wanted) * (row.now - row.wanted);
  return sum;
}

/// The linear system at the start, with what `most` kinetic energy may come of it; false: singular.
bool Linkage::begin_roughly(const Model& model, double h, std::vector<Vec6>& start, double& most) {
  place_ground(0, 1, h);
  stand_bodies(model, At::now);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (memory_[j].motor == kMotorAtSpeed) memory_[j].motor = 0;  // it pushes: that contradicts nothing
    begin_joint(model, j, h);
  }
  stand(model, At::now);
  weigh_bodies();
  make_symmetric(model);
  rhs_.assign(member_.size(), Vec6::Zero());
  rhs_rows_.assign(joints.size(), LinkValues{});
  std::vector<LinkValues> rates;
  rates_of_rows(rates);
  for (std::size_t n = 0; n < member_.size(); ++n) {
    const Member& m = member_[n];
    start[n] << seen_[n].velocity, (m.turns ? seen_[n].rate : Vec3(Vec3::Zero()));
    rhs_[n] = own_[n] * start[n];
    rhs_[n].head<3>() += h * m.force + m.push;
    if (m.turns) rhs_[n].tail<3>() += h * m.torque + m.twist + (m.about - m.mean_centre).cross(m.push);
  }
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const ModelJoint& joint = joint_at(model, j);
    const double answer = h * (0.5 * h * joint.stiffness + joint.damping);
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i) {
      const LinkRow& row = rows_[j].row[i];
      LinkBlocks& g = blocks_[j];
      if (row.role == LinkRowRole::push) rhs_rows_[j][i] = row.wanted;
      if (row.role != LinkRowRole::spring || !(answer > 0)) continue;
      g.yield[i] = 2 / answer;
      g.move_a[i] = g.act_a[i];
      g.move_b[i] = g.act_b[i];
      rhs_rows_[j][i] = -rates[j][i] - 2 * h * joint.stiffness * (row.before - row.wanted) / answer;
    }
  }
  most = 2 * stored(model);
  for (std::size_t n = 0; n < member_.size(); ++n) {
    most += rhs_[n].dot(inverse_of(own_[n]) * rhs_[n]);
    for (std::size_t k = member_.size(); k < seen_.size(); ++k)
      most += 4 * member_[n].mass * std::pow(seen_[k].velocity.norm() + seen_[k].rate.norm() * member_[n].reach, 2);
  }
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (rows_[j].motor >= 0) most += std::abs(drive_[j].motor_force * drive_[j].motor_speed) * h;
  tree_.regular = LinkTree::kContradicting;
  if (!tree_.factor(own_, blocks_)) return false;
  return true;
}

/// J, after stand().
double Linkage::kinetic_as_it_stands() {
  weigh_bodies();
  double sum = 0;
  for (std::size_t n = 0; n < member_.size(); ++n) {
    sum += 0.5 * member_[n].mass * seen_[n].velocity.squaredNorm();
    if (member_[n].turns) sum += 0.5 * seen_[n].rate.dot(own_[n].block<3, 3>(3, 3) * seen_[n].rate);
  }
  return sum;
}

/// A joint that nothing told to be there was open as the part began that has just been made: rows that contradicted each other until now
/// have left it so. Newton's method shuts it by velocities, which are then those of the way that this took.
bool Linkage::torn(const Model& model) const {
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (gear_[j][0] >= 0 || goes_[j] || is_lead(model, j) || is_pull(model, j)) continue;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i) {
      const LinkRow& row = rows_[j].row[i];
      if (!blocks_[j].ball && (row.role != LinkRowRole::hold || is_met(model, j, i))) continue;
      const double before = blocks_[j].ball ? row.now - opened(j, i) : row.before - row.wanted;
      if (std::abs(before) > kTorn) return true;
    }
  }
  return false;
}

void Linkage::advance_roughly(const Model& model, double h) {
  figures.parts = kRough;
  figures.rough = 1;
  figures.motors = figures.springs = figures.leads = 0;  // of what was tried
  pull_work_.assign(joints.size(), 0.0);                 // pulls rest in this sub-step
  memory_ = memory_at_start_;
  for (Member& m : member_) {
    m.now = m.start;
    m.mean_centre = m.start.pose.position;
  }
  std::vector<Vec6> start(member_.size());
  double before = 0, most = 0, moved = 0;
  for (int guess = 0; guess <= kLettingGo; ++guess) {
    if (!begin_roughly(model, h, start, most)) return stay(model);
    if (guess == 0) before = stored(model);
    tree_.solve(rhs_, rhs_rows_);
    bool changed = false;
    for (std::size_t j = 0; j < joints.size(); ++j)
      for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i) {
        if (!is_met(model, j, i) || !holds(model, j, i)) continue;
        if (static_cast<double>(memory_[j].limit) * rhs_rows_[j][i] <= 0) continue;
        memory_[j].limit = 0;
        changed = true;
      }
    if (!changed) break;
  }
  for (std::size_t n = 0; n < member_.size(); ++n) {
    Member& m = member_[n];
    const Vec6 mean = 0.5 * (start[n] + rhs_[n]);
    moved += 0.5 * rhs_[n].dot(own_[n] * rhs_[n]);
    m.now.momentum = m.mass * rhs_[n].head<3>();
    m.now.pose.position += h * mean.head<3>();
    if (!m.turns) continue;
    m.now.angular_momentum = own_[n].block<3, 3>(3, 3) * rhs_[n].tail<3>();
    m.now.pose.rotation = (cayley_turn(h * mean.tail<3>()) * m.now.pose.rotation).normalized();
  }
  if (!(moved <= most)) return stay(model);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    sum_[j] = rhs_rows_[j];
    if (rows_[j].motor >= 0) memory_[j].motor = 0;
  }
  place_ground(1, 1, h);
  rhs_.assign(member_.size(), Vec6::Zero());
  rhs_rows_.assign(joints.size(), LinkValues{});
  stand(model, At::now);
  make_symmetric(model);
  if (factor_again(model, false)) close(model, At::now);
  for (std::size_t n = 0; n < member_.size(); ++n) {
    Member& m = member_[n];
    m.end_velocity = (m.now.pose.position - m.start.pose.position) / h;
    m.end_rate = m.turns ? mean_rate(m.start.pose.rotation, m.now.pose.rotation, h) : Vec3(Vec3::Zero());
    m.mean_centre = 0.5 * (m.start.pose.position + m.now.pose.position);
  }
  stand(model, At::now);
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (const int motor = rows_[j].motor; motor >= 0) {
      const auto at = static_cast<std::size_t>(motor);
      figures.motors += sum_[j][at] * (rows_[j].row[at].now - rows_[j].row[at].before) / h;
    }
  figures.springs = stored(model) - before;
  const double allowed = allowed_energy(h) + figures.motors - figures.springs;
  const double kinetic = kinetic_as_it_stands();
  if (!std::isfinite(kinetic) || !(allowed >= 0) || !(std::abs(figures.motors) <= most)) return stay(model);
  if (kinetic > allowed) {
    const double factor = std::sqrt(std::max(allowed, 0.0) / kinetic) * (1 - 1e-12);
    figures.met += kinetic * (1 - factor * factor);
    for (Member& m : member_) {
      m.now.momentum *= factor;
      m.now.angular_momentum *= factor;
    }
  }
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (joint_at(model, j).kind == JointKind::hinge && rows_[j].count > 3)
      memory_[j].turn = turn_of(joint_at(model, j).frame_a, joint_at(model, j).frame_b, seen(joint_ends_[j].a).end,
                                seen(joint_ends_[j].b).end, memory_at_start_[j].turn);
}

}  // namespace hazumi
