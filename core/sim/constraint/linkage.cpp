#include "core/sim/constraint/linkage.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/math/anderson.h"
#include "core/math/rotation.h"
#include "core/sim/advance.h"
#include "core/sim/body/midpoint_turn.h"
#include "core/sim/body/motion.h"
#include "core/sim/body/rigid_values.h"

namespace hazumi {
namespace {

constexpr int kPasses = 40;     // of Newton's method
constexpr int kMostParts = 64;  // of a sub-step
constexpr int kGuesses = 32;    // of which one-sided rows hold
constexpr double kGift =
    1e-6;  // of Σ m v², v with h g, so that what hangs still has some: what a rope or a limit that holds the wrong way may give
constexpr double kSettled = 1e-11;  // of the speed: a step by which it is done
constexpr double kLeft = 1e-19;     // of the speed: that step times how far the matrix was off, which is what is left
constexpr double kNear = 1e-5;      // of the speed: after a step so small the matrix at hand stays for the next
// What deforms answers as at rest there, and mixing finds the rest: the matrix says the directions, and stays as long as steps become less.
constexpr double kNearMixed = 1e-2, kFewer = 0.3;
constexpr double kStalled = 1e-8;  // the same, where round-off lets it get no smaller
constexpr double kOpen = 1e-7;     // of the speed: rows that come open faster do not hold
constexpr double kMostTurn = 3;    // rad in a part
constexpr double kFastest = 1e6;   // m/s

/// N = (1 − ½[θ])⁻¹
Mat3 mean_turn(const Vec3& theta) {
  const double share = 0.25 / (1 + 0.25 * theta.squaredNorm());
  const Vec3 by = share * theta, side = 2 * by;
  const double xx = by.x() * theta.x(), yy = by.y() * theta.y(), zz = by.z() * theta.z();
  const double xy = by.x() * theta.y(), yz = by.y() * theta.z(), zx = by.z() * theta.x();
  Mat3 n;
  n << 1 - (yy + zz), xy - side.z(), zx + side.y(),  //
      xy + side.z(), 1 - (zz + xx), yz - side.x(),   //
      zx - side.y(), yz + side.x(), 1 - (xx + yy);
  return n;
}

}  // namespace

/// ω of a body that turns, as it stands, rad/s.
Vec3 Linkage::rate_of(const Member& m, const JoinedBody& at) {
  return at.pose.rotation * (m.inverse * (at.pose.rotation.conjugate() * at.angular_momentum));
}

std::size_t Linkage::node_of(std::uint32_t body) const {
  return slot_[static_cast<std::size_t>(std::lower_bound(bodies.begin(), bodies.end(), body) - bodies.begin())];
}

const LinkBody& Linkage::seen(std::int32_t slot) const {
  return slot < 0 ? world_ : seen_[static_cast<std::size_t>(slot)];
}

/// Bodies, ends and what joints remember.
void Linkage::read_start(const Model& model, const State& start, const State& state) {
  figures = JointFigures();
  resting_ = false;
  member_.resize(node_body_.size());
  seen_.resize(first_anchor() + anchor_force_.size());
  ground_.resize(ends.size());
  rows_.resize(joints.size());
  blocks_.resize(joints.size());
  residual_.resize(joints.size());
  impulse_.resize(joints.size());
  sum_.resize(joints.size());
  memory_.resize(joints.size());
  motor_rate_.resize(joints.size());
  for (std::size_t n = 0; n < node_body_.size(); ++n) {
    const Body& body = model.bodies[node_body_[n]];
    Member& m = member_[n];
    m.start = body.read_joined(start.bodies[node_body_[n]].values);
    m.mass = m.start.mass;
    m.turns = m.start.turns;
    if (m.turns && m.inertia != m.start.inertia) m.inverse = m.start.inertia.inverse();
    m.inertia = m.start.inertia;
    m.reach = m.turns ? std::sqrt(m.inertia.trace() / m.mass) : 0;
    m.push.setZero();
    m.twist.setZero();
    m.end = m.start;
    m.hangs = body.pins().has_value();
    m.now = m.start;
  }
  for (std::size_t k = 0; k < ends.size(); ++k)
    ground_[k] = {model.bodies[ends[k]].pose(start.bodies[ends[k]].values),
                  model.bodies[ends[k]].pose(state.bodies[ends[k]].values)};
  gripped_.resize(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    // Pulls, and pins while something pulls, remember nothing: they hold as they were made.
    const bool remembers = joints[j] < start.joints.size();
    memory_[j] = remembers ? start.joints[joints[j]] : JointMemory();
    if (start.substep == 0 || !remembers) memory_[j].grip = JointMemory::kAsMade;
    impulse_[j] = memory_[j].impulse;
    grip(model, j);
  }
  if (met_in_ != start.substep || met_.size() != joints.size()) met_.assign(joints.size(), 0);
  met_in_ = start.substep;
  for (std::size_t j = 0; j < joints.size(); ++j) met_[j] = met_[j] || memory_[j].limit != 0;
  memory_at_start_ = memory_;
  motions_ = {};
  frozen_ = false;
  impact_ = 0;
}

void Linkage::begin(const Model& model, const State& start, const State& state, std::span<const BodyForces> forces,
                    const JointDrives& drives) {
  begin_drives(model, drives);
  read_start(model, start, state);
  for (std::size_t n = 0; n < node_body_.size(); ++n) {
    const BodyForces& f = forces[node_body_[n]];
    member_[n].force = f.force + member_[n].mass * acceleration_of(model, f, model.bodies[node_body_[n]]);
    member_[n].torque = f.torque;
  }
  for (LinkSoft& s : soft)
    s.begin(body_of(model, s), start.bodies[s.body].values, forces[s.body],
            acceleration_of(model, forces[s.body], body_of(model, s)));
  meet(model);
  for (Member& m : member_) m.end = m.start;
  begin_means(model.step);
}

/// What stands or is led, between two shares of the sub-step.
void Linkage::place_ground(double from, double to, double h) {
  world_.turns = true;
  part_from_ = from;
  part_to_ = to;
  for (std::size_t k = 0; k < ground_.size(); ++k) {
    const Ground& g = ground_[k];
    LinkBody& body = seen_[node_body_.size() + k];
    body.moves = false;
    body.turns = true;
    const Quat q0 = g.from.rotation.slerp(from, g.to.rotation), q1 = g.from.rotation.slerp(to, g.to.rotation);
    body.from = g.from.position + from * (g.to.position - g.from.position);
    body.to = g.from.position + to * (g.to.position - g.from.position);
    body.turned = q0.toRotationMatrix();
    body.end = q1.toRotationMatrix();
    body.velocity = (body.to - body.from) / h;
    body.rate = mean_rate(q0, q1, h);
  }
  place_leads(from, to, h);
}

/// Where a body ends with the means at hand.
void Linkage::move(std::size_t n, double h) {
  LinkBody& b = seen_[n];
  b.to = b.from + h * b.velocity;
  if (!b.turns) {
    b.end = b.turned;
    return;
  }
  b.half = mean_turn(h * b.rate);
  if (!all_balls_) b.end = (2 * b.half - Mat3::Identity()) * b.turned;
}

void Linkage::begin_part(const Model& model, double h) {
  place_ground(part_from_, part_to_, h);  // what stood for an impact goes on
  for (std::size_t n = 0; n < member_.size(); ++n) {
    Member& m = member_[n];
    LinkBody& b = seen_[n];
    b.moves = true;
    b.turns = m.turns;
    b.from = m.now.pose.position;
    b.turned = m.now.pose.rotation.toRotationMatrix();
    b.velocity = m.mean_velocity;
    b.rate = m.mean_rate;
    if (m.turns) m.inertia_now = b.turned * m.inertia * b.turned.transpose();
  }
  see_soft(LinkSoft::At::start);
  all_balls_ = true;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    begin_joint(model, j, h);
    all_balls_ = all_balls_ && blocks_[j].ball;
  }
}

