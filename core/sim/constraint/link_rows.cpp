#include "core/sim/constraint/link_rows.h"

#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"
#include "core/scene/derived/joined.h"

namespace hazumi {
namespace {

constexpr double kShort = 1e-12;  // m: shorter has no direction
constexpr double kSlow = 1e-6;    // rad: a turn by less is as long as its rate says

/// A direction or lever on a body: at both ends, in the mean, and how it turns.
struct Arm {
  Vec3 from, to, mean;
  Vec3 beside = Vec3::Zero();  ///< of what moves on the body: the mean less that of the ends
  Mat3 turn, mean_turn;        ///< ∂x⁺/∂ω̄, and twice that of the mean

  Arm(const LinkBody& body, const Vec3& own, double h) {
    from = body.turned * own;
    to = body.end * own;
    mean = 0.5 * (from + to);
    turn = mean_turn = body.turns ? crossed(Mat3(-h * body.half), mean) : Mat3(Mat3::Zero());
  }
  Arm(const LinkBody& body, const Vec3& own_from, const Vec3& own, double h) : Arm(body, own, h) {
    const Mat3 half_way = 0.5 * (body.turned + body.end);
    from = body.turned * own_from;
    mean = half_way * (0.5 * (own_from + own));
    beside = mean - 0.5 * (from + to);
    if (body.turns) mean_turn = crossed(Mat3(-h * body.half), mean);
  }
};

/// `from` (null: it does not move on the body) and `own`, in its axes.
Arm arm_of(const LinkBody& body, const Vec3* from, const Vec3& own, double h) {
  return from ? Arm(body, *from, own, h) : Arm(body, own, h);
}

class Maker {
 public:
  Maker(const ModelJoint& joint, const LinkBody& a, const LinkBody& b, double h, const LinkValues& impulse,
        LinkRows& rows, LinkBlocks& out)
      : joint_(joint),
        a_(a),
        b_(b),
        h_(h),
        impulse_(impulse),
        rows_(rows),
        out_(out),
        arm_a_(arm_of(a, rows.goes ? &rows.from_a : nullptr, rows.place_a, h)),
        arm_b_(arm_of(b, rows.goes ? &rows.from_b : nullptr, rows.place_b, h)) {
    out_.rows = rows.count;
    out_.own_a.setZero();
    out_.own_b.setZero();
    out_.a_by_b.setZero();
    out_.b_by_a.setZero();
    apart_from_ = a.from + arm_a_.from - b.from - arm_b_.from;
    apart_to_ = a.to + arm_a_.to - b.to - arm_b_.to;
    apart_mean_ = 0.5 * (apart_from_ + apart_to_);
    if (rows.goes) apart_mean_ += arm_a_.beside - arm_b_.beside;
  }
  void all();

 private:
  Vec3 axis_b(int k) const { return joint_.frame_b.col(k); }
  Arm on_a(int k) const {
    const Vec3 from = rows_.frame_from.col(k);
    return arm_of(a_, rows_.goes ? &from : nullptr, joint_.frame_a.col(k), h_);
  }
  /// How fast it is told to turn, or places to go, of bodies that stand; else 0.
  Vec3 told_axis(int k) const {
    return rows_.rated ? Vec3(a_.end * rows_.rates.spin.cross(joint_.frame_a.col(k))) : Vec3(Vec3::Zero());
  }
  Vec3 told_apart() const {
    return rows_.rated ? Vec3(a_.end * rows_.rates.place_a - b_.end * rows_.rates.place_b) : Vec3(Vec3::Zero());
  }
  void put(const Vec3& force, const Vec3& torque_a, const Vec3& torque_b, const Vec6& move_a, const Vec6& move_b,
           double now);
  void ball(bool from);
  void dot(int k, int of_b);
  void slide(int k);
  void turn();
  void length();

