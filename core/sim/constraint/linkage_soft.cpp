// What deforms in a linkage, and leads (linkage.h).
#include <algorithm>

#include "core/math/anderson.h"
#include "core/sim/advance.h"
#include "core/sim/body/motion.h"
#include "core/sim/body/rigid_values.h"
#include "core/sim/constraint/linkage.h"

namespace hazumi {

/// Slots of anchors, one for each end of a joint on what deforms.
void Linkage::tie_soft(const Model& model) {
  first_of_soft_.clear();
  std::size_t next = first_anchor();
  for (LinkSoft& s : soft) {
    first_of_soft_.push_back(next);
    s.anchors.clear();
    for (std::uint32_t j = 0; j < joints.size(); ++j) {
      const ModelJoint& joint = model.joints[joints[j]];
      if (joint.kind == JointKind::gear) continue;
      for (const bool on_a : {true, false}) {
        if ((on_a ? joint.a : joint.b) != static_cast<std::int32_t>(s.body)) continue;
        (on_a ? joint_ends_[j].a : joint_ends_[j].b) = static_cast<std::int32_t>(next++);
        s.anchors.push_back({j, on_a, on_a ? joint.nodes_a : joint.nodes_b});
      }
    }
  }
  anchor_force_.assign(next - first_anchor(), Vec6::Zero());
  for (std::size_t k = 0; k < leads_.size(); ++k)
    joint_ends_[leads_[k]].b = static_cast<std::int32_t>(first_lead() + k);
}

void Linkage::begin_drives(const Model& model, const JointDrives& drives) {
  drive_.clear();
  lead_from_.clear();
  lead_velocity_.clear();
  loose_ = loosened_ = endless_ = measured_ = false;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    drive_.push_back(drives.now[joints[j]]);
    loose_ = loose_ || (any_lead_ && is_lead(model, j) && drive_[j].strictness < 1);
  }
  for (const std::uint32_t j : leads_) {
    lead_from_.push_back(drives.before[joints[j]].place_b);
    lead_velocity_.push_back(drives.now[joints[j]].velocity_b);
  }
  tell_numbers(model, drives);
  loose_impulse_.assign(joints.size(), LinkValues{});
  clipped_.assign(joints.size(), 0);
}

void Linkage::place_leads(double from, double to, double h) {
  for (std::size_t k = 0; k < leads_.size(); ++k) {
    LinkBody& b = seen_[first_lead() + k];
    const Vec3 way = drive_[leads_[k]].place_b - lead_from_[k];
    b = LinkBody();
    b.turns = true;
    b.from = lead_from_[k] + from * way;
    b.to = lead_from_[k] + to * way;
    b.velocity = (b.to - b.from) / h;
  }
}

/// m, how far the place of a lead goes in a row's direction.
double Linkage::lead_way(std::size_t j, std::size_t row) const {
  const std::int32_t slot = joint_ends_[j].b;
  if (slot < static_cast<std::int32_t>(node_body_.size()) || slot >= static_cast<std::int32_t>(first_anchor()))
    return 0;
  const LinkBody& b = seen_[static_cast<std::size_t>(slot)];
  const Vec3 arm = (b.end - b.turned) * rows_[j].place_b;
  return (b.to - b.from + arm)[static_cast<Eigen::Index>(row)];
}

/// J, what a lead does less for its place going on a body that turns: it pushes that where it pushes the other one (link_rows.cpp).
double Linkage::lead_turn(std::size_t j) const {
  const LinkBody& b = seen(joint_ends_[j].b);
  if (!b.moves || !b.turns) return 0;
  Vec3 apart, push;
  for (Eigen::Index i = 0; i < 3; ++i) {
    const LinkRow& row = rows_[j].row[static_cast<std::size_t>(i)];
    apart[i] = 0.5 * (row.before + row.now);
    push[i] = impulse_[j][static_cast<std::size_t>(i)];
  }
  return push.dot(b.rate.cross(apart));
}