/// Rows of a joint, and which of its one-sided ones hold, from how bodies stand.
void Linkage::begin_joint(const Model& model, std::size_t j, double h) {
  const ModelJoint& joint = joint_at(model, j);
  LinkRows& rows = rows_[j];
  JointMemory& memory = memory_[j];
  const LinkBody &a = seen(joint_ends_[j].a), &b = seen(joint_ends_[j].b);
  tell(model, j, part_from_, part_to_);
  begin_rows(joint, a, b, memory.turn, rows);
  const bool turns = joint.kind == JointKind::hinge || joint.kind == JointKind::fixed;
  const bool simple = in_forest_[j] && !goes_[j];
  blocks_[j].ball = simple && rows.count == 3 && (turns || joint.kind == JointKind::ball);
  blocks_[j].place = simple && rows.count > 3 && turns;
  blocks_[j].rows = rows.count;
  if (joint.kind == JointKind::lead) {
    rows.place_b = joint.b < 0 || !joint.nodes_b.empty() ? Vec3(Vec3::Zero()) : drive_[j].place_b;
    rows.from_b = rows.place_b;
    if ((frozen_ || loosened_) && drive_[j].strictness < 1)
      for (std::size_t i = 0; i < 3; ++i) {
        rows.row[i].role = LinkRowRole::push;
        rows.row[i].wanted = loose_impulse_[j][i];
      }
  }
  if (joint.kind == JointKind::spring) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows.count); ++i) {
      rows.row[i].role = LinkRowRole::spring;
      rows.row[i].wanted = rows.count == 1 ? joint.length : 0;
    }
  }
  if (joint.kind == JointKind::pull) {
    rows.place_b = drive_[j].place_b;
    if (joint.b < 0) rows.place_b.setZero();
    rows.from_b = rows.place_b;
    const Vec3 rate = pull_rate(j, h);
    for (std::size_t i = 0; i < 3; ++i) {
      rows.row[i].role = LinkRowRole::pull;
      rows.row[i].wanted = 0;
      rows.row[i].rate = rate[static_cast<Eigen::Index>(i)];
      if (!frozen_ || !clipped_[j]) continue;
      rows.row[i].role = LinkRowRole::push;
      rows.row[i].wanted = loose_impulse_[j][i];
    }
  }
  if (joint.kind == JointKind::rope) {
    LinkRow& row = rows.row[0];
    row.role = memory.limit ? LinkRowRole::hold : LinkRowRole::off;
    row.wanted = std::max(joint.length, row.before + rows.most_goes);
  }
  if (rows.limit >= 0) {
    LinkRow& row = rows.row[static_cast<std::size_t>(rows.limit)];
    row.role = memory.limit ? LinkRowRole::hold : LinkRowRole::off;
    row.wanted = memory.limit < 0 ? std::min(joint.least, row.before + rows.least_goes)
                                  : std::max(joint.most, row.before + rows.most_goes);
  }
  if (rows.motor >= 0) {
    LinkRow& row = rows.row[static_cast<std::size_t>(rows.motor)];
    const double most = h * drive_[j].motor_force;
    double& impulse = impulse_[j][static_cast<std::size_t>(rows.motor)];
    impulse = std::clamp(impulse, -most, most);
    motor_rate_[j] = 0.5 * (drive_[j].motor_speed + start_rate(model, j));
    row.role = LinkRowRole::rate;
    row.wanted = motor_rate_[j];
    if (rests_on_limit(j, h) || memory.motor == kMotorAtSpeed) return;
    // What is not at its speed yet is pushed to it first.
    if (memory.motor == 0) memory.motor = drive_[j].motor_speed > start_rate(model, j) ? 1 : -1;
    row.role = LinkRowRole::push;
    row.wanted = impulse = static_cast<double>(memory.motor) * most;
  }
}