  const ModelJoint& joint_;
  const LinkBody &a_, &b_;
  double h_;
  const LinkValues& impulse_;
  LinkRows& rows_;
  LinkBlocks& out_;
  Arm arm_a_, arm_b_;
  Vec3 apart_from_, apart_to_;  ///< p_a − p_b
  Vec3 apart_mean_;             ///< of where the impulse acts
  int next_ = 0;
};

Vec6 both(const Vec3& linear, const Vec3& angular) {
  Vec6 v;
  v << linear, angular;
  return v;
}

/// The next row: `force` acts on a, −force on b.
void Maker::put(const Vec3& force, const Vec3& torque_a, const Vec3& torque_b, const Vec6& move_a, const Vec6& move_b,
                double now) {
  const auto i = static_cast<std::size_t>(next_++);
  out_.act_a[i] = both(force, a_.turns ? torque_a : Vec3(Vec3::Zero()));
  out_.act_b[i] = both(-force, b_.turns ? torque_b : Vec3(Vec3::Zero()));
  out_.move_a[i] = move_a / h_;
  out_.move_b[i] = move_b / h_;
  rows_.row[i].now = now;
}

/// `from`: they may be apart, as the place of a lead on b goes on that: what pushes a pushes b on the same line.
void Maker::ball(bool from) {
  const Vec3 push(impulse_[0], impulse_[1], impulse_[2]);
  const Vec3 lever = from ? Vec3(arm_b_.mean + apart_mean_) : arm_b_.mean;
  if (a_.turns) out_.own_a.block<3, 3>(3, 3) += crossed(0.5 * push, arm_a_.mean_turn);
  if (b_.turns && from) {
    const Mat3 cross = 0.5 * h_ * skew(push);
    out_.own_b.block<3, 3>(3, 0) += cross;
    out_.b_by_a.block<3, 3>(3, 0) -= cross;
    out_.b_by_a.block<3, 3>(3, 3) -= crossed(0.5 * push, arm_a_.mean_turn);
  } else if (b_.turns) {
    out_.own_b.block<3, 3>(3, 3) -= crossed(0.5 * push, arm_b_.mean_turn);
  }
  const Vec3 told = told_apart();
  if (out_.place) {
    out_.at.arm_a = a_.turns ? arm_a_.mean : Vec3(Vec3::Zero());
    out_.at.arm_b = b_.turns ? arm_b_.mean : Vec3(Vec3::Zero());
    out_.at.turn_a = arm_a_.turn / h_;
    out_.at.turn_b = arm_b_.turn / h_;
  }
  for (int k = 0; k < 3; ++k) {
    const Vec3 e = Vec3::Unit(k);
    const double now = apart_to_[k];
    put(e, arm_a_.mean.cross(e), -lever.cross(e), both(h_ * e, arm_a_.turn.row(k).transpose()),
        -both(h_ * e, arm_b_.turn.row(k).transpose()), now);
    rows_.row[static_cast<std::size_t>(k)].told = told[k];
    rows_.row[static_cast<std::size_t>(k)].before = apart_from_[k];
  }
}

/// Axis k of a and one of b.
void Maker::dot(int k, int of_b) {
  const Arm x = on_a(k), y(b_, axis_b(of_b), h_);
  LinkRow& row = rows_.row[static_cast<std::size_t>(next_)];
  row.told = told_axis(k).dot(y.to);
  row.before = x.from.dot(y.from);
  const double push = impulse_[static_cast<std::size_t>(next_)];
  const Vec3 axis = x.mean.cross(y.mean);
  const Mat3 by_a = crossed(0.5 * push * y.mean, x.mean_turn), by_b = crossed(0.5 * push * x.mean, y.turn);
  out_.own_a.block<3, 3>(3, 3) += by_a;
  out_.a_by_b.block<3, 3>(3, 3) -= by_b;
  out_.b_by_a.block<3, 3>(3, 3) -= by_a;
  out_.own_b.block<3, 3>(3, 3) += by_b;
  put(Vec3::Zero(), axis, -axis, both(Vec3::Zero(), x.turn.transpose() * y.to),
      both(Vec3::Zero(), y.turn.transpose() * x.to), x.to.dot(y.to));
}

/// C = n·d, d = p_b − p_a: n pushes b.
void Maker::slide(int k) {
  const Arm n = on_a(k);
  const double push = impulse_[static_cast<std::size_t>(next_)];
  const Vec3 d_to = -apart_to_, d_mean = -apart_mean_;
  LinkRow& row = rows_.row[static_cast<std::size_t>(next_)];
  row.told = told_axis(k).dot(d_to) - n.to.dot(told_apart());
  if (next_ != rows_.limit && next_ != rows_.motor) row.before = -n.from.dot(apart_from_);
  const Vec3 reach = arm_a_.mean + d_mean;  // from c̄ of a to the place of b
  const Mat3 cross = skew(n.mean), turned = 0.5 * push * n.mean_turn;
  // b: n push at b̄; a: −n push at `reach`
  out_.b_by_a.block<3, 3>(0, 3) -= turned;
  out_.own_a.block<3, 3>(0, 3) += turned;
  if (b_.turns) {
    out_.own_b.block<3, 3>(3, 3) += 0.5 * push * cross * arm_b_.mean_turn;
    out_.b_by_a.block<3, 3>(3, 3) -= skew(arm_b_.mean) * turned;
  }
  if (a_.turns) {
    out_.own_a.block<3, 3>(3, 0) += 0.5 * h_ * push * cross;
    out_.a_by_b.block<3, 3>(3, 0) -= 0.5 * h_ * push * cross;
    out_.a_by_b.block<3, 3>(3, 3) -= 0.5 * push * cross * arm_b_.mean_turn;
    out_.own_a.block<3, 3>(3, 3) += skew(reach) * turned;
  }
  put(-n.mean, -reach.cross(n.mean), arm_b_.mean.cross(n.mean),
      both(-h_ * n.to, n.turn.transpose() * d_to - arm_a_.turn.transpose() * n.to),
      both(h_ * n.to, arm_b_.turn.transpose() * n.to), n.to.dot(d_to));
}

void Maker::turn() {
  const double push = impulse_[static_cast<std::size_t>(next_)];
  const HingeTurn turn = hinge_turn(joint_, a_, b_, h_, rows_);
  rows_.row[static_cast<std::size_t>(next_)].ratio = turn.ratio;
  if (rows_.rated)
    rows_.row[static_cast<std::size_t>(next_)].told = -(a_.end * rows_.rates.spin).dot(a_.end * joint_.frame_a.col(2));
  const Mat3 turned = 0.5 * push * turn.ratio * on_a(2).mean_turn;
  out_.b_by_a.block<3, 3>(3, 3) -= turned;
  out_.own_a.block<3, 3>(3, 3) += turned;
  put(Vec3::Zero(), -turn.axis, turn.axis, both(Vec3::Zero(), turn.by_a), both(Vec3::Zero(), turn.by_b), turn.now);
}

void Maker::length() {
  const double from = apart_from_.norm(), to = apart_to_.norm(), sum = std::max(from + to, kShort);
  const Vec3 n = rows_.goes ? Vec3(2 * apart_mean_ / sum) : Vec3((apart_from_ + apart_to_) / sum);
  const Vec3 end = to > kShort ? Vec3(apart_to_ / to) : n;
  rows_.row[static_cast<std::size_t>(next_)].told = end.dot(told_apart());
  const double push = impulse_[static_cast<std::size_t>(next_)];
  const Mat3 spread = push / sum * (Mat3::Identity() - n * end.transpose());  // λ ∂n/∂(p_a − p_b)⁺
  const Mat3 cross = push * skew(n);
  const auto add = [&](const LinkBody& body, const Arm& arm, double sign, Mat6& own, Mat6& by_other, const Arm& other) {
    // Force sign·λ n at the lever of `arm`; d⁺ moves by +own place of a, − of b.
    own.block<3, 3>(0, 0) -= h_ * spread;
    own.block<3, 3>(0, 3) -= spread * arm.turn;
    by_other.block<3, 3>(0, 0) += h_ * spread;
    by_other.block<3, 3>(0, 3) += spread * other.turn;
    if (!body.turns) return;
    const Mat3 lever = skew(arm.mean) * spread;
    own.block<3, 3>(3, 0) -= h_ * lever;
    own.block<3, 3>(3, 3) += sign * 0.5 * cross * arm.mean_turn - lever * arm.turn;
    by_other.block<3, 3>(3, 0) += h_ * lever;
    by_other.block<3, 3>(3, 3) += lever * other.turn;
  };
  add(a_, arm_a_, 1, out_.own_a, out_.a_by_b, arm_b_);
  add(b_, arm_b_, -1, out_.own_b, out_.b_by_a, arm_a_);
  put(n, arm_a_.mean.cross(n), -arm_b_.mean.cross(n), both(h_ * end, arm_a_.turn.transpose() * end),
      -both(h_ * end, arm_b_.turn.transpose() * end), to);
}

void Maker::all() {
  const bool turns = rows_.count > 3;
  switch (joint_.kind) {
    case JointKind::ball:
    case JointKind::lead:
    case JointKind::pull:
      ball(has_target(joint_.kind) || rows_.goes);
      break;
    case JointKind::fixed:
    case JointKind::hinge:
      ball(rows_.goes);
      if (!turns) break;
      dot(2, 0);
      dot(2, 1);
      if (joint_.kind == JointKind::fixed) dot(0, 1);
      if (rows_.limit >= 0) turn();
      if (rows_.motor >= 0) turn();
      break;
    case JointKind::slider:
      slide(0);
      slide(1);
      if (rows_.count >= 5) {
        dot(2, 0);
        dot(2, 1);
        dot(0, 1);
      }
      if (rows_.limit >= 0) slide(2);
      if (rows_.motor >= 0) slide(2);
      break;
    case JointKind::spring:
      if (rows_.count == 3)
        ball(true);
      else
        length();
      break;
    case JointKind::rope:
      length();
      break;
    case JointKind::gear:
      break;
  }
}

}  // namespace

HingeTurn hinge_turn(const ModelJoint& joint, const LinkBody& a, const LinkBody& b, double h, const LinkRows& rows) {
  const double angle = rows.angle;
  const auto axis = [&](int k) {
    const Vec3 from = rows.frame_from.col(k);
    return arm_of(a, rows.goes ? &from : nullptr, joint.frame_a.col(k), h);
  };
  const Arm x = axis(0), y = axis(1), z = axis(2);
  const Arm other(b, joint.frame_b.col(0), h);
  const double sine = other.to.dot(y.to), cosine = other.to.dot(x.to), square = sine * sine + cosine * cosine;
  HingeTurn turn;
  turn.now = turn_of(joint.frame_a, joint.frame_b, a.end, b.end, angle);
  const double rate = z.mean.dot(b.rate - a.rate);
  // What is told turns it too: the angle is not h times the rate of the bodies.
  const bool stands = rows.goes || (a.turned == a.end && b.turned == b.end);
  if (!stands && std::abs(h * rate) > kSlow) turn.ratio = (turn.now - angle) / (h * rate);
  turn.axis = turn.ratio * z.mean;
  turn.by_b = other.turn.transpose() * (cosine * y.to - sine * x.to) / square;
  turn.by_a = (y.turn.transpose() * (cosine * other.to) - x.turn.transpose() * (sine * other.to)) / square;
  return turn;
}

double turn_of(const Mat3& frame_a, const Mat3& frame_b, const Mat3& a, const Mat3& b, double near) {
  const Vec3 x = b * frame_b.col(0);
  const double angle = std::atan2(x.dot(a * frame_a.col(1)), x.dot(a * frame_a.col(0)));
  constexpr double kWhole = 2 * kPi;
  return angle + kWhole * std::round((near - angle) / kWhole);
}

void begin_rows(const ModelJoint& joint, const LinkBody& a, const LinkBody& b, double angle, LinkRows& rows) {
  rows.count = 0;
  rows.limit = rows.motor = -1;
  rows.place_a = joint.place_a;
  rows.place_b = joint.place_b;
  const bool turns = (a.turns || !a.moves) && (b.turns || !b.moves);
  const auto add = [&](int more) { rows.count += more; };
  switch (joint.kind) {
    case JointKind::ball:
    case JointKind::lead:
    case JointKind::pull:
      add(3);
      break;
    case JointKind::hinge:
      add(turns ? 5 : 3);
      break;
    case JointKind::fixed:
      add(turns ? 6 : 3);
      break;
    case JointKind::slider:
      add(turns ? 5 : 2);
      break;
    case JointKind::spring:
      add(joint.length > 0 ? 1 : 3);
      break;
    case JointKind::rope:
    case JointKind::gear:
      add(1);
      break;
  }
  const bool goes = joint.kind == JointKind::slider || (joint.kind == JointKind::hinge && turns);
  if (goes && joint.limited) rows.limit = rows.count++;
  if (goes && joint.motor) rows.motor = rows.count++;
  std::fill_n(rows.row.begin(), rows.count, LinkRow());
  const Mat3& frame_a = rows.goes ? rows.frame_from : joint.frame_a;
  rows.angle = joint.kind == JointKind::hinge && turns ? turn_of(frame_a, joint.frame_b, a.turned, b.turned, angle) : 0;
  rows.arm_a = a.turned * (rows.goes ? rows.from_a : joint.place_a);
  rows.arm_b = b.turned * (rows.goes ? rows.from_b : joint.place_b);
  const Vec3 apart = a.from + rows.arm_a - b.from - rows.arm_b;
  double goes_by = rows.angle;
  if (joint.kind == JointKind::slider) goes_by = -apart.dot(a.turned * frame_a.col(2));
  for (const int special : {rows.limit, rows.motor})
    if (special >= 0) rows.row[static_cast<std::size_t>(special)].before = goes_by;
  if (joint.kind == JointKind::spring || joint.kind == JointKind::rope) rows.row[0].before = apart.norm();
}

void make_rows(const ModelJoint& joint, const LinkBody& a, const LinkBody& b, double h, const LinkValues& impulse,
               LinkRows& rows, LinkBlocks& out, LinkValues& residual, Vec6& forces_a, Vec6& forces_b) {
  Maker(joint, a, b, h, impulse, rows, out).all();
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows.count); ++i) {
    const LinkRow& row = rows.row[i];
    out.yield[i] = 0;
    switch (row.role) {
      case LinkRowRole::hold:
        residual[i] = (row.now - row.wanted) / h;
        break;
      case LinkRowRole::rate:
        residual[i] = (row.now - row.before) / (h * row.ratio) - row.wanted;
        break;
      case LinkRowRole::spring: {
        const double strain = 0.5 * (row.now + row.before) - row.wanted, speed = (row.now - row.before) / h;
        const double answer = h * (0.5 * h * joint.stiffness + joint.damping);
        if (!(answer > 0)) {
          residual[i] = impulse[i];
          out.yield[i] = 1;
          out.move_a[i].setZero();
          out.move_b[i].setZero();
          break;
        }
        residual[i] = (impulse[i] + h * (joint.stiffness * strain + joint.damping * speed)) / answer;
        out.yield[i] = 1 / answer;
        break;
      }
      case LinkRowRole::pull: {
        const double speed = 2 * (row.now - row.before) / h - row.rate, answer = pull_answer(joint, h);
        residual[i] = (impulse[i] + h * (joint.stiffness * row.now + joint.damping * speed)) / answer;
        out.yield[i] = 1 / answer;
        break;
      }
      case LinkRowRole::off:
      case LinkRowRole::push:
        residual[i] = impulse[i] - (row.role == LinkRowRole::push ? row.wanted : 0.0);
        out.yield[i] = 1;
        out.move_a[i].setZero();
        out.move_b[i].setZero();
        break;
    }
    forces_a += impulse[i] * out.act_a[i];
    forces_b += impulse[i] * out.act_b[i];
  }
}