/// Anchors as they stand, with their velocities.
void Linkage::see_soft(LinkSoft::At when) {
  for (std::size_t k = 0; k < soft.size(); ++k)
    for (std::size_t i = 0; i < soft[k].anchors.size(); ++i) {
      LinkBody& b = seen_[first_of_soft_[k] + i];
      b = LinkBody();
      b.moves = true;
      b.from = b.to = soft[k].place(i, when);
      b.velocity = soft[k].velocity(i, when);
    }
}

/// Under the λ at hand, from places as they were found last.
bool Linkage::step_soft(const Model& model, double h) {
  std::fill(anchor_force_.begin(), anchor_force_.end(), Vec6::Zero());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Ends& e = joint_ends_[j];
    const auto anchor = [&](std::int32_t slot) { return slot >= static_cast<std::int32_t>(first_anchor()); };
    if (gear_[j][0] >= 0 || (!anchor(e.a) && !anchor(e.b))) continue;
    const auto to = [&](std::int32_t slot) -> Vec6& {
      return anchor(slot) ? anchor_force_[static_cast<std::size_t>(slot) - first_anchor()] : world_force_;
    };
    make_rows(joint_at(model, j), seen(e.a), seen(e.b), h, impulse_[j], rows_[j], blocks_[j], residual_[j], to(e.a),
              to(e.b));
  }
  for (std::size_t k = 0; k < soft.size(); ++k) {
    LinkSoft& s = soft[k];
    std::vector<Vec3> impulses;
    const std::size_t first = first_of_soft_[k];
    for (std::size_t i = 0; i < s.anchors.size(); ++i)
      impulses.push_back(anchor_force_[first - first_anchor() + i].head<3>());
    if (!s.advance(body_of(model, s), h, impulses, motions_.empty() ? nullptr : &motions_[s.body])) return false;
    for (std::size_t i = 0; i < s.anchors.size(); ++i) {
      LinkBody& b = seen_[first + i];
      b.from = s.place(i, LinkSoft::At::start);
      b.to = s.place(i, LinkSoft::At::end);
      b.velocity = (b.to - b.from) / h;
    }
  }
  return true;
}

/// How anchors answer to a little more at each of them, where λ is now.
bool Linkage::measure_answers(const Model& model, double h) {
  for (std::size_t k = 0; k < soft.size(); ++k) {
    std::vector<Vec3> impulses;
    for (std::size_t i = 0; i < soft[k].anchors.size(); ++i)
      impulses.push_back(anchor_force_[first_of_soft_[k] - first_anchor() + i].head<3>());
    if (!soft[k].measure_answers(body_of(model, soft[k]), h, impulses)) return false;
  }
  couple(0.5);
  return true;
}

void Linkage::couple_by_step() {
  for (LinkSoft& s : soft) s.answer_by_step();
  couple(0.5);
}

void Linkage::couple_where_it_is() {
  for (LinkSoft& s : soft) s.answer_where_it_is();
  couple(1);
}

void Linkage::couple_by_masses(const Model& model) {
  for (LinkSoft& s : soft) s.answer_by_masses(body_of(model, s));
  couple(1);
}

/// What rows of loops do to each other through what deforms: `scale` of how anchors answer.
void Linkage::couple(double scale) {
  tree_.beside.clear();
  if (soft.empty()) return;
  std::vector<std::size_t> first(joints.size(), 0);
  std::size_t n = 0;
  for (const LinkTree::Loop& loop : tree_.loops) {
    first[loop.joint] = n;
    n += static_cast<std::size_t>(blocks_[loop.joint].rows);
  }
  tree_.beside.assign(n * n, 0.0);
  for (const LinkSoft& s : soft)
    for (std::size_t p = 0; p < s.anchors.size(); ++p)
      for (std::size_t q = 0; q < s.anchors.size(); ++q) {
        const std::uint32_t of = s.anchors[p].joint, at = s.anchors[q].joint;
        const LinkBlocks &from = blocks_[of], &to = blocks_[at];
        for (std::size_t r = 0; r < static_cast<std::size_t>(from.rows); ++r) {
          const Vec3 act = (s.anchors[p].on_a ? from.act_a[r] : from.act_b[r]).head<3>();
          const Vec3 moved = scale * (s.answer(q, p) * act);
          for (std::size_t i = 0; i < static_cast<std::size_t>(to.rows); ++i)
            tree_.beside[(first[of] + r) * n + first[at] + i] +=
                moved.dot((s.anchors[q].on_a ? to.move_a[i] : to.move_b[i]).head<3>());
        }
      }
}

