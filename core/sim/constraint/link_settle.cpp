// What comes to a linkage after its sub-step: velocities against its joints, forces, what breaks; how it answers to impulses, and how
// it is moved as a whole when overlaps are taken out. All of it with the symmetric system
//
//   ( M   −Gᵀ ) ( δu )   ( f )
//   ( G    D  ) ( λ  ) = ( c )
#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"
#include "core/sim/body/motion.h"
#include "core/sim/body/rigid_values.h"
#include "core/sim/constraint/linkage.h"

namespace hazumi {
namespace {

constexpr double kRings = 1e-3;      // of the speed: what goes to and fro by less stays
constexpr double kShock = 0.2;       // of the speed: what begins so much against its joints is an impact
constexpr double kStill = 1e-10;     // m/s or rad/s
constexpr double kRedundant = 1e-8;  // LinkTree::regular, where rows that say the same need not agree
constexpr int kClosings = 20;
constexpr double kClosed = 1e-13;  // m
constexpr double kShut = 1e-10;    // m: what is taken out of an overlap opens no joint by more
constexpr double kAside = 0.5;     // of the way that it begins to go: closing joints leads it no farther aside
constexpr int kShiftHalvings = 8;  // of that way

}  // namespace

/// All bodies as they stand, with velocities as at that time: rows made then are G there.
void Linkage::stand_bodies(const Model& model, At when) {
  const double h = model.step;
  for (std::size_t n = 0; n < member_.size(); ++n) {
    const Member& m = member_[n];
    const JoinedBody& at = when == At::start ? m.start : when == At::now ? m.now : m.end;
    LinkBody& b = seen_[n];
    b.moves = true;
    b.turns = m.turns;
    b.from = b.to = at.pose.position;
    b.turned = b.end = at.pose.rotation.toRotationMatrix();
    b.half.setIdentity();
    b.velocity = at.momentum / m.mass;
    if (m.turns) b.rate = rate_of(m, at);
  }
  if (when != At::now) place_ground(0, 1, h);  // else as it goes in this part
  see_soft(when == At::end ? LinkSoft::At::end : LinkSoft::At::start);
  for (std::size_t k = member_.size(); k < first_anchor(); ++k) {
    LinkBody& b = seen_[k];
    if (when == At::end) {
      b.from = b.to;
      b.turned = b.end;
    } else {
      b.to = b.from;
      b.end = b.turned;
    }
    b.half.setIdentity();
  }
}

/// Masses of bodies as they stand.
void Linkage::weigh_bodies() {
  for (std::size_t n = 0; n < member_.size(); ++n) {
    const Member& m = member_[n];
    own_[n].setZero();
    own_[n].block<3, 3>(0, 0) = m.mass * Mat3::Identity();
    own_[n].block<3, 3>(3, 3).setIdentity();
    if (m.turns) own_[n].block<3, 3>(3, 3) = seen_[n].end * m.inertia * seen_[n].end.transpose();
  }
}

void Linkage::stand(const Model& model, At when) {
  const double h = model.step;
  stand_bodies(model, when);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (blocks_[j].ball) {
      stand_ball(seen(joint_ends_[j].a), seen(joint_ends_[j].b), rows_[j], blocks_[j].at);
      continue;
    }
    Vec6 ignored = Vec6::Zero();
    if (gear_[j][0] >= 0) continue;
    rows_[j].angle = memory_[j].turn;
    if (goes_[j]) {
      const double at = when == At::start ? 0 : when == At::now ? part_from_ : 1;
      tell(model, j, at, at);
    }
    make_rows(joint_at(model, j), seen(joint_ends_[j].a), seen(joint_ends_[j].b), h, LinkValues{}, rows_[j], blocks_[j],
              residual_[j], ignored, ignored);
  }
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (gear_[j][0] >= 0) {
      impulse_[j][0] = 0;
      assemble_gear(model, j, h);
    }
}