/// Rate of a motor's row at the start of a part.
double Linkage::start_rate(const Model& model, std::size_t j) const {
  const ModelJoint& joint = joint_at(model, j);
  const auto velocities = [&](std::int32_t slot) -> std::pair<Vec3, Vec3> {
    if (slot < 0) return {Vec3::Zero(), Vec3::Zero()};
    const auto at = static_cast<std::size_t>(slot);
    if (at >= member_.size()) return {seen_[at].velocity, seen_[at].rate};
    const Member& m = member_[at];
    Vec3 rate = Vec3::Zero();
    if (m.turns) rate = rate_of(m, m.now);
    return {m.now.momentum / m.mass, rate};
  };
  const LinkBody &a = seen(joint_ends_[j].a), &b = seen(joint_ends_[j].b);
  const auto [va, wa] = velocities(joint_ends_[j].a);
  const auto [vb, wb] = velocities(joint_ends_[j].b);
  const Vec3 axis = a.turned * joint.frame_a.col(2);
  if (joint.kind == JointKind::hinge) return axis.dot(wb - wa);
  const Vec3 arm_a = a.turned * joint.place_a, arm_b = b.turned * joint.place_b;
  const Vec3 apart = b.from + arm_b - a.from - arm_a;
  return axis.dot(vb + wb.cross(arm_b) - va - wa.cross(arm_a)) + apart.dot(wa.cross(axis));
}