/// Where what deforms bends so far that it answers otherwise than at rest: Newton's method with answers that are measured, and rows that are
/// closed a part after the other, each of which begins where the last one ended; parts as long as can be.
bool Linkage::newton_by_steps(const Model& model, double h, double share, std::span<const LinkValues> guess) {
  constexpr double kShortest = 1.0 / 64;
  if (soft.empty() || endless_) return false;
  begin_part(model, h);
  begin_means(h);
  impulse_.assign(guess.begin(), guess.end());
  left_.clear();
  if (!assemble(model, h, share)) {
    impulse_.assign(joints.size(), LinkValues{});
    if (!assemble(model, h, share)) return false;
  }
  const std::vector<LinkValues> first = residual_;
  std::vector<LinkValues> impulse = impulse_;
  std::vector<LinkBody> seen = seen_;
  measured_ = true;
  double done = 0, part = 1;
  while (done < 1 && part >= kShortest) {
    const double next = std::min(1.0, done + part);
    left_ = first;
    for (LinkValues& row : left_)
      for (double& value : row) value *= 1 - next;
    if (newton(model, h, share)) {
      done = next;
      part *= 2;
      impulse = impulse_;
      seen = seen_;
    } else {
      part /= 2;
      impulse_ = impulse;
      seen_ = seen;
    }
  }
  measured_ = false;
  left_.clear();
  endless_ = done < 1;
  return !endless_;
}

/// Weights of what is sought: masses of velocities, and of λ an inverse mass, three numbers each.
void Linkage::prepare_mixing() {
  mixing_weight_.clear();
  if (soft.empty()) return;
  double mass = 0;
  for (const Member& m : member_) {
    mixing_weight_.push_back(m.mass);
    mixing_weight_.push_back(m.mass * m.reach * m.reach);
    mass += m.mass;
  }
  for (const LinkSoft& s : soft) mass += s.mass;
  mixing_weight_.resize(2 * member_.size() + kTriples * joints.size(), 1 / mass);
  mixing_memory_.resize(AndersonMixing::memory_size(3 * mixing_weight_.size()));
}

/// What is sought goes by the step in `rhs_` and `rhs_rows_`, as steps before it say.
void Linkage::mix(AndersonMixing& mixing) {
  const std::size_t n = member_.size();
  mixing_x_.assign(3 * mixing_weight_.size(), 0.0);
  mixing_step_ = mixing_x_;
  const auto at = [](std::vector<double>& x, std::size_t k) { return Eigen::Map<Vec3>(x.data() + 3 * k); };
  for (std::size_t k = 0; k < n; ++k) {
    at(mixing_x_, 2 * k) = seen_[k].velocity;
    at(mixing_x_, 2 * k + 1) = seen_[k].rate;
    at(mixing_step_, 2 * k) = rhs_[k].head<3>();
    at(mixing_step_, 2 * k + 1) = rhs_[k].tail<3>();
  }
  const auto row = [&](std::size_t j, std::size_t i) { return 3 * (2 * n + kTriples * j) + i; };
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i) {
      mixing_x_[row(j, i)] = impulse_[j][i];
      mixing_step_[row(j, i)] = rhs_rows_[j][i];
    }
  mixing.advance(mixing_x_.data(), mixing_step_.data());
  for (std::size_t k = 0; k < n; ++k) {
    seen_[k].velocity = at(mixing_x_, 2 * k);
    seen_[k].rate = at(mixing_x_, 2 * k + 1);
  }
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i) impulse_[j][i] = mixing_x_[row(j, i)];
}