bool Linkage::is_met(const Model& model, std::size_t j, std::size_t row) const {
  return static_cast<int>(row) == rows_[j].limit || joint_at(model, j).kind == JointKind::rope;
}

/// The row keeps something from moving.
bool Linkage::holds(const Model& model, std::size_t j, std::size_t row) const {
  return rows_[j].row[row].role == LinkRowRole::hold && joint_at(model, j).kind != JointKind::spring;
}

/// G u, of bodies as they stand.
void Linkage::rates_of_rows(std::vector<LinkValues>& out) const {
  out.assign(joints.size(), LinkValues{});
  const auto of = [&](std::int32_t slot, const Vec6& act) {
    if (slot < 0) return 0.0;
    const LinkBody& b = seen_[static_cast<std::size_t>(slot)];
    return act.head<3>().dot(b.velocity) + act.tail<3>().dot(b.rate);
  };
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const LinkBlocks& g = blocks_[j];
    if (g.ball) {
      const LinkBody &a = seen(joint_ends_[j].a), &b = seen(joint_ends_[j].b);
      Eigen::Map<Vec3>(out[j].data()) = a.velocity + a.rate.cross(g.at.arm_a) - b.velocity - b.rate.cross(g.at.arm_b);
      continue;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(g.rows); ++i)
      out[j][i] = of(joint_ends_[j].a, g.act_a[i]) + of(joint_ends_[j].b, g.act_b[i]);
    if (gear_[j][0] >= 0)
      out[j][0] += of(joint_ends_[static_cast<std::size_t>(gear_[j][1])].a, g.act_c) +
                   of(joint_ends_[static_cast<std::size_t>(gear_[j][1])].b, g.act_d);
  }
}

/// C = G of rows that hold; others do nothing.
void Linkage::make_symmetric(const Model& model) {
  for (std::size_t j = 0; j < joints.size(); ++j) {
    LinkBlocks& g = blocks_[j];
    if (g.ball || g.place) {
      g.at.turn_a = -cross_matrix(g.at.arm_a);
      g.at.turn_b = -cross_matrix(g.at.arm_b);
    }
    if (g.ball) {
      g.at.own_a.setZero();
      g.at.own_b.setZero();
      continue;
    }
    g.own_a.setZero();
    g.own_b.setZero();
    g.a_by_b.setZero();
    g.b_by_a.setZero();
    for (std::size_t i = 0; i < static_cast<std::size_t>(g.rows); ++i) {
      const bool held = holds(model, j, i);
      g.yield[i] = held ? 0 : 1;
      if (held) {
        g.move_a[i] = g.act_a[i];
        g.move_b[i] = g.act_b[i];
      } else {
        g.move_a[i].setZero();
        g.move_b[i].setZero();
      }
    }
    g.move_c = g.act_c;
    g.move_d = g.act_d;
  }
}

bool Linkage::factor_again(const Model& model, bool by_masses) {
  weigh_bodies();
  by_masses ? couple_by_masses(model) : couple_where_it_is();
  tree_.regular = kRedundant;
  return tree_.factor(own_, blocks_);
}

/// Impulses at its anchors, at once; J, what that takes of it beyond what its masses say.
double Linkage::push_soft(const Model& model, std::size_t k, LinkSoft::At when, std::span<const Vec3> impulses) {
  LinkSoft& s = soft[k];
  const Body& body = body_of(model, s);
  const double before = s.stored_energy(body, when);
  double work = 0;
  for (std::size_t i = 0; i < impulses.size(); ++i) work += 0.5 * impulses[i].dot(s.velocity(i, when));
  s.push(body, when, impulses);
  if (!body.stores_motion(s.end)) return 0;
  for (std::size_t i = 0; i < impulses.size(); ++i) work += 0.5 * impulses[i].dot(s.velocity(i, when));
  return before + work - s.stored_energy(body, when);
}