/// Where a body goes with the means at hand, what is left of its balance without joints, and how that answers.
void Linkage::assemble_body(std::size_t n, double h, double share, bool derivatives) {
  const Member& m = member_[n];
  move(n, h);
  const LinkBody& b = seen_[n];
  Vec6& f = rhs_[n];  // what is there for the change of momentum, less that
  Mat6& k = own_[n];
  const bool whole = share == 1;
  const Vec3 push = share * m.push;
  f.head<3>() = 2 * m.now.momentum - 2 * m.mass * b.velocity + h * m.force + push;
  f.tail<3>().setZero();
  if (derivatives) {
    k.setZero();
    k.block<3, 3>(0, 0) = Vec3::Constant(2 * m.mass).asDiagonal();
    k.block<3, 3>(3, 3).setIdentity();
  }
  if (!m.turns) return;
  const Mat3& j = m.inertia_now;
  const Vec3 spin = j * b.rate;
  // (½ − ¼h [ω̄])⁻¹ = 2 N
  const Vec3 twist = 2 * (b.half * (spin - m.now.angular_momentum + 0.5 * h * b.rate.cross(spin)));
  const Vec3 centre = whole ? b.middle() : m.mean_centre;
  f.tail<3>() = h * m.torque + share * m.twist + (m.about - centre).cross(push) - twist;
  if (!derivatives) return;
  k.block<3, 3>(3, 3) = b.half * Mat3(2 * j + h * (crossed(b.rate, j) - cross_matrix(spin + 0.5 * twist)));
  if (whole) k.block<3, 3>(3, 0) = -0.5 * h * cross_matrix(push);
}

/// False: what deforms has left all bounds. `derivatives`: else only what is left of all balances.
bool Linkage::assemble(const Model& model, double h, double share, bool derivatives) {
  rhs_.resize(member_.size());
  own_.resize(member_.size());
  world_force_.setZero();
  for (std::size_t n = 0; n < member_.size(); ++n) assemble_body(n, h, share, derivatives);
  if (!soft.empty() && !step_soft(model, h)) return false;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (gear_[j][0] >= 0) continue;
    const Ends& e = joint_ends_[j];
    const auto to = [&](std::int32_t slot) -> Vec6& {
      return slot < 0 || static_cast<std::size_t>(slot) >= rhs_.size() ? world_force_
                                                                       : rhs_[static_cast<std::size_t>(slot)];
    };
    if (blocks_[j].ball)
      make_ball(seen(e.a), seen(e.b), h, derivatives, impulse_[j], rows_[j], blocks_[j].at, residual_[j], to(e.a),
                to(e.b));
    else
      make_rows(joint_at(model, j), seen(e.a), seen(e.b), h, impulse_[j], rows_[j], blocks_[j], residual_[j], to(e.a),
                to(e.b));
  }
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (gear_[j][0] >= 0) assemble_gear(model, j, h);
  return true;
}