std::vector<Vec3> Linkage::impulses_on(const LinkSoft& of, std::span<const LinkValues> rows) const {
  std::vector<Vec3> out;
  for (const LinkSoft::Anchor& anchor : of.anchors) {
    const LinkBlocks& g = blocks_[anchor.joint];
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < static_cast<std::size_t>(g.rows); ++i)
      sum += rows[anchor.joint][i] * (anchor.on_a ? g.act_a[i] : g.act_b[i]).head<3>();
    out.push_back(sum);
  }
  return out;
}

/// m/s, at the start of the part: of the place that is pulled, against how its target goes.
Vec3 Linkage::pull_rate(std::size_t j, double h) const {
  const std::int32_t slot = joint_ends_[j].a;
  const auto at = static_cast<std::size_t>(slot);
  Vec3 rate = Vec3::Zero();
  if (at >= first_anchor()) {
    for (std::size_t k = 0; k < soft.size(); ++k)
      if (at >= first_of_soft_[k] && at < first_of_soft_[k] + soft[k].anchors.size())
        rate = soft[k].velocity(at - first_of_soft_[k], LinkSoft::At::start);
  } else {
    const Member& m = member_[at];
    rate = m.now.momentum / m.mass;
    if (m.turns) rate += rate_of(m, m.now).cross(m.now.pose.rotation * rows_[j].place_a);
  }
  if (goes_[j]) rate += seen(slot).turned * (rows_[j].place_a - rows_[j].from_a) / h;
  for (int i = 0; i < 3; ++i) rate[i] -= lead_way(j, static_cast<std::size_t>(i)) / h;
  return rate;
}

/// Pulls that would take more than they have do so with that, in the same direction.
bool Linkage::clip_pulls(const Model& model, double h, double share) {
  if (frozen_) return true;  // they pull as they did before contacts
  bool any = false;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!is_pull(model, j)) continue;
    clipped_[j] = 0;
    const double most = h * joint_at(model, j).most_force;
    const double now = Vec3(impulse_[j][0], impulse_[j][1], impulse_[j][2]).norm();
    if (!(most > 0) || now <= most) continue;
    any = true;
    clipped_[j] = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      rows_[j].row[i].role = LinkRowRole::push;
      rows_[j].row[i].wanted = loose_impulse_[j][i] = impulse_[j][i] = most / now * impulse_[j][i];
    }
  }
  return !any || newton(model, h, share);
}

/// After all of it was led strictly: again with the given shares of the forces that this took.
bool Linkage::loosen_leads(const Model& model, double h, double share) {
  if (frozen_) return true;  // they push as they did before contacts
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!is_lead(model, j) || drive_[j].strictness >= 1) continue;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i) {
      rows_[j].row[i].role = LinkRowRole::push;
      rows_[j].row[i].wanted = loose_impulse_[j][i] = impulse_[j][i] = drive_[j].strictness * impulse_[j][i];
    }
  }
  return newton(model, h, share);
}