/// The impulses of rows that change their rates by what is in `rhs_rows_`, on bodies as they stand; no more of it than costs no
/// energy. `keep`: what energy that takes is given back to the motion within the linkage.
bool Linkage::push_rows(const Model& model, At when, bool keep) {
  make_symmetric(model);
  if (!factor_again(model, true)) return false;
  rhs_.assign(member_.size(), Vec6::Zero());
  tree_.solve(rhs_, rhs_rows_);
  double linear = 0, square = 0;
  const LinkSoft::At of_soft = when == At::end ? LinkSoft::At::end : LinkSoft::At::start;
  std::vector<std::vector<Vec3>> pushes;
  for (const LinkSoft& s : soft) {
    pushes.push_back(impulses_on(s, rhs_rows_));
    for (std::size_t i = 0; i < s.anchors.size(); ++i) {
      linear += s.velocity(i, of_soft).dot(pushes.back()[i]);
      for (std::size_t k = 0; k < s.anchors.size(); ++k)
        square += 0.5 * pushes.back()[i].dot(s.answer(i, k) * pushes.back()[k]);
    }
  }
  for (std::size_t n = 0; n < member_.size(); ++n) {
    const Vec6 answer = own_[n] * rhs_[n];
    linear += seen_[n].velocity.dot(answer.head<3>());
    if (member_[n].turns) linear += seen_[n].rate.dot(answer.tail<3>());
    square += 0.5 * rhs_[n].dot(answer);
  }
  if (!(linear < 0) || !(square > 0)) return false;
  const double share = std::min(1.0, -linear / square * (1 - 1e-12));
  double taken = -share * linear - share * share * square;
  for (std::size_t n = 0; n < member_.size(); ++n) {
    seen_[n].velocity += share * rhs_[n].head<3>();
    if (member_[n].turns) seen_[n].rate += share * rhs_[n].tail<3>();
  }
  for (std::size_t k = 0; k < soft.size(); ++k) {
    for (Vec3& push : pushes[k]) push *= share;
    taken += push_soft(model, k, of_soft, pushes[k]);
  }
  const double gone = keep ? taken - give_back(model, taken) : taken;
  (when == At::end ? figures.met : impact_) += gone;
  for (std::size_t n = 0; n < member_.size(); ++n) {
    JoinedBody& to = when == At::start ? member_[n].start : when == At::now ? member_[n].now : member_[n].end;
    to.momentum = member_[n].mass * seen_[n].velocity;
    if (member_[n].turns) to.angular_momentum = own_[n].block<3, 3>(3, 3) * seen_[n].rate;
  }
  return true;
}