/// turn of the first + ratio × turn of the second = 0.
void Linkage::assemble_gear(const Model& model, std::size_t j, double h) {
  LinkBlocks& out = blocks_[j];
  const double ratio = joint_at(model, j).ratio, push = impulse_[j][0];
  out.rows = 1;
  out.own_a.setZero();
  out.own_b.setZero();
  double now = 0, before = 0;
  for (int k = 0; k < 2; ++k) {
    const auto of = static_cast<std::size_t>(gear_[j][static_cast<std::size_t>(k)]);
    const ModelJoint& hinge = joint_at(model, of);
    const HingeTurn turn = hinge_turn(hinge, seen(joint_ends_[of].a), seen(joint_ends_[of].b), h, rows_[of]);
    const double factor = k ? ratio : 1;
    now += factor * turn.now;
    before += factor * rows_[of].angle;
    (k ? out.act_c : out.act_a[0]) << Vec3::Zero(), -factor * turn.axis;
    (k ? out.act_d : out.act_b[0]) << Vec3::Zero(), factor * turn.axis;
    (k ? out.move_c : out.move_a[0]) << Vec3::Zero(), factor / h * turn.by_a;
    (k ? out.move_d : out.move_b[0]) << Vec3::Zero(), factor / h * turn.by_b;
    const std::int32_t ends_of[2] = {joint_ends_[of].a, joint_ends_[of].b};
    for (int side = 0; side < 2; ++side)
      if (const std::int32_t slot = ends_of[side]; slot >= 0 && static_cast<std::size_t>(slot) < rhs_.size())
        rhs_[static_cast<std::size_t>(slot)].tail<3>() += (side ? 1 : -1) * factor * push * turn.axis;
  }
  if (memory_[j].grip == JointMemory::kTaken) {
    now -= memory_[j].place.x();
    before -= memory_[j].place.x();
  }
  rows_[j].row[0].now = now;
  rows_[j].row[0].before = before;
  residual_[j][0] = now / h;
  out.yield[0] = 0;
}

/// Rows that contradict each other leave each other open, with λ without end.
bool Linkage::closed() const {
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i)
      if (rows_[j].row[i].role == LinkRowRole::hold && !(std::abs(residual_[j][i]) <= kOpen * fast_)) return false;
  return true;
}

/// Bodies and λ from those at hand; false: it does not come to an end.
bool Linkage::newton(const Model& model, double h, double share) {
  if (!newton_giving_way(model, h, share, LinkTree::kLeastRegular)) return false;
  if (closed()) return true;
  if (soft.empty() || !left_.empty()) return !soft.empty();
  impulse_ = part_guess_;
  return newton_giving_way(model, h, share, LinkTree::kContradicting);
}