/// Velocities of what is led become those of its place, so far as it is strict, and of what is told to go those that it is told.
void Linkage::follow(const Model& model) {
  const bool follows =
      any_goes_ && figures.rough == 0;  // else it is not where it is told to be, and does not go as it is told
  if (!any_lead_ && !follows) return;
  for (std::size_t j = 0; j < joints.size(); ++j) rate(j, true);
  stand(model, At::end);
  for (std::size_t j = 0; j < joints.size(); ++j) rate(j, false);
  for (std::size_t k = 0; k < leads_.size(); ++k) seen_[first_lead() + k].velocity = lead_velocity_[k];
  std::vector<LinkValues> rates;
  rates_of_rows(rates);
  rhs_rows_.assign(joints.size(), LinkValues{});
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (is_lead(model, j))
      for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i) {
        rows_[j].row[i].role = LinkRowRole::hold;
        rhs_rows_[j][i] = -rates[j][i] - rows_[j].row[i].told;
      }
    else if (follows && goes_[j])
      for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i)
        if (holds(model, j, i))
          rhs_rows_[j][i] = limit_rate(model, j, i, rates_now_[j]) - rates[j][i] - rows_[j].row[i].told;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const std::int32_t b = joint_ends_[j].b;
    const bool goes = is_lead(model, j) && b >= 0 && static_cast<std::size_t>(b) < first_lead();
    if (goes)
      Eigen::Map<Vec3>(rhs_rows_[j].data()) += seen(b).end * drive_[j].velocity_b;  // its place goes on that body
  }
  make_symmetric(model);
  if (!factor_again(model, true)) return;
  rhs_.assign(member_.size(), Vec6::Zero());
  tree_.solve(rhs_, rhs_rows_);
  double work = 0, driven = 0;  // all of it; of what is told
  const auto add_driven = [&] {
    for (std::size_t j = 0; j < joints.size() && any_goes_; ++j)
      for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i)
        if (!is_lead(model, j) && goes_[j] && holds(model, j, i)) driven += 0.5 * rhs_rows_[j][i] * moving_rate(j, i);
  };
  add_driven();
  for (std::size_t n = 0; n < member_.size(); ++n) {
    Member& m = member_[n];
    const Vec6 answer = own_[n] * rhs_[n];
    work += seen_[n].velocity.dot(answer.head<3>()) + 0.5 * rhs_[n].dot(answer);
    if (m.turns) work += seen_[n].rate.dot(answer.tail<3>());
    m.end.momentum += answer.head<3>();
    if (m.turns) m.end.angular_momentum += answer.tail<3>();
  }
  for (std::size_t k = 0; k < soft.size(); ++k) {
    const std::vector<Vec3> impulses = impulses_on(soft[k], rhs_rows_);
    for (std::size_t i = 0; i < impulses.size(); ++i)
      work += 0.5 * impulses[i].dot(soft[k].velocity(i, LinkSoft::At::end));
    work -= push_soft(model, k, LinkSoft::At::end, impulses);
    for (std::size_t i = 0; i < impulses.size(); ++i)
      work += 0.5 * impulses[i].dot(soft[k].velocity(i, LinkSoft::At::end));
  }
  for (std::size_t n = 0; n < member_.size() && any_goes_; ++n) {
    seen_[n].velocity += rhs_[n].head<3>();
    seen_[n].rate += rhs_[n].tail<3>();
  }
  if (any_goes_) see_soft(LinkSoft::At::end);
  add_driven();
  if (!any_lead_) driven = work;
  figures.motors += driven;
  figures.leads += work - driven;
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i) sum_[j][i] += rhs_rows_[j][i];
}

/// The ways that what deforms is to go first when overlaps are taken out; rows are told what these open.
void Linkage::lift_soft(const Model& model, std::span<const BodyForces> lifted, std::span<const std::uint32_t> local,
                        double share) {
  lifted_.clear();
  for (const LinkSoft& s : soft) {
    lifted_.push_back(lifted[local[s.body]].nodes);
    lifted_.back().resize(body_of(model, s).truss.nodes.size(), Vec3::Zero());
    for (Vec3& node : lifted_.back()) node *= share;
    answered_.resize(lifted_.back().size());
    s.respond(body_of(model, s), lifted_.back(), answered_);
    tell_rows(s, s.means_of(answered_));
  }
}

/// What rows must undo where anchors move so by themselves, m/s.
void Linkage::tell_rows(const LinkSoft& s, std::span<const Vec3> moved) {
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const LinkSoft::Anchor& anchor = s.anchors[i];
    const LinkBlocks& g = blocks_[anchor.joint];
    for (std::size_t r = 0; r < static_cast<std::size_t>(g.rows); ++r)
      rhs_rows_[anchor.joint][r] -= moved[i].dot((anchor.on_a ? g.move_a[r] : g.move_b[r]).head<3>());
  }
}

void Linkage::answer(std::size_t of_soft, std::span<const Vec3> moved) {
  rhs_.assign(member_.size(), Vec6::Zero());
  rhs_rows_.assign(joints.size(), LinkValues{});
  tell_rows(soft[of_soft], moved);
  tree_.solve(rhs_, rhs_rows_);
}

std::vector<Vec3> Linkage::answered_at(std::size_t of_soft) const { return impulses_on(soft[of_soft], rhs_rows_); }

}  // namespace hazumi