/// `energy` (J) to all that moves beside the motion of the whole, which keeps momenta and joints; how much of it could be given.
double Linkage::give_back(const Model& model, double energy) {
  for (std::size_t k = member_.size(); k < first_anchor(); ++k) {
    const LinkBody& end = seen_[k];
    if (k >= first_lead() && is_pull(model, leads_[k - first_lead()])) continue;  // it holds nothing
    if (end.velocity != Vec3::Zero() || end.rate != Vec3::Zero()) return 0;       // what leads goes on as it went
  }
  Vec3 centre = Vec3::Zero(), momentum = Vec3::Zero(), spin = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  double mass = 0;
  const auto inertia_of = [&](std::size_t n) -> Mat3 {
    return member_[n].turns ? Mat3(own_[n].block<3, 3>(3, 3)) : Mat3(Mat3::Zero());
  };
  Vec3 velocity = Vec3::Zero(), turn = Vec3::Zero();
  if (free) {
    for (std::size_t n = 0; n < member_.size(); ++n) {
      mass += member_[n].mass;
      centre += member_[n].mass * seen_[n].from;
      momentum += member_[n].mass * seen_[n].velocity;
    }
    for (const LinkSoft& s : soft) {
      const Observables o = s.observe_end(body_of(model, s));
      mass += o.mass;
      centre += o.mass * o.centre;
      momentum += o.momentum;
    }
    centre /= mass;
    for (std::size_t n = 0; n < member_.size(); ++n) {
      const Vec3 arm = seen_[n].from - centre;
      spin += member_[n].mass * arm.cross(seen_[n].velocity) + inertia_of(n) * seen_[n].rate;
      inertia += inertia_of(n) - member_[n].mass * skew(arm) * skew(arm);
    }
    for (const LinkSoft& s : soft) s.add_moments(body_of(model, s), centre, spin, inertia);
    velocity = momentum / mass;
    turn = inertia.inverse() * spin;
    if (!turn.allFinite()) return 0;
  }
  double inner = 0;
  for (std::size_t n = 0; n < member_.size(); ++n) {
    const Vec3 v = seen_[n].velocity - velocity - turn.cross(seen_[n].from - centre), w = seen_[n].rate - turn;
    inner += 0.5 * member_[n].mass * v.squaredNorm() + 0.5 * w.dot(inertia_of(n) * w);
  }
  for (const LinkSoft& s : soft) inner += s.energy_beside(body_of(model, s), velocity, turn, centre);
  if (!(inner > energy)) return 0;
  const double factor = std::sqrt(1 + energy / inner);
  for (LinkSoft& s : soft) s.scale_beside(body_of(model, s), velocity, turn, centre, factor);
  for (std::size_t n = 0; n < member_.size(); ++n) {
    const Vec3 whole = velocity + turn.cross(seen_[n].from - centre);
    seen_[n].velocity = whole + factor * (seen_[n].velocity - whole);
    seen_[n].rate = turn + factor * (seen_[n].rate - turn);
  }
  return energy;
}

/// At the start: velocities that go against joints.
void Linkage::meet(const Model& model) {
  own_.resize(member_.size());
  rhs_rows_.assign(joints.size(), LinkValues{});
  stand_bodies(model, At::start);
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (memory_[j].grip == JointMemory::kLoose) take_hold(model, j);
  tell_gears(model);
  for (std::size_t j = 0; j < joints.size(); ++j) begin_joint(model, j, model.step);
  stand(model, At::start);
  rates_of_rows(start_rates_);
  start_rates_hold_ = true;
  double fast = 0, most = 0;
  for (std::size_t n = 0; n < member_.size(); ++n)
    fast = std::max(fast, seen_[n].velocity.norm() + member_[n].reach * seen_[n].rate.norm());
  for (std::size_t k = first_anchor(); k < seen_.size(); ++k) fast = std::max(fast, seen_[k].velocity.norm());
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i) {
      if (!blocks_[j].ball && (!holds(model, j, i) || is_lead(model, j) || goes_[j])) continue;
      rhs_rows_[j][i] = -start_rates_[j][i];
      most = std::max(most, std::abs(start_rates_[j][i]));
    }
  if (most > kShock * fast + kStill && push_rows(model, At::start, false)) start_rates_hold_ = false;
  for (Member& m : member_) m.now = m.start;
}

/// Limits that are met and ropes that become taut within a part: an impact without a bounce, at its start. `whole`: the part is the
/// sub-step.
void Linkage::strike(const Model& model, bool whole) {
  stand(model, At::now);
  rates_of_rows(rates_);
  rhs_rows_.assign(joints.size(), LinkValues{});
  bool any = false;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (struck_[j] == 0) continue;
    const std::size_t at = rows_[j].limit >= 0 ? static_cast<std::size_t>(rows_[j].limit) : 0;
    rows_[j].row[at].role = LinkRowRole::hold;
    // What a limit does that comes to meet it is work of what moves that: the part does it.
    const double side = static_cast<double>(struck_[j]);
    const double away = goes_[j] ? std::max(0.0, side * limit_rate(model, j, at, rates_before_[j])) : 0.0;
    if (side * rates_[j][at] <= away) continue;  // it comes there by what happens in the part
    rhs_rows_[j][at] = side * away - rates_[j][at];
    any = true;
  }
  if (!any || !push_rows(model, At::now, false) || !whole) return;
  for (Member& m : member_) m.start = m.now;
  start_rates_hold_ = false;
}