/// `regular`: what rows of loops are let off.
bool Linkage::newton_giving_way(const Model& model, double h, double share, double regular) {
  rhs_rows_.resize(joints.size());
  double last = 1e300;
  tree_.regular = regular;
  // What deforms under great forces answers otherwise than at rest: a few directions of that, which mixing finds.
  prepare_mixing();
  AndersonMixing mixing(mixing_weight_, mixing_memory_.data());
  const bool mixed = !soft.empty() && !measured_;
  bool near = false;  // the matrix at hand will do
  double gone = 0;    // m/s, since it was made
  for (int pass = 0; pass < kPasses; ++pass) {
    ++figures.passes;
    if (!assemble(model, h, share, !near)) return false;
    if (!near) {
      if (!measured_)
        couple_by_step();
      else if (!measure_answers(model, h))
        return false;
      if (!tree_.factor(own_, blocks_)) return false;
      gone = 0;
    }
    for (std::size_t j = 0; j < joints.size(); ++j)
      for (std::size_t i = 0; i < kMostLinkRows; ++i)
        rhs_rows_[j][i] = (left_.empty() ? 0.0 : left_[j][i]) - residual_[j][i];
    tree_.solve(rhs_, rhs_rows_, impulse_);
    double step = 0, fast = 0;
    for (std::size_t n = 0; n < member_.size(); ++n) {
      LinkBody& b = seen_[n];
      const double reach = member_[n].reach;
      if (!mixed) {
        b.velocity += rhs_[n].head<3>();
        b.rate += rhs_[n].tail<3>();
      }
      step = std::max(step, rhs_[n].head<3>().norm() + reach * rhs_[n].tail<3>().norm());
      fast = std::max(fast, b.velocity.norm() + reach * b.rate.norm());
      if (!(h * b.rate.norm() < kMostTurn)) return false;
    }
    if (!mixed) {
      for (std::size_t j = 0; j < joints.size(); ++j)
        for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i) impulse_[j][i] += rhs_rows_[j][i];
    }
    for (const LinkSoft& s : soft) {
      const std::vector<Vec3> more = impulses_on(s, rhs_rows_);
      for (std::size_t i = 0; i < s.anchors.size(); ++i) {
        Vec3 moved = Vec3::Zero();
        for (std::size_t k = 0; k < s.anchors.size(); ++k) moved += 0.5 * s.answer(i, k) * more[k];
        step = std::max(step, moved.norm());
        fast = std::max(fast, (s.place(i, LinkSoft::At::end) - s.place(i, LinkSoft::At::start)).norm() / h);
      }
    }
    if (!std::isfinite(step) || !(fast < kFastest)) return false;
    fast_ = fast + model.gravity.norm() * h;
    gone += step;
    const bool stalled = !near && step <= kStalled * fast_ && step >= last;
    if (stalled || (step <= kSettled * fast_ && step * gone <= kLeft * fast_ * fast_)) {
      if (mixed) mix(mixing);
      return assemble(model, h, share, false);
    }
    if (mixed) mix(mixing);
    near = mixed ? step <= kNearMixed * fast_ && step < kFewer * last
                 : soft.empty() && step <= kNear * fast_ && step < 0.1 * last;
    last = step;
  }
  return false;
}

/// Velocities from which Newton's method begins.
void Linkage::begin_means(double h) {
  for (Member& m : member_) {
    m.mean_velocity = (m.now.momentum + 0.5 * h * m.force) / m.mass;
    m.mean_rate.setZero();
    if (m.turns) m.mean_rate = rate_of(m, m.now);
  }
}

bool Linkage::advance_part(const Model& model, double h, double share) {
  part_guess_ = impulse_;
  loosened_ = false;
  for (int guess = 0; guess < kGuesses; ++guess) {
    begin_part(model, h);
    if (!newton(model, h, share) && !newton_by_steps(model, h, share, part_guess_)) return false;
    if (loose_ && !loosened_ && !loosen_leads(model, h, share)) return false;
    loosened_ = loose_;
    if (!clip_pulls(model, h, share)) return false;
    const bool passed = guess_again(model, guess);
    if (frozen_ && share == 1) {
      if (!passed) {
        const std::vector<JointMemory> now = memory_;
        asks_ = guess_motors(h, 0);
        asked_memory_ = memory_;
        memory_ = now;
        break;
      }
    } else if (!guess_motors(h, guess) && !passed) {
      break;
    }
    if (guess + 1 == kGuesses) return false;
    if (any_struck_) strike(model, share == 1);
    begin_means(h);
    impulse_ = part_guess_;
  }
  end_part(model, h, share);
  return true;
}