void make_ball(const LinkBody& a, const LinkBody& b, double h, bool derivatives, const LinkValues& impulse,
               LinkRows& rows, BallBlocks& out, LinkValues& residual, Vec6& forces_a, Vec6& forces_b) {
  const auto mean = [](const LinkBody& body, const Vec3& from, const Vec3& place) -> Vec3 {
    if (!body.moves) return 0.5 * (from + body.end * place);
    return body.turns ? Vec3(body.half * from) : from;
  };
  const Vec3 mean_a = mean(a, rows.arm_a, rows.place_a), mean_b = mean(b, rows.arm_b, rows.place_b);
  const Vec3 now = a.to + (2 * mean_a - rows.arm_a) - b.to - (2 * mean_b - rows.arm_b);
  const Vec3 push(impulse[0], impulse[1], impulse[2]);
  out.arm_a = a.turns ? mean_a : Vec3(Vec3::Zero());
  out.arm_b = b.turns ? mean_b : Vec3(Vec3::Zero());
  for (std::size_t i = 0; i < 3; ++i) {
    rows.row[i].now = now[static_cast<Eigen::Index>(i)];
    residual[i] = (rows.row[i].now - rows.row[i].wanted) / h;
  }
  forces_a.head<3>() += push;
  forces_a.tail<3>() += out.arm_a.cross(push);
  forces_b.head<3>() -= push;
  forces_b.tail<3>() -= out.arm_b.cross(push);
  if (!derivatives) return;
  const Vec3 half = 0.5 * h * push;
  if (a.moves && a.turns) {
    out.turn_a = -crossed(a.half, mean_a);
    out.own_a = crossed(half, out.turn_a);
  }
  if (b.moves && b.turns) {
    out.turn_b = -crossed(b.half, mean_b);
    out.own_b = -crossed(half, out.turn_b);
  }
}

void stand_ball(const LinkBody& a, const LinkBody& b, LinkRows& rows, BallBlocks& out) {
  const Vec3 arm_a = a.end * rows.place_a, arm_b = b.end * rows.place_b, now = a.to + arm_a - b.to - arm_b;
  out.arm_a = a.turns ? arm_a : Vec3(Vec3::Zero());
  out.arm_b = b.turns ? arm_b : Vec3(Vec3::Zero());
  for (std::size_t i = 0; i < 3; ++i) rows.row[i].now = now[static_cast<Eigen::Index>(i)];
}

}  // namespace hazumi