void Linkage::settle(const Model& model, double h, State& state) {
  if (!frozen_)  // else contacts have done that
    for (const LinkSoft& s : soft) body_of(model, s).calm(state.bodies[s.body].values, soft_workspace_);
  read_end(model, state);
  own_.resize(member_.size());
  follow(model);
  read_forces(model, h);
  settle_rates(model);
  for (std::size_t n = 0; n < member_.size(); ++n)
    model.bodies[node_body_[n]].write_joined(member_[n].end, state.bodies[node_body_[n]].values);
  for (const LinkSoft& s : soft) state.bodies[s.body].values = s.end;
}

/// What goes to and fro in rows that hold, and what goes on against limits.
void Linkage::settle_rates(const Model& model) {
  if (!start_rates_hold_) {
    stand(model, At::start);
    rates_of_rows(start_rates_);
  }
  stand(model, At::end);
  rates_of_rows(rates_);
  bool rings = false, met = false;
  rhs_rows_.assign(joints.size(), LinkValues{});
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i) {
      const bool ball = blocks_[j].ball;
      if (!ball && (!holds(model, j, i) || is_lead(model, j) || goes_[j])) continue;
      const bool limit = !ball && is_met(model, j, i);
      rhs_rows_[j][i] = limit ? -rates_[j][i] : -0.5 * (rates_[j][i] - start_rates_[j][i]);
      met = met || (limit && std::abs(rates_[j][i]) > kStill);
      rings = rings || (!limit && std::abs(rhs_rows_[j][i]) > kRings * fast_ + kStill);
    }
  if (rings || met) push_rows(model, At::end, !met);
}

void Linkage::read_forces(const Model& model, double h) {
  readings.clear();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const ModelJoint& joint = joint_at(model, j);
    const LinkRows& rows = rows_[j];
    JointReading reading;
    reading.joint = joint.id;
    reading.work = pull_work_[j];
    double force = 0, torque = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows.count); ++i) {
      const double square = sum_[j][i] * sum_[j][i];
      const bool along = joint.kind == JointKind::slider ? i < 2 || i >= 5 : joint.kind != JointKind::gear && i < 3;
      (along ? force : torque) += square;
    }
    reading.force = std::sqrt(force) / h;
    reading.torque = std::sqrt(torque) / h;
    if (blocks_[j].ball)
      reading.pull = Vec3(sum_[j][0], sum_[j][1], sum_[j][2]) / h;
    else if (joint.kind != JointKind::slider && joint.kind != JointKind::gear)
      for (std::size_t i = 0; i < static_cast<std::size_t>(blocks_[j].rows) && i < 3; ++i)
        if (blocks_[j].act_a[i].head<3>() != Vec3::Zero())
          reading.pull += sum_[j][i] / h * blocks_[j].act_a[i].head<3>();
    if (joint.kind == JointKind::hinge) reading.way = memory_[j].turn;
    if (joint.kind == JointKind::spring || joint.kind == JointKind::rope) reading.way = rows.row[0].now;
    if (joint.kind == JointKind::pull) reading.way = Vec3(rows.row[0].now, rows.row[1].now, rows.row[2].now).norm();
    if (joint.kind == JointKind::slider) {
      const LinkBody &a = seen(joint_ends_[j].a), &b = seen(joint_ends_[j].b);
      const Vec3 apart = b.to + b.end * joint.place_b - a.to - a.end * joint.place_a;
      reading.way = apart.dot(a.end * joint.frame_a.col(2));
    }
    if (joint.break_force > 0 && std::max(reading.force, reading.torque) > joint.break_force) memory_[j].broken = true;
    reading.broken = memory_[j].broken;
    reading.met = met_[j] != 0;
    if (!joint.pins) readings.push_back(reading);
  }
}