void Linkage::advance(const Model& model, std::span<const BodyForces> pushed, std::span<BodyMotion> motions,
                      State& state) {
  const double h = model.step;
  const JointFigures was = figures;
  motor_rate_.resize(joints.size());
  motions_ = motions;
  if (!motions.empty())
    for (LinkSoft& s : soft) s.set_pushed(pushed[s.body].nodes);
  for (std::size_t n = 0; n < member_.size(); ++n) {
    Member& m = member_[n];
    m.mean_centre = 0.5 * (m.start.pose.position + m.end.pose.position);
    if (motions.empty()) continue;
    m.push = pushed[node_body_[n]].push;
    m.twist = pushed[node_body_[n]].twist;
    m.about = motions[node_body_[n]].origin;
  }
  const std::vector<JointMemory>& memory = memory_at_start_;
  guess_ = impulse_;
  bool good = false, was_torn = false;
  for (int parts = 1; parts <= (soft.empty() ? kMostParts : 1) && !good && !was_torn; parts *= 2) {
    figures = was;
    figures.parts = parts;
    figures.motors = figures.springs = figures.leads = 0;
    figures.rough = figures.stayed = 0;  // of the last time that the sub-step is made
    figures.met = impact_;
    if (parts > 1) memory_ = memory;
    pull_work_.assign(joints.size(), 0.0);
    for (std::size_t j = 0; j < joints.size(); ++j) {
      memory_[j].turn = memory[j].turn;
      sum_[j] = LinkValues{};
      impulse_[j] = guess_[j];
      for (double& value : impulse_[j]) value = parts < 4 ? value / parts : 0.0;
    }
    for (Member& m : member_) {
      m.now = m.start;
      m.end_velocity.setZero();
      m.end_rate.setZero();
    }
    if (parts > 1) begin_means(h / parts);
    good = true;
    for (int part = 0; part < parts && good; ++part) {
      place_ground(double(part) / parts, double(part + 1) / parts, h / parts);
      good = advance_part(model, h / parts, 1.0 / parts) &&
             (parts == kMostParts || !soft.empty() || gifts_ <= kGift * moves_);
      was_torn = good && part == 0 && soft.empty() && torn(model);
      good = good && !was_torn;
      for (std::size_t n = 0; n < member_.size(); ++n) {
        member_[n].mean_velocity = seen_[n].velocity;
        member_[n].mean_rate = seen_[n].rate;
      }
    }
  }
  if (!good && soft.empty())
    advance_roughly(model, h);
  else if (!good)
    stay(model);
  for (const LinkSoft& s : soft) state.bodies[s.body].values = s.end;
  for (std::size_t n = 0; n < member_.size(); ++n) {
    Member& m = member_[n];
    m.mean_velocity = m.end_velocity;
    m.mean_rate = m.end_rate;
    m.end = m.now;
    if (figures.parts == 1) m.mean_centre = 0.5 * (m.start.pose.position + m.end.pose.position);
    model.bodies[node_body_[n]].write_joined(m.end, state.bodies[node_body_[n]].values);
  }
  for (std::size_t j = 0; j < joints.size(); ++j) impulse_[j] = sum_[j];
  figures.pulls = std::accumulate(pull_work_.begin(), pull_work_.end(), 0.0);
}

void Linkage::freeze() {
  frozen_ = true;
  asks_ = false;
}

bool Linkage::thaw() {
  if (!frozen_ || !asks_ || figures.parts != 1) return false;
  asks_ = false;
  memory_ = asked_memory_;
  return true;
}

void Linkage::fill(std::uint32_t body, BodyMotion& motion) const {
  const Member& m = member_[node_of(body)];
  motion.linear_mean = m.mean_velocity;
  if (m.turns) motion.angular_mean = m.mean_rate;
  motion.linear_start = m.start.momentum / m.mass;
  if (m.turns)
    motion.angular_start = world_inertia(m.inertia, m.start.pose.rotation).inverse() * m.start.angular_momentum;
  motion.origin = m.mean_centre;
  if (!m.hangs) return;
  // Its pins are rows of this linkage.
  motion.moves = true;
  motion.inverse_mass = 1 / m.mass;
  motion.inverse_inertia = world_inertia(m.inertia, half_way(m.start.pose.rotation, m.end.pose.rotation)).inverse();
}

}  // namespace hazumi
