// What a part of a sub-step of a linkage comes to (linkage.h): momenta, turns, and the work of its rows.
#include <algorithm>

#include "core/math/rotation.h"
#include "core/sim/body/midpoint_turn.h"
#include "core/sim/constraint/linkage.h"

namespace hazumi {

/// G u of a row, of what moves by itself: nodes and what deforms.
double Linkage::moving_rate(std::size_t j, std::size_t i) const {
  const auto of = [&](std::int32_t slot, const Vec6& act) {
    const auto at = static_cast<std::size_t>(slot);
    if (slot < 0 || (at >= member_.size() && at < first_anchor())) return 0.0;
    return act.head<3>().dot(seen_[at].velocity) + act.tail<3>().dot(seen_[at].rate);
  };
  return of(joint_ends_[j].a, blocks_[j].act_a[i]) + of(joint_ends_[j].b, blocks_[j].act_b[i]);
}

/// J, of its λ in this part on what moves.
double Linkage::moving_work(std::size_t j, std::size_t i) const { return impulse_[j][i] * moving_rate(j, i); }

/// J, what its λ works in this part beside λ (C⁺ − C⁻)/h: that of what is told.
double Linkage::told_work(std::size_t j, std::size_t i, double h) const {
  const auto of = [&](std::int32_t slot, const Vec6& act) {
    if (slot < 0) return 0.0;
    const LinkBody& b = seen_[static_cast<std::size_t>(slot)];
    return act.head<3>().dot(b.velocity) + act.tail<3>().dot(b.rate);
  };
  const LinkRow& row = rows_[j].row[i];
  const double rate = of(joint_ends_[j].a, blocks_[j].act_a[i]) + of(joint_ends_[j].b, blocks_[j].act_b[i]);
  return impulse_[j][i] * (rate - (row.now - row.before) / h);
}

/// J, what springs hold more where all bodies stay and their places alone go.
double Linkage::stored_by_staying(const Model& model) {
  double sum = 0;
  for (Member& m : member_) m.end.pose = m.start.pose;
  for (const At when : {At::start, At::end}) {
    stand(model, when);
    for (std::size_t j = 0; j < joints.size(); ++j)
      for (std::size_t i = 0; goes_[j] && i < static_cast<std::size_t>(rows_[j].count); ++i)
        if (const LinkRow& row = rows_[j].row[i]; row.role == LinkRowRole::spring)
          sum += (when == At::end ? 0.5 : -0.5) * joint_at(model, j).stiffness * (row.now - row.wanted) *
                 (row.now - row.wanted);
  }
  return sum;
}

/// By how much a row came open in this part.
double Linkage::opened(std::size_t j, std::size_t i) const {
  const LinkRow& row = rows_[j].row[i];
  if (!blocks_[j].ball) return row.now - row.before;
  const auto at = static_cast<Eigen::Index>(i);
  return row.now - (seen(joint_ends_[j].a).from + rows_[j].arm_a - seen(joint_ends_[j].b).from - rows_[j].arm_b)[at];
}

void Linkage::end_part(const Model& model, double h, double share) {
  gifts_ = moves_ = 0;
  for (std::size_t n = 0; n < member_.size(); ++n) {
    Member& m = member_[n];
    const LinkBody& b = seen_[n];
    // rhs_ holds what is left of the balance: round-off, which belongs to momentum, or it would be lost.
    m.now.momentum = 2 * m.mass * b.velocity - m.now.momentum + rhs_[n].head<3>();
    m.now.pose.position = b.to;
    m.end_velocity += share * b.velocity;
    moves_ += m.mass * b.velocity.squaredNorm() + h * h / m.mass * m.force.squaredNorm();
    if (!m.turns) continue;
    const Vec3 spin = m.inertia_now * b.rate;
    moves_ += b.rate.dot(spin);
    m.now.angular_momentum +=
        2 * (b.half * (spin - m.now.angular_momentum + 0.5 * h * b.rate.cross(spin))) + rhs_[n].tail<3>();
    m.now.pose.rotation = (cayley_turn(h * b.rate) * m.now.pose.rotation).normalized();
    m.end_rate += share * b.rate;
  }
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const LinkRows& rows = rows_[j];
    JointMemory& memory = memory_[j];
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows.count); ++i) {
      sum_[j][i] += impulse_[j][i];
      const double met_goes = memory.limit < 0 ? rows.least_goes : rows.most_goes;
      // What leads and keys are held against by others these take: the rows share what cannot be, and close again later.
      double shared = 0;
      if ((any_lead_ || any_told_) && rows.row[i].role == LinkRowRole::hold && !is_lead(model, j))
        shared = impulse_[j][i] * (opened(j, i) - (is_met(model, j, i) ? met_goes : 0.0)) / h;
      (any_lead_ ? figures.leads : figures.motors) += shared;
      if (blocks_[j].ball) continue;  // its rows neither work nor remember
      const LinkRow& row = rows.row[i];
      const double work = impulse_[j][i] * (row.now - row.before) / h;
      if (row.role == LinkRowRole::rate || (row.role == LinkRowRole::push && rows.motor == static_cast<int>(i)))
        figures.motors += work;
      if (row.role == LinkRowRole::spring) figures.springs -= work;
      if (goes_[j] && is_lead(model, j)) {
        figures.leads += moving_work(j, i);
        continue;
      }
      const double told = goes_[j] ? told_work(j, i, h) : 0.0;
      if (is_lead(model, j)) figures.leads += work + impulse_[j][i] * lead_way(j, i) / h;
      if (is_pull(model, j))
        pull_work_[j] += work + told + impulse_[j][i] * lead_way(j, i) / h;
      else
        figures.motors += told;
      if (row.role != LinkRowRole::hold || !is_met(model, j, i)) continue;
      const double led = impulse_[j][i] * met_goes / h;
      figures.motors += led;
      figures.met -= work - led - shared;
      gifts_ += std::max(0.0, work - led);
    }
    if (is_lead(model, j) && !goes_[j]) figures.leads -= lead_turn(j);
    if (rows.count > 3 && joint_at(model, j).kind == JointKind::hinge)
      memory.turn = turn_of(joint_at(model, j).frame_a, joint_at(model, j).frame_b, seen(joint_ends_[j].a).end,
                            seen(joint_ends_[j].b).end, rows.angle);
  }
}

}  // namespace hazumi