void Linkage::leave(State& state) const {
  for (std::size_t j = 0; j < joints.size() && joints[j] < state.joints.size(); ++j) {
    JointMemory& to = state.joints[joints[j]];
    to = memory_[j];
    to.impulse = memory_[j].broken ? LinkValues{} : sum_[j];
  }
}

bool Linkage::prepare_answers(const Model& model, std::span<const BodyMotion> motions) {
  const double h = model.step;
  make_symmetric(model);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const ModelJoint& joint = joint_at(model, j);
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i) {
      const LinkRowRole role = rows_[j].row[i].role;
      const bool pull = role == LinkRowRole::pull;
      const double answer = pull ? pull_answer(joint, h) : h * (0.5 * h * joint.stiffness + joint.damping);
      if (role != LinkRowRole::rate && !(pull || (role == LinkRowRole::spring && answer > 0))) continue;
      blocks_[j].yield[i] = role == LinkRowRole::rate ? 0 : 2 / answer;
      blocks_[j].move_a[i] = blocks_[j].act_a[i];
      blocks_[j].move_b[i] = blocks_[j].act_b[i];
    }
  }
  for (std::size_t n = 0; n < member_.size(); ++n) {
    own_[n].setZero();
    own_[n].block<3, 3>(0, 0) = member_[n].mass * Mat3::Identity();
    own_[n].block<3, 3>(3, 3).setIdentity();
    if (member_[n].turns) own_[n].block<3, 3>(3, 3) = motions[node_body_[n]].inverse_inertia.inverse();
  }
  couple(1);
  tree_.regular = kRedundant;
  return tree_.factor(own_, blocks_);
}

void Linkage::answer(std::uint32_t body, const Vec6& impulse) {
  rhs_.assign(member_.size(), Vec6::Zero());
  rhs_rows_.assign(joints.size(), LinkValues{});
  rhs_[node_of(body)] = impulse;
  tree_.solve(rhs_, rhs_rows_);
}

/// A one-sided row that has been passed by what moved its bodies.
void Linkage::take_hold_beyond(const Model& model, std::size_t j, std::size_t i) {
  if (!is_met(model, j, i) || rows_[j].row[i].role != LinkRowRole::off) return;
  const ModelJoint& joint = joint_at(model, j);
  LinkRow& row = rows_[j].row[i];
  const bool rope = joint.kind == JointKind::rope;
  const double most = std::max(rope ? joint.length : joint.most, row.before + rows_[j].most_goes);
  const double least = rope ? -1 : std::min(joint.least, row.before + rows_[j].least_goes);
  if (row.now <= most + kClosed && row.now >= least - kClosed) return;
  met_[j] = 1;
  row.role = LinkRowRole::hold;
  row.wanted = row.now > most ? most : least;
}

/// Positions until joints are closed, as little as masses let it be; `rhs_` is the way that bodies are to go first. How far
/// joints stay apart, m or rad.
double Linkage::close(const Model& model, At when) {
  const auto pose = [&](std::size_t n) -> Pose& { return when == At::end ? member_[n].end.pose : member_[n].now.pose; };
  std::vector<Pose> best(member_.size());
  double least = 1e300;
  std::vector<std::vector<double>> soft_best(soft.size());
  first_way_.resize(member_.size());
  for (int pass = 0; pass <= kClosings; ++pass) {
    tree_.solve(rhs_, rhs_rows_);
    for (std::size_t n = 0; n < member_.size() && pass == 0; ++n) first_way_[n] = rhs_[n].head<3>();
    for (std::size_t k = 0; k < soft.size(); ++k)
      soft[k].shift(body_of(model, soft[k]), impulses_on(soft[k], rhs_rows_),
                    pass == 0 ? std::span<const Vec3>(lifted_[k]) : std::span<const Vec3>());
    for (std::size_t n = 0; n < member_.size(); ++n) {
      pose(n).position += rhs_[n].head<3>();
      pose(n).rotation = rotated(pose(n).rotation, rhs_[n].tail<3>());
      rhs_[n].setZero();
    }
    stand(model, when);
    double apart = 0;
    for (std::size_t j = 0; j < joints.size(); ++j)
      for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i) {
        LinkRow& row = rows_[j].row[i];
        take_hold_beyond(model, j, i);
        rhs_rows_[j][i] = holds(model, j, i) ? row.wanted - row.now : 0.0;
        apart = std::max(apart, std::abs(rhs_rows_[j][i]));
      }
    if (!(apart < least)) break;
    least = apart;
    for (std::size_t n = 0; n < member_.size(); ++n) best[n] = pose(n);
    for (std::size_t k = 0; k < soft.size(); ++k) soft_best[k] = soft[k].end;
    if (apart < kClosed) break;
    make_symmetric(model);
    if (!factor_again(model, false)) break;
  }
  for (std::size_t n = 0; n < member_.size(); ++n) pose(n) = best[n];
  for (std::size_t k = 0; k < soft.size(); ++k) soft[k].finish(body_of(model, soft[k]), soft_best[k]);
  stand(model, when);
  return least;
}

/// Joints may lead bodies another way than they begin to: less of it then.
void Linkage::shift(const Model& model, std::span<const BodyForces> lifted, std::span<const std::uint32_t> local,
                    State& state) {
  double share = 1;
  for (int half = 0; half < kShiftHalvings; ++half, share *= 0.5)
    if (shift_by(model, lifted, local, share, state)) break;
  for (const LinkSoft& s : soft) state.bodies[s.body].values = s.end;
  for (std::size_t n = 0; n < member_.size(); ++n)
    model.bodies[node_body_[n]].write_joined(member_[n].end, state.bodies[node_body_[n]].values);
}

/// False: it cannot go there in one piece, or comes elsewhere.
bool Linkage::shift_by(const Model& model, std::span<const BodyForces> lifted, std::span<const std::uint32_t> local,
                       double share, const State& state) {
  read_end(model, state);
  for (LinkSoft& s : soft) s.see_end(body_of(model, s));
  stand(model, At::end);
  make_symmetric(model);
  if (!factor_again(model, false)) return true;
  for (std::size_t n = 0; n < member_.size(); ++n) {
    const BodyForces& f = lifted[local[node_body_[n]]];
    rhs_[n] << share * f.push, (member_[n].turns ? Vec3(share * f.twist) : Vec3(Vec3::Zero()));
  }
  rhs_rows_.assign(joints.size(), LinkValues{});
  lift_soft(model, lifted, local, share);
  std::vector<Pose> before;
  for (const Member& m : member_) before.push_back(m.end.pose);
  std::vector<std::vector<double>> soft_before;
  for (const LinkSoft& s : soft) soft_before.push_back(s.end);
  bool good = close(model, At::end) < kShut;
  double way = 0, astray = 0;
  for (std::size_t n = 0; n < member_.size(); ++n) {
    const Vec3 gone = member_[n].end.pose.position - before[n].position;
    way = std::max(way, first_way_[n].norm());
    astray = std::max(astray, (gone - first_way_[n]).norm());
  }
  good = good && astray <= kAside * way + kShut;
  if (good) return true;
  for (std::size_t n = 0; n < member_.size(); ++n) member_[n].end.pose = before[n];
  for (std::size_t k = 0; k < soft.size(); ++k) soft[k].finish(body_of(model, soft[k]), soft_before[k]);
  return false;
}

/// The end is what `state` holds.
void Linkage::read_end(const Model& model, const State& state) {
  for (std::size_t n = 0; n < member_.size(); ++n)
    member_[n].end = model.bodies[node_body_[n]].read_joined(state.bodies[node_body_[n]].values);
  for (LinkSoft& s : soft) s.finish(body_of(model, s), state.bodies[s.body].values);
}

}  // namespace hazumi
